/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure_choice.h"

#include <stdio.h>
#include <string.h>

const measure_group *const measure_groups[GROUPS] = {
    &measure_shape,     &measure_moments,     &measure_hull,      &measure_feret,
    &measure_inscribed, &measure_intensity,   &measure_neighbors, &measure_texture,
    &measure_radial,    &measure_rim,         &measure_skeleton,  &measure_geodesic,
    &measure_outline,   &measure_raw_moments, &measure_size,      &measure_percentiles};

static void add_heading(measure_choice *c, const char *prefix, const char *heading, const char *unit)
{
    measure_heading(prefix, heading, unit, c->text[c->columns]);
    c->headings[c->columns] = c->text[c->columns];
    c->columns++;
}

/* The headings of a group, ending with NULL or after *max. NULL: there are no columns. */
static const char *const *headings_of(drua_plan *p, int group, bool flat, int *max)
{
    const measure_group *g = measure_groups[group];
    *max = g->columns ? g->columns(p) : MEASURE_MAX_COLUMNS;
    return g->list ? g->list(p) : g->headings[!flat];
}

/* Adds the groups that chosen groups need, and lists the headings of all chosen groups. */
static void list_columns(drua_plan *p, bool flat, const char *prefix, const char *unit, measure_choice *c)
{
    c->group[SHAPE] |= c->group[HULL] || c->group[OUTLINE];
    c->group[FERET] |= c->group[GEODESIC];
    c->text = plan_host_memory(p, sizeof *c->text * MEASURE_MAX_COLUMNS);
    if (plan_failed(p))
        return;
    add_heading(c, prefix, "IDENTIFIER", unit);
    for (int i = 0; i < GROUPS; i++) {
        c->column[i] = c->columns;
        int max;
        const char *const *heading = headings_of(p, i, flat, &max);
        for (int k = 0; c->group[i] && heading && k < max && heading[k]; k++)
            add_heading(c, prefix, heading[k], unit);
        c->width[i] = c->columns - c->column[i];
        c->distances |= c->group[i] && measure_groups[i]->distances;
    }
}

void measure_choose_groups(drua_plan *p, bool flat, measure_choice *c)
{
    char prefix[DRUA_SETTING_TEXT], unit[MEASURE_UNIT];
    bool any = false;
    const bool all = plan_setting(p, "options", "all") != 0;
    for (int i = 0; i < GROUPS; i++) {
        const char *const *listed = measure_groups[i]->list ? measure_groups[i]->list(p) : NULL;
        c->group[i] = measure_groups[i]->list ? listed && *listed
                                              : all || plan_setting(p, "options", measure_groups[i]->name) != 0;
        any |= c->group[i];
    }
    c->group[SHAPE] |= !any;
    plan_setting_text(p, "options", "prefix", prefix);
    measure_unit(p, "labels", "intensity", unit);
    list_columns(p, flat, prefix, unit, c);
}

int measure_choose_column(drua_plan *p, bool flat, const char *name, measure_choice *c)
{
    for (int i = 0; i < GROUPS; i++) {
        int max;
        const char *const *heading = headings_of(p, i, flat, &max);
        for (int k = 0; heading && k < max && heading[k]; k++)
            if (!strcmp(heading[k], name)) {
                c->group[i] = true;
                list_columns(p, flat, "", "", c);
                return c->column[i] + k;
            }
    }
    plan_fail(p,
              "column must be a column of measure_labels for %s, such as \"%s\", got \"%s\"; docs/shape.md lists them",
              flat ? "planes" : "stacks", flat ? "AREA" : "VOLUME", name);
    return 0;
}

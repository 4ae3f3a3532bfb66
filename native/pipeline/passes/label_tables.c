/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes tables of labels by joining the statistics of blocks. The first pass computes sums and extents. The second pass
 * computes distances to the centres that result from the first. A list of spots needs no pass: it has the positions of
 * labels that are numbered already.
 */
#include "passes.h"
#include "block_passes.h"
#include "label_block.h"
#include "label_sums.h"
#include "label_table_files.h"
#include "pass_parts.h"

#include "alloc.h"
#include "error.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- blocks */

enum { PASSES = 2 };

typedef struct tabling {
    tabulation all;
    drua_type type, label_type;
} tabling;

static drua_status keep_sums(pass_block *b, void *payload)
{
    const tabling *t = payload;
    const tabulated_block block = {&b->box, t->type, t->label_type, b->pixels[0], b->pixels[1]};
    return block_sums_find(&t->all, &block, &b->found);
}

static drua_status add_sums(const drua_bytes *found, void *payload)
{
    tabling *t = payload;
    return tabulation_add(&t->all, found);
}

static drua_status save_sums(const void *payload, drua_bytes *joined)
{
    const tabling *t = payload;
    return tabulation_save(&t->all, joined);
}

static drua_status load_sums(void *payload, const drua_bytes *joined)
{
    tabling *t = payload;
    return tabulation_load(&t->all, joined);
}

/* ---- rows; the columns are those of statistics_of_labels.c */

static const char HEADINGS[] = "IDENTIFIER,BOUNDING_BOX_X,BOUNDING_BOX_Y,BOUNDING_BOX_Z,BOUNDING_BOX_END_"
                               "X,BOUNDING_BOX_END_Y,BOUNDING_BOX_END_Z,BOUNDING_BOX_"
                               "WIDTH,BOUNDING_BOX_HEIGHT,"
                               "BOUNDING_BOX_DEPTH,MINIMUM_INTENSITY,MAXIMUM_INTENSITY,MEAN_INTENSITY,SUM_INTENSITY,"
                               "STANDARD_DEVIATION_INTENSITY,PIXEL_COUNT,SUM_INTENSITY_"
                               "TIMES_X,SUM_INTENSITY_TIMES_Y,"
                               "SUM_INTENSITY_TIMES_Z,MASS_CENTER_X,MASS_CENTER_Y,MASS_CENTER_Z,SUM_X,SUM_Y,SUM_Z,"
                               "CENTROID_X,CENTROID_Y,CENTROID_Z,SUM_DISTANCE_TO_MASS_CENTER,"
                               "MEAN_DISTANCE_TO_MASS_CENTER,MAX_DISTANCE_TO_MASS_CENTER,MAX_MEAN_DISTANCE_TO_MASS_"
                               "CENTER_RATIO,SUM_DISTANCE_TO_CENTROID,MEAN_DISTANCE_TO_"
                               "CENTROID,"
                               "MAX_DISTANCE_TO_CENTROID,MAX_MEAN_DISTANCE_TO_CENTROID_RATIO";

static void add_row(const void *of, int64_t row, drua_text *text)
{
    const label_sums *s = (const label_sums *)of + row;
    const bool exists = s->pixels > 0;
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = exists ? (double)s->low[axis] : DBL_MAX;
        high[axis] = exists ? (double)s->high[axis] : -DBL_MAX;
    }
    drua_text_add(text, ",%" PRId64, row);
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, low[axis]);
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, high[axis]);
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, high[axis] - low[axis] + 1);
    const double cells[] = {
        s->least, s->most, s->sum / s->pixels, s->sum, exists ? sqrt(s->squares / s->pixels) : (double)NAN, s->pixels};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        label_table_cell(text, cells[i]);
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, s->weighted[axis]);
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, label_sums_centre(s, MASS, axis));
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, s->positions[axis]);
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, label_sums_centre(s, MIDDLE, axis));
    for (int which = 0; which < CENTRES; which++) {
        const double mean = s->distance[which] / s->pixels;
        label_table_cell(text, s->distance[which]);
        label_table_cell(text, mean);
        label_table_cell(text, s->longest[which]);
        label_table_cell(text, s->longest[which] / mean);
    }
}

/* ---- passes */

static drua_status measure_table(job *j, const graph *g, const graph_label_call *c, tabulation *made)
{
    enum { MAX_PIXELS = 1 << 27 };
    const int values[] = {c->source, c->labels};
    int64_t step[3];
    tabling t = {.type = g->values[c->source].image->type, .label_type = g->values[c->labels].image->type};
    block_pass pass = {.keep = keep_sums,
                       .add = add_sums,
                       .save = save_sums,
                       .load = load_sums,
                       .payload = &t,
                       .what = "blocks measured",
                       .store.number = -1};
    t.all.any = !strcmp(c->op->name, "statistics_of_background_and_labelled_pixels");
    drua_status status = tabulation_grow(&t.all, 0);
    if (status == DRUA_OK)
        status = pass_block_extent(j, g, values, 2, MAX_PIXELS, step);
    for (int axis = 0; axis < 3 && status == DRUA_OK; axis++)
        step[axis] = j->text.requested_block[axis] > 0 && j->text.requested_block[axis] < step[axis]
                         ? j->text.requested_block[axis]
                         : step[axis];
    if (status == DRUA_OK)
        status = pass_run(j, g, values, 2, step, &pass);
    if (status == DRUA_OK && t.all.largest == 0 && t.all.of[0].odd != 0)
        status = label_map_refuse(t.all.of[0].odd);
    t.all.second = true;
    pass.what = "blocks measured again";
    if (status == DRUA_OK)
        status = pass_run(j, g, values, 2, step, &pass);
    *made = t.all;
    return status;
}

static drua_status make_statistics(job *j, const graph *g, const graph_label_call *c, const char *what)
{
    tabulation t = {.of = NULL};
    drua_status status = measure_table(j, g, c, &t);
    const table_rows rows = {HEADINGS, !t.any, (int64_t)t.largest + 1, add_row, t.of};
    if (status == DRUA_OK && j->passes != PASSES_COUNTED)
        status = label_table_write(j, g->table_count, what, &rows);
    drua_free(t.of);
    return status;
}

/* ---- lists of spots */

typedef struct spots {
    label_row *rows;
    int64_t width, height;
} spots;

static void add_spot(const void *of, int64_t row, drua_text *text)
{
    const spots *s = of;
    const int64_t at = (int64_t)s->rows[row].first;
    drua_text_add(text, ",%" PRId64 ",%" PRId64 ",%" PRId64, at % s->width, at / s->width % s->height,
                  at / s->width / s->height);
}

static drua_status list_spots(const job *j, const graph *g, const graph_label_call *c, const char *what)
{
    const drua_shape shape = g->values[c->labels].image->shape;
    spots s = {.width = shape.width, .height = shape.height};
    uint32_t count;
    if (j->passes == PASSES_COUNTED)
        return DRUA_OK;
    DRUA_TRY(label_map_rows(graph_labels(g, c->labels), &s.rows, &count));
    const table_rows rows = {"X,Y,Z", 1, (int64_t)count + 1, add_spot, &s};
    const drua_status status = label_table_write(j, g->table_count, what, &rows);
    drua_free(s.rows);
    return status;
}

/* ---- tables */

drua_status job_tabulate(void *payload, const graph *g, const graph_label_call *c)
{
    job *j = payload;
    char what[DRUA_SHA256_TEXT];
    const bool list = !strcmp(c->op->name, "spots_to_point_list");
    DRUA_TRY(pass_hash(j, g, drua_text_characters(&c->text), what));
    if (j->passes == PASSES_DONE || (j->passes != PASSES_COUNTED && label_table_is_there(j, g->table_count, what))) {
        pass_skip(j, list ? 0 : PASSES);
        return DRUA_OK;
    }
    return list ? list_spots(j, g, c, what) : make_statistics(j, g, c, what);
}

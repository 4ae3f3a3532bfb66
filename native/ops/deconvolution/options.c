/* SPDX-License-Identifier: BSD-3-Clause */
#include "richardson_lucy.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 64, MOST_ITERATIONS = 100000 };

rl_options rl_defaults(void)
{
    return (rl_options){.iterations = 20, .edges = EDGES_ZERO, .spacing = {1, 1, 3}, .saturated = INFINITY, .start = -1, .step = 1, .alpha = 0.05, .order = 10};
}

/* One word of the text, cut at '='. */
typedef struct option {
    char name[WORD], value[WORD];
    bool has_value;
} option;

static double number(drua_plan *p, const option *o, double least, double most)
{
    char *end;
    double value = strtod(o->value, &end);
    if (!o->has_value || end == o->value || *end || !(value >= least && value <= most))
        plan_fail(p, "options: %s must be a number of %g to %g, got '%s'", o->name, least, most, o->value);
    return value;
}

static int choice(drua_plan *p, const option *o, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], o->value))
            return i;
    char list[256] = "";
    for (int i = 0; i < count; i++)
        strcat(strcat(list, i ? ", " : ""), names[i]);
    plan_fail(p, "options: %s must be one of %s, got '%s'", o->name, list, o->value);
    return 0;
}

static void spacing(drua_plan *p, rl_options *options, const option *o)
{
    char *at = (char *)o->value;
    for (int i = 0; i < 3; i++) {
        char *end;
        options->spacing[i] = strtod(at, &end);
        if (end == at || !(options->spacing[i] > 0) || *end != (i < 2 ? ',' : 0)) {
            plan_fail(p, "options: spacing must be three sizes of a voxel such as 1,1,3, got '%s'", o->value);
            return;
        }
        at = end + 1;
    }
}

static void apply(drua_plan *p, rl_options *options, const option *o)
{
    static const char *const edges[] = {"noncirculant", "mirror", "circulant"};
    static const int edges_as[] = {EDGES_ZERO, EDGES_MIRROR, EDGES_PERIODIC};
    static const char *const ways[] = {"none", "heavy_ball", "biggs_andrews"};
    static const char *const methods[] = {"richardson_lucy", "wiener_butterworth", "landweber"};
    if (!strcmp(o->name, "iterations"))
        options->iterations = (int64_t)number(p, o, 1, MOST_ITERATIONS);
    else if (!strcmp(o->name, "method"))
        options->method = (rl_method)choice(p, o, methods, 3);
    else if (!strcmp(o->name, "step"))
        options->step = number(p, o, 1e-6, 1.99);
    else if (!strcmp(o->name, "alpha"))
        options->alpha = number(p, o, 1e-9, 1e3);
    else if (!strcmp(o->name, "order"))
        options->order = number(p, o, 1, 30);
    else if (!strcmp(o->name, "tv"))
        options->total_variation = number(p, o, 0, 1);
    else if (!strcmp(o->name, "tv_floor"))
        options->least_gradient = number(p, o, 0, 10);
    else if (!strcmp(o->name, "spacing"))
        spacing(p, options, o);
    else if (!strcmp(o->name, "edges"))
        options->edges = edges_as[choice(p, o, edges, 3)];
    else if (!strcmp(o->name, "accelerate"))
        options->acceleration = o->has_value ? (rl_acceleration)choice(p, o, ways, 3) : RL_HEAVY_BALL;
    else if (!strcmp(o->name, "background"))
        options->background = number(p, o, 0, 1e30);
    else if (!strcmp(o->name, "stop"))
        options->stop = number(p, o, 0, 1);
    else if (!strcmp(o->name, "curve"))
        options->every = o->has_value ? (int64_t)number(p, o, 1, MOST_ITERATIONS) : 1;
    else if (!strcmp(o->name, "saturated"))
        options->saturated = number(p, o, 0, 1e30);
    else if (!strcmp(o->name, "start"))
        options->start = number(p, o, 0, 1e30);
    else if (!strcmp(o->name, "slices"))
        options->slices = true;
    else
        plan_fail(p, "options: there is no '%s'; there are iterations, edges, accelerate, tv, tv_floor, spacing, background, stop, curve, saturated, start, slices, method, step, alpha and order", o->name);
}

/* At this weight the denominator of the total variation could become 0. */
static void check_total_variation(drua_plan *p, const rl_options *o)
{
    const double limit = 0.5 / (1 / o->spacing[0] + 1 / o->spacing[1] + 1 / o->spacing[2]);
    if (o->total_variation >= limit)
        plan_fail(p, "tv must be below %.3g for voxels of %g x %g x %g, got %g; 0.0005 to 0.01 are useful", limit, o->spacing[0], o->spacing[1],
                  o->spacing[2], o->total_variation);
}

rl_options rl_parse(drua_plan *p, const char *text)
{
    static const char space[] = " \t\r\n";
    rl_options options = rl_defaults();
    for (text += strspn(text, space); *text && !plan_failed(p); text += strspn(text, space)) {
        option o = {{0}, {0}, false};
        const size_t length = strcspn(text, space), name = strcspn(text, "= \t\r\n");
        if (name >= WORD || length - name > WORD) {
            plan_fail(p, "options: '%.*s' is too long", (int)length, text);
            break;
        }
        memcpy(o.name, text, name);
        o.has_value = name < length;
        if (o.has_value)
            memcpy(o.value, text + name + 1, length - name - 1);
        apply(p, &options, &o);
        text += length;
    }
    if (options.stop > 0 && !options.every)
        options.every = 1;
    if (options.slices)
        options.spacing[2] = INFINITY;
    check_total_variation(p, &options);
    if (options.method == RL_LANDWEBER && (options.total_variation > 0 || options.acceleration == RL_BIGGS_ANDREWS))
        plan_fail(p, "options: method=landweber goes with accelerate=heavy_ball at most, and without tv");
    return options;
}

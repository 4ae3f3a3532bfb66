/* SPDX-License-Identifier: BSD-3-Clause */
#include "richardson_lucy.h"

#include "../measure/tally.h"
#include "../window/window.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 256, GROUPS = 256 };

/* A voxel of which less than this share of its light was observed keeps the mean. */
static const double LEAST_SHARE[] = {[RL_RICHARDSON_LUCY] = 0.01, [RL_WIENER_BUTTERWORTH] = 0.1, [RL_LANDWEBER] = 0};

/* Of the mean: what a voxel keeps where a back projector that can be negative would take it away. */
static const double LEAST_VALUE = 1e-3;

typedef struct state {
    const rl_options *options;
    rl_block block;
    int edges;                          /* two bits an axis */
    fourier_box box;
    drua_view image, bad, spectrum, back, work, weight;  /* back: the factor of the way back */
    bool masked;
    drua_view estimate, previous;       /* previous: where the next step starts, with acceleration */
    drua_view went[2], products, alpha; /* Biggs-Andrews: how far the last two steps went */
    drua_view divergences;              /* pairs of floats, GROUPS a divergence */
    bool weighted;
    bool joined;                        /* the ends of convolutions are joined with what comes between them: `work` has transformed rows */
    double floor;                       /* of the estimate; above 0 where a correction can be negative */
    int64_t done, recorded;
    double *divergence;                 /* what was read back */
} state;

drua_shape rl_psf_shape(drua_plan *p, const rl_options *o)
{
    drua_shape shape = plan_shape(p, "psf");
    if (o->slices)
        shape.depth = 1;
    return shape;
}

fourier_box rl_box_of_block(drua_shape block, drua_shape psf, const rl_options *o, int cut)
{
    if (o->method == RL_WIENER_BUTTERWORTH)     /* whose back projector reaches further than the psf */
        psf = (drua_shape){2 * psf.width - 1, 2 * psf.height - 1, 2 * psf.depth - 1, 3};
    fourier_box box = fourier_box_around(block, psf, o->edges), open = fourier_box_around(block, psf, EDGES_ZERO);
    if (cut == 1) {
        box.shape.height = open.shape.height;
        box.y = open.y;
    } else if (cut == 2) {
        box.shape.depth = open.shape.depth;
        box.z = open.z;
    }
    return box;
}

fourier_box rl_box(drua_plan *p, const rl_options *options)
{
    return rl_box_of_block(plan_shape(p, "source"), rl_psf_shape(p, options), options, 0);
}

/* All axes alike, but for the one that a block is cut along. */
static int packed_edges(int edges, int along_cut, int cut)
{
    int packed = 0;
    for (int axis = 0; axis < 3; axis++)
        packed |= (cut && axis == cut ? along_cut : edges) << 2 * axis;
    return packed;
}

/* Where not all light is seen, its share is kept in a box of its own: what the psf, not another back projector, makes of the view. */
static bool is_weighted(const rl_options *o, bool partly)
{
    return o->method != RL_LANDWEBER && (o->edges == EDGES_ZERO || isfinite(o->saturated) || partly);
}

int rl_boxes(const rl_options *o, bool partly)
{
    static const int more[] = {[RL_PLAIN] = 0, [RL_HEAVY_BALL] = 1, [RL_BIGGS_ANDREWS] = 3};
    return 3 + is_weighted(o, partly) + (o->method == RL_WIENER_BUTTERWORTH) + more[o->acceleration];
}

/* ---- what goes in */

static tally sum_up(drua_plan *p, drua_view image)
{
    return tally_read(p, tally_send(p, "tally_pixels", image, (drua_view){0}));
}

double rl_check_psf(drua_plan *p, drua_view psf)
{
    const tally t = sum_up(p, psf);
    if (plan_failed(p))
        return 1;
    if (!isfinite(t.sum[0]))
        plan_fail(p, "psf has pixels that are not numbers or infinite; replace them first");
    else if (t.low < 0)
        plan_fail(p, "psf has negative pixels, the smallest is %g; subtract its background so that none is left", t.low);
    else if (!(t.sum[0] > 0))
        plan_fail(p, "psf is empty: its sum is %g; give an image of the microscope's point spread function", t.sum[0]);
    return t.sum[0];
}

/* The mean above the background, or what is given for it. A block may be all bad. */
static double check_image(drua_plan *p, const state *s)
{
    const double background = s->options->background, start = s->options->start;
    const tally t = sum_up(p, s->image), mask = s->masked && !s->block.axis ? sum_up(p, s->bad) : (tally){0};
    const double mean = t.sum[0] / (double)drua_layout_count(&s->image.layout);
    if (!isfinite(t.sum[0]))
        plan_fail(p, "source has pixels that are not numbers or infinite; replace them first");
    else if (t.low < 0)
        plan_fail(p, "source has negative pixels, the smallest is %g; counts of light are 0 or more: do not subtract the background, name it (background=...)", t.low);
    else if (start == 0 && !(mean > background))
        plan_fail(p, "source has a mean of %g, which is not above the background of %g; give an image with light, or a smaller background", mean, background);
    else if (!s->block.axis)
        rl_check_known(p, s->options, t.low, mask.low);
    return start > 0 ? start : mean - background;
}

#define SOURCE(s) ARG((s)->image), ARG((s)->bad), INT((s)->masked), REAL((s)->options->saturated)
#define PLACE(s) INT((s)->box.x), INT((s)->box.y), INT((s)->box.z)
#define BOX_GRID(s) plan_grid((s)->work.layout)
#define PAIRS_GRID(s) GRID(((s)->work.layout.width + 1) / 2, (s)->work.layout.height, (s)->work.layout.depth, 32, 4, 1)

static void weigh_edges(drua_plan *p, state *s)
{
    s->weighted = is_weighted(s->options, s->masked || s->block.cut);
    s->weight = s->work;
    if (!s->weighted)
        return;
    s->weight = plan_fft_scratch(p, s->box.shape);
    LAUNCH(p, "rl_view", BOX_GRID(s), ARG(s->work), SOURCE(s), PLACE(s), INT(s->edges));
    plan_fft_convolve(p, s->work, s->spectrum, s->work, true);
    LAUNCH(p, "rl_weight", BOX_GRID(s), ARG(s->work), ARG(s->weight), REAL(LEAST_SHARE[s->options->method]));
}

static void start(drua_plan *p, state *s, drua_view box, double mean)
{
    const rl_options *o = s->options;
    LAUNCH(p, "rl_start", BOX_GRID(s), ARG(box), SOURCE(s), PLACE(s), INT(packed_edges(o->edges, EDGES_MIRROR, s->block.cut)), REAL(o->background),
           REAL(is_weighted(o, s->masked) || o->edges == EDGES_ZERO ? mean : -1));
}

/* Whether nothing but the usual steps lies between the convolutions of an iteration; with `previous` too short rows are slower joined. */
static bool can_join(drua_plan *p, const state *s)
{
    enum { ROWS_WITH_PREVIOUS = 1024 };
    const rl_options *o = s->options;
    const bool usual = o->method != RL_LANDWEBER && o->acceleration != RL_BIGGS_ANDREWS && o->total_variation == 0 && !o->every;
    const bool pays = o->acceleration == RL_PLAIN || s->box.shape.width >= ROWS_WITH_PREVIOUS;
    return usual && pays && o->edges != EDGES_MIRROR && !s->masked && !s->block.cut && plan_fft_joins(p, s->box.shape);
}

static void prepare(drua_plan *p, state *s)
{
    const rl_options *o = s->options;
    drua_view psf = plan_image(p, "psf");
    if (o->slices)
        psf = plan_slices(psf, psf.layout.depth / 2, 1);
    fourier_check_memory(p, s->box, rl_boxes(o, s->masked || s->block.cut));
    const double sum = plan_failed(p) ? 1 : rl_check_psf(p, psf);
    const double mean = plan_failed(p) ? 1 : check_image(p, s);
    plan_fft_prepare(p, s->box.shape, true);
    s->spectrum = fourier_kernel(p, s->box, psf, 1 / sum);
    s->back = o->method == RL_WIENER_BUTTERWORTH ? rl_back_projector(p, o, psf, s->spectrum) : s->spectrum;
    s->floor = o->method == RL_WIENER_BUTTERWORTH ? LEAST_VALUE * mean : 0;
    s->work = plan_fft_scratch(p, s->box.shape);
    weigh_edges(p, s);
    s->estimate = plan_fft_scratch(p, s->box.shape);
    start(p, s, s->estimate, mean);
    if (o->acceleration != RL_PLAIN) {
        s->previous = plan_fft_scratch(p, s->box.shape);
        start(p, s, s->previous, mean);
    }
    s->joined = can_join(p, s);
    if (s->joined)
        plan_fft_rows(p, s->estimate, s->work);
    if (o->acceleration == RL_BIGGS_ANDREWS) {
        s->went[0] = plan_fft_scratch(p, s->box.shape);
        s->went[1] = plan_fft_scratch(p, s->box.shape);
        s->products = plan_memory(p, (uint64_t)(s->block.axis ? o->iterations : 1) * 2 * GROUPS * 2 * sizeof(float));
        s->alpha = plan_memory(p, sizeof(float));
    }
    if (o->every) {
        const uint64_t most = (uint64_t)rl_records(o);
        s->divergences = plan_memory(p, most * GROUPS * 2 * sizeof(float));
        s->divergence = plan_host(p, most * sizeof *s->divergence);
    }
}

/* ---- one iteration */

static void swap(drua_view *a, drua_view *b)
{
    drua_view other = *a;
    *a = *b;
    *b = other;
}

/* How far the heavy ball goes on in the direction of the last step. */
static double momentum(const state *s, int64_t iteration)
{
    return s->options->acceleration == RL_HEAVY_BALL && iteration > 1 ? (double)(iteration - 1) / (double)(iteration + 2) : 0;
}

/* Of a box the layers that belong to no other block; all of the whole image's. */
static drua_view steps_of(const state *s, drua_view box)
{
    drua_layout *l = &box.layout;
    const rl_block *b = &s->block;
    const int64_t extent = b->axis == 2 ? l->depth : l->height, first = b->axis == 2 ? s->box.z + b->own.z : s->box.y + b->own.y;
    const int64_t end = first + (b->axis == 2 ? b->own.shape.depth : b->own.shape.height) + b->rim[1];
    const int64_t from = first > b->rim[0] ? first - b->rim[0] : 0, to = end < extent ? end : extent;
    l->offset += from * (b->axis == 2 ? l->plane : l->row);
    *(b->axis == 2 ? &l->depth : &l->height) = (int32_t)(to - from);
    return box;
}

/* How far the last step went along the one before; a block keeps the products of all. */
static void compare_steps(drua_plan *p, state *s)
{
    const drua_view last = steps_of(s, s->went[0]), before = steps_of(s, s->went[1]);
    const int first = s->block.axis ? (int)s->done * 2 * GROUPS : 0;
    LAUNCH(p, "rl_products", GRID(GROUPS * GROUP, 1, 1, GROUP, 1, 1), ARG(last), ARG(before), LONG(drua_layout_count(&last.layout)), POINTER(s->products), INT(first));
    LAUNCH(p, "rl_alpha", GRID(GROUP, 1, 1, GROUP, 1, 1), POINTER(s->products), INT(first), INT(GROUPS), POINTER(s->alpha));
}

static void predict(drua_plan *p, state *s)
{
    const bool compared = s->options->acceleration == RL_BIGGS_ANDREWS && s->done > 1, known = compared && s->done - 2 < s->options->step_count;
    if (compared)
        compare_steps(p, s);
    LAUNCH(p, "rl_predict", PAIRS_GRID(s), ARG(s->estimate), ARG(s->previous), REAL(known ? s->options->steps[s->done - 2] : momentum(s, s->done)),
           POINTER(compared ? s->alpha : s->previous), INT(compared && !known));
    swap(&s->estimate, &s->previous);
}

/* What the estimate predicts, or its transformed rows. */
static void blur(drua_plan *p, state *s)
{
    if (s->joined)
        plan_fft_columns(p, s->work, s->spectrum, false);
    else
        plan_fft_convolve(p, s->estimate, s->spectrum, s->work, false);
}

static void project_back(drua_plan *p, state *s)
{
    if (s->joined)
        plan_fft_columns(p, s->work, s->back, true);
    else
        plan_fft_convolve(p, s->work, s->back, s->work, true);
}

static void update_and_go_on(drua_plan *p, const state *s, bool ahead)
{
    const bool moves = s->options->acceleration != RL_PLAIN;
    char constants[40];
    snprintf(constants, sizeof constants, "WEIGHTED=%d MOMENTUM=%d", s->weighted, moves);
    JOIN_ROWS(p, ahead, s->work, "rl_rows_update", constants, ARG(s->estimate), ARG(s->weight), ARG(moves ? s->previous : s->work), REAL(s->floor),
              REAL(momentum(s, s->done + 1)));
}

static void update(drua_plan *p, state *s)
{
    if (s->joined) {
        update_and_go_on(p, s, false);
    } else if (s->options->method == RL_LANDWEBER) {
        LAUNCH(p, "rl_add", BOX_GRID(s), ARG(s->estimate), ARG(s->work), REAL(s->options->step));
    } else if (s->options->acceleration == RL_BIGGS_ANDREWS) {
        swap(&s->went[0], &s->went[1]);
        LAUNCH(p, "rl_update_step", BOX_GRID(s), ARG(s->estimate), ARG(s->work), ARG(s->weight), INT(s->weighted), REAL(s->floor), ARG(s->went[0]));
    } else {
        LAUNCH(p, "rl_update", PAIRS_GRID(s), ARG(s->estimate), ARG(s->work), ARG(s->weight), INT(s->weighted), REAL(s->floor));
    }
}

static void smooth(drua_plan *p, state *s)
{
    const rl_options *o = s->options;
    const drua_shape view = plan_shape(p, "source"), psf = rl_psf_shape(p, o), box = s->box.shape;
    const bool all = o->edges != EDGES_ZERO, all_y = all && s->block.cut != 1, all_z = all && s->block.cut != 2;
    const int64_t rx = psf.width / 2, ry = psf.height / 2, rz = psf.depth / 2;
    if (o->total_variation > 0)
        LAUNCH(p, "rl_smooth", BOX_GRID(s), ARG(s->work), ARG(s->estimate), ARG(s->weight), INT(s->weighted), REAL(o->total_variation), REAL(o->spacing[0]), REAL(o->spacing[1]),
               REAL(o->spacing[2]), REAL(o->least_gradient), INT(all ? 0 : s->box.x - rx), INT(all_y ? 0 : s->box.y - ry), INT(all_z ? 0 : s->box.z - rz),
               INT(all ? box.width - 1 : s->box.x + view.width + rx - 1), INT(all_y ? box.height - 1 : s->box.y + view.height + ry - 1),
               INT(all_z ? box.depth - 1 : s->box.z + view.depth + rz - 1), INT(s->block.cut),
               INT(s->block.seam + (s->block.cut == 1 ? s->box.y : s->box.z)), INT(s->block.period));
}

/* Of an image the pixels that are the block's own. */
static drua_view own(const state *s, drua_view image)
{
    return fourier_crop(image, s->block.own, s->block.own.shape);
}

/* The divergence of what the estimate predicts, which lies in the work box, from the block's own pixels. */
static void record(drua_plan *p, state *s)
{
    const fourier_box *o = &s->block.own;
    const drua_view image = own(s, s->image), bad = own(s, s->bad);
    LAUNCH(p, "rl_divergence", GRID(GROUPS * GROUP, 1, 1, GROUP, 1, 1), ARG(s->work), ARG(image), ARG(bad), INT(s->masked), REAL(s->options->saturated),
           INT(s->box.x + o->x), INT(s->box.y + o->y), INT(s->box.z + o->z), REAL(s->options->background), LONG(drua_layout_count(&image.layout)),
           POINTER(s->divergences), INT(s->recorded * GROUPS));
    s->recorded++;
}

/* Reads the divergences that were recorded from number `first` on; waits. */
static void read_back(drua_plan *p, state *s, int64_t first)
{
    const size_t count = (size_t)(s->recorded - first) * GROUPS;
    float(*pairs)[2] = plan_host(p, count * sizeof *pairs);
    drua_view part = s->divergences;
    part.layout.offset += first * GROUPS * 2;
    plan_read(p, part, pairs, count * sizeof *pairs);
    for (size_t i = 0; !plan_failed(p) && i < count; i++)
        s->divergence[first + (int64_t)(i / GROUPS)] += (double)pairs[i][0] + pairs[i][1];
}

int64_t rl_records(const rl_options *o)
{
    return o->every ? (o->iterations - 1) / o->every + 1 : 0;
}

int64_t rl_products(const rl_options *o)
{
    return o->acceleration == RL_BIGGS_ANDREWS && o->iterations > 2 ? 2 * (o->iterations - 2) : 0;
}

bool rl_is_settled(const rl_options *o, double before, double now)
{
    return fabs(before - now) <= o->stop * before;
}

/* Waits. */
static bool is_settled(drua_plan *p, state *s)
{
    if (s->options->stop <= 0 || plan_failed(p))
        return false;
    read_back(p, s, s->recorded - 1);
    return !plan_failed(p) && s->recorded > 1 && rl_is_settled(s->options, s->divergence[s->recorded - 2], s->divergence[s->recorded - 1]);
}

/* Whether pairs of the box lie side by side in the image, at even places. */
static bool is_in_pairs(const state *s)
{
    const drua_layout *l = &s->image.layout;
    return l->column == 1 && (s->box.x | l->width | l->offset | l->row | l->plane) % 2 == 0;
}

static void compare_and_go_on(drua_plan *p, const state *s, bool ahead)
{
    char constants[40];
    snprintf(constants, sizeof constants, "FROM=%s PAIRS=%d", window_element(s->image), is_in_pairs(s));
    JOIN_ROWS(p, ahead, s->work, "rl_rows_ratio", constants, ARG(s->image), REAL(s->options->saturated), PLACE(s), REAL(s->options->background));
}

/* What was observed over what is predicted, in the work box. */
static void compare(drua_plan *p, state *s)
{
    const bool differs = s->options->method == RL_LANDWEBER;
    if (s->joined) {
        compare_and_go_on(p, s, false);
        return;
    }
    LAUNCH(p, differs ? "rl_difference" : "rl_ratio", differs ? BOX_GRID(s) : PAIRS_GRID(s), ARG(s->work), SOURCE(s), PLACE(s), INT(s->edges),
           REAL(s->options->background));
}

static bool is_stopped(drua_plan *p, const state *s)
{
    return s->options->keep_partial && s->done > 0 && plan_is_stopped(p);
}

static void iterate(drua_plan *p, state *s)
{
    const rl_options *o = s->options;
    if (o->keep_partial)
        plan_keep_partial(p);
    if (s->joined) {        /* both are compiled while the first convolution is sent */
        compare_and_go_on(p, s, true);
        update_and_go_on(p, s, true);
    }
    for (; s->done < o->iterations && !is_stopped(p, s) && !plan_failed(p); s->done++) {
        plan_progress(p, (double)s->done / (double)o->iterations);
        if (o->acceleration != RL_PLAIN && !s->joined)
            predict(p, s);
        blur(p, s);
        if (o->every && s->done % o->every == 0) {
            record(p, s);
            if (is_settled(p, s)) {
                if (o->acceleration != RL_PLAIN)
                    swap(&s->estimate, &s->previous);
                return;
            }
        }
        compare(p, s);
        project_back(p, s);
        smooth(p, s);
        update(p, s);
    }
    if (s->joined && o->acceleration != RL_PLAIN)
        swap(&s->estimate, &s->previous);       /* the estimate is where the next step would start */
}

/* ---- what comes out */

void rl_tabulate(drua_plan *p, const rl_options *o, const double *divergences, int64_t count)
{
    static const char *const headings[] = {"Iteration", "Divergence"};
    double(*cells)[2] = plan_host(p, (size_t)count * sizeof *cells);
    for (int64_t i = 0; cells && i < count; i++) {
        cells[i][0] = (double)(i * o->every);
        cells[i][1] = divergences[i];
    }
    if (cells)
        plan_set_table(p, headings, 2, cells[0], (size_t)count);
}

static void tabulate(drua_plan *p, state *s)
{
    static const char *const headings[] = {"Iteration"};
    const double done = (double)s->done;
    if (s->options->every)
        rl_tabulate(p, s->options, s->divergence, s->recorded);
    else if (s->options->keep_partial && !plan_failed(p))
        plan_set_table(p, headings, 1, &done, 1);
}

static void check_mask(drua_plan *p, const char *mask)
{
    const drua_shape a = plan_shape(p, "source"), b = plan_shape(p, mask);
    if (a.width != b.width || a.height != b.height || a.depth != b.depth)
        plan_fail(p, "%s must have the size of source, %lld x %lld x %lld, got %lld x %lld x %lld", mask, (long long)a.width, (long long)a.height,
                  (long long)a.depth, (long long)b.width, (long long)b.height, (long long)b.depth);
}

static void run(drua_plan *p, state *s, const char *mask)
{
    const rl_options *o = s->options;
    s->box = rl_box_of_block(plan_shape(p, "source"), rl_psf_shape(p, o), o, s->block.cut);
    s->edges = packed_edges(o->edges, EDGES_ZERO, s->block.cut);
    s->image = plan_image(p, "source");
    s->masked = mask;
    s->bad = mask ? plan_image(p, mask) : s->image;
    prepare(p, s);
    iterate(p, s);
    if (o->every && o->stop <= 0)
        read_back(p, s, 0);
    plan_copy(p, own(s, fourier_crop(s->estimate, s->box, plan_shape(p, "source"))), plan_image(p, "destination"), 0, 0, 0);
}

void rl_run(drua_plan *p, const rl_options *options, const char *mask)
{
    state s = {.options = options, .block = {.own.shape = plan_shape(p, "source"), .rim = {INT32_MAX, INT32_MAX}}};
    if (mask)
        check_mask(p, mask);
    run(p, &s, mask);
    tabulate(p, &s);
}

/* Products lie in pairs of sums, whose groups alternate. */
static void read_products(drua_plan *p, state *s, double *products)
{
    const int64_t steps = rl_products(s->options) / 2;
    const size_t count = (size_t)steps * GROUPS;
    float(*pairs)[2][2] = plan_host(p, count * sizeof *pairs);
    s->products.layout.offset += 2 * 2 * GROUPS * 2;        /* of the first two iterations there are none */
    plan_read(p, s->products, pairs, count * sizeof *pairs);
    for (size_t i = 0; !plan_failed(p) && i < count; i++)
        for (int k = 0; k < 2; k++)
            products[i / GROUPS * 2 + (size_t)k] += (double)pairs[i][k][0] + pairs[i][k][1];
}

/* What a block is of which nothing is known. */
static void show_image(drua_plan *p, const rl_options *o, fourier_box place)
{
    const drua_view to = plan_image(p, "destination"), image = plan_image(p, "source");
    LAUNCH(p, "rl_start", plan_grid(to.layout), ARG(to), ARG(image), ARG(image), INT(0), REAL(INFINITY), INT(-place.x), INT(-place.y), INT(-place.z), INT(0),
           REAL(o->background), REAL(-1));
}

int64_t rl_run_block(drua_plan *p, const rl_options *options, rl_block block, const char *mask, double *sums)
{
    state s = {.options = options, .block = block};
    if (options->keep_partial && plan_is_stopped(p)) {
        show_image(p, options, block.own);
        return 0;
    }
    run(p, &s, mask);
    for (int64_t i = 0; i < rl_records(options) && !plan_failed(p); i++)
        sums[i] = s.divergence[i];
    if (rl_products(options) && s.done == options->iterations)
        read_products(p, &s, sums + rl_records(options));
    return s.done;
}

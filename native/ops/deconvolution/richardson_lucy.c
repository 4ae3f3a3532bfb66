/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs Richardson-Lucy deconvolution and collects its results. */
#include "rl_state.h"

void rl_tabulate(drua_plan *p, const rl_options *o, const double *divergences, int64_t count)
{
    static const char *const headings[] = {"Iteration", "Divergence"};
    double(*cells)[2] = plan_host_memory(p, (size_t)count * sizeof *cells);
    for (int64_t i = 0; cells && i < count; i++) {
        cells[i][0] = (double)(i * o->every);
        cells[i][1] = divergences[i];
    }
    if (cells)
        plan_set_table(p, headings, 2, cells[0], (size_t)count);
}

static void set_table(drua_plan *p, rl_state *s)
{
    static const char *const headings[] = {"Iteration"};
    const double done = (double)s->done;
    if (s->options->every)
        rl_tabulate(p, s->options, s->divergence, s->recorded);
    else if (s->options->keep_partial && !plan_failed(p))
        plan_set_table(p, headings, 1, &done, 1);
}

static void run_iterations(drua_plan *p, rl_state *s, const char *mask)
{
    const rl_options *o = s->options;
    s->box = rl_box_of_block(plan_shape(p, "source"), rl_psf_shape(p, o), o, s->block.cut);
    s->edges = rl_packed_edges(o->edges, EDGES_ZERO, s->block.cut);
    s->image = plan_image(p, "source");
    s->masked = mask;
    s->bad = mask ? plan_image(p, mask) : s->image;
    rl_prepare(p, s);
    if (plan_is_trial(p))
        return;
    rl_iterate(p, s);
    if (o->every && o->stop <= 0)
        rl_read_back(p, s, 0);
    plan_copy(p, rl_own(s, fourier_crop(s->estimate, s->box, plan_shape(p, "source"))), plan_image(p, "destination"), 0,
              0, 0);
}

void rl_run(drua_plan *p, const rl_options *options, const char *mask)
{
    rl_state s = {.options = options,
                  .block = {.own = drua_box_of(plan_shape(p, "source").extent), .rim = {INT32_MAX, INT32_MAX}}};
    if (mask)
        plan_check_same_extent(p, "source", mask);
    run_iterations(p, &s, mask);
    set_table(p, &s);
}

/* Reads the products of steps. Each is a pair of sums; numerators and denominators alternate. */
static void read_products(drua_plan *p, rl_state *s, double *products)
{
    const int64_t steps = rl_products(s->options) / 2;
    const size_t count = (size_t)steps * GROUPS;
    float(*pairs)[2][2] = plan_host_memory(p, count * sizeof *pairs);
    s->products.layout.offset += 2 * 2 * GROUPS * 2;        /* the first two iterations have no products */
    plan_read(p, s->products, pairs, count * sizeof *pairs);
    for (size_t i = 0; !plan_failed(p) && i < count; i++)
        for (int k = 0; k < 2; k++)
            products[i / GROUPS * 2 + (size_t)k] += (double)pairs[i][k][0] + pairs[i][k][1];
}

/* Outputs the image minus its background, for a block that was stopped before its first iteration. */
static void show_image(drua_plan *p, const rl_options *o, const drua_box *own)
{
    const drua_view to = plan_image(p, "destination"), image = plan_image(p, "source");
    LAUNCH(p, "rl_start", plan_grid(to.layout), ARG(to), ARG(image), ARG(image), INT(0), REAL(INFINITY),
           INT(-own->first[0]), INT(-own->first[1]), INT(-own->first[2]), INT(0), REAL(o->background), REAL(-1));
}

/* Extent of the whole image without the margin around it. */
static drua_shape image_of(drua_plan *p, const rl_task *task)
{
    int64_t origin[3];
    drua_shape image = plan_whole_shape(p, "source", origin);
    image.extent[task->axis] -= 2 * task->margin;
    return image;
}

rl_result rl_run_block(drua_plan *p, const rl_task *task, const drua_tile *tile)
{
    const rl_options *o = &task->options;
    const int64_t records = rl_records(o), products = rl_products(o), checks = rl_noise_checks(o);
    rl_result result = {.first = tile->wanted.first[task->axis], .end = tile->wanted.end[task->axis]};
    rl_state s = {.options = o, .steps = task->steps, .step_count = task->step_count};
    s.block = rl_block_of(task, tile, image_of(p, task), rl_psf_shape(p, o));
    result.sums = plan_host_memory(p, (size_t)(rl_sums(o) + 1) * sizeof *result.sums);
    if (o->keep_partial && plan_is_stopped(p)) {
        show_image(p, o, &s.block.own);
        return result;
    }
    run_iterations(p, &s, task->masked ? "mask" : NULL);
    for (int64_t i = 0; i < records && !plan_failed(p); i++)
        result.sums[i] = s.divergence[i];
    if (products && s.done == o->iterations && !plan_failed(p))
        read_products(p, &s, result.sums + records);
    for (int64_t i = 0; i < checks && !s.smooth_axes; i++)
        result.sums[records + products + i] = 1;
    if (checks && s.looked == checks && s.smooth_axes && !plan_failed(p))
        rl_read_sums(p, s.remains, 0, checks, result.sums + records + products);
    result.iterations = s.done;
    return result;
}

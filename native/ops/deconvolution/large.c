/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deconvolves a whole image in blocks. Passes over all blocks repeat until the values that depend on the whole image no
 * longer change.
 */
#include "blocks.h"

typedef struct job {
    const rl_options *options;
    drua_operand source, psf, mask;     /* mask: an operand without an image if there is no mask */
    rl_task task;
    drua_operand restored;              /* result of the last pass */
    rl_pass last;
    double *sums;                       /* sums over the blocks of the last pass: divergences, then products */
} job;

static void add_sums(drua_plan *p, job *j)
{
    const int64_t count = rl_sums(&j->last.task.options);
    j->sums = plan_host_memory(p, (size_t)(count + 1) * sizeof *j->sums);
    for (int64_t b = 0; b < j->last.count && !plan_failed(p); b++)
        for (int64_t i = 0; i < count; i++)
            j->sums[i] += j->last.results[b].sums[i];
}

/*
 * Runs all blocks for o->iterations iterations. Returns false and leaves the job unchanged if the call was stopped and
 * is to keep the previous pass's result.
 */
static bool run_pass(drua_plan *p, job *j, const rl_options *o)
{
    const drua_operand before = j->restored;
    if (!o->keep_partial)
        plan_release_image(p, before);
    else if (before.image && plan_is_stopped(p))
        return false;
    rl_pass pass = {.task = j->task, .owner = p};
    pass.task.overlap = rl_task_along(p, o, j->task.axis).overlap;
    pass.task.options.iterations = o->iterations;
    pass.task.options.every = o->every;
    pass.task.options.at_noise = o->at_noise;
    const drua_operand restored = rl_run_pass(&pass, j->source, j->psf, j->mask);
    if (o->keep_partial && before.image && plan_is_stopped(p)) {
        plan_release_image(p, restored);
        return false;
    }
    if (o->keep_partial)
        plan_release_image(p, before);
    j->restored = restored;
    j->last = pass;
    add_sums(p, j);
    return true;
}

static bool is_stopped(drua_plan *p, const job *j)
{
    return j->options->keep_partial && plan_is_stopped(p);
}

/*
 * Sets the step lengths of the next pass from the sums of the last pass. Returns the largest change of a step length.
 */
static double take_steps(drua_plan *p, job *j, const rl_options *o)
{
    const int64_t count = rl_products(o) / 2;
    const double *products = j->sums + rl_records(o);
    double *steps = plan_host_memory(p, (size_t)count * sizeof *steps), max = 0;
    for (int64_t i = 0; steps && i < count; i++) {
        steps[i] = products[2 * i + 1] > 0 ? fmin(fmax(products[2 * i] / products[2 * i + 1], 0), 1) : 0;
        max = fmax(max, i < j->task.step_count ? fabs(j->task.steps[i] - steps[i]) : 1);
    }
    j->task.steps = steps;
    j->task.step_count = steps ? count : 0;
    return max;
}

/*
 * The step lengths of the Biggs-Andrews acceleration depend on the whole image. In the first pass, each block uses the
 * steps it computes from its own pixels. Later passes use steps computed from the sums over all blocks, until these no
 * longer change. Each pass fixes one more step exactly and improves the steps after it.
 */
static bool run_passes(drua_plan *p, job *j, const rl_options *o)
{
    static const double SAME = 1e-3;
    enum { LIMIT = 10 };
    j->task.step_count = 0;
    bool goes_on = run_pass(p, j, o) && !is_stopped(p, j);
    for (int n = 1; goes_on && n < LIMIT && rl_products(o) && !plan_failed(p) && take_steps(p, j, o) > SAME; n++)
        goes_on = run_pass(p, j, o);
    return goes_on;
}

/* Returns the index of the first divergence that hardly differs from the previous one; 0: all differ. */
static int64_t converged_after(const rl_options *o, const double *divergences, int64_t count)
{
    int64_t n = 1;
    while (n < count && !rl_has_converged(o, divergences[n - 1], divergences[n]))
        n++;
    return n < count ? n : 0;
}

/*
 * The first iteration at which the run stops, because the divergence has converged or only noise remains; 0: it does
 * not stop.
 */
static int64_t end_of(const rl_options *o, const double *sums)
{
    const double *left = sums + rl_records(o) + rl_products(o);
    const int64_t converged = o->stop > 0 ? converged_after(o, sums, rl_records(o)) * o->every : 0;
    int64_t n = 0;
    while (n < rl_noise_checks(o) && !(left[n] <= 0))
        n++;
    if (n == rl_noise_checks(o) || (converged && converged <= rl_noise_check(n)))
        return converged;
    return rl_noise_check(n);
}

/*
 * A single block cannot tell when all blocks have converged. Each pass therefore runs twice as many iterations as the
 * previous one, until the iteration at which to stop is known. A last pass then runs up to this iteration.
 */
static void run_until_settled(drua_plan *p, job *j)
{
    enum { FIRST = 25, FIRST_TO_NOISE = 50 };
    rl_options o = *j->options;
    int64_t end = 0, max = o.stop > 0 ? FIRST * o.every : FIRST_TO_NOISE;
    do {
        o.iterations = max < j->options->iterations ? max : j->options->iterations;
        if (!run_passes(p, j, &o))
            return;
        end = plan_failed(p) ? 0 : end_of(&o, j->sums);
        max *= 2;
    } while (!end && o.iterations < j->options->iterations && !plan_failed(p));
    if (o.every)
        rl_tabulate(p, &o, j->sums, end ? end / o.every + 1 : rl_records(&o));
    o.iterations = end;
    o.every = 0;
    o.at_noise = RL_NOISE_GO_ON;
    if (end)
        run_pass(p, j, &o);
}

/* Table of successive layers with the same number of iterations: iterations, first layer, number of layers. */
static void tabulate_layers(drua_plan *p, const job *j)
{
    static const char *const headings[] = {"Iteration", "First_layer", "Layers"};
    double(*rows)[3] = plan_host_memory(p, (size_t)(j->last.count + 1) * sizeof *rows);
    size_t count = 0;
    for (int64_t b = 0; rows && b < j->last.count; b++) {
        const rl_result *r = &j->last.results[b];
        if (!count || rows[count - 1][0] != (double)r->iterations) {
            rows[count][0] = (double)r->iterations;
            rows[count++][1] = (double)r->first;
        }
        rows[count - 1][2] += (double)(r->end - r->first);
    }
    if (rows)
        plan_set_table(p, headings, 3, rows[0], count);
}

static void shape_of_destination(drua_plan *p, drua_shape *shape)
{
    *shape = *(const drua_shape *)plan_state(p);
}

static void place_over_zeros(drua_plan *p)
{
    const drua_view to = plan_image(p, "destination");
    plan_clear(p, to);
    plan_copy(p, plan_image(p, "source"), to, 0, 0, 0);
}

static const drua_op placed = {
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image"),
                DRUA_IMAGE_OUT("destination", "the image, padded with zeros", .shape = shape_of_destination)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_COPIES,
    .launch = place_over_zeros,
};

/*
 * Returns the restored image. If the destination exists and is larger, its remaining pixels become 0, as in a run
 * without blocks.
 */
static void return_restored(drua_plan *p, drua_operand restored)
{
    drua_shape has = plan_shape(p, "source"), wanted = plan_shape(p, "destination");
    bool fits = true;
    for (int axis = 0; axis < 3; axis++)
        fits = fits && has.extent[axis] == wanted.extent[axis];
    plan_return(p, "destination", fits ? restored : plan_call_private(p, &placed, &wanted, 0, &restored, 1));
}

void rl_run_large(drua_plan *p, const rl_options *o, const char *mask)
{
    const bool searches = o->stop > 0 || rl_noise_checks(o);
    int64_t count;
    job j = {.options = o, .source = plan_operand(p, "source"), .psf = plan_operand(p, "psf")};
    j.task = rl_task_along(p, o, rl_best_axis(p, o, &count));
    if (mask)
        j.mask = plan_operand(p, mask);
    const double mean = o->mean > 0 ? o->mean : rl_mean(p, o, j.source, j.mask);
    if (plan_failed(p))
        return;
    j.task.masked = mask;
    j.task.options.stop = 0;
    j.task.options.mean = mean;
    if (j.task.margin) {
        j.source = rl_surround(p, &j.task, j.source);
        j.mask = mask ? rl_surround(p, &j.task, j.mask) : j.mask;
    }
    if (searches)
        run_until_settled(p, &j);
    else
        run_passes(p, &j, o);
    if (!plan_failed(p) && o->keep_partial && (!o->every || is_stopped(p, &j)))
        tabulate_layers(p, &j);
    else if (o->every && !searches && !plan_failed(p))
        rl_tabulate(p, o, j.sums, rl_records(o));
    if (!plan_failed(p))
        return_restored(p, j.restored);
}

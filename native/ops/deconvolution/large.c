/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole image, block by block. */
#include "blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
    const rl_options *options;
    drua_operand source, psf, mask;     /* mask: without an image if there is none */
    int axis;
    int64_t margin;
    char *text;             /* options, with room for more words */
    size_t length, size;
    char *steps;            /* as text; "": not known */
    drua_operand restored;
    double *sums;           /* of the last pass: divergences, then products, then what is nothing */
    double (*runs)[3];      /* layers with the same number of iterations: that, the first, how many */
    int64_t run_count;
} job;

/* From what blocks say at their first layers. */
static void find_runs(drua_plan *p, job *j, const float *values, size_t columns, size_t layers)
{
    j->runs = plan_host(p, layers * sizeof *j->runs);
    j->run_count = 0;
    for (size_t i = 0; j->runs && !plan_failed(p) && i < layers; i++) {
        const double done = values[i * columns + columns - 1] - 1.0;
        if (done >= 0 && (!j->run_count || j->runs[j->run_count - 1][0] != done))
            memcpy(j->runs[j->run_count++], (double[]){done, (double)i, 0}, sizeof *j->runs);
        if (j->run_count)
            j->runs[j->run_count - 1][2]++;
    }
}

/* All blocks, for so many iterations. False, and as before, where that is all there and the call is to stop with what it has. */
static bool pass(drua_plan *p, job *j, rl_options o)
{
    drua_operand sums;
    const drua_operand before = j->restored;
    if (!o.keep_partial)
        plan_forget(p, before);
    else if (before.image && plan_is_stopped(p))
        return false;
    snprintf(j->text + j->length, j->size - j->length, " iterations=%lld curve=%lld stop=0", (long long)o.iterations, (long long)o.every);
    const drua_operand all[] = {j->source, j->psf, j->mask, TEXT(j->text), TEXT(j->axis == 1 ? "y" : "z"), NUMBER((double)j->margin), TEXT(j->steps)};
    const drua_operand without[] = {all[0], all[1], all[3], all[4], all[5], all[6]};
    j->restored = j->mask.image ? plan_call_pair(p, "deconvolve_masked_blocks", DRUA_FLOAT32, all, 7, &sums)
                                : plan_call_pair(p, "deconvolve_blocks", DRUA_FLOAT32, without, 6, &sums);
    if (o.keep_partial && before.image && plan_is_stopped(p)) {
        plan_forget(p, j->restored);
        plan_forget(p, sums);
        j->restored = before;
        return false;
    }
    if (o.keep_partial)
        plan_forget(p, before);
    const drua_view cells = plan_operand_image(p, sums);
    const size_t columns = (size_t)cells.layout.width, count = (size_t)drua_layout_count(&cells.layout);
    float *values = plan_host(p, count * sizeof *values);
    j->sums = plan_host(p, columns * sizeof *j->sums);
    plan_read(p, cells, values, count * sizeof *values);
    for (size_t i = 0; !plan_failed(p) && i < count; i++)
        j->sums[i % columns] += values[i];
    if (!plan_failed(p))
        find_runs(p, j, values, columns, count / columns);
    plan_forget(p, sums);
    return true;
}

static bool is_stopped(drua_plan *p, const job *j)
{
    return j->options->keep_partial && plan_is_stopped(p);
}

/* Writes the steps of the whole image as the last pass found them; the largest difference from those that it went. */
static double take_steps(drua_plan *p, job *j, const rl_options *o)
{
    const int64_t count = rl_products(o) / 2;
    const double *products = j->sums + rl_records(o);
    const char *before = j->steps;
    const size_t size = (size_t)count * 16 + 1;
    char *text = plan_host(p, size), *end;
    size_t used = 0;
    double most = 0;
    for (int64_t i = 0; text && i < count; i++) {
        const double alpha = products[2 * i + 1] > 0 ? fmin(fmax(products[2 * i] / products[2 * i + 1], 0), 1) : 0;
        most = fmax(most, *before ? fabs(strtod(before, &end) - alpha) : 1);
        before = *before ? end + (*end == ',') : before;
        used += (size_t)snprintf(text + used, size - used, "%s%.6g", i ? "," : "", alpha);
    }
    if (text)
        j->steps = text;
    return most;
}

/*
 * The length of a step of Biggs and Andrews is a matter of the whole image. Blocks go steps of their own first, then those that the
 * sums of all tell, until these stay as they were: each pass makes one more step the right one, and those after it better.
 */
static bool passes(drua_plan *p, job *j, rl_options o)
{
    static const double SAME = 1e-3;
    enum { MOST = 10 };
    j->steps = "";
    bool goes_on = pass(p, j, o) && !is_stopped(p, j);
    for (int n = 1; goes_on && n < MOST && rl_products(&o) && !plan_failed(p) && take_steps(p, j, &o) > SAME; n++)
        goes_on = pass(p, j, o);
    return goes_on;
}

/* The first divergence that hardly differs from the one before; 0: none does. */
static int64_t settled(const rl_options *o, const double *divergences, int64_t count)
{
    int64_t n = 1;
    while (n < count && !rl_is_settled(o, divergences[n - 1], divergences[n]))
        n++;
    return n < count ? n : 0;
}

/* No block knows when all of them are done, so they try, each time twice as long, and are done again up to there. */
static void search(drua_plan *p, job *j)
{
    enum { FIRST = 25 };
    rl_options o = *j->options;
    int64_t end = 0, most = FIRST * o.every;
    do {
        o.iterations = most < j->options->iterations ? most : j->options->iterations;
        if (!passes(p, j, o))
            return;
        end = plan_failed(p) ? 0 : settled(&o, j->sums, rl_records(&o));
        most *= 2;
    } while (!end && o.iterations < j->options->iterations && !plan_failed(p));
    rl_tabulate(p, &o, j->sums, end ? end + 1 : rl_records(&o));
    o.iterations = end * o.every;
    o.every = 0;
    if (end)
        pass(p, j, o);
}

static void check(drua_plan *p, const rl_options *o, double mean)
{
    if (!plan_failed(p) && !(mean > 0))
        plan_fail(p, "source has a mean of %g, which is not above the background of %g; give an image with light, or a smaller background", mean + o->background, o->background);
}

static void check_known(drua_plan *p, const job *j)
{
    const double darkest = isfinite(j->options->saturated) ? plan_call_number(p, "minimum_of_all_pixels", &j->source, 1) : 0;
    const double least = j->mask.image ? plan_call_number(p, "minimum_of_all_pixels", &j->mask, 1) : 0;
    if (!plan_failed(p))
        rl_check_known(p, j->options, darkest, least);
}

static void tabulate_layers(drua_plan *p, const job *j)
{
    static const char *const headings[] = {"Iteration", "First_layer", "Layers"};
    plan_set_table(p, headings, 3, j->runs[0], (size_t)j->run_count);
}

/* With what deconvolve finds around it. */
static drua_operand surrounded(drua_plan *p, const job *j, drua_operand image)
{
    return CALL(p, "surround_for_deconvolution", DRUA_NO_TYPE, image, j->psf, TEXT(j->text), TEXT(j->axis == 1 ? "y" : "z"), NUMBER((double)j->margin));
}

void rl_run_large(drua_plan *p, const rl_options *o, const char *text, const char *mask)
{
    int64_t count;
    job j = {.options = o, .source = plan_operand(p, "source"), .psf = plan_operand(p, "psf"), .axis = rl_best_axis(p, o, &count), .size = strlen(text) + 256};
    const double mean = plan_call_number(p, "mean_of_all_pixels", &j.source, 1) - o->background;
    check(p, o, mean);
    j.text = plan_host(p, j.size);
    if (mask)
        j.mask = plan_operand(p, mask);
    check_known(p, &j);
    if (plan_failed(p))
        return;
    j.length = (size_t)snprintf(j.text, j.size, o->start == 0 ? "%s start=%.9g" : "%s", text, mean);
    j.margin = rl_cut(o, j.axis) ? rl_overlap(p, o, j.axis) : 0;
    if (j.margin) {
        j.source = surrounded(p, &j, j.source);
        j.mask = mask ? surrounded(p, &j, j.mask) : j.mask;
    }
    if (o->stop > 0)
        search(p, &j);
    else
        passes(p, &j, *o);
    if (!plan_failed(p) && o->keep_partial && (!o->every || is_stopped(p, &j)))
        tabulate_layers(p, &j);
    else if (o->every && o->stop <= 0 && !plan_failed(p))
        rl_tabulate(p, o, j.sums, rl_records(o));
    if (!plan_failed(p))
        plan_return(p, "destination", j.restored);
}

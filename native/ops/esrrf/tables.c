/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables of eSRRF: the samples of the half-pixel grid that contribute to each magnified pixel, with their weights, and
 * the interpolation weights.
 */
#include "tables.h"

#include <math.h>

/* An item is up to PHASES phases of one column that use the same samples. */
enum { PHASES = ESRRF_PHASES, NEAR = ESRRF_NEAR, BORDER = ESRRF_BORDER };

/* Taps are omitted if their weights together are less than this fraction of the total. */
static const double NEGLIGIBLE = 2e-7;

typedef struct item {
    int32_t p, q, count, first, samples;
    float one;
    int32_t unused[2];
} item;

typedef struct tap {
    float x, y, weight;
    int32_t at;
} tap;

/*
 * Splits the phases of one axis into parts and sets each part's first phase and number of phases. Phases before and
 * after the middle use different samples.
 */
static int parts_of(int magnification, int first[], int count[])
{
    int parts = 0, before = magnification / 2, halves[] = {before, magnification - before};
    for (int half = 0, at = 0; half < 2; half++)
        for (int left = halves[half], pieces = (left + PHASES - 1) / PHASES; pieces > 0; pieces--) {
            first[parts] = at;
            count[parts] = (left + pieces - 1) / pieces;
            at += count[parts];
            left -= count[parts++];
        }
    return parts;
}

double esrrf_sigma(const esrrf_options *o)
{
    return o->radius / (o->registration == ESRRF_NANOJ ? 2.354 : 2.355);
}

/*
 * Returns the weight of a sample for phase (p, q), and sets the vector from the centre of the phase to the sample. The
 * sample is (i, j) steps from the last sample before the centre.
 */
static double weigh_sample(const esrrf_stream *s, int p, int q, int i, int j, double *dx, double *dy)
{
    const int m = s->options.magnification;
    const double sigma = esrrf_sigma(&s->options);
    *dx = ((2 * p + 1) / m + i) / 2.0 - (p + 0.5) / m;
    *dy = ((2 * q + 1) / m + j) / 2.0 - (q + 0.5) / m;
    const double d2 = *dx * *dx + *dy * *dy, d = sqrt(d2);
    return d == 0 || d > 2 * sigma + 1 ? 0 : pow(d * exp(-d2 / (2 * sigma * sigma)), 4);
}

/* Returns the total weight of a phase, and sets the smallest weight of taps that are kept. */
static double weigh_all(const esrrf_stream *s, int p, int q, double *min)
{
    double all = 0, dx, dy, dropped = 0;
    for (int j = -s->reach; j <= s->reach; j++)
        for (int i = -s->reach; i <= s->reach; i++)
            all += weigh_sample(s, p, q, i, j, &dx, &dy);
    for (*min = NEGLIGIBLE * all; *min > 0; *min /= 2, dropped = 0) {
        for (int j = -s->reach; j <= s->reach; j++)
            for (int i = -s->reach; i <= s->reach; i++) {
                double weight = weigh_sample(s, p, q, i, j, &dx, &dy);
                dropped += weight < *min ? weight : 0;
            }
        if (dropped <= NEGLIGIBLE * all)
            break;
    }
    return all;
}

/* Appends the taps of an item, [samples][count]. Returns the number of samples. */
static int32_t make_taps(const esrrf_stream *s, const item *it, int32_t row, tap *taps)
{
    const int m = s->options.magnification, hx = (2 * it->p + 1) / m + s->reach, hy = (2 * it->q + 1) / m + s->reach;
    double all[PHASES], min[PHASES];
    int32_t samples = 0;
    for (int c = 0; c < it->count; c++)
        all[c] = weigh_all(s, it->p, it->q + c, &min[c]);
    for (int j = -s->reach; j <= s->reach; j++)
        for (int i = -s->reach; i <= s->reach; i++) {
            bool kept = false;
            for (int c = 0; c < it->count; c++) {
                double dx, dy, weight = weigh_sample(s, it->p, it->q + c, i, j, &dx, &dy), d = sqrt(dx * dx + dy * dy);
                tap *t = &taps[samples * it->count + c];
                *t = (tap){.at = (hy + j) * row + (hx + i) % 2 * (row / 2) + (hx + i) / 2};
                if (weight > 0) {
                    t->weight = (float)(weight / all[c]);
                    t->x = (float)(weight / all[c] * dx / d);
                    t->y = (float)(weight / all[c] * dy / d);
                }
                kept = kept || (weight > 0 && weight >= min[c]);
            }
            samples += kept;
        }
    return samples;
}

/* Weights of the pixels from two before to two after the pixel that contains the magnified pixel. */
static void make_weights(const esrrf_stream *s, float *weights)
{
    const int m = s->options.magnification;
    for (int phase = 0; phase < m; phase++)
        for (int k = 0; k < NEAR; k++) {
            double at = (s->options.registration == ESRRF_REGISTERED ? phase + 0.5 : phase) / m;
            weights[phase * NEAR + k] = (float)esrrf_cubic(at - (k - BORDER + 0.5));
        }
}

int32_t esrrf_make_items(drua_plan *p, esrrf_stream *s, int32_t row)
{
    const int m = s->options.magnification, window = (2 * s->reach + 1) * (2 * s->reach + 1);
    int first[32], count[32], parts = parts_of(m, first, count);
    s->item_count = m * parts;
    /* items with fewer than PHASES phases still read PHASES weights */
    s->item_bytes = (size_t)s->item_count * sizeof(item) + (size_t)((m + PHASES - 1) * NEAR) * sizeof(float);
    item *items = s->items = plan_host_memory(p, s->item_bytes);
    tap *taps = s->tap_list = plan_host_memory(p, (size_t)(m * m) * (size_t)window * sizeof *taps);
    if (!items || !taps)
        return 1;
    make_weights(s, s->weights = (float *)(items + s->item_count));
    int32_t used = 0;
    for (int k = 0; k < s->item_count; k++) {
        items[k] = (item){.p = k % m, .q = first[k / m], .count = count[k / m], .first = used, .one = 1};
        items[k].samples = make_taps(s, &items[k], row, taps + used);
        const int32_t now = items[k].samples * items[k].count;
        s->max_taps = now > s->max_taps ? now : s->max_taps;
        used += now;
    }
    return used ? used : 1;
}

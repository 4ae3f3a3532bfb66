/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shift of two overlapping tiles. Phase correlation of the regions where the stage lets them overlap suggests several
 * shifts. The correlation coefficient of the pixels that really overlap decides, and a parabola through its values
 * locates the maximum between pixels. Over n independent pixels, coefficients of unrelated tiles have the standard
 * deviation 1 / sqrt(n). The filter of the tiles correlates neighbouring pixels, so that 2 pi 0.7^2 pixels of noise
 * count as one.
 */
#include "stitch.h"

#include <stdlib.h>
#include <string.h>

enum { PEAKS = 5, AROUND = 8, CLIMB = 20, BORDER = 6, SAME_SHIFT = 2 };

/* The largest of some hundred coefficients of unrelated tiles stays below this number of standard deviations. */
static const double DEVIATIONS = 5, PIXELS_AS_ONE = 3.08;

/* A shift that a peak of the phase correlation suggests. */
typedef struct candidate {
    int64_t shift[3];
    double correlation;
} candidate;

/* The overlap of two tiles, and both filtered images, in host memory. */
typedef struct overlap {
    drua_shape shape;
    double from[2][3]; /* as in stitch_find_overlap */
    const float *pixels[2];
    bool misses; /* missing pixels are NaN or infinite */
} overlap;

/* ---- correlation of pixels */

/* A box of the first image. */
typedef struct region {
    int64_t first[3], end[3];
} region;

/* Returns the pixels of the first image that still overlap the second image after it was shifted. */
static region region_of(const overlap *o, const int64_t shift[3])
{
    region r;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t n = o->shape.extent[axis];
        r.first[axis] = shift[axis] > 0 ? shift[axis] : 0;
        r.end[axis] = shift[axis] > 0 ? n : n + shift[axis];
    }
    return r;
}

/*
 * Correlation coefficient of a region with the pixels of the second image under it; -1 if the region is too small.
 * Sets the number of pixels, unless `pixels` is NULL.
 */
static double correlate_region(const overlap *o, const int64_t shift[3], const region *r, double *pixels)
{
    const int64_t w = o->shape.width, h = o->shape.height, step = shift[0] + w * (shift[1] + h * shift[2]);
    int64_t count = 1;
    for (int axis = 0; axis < 3; axis++)
        count *= r->end[axis] > r->first[axis] ? r->end[axis] - r->first[axis] : 0;
    if (5 * count < w * h * o->shape.depth)
        return -1;
    double n = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    for (int64_t z = r->first[2]; z < r->end[2]; z++)
        for (int64_t y = r->first[1]; y < r->end[1]; y++) {
            const float *p = o->pixels[0] + w * (y + h * z), *q = o->pixels[1] + w * (y + h * z) - step;
            for (int64_t x = r->first[0]; x < r->end[0]; x++) {
                if (o->misses && !isfinite(p[x] * q[x]))
                    continue;
                n++;
                a += p[x];
                b += q[x];
                aa += (double)p[x] * p[x];
                bb += (double)q[x] * q[x];
                ab += (double)p[x] * q[x];
            }
        }
    if (pixels)
        *pixels = n;
    if (20 * n < (double)(w * h * o->shape.depth))
        return -1;
    const double va = aa - a * a / n, vb = bb - b * b / n;
    return va > 1e-9 * aa && vb > 1e-9 * bb ? (ab - a * b / n) / sqrt(va * vb) : -1;
}

static double correlate_shift(const overlap *o, const int64_t shift[3])
{
    const region r = region_of(o, shift);
    return correlate_region(o, shift, &r, NULL);
}

/* Moves a shift to the largest correlation near it, which it returns. */
static double climb_to_peak(const overlap *o, int64_t shift[3])
{
    double best = correlate_shift(o, shift);
    for (int step = 0; step < CLIMB; step++) {
        int64_t next[3] = {shift[0], shift[1], shift[2]};
        for (int k = 0; k < 6; k++) {
            int64_t beside[3] = {shift[0], shift[1], shift[2]};
            beside[k / 2] += k % 2 ? 1 : -1;
            const double value = o->shape.extent[k / 2] > 1 ? correlate_shift(o, beside) : -1;
            if (value > best) {
                best = value;
                memcpy(next, beside, sizeof next);
            }
        }
        if (!memcmp(next, shift, sizeof next))
            break;
        memcpy(shift, next, sizeof next);
    }
    return best;
}

/*
 * Returns the distance of the maximum from a whole shift along an axis. All three correlations use the same pixels of
 * the first image, because pixels that come and go at the border would displace the maximum. Pixels near the borders
 * are left out, because the filter did not see their surroundings.
 */
static double between_pixels(const overlap *o, const int64_t shift[3], int axis)
{
    int64_t before[3] = {shift[0], shift[1], shift[2]}, after[3] = {shift[0], shift[1], shift[2]};
    region r = region_of(o, shift);
    if (r.end[axis] - r.first[axis] < 4)
        return 0;
    for (int i = 0; i < 3; i++) {
        const int64_t extent = r.end[i] - r.first[i], border = i < 2 ? (extent / 5 < BORDER ? extent / 5 : BORDER) : 0;
        r.first[i] += border > (i == axis) ? border : i == axis;
        r.end[i] -= border > (i == axis) ? border : i == axis;
    }
    before[axis]--;
    after[axis]++;
    const double a = correlate_region(o, before, &r, NULL), b = correlate_region(o, shift, &r, NULL),
                 c = correlate_region(o, after, &r, NULL), bend = a - 2 * b + c;
    const double by = a > -1 && c > -1 && bend < 0 ? (a - c) / (2 * bend) : 0;
    return fmax(-0.5, fmin(by, 0.5));
}

/* ---- peaks of the phase correlation */

/*
 * Lists the shifts of a peak. The phase correlation is periodic, so a peak gives the shift along each axis only up to a
 * multiple of the extent.
 */
static void try_peak(const overlap *o, const int64_t peak[3], candidate shifts[AROUND])
{
    for (int k = 0; k < AROUND; k++) {
        candidate *c = &shifts[k];
        bool possible = true;
        for (int axis = 0; axis < 3; axis++) {
            const bool around = k >> axis & 1;
            const int64_t n = o->shape.extent[axis];
            c->shift[axis] = around ? peak[axis] - (peak[axis] > 0 ? n : -n) : peak[axis];
            possible = possible && !(around && n == 1);
        }
        c->correlation = possible ? correlate_shift(o, c->shift) : -1;
    }
}

static const candidate *best_of(const candidate *shifts, int count)
{
    const candidate *best = shifts;
    for (int k = 1; k < count; k++)
        best = shifts[k].correlation > best->correlation ? &shifts[k] : best;
    return best;
}

/* The largest correlation that candidates reach by climbing, at a shift different from `best`. */
static double find_rival(const overlap *o, const candidate *best, const candidate *shifts, int count)
{
    double rival = -1;
    for (int k = 0; k < count; k++) {
        candidate c = shifts[k];
        bool same = true;
        if (c.correlation <= fmax(rival, best->correlation / 2))
            continue;
        c.correlation = climb_to_peak(o, c.shift);
        for (int axis = 0; axis < 3; axis++)
            same = same && llabs(c.shift[axis] - best->shift[axis]) <= SAME_SHIFT;
        rival = same ? rival : fmax(rival, c.correlation);
    }
    return rival;
}

/* Takes the highest pixel and erases its surroundings. */
static void take_peak(float *image, drua_shape s, int64_t peak[3])
{
    int64_t top = 0;
    for (int64_t i = 1; i < s.width * s.height * s.depth; i++)
        top = image[i] > image[top] ? i : top;
    const int64_t at[3] = {top % s.width, top / s.width % s.height, top / s.width / s.height};
    for (int axis = 0; axis < 3; axis++)
        peak[axis] = at[axis] - s.extent[axis] / 2;
    for (int64_t z = at[2] - 1; z <= at[2] + 1; z++)
        for (int64_t y = at[1] - 2; y <= at[1] + 2; y++)
            for (int64_t x = at[0] - 2; x <= at[0] + 2; x++)
                if (x >= 0 && y >= 0 && z >= 0 && x < s.width && y < s.height && z < s.depth)
                    image[x + s.width * (y + s.height * z)] = -INFINITY;
}

/* ---- pairs */

static drua_operand call_crop(drua_plan *p, drua_operand image, const double from[3], drua_shape s)
{
    return CALL(p, "crop", DRUA_FLOAT32, image, NUMBER(from[0]), NUMBER(from[1]), NUMBER(from[2]),
                NUMBER((double)s.width), NUMBER((double)s.height), NUMBER((double)s.depth));
}

static void rate_shift(const overlap *o, const candidate *best, const candidate *shifts, int count, stitch_pair *pair)
{
    const region r = region_of(o, best->shift);
    double pixels = 1;
    correlate_region(o, best->shift, &r, &pixels);
    pair->chance = DEVIATIONS * sqrt(PIXELS_AS_ONE / pixels);
    pair->rival = find_rival(o, best, shifts, count);
}

static void measure_pair(drua_plan *p, const stitch_job *j, overlap *o, float *const memory[3], stitch_pair *pair)
{
    const int32_t tiles[2] = {pair->first, pair->second};
    drua_operand parts[2];
    candidate shifts[1 + PEAKS * AROUND] = {{.correlation = -1}}, best;
    int64_t peak[3];
    int count = 1;
    for (int k = 0; k < 2; k++) {
        parts[k] = call_crop(p, j->filtered[tiles[k]], o->from[k], o->shape);
        plan_read_floats(p, plan_operand_image(p, parts[k]), memory[k]);
        o->pixels[k] = memory[k];
    }
    shifts[0].correlation = plan_failed(p) ? -1 : correlate_shift(o, shifts[0].shift);
    best = shifts[0];
    if (best.correlation > -1) { /* otherwise, one of the regions has no texture */
        for (int k = 0; k < 2 && o->misses; k++) {
            const drua_operand marked = parts[k];
            parts[k] = CALL(p, "undefined_to_zero", DRUA_FLOAT32, marked);
            plan_operand_image(p, parts[k]); /* computes it before its source goes */
            plan_release_image(p, marked);
        }
        const drua_operand phase = CALL(p, "correlate_images", DRUA_FLOAT32, parts[1], parts[0], TEXT("phase"));
        plan_read_floats(p, plan_operand_image(p, phase), memory[2]);
        plan_release_image(p, phase);
        for (int k = 0; k < PEAKS && !plan_failed(p); k++, count += AROUND) {
            take_peak(memory[2], o->shape, peak);
            try_peak(o, peak, shifts + count);
        }
        best = *best_of(shifts, count);
        best.correlation = climb_to_peak(o, best.shift);
        for (int axis = 0; axis < 3; axis++)
            pair->shift[axis] =
                o->from[0][axis] - o->from[1][axis] + (double)best.shift[axis] + between_pixels(o, best.shift, axis);
        rate_shift(o, &best, shifts, count, pair);
    }
    pair->correlation = best.correlation;
    for (int k = 0; k < 2; k++)
        plan_release_image(p, parts[k]);
}

void stitch_measure_pairs(drua_plan *p, stitch_job *j)
{
    const size_t bytes = (size_t)(j->shape.width * j->shape.height * j->shape.depth) * sizeof(float);
    float *memory[3];
    overlap o = {.misses = j->misses_zeros};
    if (plan_failed(p))
        return;
    stitch_list_pairs(p, j);
    for (int k = 0; k < 3; k++)
        memory[k] = plan_host_memory(p, bytes);
    for (int32_t a = 0, i = 0; a < j->count && !plan_failed(p); a++) {
        plan_progress(p, (double)a / (double)j->count);
        stitch_prepare_tile(p, j, a);
        for (; i < j->pair_count && j->pairs[i].first == a && !plan_failed(p); i++) {
            stitch_pair *pair = &j->pairs[i];
            stitch_find_overlap(j, a, pair->second, &o.shape, o.from);
            stitch_prepare_tile(p, j, pair->second);
            if (!j->tiles[a].flat && !j->tiles[pair->second].flat)
                measure_pair(p, j, &o, memory, pair);
            pair->used = pair->correlation >= fmax(j->threshold, pair->chance) && !stitch_is_ambiguous(pair);
        }
        plan_release_image(p, j->filtered[a]);
    }
}

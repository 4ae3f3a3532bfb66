/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures a point spread function from an image of beads. The beads are located, centred with subpixel precision and
 * averaged, and the background is subtracted.
 */
#include "plan.h"

#include "width.h"

#include "../measure/reduction.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP = 256, GROUPS = 256, RANK_BINS = 2048, MAX_BEADS = 1 << 20 };

static void shape_of_psf(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "width"), plan_integer(p, "height"), plan_integer(p, "depth"), 3};
}

/* ---- beads on the device */

/*
 * Counts pixels by the next bits of their keys. Keys are integers in the same order as the pixels' values. A launch
 * covers at most AT_ONCE pixels, because the device's bins have 32 bits.
 */
static void count_ranks(drua_plan *p, drua_view image, uint32_t key, int above, int shift, int64_t *counts)
{
    enum { AT_ONCE = 1 << 24 };
    const int64_t all = drua_layout_count(&image.layout);
    uint32_t some[RANK_BINS];
    drua_view bins = plan_scratch_bytes(p, sizeof some);
    memset(counts, 0, RANK_BINS * sizeof *counts);
    for (int64_t first = 0; first < all && !plan_failed(p); first += AT_ONCE) {
        plan_clear(p, bins);
        LAUNCH(p, "beads_rank", GRID(GROUPS * GROUP, 1, 1, GROUP, 1, 1), ARG(image), INT(key), INT(above), INT(shift),
               LONG(first), LONG(all - first < AT_ONCE ? all : first + AT_ONCE), POINTER(bins));
        plan_read(p, bins, some, sizeof some);
        for (int i = 0; i < RANK_BINS && !plan_failed(p); i++)
            counts[i] += some[i];
    }
    plan_free_scratch(p, bins);
}

/* Returns the value of rank count / 2. Three passes find its bits, from the highest to the lowest. */
static float median_of(drua_plan *p, drua_view image)
{
    static const int shifts[] = {22, 11, 0}, aboves[] = {32, 22, 11};
    int64_t rank = drua_layout_count(&image.layout) / 2, bins[RANK_BINS];
    uint32_t key = 0;
    for (int part = 0; part < 3; part++) {
        count_ranks(p, image, key, aboves[part], shifts[part], bins);
        if (plan_failed(p))
            return 0;
        const uint32_t max = part == 0 ? RANK_BINS / 2 : RANK_BINS;
        uint32_t bin = 0;
        while (bin < max - 1 && rank >= bins[bin])
            rank -= bins[bin++];
        key = key * max + bin;
    }
    const uint32_t bits = key & 0x80000000u ? key & 0x7fffffffu : ~key;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int by_place(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;
    for (int axis = 2; axis > 0; axis--)
        if (p[axis] != q[axis])
            return p[axis] < q[axis] ? -1 : 1;
    return (p[0] > q[0]) - (p[0] < q[0]);
}

/*
 * Returns the number of beads and stores their sorted positions on the device. Saturated beads, which are flat at the
 * brightest pixel's value, do not count.
 */
static int64_t find_beads(drua_plan *p, drua_view image, drua_shape box, float min, double brightest, drua_view *places)
{
    enum { COUNTS = 2 };
    const drua_layout l = image.layout;
    const int64_t rx = box.width / 2, ry = box.height / 2, rz = box.depth / 2;
    int64_t max = ((l.width + rx) / (rx + 1)) * ((l.height + ry) / (ry + 1)) *
                  ((l.depth + rz) / (rz + 1)); /* a box of this size contains at most one bead */
    max = max < MAX_BEADS ? max : MAX_BEADS;
    const size_t bytes = (size_t)(COUNTS + 3 * max) * sizeof(int32_t);
    int32_t counts[COUNTS] = {0};
    *places = plan_scratch_bytes(p, bytes);
    plan_clear(p, *places);
    LAUNCH(p, "beads_find", plan_grid(l), ARG(image), INT(rx), INT(ry), INT(rz), REAL(min), REAL(brightest), INT(max),
           POINTER(*places));
    plan_read(p, *places, counts, sizeof counts);
    const int32_t count = counts[0];
    if (!count && counts[1])
        plan_fail(p, "source shows only saturated beads (%d, clipped at %g); record an image with less light",
                  counts[1], brightest);
    if (count > max)
        plan_fail(p, "source shows %d beads, but at most %lld can be averaged; use a larger box or threshold", count,
                  (long long)max);
    int32_t *sorted = plan_host_memory(p, bytes);
    if (!sorted || !count)
        return 0;
    plan_read(p, *places, sorted, (size_t)(COUNTS + 3 * count) * sizeof *sorted);
    qsort(sorted + COUNTS, (size_t)count, 3 * sizeof *sorted, by_place);
    plan_write(p, *places, sorted);
    return count;
}

static void average_beads(drua_plan *p, drua_view image, drua_view places, int64_t beads, float background,
                          drua_view box)
{
    drua_view offsets = plan_scratch_bytes(p, (uint64_t)beads * 3 * sizeof(float));
    LAUNCH(p, "beads_centre", GRID(beads, 1, 1, 64, 1, 1), ARG(image), POINTER(places), INT(beads), REAL(background),
           POINTER(offsets));
    LAUNCH(p, "beads_add", plan_grid(box.layout), ARG(image), POINTER(places), POINTER(offsets), INT(beads),
           REAL(background), ARG(box));
}

static void launch_measure_psf(drua_plan *p)
{
    const drua_shape shape = plan_shape(p, "destination");
    const size_t count = (size_t)(shape.width * shape.height * shape.depth);
    drua_view image = plan_image(p, "source"), dense = plan_scratch(p, shape, DRUA_FLOAT32), places;
    float *box = plan_host_memory(p, count * sizeof *box);
    const float background = median_of(p, image);
    const double max = reduction_read(p, reduction_send(p, "reduce_pixels", image, (drua_view){0})).high;
    if (plan_failed(p))
        return;
    const float min = (float)(background + plan_number(p, "threshold") * (max - background));
    const int64_t beads = max > background ? find_beads(p, image, shape, min, max, &places) : 0;
    if (!beads)
        plan_fail(p,
                  "source shows no bead that is alone in a box of %lld x %lld x %lld; use a smaller box or threshold",
                  (long long)shape.width, (long long)shape.height, (long long)shape.depth);
    if (plan_failed(p))
        return;
    average_beads(p, image, places, beads, background, dense);
    plan_read(p, dense, box, count * sizeof *box);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += box[i] = fmaxf(box[i], 0);
    for (size_t i = 0; i < count && sum > 0; i++)
        box[i] = (float)(box[i] / sum);
    plan_write(p, dense, box);
    plan_copy(p, dense, plan_image(p, "destination"), 0, 0, 0);
    plan_set_number(p, "beads", (double)beads);
    plan_set_number(p, "width_x", psf_width(box, shape, 0));
    plan_set_number(p, "width_y", psf_width(box, shape, 1));
    plan_set_number(p, "width_z", psf_width(box, shape, 2));
}

#define EXTENT(name, default_)                                                                                         \
    DRUA_INTEGER(name, name " of the result and of a bead's box", .unit = "pixel", DRUA_RANGE(1, 1024),                \
                 .default_value = default_)

DRUA_OP(measure_psf) = {
    .name = "measure_psf",
    .category = "deconvolution",
    .menu = true,
    .summary = "Measures the point spread function from an image of beads: centres and averages the beads, "
               "subtracts the background, and scales the sum to 1.",
    .source = "local maxima above the median, except saturated ones; centre of light in 5 x 5 x 5 pixels; cubic "
              "interpolation (Keys 1981); negative results become 0",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image of beads smaller than the resolution"),
                DRUA_IMAGE_OUT("destination", "point spread function", .shape = shape_of_psf, .type = DRUA_FLOAT32),
                EXTENT("width", 25), EXTENT("height", 25), EXTENT("depth", 25),
                DRUA_NUMBER("threshold",
                            "smallest brightness of a bead that is used, as a share of the brightest "
                            "bead",
                            DRUA_RANGE(0.01, 1), .default_value = 0.3),
                DRUA_NUMBER_OUT("beads", "number of beads"),
                DRUA_NUMBER_OUT("width_x", "full width at half maximum along x, in pixels"),
                DRUA_NUMBER_OUT("width_y", "the same along y"),
                DRUA_NUMBER_OUT("width_z", "the same along z, in slices")),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_measure_psf,
};

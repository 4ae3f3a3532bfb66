/* SPDX-License-Identifier: BSD-3-Clause */
#include "bits.h"

static int bits_of(int64_t number)
{
    int bits = 0;
    for (; number > 0; number >>= 1)
        bits++;
    return bits;
}

/* The host looks after each batch of erosions whether they removed something; batches double. */
static void plan(drua_plan *p)
{
    enum { FIRST_BATCH = 16, LARGEST_BATCH = 1024, SLICES = 8 };
    drua_view to = plan_image(p, "destination");
    drua_mask objects = mask_pack(p, false);
    int64_t most_steps = (int64_t)objects.width + objects.height + objects.depth;
    drua_view planes = plan_memory(p, 4 * (uint64_t)objects.words * (uint64_t)bits_of(most_steps));
    drua_view changed = plan_memory(p, (LARGEST_BATCH + 1) * sizeof(uint32_t));
    objects.spare = plan_memory(p, 4 * (uint64_t)objects.words);
    plan_clear(p, planes);
    int64_t step = 0;
    uint32_t goes_on = 1;
    for (int batch = FIRST_BATCH; goes_on && step < most_steps && !plan_failed(p); batch = batch < LARGEST_BATCH ? 2 * batch : batch) {
        plan_clear(p, changed);
        for (int i = 0; i < batch && step < most_steps; i++) {
            step++;
            LAUNCH(p, "distance_erode", GRID(objects.row, objects.height, (objects.depth + SLICES - 1) / SLICES, 16, 4, 1),
                   POINTER(step & 1 ? objects.bits : objects.spare), POINTER(step & 1 ? objects.spare : objects.bits), INT(objects.row),
                   INT(objects.width), INT(objects.height), INT(objects.depth), INT(step % 2 == 0), INT(step), INT(i == 0), POINTER(changed),
                   INT(batch - 1 - i), POINTER(planes));
        }
        plan_read(p, changed, &goes_on, sizeof goes_on);
    }
    drua_layout l = to.layout;
    bool fours = drua_layout_is_in_fours(&l);
    LAUNCH(p, fours ? "distance_unpack_fours" : "distance_unpack", fours ? GRID(l.width / 4, l.height, l.depth, 32, 8, 1) : plan_grid(l), MASK_ARGUMENTS(&objects), POINTER(planes), INT(bits_of(step)), ARG(to));
}

const drua_op drua_op_distance_map = {
    .name = "distance_map",
    .category = "binary",
    .menu = true,
    .summary = "Gives each pixel of an object its distance to the background, 1 at the edge; infinity where there is no background.",
    .source = "octagonal distance: erosions by side and by all neighbours in turn that a pixel survives, plus 1",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image"), DRUA_IMAGE_OUT("destination", "distances", .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJ2/CLIJx distanceMap: source, &destination"),
    .numeric = DRUA_EXACT,
    .plan = plan,
};

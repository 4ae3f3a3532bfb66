/* SPDX-License-Identifier: BSD-3-Clause */
#include "binary_bits.h"

#define LINE(items) GRID(items, 1, 1, 64, 1, 1)

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void pack_tile(drua_plan *p, const drua_tiles *t, drua_mask m, bool invert)
{
    const drua_box *at = &t->at.wanted;
    drua_grid grid = LINE(m.row * (at->end[1] - at->first[1]) * (at->end[2] - at->first[2]));
    grid.from[0] = m.row * (at->first[2] * m.height + at->first[1]);
    m.height = (int32_t)at->end[1];
    m.depth = (int32_t)at->end[2];
    LAUNCH(p, "binary_pack", grid, ARG(t->from[0]), MASK_ARGUMENTS(&m), INT(invert));
}

drua_mask mask_pack(drua_plan *p, bool invert)
{
    drua_view source = plan_image(p, "source");
    drua_layout a = source.layout, b = plan_image(p, "destination").layout;
    drua_mask m = {
        .width = larger(a.width, b.width), .height = larger(a.height, b.height), .depth = larger(a.depth, b.depth)};
    m.row = (int32_t)(((int64_t)m.width + 31) / 32);
    m.words = (int64_t)m.row * m.height * m.depth;
    if (m.words > UINT32_MAX)
        plan_fail(
            p, "with rows padded to 32 pixels, the image has %lld pixels, but the limit is %lld; crop it or split it",
            32 * (long long)m.words, 32 * (long long)UINT32_MAX);
    m.bits = plan_scratch_bytes(p, 4 * (uint64_t)m.words);
    if (!drua_layout_is_same_size(&a, &b)) {
        LAUNCH(p, "binary_pack", LINE(m.words), ARG(source), MASK_ARGUMENTS(&m), INT(invert));
        return m;
    }
    for (drua_tiles t = {.inputs = {source}}; plan_next_tile(p, &t);)
        if (!drua_layout_is_vec4(&a))
            pack_tile(p, &t, m, invert);
        else if (drua_layout_is_in_bytes(&t.from[0].layout))
            LAUNCH(p, "pack_bytes", plan_tile_grid(GRID(m.row, m.height, m.depth, 16, 16, 1), &t), ARG(t.from[0]),
                   POINTER(m.bits), INT(m.row), INT(invert));
        else
            LAUNCH(p, "pack_vec4", plan_tile_grid(GRID((int64_t)m.row * 8, m.height, m.depth, 32, 8, 1), &t),
                   ARG(t.from[0]), POINTER(m.bits), INT(m.row), INT(invert));
    return m;
}

static void launch_dilation(drua_plan *p, drua_mask *m, int64_t reach, int64_t ry, int64_t rz, bool diamond)
{
    if (!m->spare.buffer)
        m->spare = plan_scratch_bytes(p, 4 * (uint64_t)m->words);
    LAUNCH(p, "binary_dilate", LINE(m->words), POINTER(m->bits), POINTER(m->spare), INT(m->row), INT(m->width),
           INT(m->height), INT(m->depth), INT(reach), INT(ry), INT(rz), INT(diamond));
    drua_view grown = m->spare;
    m->spare = m->bits;
    m->bits = grown;
}

/* Grows a box one axis at a time. A diamond grows in a few steps, because the sum of two diamonds is a diamond. */
void mask_grow(drua_plan *p, drua_mask *m, int64_t radius, bool box, bool flat)
{
    enum { MAX_REACH = 31, FLAT_STEP = 8, SOLID_STEP = 3 };
    int64_t max = (int64_t)m->width + m->height + m->depth, step = box                     ? MAX_REACH
                                                                   : flat || m->depth == 1 ? FLAT_STEP
                                                                                           : SOLID_STEP;
    if (radius > max)
        radius = max;
    if (box && radius == 1) {
        launch_dilation(p, m, 1, 1, flat ? 0 : 1, false);
        return;
    }
    for (int64_t left = radius; left > 0 && !plan_failed(p); left -= step) {
        int64_t reach = left < step ? left : step;
        launch_dilation(p, m, reach, box ? 0 : reach, box || flat ? 0 : reach, !box);
    }
    if (box)
        launch_dilation(p, m, 0, radius, 0, false);
    if (box && !flat && m->depth > 1)
        launch_dilation(p, m, 0, 0, radius, false);
}

void mask_invert(drua_plan *p, const drua_mask *m)
{
    LAUNCH(p, "binary_invert", LINE(m->words), MASK_ARGUMENTS(m));
}

void mask_unpack(drua_plan *p, const drua_mask *m, bool invert)
{
    drua_view to = plan_image(p, "destination");
    const bool vec4 = drua_layout_is_vec4(&to.layout);
    LAUNCH(p, vec4 ? "binary_unpack_vec4" : "binary_unpack", (vec4 ? plan_grid_vec4 : plan_grid)(to.layout),
           MASK_ARGUMENTS(m), INT(invert), ARG(to));
}

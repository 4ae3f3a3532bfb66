/* SPDX-License-Identifier: BSD-3-Clause */
/* Combines label maps with a second image in integers, because float32 cannot distinguish labels beyond 2^24. */

kernel void mask_labels(INPUT(labels), INPUT(mask), int inside, OUTPUT(result))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(result, x, y, z))
        return;
    const bool is_kept = (LOAD_CLAMPED(mask, x, y, z) != 0.0f) == (bool)inside;
    STORE_LABEL(result, x, y, z, is_kept ? LOAD_LABEL_CLAMPED(labels, x, y, z) : 0);
}

kernel void mask_labels_vec4(INPUT(labels), INPUT(mask), int inside, OUTPUT(result))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(result, x, y, z))
        return;
    const int4 marked = is_not_zero(mask_pixels, mask.type, AT(mask, x, y, z)), is_kept = inside ? marked : ~marked;
    STORE_FOUR_LABELS(result, x, y, z, select((uint4)(0), LOAD_FOUR_LABELS(labels, x, y, z), is_kept));
}

/*
 * Draws one label map over another. Labels of the upper map are numbered after those of the lower one, up to the
 * largest number that the type holds.
 */
kernel void overlay_labels(INPUT(below), INPUT(above), uint largest_below, OUTPUT(result))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(result, x, y, z))
        return;
    const uint label = LOAD_LABEL_CLAMPED(above, x, y, z);
    STORE_LABEL(result, x, y, z, label > 0 ? add_sat(label, largest_below) : LOAD_LABEL_CLAMPED(below, x, y, z));
}

kernel void overlay_labels_vec4(INPUT(below), INPUT(above), uint largest_below, OUTPUT(result))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(result, x, y, z))
        return;
    const uint4 label = LOAD_FOUR_LABELS(above, x, y, z), other = LOAD_FOUR_LABELS(below, x, y, z);
    STORE_FOUR_LABELS(result, x, y, z, select(other, add_sat(label, (uint4)(largest_below)), label > 0));
}

/* One step of growth into background where the mask is not 0; outside the mask labels are removed. */
kernel void grow_in_mask(INPUT(labels), INPUT(mask), int box, OUTPUT(result))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(result, x, y, z))
        return;
    const bool may_grow = LOAD_CLAMPED(mask, x, y, z) != 0.0f;
    const uint own = may_grow ? LOAD_LABEL_CLAMPED(labels, x, y, z) : 0;
    uint label = own;
    for (int dz = -1; may_grow && own == 0 && dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                if (box || abs(dx) + abs(dy) + abs(dz) <= 1)
                    label = max(label, LOAD_LABEL_CLAMPED(labels, x + dx, y + dy, z + dz));
    STORE_LABEL(result, x, y, z, label);
}

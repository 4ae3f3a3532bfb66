/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts between maps and one value per label. */

/*
 * values[label] is the map at the label's last pixel in raster order. Only a pixel that differs from the next one can
 * be that pixel. The first work-items start at the last pixels and walk backwards, so that later writers find a value
 * they cannot exceed.
 */
kernel void last_positions(INPUT(labels), volatile global uint *last, uint largest, int slices, int y0)
{
    const int x = (int)get_global_id(0), y = labels.height - 1 - (int)get_global_id(1);
    const int end = labels.depth - slices * (int)get_global_id(2);
    if (x >= labels.width || y < y0 || end <= 0)
        return;
    global const uint *known = (global const uint *)last;      /* may be outdated, which costs a second test */
    uint after = end < labels.depth ? LOAD_LABEL(labels, x, y, end) : 0xffffffffu;
    for (int z = end - 1; z >= max(end - slices, 0); z--) {
        const uint label = LOAD_LABEL(labels, x, y, z), at = ((uint)z * labels.height + y) * labels.width + x + 1;
        if (label != after && label <= largest && known[label] < at &&
            (x + 1 == labels.width || LOAD_LABEL(labels, x + 1, y, z) != label) &&
            (y + 1 == labels.height || LOAD_LABEL(labels, x, y + 1, z) != label) && last[label] < at)
            atomic_max(&last[label], at);
        after = label;
    }
}

/*
 * `map` has this height and depth, but lacks the rows before y0, the slices before z0, and those after its last ones.
 */
kernel void values_at(global const uint *last, INPUT(map), int map_height, int map_depth, int y0, int z0, int width,
                      int height, uint largest, OUTPUT(values))
{
    const int i = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(values, i, y, z))
        return;
    const uint at = (uint)i <= largest ? last[i] : 0;
    const int mx = min((at - 1) % width, (uint)map.width - 1),
              my = min((at - 1) / width % height, (uint)map_height - 1);
    const int mz = min((at - 1) / width / height, (uint)map_depth - 1);
    if (at == 0)
        STORE(values, i, y, z, 0.0f);
    else if (my >= y0 && mz >= z0 && INSIDE(map, mx, my, mz))
        STORE(values, i, y, z, LOAD(map, mx, my, mz));
}

kernel void paint_labels(INPUT(labels), INPUT(values), OUTPUT(painted))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(painted, x, y, z))
        return;
    const uint label = LOAD_LABEL_CLAMPED(labels, x, y, z);
    STORE(painted, x, y, z, label > 0 && label < (uint)values.width ? LOAD(values, label, 0, 0) : 0.0f);
}

/* Like paint_labels, for rows that are aligned to four pixels; `values` is a dense vector of float32. */
kernel void paint_labels_vec4(INPUT(labels), INPUT(values), OUTPUT(painted))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(painted, x, y, z))
        return;
    global const float *entries = (global const float *)values_pixels + values.offset;
    const uint4 label = LOAD_FOUR_LABELS(labels, x, y, z), known = min(label, (uint)values.width - 1);
    const float4 made = (float4)(entries[known.x], entries[known.y], entries[known.z], entries[known.w]);
    STORE_FOUR(painted, x, y, z, select((float4)(0.0f), made, label == known && label > 0));
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bit_lines.cl"

kernel void replace_intensities(INPUT(source), INPUT(values), OUTPUT(destination))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(destination, x, y, z))
        return;
    const uint label = min(LOAD_LABEL_CLAMPED(source, x, y, z), (uint)values.width - 1);
    MOVE(values, AT(values, label, 0, 0), destination, AT(destination, x, y, z))
}

kernel void replace_intensities_vec4(INPUT(source), INPUT(values), OUTPUT(destination))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(destination, x, y, z))
        return;
    const uint4 label = min(LOAD_FOUR_LABELS(source, x, y, z), (uint)values.width - 1);
    float4 made;
    if (values.type == FLOAT32) {       /* four loads at a time */
        global const float *entries = (global const float *)values_pixels;
        made = (float4)(entries[AT(values, label.x, 0, 0)], entries[AT(values, label.y, 0, 0)],
                        entries[AT(values, label.z, 0, 0)], entries[AT(values, label.w, 0, 0)]);
    } else {
        made = (float4)(LOAD(values, label.x, 0, 0), LOAD(values, label.y, 0, 0), LOAD(values, label.z, 0, 0),
                        LOAD(values, label.w, 0, 0));
    }
    STORE_FOUR(destination, x, y, z, made);
}

kernel void detect_label_edges(INPUT(labels), OUTPUT(edges))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(edges, x, y, z))
        return;
    const uint label = LOAD_LABEL_CLAMPED(labels, x, y, z);
    const bool edge =
        LOAD_LABEL_CLAMPED(labels, x - 1, y, z) != label || LOAD_LABEL_CLAMPED(labels, x + 1, y, z) != label ||
        LOAD_LABEL_CLAMPED(labels, x, y - 1, z) != label || LOAD_LABEL_CLAMPED(labels, x, y + 1, z) != label ||
        LOAD_LABEL_CLAMPED(labels, x, y, z - 1) != label || LOAD_LABEL_CLAMPED(labels, x, y, z + 1) != label;
    STORE(edges, x, y, z, edge ? 1.0f : 0.0f);
}

/* The label of a spot is the rank of its bit. */
kernel void label_spots(global const uint *bits, global const uint *before, int row_words, int width, int height,
                        int depth, OUTPUT(labels))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const int from = min(x, width - 1);
    const uint word = ((uint)min(z, depth - 1) * height + min(y, height - 1)) * row_words + from / 32;
    STORE_LABEL(labels, x, y, z, bits[word] >> (from & 31) & 1 ? rank_of(bits, before, word, from & 31) : 0);
}

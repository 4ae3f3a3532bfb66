/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks pixels for margin_check, which finds the pixels that may differ because the tile does not show the whole image.
 * native/ops/labels/margins.h says what the marks mean.
 */

enum { OPEN = 1, STARTS = 2, MATTERS = 4 };

/* The number of pixels between a pixel and the nearest cut side. */
inline int depth_in_tile(int width, int height, int depth, int cuts, int x, int y, int z)
{
    int distance = INT_MAX;
    distance = cuts & 1 ? min(distance, x) : distance;
    distance = cuts & 2 ? min(distance, width - 1 - x) : distance;
    distance = cuts & 4 ? min(distance, y) : distance;
    distance = cuts & 8 ? min(distance, height - 1 - y) : distance;
    distance = cuts & 16 ? min(distance, z) : distance;
    return cuts & 32 ? min(distance, depth - 1 - z) : distance;
}

kernel void margin_of_distances(INPUT(distances), int margin, OUTPUT(marks))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(marks, x, y, z))
        marks_pixels[AT(marks, x, y, z)] = LOAD(distances, x, y, z) > margin ? OPEN | STARTS | MATTERS : 0;
}

/* Also writes the maxima inside the mask. */
kernel void margin_of_maxima(INPUT(maxima), INPUT(mask), OUTPUT(marks), OUTPUT(inside))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(marks, x, y, z))
        return;
    const bool top = LOAD(maxima, x, y, z) != 0.0f, counts = top && LOAD_CLAMPED(mask, x, y, z) != 0.0f;
    marks_pixels[AT(marks, x, y, z)] = (top ? OPEN : 0) | (counts ? MATTERS : 0);
    STORE(inside, x, y, z, counts ? 1.0f : 0.0f);
}

kernel void margin_of_objects(INPUT(source), OUTPUT(marks))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(marks, x, y, z))
        marks_pixels[AT(marks, x, y, z)] = LOAD(source, x, y, z) != 0.0f ? OPEN | MATTERS : 0;
}

/*
 * `gained`: the step in which a pixel got its label. A label from step k depends on pixels up to k away, so it is in
 * doubt if a cut side is nearer. A pixel that climbs and has no label yet is OPEN, because it may get one later.
 */
kernel void margin_of_climbs(INPUT(seeds), INPUT(heights), global const uint *labels, global const uint *gained,
                             float threshold, int cuts, OUTPUT(marks))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(marks, x, y, z))
        return;
    const ulong at = ((ulong)z * seeds.height + y) * seeds.width + x;
    const int deep = depth_in_tile(seeds.width, seeds.height, seeds.depth, cuts, x, y, z);
    const bool climbs = LOAD_LABEL(seeds, x, y, z) == 0 && LOAD_CLAMPED(heights, x, y, z) > threshold;
    int mark = 0;
    if (climbs && labels[at] == 0)
        mark = OPEN | MATTERS;
    else if (climbs && gained[at] > deep)
        mark = OPEN | STARTS | MATTERS;
    marks_pixels[AT(marks, x, y, z)] = mark;
}

/* Also writes the labels. A free pixel beside a label would get one in a later step. */
kernel void margin_of_growth(INPUT(grown), INPUT(mask), OUTPUT(marks), OUTPUT(result))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(marks, x, y, z))
        return;
    const uint label = LOAD_LABEL(grown, x, y, z);
    int mark = 0;
    if (label == 0 && LOAD_CLAMPED(mask, x, y, z) != 0.0f) {
        uint around = 0;
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    around = max(around, LOAD_LABEL_CLAMPED(grown, x + dx, y + dy, z + dz));
        mark = OPEN | MATTERS | (around ? STARTS : 0);
    }
    marks_pixels[AT(marks, x, y, z)] = mark;
    STORE_LABEL(result, x, y, z, label);
}

/*
 * A flood can enter pixels in the mask and pixels beside a marker. A marker outside the tile, just beyond a cut side,
 * could let the flood enter a pixel on this side. Doubt therefore starts at open pixels on a cut side and next to it.
 */
kernel void margin_of_floods(INPUT(markers), INPUT(mask), int cuts, OUTPUT(marks))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(marks, x, y, z))
        return;
    float highest = 0.0f;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                highest = fmax(highest, LOAD_CLAMPED(markers, x + dx, y + dy, z + dz));
    const bool open = highest > 0.0f || LOAD_CLAMPED(mask, x, y, z) > 0.0f,
               near = depth_in_tile(marks.width, marks.height, marks.depth, cuts, x, y, z) <= 1;
    marks_pixels[AT(marks, x, y, z)] = open ? OPEN | MATTERS | (near ? STARTS : 0) : 0;
}

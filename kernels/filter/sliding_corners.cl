/* SPDX-License-Identifier: BSD-3-Clause */
/* Lowers corners that objects cover, which would otherwise count as background. */
#include "sliding_line.cl"

/*
 * Slides along a line that ends in corners, and estimates what the ends would be without objects there. The estimate is
 * a straight line through the first and last touched points, lowered in the middle by a polynomial of degree 6 for
 * vignetting.
 */
inline void slide_to_corners(const line_of *l, global float *copy, float curvature, global float *estimates)
{
    int ends[2];
    const int length = l->length;
    for (int i = 0; i < length; i++)
        copy[i] = l->pixels[i * l->step];
    slide_along(l, curvature, ends);
    const int first = 4 * ends[0] >= length ? 0 : ends[0],
              last = 4 * (length - 1 - ends[1]) >= length ? length - 1 : ends[1];
    const float between = (float)(last - first), slope = QUOTIENT(copy[last] - copy[first], between),
                offset = copy[first] - slope * first, middle = 0.5f * (last + first);
    float bend = 0.0f;
    for (int i = (length + 2) / 3; i <= 2 * length / 3; i++) {
        const float d = QUOTIENT((i - middle) * 2.0f, between), polynomial = d * d * d * d * d * d - 1.0f,
                    straight = offset + slope * i;
        if (copy[i] < straight + bend * polynomial)
            bend = QUOTIENT(-(straight - copy[i]), polynomial);
    }
    float d = QUOTIENT((first - middle) * 2.0f, between);
    estimates[0] = offset + bend * (d * d * d * d * d * d - 1.0f) + curvature * first * first;
    d = QUOTIENT((last - middle) * 2.0f, between);
    estimates[1] = offset + (length - 1) * slope + bend * (d * d * d * d * d * d - 1.0f) +
                   curvature * (length - 1 - last) * (length - 1 - last);
}

/* Edges 0 to 3 are the first and last row and column; 4 to 7 are the diagonals from the corners. */
kernel void slide_edges(global float *pixels, global int *next, global float *copies, global float *estimates,
                        int width, int height, int depth, int first, int edges, float curvature)
{
    const int edge = first + (int)get_global_id(0), z = get_global_id(1), corner = edge & 3;
    if (edge >= first + edges || z >= depth)
        return;
    const long right = width - 1, bottom = (long)(height - 1) * width;
    const bool from_right = edge < 4 ? edge == 3 : corner & 1, from_bottom = edge < 4 ? edge == 1 : corner > 1;
    const long start = (long)z * width * height + (from_right ? right : 0) + (from_bottom ? bottom : 0);
    line_of l = {pixels + start, next + start, edge < 2 ? 1 : width, edge < 2 ? width : height};
    if (edge >= 4) {
        l.step = (from_right ? -1 : 1) + (from_bottom ? -(long)width : (long)width);
        l.length = min(width, height);
    }
    slide_to_corners(&l, copies + (4L * z + corner) * max(width, height), edge < 4 ? curvature : 2.0f * curvature,
                     estimates + 2 * (8L * z + edge));
}

/* Lowers each corner to the mean of its three estimates. */
kernel void slide_lower_corners(global float *pixels, global const float *estimates, int width, int height, int depth)
{
    const int z = get_global_id(0);
    if (z >= depth)
        return;
    global const float *e = estimates + 16L * z;
    const float sums[4] = {e[0] + e[4] + e[8], e[1] + e[6] + e[10], e[2] + e[5] + e[12], e[3] + e[7] + e[14]};
    for (int corner = 0; corner < 4; corner++) {
        global float *at = pixels + (long)z * width * height + (corner & 1 ? width - 1 : 0) +
                           (corner > 1 ? (long)(height - 1) * width : 0);
        const float estimate = QUOTIENT(sums[corner], 3.0f);
        *at = *at > estimate ? estimate : *at;
    }
}

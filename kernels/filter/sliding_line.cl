/* SPDX-License-Identifier: BSD-3-Clause */
/* A parabola that slides along a line of pixels of a dense float32 image. */
#include "quotient.cl"

/* A line of pixels with a stride of `step`. `next` holds for each point the next one that a parabola can touch. */
typedef struct {
    global float *pixels;
    global int *next;
    long step;
    int length;
} line_of;

/* Lists the points that a parabola can touch; returns the smallest value. */
inline float list_points(const line_of *l, float curvature)
{
    float min_value = MAXFLOAT, one_back = 0.0f, two_back = 0.0f;
    int last = 0;
    for (int i = 0; i < l->length; i++) {
        const float value = l->pixels[i * l->step];
        min_value = value < min_value ? value : min_value;
        if (i >= 2 && one_back + one_back - two_back - value < 1.999f * curvature) {
            l->next[last * l->step] = i - 1;
            last = i - 1;
        }
        two_back = one_back;
        one_back = value;
    }
    l->next[last * l->step] = l->length - 1;
    l->next[(l->length - 1) * l->step] = INT_MAX;
    return min_value;
}

/*
 * Whether n (n - 2 top) <= room, without rounding: a parabola whose top is `top` points away has fallen by less than
 * `room` after n points.
 */
inline bool is_within(float n, float top, float room)
{
    const float wide = n - 2.0f * top, part = wide - n, lost = (n - (wide - part)) + (-2.0f * top - part);
    const float area = n * wide, rest = area - room, piece = rest - area,
                rounded = (area - (rest - piece)) + (-room - piece);
    return rest + (rounded + fma(n, wide, -area) + n * lost) <= 0.0f;
}

/*
 * Returns the largest distance, in points and at most `max_distance`, at which a parabola can touch. Beyond it, the
 * parabola lies below the smallest value.
 */
inline int touching_distance(float slope, float room, float curvature, int max_distance)
{
    const float top = QUOTIENT(0.5f * slope, curvature), left = QUOTIENT(room, curvature),
                root = sqrt(top * top + left), distance = top < 0.0f ? left / (root - top) : top + root;
    if (!(distance < (float)max_distance + 2.0f))
        return max_distance;
    int n = (int)distance;
    while (n < max_distance && is_within((float)(n + 1), top, left))
        n++;
    while (n > 0 && !is_within((float)n, top, left))
        n--;
    return n;
}

/* Returns the next point that the parabola through `from` touches, and sets its slope there. */
inline int next_touched(const line_of *l, int from, float min_value, float curvature, float *slope)
{
    const float value = l->pixels[from * l->step];
    int found = from + 1, end = l->length, wait = 0;
    *slope = MAXFLOAT;
    for (int j = l->next[from * l->step]; j < end; j = l->next[j * l->step], wait++) {
        const float distance = (float)(j - from),
                    rise = QUOTIENT(l->pixels[j * l->step] - value, distance) + curvature * distance;
        if (rise < *slope) {
            *slope = rise;
            found = j;
            wait = -3;
        }
        if (wait == 0)
            end = from + 1 + touching_distance(*slope, value - min_value, curvature, end - from - 1);
    }
    return found;
}

/*
 * Slides a parabola along a line. `ends` receives the first and last point that it touches besides the ends. A parabola
 * from NaN touches nothing and stops at the next point, which the list may not have.
 */
inline void slide_along(const line_of *l, float curvature, int *ends)
{
    const float min_value = list_points(l, curvature);
    ends[0] = l->length - 1;
    ends[1] = 0;
    for (int from = 0, to; from < l->length - 1; from = to) {
        float slope;
        const float value = l->pixels[from * l->step];
        to = next_touched(l, from, min_value, curvature, &slope);
        if (to < l->next[from * l->step])
            l->next[to * l->step] = l->next[from * l->step];
        ends[0] = from == 0 ? to : ends[0];
        ends[1] = to == l->length - 1 ? from : ends[1];
        for (int j = from + 1; j < to; j++)
            l->pixels[j * l->step] = value + (float)(j - from) * (slope - (float)(j - from) * curvature);
    }
}

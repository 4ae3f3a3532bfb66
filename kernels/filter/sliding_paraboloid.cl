/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Background by a paraboloid that slides below the surface of grey values, with the rounding of ImageJ's command: a
 * parabola along lines in four directions, again and again. A work-item goes along one line of a dense float32 image.
 */
#include "background_result.cl"

#ifdef EXACT_DIVIDE
#define QUOTIENT(a, b) ((a) / (b))
#else
#define QUOTIENT(a, b) rounded_quotient(a, b)
/* One Newton step that uses the exact remainder. */
inline float rounded_quotient(float a, float b)
{
    const float q = a / b, better = fma(fma(-q, b, a), 1.0f / b, q);
    return isfinite(better) && isfinite(b) ? better : q;
}
#endif

enum { ALONG_ROWS, ALONG_COLUMNS, FALLING_FROM_TOP, FALLING_FROM_LEFT, RISING_FROM_TOP, RISING_FROM_RIGHT };

/* A line of pixels; `step` pixels apart. `next` holds for each point the next one that a parabola can touch. */
typedef struct {
    global float *pixels;
    global int *next;
    long step;
    int length;
} line_of;

kernel void slide_begin(INPUT(from), global float *pixels, float sign)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (INSIDE(from, x, y, z))
        pixels[((long)z * from.height + y) * from.width + x] = sign * LOAD(from, x, y, z);
}

/*
 * Replaces the pixels of a line by the mean or maximum of three. `rises` receives by how much the maximum raised the
 * line, as a sum of two numbers.
 */
kernel void slide_filter(global float *pixels, int width, int height, int depth, int down, int mean,
                         global float2 *rises)
{
    const int line = get_global_id(0), z = get_global_id(1), lines = down ? width : height;
    if (line >= lines || z >= depth)
        return;
    const int length = down ? height : width;
    const long step = down ? width : 1;
    global float *at = pixels + (long)z * width * height + (down ? (long)line : (long)line * width);
    float after = *at, here = after, high = 0.0f, low = 0.0f;
    for (int i = 0; i < length; i++, at += step) {
        const float before = here;
        here = after;
        after = i < length - 1 ? at[step] : after;
        if (mean) {
            *at = (before + here + after) * 0.33333333f;
            continue;
        }
        float most = before > after ? before : after;
        most = here > most ? here : most;
        *at = most;
        const float rise = most - here, sum = high + rise, part = sum - high;
        low += (high - (sum - part)) + (rise - part);
        high = sum;
    }
    if (!mean)
        rises[(long)z * (width + height) + (down ? height : 0) + line] = (float2)(high, low);
}

/* Lists the points that a parabola can touch; returns the smallest value. */
inline float list_points(const line_of *l, float curvature)
{
    float least = MAXFLOAT, one_back = 0.0f, two_back = 0.0f;
    int last = 0;
    for (int i = 0; i < l->length; i++) {
        const float value = l->pixels[i * l->step];
        least = value < least ? value : least;
        if (i >= 2 && one_back + one_back - two_back - value < 1.999f * curvature) {
            l->next[last * l->step] = i - 1;
            last = i - 1;
        }
        two_back = one_back;
        one_back = value;
    }
    l->next[last * l->step] = l->length - 1;
    l->next[(l->length - 1) * l->step] = INT_MAX;
    return least;
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

/* How far a parabola can touch: beyond, it is below the smallest value. At most `most` points. */
inline int touching_distance(float slope, float room, float curvature, int most)
{
    const float top = QUOTIENT(0.5f * slope, curvature), left = QUOTIENT(room, curvature),
                root = sqrt(top * top + left), distance = top < 0.0f ? left / (root - top) : top + root;
    if (!(distance < (float)most + 2.0f))
        return most;
    int n = (int)distance;
    while (n < most && is_within((float)(n + 1), top, left))
        n++;
    while (n > 0 && !is_within((float)n, top, left))
        n--;
    return n;
}

/* The next point that the parabola through `from` touches, and its slope there. */
inline int next_touched(const line_of *l, int from, float least, float curvature, float *slope)
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
            end = from + 1 + touching_distance(*slope, value - least, curvature, end - from - 1);
    }
    return found;
}

/* Slides a parabola along a line. `ends` receives the first and last point that it touches besides the ends. */
inline void slide_along(const line_of *l, float curvature, int *ends)
{
    const float least = list_points(l, curvature);
    ends[0] = l->length - 1;
    ends[1] = 0;
    for (int from = 0, to; from < l->length - 1; from = to) {
        float slope;
        const float value = l->pixels[from * l->step];
        to = next_touched(l, from, least, curvature, &slope);
        ends[0] = from == 0 ? to : ends[0];
        ends[1] = to == l->length - 1 ? from : ends[1];
        for (int j = from + 1; j < to; j++)
            l->pixels[j * l->step] = value + (float)(j - from) * (slope - (float)(j - from) * curvature);
    }
}

/* Slides along all lines of one direction. */
kernel void slide_lines(global float *pixels, global int *next, int width, int height, int depth, int direction,
                        int first, int lines, float curvature)
{
    const int i = first + (int)get_global_id(0), z = get_global_id(1);
    if (i >= lines || z >= depth)
        return;
    long start = i;
    line_of l = {pixels, next, 1, 0};
    switch (direction) {
    case ALONG_ROWS: start = (long)i * width; l.length = width; break;
    case ALONG_COLUMNS: l.step = width; l.length = height; break;
    case FALLING_FROM_TOP: l.step = width + 1; l.length = min(height, width - i); break;
    case FALLING_FROM_LEFT: start = (long)i * width; l.step = width + 1; l.length = min(width, height - i); break;
    case RISING_FROM_TOP: l.step = width - 1; l.length = min(height, i + 1); break;
    default: start = (long)i * width + width - 1; l.step = width - 1; l.length = min(width, height - i);
    }
    int ends[2];
    start += (long)z * width * height;
    l.pixels += start;
    l.next += start;
    slide_along(&l, curvature, ends);
}

/*
 * Slides along a line that ends in corners, and estimates what the ends would be without objects there: a straight line
 * between the first and last touched points, lowered in the middle by a polynomial of degree 6 for vignetting.
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

kernel void slide_finish(INPUT(from), global const float *pixels, global const float *shifts, float sign, int creates,
                         OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int i = min(x, from.width - 1), j = min(y, from.height - 1), k = min(z, from.depth - 1);
    const float background = pixels[((long)k * from.height + j) * from.width + i] - shifts[k];
    STORE(to, x, y, z, without_background(LOAD(from, i, j, k), background, sign, creates, from.type));
}

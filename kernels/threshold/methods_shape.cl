/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods that use the shape of the histogram; see methods.cl. */
#include "methods.cl"
#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* Whether bin i of `count` bins is a local maximum. */
METHOD int is_mode(SPACE const double *h, int count, int i)
{
    return i > 0 && i < count - 1 && h[i - 1] < h[i] && h[i + 1] < h[i];
}

METHOD double mean_of_three(SPACE const double *h, int count, int i)
{
    return ((i > 0 ? h[i - 1] : 0) + h[i] + (i < count - 1 ? h[i + 1] : 0)) / 3;
}

/*
 * Midpoint of the two maxima (Prewitt and Mendelsohn 1966). `h` has only the occupied bins, because CLIJ2 smooths only
 * those.
 */
METHOD int threshold_intermodes(SPACE const double *h, int count)
{
    int sum = 0;
    for (int i = 1; i < count - 1; i++)
        if (is_mode(h, count, i))
            sum += i;
    return sum / 2;
}

/* The minimum between the two maxima (Prewitt and Mendelsohn 1966). */
METHOD int threshold_minimum(SPACE const double *h)
{
    for (int i = 1; i < BINS - 1; i++)
        if (h[i - 1] > h[i] && h[i + 1] >= h[i])
            return i;
    return -1;
}

/* The bin farthest below the line from the peak to the farther end (Zack, Rogers and Latt 1977). */
METHOD int threshold_triangle(SPACE const bin_sums *sums)
{
    SPACE const double *h = sums->counts;
    int start = sums->low, end = sums->high, peak = 0;
    start -= start > 0;
    end += end < BINS - 1;
    for (int i = 1; i < BINS; i++)
        if (h[i] > h[peak])
            peak = i;
    const int mirrored = peak - start < end - peak;
    if (mirrored) {
        start = BINS - 1 - end;
        peak = BINS - 1 - peak;
    }
    if (start == peak)
        return start;
#define MIRRORED(i) h[mirrored ? BINS - 1 - (i) : (i)]
    double nx = MIRRORED(peak), ny = start - peak;
    const double length = sqrt(nx * nx + ny * ny);
    nx /= length;
    ny /= length;
    const double d = nx * start + ny * MIRRORED(start);
    double max_distance = 0;
    int split = start;
    for (int i = start + 1; i <= peak; i++) {
        const double distance = nx * i + ny * MIRRORED(i) - d;
        if (distance > max_distance) {
            max_distance = distance;
            split = i;
        }
    }
    split--;
    return mirrored ? BINS - 1 - split : split;
}
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods by the shape of the histogram; see methods.cl. */
#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* Whether a histogram of `count` bins has just two local maxima. */
METHOD int is_bimodal(SPACE const double *h, int count)
{
    int modes = 0;
    for (int i = 1; i < count - 1; i++)
        modes += h[i - 1] < h[i] && h[i + 1] < h[i];
    return modes == 2;
}

/* Smooths by means of three until two maxima are left; 0 if that does not happen. */
METHOD int make_bimodal(SPACE double *h, int count)
{
    for (int pass = 0; pass <= MOST_PASSES; pass++) {
        if (is_bimodal(h, count))
            return 1;
        double before = 0, here = 0, after = h[0];
        for (int i = 0; i < count; i++) {
            before = here;
            here = after;
            after = i < count - 1 ? h[i + 1] : 0;
            h[i] = (before + here + after) / 3;
        }
    }
    return 0;
}

/* Middle of the two maxima (Prewitt and Mendelsohn 1966); smooths between the occupied bins only, as CLIJ2 does. */
METHOD int threshold_intermodes(SPACE double *h)
{
    const int start = first_bin(h), count = last_bin(h) - start + 1;
    SPACE double *occupied = h + start;
    if (!make_bimodal(occupied, count))
        return -1;
    int sum = 0;
    for (int i = 1; i < count - 1; i++)
        if (occupied[i - 1] < occupied[i] && occupied[i + 1] < occupied[i])
            sum += i;
    return start + sum / 2;
}

/* The minimum between the two maxima (Prewitt and Mendelsohn 1966). */
METHOD int threshold_minimum(SPACE double *h)
{
    if (!make_bimodal(h, BINS))
        return -1;
    for (int i = 1; i < BINS - 1; i++)
        if (h[i - 1] > h[i] && h[i + 1] >= h[i])
            return i;
    return -1;
}

/* The bin farthest below the line from the peak to the farther end (Zack, Rogers and Latt 1977). */
METHOD int threshold_triangle(SPACE const double *h)
{
    int start = first_bin(h), end = last_bin(h), peak = 0;
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
    double most = 0;
    int split = start;
    for (int i = start + 1; i <= peak; i++) {
        const double distance = nx * i + ny * MIRRORED(i) - d;
        if (distance > most) {
            most = distance;
            split = i;
        }
    }
    split--;
    return mirrored ? BINS - 1 - split : split;
}
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Automatic thresholds on histograms of 256 bins. Each function names its publication and gives the result of ImageJ's
 * AutoThresholder: the last bin of the background, or -1 if the method finds none.
 *
 * Three differences from ImageJ 1.54p follow CLIJ2: Otsu takes the last of equal maxima (1.54p: the first), Intermodes
 * smooths between the occupied bins (1.54p: all bins), and two occupied bins get no special treatment.
 */
#include "reference.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { BINS = 256, LAST = BINS - 1, MAX_ROUNDS = 10000 };

/* The sum of bin^power * counts over first..last. */
static double moment_of_bins(const double counts[BINS], int power, int first, int last)
{
    double sum = 0;
    for (int i = first; i <= last; i++) {
        double term = counts[i];
        for (int k = 0; k < power; k++)
            term *= i;
        sum += term;
    }
    return sum;
}

static double mean_bin(const double counts[BINS], int first, int last)
{
    return moment_of_bins(counts, 1, first, last) / moment_of_bins(counts, 0, first, last);
}

static int first_occupied(const double counts[BINS])
{
    int bin = 0;
    while (bin < LAST && counts[bin] == 0)
        bin++;
    return bin;
}

static int last_occupied(const double counts[BINS])
{
    int bin = LAST;
    while (bin > 0 && counts[bin] == 0)
        bin--;
    return bin;
}

/* The share of pixels in each bin, in the bins up to it (below) and in the bins after it (above). */
typedef struct shares {
    double of[BINS], below[BINS], above[BINS];
    int first, last; /* the first and last split that leaves neither side empty */
} shares;

static shares shares_of(const double counts[BINS])
{
    shares s;
    const double total = moment_of_bins(counts, 0, 0, LAST);
    double sum = 0;
    for (int i = 0; i < BINS; i++) {
        s.of[i] = counts[i] / total;
        sum += s.of[i];
        s.below[i] = sum;
        s.above[i] = 1 - sum;
    }
    s.first = first_occupied(counts);
    s.last = last_occupied(counts) - 1;
    return s;
}

/* ---------------------------------------------------------------- means of classes */

/* Ridler and Calvard 1978: the lowest bin that equals the mean of the means of the bins below and above it. */
static int isodata(const double counts[BINS])
{
    int bin = 0;
    for (int i = LAST; i > 0; i--)
        if (counts[i] > 0)
            bin = i + 1;
    for (; bin < LAST; bin++) {
        if (moment_of_bins(counts, 0, 0, bin - 1) == 0 || moment_of_bins(counts, 0, bin + 1, LAST) == 0)
            continue;
        const double lower = trunc(mean_bin(counts, 0, bin - 1)), upper = mean_bin(counts, bin + 1, LAST);
        if (bin == (int)floor((lower + upper) / 2 + 0.5))
            return bin;
    }
    return -1;
}

/* ImageJ's own isodata: like isodata, but without bins 0 and 255 and with the moving bin in the lower class. */
static int imagej_isodata(const double counts[BINS])
{
    double inner[BINS];
    memcpy(inner, counts, sizeof inner);
    inner[0] = inner[LAST] = 0;
    const int first = first_occupied(inner), last = last_occupied(inner);
    if (first >= last)
        return BINS / 2;
    double middle;
    int bin = first;
    do {
        middle = (mean_bin(inner, first, bin) + mean_bin(inner, bin + 1, last)) / 2;
        bin++;
    } while (bin + 1 <= middle && bin < last - 1);
    return (int)floor(middle + 0.5);
}

/* ImageJ's default: imagej_isodata after a peak above twice the second largest count is cut to 1.5 times that count. */
static int imagej_default(const double counts[BINS])
{
    double cut[BINS];
    memcpy(cut, counts, sizeof cut);
    int mode = 0;
    for (int i = 0; i < BINS; i++)
        if (cut[i] > cut[mode])
            mode = i;
    double second = 0;
    for (int i = 0; i < BINS; i++)
        if (i != mode)
            second = fmax(second, cut[i]);
    if (cut[mode] > 2 * second && second != 0)
        cut[mode] = floor(1.5 * second);
    return imagej_isodata(cut);
}

/* Glasbey 1993. */
static int mean(const double counts[BINS])
{
    return (int)floor(mean_bin(counts, 0, LAST));
}

/* Otsu 1979: the last bin that maximises the variance between the classes. */
static int otsu(const double counts[BINS])
{
    const double n = moment_of_bins(counts, 0, 0, LAST), s = moment_of_bins(counts, 1, 0, LAST);
    double best = 0, lower_n = counts[0], lower_s = 0;
    int bin = -1;
    for (int k = 1; k < LAST; k++) {
        lower_n += counts[k];
        lower_s += k * counts[k];
        const double product = lower_n * (n - lower_n), difference = lower_n / n * s - lower_s;
        const double score = product != 0 ? difference * difference / product : 0;
        if (score >= best) {
            best = score;
            bin = k;
        }
    }
    return bin;
}

/* Li and Tam 1998: minimum cross entropy, iterated from the mean. */
static int li(const double counts[BINS])
{
    double next = mean_bin(counts, 0, LAST), previous;
    int bin;
    do {
        previous = next;
        bin = (int)(previous + 0.5);
        const double below = moment_of_bins(counts, 0, 0, bin) > 0 ? mean_bin(counts, 0, bin) : 0;
        const double above = moment_of_bins(counts, 0, bin + 1, LAST) > 0 ? mean_bin(counts, bin + 1, LAST) : 0;
        const double crossing = (below - above) / (log(below) - log(above));
        next = trunc(crossing < -DBL_EPSILON ? crossing - 0.5 : crossing + 0.5);
    } while (fabs(next - previous) > 0.5);
    return bin;
}

/* Kittler and Illingworth 1986: minimum error for two normal distributions, iterated from the mean. */
static int min_error(const double counts[BINS])
{
    const double n = moment_of_bins(counts, 0, 0, LAST);
    int bin = mean(counts), previous = -2;
    for (int i = 0; bin != previous && i < MAX_ROUNDS; i++) {
        const double below = moment_of_bins(counts, 0, 0, bin), above = moment_of_bins(counts, 0, bin + 1, LAST);
        const double mean_below = moment_of_bins(counts, 1, 0, bin) / below;
        const double mean_above = moment_of_bins(counts, 1, bin + 1, LAST) / above;
        const double variance_below = moment_of_bins(counts, 2, 0, bin) / below - mean_below * mean_below;
        const double variance_above = moment_of_bins(counts, 2, bin + 1, LAST) / above - mean_above * mean_above;
        const double p = below / n, q = above / n;
        /* The weighted normal curves cross where a t^2 - 2 b t + c = 0. */
        const double a = 1 / variance_below - 1 / variance_above;
        const double b = mean_below / variance_below - mean_above / variance_above;
        const double c = mean_below * mean_below / variance_below - mean_above * mean_above / variance_above +
                         log10(variance_below * q * q / (variance_above * p * p));
        if (b * b - a * c < 0)
            return bin;
        previous = bin;
        const double root = (b + sqrt(b * b - a * c)) / a;
        if (!isnan(root))
            bin = (int)floor(fmin(fmax(root, -1), LAST));
    }
    return bin;
}

/* Tsai 1985: two classes preserve the first three moments; the share of the lower class decides. */
static int moments(const double counts[BINS])
{
    const double n = moment_of_bins(counts, 0, 0, LAST), m1 = moment_of_bins(counts, 1, 0, LAST) / n;
    const double m2 = moment_of_bins(counts, 2, 0, LAST) / n, m3 = moment_of_bins(counts, 3, 0, LAST) / n;
    const double determinant = m2 - m1 * m1;
    const double c0 = (m1 * m3 - m2 * m2) / determinant, c1 = (m1 * m2 - m3) / determinant;
    const double root = sqrt(c1 * c1 - 4 * c0), z0 = (-c1 - root) / 2, z1 = (-c1 + root) / 2;
    const double share = (z1 - m1) / (z1 - z0);
    const shares s = shares_of(counts);
    for (int i = 0; i < BINS; i++)
        if (s.below[i] > share)
            return i;
    return -1;
}

/* Doyle 1962: half of the pixels lie on either side. */
static int percentile(const double counts[BINS])
{
    const double n = moment_of_bins(counts, 0, 0, LAST);
    double best = 1;
    int bin = -1;
    for (int i = 0; i < BINS; i++) {
        const double distance = fabs(moment_of_bins(counts, 0, 0, i) / n - 0.5);
        if (distance < best) {
            best = distance;
            bin = i;
        }
    }
    return bin;
}

/* ---------------------------------------------------------------- shape of the histogram */

static bool is_peak(const double *heights, int i)
{
    return heights[i - 1] < heights[i] && heights[i + 1] < heights[i];
}

/* Running means of three bins, zero outside, until exactly two peaks are left; false if that never happens. */
static bool smooth_to_two_peaks(double *heights, int length)
{
    for (int round = 0; round <= MAX_ROUNDS; round++) {
        int peaks = 0;
        for (int i = 1; i < length - 1; i++)
            peaks += is_peak(heights, i);
        if (peaks == 2)
            return true;
        double before = 0;
        for (int i = 0; i < length; i++) {
            const double here = heights[i], after = i + 1 < length ? heights[i + 1] : 0;
            heights[i] = (before + here + after) / 3;
            before = here;
        }
    }
    return false;
}

/* Prewitt and Mendelsohn 1966: halfway between the two peaks of the smoothed histogram. */
static int intermodes(const double counts[BINS])
{
    const int first = first_occupied(counts), length = last_occupied(counts) - first + 1;
    double heights[BINS];
    memcpy(heights, counts + first, (size_t)length * sizeof *heights);
    if (!smooth_to_two_peaks(heights, length))
        return -1;
    int sum = 0;
    for (int i = 1; i < length - 1; i++)
        if (is_peak(heights, i))
            sum += i;
    return first + sum / 2;
}

/* Prewitt and Mendelsohn 1966: the first minimum after a descent of the smoothed histogram. */
static int minimum(const double counts[BINS])
{
    double heights[BINS];
    memcpy(heights, counts, sizeof heights);
    if (!smooth_to_two_peaks(heights, BINS))
        return -1;
    for (int i = 1; i < LAST; i++)
        if (heights[i - 1] > heights[i] && heights[i + 1] >= heights[i])
            return i;
    return -1;
}

/* Zack, Rogers and Latt 1977: the bin farthest below the line from the peak to the end of the longer flank. */
static int triangle(const double counts[BINS])
{
    int peak = 0;
    for (int i = 0; i < BINS; i++)
        if (counts[i] > counts[peak])
            peak = i;
    int left = first_occupied(counts), right = last_occupied(counts);
    left -= left > 0;
    right += right < LAST;

    const bool mirrored = peak - left < right - peak;
    double heights[BINS];
    for (int i = 0; i < BINS; i++)
        heights[i] = counts[mirrored ? LAST - i : i];
    if (mirrored) {
        left = LAST - right;
        peak = LAST - peak;
    }

    const double dx = left - peak, dy = heights[peak];
    double farthest = 0;
    int bin = left;
    for (int i = left + 1; i <= peak; i++) {
        const double distance = dy * (i - left) + dx * (heights[i] - heights[left]);
        if (distance > farthest) {
            farthest = distance;
            bin = i;
        }
    }
    return mirrored ? LAST - (bin - 1) : bin - 1;
}

/* ---------------------------------------------------------------- entropies */

/* Uncertainty of membership in a class around a mean; the first and last bin count as certain. */
static double fuzziness(const double counts[BINS], int first, int last, double scale)
{
    if (moment_of_bins(counts, 0, first, last) == 0)
        return 0;
    const double centre = mean_bin(counts, first, last);
    double sum = 0;
    for (int i = first; i <= last; i++) {
        const double membership = 1 / (1 + scale * fabs(i - centre));
        if (membership >= 1e-6 && membership <= 0.999999)
            sum += counts[i] * (-membership * log(membership) - (1 - membership) * log(1 - membership));
    }
    return sum;
}

/* Huang and Wang 1995: minimum fuzziness. */
static int huang(const double counts[BINS])
{
    const int first = first_occupied(counts), last = last_occupied(counts);
    if (first == last)
        return -1;
    const double scale = 1.0 / (last - first);
    double min = DBL_MAX;
    int bin = -1;
    for (int i = 0; i < BINS; i++) {
        const double sum = fuzziness(counts, 0, i, scale) + fuzziness(counts, i + 1, LAST, scale);
        if (sum < min) {
            min = sum;
            bin = i;
        }
    }
    return bin;
}

/* Entropy (alpha 1), or sum of share^alpha, of the bins first..last relative to their total. */
static double class_entropy(const shares *s, int first, int last, double share, double alpha)
{
    double sum = 0;
    for (int i = first; i <= last; i++) {
        if (s->of[i] == 0)
            continue;
        const double p = s->of[i] / share;
        sum += alpha == 1 ? -p * log(p) : pow(p, alpha);
    }
    return sum;
}

/* The bin with the largest sum of the Renyi entropies of order alpha of both classes; `none` if no sum is positive. */
static int most_entropy(const shares *s, double alpha, int none)
{
    double best = 0;
    int bin = none;
    for (int i = s->first; i <= s->last; i++) {
        const double below = class_entropy(s, 0, i, s->below[i], alpha),
                     above = class_entropy(s, i + 1, LAST, s->above[i], alpha);
        double entropy = below + above;
        if (alpha != 1)
            entropy = below * above > 0 ? log(below * above) / (1 - alpha) : 0;
        if (entropy > best) {
            best = entropy;
            bin = i;
        }
    }
    return bin;
}

/* Kapur, Sahoo and Wong 1985. */
static int max_entropy(const double counts[BINS])
{
    const shares s = shares_of(counts);
    return most_entropy(&s, 1, -1);
}

/* Sahoo, Wilkins and Yeager 1997: weighted mean of the bins for the orders 1/2, 1 and 2. */
static int renyi_entropy(const double counts[BINS])
{
    const shares s = shares_of(counts);
    const int half = most_entropy(&s, 0.5, 0), one = most_entropy(&s, 1, 0), two = most_entropy(&s, 2, 0);
    const int t1 = (int)fmin(half, fmin(one, two)), t3 = (int)fmax(half, fmax(one, two));
    const int t2 = half + one + two - t1 - t3;
    const bool lower_close = t2 - t1 <= 5, upper_close = t3 - t2 <= 5;
    double b1 = 1, b2 = 2, b3 = 1;
    if (lower_close && !upper_close) {
        b1 = 0;
        b2 = 1;
        b3 = 3;
    } else if (!lower_close && upper_close) {
        b1 = 3;
        b2 = 1;
        b3 = 0;
    }
    const double quarter = (s.below[t3] - s.below[t1]) / 4;
    return (int)(t1 * (s.below[t1] + quarter * b1) + t2 * quarter * b2 + t3 * (s.above[t3] + quarter * b3));
}

/* Shanbhag 1994: the information measures of the classes are closest. */
static int shanbhag(const double counts[BINS])
{
    const shares s = shares_of(counts);
    double min = DBL_MAX;
    int bin = -1;
    for (int t = s.first; t <= s.last; t++) {
        double below = 0, above = 0;
        for (int i = 1; i <= t; i++)
            below -= s.of[i] * log(1 - s.below[i - 1] / (2 * s.below[t]));
        for (int i = t + 1; i < BINS; i++)
            above -= s.of[i] * log(1 - s.above[i] / (2 * s.above[t]));
        const double difference = fabs(below / (2 * s.below[t]) - above / (2 * s.above[t]));
        if (difference < min) {
            min = difference;
            bin = t;
        }
    }
    return bin;
}

static double log_or_zero(double value)
{
    return value > 0 ? log(value) : 0;
}

/* Yen, Chang and Chang 1995: largest correlation. */
static int yen(const double counts[BINS])
{
    const shares s = shares_of(counts);
    double total = 0, below = 0, best = -DBL_MAX;
    int bin = -1;
    for (int i = 0; i < BINS; i++)
        total += s.of[i] * s.of[i];
    for (int i = 0; i < BINS; i++) {
        below += s.of[i] * s.of[i];
        const double criterion = 2 * log_or_zero(s.below[i] * (1 - s.below[i])) - log_or_zero(below * (total - below));
        if (criterion > best) {
            best = criterion;
            bin = i;
        }
    }
    return bin;
}

static bool same_name(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

int reference_threshold_bin(const char *method, const double counts[BINS])
{
    static const struct {
        const char *name;
        int (*bin)(const double counts[BINS]);
    } methods[] = {
        {"Huang", huang},           {"Intermodes", intermodes}, {"IsoData", isodata}, {"IJ_IsoData", imagej_isodata},
        {"Li", li},                 {"MaxEntropy", max_entropy}, {"Mean", mean},      {"MinError", min_error},
        {"Minimum", minimum},       {"Moments", moments},       {"Otsu", otsu},       {"Percentile", percentile},
        {"RenyiEntropy", renyi_entropy}, {"Shanbhag", shanbhag}, {"Triangle", triangle}, {"Yen", yen}};
    int (*chosen)(const double[BINS]) = imagej_default;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (same_name(methods[i].name, method))
            chosen = methods[i].bin;
    int filled = 0, last = 0;
    for (int i = 0; i < BINS; i++)
        if (counts[i] > 0) {
            filled++;
            last = i;
        }
    const int bin = filled == 1 ? last : chosen(counts);
    return bin < 0 ? 0 : bin;
}

double reference_threshold_value(const reference_image *image, const char *method)
{
    const bool bytes = image->type == DRUA_UINT8;
    double range[2];
    reference_finite_range(image, range);
    const double low = bytes ? 0 : range[0], high = bytes ? UINT8_MAX : range[1];
    if (!(high >= low))
        return NAN;
    reference_image histogram = reference_make(DRUA_FLOAT32, reference_stack(BINS, 1, 1));
    reference_histogram(image, low, high, &histogram);
    const float bin = (float)reference_threshold_bin(method, histogram.pixels);
    reference_free(&histogram);
    const double first = (float)low;
    if ((float)high == first)
        return (float)(first + fmax(1, ldexp(fabs(first), -22)));
    return (float)(first + (bin + 1) * ((float)high - first) / LAST);
}

void reference_automatic_threshold(const reference_image *source, const char *method, reference_image *output)
{
    const double value = reference_threshold_value(source, method);
    reference_pointwise("threshold", &source, &value, output);
}

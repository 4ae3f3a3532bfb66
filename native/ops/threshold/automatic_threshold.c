/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses thresholds from the histogram. The code runs on devices with double precision, and on the host for other
 * devices.
 */
#include "histogram.h"

#include "../../../kernels/threshold/select.cl"

#include <string.h>

/* In the order of the methods' numbers in kernels/threshold/methods.cl. */
#define METHOD_CHOICES                                                                                                 \
    DRUA_CHOICES("Default", "Huang", "Intermodes", "IsoData", "IJ_IsoData", "Li", "MaxEntropy", "Mean", "MinError",    \
                 "Minimum", "Moments", "Otsu", "Percentile", "RenyiEntropy", "Shanbhag", "Triangle", "Yen")
static const char *const kernels[] = {
    "threshold_by_default",    "threshold_by_huang",   "threshold_by_intermodes",  "threshold_by_isodata",
    "threshold_by_ij_isodata", "threshold_by_li",      "threshold_by_max_entropy", "threshold_by_mean",
    "threshold_by_min_error",  "threshold_by_minimum", "threshold_by_moments",     "threshold_by_otsu",
    "threshold_by_percentile", "threshold_by_renyi",   "threshold_by_shanbhag",    "threshold_by_triangle",
    "threshold_by_yen",
};

static int bin_of_min(const bin_sums *h, int method, int turn)
{
    double min = INFINITY;
    int best = -1;
    for (int k = 0; k < BINS; k++) {
        const double score = score_of(h, method, turn, k);
        if (score < min || (score == min && best >= 0 && method == OTSU)) {
            min = score;
            best = k;
        }
    }
    return best;
}

/* Smooths with means of three bins until two maxima remain. Returns false if that does not happen. */
static bool smooth_histogram(double *h, int count)
{
    double means[BINS];
    for (int pass = 0; pass <= MAX_PASSES; pass++) {
        int modes = 0;
        for (int i = 0; i < count; i++) {
            modes += is_mode(h, count, i);
            means[i] = mean_of_three(h, count, i);
        }
        if (modes == 2)
            return true;
        memcpy(h, means, (size_t)count * sizeof *h);
    }
    return false;
}

static int choose_bin(int method, bin_sums *h)
{
    int best[ORDERS] = {-1, -1, -1};
    double sums[3] = {0};
    h->low = h->filled = h->last_filled = 0;
    h->high = -1;
    for (int k = 0; k < BINS; k++)
        if (h->counts[k] > 0) {
            h->filled++;
            h->last_filled = k;
        }
    if (method == DEFAULT || method == IJ_ISODATA)
        leave_out_extremes(h, method);
    for (int k = 0; k < BINS; k++) {
        h->number[k] = sums[0] += h->counts[k];
        h->first[k] = sums[1] += k * h->counts[k];
        h->second[k] = sums[2] += (double)k * k * h->counts[k];
    }
    for (int k = 0; k < BINS; k++)
        complete_bin(h, k);
    if (uses_shares(method))
        add_shares(h);
    for (int turn = 0; turn < turns_of(method); turn++)
        best[turn] = bin_of_min(h, method, turn);
    const int first = method == INTERMODES ? h->low : 0;
    const bool has_two_modes = needs_two_modes(method) &&
                               smooth_histogram(h->counts + first, method == INTERMODES ? h->high - first + 1 : BINS);
    return conclude(h, method, best, has_two_modes);
}

static float threshold_of(const double *counts, int method, double low, double high)
{
    bin_sums h;
    memcpy(h.counts, counts, sizeof h.counts);
    return threshold_at(choose_bin(method, &h), (float)low, (float)high);
}

static float threshold_on_host(drua_plan *p, drua_view bins, drua_view range_found, int method, bool measured)
{
    uint32_t counts[BINS] = {0};
    double numbers[BINS];
    plan_read(p, bins, counts, sizeof counts);
    float range[] = {0, 255};
    if (measured)
        plan_read(p, range_found, range, sizeof range);
    for (int i = 0; i < BINS; i++)
        numbers[i] = counts[i];
    return threshold_of(numbers, method, range[0], range[1]);
}

static float threshold_of_totals(drua_plan *p, drua_view source, int method, bool measured)
{
    double range[] = {0, 255};
    const double *totals = histogram_totals(p, source, BINS, measured, range);
    return plan_failed(p) ? 0 : threshold_of(totals, method, range[0], range[1]);
}

/* Returns the threshold as one float in device memory. */
static drua_view find_threshold(drua_plan *p)
{
    drua_view source = plan_image(p, "source"), range,
              threshold = plan_scratch(p, (drua_shape){1, 1, 1, 3}, DRUA_FLOAT32);
    int method = plan_choice(p, "method");
    bool measured = source.layout.type != DRUA_UINT8;
    if (histogram_has_totals(p, source)) {
        float value = threshold_of_totals(p, source, method, measured);
        plan_write(p, threshold, &value);
        return threshold;
    }
    const drua_view bins = histogram_send(p, source, BINS, 0, 255, measured ? &range : NULL, NULL);
    if (strstr(plan_device(p)->extensions, "cl_khr_fp64")) {
        LAUNCH(p, kernels[method], GRID(BINS, 1, 1, BINS, 1, 1), POINTER(bins), POINTER(measured ? range : bins),
               POINTER(threshold), INT(measured), REAL(0), REAL(255));
    } else {
        float value = threshold_on_host(p, bins, range, method, measured);
        plan_write(p, threshold, &value);
    }
    return threshold;
}

static void launch_mask(drua_plan *p)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout *a = &from.layout, *b = &to.layout;
    int lanes = plan_lanes(p);
    bool wide =
        drua_layout_is_in_vectors(a, lanes) && drua_layout_is_in_vectors(b, lanes) && drua_layout_is_same_size(a, b);
    LAUNCH(p, "binarise", wide ? plan_grid_of_vectors(p, *b, 4) : GRID(b->width, b->height, b->depth, 32, 4, 1),
           ARG(from), ARG(to), POINTER(find_threshold(p)), INT(wide));
}

static void mask_of_large(drua_plan *p)
{
    const drua_operand measured[] = {plan_operand(p, "source"), TEXT(plan_text(p, "method"))};
    const double threshold = plan_call_number(p, "get_automatic_threshold", measured, 2);
    plan_return(p, "destination", CALL(p, "threshold", plan_type(p, "destination"), measured[0], NUMBER(threshold)));
}

static double value_of_histogram(const double *counts, int method, double low, double high)
{
    return threshold_of(counts, method, low, high);
}

static void launch_value(drua_plan *p)
{
    float value = 0;
    plan_read(p, find_threshold(p), &value, sizeof value);
    plan_set_number(p, "threshold", value);
}

#define METHOD_PARAM                                                                                                   \
    DRUA_CHOICE("method", "how the threshold is chosen", .default_text = "Otsu", METHOD_CHOICES, .otherwise = "Default")
#define BY(method) "CLIJ2/CLIJx threshold" method ": source, &destination, method=" method

DRUA_OP(automatic_threshold) = {
    .name = "automatic_threshold",
    .category = "threshold",
    .menu = true,
    .summary =
        "Marks pixels at or above a grey value that a method chooses from the histogram of 256 bins, which leaves "
        "out NaN and infinite pixels. If all other pixels have one grey value, none of them is marked.",
    .source = "the methods of ImageJ's AutoThresholder, each from its own publication; see kernels/threshold",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to binarise"),
                DRUA_IMAGE_OUT("destination", "mask: 1 at or above the threshold, else 0"), METHOD_PARAM),
    DRUA_ALIASES("CLIJ2/CLIJx automaticThreshold: source, &destination, method",
                 "CLIJ automaticThreshold: source, destination, method", BY("Default"), BY("Huang"), BY("Intermodes"),
                 BY("IsoData"), BY("IJ_IsoData"), BY("Li"), BY("MaxEntropy"), BY("Mean"), BY("MinError"), BY("Minimum"),
                 BY("Moments"), BY("Otsu"), BY("Percentile"), BY("RenyiEntropy"), BY("Shanbhag"), BY("Triangle"),
                 BY("Yen")),
    .numeric = DRUA_EXACT,
    .launch = launch_mask,
    .build_large = mask_of_large,
};

DRUA_OP(get_automatic_threshold) = {
    .name = "get_automatic_threshold",
    .category = "threshold",
    .summary = "Finds the grey value that automatic_threshold uses. If all pixels have one grey value, the result is "
               "above it.",
    .source = "the methods of ImageJ's AutoThresholder, each from its own publication",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to measure"), METHOD_PARAM,
                DRUA_NUMBER_OUT("threshold", "smallest grey value that is marked")),
    DRUA_ALIASES("CLIJ2/CLIJx getAutomaticThreshold: source, method, &threshold"),
    .numeric = DRUA_EXACT,
    .launch = launch_value,
    .number_from_histogram = value_of_histogram,
};

static void build_in_place(drua_plan *p)
{
    plan_return(
        p, "image",
        CALL(p, "automatic_threshold", plan_type(p, "image"), plan_operand(p, "image"), TEXT(plan_text(p, "method"))));
}

DRUA_OP(automatic_threshold_in_place) = {
    .name = "automatic_threshold_in_place",
    .category = "threshold",
    .summary = "Turns an image into a mask of the pixels at or above a grey value that a method chooses.",
    .source = "as automaticThreshold",
    DRUA_PARAMS(DRUA_IMAGE_INOUT("image", "image that becomes a mask"), METHOD_PARAM),
    DRUA_ALIASES("CLIJx automaticThresholdInplace: image, method"),
    .numeric = DRUA_EXACT,
    .build = build_in_place,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reference versions of label maps that are computed in several steps, symmetric matrices, derivatives and lines of
 * pixels.
 */
#include "rows.h"

/* ---- label maps by several steps */

/*
 * Removes pixels with a side neighbour of another label, takes minima over side neighbours and over all neighbours
 * alternately, and grows the labels again.
 */
static reference_image opened(call *c)
{
    reference_image now = row_like(IN(0), DRUA_UINT32), grown = row_like(IN(0), DRUA_UINT32);
    if (N(0) > 0)
        reference_cut_label_edges(IN(0), false, &now);
    else
        reference_copy(IN(0), &now);
    for (int64_t i = 1; i < N(0); i++) {
        reference_image before = reference_duplicate(&now);
        reference_window(&before, REFERENCE_WINDOW_MINIMUM, i % 2 == 1, (const int64_t[]){1, 1, 1}, &now);
        reference_free(&before);
    }
    reference_dilate_labels(&now, N(0), &grown);
    reference_free(&now);
    return grown;
}

static void opening(call *c)
{
    reference_image labels = opened(c);
    reference_close_index_gaps(&labels, OUT(0));
    reference_free(&labels);
}

static void closing(call *c)
{
    reference_image grown = row_like(IN(0), DRUA_UINT32), kept = row_like(IN(0), DRUA_UINT8);
    reference_dilate_labels(IN(0), N(0), &grown);
    for (size_t i = 0; i < reference_count(&kept); i++)
        kept.pixels[i] = grown.pixels[i] != 0;
    for (int64_t i = 0; i < N(0); i++) {
        reference_image before = reference_duplicate(&kept);
        reference_window(&before, REFERENCE_WINDOW_MINIMUM, i % 2 == 0, (const int64_t[]){1, 1, !IS_FLAT}, &kept);
        reference_free(&before);
    }
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z, reference_at(&kept, x, y, z) * reference_at(&grown, x, y, z));
    reference_free(&grown);
    reference_free(&kept);
}

static void smooth(call *c)
{
    if (N(0) < 1) {
        reference_copy(IN(0), OUT(0));
        return;
    }
    reference_image labels = opened(c), full = row_like(IN(0), DRUA_UINT32);
    reference_extend_labels(&labels, &full);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z, reference_at(IN(0), x, y, z) != 0 ? reference_at(&full, x, y, z) : 0);
    reference_free(&labels);
    reference_free(&full);
}

static void combine_maps(call *c)
{
    reference_image both = row_like(IN(0), DRUA_UINT32);
    const double max = reference_reduce(IN(0), REFERENCE_MAXIMUM);
    REFERENCE_EACH_PIXEL(both.shape, x, y, z) {
        const double below = reference_at(IN(0), x, y, z), above = reference_at(IN(1), x, y, z);
        reference_put(&both, x, y, z, above != 0 ? above + max : below);
    }
    reference_close_index_gaps(&both, OUT(0));
    reference_free(&both);
}

static void subtract_maps(call *c)
{
    reference_image rest = row_like(IN(0), DRUA_UINT32);
    const size_t count = (size_t)fmax(reference_reduce(IN(0), REFERENCE_MAXIMUM), 0) + 1;
    bool *touched = reference_allocate(count, sizeof *touched);
    REFERENCE_EACH_PIXEL(IN(0)->shape, x, y, z)
        if (reference_at(IN(1), x, y, z) != 0)
            touched[(size_t)reference_at(IN(0), x, y, z)] = true;
    REFERENCE_EACH_PIXEL(IN(0)->shape, x, y, z)
        reference_put(&rest, x, y, z, touched[(size_t)reference_at(IN(0), x, y, z)] ? 0 : reference_at(IN(0), x, y, z));
    reference_close_index_gaps(&rest, OUT(0));
    reference_free(&rest);
    free(touched);
}

/* A pixel of the first value takes the second value if a side neighbour has it; this repeats until nothing changes. */
static void flood_fill(call *c)
{
    const double empty = (float)S(0), fill = (float)S(1);
    const int64_t deep = IN(0)->shape.depth > 1;
    reference_image now = reference_duplicate(IN(0));
    for (bool changed = true; changed;) {
        changed = false;
        REFERENCE_EACH_PIXEL(now.shape, x, y, z) {
            const bool beside =
                reference_at(&now, x - 1, y, z) == fill || reference_at(&now, x + 1, y, z) == fill ||
                reference_at(&now, x, y - 1, z) == fill || reference_at(&now, x, y + 1, z) == fill ||
                (deep && (reference_at(&now, x, y, z - 1) == fill || reference_at(&now, x, y, z + 1) == fill));
            if (empty != fill && beside && reference_at(&now, x, y, z) == empty) {
                reference_put(&now, x, y, z, fill);
                changed = true;
            }
        }
    }
    reference_copy(&now, OUT(0));
    reference_free(&now);
}

/* ---- matrices, derivatives, lines, patterns, numbers */

static void symmetric(call *c, int which)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double a = reference_at(IN(0), x, y, z), b = reference_at(IN(0), y, x, z);
        const double results[] = {fmax(a, b), fmin(a, b), (float)a + (float)b, (a + b) / 2};
        reference_put(OUT(0), x, y, z, results[which]);
    }
}

static double second(const reference_image *image, const int64_t at[3], int a, int b)
{
    double sum = 0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
            int64_t p[3] = {at[0], at[1], at[2]};
            p[a] += i;
            if (a != b)
                p[b] += j;
            else if (j != 0)
                continue;
            sum += reference_at(image, p[0], p[1], p[2]) * (a == b ? (i == 0 ? -2 : 1) : i * j / 4.0);
        }
    return sum;
}

/* Eigenvalues in ascending order, as trigonometric roots of the characteristic polynomial (Smith 1961). */
static void eigenvalues(const reference_image *image, const int64_t at[3], int axes, double values[3])
{
    const double xx = second(image, at, 0, 0), yy = second(image, at, 1, 1), xy = second(image, at, 0, 1);
    if (axes == 2) {
        const double apart = sqrt(xy * xy + (xx - yy) * (xx - yy) / 4);
        values[0] = (xx + yy) / 2 - apart;
        values[1] = values[2] = (xx + yy) / 2 + apart;
        return;
    }
    const double zz = second(image, at, 2, 2), xz = second(image, at, 0, 2), yz = second(image, at, 1, 2),
                 mean = (xx + yy + zz) / 3;
    const double a = xx - mean, b = yy - mean, d = zz - mean,
                 size = sqrt((a * a + b * b + d * d + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
    const double half = size == 0 ? 0
                                  : (a * (b * d - yz * yz) - xy * (xy * d - yz * xz) + xz * (xy * yz - b * xz)) /
                                        (2 * size * size * size);
    const double angle = acos(fmax(-1, fmin(1, half))) / 3, third = 2 * acos(-1) / 3;
    values[2] = mean + 2 * size * cos(angle);
    values[0] = mean + 2 * size * cos(angle + third);
    values[1] = 3 * mean - values[0] - values[2];
}

static void hessian(call *c, int axes, const int *which)
{
    for (int out = 0; out < c->output_count; out++)
        REFERENCE_EACH_PIXEL(OUT(out)->shape, x, y, z) {
            double values[3];
            eigenvalues(IN(0), (const int64_t[]){x, y, z}, axes ? axes : IS_FLAT ? 2 : 3, values);
            reference_put(OUT(out), x, y, z, reference_store_snapped(OUT(out)->type, values[which[out]]));
        }
}

/*
 * Computes the outline: in a plane along lines, in stacks along planes through an axis or through an axis and a
 * diagonal of the others.
 */
static void outline(call *c, bool all)
{
    static const int64_t lines[4][2][3] = {{{1, 0, 0}}, {{0, 1, 0}}, {{1, 1, 0}}, {{1, -1, 0}}};
    static const int64_t planes[9][2][3] = {{{1, 0, 0}, {0, 1, 0}},  {{1, 0, 0}, {0, 0, 1}},  {{0, 1, 0}, {0, 0, 1}},
                                            {{1, 0, 0}, {0, 1, 1}},  {{1, 0, 0}, {0, -1, 1}}, {{0, 1, 0}, {1, 0, 1}},
                                            {{0, 1, 0}, {-1, 0, 1}}, {{0, 0, 1}, {1, 1, 0}},  {{0, 0, 1}, {-1, 1, 0}}};
    const bool deep = IN(0)->shape.depth > 1;
    const drua_shape s = IN(0)->shape;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        bool any_full = false, any_empty = false;
        for (int k = 0; k < (deep ? 9 : 4); k++) {
            const int64_t (*v)[3] = deep ? planes[k] : lines[k];
            bool full = true, empty = true;
            for (int64_t i = -1; i <= 1; i++)
                for (int64_t j = -1; j <= 1; j++) {
                    const int64_t px = x + i * v[0][0] + j * v[1][0], py = y + i * v[0][1] + j * v[1][1],
                                  pz = z + i * v[0][2] + j * v[1][2];
                    const bool inside = px >= 0 && py >= 0 && pz >= 0 && px < s.width && py < s.height && pz < s.depth;
                    const bool set = inside && reference_at(IN(0), px, py, pz) != 0;
                    full = full && set;
                    empty = empty && !set;
                }
            any_full = any_full || full;
            any_empty = any_empty || empty;
        }
        reference_put(OUT(0), x, y, z, all ? any_full : !any_empty);
    }
}

static void likeness(call *c)
{
    const drua_shape s = IN(1)->shape;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double both = 0, image = 0, wanted = 0;
        REFERENCE_EACH_PIXEL(s, i, j, k) {
            const double a = reference_at(IN(0), x + i - s.width / 2, y + j - s.height / 2, z + k - s.depth / 2),
                         b = reference_at(IN(1), i, j, k);
            both += a * b;
            image += a * a;
            wanted += b * b;
        }
        reference_put(OUT(0), x, y, z,
                      reference_store_snapped(OUT(0)->type, image * wanted == 0 ? 0 : both / sqrt(image * wanted)));
    }
}

static void range_ratio(call *c)
{
    const int64_t count = (int64_t)reference_reduce(IN(0), REFERENCE_MAXIMUM);
    reference_image touch = reference_make(DRUA_FLOAT32, reference_plane(count + 1, count + 1)),
                    centers = reference_centroids(IN(0), false);
    reference_generate_touch_matrix(IN(0), &touch);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const int64_t label = (int64_t)reference_at(IN(0), x, y, z);
        double near = INFINITY, far = 0;
        for (int64_t other = 1; label > 0 && other <= count; other++)
            if (reference_at(&touch, label, other, 0) != 0 || reference_at(&touch, other, label, 0) != 0) {
                near = fmin(near, reference_distance(&centers, label - 1, &centers, other - 1));
                far = fmax(far, reference_distance(&centers, label - 1, &centers, other - 1));
            }
        reference_put(OUT(0), x, y, z, near == INFINITY || near == 0 ? 0 : far / near);
    }
    reference_free(&touch);
    reference_free(&centers);
}

static double mean_above(const reference_image *image, double threshold)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < reference_count(image); i++)
        if (image->pixels[i] > threshold)
            sum += image->pixels[i], count++;
    return sum / count;
}

static void fusion(call *c, bool interleaved)
{
    const int64_t count = interleaved ? N(0) : c->input_count;
    const int sigma = interleaved ? 1 : 0;
    reference_image sums = row_like(OUT(0), DRUA_FLOAT32), weights = row_like(OUT(0), DRUA_FLOAT32);
    for (int64_t i = 0; i < count; i++) {
        reference_image stack = row_like(OUT(0), interleaved ? IN(0)->type : IN(i)->type),
                        energy = row_like(OUT(0), DRUA_FLOAT32), weight = row_like(OUT(0), DRUA_FLOAT32);
        REFERENCE_EACH_PIXEL(stack.shape, x, y, z)
            reference_put(&stack, x, y, z,
                          interleaved ? reference_at(IN(0), x, y, z * count + i) : reference_at(IN(i), x, y, z));
        reference_gradient_energy(&stack, IS_FLAT, false, &energy);
        for (size_t k = 0; interleaved && k < reference_count(&energy); k++)
            energy.pixels[k] = pow(energy.pixels[k], S(4));
        reference_gaussian_blur(&energy, S(sigma), S(sigma + 1), S(sigma + 2), &weight);
        for (size_t k = 0; k < reference_count(&weight); k++) {
            sums.pixels[k] += weight.pixels[k] * stack.pixels[k];
            weights.pixels[k] += weight.pixels[k];
        }
        reference_free(&stack);
        reference_free(&energy);
        reference_free(&weight);
    }
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put_snapped(OUT(0), x, y, z,
                              reference_at(&sums, x, y, z) / (reference_at(&weights, x, y, z) + 1e-30));
    reference_free(&sums);
    reference_free(&weights);
}

/* The most frequent value; the smallest if several are equally frequent. */
static void mode(call *c, bool ball)
{
    const int64_t r[3] = {N(0), N(1), IS_FLAT ? 0 : N(2)};
    double *values = reference_allocate((size_t)((2 * r[0] + 1) * (2 * r[1] + 1) * (2 * r[2] + 1)), sizeof *values);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        size_t count = 0;
        for (int64_t dz = -r[2]; dz <= r[2]; dz++)
            for (int64_t dy = -r[1]; dy <= r[1]; dy++)
                for (int64_t dx = -r[0]; dx <= r[0]; dx++) {
                    const int64_t a = r[0] ? r[0] : 1, b = r[1] ? r[1] : 1, d = r[2] ? r[2] : 1;
                    if (!ball || dx * dx * b * b * d * d + dy * dy * a * a * d * d + dz * dz * a * a * b * b <=
                                     a * a * b * b * d * d)
                        values[count++] = reference_at(IN(0), x + dx, y + dy, z + dz);
                }
        double best = 0;
        size_t max = 0;
        for (size_t i = 0; i < count; i++) {
            size_t same = 0;
            for (size_t j = 0; j < count; j++)
                same += values[j] == values[i];
            if (same > max || (same == max && values[i] < best))
                max = same, best = values[i];
        }
        reference_put(OUT(0), x, y, z, best);
    }
    free(values);
}


/* A slice perpendicular to y, or to x. */
static void slice_across(call *c, bool y_axis)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        if (!IS_FLAT)
            reference_put(OUT(0), x, y, z, y_axis ? reference_at(IN(0), x, N(0), y) : reference_at(IN(0), N(0), x, y));
        else if (OUT(0)->shape.dimension == 2)
            reference_put(OUT(0), x, y, z, reference_at(IN(0), x, y_axis ? N(0) : y, 0));
        else
            reference_put(OUT(0), x, y, z, (y_axis ? y : x) == N(0) ? reference_at(IN(0), y_axis ? x : y, z, 0) : 0);
    }
}

static void correction(call *c, bool bright)
{
    const double limit = bright ? reference_threshold_value(IN(0), "Otsu") : -INFINITY;
    double sum = 0, count = 0;
    for (size_t i = 0; i < reference_count(IN(0)); i++)
        if (IN(0)->pixels[i] >= limit)
            sum += IN(0)->pixels[i], count++;
    const double factor = isfinite(S(0) / (sum / count)) ? S(0) / (sum / count) : 1;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put_snapped(OUT(0), x, y, z, reference_at(IN(0), x, y, z) * factor);
}

static void laplacian_map(call *c)
{
    const size_t count = (size_t)fmax(reference_reduce(IN(1), REFERENCE_MAXIMUM), 0) + 1;
    double *sums = reference_allocate(2 * count, sizeof *sums), *counts = sums + count;
    reference_image contrast = row_like(IN(0), IN(0)->type);
    reference_laplace(IN(0), REFERENCE_BOX, &contrast);
    REFERENCE_EACH_PIXEL(IN(1)->shape, x, y, z) {
        const size_t label = (size_t)reference_at(IN(1), x, y, z);
        sums[label] += reference_at(&contrast, x, y, z);
        counts[label]++;
    }
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const size_t label = (size_t)reference_at(IN(1), x, y, z);
        reference_put(OUT(0), x, y, z, label ? sums[label] / counts[label] : 0);
    }
    reference_free(&contrast);
    free(sums);
}

/*
 * Whether the ray from a centre through a label's point meets another label beyond the point. Steps add up in float32.
 */
static bool covered(const reference_image *points, const reference_image *labels, int64_t label, float cx, float cy,
                    float cz)
{
    const bool deep = labels->shape.depth > 1 && points->shape.height > 2;
    if (label > points->shape.width)
        return false;
    float at[3] = {(float)reference_at(points, label - 1, 0, 0), (float)reference_at(points, label - 1, 1, 0),
                   deep ? (float)reference_at(points, label - 1, 2, 0) : 0};
    const float way[3] = {at[0] - cx, at[1] - cy, deep ? at[2] - cz : 0},
                length = sqrtf(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    bool self = false;
    while (length > 0 && at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] < (float)labels->shape.width &&
           at[1] < (float)labels->shape.height && at[2] < (float)labels->shape.depth) {
        const int64_t here = (int64_t)reference_at(labels, (int64_t)at[0], (int64_t)at[1], (int64_t)at[2]);
        if (self && here != label && here > 0)
            return true;
        self = self || here == label;
        for (int axis = 0; axis < 3; axis++)
            at[axis] += way[axis] / length;
    }
    return false;
}

static void surface(call *c, const reference_image *points, const reference_image *labels, const double center[3],
                    bool hidden)
{
    const size_t count = (size_t)fmax(reference_reduce(labels, REFERENCE_MAXIMUM), 0) + 1;
    double *numbers = reference_allocate(count, sizeof *numbers), next = 1;
    for (size_t label = 1; label < count; label++)
        if (covered(points, labels, (int64_t)label, (float)center[0], (float)center[1], (float)center[2]) != hidden)
            numbers[label] = next++;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z, numbers[(size_t)reference_at(labels, x, y, z)]);
    free(numbers);
}

static void label_surface(call *c)
{
    const drua_shape s = IN(0)->shape;
    reference_image points = reference_centroids(IN(0), false);
    surface(c, &points, IN(0),
            (const double[]){(double)s.width * S(0), (double)s.height * S(1), (double)s.depth * S(2)}, true);
    reference_free(&points);
}

static void differences(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z,
                      x > 0 && y > 0
                          ? (float)reference_at(IN(0), x - 1, N(0), 0) - (float)reference_at(IN(1), y - 1, N(0), 0)
                          : 0);
}

static void exclude_on_axes(call *c)
{
    const drua_shape s = IN(0)->shape;
    const size_t count = (size_t)fmax(reference_reduce(IN(0), REFERENCE_MAXIMUM), 0) + 1;
    double *numbers = reference_allocate(count, sizeof *numbers), next = 1;
    REFERENCE_EACH_PIXEL(s, x, y, z)
        if ((S(0) != 0 && (x == 0 || x == s.width - 1)) || (S(1) != 0 && (y == 0 || y == s.height - 1)) ||
            (S(2) != 0 && s.depth > 1 && (z == 0 || z == s.depth - 1)))
            numbers[(size_t)reference_at(IN(0), x, y, z)] = -1;
    for (size_t label = 1; label < count; label++)
        numbers[label] = numbers[label] < 0 ? 0 : next++;
    numbers[0] = 0;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z, numbers[(size_t)reference_at(IN(0), x, y, z)]);
    free(numbers);
}

/* Moves the image so that its centre of mass lies at given shares of the extents. */
static void drift(call *c, double threshold)
{
    const drua_shape s = IN(0)->shape;
    double sum = 0, at[3] = {0};
    REFERENCE_EACH_PIXEL(s, x, y, z) {
        const double value = reference_at(IN(0), x, y, z), weight = isnan(threshold) ? value : value >= threshold;
        sum += weight;
        at[0] += weight * (double)x, at[1] += weight * (double)y, at[2] += weight * (double)z;
    }
    reference_translate(IN(0), at[0] / sum - (double)s.width * S(0), at[1] / sum - (double)s.height * S(1),
                        s.depth > 1 ? at[2] / sum - (double)s.depth * S(2) : 0, OUT(0));
}

static void run_symmetric_maximum_matrix(call *c) { symmetric(c, 0); }
static void run_symmetric_minimum_matrix(call *c) { symmetric(c, 1); }
static void run_symmetric_sum_matrix(call *c) { symmetric(c, 2); }
static void run_symmetric_mean_matrix(call *c) { symmetric(c, 3); }
static void run_hessian_eigenvalues_2d(call *c) { hessian(c, 2, (const int[]){0, 1}); }
static void run_hessian_eigenvalues_3d(call *c) { hessian(c, 3, (const int[]){0, 1, 2}); }
static void run_small_hessian_eigenvalue(call *c) { hessian(c, 0, (const int[]){0}); }
static void run_large_hessian_eigenvalue(call *c) { hessian(c, 0, (const int[]){2}); }
static void run_binary_sup_inf(call *c) { outline(c, true); }
static void run_binary_inf_sup(call *c) { outline(c, false); }
static void run_mean_of_pixels_above_threshold(call *c) { RESULT(mean_above(IN(0), (float)S(0))); }
static void run_drift_correction_by_center_of_mass(call *c) { drift(c, NAN); }
static void run_exclude_labels_on_surface(call *c)
{
    surface(c, IN(0), IN(1), (const double[]){S(0), S(1), S(2)}, false);
}
static void run_exclude_labels_sub_surface(call *c)
{
    surface(c, IN(0), IN(1), (const double[]){S(0), S(1), S(2)}, true);
}
static void run_tenengrad_fusion_of_2(call *c) { fusion(c, false); }
static void run_tenengrad_fusion_of_3(call *c) { fusion(c, false); }
static void run_tenengrad_fusion_of_4(call *c) { fusion(c, false); }
static void run_tenengrad_fusion_of_5(call *c) { fusion(c, false); }
static void run_tenengrad_fusion_of_6(call *c) { fusion(c, false); }
static void run_tenengrad_fusion_of_7(call *c) { fusion(c, false); }
static void run_tenengrad_fusion_of_8(call *c) { fusion(c, false); }
static void run_tenengrad_fusion_of_9(call *c) { fusion(c, false); }
static void run_tenengrad_fusion_of_10(call *c) { fusion(c, false); }
static void run_tenengrad_fusion_of_11(call *c) { fusion(c, false); }
static void run_tenengrad_fusion_of_12(call *c) { fusion(c, false); }
static void run_mode_box(call *c) { mode(c, false); }
static void run_mode_sphere(call *c) { mode(c, true); }
static void run_copy_horizontal_slice(call *c) { slice_across(c, true); }
static void run_copy_vertical_slice(call *c) { slice_across(c, false); }
static void run_intensity_correction(call *c) { correction(c, false); }
static void run_intensity_correction_above_threshold_otsu(call *c) { correction(c, true); }
static void run_automatic_threshold_in_place(call *c)
{
    reference_automatic_threshold(IN(0), TEXT_OF("method"), OUT(0));
}

const call_row rows_steps[] = {
    ROW(opening_labels, "=l", opening),
    ROW(closing_labels, "=l", closing),
    ROW(smooth_labels, "=l", smooth),
    ROW(combine_labels, "=l", combine_maps),
    ROW(subtract_labels, "=l", subtract_maps),
    ROW(flood_fill_diamond, "=l", flood_fill),
    ROW(symmetric_maximum_matrix, "=m", run_symmetric_maximum_matrix),
    ROW(symmetric_minimum_matrix, "=m", run_symmetric_minimum_matrix),
    ROW(symmetric_sum_matrix, "=m", run_symmetric_sum_matrix),
    ROW(symmetric_mean_matrix, "=m", run_symmetric_mean_matrix),
    ROW(hessian_eigenvalues_2d, "g", run_hessian_eigenvalues_2d),
    ROW(hessian_eigenvalues_3d, "g", run_hessian_eigenvalues_3d),
    ROW(small_hessian_eigenvalue, "g", run_small_hessian_eigenvalue),
    ROW(large_hessian_eigenvalue, "g", run_large_hessian_eigenvalue),
    ROW(binary_sup_inf, "b", run_binary_sup_inf),
    ROW(binary_inf_sup, "b", run_binary_inf_sup),
    ROW(local_cross_correlation, "g", likeness),
    ROW(touching_neighbor_distance_range_ratio_map, "/=l", range_ratio),
    ROW(mean_of_pixels_above_threshold, "g", run_mean_of_pixels_above_threshold),
    ROW(drift_correction_by_center_of_mass, "=P", run_drift_correction_by_center_of_mass),
    ROW(exclude_labels_on_edges_of_axes, "=l", exclude_on_axes),
    ROW(exclude_labels_on_surface, "^ql", run_exclude_labels_on_surface),
    ROW(exclude_labels_sub_surface, "^ql", run_exclude_labels_sub_surface),
    ROW(label_surface, "^+l", label_surface),
    ROW(generate_distance_matrix_along_axis, "^q", differences),
    ROW(tenengrad_fusion_of_2, "=P", run_tenengrad_fusion_of_2),
    ROW(tenengrad_fusion_of_3, "=P", run_tenengrad_fusion_of_3),
    ROW(tenengrad_fusion_of_4, "=P", run_tenengrad_fusion_of_4),
    ROW(tenengrad_fusion_of_5, "=P", run_tenengrad_fusion_of_5),
    ROW(tenengrad_fusion_of_6, "=P", run_tenengrad_fusion_of_6),
    ROW(tenengrad_fusion_of_7, "=P", run_tenengrad_fusion_of_7),
    ROW(tenengrad_fusion_of_8, "=P", run_tenengrad_fusion_of_8),
    ROW(tenengrad_fusion_of_9, "=P", run_tenengrad_fusion_of_9),
    ROW(tenengrad_fusion_of_10, "=P", run_tenengrad_fusion_of_10),
    ROW(tenengrad_fusion_of_11, "=P", run_tenengrad_fusion_of_11),
    ROW(tenengrad_fusion_of_12, "=P", run_tenengrad_fusion_of_12),
    ROW(mode_box, "l", run_mode_box),
    ROW(mode_sphere, "l", run_mode_sphere),
    ROW(copy_horizontal_slice, "^g", run_copy_horizontal_slice),
    ROW(copy_vertical_slice, "^g", run_copy_vertical_slice),
    ROW(intensity_correction, "=P", run_intensity_correction),
    ROW(intensity_correction_above_threshold_otsu, "=P", run_intensity_correction_above_threshold_otsu),
    ROW(mean_of_laplacian_map, "=gl", laplacian_map),
    ROW(automatic_threshold_in_place, "g", run_automatic_threshold_in_place),
    {NULL, NULL, NULL, NULL},
};

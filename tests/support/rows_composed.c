/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference versions of operations that are composed of several others: local thresholds and filters of filters. */
#include "rows.h"

#include <complex.h>

/* ---- local thresholds */

typedef struct around {
    double low, high, mean, median, deviation;
} around;

static reference_image disk(call *c, reference_window_statistic statistic)
{
    const int64_t r = N(0);
    reference_image result = row_like(IN(0), DRUA_FLOAT32);
    reference_window(IN(0), statistic, true, (const int64_t[]){r, r, IS_FLAT ? 0 : r}, &result);
    return result;
}

typedef bool (*marks_rule)(const call *c, double value, around a);

static bool above_mean(const call *c, double v, around a) { return v > (float)(a.mean - (float)S(1)); }
static bool above_median(const call *c, double v, around a) { return v > (float)(a.median - (float)S(1)); }
static bool above_middle(const call *c, double v, around a) { return v > (float)((a.low + a.high) / 2 - (float)S(1)); }
static bool near_high(const call *c, double v, around a) { return (void)c, v != 0 && a.high - v <= v - a.low; }
static double given_or(double given, double usual) { return given == 0 ? usual : given; }
static bool niblack(const call *c, double v, around a)
{
    return v > a.mean + given_or(S(1), 0.2) * sqrt(fmax(a.deviation * a.deviation - S(2), 0));
}
static bool sauvola(const call *c, double v, around a)
{
    return v > a.mean * (1 + given_or(S(1), 0.5) * (a.deviation / given_or(S(2), 128) - 1));
}

static bool bernsen(const call *c, double v, around a)
{
    const double middle = (a.low + a.high) / 2;
    return a.high - a.low < S(1) ? middle >= 128 : v >= middle;
}

static bool phansalkar(const call *c, double v, around a)
{
    const double mean = a.mean / 255;
    return v / 255 >
           mean * (1 + 2 * exp(-10 * mean) + given_or(S(1), 0.25) * (a.deviation / 255 / given_or(S(2), 0.5) - 1));
}

static void local_threshold(call *c, marks_rule marks)
{
    static const reference_window_statistic statistics[] = {REFERENCE_WINDOW_MINIMUM, REFERENCE_WINDOW_MAXIMUM,
                                                            REFERENCE_WINDOW_MEAN, REFERENCE_WINDOW_MEDIAN,
                                                            REFERENCE_WINDOW_DEVIATION};
    reference_image of[5];
    for (int i = 0; i < 5; i++)
        of[i] = disk(c, statistics[i]);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        around a = {reference_at(&of[0], x, y, z), reference_at(&of[1], x, y, z), reference_at(&of[2], x, y, z),
                    reference_at(&of[3], x, y, z), reference_at(&of[4], x, y, z)};
        reference_put(OUT(0), x, y, z, marks(c, reference_at(IN(0), x, y, z), a));
    }
    for (int i = 0; i < 5; i++)
        reference_free(&of[i]);
}

/* ---- filters of filters */

static reference_image blurred(const reference_image *source, drua_type type, double x, double y, double z)
{
    reference_image blur = row_like(source, type);
    reference_gaussian_blur(source, x, y, z, &blur);
    return blur;
}

static void laplacian_of_gaussian(call *c)
{
    reference_image blur = blurred(IN(0), DRUA_FLOAT32, S(0), S(1), S(2));
    reference_laplace(&blur, REFERENCE_BOX, OUT(0));
    reference_free(&blur);
}

static void unsharp_mask(call *c)
{
    reference_image blur = blurred(IN(0), DRUA_FLOAT32, S(0), S(1), S(2));
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double value = reference_at(IN(0), x, y, z);
        reference_put_snapped(OUT(0), x, y, z, value + S(3) * (value - reference_at(&blur, x, y, z)));
    }
    reference_free(&blur);
}

static void difference_in_place(call *c)
{
    reference_image one = blurred(IN(0), IN(0)->type, S(0), S(1), S(2)),
                    two = blurred(IN(0), IN(0)->type, S(3), S(4), S(5));
    reference_pointwise("subtract_images", (const reference_image *[]){&one, &two}, NULL, OUT(0));
    reference_free(&one);
    reference_free(&two);
}

static void threshold_dog(call *c)
{
    reference_image one = blurred(IN(0), DRUA_FLOAT32, S(0), S(0), S(0)),
                    two = blurred(IN(0), DRUA_FLOAT32, S(1), S(1), S(1));
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double difference = reference_at(&one, x, y, z) - reference_at(&two, x, y, z);
        reference_put(OUT(0), x, y, z, (difference > S(2)) == (S(3) != 0));
    }
    reference_free(&one);
    reference_free(&two);
}

static void local_extrema(call *c)
{
    reference_image low = row_like(IN(0), IN(0)->type), high = row_like(IN(0), IN(0)->type);
    reference_box(IN(0), REFERENCE_MINIMUM, N(0), N(1), N(2), &low);
    reference_box(IN(0), REFERENCE_MAXIMUM, N(0), N(1), N(2), &high);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double a = reference_at(&low, x, y, z), b = reference_at(&high, x, y, z);
        reference_put(OUT(0), x, y, z, fabs(a) > fabs(b) ? a : b);
    }
    reference_free(&low);
    reference_free(&high);
}

static void octagon(reference_image *now, reference_window_statistic statistic, int64_t steps, bool deep)
{
    for (int64_t i = 0; i < steps; i++) {
        reference_image before = reference_duplicate(now);
        reference_window(&before, statistic, i % 2 == 1, (const int64_t[]){1, 1, deep}, now);
        reference_free(&before);
    }
}

static void top_hat_octagon(call *c, bool deep)
{
    reference_image open = row_float(IN(0)), source = row_float(IN(0));
    octagon(&open, REFERENCE_WINDOW_MINIMUM, N(0), deep);
    octagon(&open, REFERENCE_WINDOW_MAXIMUM, N(0), deep);
    reference_pointwise("subtract_images", (const reference_image *[]){&source, &open}, NULL, OUT(0));
    reference_free(&open);
    reference_free(&source);
}

/* ---- operations along z that read some slices or pixels only */

static void slices_at(call *c, int64_t start)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double place = trunc(reference_at(IN(1), x, y, 0));
        const int64_t at = place > 1e9 ? 1000000000 : place < -1e9 ? -1000000000 : (int64_t)place;
        reference_put(OUT(0), x, y, z, reference_at(IN(0), x, y, at + start + z));
    }
}

static void mean_of_chosen(call *c, bool above)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, slice) {
        double sum = 0, count = 0;
        for (int64_t z = 0; z < IN(0)->shape.depth; z++) {
            const double value = reference_at(IN(0), x, y, z);
            if (above ? value > (float)S(0) : value < (float)S(0))
                sum += value, count++;
        }
        reference_put(OUT(0), x, y, slice, reference_store_snapped(OUT(0)->type, sum / count));
    }
}

static void minimum_above(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, slice) {
        double min = INFINITY;
        for (int64_t z = 0; z < IN(0)->shape.depth; z++) {
            const double value = reference_at(IN(0), x, y, z);
            if (z >= N(1) && z <= N(2) && value > (float)S(0) && value < min)
                min = value;
        }
        reference_put(OUT(0), x, y, slice, min == INFINITY ? 0 : min);
    }
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void median_of_nonzero(call *c)
{
    double *values = reference_allocate((size_t)IN(0)->shape.depth, sizeof *values);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, slice) {
        size_t count = 0;
        for (int64_t z = 0; z < IN(0)->shape.depth; z++)
            if (reference_at(IN(0), x, y, z) != 0)
                values[count++] = reference_at(IN(0), x, y, z);
        qsort(values, count, sizeof *values, by_value);
        reference_put(OUT(0), x, y, slice, count ? values[count / 2] : 0);
    }
    free(values);
}

/* The first slice along x (or y, or z) that has the largest (or smallest) value. */
static void position_along(call *c, int axis, double sign)
{
    const drua_shape s = IN(0)->shape;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, column, row, slice) {
        double best = -INFINITY, at = axis == 0 ? s.width : s.height;
        for (int64_t i = 0; i < (axis == 0 ? s.width : s.height); i++) {
            const double value =
                sign * (axis == 0 ? reference_at(IN(0), i, row, column) : reference_at(IN(0), column, i, row));
            if (value > best)
                best = value, at = (double)i;
        }
        reference_put(OUT(0), column, row, slice, at);
    }
}

/* ---- pixels in other places */

static int64_t wrapped(int64_t position, int64_t extent)
{
    return (position % extent + extent) % extent;
}

static void circular_shift(call *c)
{
    const drua_shape s = IN(0)->shape;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(
            OUT(0), x, y, z,
            reference_at(IN(0), wrapped(x - N(0), s.width), wrapped(y - N(1), s.height), wrapped(z - N(2), s.depth)));
}

static void tiles(call *c)
{
    const drua_shape s = IN(0)->shape;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const int64_t slice = x / s.width * N(1) + y / s.height;
        reference_put(OUT(0), x, y, z,
                      y / s.height < N(1) && slice < s.depth ? reference_at(IN(0), x % s.width, y % s.height, slice)
                                                             : 0);
    }
}

static void crop_border(call *c)
{
    const drua_shape all = IN(0)->shape, left = OUT(0)->shape;
    reference_crop(IN(0), (all.width - left.width) / 2, (all.height - left.height) / 2, (all.depth - left.depth) / 2,
                   OUT(0));
}

static void scale_slices(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z,
                      (float)reference_at(IN(0), x, y, z) *
                          (float)c->array[z < (int64_t)c->length ? z : (int64_t)c->length - 1]);
}

/* Interpolates between the four pixels around a point of a slice; 0 outside the image. */
static double between(const reference_image *image, double x, double y, int64_t z)
{
    double sum = 0;
    for (int64_t j = 0; j < 2; j++)
        for (int64_t i = 0; i < 2; i++) {
            const int64_t column = (int64_t)floor(x) + i, row = (int64_t)floor(y) + j;
            const bool inside = column >= 0 && row >= 0 && z >= 0 && column < image->shape.width &&
                                row < image->shape.height && z < image->shape.depth;
            sum += inside ? reference_at(image, column, row, z) * (1 - fabs(x - (double)column)) *
                                (1 - fabs(y - (double)row))
                          : 0;
        }
    return sum;
}

static void radial(call *c, bool from_top)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double angle = ((double)(from_top ? y : z) * S(1) + S(2)) / 180 * acos(-1);
        reference_put(OUT(0), x, y, z,
                      reference_store_snapped(OUT(0)->type,
                                              between(IN(0), S(3) - 0.5 + sin(angle) * (double)x * S(5),
                                                      S(4) - 0.5 + cos(angle) * (double)x * S(6), from_top ? z : y)));
    }
}

static void radial_around_center(call *c)
{
    const drua_shape s = IN(0)->shape;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double angle = (double)z * S(1) / 180 * acos(-1);
        reference_put_snapped(OUT(0), x, y, z,
                              between(IN(0), (double)s.width / 2 - 0.5 + sin(angle) * (double)x,
                                      (double)s.height / 2 - 0.5 + cos(angle) * (double)x, y));
    }
}

static void cylinder(call *c)
{
    const drua_shape s = IN(0)->shape;
    reference_image seen = reference_make(DRUA_FLOAT32, (drua_shape){s.width, s.depth, s.height, 3});
    REFERENCE_EACH_PIXEL(s, x, y, z)
        reference_put(&seen, x, z, y, reference_at(IN(0), x, y, z));
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double angle = ((double)x * S(1) - 90) / 180 * acos(-1);
        reference_put(OUT(0), x, y, z,
                      reference_store_snapped(
                          OUT(0)->type, between(&seen, trunc((double)s.width * S(2)) - 0.5 + sin(angle) * (double)z,
                                                trunc((double)s.depth * S(3)) - 0.5 + cos(angle) * (double)z, y)));
    }
    reference_free(&seen);
}

/* Interpolates between the eight pixels around a point of a stack; 0 outside the stack. */
static double within(const reference_image *image, const double at[3])
{
    const int64_t slice = (int64_t)floor(at[2]);
    const double share = at[2] - (double)slice, far = share > 0 ? between(image, at[0], at[1], slice + 1) : 0;
    return between(image, at[0], at[1], slice) * (1 - share) + far * share;
}

/* Rotates by complex multiplication of the two components perpendicular to the axis. */
static void turn_around(double v[3], int axis, double angle)
{
    const double complex turned = (v[(axis + 1) % 3] + I * v[(axis + 2) % 3]) * cexp(I * angle);
    v[(axis + 1) % 3] = creal(turned);
    v[(axis + 2) % 3] = cimag(turned);
}

static void polar(call *c)
{
    const double degree = acos(-1) / 180;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double v[3] = {(double)z, 0, 0};
        turn_around(v, 2, ((double)x * S(1) + S(2)) * degree);
        turn_around(v, 0, ((double)y * S(1) + S(3)) * degree);
        for (int axis = 0; axis < 3; axis++)
            v[axis] *= S(7 + axis);
        for (int axis = 0; axis < 3; axis++)
            turn_around(v, axis, S(13 + axis));
        for (int axis = 0; axis < 3; axis++)
            v[axis] += S(4 + axis) + S(10 + axis);
        reference_put_snapped(OUT(0), x, y, z, within(IN(0), v));
    }
}

static void sphere(call *c)
{
    const drua_shape s = IN(0)->shape;
    const double degree = acos(-1) / 180, extent[3] = {(double)s.width, (double)s.height, (double)s.depth};
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double v[3] = {0, 0, (double)z};
        turn_around(v, 1, (double)y * S(1) * degree);
        turn_around(v, 2, (double)x * S(1) * degree);
        for (int axis = 0; axis < 3; axis++)
            v[axis] += S(2 + axis) * extent[axis] - 0.5;
        reference_put_snapped(OUT(0), x, y, z, within(IN(0), v));
    }
}

static void nonzero(call *c, bool box, bool largest)
{
    const int64_t deep = IN(0)->shape.depth > 1;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double found = reference_at(IN(0), x, y, z);
        if (found == 0)
            continue;
        for (int64_t dz = -deep; dz <= deep; dz++)
            for (int64_t dy = -1; dy <= 1; dy++)
                for (int64_t dx = -1; dx <= 1; dx++) {
                    const double value = reference_at(IN(0), x + dx, y + dy, z + dz);
                    if ((box || (dx != 0) + (dy != 0) + (dz != 0) == 1) &&
                        (largest ? value > found : value > 0 && value < found))
                        found = value;
                }
        reference_put(OUT(0), x, y, z, found);
    }
}

static void run_local_threshold_bernsen(call *c) { local_threshold(c, bernsen); }
static void run_local_threshold_contrast(call *c) { local_threshold(c, near_high); }
static void run_local_threshold_mean(call *c) { local_threshold(c, above_mean); }
static void run_local_threshold_median(call *c) { local_threshold(c, above_median); }
static void run_local_threshold_mid_grey(call *c) { local_threshold(c, above_middle); }
static void run_local_threshold_niblack(call *c) { local_threshold(c, niblack); }
static void run_local_threshold_phansalkar(call *c) { local_threshold(c, phansalkar); }
static void run_local_threshold_sauvola(call *c) { local_threshold(c, sauvola); }
static void run_gaussian_blur_in_place(call *c) { reference_gaussian_blur(IN(0), S(0), S(1), S(2), OUT(0)); }
static void run_top_hat_octagon(call *c) { top_hat_octagon(c, !IS_FLAT); }
static void run_top_hat_octagon_slice_by_slice(call *c) { top_hat_octagon(c, false); }
static void run_z_position_projection(call *c) { slices_at(c, 0); }
static void run_z_position_range_projection(call *c) { slices_at(c, N(0)); }
static void run_mean_z_projection_above_threshold(call *c) { mean_of_chosen(c, true); }
static void run_mean_z_projection_below_threshold(call *c) { mean_of_chosen(c, false); }
static void run_x_position_of_maximum_x_projection(call *c) { position_along(c, 0, 1); }
static void run_x_position_of_minimum_x_projection(call *c) { position_along(c, 0, -1); }
static void run_y_position_of_maximum_y_projection(call *c) { position_along(c, 1, 1); }
static void run_y_position_of_minimum_y_projection(call *c) { position_along(c, 1, -1); }
static void run_reslice_radial(call *c) { radial(c, false); }
static void run_reslice_radial_top(call *c) { radial(c, true); }
static void run_nonzero_maximum_box(call *c) { nonzero(c, true, true); }
static void run_nonzero_maximum_diamond(call *c) { nonzero(c, false, true); }
static void run_nonzero_minimum_box(call *c) { nonzero(c, true, false); }
static void run_nonzero_minimum_diamond(call *c) { nonzero(c, false, false); }

/* ---- illumination */

static void replace_hot_pixels(call *c)
{
    const char *which = c->texts[3];
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double window[9];
        for (int i = 0; i < 9; i++)
            window[i] = reference_at(IN(0), x + i % 3 - 1, y + i / 3 - 1, z);
        qsort(window, 9, sizeof *window, by_value);
        const double value = reference_at(IN(0), x, y, z), difference = (double)(float)(value - window[4]);
        const bool bright = difference > S(0), dark = -difference > S(0);
        reference_put(OUT(0), x, y, z,
                      (bright && strcmp(which, "dark")) || (dark && strcmp(which, "bright")) ? window[4] : value);
    }
}

static void remove_stripes(call *c)
{
    reference_image limited = row_like(IN(0), DRUA_FLOAT32);
    REFERENCE_EACH_PIXEL(IN(0)->shape, x, y, z)
        reference_put(&limited, x, y, z, fmin(reference_at(IN(0), x, y, z), S(2)));
    const bool across = !strcmp(c->texts[2], "vertical");
    reference_image lines = blurred(&limited, DRUA_FLOAT32, across ? 0 : S(0), across ? S(0) : 0, 0),
                    background = blurred(&lines, DRUA_FLOAT32, across ? S(1) : 0, across ? 0 : S(1), 0);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put_snapped(OUT(0), x, y, z,
                              reference_at(IN(0), x, y, z) -
                                  (reference_at(&lines, x, y, z) - reference_at(&background, x, y, z)));
    reference_free(&limited);
    reference_free(&lines);
    reference_free(&background);
}

static void apply_flat_field(call *c)
{
    REFERENCE_EACH_PIXEL (OUT(0)->shape, x, y, z) {
        const float flat = (float)reference_at(IN(1), x, y, z), dark = (float)reference_at(IN(2), x, y, z),
                    light = (float)reference_at(IN(0), x, y, z) - dark;
        reference_put(OUT(0), x, y, z, flat > 0 && isfinite(flat) ? light / flat : NAN);
    }
}

const call_row rows_composed[] = {
    ROW(apply_flat_field, "g", apply_flat_field),
    ROW(replace_hot_pixels, "=g", replace_hot_pixels),
    ROW(remove_stripes, "=g", remove_stripes),
    ROW(local_threshold_bernsen, "=g", run_local_threshold_bernsen),
    ROW(local_threshold_contrast, "=g", run_local_threshold_contrast),
    ROW(local_threshold_mean, "=g", run_local_threshold_mean),
    ROW(local_threshold_median, "=g", run_local_threshold_median),
    ROW(local_threshold_mid_grey, "=g", run_local_threshold_mid_grey),
    ROW(local_threshold_niblack, "=g", run_local_threshold_niblack),
    ROW(local_threshold_phansalkar, "=g", run_local_threshold_phansalkar),
    ROW(local_threshold_sauvola, "=g", run_local_threshold_sauvola),
    ROW(laplacian_of_gaussian, "=g", laplacian_of_gaussian),
    ROW(unsharp_mask, "=*g", unsharp_mask),
    ROW(gaussian_blur_in_place, "g", run_gaussian_blur_in_place),
    ROW(difference_of_gaussian_in_place, "2g", difference_in_place),
    ROW(threshold_difference_of_gaussian, "=g", threshold_dog),
    ROW(local_extrema_box, "=g", local_extrema),
    ROW(top_hat_octagon, "=g", run_top_hat_octagon),
    ROW(top_hat_octagon_slice_by_slice, "=g", run_top_hat_octagon_slice_by_slice),
    ROW(z_position_projection, "g", run_z_position_projection),
    ROW(z_position_range_projection, "g", run_z_position_range_projection),
    ROW(mean_z_projection_above_threshold, "g", run_mean_z_projection_above_threshold),
    ROW(mean_z_projection_below_threshold, "g", run_mean_z_projection_below_threshold),
    ROW(minimum_z_projection_above_threshold, "g", minimum_above),
    ROW(median_z_projection_of_nonzero, "l", median_of_nonzero),
    ROW(x_position_of_maximum_x_projection, "=g", run_x_position_of_maximum_x_projection),
    ROW(x_position_of_minimum_x_projection, "=g", run_x_position_of_minimum_x_projection),
    ROW(y_position_of_maximum_y_projection, "=g", run_y_position_of_maximum_y_projection),
    ROW(y_position_of_minimum_y_projection, "=g", run_y_position_of_minimum_y_projection),
    ROW(circular_shift, "g", circular_shift),
    ROW(stack_to_tiles, "g", tiles),
    ROW(multiply_slices_with_scalars, "g", scale_slices),
    ROW(crop_border, "^g", crop_border),
    ROW(reslice_radial, "g", run_reslice_radial),
    ROW(reslice_radial_top, "^g", run_reslice_radial_top),
    ROW(reslice_radial_around_center, "g", radial_around_center),
    ROW(cylinder_transform, "g", cylinder),
    ROW(reslice_polar, "g", polar),
    ROW(sphere_transform, "g", sphere),
    ROW(nonzero_maximum_box, "l", run_nonzero_maximum_box),
    ROW(nonzero_maximum_diamond, "l", run_nonzero_maximum_diamond),
    ROW(nonzero_minimum_box, "l", run_nonzero_minimum_box),
    ROW(nonzero_minimum_diamond, "l", run_nonzero_minimum_diamond),
    {NULL, NULL, NULL, NULL},
};

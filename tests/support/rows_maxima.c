/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference versions of maxima, watersheds, textures, and operations that fit no other file. */
#include "rows.h"

#include <float.h>

static void seeded(call *c)
{
    reference_seeded_watershed(IN(0), IN(1), (float)S(0), OUT(0));
}

static void watershed(call *c)
{
    reference_image distance = row_like(IN(0), DRUA_FLOAT32);
    reference_distance_map(IN(0), &distance);
    reference_cut_objects(IN(0), &distance, OUT(0));
    reference_free(&distance);
}

static void attribute_filter(call *c)
{
    double range[2];
    reference_finite_range(IN(0), range);
    const double low = range[0], high = range[1];
    reference_image counts = reference_make(DRUA_FLOAT32, reference_plane(N(0), 1)),
                    above = row_like(IN(0), DRUA_UINT8), parts = row_like(IN(0), DRUA_UINT32);
    reference_histogram(IN(0), low, high, &counts);
    float level = (float)low;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z, 0);
    for (int64_t i = 1, found = 0; i < N(0); i++) {
        level += (float)((high - low) / (double)N(0));
        if (counts.pixels[i] == 0)
            continue;
        for (size_t n = 0; n < reference_count(&above); n++)
            above.pixels[n] = IN(0)->pixels[n] > level;
        reference_connected_components(&above, REFERENCE_BOX, &parts);
        double *sizes = reference_allocate(reference_count(&parts) + 1, sizeof *sizes);
        for (size_t n = 0; n < reference_count(&parts); n++)
            sizes[(size_t)parts.pixels[n]]++;
        sizes[0] = -1;
        REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
            const double kept = sizes[(size_t)reference_at(&parts, x, y, z)] >= (double)N(1) ? level : 0,
                         last = reference_at(OUT(0), x, y, z);
            reference_put(OUT(0), x, y, z, found ? fmax(last, kept) : kept);
        }
        found++;
        free(sizes);
    }
    reference_free(&counts);
    reference_free(&above);
    reference_free(&parts);
}

#define NUMBER_OF(name) (c->numbers[drua_find_param(c->op, name)])

/*
 * Lists in `part` the pixels at or above a level that are connected to a pixel, up to those in `kept`, and marks them
 * in `seen`. Returns whether this part is large enough. A part that touches kept pixels is large enough, because the
 * attribute of a growing part grows.
 */
static bool is_kept(const call *c, const double *values, double level, int64_t pixel, const bool *kept, bool *seen,
                    int64_t *part, int64_t *count)
{
    const drua_shape s = IN(0)->shape;
    const double minimum = NUMBER_OF("minimum"), neighbours = NUMBER_OF("connectivity");
    int64_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, high[3] = {0, 0, 0};
    double square = 0;
    bool touches = false;
    *count = 1, part[0] = pixel, seen[pixel] = true;
    for (int64_t next = 0; next < *count; next++) {
        const int64_t at = part[next], of[3] = {at % s.width, at / s.width % s.height, at / s.width / s.height};
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = of[axis] < low[axis] ? of[axis] : low[axis];
            high[axis] = of[axis] > high[axis] ? of[axis] : high[axis];
        }
        REFERENCE_EACH_AROUND(dx, dy, dz)
        {
            const int64_t beside = at + dx + s.width * (dy + s.height * dz);
            if ((neighbours == 8 || neighbours == 26 || abs(dx) + abs(dy) + abs(dz) == 1) &&
                reference_is_inside(s, of[0] + dx, of[1] + dy, of[2] + dz) && !seen[beside] &&
                values[beside] >= level) {
                touches = touches || kept[beside];
                if (kept[beside])
                    continue;
                seen[beside] = true;
                part[(*count)++] = beside;
            }
        }
    }
    for (int axis = 0; axis < 3; axis++)
        square += (double)((high[axis] - low[axis]) * (high[axis] - low[axis]));
    return touches || (strcmp(TEXT_OF("attribute"), "area") == 0 ? (double)*count >= minimum : sqrt(square) >= minimum);
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/*
 * From the highest level of all pixels to the lowest, pixels of components that are large enough get the level.
 * Closings negate the image. NaN is the lowest level, below -infinity.
 */
static void attributes(call *c)
{
    const size_t pixels = reference_count(IN(0));
    const bool closes = strcmp(TEXT_OF("operation"), "closing") == 0 || strcmp(TEXT_OF("operation"), "bottom-hat") == 0,
               is_hat = strstr(TEXT_OF("operation"), "hat");
    const double sign = closes ? -1 : 1;
    double *values = reference_allocate(pixels, sizeof *values), *sorted = reference_allocate(pixels, sizeof *sorted),
           *levels = reference_allocate(pixels, sizeof *levels);
    bool *seen = reference_allocate(pixels, sizeof *seen), *kept = reference_allocate(pixels, sizeof *kept);
    int64_t *part = reference_allocate(pixels, sizeof *part), count;
    reference_image result = row_like(IN(0), DRUA_NO_TYPE);
    for (size_t i = 0; i < pixels; i++)
        sorted[i] = values[i] =
            isnan(IN(0)->pixels[i]) ? -INFINITY : fmax(fmin(sign * IN(0)->pixels[i], DBL_MAX), -DBL_MAX);
    qsort(sorted, pixels, sizeof *sorted, compare_numbers);
    for (size_t i = 0; i < pixels; i++)
        levels[i] = sorted[0];
    for (size_t k = pixels - 1; sorted[k] > sorted[0]; k--) {
        if (k < pixels - 1 && sorted[k] == sorted[k + 1])
            continue;
        memset(seen, 0, pixels * sizeof *seen);
        for (size_t i = 0; i < pixels; i++) {
            if (values[i] < sorted[k] || seen[i] || kept[i] ||
                !is_kept(c, values, sorted[k], (int64_t)i, kept, seen, part, &count))
                continue;
            for (int64_t n = 0; n < count; n++) {
                levels[part[n]] = sorted[k];
                kept[part[n]] = true;
            }
        }
    }
    for (size_t i = 0; i < pixels; i++)
        result.pixels[i] = isinf(levels[i]) ? NAN : is_hat ? fabs(values[i] - levels[i]) : sign * levels[i];
    for (size_t i = 0; i < pixels; i++)
        if (fabs(result.pixels[i]) > FLT_MAX)
            result.pixels[i] = copysign(INFINITY, result.pixels[i]);
    reference_copy(&result, OUT(0));
    reference_free(&result);
    free(values);
    free(sorted);
    free(levels);
    free(seen);
    free(kept);
    free(part);
}

/*
 * Whether a pixel is the maximum of its peak. A flood starts from it through sides over pixels less than the tolerance
 * below it (tolerance 0: over equal pixels). The flood must end, and must meet no higher pixel and no equal pixel that
 * comes first.
 */
static bool stands_out(const reference_image *image, size_t start, float tolerance, size_t *queue, bool *seen)
{
    const size_t count = reference_count(image);
    const drua_shape s = image->shape;
    const float top = (float)image->pixels[start];
    bool stands = true, ends = false;
    memset(seen, 0, count * sizeof *seen);
    queue[0] = start, seen[start] = true;
    for (size_t next = 0, end = 1; stands && next < end; next++) {
        const int64_t x = (int64_t)queue[next] % s.width, y = (int64_t)queue[next] / s.width % s.height,
                      z = (int64_t)queue[next] / s.width / s.height;
        REFERENCE_EACH_AROUND(dx, dy, dz) {
            if (abs(dx) + abs(dy) + abs(dz) != 1 || !reference_is_inside(s, x + dx, y + dy, z + dz))
                continue;
            const size_t beside = (size_t)(((z + dz) * s.height + y + dy) * s.width + x + dx);
            const float value = (float)image->pixels[beside];
            if (seen[beside])
                continue;
            stands = stands && value <= top && (value < top || beside > start);
            seen[beside] = true;
            if (value == top || top - value < tolerance)
                queue[end++] = beside;
            else
                ends = true;
        }
    }
    return stands && ends;
}

static void prominent(call *c, double sign, bool number)
{
    const size_t count = reference_count(IN(0));
    reference_image image = row_float(IN(0));
    size_t *queue = reference_allocate(count, sizeof *queue);
    bool *seen = reference_allocate(count, sizeof *seen);
    for (size_t i = 0; i < count; i++)
        image.pixels[i] *= sign;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        if (!number || reference_is_inside(image.shape, x, y, z))
            reference_put(OUT(0), x, y, z, 0);
    for (size_t i = 0, found = 0; i < count; i++)
        if (stands_out(&image, i, (float)S(0), queue, seen))
            reference_put(OUT(0), (int64_t)i % image.shape.width, (int64_t)i / image.shape.width % image.shape.height,
                          (int64_t)i / image.shape.width / image.shape.height, number ? (double)++found : 1);
    free(queue);
    free(seen);
    reference_free(&image);
}

/* ---- textures, shapes, angles */

static void pairs(call *c, bool box, double low, double span, bool shares)
{
    const drua_shape s = IN(0)->shape;
    double all = 0;
    reference_image matrix = row_like(OUT(0), DRUA_FLOAT32);
    REFERENCE_EACH_PIXEL(s, x, y, z)
        REFERENCE_EACH_AROUND(dx, dy, dz) {
            if (!reference_is_inside(s, x + dx, y + dy, z + dz) || (dx == 0 && dy == 0 && dz == 0) ||
                (!box && abs(dx) + abs(dy) + abs(dz) > 1))
                continue;
            const int64_t a = (int64_t)fmin(fmax((float)(reference_at(IN(0), x, y, z) - low), 0), span);
            const int64_t b = (int64_t)fmin(fmax((float)(reference_at(IN(0), x + dx, y + dy, z + dz) - low), 0), span);
            reference_put(&matrix, a, b, 0, reference_at(&matrix, a, b, 0) + 1);
            all++;
        }
    const double total = shares && all > 0 ? all : 1;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double count =
            reference_at(&matrix, x, y, z); /* float32 shares are multiples of the rounded share of a single pair */
        reference_put_snapped(OUT(0), x, y, z,
                              reference_is_integer(OUT(0)->type) ? count / total : count * (double)(float)(1 / total));
    }
    reference_free(&matrix);
}

static double moment(const reference_image *mask, const double center[3], int i, int j, int k)
{
    double sum = 0;
    REFERENCE_EACH_PIXEL(mask->shape, x, y, z)
        if (reference_at(mask, x, y, z) != 0)
            sum += pow((double)x - center[0], i) * pow((double)y - center[1], j) * pow((double)z - center[2], k);
    return sum;
}

static void center_of(const reference_image *mask, double center[3])
{
    static const double origin[3] = {0};
    const double number = fmax(moment(mask, origin, 0, 0, 0), 1);
    center[0] = moment(mask, origin, 1, 0, 0) / number;
    center[1] = moment(mask, origin, 0, 1, 0) / number;
    center[2] = moment(mask, origin, 0, 0, 1) / number;
}

static void moments(call *c)
{
    double center[3];
    center_of(IN(0), center);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, i, j, k)
        reference_put(OUT(0), i, j, k, moment(IN(0), center, (int)i, (int)j, (int)k));
}

/* The roots of the characteristic polynomial, from cosines of a third of an angle. */
static void eigenvalues(call *c)
{
    double center[3];
    center_of(IN(0), center);
    const double n = fmax(moment(IN(0), center, 0, 0, 0), 1), xx = moment(IN(0), center, 2, 0, 0) / n,
                 yy = moment(IN(0), center, 0, 2, 0) / n, zz = moment(IN(0), center, 0, 0, 2) / n,
                 xy = moment(IN(0), center, 1, 1, 0) / n, xz = moment(IN(0), center, 1, 0, 1) / n,
                 yz = moment(IN(0), center, 0, 1, 1) / n, middle = (xx + yy + zz) / 3, a = xx - middle, b = yy - middle,
                 d = zz - middle;
    const double size = sqrt((a * a + b * b + d * d + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
    const double determinant = a * (b * d - yz * yz) - xy * (xy * d - yz * xz) + xz * (xy * yz - b * xz);
    const double angle = size > 0 ? acos(fmin(fmax(determinant / (2 * size * size * size), -1), 1)) / 3 : 0,
                 third = 2 * acos(-1) / 3;
    const double values[] = {middle + 2 * size * cos(angle + third), middle + 2 * size * cos(angle - third),
                             middle + 2 * size * cos(angle)};
    for (int v = 0; v < 3; v++)
        RESULT((values[v] > 1e-7 * values[2] ? values[v] : 0));
}

static void angles(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const bool is_pair = x > 0 && y > 0 && x <= IN(0)->shape.width && y <= IN(1)->shape.width;
        const double right = reference_at(IN(1), y - 1, 0, 0) - reference_at(IN(0), x - 1, 0, 0);
        const double down = reference_at(IN(1), y - 1, 1, 0) - reference_at(IN(0), x - 1, 1, 0);
        reference_put(OUT(0), x, y, z, is_pair ? atan(down / right) : 0);
    }
}

static double determinant(const double m[3][3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]);
    return sum;
}

/* Cramer's rule: determinants with one column replaced by the right-hand side. */
static void solve(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double all[3][3], exchanged[3][3];
        for (int n = 0; n < 9; n++) {
            all[n / 3][n % 3] = reference_at(IN(0), n % 3, n / 3, 0);
            exchanged[n / 3][n % 3] = n % 3 == y ? reference_at(IN(1), x, n / 3, 0) : all[n / 3][n % 3];
        }
        reference_put_snapped(OUT(0), x, y, z, determinant(exchanged) / determinant(all));
    }
}

static void correlation(call *c)
{
    const int64_t i = N(2) == 0, j = N(2) == 1, k = N(2) == 2;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double both = 0, first = 0, second = 0;
        for (int64_t n = -N(0), m = n + N(1); n <= N(0); n++, m++) {
            const double a = reference_at(IN(0), x + n * i, y + n * j, z + n * k) -
                             reference_at(IN(1), x + n * i, y + n * j, z + n * k);
            const double b = reference_at(IN(2), x + m * i, y + m * j, z + m * k) -
                             reference_at(IN(3), x + m * i, y + m * j, z + m * k);
            both += a * b, first += a * a, second += b * b;
        }
        const double size = sqrt(first) * sqrt(second);
        reference_put_snapped(OUT(0), x, y, z, size > 0 ? both / size : 0);
    }
}

#define LARGEST reference_reduce(IN(0), REFERENCE_MAXIMUM)

static void run_regional_maxima(call *c) { reference_regional_maxima(IN(0), OUT(0)); }
static void run_find_maxima_plateaus(call *c) { reference_maxima_along_axes(IN(0), OUT(0)); }
static void run_prominent_maxima(call *c) { prominent(c, 1, false); }
static void run_find_maxima(call *c) { prominent(c, 1, true); }
static void run_find_and_label_maxima(call *c) { prominent(c, S(1) != 0 ? -1 : 1, true); }
static void run_generate_cooccurrence_count_matrix_box(call *c) { pairs(c, true, 0, LARGEST, false); }
static void run_generate_cooccurrence_count_matrix_diamond(call *c) { pairs(c, false, 0, LARGEST, false); }
static void run_generate_cooccurrence_matrix_box(call *c) { pairs(c, true, S(0), S(1) - S(0), true); }

static void far_maxima(call *c)
{
    const drua_shape s = IN(0)->shape;
    REFERENCE_EACH_PIXEL (s, x, y, z) {
        const double own = reference_at(IN(0), x, y, z);
        bool is_top = own > (double)(float)S(1);
        REFERENCE_EACH_PIXEL (s, i, j, k) {
            const double other = reference_at(IN(0), i, j, k),
                         square = (double)((i - x) * (i - x) + (j - y) * (j - y) + (k - z) * (k - z));
            const bool is_before = (k * s.height + j) * s.width + i < (z * s.height + y) * s.width + x;
            if (square > 0 && square <= S(0) * S(0) && (other > own || (other == own && is_before)))
                is_top = false;
        }
        reference_put(OUT(0), x, y, z, is_top);
    }
}

const call_row rows_maxima[] = {
    ROW(distant_maxima, "g", far_maxima),
    ROW(regional_maxima, "g", run_regional_maxima),
    ROW(find_maxima_plateaus, "g", run_find_maxima_plateaus),
    ROW(prominent_maxima, "g", run_prominent_maxima),
    ROW(find_maxima, "=g", run_find_maxima),
    ROW(find_and_label_maxima, "=g", run_find_and_label_maxima),
    ROW(seeded_watershed, "lg", seeded),
    ROW(watershed, "=b", watershed),
    ROW(attribute_filter, "g", attributes),
    ROW(grey_level_attribute_filter, "=g", attribute_filter),
    ROW(generate_cooccurrence_count_matrix_box, "^l", run_generate_cooccurrence_count_matrix_box),
    ROW(generate_cooccurrence_count_matrix_diamond, "^l", run_generate_cooccurrence_count_matrix_diamond),
    ROW(generate_cooccurrence_matrix_box, "^l", run_generate_cooccurrence_matrix_box),
    ROW(binary_image_moments, "^b", moments),
    ROW(binary_image_eigenvalues, "b", eigenvalues),
    ROW(generate_angle_matrix, "^q", angles),
    ROW(cross_correlation, "g", correlation),
    ROW(solve_linear_system, "^AN", solve),
    {NULL, NULL, NULL, NULL},
};

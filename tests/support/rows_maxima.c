/* SPDX-License-Identifier: BSD-3-Clause */
/* Maxima, watersheds, textures, and what else belongs to no other file. */
#include "rows.h"

#define EACH_AROUND(dx, dy, dz)                                                                                                  \
    for (int dx = -1; dx <= 1; dx++)                                                                                             \
        for (int dy = -1; dy <= 1; dy++)                                                                                         \
            for (int dz = -1; dz <= 1; dz++)

static bool is_inside(drua_shape s, int64_t x, int64_t y, int64_t z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < s.width && y < s.height && z < s.depth;
}

/* ---- maxima: plateaus are filled from each of their pixels, and keep their mark if nothing around any of them is higher */

static void fill(const reference_image *image, reference_image *number, int64_t pixel, double mark, bool *is_top, int64_t *stack)
{
    const drua_shape s = image->shape;
    int64_t count = 0;
    stack[count++] = pixel;
    number->pixels[pixel] = mark;
    while (count > 0) {
        const int64_t at = stack[--count], x = at % s.width, y = at / s.width % s.height, z = at / s.width / s.height;
        EACH_AROUND(dx, dy, dz) {
            if (!is_inside(s, x + dx, y + dy, z + dz))
                continue;
            const int64_t next = at + dx + s.width * (dy + s.height * dz);
            *is_top = *is_top && !(image->pixels[next] > image->pixels[at]);
            if (image->pixels[next] == image->pixels[at] && number->pixels[next] == 0) {
                number->pixels[next] = mark;
                stack[count++] = next;
            }
        }
    }
}

static void maxima(const reference_image *image, reference_image *output)
{
    const size_t count = reference_count(image);
    reference_image number = row_like(image, DRUA_FLOAT32);
    int64_t *stack = reference_allocate(count, sizeof *stack);
    bool *tops = reference_allocate(count + 1, sizeof *tops);
    double regions = 0;
    for (size_t i = 0; i < count; i++)
        if (number.pixels[i] == 0) {
            regions++;
            tops[(size_t)regions] = true;
            fill(image, &number, (int64_t)i, regions, &tops[(size_t)regions], stack);
        }
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put(output, x, y, z, tops[(size_t)reference_at(&number, x, y, z)]);
    reference_free(&number);
    free(stack);
    free(tops);
}

/* Whether, from a pixel along an axis both ways, a lower value or the border comes before a higher one. */
static bool is_top_along(const reference_image *image, int64_t x, int64_t y, int64_t z, int axis)
{
    const double here = reference_at(image, x, y, z);
    for (int way = -1; way <= 1; way += 2)
        for (int64_t step = way;; step += way) {
            const int64_t i = x + (axis == 0) * step, j = y + (axis == 1) * step, k = z + (axis == 2) * step;
            if (!is_inside(image->shape, i, j, k) || reference_at(image, i, j, k) < here)
                break;
            if (reference_at(image, i, j, k) > here)
                return false;
        }
    return true;
}

static void plateaus(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z, is_top_along(IN(0), x, y, z, 0) && is_top_along(IN(0), x, y, z, 1) && is_top_along(IN(0), x, y, z, 2));
}

/* ---- watersheds, all pixels a step at a time */

static bool climb(reference_image *labels, reference_image *heights, double threshold)
{
    reference_image labels_before = reference_duplicate(labels), heights_before = reference_duplicate(heights);
    bool changed = false;
    REFERENCE_EACH_PIXEL(labels->shape, x, y, z) {
        double best = reference_at(&heights_before, x, y, z), label = 0;
        if (reference_at(&labels_before, x, y, z) != 0 || best <= threshold)
            continue;
        EACH_AROUND(dx, dy, dz)
            if (reference_at(&heights_before, x + dx, y + dy, z + dz) > best) {
                best = reference_at(&heights_before, x + dx, y + dy, z + dz);
                label = reference_at(&labels_before, x + dx, y + dy, z + dz);
            }
        reference_put(labels, x, y, z, label);
        reference_put(heights, x, y, z, best);
        changed = changed || label != 0;
    }
    reference_free(&labels_before);
    reference_free(&heights_before);
    return changed;
}

static reference_image regions_of(const reference_image *seeds, const reference_image *source, double threshold)
{
    reference_image labels = row_like(seeds, DRUA_UINT32), heights = row_like(seeds, DRUA_FLOAT32);
    REFERENCE_EACH_PIXEL(seeds->shape, x, y, z) {
        reference_put(&labels, x, y, z, reference_at(seeds, x, y, z));
        reference_put(&heights, x, y, z, reference_at(source, x, y, z));
    }
    while (climb(&labels, &heights, threshold))
        ;
    reference_free(&heights);
    return labels;
}

static void seeded(call *c)
{
    reference_image labels = regions_of(IN(0), IN(1), (float)S(0));
    reference_copy(&labels, OUT(0));
    reference_free(&labels);
}

/* How many of the erosions by side and by all neighbours in turn a pixel survives, plus 1. */
static reference_image distances_of(const reference_image *mask)
{
    reference_image left = row_like(mask, DRUA_UINT8), distance = row_like(mask, DRUA_FLOAT32);
    for (size_t i = 0; i < reference_count(mask); i++)
        left.pixels[i] = mask->pixels[i] != 0;
    const bool endless = reference_reduce(&left, REFERENCE_MINIMUM) > 0;
    for (int64_t step = 0; reference_reduce(&left, REFERENCE_MAXIMUM) > 0; step++) {
        reference_image before = reference_duplicate(&left);
        for (size_t i = 0; i < reference_count(mask); i++)
            distance.pixels[i] = endless ? INFINITY : distance.pixels[i] + before.pixels[i];
        if (!endless)
            reference_window(&before, REFERENCE_WINDOW_MINIMUM, step % 2 == 0, (const int64_t[]){1, 1, mask->shape.depth > 1}, &left);
        else
            memset(left.pixels, 0, reference_count(mask) * sizeof *left.pixels);
        reference_free(&before);
    }
    reference_free(&left);
    return distance;
}

static void watershed(call *c)
{
    reference_image distance = distances_of(IN(0)), tops = row_like(IN(0), DRUA_UINT8), seeds = row_like(IN(0), DRUA_UINT32);
    maxima(&distance, &tops);
    for (size_t i = 0; i < reference_count(&tops); i++)
        tops.pixels[i] = tops.pixels[i] != 0 && IN(0)->pixels[i] != 0;
    reference_connected_components(&tops, REFERENCE_BOX, &seeds);
    reference_image regions = regions_of(&seeds, &distance, 0);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double label = reference_at(&regions, x, y, z);
        bool stays = label > 0;
        EACH_AROUND(dx, dy, dz)
            stays = stays && reference_at(&regions, x + dx, y + dy, z + dz) >= label;
        reference_put(OUT(0), x, y, z, stays);
    }
    reference_free(&distance);
    reference_free(&tops);
    reference_free(&seeds);
    reference_free(&regions);
}

static void attribute_filter(call *c)
{
    const double low = reference_reduce(IN(0), REFERENCE_MINIMUM), high = reference_reduce(IN(0), REFERENCE_MAXIMUM);
    reference_image counts = reference_make(DRUA_FLOAT32, reference_plane(N(0), 1)), above = row_like(IN(0), DRUA_UINT8), parts = row_like(IN(0), DRUA_UINT32);
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
            const double kept = sizes[(size_t)reference_at(&parts, x, y, z)] >= (double)N(1) ? level : 0, last = reference_at(OUT(0), x, y, z);
            reference_put(OUT(0), x, y, z, found ? fmax(last, kept) : kept);
        }
        found++;
        free(sizes);
    }
    reference_free(&counts);
    reference_free(&above);
    reference_free(&parts);
}

/* ---- textures, shapes, angles */

static void pairs(call *c, bool box, double low, double span, bool shares)
{
    const drua_shape s = IN(0)->shape;
    double all = 0;
    reference_image matrix = row_like(OUT(0), DRUA_FLOAT32);
    REFERENCE_EACH_PIXEL(s, x, y, z)
        EACH_AROUND(dx, dy, dz) {
            if (!is_inside(s, x + dx, y + dy, z + dz) || (dx == 0 && dy == 0 && dz == 0) || (!box && abs(dx) + abs(dy) + abs(dz) > 1))
                continue;
            const int64_t a = (int64_t)fmin(fmax((float)(reference_at(IN(0), x, y, z) - low), 0), span);
            const int64_t b = (int64_t)fmin(fmax((float)(reference_at(IN(0), x + dx, y + dy, z + dz) - low), 0), span);
            reference_put(&matrix, a, b, 0, reference_at(&matrix, a, b, 0) + 1);
            all++;
        }
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put_snapped(OUT(0), x, y, z, reference_at(&matrix, x, y, z) * (double)(shares && all > 0 ? (float)(1 / all) : 1));
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

/* The roots of the characteristic polynomial, by the cosines of thirds of an angle. */
static void eigenvalues(call *c)
{
    double center[3];
    center_of(IN(0), center);
    const double n = fmax(moment(IN(0), center, 0, 0, 0), 1), xx = moment(IN(0), center, 2, 0, 0) / n, yy = moment(IN(0), center, 0, 2, 0) / n,
                 zz = moment(IN(0), center, 0, 0, 2) / n, xy = moment(IN(0), center, 1, 1, 0) / n, xz = moment(IN(0), center, 1, 0, 1) / n,
                 yz = moment(IN(0), center, 0, 1, 1) / n, middle = (xx + yy + zz) / 3, a = xx - middle, b = yy - middle, d = zz - middle;
    const double size = sqrt((a * a + b * b + d * d + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
    const double determinant = a * (b * d - yz * yz) - xy * (xy * d - yz * xz) + xz * (xy * yz - b * xz);
    const double angle = size > 0 ? acos(fmin(fmax(determinant / (2 * size * size * size), -1), 1)) / 3 : 0, third = 2 * acos(-1) / 3;
    const double values[] = {middle + 2 * size * cos(angle + third), middle + 2 * size * cos(angle - third), middle + 2 * size * cos(angle)};
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

static void correlation(call *c)
{
    const int64_t i = N(2) == 0, j = N(2) == 1, k = N(2) == 2;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double both = 0, first = 0, second = 0;
        for (int64_t n = -N(0), m = n + N(1); n <= N(0); n++, m++) {
            const double a = reference_at(IN(0), x + n * i, y + n * j, z + n * k) - reference_at(IN(1), x + n * i, y + n * j, z + n * k);
            const double b = reference_at(IN(2), x + m * i, y + m * j, z + m * k) - reference_at(IN(3), x + m * i, y + m * j, z + m * k);
            both += a * b, first += a * a, second += b * b;
        }
        const double size = sqrt(first) * sqrt(second);
        reference_put_snapped(OUT(0), x, y, z, size > 0 ? both / size : 0);
    }
}

#define LARGEST reference_reduce(IN(0), REFERENCE_MAXIMUM)
#define ROWS(X)                                                                                                                  \
    X(regional_maxima, "g", maxima(IN(0), OUT(0)))                                                                               \
    X(find_maxima_plateaus, "g", plateaus(c))                                                                                    \
    X(seeded_watershed, "lg", seeded(c))                                                                                         \
    X(watershed, "=b", watershed(c))                                                                                             \
    X(grey_level_attribute_filter, "=g", attribute_filter(c))                                                                    \
    X(generate_cooccurrence_count_matrix_box, "^l", pairs(c, true, 0, LARGEST, false))                                           \
    X(generate_cooccurrence_count_matrix_diamond, "^l", pairs(c, false, 0, LARGEST, false))                                      \
    X(generate_cooccurrence_matrix_box, "^l", pairs(c, true, S(0), S(1) - S(0), true))                                           \
    X(binary_image_moments, "^b", moments(c))                                                                                    \
    X(binary_image_eigenvalues, "b", eigenvalues(c))                                                                             \
    X(generate_angle_matrix, "^q", angles(c))                                                                                    \
    X(cross_correlation, "g", correlation(c))

DEFINE_ROWS(maxima)

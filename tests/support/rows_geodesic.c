/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference versions of floods of grey values: reconstruction, holes, borders, extrema and watersheds from markers. */
#include "rows.h"

static bool is_box(const call *c)
{
    const double connectivity = c->numbers[drua_find_param(c->op, "connectivity")];
    return connectivity == 8 || connectivity == 26;
}

static bool is_neighbour(drua_shape s, bool box, int64_t x, int64_t y, int64_t z, int dx, int dy, int dz)
{
    const int distance = abs(dx) + abs(dy) + abs(dz);
    return distance > 0 && (box || distance == 1) && reference_is_inside(s, x + dx, y + dy, z + dz);
}

/* One geodesic dilation (sign 1) or erosion (sign -1) inside the mask after another, until one changes nothing. */
static void reconstruct(reference_image *image, const reference_image *mask, bool box, double sign)
{
    for (size_t i = 0; i < reference_count(image); i++)
        image->pixels[i] = sign * fmin(sign * image->pixels[i], sign * mask->pixels[i]);
    for (bool changed = true; changed;) {
        reference_image before = reference_duplicate(image);
        changed = false;
        REFERENCE_EACH_PIXEL (image->shape, x, y, z) {
            double best = sign * reference_at(&before, x, y, z);
            REFERENCE_EACH_AROUND(dx, dy, dz)
            if (is_neighbour(image->shape, box, x, y, z, dx, dy, dz))
                best = fmax(best, sign * reference_at(&before, x + dx, y + dy, z + dz));
            best = fmin(best, sign * reference_at(mask, x, y, z));
            changed = changed || best != sign * reference_at(&before, x, y, z);
            reference_put(image, x, y, z, sign * best);
        }
        reference_free(&before);
    }
}

static void by_marker(call *c, double sign)
{
    const bool same = IN(0)->type == IN(1)->type;
    reference_image work = row_like(IN(0), same ? IN(0)->type : DRUA_FLOAT32),
                    mask = row_like(IN(1), same ? IN(1)->type : DRUA_FLOAT32);
    reference_copy(IN(0), &work);
    reference_copy(IN(1), &mask);
    reconstruct(&work, &mask, is_box(c), sign);
    reference_copy(&work, OUT(0));
    reference_free(&work);
    reference_free(&mask);
}

static void by_dilation(call *c)
{
    by_marker(c, 1);
}
static void by_erosion(call *c)
{
    by_marker(c, -1);
}

/* Floods from the border, whose pixels keep their values. All other pixels start at -sign times infinity. */
static reference_image from_border(const call *c, double sign)
{
    reference_image work = row_like(IN(0), DRUA_NO_TYPE);
    const drua_shape s = work.shape;
    REFERENCE_EACH_PIXEL (s, x, y, z) {
        const bool inner =
            x > 0 && y > 0 && x < s.width - 1 && y < s.height - 1 && (s.depth == 1 || (z > 0 && z < s.depth - 1));
        work.pixels[(z * s.height + y) * s.width + x] = inner ? -sign * INFINITY : reference_at(IN(0), x, y, z);
    }
    reconstruct(&work, IN(0), is_box(c), sign);
    return work;
}

static void fill(call *c)
{
    reference_image filled = from_border(c, -1);
    reference_copy(&filled, OUT(0));
    reference_free(&filled);
}

static void kill(call *c)
{
    reference_image touching = from_border(c, 1);
    for (size_t i = 0; i < reference_count(&touching); i++)
        touching.pixels[i] = IN(0)->pixels[i] - touching.pixels[i];
    reference_copy(&touching, OUT(0));
    reference_free(&touching);
}

/* Whether a flat zone has no neighbour that is higher (sign 1) or lower; a flood visits the zone. */
static bool is_top(const reference_image *image, bool box, double sign, int64_t pixel, bool *seen, int64_t *stack)
{
    const drua_shape s = image->shape;
    bool top = true;
    int64_t count = 0;
    memset(seen, 0, reference_count(image) * sizeof *seen);
    stack[count++] = pixel;
    seen[pixel] = true;
    while (count > 0) {
        const int64_t at = stack[--count], x = at % s.width, y = at / s.width % s.height, z = at / s.width / s.height;
        REFERENCE_EACH_AROUND(dx, dy, dz)
        {
            if (!is_neighbour(s, box, x, y, z, dx, dy, dz))
                continue;
            const int64_t next = at + dx + s.width * (dy + s.height * dz);
            top = top && sign * image->pixels[next] <= sign * image->pixels[at];
            if (image->pixels[next] == image->pixels[at] && !seen[next]) {
                seen[next] = true;
                stack[count++] = next;
            }
        }
    }
    return top;
}

static void extrema(call *c, double sign)
{
    const double height = IN(0)->type == DRUA_FLOAT32 ? (float)S(0) : trunc(S(0));
    reference_image low = reference_duplicate(IN(0)), high = row_like(IN(0), DRUA_NO_TYPE);
    for (size_t i = 0; i < reference_count(&low); i++) {
        const double sum = low.pixels[i] + height;
        high.pixels[i] = IN(0)->type == DRUA_FLOAT32 ? (double)(float)sum : sum;
    }
    reference_image *flooded = sign > 0 ? &low : &high;
    flooded->type = DRUA_NO_TYPE;
    reconstruct(flooded, sign > 0 ? &high : &low, is_box(c), sign);
    bool *seen = reference_allocate(reference_count(&low), sizeof *seen);
    int64_t *stack = reference_allocate(reference_count(&low), sizeof *stack);
    reference_image marks = row_like(IN(0), DRUA_NO_TYPE);
    for (size_t i = 0; i < reference_count(&low); i++)
        marks.pixels[i] = is_top(flooded, is_box(c), sign, (int64_t)i, seen, stack) ? (float)S(2) : 0;
    reference_copy(&marks, OUT(0));
    reference_free(&marks);
    reference_free(&low);
    reference_free(&high);
    free(seen);
    free(stack);
}

static void maxima(call *c)
{
    extrema(c, 1);
}
static void minima(call *c)
{
    extrema(c, -1);
}

/* Lowers peaks (sign 1) or fills pits: the flood starts at the image minus or plus h. */
static void flatten(call *c, double sign)
{
    const double height = IN(0)->type == DRUA_FLOAT32 ? (float)S(0) : trunc(S(0));
    reference_image work = row_like(IN(0), DRUA_NO_TYPE);
    for (size_t i = 0; i < reference_count(&work); i++)
        work.pixels[i] = reference_store(IN(0)->type, IN(0)->pixels[i] - sign * height);
    reconstruct(&work, IN(0), is_box(c), sign);
    reference_copy(&work, OUT(0));
    reference_free(&work);
}

static void lower_peaks(call *c)
{
    flatten(c, 1);
}
static void fill_pits(call *c)
{
    flatten(c, -1);
}

/* The largest (sign 1) or smallest number of an integer type that float32 holds. */
static double end_of(drua_type type, double sign)
{
    const double largest = type == DRUA_UINT32 ? 4294967040.0 : type == DRUA_INT32 ? 2147483520 : 1e300;
    return reference_store(type, sign > 0 ? largest : -1e300);
}

static void impose(call *c, double sign)
{
    reference_image work = row_like(IN(0), DRUA_NO_TYPE), mask = row_like(IN(0), DRUA_NO_TYPE);
    double end = end_of(IN(0)->type, sign);
    if (IN(0)->type == DRUA_FLOAT32)
        end = sign > 0 ? fmax(255, reference_reduce(IN(0), REFERENCE_MAXIMUM))
                       : fmin(0, reference_reduce(IN(0), REFERENCE_MINIMUM));
    const double start = IN(0)->type == DRUA_FLOAT32 ? -sign * INFINITY : end_of(IN(0)->type, -sign);
    for (size_t i = 0; i < reference_count(&work); i++) {
        const bool marked = IN(1)->pixels[i] > 0;
        mask.pixels[i] = marked ? end : reference_store(IN(0)->type, IN(0)->pixels[i] - sign);
        work.pixels[i] = marked ? end : start;
    }
    reconstruct(&work, &mask, is_box(c), sign);
    reference_copy(&work, OUT(0));
    reference_free(&work);
    reference_free(&mask);
}

static void impose_maxima(call *c)
{
    impose(c, 1);
}
static void impose_minima(call *c)
{
    impose(c, -1);
}

/* ---- shortest paths, one sweep over the image after another until nothing changes */

enum { TO_BACKGROUND, TO_LABELS, IN_MASK, GROWTH };

/* The weight of a step; INFINITY: the metric has no such step. */
static double weight_of_step(const char *metric, bool flat, int dx, int dy, int dz)
{
    const int largest =
        abs(dx) > abs(dy) ? (abs(dx) > abs(dz) ? abs(dx) : abs(dz)) : (abs(dy) > abs(dz) ? abs(dy) : abs(dz));
    const int square = dx * dx + dy * dy + dz * dz;
    if (!strcmp(metric, "chessknight") && largest == 2)
        return square == 5 && flat ? 11 : square == 6 && !flat ? 7 : INFINITY;
    if (largest != 1)
        return INFINITY;
    if (!strcmp(metric, "chessknight") && flat)
        return square == 1 ? 5 : 7;
    if (!strcmp(metric, "chessboard"))
        return 1;
    if (!strcmp(metric, "city-block"))
        return square;
    return !strcmp(metric, "quasi-euclidean") ? (float)sqrt(square) : 2 + square;
}

static bool in_mask(const reference_image *image, int64_t at)
{
    return fabs(image->pixels[at]) > 0;
}

/* Tries the step from pixel `from` to pixel `at`. Returns whether it shortens the distance or changes the label. */
static bool walk(const call *c, int kind, double *distance, double *label, int64_t at, int64_t from, double weight)
{
    double length = (double)(float)(distance[from] + weight);
    if (kind == GROWTH) {
        const double limit = (double)((float)S(0) * (IS_FLAT || IN(0)->shape.depth == 1 ? 5 : 3));
        if (!(length < limit) || length > distance[at] || (length == distance[at] && label[from] >= label[at]))
            return false;
    } else {
        const bool other = kind == IN_MASK ? !in_mask(IN(1), from) : label[from] != label[at];
        if (label[at] == 0)
            return false;
        if (other)
            length = kind != IN_MASK || in_mask(IN(0), from) ? weight : INFINITY;
        if (!(length < distance[at]))
            return false;
    }
    distance[at] = length;
    label[at] = kind == GROWTH ? label[from] : label[at];
    return true;
}

static void begin_walk(const call *c, int kind, reference_image *distance, reference_image *label)
{
    for (size_t i = 0; i < reference_count(distance); i++) {
        const double value = IN(0)->pixels[i];
        if (kind == IN_MASK) {
            label->pixels[i] = in_mask(IN(1), (int64_t)i);
            distance->pixels[i] = in_mask(IN(0), (int64_t)i) ? 0 : INFINITY;
            continue;
        }
        label->pixels[i] = kind == TO_BACKGROUND ? fabs(value) > 0 : fmax(trunc(value), 0);
        distance->pixels[i] = (label->pixels[i] > 0) == (kind == GROWTH) ? 0 : INFINITY;
    }
}

static void walk_all(call *c, int kind, const char *metric)
{
    reference_image distance = row_like(IN(0), DRUA_NO_TYPE), label = row_like(IN(0), DRUA_NO_TYPE);
    const drua_shape s = distance.shape;
    struct {
        int x, y, z;
        double weight;
    } steps[125];
    const int deep = s.depth == 1 ? 0 : 2;
    int count = 0;
    for (int n = 0; n < 25 * (2 * deep + 1); n++) {
        const int x = n % 5 - 2, y = n / 5 % 5 - 2, z = n / 25 - deep;
        const double weight = weight_of_step(metric, s.depth == 1, x, y, z);
        if (weight < INFINITY && (x || y || z)) {
            steps[count].x = x;
            steps[count].y = y;
            steps[count].z = z;
            steps[count++].weight = weight;
        }
    }
    begin_walk(c, kind, &distance, &label);
    for (bool changed = true; changed;) {
        changed = false;
        REFERENCE_EACH_PIXEL (s, x, y, z)
            for (int n = 0; n < count; n++) {
                const int64_t at = (z * s.height + y) * s.width + x;
                if (reference_is_inside(s, x + steps[n].x, y + steps[n].y, z + steps[n].z))
                    changed |= walk(c, kind, distance.pixels, label.pixels, at,
                                    at + steps[n].x + s.width * (steps[n].y + s.height * steps[n].z), steps[n].weight);
            }
    }
    if (kind != GROWTH && S(0) != 0)
        for (size_t i = 0; i < reference_count(&distance); i++)
            distance.pixels[i] =
                (double)((float)distance.pixels[i] / (float)weight_of_step(metric, s.depth == 1, 1, 0, 0));
    reference_copy(kind == GROWTH ? &label : &distance, OUT(0));
    reference_free(&distance);
    reference_free(&label);
}

static void distance_to_background(call *c)
{
    walk_all(c, TO_BACKGROUND, TEXT_OF("weights"));
}
static void distance_to_labels(call *c)
{
    walk_all(c, TO_LABELS, TEXT_OF("weights"));
}
static void distance_in_mask(call *c)
{
    walk_all(c, IN_MASK, TEXT_OF("weights"));
}
static void grow_labels(call *c)
{
    walk_all(c, GROWTH, "chessknight");
}

/* ---- a watershed from markers, one pixel after another */

typedef struct {
    drua_shape shape;
    const reference_image *heights;
    double *labels; /* below 0: waits or is a dam */
    int64_t *contact, contacts; /* number of the first contact; 0: none */
    bool box, flat_order;
} basins;

/* The n-th neighbour of a pixel in the order of the flood, or -1 outside the image; false after the last one. */
static bool nth_neighbour(const basins *b, int n, int64_t pixel, int64_t *next)
{
    static const int round[] = {1, 3, 7, 5}; /* left, above, right, below */
    const bool flat = b->shape.depth == 1;
    if (n >= (b->flat_order ? 4 : flat ? 9 : 27))
        return false;
    const int code = b->flat_order ? round[n] : n % 9;
    const int dx = code / 3 - 1, dy = code % 3 - 1, dz = flat ? 0 : n / 9 - 1;
    const int64_t x = pixel % b->shape.width, y = pixel / b->shape.width % b->shape.height,
                  z = pixel / b->shape.width / b->shape.height;
    *next = is_neighbour(b->shape, b->box, x, y, z, dx, dy, dz)
                ? pixel + dx + b->shape.width * (dy + b->shape.height * dz)
                : -1;
    return true;
}

static void touch(basins *b, int64_t pixel)
{
    b->labels[pixel] = -1;
    b->contact[pixel] = ++b->contacts;
}

/* The lowest pixel that waits, or of several the one that was touched first; -1 if none waits. */
static int64_t next_to_flood(const basins *b)
{
    int64_t best = -1;
    for (int64_t i = 0; i < (int64_t)reference_count(b->heights); i++) {
        if (b->labels[i] != -1)
            continue;
        const double a = b->heights->pixels[i], low = best < 0 ? 0 : b->heights->pixels[best];
        if (best < 0 || a < low || (a == low && b->contact[i] < b->contact[best]))
            best = i;
    }
    return best;
}

static void flood_one(basins *b, const reference_image *mask, int64_t pixel, bool dams)
{
    double label = 0;
    bool several = false;
    int64_t next;
    for (int n = 0; nth_neighbour(b, n, pixel, &next); n++)
        if (next >= 0 && b->labels[next] > 0) {
            several = several || (label > 0 && b->labels[next] != label);
            label = label > 0 ? label : b->labels[next];
        }
    b->labels[pixel] = several && dams ? -2 : label;
    for (int n = 0; nth_neighbour(b, n, pixel, &next); n++)
        if (!(several && dams) && next >= 0 && b->labels[next] == 0 && mask->pixels[next] > 0)
            touch(b, next);
}

/* The markers, or the numbers of their connected parts of one value. */
static reference_image basin_markers(const call *c, bool numbered)
{
    reference_image found = row_like(IN(1), DRUA_NO_TYPE);
    const drua_shape s = found.shape;
    double count = 0;
    for (size_t i = 0; i < reference_count(&found); i++) {
        if (!numbered)
            found.pixels[i] = fmax(trunc(IN(1)->pixels[i]), 0);
        if (!numbered || IN(1)->pixels[i] == 0 || found.pixels[i] != 0)
            continue;
        found.pixels[i] = ++count;
        for (bool grows = true; grows;) {
            grows = false;
            REFERENCE_EACH_PIXEL (s, x, y, z) {
                const int64_t at = (z * s.height + y) * s.width + x;
                REFERENCE_EACH_AROUND(dx, dy, dz)
                if (found.pixels[at] == 0 && IN(1)->pixels[at] == IN(1)->pixels[i] &&
                    is_neighbour(s, is_box(c), x, y, z, dx, dy, dz) &&
                    found.pixels[at + dx + s.width * (dy + s.height * dz)] == count) {
                    found.pixels[at] = count;
                    grows = true;
                }
            }
        }
    }
    return found;
}

static void watershed_from_markers(call *c)
{
    const drua_shape s = IN(0)->shape;
    const size_t pixels = reference_count(IN(0));
    reference_image markers = basin_markers(c, S(2) != 0), result = row_like(IN(0), DRUA_NO_TYPE);
    basins b = {s,
                IN(0),
                result.pixels,
                reference_allocate(pixels, sizeof *b.contact),
                0,
                is_box(c),
                s.depth == 1 && S(0) == 4};
    for (int64_t z = 0; z < s.depth; z++)
        for (int64_t x = 0; x < s.width; x++)
            for (int64_t y = 0; y < s.height; y++) {
                const int64_t at = (z * s.height + y) * s.width + x;
                int64_t next;
                if (markers.pixels[at] == 0 || !(IN(2)->pixels[at] > 0))
                    continue;
                b.labels[at] = markers.pixels[at];
                for (int n = 0; nth_neighbour(&b, n, at, &next); n++)
                    if (next >= 0 && markers.pixels[next] == 0 && b.labels[next] == 0)
                        touch(&b, next);
            }
    for (int64_t pixel; (pixel = next_to_flood(&b)) >= 0;)
        flood_one(&b, IN(2), pixel, S(1) != 0);
    for (size_t i = 0; i < pixels; i++)
        result.pixels[i] = fmax(result.pixels[i], 0);
    reference_copy(&result, OUT(0));
    reference_free(&markers);
    reference_free(&result);
    free(b.contact);
}

/* The pixel's neighbours decide on it, one after another; a dam between dams can still join a basin. */
static void immerse_one(basins *b, int64_t pixel, bool *between_dams)
{
    double own = -1;
    int64_t next;
    for (int n = 0; nth_neighbour(b, n, pixel, &next); n++) {
        const double other = next < 0 ? -9 : b->labels[next];
        if (other == -2)
            touch(b, next);
        else if (other == 0 && own == -1)
            own = 0, *between_dams = true;
        else if (other > 0 && (own == -1 || (own == 0 && *between_dams)))
            own = other;
        else if (other > 0 && own > 0 && own != other)
            own = 0, *between_dams = false;
    }
    b->labels[pixel] = own;
}

/* Gives a new label to all reached pixels (-2) that are connected to this one. */
static void found_basin(basins *b, int64_t pixel, double label)
{
    int64_t next;
    b->labels[pixel] = label;
    for (int n = 0; nth_neighbour(b, n, pixel, &next); n++)
        if (next >= 0 && b->labels[next] == -2)
            found_basin(b, next, label);
}

/* Pixels have the labels -9 (dry), -2 (reached) or -1 (waits) before they get the label of a basin. */
static void watershed_by_immersion(call *c)
{
    const drua_shape s = IN(0)->shape;
    const size_t pixels = reference_count(IN(0));
    reference_image result = row_like(IN(0), DRUA_NO_TYPE);
    basins b = {s,
                IN(0),
                result.pixels,
                reference_allocate(pixels, sizeof *b.contact),
                0,
                is_box(c),
                s.depth == 1 && S(2) == 4};
    double level = -INFINITY, label = 0;
    bool between_dams = false;
    for (size_t i = 0; i < pixels; i++)
        b.labels[i] = -9;
    for (double height;; level = height) {
        height = INFINITY;
        for (size_t i = 0; i < pixels; i++)
            if (IN(1)->pixels[i] > 0 && IN(0)->pixels[i] >= S(0) && IN(0)->pixels[i] > level)
                height = fmin(height, IN(0)->pixels[i]);
        if (height > S(1) || isinf(height))
            break;
        for (int is_new = 0; is_new < 2; is_new++) {
            for (int64_t i = 0; i < (int64_t)pixels; i++) {
                const int64_t y = i % s.height, x = i / s.height % s.width, z = i / s.height / s.width, /* columns */
                    at = (z * s.height + y) * s.width + x;
                int64_t next;
                if (IN(1)->pixels[at] <= 0 || IN(0)->pixels[at] != height)
                    continue;
                if (is_new && b.labels[at] == -2)
                    found_basin(&b, at, ++label);
                if (is_new)
                    continue;
                b.labels[at] = -2;
                for (int n = 0; b.labels[at] == -2 && nth_neighbour(&b, n, at, &next); n++)
                    if (next >= 0 && b.labels[next] >= 0)
                        touch(&b, at);
            }
            for (int64_t pixel; !is_new && (pixel = next_to_flood(&b)) >= 0;)
                immerse_one(&b, pixel, &between_dams);
        }
    }
    for (size_t i = 0; i < pixels; i++)
        result.pixels[i] = fmax(result.pixels[i], 0);
    reference_copy(&result, OUT(0));
    reference_free(&result);
    free(b.contact);
}

const call_row rows_geodesic[] = {
    ROW(classic_watershed, "gb", watershed_by_immersion),
    ROW(reconstruction_by_dilation, "g", by_dilation),
    ROW(reconstruction_by_erosion, "g", by_erosion),
    ROW(fill_holes, "g", fill),
    ROW(kill_borders, "g", kill),
    ROW(extended_maxima, "g", maxima),
    ROW(extended_minima, "g", minima),
    ROW(h_maxima, "g", lower_peaks),
    ROW(h_minima, "g", fill_pits),
    ROW(impose_maxima, "gb", impose_maxima),
    ROW(impose_minima, "gb", impose_minima),
    ROW(chamfer_distance_map, "b", distance_to_background),
    ROW(distance_to_label_border, "l", distance_to_labels),
    ROW(geodesic_distance_map, "pb", distance_in_mask),
    ROW(dilate_labels_chamfer, "l", grow_labels),
    ROW(marker_controlled_watershed, "glb", watershed_from_markers),
    {NULL, NULL, NULL, NULL},
};

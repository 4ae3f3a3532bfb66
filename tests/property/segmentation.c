/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Labels and cuts that depend on which of two blurred pixels is larger must equal the reference exactly, on images
 * whose result does not depend on rounding. To find such images, the reference runs again with blurred pixels perturbed
 * by the Gaussian's error bound and by less, because large perturbations of all pixels can hide the effect of one pixel
 * at the edge of a histogram bin. An image whose result changes is drawn again.
 */
#include "harness.h"

#include "hash.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static drua_context *context;
static int all_drawn, used;
static double found;

enum { NUMBERS = 5, MAX_DRAWN = 200, MOVES = 16, SIZES = 4 };

typedef struct images {
    reference_image of[2];
    double off[2];                          /* largest rounding error of a pixel */
} images;

typedef enum content { BLOBS, NOISE, OBJECTS } content;

typedef struct segmentation {
    const char *operation;
    content content;
    int count;                              /* the number of `numbers` */
    void (*numbers)(harness_random *chance, double largest, double *numbers);
    /* images whose pixels may be perturbed */
    images (*blurred)(const reference_image *source, const double *numbers);
    void (*rest)(const reference_image *source, const images *blurred, const double *numbers, reference_image *result);
} segmentation;

/* ---- the operations, starting from the blurred images */

static double sigma(harness_random *chance, bool large)
{
    static const double sigmas[] = {0, 0.6, 1, 1.3, 1.7, 2, 2.4};
    return sigmas[large ? 2 + harness_below(chance, 5) : harness_below(chance, 7)];
}

static double largest_magnitude(const reference_image *image)
{
    return fmax(reference_reduce(image, REFERENCE_MAXIMUM), -reference_reduce(image, REFERENCE_MINIMUM));
}

/* A blur of sigma 0 copies and is exact. */
static void blur_into(const reference_image *source, double x, double y, double z, images *blurred, int which)
{
    blurred->of[which] = reference_make(DRUA_FLOAT32, source->shape);
    blurred->off[which] = x > 0 || y > 0 || z > 0 ? 1e-5 * largest_magnitude(source) : 0;
    reference_gaussian_blur(source, x, y, z, &blurred->of[which]);
}

static images blurred_along_axes(const reference_image *source, const double *n)
{
    images blurred = {.off = {0}};
    blur_into(source, n[0], n[1], n[2], &blurred, 0);
    return blurred;
}

static void sigmas_of_voronoi(harness_random *chance, double largest, double *numbers)
{
    (void)largest;
    numbers[0] = sigma(chance, true);
    numbers[1] = sigma(chance, false);
}

static images blurred_for_voronoi(const reference_image *source, const double *n)
{
    const bool stack = source->shape.dimension == 3;
    images blurred;
    for (int which = 0; which < 2; which++)
        blur_into(source, n[which], n[which], stack ? n[which] : 0, &blurred, which);
    return blurred;
}

static void voronoi(const reference_image *source, const images *blurred, const double *n, reference_image *result)
{
    (void)source, (void)n;
    reference_voronoi_otsu_of_blurred(&blurred->of[0], &blurred->of[1], result);
}

static void sigma_of_outline(harness_random *chance, double largest, double *numbers)
{
    (void)largest;
    numbers[0] = sigma(chance, false);
}

static images blurred_for_components(const reference_image *source, const double *n)
{
    return blurred_along_axes(source, (const double[]){n[0], n[0], n[0]});
}

static void components(const reference_image *source, const images *blurred, const double *n, reference_image *result)
{
    (void)n;
    reference_image mask = reference_make(DRUA_UINT8, source->shape);
    reference_automatic_threshold(&blurred->of[0], "Otsu", &mask);
    reference_connected_components(&mask, REFERENCE_BOX, result);
    reference_free(&mask);
}

static void numbers_of_erosion(harness_random *chance, double largest, double *numbers)
{
    (void)largest;
    numbers[0] = harness_below(chance, 4);
    numbers[1] = sigma(chance, false);
}

static images blurred_for_erosion(const reference_image *source, const double *n)
{
    return blurred_for_components(source, n + 1);
}

static void eroded(const reference_image *source, const images *blurred, const double *n, reference_image *result)
{
    const int64_t radius = (int64_t)n[0];
    reference_image mask = reference_make(DRUA_UINT8, source->shape), small = reference_make(DRUA_UINT8, source->shape);
    reference_automatic_threshold(&blurred->of[0], "Otsu", &mask);
    reference_box(&mask, REFERENCE_MINIMUM, radius, radius, radius, &small);
    reference_masked_voronoi_labeling(&small, &mask, result);
    reference_free(&mask);
    reference_free(&small);
}

static void numbers_of_maxima(harness_random *chance, double largest, double *numbers)
{
    (void)largest;
    for (int axis = 0; axis < 3; axis++)
        numbers[axis] = sigma(chance, false);
    numbers[3] = harness_below(chance, 2);
}

static void numbers_above(harness_random *chance, double largest, double *numbers)
{
    numbers_of_maxima(chance, largest, numbers);
    numbers[4] = numbers[3];
    numbers[3] = (numbers[4] != 0 ? -1 : 1) * largest * (3 + harness_below(chance, 4)) / 10;
    /* a threshold as bright as the brightest pixel, which no pixel exceeds */
    if (harness_below(chance, 4) == 0) {
        numbers[0] = numbers[1] = numbers[2] = numbers[4] = 0;
        numbers[3] = largest;
    }
}

static void maxima_above(const images *blurred, bool invert, double min, reference_image *result)
{
    const drua_shape s = blurred->of[0].shape;
    reference_image heights = reference_make(DRUA_FLOAT32, s), tops = reference_make(DRUA_UINT8, s);
    for (size_t i = 0; i < reference_count(&heights); i++)
        heights.pixels[i] = invert ? -blurred->of[0].pixels[i] : blurred->of[0].pixels[i];
    reference_maxima_along_axes(&heights, &tops);
    for (size_t i = 0; i < reference_count(&tops); i++)
        tops.pixels[i] *= heights.pixels[i] > (float)min;
    reference_connected_components(&tops, REFERENCE_BOX, result);
    reference_free(&heights);
    reference_free(&tops);
}

static void maxima(const reference_image *source, const images *blurred, const double *n, reference_image *result)
{
    (void)source;
    maxima_above(blurred, n[3] != 0, -INFINITY, result);
}

static void bright_maxima(const reference_image *source, const images *blurred, const double *n,
                          reference_image *result)
{
    (void)source;
    maxima_above(blurred, n[4] != 0, n[3], result);
}

static images blurred_distances(const reference_image *source, const double *n)
{
    reference_image distances = reference_make(DRUA_FLOAT32, source->shape);
    reference_distance_map(source, &distances);
    const images result = blurred_along_axes(&distances, n);
    reference_free(&distances);
    return result;
}

static void sigmas_of_distances(harness_random *chance, double largest, double *numbers)
{
    (void)largest;
    for (int axis = 0; axis < 3; axis++)
        numbers[axis] = sigma(chance, axis < 2);
}

static void cut(const reference_image *source, const images *blurred, const double *n, reference_image *result)
{
    (void)n;
    reference_image inside = reference_duplicate(&blurred->of[0]);
    for (size_t i = 0; i < reference_count(&inside); i++)
        inside.pixels[i] = source->pixels[i] != 0 ? inside.pixels[i] : 0;
    reference_cut_objects(source, &inside, result);
    reference_free(&inside);
}

static const segmentation segmentations[] = {
    {"voronoi_otsu_labeling", BLOBS, 2, sigmas_of_voronoi, blurred_for_voronoi, voronoi},
    {"gauss_otsu_labeling", BLOBS, 1, sigma_of_outline, blurred_for_components, components},
    {"eroded_otsu_labeling", BLOBS, 2, numbers_of_erosion, blurred_for_erosion, eroded},
    {"detect_and_label_maxima", NOISE, 4, numbers_of_maxima, blurred_along_axes, maxima},
    {"detect_and_label_maxima_above_threshold", NOISE, 5, numbers_above, blurred_along_axes, bright_maxima},
    {"parametric_watershed", OBJECTS, 3, sigmas_of_distances, blurred_distances, cut},
};

/* ---- images */

static double random_between(harness_random *chance, double low, double high)
{
    return low + (high - low) * harness_below(chance, 1 << 20) / (1 << 20);
}

static double brightest_of_type(drua_type type)
{
    switch (type) {
    case DRUA_UINT8: return 230;
    case DRUA_INT8: return 120;
    case DRUA_FLOAT32: return 3.7;
    default: return 6000;
    }
}

/* Round spots of different sizes, some overlapping: 0 outside, 1 deep inside the brightest. */
static reference_image spots(harness_random *chance, drua_shape s, double largest_radius)
{
    enum { AREA = 110, ROOM = 500 };
    reference_image image = reference_make(DRUA_NO_TYPE, s);
    const int count = 2 + (int)(s.width * s.height * s.depth / (s.depth > 1 ? ROOM : AREA));
    for (int n = 0; n < count; n++) {
        const double at[] = {random_between(chance, -1, (double)s.width), random_between(chance, -1, (double)s.height),
                             random_between(chance, -1, (double)s.depth)};
        const double radius = random_between(chance, 1.5, largest_radius), height = random_between(chance, 0.5, 1);
        REFERENCE_EACH_PIXEL(s, x, y, z) {
            const double dx = (double)x - at[0], dy = (double)y - at[1], dz = s.depth > 1 ? (double)z - at[2] : 0;
            const double value = height * fmin(fmax((radius - sqrt(dx * dx + dy * dy + dz * dz)) / 2 + 0.5, 0), 1);
            reference_put(&image, x, y, z, fmax(value, reference_at(&image, x, y, z)));
        }
    }
    return image;
}

static reference_image picture(harness_random *chance, content kind, drua_type type, drua_shape s)
{
    const bool is_signed = type == DRUA_INT8 || type == DRUA_INT16 || type == DRUA_INT32 || type == DRUA_FLOAT32;
    const double high = brightest_of_type(type), ground = kind == BLOBS && is_signed ? -high / 5 : 0,
                 noise = harness_below(chance, 2) ? high / 20 : 0;
    const int holes = harness_below(chance, 2) ? 40 : 400;
    reference_image image = reference_make(type, s), shape = spots(chance, s, kind == OBJECTS ? 8 : 5);
    REFERENCE_EACH_PIXEL(s, x, y, z) {
        const double spot = reference_at(&shape, x, y, z);
        reference_put(&image, x, y, z,
                      kind == OBJECTS ? (spot > 0.3 && harness_below(chance, holes) ? 1 + harness_below(chance, 3) : 0)
                      : kind == NOISE ? random_between(chance, 0, high)
                                      : ground + (high - ground) * 0.9 * spot + random_between(chance, 0, noise));
    }
    reference_free(&shape);
    return image;
}

/* ---- whether rounding decides, and the engine's result where it does not */

static reference_image moved(const reference_image *image, double off, harness_random *chance)
{
    reference_image result = reference_duplicate(image);
    for (size_t i = 0; i < reference_count(&result); i++)
        result.pixels[i] = (float)(result.pixels[i] + random_between(chance, -off, off));
    return result;
}

static bool is_decided(const segmentation *s, const reference_image *source, const double *numbers,
                       const images *blurred, const reference_image *result, harness_random *chance)
{
    bool same = true;
    char message[256];
    reference_image other = reference_duplicate(result);
    for (int n = 0; n < MOVES && same; n++) {
        images now = *blurred;
        for (int k = 0; k < 2 && blurred->of[k].pixels; k++)
            now.of[k] = moved(&blurred->of[k], blurred->off[k] * pow(4, -(n % SIZES)), chance);
        s->rest(source, &now, numbers, &other);
        same = reference_agrees(result, &other, 0, false, message, sizeof message);
        for (int k = 0; k < 2; k++)
            reference_free(&now.of[k]);
    }
    reference_free(&other);
    return same;
}

typedef struct drawn {
    reference_image source, expected;
    double numbers[NUMBERS];
} drawn;

/* Draws images until rounding does not decide the result of one. */
static drawn draw_case(const segmentation *s, drua_type type, drua_shape shape, drua_type made, harness_random *chance)
{
    for (int tries = 1; tries <= MAX_DRAWN; tries++) {
        drawn d = {.source = picture(chance, s->content, type, shape), .expected = reference_make(made, shape)};
        s->numbers(chance, largest_magnitude(&d.source), d.numbers);
        images blurred = s->blurred(&d.source, d.numbers);
        s->rest(&d.source, &blurred, d.numbers, &d.expected);
        const bool decided = is_decided(s, &d.source, d.numbers, &blurred, &d.expected, chance);
        for (int k = 0; k < 2; k++)
            reference_free(&blurred.of[k]);
        all_drawn++;
        if (decided)
            return d;
        reference_free(&d.source);
        reference_free(&d.expected);
    }
    ck_abort_msg("%s: rounding decides in each of %d pictures", s->operation, MAX_DRAWN);
    return (drawn){.numbers = {0}};
}

/* Pushes the image as a whole, or as a part of a larger image. */
static drua_image push_image(const reference_image *source, bool view)
{
    const drua_shape s = source->shape;
    if (!view)
        return harness_push(context, source);
    reference_image whole = reference_make(source->type, (drua_shape){s.width + 5, s.height + 2, s.depth, s.dimension});
    for (size_t i = 0; i < reference_count(&whole); i++)
        whole.pixels[i] = 99;
    reference_paste(source, 3, 1, 0, &whole);
    drua_argument part[] = {IMAGE(harness_push(context, &whole)),
                            NEW,
                            NUMBER(3),
                            NUMBER(1),
                            NUMBER(0),
                            NUMBER((double)s.width),
                            NUMBER((double)s.height),
                            NUMBER((double)s.depth)};
    REQUIRE(drua_invoke(context, "crop", part, sizeof part / sizeof *part, NULL));
    reference_free(&whole);
    return part[1].image;
}

/* Runs the operation into a new image, or into an existing one of another type. */
static void try_picture(const segmentation *s, drua_type type, drua_shape shape, bool view, drua_type made,
                        harness_random *chance)
{
    drawn d = draw_case(s, type, shape, made ? made : s->content == BLOBS ? DRUA_FLOAT32 : type, chance);
    drua_argument arguments[2 + NUMBERS] = {IMAGE(push_image(&d.source, view)), NEW};
    char message[256];
    for (int n = 0; n < s->count; n++)
        arguments[2 + n] = NUMBER(d.numbers[n]);
    if (made) {
        arguments[1].kind = DRUA_ARG_IMAGE;
        REQUIRE(drua_create(context, shape, made, &arguments[1].image));
    }
    REQUIRE(drua_invoke(context, s->operation, arguments, (size_t)(2 + s->count), NULL));
    reference_image got = harness_pull(context, arguments[1].image);
    ck_assert_msg(reference_agrees(&d.expected, &got, 0, false, message, sizeof message),
                  "%s of %d x %d x %d, type %d, %g, %g, %g, %g: %s", s->operation, (int)shape.width, (int)shape.height,
                  (int)shape.depth, (int)type, d.numbers[0], d.numbers[1], d.numbers[2], d.numbers[3], message);
    found += reference_reduce(&d.expected, s->content == OBJECTS ? REFERENCE_SUM : REFERENCE_MAXIMUM);
    used++;
    reference_free(&got);
    reference_free(&d.source);
    reference_free(&d.expected);
    REQUIRE(drua_clear(context));
}

static void try_all(uint64_t seed, int rounds)
{
    static const drua_shape shapes[] = {{37, 29, 1, 2}, {64, 23, 1, 2}, {130, 11, 1, 2}, {21, 50, 1, 2},
                                        {17, 13, 7, 3}, {22, 15, 5, 3}, {33, 30, 1, 3}};
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    context = harness_open();
    for (size_t n = 0; n < sizeof segmentations / sizeof *segmentations; n++) {
        const segmentation *s = &segmentations[n];
        harness_random chance = {drua_hash(seed, s->operation, strlen(s->operation))};
        all_drawn = used = 0;
        found = 0;
        for (int round = 0; round < rounds; round++)
            for (int t = 0; harness_types[t]; t++)
                try_picture(s, harness_types[t], shapes[(t + round) % SHAPES], round % 3 == 1,
                            round % 3 == 2 ? DRUA_UINT16 : DRUA_NO_TYPE, &chance);
        printf("%s: %d pictures, of %d drawn; %g %s\n", s->operation, used, all_drawn, found,
               s->content == OBJECTS ? "pixels stay" : "labels");
        ck_assert_msg(found > used, "%s finds too little: %g", s->operation, found);
    }
    drua_close(context);
}

START_TEST(fixed_seed)
{
    try_all(1, 7);
}
END_TEST

START_TEST(new_seed)
{
    try_all(harness_new_seed("property_segmentation"), 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("segmentation");
    TCase *tests = tcase_create("segmentation");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, fixed_seed);
    tcase_add_test(tests, new_seed);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

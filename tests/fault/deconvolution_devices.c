/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests deconvolution on two devices, one of which fails at some call or has too little memory. The result must have
 * the same bytes as on one device.
 */
#include "harness.h"
#include "loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 26, H = 40, D = 66, CHANNELS = 2, FRAMES = 3 };

static drua_context *context;
static harness_random chance;
static drua_image source, psf, mask;

static void set_up(void)
{
    loader_find();
    ck_assert_uint_eq(drua_device_count(), 2);
    REQUIRE(drua_open("0", &context));
    chance.state = harness_new_seed("deconvolution_devices");
}

/* Kernels of single passes compile faster. */
static void begin_with_steps(void)
{
    setenv("DRUA_FFT", "steps", 0);
    set_up();
}

static void tear_down(void)
{
    drua_close(context);
}

static const char *const devices[] = {"devices=all", "devices=1"};
enum { DEVICES = sizeof devices / sizeof *devices };

static char *bytes_of(drua_context *owner, drua_image image, size_t *count)
{
    drua_image_info info;
    REQUIRE(drua_get_info(owner, image, &info));
    char *bytes = reference_allocate(1, info.bytes);
    REQUIRE(drua_pull(owner, image, bytes));
    *count = info.bytes;
    return bytes;
}

/* ---- devices of the same model and driver, one at a time */

static char *deconvolved_on(const char *device, const reference_image *image, const reference_image *kernel,
                            size_t *count)
{
    drua_context *own;
    REQUIRE(drua_open(device, &own));
    drua_argument arguments[] = {IMAGE(harness_push(own, image)), IMAGE(harness_push(own, kernel)), NEW,
                                 NAME("iterations=3 edges=circulant")};
    REQUIRE(drua_invoke(own, "deconvolve", arguments, 4, NULL));
    char *bytes = bytes_of(own, arguments[2].image, count);
    drua_close(own);
    return bytes;
}

/* Tests powers of two, products with larger prime factors, and a prime extent, which uses a longer transform. */
START_TEST(devices_of_a_kind_give_the_same_bits)
{
    static const int extents[][3] = {{32, 16, 8}, {60, 45, 1}, {34, 31, 5}};
    reference_image image = harness_image(
        &chance, DRUA_FLOAT32, reference_stack(extents[_i][0], extents[_i][1], extents[_i][2]), HARNESS_POSITIVE);
    reference_image kernel =
        harness_image(&chance, DRUA_FLOAT32, reference_stack(5, 3, extents[_i][2] > 1 ? 3 : 1), HARNESS_POSITIVE);
    size_t first, second;
    char *one = deconvolved_on("0", &image, &kernel, &first), *other = deconvolved_on("1", &image, &kernel, &second);
    ck_assert_uint_eq(first, second);
    ck_assert_msg(!memcmp(one, other, first), "%d x %d x %d: the bits of the devices differ", extents[_i][0],
                  extents[_i][1], extents[_i][2]);
    free(one), free(other);
    reference_free(&image), reference_free(&kernel);
}
END_TEST

/* ---- blocks of one image */

/* The pixels of a result, and the call's table as numbers. */
typedef struct outcome {
    char *bytes;
    double *cells;
    size_t count, cell_count;
} outcome;

static void make_scene(int psf_width)
{
    reference_image image = harness_image(&chance, DRUA_UINT16, reference_stack(W, H, D), HARNESS_POSITIVE);
    reference_image kernel = harness_image(&chance, DRUA_FLOAT32, reference_stack(psf_width, 9, 9), HARNESS_POSITIVE);
    reference_image bad = harness_image(&chance, DRUA_UINT8, reference_stack(W, H, D), HARNESS_SPOTS);
    source = harness_push(context, &image);
    psf = harness_push(context, &kernel);
    mask = harness_push(context, &bad);
    reference_free(&image), reference_free(&kernel), reference_free(&bad);
}

static drua_status deconvolve_image(bool masked, const char *options, const char *shared_by, outcome *o)
{
    char text[256];
    drua_table *table = NULL;
    snprintf(text, sizeof text, "%s %s", options, shared_by);
    drua_argument all[] = {IMAGE(source), IMAGE(psf), IMAGE(mask), NEW, NAME(text)},
                  some[] = {all[0], all[1], all[3], all[4]};
    drua_argument *arguments = masked ? all : some;
    const int result = masked ? 3 : 2;
    const drua_status status =
        drua_invoke(context, masked ? "deconvolve_masked" : "deconvolve", arguments, (size_t)result + 2, &table);
    *o = (outcome){NULL};
    if (status != DRUA_OK)
        return status;
    o->bytes = bytes_of(context, arguments[result].image, &o->count);
    REQUIRE(drua_release(context, arguments[result].image));
    if (table) {
        o->cell_count = (size_t)table->columns * (size_t)table->rows;
        o->cells = reference_allocate(o->cell_count, sizeof *o->cells);
        memcpy(o->cells, table->cells, o->cell_count * sizeof *o->cells);
        drua_table_free(table);
    }
    return status;
}

static void outcome_free(outcome *o)
{
    free(o->bytes), free(o->cells);
}

/* Fails unless both outcomes are equal, and frees `other`. */
static void expect_same(const outcome *one, outcome *other, const char *options, const char *shared_by)
{
    ck_assert_uint_eq(one->count, other->count);
    ck_assert_uint_eq(one->cell_count, other->cell_count);
    ck_assert_msg(!memcmp(one->bytes, other->bytes, one->count), "%s: the bits differ with %s", options, shared_by);
    ck_assert_msg(!one->cell_count || !memcmp(one->cells, other->cells, one->cell_count * sizeof *one->cells),
                  "%s: the table differs with %s", options, shared_by);
    outcome_free(other);
}

static uint64_t parts(void)
{
    drua_statistics statistics;
    drua_get_statistics(context, &statistics);
    return statistics.tiles;
}

static const struct {
    const char *options, *budget;
    bool masked;
} blocks[] = {{"iterations=4", "1700KB", false},
              {"iterations=5 accelerate tv=0.005 tv_floor=0.03 edges=mirror background=1", "1800KB", false},
              {"iterations=5 accelerate=biggs_andrews", "2900KB", false},
              {"iterations=40 stop=0.02 curve=2", "1700KB", false},
              {"iterations=3 edges=circulant saturated=90", "1150KB", false},
              {"iterations=3", "1700KB", true}};

/*
 * Compares with the result of one device without the option devices. Transforms and their tables are made beforehand,
 * because the memory of these tables also affects the thickness of blocks.
 */
START_TEST(blocks_have_the_bytes_of_one_device)
{
    outcome one, other;
    make_scene(7);
    REQUIRE(drua_set_memory(context, blocks[_i].budget));
    REQUIRE(deconvolve_image(blocks[_i].masked, blocks[_i].options, "devices=0", &other));
    const uint64_t before = parts();
    outcome_free(&other);
    REQUIRE(deconvolve_image(blocks[_i].masked, blocks[_i].options, "", &one));
    ck_assert_uint_gt(parts() - before, 2);
    for (int k = 0; k < DEVICES; k++) {
        REQUIRE(deconvolve_image(blocks[_i].masked, blocks[_i].options, devices[k], &other));
        expect_same(&one, &other, blocks[_i].options, devices[k]);
    }
    outcome_free(&one);
    ck_assert_str_eq(drua_take_messages(context), "");
}
END_TEST

/*
 * An image that fits one device is not divided, whichever devices the options name. A view with gaps is copied to dense
 * rows.
 */
START_TEST(images_that_fit_and_views)
{
    outcome one, other;
    make_scene(13);
    REQUIRE(deconvolve_image(false, "iterations=3 curve", "", &one));
    REQUIRE(deconvolve_image(false, "iterations=3 curve", "devices=all", &other));
    expect_same(&one, &other, "all at once", "devices=all");
    outcome_free(&one);
    drua_argument turned[] = {IMAGE(source), NEW},
                  crop[] = {IMAGE(psf), NEW, NUMBER(1), NUMBER(1), NUMBER(1), NUMBER(10), NUMBER(7), NUMBER(7)};
    REQUIRE(drua_invoke(context, "transpose_xz", turned, 2, NULL));
    REQUIRE(drua_invoke(context, "crop", crop, 8, NULL));
    source = turned[1].image;
    psf = crop[1].image;
    REQUIRE(drua_set_memory(context, "2200KB"));
    REQUIRE(deconvolve_image(false, "iterations=3", "devices=all", &other));
    const uint64_t before = parts();
    REQUIRE(deconvolve_image(false, "iterations=3", "", &one));
    ck_assert_uint_gt(parts() - before, 1);
    expect_same(&one, &other, "views", "devices=all");
    outcome_free(&one);
}
END_TEST

/* ---- frames */

static drua_image stack, psfs;
static int slices; /* per frame */
static reference_image light, kernels[CHANNELS];

static drua_image push_slices(const reference_image *image, int64_t first, int64_t step, int64_t depth)
{
    const size_t plane = (size_t)(image->shape.width * image->shape.height);
    reference_image some = *image;
    some.shape.depth = depth;
    some.pixels = reference_allocate(plane * (size_t)depth, sizeof *some.pixels);
    for (int64_t z = 0; z < depth; z++)
        memcpy(some.pixels + (size_t)z * plane, image->pixels + (size_t)(first + z * step) * plane,
               plane * sizeof *some.pixels);
    const drua_image pushed = harness_push(context, &some);
    reference_free(&some);
    return pushed;
}

static void make_hyperstack(int depth)
{
    slices = depth;
    light = harness_image(&chance, DRUA_UINT16, reference_stack(W, H, slices * CHANNELS * FRAMES), HARNESS_POSITIVE);
    reference_image both = harness_image(&chance, DRUA_FLOAT32, reference_stack(11, 5, 3 * CHANNELS), HARNESS_POSITIVE);
    stack = harness_push(context, &light);
    psfs = harness_push(context, &both);
    for (int c = 0; c < CHANNELS; c++) {
        const drua_image one = push_slices(&both, 3 * c, 1, 3);
        kernels[c] = harness_pull(context, one);
        REQUIRE(drua_release(context, one));
    }
    reference_free(&both);
}

static void forget_hyperstack(void)
{
    reference_free(&light);
    for (int c = 0; c < CHANNELS; c++)
        reference_free(&kernels[c]);
}

static drua_status restore(const char *options, const char *shared_by, outcome *o)
{
    char text[256];
    snprintf(text, sizeof text, "%s %s", options, shared_by);
    drua_argument arguments[] = {IMAGE(stack),   IMAGE(psfs),      NEW,       NUMBER(CHANNELS),
                                 NUMBER(FRAMES), NUMBER(CHANNELS), NAME(text)};
    const drua_status status = drua_invoke(context, "deconvolve_frames", arguments, 7, NULL);
    *o = (outcome){NULL};
    if (status != DRUA_OK)
        return status;
    o->bytes = bytes_of(context, arguments[2].image, &o->count);
    return drua_release(context, arguments[2].image);
}

/* Deconvolves each frame with a separate call. */
static outcome restore_one_by_one(const char *options)
{
    const size_t plane = W * H * sizeof(float);
    outcome all = {reference_allocate((size_t)(slices * CHANNELS * FRAMES), plane), NULL,
                   (size_t)slices * CHANNELS * FRAMES * plane, 0};
    for (int number = 0; number < CHANNELS * FRAMES; number++) {
        const int c = number % CHANNELS, first = number / CHANNELS * slices * CHANNELS + c;
        size_t count;
        drua_argument arguments[] = {IMAGE(push_slices(&light, first, CHANNELS, slices)),
                                     IMAGE(harness_push(context, &kernels[c])), NEW, NAME(options)};
        REQUIRE(drua_invoke(context, "deconvolve", arguments, 4, NULL));
        char *bytes = bytes_of(context, arguments[2].image, &count);
        for (int z = 0; z < slices; z++)
            memcpy(all.bytes + (size_t)(first + z * CHANNELS) * plane, bytes + (size_t)z * plane, plane);
        free(bytes);
        for (int i = 0; i < 3; i++)
            REQUIRE(drua_release(context, arguments[i].image));
    }
    return all;
}

START_TEST(frames_have_the_bytes_of_one_by_one)
{
    static const char *const options[] = {"iterations=3", "iterations=15 accelerate background=0.5 stop=0.01",
                                          "iterations=3 slices edges=mirror"};
    outcome one, other;
    make_hyperstack(9);
    one = restore_one_by_one(options[_i]);
    for (int k = 0; k <= DEVICES; k++) {
        REQUIRE(restore(options[_i], k < DEVICES ? devices[k] : "", &other));
        expect_same(&one, &other, options[_i], k < DEVICES ? devices[k] : "one device");
    }
    outcome_free(&one);
    forget_hyperstack();
    ck_assert_str_eq(drua_take_messages(context), "");
}
END_TEST

/* The same image with its pixels stored in memory in reverse order. */
static drua_image mirrored(drua_image image)
{
    drua_argument flip[] = {IMAGE(image), NEW, NUMBER(1), NUMBER(1), NUMBER(0)};
    REQUIRE(drua_invoke(context, "flip", flip, 5, NULL));
    reference_image other_order = harness_pull(context, flip[1].image);
    flip[0] = IMAGE(harness_push(context, &other_order));
    flip[1] = NEW;
    REQUIRE(drua_invoke(context, "flip", flip, 5, NULL));
    reference_free(&other_order);
    return flip[1].image;
}

START_TEST(frames_of_mirrored_images)
{
    outcome one, other;
    make_hyperstack(9);
    REQUIRE(restore("iterations=3", "", &one));
    stack = mirrored(stack);
    psfs = mirrored(psfs);
    REQUIRE(restore("iterations=3", "", &other));
    expect_same(&one, &other, "mirrored", "one device");
    outcome_free(&one);
    forget_hyperstack();
}
END_TEST

/* The host's part in a call: how often the host waits, and the number of bytes that it receives. */
typedef struct left_to_host {
    uint64_t waits, bytes;
} left_to_host;

static left_to_host left_by(const char *operation, drua_argument *arguments, size_t count)
{
    drua_statistics before, after;
    drua_get_statistics(context, &before);
    REQUIRE(drua_invoke(context, operation, arguments, count, NULL));
    drua_get_statistics(context, &after);
    REQUIRE(drua_release(context, arguments[2].image));
    return (left_to_host){after.waits - before.waits, after.spilled_bytes - before.spilled_bytes};
}

/*
 * For each frame, the host waits as often as for one deconvolution whose transforms are already chosen. No pixel is
 * copied to the host.
 */
START_TEST(frames_stay_on_a_device_that_serves_alone)
{
    outcome other;
    make_hyperstack(9);
    for (int k = 0; k < 2; k++) {
        const char *options = k ? "iterations=3 devices=0" : "iterations=3";
        const drua_image frame = push_slices(&light, 0, CHANNELS, slices),
                         psf_of_frame = harness_push(context, &kernels[0]);
        drua_argument alone[] = {IMAGE(frame), IMAGE(psf_of_frame), NEW, NAME(options)};
        drua_argument all[] = {IMAGE(stack),   IMAGE(psfs),      NEW,          NUMBER(CHANNELS),
                               NUMBER(FRAMES), NUMBER(CHANNELS), NAME(options)};
        REQUIRE(restore(options, "", &other));
        outcome_free(&other);
        const left_to_host one = left_by("deconvolve", alone, 4), frames = left_by("deconvolve_frames", all, 7);
        ck_assert_uint_eq(frames.bytes, 0);
        ck_assert_uint_eq(frames.waits, CHANNELS * FRAMES * one.waits);
        stack = mirrored(stack);
    }
    forget_hyperstack();
}
END_TEST

/* If no frame fits a device, the devices share the blocks of each frame. */
START_TEST(frames_in_blocks)
{
    outcome one, other;
    make_hyperstack(48);
    REQUIRE(drua_set_memory(context, "1100KB"));
    REQUIRE(restore("iterations=3", "devices=0", &other));
    outcome_free(&other);
    const uint64_t before = parts();
    one = restore_one_by_one("iterations=3");
    ck_assert_uint_gt(parts() - before, CHANNELS * FRAMES);
    for (int k = 0; k < DEVICES; k++) {
        REQUIRE(restore("iterations=3", devices[k], &other));
        expect_same(&one, &other, "frames in blocks", devices[k]);
    }
    outcome_free(&one);
    forget_hyperstack();
}
END_TEST

START_TEST(what_is_refused)
{
    outcome none;
    make_scene(7);
    make_hyperstack(9);
    REFUSED(DRUA_E_ARGUMENT, deconvolve_image(false, "", "devices=7", &none), "devices", "'7'", "drua devices");
    REFUSED(DRUA_E_ARGUMENT, deconvolve_image(false, "", "devices=all keep_partial", &none), "devices=all",
            "keep_partial");
    REFUSED(DRUA_E_ARGUMENT, restore("", "keep_partial", &none), "keep_partial");
    REFUSED(
        DRUA_E_ARGUMENT,
        INVOKE(context, "deconvolve_frames", IMAGE(stack), IMAGE(psfs), NEW, NUMBER(5), NUMBER(1), NUMBER(1), NAME("")),
        "source", "54", "5");
    REFUSED(
        DRUA_E_ARGUMENT,
        INVOKE(context, "deconvolve_frames", IMAGE(stack), IMAGE(psfs), NEW, NUMBER(3), NUMBER(1), NUMBER(2), NAME("")),
        "psfs", "3", "2");
    light.type = DRUA_FLOAT32;
    light.pixels[W * H * (slices * CHANNELS + 3)] = -1; /* second channel, second slice, second frame */
    stack = harness_push(context, &light);
    REFUSED(DRUA_E_ARGUMENT, restore("iterations=2", "devices=all", &none), "channel 2, frame 2", "negative");
    forget_hyperstack();
}
END_TEST

/* ---- devices that fail */

/* Makes the n-th driver call fail; returns whether the run reached it. */
static bool try_with_failing_call(const outcome *one, bool of_frames, long n, int *left_out)
{
    outcome other;
    loader.fail_after(n);
    drua_status status = of_frames ? restore("iterations=2", "devices=all", &other)
                                   : deconvolve_image(false, "iterations=2", "devices=all", &other);
    const bool fired = loader.fired();
    loader.fail_after(0);
    *left_out += strstr(drua_take_messages(context), "left out") != NULL;
    if (status != DRUA_OK && drua_is_lost(context)) {
        ck_assert_int_eq(status, DRUA_E_DEVICE);
        return fired;
    }
    if (status != DRUA_OK)
        REQUIRE(of_frames ? restore("iterations=2", "devices=all", &other)
                          : deconvolve_image(false, "iterations=2", "devices=all", &other));
    expect_same(one, &other, "a device that fails", "devices=all");
    return fired;
}

static const outcome *expected;

static bool frames_with_failing_call(long n, int *left_out)
{
    return try_with_failing_call(expected, true, n, left_out);
}

static bool blocks_with_failing_call(long n, int *left_out)
{
    return try_with_failing_call(expected, false, n, left_out);
}

START_TEST(a_device_that_fails_is_left_out_of_frames)
{
    make_hyperstack(6);
    outcome one = restore_one_by_one("iterations=2");
    expected = &one;
    loader_fail_until_left_out(frames_with_failing_call, 3);
    outcome_free(&one);
    forget_hyperstack();
}
END_TEST

START_TEST(a_device_that_fails_is_left_out_of_blocks)
{
    outcome one;
    make_scene(7);
    REQUIRE(drua_set_memory(context, "1700KB"));
    REQUIRE(deconvolve_image(false, "iterations=2", "devices=0", &one));
    expected = &one;
    loader_fail_until_left_out(blocks_with_failing_call, 3);
    outcome_free(&one);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("devices of deconvolutions");
    TCase *several = tcase_create("devices"), *in_blocks = tcase_create("blocks"), *faults = tcase_create("faults");
    tcase_add_checked_fixture(several, set_up, tear_down);
    tcase_add_checked_fixture(in_blocks, begin_with_steps, tear_down);
    tcase_add_checked_fixture(faults, begin_with_steps, tear_down);
    tcase_add_loop_test(several, devices_of_a_kind_give_the_same_bits, 0, 3);
    tcase_add_loop_test(several, frames_have_the_bytes_of_one_by_one, 0, 3);
    tcase_add_test(several, frames_of_mirrored_images);
    tcase_add_test(several, frames_stay_on_a_device_that_serves_alone);
    tcase_add_test(several, what_is_refused);
    harness_add(in_blocks, blocks_have_the_bytes_of_one_device, (int)(sizeof blocks / sizeof *blocks));
    harness_add(in_blocks, images_that_fit_and_views, 1);
    harness_add(in_blocks, frames_in_blocks, 1);
    tcase_add_test(faults, a_device_that_fails_is_left_out_of_frames);
    tcase_add_test(faults, a_device_that_fails_is_left_out_of_blocks);
    suite_add_tcase(suite, several);
    suite_add_tcase(suite, in_blocks);
    suite_add_tcase(suite, faults);
    return harness_run(suite);
}

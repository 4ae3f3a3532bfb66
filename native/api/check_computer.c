/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests what Drua can use on this computer, and reports it as a text that users send when they ask for help. */
#include "context.h"

#include "c_locale.h"
#include "clock.h"
#include "error.h"
#include "file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 24, FIRST = 8, LAST = 15, VOXELS = SIDE * SIDE * SIDE, MAX_ARGUMENTS = 7, COPIED = 64 << 20 };

static const double GIGA = 1e9;

/*
 * An operation and the sum or maximum of its result. The input is a stack of zeros with a cube of ones, 8 pixels wide
 * and 8 pixels from each edge. The numbers follow from geometry: 14336 = 24^3 + 8^3, 512 = 8^3, 1000 = 10^3,
 * 13312 = 24^3 - 8^3, 432 = 8^3 without edges and corners, and for distances to the surface 800 = 8^3 + 6^3 + 4^3 +
 * 2^3.
 */
typedef struct trial {
    const char *operation;
    int images; /* number of input images, all of which show the cube */
    int numbers;
    double number[4];
    const char *measure;    /* the operation that reduces the result to a number */
    double expected;
} trial;

/* The report, and the callback for its progress. */
typedef struct check {
    drua_text *text;
    drua_check_callback watch;
    void *payload;
    size_t done, all;       /* number of steps */
    bool stopped;
} check;

static const trial trials[] = {
    {"add_image_and_scalar", 1, 1, {1}, "sum_of_all_pixels", 14336},
    {"gaussian_blur", 1, 3, {1, 1, 1}, "sum_of_all_pixels", 512},
    {"maximum_box", 1, 3, {1, 1, 1}, "sum_of_all_pixels", 1000},
    {"median_box", 1, 3, {1, 1, 1}, "sum_of_all_pixels", 432},
    {"distance_map", 1, 0, {0}, "sum_of_all_pixels", 800},
    {"connected_components_box", 1, 0, {0}, "sum_of_all_pixels", 512},
    {"histogram", 1, 3, {256, 0, 1}, "maximum_of_all_pixels", 13312},
    {"convolve_fft", 2, 0, {0}, "sum_of_all_pixels", 512},
};

enum {
    TRIALS = sizeof trials / sizeof *trials,
    STEPS = TRIALS + 2 /* steps for a device: opening it, the trials, and measuring rates */
};

/* Reports progress before each step. Returns false if the callback stops the check. */
static bool report_step(check *c)
{
    if (c->watch && !c->stopped)
        c->stopped = !c->watch(c->payload, (double)c->done / (double)c->all);
    c->done++;
    return !c->stopped;
}

static drua_status push_cube(drua_context *context, drua_image *image)
{
    const drua_shape shape = {.width = SIDE, .height = SIDE, .depth = SIDE, .dimension = 3};
    float *pixels = calloc(VOXELS, sizeof *pixels);
    if (!pixels)
        return drua_fail_memory(VOXELS * sizeof *pixels);
    for (int z = FIRST; z <= LAST; z++)
        for (int y = FIRST; y <= LAST; y++)
            for (int x = FIRST; x <= LAST; x++)
                pixels[(z * SIDE + y) * SIDE + x] = 1;
    const drua_status status = drua_push(context, shape, DRUA_FLOAT32, pixels, image);
    free(pixels);
    return status;
}

static drua_status run_trial(drua_context *context, const trial *t, drua_image cube, double *found)
{
    drua_argument arguments[MAX_ARGUMENTS] = {0};
    size_t count = 0;
    for (int i = 0; i < t->images; i++)
        arguments[count++] = (drua_argument){.kind = DRUA_ARG_IMAGE, .image = cube};
    const size_t result = count++;
    for (int i = 0; i < t->numbers; i++)
        arguments[count++] = (drua_argument){.kind = DRUA_ARG_NUMBER, .number = t->number[i]};
    DRUA_TRY(drua_invoke(context, t->operation, arguments, count, NULL));
    drua_argument measured[2] = {arguments[result]};
    const drua_status status = drua_invoke(context, t->measure, measured, 2, NULL);
    *found = measured[1].number;
    drua_release(context, arguments[result].image);
    return status;
}

static bool test_operations(drua_context *context, check *c)
{
    drua_text *text = c->text;
    drua_image cube;
    bool right = true;
    if (push_cube(context, &cube) != DRUA_OK) {
        drua_text_add(text, "  self-test: %s\n", drua_error_message());
        return false;
    }
    drua_text_add(text, "  %-26s %-16s %s\n", "test operation", "sum or maximum", "verdict");
    for (size_t i = 0; i < TRIALS && report_step(c); i++) {
        const trial *t = &trials[i];
        double found = 0;
        if (run_trial(context, t, cube, &found) != DRUA_OK)
            drua_text_add(text, "  %-26s FAILED: %s\n", t->operation, drua_error_message());
        else
            drua_text_add(text, "  %-26s %-16.7g %s\n", t->operation, found,
                          fabs(found - t->expected) <= 1e-4 * t->expected ? "correct" : "WRONG");
        if (!(fabs(found - t->expected) <= 1e-4 * t->expected)) {
            drua_text_add(text, "  %-26s %-16.7g expected\n", "", t->expected);
            right = false;
        }
    }
    drua_release(context, cube);
    return right;
}

/* Bytes read and written per second by one CPU thread, for comparison. */
static double measure_memory(char *bytes)
{
    double min = INFINITY;
    for (int i = 0; i < 4; i++) {       /* the first round only touches the memory */
        const double start = drua_seconds();
        memmove(bytes + COPIED, bytes, COPIED);
        const double seconds = drua_seconds() - start;
        if (i > 0 && seconds < min)
            min = seconds;
    }
    return 2.0 * COPIED / min;
}

static drua_status measure_transfers(drua_context *context, char *bytes, double *to, double *from)
{
    const drua_shape shape = {.width = 8192, .height = COPIED / 8192, .depth = 1, .dimension = 2};
    for (int i = 0; i < 2; i++) {       /* the first round allocates buffers */
        drua_image image;
        const double start = drua_seconds();
        DRUA_TRY(drua_push(context, shape, DRUA_UINT8, bytes, &image));
        drua_status status = drua_sync(context);
        const double uploaded = drua_seconds();
        if (status == DRUA_OK)
            status = drua_pull(context, image, bytes + COPIED);
        *to = COPIED / (uploaded - start);
        *from = COPIED / (drua_seconds() - uploaded);
        drua_release(context, image);
        DRUA_TRY(status);
    }
    return DRUA_OK;
}

static bool measure_rates(drua_context *context, bool is_gpu, drua_text *text)
{
    double device = 0, to = 0, from = 0;
    char *bytes = calloc(2, COPIED);
    if (!bytes) {
        drua_text_add(text, "  rates: not measured, because less than %d MB of memory are free\n", 2 * (COPIED >> 20));
        return false;
    }
    drua_status status = drua_measure_copy(context, COPIED, &device);
    if (status == DRUA_OK)
        status = measure_transfers(context, bytes, &to, &from);
    /* after the transfers, because before them the compiler knows that all bytes are 0, and leaves out the copy */
    const double thread = status == DRUA_OK ? measure_memory(bytes) : 0;
    free(bytes);
    if (status != DRUA_OK) {
        drua_text_add(text, "  rates: %s\n", drua_error_message());
        return false;
    }
    const struct {
        const char *what;
        double rate;
    } rates[] = {
        {"copies in its memory", device}, {"one CPU thread", thread}, {"host to device", to}, {"device to host", from}};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        drua_text_add(text, "  %-26s %-6.1f GB/s\n", rates[i].what, rates[i].rate / GIGA);
    if (is_gpu && device < thread)
        drua_text_add(text, "  This is slow for a GPU: it may be saving energy, be shared with other users, or be "
                            "emulated by the driver.\n");
    return true;
}

static bool check_device(size_t index, const char *taken, check *c)
{
    drua_text *text = c->text;
    drua_device_info info;
    drua_context *context;
    char selector[24];
    c->done = 1 + index * STEPS;
    if (!report_step(c) || drua_device_inspect(index, &info) != DRUA_OK)
        return false;
    snprintf(selector, sizeof selector, "%zu", index);
    drua_text_add(text, "\nDevice %zu%s: %s (%s)\n", index, strcmp(info.name, taken) ? "" : ", which Drua uses",
                  info.name, info.platform);
    drua_text_add(text, "  %s, %llu units at %llu MHz, %.1f GB, images up to %.1f GB, %s, driver %s\n",
                  info.is_gpu ? "GPU" : "CPU", (unsigned long long)info.compute_units,
                  (unsigned long long)info.clock_mhz, (double)info.global_memory / GIGA,
                  (double)info.largest_allocation / GIGA, info.version, info.driver);
    if (drua_open(selector, &context) != DRUA_OK) {
        drua_text_add(text, "  CANNOT BE OPENED: %s\n", drua_error_message());
        return false;
    }
    const bool right = test_operations(context, c),
               works = report_step(c) && measure_rates(context, info.is_gpu, text) && right;
    drua_close(context);
    return works;
}

static void add_system(drua_text *text)
{
    char file[1024], cache[1024];
    drua_text_add(text, "Drua %s\nOpenCL: %s\n", DRUA_VERSION,
                  drua_device_opencl_file(file, sizeof file) ? file : "none");
    if (drua_file_cache_folder(cache, sizeof cache, true))
        drua_text_add(text, "cache folder: %s\n", cache);
    else if (drua_file_cache_is_open(cache, sizeof cache))
        drua_text_add(text,
                      "cache folder: none, because %s belongs to another user or other users can write to it; kernels "
                      "are compiled at each start. Make the folder writable only for yourself (chmod go-w) or set "
                      "DRUA_CACHE to another folder.\n",
                      cache);
    else
        drua_text_add(text, "cache folder: none, so kernels are compiled at each start\n");
}

/* Copies the name of the device that drua_open chooses (on failure ""), and adds its warning to the report. */
static drua_status find_best_device(char *taken, size_t size, drua_text *text)
{
    drua_context *context;
    *taken = 0;
    DRUA_TRY(drua_open("", &context));
    snprintf(taken, size, "%s", drua_device_name(context));
    if (*drua_context_warning(context))
        drua_text_add(text, "%s\n", drua_context_warning(context));
    drua_close(context);
    return DRUA_OK;
}

/* Adds the first sentence of the report: whether Drua works on this computer. */
static void add_answer(drua_text *text, drua_status status, const char *taken)
{
    if (status == DRUA_OK)
        drua_text_add(text, "Drua works on this computer and uses %s.\n\n", taken);
    else
        drua_text_add(text, "%s%s.\n\n", status == DRUA_E_CANCELLED ? "" : "Drua does not work on this computer: ",
                      drua_error_message());
}

static drua_status check_devices(check *c, char *taken, size_t size)
{
    bool works = false;
    add_system(c->text);
    const drua_status status = find_best_device(taken, size, c->text);
    const size_t count = status == DRUA_OK ? drua_device_count() : 0;
    c->all = 1 + count * STEPS;
    for (size_t i = 0; i < count && !c->stopped; i++)
        works = check_device(i, taken, c) || works;
    if (c->stopped)
        return drua_fail(DRUA_E_CANCELLED, "the check was stopped on request");
    if (status == DRUA_OK && !works)
        return drua_fail(DRUA_E_DEVICE,
                         "no OpenCL device of this computer passes Drua's self-test; install a newer driver for it");
    return status;
}

drua_status drua_check_computer(drua_check_callback watch, void *payload, const char **report)
{
    drua_text details = {0}, *text = drua_thread_text();
    check c = {.text = &details, .watch = watch, .payload = payload};
    char taken[256] = "";
    drua_status status = drua_device_check_fork();
    if (status == DRUA_OK) {
        drua_locale_enter();
        status = check_devices(&c, taken, sizeof taken);
        drua_locale_leave();
    }
    add_answer(text, status, taken);
    drua_text_append(text, drua_text_characters(&details), details.length);
    drua_text_free(&details);
    *report = drua_text_characters(text);
    return status;
}

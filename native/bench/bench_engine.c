/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures the cost of moving images and submitting work, independently of any operation: transfers of several sizes,
 * launches, first calls, and a loop over frames compared with its transfers alone. Values are medians. Memory is
 * touched in advance, except in rows marked fresh.
 */
#include "bench.h"
#include "open_context.h"

#include <drua/drua.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMED = 7, WARM_UP = 2, CALLS = 1000, FEW = 50, FRAMES = 100, SIDE = 2048 };

static drua_context *context;
static int failures;

static int count_failure(drua_status status)
{
    if (status == DRUA_OK)
        return 0;
    if (!failures++)
        fprintf(stderr, "%s\n", drua_error_message());
    return 1;
}

static void print_row(const char *what, double time, double bytes)
{
    printf("%s\t%.4f\t", what, 1e3 * time);
    if (bytes > 0)
        printf("%.2f", bytes / time / 1e9);
    printf("\n");
    fflush(stdout);
}

static drua_argument image_argument(drua_image handle)
{
    return (drua_argument){.kind = DRUA_ARG_IMAGE, .image = handle};
}

static drua_argument number_argument(double value)
{
    return (drua_argument){.kind = DRUA_ARG_NUMBER, .number = value};
}

static drua_status blur_image(drua_image source, drua_image *destination, double sigma)
{
    drua_argument arguments[] = {image_argument(source),
                                 *destination ? image_argument(*destination) : (drua_argument){0},
                                 number_argument(sigma), number_argument(sigma), number_argument(0)};
    drua_status status = drua_invoke(context, "gaussian_blur", arguments, 5, NULL);
    *destination = arguments[1].image;
    return status;
}

static drua_status threshold_image(drua_image source, drua_image *destination)
{
    drua_argument arguments[] = {image_argument(source),
                                 *destination ? image_argument(*destination) : (drua_argument){0},
                                 number_argument(1000)};
    drua_status status = drua_invoke(context, "greater_constant", arguments, 3, NULL);
    *destination = arguments[1].image;
    return status;
}

/* ---- transfers */

typedef struct load {
    drua_shape shape;
    drua_type type;
    size_t bytes;
    char *memory;
    void **planes;
} load;

static int make_load(load *l, int64_t width, int64_t height, int64_t depth, drua_type type)
{
    const size_t plane = (size_t)(width * height) * (type == DRUA_UINT16 ? 2 : 1);
    *l = (load){.shape = {width, height, depth, depth > 1 ? 3 : 2}, .type = type, .bytes = plane * (size_t)depth};
    l->memory = malloc(l->bytes);
    l->planes = malloc((size_t)depth * sizeof *l->planes);
    if (!l->memory || !l->planes)
        return 0;
    for (size_t i = 0; i < l->bytes; i++)
        l->memory[i] = (char)(i * 31 >> 4);
    for (int64_t z = 0; z < depth; z++)
        l->planes[z] = l->memory + (size_t)z * plane;
    return 1;
}

static void free_load(load *l)
{
    free(l->memory);
    free(l->planes);
}

typedef struct transfers {
    load *load;
    drua_image image;
    int pull, count;
} transfers;

static void *move_often(void *argument)
{
    const transfers *t = argument;
    for (int i = 0; i < t->count && !failures; i++)
        count_failure(t->pull ? drua_pull_planes(context, t->image, t->load->planes)
                              : drua_overwrite_planes(context, t->image, (const void *const *)t->load->planes));
    return NULL;
}

/* Times transfers from two threads at once, and into memory that was never touched. */
static void time_crowded_transfers(load *up, load *down, const drua_image images[2], const char *name)
{
    char what[200];
    enum { AGAIN = 5 };
    transfers upload = {up, images[0], 0, AGAIN}, back = {down, images[1], 1, AGAIN};
    pthread_t thread;
    const double start = drua_bench_seconds();
    pthread_create(&thread, NULL, move_often, &upload);
    move_often(&back);
    pthread_join(thread, NULL);
    count_failure(drua_sync(context));
    snprintf(what, sizeof what, "push and pull %s at once, from two threads", name);
    print_row(what, (drua_bench_seconds() - start) / AGAIN, 2.0 * (double)up->bytes);
    double fresh[AGAIN];
    for (int i = 0; i < AGAIN; i++) {
        const double fresh_start = drua_bench_seconds();
        char *memory = malloc(up->bytes);
        if (memory)
            count_failure(drua_pull(context, images[0], memory));
        fresh[i] = drua_bench_seconds() - fresh_start;
        free(memory);
    }
    snprintf(what, sizeof what, "pull %s into fresh memory", name);
    print_row(what, drua_bench_median(fresh, AGAIN), (double)up->bytes);
}

static void time_transfers(int64_t width, int64_t height, int64_t depth, drua_type type)
{
    load up, down;
    drua_image images[2] = {0, 0};
    double push_returns[TIMED], push[TIMED], pull[TIMED];
    char what[200], name[100];
    if (!make_load(&up, width, height, depth, type) || !make_load(&down, width, height, depth, type))
        return;
    snprintf(name, sizeof name, up.bytes < 1000000 ? "%.0f KB in %lld" : "%.1f MB in %lld",
             (double)up.bytes / (up.bytes < 1000000 ? 1e3 : 1e6), (long long)depth);
    for (int i = 0; i < 2; i++)
        count_failure(drua_push_planes(context, up.shape, type, (const void *const *)up.planes, &images[i]));
    for (int i = -WARM_UP; i < TIMED && !failures; i++) {
        double start = drua_bench_seconds();
        count_failure(drua_overwrite_planes(context, images[0], (const void *const *)up.planes));
        const double returned = drua_bench_seconds() - start;
        count_failure(drua_sync(context));
        const double upload = drua_bench_seconds() - start;
        start = drua_bench_seconds();
        count_failure(drua_pull_planes(context, images[0], down.planes));
        if (i >= 0) {
            push_returns[i] = returned;
            push[i] = upload;
            pull[i] = drua_bench_seconds() - start;
        }
    }
    if (!failures && memcmp(up.memory, down.memory, up.bytes)) {
        fprintf(stderr, "the pulled pixels differ from the pushed ones\n");
        failures++;
    }
    snprintf(what, sizeof what, "push %s: the caller goes on", name);
    print_row(what, drua_bench_median(push_returns, TIMED), (double)up.bytes);
    snprintf(what, sizeof what, "push %s: on the device", name);
    print_row(what, drua_bench_median(push, TIMED), (double)up.bytes);
    snprintf(what, sizeof what, "pull %s", name);
    print_row(what, drua_bench_median(pull, TIMED), (double)up.bytes);
    if (up.bytes > 1 << 27 || depth > 1)
        time_crowded_transfers(&up, &down, images, name);
    for (int i = 0; i < 2; i++)
        drua_release(context, images[i]);
    free_load(&up);
    free_load(&down);
}

/* ---- calls */

static void time_calls(void)
{
    static unsigned short pixels[64 * 64], larger[333 * 501];
    drua_image source, result = 0, mask = 0, other;
    double wait[TIMED];
    count_failure(drua_push(context, (drua_shape){64, 64, 1, 2}, DRUA_UINT16, pixels, &source));
    for (int i = 0; i < 100; i++)
        count_failure(blur_image(source, &result, 2));
    count_failure(threshold_image(source, &mask));
    count_failure(drua_sync(context));
    double start = drua_bench_seconds(), sent = 0;
    for (int i = 0; i < CALLS; i++)
        count_failure(blur_image(source, &result, 2));
    count_failure(drua_sync(context));
    print_row("gaussian_blur of 64x64: a call to its end, of 1000 in a row", (drua_bench_seconds() - start) / CALLS, 0);
    /* no more calls than the queue accepts without waiting for the device */
    for (int i = 0; i < CALLS / FEW; i++) {
        start = drua_bench_seconds();
        for (int k = 0; k < FEW; k++)
            count_failure(blur_image(source, &result, 2));
        sent += drua_bench_seconds() - start;
        count_failure(drua_sync(context));
    }
    print_row("gaussian_blur of 64x64: cost of a call on the host, of 50 in a row", sent / CALLS, 0);
    start = drua_bench_seconds();
    for (int i = 0; i < CALLS; i++)
        count_failure(threshold_image(source, &mask));
    print_row("greater_constant of 64x64: cost of a call on the host, of 1000", (drua_bench_seconds() - start) / CALLS,
              0);
    count_failure(drua_sync(context));
    for (int i = 0; i < TIMED; i++) {
        start = drua_bench_seconds();
        count_failure(blur_image(source, &result, 2));
        count_failure(drua_sync(context));
        wait[i] = drua_bench_seconds() - start;
    }
    print_row("gaussian_blur of 64x64: call and wait", drua_bench_median(wait, TIMED), 0);
    count_failure(drua_push(context, (drua_shape){333, 501, 1, 2}, DRUA_UINT16, larger, &other));
    result = 0;
    start = drua_bench_seconds();
    count_failure(blur_image(other, &result, 2));
    count_failure(drua_sync(context));
    print_row("gaussian_blur of 333x501: first call on that size", drua_bench_seconds() - start, 0);
    start = drua_bench_seconds();
    count_failure(blur_image(other, &result, 2));
    count_failure(drua_sync(context));
    print_row("gaussian_blur of 333x501: second call", drua_bench_seconds() - start, 0);
    drua_clear(context);
}

/* ---- a loop over frames */

/* behind: a frame is pulled after the next one was sent. */
static double time_loads(load *in, load *out, int work, int behind)
{
    drua_image last = 0;
    const double start = drua_bench_seconds();
    for (int f = 0; f <= FRAMES && !failures; f++) {
        drua_image pushed = 0, blurred = 0, mask = 0;
        if (f < FRAMES) {
            count_failure(drua_push_planes(context, in->shape, in->type, (const void *const *)in->planes, &pushed));
            mask = pushed;
            if (work) {
                mask = 0;
                count_failure(blur_image(pushed, &blurred, 2));
                count_failure(threshold_image(blurred, &mask));
                drua_release(context, blurred);
                drua_release(context, pushed);
            }
        }
        if (behind && last)
            count_failure(drua_pull_planes(context, last, out->planes));
        if (last)
            drua_release(context, last);
        last = mask;
        if (!behind && mask)
            count_failure(drua_pull_planes(context, mask, out->planes));
    }
    return (drua_bench_seconds() - start) / FRAMES;
}

static void time_frames(int scale)
{
    load in, out;
    if (!make_load(&in, SIDE / scale, SIDE / scale, 1, DRUA_UINT16) ||
        !make_load(&out, SIDE / scale, SIDE / scale, 1, DRUA_UINT16))
        return;
    time_loads(&in, &out, 1, 0);
    print_row("a frame (2048x2048 uint16, of 100): push, pull", time_loads(&in, &out, 0, 0), 2.0 * (double)in.bytes);
    print_row("a frame (2048x2048 uint16, of 100): push, blur, threshold, pull", time_loads(&in, &out, 1, 0),
              2.0 * (double)in.bytes);
    print_row("a frame (2048x2048 uint16, of 100): push, pull the one before", time_loads(&in, &out, 0, 1),
              2.0 * (double)in.bytes);
    print_row("a frame (2048x2048 uint16, of 100): push, blur, threshold, pull the one before",
              time_loads(&in, &out, 1, 1), 2.0 * (double)in.bytes);
    free_load(&in);
    free_load(&out);
}

int drua_bench_engine(const char *device, int scale)
{
    static unsigned short pixels[64 * 64], got[64 * 64];
    drua_device_info info;
    drua_image source, result = 0;
    const double start = drua_bench_seconds();
    if (count_failure(drua_tool_open(device, &context)))
        return 1;
    const double opened = drua_bench_seconds() - start;
    count_failure(drua_push(context, (drua_shape){64, 64, 1, 2}, DRUA_UINT16, pixels, &source));
    count_failure(blur_image(source, &result, 2));
    count_failure(drua_pull(context, result, got));
    const double first = drua_bench_seconds() - start;
    drua_statistics s;
    drua_get_statistics(context, &s);
    drua_context_device(context, &info);
    printf("# device: %s (%s), driver %s, Drua %s\n", info.name, info.platform, info.driver, drua_version());
    printf("# the first result compiled %llu programs and read %llu from disk\n", (unsigned long long)s.programs_built,
           (unsigned long long)s.programs_loaded);
    printf("what\tms\tGB/s\n");
    print_row("start to open device", opened, 0);
    print_row("start to first result, blur of 64x64", first, 0);
    drua_clear(context);
    time_calls();
    time_transfers(64, 64, 1, DRUA_UINT16);
    time_transfers(512, 512, 1, DRUA_UINT16);
    time_transfers(1024, 1024, 1, DRUA_UINT16);
    time_transfers(2048, 2048, 1, DRUA_UINT16);
    time_transfers(8192, 4096, 1, DRUA_UINT16);
    time_transfers(16384, 16384 / scale, 1, DRUA_UINT16);
    time_transfers(1024, 512, 512 / scale, DRUA_UINT16);
    time_frames(scale);
    drua_close(context);
    return failures != 0;
}

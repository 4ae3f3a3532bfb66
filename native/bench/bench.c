/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times every operation of the registry, with its defaults, on one large stack and one plane. A time lasts from a call
 * until all its results are computed. The table has the median of nine calls after sixteen warm-up calls, or of fewer
 * if an operation is slow. The floor is the time to read or write all image arguments once, at the memory bandwidth
 * measured in the same run (the copy rate).
 */
#include "bench.h"
#include "bench_arguments.h"
#include "hash.h"
#include "open_context.h"
#include "variables.h"

#include <drua/drua.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM_UP = 16 /* the variants have been timed by then */, TIMED = 9, TIMED_IF_SLOW = 3 };

/*
 * seconds of two calls in succession above which warm-up is unnecessary and few repetitions suffice; seconds of all
 * calls after the first above which few repetitions suffice
 */
static const double SLOW = 0.2, ENOUGH = 1.2;

/* two timings of the same copy differ by a few percent */
static const double TOLERANCE = 0.9;

/* multiples of the floor above which an operation is profiled, on a GPU and on a CPU */
static const double MANY_FLOORS[] = {10, 3};

/* smaller images can stay in the device's caches, which are faster than its memory */
static const double CACHED = 256e6;

enum { KERNELS = 6 };

typedef struct row {
    double milliseconds, bytes, launches, device_milliseconds;
    double first_milliseconds, slowest_milliseconds; /* the first call; the slowest of the calls after it */
    int slowest_call;
    bool changes;
    /* kernels: launches and milliseconds of one call, for the slowest KERNELS kernels */
    char note[512], kernels[1024];
} row;

/* Records the device time of `calls` calls of an operation, per kernel. */
static void take_profile(drua_context *context, int calls, row *result)
{
    char name[64];
    unsigned long long launches;
    double milliseconds;
    const char *line = drua_profile(context);
    for (int i = 0, end; sscanf(line, "%63s\t%llu\t%lf\n%n", name, &launches, &milliseconds, &end) == 3;
         line += end, i++) {
        const size_t length = strlen(result->kernels);
        result->device_milliseconds += milliseconds / calls;
        if (i < KERNELS)
            snprintf(result->kernels + length, sizeof result->kernels - length, "%s%s %.4g x %.4f", i ? "; " : "", name,
                     (double)launches / calls, milliseconds / (double)launches);
    }
}

static bool time_operation(drua_context *context, size_t operation, const drua_bench_inputs *in, row *result)
{
    drua_bench_arguments g;
    double time[TIMED], spent = 0, last = 0;
    int timed = 0, calls = 0;
    drua_status status = DRUA_OK;
    *result = (row){0};
    if (!drua_bench_fill_arguments(operation, in, &g))
        return false;
    drua_statistics before, after;
    drua_sync(context);
    drua_get_statistics(context, &before);
    for (bool enough = false; !enough; calls++) {
        drua_table *table = NULL;
        if (timed == 0)
            drua_profile(context); /* discards the earlier profile */
        double start = drua_bench_seconds();
        status = drua_invoke(context, drua_operation_name(operation), g.arguments, g.count, &table);
        if (status == DRUA_OK)
            status = drua_sync(context);
        double end = drua_bench_seconds();
        if (status != DRUA_OK)
            break;
        result->bytes = drua_bench_image_bytes(context, g.arguments, g.count);
        drua_bench_release_results(context, operation, g.arguments);
        drua_table_free(table);
        const double took = end - start;
        if (calls == 0) { /* this call may have compiled its kernels */
            result->first_milliseconds = 1e3 * took;
            continue;
        }
        if (1e3 * took > result->slowest_milliseconds) {
            result->slowest_milliseconds = 1e3 * took;
            result->slowest_call = calls + 1;
        }
        const bool is_slow = took > SLOW && last > SLOW; /* one slow call may have compiled a faster kernel */
        last = took;
        spent += took;
        if (calls >= WARM_UP || is_slow || spent > ENOUGH)
            time[timed++] = took;
        enough = timed == TIMED || (timed == TIMED_IF_SLOW && (is_slow || spent > ENOUGH));
    }
    free(g.numbers);
    if (status != DRUA_OK) {
        snprintf(result->note, sizeof result->note, "%s", drua_error_message());
        return status != DRUA_E_UNSUPPORTED;
    }
    result->changes = g.changes || drua_operation_reads_part(operation);
    result->milliseconds = 1e3 * drua_bench_median(time, timed);
    take_profile(context, timed, result);
    drua_get_statistics(context, &after);
    result->launches = (double)(after.launches - before.launches) / calls;
    return true;
}

/* Adds the pixels of an image to a checksum; returns false if memory is short. */
static bool add_pixels(drua_context *context, drua_image image, uint64_t *sum)
{
    drua_image_info info;
    if (drua_get_info(context, image, &info) != DRUA_OK)
        return false;
    void *pixels = malloc((size_t)info.bytes);
    const bool is_pulled = pixels && drua_pull(context, image, pixels) == DRUA_OK;
    if (is_pulled)
        *sum = drua_hash(*sum, pixels, (size_t)info.bytes);
    free(pixels);
    return is_pulled;
}

/*
 * Calls an operation and prints a checksum of all that it returns or changes. Returns false if the operation needs
 * ImageJ or a file.
 */
static bool sum_operation(drua_context *context, size_t operation, const drua_bench_inputs *in, const char *size,
                          const char *type_name)
{
    drua_bench_arguments g;
    drua_table *table = NULL;
    drua_parameter_info p;
    uint64_t sum = DRUA_HASH_START;
    size_t at = 0;
    if (!drua_bench_fill_arguments(operation, in, &g))
        return false;
    bool good = drua_invoke(context, drua_operation_name(operation), g.arguments, g.count, &table) == DRUA_OK;
    for (size_t i = 0; good && drua_operation_parameter(operation, i, &p) == DRUA_OK; i++)
        if (strcmp(p.kind, "table_out") != 0) {
            if (!strcmp(p.kind, "image_out") || !strcmp(p.kind, "image_inout"))
                good = g.arguments[at].kind != DRUA_ARG_IMAGE || add_pixels(context, g.arguments[at].image, &sum);
            at++;
        }
    if (good && table)
        sum = drua_hash(sum, table->cells, table->rows * table->columns * sizeof *table->cells);
    if (good)
        printf("%s\t%s\t%s\t%016llx\n", drua_operation_name(operation), size, type_name, (unsigned long long)sum);
    else
        printf("%s\t%s\t%s\t%s\n", drua_operation_name(operation), size, type_name, drua_error_message());
    drua_bench_release_results(context, operation, g.arguments);
    drua_table_free(table);
    free(g.numbers);
    return true;
}

/*
 * Returns 1 if a time is impossible. Some operations touch only a part of an image; any other cannot be faster than its
 * floor.
 */
static int below_floor(const char *name, const char *size, const char *type_name, const row *r, double floor)
{
    printf("%s\t%s\t%s\t%.4f\t%.4f\t%.3f\t%s\n", name, size, type_name, r->milliseconds, floor, floor / r->milliseconds,
           r->changes ? "touches a part of the image" : "faster than its floor: not all work was done");
    return !r->changes;
}

/* Returns whether the name contains one of the comma-separated parts; NULL matches any name. */
static bool is_wanted(const char *name, const char *parts)
{
    char part[64];
    for (const char *at = parts; at && *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
        snprintf(part, sizeof part, "%.*s", (int)strcspn(at, ","), at);
        if (strstr(name, part))
            return true;
    }
    return !parts;
}

/* Prints a line; returns 1 if its time is impossible. */
static int print_row(drua_context *context, const char *name, const char *size, const char *type_name, const row *r,
                     double floor, const drua_bench_options *options)
{
    drua_device_info info;
    drua_context_device(context, &info);
    const double many_floors = MANY_FLOORS[!info.is_gpu];
    if (options->profile && *r->kernels && (options->only || r->milliseconds > many_floors * floor))
        printf("%s\t%s\t%s\t%.4f\t%.4f\t%.3f\t%.1f\t%.4f\t%s\n", name, size, type_name, r->milliseconds, floor,
               floor / r->milliseconds, r->launches, r->device_milliseconds, r->kernels);
    if (options->stalls && !*r->note)
        printf("%s\t%s\t%s\t%.3f\t%.3f\t%d\t%.3f\n", name, size, type_name, r->first_milliseconds,
               r->slowest_milliseconds, r->slowest_call, r->milliseconds);
    if (options->profile || options->stalls)
        return 0;
    if (*r->note)
        printf("%s\t%s\t%s\t\t\t\t%s\n", name, size, type_name, r->note);
    else if (r->milliseconds < TOLERANCE * floor && r->bytes > CACHED)
        return below_floor(name, size, type_name, r, floor);
    else
        printf("%s\t%s\t%s\t%.4f\t%.4f\t%.3f\t\n", name, size, type_name, r->milliseconds, floor,
               floor / r->milliseconds);
    return 0;
}

/*
 * Times all operations on images of one shape. Marks operations that need more than images. Returns 1 if a time is
 * impossible.
 */
static int bench_shape(drua_context *context, drua_shape shape, drua_type type, const char *type_name, double rate,
                       const drua_bench_options *options, bool *left_out)
{
    drua_bench_inputs in;
    int impossible = 0;
    char size[64];
    snprintf(size, sizeof size, "%lldx%lldx%lld", (long long)shape.width, (long long)shape.height,
             (long long)shape.depth);
    if (drua_bench_push_inputs(context, shape, type, &in) != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    for (size_t i = 0; i < drua_operation_count(); i++) {
        row r;
        const char *name = drua_operation_name(i);
        if (!is_wanted(name, options->only))
            continue;
        if (options->sums || !time_operation(context, i, &in, &r)) {
            left_out[i] = !options->sums || !sum_operation(context, i, &in, size, type_name);
            fflush(stdout);
            continue;
        }
        if (!*r.note && r.launches == 0)
            snprintf(r.note, sizeof r.note, "nothing to do: the result shares the memory or the image exists");
        impossible |= print_row(context, name, size, type_name, &r, 1e3 * r.bytes / rate, options);
        fflush(stdout);
    }
    drua_clear(context);
    return impossible;
}

static void name_left_out(const bool *left_out)
{
    bool any = false;
    for (size_t i = 0; i < drua_operation_count(); i++)
        if (left_out[i]) {
            printf("%s%s", any ? ", " : "# without a time, as they need ImageJ or a file: ", drua_operation_name(i));
            any = true;
        }
    printf("%s", any ? "\n" : "");
}

static void print_head(const drua_device_info *info, double rate, const drua_bench_options *options)
{
    char day[32];
    const time_t now = time(NULL);
    const char *chains = drua_variable_text(DRUA_VARIABLE_CHAINS);
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    printf("# device: %s (%s), driver %s, %s\n# date: %s, Drua %s\n", info->name, info->platform, info->driver,
           info->version, day, drua_version());
    if (options->sums) {
        printf("# sums: FNV-1a of 64 bits of all images that are made or changed, and of the cells of the "
               "table\nname\tsize\ttype\tsum\n");
        return;
    }
    printf("# method: a call until its results are computed, median of %d after %d, of fewer if slow; defaults of "
           "each operation\n",
           TIMED, WARM_UP);
    printf("# chains and filters: %s%s\n", chains ? "DRUA_CHAINS=" : "compiled once it pays",
           chains ? chains : "");
    printf("# floor: bytes of all image arguments once at the copy rate of this run, %.4g GB/s\n", rate / 1e9);
    if (options->profile)
        printf("# device_ms: kernels by events, which add some microseconds to each launch; kernels: the longest %d, "
               "launches x milliseconds\n",
               KERNELS);
    if (options->stalls)
        printf("# slowest: the slowest call after the first, and its number\n"
               "name\tsize\ttype\tfirst_ms\tslowest_ms\tslowest_call\tlater_ms\n");
    else
        printf("name\tsize\ttype\tms\tfloor_ms\tshare\t%s\n",
               options->profile ? "launches\tdevice_ms\tkernels" : "note");
}

int drua_bench(const char *device, drua_bench_options options)
{
    drua_context *context;
    drua_device_info info;
    double rate = 0;
    if (options.profile)
        drua_bench_set_variable("DRUA_TIME_KERNELS", "1");
    if (drua_tool_open(device, &context) != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    drua_context_device(context, &info);
    const int shorter = options.odd, scale = options.scale, slices = info.is_gpu ? 512 : 64;
    const drua_shape stack = {512 / scale - shorter, 512 / scale, slices / scale, 3},
                     plane = {2048 / scale - shorter, 2048 / scale, 1, 2};
    if (!options.sums &&
        drua_measure_copy(context, (uint64_t)stack.width * (uint64_t)stack.height * (uint64_t)stack.depth * 4, &rate) !=
            DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        drua_close(context);
        return 1;
    }
    print_head(&info, rate, &options);
    bool *left_out = calloc(drua_operation_count(), sizeof *left_out);
    int failed = !left_out;
    if (left_out) {
        failed |= bench_shape(context, stack, DRUA_FLOAT32, "float32", rate, &options, left_out);
        failed |= bench_shape(context, plane, DRUA_UINT16, "uint16", rate, &options, left_out);
        name_left_out(left_out);
    }
    free(left_out);
    drua_close(context);
    return failed;
}

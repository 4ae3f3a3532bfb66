/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every operation that the registry lists, with its presets, on one large stack and one plane. A time is that of call and
 * finish, results forced, median of nine after sixteen, of fewer where they take long; the floor is the bytes of all image
 * arguments, read or written once, at the copy rate measured in the same run.
 */
#include "bench.h"

#include <drua/drua.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_PARAMS = 32, WARM_UP = 16 /* variants are timed by then */, TIMED = 9, TIMED_IF_SLOW = 3 };

/* seconds of one call that need no warm-up and few repetitions, and of all calls after the first */
static const double SLOW = 0.2, ENOUGH = 1.6;

/* two timings of one copy differ by a few percent */
static const double TOLERANCE = 0.9;

/* fewer bytes can stay in a device's caches, which are faster than its memory */
static const double CACHED = 256e6;

/* What stands for the images that an operation may want: found by the parameter's name. */
typedef struct inputs {
    drua_image grey, mask, labels, spots, vector, changed, matrix, points, kernel;
} inputs;

typedef struct row {
    double milliseconds, bytes, launches;
    bool changes;
    char note[512];
} row;

static drua_image input_for(const inputs *in, const char *category, const char *name)
{
    const bool labels = !strcmp(category, "labels") || !strcmp(category, "graph");
    if (strstr(name, "matrix"))
        return in->matrix;
    if (strstr(name, "kernel") || strstr(name, "pattern") || strstr(name, "template") || !strcmp(name, "psf"))
        return in->kernel;
    if (strstr(name, "points") || strstr(name, "list"))
        return in->points;
    if (strstr(name, "vector") || strstr(name, "value"))
        return in->vector;
    if (strstr(name, "label"))
        return in->labels;
    if (strstr(name, "spot"))
        return in->spots;
    if (strstr(name, "mask") || strstr(name, "binary"))
        return in->mask;
    return labels && !strstr(name, "intensity") ? in->labels : in->grey;
}

/* Fills the arguments from the presets; false where the operation cannot be timed like this. */
static int arguments_of(size_t operation, const inputs *in, drua_argument *arguments, size_t *count, bool *changes)
{
    drua_parameter_info p;
    int images = 0;
    *count = 0;
    for (size_t i = 0; drua_operation_parameter(operation, i, &p) == DRUA_OK && i < MOST_PARAMS; i++) {
        drua_argument *a = &arguments[*count];
        *a = (drua_argument){.kind = DRUA_ARG_NONE};
        if (!strcmp(p.kind, "table_out"))
            continue;
        if (!strcmp(p.kind, "image_in") || !strcmp(p.kind, "image_inout")) {
            const bool changed = !strcmp(p.kind, "image_inout");
            *changes = *changes || changed;
            a->kind = DRUA_ARG_IMAGE;
            a->image = changed ? in->changed : input_for(in, drua_operation_category(operation), p.name);
            images++;
        } else if (!strcmp(p.kind, "text_out") || !strcmp(p.kind, "array_in") || !strcmp(p.kind, "path") || (!strcmp(p.kind, "text") && !p.preset_text)) {
            return 0;
        }
        ++*count;
    }
    return images > 0;
}

static void release_results(drua_context *context, size_t operation, drua_argument *arguments)
{
    drua_parameter_info p;
    size_t at = 0;
    for (size_t i = 0; drua_operation_parameter(operation, i, &p) == DRUA_OK; i++) {
        if (!strcmp(p.kind, "table_out"))
            continue;
        if (!strcmp(p.kind, "image_out") && arguments[at].kind == DRUA_ARG_IMAGE) {
            drua_release(context, arguments[at].image);
            arguments[at] = (drua_argument){.kind = DRUA_ARG_NONE};
        }
        at++;
    }
}

static int time_operation(drua_context *context, size_t operation, const inputs *in, row *result)
{
    drua_argument arguments[MOST_PARAMS];
    size_t count;
    double time[TIMED], spent = 0;
    int timed = 0, calls = 0;
    *result = (row){0};
    if (!arguments_of(operation, in, arguments, &count, &result->changes))
        return 0;
    drua_statistics before, after;
    drua_sync(context);
    drua_get_statistics(context, &before);
    for (bool enough = false; !enough; calls++) {
        drua_table *table = NULL;
        double start = drua_bench_seconds();
        drua_status status = drua_invoke(context, drua_operation_name(operation), arguments, count, &table);
        if (status == DRUA_OK)
            status = drua_sync(context);
        double end = drua_bench_seconds();
        if (status == DRUA_E_UNSUPPORTED)
            return 0;
        if (status != DRUA_OK) {
            snprintf(result->note, sizeof result->note, "%s", drua_error_message());
            return 1;
        }
        result->bytes = drua_bench_bytes(context, arguments, count);
        release_results(context, operation, arguments);
        drua_table_free(table);
        if (calls == 0)         /* may have compiled its kernels */
            continue;
        const double took = end - start;
        spent += took;
        if (calls >= WARM_UP || took > SLOW || spent > ENOUGH / 2)
            time[timed++] = took;
        enough = timed == TIMED || (timed > 0 && (spent + took > ENOUGH || (took > SLOW && timed == TIMED_IF_SLOW)));
    }
    result->changes = result->changes || drua_operation_reads_part(operation);
    result->milliseconds = 1e3 * drua_bench_median(time, timed);
    drua_get_statistics(context, &after);
    result->launches = (double)(after.launches - before.launches) / calls;
    return 1;
}

static drua_status prepare(drua_context *context, drua_shape shape, drua_type type, inputs *in)
{
    drua_status status = drua_bench_push(context, shape, type, DRUA_BENCH_GREY, &in->grey);
    if (status == DRUA_OK)
        status = drua_bench_push(context, shape, type, DRUA_BENCH_GREY, &in->changed);
    if (status == DRUA_OK)
        status = drua_bench_push(context, shape, DRUA_UINT8, DRUA_BENCH_MASK, &in->mask);
    if (status == DRUA_OK)
        status = drua_bench_push(context, shape, DRUA_FLOAT32, DRUA_BENCH_LABELS, &in->labels);
    if (status == DRUA_OK)
        status = drua_bench_push(context, shape, DRUA_UINT8, DRUA_BENCH_SPOTS, &in->spots);
    if (status == DRUA_OK)
        status = drua_bench_push(context, (drua_shape){1001, 1001, 1, 2}, DRUA_FLOAT32, DRUA_BENCH_MASK, &in->matrix);
    if (status == DRUA_OK)
        status = drua_bench_push(context, (drua_shape){1000, 3, 1, 2}, DRUA_FLOAT32, DRUA_BENCH_GREY, &in->points);
    if (status == DRUA_OK)
        status = drua_bench_push(context, (drua_shape){8192, 1, 1, 3}, DRUA_FLOAT32, DRUA_BENCH_GREY, &in->vector);
    if (status == DRUA_OK)
        status = drua_bench_push(context, (drua_shape){9, 9, shape.depth > 1 ? 9 : 1, shape.dimension}, DRUA_FLOAT32, DRUA_BENCH_GREY, &in->kernel);
    return status;
}

/* An operation may touch a part of an image; any other cannot be faster than its bytes. */
static int below_floor(const char *name, const char *size, const char *type_name, const row *r, double floor)
{
    printf("%s\t%s\t%s\t%.4f\t%.4f\t%.3f\t%s\n", name, size, type_name, r->milliseconds, floor, floor / r->milliseconds,
           r->changes ? "touches a part of the image" : "faster than its floor: not all work was done");
    return !r->changes;
}

/* Whether the name has one of the parts, between which are commas; NULL: any name. */
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

/* Times all operations on images of one shape; 1 if a time is impossible. */
static int bench_shape(drua_context *context, drua_shape shape, drua_type type, const char *type_name, double rate, const char *only)
{
    inputs in;
    int impossible = 0;
    if (prepare(context, shape, type, &in) != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    for (size_t i = 0; i < drua_operation_count(); i++) {
        row r;
        const char *name = drua_operation_name(i);
        if (!is_wanted(name, only) || !time_operation(context, i, &in, &r))
            continue;
        double floor = 1e3 * r.bytes / rate;
        char size[64];
        snprintf(size, sizeof size, "%lldx%lldx%lld", (long long)shape.width, (long long)shape.height, (long long)shape.depth);
        if (!*r.note && r.launches == 0)
            snprintf(r.note, sizeof r.note, "nothing to do: the result shares the memory or the image exists");
        if (*r.note)
            printf("%s\t%s\t%s\t\t\t\t%s\n", name, size, type_name, r.note);
        else if (r.milliseconds < TOLERANCE * floor && r.bytes > CACHED)
            impossible |= below_floor(name, size, type_name, &r, floor);
        else
            printf("%s\t%s\t%s\t%.4f\t%.4f\t%.3f\t\n", name, size, type_name, r.milliseconds, floor, floor / r.milliseconds);
        fflush(stdout);
    }
    drua_clear(context);
    return impossible;
}

int drua_bench(const char *device, const char *only, int scale, bool odd)
{
    drua_context *context;
    drua_device_info info;
    double rate;
    char day[32];
    time_t now = time(NULL);
    if (drua_open(device, &context) != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    drua_shape stack = {512 / scale - odd, 512 / scale, 512 / scale, 3}, plane = {2048 / scale - odd, 2048 / scale, 1, 2};
    drua_context_device(context, &info);
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    if (drua_measure_copy(context, (uint64_t)stack.width * (uint64_t)stack.height * (uint64_t)stack.depth * 4, &rate) != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        drua_close(context);
        return 1;
    }
    printf("# device: %s (%s), driver %s, %s\n# date: %s, Drua %s\n", info.name, info.platform, info.driver, info.version, day, drua_version());
    printf("# method: call + finish, result forced, median of %d after %d, of fewer where they take long; presets of each operation\n", TIMED, WARM_UP);
    printf("# floor: bytes of all image arguments once at the copy rate of this run, %.0f GB/s\n", rate / 1e9);
    printf("name\tsize\ttype\tms\tfloor_ms\tshare\tnote\n");
    int failed = bench_shape(context, stack, DRUA_FLOAT32, "float32", rate, only);
    failed |= bench_shape(context, plane, DRUA_UINT16, "uint16", rate, only);
    drua_close(context);
    return failed;
}

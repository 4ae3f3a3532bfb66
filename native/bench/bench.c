/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times every operation of the registry, with its defaults, on one large stack and one plane. A time covers call and
 * finish, with results forced: the median of nine repetitions after sixteen warm-up calls, of fewer if an operation is
 * slow. The floor is the bytes of all image arguments, read or written once, at the copy rate measured in the same run.
 */
#include "bench.h"
#include "hash.h"
#include "open_context.h"
#include "variables.h"

#include <drua/drua.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_PARAMS = 32, WARM_UP = 16 /* the variants have been timed by then */, TIMED = 9, TIMED_IF_SLOW = 3 };

/*
 * seconds of a call above which warm-up is unnecessary and few repetitions suffice; limit in seconds for all calls
 * after the first
 */
static const double SLOW = 0.2, ENOUGH = 1.6;

/* two timings of the same copy differ by a few percent */
static const double TOLERANCE = 0.9;

/* multiples of the floor above which an operation is profiled, on a GPU and on a CPU */
static const double MANY_FLOORS[] = {10, 3};

/* smaller images can stay in the device's caches, which are faster than its memory */
static const double CACHED = 256e6;

/*
 * The images that operations receive, chosen by the parameter's name. If an operation takes two images of a kind, they
 * differ: reading one image twice is half the work, and comparing an image with itself is meaningless.
 */
typedef struct inputs {
    drua_image grey[2], mask[2], labels[2], spots[2], changed[2];
    drua_image vector, matrix, points, kernel, colours, three, drift, transforms;
    drua_shape shape;
} inputs;

/* Arguments for parameters whose default is missing or does not fit these images. */
typedef struct setting {
    const char *operation, *parameter, *text;
    double number;
} setting;

static const setting settings[] = {
    {"affine_transform", "transform", "-center rotate=30 scale=0.8 center", 0},
    {"translate", "translate_x", NULL, 1.5},
    {"translate", "translate_y", NULL, 2.5},
    {"translate", "translate_z", NULL, 3.5},
    {"rotate", "angle_x", NULL, 10},
    {"rotate", "angle_y", NULL, 20},
    {"rotate", "angle_z", NULL, 30},
    {"rigid_transform", "translate_x", NULL, 1.5},
    {"rigid_transform", "angle_z", NULL, 30},
    {"scale_evenly", "factor", NULL, 0.8},
    {"scale", "factor_x", NULL, 0.8},
    {"scale", "factor_y", NULL, 0.8},
    {"scale", "factor_z", NULL, 0.8},
    {"resample", "factor_x", NULL, 1.25},
    {"resample", "factor_y", NULL, 1.25},
    {"make_isotropic", "voxel_size_z", NULL, 0.8},
    {"push_string", "input", "1 2 3\n4 5 6", 0},
    {"macro_pixel_correction", "magnification", NULL, 2},
    {"custom_operation", "operation_code",
     "WRITE_IMAGE(result, POS_result_INSTANCE(x, y, z, 0), "
     "CONVERT_result_PIXEL_TYPE(READ_IMAGE(source, sampler, POS_source_INSTANCE(x, y, z, 0)).x + 1));",
     0},
    {"custom_binary_operation", "opencl_code",
     "const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2); "
     "WRITE_IMAGE(image2, POS_image2_INSTANCE(x, y, z, 0), CONVERT_image2_PIXEL_TYPE(READ_IMAGE(image1, sampler, "
     "POS_image1_INSTANCE(x, y, z, 0)).x + 1));",
     0}};

enum { KERNELS = 6 };

typedef struct row {
    double milliseconds, bytes, launches, device_milliseconds;
    bool changes;
    /* kernels: launches and milliseconds of one call, for the slowest KERNELS kernels */
    char note[512], kernels[1024];
} row;

static const setting *setting_of(const char *operation, const char *parameter)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (!strcmp(settings[i].operation, operation) && !strcmp(settings[i].parameter, parameter))
            return &settings[i];
    return NULL;
}

/* Returns the first of two images that the arguments do not contain yet. */
static drua_image one_of(const drua_image *two, const drua_argument *arguments, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (arguments[i].kind == DRUA_ARG_IMAGE && arguments[i].image == two[0])
            return two[1];
    return two[0];
}

static drua_image input_for(const inputs *in, size_t operation, const char *name, const drua_argument *arguments,
                            size_t count)
{
    const char *category = drua_operation_category(operation), *own = drua_operation_name(operation);
    const bool labels = !strcmp(category, "labels") || !strcmp(category, "graph");
    if (!strcmp(name, "color_vectors"))
        return in->three;
    if (!strcmp(own, "color_deconvolution") || strstr(own, "rgb_stack"))
        return in->colours;
    if (!strcmp(own, "pull_string"))
        return in->points;
    if (!strcmp(own, "correct_drift") && !strcmp(name, "drift"))
        return in->drift;
    if (!strcmp(name, "transforms"))
        return in->transforms;
    if (strstr(name, "matrix"))
        return in->matrix;
    if (strstr(name, "kernel") || strstr(name, "pattern") || strstr(name, "template") || !strcmp(name, "psf"))
        return in->kernel;
    if (strstr(name, "points") || strstr(name, "list"))
        return in->points;
    if (strstr(name, "vector") || strstr(name, "value") || !strcmp(name, "flags"))
        return in->vector;
    if (strstr(name, "label"))
        return one_of(in->labels, arguments, count);
    if (strstr(name, "spot"))
        return one_of(in->spots, arguments, count);
    if (strstr(name, "mask") || strstr(name, "binary"))
        return one_of(in->mask, arguments, count);
    return one_of(labels && !strstr(name, "intensity") ? in->labels : in->grey, arguments, count);
}

static bool reads_images(size_t operation)
{
    drua_parameter_info p;
    for (size_t i = 0; drua_operation_parameter(operation, i, &p) == DRUA_OK; i++)
        if (!strcmp(p.kind, "image_in") || !strcmp(p.kind, "image_inout"))
            return true;
    return false;
}

/* Returns the extent that a parameter expects if the operation reads no image; 0: the parameter is not an extent. */
static int64_t extent_of(const inputs *in, size_t operation, const drua_parameter_info *p)
{
    if (p->preset != 1 || reads_images(operation))
        return 0;
    if (!strcmp(p->name, "width"))
        return in->shape.width;
    if (!strcmp(p->name, "height"))
        return in->shape.height;
    return !strcmp(p->name, "depth") ? in->shape.depth : 0;
}

/* The arguments of a call and the data to which they point; the caller frees the numbers. */
typedef struct call_arguments {
    drua_argument arguments[MAX_PARAMS], named[4];
    double *numbers;
    size_t count;
    bool changes;
} call_arguments;

/* Makes a number for each slice, or for each pixel of the requested image. */
static drua_argument numbers_for(const inputs *in, size_t operation, call_arguments *g)
{
    drua_parameter_info p;
    int64_t count = reads_images(operation) ? in->shape.depth : 1, extent;
    for (size_t i = 0; drua_operation_parameter(operation, i, &p) == DRUA_OK; i++)
        if ((extent = extent_of(in, operation, &p)) > 0)
            count *= extent;
    g->numbers = malloc((size_t)count * sizeof *g->numbers);
    for (int64_t i = 0; g->numbers && i < count; i++)
        g->numbers[i] = (double)(i % 100);
    return (drua_argument){.kind = DRUA_ARG_ARRAY, .array = g->numbers, .length = g->numbers ? (size_t)count : 0};
}

/* Fills the arguments from the defaults; returns false if the operation needs ImageJ or a file. */
static bool arguments_of(size_t operation, const inputs *in, call_arguments *g)
{
    drua_parameter_info p;
    *g = (call_arguments){.named = {{.kind = DRUA_ARG_TEXT, .text = "source"},
                                    {.kind = DRUA_ARG_IMAGE, .image = in->grey[0]},
                                    {.kind = DRUA_ARG_TEXT, .text = "result"},
                                    {.kind = DRUA_ARG_IMAGE, .image = in->changed[0]}}};
    for (size_t i = 0; drua_operation_parameter(operation, i, &p) == DRUA_OK && i < MAX_PARAMS; i++) {
        drua_argument *a = &g->arguments[g->count];
        const setting *own = setting_of(drua_operation_name(operation), p.name);
        const int64_t extent = extent_of(in, operation, &p);
        *a = (drua_argument){.kind = DRUA_ARG_NONE};
        if (!strcmp(p.kind, "table_out"))
            continue;
        if (own)
            *a = (drua_argument){
                .kind = own->text ? DRUA_ARG_TEXT : DRUA_ARG_NUMBER, .text = own->text, .number = own->number};
        else if (extent > 0)
            *a = (drua_argument){.kind = DRUA_ARG_NUMBER, .number = (double)extent};
        else if (!strcmp(p.kind, "image_in"))
            *a = (drua_argument){.kind = DRUA_ARG_IMAGE,
                                 .image = input_for(in, operation, p.name, g->arguments, g->count)};
        else if (!strcmp(p.kind, "image_inout"))
            *a = (drua_argument){.kind = DRUA_ARG_IMAGE, .image = one_of(in->changed, g->arguments, g->count)};
        else if (!strcmp(p.kind, "images"))
            *a = (drua_argument){.kind = DRUA_ARG_LIST, .list = g->named, .length = sizeof g->named / sizeof *g->named};
        else if (!strcmp(p.kind, "array_in"))
            *a = numbers_for(in, operation, g);
        else if (!strcmp(p.kind, "path") || (!strcmp(p.kind, "text") && !p.preset_text))
            return false;
        g->changes = g->changes || !strcmp(p.kind, "image_inout");
        g->count++;
    }
    return true;
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

static bool time_operation(drua_context *context, size_t operation, const inputs *in, row *result)
{
    call_arguments g;
    double time[TIMED], spent = 0;
    int timed = 0, calls = 0;
    drua_status status = DRUA_OK;
    *result = (row){0};
    if (!arguments_of(operation, in, &g))
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
        result->bytes = drua_bench_bytes(context, g.arguments, g.count);
        release_results(context, operation, g.arguments);
        drua_table_free(table);
        if (calls == 0) /* this call may have compiled its kernels */
            continue;
        const double took = end - start;
        spent += took;
        if (calls >= WARM_UP || took > SLOW || spent > ENOUGH / 2)
            time[timed++] = took;
        enough = timed == TIMED || (timed > 0 && (spent + took > ENOUGH || (took > SLOW && timed == TIMED_IF_SLOW)));
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
static bool sum_operation(drua_context *context, size_t operation, const inputs *in, const char *size,
                          const char *type_name)
{
    call_arguments g;
    drua_table *table = NULL;
    drua_parameter_info p;
    uint64_t sum = DRUA_HASH_START;
    size_t at = 0;
    if (!arguments_of(operation, in, &g))
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
    release_results(context, operation, g.arguments);
    drua_table_free(table);
    free(g.numbers);
    return true;
}

/* Pushes an image, and the same image shifted by some pixels. */
static drua_status push_two(drua_context *context, drua_shape shape, drua_type type, drua_bench_picture what,
                            drua_image *two)
{
    const drua_argument steps = {.kind = DRUA_ARG_NUMBER, .number = 5}, none = {.kind = DRUA_ARG_NUMBER, .number = 0};
    drua_status status = drua_bench_push(context, shape, type, what, &two[0]);
    if (status != DRUA_OK)
        return status;
    drua_argument arguments[] = {
        {.kind = DRUA_ARG_IMAGE, .image = two[0]}, {.kind = DRUA_ARG_NONE}, steps, steps, none};
    status = drua_invoke(context, "circular_shift", arguments, sizeof arguments / sizeof *arguments, NULL);
    two[1] = arguments[1].image;
    return status == DRUA_OK ? drua_sync(context) : status;
}

static drua_status prepare_inputs(drua_context *context, drua_shape shape, drua_type type, inputs *in)
{
    *in = (inputs){.shape = shape};
    drua_status status = push_two(context, shape, type, DRUA_BENCH_GREY, in->grey);
    if (status == DRUA_OK)
        status = push_two(context, shape, type, DRUA_BENCH_GREY, in->changed);
    if (status == DRUA_OK)
        status = push_two(context, shape, DRUA_UINT8, DRUA_BENCH_MASK, in->mask);
    if (status == DRUA_OK)
        status = push_two(context, shape, DRUA_FLOAT32, DRUA_BENCH_LABELS, in->labels);
    if (status == DRUA_OK)
        status = push_two(context, shape, DRUA_UINT8, DRUA_BENCH_SPOTS, in->spots);
    if (status == DRUA_OK)
        status = drua_bench_push(context, (drua_shape){1001, 1001, 1, 2}, DRUA_FLOAT32, DRUA_BENCH_MASK, &in->matrix);
    if (status == DRUA_OK)
        status = drua_bench_push(context, (drua_shape){1000, 3, 1, 2}, DRUA_FLOAT32, DRUA_BENCH_GREY, &in->points);
    if (status == DRUA_OK)
        status = drua_bench_push(context, (drua_shape){8192, 1, 1, 3}, DRUA_FLOAT32, DRUA_BENCH_GREY, &in->vector);
    if (status == DRUA_OK)
        status = drua_bench_push(context, (drua_shape){9, 9, shape.depth > 1 ? 9 : 1, shape.dimension}, DRUA_FLOAT32,
                                 DRUA_BENCH_GREY, &in->kernel);
    if (status == DRUA_OK)
        status = drua_bench_push(context, (drua_shape){shape.width, shape.height, 3, 3}, DRUA_UINT8, DRUA_BENCH_GREY,
                                 &in->colours);
    if (status == DRUA_OK)
        status = drua_bench_push(context, (drua_shape){3, 3, 1, 2}, DRUA_FLOAT32, DRUA_BENCH_GREY, &in->three);
    if (status == DRUA_OK)
        status =
            drua_bench_push(context, (drua_shape){shape.depth, 2, 1, 2}, DRUA_FLOAT32, DRUA_BENCH_GREY, &in->drift);
    if (status == DRUA_OK)
        status = drua_bench_push_transforms(context, shape.depth, &in->transforms);
    return status;
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
    if (options->profile)
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
    inputs in;
    int impossible = 0;
    char size[64];
    snprintf(size, sizeof size, "%lldx%lldx%lld", (long long)shape.width, (long long)shape.height,
             (long long)shape.depth);
    if (prepare_inputs(context, shape, type, &in) != DRUA_OK) {
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
    printf("# method: call + finish, result forced, median of %d after %d, of fewer where they take long; defaults of "
           "each operation\n",
           TIMED, WARM_UP);
    printf("# chains and filters: %s%s\n", chains ? "DRUA_CHAINS=" : "as their work pays for compiling",
           chains ? chains : "");
    printf("# floor: bytes of all image arguments once at the copy rate of this run, %.4g GB/s\n", rate / 1e9);
    if (options->profile)
        printf("# device_ms: kernels by events, which add some microseconds to each launch; kernels: the longest %d, "
               "launches x milliseconds\n",
               KERNELS);
    printf("name\tsize\ttype\tms\tfloor_ms\tshare\t%s\n", options->profile ? "launches\tdevice_ms\tkernels" : "note");
}

int drua_bench(const char *device, drua_bench_options options)
{
    drua_context *context;
    drua_device_info info;
    double rate = 0;
    if (options.profile)
        drua_bench_set("DRUA_TIME_KERNELS", "1");
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

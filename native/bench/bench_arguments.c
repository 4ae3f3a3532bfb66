/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_arguments.h"

#include "bench.h"

#include <stdlib.h>
#include <string.h>

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

static drua_image input_for(const drua_bench_inputs *in, size_t operation, const char *name,
                            const drua_argument *arguments, size_t count)
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
static int64_t extent_of(const drua_bench_inputs *in, size_t operation, const drua_parameter_info *p)
{
    if (p->default_value != 1 || reads_images(operation))
        return 0;
    if (!strcmp(p->name, "width"))
        return in->shape.width;
    if (!strcmp(p->name, "height"))
        return in->shape.height;
    return !strcmp(p->name, "depth") ? in->shape.depth : 0;
}

/* Makes a number for each slice, or for each pixel of the requested image. */
static drua_argument numbers_for(const drua_bench_inputs *in, size_t operation, drua_bench_arguments *g)
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

bool drua_bench_fill_arguments(size_t operation, const drua_bench_inputs *in, drua_bench_arguments *g)
{
    drua_parameter_info p;
    *g = (drua_bench_arguments){.named = {{.kind = DRUA_ARG_TEXT, .text = "source"},
                                          {.kind = DRUA_ARG_IMAGE, .image = in->grey[0]},
                                          {.kind = DRUA_ARG_TEXT, .text = "result"},
                                          {.kind = DRUA_ARG_IMAGE, .image = in->changed[0]}}};
    for (size_t i = 0; drua_operation_parameter(operation, i, &p) == DRUA_OK && i < DRUA_BENCH_MAX_PARAMS; i++) {
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
        else if (!strcmp(p.kind, "path") || (!strcmp(p.kind, "text") && !p.default_text))
            return false;
        g->changes = g->changes || !strcmp(p.kind, "image_inout");
        g->count++;
    }
    return true;
}

void drua_bench_release_results(drua_context *context, size_t operation, drua_argument *arguments)
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

drua_status drua_bench_push_inputs(drua_context *context, drua_shape shape, drua_type type, drua_bench_inputs *in)
{
    *in = (drua_bench_inputs){.shape = shape};
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

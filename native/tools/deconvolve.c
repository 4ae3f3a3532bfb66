/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deconvolves files: one channel and frame of a hyperstack after the other, with the psf's matching channel if the psf
 * has several.
 */
#include "deconvolve.h"

#include "check_output.h"
#include "image_file.h"
#include "imagej.h"
#include "open_context.h"
#include "zarr.h"

#include <drua/drua.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { OPTIONS = 1024 };

#define IMAGE(handle) ((drua_argument){.kind = DRUA_ARG_IMAGE, .image = (handle)})
#define NUMBER(value) ((drua_argument){.kind = DRUA_ARG_NUMBER, .number = (value)})
#define TEXT(characters) ((drua_argument){.kind = DRUA_ARG_TEXT, .text = (characters)})
#define NEW ((drua_argument){.kind = DRUA_ARG_NONE})
#define RUN(context, name, arguments)                                                                                  \
    drua_invoke(context, name, arguments, sizeof(arguments) / sizeof *(arguments), NULL)

/* Pixel and slice distance in the file's unit; 0 if unknown. */
typedef struct sizes {
    double pixel, slice;
    char unit[64];
} sizes;

/* A file that is read channel by channel; it stays open, so that a file that replaces it is noticed. */
typedef struct input {
    const char *path;
    drua_image_file *file;
    int64_t channels, frames;
} input;

enum { IN, PSF, TRUTH, INPUTS };

typedef struct job {
    drua_context *context;
    input inputs[INPUTS];
    const char *in, *psf, *out, *truth;
    char options[OPTIONS];
    double background;
    bool on_devices; /* the options name devices: one call processes all frames */
    int64_t channels, frames, done;     /* done: finished images, of channels times frames */
    drua_shape shape;
    float *pixels;              /* of all results in ImageJ's order: channels, slices, frames */
    char *advice; /* message about the last channel's psf; NULL: no message */
    char excuse[2600]; /* why the job stops, if the reason is not the engine's error message */
} job;

/*
 * Returns the reason of a failure. If the estimate failed, `command` receives the start of a sentence with the command
 * that the user typed, else "".
 */
static const char *read_error(const job *j, const char **command)
{
    static const char estimate[] = "estimate_deconvolution: ";
    const char *error = *j->excuse ? j->excuse : drua_error_message();
    const bool is_estimate = !strncmp(error, estimate, strlen(estimate));
    *command = is_estimate ? "deconvolve: " : "";
    return is_estimate ? error + strlen(estimate) : error;
}

static int print_error(const job *j)
{
    const char *command, *error = read_error(j, &command);
    fprintf(stderr, "%s%s\n", command, error);
    return 1;
}

static sizes sizes_of(drua_context *context, drua_image image)
{
    sizes s = {0, 0, ""};
    const char *text;
    char value[64];
    if (drua_get_metadata(context, image, &text) != DRUA_OK || !drua_imagej_find(text, "unit", s.unit, sizeof s.unit))
        return s;
    s.pixel = drua_imagej_find(text, "pixelWidth", value, sizeof value) ? atof(value) : 0;
    s.slice = drua_imagej_find(text, "pixelDepth", value, sizeof value) ? atof(value) : 0;
    return s;
}

/* Refuses coloured images, which are not counts, and signed numbers, to which ImageJ adds 32768. */
static bool is_light(job *j, drua_image image, const char *path)
{
    const char *text;
    char value[64];
    if (drua_get_metadata(j->context, image, &text) != DRUA_OK)
        return true;
    if (drua_imagej_find(text, "rgb", value, sizeof value))
        snprintf(j->excuse, sizeof j->excuse,
                 "%.1000s is an RGB image, whose colours are not light intensities; split it into channels first",
                 path);
    else if (drua_imagej_find(text, "coefficients", value, sizeof value) && !strcmp(value, "-32768,1"))
        snprintf(j->excuse, sizeof j->excuse,
                 "%.1000s is signed 16-bit, which ImageJ stores with 32768 added; convert it to 32-bit first", path);
    return !*j->excuse;
}

/* Refuses a file with more or fewer pages than its text states, because its channels and frames would be mixed up. */
static drua_status open_input(job *j, int which, const char *path)
{
    input *i = &j->inputs[which];
    i->path = path;
    const drua_status status =
        path ? drua_image_file_open(path, &(drua_selection){.channels = {1, 1}, .frames = {1, 1}}, &i->file) : DRUA_OK;
    drua_text missing = {0};
    if (i->file) {
        drua_image_file_axes(i->file, &i->channels, &i->frames);
        drua_image_file_describe_missing(i->file, &missing);
    }
    if (missing.length)
        snprintf(j->excuse, sizeof j->excuse, "%s; copy or save it again", drua_text_characters(&missing));
    drua_text_free(&missing);
    const char *file;
    for (int part = 0; i->file && (file = drua_image_file_part(i->file, part)); part++)
        if (drua_file_is_inside(file, j->out))
            return drua_fail(DRUA_E_ARGUMENT, "the output '%.1000s' holds pixels of '%.1000s'; use another output",
                             j->out, path);
    return *j->excuse ? DRUA_E_ARGUMENT : status;
}

static drua_status open_inputs(job *j)
{
    drua_status status = open_input(j, IN, j->in);
    j->channels = j->inputs[IN].channels;
    j->frames = j->inputs[IN].frames;
    if (status == DRUA_OK)
        status = open_input(j, PSF, j->psf);
    if (status == DRUA_OK)
        status = open_input(j, TRUTH, j->truth);
    return status;
}

static void close_inputs(job *j)
{
    for (int i = 0; i < INPUTS; i++)
        drua_image_file_close(j->inputs[i].file);
}

/* Reads a channel and frame; the first ones if the file has fewer. Fails if another file has replaced this one. */
static drua_status read_part(job *j, int which, int64_t channel, int64_t frame, drua_image *image)
{
    const input *i = &j->inputs[which];
    const bool exists = channel <= i->channels && frame <= i->frames;
    const drua_status status = drua_read_tiff(j->context, i->path, exists ? channel : 1, exists ? frame : 1, image);
    return status == DRUA_OK ? drua_image_file_check(i->file) : status;
}

/* Prints a message unless it equals that of the previous channel. */
static void print_new_advice(job *j, const char *advice)
{
    if (!j->advice || strcmp(j->advice, advice))
        fputs(advice, stderr);
    free(j->advice);
    const size_t size = strlen(advice) + 1;
    j->advice = malloc(size);
    if (j->advice)
        memcpy(j->advice, advice, size);
}

/* Reads the psf of a channel, resampled to the image's voxels, and prints warnings about it. */
static drua_status read_psf(job *j, int64_t channel, drua_image image, drua_image *psf)
{
    drua_context *c = j->context;
    drua_image raw = 0;
    drua_status status = read_part(j, PSF, channel, 1, &raw);
    if (status != DRUA_OK)
        return status;
    if (!is_light(j, raw, j->psf)) {
        drua_release(c, raw);
        return DRUA_E_ARGUMENT;
    }
    const sizes of_image = sizes_of(c, image), of_psf = sizes_of(c, raw);
    drua_argument fit[] = {IMAGE(image),
                           IMAGE(raw),
                           NEW,
                           NUMBER(of_image.pixel),
                           NUMBER(of_image.slice),
                           TEXT(of_image.unit),
                           NUMBER(of_psf.pixel),
                           NUMBER(of_psf.slice),
                           TEXT(of_psf.unit),
                           NUMBER(0),
                           NUMBER(0),
                           NUMBER(0),
                           NEW};
    status = RUN(c, "fit_psf", fit);
    drua_release(c, raw);
    if (status != DRUA_OK)
        return status;
    print_new_advice(j, fit[12].text);
    *psf = fit[2].image;
    return DRUA_OK;
}

double drua_tool_error(drua_context *context, drua_image image, double background, drua_image truth)
{
    drua_argument light[] = {IMAGE(image), NEW, NUMBER(-background)}, arguments[] = {IMAGE(image), IMAGE(truth), NEW};
    drua_status status = background != 0 ? RUN(context, "add_image_and_scalar", light) : DRUA_OK;
    if (background != 0)
        arguments[0] = light[1];
    if (status == DRUA_OK)
        status = RUN(context, "mean_squared_error", arguments);
    if (background != 0 && light[1].image)
        drua_release(context, light[1].image);
    return status == DRUA_OK ? sqrt(arguments[2].number) : -1;
}

/* Returns the error against the truth; below 0 without a truth. */
static double error_of(job *j, drua_image image, double background, int64_t channel, int64_t frame)
{
    drua_image truth = 0;
    const bool exists = j->truth && read_part(j, TRUTH, channel, frame, &truth) == DRUA_OK;
    const double error = exists ? drua_tool_error(j->context, image, background, truth) : -1;
    if (truth)
        drua_release(j->context, truth);
    return error;
}

static void print_result(job *j, int64_t channel, int64_t frame, drua_image image, drua_image restored)
{
    const double before = error_of(j, image, j->background, channel, frame),
                 after = error_of(j, restored, 0, channel, frame);
    printf("channel %lld, frame %lld", (long long)channel, (long long)frame);
    if (before >= 0 && after >= 0)
        printf(": error against the truth %.4g, before %.4g", after, before);
    else if (j->truth && image)
        printf(": no error against the truth: %s", drua_error_message());
    printf("\n");
    fflush(stdout);
}

/*
 * Returns pointers to the slices of a channel and frame in a stack of `bytes` bytes per pixel, in ImageJ's order; NULL
 * if there is not enough memory. The caller frees the pointers.
 */
static void **planes_of(const job *j, void *pixels, size_t bytes, int64_t channel, int64_t frame)
{
    const size_t plane = (size_t)(j->shape.width * j->shape.height) * bytes;
    void **planes = malloc((size_t)j->shape.depth * sizeof *planes);
    for (int64_t z = 0; planes && z < j->shape.depth; z++)
        planes[z] = (char *)pixels + plane * (size_t)(((frame - 1) * j->shape.depth + z) * j->channels + channel - 1);
    return planes;
}

static drua_status pull_frame(job *j, drua_image image, void *pixels, size_t bytes, int64_t channel, int64_t frame)
{
    void **planes = planes_of(j, pixels, bytes, channel, frame);
    const drua_status status = planes ? drua_pull_planes(j->context, image, planes) : DRUA_E_MEMORY;
    free(planes);
    return status;
}

static drua_status restore_frame(job *j, int64_t channel, int64_t frame, drua_image image, drua_image psf)
{
    drua_context *c = j->context;
    drua_argument arguments[] = {IMAGE(image), IMAGE(psf), NEW, TEXT(j->options)};
    drua_status status = RUN(c, "deconvolve", arguments);
    if (status != DRUA_OK)
        return status;
    status = pull_frame(j, arguments[2].image, j->pixels, sizeof *j->pixels, channel, frame);
    print_result(j, channel, frame, image, arguments[2].image);
    drua_release(c, arguments[2].image);
    j->done += status == DRUA_OK;
    return status;
}

/* Notes the failed channel and frame of a series, before another error replaces the error message. */
static void note_failure(job *j, int64_t channel, int64_t frame)
{
    char sentence[1300];
    const char *command, *error = read_error(j, &command);
    snprintf(sentence, sizeof sentence, "%s%.1200s", command, error);
    if (j->channels * j->frames > 1)
        snprintf(j->excuse, sizeof j->excuse, "channel %lld, frame %lld: %s", (long long)channel, (long long)frame,
                 sentence);
}

static drua_status print_estimate(job *j, drua_image image, drua_image psf)
{
    drua_argument arguments[] = {IMAGE(image), IMAGE(psf), TEXT(j->options), NEW, NEW};
    const drua_status status = RUN(j->context, "estimate_deconvolution", arguments);
    if (status == DRUA_OK)
        fprintf(stderr, "%s\n", arguments[3].text);
    return status;
}

static drua_status restore_channel(job *j, int64_t channel)
{
    drua_context *c = j->context;
    drua_image psf = 0;
    drua_status status = DRUA_OK;
    for (int64_t frame = 1; frame <= j->frames && status == DRUA_OK; frame++) {
        drua_image image = 0;
        status = read_part(j, IN, channel, frame, &image);
        if (status == DRUA_OK && frame == 1)
            status = read_psf(j, channel, image, &psf);
        if (status == DRUA_OK && frame == 1 && channel == 1)
            status = print_estimate(j, image, psf);
        if (status == DRUA_OK)
            status = restore_frame(j, channel, frame, image, psf);
        if (status != DRUA_OK)
            note_failure(j, channel, frame);
        if (image)
            drua_release(c, image);
    }
    if (psf)
        drua_release(c, psf);
    return status;
}

/* ---- all frames on several devices in one call */

/* Pixels of images of one extent and type. */
typedef struct stack {
    char *pixels;
    drua_image_info one;
} stack;

/* Allocates memory for `count` images like this one. */
static drua_status make_room(job *j, stack *s, drua_image image, int64_t count)
{
    if (s->pixels)
        return DRUA_OK;
    const drua_status status = drua_get_info(j->context, image, &s->one);
    s->pixels = status == DRUA_OK ? malloc((size_t)s->one.bytes * (size_t)count) : NULL;
    return s->pixels || status != DRUA_OK ? status : DRUA_E_MEMORY;
}

static drua_status push_stack(job *j, const stack *s, int64_t count, drua_image *image)
{
    const drua_shape one = s->one.shape;
    return drua_push(j->context, (drua_shape){one.width, one.height, one.depth * count, 3}, s->one.type, s->pixels,
                     image);
}

/* Reads a frame into its place; for the first frame of a channel also reads the channel's psf. */
static drua_status gather_frame(job *j, int64_t channel, int64_t frame, stack *images, stack *psfs)
{
    drua_image image, psf = 0;
    drua_status status = read_part(j, IN, channel, frame, &image);
    if (status != DRUA_OK)
        return status;
    status = make_room(j, images, image, j->channels * j->frames);
    if (status == DRUA_OK)
        status = pull_frame(j, image, images->pixels,
                            (size_t)images->one.bytes / (size_t)(j->shape.width * j->shape.height * j->shape.depth),
                            channel, frame);
    if (status == DRUA_OK && frame == 1)
        status = read_psf(j, channel, image, &psf);
    if (status == DRUA_OK && frame == 1)
        status = make_room(j, psfs, psf, j->channels);
    if (status == DRUA_OK && frame == 1)
        status = drua_pull(j->context, psf, psfs->pixels + (size_t)(channel - 1) * psfs->one.bytes);
    if (status == DRUA_OK && frame == 1 && channel == 1)
        status = print_estimate(j, image, psf);
    drua_release(j->context, image);
    if (psf)
        drua_release(j->context, psf);
    return status;
}

/* Compares a frame with the truth: reads the image again and pushes the result again. */
static drua_status compare_frame(job *j, int64_t channel, int64_t frame)
{
    drua_image image = 0, restored = 0;
    void **planes = planes_of(j, j->pixels, sizeof *j->pixels, channel, frame);
    drua_status status = planes ? read_part(j, IN, channel, frame, &image) : DRUA_E_MEMORY;
    if (status == DRUA_OK)
        status = drua_push_planes(j->context, j->shape, DRUA_FLOAT32, (const void *const *)planes, &restored);
    if (status == DRUA_OK)
        print_result(j, channel, frame, image, restored);
    if (image)
        drua_release(j->context, image);
    if (restored)
        drua_release(j->context, restored);
    free(planes);
    return status;
}

static drua_status report_frames(job *j)
{
    drua_status status = DRUA_OK;
    for (int64_t channel = 1; channel <= j->channels && status == DRUA_OK; channel++)
        for (int64_t frame = 1; frame <= j->frames && status == DRUA_OK; frame++)
            if (j->truth)
                status = compare_frame(j, channel, frame);
            else
                print_result(j, channel, frame, 0, 0);
    return status;
}

static drua_status restore_all(job *j, const stack *images, const stack *psfs)
{
    drua_context *c = j->context;
    drua_argument arguments[] = {NEW,
                                 NEW,
                                 NEW,
                                 NUMBER((double)j->channels),
                                 NUMBER((double)j->frames),
                                 NUMBER((double)j->channels),
                                 TEXT(j->options)};
    arguments[0].kind = arguments[1].kind = DRUA_ARG_IMAGE;
    drua_status status = push_stack(j, images, j->channels * j->frames, &arguments[0].image);
    if (status == DRUA_OK)
        status = push_stack(j, psfs, j->channels, &arguments[1].image);
    if (status == DRUA_OK)
        status = RUN(c, "deconvolve_frames", arguments);
    fputs(drua_take_messages(c), stderr);
    if (status == DRUA_OK)
        status = drua_pull(c, arguments[2].image, j->pixels);
    if (arguments[2].image)
        drua_release(c, arguments[2].image);
    return status;
}

static drua_status restore_on_devices(job *j)
{
    stack images = {NULL}, psfs = {NULL};
    drua_status status = DRUA_OK;
    for (int64_t channel = 1; channel <= j->channels && status == DRUA_OK; channel++)
        for (int64_t frame = 1; frame <= j->frames && status == DRUA_OK; frame++) {
            status = gather_frame(j, channel, frame, &images, &psfs);
            if (status != DRUA_OK)
                note_failure(j, channel, frame);
        }
    if (status == DRUA_OK)
        status = restore_all(j, &images, &psfs);
    free(images.pixels);
    free(psfs.pixels);
    return status == DRUA_OK ? report_frames(j) : status;
}

/* Writes all results to one file, with the metadata of the first image. */
static drua_status write_all(job *j, drua_image first)
{
    drua_context *c = j->context;
    const char *text;
    char *about;
    drua_image all;
    const drua_shape shape = {j->shape.width, j->shape.height, j->shape.depth * j->channels * j->frames, 3};
    drua_status status = drua_get_metadata(c, first, &text);
    if (status != DRUA_OK || !(about = malloc(strlen(text) + 128)))
        return status != DRUA_OK ? status : DRUA_E_MEMORY;
    const size_t length = strlen(text);
    sprintf(about, "%s%schannels=%lld\nslices=%lld\nframes=%lld\n", text,
            length && text[length - 1] != '\n' ? "\n" : "", (long long)j->channels, (long long)j->shape.depth,
            (long long)j->frames);
    status = drua_push(c, shape, DRUA_FLOAT32, j->pixels, &all);
    if (status == DRUA_OK)
        status = drua_set_metadata(c, all, about);
    if (status == DRUA_OK)
        status = drua_write_tiff(c, all, j->out, NULL);
    free(about);
    return status;
}

/* Writes the results that were finished before a failure. */
static drua_status keep_done(job *j, drua_image first)
{
    const int64_t all = j->channels * j->frames;
    const size_t used = strlen(j->excuse);
    if (write_all(j, first) == DRUA_OK)
        snprintf(j->excuse + used, sizeof j->excuse - used,
                 "; %.1000s holds the %lld of %lld images finished before, and 0 for the rest", j->out,
                 (long long)j->done, (long long)all);
    return DRUA_E_ARGUMENT;
}

static drua_status run_job(job *j)
{
    drua_image first;
    drua_image_info info;
    drua_status status = open_inputs(j);
    if (status == DRUA_OK)
        status = read_part(j, IN, 1, 1, &first);
    if (status != DRUA_OK)
        return status;
    if (!is_light(j, first, j->in))
        return DRUA_E_ARGUMENT;
    drua_get_info(j->context, first, &info);
    j->shape = info.shape;
    j->pixels = calloc((size_t)(j->shape.width * j->shape.height * j->shape.depth * j->channels * j->frames),
                       sizeof *j->pixels);
    if (!j->pixels)
        return DRUA_E_MEMORY;
    for (int64_t channel = 1; channel <= j->channels && status == DRUA_OK && !j->on_devices; channel++)
        status = restore_channel(j, channel);
    if (j->on_devices)
        status = restore_on_devices(j);
    if (status == DRUA_OK)
        return write_all(j, first);
    return j->done > 0 ? keep_done(j, first) : status;
}

/* Returns the text from the value of a setting on, or ""; an argument may hold several settings. */
static const char *value_of(const char *options, const char *name_and_sign)
{
    for (const char *at = options; *at; at++)
        if ((at == options || strchr(" \t\r\n,", at[-1])) && !strncasecmp(at, name_and_sign, strlen(name_and_sign)))
            return at + strlen(name_and_sign);
    return "";
}

int drua_tool_deconvolve(const drua_tool_command *command, int count, char **arguments)
{
    job j = {.in = arguments[0], .psf = arguments[1], .out = arguments[2]};
    bool overwrite = false;
    (void)command;
    for (int i = 3; i < count; i++) {
        const size_t used = strlen(j.options);
        if (!strcmp(arguments[i], "--overwrite"))
            overwrite = true;
        else if (!strncmp(arguments[i], "truth=", 6))
            j.truth = arguments[i] + 6;
        else if (snprintf(j.options + used, sizeof j.options - used, "%s%s", used ? " " : "", arguments[i]) >=
                 (int)(sizeof j.options - used)) {
            fprintf(stderr, "the options have more than %d bytes; use fewer\n", OPTIONS - 1);
            return 2;
        }
    }
    const char *const read[] = {j.in, j.psf, j.truth};
    j.background = atof(value_of(j.options, "background="));
    j.on_devices = *value_of(j.options, "devices=");
    if (!drua_tool_check_output(j.out, read, 3, overwrite, j.excuse, sizeof j.excuse) ||
        drua_tool_open(NULL, &j.context) != DRUA_OK)
        return print_error(&j);
    const int result = run_job(&j) == DRUA_OK ? 0 : print_error(&j);
    fputs(drua_take_messages(j.context), stderr);
    free(j.pixels);
    free(j.advice);
    close_inputs(&j);
    drua_close(j.context);
    return result;
}

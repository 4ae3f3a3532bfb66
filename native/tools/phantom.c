/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes test files for deconvolution: truth.tif, psf.tif, and image.tif, the simulated microscope image. */
#include "deconvolve.h"

#include "check_output.h"
#include "file.h"
#include "tool_command.h"
#include "open_context.h"

#include <drua/drua.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 16, PSF = 25 };

#define IMAGE(handle)    ((drua_argument){.kind = DRUA_ARG_IMAGE, .image = (handle)})
#define NUMBER(value)    ((drua_argument){.kind = DRUA_ARG_NUMBER, .number = (value)})
#define TEXT(characters) ((drua_argument){.kind = DRUA_ARG_TEXT, .text = (characters)})
#define NEW              ((drua_argument){.kind = DRUA_ARG_NONE})
#define RUN(number, name, ...)                                                                                         \
    do {                                                                                                               \
        drua_argument list[] = {__VA_ARGS__};                                                                          \
        if (status == DRUA_OK)                                                                                         \
            status = drua_invoke(context, name, list, sizeof list / sizeof *list, NULL);                               \
        image = list[number].image;                                                                                    \
    } while (0)

typedef struct settings {
    const char *kind;
    double width, height, depth, photons, background, read_noise, seed, pixel, slice, channels, frames;
} settings;

/* Sets a name=value; returns false if the name is unknown or the value is not valid. */
static bool set_setting(settings *s, const char *word)
{
    const struct {
        const char *name;
        double *value;
    } numbers[] = {{"width", &s->width},       {"height", &s->height},         {"depth", &s->depth},
                   {"photons", &s->photons},   {"background", &s->background}, {"read_noise", &s->read_noise},
                   {"seed", &s->seed},         {"pixel", &s->pixel},           {"slice", &s->slice},
                   {"channels", &s->channels}, {"frames", &s->frames}};
    const char *value = strchr(word, '=');
    if (!value)
        return false;
    if (!strncmp(word, "kind=", 5)) {
        s->kind = value + 1;
        return !strcmp(s->kind, "bars") || !strcmp(s->kind, "beads");
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strlen(numbers[i].name) == (size_t)(value - word) &&
            !strncmp(word, numbers[i].name, (size_t)(value - word))) {
            char *end;
            *numbers[i].value = strtod(value + 1, &end);
            return end != value + 1 && !*end;
        }
    return false;
}

/* `axes`: lines with channels, slices and frames. */
static drua_status write_image(drua_context *context, drua_image image, const settings *s, const char *axes,
                               const char *folder, const char *name)
{
    char path[4096], about[512];
    snprintf(path, sizeof path, "%s/%s.tif", folder, name);
    snprintf(about, sizeof about, "pixelWidth=%g\npixelHeight=%g\npixelDepth=%g\nunit=um\n%s", s->pixel, s->pixel,
             s->slice, axes);
    const drua_status status = drua_set_metadata(context, image, about);
    return status == DRUA_OK ? drua_write_tiff(context, image, path, NULL) : status;
}

static drua_status add_noise(drua_context *context, const settings *s, drua_image light, double seed, drua_image *noisy)
{
    drua_status status = DRUA_OK;
    drua_image image;
    RUN(1, "camera_noise", IMAGE(light), NEW, NUMBER(s->photons), NUMBER(s->read_noise), NUMBER(seed));
    RUN(1, "maximum_image_and_scalar", IMAGE(image), NEW, NUMBER(0));
    *noisy = image;
    return status;
}

/* Makes the camera's images of all channels and frames in ImageJ's order, each with independent noise. */
static drua_status make_series(drua_context *context, const settings *s, drua_image light, const char *folder)
{
    const int64_t channels = (int64_t)s->channels, frames = (int64_t)s->frames, depth = (int64_t)s->depth;
    const size_t plane = (size_t)(s->width * s->height), all = (size_t)(channels * frames * depth);
    float *pixels = malloc(all * plane * sizeof *pixels);
    void **planes = malloc((size_t)depth * sizeof *planes);
    drua_status status = pixels && planes ? DRUA_OK : DRUA_E_MEMORY;
    drua_image image;
    char axes[128];
    for (int64_t i = 0; i < channels * frames && status == DRUA_OK; i++) {
        status = add_noise(context, s, light, s->seed + (double)i, &image);
        for (int64_t z = 0; z < depth; z++)
            planes[z] = pixels + plane * (size_t)((i / channels * depth + z) * channels + i % channels);
        if (status == DRUA_OK)
            status = drua_pull_planes(context, image, planes);
    }
    if (status == DRUA_OK)
        status = drua_push(context, (drua_shape){(int64_t)s->width, (int64_t)s->height, (int64_t)all, 3}, DRUA_FLOAT32,
                           pixels, &image);
    snprintf(axes, sizeof axes, "channels=%lld\nslices=%lld\nframes=%lld\n", (long long)channels, (long long)depth,
             (long long)frames);
    if (status == DRUA_OK)
        status = write_image(context, image, s, axes, folder, "image");
    free(planes);
    free(pixels);
    return status;
}

/*
 * Makes the images. The view lies inside a larger scene, so that out-of-view light reaches it. The image is noise-free.
 */
static drua_status make_images(drua_context *context, const settings *s, drua_picture *made)
{
    const double room = 2 * MARGIN, deep = s->depth > 1 ? room : 0, psf_depth = s->depth > 1 ? PSF : 1;
    drua_status status = DRUA_OK;
    drua_image image;
#define CROP                                                                                                           \
    NEW, NUMBER(MARGIN), NUMBER(MARGIN), NUMBER(deep / 2), NUMBER(s->width), NUMBER(s->height), NUMBER(s->depth)
    RUN(0, "phantom", NEW, TEXT(s->kind), NUMBER(s->width + room), NUMBER(s->height + room), NUMBER(s->depth + deep),
        NUMBER(100), NUMBER(3), NUMBER(24), NUMBER(s->seed));
    const drua_image scene = image;
    RUN(0, "microscope_psf", NEW, NUMBER(PSF), NUMBER(PSF), NUMBER(psf_depth), TEXT("widefield"), TEXT("born_wolf"),
        NUMBER(s->pixel), NUMBER(s->slice));
    made->psf = image;
    RUN(2, "convolve_fft", IMAGE(scene), IMAGE(made->psf), NEW, NUMBER(0), NUMBER(1), TEXT("repeat"));
    const drua_image blurred = image;
    RUN(1, "crop", IMAGE(scene), CROP);
    made->truth = image;
    if (status == DRUA_OK)
        status = drua_release(context, scene);
    RUN(1, "crop", IMAGE(blurred), CROP);
    RUN(1, "add_image_and_scalar", IMAGE(image), NEW, NUMBER(s->background));
    made->image = image;
    if (status == DRUA_OK)
        status = drua_release(context, blurred);
    return status;
}

static drua_status write_all(drua_context *context, const settings *s, const char *folder)
{
    drua_picture made;
    drua_status status = make_images(context, s, &made);
    if (status == DRUA_OK)
        status = write_image(context, made.truth, s, "", folder, "truth");
    if (status == DRUA_OK)
        status = write_image(context, made.psf, s, "", folder, "psf");
    return status == DRUA_OK ? make_series(context, s, made.image, folder) : status;
}

static const settings usual = {"bars", 64, 64, 32, 3, 20, 0, 1, 0.1, 0.2, 1, 1};

drua_status drua_tool_picture(drua_context *context, drua_shape shape, double background, drua_picture *picture)
{
    settings s = usual;
    s.width = (double)shape.width;
    s.height = (double)shape.height;
    s.depth = (double)shape.depth;
    s.background = background;
    const drua_status status = make_images(context, &s, picture);
    return status == DRUA_OK ? add_noise(context, &s, picture->image, s.seed, &picture->image) : status;
}

static bool is_size(double number)
{
    return number >= 1 && number <= 65536 && number == floor(number);
}

static bool can_write(const char *folder, bool overwrite)
{
    static const char *const names[] = {"truth", "psf", "image"};
    char path[4096], why[2600];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s.tif", folder, names[i]);
        if (!drua_tool_check_output(path, NULL, 0, overwrite, why, sizeof why)) {
            fprintf(stderr, "%s\n", why);
            return false;
        }
    }
    return true;
}

int drua_tool_phantom(const drua_tool_command *command, int count, char **arguments)
{
    settings s = usual;
    drua_context *context;
    bool overwrite = false;
    for (int i = 1; i < count; i++)
        if (!strcmp(arguments[i], "--overwrite"))
            overwrite = true;
        else if (!set_setting(&s, arguments[i]))
            return drua_tool_refuse(command, "'%s' is not a valid setting", arguments[i]);
    if (!is_size(s.width) || !is_size(s.height) || !is_size(s.depth) || !is_size(s.channels) || !is_size(s.frames))
        return drua_tool_refuse(command,
                                "width, height, depth, channels and frames must be whole numbers from 1 to 65536");
    drua_path_shorten(arguments[0]);
    if (!drua_file_make_folder(arguments[0])) {
        fprintf(stderr, "the folder '%s' cannot be created; check for a file of that name and for write permission\n",
                arguments[0]);
        return 1;
    }
    if (!can_write(arguments[0], overwrite))
        return 1;
    drua_status status = drua_tool_open(NULL, &context);
    if (status == DRUA_OK) {
        status = write_all(context, &s, arguments[0]);
        if (status != DRUA_OK)
            fprintf(stderr, "%s\n", drua_error_message());
        drua_close(context);
    } else {
        fprintf(stderr, "%s\n", drua_error_message());
    }
    return status == DRUA_OK ? 0 : 1;
}

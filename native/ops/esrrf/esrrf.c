/* SPDX-License-Identifier: BSD-3-Clause */
/* eSRRF of images and files. */
#include "run.h"
#include "plan_files.h"

#define SOURCE                                                                                                         \
    "enhanced super-resolution radial fluctuations (Laine et al. 2023): gradients by Roberts' cross, radial gradient " \
    "convergence on the magnified grid, projection over time"
#define DESTINATION(rule)                                                                                              \
    DRUA_IMAGE_OUT("destination",                                                                                      \
                   "magnified image, one slice for each time point; with projection=all, three slices: AVG, VAR, "     \
                   "TAC2",                                                                                             \
                   .shape = rule, .type = DRUA_FLOAT32, .by_tiles = true)
#define FRAMES                                                                                                         \
    DRUA_NUMBER_OUT("frames",                                                                                          \
                    "number of frames that went into the result; fewer than all if it was stopped with keep_partial")

#define ESTIMATES                                                                                                      \
    DRUA_NUMBER_OUT("bytes", "device memory for the work and the result"),                                             \
        DRUA_NUMBER_OUT("seconds", "time, without building kernels"),                                                  \
        DRUA_TEXT_OUT("estimate", "time and memory as text")
#define MEASURED "the sum of the buffers that the method uses; the time of some frames"
#define DRIFT DRUA_TABLE_OUT("drift", "with drift_correction: number and shift of each frame in pixels")

/* ---- images */

static void magnified_image(drua_plan *p, drua_shape *shape)
{
    *shape = esrrf_result_shape(p, plan_shape(p, "source"));
}

static void run_image(drua_plan *p)
{
    esrrf_run(p, esrrf_movie_of_image, plan_shape(p, "source"));
}

DRUA_OP(esrrf) = {
    .name = "esrrf",
    .category = "super-resolution",
    .summary = "Makes one sharper, magnified image from many frames of a scene whose fluorophores fluctuate (eSRRF). "
               "Slices are frames.",
    .source = SOURCE,
    .estimate = "estimate_esrrf",
    DRUA_IN_MENU(DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames, one per slice"), DESTINATION(magnified_image),
                             ESRRF_OPTIONS, FRAMES, DRIFT)),
    DRUA_ALIASES("Drua eSRRF: source, &destination, options"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = run_image,
    .steps = esrrf_steps,
};

static void estimate_image(drua_plan *p)
{
    esrrf_estimate(p, esrrf_movie_of_image, plan_shape(p, "source"));
}

DRUA_OP(estimate_esrrf) = {
    .name = "estimate_esrrf",
    .category = "super-resolution",
    .summary = "Estimates the time and memory of eSRRF with these options.",
    .source = MEASURED,
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames, one per slice"), ESRRF_OPTIONS, ESTIMATES),
    DRUA_ALIASES("Drua eSRRFEstimate: source, options, &bytes, &seconds"),
    .numeric = DRUA_DEVICE,
    .launch = estimate_image,
};

/* ---- files */

#define MOVIE_FILE                                                                                                     \
    "Ext.Drua_blinkingEmitters(movie, truth, 32, 32, 40, 300, 1.2, 400, 20, 2, 0.03, 1, 0, 0);\n"                      \
    "Ext.Drua_write(movie, getDirectory(\"temp\") + \"drua-example.tif\");"
#define PATH                                                                                                           \
    {                                                                                                                  \
        .name = "path", .doc = "TIFF file of grey frames; the first of several channels is used",                      \
        .kind = DRUA_KIND_PATH                                                                                         \
    }

static void magnified_file(drua_plan *p, drua_shape *shape)
{
    *shape = esrrf_result_shape(p, plan_file_shape(p, "path"));
}

static void run_file(drua_plan *p)
{
    esrrf_run(p, esrrf_movie_of_file, plan_file_shape(p, "path"));
}

DRUA_OP(esrrf_from_file) = {
    .name = "esrrf_from_file",
    .category = "super-resolution",
    .summary = "Runs eSRRF on the frames of a TIFF file and reads a few frames at a time. The file may be larger than "
               "the memory.",
    .source = SOURCE,
    .estimate = "estimate_esrrf_from_file",
    .before_example = MOVIE_FILE,
    DRUA_IN_MENU(DRUA_PARAMS(PATH, DESTINATION(magnified_file), ESRRF_OPTIONS, FRAMES, DRIFT)),
    DRUA_ALIASES("Drua eSRRFFromFile: path, &destination, options"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = run_file,
};

static void estimate_file(drua_plan *p)
{
    esrrf_estimate(p, esrrf_movie_of_file, plan_file_shape(p, "path"));
}

DRUA_OP(estimate_esrrf_from_file) = {
    .name = "estimate_esrrf_from_file",
    .category = "super-resolution",
    .summary = "Estimates the time and memory of eSRRF of a TIFF file.",
    .source = MEASURED,
    .before_example = MOVIE_FILE,
    DRUA_PARAMS(PATH, ESRRF_OPTIONS, ESTIMATES),
    DRUA_ALIASES("Drua eSRRFFromFileEstimate: path, options, &bytes, &seconds"),
    .numeric = DRUA_DEVICE,
    .launch = estimate_file,
};

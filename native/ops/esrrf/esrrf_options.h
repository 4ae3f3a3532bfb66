/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings of eSRRF, parsed from "name=value name=value". */
#ifndef DRUA_OPS_ESRRF_OPTIONS_H
#define DRUA_OPS_ESRRF_OPTIONS_H

#include "plan.h"

typedef enum esrrf_projection { ESRRF_AVG, ESRRF_VAR, ESRRF_TAC2, ESRRF_ALL, ESRRF_FRAMES } esrrf_projection;
typedef enum esrrf_registration { ESRRF_REGISTERED, ESRRF_NANOPYX, ESRRF_NANOJ } esrrf_registration;

typedef struct esrrf_options {
    int magnification;
    double radius;                  /**< in pixels */
    double sensitivity;
    int64_t frames_per_timepoint;   /**< 0: all */
    esrrf_projection projection;
    bool intensity_weighting, macro_pixel_correction;
    esrrf_registration registration;
    bool drift_correction;
    int64_t drift_frames;           /**< frames added up for one drift measurement */
    bool keep_partial;              /**< a stopped call returns the partial result */
    char devices[DRUA_SETTING_TEXT]; /**< devices that share the work; "": only the call's device */
} esrrf_options;

/** Reads the call's parameter "options", which is ESRRF_OPTIONS. */
esrrf_options esrrf_read_options(drua_plan *p);

/** Sets the steps of the output: the size of a magnified pixel in pixels of the movie. */
void esrrf_steps(drua_plan *p, double steps[3][3]);

/** Returns the number of slices for each time point. */
int32_t esrrf_projections(const esrrf_options *options);

#define ESRRF_MIN_RADIUS      0.1
#define ESRRF_MAX_RADIUS      20
#define ESRRF_MIN_SENSITIVITY 0.1
#define ESRRF_MAX_SENSITIVITY 100

#define ESRRF_OPTIONS                                                                                                  \
    {                                                                                                                  \
        .name = "options", .doc = "settings as name=value words, such as \"magnification=5 radius=2 projection=VAR\"", \
        .kind = DRUA_KIND_OPTIONS, .default_text = "", .example_text = "magnification=2",                              \
        DRUA_SETTINGS(                                                                                                 \
            DRUA_INTEGER("magnification", "number of magnified pixels along one pixel of the movie",                   \
                         DRUA_RANGE(1, 20), .default_value = 5),                                                       \
            DRUA_NUMBER("radius",                                                                                      \
                        "full width at half maximum of the Gaussian that weights the gradients around each magnified " \
                        "pixel",                                                                                       \
                        .unit = "pixel", DRUA_RANGE(ESRRF_MIN_RADIUS, ESRRF_MAX_RADIUS), .default_value = 1.5),        \
            DRUA_NUMBER("sensitivity", "power of the convergence; values below 1 change nothing, except with nanoj",   \
                        DRUA_RANGE(ESRRF_MIN_SENSITIVITY, ESRRF_MAX_SENSITIVITY), .default_value = 1),                 \
            DRUA_INTEGER("frames_per_timepoint",                                                                       \
                         "number of frames that make one result; 0: all. A shorter last group makes a result too",     \
                         DRUA_RANGE(0, 2147483647), .enabled_if = "projection=AVG|VAR|TAC2|all"),                      \
            DRUA_CHOICE(                                                                                               \
                "projection",                                                                                          \
                "AVG: mean; VAR: variance; TAC2: product of deviations of neighbouring frames; all: these three; "     \
                "frames: each frame separately",                                                                       \
                DRUA_CHOICES("AVG", "VAR", "TAC2", "all", "frames")),                                                  \
            DRUA_BOOLEAN("intensity_weighting",                                                                        \
                         "on: the convergence is multiplied by the brightness; off: the convergence alone",            \
                         .default_value = 1),                                                                          \
            DRUA_BOOLEAN(                                                                                              \
                "macro_pixel_correction",                                                                              \
                "divides each magnified pixel by the mean of all at the same position within a pixel of the movie",    \
                .default_value = 1),                                                                                   \
            DRUA_CHOICE("registration",                                                                                \
                        "position of structures: registered keeps it; nanopyx and nanoj shift it as the programs of "  \
                        "that name do",                                                                                \
                        DRUA_CHOICES("registered", "nanopyx", "nanoj")),                                               \
            DRUA_BOOLEAN("drift_correction", "measures how far the view moves, and shifts each frame back first"),     \
            DRUA_INTEGER("drift_frames", "frames that are added up for one measurement of the drift",                  \
                         DRUA_RANGE(1, 1000000), .default_value = 50, .enabled_if = "drift_correction"),               \
            DRUA_BOOLEAN("keep_partial",                                                                               \
                         "on: after Escape, the result is that of the finished frames; off: there is no result"),      \
            DRUA_TEXT("devices",                                                                                       \
                      "devices that share the movie; empty: this device; all: this device and all of the same model "  \
                      "and driver; or numbers and names as drua devices lists them, separated by commas",              \
                      .default_text = ""))                                                                             \
    }

#endif

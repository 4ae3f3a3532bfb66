/* SPDX-License-Identifier: BSD-3-Clause */
/* Richardson-Lucy deconvolution: options and entry points. */
#ifndef DRUA_RICHARDSON_LUCY_H
#define DRUA_RICHARDSON_LUCY_H

#include "../fourier/box.h"
#include "tile.h"

typedef enum rl_acceleration { RL_PLAIN, RL_HEAVY_BALL, RL_BIGGS_ANDREWS } rl_acceleration;

/** Wiener-Butterworth: Richardson-Lucy with another back projector. */
typedef enum rl_method { RL_RICHARDSON_LUCY, RL_WIENER_BUTTERWORTH, RL_LANDWEBER } rl_method;

/**
 * Action when the residual of the image is only noise. Automatic: stop if the iteration is accelerated and has no other
 * stopping rule; otherwise go on.
 */
typedef enum rl_at_noise { RL_NOISE_AUTOMATIC, RL_NOISE_STOP, RL_NOISE_GO_ON } rl_at_noise;

typedef struct rl_options {
    rl_method method;
    double step;                /* Landweber: step length, below 2 */
    double precondition; /* Landweber: noise parameter of the filter for corrections; 0: no filter */
    /* Wiener-Butterworth: noise, and how sharply the filter cuts off at the resolution limit */
    double alpha, order;
    int64_t iterations;
    int edges; /* with EDGES_ZERO, light from outside the view is estimated too */
    rl_acceleration acceleration;
    double total_variation, spacing[3];
    double min_gradient; /* smallest gradient for total variation, as a fraction of the pixel */
    double background;
    double stop;                /* relative change of the divergence; 0: run all iterations */
    rl_at_noise at_noise;
    int64_t every; /* number of iterations between two recorded divergences; 0: none are recorded */
    double saturated;           /* pixels of this value and above are unknown; INFINITY: none */
    /* value of the first estimate; 0: the mean above the background, or the image, depending on `edges` */
    double start;
    /* mean above the background of the larger image of which this one is a part; 0: the mean of this image */
    double mean;
    bool keep_partial;          /* a stopped call returns the estimate reached so far */
    bool slices;                /* each slice separately, with the middle slice of the psf */
    char devices[DRUA_SETTING_TEXT]; /* devices that share blocks or frames; "": only the call's device */
} rl_options;

/** Returns the defaults: 20 iterations, edges=noncirculant, no other option. */
rl_options rl_defaults(void);

/** Reads the call's parameter "options", which is RL_OPTIONS: "iterations=20 tv=0.002 accelerate background=10". */
rl_options rl_read_options(drua_plan *plan);

#define RL_OPTIONS                                                                                                     \
    {                                                                                                                  \
        .name = "options", .doc = "settings as words, such as \"iterations=15 accelerate background=100\"",            \
        .kind = DRUA_KIND_OPTIONS, .default_text = "",                                                                 \
        DRUA_SETTINGS(                                                                                                 \
            DRUA_CHOICE("method", "the step that each iteration takes",                                                \
                        DRUA_CHOICES("richardson_lucy", "wiener_butterworth", "landweber"), .group = "Method"),        \
            DRUA_INTEGER("iterations", "largest number of iterations", DRUA_RANGE(1, 100000), .default_value = 20),    \
            DRUA_CHOICE("accelerate",                                                                                  \
                        "each step continues in the direction of the previous one; the word accelerate alone means "   \
                        "heavy_ball",                                                                                  \
                        DRUA_CHOICES("none", "heavy_ball", "biggs_andrews"), .bare = "heavy_ball"),                    \
            DRUA_NUMBER("step", "for landweber: length of a step", DRUA_RANGE(1e-6, 1.99), .default_value = 1,         \
                        .enabled_if = "method=landweber"),                                                             \
            DRUA_NUMBER("precondition",                                                                                \
                        "for landweber: corrections are filtered with a Wiener filter for this noise; with 0.05 to "   \
                        "0.2, 3 to 5 iterations suffice; 0: off",                                                      \
                        DRUA_RANGE(0, 1e3), .enabled_if = "method=landweber"),                                         \
            DRUA_NUMBER("alpha", "for wiener_butterworth: larger values suppress more noise and sharpen less",         \
                        DRUA_RANGE(1e-9, 1e3), .default_value = 0.05, .enabled_if = WIENER),                           \
            DRUA_NUMBER("order", "for wiener_butterworth: how sharply the filter cuts off at the resolution limit",    \
                        DRUA_RANGE(1, 30), .default_value = 10, .enabled_if = WIENER),                                 \
            DRUA_BOOLEAN("slices", "deconvolves each slice separately, with the middle slice of the psf"),             \
            DRUA_CHOICE("edges",                                                                                       \
                        "noncirculant: light from outside the view is estimated too; mirror: the image is mirrored "   \
                        "at its edges; circulant: it repeats",                                                         \
                        DRUA_CHOICES("noncirculant", "mirror", "circulant"), .group = "Image"),                        \
            DRUA_NUMBER("start",                                                                                       \
                        "value of the first estimate, not for edges=circulant; 0: noncirculant starts from the mean, " \
                        "and mirror from the image, whose pixels of 0 then stay 0",                                    \
                        DRUA_RANGE(0, 1e30), .enabled_if = "edges=noncirculant|mirror"),                               \
            DRUA_NUMBER("background", "uniform background light, in grey values", DRUA_RANGE(0, 1e30)),                \
            DRUA_NUMBER("saturated", "pixels of this grey value and above are unknown; 0: all are known",              \
                        DRUA_RANGE(0, 1e30)),                                                                          \
            DRUA_NUMBER(                                                                                               \
                "tv",                                                                                                  \
                "weight of the total variation, which favours even areas with sharp edges; 0.0005 to 0.01 are useful", \
                DRUA_RANGE(0, 1), .group = "Total variation", .enabled_if = NOT_LANDWEBER),                            \
            DRUA_NUMBER("tv_floor", "the smallest gradient that tv uses, as a share of the pixel's value",             \
                        DRUA_RANGE(0, 10), .enabled_if = "tv " NOT_LANDWEBER),                                         \
            {.name = "spacing",                                                                                        \
             .doc = "size of a voxel along x, y, z, for tv",                                                           \
             .kind = DRUA_KIND_ARRAY_IN,                                                                               \
             .default_text = "1,1,3",                                                                                  \
             .unit = "voxel",                                                                                          \
             DRUA_RANGE(RL_MIN_SPACING, 1e30),                                                                         \
             .default_value = 1,                                                                                       \
             .enabled_if = "tv " NOT_LANDWEBER},                                                                       \
            DRUA_NUMBER("stop",                                                                                        \
                        "ends when the divergence changes by less than this share in one iteration (with curve, from " \
                        "one row of its table to the next); 0: runs all iterations",                                   \
                        DRUA_RANGE(0, 1), .group = "End"),                                                             \
            DRUA_CHOICE("at_noise",                                                                                    \
                        "action when image and prediction differ only by noise; automatic stops accelerated "          \
                        "iterations if stop is 0",                                                                     \
                        DRUA_CHOICES("automatic", "stop", "go_on")),                                                   \
            DRUA_INTEGER("curve", "number of iterations between two rows of a table of the divergence; 0: no table",   \
                         DRUA_RANGE(0, 100000), .bare = "1"),                                                          \
            DRUA_BOOLEAN("keep_partial",                                                                               \
                         "on: after Escape, the result is the estimate of the finished iterations, and a table gives " \
                         "their number and, in blocks, the layers; off: there is no result"),                          \
            DRUA_TEXT("devices",                                                                                       \
                      "devices that share the frames, or the blocks of an image that does not fit one device; empty: " \
                      "this device; all: this device and all of the same model and driver; or numbers and names as "   \
                      "drua devices lists them, separated by commas",                                                  \
                      .default_text = ""),                                                                             \
            DRUA_NUMBER(                                                                                               \
                "mean",                                                                                                \
                "mean above the background of the larger image that contains this one; 0: the mean of this image",     \
                DRUA_RANGE(0, 1e30), .unlisted = true))                                                                \
    }

#define WIENER "method=wiener_butterworth"
#define NOT_LANDWEBER "method=richardson_lucy|wiener_butterworth"
#define RL_MIN_SPACING 1e-30

/**
 * rl_box returns the box for the Fourier transforms of the calling operation's images. rl_boxes returns how many boxes
 * the iteration needs besides the images. `partly`: some pixels are unknown, or the image is a block of a larger one.
 */
fourier_box rl_box(drua_plan *plan, const rl_options *options);
int rl_boxes(const rl_options *options, bool partly);

/** Callbacks of drua_op for operations with RL_OPTIONS. */
void rl_parts_apart(drua_plan *plan, drua_parts *parts);
void rl_settle(drua_plan *plan, char *options);
double rl_effort(drua_plan *plan);
uint64_t rl_scratch(drua_plan *plan);

/**
 * Returns the box of a block. `cut`: the axis, 1 or 2, along which the block's surroundings are estimated for any
 * choice of edges; 0: none.
 */
fourier_box rl_box_of_block(drua_shape block, drua_shape psf, const rl_options *options, int cut);

/** Returns the extent of the psf in use: its middle slice if slices are deconvolved separately. */
drua_shape rl_psf_shape(drua_plan *plan, const rl_options *options);

/** Checks a psf and returns its sum; fails the call if the psf is not valid; waits. */
double rl_check_psf(drua_plan *plan, drua_view psf);

/**
 * Returns the mean of the known pixels minus the background; fails the call if it is not positive. Call only inside
 * op->build_large and op->write_measured_settings. `mask`: an operand without an image if there is no mask.
 */
double rl_mean(drua_plan *plan, const rl_options *options, drua_operand source, drua_operand mask);

/** Fails the call because the mean is not above the background. */
void rl_fail_dark(drua_plan *plan, const rl_options *options, double mean);

/**
 * Fails the call because no pixel is known. The error message depends on `darkest`, the darkest pixel of source, and
 * `min_mask`, the smallest pixel of the mask (0 without a mask).
 */
void rl_fail_unknown(drua_plan *plan, const rl_options *options, double darkest, double min_mask);

/** Returns the spectrum of the Wiener-Butterworth back projector, computed from the spectrum of the blur; waits. */
drua_view rl_back_projector(drua_plan *plan, const rl_options *options, drua_view psf, drua_view spectrum);

/** Returns the spectrum of Landweber's preconditioner (Piana and Bertero), computed from the spectrum of the blur. */
drua_view rl_preconditioner(drua_plan *plan, const rl_options *options, drua_view spectrum);

/**
 * Returns a bit for each axis along which the psf is wide. Along a wide axis, the signal that an estimate lacks is
 * correlated in neighbouring pixels. Waits.
 */
int rl_smooth_axes(drua_plan *plan, drua_view psf);

/**
 * Deconvolves `source` with `psf` into `destination`. Recorded divergences become the call's table. `mask`: the
 * parameter with bad pixels, or NULL.
 */
void rl_run(drua_plan *plan, const rl_options *options, const char *mask);

/** Number of divergences that a run of all iterations records, and number of products of steps, two for each step. */
int64_t rl_records(const rl_options *options);
int64_t rl_products(const rl_options *options);

/**
 * rl_noise_checks returns how often a run of all iterations tests the residual of the image for noise. rl_noise_check
 * returns the iteration before which a test of a given number happens. A test precedes every fifth iteration from the
 * 10th on, because near its minimum the error against the object hardly changes over five iterations.
 */
int64_t rl_noise_checks(const rl_options *options);
int64_t rl_noise_check(int64_t number);

/** Whether the residual is tested for noise before that iteration. */
bool rl_is_noise_check(const rl_options *options, int64_t iteration);

/** Number of sums over pixels that a run returns: divergences, products, then residual sums. */
int64_t rl_sums(const rl_options *options);

/** Whether the divergence has almost stopped changing. */
bool rl_has_converged(const rl_options *options, double before, double now);

/** Sets the call's table to `count` divergences. */
void rl_tabulate(drua_plan *plan, const rl_options *options, const double *divergences, int64_t count);

/** As rl_run, but in blocks; call only inside op->build_large. */
void rl_run_large(drua_plan *plan, const rl_options *options, const char *mask);

/** Returns the number of blocks needed to deconvolve the image on this device; 0: impossible. */
int64_t rl_blocks(drua_plan *plan, const rl_options *options);

#endif

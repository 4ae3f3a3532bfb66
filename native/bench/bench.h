/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_BENCH_BENCH_H
#define DRUA_BENCH_BENCH_H

#include <drua/drua.h>

#include <stdbool.h>

/** Contents of a test image. The first four show the same balls. */
typedef enum drua_bench_picture {
    DRUA_BENCH_GREY, /* balls as grey values with noise */
    DRUA_BENCH_MASK,
    DRUA_BENCH_LABELS,
    DRUA_BENCH_SPOTS, /* the centres of the balls */
    DRUA_BENCH_NOISE, /* random, half of all pixels set */
    DRUA_BENCH_FULL, /* only the first pixel is 0, which gives the largest distances */
    DRUA_BENCH_CELLS, /* labels of boxes that touch: 100,000 in 512 x 512 x 512 pixels, 2,000 in 2048 x 2048 */
    DRUA_BENCH_PICTURES
} drua_bench_picture;

/** Makes a test image of type uint8, uint16 or float32 on the device. The caller releases it. */
drua_status drua_bench_push(drua_context *context, drua_shape shape, drua_type type, drua_bench_picture what,
                            drua_image *image);

/** Pushes transforms of frames, as estimate_registration makes them: shifts by up to two pixels. */
drua_status drua_bench_push_transforms(drua_context *context, int64_t frames, drua_image *image);

/**
 * Makes the noise pixels of a movie, the same on every computer. Emitters would not affect the speed.
 * The caller frees them; NULL if memory is short.
 */
uint16_t *drua_bench_noise(size_t count);

/** Returns the bytes of all images among these arguments. */
double drua_bench_image_bytes(drua_context *context, const drua_argument *arguments, size_t count);

/** Monotonic time in seconds. */
double drua_bench_seconds(void);

/** Sorts `count` times and returns their median. */
double drua_bench_median(double *times, int count);

/** Sets an environment variable, before a device is opened. */
void drua_bench_set_variable(const char *name, const char *value);

/** Options of drua_bench. */
typedef struct drua_bench_options {
    const char *only; /* comma-separated parts of names to time; NULL: all operations */
    /* 1: 512x512x512 (on CPUs 512x512x64) and 2048x2048; larger numbers divide the extents for slow devices */
    int scale;
    bool odd; /* shortens each row by a pixel, so that rows do not end with whole vectors */
    /* prints checksums of the results instead of times; exact operations give equal checksums on all devices */
    bool sums;
    /*
     * prints kernel times of the operations in `only`, or else of all that exceed ten times their floor (on CPUs
     * three times)
     */
    bool profile;
    bool stalls; /* prints the first call and the slowest of the calls after it; an empty cache shows all stalls */
} drua_bench_options;

/**
 * Times operations and prints one line each: name, size, type, milliseconds, floor, share of the floor, note. With
 * profiles, the note is replaced by launches, device milliseconds in total and by kernel, per call. With sums, a
 * checksum follows name, size and type. @return 0, or 1 if a time lies below its floor or the device fails
 */
int drua_bench(const char *device, drua_bench_options options);

/** Times eSRRF and prints frames per second and magnified pixels per second; `scale` divides the number of frames. */
int drua_bench_esrrf(const char *device, int scale);

/**
 * Times flat fields of 100 tiles of 2048x2048, deskewing of 934x512x768, and registration of 400 frames of 512x512.
 * Prints operation, size, type, milliseconds and note. Returns 1 if a call fails.
 */
int drua_bench_raw(const char *device, int scale);

/**
 * Times eSRRF of 2000 frames of 512 x 512 on 1, 2, 4, ... identical devices. Prints frames per second and a checksum;
 * `scale` divides the number of frames. Returns 1 if the results differ.
 */
int drua_bench_devices(const char *device, int scale);

/**
 * Times chains of pointwise operations, interpreted and compiled; prints the columns of drua_bench, with the variant as
 * note.
 */
int drua_bench_chains(const char *device, int scale);

/**
 * Times Richardson-Lucy iterations, plain and accelerated, on boxes of 512x512x256, 512x512x512, 1024x1024x256 and
 * 2048x2048x64. Prints a line each: milliseconds per iteration, voxel-iterations per second, traffic, share of the
 * floor, memory, start time. The lines of drua_bench_quality follow.
 */
int drua_bench_deconvolution(const char *device, int scale);

/**
 * Times deconvolutions of a known object, plain and accelerated. Prints the remaining error and how much a second
 * reduces it.
 */
int drua_bench_quality(const char *device, int scale);

/**
 * Times the tasks that other engines are also timed with, named as in tests/bench/peers; prints the columns of
 * drua_bench.
 */
int drua_bench_peers(const char *device, int scale);

/** Times the tracking of 1000 frames with 2025 labels each; `scale` divides the number of frames. */
int drua_bench_tracks(const char *device, int scale);

/**
 * Times measure_labels and measure_label_pairs on labels of separate balls and of cells that touch; `scale` divides the
 * extents.
 */
int drua_bench_labels(const char *device, int scale);

/**
 * A timed call. Each word of `arguments` is one argument: an image's name, `bytes` for a reused output image, `&` for a
 * new result, `=` for a number result, a number, or a text. A number with z before it, such as z2, is 0 in planes.
 */
typedef struct drua_bench_work {
    const char *name, *operation, *arguments;
} drua_bench_work;

/** Times a list of calls as drua_bench_peers does. */
int drua_bench_works(const char *device, int scale, const drua_bench_work *list, size_t count);

/** Times transfers, launches and first calls, independently of any operation. */
int drua_bench_engine(const char *device, int scale);

/**
 * Times the demonstration's commands on one image, first to fourth run: seconds, programs compiled or loaded, results.
 */
int drua_bench_calls(const char *device, int scale);
int drua_bench_first(const char *device, int scale);

/**
 * Names the rows of a table that are more than 10 % slower than in an older table. Returns 1 if there are such rows, 2
 * if a file cannot be read.
 */
int drua_bench_compare(const char *old_path, const char *new_path);

/** Prints a table as an SVG picture. */
int drua_bench_plot(const char *path);

#endif

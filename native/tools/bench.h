/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_TOOLS_BENCH_H
#define DRUA_TOOLS_BENCH_H

#include <drua/drua.h>

#include <stdbool.h>

/** What stands on an image to work on: balls as grey values with noise, as mask, as labels or as their centres; every
 * other pixel set; all but one. */
typedef enum drua_bench_picture {
    DRUA_BENCH_GREY,
    DRUA_BENCH_MASK,
    DRUA_BENCH_LABELS,
    DRUA_BENCH_SPOTS,
    DRUA_BENCH_NOISE,       /* at random, half of all pixels */
    DRUA_BENCH_FULL,        /* the first pixel is 0: the largest distances */
    DRUA_BENCH_PICTURES
} drua_bench_picture;

/** Makes such an image of a type (uint8, uint16 or float32) on the device. The caller releases. */
drua_status drua_bench_push(drua_context *context, drua_shape shape, drua_type type, drua_bench_picture what,
                            drua_image *image);

/** Pixels of a movie, the same on every computer: emitters are no matter of speed. The caller frees; NULL: no memory.
 */
uint16_t *drua_bench_noise(size_t count);

/** Bytes of all images among these arguments. */
double drua_bench_bytes(drua_context *context, const drua_argument *arguments, size_t count);

/** Seconds of a clock of the host. */
double drua_bench_seconds(void);

/** Sorts `count` times and returns their median. */
double drua_bench_median(double *times, int count);

/** Sets a variable of the environment, before a device is opened. */
void drua_bench_set(const char *name, const char *value);

/** What drua_bench does. */
typedef struct drua_bench_options {
    const char *only;       /* parts of the names to time, with commas between them, NULL: all */
    int scale; /* 1: 512x512x512, on processors 512x512x64, and 2048x2048; larger numbers divide the extents for slow
                  devices */
    bool odd;               /* rows are a pixel shorter, so that they do not end with whole vectors */
    bool sums; /* no times, but a checksum of what comes out: the same on all devices where operations are exact */
    bool profile; /* with the times of kernels: of what is named, else of all that take more than ten times their floor,
                     on processors three times */
} drua_bench_options;

/**
 * Times operations and prints one line each: name, size, type, milliseconds, floor, share of the floor, note. Profiles
 * have launches, milliseconds of the device in all and by kernel, an operation, in the place of the note. Sums have a
 * checksum behind name, size and type.
 * @return 0, or 1 if a time lies below its floor or the device fails
 */
int drua_bench(const char *device, drua_bench_options options);

/** Times eSRRF and prints frames and magnified pixels a second; `scale` divides the number of frames. */
int drua_bench_esrrf(const char *device, int scale);

/** eSRRF of 2000 frames of 512 x 512 by 1, 2, 4, ... equal devices: frames a second and a checksum; `scale` as above. 1
 * if bytes differ. */
int drua_bench_devices(const char *device, int scale);

/** Times chains of pointwise operations, interpreted and compiled; the columns of drua_bench, the note is the variant.
 */
int drua_bench_chains(const char *device, int scale);

/** Lets the engine compile and time the variants of common chains and filters ahead. */
int drua_tune(const char *device, int scale);

/**
 * Times Richardson-Lucy iterations on boxes of 512x512x256, 512x512x512, 1024x1024x256 and 2048x2048x64, plain and
 * accelerated, and prints a line each: milliseconds an iteration, voxel-iterations a second, traffic, share of the
 * floor, memory, start. DRUA_BENCH_ONLY names a part of a line that is done alone; without it the lines of
 * drua_bench_quality follow.
 */
int drua_bench_deconvolution(const char *device, int scale);

/** Times deconvolutions of a known object, plain and accelerated, and prints the error that is left and what a second
 * brings. */
int drua_bench_quality(const char *device, int scale);

/** The work that other engines are timed with too, by the names of tests/bench/peers; the columns of drua_bench. */
int drua_bench_peers(const char *device, int scale);

/** Transfers, launches and first calls, whatever the operation. */
int drua_bench_engine(const char *device, int scale);

/** The demonstration's commands on one image, from the first to the fourth time: seconds, programs that were compiled
 * or loaded, what came out. */
int drua_bench_first(const char *device, int scale);

/** Names the rows of a table that are more than 10 % slower than in an older one; 1 if there are any, 2 if a file
 * cannot be read. */
int drua_bench_compare(const char *old_path, const char *new_path);

/** Prints a table as an SVG picture. */
int drua_bench_plot(const char *path);

#endif

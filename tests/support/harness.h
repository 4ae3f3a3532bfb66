/* SPDX-License-Identifier: BSD-3-Clause */
/* What test programs share: random numbers with a seed that can be given again, images on both sides, a JSON reader. */
#ifndef DRUA_TESTS_HARNESS_H
#define DRUA_TESTS_HARNESS_H

#include "reference.h"

#include <check.h>
#include <drua/drua.h>

/** One of each element type, ends with DRUA_NO_TYPE. */
extern const drua_type harness_types[];

/** Fails the test with the engine's sentence. Check's own assertions write a file each time. */
#define REQUIRE(call)                                              \
    do {                                                           \
        if ((call) != DRUA_OK)                                     \
            ck_abort_msg("%s: %s", #call, drua_error_message());   \
    } while (0)

/** The call fails with that status, and the sentence holds every further text (at least one). */
#define REFUSED(status, call, ...) harness_refused(status, call, #call, (const char *const[]){__VA_ARGS__, NULL})
void harness_refused(drua_status expected, drua_status got, const char *call, const char *const *parts);

/* ---- arguments of drua_invoke and drua_command */

#define IMAGE(handle) ((drua_argument){.kind = DRUA_ARG_IMAGE, .image = (handle)})
#define NUMBER(value) ((drua_argument){.kind = DRUA_ARG_NUMBER, .number = (value)})
#define NAME(characters) ((drua_argument){.kind = DRUA_ARG_TEXT, .text = (characters)})
#define NEW ((drua_argument){.kind = DRUA_ARG_NONE})
#define ARRAY(numbers, count) ((drua_argument){.kind = DRUA_ARG_ARRAY, .array = (numbers), .length = (count)})

/** LIST(NAME("a"), IMAGE(a), ...) */
#define LIST(...)                                                                                                     \
    ((drua_argument){.kind = DRUA_ARG_LIST, .list = (const drua_argument[]){__VA_ARGS__},                             \
                     .length = sizeof((const drua_argument[]){__VA_ARGS__}) / sizeof(drua_argument)})

/** INVOKE(context, "copy", IMAGE(a), NEW): status; the arguments are gone afterwards. */
#define INVOKE(context, name, ...)                                                                                    \
    drua_invoke(context, name, (drua_argument[]){__VA_ARGS__}, sizeof((drua_argument[]){__VA_ARGS__}) / sizeof(drua_argument), NULL)
#define COMMAND(context, name, ...)                                                                                   \
    drua_command(context, name, (drua_argument[]){__VA_ARGS__}, sizeof((drua_argument[]){__VA_ARGS__}) / sizeof(drua_argument), NULL)

/* ---- random numbers */

typedef struct harness_random {
    uint64_t state;
} harness_random;

/** The seed in DRUA_SEED, or a new one; printed, so that a failure can be run again. */
uint64_t harness_new_seed(const char *what);

uint32_t harness_next(harness_random *random);

/** 0 to limit - 1. */
int harness_below(harness_random *random, int limit);

/* ---- images */

typedef enum harness_content {
    HARNESS_GREY,       /**< small numbers, signed where the type is; fractions in float32 */
    HARNESS_SPECIAL,    /**< as GREY, in float32 with NaN and infinities */
    HARNESS_POSITIVE,   /**< as GREY, 1 and above */
    HARNESS_BINARY,     /**< 0 and 1 in blobs */
    HARNESS_LABELS,     /**< 0 to 7 in blobs, some missing, seldom all */
    HARNESS_SPOTS,      /**< few pixels of 1 */
    HARNESS_INDICES,    /**< integers from 0 to less than the width */
    HARNESS_SHIFTS      /**< quarters from -3 to 3 */
} harness_content;

reference_image harness_image(harness_random *random, drua_type type, drua_shape shape, harness_content content);
drua_image harness_push(drua_context *context, const reference_image *image);

/** Frames of a camera: every pixel at random, of bytes all values, of other types up to 59999. */
drua_image harness_push_movie(drua_context *context, harness_random *random, drua_shape shape, drua_type type);

/** A one-line image of float32 with those numbers. */
drua_image harness_line(drua_context *context, const float *numbers, int count);

/** The engine's pixels. The caller frees. */
reference_image harness_pull(drua_context *context, drua_image image);

/** First pixel of an image. */
double harness_first(drua_context *context, drua_image image);

/** A new context on the device that DRUA_DEVICE names, else the best. */
drua_context *harness_open(void);

/** Contexts opened from now on do what only GPUs do: kernels of their own for each call, none from disk, none before
 * they are needed. */
void harness_as_gpu(void);

/** A text file with a 0 at its end; it must be there. The caller frees. */
char *harness_read(const char *path);

/** Checks that a text is one JSON value; returns where the fault is, or NULL. */
const char *harness_json_fault(const char *text);

/** Whether an operation is to be tested: DRUA_ONLY names one, or a category. */
bool harness_is_wanted(const char *operation, const char *category);

/** DRUA_SAMPLE=n takes every n-th item; 1: all, and all of what DRUA_ONLY names. */
int harness_sample(void);

/**
 * Whether that item, counted from 0, is of the sample. DRUA_SEED, or a new seed, says with which it begins: other runs
 * take others. Without a sample, DRUA_PART=k/n takes the k-th of n parts of all, k from 0.
 */
bool harness_is_sampled(int item);

/** How many whole rounds of samples lie before this one: a number for a second sample that is not bound to the first.
 */
int harness_round(void);

/** Adds a test that is run with _i from 0 to runs - 1: those runs that are of the sample of all that the program adds
 * so. */
void harness_add(TCase *tests, const TTest *test, int runs);

/** Check fails a test of more than 35 minutes, as it counts microseconds in 32 bits: so many tests share what is run
 * whole, one a sample. */
int harness_shares(void);

/** Whether that item is of the sample and that share's, both counted from 0. */
bool harness_takes(int item, int share);

/** Runs a suite; prints Check's summary; the program's exit status. */
int harness_run(Suite *suite);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Helpers of all test programs: reproducible random numbers, images for the engine and the reference, a JSON checker.
 */
#ifndef DRUA_TESTS_HARNESS_H
#define DRUA_TESTS_HARNESS_H

#include "reference.h"

#include <check.h>
#include <drua/drua.h>

/** All element types; DRUA_NO_TYPE ends the list. */
extern const drua_type harness_types[];

/** Fails the test with the engine's error message if the call fails. Unlike Check's assertions, it writes no file. */
#define REQUIRE(call)                                              \
    do {                                                           \
        if ((call) != DRUA_OK)                                     \
            ck_abort_msg("%s: %s", #call, drua_error_message());   \
    } while (0)

/** Fails the test unless the call fails with that status and its message contains every further text (at least one). */
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

/** INVOKE(context, "copy", IMAGE(a), NEW) returns the status and frees the arguments. */
#define INVOKE(context, name, ...)                                                                                    \
    drua_invoke(context, name, (drua_argument[]){__VA_ARGS__},                                                        \
                sizeof((drua_argument[]){__VA_ARGS__}) / sizeof(drua_argument), NULL)
#define COMMAND(context, name, ...)                                                                                   \
    drua_command(context, name, (drua_argument[]){__VA_ARGS__},                                                       \
                 sizeof((drua_argument[]){__VA_ARGS__}) / sizeof(drua_argument), NULL)

/* ---- random numbers */

typedef struct harness_random {
    uint64_t state;
} harness_random;

/** The seed in DRUA_SEED, or a new one. Prints the seed so that a failure can be reproduced. */
uint64_t harness_new_seed(const char *what);

uint32_t harness_next(harness_random *random);

/** A random integer from 0 to limit - 1. */
int harness_below(harness_random *random, int limit);

/* ---- images */

typedef enum harness_content {
    HARNESS_GREY,       /**< small numbers, also negative ones in signed types; fractions in float32 */
    HARNESS_SPECIAL,    /**< like GREY, in float32 with NaN and infinities */
    HARNESS_POSITIVE,   /**< like GREY, but at least 1 */
    HARNESS_BINARY,     /**< 0 and 1 in blobs */
    HARNESS_LABELS,     /**< 0 to 7 in blobs; some labels are missing, seldom all */
    HARNESS_SPOTS,      /**< a few pixels of 1 */
    HARNESS_INDICES,    /**< integers from 0 to width - 1 */
    HARNESS_SHIFTS      /**< multiples of 1/4 from -3 to 3 */
} harness_content;

reference_image harness_image(harness_random *random, drua_type type, drua_shape shape, harness_content content);
drua_image harness_push(drua_context *context, const reference_image *image);

/** Frames of a camera: random pixels over all values of 8-bit types, and up to 59999 of the others. */
drua_image harness_push_movie(drua_context *context, harness_random *random, drua_shape shape, drua_type type);

/** A float32 image of one line with these numbers. */
drua_image harness_line(drua_context *context, const float *numbers, int count);

/** Downloads an image from the engine. The caller frees it. */
reference_image harness_pull(drua_context *context, drua_image image);

/** The image's first pixel. */
double harness_first(drua_context *context, drua_image image);

/** Opens a context on the device that DRUA_DEVICE names, or else on the best device. */
drua_context *harness_open(void);

/**
 * Makes contexts opened from now on behave as on GPUs: each call gets its own kernel, kernels do not come from the disk
 * cache, and none is compiled before its first use.
 */
void harness_as_gpu(void);

enum { HARNESS_FOLDER = 32 };

/** Makes an empty folder and writes its path. The caller removes the folder. */
void harness_make_folder(char path[HARNESS_FOLDER]);

/** Reads a text file and appends a NUL byte. Fails if the file is missing. The caller frees the text. */
char *harness_read(const char *path);

/** Checks that a text is one JSON value. Returns the position of the first error, or NULL. */
const char *harness_json_fault(const char *text);

/** Whether to test an operation: DRUA_ONLY may name an operation or a category. */
bool harness_is_wanted(const char *operation, const char *category);

/** The n of DRUA_SAMPLE=n, which tests every n-th item. 1 tests every item, or every item that DRUA_ONLY names. */
int harness_sample(void);

/**
 * Whether that item (counted from 0) belongs to the sample. DRUA_SEED or a new seed chooses the sample's first item, so
 * other runs test other items. Without a sample, DRUA_PART=k/n takes the k-th of n parts of all items, k from 0.
 */
bool harness_is_sampled(int item);

/** The number of whole rounds of samples before this run. A second sample based on it is independent of the first. */
int harness_round(void);

/**
 * Adds a test that runs with _i from 0 to runs - 1. The program numbers the runs of all such tests and executes those
 * in the sample.
 */
void harness_add(TCase *tests, const TTest *test, int runs);

/**
 * The number of tests that share the items of a whole run; 1 for a sample. Check counts microseconds in 32 bits and
 * therefore fails a test that takes more than 35 minutes.
 */
int harness_shares(void);

/** Whether that item belongs to the sample and to that share, both counted from 0. */
bool harness_takes(int item, int share);

/** Counts and prints that the running test cannot be done on this computer; the test then returns. */
void harness_skip(const char *reason, ...) __attribute__((format(printf, 1, 2)));

/**
 * Runs a suite, prints Check's summary and returns the program's exit status: 1 if a test failed, 77 if none failed but
 * one called harness_skip. CTest reports a program that exits with 77 as skipped.
 */
int harness_run(Suite *suite);

#endif

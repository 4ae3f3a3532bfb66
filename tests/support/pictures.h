/* SPDX-License-Identifier: BSD-3-Clause */
/* Phantoms, point spread functions and images computed from them, in the one context of the running test. */
#ifndef DRUA_TESTS_PICTURES_H
#define DRUA_TESTS_PICTURES_H

#include "harness.h"

extern drua_context *context;

/** The fixture of tests that use the functions below. */
void open_context(void);
void close_context(void);

/** RESULT(n, operation, arguments...) invokes the operation and returns argument number n as an image. */
#define RESULT(n, name, ...)                                                                                           \
    result(n, name, (drua_argument[]){__VA_ARGS__}, sizeof((drua_argument[]){__VA_ARGS__}) / sizeof(drua_argument))
drua_image result(int n, const char *name, drua_argument *arguments, size_t count);

/** Downloads a float32 image. The caller frees the pixels. */
float *pull(drua_image image, drua_shape *shape);
size_t count_of(drua_shape s);

/** The root mean square of the difference. */
double difference(drua_image a, drua_image b);

drua_image phantom(const char *kind, int w, int h, int d);
drua_image gaussian(int extent, int depth, double sigma, double sigma_z);
drua_image crop(drua_image image, int x, int y, int z, int w, int h, int d);

#endif

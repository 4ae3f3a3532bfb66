/* SPDX-License-Identifier: BSD-3-Clause */
/* Phantoms, point spread functions and what is made of them, in the one context of the test that runs. */
#ifndef DRUA_TESTS_PICTURES_H
#define DRUA_TESTS_PICTURES_H

#include "harness.h"

extern drua_context *context;

/** The fixture of tests that use what follows. */
void open_context(void);
void close_context(void);

/** RESULT(n, operation, arguments...): invokes it and returns argument number n as an image. */
#define RESULT(n, name, ...)                                                                                           \
    result(n, name, (drua_argument[]){__VA_ARGS__}, sizeof((drua_argument[]){__VA_ARGS__}) / sizeof(drua_argument))
drua_image result(int n, const char *name, drua_argument *arguments, size_t count);

/** Pixels of an image of float32. The caller frees. */
float *pull(drua_image image, drua_shape *shape);
size_t count_of(drua_shape s);

/** Root of the mean squared difference. */
double difference(drua_image a, drua_image b);

drua_image phantom(const char *kind, int w, int h, int d);
drua_image gaussian(int extent, int depth, double sigma, double sigma_z);
drua_image crop(drua_image image, int x, int y, int z, int w, int h, int d);

#endif

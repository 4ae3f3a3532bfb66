/* SPDX-License-Identifier: BSD-3-Clause */
/* The median of measured times. */
#ifndef DRUA_VALUES_MEDIAN_H
#define DRUA_VALUES_MEDIAN_H

#include <stddef.h>

/* Sorts the times and returns the middle one. */
double drua_median(double *times, size_t count);

#endif

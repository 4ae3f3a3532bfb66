/* SPDX-License-Identifier: BSD-3-Clause */
/* Two contexts that must give the same: one fuses pointwise operations, the other sends them one by one. */
#ifndef DRUA_TESTS_SIDES_H
#define DRUA_TESTS_SIDES_H

#include "harness.h"

enum { SIDES = 2 };

extern drua_context *sides[SIDES];

/** A context that is opened with that variable of the environment. */
drua_context *open_with(const char *name, const char *value);

/** sides[0] fuses, sides[1] does not. */
void open_sides(void);
void close_sides(void);

drua_statistics statistics_of(drua_context *context);

#endif

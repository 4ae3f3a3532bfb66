/* SPDX-License-Identifier: BSD-3-Clause */
/* Two contexts that must give equal results: one fuses pointwise operations, the other runs them one by one. */
#ifndef DRUA_TESTS_SIDES_H
#define DRUA_TESTS_SIDES_H

#include "harness.h"

enum { SIDES = 2 };

extern drua_context *sides[SIDES];

/** Opens a context with that environment variable set. */
drua_context *open_with(const char *name, const char *value);

/** Opens sides[0], which fuses, and sides[1], which does not. */
void open_sides(void);
void close_sides(void);

drua_statistics statistics_of(drua_context *context);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "sides.h"

#include <stdlib.h>

drua_context *sides[SIDES];

drua_context *open_with(const char *name, const char *value)
{
    setenv(name, value, 1);
    drua_context *context = harness_open();
    unsetenv(name);
    return context;
}

void open_sides(void)
{
    sides[0] = open_with("DRUA_FUSE", "1");
    sides[1] = open_with("DRUA_FUSE", "0");
}

void close_sides(void)
{
    for (int s = 0; s < SIDES; s++)
        drua_close(sides[s]);
}

drua_statistics statistics_of(drua_context *context)
{
    drua_statistics statistics;
    drua_get_statistics(context, &statistics);
    return statistics;
}

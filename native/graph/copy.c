/* SPDX-License-Identifier: BSD-3-Clause */
#include "value.h"

#include "plan.h"

drua_status drua_copy_region(drua_engine *engine, drua_view from, drua_view to, int64_t x, int64_t y, int64_t z)
{
    const drua_layout *l = &from.layout;
    const drua_arg arguments[] = {ARG(from), ARG(to), LONG(x), LONG(y), LONG(z), {.kind = DRUA_LAUNCH_END}};
    return drua_device_launch(engine->device, "copy_region", GRID(l->width, l->height, l->depth, 64, 4, 1), arguments);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PoCL compiles a kernel when it is first launched, which takes four times as long with its optimizer as without. So code that is not
 * optimized may serve a kernel's first launches, until they were so much work that optimized code would have paid for itself. Both give
 * the same bits: nothing is contracted (prelude.cl). Only where DRUA_OPTIMIZE asks for it: how long an item of a kernel takes is not
 * known before it runs, and a launch of a costly one that is not optimized holds up Escape.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* Usual items, which a processor does in about as long as it takes to optimize a kernel. */
static const uint64_t WORTH_OPTIMIZING = 1 << 20;

void drua_device_choose_optimizing(drua_device *device)
{
    const char *setting = getenv("DRUA_OPTIMIZE");
    const bool is_pocl = !device->info.is_gpu && strstr(device->info.platform, "Portable Computing Language");
    device->unoptimized_work = 0;
    if (setting && !strcmp(setting, "later") && is_pocl)
        device->unoptimized_work = WORTH_OPTIMIZING;
    else if (setting && !strcmp(setting, "never"))
        device->unoptimized_work = UINT64_MAX;
}

void drua_device_optimize(drua_device *device, bool at_once)
{
    device->optimizes_at_once = at_once;
}

int drua_kernel_choose_variant(const drua_device *device, drua_kernel *kernel, int width, const drua_grid *grid)
{
    uint64_t work = grid->effort > 1 ? (uint64_t)grid->effort : 1;
    if (!device->unoptimized_work || device->optimizes_at_once || kernel->handle[width])
        return width;
    for (int i = 0; i < 3; i++)
        work = work < WORTH_OPTIMIZING ? work * (uint64_t)grid->items[i] : work;
    kernel->work += work;
    return kernel->work < device->unoptimized_work ? width | DRUA_UNOPTIMIZED : width;
}

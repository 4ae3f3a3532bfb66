/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PoCL compiles a kernel at its first launch, which takes four times as long with its optimizer as without. So
 * unoptimized code serves the first launches of a kernel, until it has done so much work that optimizing pays. Then a
 * background thread builds the optimized program, so that a stream of small images does not wait for it. A large launch
 * waits, because unoptimized code would take longer. Optimized and unoptimized code give bit-identical results, because
 * prelude.cl forbids contraction to fused multiply-adds. The time per work-item is unknown before the kernel runs, and
 * a launch cannot be stopped. So the limit is the work of a small image, and work counts more if arguments say how
 * often the kernel loops.
 *
 * Without its optimizer PoCL 5.0 aborts on kernels that call functions with local memory, and miscompiles others with
 * barriers (transposing through local memory). So Drua launches unoptimized code only on versions on which its tests
 * were run.
 */
#include "internal.h"
#include "variables.h"

#include <stdlib.h>
#include <string.h>

/*
 * Typical work-items: the pixels of an image of 720 x 720. Unoptimized code takes some tenths of a microsecond for
 * each, in total about as long as optimizing the kernel takes.
 */
static const uint64_t WORTH_OPTIMIZING = 1 << 19;

static bool compiles_rightly_unoptimized(const char *driver)
{
    static const char *const tested[] = {"3.1", "6.0"};
    for (size_t i = 0; i < sizeof tested / sizeof *tested; i++)
        if (!strncmp(driver, tested[i], strlen(tested[i])))
            return true;
    return false;
}

/*
 * Whether this PoCL leaves out its header of functions if the header's guard is defined. Only a version on which Drua's
 * tests were run is trusted.
 */
static bool has_known_header(const char *driver)
{
    static const char tested[] = "3.1";
    return !strncmp(driver, tested, sizeof tested - 1);
}

void drua_device_choose_optimizing(drua_device *device)
{
    const char *setting = drua_variable_text(DRUA_VARIABLE_OPTIMIZE);
    const bool is_pocl = strstr(device->info.platform, "Portable Computing Language") != NULL;
    device->compiles_at_launch = !device->info.is_gpu && is_pocl;
    device->declares_functions = is_pocl && has_known_header(device->info.driver);
    device->unoptimized_work = 0;
    if (device->compiles_at_launch && setting && !strcmp(setting, "never"))
        device->unoptimized_work = UINT64_MAX;
    else if (device->compiles_at_launch && compiles_rightly_unoptimized(device->info.driver) &&
             !(setting && !strcmp(setting, "now")))
        device->unoptimized_work = WORTH_OPTIMIZING;
}

void drua_device_optimize(drua_device *device, bool at_once)
{
    device->optimizes_at_once = at_once;
}

/* Pixels of the largest image, because work-items may loop over rows or over the whole image. */
static uint64_t max_pixels(const drua_arg *arguments)
{
    uint64_t max = 1;
    for (const drua_arg *a = arguments; a->kind; a++)
        if ((a->kind == DRUA_LAUNCH_VIEW || a->kind == DRUA_LAUNCH_POINTER) && a->as.view.buffer) {
            const uint64_t pixels = drua_buffer_bytes(a->as.view.buffer) / sizeof(float);
            max = pixels > max ? pixels : max;
        }
    return max;
}

/*
 * Whether the optimized program is built. The first question starts a build in the background. A program that does not
 * compile counts as built: the launch that needs it reports the error.
 */
static bool is_optimized_program_built(drua_device *device, drua_kernel *kernel, int width)
{
    struct drua_jit_kernel **build = &kernel->optimizing[width];
    if (!*build)
        *build = drua_jit_start_optimizing(device, kernel, width);
    return !*build || drua_jit_ask(*build) != DRUA_JIT_BUILDING;
}

int drua_kernel_choose_variant(drua_device *device, drua_kernel *kernel, int width, const drua_grid *grid,
                               const drua_arg *arguments)
{
    const uint64_t effort = grid->effort > 1 ? (uint64_t)grid->effort : 1,
                   turns = grid->turns > 1 ? (uint64_t)grid->turns : 1;
    uint64_t work = effort > turns ? effort : turns, pixels;
    if (!device->unoptimized_work || device->optimizes_at_once || kernel->handle[width])
        return width;
    for (int i = 0; i < 3; i++)
        work = work < WORTH_OPTIMIZING ? work * (uint64_t)grid->items[i] : work;
    pixels = max_pixels(arguments);
    work = work > pixels ? work : pixels;
    kernel->work += work;
    if (kernel->work < device->unoptimized_work)
        return width | DRUA_UNOPTIMIZED;
    const bool can_wait = work < device->unoptimized_work && kernel->handle[width | DRUA_UNOPTIMIZED] != NULL;
    return can_wait && !is_optimized_program_built(device, kernel, width) ? width | DRUA_UNOPTIMIZED : width;
}

bool drua_device_has_launched(drua_device *device, const char *kernel)
{
    const drua_kernel *k = drua_kernel_find(device, kernel);
    return k && (k->handle[0] || k->handle[DRUA_WIDE]);
}

bool drua_device_is_built(drua_device *device, const char *kernel)
{
    drua_kernel *k = drua_kernel_find(device, kernel);
    return !k || k->handle[0] || is_optimized_program_built(device, k, 0);
}

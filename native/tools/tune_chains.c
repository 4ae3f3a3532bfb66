/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune_chains.h"

#include "chain_works.h"
#include "open_context.h"

#include <drua/drua.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int drua_tool_read_divisor(const char *text)
{
    enum { LIMIT = 1024 };
    char *end;
    if (!text)
        return 1;
    const long divisor = strtol(text, &end, 10);
    return end == text || *end || divisor < 1 || divisor > LIMIT ? 0 : (int)divisor;
}

int drua_tool_refuse_divisor(const drua_tool_command *command, const char *text)
{
    return drua_tool_refuse(command, "'%s' is not a divisor; write a whole number from 1 to 1024", text);
}

/* Runs the filters that choose among kernels, each alone, with the radii that macros use most. */
static drua_status run_filters(drua_context *context, drua_shape shape, const drua_image *images)
{
    static const char *const names[] = {"gaussian_blur",  "mean_box",    "minimum_box",
                                        "maximum_box",    "mean_sphere", "minimum_sphere",
                                        "maximum_sphere", "median_box",  "median_sphere"};
    static const chain_step projection = {"median_z_projection", 0, 0, false};
    drua_status status =
        shape.depth > 1 ? chain_work_run(context, &(chain_work){NULL, &projection, 1, 1, 1, false}, images) : DRUA_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int radius = 1; radius <= 3 && status == DRUA_OK; radius++)
            status = chain_work_run(
                context,
                &(chain_work){NULL, &(chain_step){names[i], radius, shape.depth > 1 ? 3 : 2, false}, 1, 1, 1, false},
                images);
    return status;
}

/* Runs each work until the engine has compiled its kernel and timed its variants. */
static drua_status warm_up(drua_context *context, drua_shape shape, const drua_image *images)
{
    enum { RUNS = 40, FILTER_RUNS = 16 };
    const struct timespec pause = {0, 25000000};
    drua_status status = DRUA_OK;
    for (int run_count = 0; run_count < RUNS && status == DRUA_OK; run_count++) {
        for (size_t i = 0; i < CHAIN_WORKS && status == DRUA_OK; i++)
            status = chain_work_run(context, &chain_works[i], images);
        if (run_count < FILTER_RUNS && status == DRUA_OK)
            status = run_filters(context, shape, images);
        nanosleep(&pause, NULL);
    }
    return status;
}

static int tune_shapes(int scale)
{
    const drua_shape shapes[] = {{512 / scale, 512 / scale, 512 / scale, 3},
                                 {256 / scale, 256 / scale, 256 / scale, 3},
                                 {2048 / scale, 2048 / scale, 1, 2}};
    drua_context *context;
    drua_status status = drua_tool_open(NULL, &context);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes && status == DRUA_OK; s++)
        for (size_t t = 0; t < CHAIN_TYPES && status == DRUA_OK; t++) {
            drua_image images[3];
            status = chain_work_push(context, shapes[s], &chain_types[t], images);
            if (status == DRUA_OK)
                status = warm_up(context, shapes[s], images);
            drua_clear(context);
        }
    if (status == DRUA_OK)
        fputs(drua_explain_launches(context), stdout);
    else
        fprintf(stderr, "%s\n", drua_error_message());
    drua_close(context);
    return status != DRUA_OK;
}

int drua_tool_tune(const drua_tool_command *command, int count, char **arguments)
{
    const char *divisor = count > 0 ? arguments[0] : NULL;
    const int scale = drua_tool_read_divisor(divisor);
    return scale ? tune_shapes(scale) : drua_tool_refuse_divisor(command, divisor);
}

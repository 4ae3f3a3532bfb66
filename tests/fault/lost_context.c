/* SPDX-License-Identifier: BSD-3-Clause */
#include "lost_context.h"

#include "shim.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char broken_kernel[] = "kernel void lose(ulong address) { *(global int *)address = 1; }";

/*
 * `number` counts down the contexts that are made before the one to lose, `commands` the commands that this context
 * runs before it is lost. `chosen` is this context once it is made.
 */
static atomic_long number, commands;
static _Atomic(cl_context) chosen;
static atomic_bool for_real, broken;

EXPORT void shim_lose_context(long which, long after)
{
    chosen = NULL;
    commands = after;
    number = which;
}

static void read_request(void)
{
    static atomic_bool is_read;
    const char *request = getenv("DRUA_LOSE");
    long which, after;
    if (!request || atomic_exchange(&is_read, true))
        return;
    if (sscanf(request, "%ld:%ld", &which, &after) != 2) {
        fprintf(stderr, "shim: DRUA_LOSE='%s' is not CONTEXT:COMMANDS or CONTEXT:COMMANDS:really\n", request);
        abort();
    }
    for_real = strstr(request, ":really") != NULL;
    shim_lose_context(which, after);
}

void lost_context_made(cl_context context)
{
    read_request();
    if (number > 0 && atomic_fetch_sub(&number, 1) == 1)
        chosen = context;
}

/* Writes to an address outside all buffers. The driver then destroys the context and reports this from then on. */
static void break_context(cl_command_queue queue, cl_context context)
{
    const char *text = broken_kernel;
    const cl_ulong address = 64;
    const size_t one = 1;
    cl_int code;
    cl_program program = REAL(clCreateProgramWithSource)(context, 1, &text, NULL, &code);
    REAL(clBuildProgram)(program, 0, NULL, "", NULL, NULL);
    cl_kernel kernel = REAL(clCreateKernel)(program, "lose", &code);
    REAL(clSetKernelArg)(kernel, 0, sizeof address, &address);
    REAL(clEnqueueNDRangeKernel)(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    code = REAL(clFinish)(queue);
    fprintf(stderr, "shim: the context is lost: %d\n", (int)code);
}

bool lost_context(cl_command_queue queue)
{
    cl_context context = NULL;
    if (!chosen)
        return false;
    REAL(clGetCommandQueueInfo)(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (context != chosen || atomic_fetch_sub(&commands, 1) > 0)
        return false;
    if (!for_real)
        return true;
    if (!atomic_exchange(&broken, true))
        break_context(queue, context);
    return false;
}

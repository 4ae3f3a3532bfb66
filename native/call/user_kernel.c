/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that users wrote. The first call compiles a kernel, and the cache finds it by its text. If a kernel does not
 * compile, an error explains why.
 */
#include "call.h"

#include "error.h"
#include "kernel_cache.h"

#include <stdio.h>
#include <string.h>

/* The place in a text that says FILE:LINE:, or NULL. */
static const char *find_place(const char *said, int *line)
{
    for (const char *at = said; *at; at += strspn(at, ": \t")) {
        char after = 0;
        at += strcspn(at, ": \t");
        if (*at == ':' && sscanf(at, ":%d%c", line, &after) == 2 && after == ':')
            return at;
    }
    return NULL;
}

/* The part of the text that contains this line, and the line number within that part. */
static void find_part(const char *text, char part[64], int *line)
{
    int own = 0;
    for (int left = *line; left > 0 && *text; left--) {
        const size_t length = strcspn(text, "\n");
        if (!strncmp(text, DRUA_PART, strlen(DRUA_PART))) {
            snprintf(part, 64, "%.*s", (int)(length - strlen(DRUA_PART)), text + strlen(DRUA_PART));
            own = 0;
        } else {
            own++;
        }
        text += length + (text[length] == '\n');
    }
    *line = own;
}

/*
 * Compilers based on Clang write FILE:LINE:COLUMN: error: MESSAGE; PoCL writes error: FILE:LINE:COLUMN: MESSAGE. Lines
 * are counted over everything that the compiler read, because not all compilers obey #line.
 */
static void explain_compiler_error(drua_plan *plan, const char *family, const char *text)
{
    char said[700], part[64] = "the OpenCL code";
    int line;
    snprintf(said, sizeof said, "%s", drua_error_text());
    const char *place = find_place(said, &line), *error = place ? strstr(place, "error: ") : NULL,
               *what = error   ? error
                       : place ? strstr(place, ": ")
                               : NULL;
    plan->status = DRUA_OK;
    if (what) {
        line -= drua_jit_lines_before(family);
        find_part(text, part, &line);
        plan_fail(plan, "%s does not compile; line %d: %s", part, line, what + strlen(error ? "error: " : ": "));
    } else {
        plan_fail(plan, "the OpenCL code does not compile%s%s", *said ? ": " : "; the compiler does not say why", said);
    }
}

void plan_launch_user_kernel(drua_plan *plan, const char *family, const char *text, const char *kernel, drua_grid grid,
                             const drua_arg *arguments)
{
    drua_engine *engine = plan->engine;
    if (plan->status != DRUA_OK)
        return;
    drua_cached_kernel *entry = drua_kernel_cache_find(engine, (drua_kernel_key){'u', text, strlen(text)});
    if (!entry) {
        plan->status = drua_fail_memory(strlen(text));
        return;
    }
    if (!entry->kernel)
        plan->status = drua_jit_user_kernel(engine->device,
                                            (drua_jit_source){family, text, kernel, drua_device_lanes(engine->device)},
                                            grid, arguments, &entry->kernel);
    if (plan->status == DRUA_OK)
        plan_try(plan, drua_jit_launch(entry->kernel, grid, arguments));
    else
        drua_kernel_cache_forget(entry);
    if (plan->status == DRUA_E_ARGUMENT && !entry->kernel)
        explain_compiler_error(plan, family, text);
}

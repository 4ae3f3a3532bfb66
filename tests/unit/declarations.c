/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests that Drua declares all OpenCL functions that its kernels call. If a declaration is missing, PoCL reads its own
 * header, which takes longer than compiling a small program.
 */
#include "harness.h"

#include "internal.h"
#include "sources.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TEXTS = 128 };

/* Collects the declarations, the text of all families, and the text of one family. Returns the number of texts. */
static cl_uint texts_of(const char *family, const char **texts)
{
    const char *const parts[] = {DRUA_DECLARATIONS, "common", family};
    cl_uint count = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (const drua_source *s = drua_sources; s->family; s++)
            if (!strcmp(s->family, parts[i])) {
                ck_assert_uint_lt(count, MAX_TEXTS);
                texts[count++] = s->text;
            }
    return count;
}

static void build(drua_device *device, const char *family)
{
    static char options[1024], log[4096];
    const char *texts[MAX_TEXTS];
    cl_int code;
    snprintf(options, sizeof options, "%s -DINDEX=int -DLANES=%d -cl-opt-disable -D_OPENCL_H_", device->options,
             device->lanes);
    const cl_uint count = texts_of(family, texts);
    cl_program program = device->cl->clCreateProgramWithSource(device->context, count, texts, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    code = device->cl->clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    device->cl->clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    ck_assert_msg(code == CL_SUCCESS, "kernels/%s calls a function that kernels/%s does not declare: %s", family,
                  DRUA_DECLARATIONS, log);
    device->cl->clReleaseProgram(program);
}

START_TEST(all_families_compile)
{
    drua_device *device;
    const char *last = "";
    int families = 0;
    REQUIRE(drua_device_open(NULL, &device));
    for (const drua_source *s = drua_sources; s->family && device->declares_functions; s++)
        if (strstr(s->text, "\nkernel void ") && strcmp(s->family, last) && !drua_source_is_specialized(s) &&
            strcmp(s->family, "chain")) {
            last = s->family;
            build(device, s->family);
            families++;
        }
    ck_assert(!device->declares_functions || families > 20);
    drua_device_close(device);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("declarations");
    TCase *tcase = tcase_create("functions");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, all_families_compile);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests Drua next to another OpenCL client in the same process, such as CLIJ2 in Fiji or a Python package with its own
 * loader. Drua must use the same device, and never a slower one without a message. Both clients must keep their images.
 * Needs two PoCL devices.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "loader.h"

#include "harness.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 4096 };

/* The other client, which has its own loader. */
typedef struct client {
    __typeof__(&clGetPlatformIDs) platforms;
    __typeof__(&clGetDeviceIDs) devices;
    __typeof__(&clCreateContext) create_context;
    __typeof__(&clCreateCommandQueue) create_queue;
    __typeof__(&clCreateBuffer) create_buffer;
    __typeof__(&clEnqueueWriteBuffer) write;
    __typeof__(&clEnqueueReadBuffer) read;
    __typeof__(&clReleaseMemObject) release_buffer;
    __typeof__(&clReleaseCommandQueue) release_queue;
    __typeof__(&clReleaseContext) release_context;
    cl_context context;
    cl_command_queue queue;
    cl_mem buffer;
} client;

static void *find_function(const char *name)
{
    static void *library;
    if (!library)
        library = dlopen(getenv("DRUA_OTHER_LOADER"), RTLD_NOW | RTLD_LOCAL);
    void *function = library ? dlsym(library, name) : NULL;
    ck_assert_msg(function != NULL, "no %s in DRUA_OTHER_LOADER", name);
    return function;
}

static client client_open(void)
{
    client c = {0};
    *(void **)&c.platforms = find_function("clGetPlatformIDs");
    *(void **)&c.devices = find_function("clGetDeviceIDs");
    *(void **)&c.create_context = find_function("clCreateContext");
    *(void **)&c.create_queue = find_function("clCreateCommandQueue");
    *(void **)&c.create_buffer = find_function("clCreateBuffer");
    *(void **)&c.write = find_function("clEnqueueWriteBuffer");
    *(void **)&c.read = find_function("clEnqueueReadBuffer");
    *(void **)&c.release_buffer = find_function("clReleaseMemObject");
    *(void **)&c.release_queue = find_function("clReleaseCommandQueue");
    *(void **)&c.release_context = find_function("clReleaseContext");
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    float numbers[NUMBERS];
    ck_assert_int_eq(c.platforms(1, &platform, NULL), CL_SUCCESS);
    ck_assert_int_eq(c.devices(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), CL_SUCCESS);
    c.context = c.create_context(NULL, 1, &device, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    c.queue = c.create_queue(c.context, device, 0, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    c.buffer = c.create_buffer(c.context, CL_MEM_READ_WRITE, sizeof numbers, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = (float)i;
    ck_assert_int_eq(c.write(c.queue, c.buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL), CL_SUCCESS);
    return c;
}

static void client_expect(client *c)
{
    float numbers[NUMBERS];
    ck_assert_int_eq(c->read(c->queue, c->buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL), CL_SUCCESS);
    for (int i = 0; i < NUMBERS; i++)
        ck_assert_float_eq(numbers[i], (float)i);
}

static void client_close(client *c)
{
    c->release_buffer(c->buffer);
    c->release_queue(c->queue);
    c->release_context(c->context);
}

static drua_image push_ones(drua_context *context)
{
    float numbers[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = 1;
    return harness_line(context, numbers, NUMBERS);
}

static uint64_t bytes_of(drua_context *context)
{
    drua_statistics statistics;
    drua_get_statistics(context, &statistics);
    return statistics.device_bytes;
}

/* Returns the image plus 1. */
static drua_image add_one(drua_context *context, drua_image image)
{
    drua_image result;
    REQUIRE(drua_create(context, reference_stack(NUMBERS, 1, 1), DRUA_FLOAT32, &result));
    REQUIRE(INVOKE(context, "add_image_and_scalar", IMAGE(image), IMAGE(result), NUMBER(1)));
    return result;
}

/* The fastest device in the other client's list, by the number of parallel units. */
static void find_fastest(const client *other, char name[256])
{
    enum { LIMIT = 16 };
    const __typeof__(&clGetDeviceInfo) ask = (__typeof__(&clGetDeviceInfo))(uintptr_t)find_function("clGetDeviceInfo");
    cl_platform_id platform;
    cl_device_id devices[LIMIT];
    cl_uint count, units, max = 0;
    ck_assert_int_eq(other->platforms(1, &platform, NULL), CL_SUCCESS);
    ck_assert_int_eq(other->devices(platform, CL_DEVICE_TYPE_ALL, LIMIT, devices, &count), CL_SUCCESS);
    ck_assert_uint_gt(count, 1);
    for (cl_uint i = 0; i < count; i++) {
        ck_assert_int_eq(ask(devices[i], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL), CL_SUCCESS);
        if (units <= max)
            continue;
        max = units;
        ck_assert_int_eq(ask(devices[i], CL_DEVICE_NAME, 256, name, NULL), CL_SUCCESS);
    }
}

START_TEST(the_same_device_serves)
{
    char fastest[256];
    setenv("DRUA_SECOND_LOADER", "1", 1);
    client other = client_open();
    find_fastest(&other, fastest);
    ck_assert_ptr_null(strstr(fastest, "basic"));
    drua_context *context = harness_open();
    ck_assert_str_eq(drua_device_name(context), fastest);
    drua_close(context);
    client_close(&other);
}
END_TEST

/* 0: the other client starts first; 1: Drua does. */
START_TEST(both_keep_their_images)
{
    client other = {0};
    if (_i == 0)
        other = client_open();
    drua_context *context = harness_open();
    const drua_image ones = push_ones(context);
    const uint64_t alone = bytes_of(context);
    if (_i == 1)
        other = client_open();
    ck_assert_uint_eq(bytes_of(context), alone);
    drua_image result = add_one(context, ones);
    ck_assert_double_eq(harness_first(context, result), 2);
    client_expect(&other);
    const uint64_t both = bytes_of(context);
    client_close(&other);
    ck_assert_uint_eq(bytes_of(context), both);
    ck_assert_double_eq(harness_first(context, ones), 1);
    result = add_one(context, result);
    ck_assert_double_eq(harness_first(context, result), 3);
    drua_close(context);
}
END_TEST

static char best_name[256];

static void find_best(void)
{
    drua_device_info info;
    REQUIRE(drua_device_describe(0, &info));
    snprintf(best_name, sizeof best_name, "%s", info.name);
}

/*
 * Opens a device while the n-th call fails. `name` receives the name of the opened device, or "". Returns false if
 * opening makes fewer than n calls.
 */
static bool open_with_fault(const char *selector, long n, char *name, char *warning)
{
    drua_context *context = NULL;
    *name = *warning = 0;
    loader.fail_after(n);
    const drua_status status = drua_open(selector, &context);
    const bool fired = loader.fired();
    loader.fail_after(0);
    if (status == DRUA_OK) {
        snprintf(name, 256, "%s", drua_device_name(context));
        snprintf(warning, 1024, "%s", drua_context_warning(context));
        drua_close(context);
    } else {
        ck_assert_str_ne(drua_error_message(), "");
    }
    return fired;
}

START_TEST(a_slower_one_is_told)
{
    char name[256], warning[1024];
    int told = 0;
    loader_find();
    find_best();
    for (long n = 1; open_with_fault(NULL, n, name, warning); n++) {
        if (*name && strcmp(name, best_name)) {
            told++;
            ck_assert_msg(strstr(warning, name) && strstr(warning, ": CL_") && strstr(warning, "Drua uses"),
                          "call %ld failed: '%s' was opened, with the warning '%s'", n, name, warning);
        }
        loader_expect_nothing_left("call", n);
    }
    ck_assert_int_gt(told, 2);
}
END_TEST

START_TEST(what_was_wished_for_or_nothing)
{
    char name[256], warning[1024];
    int refused = 0;
    loader_find();
    find_best();
    for (long n = 1; open_with_fault(best_name, n, name, warning); n++) {
        if (!*name)
            refused++;
        else
            ck_assert_msg(!strcmp(name, best_name), "call %ld failed: '%s' was opened instead of '%s'", n, name,
                          best_name);
    }
    ck_assert_int_gt(refused, 2);
}
END_TEST

static void lose_devices(void)
{
    loader.lose(CL_OUT_OF_RESOURCES);
}

/* The report is complete, and names each device that fails at an early call or between two later checks. */
START_TEST(a_device_that_fails_is_reported)
{
    static const long calls[] = {1, 60, 200};
    const char *report;
    loader_find();
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        loader.call_after(calls[i], lose_devices);
        const drua_status status = drua_check_computer(NULL, NULL, &report);
        ck_assert_msg(loader.fired(), "a check makes fewer than %ld calls", calls[i]);
        loader.lose(0);
        ck_assert_msg(status != DRUA_OK || strstr(report, "CL_OUT_OF_RESOURCES"),
                      "a device that fails from call %ld on is not reported: %s", calls[i], report);
        ck_assert_str_ne(drua_error_message(), "");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clients");
    TCase *tests = tcase_create("clients");
    tcase_add_test(tests, the_same_device_serves);
    tcase_add_loop_test(tests, both_keep_their_images, 0, 2);
    tcase_add_test(tests, a_slower_one_is_told);
    tcase_add_test(tests, what_was_wished_for_or_nothing);
    tcase_add_test(tests, a_device_that_fails_is_reported);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

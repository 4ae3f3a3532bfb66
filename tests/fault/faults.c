/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The n-th host allocation, and the n-th OpenCL call, fails in each operation in turn: never a crash, always a sentence,
 * nothing left behind, other images as they were. DRUA_SAMPLE=n takes every n-th operation.
 */
#include "calls.h"

#include "alloc.h"
#include "context.h"
#include "registry.h"
#include "shim.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fault_source {
    const char *what;
    void (*arm)(long n);
    bool (*fired)(void);        /* and disarms */
} fault_source;

/* ---- host memory */

static long armed;

static void arm_memory(long n)
{
    armed = n;
    drua_alloc_fail_after(n);
}

/* If the countdown did not end, it ends within as many allocations more. */
static bool memory_fired(void)
{
    bool pending = false;
    for (long i = 0; i < armed && !pending; i++) {
        void *block = drua_alloc(1);
        pending = !block;
        drua_free(block);
    }
    drua_alloc_fail_after(0);
    return !pending;
}

static const fault_source memory = {"allocation", arm_memory, memory_fired};

/* ---- OpenCL */

static struct {
    void (*fail_after)(long n);
    int (*fired)(void);
    void (*lose)(int code);
    long long (*live_bytes)(void);
    void (*break_after)(long n);
    long long (*live_objects)(void);
    long long (*live_events)(void);
} shim;

static void find_shim(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    *(void **)&shim.fail_after = dlsym(library, "shim_fail_after");
    *(void **)&shim.fired = dlsym(library, "shim_fired");
    *(void **)&shim.lose = dlsym(library, "shim_lose");
    *(void **)&shim.live_bytes = dlsym(library, "shim_live_bytes");
    *(void **)&shim.live_objects = dlsym(library, "shim_live_objects");
    *(void **)&shim.break_after = dlsym(library, "shim_break_after");
    *(void **)&shim.live_events = dlsym(library, "shim_live_events");
    ck_assert_msg(shim.fail_after && shim.fired && shim.live_bytes && shim.live_objects && shim.break_after && shim.live_events,
                  "libOpenCL.so.1 is not the shim; run this by ctest");
}

/* After all contexts are closed. */
static void expect_nothing_left(const char *what, long n)
{
    ck_assert_msg(shim.live_objects() == 0 && shim.live_bytes() == 0 && shim.live_events() == 0,
                  "%s %ld: %lld objects, %lld bytes and %lld references to events are left", what, n, shim.live_objects(), shim.live_bytes(), shim.live_events());
}

static void arm_driver(long n)
{
    shim.fail_after(n);
}

static bool driver_fired(void)
{
    const bool fired = shim.fired();
    shim.fail_after(0);
    return fired;
}

static const fault_source driver = {"OpenCL call", arm_driver, driver_fired};

/* ---- one call with a fault */

static int failures, refused;

static void blame(const fault_source *source, long n, const char *operation, const char *what)
{
    printf("%s %ld of %s: %s\n", source->what, n, operation, what);
    failures++;
}

/* Runs the call to the end: every output is computed and pulled. */
static drua_status run_to_end(drua_context *context, const call *c, const drua_image *handles)
{
    drua_argument arguments[CALL_PARAMS];
    drua_table *table = NULL;
    size_t count = call_arguments(c, handles, arguments);
    drua_status status = drua_invoke(context, c->op->name, arguments, count, &table);
    drua_table_free(table);
    for (size_t i = 0, at = 0; i < c->op->param_count && status == DRUA_OK; at += c->op->params[i++].kind != DRUA_KIND_TABLE_OUT) {
        if (c->op->params[i].kind != DRUA_KIND_IMAGE_OUT && c->op->params[i].kind != DRUA_KIND_IMAGE_INOUT)
            continue;
        drua_image_info info;
        status = drua_get_info(context, arguments[at].image, &info);
        void *pixels = reference_allocate(1, info.bytes);
        if (status == DRUA_OK)
            status = drua_pull(context, arguments[at].image, pixels);
        free(pixels);
    }
    return status;
}

/* False when the n-th step does not exist any more. */
static bool try_fault(drua_context *context, const fault_source *source, const call *c, bool existing, long n)
{
    drua_image handles[CALL_PARAMS] = {0};
    const float numbers[] = {1, 2, 3};
    const drua_image witness = harness_line(context, numbers, 3);
    for (int k = 0; k < c->input_count; k++)
        handles[c->inputs[k]] = harness_push(context, &c->before[c->inputs[k]]);
    for (int k = 0; k < c->output_count && existing; k++)
        if (!handles[c->outputs[k]])
            REQUIRE(drua_create(context, reference_stack(20, 3, 2), DRUA_UINT8, &handles[c->outputs[k]]));
    REQUIRE(drua_sync(context));
    source->arm(n);
    const drua_status status = run_to_end(context, c, handles);
    const bool fired = source->fired();
    if (status != DRUA_OK && fired) {
        refused++;
        if (!*drua_error_message() || strchr(drua_error_message(), '\n'))
            blame(source, n, c->op->name, "no sentence");
    }
    if (status == DRUA_E_INTERNAL)
        blame(source, n, c->op->name, drua_error_message());
    if (harness_first(context, witness) != 1)
        blame(source, n, c->op->name, "another image changed");
    for (int k = 0; k < c->input_count; k++) {
        if (c->op->params[c->inputs[k]].kind != DRUA_KIND_IMAGE_IN)
            continue;
        reference_image now = harness_pull(context, handles[c->inputs[k]]);
        char message[256];
        if (!reference_agrees(&c->before[c->inputs[k]], &now, 0, false, message, sizeof message))
            blame(source, n, c->op->name, message);
        reference_free(&now);
    }
    REQUIRE(drua_clear(context));
    uint64_t used, pooled;
    drua_device_memory(context->device, &used, &pooled);
    if (used != 0 || context->engine.unsent_count != 0) {
        blame(source, n, c->op->name, "memory or work is left behind");
        exit(EXIT_FAILURE);
    }
    return fired;
}

static void try_operations(const fault_source *source)
{
    enum { MOST = 100000 };
    const char *every = getenv("DRUA_SAMPLE"), *only = getenv("DRUA_ONLY");
    const int sample = every ? atoi(every) : 1;
    drua_context *context = harness_open();
    harness_random chance = {5};
    int number = 0;
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        if ((*op)->traits & DRUA_HOST || (only && strcmp(only, (*op)->name)) || number++ % sample)
            continue;
        for (int existing = 0; existing < 2; existing++) {
            call c = call_make(&chance, *op, (drua_shape){7, 5, 3, 3}, DRUA_FLOAT32);
            long n = 1;
            while (n < MOST && try_fault(context, source, &c, existing, n))
                n += 1 + n / (sample > 1 ? 20 : 100);       /* each of the first, then fewer of what comes again and again */
            if (n >= MOST)
                blame(source, n, (*op)->name, "does not end");
            call_free(&c);
        }
    }
    printf("%d calls refused because the n-th %s failed\n", refused, source->what);
    ck_assert_int_eq(failures, 0);
    drua_close(context);
}

START_TEST(operations_without_memory)
{
    drua_command_count();
    try_operations(&memory);
}
END_TEST

START_TEST(operations_without_driver)
{
    find_shim();
    try_operations(&driver);
    expect_nothing_left("all operations", 0);
}
END_TEST

/* ---- commands: names and results; opening; images */

static drua_status short_program(drua_context *context)
{
    const float numbers[] = {1, 2, 3};
    drua_image image;
    drua_status status = drua_push(context, reference_plane(3, 1), DRUA_FLOAT32, numbers, &image);
    if (status == DRUA_OK)
        status = drua_bind(context, "source", image);
    if (status == DRUA_OK)
        status = drua_set_metadata(context, image, "unit=micron");
    drua_argument blur[] = {NAME("source"), NAME("blurred"), NUMBER(1), NUMBER(1)};
    if (status == DRUA_OK)
        status = drua_command(context, "CLIJ2_gaussianBlur2D", blur, 4, NULL);
    drua_argument add[] = {NAME("blurred"), NEW, NUMBER(1)};
    if (status == DRUA_OK)
        status = drua_command(context, "CLIJ2_addImageAndScalar", add, 3, NULL);
    drua_argument copy[] = {NAME("blurred"), NAME("source")};
    if (status == DRUA_OK)
        status = drua_command(context, "CLIJ2_copy", copy, 2, NULL);
    drua_table *table = NULL;
    drua_argument sum[] = {NAME("source")};
    if (status == DRUA_OK)
        status = drua_command(context, "CLIJ2_sumOfAllPixels", sum, 1, &table);
    drua_table_free(table);
    if (status == DRUA_OK)
        status = drua_sync(context);
    return status;
}

static void try_program(const fault_source *source)
{
    drua_context *context = harness_open();
    REQUIRE(short_program(context));
    for (long n = 1, more = 1; more; n++) {
        REQUIRE(drua_clear(context));
        source->arm(n);
        const drua_status status = short_program(context);
        more = source->fired();
        if (status != DRUA_OK)
            ck_assert_msg(more && *drua_error_message(), "%s %ld: status %d, '%s'", source->what, n, (int)status, drua_error_message());
        ck_assert_msg(!strstr(drua_names(context), "\n\n") && *drua_names(context) != '\n', "a name is empty: '%s'", drua_names(context));
        REQUIRE(short_program(context));
        size_t live = 0;
        for (size_t i = 0; i < context->slot_count; i++)
            live += context->slots[i].value != NULL;
        ck_assert_msg(live <= context->name_count + 1, "%s %ld: %zu images have no name", source->what, n, live - context->name_count);
    }
    drua_close(context);
}

/* Opening, first builds and closing. */
static void try_open(const fault_source *source)
{
    long n = 1;
    for (bool more = true; more; n++) {
        drua_context *context = NULL;
        source->arm(n);
        drua_status status = drua_open(NULL, &context);
        ck_assert_msg((status == DRUA_OK) == (context != NULL), "%s %ld: status and context differ", source->what, n);
        if (status == DRUA_OK)
            status = short_program(context);
        more = source->fired();
        ck_assert_msg(status == DRUA_OK || (more && *drua_error_message()), "%s %ld: %s", source->what, n, drua_error_message());
        drua_close(context);
        if (source == &driver)
            expect_nothing_left("OpenCL call", n);
    }
    printf("opening and a short program: %ld of %ss\n", n - 1, source->what);
}

START_TEST(programs_without_memory)
{
    drua_command_count();
    try_program(&memory);
}
END_TEST

START_TEST(programs_without_driver)
{
    find_shim();
    try_program(&driver);
}
END_TEST

START_TEST(opening_without_memory)
{
    drua_command_count();
    try_open(&memory);
}
END_TEST

START_TEST(opening_without_driver)
{
    find_shim();
    try_open(&driver);
}
END_TEST

/* Inputs that push and pull meet fail too. */
static void try_transfers(drua_shape shape)
{
    const size_t count = (size_t)(shape.width * shape.height * shape.depth);
    float *pixels = reference_allocate(count, sizeof *pixels), *got = reference_allocate(count, sizeof *got);
    drua_context *context = harness_open();
    const float numbers[] = {1, 2, 3};
    const drua_image kept = harness_line(context, numbers, 3);
    for (long n = 1, more = 1; more; n += 1 + n / 20) {
        drua_image image = 0;
        for (size_t i = 0; i < count; i++)
            pixels[i] = (float)((i + (size_t)n) % 1009);
        shim.fail_after(n);
        drua_status status = drua_push(context, shape, DRUA_FLOAT32, pixels, &image);
        if (status == DRUA_OK)
            status = drua_pull(context, image, got);
        more = driver_fired();
        ck_assert_msg(status == DRUA_OK ? !memcmp(pixels, got, count * sizeof *got) : more, "call %ld: %s", n,
                      status == DRUA_OK ? "other pixels" : drua_error_message());
        ck_assert_double_eq(harness_first(context, kept), 1);
        if (image)
            REQUIRE(drua_release(context, image));
    }
    drua_close(context);
    expect_nothing_left("transfers", 0);
    free(pixels);
    free(got);
}

START_TEST(transfers_without_driver)
{
    find_shim();
    try_transfers(reference_plane(3, 1));
    try_transfers(reference_stack(700, 800, 2));
}
END_TEST

/* Up, through kernels, down as pixels and as a number. */
static drua_status there_and_back(drua_context *context, drua_shape shape, const float *pixels, float *got, double *sum)
{
    drua_image image = 0;
    drua_status status = drua_push(context, shape, DRUA_FLOAT32, pixels, &image);
    drua_argument blur[] = {IMAGE(image), NEW, NUMBER(1), NUMBER(0), NUMBER(0)}, half[] = {NEW, NEW, NUMBER(0.5)}, all[] = {NEW, NEW};
    if (status == DRUA_OK)
        status = drua_invoke(context, "mean_box", blur, 5, NULL);
    half[0] = IMAGE(blur[1].image);
    if (status == DRUA_OK)
        status = drua_invoke(context, "multiply_image_and_scalar", half, 3, NULL);
    all[0] = IMAGE(half[1].image);
    if (status == DRUA_OK)
        status = drua_invoke(context, "sum_of_all_pixels", all, 2, NULL);
    *sum = all[1].number;
    return status == DRUA_OK ? drua_pull(context, half[1].image, got) : status;
}

/* Commands that a driver accepts and cannot carry out: a sentence, at the latest with the pixels. */
static void try_broken(drua_shape shape)
{
    const size_t count = (size_t)(shape.width * shape.height * shape.depth);
    float *pixels = reference_allocate(count, sizeof *pixels), *wanted = reference_allocate(count, sizeof *wanted),
          *got = reference_allocate(count, sizeof *got);
    for (size_t i = 0; i < count; i++)
        pixels[i] = (float)(i % 1009);
    double right, sum;
    drua_context *context = harness_open();
    REQUIRE(there_and_back(context, shape, pixels, wanted, &right));
    long n = 1, refusals = 0;
    for (bool more = true; more; n++) {
        REQUIRE(drua_clear(context));
        memset(got, 0, count * sizeof *got);
        shim.break_after(n);
        const drua_status status = there_and_back(context, shape, pixels, got, &sum);
        const bool synced = drua_sync(context) == DRUA_OK;      /* it may only tell here if the pixels are right */
        more = shim.fired();
        shim.break_after(0);
        ck_assert_msg(synced || more, "command %ld: %s", n, drua_error_message());
        refusals += status != DRUA_OK;
        ck_assert_msg(status != DRUA_OK ? more && *drua_error_message() : sum == right && !memcmp(wanted, got, count * sizeof *got),
                      "command %ld: %s", n, status == DRUA_OK ? "other pixels" : drua_error_message());
        if (drua_is_lost(context))
            REQUIRE(drua_restart(context));
    }
    printf("%ld of %ld commands broke a program\n", refusals, n - 1);
    ck_assert_int_gt(refusals, 0);
    drua_close(context);
    expect_nothing_left("broken commands", 0);
    free(pixels);
    free(wanted);
    free(got);
}

START_TEST(commands_that_fail_later)
{
    find_shim();
    setenv("DRUA_CHAINS", "interpret", 1);      /* a thread that compiles sends commands at any time */
    try_broken(reference_plane(30, 1));
    try_broken(reference_stack(700, 800, 2));
    unsetenv("DRUA_CHAINS");
}
END_TEST

/* A device that is gone: the same sentence for every call, until it is opened anew. */
START_TEST(a_lost_device)
{
    enum { NOT_AVAILABLE = -2, OUT_OF_RESOURCES = -5, INVALID_QUEUE = -36 };
    const int codes[] = {NOT_AVAILABLE, OUT_OF_RESOURCES, INVALID_QUEUE};
    find_shim();
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        drua_context *context = harness_open();
        const float numbers[] = {1, 2, 3};
        float got[3];
        drua_image image = harness_line(context, numbers, 3);
        REQUIRE(drua_bind(context, "name", image));
        REQUIRE(drua_sync(context));
        ck_assert(!drua_is_lost(context));
        shim.lose(codes[i]);
        drua_argument blur[] = {IMAGE(image), NEW, NUMBER(1)};
        drua_status status = drua_invoke(context, "gaussian_blur", blur, 3, NULL);
        if (status == DRUA_OK)
            status = drua_sync(context);
        ck_assert_int_eq(status, DRUA_E_DEVICE);
        REFUSED(DRUA_E_DEVICE, drua_pull(context, image, got), "was lost", "start Drua again");
        ck_assert(drua_is_lost(context));
        ck_assert_int_ne(drua_restart(context), DRUA_OK);
        shim.lose(0);
        REFUSED(DRUA_E_DEVICE, drua_pull(context, image, got), "was lost");
        REQUIRE(drua_restart(context));
        ck_assert_str_eq(drua_names(context), "");
        REFUSED(DRUA_E_NAME, drua_pull(context, image, got), "released");
        image = harness_line(context, numbers, 3);
        ck_assert_double_eq(harness_first(context, image), 1);
        drua_close(context);
        expect_nothing_left("loss", (long)i);
    }
}
END_TEST

/* ---- images that move to the host and work in parts */

enum { CROWD = 5, SIDE = 40, SLICES = 50, MORE_SLICES = 200 };

static void fill(float *pixels, size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        pixels[i] = (float)((i + (size_t)number) % 97);
}

/* More images than fit at once; then one that does not fit alone is filtered. */
static drua_status crowded_program(drua_context *context, const drua_image *crowd, drua_image large)
{
    drua_status status = DRUA_OK;
    for (int i = 0; i + 1 < CROWD && status == DRUA_OK; i++) {
        drua_argument add[] = {IMAGE(crowd[i]), IMAGE(crowd[i + 1]), NEW};
        status = drua_invoke(context, "add_images", add, 3, NULL);
        drua_argument blur[] = {add[2], NEW, NUMBER(1), NUMBER(0), NUMBER(1)};
        if (status == DRUA_OK)
            status = drua_invoke(context, "gaussian_blur", blur, 5, NULL);
    }
    drua_argument erode[] = {IMAGE(large), NEW, NUMBER(1), NUMBER(1), NUMBER(1)};
    if (status == DRUA_OK)
        status = drua_invoke(context, "minimum_box", erode, 5, NULL);
    drua_argument square[] = {IMAGE(large), NEW, NUMBER(2)};
    if (status == DRUA_OK)
        status = drua_invoke(context, "power", square, 3, NULL);
    float *got = reference_allocate(SIDE * SIDE * MORE_SLICES, sizeof *got);
    if (status == DRUA_OK)
        status = drua_pull(context, square[1].image, got);
    free(got);
    return status;
}

static void expect_pixels(drua_context *context, drua_image image, size_t count, int number, long n)
{
    float *wanted = reference_allocate(count, sizeof *wanted), *got = reference_allocate(count, sizeof *got);
    fill(wanted, count, number);
    REQUIRE(drua_pull(context, image, got));
    ck_assert_msg(!memcmp(wanted, got, count * sizeof *got), "fault %ld: image %d changed", n, number);
    free(wanted);
    free(got);
}

static void try_crowd(const fault_source *source)
{
    const size_t count = SIDE * SIDE * SLICES, many = SIDE * SIDE * MORE_SLICES;
    float *pixels = reference_allocate(many, sizeof *pixels);
    drua_context *context = harness_open();
    REQUIRE(drua_set_memory(context, "1MB"));
    long refusals = 0;
    bool more = true;
    for (long n = 1; more; n += 1 + n / 10) {
        drua_image crowd[CROWD], large;
        for (int i = 0; i < CROWD; i++) {
            fill(pixels, count, i);
            REQUIRE(drua_push(context, reference_stack(SIDE, SIDE, SLICES), DRUA_FLOAT32, pixels, &crowd[i]));
        }
        fill(pixels, many, CROWD);
        REQUIRE(drua_push(context, reference_stack(SIDE, SIDE, MORE_SLICES), DRUA_FLOAT32, pixels, &large));
        source->arm(n);
        const drua_status status = crowded_program(context, crowd, large);
        more = source->fired();
        refusals += status != DRUA_OK;
        ck_assert_msg(status == DRUA_OK || (more && *drua_error_message()), "%s %ld: '%s'", source->what, n, drua_error_message());
        for (int i = 0; i < CROWD; i++)
            expect_pixels(context, crowd[i], count, i, n);
        expect_pixels(context, large, many, CROWD, n);
        REQUIRE(drua_clear(context));
        drua_statistics s;
        drua_get_statistics(context, &s);
        uint64_t used, pooled;
        drua_device_memory(context->device, &used, &pooled);
        ck_assert_msg(used == 0 && s.host_bytes == 0, "%s %ld: %llu bytes are left on the host", source->what, n, (unsigned long long)s.host_bytes);
        ck_assert(s.spilled_bytes > 0 && (status != DRUA_OK || s.slabs > 0));
    }
    printf("%ld crowded programs refused because the n-th %s failed\n", refusals, source->what);
    ck_assert_int_gt(refusals, 0);
    drua_close(context);
    free(pixels);
}

START_TEST(crowds_without_memory)
{
    drua_command_count();
    try_crowd(&memory);
}
END_TEST

START_TEST(crowds_without_driver)
{
    find_shim();
    try_crowd(&driver);
    expect_nothing_left("crowds", 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults");
    TCase *tests = tcase_create("faults");
    tcase_set_timeout(tests, 900);
    const char *which = getenv("DRUA_FAULTS");
    if (!which || !strcmp(which, "memory")) {
        tcase_add_test(tests, operations_without_memory);
        tcase_add_test(tests, programs_without_memory);
        tcase_add_test(tests, opening_without_memory);
        tcase_add_test(tests, crowds_without_memory);
    }
    if (which && !strcmp(which, "transfers"))
        tcase_add_test(tests, transfers_without_driver);
    if (which && !strcmp(which, "opening")) {
        tcase_add_test(tests, opening_without_memory);
        tcase_add_test(tests, opening_without_driver);
    }
    if (which && !strcmp(which, "commands"))
        tcase_add_test(tests, commands_that_fail_later);
    if (!which || !strcmp(which, "driver")) {
        tcase_add_test(tests, a_lost_device);
        tcase_add_test(tests, transfers_without_driver);
        tcase_add_test(tests, commands_that_fail_later);
        tcase_add_test(tests, crowds_without_driver);
        tcase_add_test(tests, operations_without_driver);
        tcase_add_test(tests, programs_without_driver);
        tcase_add_test(tests, opening_without_driver);
    }
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that every call refuses images of another context and released images, in any thread. */
#include "harness.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXTS = 8, MAX_PARAMETERS = 32, ROUNDS = 20, RELEASED = 50 };

static drua_context *contexts[CONTEXTS];
static drua_image images[CONTEXTS];

/* Image i is i + 1 pixels wide, and its first pixel is i. */
static void open_contexts(void)
{
    for (int i = 0; i < CONTEXTS; i++) {
        float pixels[CONTEXTS] = {(float)i};
        contexts[i] = harness_open();
        images[i] = harness_line(contexts[i], pixels, i + 1);
    }
}

/* After each test all images are unchanged. */
static void close_contexts(void)
{
    for (int i = 0; i < CONTEXTS; i++) {
        drua_image_info info;
        REQUIRE(drua_get_info(contexts[i], images[i], &info));
        ck_assert_int_eq(info.shape.width, i + 1);
        ck_assert_double_eq(harness_first(contexts[i], images[i]), i);
        ck_assert_str_eq(drua_names(contexts[i]), "");
        drua_close(contexts[i]);
    }
}

/* ---- the functions of drua.h that take an image, with buffers for a row of the widest image */

static drua_status call_overwrite_planes(drua_context *context, drua_image image)
{
    const float pixels[CONTEXTS] = {99};
    const void *planes[] = {pixels};
    return drua_overwrite_planes(context, image, planes);
}

static drua_status call_pull(drua_context *context, drua_image image)
{
    float pixels[CONTEXTS];
    return drua_pull(context, image, pixels);
}

static drua_status call_pull_planes(drua_context *context, drua_image image)
{
    float pixels[CONTEXTS];
    void *planes[] = {pixels};
    return drua_pull_planes(context, image, planes);
}

static void copy_nothing(void *payload, size_t plane, size_t inside, void *memory, size_t bytes)
{
    (void)payload, (void)plane, (void)inside, (void)memory, (void)bytes;
}

static const drua_stream no_pixels = {.copy = copy_nothing};

static drua_status call_overwrite_stream(drua_context *context, drua_image image)
{
    return drua_overwrite_stream(context, image, &no_pixels);
}

static drua_status call_pull_stream(drua_context *context, drua_image image)
{
    return drua_pull_stream(context, image, &no_pixels);
}

static drua_status call_get_info_sized(drua_context *context, drua_image image)
{
    drua_image_info info;
    return drua_get_info(context, image, &info);
}

static drua_status call_release(drua_context *context, drua_image image)
{
    return drua_release(context, image);
}

static drua_status call_set_metadata(drua_context *context, drua_image image)
{
    return drua_set_metadata(context, image, "text");
}

static drua_status call_get_metadata(drua_context *context, drua_image image)
{
    const char *text;
    return drua_get_metadata(context, image, &text);
}

static drua_status call_write_tiff(drua_context *context, drua_image image)
{
    return drua_write_tiff(context, image, "/nonexistent/image.tif", NULL);
}

static drua_status call_bind(drua_context *context, drua_image image)
{
    return drua_bind(context, "name", image);
}

static drua_status call_invoke(drua_context *context, drua_image image)
{
    return INVOKE(context, "copy", IMAGE(image), NEW);
}

static drua_status call_invoke_part_sized(drua_context *context, drua_image image)
{
    drua_part part = {.whole = {.width = 0}};
    drua_argument arguments[] = {IMAGE(image), NEW};
    return drua_invoke_part(context, "copy", arguments, 2, &part);
}

static drua_status call_command(drua_context *context, drua_image image)
{
    return COMMAND(context, "CLIJx_customOperation", NAME("a[x] = 0"), NAME(""), LIST(NAME("a"), IMAGE(image)));
}

#define CALL_OF(name)                                                                                                  \
    {                                                                                                                  \
        "drua_" #name, call_##name                                                                                     \
    }
static const struct {
    const char *name;
    drua_status (*call)(drua_context *context, drua_image image);
} calls[] = {CALL_OF(overwrite_planes),  CALL_OF(pull),           CALL_OF(pull_planes), CALL_OF(overwrite_stream),
             CALL_OF(pull_stream),       CALL_OF(get_info_sized), CALL_OF(release),     CALL_OF(set_metadata),
             CALL_OF(get_metadata),      CALL_OF(write_tiff),     CALL_OF(bind),        CALL_OF(invoke),
             CALL_OF(invoke_part_sized), CALL_OF(command)};

enum { CALLS = sizeof calls / sizeof *calls };

static bool has_call(const char *name, size_t length)
{
    for (int i = 0; i < CALLS; i++)
        if (strlen(calls[i].name) == length && !memcmp(calls[i].name, name, length))
            return true;
    return false;
}

/* Every function that takes an image, or arguments that may contain one, must be in the list above. */
START_TEST(the_header_has_no_other_function_that_takes_an_image)
{
    static const char begin[] = "DRUA_API drua_status ";
    char *text = harness_read(TEST_DATA "/../../native/include/drua/drua.h");
    int found = 0;
    for (char *at = text; (at = strstr(at, begin)) != NULL;) {
        const char *name = at + strlen(begin);
        char *end = strchr(at, ';');
        *end = 0;
        if (strstr(at, "drua_image image") || strstr(at, "drua_argument *arguments")) {
            ck_assert_msg(has_call(name, strcspn(name, "(")), "%s is not tried with an image of another context", name);
            found++;
        }
        at = end + 1;
    }
    ck_assert_int_eq(found, CALLS);
    free(text);
}
END_TEST

START_TEST(no_function_takes_an_image_of_another_context)
{
    for (int user = 0; user < CONTEXTS; user++)
        for (int owner = 0; owner < CONTEXTS; owner++)
            for (int i = 0; i < CALLS && user != owner; i++)
                harness_refused(DRUA_E_NAME, calls[i].call(contexts[user], images[owner]), calls[i].name,
                                (const char *const[]){"belongs to another context", NULL});
}
END_TEST

/* ---- the operations: one after another, each image argument belongs to another context */

static bool is_image(const drua_parameter_info *p)
{
    return !strncmp(p->kind, "image_", 6) || !strcmp(p->kind, "images");
}

/* Fills an operation's arguments with own images, defaults and new results, except for one foreign image. */
static size_t fill_arguments(size_t operation, size_t foreign, drua_image image, drua_argument *listed,
                             drua_argument *arguments)
{
    drua_parameter_info p;
    size_t count = 0;
    for (size_t i = 0; drua_operation_parameter(operation, i, &p) == DRUA_OK; i++) {
        if (!strcmp(p.kind, "table_out"))
            continue;
        if (i == foreign && !strcmp(p.kind, "images"))
            arguments[count++] = (drua_argument){.kind = DRUA_ARG_LIST, .list = listed, .length = 2};
        else if (i == foreign)
            arguments[count++] = IMAGE(image);
        else
            arguments[count++] = strcmp(p.kind, "image_in") && strcmp(p.kind, "image_inout") ? NEW : IMAGE(images[0]);
    }
    return count;
}

START_TEST(no_operation_takes_an_image_of_another_context)
{
    drua_parameter_info p;
    int tried = 0;
    for (size_t operation = 0; operation < drua_operation_count(); operation++)
        for (size_t i = 0; drua_operation_parameter(operation, i, &p) == DRUA_OK; i++)
            for (int owner = 1; owner < CONTEXTS && is_image(&p); owner++, tried++) {
                drua_part part = {.whole = {.width = 0}};
                drua_argument arguments[MAX_PARAMETERS], listed[] = {NAME("a"), IMAGE(images[owner])};
                const char *name = drua_operation_name(operation);
                const size_t count = fill_arguments(operation, i, images[owner], listed, arguments);
                const char *const parts[] = {name, p.name, "belongs to another context", NULL};
                harness_refused(DRUA_E_NAME, drua_invoke(contexts[0], name, arguments, count, NULL), name, parts);
                harness_refused(DRUA_E_NAME, drua_invoke_part(contexts[0], name, arguments, count, &part), name, parts);
            }
    ck_assert_int_gt(tried, 1000);
}
END_TEST

/* ---- threads */

typedef struct worker {
    int number;
    char fault[300]; /* the first error; Check's assertions belong to the main thread */
} worker;

static void note_fault(worker *w, bool right, const char *what)
{
    if (!right && !*w->fault)
        snprintf(w->fault, sizeof w->fault, "%s: %.200s", what, drua_error_message());
}

static void refuses(worker *w, drua_image image, const char *why)
{
    for (int i = 0; i < CALLS; i++) {
        const drua_status status = calls[i].call(contexts[w->number], image);
        note_fault(w, status == DRUA_E_NAME && strstr(drua_error_message(), why), calls[i].name);
    }
}

/* Creates images in the slots of released ones while other threads try foreign images. */
static void *use_own_images(void *argument)
{
    worker *w = argument;
    drua_context *own = contexts[w->number];
    drua_image released[RELEASED];
    for (int i = 0; i < RELEASED; i++) {
        note_fault(w, drua_create(own, reference_plane(2, 1), DRUA_FLOAT32, &released[i]) == DRUA_OK, "create");
        note_fault(w, drua_release(own, released[i]) == DRUA_OK, "release");
    }
    for (int round = 0; round < ROUNDS; round++) {
        drua_image image = 0;
        drua_image_info info = {.bytes = 0};
        note_fault(w, drua_create(own, reference_plane(3, 1), DRUA_FLOAT32, &image) == DRUA_OK, "create");
        for (int owner = 0; owner < CONTEXTS; owner++)
            if (owner != w->number)
                refuses(w, images[owner], "belongs to another context");
        for (int i = 0; i < RELEASED; i++)
            refuses(w, released[i], "was released before");
        note_fault(w, drua_get_info(own, image, &info) == DRUA_OK && info.shape.width == 3, "information");
        note_fault(w, drua_release(own, image) == DRUA_OK, "release");
    }
    return NULL;
}

START_TEST(threads_cross_contexts)
{
    pthread_t threads[CONTEXTS];
    worker workers[CONTEXTS] = {{.number = 0}};
    for (int i = 0; i < CONTEXTS; i++) {
        workers[i].number = i;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, use_own_images, &workers[i]), 0);
    }
    for (int i = 0; i < CONTEXTS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < CONTEXTS; i++)
        ck_assert_msg(!*workers[i].fault, "context %d: %s", i, workers[i].fault);
}
END_TEST

/* A new context differs from a closed one, even if it has the same address. */
START_TEST(images_of_a_closed_context)
{
    for (int i = 0; i < CONTEXTS; i++) {
        drua_context *closed = harness_open();
        const drua_image image = harness_line(closed, (const float[]){1}, 1);
        drua_close(closed);
        drua_context *later = harness_open();
        const drua_image other = harness_line(later, (const float[]){2}, 1);
        for (int k = 0; k < CALLS; k++)
            harness_refused(DRUA_E_NAME, calls[k].call(later, image), calls[k].name,
                            (const char *const[]){"belongs to another context", NULL});
        ck_assert_double_eq(harness_first(later, other), 2);
        drua_close(later);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("other_contexts");
    TCase *tests = tcase_create("other_contexts");
    tcase_add_checked_fixture(tests, open_contexts, close_contexts);
    tcase_add_test(tests, the_header_has_no_other_function_that_takes_an_image);
    tcase_add_test(tests, no_function_takes_an_image_of_another_context);
    tcase_add_test(tests, no_operation_takes_an_image_of_another_context);
    tcase_add_test(tests, threads_cross_contexts);
    tcase_add_test(tests, images_of_a_closed_context);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that after a fork, every library call in the child returns an error at once, and the child can exit. */
#include "harness.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 20, MAX_SECONDS = 20 };

static drua_context *context;
static drua_image image;
static atomic_bool ends;

static void open_context(void)
{
    context = harness_open();
    image = harness_line(context, (const float[]){1, 2, 3}, 3);
    REQUIRE(drua_bind(context, "image", image));
}

/* Forks do not affect the parent process. */
static void close_context(void)
{
    ck_assert_double_eq(harness_first(context, image), 1);
    drua_close(context);
}

/* ---- functions that make one call each in a forked child and return whether it behaved as required */

static bool fails(drua_status status)
{
    return status == DRUA_E_DEVICE && strstr(drua_error_message(), "forked");
}

static bool is_empty(const char *text)
{
    return text && !*text && strstr(drua_error_message(), "forked");
}

static float pixels[3];
static void *const planes[] = {pixels};
static const drua_shape shape = {.width = 3, .height = 1, .depth = 1, .dimension = 2};

static void copy_nothing(void *payload, size_t plane, size_t inside, void *memory, size_t bytes)
{
    (void)payload, (void)plane, (void)inside, (void)memory, (void)bytes;
}

static const drua_stream stream = {.copy = copy_nothing};

#define CALL(name, ...)                                                                                                \
    static bool call_##name(void)                                                                                      \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

CALL(bind, return fails(drua_bind(context, "other", image));)
CALL(cancel, drua_cancel(context); return true;)
CALL(check_computer, const char *report = NULL;
     return fails(drua_check_computer(NULL, NULL, &report)) && strstr(report, "forked");)
CALL(check_text_path, return drua_check_text_path("cells.tif") == DRUA_E_ARGUMENT;)
CALL(clear, return fails(drua_clear(context));)
CALL(close, drua_close(context); return true;)
CALL(command, return fails(COMMAND(context, "CLIJ2_copy", NAME("image"), NAME("copy")));)
CALL(context_device_sized, drua_device_info info; drua_context_device(context, &info); return !*info.name;)
CALL(context_note, return drua_context_note(context) != NULL;)
CALL(context_warning, return drua_context_warning(context) != NULL;)
CALL(create, drua_image made; return fails(drua_create(context, shape, DRUA_FLOAT32, &made));)
CALL(describe, return *drua_describe() == '{';)
CALL(device_count, return drua_device_count() == 0;)
CALL(device_describe_sized, drua_device_info info; return fails(drua_device_describe(0, &info));)
CALL(device_name, return *drua_device_name(context) != 0;)
CALL(error_message, return drua_error_message() != NULL;)
CALL(explain_launches, return is_empty(drua_explain_launches(context));)
CALL(find, drua_image found; return fails(drua_find(context, "image", &found));)
CALL(get_info_sized, drua_image_info info; return fails(drua_get_info(context, image, &info));)
CALL(get_metadata, const char *text = NULL; return fails(drua_get_metadata(context, image, &text)) && !*text;)
CALL(get_statistics_sized, drua_statistics s = {.calls = 7}; drua_get_statistics(context, &s); return s.calls == 0;)
CALL(invoke, return fails(INVOKE(context, "copy", IMAGE(image), NEW));)
CALL(invoke_part_sized, drua_part part = {.first = {0}}; drua_argument a[] = {IMAGE(image), NEW};
     return fails(drua_invoke_part(context, "copy", a, 2, &part));)
CALL(is_compiling, return !drua_is_compiling(context);)
CALL(is_lost, return drua_is_lost(context) == 1;)
CALL(measure_arithmetic, double rate; return fails(drua_measure_arithmetic(context, &rate));)
CALL(measure_copy, double rate; return fails(drua_measure_copy(context, 1 << 20, &rate));)
CALL(names, return is_empty(drua_names(context));)
CALL(open, drua_context *other = context; return fails(drua_open(NULL, &other)) && !other;)
CALL(operation_category, return drua_operation_category(0) != NULL;)
CALL(operation_count, return drua_operation_count() > 0;)
CALL(operation_name, return drua_operation_name(0) != NULL;)
CALL(operation_parameter_sized, drua_parameter_info info; return drua_operation_parameter(0, 0, &info) == DRUA_OK;)
CALL(operation_reads_part, return drua_operation_reads_part(0) <= 1;)
CALL(overwrite_planes, return fails(drua_overwrite_planes(context, image, (const void *const *)planes));)
CALL(overwrite_stream, return fails(drua_overwrite_stream(context, image, &stream));)
CALL(prepare, return fails(drua_prepare(context, 1));)
CALL(prepare_exit, drua_prepare_exit(); return true;)
CALL(process_file, return fails(drua_process_file("copy", "in.tif", "out.tif", NULL, NULL, NULL));)
CALL(profile, return is_empty(drua_profile(context));)
CALL(progress, return drua_progress(context) == -1;)
CALL(pull, return fails(drua_pull(context, image, pixels));)
CALL(pull_planes, return fails(drua_pull_planes(context, image, planes));)
CALL(pull_stream, return fails(drua_pull_stream(context, image, &stream));)
CALL(push, drua_image made; return fails(drua_push(context, shape, DRUA_FLOAT32, pixels, &made));)
CALL(push_planes, drua_image made;
     return fails(drua_push_planes(context, shape, DRUA_FLOAT32, (const void *const *)planes, &made));)
CALL(push_stream, drua_image made; return fails(drua_push_stream(context, shape, DRUA_FLOAT32, &stream, &made));)
CALL(read_tiff, drua_image made; return fails(drua_read_tiff(context, "in.tif", 0, 0, &made));)
CALL(release, return fails(drua_release(context, image));)
CALL(release_name, return fails(drua_release_name(context, "image"));)
CALL(report_memory, return is_empty(drua_report_memory(context));)
CALL(restart, return fails(drua_restart(context));)
CALL(result_name, return *drua_result_name("CLIJ2_copy") != 0;)
CALL(set_line_number, drua_set_line_number(context, 3); return true;)
CALL(set_memory, return fails(drua_set_memory(context, "64MB"));)
CALL(set_metadata, return fails(drua_set_metadata(context, image, "text"));)
CALL(set_progress_callback, drua_set_progress_callback(context, NULL, NULL); return true;)
CALL(stop_calls, drua_stop_calls(context, 1); return true;)
CALL(sync, return fails(drua_sync(context));)
CALL(table_free, drua_table_free(NULL); return true;)
CALL(table_write, drua_table table = {0}; return drua_table_write(&table, "/missing/table.csv") == DRUA_E_ARGUMENT;)
CALL(take_messages, return is_empty(drua_take_messages(context));)
CALL(take_misfit, return is_empty(drua_take_misfit(context));)
CALL(time_launches, return fails(drua_time_launches(context, 1));)
CALL(trace, return fails(drua_trace(context, 1));)
CALL(trace_text, return is_empty(drua_trace_text(context));)
CALL(version_number, return drua_version_number() > 0;)
CALL(version, return *drua_version() != 0;)
CALL(write_tiff, return fails(drua_write_tiff(context, image, "out.tif", NULL));)

#define CALL_OF(name)                                                                                                  \
    {                                                                                                                  \
        "drua_" #name, call_##name                                                                                     \
    }
static const struct {
    const char *name;
    bool (*call)(void);
} calls[] = {CALL_OF(bind),
             CALL_OF(cancel),
             CALL_OF(check_computer),
             CALL_OF(check_text_path),
             CALL_OF(clear),
             CALL_OF(close),
             CALL_OF(command),
             CALL_OF(context_device_sized),
             CALL_OF(context_note),
             CALL_OF(context_warning),
             CALL_OF(create),
             CALL_OF(describe),
             CALL_OF(device_count),
             CALL_OF(device_describe_sized),
             CALL_OF(device_name),
             CALL_OF(error_message),
             CALL_OF(explain_launches),
             CALL_OF(find),
             CALL_OF(get_info_sized),
             CALL_OF(get_metadata),
             CALL_OF(get_statistics_sized),
             CALL_OF(invoke),
             CALL_OF(invoke_part_sized),
             CALL_OF(is_compiling),
             CALL_OF(is_lost),
             CALL_OF(measure_arithmetic),
             CALL_OF(measure_copy),
             CALL_OF(names),
             CALL_OF(open),
             CALL_OF(operation_category),
             CALL_OF(operation_count),
             CALL_OF(operation_name),
             CALL_OF(operation_parameter_sized),
             CALL_OF(operation_reads_part),
             CALL_OF(overwrite_planes),
             CALL_OF(overwrite_stream),
             CALL_OF(prepare),
             CALL_OF(prepare_exit),
             CALL_OF(process_file),
             CALL_OF(profile),
             CALL_OF(progress),
             CALL_OF(pull),
             CALL_OF(pull_planes),
             CALL_OF(pull_stream),
             CALL_OF(push),
             CALL_OF(push_planes),
             CALL_OF(push_stream),
             CALL_OF(read_tiff),
             CALL_OF(release),
             CALL_OF(release_name),
             CALL_OF(report_memory),
             CALL_OF(restart),
             CALL_OF(result_name),
             CALL_OF(set_line_number),
             CALL_OF(set_memory),
             CALL_OF(set_metadata),
             CALL_OF(set_progress_callback),
             CALL_OF(stop_calls),
             CALL_OF(sync),
             CALL_OF(table_free),
             CALL_OF(table_write),
             CALL_OF(take_messages),
             CALL_OF(take_misfit),
             CALL_OF(time_launches),
             CALL_OF(trace),
             CALL_OF(trace_text),
             CALL_OF(version),
             CALL_OF(version_number),
             CALL_OF(write_tiff)};

enum { CALLS = sizeof calls / sizeof *calls };

static bool has_call(const char *name, size_t length)
{
    for (int i = 0; i < CALLS; i++)
        if (strlen(calls[i].name) == length && !memcmp(calls[i].name, name, length))
            return true;
    return false;
}

/* Returns the number of functions that a header declares. Fails if one of them is not in the list of calls. */
static int check_functions(const char *header)
{
    char *text = harness_read(header);
    int declared = 0;
    for (const char *at = text; (at = strstr(at, "\nDRUA_API ")) != NULL; at++, declared++) {
        const char *end = strchr(at, '('), *name = end;
        while (strchr(" *", name[-1]) == NULL)
            name--;
        ck_assert_msg(has_call(name, (size_t)(end - name)), "%.*s is not tried in a forked process", (int)(end - name),
                      name);
    }
    free(text);
    return declared;
}

START_TEST(the_headers_have_no_other_function)
{
    const int all = check_functions(TEST_DATA "/../../native/include/drua/drua.h") +
                    check_functions(TEST_DATA "/../../native/include/drua/process_file.h");
    ck_assert_int_eq(all, CALLS);
}
END_TEST

/* Returns the number of the first call that misbehaved, counted from 1, or 0. A call that hangs ends the process. */
static int try_all(void)
{
    signal(SIGALRM, SIG_DFL); /* Check's handler would end the test too */
    alarm(MAX_SECONDS);
    for (int i = 0; i < CALLS; i++)
        if (!calls[i].call())
            return i + 1;
    return 0;
}

static void passes(pid_t child)
{
    int status = 0;
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "a call hangs in the forked process (signal %d)", WTERMSIG(status));
    ck_assert_msg(WEXITSTATUS(status) == 0, "%s in the forked process", calls[WEXITSTATUS(status) - 1].name);
}

/* Holds the context's lock and the device's lock most of the time. */
static void *hold_locks(void *unused)
{
    while (!atomic_load(&ends)) {
        drua_argument mean[] = {IMAGE(image), NEW, NUMBER(1), NUMBER(1), NUMBER(0)};
        float got[3];
        if (drua_invoke(context, "mean_box", mean, 5, NULL) != DRUA_OK ||
            drua_pull(context, mean[1].image, got) != DRUA_OK || drua_release(context, mean[1].image) != DRUA_OK)
            abort();
    }
    return unused;
}

static bool is_forked;

/* LeakSanitizer asks this at the end of a process. In a forked process it takes memory that only the parent's threads
 * refer to for leaks. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return is_forked;
}

/* AddressSanitizer's allocator stays locked in the child if a thread of the parent allocates during the fork. */
#if defined(__SANITIZE_ADDRESS__)
enum { RUNS_WITH_THREADS = 0 };
#else
enum { RUNS_WITH_THREADS = 1 };
#endif

START_TEST(while_threads_work)
{
    enum { THREADS = 3 };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, hold_locks, NULL), 0);
    for (int i = 0; i < FORKS; i++) {
        usleep(10000);
        fflush(NULL);
        const pid_t child = fork();
        if (!child) {
            is_forked = true;
            exit(try_all()); /* exit handlers must return, too */
        }
        passes(child);
    }
    atomic_store(&ends, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}
END_TEST

/* A child forked before the parent's first library call works normally. */
START_TEST(before_the_first_call)
{
    const pid_t child = fork();
    if (!child) {
        signal(SIGALRM, SIG_DFL);
        alarm(10 * MAX_SECONDS);
        open_context();
        close_context();
        _exit(0);
    }
    passes(child);
    open_context();
    close_context();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("forks");
    TCase *first = tcase_create("first"), *tests = tcase_create("tests");
    tcase_add_test(first, before_the_first_call);
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, the_headers_have_no_other_function);
    tcase_add_loop_test(tests, while_threads_work, 0, RUNS_WITH_THREADS);
    suite_add_tcase(suite, first);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

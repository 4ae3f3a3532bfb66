/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that each program is compiled once per computer, by the first process, whatever happens to the cached files.
 */
#include "harness.h"

#include "alloc.h"
#include "context.h"
#include "file.h"
#include "internal.h"
#include "text.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static char folder[HARNESS_FOLDER], path[600];

/* Every test begins with these settings, also if earlier tests ran in the same process. */
static void reset_process(void)
{
    struct rlimit size_of_files;
    setenv("DRUA_AHEAD", "0", 1); /* by default, compile only kernels that are used */
    unsetenv("DRUA_AS_GPU");
    unsetenv("DRUA_CACHE");
    unsetenv("DRUA_CHAINS");
    setenv("DRUA_TUNE", "off", 1);
    umask(022);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &size_of_files), 0);
    size_of_files.rlim_cur = size_of_files.rlim_max;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &size_of_files), 0);
}

static void make_cache(void)
{
    harness_make_folder(folder);
    snprintf(path, sizeof path, "%s/deep/cache", folder);
    setenv("DRUA_CACHE", path, 1);
}

static void remove_cache(void)
{
    char command[700];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

/*
 * In a separate process, opens a context and makes images of two sizes. The exit status is the number of compiled
 * programs, or 100 on failure.
 */
static pid_t compile_in_child(void)
{
    pid_t child = fork();
    if (child)
        return child;
    drua_context *context;
    if (drua_open(NULL, &context) != DRUA_OK)
        _exit(100);
    drua_statistics first, second;
    for (int size = 5; size <= 50; size += 45) {
        float pixels[50] = {1, 2, 3}, got[50];
        drua_image image;
        if (drua_push(context, reference_plane(size, 1), DRUA_FLOAT32, pixels, &image) != DRUA_OK)
            _exit(100);
        drua_argument arguments[] = {IMAGE(image), NEW, NUMBER(2)};
        if (drua_invoke(context, "add_image_and_scalar", arguments, 3, NULL) != DRUA_OK ||
            drua_pull(context, arguments[1].image, got) != DRUA_OK || got[2] != 5)
            _exit(100);
        drua_get_statistics(context, size == 5 ? &first : &second);
    }
    drua_close(context);
    _exit(second.programs_built == first.programs_built || strcmp(getenv("DRUA_AHEAD"), "0")
              ? (int)second.programs_built
              : 101);
}

static int finish(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Finds the cache's only file whose name has this ending. */
static void find_file(const char *ending, char *name, size_t size)
{
    DIR *directory = opendir(path);
    int count = 0;
    ck_assert_ptr_nonnull(directory);
    for (const struct dirent *d; (d = readdir(directory)) != NULL;)
        if (d->d_name[0] != '.' && drua_text_ends_with(d->d_name, ending)) {
            snprintf(name, size, "%s/%s", path, d->d_name);
            count++;
        }
    closedir(directory);
    ck_assert_int_eq(count, 1);
}

START_TEST(the_second_process_compiles_nothing)
{
    make_cache();
    ck_assert_int_eq(finish(compile_in_child()), 1);
    ck_assert_int_eq(finish(compile_in_child()), 0);
    setenv("DRUA_CACHE", "off", 1);
    ck_assert_int_eq(finish(compile_in_child()), 1);
    remove_cache();
}
END_TEST

/* Kernels generated at run time are cached on disk, too. */
START_TEST(made_kernels_are_loaded)
{
    make_cache();
    setenv("DRUA_CHAINS", "compile", 1);
    ck_assert_int_ge(finish(compile_in_child()), 1);
    ck_assert_int_eq(finish(compile_in_child()), 0);
    remove_cache();
}
END_TEST

START_TEST(damaged_files_are_made_again)
{
    char name[1000];
    struct stat info;
    make_cache();
    ck_assert_int_eq(finish(compile_in_child()), 1);
    find_file("", name, sizeof name);
    ck_assert_int_eq(stat(name, &info), 0);
    const off_t lengths[] = {0, 1, 47, 48, 49, info.st_size / 2, info.st_size - 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        ck_assert_int_eq(truncate(name, lengths[i]), 0);
        ck_assert_int_eq(finish(compile_in_child()), 1);
        ck_assert_int_eq(finish(compile_in_child()), 0);
    }
    for (off_t at = 0; at < info.st_size; at += 1 + info.st_size / 7) {
        int file = open(name, O_RDWR);
        char byte;
        ck_assert_int_eq(pread(file, &byte, 1, at), 1);
        byte ^= 16;
        ck_assert_int_eq(pwrite(file, &byte, 1, at), 1);
        close(file);
        ck_assert_int_eq(finish(compile_in_child()), 1);
        ck_assert_int_eq(finish(compile_in_child()), 0);
    }
    remove_cache();
}
END_TEST

/* In a separate process, exits with status 0 if the computer's report names the cache folder and contains the text. */
static pid_t find_in_report(const char *text)
{
    const pid_t child = fork();
    const char *report;
    if (child)
        return child;
    drua_check_computer(NULL, NULL, &report);
    _exit(!strstr(report, text) || !strstr(report, path));
}

/* A program in a file or folder that other users can write is not loaded. */
START_TEST(what_others_can_write_is_not_loaded)
{
    enum { NOBODY = 65534 };
    char name[1000], cache[600];
    const mode_t open_modes[] = {0777, 0770, 0722};
    umask(0);
    make_cache();
    ck_assert_int_eq(finish(compile_in_child()), 1);
    ck_assert_int_eq(finish(compile_in_child()), 0);
    find_file("", name, sizeof name);
    for (size_t i = 0; i < sizeof open_modes / sizeof *open_modes; i++) {
        ck_assert_int_eq(chmod(path, open_modes[i]), 0);
        ck_assert_int_eq(finish(compile_in_child()), 1);
        ck_assert(!drua_file_cache_folder(cache, sizeof cache, true));
        ck_assert_str_eq(cache, "");
    }
    ck_assert_int_eq(finish(find_in_report("other users can write to it")), 0);
    ck_assert_int_eq(chmod(path, 0755), 0);
    ck_assert_int_eq(finish(compile_in_child()), 0);
    ck_assert_int_eq(chmod(name, 0666), 0);
    ck_assert_int_eq(finish(compile_in_child()), 1);
    /* it is compiled again; despite the umask, only the user can access the file */
    ck_assert_int_eq(finish(compile_in_child()), 0);
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(path, NOBODY, NOBODY), 0);
        ck_assert_int_eq(finish(compile_in_child()), 1);
    }
    remove_cache();
}
END_TEST

START_TEST(files_are_read_up_to_a_limit)
{
    char name[700];
    size_t length;
    make_cache();
    ck_assert(drua_file_make_folder(path));
    snprintf(name, sizeof name, "%s/some", path);
    ck_assert(drua_file_replace(name, "12345", 5));
    ck_assert_ptr_null(drua_file_read(name, 4, &length));
    void *bytes = drua_file_read(name, 5, &length);
    ck_assert_uint_eq(length, 5);
    drua_free(bytes);
    remove_cache();
}
END_TEST

START_TEST(no_place_to_write)
{
    make_cache();
    const char *const places[] = {"/dev/null/cache", "/proc"};      /* not a folder; a folder without write access */
    for (int i = 0; i < 2; i++) {
        setenv("DRUA_CACHE", places[i], 1);
        ck_assert_int_eq(finish(compile_in_child()), 1);
    }
    setenv("DRUA_CACHE", path, 1);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {2000, RLIM_INFINITY};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    char block[4000] = {0}, name[700];
    ck_assert(drua_file_make_folder(path));
    snprintf(name, sizeof name, "%s/full.program", path);
    ck_assert(!drua_file_replace(name, block, sizeof block));
    ck_assert(drua_file_replace(name, block, 1000));
    find_file("", name, sizeof name);
    remove_cache();
}
END_TEST

START_TEST(several_processes_at_once)
{
    pid_t children[4];
    make_cache();
    for (int i = 0; i < 4; i++)
        children[i] = compile_in_child();
    for (int i = 0; i < 4; i++)
        ck_assert_int_le(finish(children[i]), 1);
    ck_assert_int_eq(finish(compile_in_child()), 0);
    char name[1000];
    find_file("", name, sizeof name);
    remove_cache();
}
END_TEST

START_TEST(old_programs_go)
{
    make_cache();
    ck_assert(drua_file_make_folder(path));
    const char *const names[] = {"a.program", "b.program", "c.program", "d.program.1.2.writing", "other"};
    char name[700];
    struct stat info;
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "%s/%s", path, names[i]);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        ck_assert_int_eq(ftruncate(file, 100 << 20), 0);
        close(file);
        const struct utimbuf times = {1000000 + i, 1000000 + i};
        ck_assert_int_eq(utime(name, &times), 0);
    }
    ck_assert_int_eq(finish(compile_in_child()), 1);
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "%s/%s", path, names[i]);
        ck_assert_int_eq(stat(name, &info) == 0, i == 1 || i == 2 || i == 4);
    }
    remove_cache();
}
END_TEST

/* While a thread compiles ahead, calls still work, and the context can be closed at any moment. */
START_TEST(built_ahead)
{
    make_cache();
    setenv("DRUA_AHEAD", "0.02", 1);
    for (int i = 0; i < 2; i++)
        ck_assert_int_le(finish(compile_in_child()), 20);
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        if (!child) {
            drua_context *context;
            if (drua_open(NULL, &context) != DRUA_OK)
                _exit(100);
            usleep((useconds_t)((i + 1) * 100000));
            drua_close(context);
            exit(0);
        }
        const int status = finish(child);
        ck_assert_msg(status == 0, "process %d ended with %d", i, status);
    }
    setenv("DRUA_AHEAD", "0", 1);
    ck_assert_int_eq(finish(compile_in_child()), 0);
    remove_cache();
}
END_TEST

/* Blurs an image; returns the number of programs for which the call waited. */
static uint64_t blur_image(drua_context *context)
{
    float pixels[64] = {1, 2, 3};
    drua_image image;
    const uint64_t before = context->device->programs_awaited;
    REQUIRE(drua_push(context, reference_plane(8, 8), DRUA_FLOAT32, pixels, &image));
    REQUIRE(INVOKE(context, "gaussian_blur", IMAGE(image), NEW, NUMBER(1), NUMBER(1)));
    REQUIRE(drua_sync(context));
    return context->device->programs_awaited - before;
}

/*
 * The programs that earlier processes used on a GPU are loaded as soon as the device is open, even if the list contains
 * wrong lines.
 */
START_TEST(used_programs_are_loaded_ahead)
{
    enum { MAX_MOMENTS = 60000 };
    char command[700];
    drua_statistics statistics;
    make_cache();
    setenv("DRUA_AS_GPU", "1", 1);
    setenv("DRUA_AHEAD", "1000", 1); /* seconds without a call until the thread compiles */
    drua_context *context = harness_open();
    const uint64_t awaited = blur_image(context);
    ck_assert_uint_gt(awaited, 0);
    drua_close(context);
    for (int damaged = 0; damaged < 2; damaged++) {
        context = harness_open();
        drua_get_statistics(context, &statistics);
        for (int i = 0; i < MAX_MOMENTS && statistics.programs_loaded < awaited; i++) {
            usleep(1000);
            drua_get_statistics(context, &statistics);
        }
        ck_assert_uint_eq(statistics.programs_loaded, awaited);
        ck_assert_uint_eq(blur_image(context), 0);
        drua_get_statistics(context, &statistics);
        ck_assert_uint_eq(statistics.programs_built, 0);
        drua_close(context);
        snprintf(command, sizeof command,
                 "for f in '%s'/*.used; do printf 'no_kernel\\n\\n%%0300d\\n' 1 >>\"$f\"; done", path);
        ck_assert_int_eq(system(command), 0);
    }
    remove_cache();
}
END_TEST

/* PoCL stores programs on disk itself. A second process loads the programs of the first one before a call. */
START_TEST(used_programs_of_pocl_are_loaded_ahead)
{
    enum { MAX_MOMENTS = 60000 };
    drua_statistics statistics, later = {0};
    make_cache();
    unsetenv("DRUA_AHEAD");
    drua_context *context = harness_open();
    const bool is_pocl = context->device->compiles_at_launch;
    ck_assert_uint_gt(blur_image(context), 0);
    drua_get_statistics(context, &statistics);
    drua_close(context);
    if (is_pocl) {
        context = harness_open();
        for (int i = 0; i < MAX_MOMENTS && later.programs_built < statistics.programs_built; i++) {
            usleep(1000);
            drua_get_statistics(context, &later);
        }
        ck_assert_uint_eq(blur_image(context), 0);
        drua_close(context);
        setenv("DRUA_AHEAD", "0", 1);
        context = harness_open();
        ck_assert_uint_gt(blur_image(context), 0);
        drua_close(context);
    }
    remove_cache();
}
END_TEST

/* Repeats a projection until the fastest kernel is known; returns the number of calls. */
static int project_until_chosen(drua_context *context, drua_image source)
{
    enum { MAX_CALLS = 60000 };
    int calls = 0;
    for (bool is_chosen = false; !is_chosen && calls < MAX_CALLS; calls++) {
        drua_argument arguments[] = {IMAGE(source), NEW};
        REQUIRE(drua_invoke(context, "median_z_projection", arguments, 2, NULL));
        REQUIRE(drua_sync(context));
        REQUIRE(drua_release(context, arguments[1].image));
        is_chosen = strstr(drua_explain_launches(context), "of 2, timed as fastest") != NULL;
        usleep(1000);
    }
    return calls;
}

/* On a GPU, only the first call waits for a kernel; those of the other variants are built in the background. */
START_TEST(variants_are_built_in_the_background)
{
    enum { MIN_CALLS = 11 };
    drua_image source;
    setenv("DRUA_CACHE", "off", 1);
    setenv("DRUA_AS_GPU", "1", 1);
    setenv("DRUA_TUNE", "on", 1);
    drua_context *context = harness_open();
    REQUIRE(drua_create(context, (drua_shape){200, 160, 40, 3}, DRUA_UINT8, &source));
    REQUIRE(INVOKE(context, "set", IMAGE(source), NUMBER(1)));
    drua_argument arguments[] = {IMAGE(source), NEW};
    REQUIRE(drua_invoke(context, "median_z_projection", arguments, 2, NULL));
    REQUIRE(drua_sync(context));
    ck_assert_ptr_nonnull(strstr(drua_explain_launches(context), "preset until all variants are compiled"));
    const uint64_t awaited = context->device->programs_awaited;
    ck_assert_int_ge(project_until_chosen(context, source), MIN_CALLS);
    ck_assert_uint_eq(context->device->programs_awaited, awaited);
    drua_close(context);
}
END_TEST

static int count_lines(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* A full list of used programs loses its oldest kernels, as many as are added. */
START_TEST(a_full_list_loses_the_oldest)
{
    char name[1000], line[200], kept[DRUA_MAX_USED_KERNELS * sizeof line] = "";
    make_cache();
    setenv("DRUA_AS_GPU", "1", 1);
    setenv("DRUA_AHEAD", "1000", 1);
    drua_context *context = harness_open();
    blur_image(context);
    find_file(".used", name, sizeof name);
    char *added = harness_read(name);
    const int count = count_lines(added);
    ck_assert(count > 0 && count < DRUA_MAX_USED_KERNELS);
    FILE *full = fopen(name, "w");
    ck_assert_ptr_nonnull(full);
    for (int i = 0, k = 0; i < DRUA_MAX_USED_KERNELS; k++) {
        const drua_kernel *kernel = &context->device->kernels[k];
        snprintf(line, sizeof line, "%.*s\n", (int)kernel->length, kernel->name);
        if (strstr(added, line))
            continue;
        fputs(line, full);
        strcat(kept, i++ < count ? "" : line);
    }
    fclose(full);
    drua_close(context);
    context = harness_open();
    blur_image(context);
    drua_close(context);
    char *list = harness_read(name);
    ck_assert_int_eq(count_lines(list), DRUA_MAX_USED_KERNELS);
    ck_assert_mem_eq(list, kept, strlen(kept));
    ck_assert_str_eq(list + strlen(kept), added);
    free(list);
    free(added);
    remove_cache();
}
END_TEST

/* The longest time in seconds between two calls made at short intervals. */
static double call_for(drua_context *context, double seconds, drua_statistics *statistics)
{
    double longest = 0;
    struct timespec last, now;
    clock_gettime(CLOCK_MONOTONIC, &last);
    for (double at = 0; at < seconds;) {
        usleep(20000);
        drua_get_statistics(context, statistics);
        clock_gettime(CLOCK_MONOTONIC, &now);
        const double gap = (double)(now.tv_sec - last.tv_sec) + 1e-9 * (double)(now.tv_nsec - last.tv_nsec);
        longest = gap > longest ? gap : longest;
        at += gap;
        last = now;
    }
    return longest;
}

/* Compiling ahead waits while calls are made, and starts after they stop. */
START_TEST(built_when_quiet)
{
    const int tries = 10;
    drua_statistics statistics = {0};
    setenv("DRUA_AHEAD", "1", 1);
    setenv("DRUA_CACHE", "off", 1);
    for (int i = 0; i < tries; i++) {
        drua_context *context = harness_open();
        const double longest = call_for(context, 2, &statistics);
        const unsigned long long early = statistics.programs_built;
        for (int k = 0; k < 30 && !statistics.programs_built; k++) {
            sleep(2);
            drua_get_statistics(context, &statistics);
        }
        drua_close(context);
        if (longest < 0.9) {        /* otherwise the machine delayed this thread */
            ck_assert_uint_eq(early, 0);
            ck_assert_uint_gt(statistics.programs_built, 0);
            return;
        }
    }
    ck_abort_msg("no two seconds without a long wait in %d tries", tries);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program_cache");
    TCase *tests = tcase_create("programs");
    tcase_add_checked_fixture(tests, reset_process, NULL);
    tcase_add_test(tests, the_second_process_compiles_nothing);
    tcase_add_test(tests, made_kernels_are_loaded);
    tcase_add_test(tests, damaged_files_are_made_again);
    tcase_add_test(tests, no_place_to_write);
    tcase_add_test(tests, what_others_can_write_is_not_loaded);
    tcase_add_test(tests, files_are_read_up_to_a_limit);
    tcase_add_test(tests, several_processes_at_once);
    tcase_add_test(tests, old_programs_go);
    tcase_add_test(tests, built_ahead);
    tcase_add_test(tests, built_when_quiet);
    tcase_add_test(tests, used_programs_are_loaded_ahead);
    tcase_add_test(tests, used_programs_of_pocl_are_loaded_ahead);
    tcase_add_test(tests, variants_are_built_in_the_background);
    tcase_add_test(tests, a_full_list_loses_the_oldest);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

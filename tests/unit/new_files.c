/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests files that appear when they are complete, obstacles to writing, and unfinished files of processes that ended.
 */
#include "harness.h"

#include "file.h"
#include "new_file.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534 };

static char folder[HARNESS_FOLDER];

static void make_folder(void)
{
    harness_make_folder(folder);
    ck_assert_int_eq(chmod(folder, 0777), 0);
}

static void remove_folder(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static const char *in_folder(const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void store(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fputs(text, file) < 0, 0);
    fclose(file);
}

static bool add_one(const char *name, void *count)
{
    *(int *)count += *name != '.';
    return true;
}

static int count_files(void)
{
    int count = 0;
    ck_assert_int_eq(drua_folder_visit(folder, add_one, &count), DRUA_FILE_PRESENT);
    return count;
}

static void refuse_path(const char *path, const char *part)
{
    REFUSED(DRUA_E_ARGUMENT, drua_new_file_check(path), part);
    REFUSED(DRUA_E_ARGUMENT, drua_new_file_write(path, NULL, "x", 1), part);
}

START_TEST(obstacles)
{
    char name[256] = {0};
    memset(name, 'a', 255);
    refuse_path(in_folder("missing/table.csv"), "create its folder first");
    refuse_path(in_folder(name), "at most 200 bytes");
    refuse_path(folder, "a folder");
    refuse_path("/dev/null", "a device");
    store("file", "");
    refuse_path(in_folder("file/table.csv"), "create its folder first");
    REQUIRE(drua_new_file_check(in_folder("table.csv")));
    ck_assert_int_eq(count_files(), 1);
}
END_TEST

/* A limit on the size of files has the effect of a full disk. */
START_TEST(no_space)
{
    struct rlimit max;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &max), 0);
    const struct rlimit none = {0, max.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    store("table.csv", "old");
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    refuse_path(in_folder("table.csv"), "space left");
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &max), 0);
    ck_assert_int_eq(count_files(), 1);
}
END_TEST

/* Root may write everywhere, so root becomes another user first. */
START_TEST(missing_rights)
{
    store("kept.csv", "old");
    ck_assert_int_eq(chmod(in_folder("kept.csv"), 0444), 0);
    ck_assert_int_eq(mkdir(in_folder("closed"), 0555), 0);
    const bool root = geteuid() == 0;
    if (root && seteuid(NOBODY)) {
        harness_skip("this process cannot become another user");
        return;
    }
    refuse_path(in_folder("kept.csv"), "write-protected");
    refuse_path(in_folder("closed/table.csv"), "you may not write in its folder");
    ck_assert_int_eq(count_files(), 2);
    ck_assert(!root || seteuid(0) == 0);
}
END_TEST

/*
 * Begins out.tif in another process, with the unfinished file in `parts`. The process then ends by a signal, or waits
 * until `end` is closed.
 */
static pid_t begin_elsewhere(const char *parts, bool dies, int *end)
{
    int pipes[2], said[2];
    char letter;
    ck_assert(pipe(pipes) == 0 && pipe(said) == 0);
    const pid_t child = fork();
    if (child == 0) {
        drua_new_file file;
        close(pipes[1]);
        if (drua_new_file_begin(&file, in_folder("out.tif"), parts) != DRUA_OK)
            _exit(1);
        if (dies)
            raise(SIGKILL);
        _exit(write(said[1], "x", 1) == 1 && read(pipes[0], &letter, 1) == 0 ? 0 : 1);
    }
    close(pipes[0]);
    close(said[1]);
    ck_assert(child > 0);
    ck_assert(dies || read(said[0], &letter, 1) == 1);
    close(said[0]);
    *end = pipes[1];
    return child;
}

START_TEST(abandoned_files)
{
    int status, end;
    store("old.tif.drua-1.writing", "foreign");
    ck_assert_int_eq(waitpid(begin_elsewhere(folder, true, &end), &status, 0) > 0 && WIFSIGNALED(status), 1);
    close(end);
    ck_assert_int_eq(count_files(), 2);
    drua_new_file_remove_abandoned(folder);
    ck_assert_int_eq(count_files(), 1);
    const pid_t writer = begin_elsewhere(folder, false, &end);
    drua_new_file_remove_abandoned(folder); /* the other process still writes */
    ck_assert_int_eq(count_files(), 2);
    close(end);
    ck_assert_int_eq(waitpid(writer, &status, 0) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0, 1);
    drua_new_file_remove_abandoned(folder);
    ck_assert_int_eq(count_files(), 1);
}
END_TEST

/* If another process removes a new file as abandoned before it is locked, another file is created at once. */
START_TEST(removed_while_created)
{
    enum { FILES = 3000 };
    int status;
    const pid_t remover = fork();
    while (remover == 0)
        drua_new_file_remove_abandoned(folder);
    ck_assert(remover > 0);
    for (int i = 0; i < FILES; i++) {
        drua_new_file file;
        REQUIRE(drua_new_file_begin(&file, in_folder("out.tif"), folder));
        ck_assert_msg(drua_file_is_ordinary(file.unfinished), "file %d was removed while it was written", i);
        ck_assert_int_eq(drua_new_file_end(&file, DRUA_E_CANCELLED), DRUA_E_CANCELLED);
    }
    ck_assert_int_eq(kill(remover, SIGKILL), 0);
    ck_assert(waitpid(remover, &status, 0) == remover);
}
END_TEST

/* The next writer of a file removes its abandoned unfinished file. Files with other names and files in use stay. */
START_TEST(abandoned_beside)
{
    static const char *const kept[] = {"out.tif.writing",        "out.tif.1.2.3.writing", "out.tif.drua-1x.writing",
                                       "out.tif.drua-1.writin",  "out.tif.drua-.writing", "other.tif.drua-1.writing",
                                       "out.tif.drua-01.writing"};
    enum { KEPT = sizeof kept / sizeof *kept };
    int status, end;
    for (int i = 0; i < KEPT; i++)
        store(kept[i], "");
    ck_assert_int_eq(waitpid(begin_elsewhere(NULL, true, &end), &status, 0) > 0 && WIFSIGNALED(status), 1);
    close(end);
    const pid_t writer = begin_elsewhere(NULL, false, &end); /* removes the file of the dead process */
    ck_assert_int_eq(count_files(), KEPT + 1);
    REQUIRE(drua_new_file_write(in_folder("out.tif"), NULL, "x", 1));
    ck_assert_int_eq(count_files(), KEPT + 2); /* the other process still writes */
    close(end);
    ck_assert_int_eq(waitpid(writer, &status, 0) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0, 1);
    REQUIRE(drua_new_file_check(in_folder("out.tif")));
    ck_assert_int_eq(count_files(), KEPT + 1);
}
END_TEST

/* An abandoned file is found without a list of the folder, which may be very long or forbidden. */
START_TEST(abandoned_without_listing)
{
    int status;
    const bool root = geteuid() == 0;
    if (root && seteuid(NOBODY)) {
        harness_skip("this process cannot become another user");
        return;
    }
    ck_assert_int_eq(mkdir(in_folder("hidden"), 0755), 0);
    char hidden[600], left[700];
    snprintf(hidden, sizeof hidden, "%s", in_folder("hidden/out.tif"));
    const pid_t child = fork();
    if (child == 0) {
        drua_new_file file;
        _exit(drua_new_file_begin(&file, hidden, NULL) == DRUA_OK ? 0 : 1);
    }
    ck_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    snprintf(left, sizeof left, "%s.drua-1.writing", hidden);
    ck_assert(drua_file_is_ordinary(left));
    ck_assert_int_eq(chmod(in_folder("hidden"), 0311), 0);
    REQUIRE(drua_new_file_write(hidden, NULL, "x", 1));
    ck_assert(!drua_file_is_ordinary(left));
    ck_assert_int_eq(chmod(in_folder("hidden"), 0755), 0);
    ck_assert(!root || seteuid(0) == 0);
}
END_TEST

/* Several processes write one file at once, and some die: every write succeeds, and the file is always whole. */
START_TEST(writers_of_one_name)
{
    enum { WRITERS = 4, FILES = 300, BYTES = 20000 };
    static char bytes[BYTES], got[BYTES];
    pid_t writers[WRITERS];
    int status;
    for (int w = 0; w < WRITERS; w++) {
        writers[w] = fork();
        if (writers[w] == 0) {
            memset(bytes, 'a' + w, BYTES);
            for (int i = 0; i < FILES; i++)
                if (drua_new_file_write(in_folder("out.tif"), NULL, bytes, BYTES) != DRUA_OK)
                    _exit(1);
            drua_new_file file;
            _exit(drua_new_file_begin(&file, in_folder("out.tif"), NULL) == DRUA_OK ? 0 : 1);
        }
        ck_assert(writers[w] > 0);
    }
    for (int ended = 0; ended < WRITERS;) {
        FILE *file = fopen(in_folder("out.tif"), "rb");
        const size_t length = file ? fread(got, 1, BYTES, file) : BYTES;
        ck_assert_msg(!file || (length == BYTES && !memcmp(got, got + 1, BYTES - 1)), "a mixture of %zu bytes", length);
        if (file)
            fclose(file);
        if (waitpid(writers[ended], &status, WNOHANG) == writers[ended]) {
            ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            ended++;
        }
    }
    REQUIRE(drua_new_file_write(in_folder("out.tif"), NULL, "x", 1));
    ck_assert_int_eq(count_files(), 1);
}
END_TEST

/* A process that removes abandoned files never removes a complete file before it has its final name. */
START_TEST(removed_while_renamed)
{
    enum { FILES = 1000 };
    int status;
    const pid_t remover = fork();
    while (remover == 0)
        drua_new_file_remove_abandoned(folder);
    ck_assert(remover > 0);
    for (int i = 0; i < FILES; i++)
        REQUIRE(drua_new_file_write(in_folder("out.tif"), folder, "x", 1));
    ck_assert_int_eq(kill(remover, SIGKILL), 0);
    ck_assert(waitpid(remover, &status, 0) == remover);
}
END_TEST

/* A program that this process starts while it writes does not keep the lock. */
START_TEST(locks_are_not_inherited)
{
    drua_new_file file;
    int ends[2], status;
    char letter;
    REQUIRE(drua_new_file_begin(&file, in_folder("out.tif"), folder));
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t other = fork();
    if (other == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execlp("sh", "sh", "-c", "echo x; exec sleep 60", (char *)NULL);
    }
    ck_assert(other > 0 && read(ends[0], &letter, 1) == 1); /* the program runs */
    fclose(file.file);
    if (file.lock)
        fclose(file.lock);
    drua_new_file_remove_abandoned(folder);
    ck_assert_int_eq(count_files(), 0);
    ck_assert_int_eq(kill(other, SIGKILL), 0);
    ck_assert(waitpid(other, &status, 0) == other);
    close(ends[0]);
    close(ends[1]);
}
END_TEST

/* ".." cancels a name that does not exist: no folder of that name is made. */
START_TEST(folders_behind_dots)
{
    ck_assert(drua_file_make_shared_folder(in_folder("x/../y/z/../w")));
    ck_assert(drua_file_is_folder(in_folder("y/w")));
    ck_assert(!drua_file_is_ordinary(in_folder("x")) && !drua_file_is_ordinary(in_folder("y/z")));
    REQUIRE(drua_new_file_write(in_folder("x/../y/z/../w/out.tif"), NULL, "x", 1));
    ck_assert(drua_file_is_ordinary(in_folder("y/w/out.tif")));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("new_files");
    TCase *tests = tcase_create("new_files");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, obstacles);
    tcase_add_test(tests, no_space);
    tcase_add_test(tests, missing_rights);
    tcase_add_test(tests, abandoned_files);
    tcase_add_test(tests, removed_while_created);
    tcase_add_test(tests, abandoned_beside);
    tcase_add_test(tests, abandoned_without_listing);
    tcase_add_test(tests, writers_of_one_name);
    tcase_add_test(tests, removed_while_renamed);
    tcase_add_test(tests, locks_are_not_inherited);
    tcase_add_test(tests, folders_behind_dots);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

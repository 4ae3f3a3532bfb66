/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into a program, this library ends the process or removes its input at a chosen moment: DRUA_DEATH="MOMENT N
 * HOW".
 *
 *     written   a file of an image is complete but does not have its final name yet
 *     renamed   the file has its final name
 *     tiff      a TIFF is complete but does not have its final name yet
 *     removed   a file of an image was deleted
 *     recorded  half of a finished block's record is on disk
 *     found     part of a pass's result for a block is on disk
 *     read      a file below DRUA_INPUT is about to be opened
 *
 * N counts from 1. HOW: kill (like kill -9), crash (like a wild pointer), group (like kill -9 of the process group),
 * away (the process lives on; DRUA_INPUT, a path, is renamed to DRUA_INPUT.away), swap (DRUA_INPUT.other replaces the
 * file DRUA_INPUT at once, which keeps the name DRUA_INPUT.away). With DRUA_DEATH_ONCE=FILE only the process that
 * creates this file dies.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int seen;

/* Renames without the wrapper below. */
static void rename_file(const char *path, const char *from, const char *to)
{
    char old[4096], new[4096];
    snprintf(old, sizeof old, "%s%s", path, from);
    snprintf(new, sizeof new, "%s%s", path, to);
    renameat(AT_FDCWD, old, AT_FDCWD, new);
}

static void die(const char *how)
{
    const char *input = getenv("DRUA_INPUT");
    if (input && (!strcmp(how, "away") || !strcmp(how, "swap"))) {
        char away[4096];
        snprintf(away, sizeof away, "%s.away", input);
        if (!strcmp(how, "away"))
            rename_file(input, "", ".away");
        else if (link(input, away) == 0) /* other threads must not find the input missing in between */
            rename_file(input, ".other", "");
        return;
    }
    const char *once = getenv("DRUA_DEATH_ONCE");
    if (once && open(once, O_CREAT | O_EXCL | O_WRONLY, 0600) < 0)
        return;
    if (!strcmp(how, "group"))
        kill(0, SIGKILL);
    signal(SIGSEGV, SIG_DFL);
    raise(strcmp(how, "crash") ? SIGKILL : SIGSEGV);
}

/* Whether the chosen moment has come. `how` receives the third word of DRUA_DEATH. */
static bool is_time(const char *moment, char how[16])
{
    char expected[16];
    int number;
    const char *death = getenv("DRUA_DEATH");
    return death && sscanf(death, "%15s %d %15s", expected, &number, how) == 3 && !strcmp(expected, moment) &&
           atomic_fetch_add(&seen, 1) + 1 == number;
}

static bool ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), end = strlen(ending);
    return length > end && !strcmp(text + length - end, ending);
}

/*
 * Whether a rename into place counts: a file of an image in an existing folder. If the folder is missing, the caller
 * creates it and retries.
 */
static bool counts(const char *to)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", to);
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    return strstr(to, ".zarr") && (!slash || access(folder, F_OK) == 0);
}

__attribute__((visibility("default"))) int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    const bool wanted = counts(to);
    char how[16];
    if (wanted && is_time("written", how))
        die(how);
    if (ends_in(to, ".tif") && is_time("tiff", how))
        die(how);
    const int result = real(from, to);
    if (wanted && is_time("renamed", how))
        die(how);
    return result;
}

__attribute__((visibility("default"))) int remove(const char *path)
{
    int (*real)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "remove");
    char how[16];
    const int result = real(path);
    if (result == 0 && counts(path) && is_time("removed", how))
        die(how);
    return result;
}

__attribute__((visibility("default"))) FILE *fopen(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *) = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    const char *input = getenv("DRUA_INPUT");
    char how[16];
    if (input && *mode == 'r' && !strncmp(path, input, strlen(input)) && is_time("read", how))
        die(how);
    return real(path, mode);
}

__attribute__((visibility("default"))) int fflush(FILE *file)
{
    int (*real)(FILE *) = (int (*)(FILE *))dlsym(RTLD_NEXT, "fflush");
    char link[64], path[4096] = "", how[16];
    const int result = real(file);
    if (!file)
        return result;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(file));
    const ssize_t length = readlink(link, path, sizeof path - 1);
    const off_t header = 72, bytes = lseek(fileno(file), 0, SEEK_END);
    const char *moment = ends_in(path, ".blocks") ? "recorded" : ends_in(path, ".results") ? "found" : NULL;
    if (length > 0 && moment && bytes > header && is_time(moment, how) && ftruncate(fileno(file), bytes - 20) == 0)
        die(how);
    return result;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static drua_context *context;
static unsigned long statuses, good;
static char folder[300];

static void broken(const char *what, const char *call)
{
    fprintf(stderr, "%s: %s\n", call, what);
    abort();
}

const char *fuzz_folder(void)
{
    const char *parent = getenv("TMPDIR");
    if (*folder)
        return folder;
    snprintf(folder, sizeof folder, "%s/drua-fuzz-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        broken("cannot be made", folder);
    return folder;
}

void fuzz_store(const char *name, const void *bytes, size_t size)
{
    char path[800];
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    for (char *c = path + strlen(folder) + 1; (c = strchr(c, '/')) != NULL; *c++ = '/') {
        *c = 0;
        if (mkdir(path, 0755) != 0 && errno != EEXIST)
            broken("cannot be made", path);
    }
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        broken("cannot be written", path);
}

static int remove_one(const char *path, const struct stat *facts, int flag, struct FTW *place)
{
    (void)facts;
    (void)flag;
    (void)place;
    return remove(path);
}

void fuzz_remove(const char *name)
{
    char path[800];
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

drua_context *fuzz_context(void)
{
    fuzz_folder();
    setenv("DRUA_MEMORY", "64MB", 0);
    if (!context && drua_open(NULL, &context) != DRUA_OK)
        broken("does not open", "drua_open");
    return context;
}

void fuzz_check(const char *call, drua_status status)
{
    const char *sentence = drua_error_message();
    statuses++;
    good += status == DRUA_OK;
    if (status < DRUA_OK || status > DRUA_E_AWAY)
        broken("returned no status", call);
    if (status == DRUA_E_INTERNAL || status == DRUA_E_DEVICE)
        broken(sentence, call);
    if (status != DRUA_OK && !*sentence)
        broken("failed without an error message", call);
}

void fuzz_end(void)
{
    drua_close(context);
    if (*folder && chdir("/") == 0)
        nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    printf("%lu statuses, %lu of them DRUA_OK\n", statuses, good);
}

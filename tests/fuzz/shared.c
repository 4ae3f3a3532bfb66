/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include "zarr_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    zarr_folder_put(fuzz_folder(), name, bytes, size);
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
    if (status < DRUA_OK || status > DRUA_E_INTERNAL)
        broken("returned no status", call);
    if (status == DRUA_E_INTERNAL || status == DRUA_E_DEVICE)
        broken(sentence, call);
    if (status != DRUA_OK && !*sentence)
        broken("failed without a sentence", call);
}

void fuzz_end(void)
{
    drua_close(context);
    if (*folder && chdir("/") == 0)
        zarr_folder_remove(folder);
    printf("%lu statuses, %lu of them DRUA_OK\n", statuses, good);
}

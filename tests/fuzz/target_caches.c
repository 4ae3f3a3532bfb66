/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gives arbitrary bytes to the readers of cache files: measured choices, and a compiled kernel, which must be refused.
 */
#include "fuzz.h"

#include "internal.h"
#include "tune.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drua_device device = {
    .info = {
        .name = "device", .platform = "", .driver = "1", .version = "OpenCL 1.2", .extensions = "", .address = ""}};
static char tuning[300];

/* Sets up the cache folder and finds the name of the file of choices. */
static void set_up_cache(void)
{
    setenv("DRUA_CACHE", fuzz_folder(), 1);
    unsetenv("DRUA_TUNE");
    drua_tuner *tuner = drua_tuner_open(&device.info);
    drua_tune_keep(tuner, "copy", 1000, 1);
    drua_tuner_close(tuner);
    DIR *directory = opendir(fuzz_folder());
    for (const struct dirent *d; directory && (d = readdir(directory)) != NULL;)
        if (strstr(d->d_name, ".tuning"))
            snprintf(tuning, sizeof tuning, "%s", d->d_name);
    if (directory)
        closedir(directory);
    if (!*tuning)
        abort();
    snprintf(device.cache_folder, sizeof device.cache_folder, "%s", fuzz_folder());
}

static void read_choices(void)
{
    static const char *const kinds[] = {"copy", "transpose", "a word that nobody knows"};
    drua_tuner *tuner = drua_tuner_open(&device.info);
    for (size_t i = 0; tuner && i < sizeof kinds / sizeof *kinds; i++) {
        const int best = drua_tune_recall(tuner, kinds[i], 1000);
        if (best < -1 || best >= DRUA_MAX_VARIANTS)
            abort();
    }
    drua_tuner_close(tuner);
}

static void read_program(const uint8_t *bytes, size_t size)
{
    static const char *const texts[] = {"kernel void f() {}"};
    char name[80];
    const drua_cache_key key = drua_cache_key_of(&device, "", texts, 1);
    snprintf(name, sizeof name, "%016llx%016llx.program", (unsigned long long)key.half[0],
             (unsigned long long)key.half[1]);
    fuzz_store(name, bytes, size);
    if (drua_cache_holds(&device, &key))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!*tuning)
        set_up_cache();
    fuzz_store(tuning, bytes, size);
    read_choices();
    read_program(bytes, size);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory bandwidths of devices, measured once and kept on disk: one line per device with its key and bytes per second.
 * The file only decides the preference among devices, so a damaged one does no harm.
 */
#include "internal.h"

#include "alloc.h"
#include "file.h"
#include "hash.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

enum { LIMIT = 64, PATH_SIZE = 1024, MAX_BYTES = 1 << 20 };

static const unsigned long long MAX_RATE = 1000000000000000; /* bytes per second; no device copies a petabyte */

typedef struct speed {
    uint64_t key;
    double bytes_per_second;
} speed;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static speed speeds[LIMIT];
static size_t count;
static bool is_read;

static uint64_t key_of(const drua_device_info *info)
{
    uint64_t key = DRUA_HASH_START;
    const char *const texts[] = {info->name, info->platform, info->driver, info->version};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        key = drua_hash(key, texts[i], strlen(texts[i]) + 1);
    return key;
}

static bool path_of(char *path)
{
    char folder[PATH_SIZE - 32];
    if (!drua_file_cache_folder(folder, sizeof folder, true))
        return false;
    snprintf(path, PATH_SIZE, "%s/devices.speed", folder);
    return true;
}

static speed *find_speed(uint64_t key)
{
    for (size_t i = 0; i < count; i++)
        if (speeds[i].key == key)
            return &speeds[i];
    return NULL;
}

static void set_speed(uint64_t key, double bytes_per_second)
{
    speed *known = find_speed(key);
    if (!known && count < LIMIT)
        known = &speeds[count++];
    if (known)
        *known = (speed){key, bytes_per_second};
}

static void read_once(void)
{
    char path[PATH_SIZE];
    size_t length;
    if (is_read)
        return;
    is_read = true;
    char *bytes = path_of(path) ? drua_file_read(path, MAX_BYTES, &length) : NULL;
    char *text = bytes ? drua_realloc(bytes, length + 1) : NULL;
    if (!text) {
        drua_free(bytes);
        return;
    }
    text[length] = 0;
    for (char *line = text, *next; line; line = next) {
        unsigned long long key, rate;
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        if (sscanf(line, "%llx %llu", &key, &rate) == 2 && rate > 0 && rate < MAX_RATE)
            set_speed(key, (double)rate);
    }
    drua_free(text);
}

double drua_device_speed(const drua_device_info *info)
{
    pthread_mutex_lock(&lock);
    read_once();
    const speed *known = find_speed(key_of(info));
    const double rate = known ? known->bytes_per_second : 0;
    pthread_mutex_unlock(&lock);
    return rate;
}

void drua_device_keep_speed(const drua_device_info *info, double bytes_per_second)
{
    char path[PATH_SIZE];
    drua_text text = {0};
    pthread_mutex_lock(&lock);
    read_once();
    set_speed(key_of(info), bytes_per_second);
    for (size_t i = 0; i < count; i++)
        drua_text_add(&text, "%016llx %llu\n", (unsigned long long)speeds[i].key,
                      (unsigned long long)speeds[i].bytes_per_second);
    if (!text.failed && path_of(path))
        drua_file_replace(path, text.characters, text.length);
    drua_text_free(&text);
    pthread_mutex_unlock(&lock);
}

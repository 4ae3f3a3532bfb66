/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The list of the kernels that earlier processes used on a GPU or on PoCL. A later process loads their programs as soon
 * as the device is open. The list is a file in the cache folder. A full list loses its oldest kernels.
 */
#include "internal.h"

#include "alloc.h"
#include "file.h"
#include "hash.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static const uint64_t MAX_BYTES = 256 * DRUA_MAX_USED_KERNELS;

/* Sets the path of the device's list; returns false if this device has no list. */
static bool find_list(const drua_device *device, char *path, size_t size)
{
    const uint64_t hash = drua_hash(DRUA_HASH_START, device->info.name, strlen(device->info.name));
    char folder[sizeof device->cache_folder];
    /* not the device's folder, because Drua keeps no programs for PoCL */
    return device->keeps_used && drua_file_cache_folder(folder, sizeof folder, true) &&
           snprintf(path, size, "%s/%016llx.used", folder, (unsigned long long)hash) < (int)size;
}

char *drua_used_read(const drua_device *device, size_t *length)
{
    char path[sizeof device->cache_folder + 64];
    return find_list(device, path, sizeof path) ? drua_file_read(path, MAX_BYTES, length) : NULL;
}

/* Returns the end of a list, which keeps at most `max` lines. */
static const char *last_lines(const char *list, size_t length, int max)
{
    const char *from = list + length;
    for (int lines = 0; from > list; from--)
        if (from[-1] == '\n' && lines++ == max)
            break;
    return from;
}

void drua_used_add(drua_device *device, drua_kernel *kernel, int variant)
{
    char path[sizeof device->cache_folder + 64];
    if (variant & DRUA_WIDE || kernel->was_used || !find_list(device, path, sizeof path))
        return;
    kernel->was_used = true;
    size_t length = 0;
    char *before = drua_file_read(path, MAX_BYTES, &length);
    const char *kept = before ? last_lines(before, length, DRUA_MAX_USED_KERNELS - 1) : "";
    drua_text list = {0};
    drua_text_append(&list, kept, before ? length - (size_t)(kept - before) : 0);
    drua_text_append(&list, kernel->name, kernel->length);
    if (variant)
        drua_text_add(&list, " %d", variant);
    drua_text_add(&list, "\n");
    /* a list that cannot be written only means that later processes load programs when they need them */
    if (!list.failed)
        drua_file_replace(path, list.characters, list.length);
    drua_text_free(&list);
    drua_free(before);
}

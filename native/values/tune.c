/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune.h"

#include "alloc.h"
#include "clock.h"
#include "file.h"
#include "hash.h"
#include "median.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 5, KIND = 40, PATH_SIZE = 1024, MAX_ENTRIES = 4096, MAX_BYTES = 1 << 20, UNKNOWN = -1 };

/* a variant must be this much faster than the default */
static const double CLEARLY = 0.95;

typedef struct entry {
    char kind[KIND];
    int size;                   /* largest power of two that is at most the number of pixels */
    int count, preset, best;
    int taken[DRUA_MAX_VARIANTS];
    double times[DRUA_MAX_VARIANTS][SAMPLES];
} entry;

struct drua_tuner {
    char path[PATH_SIZE]; /* path of the file; empty: nothing is stored */
    entry *entries;
    size_t count, capacity;
};

static entry *find_entry(drua_tuner *tuner, const char *kind, int size)
{
    for (size_t i = 0; i < tuner->count; i++)
        if (tuner->entries[i].size == size && !strcmp(tuner->entries[i].kind, kind))
            return &tuner->entries[i];
    if (tuner->count == MAX_ENTRIES)
        return NULL;
    if (tuner->count == tuner->capacity) {
        const size_t capacity = 2 * tuner->capacity + 16;
        entry *grown = drua_realloc(tuner->entries, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        tuner->entries = grown;
        tuner->capacity = capacity;
    }
    entry *e = &tuner->entries[tuner->count++];
    *e = (entry){.size = size, .best = UNKNOWN};
    snprintf(e->kind, sizeof e->kind, "%s", kind);
    return e;
}

/* ---- on disk: one line an entry, kind, size, best */

static void choose_path(drua_tuner *tuner, const drua_device_info *device)
{
    char folder[PATH_SIZE - 32];
    if (!drua_file_cache_folder(folder, sizeof folder, true))
        return;
    uint64_t hash = drua_hash(DRUA_HASH_START, device->name, strlen(device->name));
    hash = drua_hash(hash, device->driver, strlen(device->driver));
    hash = drua_hash(hash, device->version, strlen(device->version));
    snprintf(tuner->path, sizeof tuner->path, "%s/%016llx.tuning", folder, (unsigned long long)hash);
}

static void read_choices(drua_tuner *tuner)
{
    size_t length;
    char *bytes = *tuner->path ? drua_file_read(tuner->path, MAX_BYTES, &length) : NULL;
    char *text = bytes ? drua_realloc(bytes, length + 1) : NULL;
    if (!text) {
        drua_free(bytes);
        return;
    }
    text[length] = 0;
    for (char *line = text; line; line = strchr(line, '\n')) {
        char kind[KIND];
        int size, best;
        line += *line == '\n';
        if (sscanf(line, "%39s %d %d", kind, &size, &best) != 3 || best < 0 || best >= DRUA_MAX_VARIANTS)
            continue;
        entry *e = find_entry(tuner, kind, size);
        if (e)
            e->best = best;
    }
    drua_free(text);
}

static void write_choices(const drua_tuner *tuner)
{
    drua_text text = {0};
    for (size_t i = 0; i < tuner->count; i++)
        if (tuner->entries[i].best != UNKNOWN)
            drua_text_add(&text, "%s %d %d\n", tuner->entries[i].kind, tuner->entries[i].size, tuner->entries[i].best);
    if (*tuner->path && !text.failed && text.length)
        drua_file_replace(tuner->path, text.characters, text.length);
    drua_text_free(&text);
}

drua_tuner *drua_tuner_open(const drua_device_info *device)
{
    drua_tuner *tuner = drua_alloc(sizeof *tuner);
    if (tuner) {
        choose_path(tuner, device);
        read_choices(tuner);
    }
    return tuner;
}

void drua_tuner_close(drua_tuner *tuner)
{
    if (!tuner)
        return;
    drua_free(tuner->entries);
    drua_free(tuner);
}

/* ---- timing */

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double drua_median(double *times, size_t count)
{
    qsort(times, count, sizeof *times, compare_times);
    return times[count / 2];
}

/* Chooses the best variant. Compares medians, so that a single delayed launch does not count. */
static void choose_best_variant(entry *e)
{
    double min = CLEARLY * drua_median(e->times[e->preset], SAMPLES);
    e->best = e->preset;
    for (int v = 0; v < e->count; v++)
        if (v != e->preset && drua_median(e->times[v], SAMPLES) < min) {
            min = drua_median(e->times[v], SAMPLES);
            e->best = v;
        }
}

static int size_of(int64_t pixels)
{
    int size = 0;
    while (pixels >> (size + 1))
        size++;
    return size;
}

int drua_tune_recall(drua_tuner *tuner, const char *kind, int64_t pixels)
{
    const entry *e = find_entry(tuner, kind, size_of(pixels));
    return e ? e->best : UNKNOWN;
}

void drua_tune_keep(drua_tuner *tuner, const char *kind, int64_t pixels, int best)
{
    entry *e = find_entry(tuner, kind, size_of(pixels));
    if (e)
        e->best = best;
    write_choices(tuner);
}

int drua_tune_begin(drua_engine *engine, const char *kind, int64_t pixels, int count, int preset, drua_trial *trial)
{
    *trial = (drua_trial){.why = !engine->tuner                    ? "preset, nothing is timed"
                                 : pixels < DRUA_WORTHWHILE_PIXELS ? "preset, few pixels"
                                                                   : "preset"};
    if (!engine->tuner || pixels < DRUA_WORTHWHILE_PIXELS || count > DRUA_MAX_VARIANTS)
        return preset;
    entry *e = find_entry(engine->tuner, kind, size_of(pixels));
    if (!e)
        return preset;
    e->count = count;
    e->preset = preset;
    if (e->best >= count) /* the entry comes from a damaged file, or from a file for other variants */
        e->best = UNKNOWN;
    if (e->best != UNKNOWN) {
        trial->why = "timed as fastest";
        return e->best;
    }
    for (int v = 0; v < count; v++)
        if (e->taken[v] < e->taken[trial->variant])
            trial->variant = v;
    if (drua_device_finish(engine->device) != DRUA_OK)
        return preset;
    drua_device_optimize(engine->device, true);
    trial->measured = true;
    trial->why = "while variants are timed";
    trial->entry = (size_t)(e - engine->tuner->entries);
    trial->start = drua_seconds();
    return trial->variant;
}

drua_status drua_tune_end(drua_engine *engine, const drua_trial *trial)
{
    if (!trial->measured)
        return DRUA_OK;
    drua_device_optimize(engine->device, false);
    DRUA_TRY(drua_device_finish(engine->device));
    entry *e = &engine->tuner->entries[trial->entry];
    e->times[trial->variant][e->taken[trial->variant]++] = drua_seconds() - trial->start;
    for (int v = 0; v < e->count; v++)
        if (e->taken[v] < SAMPLES)
            return DRUA_OK;
    choose_best_variant(e);
    write_choices(engine->tuner);
    return DRUA_OK;
}

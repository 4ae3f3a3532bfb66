/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets the fields of a request by their names, and compares devices. */
#include "block_pipeline.h"

#include "device.h"

#include <stdlib.h>
#include <string.h>

static bool take_text(const char *value, const char **to)
{
    *to = value;
    return true;
}

/* Takes names between commas, none of which may be empty. */
static bool take_names(const char *value, const char **to)
{
    const size_t length = strlen(value);
    return length > 0 && value[0] != ',' && value[length - 1] != ',' && !strstr(value, ",,") && take_text(value, to);
}

static bool take_extents(const char *value, int64_t min, int64_t *numbers)
{
    char *end;
    for (int i = 0; i < 3; i++) {
        numbers[i] = strtoll(value, &end, 10);
        if (end == value || numbers[i] < min || numbers[i] > INT32_MAX || *end != (i < 2 ? ',' : 0))
            return false;
        value = end + 1;
    }
    return true;
}

static bool take_level(const char *value, int *level)
{
    char *end;
    const long number = strtol(value, &end, 10);
    *level = (int)number;
    return end != value && !*end && number >= 0 && number < 32;
}

/* Takes the number of a frame, or the first and the last one: "3" or "3-7". */
static bool take_frames(const char *value, drua_blocks_request *r)
{
    char *end;
    r->first_frame = r->last_frame = strtoll(value, &end, 10);
    if (end != value && *end == '-' && r->first_frame > 0) {
        value = end + 1;
        r->last_frame = strtoll(value, &end, 10);
    }
    return end != value && !*end && r->first_frame > 0 && r->first_frame <= r->last_frame && r->last_frame <= INT32_MAX;
}

static bool take_margin(const char *value, int64_t *margin)
{
    char *end;
    *margin = strtoll(value, &end, 10);
    return end != value && !*end && *margin > 0 && *margin <= BLOCKS_MAX_MARGIN;
}

static bool take_version(const char *value, int *version)
{
    *version = !strcmp(value, "0.4") ? 4 : !strcmp(value, "0.5") ? 5 : 0;
    return *version;
}

static bool take_truth(const char *value, bool *truth)
{
    *truth = !strcmp(value, "true") || !strcmp(value, "1");
    return *truth || !strcmp(value, "false") || !strcmp(value, "0");
}

static bool take_labels(const char *value, drua_blocks_labels *labels)
{
    *labels = !strcmp(value, "yes") ? DRUA_LABELS_ALL : !strcmp(value, "no") ? DRUA_LABELS_NONE : DRUA_LABELS_KNOWN;
    return *labels != DRUA_LABELS_KNOWN;
}

static bool take_store(const char *value, bool *stores_nothing)
{
    *stores_nothing = !strcmp(value, "no");
    return *stores_nothing || !strcmp(value, "yes");
}

static bool add_input(const drua_blocks_request *r, const char *value, const char **list, int *count)
{
    if (r->channel_count + r->input_count == DRUA_BLOCKS_INPUTS || !strchr(value, '='))
        return false;
    list[(*count)++] = value;
    return true;
}

bool drua_blocks_set(drua_blocks_request *r, drua_blocks_share *s, const char *name, const char *value)
{
    if (!value && strcmp(name, "anew") && strcmp(name, "overwrite") && strcmp(name, "provenance"))
        return false;
    value = value ? value : "true";
    if (!strcmp(name, "memory"))
        return take_text(value, &r->memory);
    if (!strcmp(name, "host_memory"))
        return take_text(value, &r->host_memory);
    if (!strcmp(name, "device"))
        return take_text(value, &r->device);
    if (!strcmp(name, "devices"))
        return take_names(value, &s->devices);
    if (!strcmp(name, "compression"))
        return take_text(value, &r->compression);
    if (!strcmp(name, "block"))
        return take_extents(value, 1, r->block);
    if (!strcmp(name, "chunk"))
        return take_extents(value, 1, r->chunk);
    if (!strcmp(name, "shard"))
        return take_extents(value, 1, r->shard);
    if (!strcmp(name, "series"))
        return take_text(value, &r->series);
    if (!strcmp(name, "level"))
        return take_level(value, &r->level);
    if (!strcmp(name, "origin"))
        return take_extents(value, 0, r->origin);
    if (!strcmp(name, "size"))
        return take_extents(value, 0, r->size);
    if (!strcmp(name, "frames"))
        return take_frames(value, r);
    if (!strcmp(name, "margin"))
        return take_margin(value, &r->margin);
    if (!strcmp(name, "labels"))
        return take_labels(value, &r->labels);
    if (!strcmp(name, "channel"))
        return add_input(r, value, r->channels, &r->channel_count);
    if (!strcmp(name, "input"))
        return add_input(r, value, r->inputs, &r->input_count);
    if (!strcmp(name, "store"))
        return take_store(value, &r->stores_nothing);
    if (!strcmp(name, "zarr"))
        return take_version(value, &r->version);
    if (!strcmp(name, "anew"))
        return take_truth(value, &r->anew);
    if (!strcmp(name, "provenance"))
        return take_truth(value, &r->provenance);
    if (!strcmp(name, "overwrite"))
        return take_truth(value, &r->overwrite);
    return false;
}

bool drua_devices_are_alike(const drua_device_info *a, const drua_device_info *b)
{
    return drua_device_is_alike(a, b);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses an image of a folder with several (series), in the layout of bioformats2raw. */
#include "zarr.h"

#include "json_checks.h"
#include "paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SERIES = 100000, MAX_NAMED = 100, NAME = 200 };

typedef struct collection {
    const char *folder;
    drua_json *json; /* of the group OME, which lists the images; may be NULL */
    const drua_json *list; /* their paths; without a list, they are named 0, 1, ... */
    int64_t count;
} collection;

/* Reads the attributes of a group. *json is NULL if the folder holds no group; `attributes` points into it. */
static drua_status read_group(const char *folder, drua_json **json, const drua_json **attributes)
{
    static const char *const files[] = {"zarr.json", ".zattrs"};
    char path[DRUA_PATH];
    *json = NULL;
    *attributes = NULL;
    for (int i = 0; i < 2 && !*json; i++)
        if (drua_path_join(path, folder, files[i]))
            DRUA_TRY(drua_json_read(path, json));
    const drua_json *all = drua_json_get(*json, "zarr_format") ? drua_json_get(*json, "attributes") : *json,
                    *ome = drua_json_get(all, "ome");
    *attributes = ome ? ome : all;
    return DRUA_OK;
}

static bool copy_listed_path(const collection *c, int64_t i, char path[DRUA_PATH])
{
    const char *listed = drua_json_text(drua_json_at(c->list, i));
    if (c->list)
        return listed && drua_path_stays_inside(listed) && snprintf(path, DRUA_PATH, "%s", listed) < DRUA_PATH;
    snprintf(path, DRUA_PATH, "%lld", (long long)i);
    return true;
}

/*
 * Finds the folder of an image, and its name: the one in its metadata, else its path. *exists is false if the folder
 * has no image.
 */
static drua_status find_image(const collection *c, int64_t i, char folder[DRUA_PATH], char name[NAME], bool *exists)
{
    char listed[DRUA_PATH];
    drua_json *json;
    const drua_json *attributes;
    *exists = copy_listed_path(c, i, listed) && drua_path_join(folder, c->folder, listed);
    if (!*exists)
        return DRUA_OK;
    DRUA_TRY(read_group(folder, &json, &attributes));
    drua_json_copy(drua_json_get(drua_json_at(drua_json_get(attributes, "multiscales"), 0), "name"), name, NAME);
    if (!*name)
        drua_copy_start(name, listed, NAME);
    *exists = json != NULL;
    drua_json_free(json);
    return DRUA_OK;
}

/* Lists the images of a folder; the count is 0 if its metadata are not those of a collection. */
static drua_status open_collection(const char *folder, collection *c)
{
    char path[DRUA_PATH], name[NAME];
    drua_json *json;
    const drua_json *attributes;
    *c = (collection){.folder = folder};
    DRUA_TRY(read_group(folder, &json, &attributes));
    const bool several = drua_json_get(attributes, "bioformats2raw.layout") && !drua_json_get(attributes, "plate") &&
                         !drua_json_get(attributes, "multiscales");
    drua_json_free(json);
    if (!several || !drua_path_join(path, folder, "OME"))
        return DRUA_OK;
    DRUA_TRY(read_group(path, &c->json, &attributes));
    c->list = drua_json_get(attributes, "series");
    c->count = drua_json_length(c->list);
    bool exists = c->count < 1;
    c->list = exists ? NULL : c->list;
    while (exists && c->count < MAX_SERIES) {
        DRUA_TRY(find_image(c, c->count, path, name, &exists));
        c->count += exists;
    }
    return DRUA_OK;
}

static drua_status fail_series(const char *path, const char *series, const drua_text *names)
{
    return drua_fail(DRUA_E_ARGUMENT, "'%.600s' has no series '%.100s'; it has %.600s", path, series,
                     drua_text_characters(names));
}

static drua_status choose_series(const collection *c, const char *series, drua_text *chosen, drua_text *others)
{
    char *end;
    const long long number = strtoll(series, &end, 10);
    const bool numbered = end != series && !*end;
    int named = 0;
    for (int64_t i = 0; i < c->count; i++) {
        char folder[DRUA_PATH], name[NAME];
        bool exists;
        DRUA_TRY(find_image(c, i, folder, name, &exists));
        const bool meant = !*series || (numbered ? number == i + 1 : !strcmp(series, name));
        if (meant && !chosen->length && exists)
            drua_text_add(chosen, "%s", folder);
        else if (named++ < MAX_NAMED)
            drua_text_add(others, "%s%lld '%s'", named > 1 ? ", " : "", (long long)i + 1, name);
        if (named > MAX_NAMED && chosen->length)
            break;
    }
    if (named > MAX_NAMED)
        drua_text_add(others, ", and more");
    return chosen->length ? DRUA_OK : fail_series(c->folder, *series ? series : "1", others);
}

drua_status drua_zarr_choose_series(const char *path, const char *series, drua_text *chosen, drua_text *others)
{
    collection c;
    drua_status status = open_collection(path, &c);
    if (status == DRUA_OK && c.count > 1 && !series)
        status = drua_fail(DRUA_E_ARGUMENT,
                           "the folder '%.600s' holds several images (series), but this command reads one; use the "
                           "path of one, such as '%.600s/0'",
                           path, path);
    else if (status == DRUA_OK && c.count > 1)
        status = choose_series(&c, series, chosen, others);
    else if (status == DRUA_OK && series && *series && strcmp(series, "1"))
        status = drua_fail(DRUA_E_ARGUMENT, "'%.600s' has one series; leave series out", path);
    else
        drua_text_add(chosen, "%s", path);
    drua_json_free(c.json);
    if (status == DRUA_OK && (chosen->failed || others->failed))
        status = drua_fail_memory(chosen->length + others->length);
    return status;
}

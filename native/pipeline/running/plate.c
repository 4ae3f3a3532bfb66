/* SPDX-License-Identifier: BSD-3-Clause */
#include "plate.h"

#include "alloc.h"
#include "store.h"
#include "zarr.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading */

/* Reads the OME metadata of a group in either version; *ome is NULL if the folder holds no group. */
static drua_status read_group(const char *folder, drua_json **json, const drua_json **ome)
{
    char path[PLATE_PATH + 2 * PLATE_NAME + 16];
    *ome = NULL;
    snprintf(path, sizeof path, "%.2170s/zarr.json", folder);
    DRUA_TRY(drua_json_read(path, json));
    if (*json) {
        *ome = drua_json_get(drua_json_get(*json, "attributes"), "ome");
        return DRUA_OK;
    }
    snprintf(path, sizeof path, "%.2170s/.zattrs", folder);
    DRUA_TRY(drua_json_read(path, json));
    *ome = *json;
    return DRUA_OK;
}

/* The specification allows letters and digits; this also accepts '_', '-' and, in the middle, one '/' of wells. */
static bool is_safe(const char *path, int slashes)
{
    const size_t length = path ? strlen(path) : 0;
    bool safe = length > 0 && length < PLATE_NAME && path[0] != '/' && path[length - 1] != '/';
    for (size_t i = 0; i < length && safe; i++) {
        slashes -= path[i] == '/';
        safe = isalnum((unsigned char)path[i]) || path[i] == '_' || path[i] == '-' || path[i] == '/';
    }
    return safe && slashes == 0;
}

static drua_status fail_missing_well(const char *path)
{
    return drua_fail(DRUA_E_AWAY,
                     "the well '%.600s' of the plate is missing; make it accessible, then run the same command again",
                     path);
}

static drua_status add_fields(const char *folder, const char *well, plate *p)
{
    char path[PLATE_PATH + PLATE_NAME];
    drua_json *json = NULL;
    const drua_json *ome;
    snprintf(path, sizeof path, "%.2040s/%s", folder, well);
    drua_status status = read_group(path, &json, &ome);
    const drua_json *images = drua_json_get(drua_json_get(ome, "well"), "images");
    const int64_t count = drua_json_length(images);
    plate_field *grown = count > 0 ? drua_realloc(p->fields, (size_t)(p->count + count) * sizeof *grown) : p->fields;
    if (status == DRUA_OK && !json)
        status = fail_missing_well(path);
    if (status == DRUA_OK && count < 1)
        status =
            drua_fail(DRUA_E_ARGUMENT,
                      "the metadata of the well '%.600s' list no images; copy the plate again from its source", path);
    if (status == DRUA_OK && count > 0 && !grown)
        status = drua_fail_memory((size_t)(p->count + count) * sizeof *grown);
    p->fields = grown ? grown : p->fields;
    for (int64_t i = 0; i < count && status == DRUA_OK; i++) {
        const char *name = drua_json_text(drua_json_get(drua_json_at(images, i), "path"));
        plate_field *field = &p->fields[p->count];
        if (!is_safe(name, 0))
            status =
                drua_fail(DRUA_E_ARGUMENT,
                          "the well '%.600s' has a field whose path is not a plain name; write the plate again", path);
        else {
            snprintf(field->well, sizeof field->well, "%s", well);
            snprintf(field->name, sizeof field->name, "%s", name);
            p->count++;
        }
    }
    drua_json_free(json);
    return status;
}

static int compare_fields(const void *a, const void *b)
{
    const plate_field *x = *(const plate_field *const *)a, *y = *(const plate_field *const *)b;
    const int by_well = strcmp(x->well, y->well);
    return by_well ? by_well : strcmp(x->name, y->name);
}

/* Fails if the metadata list a field twice, because its pixels would count twice, perhaps in place of another field. */
static drua_status refuse_repeated(const char *path, const plate *p)
{
    const plate_field **sorted = drua_alloc((size_t)p->count * sizeof *sorted);
    if (p->count && !sorted)
        return drua_fail_memory((size_t)p->count * sizeof *sorted);
    drua_status status = DRUA_OK;
    for (int64_t i = 0; i < p->count; i++)
        sorted[i] = &p->fields[i];
    if (p->count)
        qsort(sorted, (size_t)p->count, sizeof *sorted, compare_fields);
    for (int64_t i = 1; i < p->count && status == DRUA_OK; i++)
        if (!compare_fields(&sorted[i - 1], &sorted[i]))
            status = drua_fail(DRUA_E_ARGUMENT,
                               "the metadata of the plate '%.600s' list the field %s/%s twice; write the plate again",
                               path, sorted[i]->well, sorted[i]->name);
    drua_free(sorted);
    return status;
}

drua_status plate_read(const char *path, plate *p)
{
    *p = (plate){.json = NULL};
    const drua_json *ome;
    if (strlen(path) > PLATE_PATH - 16 || !drua_zarr_is_path(path))
        return DRUA_OK;
    DRUA_TRY(read_group(path, &p->json, &ome));
    p->about = drua_json_get(ome, "plate");
    const drua_json *wells = drua_json_get(p->about, "wells");
    if (p->about && drua_json_length(wells) < 1)
        return drua_fail(DRUA_E_ARGUMENT, "the metadata of the plate '%.600s' list no wells; write the plate again",
                         path);
    for (int64_t i = 0; i < drua_json_length(wells); i++) {
        const char *well = drua_json_text(drua_json_get(drua_json_at(wells, i), "path"));
        if (!is_safe(well, 1))
            return drua_fail(DRUA_E_ARGUMENT,
                             "the plate '%.600s' has a well whose path is not like A/1; write the plate again", path);
        DRUA_TRY(add_fields(path, well, p));
    }
    return refuse_repeated(path, p);
}

drua_status plate_check(const char *path)
{
    drua_json *json = NULL;
    const drua_json *ome;
    const drua_status status = read_group(path, &json, &ome);
    const bool present = drua_json_get(ome, "plate") != NULL;
    drua_json_free(json);
    DRUA_TRY(status);
    return present ? DRUA_OK
                   : drua_fail(DRUA_E_AWAY,
                               "the metadata of the plate '%.600s' have disappeared; make them accessible, then run "
                               "the same command again",
                               path);
}

bool plate_has_field(const char *folder, const char *path)
{
    drua_json *json = NULL;
    const drua_json *ome;
    if (drua_file_is_folder(folder))
        return drua_file_is_folder(path);
    const bool present = read_group(path, &json, &ome) != DRUA_OK || json;
    drua_json_free(json);
    return present;
}

void plate_free(plate *p)
{
    drua_json_free(p->json);
    drua_free(p->fields);
    *p = (plate){.json = NULL};
}

/* ---- writing */

static const char *const own_version[] = {"version", NULL};

/* Writes a group whose metadata are one object of the source, in the version of the output. */
static drua_status write_object(const char *folder, int version, const char *key, const drua_json *object)
{
    drua_text text = {0};
    int count = 0;
    drua_text_add(&text, "\"%s\":{", key);
    drua_json_add_members(object, own_version, NULL, &count, &text);
    if (version != 5)
        drua_text_add(&text, "%s\"version\":\"0.4\"", count ? "," : "");
    drua_text_add(&text, "}");
    const drua_status status = text.failed ? drua_fail_memory(text.length)
                                           : drua_zarr_write_group(folder, version, drua_text_characters(&text));
    drua_text_free(&text);
    return status;
}

/* Writes the groups of a well and of its row. */
static drua_status write_well(const char *from, const char *to, const char *well, int version)
{
    char path[PLATE_PATH + PLATE_NAME], folder[PLATE_PATH + PLATE_NAME];
    drua_json *json = NULL;
    const drua_json *ome;
    snprintf(path, sizeof path, "%.2040s/%s", from, well);
    snprintf(folder, sizeof folder, "%.2040s/%s", to, well);
    drua_status status = read_group(path, &json, &ome);
    const drua_json *about = drua_json_get(ome, "well");
    if (status == DRUA_OK && !about)
        status = fail_missing_well(path);
    if (status == DRUA_OK)
        status = write_object(folder, version, "well", about);
    drua_json_free(json);
    *strrchr(folder, '/') = 0;
    return status == DRUA_OK ? drua_zarr_write_group(folder, version, "") : status;
}

drua_status plate_write(const plate *p, const char *from, const char *to, int version)
{
    for (int64_t i = 0; i < p->count; i++)
        if (i == 0 || strcmp(p->fields[i].well, p->fields[i - 1].well))
            DRUA_TRY(write_well(from, to, p->fields[i].well, version));
    return write_object(to, version, "plate", p->about);
}

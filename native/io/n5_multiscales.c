/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Levels and scale of N5. By custom, a level is a folder s0, s1 and so on. n5-viewer writes scales to the level or to
 * the folder above it; BigDataViewer writes resolution to setupN/timepointN and downsampling to setupN.
 */
#include "multiscales.h"

#include "file.h"
#include "store_lookup.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN, ABOVE, BEYOND, FOLDERS };

static drua_status fail_on_n5(const char *folder, const char *what)
{
    return drua_fail(DRUA_E_ARGUMENT, "'%.600s': %s", folder, what);
}

/* ---- scale */

/* Returns the level of a folder sN, or -1 if its name is another one. */
static int level_of_name(const char *folder)
{
    const char *slash = strrchr(folder, '/'), *name = slash ? slash + 1 : folder;
    const size_t digits = strspn(name + (*name == 's'), "0123456789");
    int level = -1;
    if (*name == 's' && digits > 0 && digits < 3 && !name[1 + digits])
        sscanf(name + 1, "%d", &level);
    return level;
}

static const drua_json *resolution_of(const drua_json *json)
{
    const drua_json *nested = drua_json_get(json, "pixelResolution"), *list = drua_json_get(nested, "dimensions");
    if (list || !nested)
        return list ? list : drua_json_get(json, "resolution");
    return drua_json_is_object(nested) ? NULL : nested;
}

static const drua_json *unit_of(const drua_json *json, int d)
{
    const drua_json *own = drua_json_at(drua_json_get(json, "units"), d);
    return drua_json_text(own) ? own : drua_json_get(drua_json_get(json, "pixelResolution"), "unit");
}

static double positive_or_1(const drua_json *list, int d)
{
    double number;
    return drua_json_number(drua_json_at(list, d), &number) && number > 0 && isfinite(number) ? number : 1;
}

/* Finds how many pixels of level 0 a pixel combines: stated by the level, or by a folder above for all levels. */
static const drua_json *factors_of(drua_json *const json[FOLDERS], int level, bool own_only)
{
    const drua_json *list = drua_json_get(json[OWN], "downsamplingFactors");
    for (int i = ABOVE; i < FOLDERS && !list && !own_only && level >= 0; i++) {
        list = drua_json_at(drua_json_get(json[i], "downsamplingFactors"), level);
        list = list ? list : drua_json_at(drua_json_get(json[i], "scales"), level);
    }
    return list;
}

/* Each pixel of a smaller level is centred on the pixels that it combines. */
static void set_scale(drua_json *const json[FOLDERS], int level, drua_multiscales *m)
{
    static const drua_axis order[] = {DRUA_AXIS_X, DRUA_AXIS_Y, DRUA_AXIS_Z};
    int holder = OWN;
    while (holder < BEYOND && !resolution_of(json[holder]))
        holder++;
    const drua_json *list = resolution_of(json[holder]), *factors = factors_of(json, level, list && holder == OWN);
    for (int d = 0; d < 3; d++) {
        const double size = positive_or_1(list, d), factor = positive_or_1(factors, d);
        m->scale[order[d]] = size * factor;
        m->translation[order[d]] = size * (factor - 1) / 2;
        drua_json_copy(unit_of(json[holder], d), m->unit[order[d]], sizeof *m->unit);
    }
}

/* Reads the attributes of a level's folder; if its name is sN, also those of the two folders above. */
static drua_status read_scale(const char *folder, drua_multiscales *m)
{
    char whole[DRUA_PATH], path[DRUA_PATH];
    drua_json *json[FOLDERS] = {NULL};
    drua_status status = DRUA_OK;
    if (drua_store_is_remote(folder) || !drua_file_resolve(folder, whole, sizeof whole))
        drua_copy_start(whole, folder, sizeof whole);
    whole[drua_path_length(whole)] = 0;
    const int level = level_of_name(whole);
    for (int i = OWN; i < FOLDERS && status == DRUA_OK && (i == OWN || level >= 0); i++) {
        if (drua_path_join(path, whole, "attributes.json"))
            status = drua_json_read(path, &json[i]);
        if (!drua_store_parent(whole))
            break;
    }
    if (status == DRUA_OK)
        set_scale(json, level, m);
    for (int i = OWN; i < FOLDERS; i++)
        drua_json_free(json[i]);
    return status;
}

/* ---- levels */

static drua_status n5_level(const char *folder, int level, char path[DRUA_PATH], bool *found)
{
    char name[16], inside[DRUA_PATH];
    drua_file_info info;
    bool absent;
    *found = false;
    snprintf(name, sizeof name, "s%d", level);
    if (!drua_path_join(path, folder, name) || !drua_path_join(inside, path, "attributes.json"))
        return DRUA_OK;
    const drua_status status = drua_store_find(inside, &info, &absent);
    *found = status == DRUA_OK && !absent;
    return status == DRUA_OK ? DRUA_OK : drua_store_name(inside, status);
}

/* A setup of BigDataViewer has a folder of levels for each time point. */
static drua_status find_timepoint(const char *folder, char inside[DRUA_PATH])
{
    char next[DRUA_PATH], path[DRUA_PATH];
    bool found = false, second = false;
    if (drua_path_join(inside, folder, "timepoint0"))
        DRUA_TRY(n5_level(inside, 0, path, &found));
    if (found && drua_path_join(next, folder, "timepoint1"))
        DRUA_TRY(n5_level(next, 0, path, &second));
    if (!found)
        drua_path_join(inside, folder, "");
    if (second)
        return fail_on_n5(folder, "this setup has several time points; use the path of one, such as .../timepoint0");
    return DRUA_OK;
}

static drua_status n5_image(const char *folder, int level, drua_multiscales *m, bool *found)
{
    char path[DRUA_PATH], inside[DRUA_PATH];
    DRUA_TRY(find_timepoint(folder, inside));
    for (bool more = true; more && m->levels < DRUA_ZARR_LEVELS;) {
        DRUA_TRY(n5_level(inside, m->levels, path, &more));
        m->levels += more;
    }
    *found = m->levels > 0;
    if (!*found)
        return DRUA_OK;
    snprintf(path, sizeof path, "level must be from 0 to %d, the levels of the image, got %d", m->levels - 1, level);
    bool exists = false;
    if (level >= 0 && level < m->levels)
        DRUA_TRY(n5_level(inside, level, m->level, &exists));
    return exists ? read_scale(m->level, m) : fail_on_n5(folder, path);
}

/* The version of the format is in the attributes of the root; another major version may store pixels differently. */
static drua_status check_version(const char *folder, const drua_json *json)
{
    enum { LATEST = 4 };
    const char *version = drua_json_text(drua_json_get(json, "n5"));
    char what[120];
    snprintf(what, sizeof what, "it says N5 version %.20s; Drua reads versions up to %d", version ? version : "",
             LATEST);
    return version && strtol(version, NULL, 10) > LATEST ? fail_on_n5(folder, what) : DRUA_OK;
}

drua_status drua_n5_multiscales(const char *folder, int level, drua_multiscales *m, bool *found)
{
    DRUA_TRY(check_version(folder, m->json));
    if (!drua_json_get(m->json, "dimensions"))
        return n5_image(folder, level, m, found);
    *found = true;
    m->levels = 1;
    drua_path_join(m->level, folder, "");
    DRUA_TRY(read_scale(folder, m));
    return level == 0 ? DRUA_OK : fail_on_n5(folder, "level must be 0, as this is an array of one level");
}

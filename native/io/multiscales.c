/* SPDX-License-Identifier: BSD-3-Clause */
#include "multiscales.h"

#include "file.h"
#include "store_lookup.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static drua_status fail_on_folder(const char *folder, const char *what)
{
    return drua_fail(DRUA_E_ARGUMENT, "'%.600s': %s", folder, what);
}

/* ---- axes */

static drua_status axes_of(const char *folder, const drua_json *axes, drua_multiscales *m)
{
    bool seen[DRUA_AXES] = {false};
    m->dimensions = 0;
    if (drua_json_length(axes) > DRUA_AXES)
        return fail_on_folder(
            folder,
            "its image has more than the five axes t, c, z, y, x that Drua reads; write it with these axes only");
    m->dimensions = (int)drua_json_length(axes);
    for (int d = 0; d < m->dimensions; d++) {
        const drua_json *axis = drua_json_at(axes, d), *type = drua_json_get(axis, "type");
        const char *name = drua_json_text(axis);
        bool known = drua_axis_of(name ? name : drua_json_text(drua_json_get(axis, "name")), &m->axis[d]);
        const bool space = known && m->axis[d] >= DRUA_AXIS_Z;
        if (drua_json_text(type) && !drua_json_is(type, "space") &&
            !drua_json_is(type, "time")) { /* a channel, or an axis type of the author's own */
            known = true;
            m->axis[d] = DRUA_AXIS_C;
        } else if (drua_json_text(type) && drua_json_is(type, "time")) {
            known = true;
            m->axis[d] = DRUA_AXIS_T;
        } else if (drua_json_text(type) && !space)
            known = false;
        if (!known || seen[m->axis[d]])
            return fail_on_folder(folder, "its axes must be among t, c, z, y, x, each at most once");
        seen[m->axis[d]] = true;
        drua_json_copy(name ? axis : drua_json_get(axis, "name"), m->name[m->axis[d]], sizeof *m->name);
        drua_json_copy(type, m->kind[m->axis[d]], sizeof *m->kind);
        drua_json_copy(drua_json_get(axis, "unit"), m->unit[m->axis[d]], sizeof *m->unit);
    }
    return !m->dimensions || (seen[DRUA_AXIS_Y] && seen[DRUA_AXIS_X])
               ? DRUA_OK
               : fail_on_folder(folder, "its image must have the axes y and x");
}

/* Reads the numbers of a transformation, one for each axis; may_be_zero: along z, y and x as well. */
static drua_status read_numbers(const char *folder, const drua_json *list, const char *what, bool may_be_zero,
                                const drua_multiscales *m, double numbers[DRUA_AXES])
{
    char wrong[200];
    snprintf(wrong, sizeof wrong, "a %s in its coordinateTransformations must have a number for each axis", what);
    if (drua_json_length(list) != m->dimensions)
        return fail_on_folder(folder, wrong);
    snprintf(wrong, sizeof wrong, "a %s in its coordinateTransformations must have numbers%s", what,
             may_be_zero ? "" : ", along z, y and x other than 0");
    for (int d = 0; d < m->dimensions; d++) {
        double *number = &numbers[m->axis[d]];
        /* frames may have unknown times; channels have no distance */
        if (!drua_json_number(drua_json_at(list, d), number) || !isfinite(*number) ||
            (*number == 0 && !may_be_zero && m->axis[d] >= DRUA_AXIS_Z))
            return fail_on_folder(folder, wrong);
    }
    return DRUA_OK;
}

/* Applies transformations, in their order, to the coordinates of the pixels. */
static drua_status apply_transformations(const char *folder, const drua_json *transformations, drua_multiscales *m)
{
    if (!drua_json_is_nothing(transformations) && !drua_json_is_array(transformations))
        return fail_on_folder(folder, "its coordinateTransformations must be a list");
    for (int64_t i = 0; i < drua_json_length(transformations); i++) {
        const drua_json *one = drua_json_at(transformations, i), *type = drua_json_get(one, "type");
        const bool scales = drua_json_is(type, "scale"), shifts = drua_json_is(type, "translation");
        double numbers[DRUA_AXES] = {0};
        if (drua_json_is(type, "identity"))
            continue;
        if (!scales && !shifts)
            return fail_on_folder(folder, "its coordinateTransformations must have the type scale, translation or "
                                          "identity; other types would change pixel sizes and positions");
        const char *key = scales ? "scale" : "translation";
        DRUA_TRY(read_numbers(folder, drua_json_get(one, key), key, shifts, m, numbers));
        for (int d = 0; d < m->dimensions; d++) {
            const drua_axis axis = m->axis[d];
            m->scale[axis] *= scales ? numbers[axis] : 1;
            m->translation[axis] = scales ? m->translation[axis] * numbers[axis] : m->translation[axis] + numbers[axis];
            if (!isfinite(m->scale[axis]) || !isfinite(m->translation[axis]) ||
                (m->scale[axis] == 0 && axis >= DRUA_AXIS_Z))
                return fail_on_folder(folder, "its coordinateTransformations give numbers that are too large or too "
                                              "small to compute with; correct the pixel sizes");
        }
    }
    return DRUA_OK;
}

/* ---- OME-Zarr */

static drua_status version_of(const char *folder, const drua_json *ome, const drua_json *image, drua_multiscales *m)
{
    static const char *const older[] = {"0.1", "0.2", "0.3", "0.4"};
    const drua_json *version = ome ? drua_json_get(ome, "version") : drua_json_get(image, "version");
    const char *text = drua_json_text(version);
    bool known = ome ? drua_json_is(version, "0.5") : !text;
    for (int i = 0; !ome && i < 4; i++)
        known |= drua_json_is(version, older[i]);
    m->version = ome ? 5 : 4;
    if (known)
        return DRUA_OK;
    char what[200];
    snprintf(what, sizeof what, "its image says OME-Zarr version %.40s; Drua reads 0.4 and 0.5",
             text ? text : "nothing");
    return fail_on_folder(folder, what);
}

static drua_status level_of(const char *folder, const drua_json *image, int level, drua_multiscales *m)
{
    const drua_json *levels = drua_json_get(image, "datasets"), *chosen = drua_json_at(levels, level);
    const char *path = drua_json_text(drua_json_get(chosen, "path"));
    char what[200];
    if (drua_json_length(levels) < 1 || drua_json_length(levels) > DRUA_ZARR_LEVELS)
        return fail_on_folder(folder, "its image must have 1 to 32 datasets");
    m->levels = (int)drua_json_length(levels);
    snprintf(what, sizeof what, "level must be from 0 to %d, the levels of the image, got %d", m->levels - 1, level);
    if (level < 0 || level >= m->levels)
        return fail_on_folder(folder, what);
    snprintf(what, sizeof what, "the path of a dataset must lie inside of the image's folder, got '%.40s'",
             path ? path : "no text");
    if (!path || !drua_path_stays_inside(path) || !drua_path_join(m->level, folder, path))
        return fail_on_folder(folder, what);
    DRUA_TRY(apply_transformations(folder, drua_json_get(chosen, "coordinateTransformations"), m));
    return apply_transformations(folder, drua_json_get(image, "coordinateTransformations"), m);
}

static drua_status ome_image(const char *folder, const drua_json *attributes, const drua_json *ome, int level,
                             drua_multiscales *m)
{
    const drua_json *holder = ome ? ome : attributes, *image = drua_json_at(drua_json_get(holder, "multiscales"), 0);
    DRUA_TRY(version_of(folder, ome, image, m));
    DRUA_TRY(axes_of(folder, drua_json_get(image, "axes"), m));
    m->omero = drua_json_get(holder, "omero");
    m->attributes = attributes;
    m->ome = ome;
    m->labels = drua_json_get(holder, "image-label") != NULL;
    return level_of(folder, image, level, m);
}

/* ---- reading the metadata */

static drua_status read_file(const char *folder, const char *name, drua_multiscales *m)
{
    char path[DRUA_PATH];
    return drua_path_join(path, folder, name)
               ? drua_json_read(path, &m->json)
               : fail_on_folder(folder, "the path is too long; move the image to a folder with a shorter path");
}

static void clear_multiscales(drua_multiscales *m)
{
    drua_json_free(m->json);
    *m = (drua_multiscales){0};
    for (int axis = 0; axis < DRUA_AXES; axis++)
        m->scale[axis] = 1;
}

/* Copies the path of the first image of a collection: the first one that its group OME lists, else "0". */
static drua_status first_of_series(const char *folder, char first[DRUA_PATH])
{
    static const char *const files[] = {"OME/zarr.json", "OME/.zattrs"};
    char path[DRUA_PATH];
    const char *name = NULL;
    drua_json *json = NULL;
    for (int i = 0; i < 2 && !json; i++)
        if (drua_path_join(path, folder, files[i]))
            DRUA_TRY(drua_json_read(path, &json));
    const drua_json *ome = drua_json_get(drua_json_get(json, "attributes"), "ome");
    name = drua_json_text(drua_json_at(drua_json_get(ome ? ome : json, "series"), 0));
    const bool inside = !name || drua_path_stays_inside(name);
    if (inside)
        drua_path_join(first, folder, name ? name : "0");
    drua_json_free(json);
    return inside ? DRUA_OK
                  : fail_on_folder(folder, "its group OME lists an image outside the folder; copy the "
                                           "image into the folder and correct the path");
}

/* Handles a collection of wells or images, whose folders lie below: `first` receives the folder of the first image. */
static drua_status find_in_collection(const char *folder, const drua_json *holder, char first[DRUA_PATH])
{
    if (drua_json_get(holder, "plate"))
        return fail_on_folder(folder, "this is a plate; use the path of one image in it, such as .../A/1/0");
    if (drua_json_get(holder, "well"))
        return fail_on_folder(folder, "this is a well; use the path of one image in it, such as .../0");
    return drua_json_get(holder, "bioformats2raw.layout") ? first_of_series(folder, first) : DRUA_OK;
}

static drua_status read_image(const char *folder, const char *const *files, int level, drua_multiscales *m, bool *found,
                              char first[DRUA_PATH])
{
    for (; *files && !*found && !*first; files++) {
        clear_multiscales(m);
        DRUA_TRY(read_file(folder, *files, m));
        if (!m->json)
            continue;
        const bool n5 = !strcmp(*files, "attributes.json");
        const drua_json *attributes =
            drua_json_get(m->json, "zarr_format") ? drua_json_get(m->json, "attributes") : m->json;
        const drua_json *ome = attributes != m->json ? drua_json_get(attributes, "ome") : NULL,
                        *holder = ome ? ome : attributes;
        *found = !n5 && drua_json_length(drua_json_get(holder, "multiscales")) > 0;
        if (attributes != m->json)
            DRUA_TRY(drua_zarr_3_check_members(folder, m->json));
        if (*found)
            return ome_image(folder, attributes, ome, level, m);
        DRUA_TRY(n5 ? drua_n5_multiscales(folder, level, m, found) : find_in_collection(folder, holder, first));
    }
    return DRUA_OK;
}

static const char *const metadata_files[] = {"zarr.json", ".zattrs", "attributes.json", NULL};

/* Returns the number of the dataset with a path, or -1. */
static int level_named(const drua_json *image, const char *path)
{
    const drua_json *levels = drua_json_get(image, "datasets");
    for (int64_t i = 0; i < drua_json_length(levels) && i < DRUA_ZARR_LEVELS; i++)
        if (drua_json_is(drua_json_get(drua_json_at(levels, i), "path"), path))
            return (int)i;
    return -1;
}

/* Reads the image in a folder above a level if its metadata name that level. */
static drua_status read_level_from(const char *above, const char *inside, drua_multiscales *m, bool *found)
{
    for (int i = 0; i < 2 && !*found; i++) {
        clear_multiscales(m);
        DRUA_TRY(read_file(above, metadata_files[i], m));
        const drua_json *attributes =
            drua_json_get(m->json, "zarr_format") ? drua_json_get(m->json, "attributes") : m->json;
        const drua_json *ome = attributes != m->json ? drua_json_get(attributes, "ome") : NULL,
                        *holder = ome ? ome : attributes;
        const int level = level_named(drua_json_at(drua_json_get(holder, "multiscales"), 0), inside);
        *found = level >= 0;
        if (*found)
            DRUA_TRY(ome_image(above, attributes, ome, level, m));
    }
    return DRUA_OK;
}

/* Finds the image of a level that was opened by the level's own path. */
static drua_status find_above(const char *folder, drua_multiscales *m, bool *found)
{
    enum { MAX_UP = 4 };
    char whole[DRUA_PATH], above[DRUA_PATH];
    if (drua_store_is_remote(folder))
        drua_copy_start(whole, folder, sizeof whole);
    else if (!drua_file_resolve(folder, whole, sizeof whole))
        return DRUA_OK;
    memcpy(above, whole, sizeof above);
    for (int up = 0; up < MAX_UP && !*found && drua_store_parent(above); up++)
        DRUA_TRY(read_level_from(above, whole + strlen(above) + 1, m, found));
    if (!*found)
        clear_multiscales(m);
    m->levels = 1;
    drua_path_join(m->level, folder, "");
    return DRUA_OK;
}

drua_status drua_multiscales_read(const char *folder, bool pending, int level, drua_multiscales *m, bool *found)
{
    static const char *const unfinished[] = {DRUA_PENDING, NULL};
    char first[DRUA_PATH] = "", none[DRUA_PATH] = "";
    m->json = NULL;
    *found = false;
    DRUA_TRY(read_image(folder, pending ? unfinished : metadata_files, level, m, found, first));
    if (*first)
        DRUA_TRY(read_image(first, metadata_files, level, m, found, none));
    return *found || pending || level != 0 ? DRUA_OK : find_above(folder, m, found);
}

void drua_multiscales_close(drua_multiscales *m)
{
    clear_multiscales(m);
}

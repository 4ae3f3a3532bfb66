/* SPDX-License-Identifier: BSD-3-Clause */
#include "zarr_image.h"

#include "alloc.h"
#include "imagej_file.h"
#include "ome_line.h"
#include "store.h"
#include "zip.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { INDEX_BYTES = 64 << 20 };

/* Returns whether a path has one of the extensions; slashes at its end do not count. */
static bool has_extension(const char *path, const char *const *extensions)
{
    const size_t length = drua_path_length(path);
    for (; *extensions; extensions++) {
        const size_t end = strlen(*extensions);
        if (length > end && !strncasecmp(path + length - end, *extensions, end))
            return true;
    }
    return false;
}

bool drua_zarr_is_path(const char *path)
{
    static const char *const chunked[] = {".zarr", ".n5", ".ozx", NULL}, *const tiff[] = {".tif", ".tiff", ".btf",
                                                                                          NULL};
    return drua_store_is_remote(path) ? !has_extension(path, tiff)
                                      : has_extension(path, chunked) || drua_file_is_folder(path);
}

/* ---- metadata */

static drua_shape shape_of(const drua_chunked *a, const int64_t *numbers)
{
    return (drua_shape){drua_chunked_along(a, numbers, DRUA_AXIS_X), drua_chunked_along(a, numbers, DRUA_AXIS_Y),
                        drua_chunked_along(a, numbers, DRUA_AXIS_Z),
                        drua_chunked_dimension(a, DRUA_AXIS_Z) < 0 ? 2 : 3};
}

/* ImageJ has a single unit, so the scales of y and z are converted to the unit of x. */
static void set_scale(const drua_multiscales *m, drua_zarr_metadata *f)
{
    const char *unit = drua_unit_to_imagej(m->unit[DRUA_AXIS_X]);
    drua_copy_start(f->unit, unit, sizeof f->unit);
    for (char *c = f->unit; *c; c++) /* the unit becomes a line of a text, so it must not contain line ends */
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
    for (int k = 0; k < 3; k++) {
        const int axis = DRUA_AXIS_X - k;
        const double factor = drua_unit_factor(drua_unit_to_imagej(m->unit[axis]), unit);
        f->scale[k] = fabs(m->scale[axis]) * (factor > 0 ? factor : 1);
    }
    const double seconds = fabs(m->scale[DRUA_AXIS_T]) * drua_seconds_of_unit(m->unit[DRUA_AXIS_T]);
    f->frame_interval = f->frames > 1 ? seconds : 0;
}

void drua_zarr_set_metadata(const drua_chunked *a, const drua_multiscales *m, drua_zarr_metadata *f)
{
    *f = (drua_zarr_metadata){.shape = shape_of(a, a->extent),
                              .type = a->type,
                              .chunk = shape_of(a, a->chunk),
                              .file = shape_of(a, a->file),
                              .channels = drua_chunked_along(a, a->extent, DRUA_AXIS_C),
                              .frames = drua_chunked_along(a, a->extent, DRUA_AXIS_T),
                              .version = a->format == DRUA_ZARR_2   ? 4
                                         : a->format == DRUA_ZARR_3 ? 5
                                                                    : 0,
                              .levels = m->levels,
                              .labels = m->labels};
    set_scale(m, f);
}

/* ---- open */

drua_status drua_zarr_set_axes(drua_chunked *a, const drua_multiscales *m)
{
    if (m->dimensions && m->dimensions != a->dimensions)
        return drua_chunked_fail(a, "it has %d axes, but its image has %d", a->dimensions, m->dimensions);
    if (m->dimensions)
        memcpy(a->axis, m->axis, sizeof a->axis);
    return drua_chunked_dimension(a, DRUA_AXIS_X) >= 0 && drua_chunked_dimension(a, DRUA_AXIS_Y) >= 0
               ? DRUA_OK
               : drua_chunked_fail(a, "an image must have the axes y and x, this array has %d axes", a->dimensions);
}

static drua_status nothing_there(const char *path)
{
    char unfinished[DRUA_PATH];
    snprintf(unfinished, sizeof unfinished, "%.4000s" DRUA_WRITING, path);
    if (!drua_file_is_folder(path) && drua_file_is_folder(unfinished))
        return drua_fail(
            DRUA_E_ARGUMENT,
            "'%.600s' is not finished: the part written so far is beside it, in the folder whose name ends in "
            ".writing; run the command that writes this image again",
            path);
    if (drua_zip_is_archive(path) && !drua_store_is_remote(path) && !drua_file_is_ordinary(path))
        return drua_fail(DRUA_E_ARGUMENT, "there is no file '%.600s'; check the path", path);
    char archive[DRUA_PATH];
    const char *name;
    if (drua_zip_split(path, archive, &name))
        return drua_fail(DRUA_E_ARGUMENT, "the archive '%.600s' holds neither an image nor an array at '/%.200s'",
                         archive, name);
    if (!drua_store_is_remote(path) && !drua_file_is_folder(path))
        return drua_fail(DRUA_E_ARGUMENT, "there is no folder '%.600s'; check the path", path);
    return drua_fail(
        DRUA_E_ARGUMENT,
        "the folder '%.600s' holds neither an OME-Zarr or N5 image nor an array; use the path of a folder that does",
        path);
}

/* Fails for a missing array: DRUA_E_AWAY if the image has gone too, otherwise DRUA_E_ARGUMENT. */
static drua_status fail_without_array(const char *path, const char *array, int level)
{
    drua_multiscales again = {.levels = 0};
    bool found = false;
    const drua_status status = drua_multiscales_read(path, false, level, &again, &found);
    drua_multiscales_close(&again);
    DRUA_TRY(status);
    return found
               ? drua_fail(DRUA_E_ARGUMENT,
                           "'%.600s' names the array '%.600s', which does not exist; copy the image again from its "
                           "source",
                           path, array)
               : drua_fail(DRUA_E_AWAY,
                           "'%.600s' has just disappeared; make it accessible, then run the same command again", path);
}

static drua_status open_level(const char *path, int level, drua_zarr *z)
{
    bool found, array;
    DRUA_TRY(drua_multiscales_read(path, false, level, &z->about, &found));
    DRUA_TRY(drua_chunked_read(found ? z->about.level : path, &z->array, &array));
    if (!array)
        return found ? fail_without_array(path, z->about.level, level) : nothing_there(path);
    if (!found && level != 0)
        return drua_chunked_fail(&z->array, "level must be 0, as this is an array of one level, got %d", level);
    z->about.levels = found ? z->about.levels : 1;
    DRUA_TRY(drua_zarr_set_axes(&z->array, &z->about));
    drua_zarr_set_metadata(&z->array, &z->about, &z->metadata);
    DRUA_TRY(drua_zarr_keep_text(z));
    if (z->array.sharded)
        z->indexes = drua_chunk_cache_open(INDEX_BYTES, drua_shard_index_bytes(&z->array));
    return DRUA_OK;
}

drua_status drua_zarr_folder(const char *path, char folder[DRUA_PATH])
{
    if (!*path || snprintf(folder, DRUA_PATH, "%s", path) >= DRUA_PATH / 2)
        return drua_fail(DRUA_E_ARGUMENT, "the path must have from 1 to %d bytes", DRUA_PATH / 2 - 1);
    drua_path_shorten(folder);
    folder[drua_path_length(folder)] = 0;
    return DRUA_OK;
}

drua_status drua_zarr_open(const char *path, int level, drua_zarr **zarr)
{
    char folder[DRUA_PATH];
    *zarr = NULL;
    DRUA_TRY(drua_zarr_folder(path, folder));
    drua_zarr *z = drua_alloc(sizeof *z);
    if (!z)
        return drua_fail_memory(sizeof *z);
    const drua_status status = open_level(folder, level, z);
    if (status != DRUA_OK)
        drua_zarr_close(z);
    else
        *zarr = z;
    return status;
}

void drua_zarr_close(drua_zarr *z)
{
    if (!z)
        return;
    drua_multiscales_close(&z->about);
    drua_chunk_cache_close(z->kept);
    drua_chunk_cache_close(z->indexes);
    drua_free(z->text.data);
    drua_free(z->sums);
    drua_free(z);
}

const drua_zarr_metadata *drua_zarr_metadata_of(const drua_zarr *z)
{
    return &z->metadata;
}

size_t drua_zarr_shared_bytes(const drua_zarr *z)
{
    const drua_chunked *a = &z->array;
    size_t bytes = drua_chunk_bytes(a);
    for (int d = 0; d < a->dimensions; d++)
        if (a->axis[d] != DRUA_AXIS_T && a->axis[d] != DRUA_AXIS_Z)
            bytes *= (size_t)((a->extent[d] + a->chunk[d] - 1) / a->chunk[d]);
    return drua_chunked_along(a, a->chunk, DRUA_AXIS_C) > 1 || drua_chunked_along(a, a->chunk, DRUA_AXIS_T) > 1 ? bytes
                                                                                                                : 0;
}

void drua_zarr_set_cache(drua_zarr *z, size_t bytes)
{
    drua_chunk_cache_close(z->kept);
    z->kept = bytes ? drua_chunk_cache_open(bytes, drua_chunk_bytes(&z->array)) : NULL;
}

/* ---- text */

static void describe_colour(const char *hex, drua_text *text)
{
    char *end;
    if (!hex || strlen(hex) != 6)
        return;
    const unsigned long rgb = strtoul(hex, &end, 16);
    if (!*end)
        drua_imagej_describe_colour((uint32_t)rgb, text);
}

void drua_zarr_describe(const drua_zarr *z, const drua_zarr_range *range, drua_text *text)
{
    const drua_zarr_metadata *f = &z->metadata;
    const drua_zarr_range all = drua_zarr_all(f), *r = range ? range : &all;
    const drua_json *shown = drua_json_at(drua_json_get(z->about.omero, "channels"), r->first_channel),
                    *window = drua_json_get(shown, "window");
    double low, high;
    drua_text_add(text, "pixelWidth=%.17g\npixelHeight=%.17g\npixelDepth=%.17g\n", f->scale[0], f->scale[1],
                  f->scale[2]);
    drua_text_add(text, "unit=%s\n", *f->unit ? f->unit : "pixel");
    if (f->frame_interval > 0)
        drua_text_add(text, "frameInterval=%.17g\n", f->frame_interval);
    if (drua_json_number(drua_json_get(window, "start"), &low) &&
        drua_json_number(drua_json_get(window, "end"), &high) && low < high)
        drua_text_add(text, "min=%.17g\nmax=%.17g\n", low, high);
    describe_colour(drua_json_text(drua_json_get(shown, "color")), text);
    drua_ome_line_add(&z->about, f, r, text);
}

void drua_zarr_describe_left_out(const drua_zarr *z, drua_text *text)
{
    drua_text names = {0};
    drua_ome_line_add_left_out(&z->about, &names);
    if (names.length)
        drua_text_add(text, "display settings under 'omero' have another type than OME-Zarr's and are left out: %s",
                      drua_text_characters(&names));
    text->failed |= names.failed;
    drua_text_free(&names);
}

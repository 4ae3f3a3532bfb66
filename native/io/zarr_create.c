/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins, resumes and finishes images. */
#include "zarr_out.h"

#include "alloc.h"
#include "store.h"
#include "zip.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { USUAL_CHUNK = 128, USUAL_TILE = 1024, SMALL = 256 };

static const char PARTS[] = DRUA_PARTS, OLD[] = ".old" DRUA_WRITING;

static drua_status cannot_write(const char *path)
{
    return drua_zarr_fail_to_write(path, false);
}

/* ---- levels */

/*
 * Computes the next level's extents and scale; returns false if this level is small enough. Halves z only if that makes
 * pixels more cubic.
 */
static bool halve_level(const drua_zarr_metadata *from, drua_zarr_metadata *to)
{
    bool more = false, halved = false;
    *to = *from;
    for (int k = 0; k < 3; k++) {
        more |= from->shape.extent[k] > SMALL;
        if (from->shape.extent[k] == 1 ||
            (k == 2 && from->scale[2] * from->scale[2] >= 2 * from->scale[0] * from->scale[0]))
            continue;
        to->shape.extent[k] = (from->shape.extent[k] + 1) / 2;
        to->scale[k] = 2 * from->scale[k];
        halved = true;
    }
    return more && halved;
}

static drua_status choose_extent(int64_t request, int64_t usual, int64_t extent, const char *what, int64_t *chosen)
{
    if (request < 0)
        return drua_fail(DRUA_E_ARGUMENT, "%s must be positive, got %lld", what, (long long)request);
    *chosen = request ? request : usual;
    *chosen = *chosen < extent ? *chosen : extent;
    return DRUA_OK;
}

static drua_status set_grid(const drua_zarr_options *o, drua_zarr_metadata *f)
{
    f->chunk = f->file = f->shape;
    for (int k = 0; k < 3; k++) {
        const int64_t usual = f->shape.depth > 1 ? USUAL_CHUNK : USUAL_TILE;
        DRUA_TRY(choose_extent(o->chunk[k], usual, f->shape.extent[k], "chunk", &f->chunk.extent[k]));
        int64_t shard = o->shard[k], chunk = f->chunk.extent[k];
        if (shard < 0 || (shard && o->version != 5))
            return drua_fail(DRUA_E_ARGUMENT, shard < 0 ? "shard must be positive"
                                                        : "shards need version 5 of OME-Zarr (0.5); set version=0.5");
        if (o->chunk[k] && shard % o->chunk[k])
            return drua_fail(DRUA_E_ARGUMENT, "shard must be a multiple of chunk, got %lld and %lld", (long long)shard,
                             (long long)o->chunk[k]);
        const int64_t max = (f->shape.extent[k] + chunk - 1) / chunk * chunk;
        shard = (shard + chunk - 1) / chunk * chunk;
        f->file.extent[k] = shard > max ? max : shard ? shard : chunk;
    }
    return DRUA_OK;
}

/* ---- arrays */

static void set_array(const drua_zarr_out *out, int level, const drua_codec *codec, drua_chunked *a)
{
    const drua_zarr_metadata *f = &out->metadata[level];
    const int64_t along[DRUA_AXES] = {f->frames, f->channels, f->shape.depth, f->shape.height, f->shape.width};
    const int64_t chunk[DRUA_AXES] = {1, 1, f->chunk.depth, f->chunk.height, f->chunk.width},
                  file[DRUA_AXES] = {1, 1, f->file.depth, f->file.height, f->file.width};
    *a = (drua_chunked){.format = f->version == 5 ? DRUA_ZARR_3 : DRUA_ZARR_2,
                        .prefix = f->version == 5 ? "c" : "",
                        .separator = '/',
                        .codec = *codec,
                        .index_codec.checksum = true};
    for (int axis = 0; axis < DRUA_AXES; axis++) {
        const bool single = axis < DRUA_AXIS_Z && along[axis] == 1 && !out->line.axis[axis].is_present;
        if (single || (axis == DRUA_AXIS_Z && f->shape.dimension == 2))
            continue;
        const int d = a->dimensions++;
        a->axis[d] = (drua_axis)axis;
        a->order[d] = d;
        a->extent[d] = along[axis];
        a->chunk[d] = chunk[axis];
        a->file[d] = file[axis];
        a->sharded |= file[axis] > chunk[axis];
    }
    drua_chunked_type(a, drua_chunked_type_name(f->type));
    char name[16];
    snprintf(name, sizeof name, "%d", level);
    drua_path_join(a->folder, out->folder, name);
}

static drua_status write_text(const drua_zarr_out *out, const char *folder, const char *name, drua_text *text)
{
    char path[DRUA_PATH];
    drua_status status = text->failed ? drua_fail_memory(text->length) : DRUA_OK;
    errno = 0;
    const bool made = drua_file_make_shared_folder(folder);
    if (status == DRUA_OK && (!made || !drua_path_join(path, folder, name) ||
                              !drua_file_replace_by(out->parts, path, text->characters, text->length)))
        status = drua_zarr_fail_to_write(folder, made);
    drua_text_free(text);
    return status;
}

/* Zarr 2 marks a group by a separate file. */
static const char GROUP[] = ".zgroup", GROUP_TEXT[] = "{\"zarr_format\":2}\n";

static drua_status write_metadata(const drua_zarr_out *out, const char *about)
{
    const bool two = out->arrays[0].format == DRUA_ZARR_2;
    drua_text text = {0};
    if (!drua_file_make_shared_folder(out->parts))
        return cannot_write(out->folder);
    for (int level = 0; level < out->levels; level++) {
        drua_array_text(&out->arrays[level], &text);
        DRUA_TRY(write_text(out, out->arrays[level].folder, two ? ".zarray" : "zarr.json", &text));
    }
    drua_text_add(&text, "%s", GROUP_TEXT);
    if (two)
        DRUA_TRY(write_text(out, out->folder, GROUP, &text));
    drua_text_free(&text);
    drua_image_text(out, about, &text);
    return write_text(out, out->folder, DRUA_PENDING, &text);
}

/* ---- begin */

static drua_status set_paths(const char *path, drua_zarr_out *out)
{
    DRUA_TRY(drua_zarr_folder(path, out->path));
    if (drua_store_is_remote(path))
        return drua_fail(DRUA_E_ARGUMENT, "the output is an address; Drua writes only to folders of this computer");
    snprintf(out->folder, sizeof out->folder, "%.2040s" DRUA_WRITING, out->path);
    drua_path_join(out->parts, out->folder, PARTS);
    return DRUA_OK;
}

static drua_status make_room(const drua_zarr_out *out)
{
    DRUA_TRY(drua_zarr_check_folder(out));
    drua_zarr_clean(out->path);
    if (drua_file_is_folder(out->folder) && !drua_zarr_remove_folder(out->folder))
        return drua_fail(DRUA_E_ARGUMENT, "the folder '%.600s' of an earlier run cannot be removed; remove it yourself",
                         out->folder);
    return DRUA_OK;
}

static drua_status check_image_and_options(const drua_zarr_metadata *f, const drua_zarr_options *o)
{
    for (int k = 0; k < 3; k++)
        if (f->shape.extent[k] < 1 || f->shape.extent[k] > INT32_MAX)
            return drua_fail(DRUA_E_ARGUMENT, "the image must have from 1 to 2^31 pixels along each axis, got %lld",
                             (long long)f->shape.extent[k]);
    if (f->channels < 1 || f->frames < 1 || f->type == DRUA_NO_TYPE)
        return drua_fail(DRUA_E_ARGUMENT, "the image must have a type, and at least one channel and frame");
    if (o->version != 4 && o->version != 5)
        return drua_fail(DRUA_E_ARGUMENT, "version of OME-Zarr must be 0.4 or 0.5");
    if (o->levels < 0 || o->levels > DRUA_ZARR_LEVELS)
        return drua_fail(DRUA_E_ARGUMENT, "levels must be from 1 to %d, got %d", DRUA_ZARR_LEVELS, o->levels);
    return DRUA_OK;
}

static drua_status complete_options(const drua_zarr_metadata *metadata, const drua_zarr_options *options,
                                    drua_zarr_options *o, drua_codec *codec, drua_zarr_metadata *first)
{
    *o = *options;
    o->version = o->version ? o->version : 4;
    DRUA_TRY(check_image_and_options(metadata, o));
    DRUA_TRY(drua_codec_of(o->compression, codec));
    if (codec->kind == DRUA_CODEC_ZLIB && o->version == 5)
        return drua_fail(DRUA_E_ARGUMENT,
                         "OME-Zarr 0.5 does not support zlib; choose gzip, zstd, blosc-lz4, blosc-zstd or none");
    *first = *metadata;
    first->version = o->version;
    first->labels = o->labels;
    for (int k = 0; k < 3; k++)
        first->scale[k] = metadata->scale[k] > 0 ? metadata->scale[k] : 1;
    return set_grid(o, first);
}

drua_status drua_zarr_grid(const drua_zarr_metadata *metadata, const drua_zarr_options *options,
                           drua_zarr_metadata *grid)
{
    drua_zarr_options o;
    drua_codec codec;
    return complete_options(metadata, options, &o, &codec, grid);
}

static drua_status create_image(const char *path, const drua_zarr_metadata *metadata, const drua_zarr_options *options,
                                const char *text, drua_zarr_out *out)
{
    drua_zarr_options o;
    drua_codec codec;
    drua_zarr_options chosen = *options;
    DRUA_TRY(set_paths(path, out));
    if (drua_zip_is_archive(path))
        chosen.version = 5;
    DRUA_TRY(complete_options(metadata, &chosen, &o, &codec, &out->metadata[0]));
    out->replaces = o.replaces;
    out->inside_image = o.inside_image;
    out->provenance = o.provenance;
    DRUA_TRY(drua_ome_line_read(text ? text : "", &out->line));
    for (out->levels = 1; out->levels < (o.levels ? o.levels : DRUA_ZARR_LEVELS); out->levels++)
        if (!halve_level(&out->metadata[out->levels - 1], &out->metadata[out->levels]) && !o.levels)
            break;
    for (int level = 0; level < out->levels; level++) {
        out->metadata[level].levels = out->levels;
        DRUA_TRY(set_grid(&o, &out->metadata[level]));
        set_array(out, level, &codec, &out->arrays[level]);
    }
    DRUA_TRY(make_room(out));
    const drua_status status = write_metadata(out, text);
    out->provenance = NULL;
    return status;
}

static void free_out(drua_zarr_out *out)
{
    drua_ome_line_close(&out->line);
    drua_free(out);
}

drua_status drua_zarr_create(const char *path, const drua_zarr_metadata *metadata, const drua_zarr_options *options,
                             const char *text, drua_zarr_out **out)
{
    drua_zarr_out *o = drua_alloc(sizeof *o);
    *out = NULL;
    if (!o)
        return drua_fail_memory(sizeof *o);
    const drua_status status = create_image(path, metadata, options, text, o);
    if (status == DRUA_OK)
        *out = o;
    else
        free_out(o);
    return status;
}

drua_status drua_zarr_can_create(const char *path, bool replaces)
{
    drua_zarr_out out = {.replaces = replaces};
    DRUA_TRY(set_paths(path, &out));
    DRUA_TRY(drua_zarr_check_folder(&out));
    if (drua_file_is_folder(out.folder))
        return DRUA_OK; /* an earlier run left it; it stays until a new image begins */
    errno = 0;
    const drua_status status = drua_file_make_shared_folder(out.parts) ? DRUA_OK : cannot_write(out.path);
    drua_zarr_remove_folder(out.folder);
    return status;
}

static bool is_metadata(const char *name)
{
    return !strcmp(name, ".zarray") || !strcmp(name, "zarr.json");
}

bool drua_zarr_has_any(const char *path)
{
    drua_zarr_out out;
    char level[DRUA_PATH], name[256];
    return set_paths(path, &out) == DRUA_OK && drua_path_join(level, out.folder, "0") &&
           drua_file_find_unknown(level, is_metadata, name);
}

/* ---- resume */

/* Also reads the level of an image whose process crashed after writing the metadata and before renaming the folder. */
static drua_status read_level(const drua_zarr_out *out, int level, drua_multiscales *about, bool *found)
{
    DRUA_TRY(drua_multiscales_read(out->folder, true, level, about, found));
    if (*found)
        return DRUA_OK;
    drua_multiscales_close(about);
    return drua_multiscales_read(out->folder, false, level, about, found);
}

static drua_status resume_image(const char *path, drua_zarr_out *out)
{
    bool found = true, array = true;
    DRUA_TRY(set_paths(path, out));
    for (out->levels = 1; found && array && drua_file_is_folder(out->folder);) {
        drua_multiscales about;
        const int level = out->levels - 1;
        drua_status status = read_level(out, level, &about, &found);
        if (status == DRUA_OK && found)
            status = drua_chunked_read(about.level, &out->arrays[level], &array);
        if (status == DRUA_OK && found && array)
            status = drua_zarr_set_axes(&out->arrays[level], &about);
        if (status == DRUA_OK && found && array)
            drua_zarr_set_metadata(&out->arrays[level], &about, &out->metadata[level]);
        const int levels = about.levels;
        drua_multiscales_close(&about);
        DRUA_TRY(status);
        if (found && array && out->levels == levels)
            return DRUA_OK;
        out->levels++;
    }
    return drua_fail(
        DRUA_E_ARGUMENT,
        "there is no unfinished image to resume: the folder '%.600s' is missing or incomplete; start again",
        out->folder);
}

drua_status drua_zarr_resume(const char *path, drua_zarr_out **out)
{
    drua_zarr_out *o = drua_alloc(sizeof *o);
    *out = NULL;
    if (!o)
        return drua_fail_memory(sizeof *o);
    const drua_status status = resume_image(path, o);
    if (status == DRUA_OK)
        *out = o;
    else
        free_out(o);
    return status;
}

void drua_zarr_set_replaces(drua_zarr_out *out, bool replaces)
{
    out->replaces = replaces;
}

const drua_zarr_metadata *drua_zarr_out_metadata(const drua_zarr_out *out, int level)
{
    return &out->metadata[level];
}

/* ---- finish */

static void old_path(const drua_zarr_out *out, char old[DRUA_PATH])
{
    snprintf(old, DRUA_PATH, "%.2040s%s", out->path, OLD);
}

/*
 * Renames the existing image to `old`. Fails while another image has that name: another process that finishes the same
 * plan is removing it.
 */
static drua_status set_aside(const drua_zarr_out *out, const char *old, bool *moved)
{
    *moved = drua_file_is_folder(out->path) && drua_file_move(out->path, old);
    return *moved || !drua_file_is_folder(out->path) ? DRUA_OK : cannot_write(out->path);
}

static drua_status fail_taken(const drua_zarr_out *out)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "'%.600s' no longer exists, because another process has finished or removed it; check the "
                     "output, and if it is missing, run the same command again",
                     out->folder);
}

/* Packs the folder into the archive that it becomes. */
static drua_status become_archive(const drua_zarr_out *out)
{
    DRUA_TRY(drua_zip_pack(out->folder, out->path));
    drua_zarr_remove_folder(out->folder);
    return DRUA_OK;
}

static drua_status take_name(const drua_zarr_out *out)
{
    char old[DRUA_PATH];
    bool moved;
    DRUA_TRY(drua_zarr_check_folder(out));
    if (!drua_file_is_folder(out->folder))
        return fail_taken(out);
    if (drua_zip_is_archive(out->path))
        return become_archive(out);
    old_path(out, old);
    /* a process that died has set this image aside; while `old` exists, no process can set aside the new image */
    const bool was_aside = drua_file_is_folder(old);
    DRUA_TRY(set_aside(out, old, &moved));
    if (!drua_file_is_folder(out->folder) || !drua_file_move(out->folder, out->path)) {
        /* if another process took the name in the meantime, the image set aside is the new one */
        const drua_status status = drua_file_is_folder(out->folder) ? cannot_write(out->path) : fail_taken(out);
        if (moved)
            drua_file_move(old, out->path);
        return status;
    }
    /* otherwise another process may have set the new image aside, and will move it back */
    if (moved || (was_aside && out->replaces))
        drua_zarr_remove_folder(old);
    drua_path_join(old, out->path, PARTS); /* a run that writes at this moment may have created it again */
    drua_file_remove_folder(old, drua_zarr_is_known);
    return DRUA_OK;
}

/*
 * Writing blocks does not need this mark, so its loss would go unnoticed. Makes no folder, because another process may
 * have renamed it.
 */
static drua_status restore_group_mark(const drua_zarr_out *out)
{
    char path[DRUA_PATH];
    if (out->arrays[0].format != DRUA_ZARR_2 ||
        (drua_path_join(path, out->folder, GROUP) && drua_zarr_replace_text(out->folder, path, GROUP_TEXT)))
        return DRUA_OK;
    return drua_file_is_folder(out->folder) ? cannot_write(out->path) : fail_taken(out);
}

/*
 * Writes the metadata last, then renames the folder. If an earlier run crashed in between, the metadata exist already.
 * If renaming fails, removes the metadata again. Then removes the replaced image.
 */
static drua_status publish_image(const drua_zarr_out *out)
{
    char pending[DRUA_PATH], final[DRUA_PATH];
    errno = 0;
    DRUA_TRY(restore_group_mark(out));
    drua_file_remove_parts(out->folder);
    drua_file_remove_folder(out->parts, drua_zarr_is_known);
    drua_path_join(pending, out->folder, DRUA_PENDING);
    drua_path_join(final, out->folder, out->arrays[0].format == DRUA_ZARR_2 ? ".zattrs" : "zarr.json");
    if (!drua_file_is_ordinary(final) && !drua_file_move(pending, final))
        return cannot_write(out->path);
    const drua_status status = take_name(out);
    if (status != DRUA_OK)
        drua_file_move(final, pending);
    return status;
}

drua_status drua_zarr_finish(drua_zarr_out *out, drua_status status)
{
    if (status == DRUA_OK)
        status = publish_image(out);
    else if (status != DRUA_E_CANCELLED)
        drua_zarr_remove_folder(out->folder);
    free_out(out);
    return status;
}

void drua_zarr_discard(const char *path)
{
    drua_zarr_out out;
    if (set_paths(path, &out) == DRUA_OK)
        drua_zarr_remove_folder(out.folder);
}

void drua_zarr_clean(const char *path)
{
    drua_zarr_out out;
    char old[DRUA_PATH];
    if (set_paths(path, &out) != DRUA_OK || !drua_file_is_folder(out.path))
        return;
    old_path(&out, old);
    drua_zarr_remove_folder(old);
}

drua_status drua_zarr_remove(const char *path)
{
    drua_zarr_out out;
    char old[DRUA_PATH];
    bool moved;
    errno = 0;
    DRUA_TRY(set_paths(path, &out));
    old_path(&out, old);
    DRUA_TRY(set_aside(&out, old, &moved));
    drua_zarr_remove_folder(old);
    return DRUA_OK;
}

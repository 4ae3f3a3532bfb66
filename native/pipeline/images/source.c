/* SPDX-License-Identifier: BSD-3-Clause */
#include "source.h"
#include "mosaic.h"

#include "alloc.h"
#include "device.h"
#include "error.h"
#include "imagej.h"
#include "json.h"
#include "parallel.h"
#include "tiff.h"
#include "tile_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A decoded plane of a TIFF file. */
typedef struct cached_plane {
    int64_t number; /* counted from 0; -1: no plane */
    char *pixels;
} cached_plane;

struct block_source {
    char *path, *series;
    drua_text other_series; /* numbers and names of the chunked images of the folder that were not chosen */
    int level;
    drua_zarr_metadata metadata;
    int64_t first_frame, origin[3]; /* of the file; the image begins there */
    int64_t all_frames; /* of the file; 0: no frames were chosen */
    int64_t row; /* pixels of a row of the file */
    drua_zarr *zarr; /* NULL for a TIFF or a mosaic */
    mosaic *mosaic; /* NULL for other images */
    drua_tiff *tiff; /* the file, open at `channel` and `frame`; NULL for other images */
    int64_t channel, frame; /* channel and frame that `tiff` reads, from 0 */
    drua_tiff **others; /* further handles on the file, one for each additional thread */
    int other_count;
    cached_plane *planes;
    int64_t plane_count;
};

/* ---- TIFF */

static void close_stack(block_source *s)
{
    drua_tiff_close(s->tiff);
    for (int i = 0; i < s->other_count; i++)
        drua_tiff_close(s->others[i]);
    drua_free(s->others);
    s->tiff = NULL;
    s->others = NULL;
    s->other_count = 0;
}

static drua_status select_volume(block_source *s, int64_t channel, int64_t frame)
{
    if (s->tiff && s->channel == channel && s->frame == frame)
        return DRUA_OK;
    for (int64_t i = 0; i < s->plane_count; i++)
        s->planes[i].number = -1;
    s->channel = channel;
    s->frame = frame;
    if (!s->tiff) {
        DRUA_TRY(drua_tiff_open(s->path, s->series, channel + 1, frame + 1, &s->tiff));
        return drua_tiff_choose_level(s->tiff, s->level);
    }
    for (int i = 0; i < s->other_count; i++)
        DRUA_TRY(drua_tiff_select(s->others[i], channel + 1, frame + 1));
    return drua_tiff_select(s->tiff, channel + 1, frame + 1);
}

static double number_of(const char *text, const char *key, double otherwise)
{
    char value[64];
    const double number = drua_imagej_find(text, key, value, sizeof value) ? atof(value) : otherwise;
    return number > 0 && isfinite(number) ? number : otherwise;
}

void source_take_scale(const char *text, drua_zarr_metadata *f)
{
    f->scale[0] = number_of(text, "pixelWidth", 1);
    f->scale[1] = number_of(text, "pixelHeight", 1);
    f->scale[2] = number_of(text, "pixelDepth", 1);
    f->frame_interval = number_of(text, "frameInterval", 0);
    if (!drua_imagej_find(text, "unit", f->unit, sizeof f->unit) || !strncmp(f->unit, "pixel", 5))
        f->unit[0] = 0;
}

static drua_status open_tiff(block_source *s)
{
    drua_text text = {0};
    DRUA_TRY(select_volume(s, 0, 0));
    if (drua_tiff_samples(s->tiff) > 1)
        return drua_fail(DRUA_E_UNSUPPORTED, "'%.600s' is an RGB image; convert it to channels first", s->path);
    if (drua_tiff_missing(s->tiff)) {
        drua_tiff_describe_missing(s->tiff, &text);
        drua_fail(DRUA_E_ARGUMENT, "%s; copy or save it again", drua_text_characters(&text));
        drua_text_free(&text);
        return DRUA_E_ARGUMENT;
    }
    drua_zarr_metadata *f = &s->metadata;
    f->shape = drua_tiff_shape(s->tiff);
    s->row = f->shape.width;
    f->type = drua_tiff_type(s->tiff);
    drua_tiff_axes(s->tiff, &f->channels, &f->frames);
    f->chunk = f->file = (drua_shape){f->shape.width, f->shape.height, 1, 2};
    f->levels = 1;
    drua_tiff_describe(s->tiff, true, &text);
    const char *about = drua_text_characters(&text);
    source_take_scale(about, f);
    drua_text_free(&text);
    return DRUA_OK;
}

/* Allocates the cache of decoded planes: as many as `keep` bytes hold, at least one. */
static drua_status keep_planes(block_source *s, size_t keep)
{
    const size_t bytes = drua_tiff_plane_bytes(s->tiff);
    s->plane_count =
        (int64_t)(keep / bytes) < s->metadata.shape.depth ? (int64_t)(keep / bytes) : s->metadata.shape.depth;
    s->plane_count = s->plane_count > 0 ? s->plane_count : 1;
    s->planes = drua_alloc((size_t)s->plane_count * sizeof *s->planes);
    if (!s->planes)
        return drua_fail_memory((size_t)s->plane_count * sizeof *s->planes);
    for (int64_t i = 0; i < s->plane_count; i++)
        s->planes[i].number = -1;
    return DRUA_OK;
}

/* A run of planes that are read together, each into its own cache slot. */
typedef struct plane_run {
    block_source *source;
    const drua_box *box;
    int64_t first; /* first plane */
    char *pixels; /* pixels of the box, from its first plane on */
} plane_run;

/*
 * Returns a decoded plane. Neighbouring blocks in a row read the same planes, so each plane is decoded only once if the
 * cache has room for the planes of a block.
 */
static drua_status take_plane(block_source *s, int worker, int64_t z, const char **pixels)
{
    cached_plane *p = &s->planes[z % s->plane_count];
    const size_t bytes = drua_tiff_plane_bytes(s->tiff);
    if (!p->pixels && !(p->pixels = drua_alloc(bytes)))
        return drua_fail_memory(bytes);
    if (p->number != z) {
        p->number = -1;
        DRUA_TRY(drua_tiff_read_page(worker ? s->others[worker - 1] : s->tiff, z, (void *[]){p->pixels}));
        p->number = z;
    }
    *pixels = p->pixels;
    return DRUA_OK;
}

static drua_status read_plane(void *payload, int worker, int64_t item)
{
    const plane_run *t = payload;
    const drua_box *box = t->box;
    const drua_zarr_metadata *f = &t->source->metadata;
    const size_t size = drua_type_size(f->type), row = (size_t)(box->end[0] - box->first[0]) * size;
    const int64_t z = t->first + item, rows = box->end[1] - box->first[1];
    char *to = t->pixels + row * (size_t)(rows * (z - box->first[2]));
    const char *plane = NULL;
    DRUA_TRY(take_plane(t->source, worker, z, &plane));
    for (int64_t y = box->first[1]; y < box->end[1]; y++, to += row)
        memcpy(to, plane + (size_t)(y * t->source->row + box->first[0]) * size, row);
    return DRUA_OK;
}

static drua_status open_for_workers(block_source *s, int64_t planes)
{
    const int count = drua_parallel_workers(planes) - 1;
    if (count <= s->other_count)
        return DRUA_OK;
    drua_tiff **others = drua_realloc(s->others, (size_t)count * sizeof *others);
    if (!others)
        return drua_fail_memory((size_t)count * sizeof *others);
    s->others = others;
    for (; s->other_count < count; s->other_count++)
        DRUA_TRY(drua_tiff_reopen(s->tiff, &others[s->other_count]));
    return DRUA_OK;
}

static drua_status read_tiff(block_source *s, int64_t channel, int64_t frame, const drua_box *box, char *pixels)
{
    DRUA_TRY(select_volume(s, channel, frame));
    for (int64_t z = box->first[2]; z < box->end[2]; z += s->plane_count) {
        const int64_t left = box->end[2] - z, planes = left < s->plane_count ? left : s->plane_count;
        DRUA_TRY(open_for_workers(s, planes));
        DRUA_TRY(drua_parallel(planes, read_plane, &(plane_run){s, box, z, pixels}));
    }
    return DRUA_OK;
}

/* ---- all images */

static drua_status open_mosaic(block_source *s, size_t keep)
{
    if (s->level || *s->series)
        return drua_fail(DRUA_E_ARGUMENT,
                         "'%.600s' is a list of tiles, which has one image of one resolution; leave out series and "
                         "level",
                         s->path);
    DRUA_TRY(mosaic_open(s->path, keep, &s->mosaic));
    s->metadata = *mosaic_metadata(s->mosaic);
    return DRUA_OK;
}

static drua_status open_file(block_source *s, size_t keep)
{
    if (drua_tile_list_is_path(s->path))
        return open_mosaic(s, keep);
    if (!drua_zarr_is_path(s->path)) {
        DRUA_TRY(open_tiff(s));
        return keep_planes(s, keep);
    }
    drua_text chosen = {0};
    drua_status status = drua_zarr_choose_series(s->path, s->series, &chosen, &s->other_series);
    if (status == DRUA_OK)
        status = drua_zarr_open(drua_text_characters(&chosen), s->level, &s->zarr);
    drua_text_free(&chosen);
    DRUA_TRY(status);
    s->metadata = *drua_zarr_metadata_of(s->zarr);
    drua_zarr_set_cache(s->zarr, keep);
    return DRUA_OK;
}

drua_status source_open(const char *path, const char *series, int level, size_t keep, block_source **source)
{
    block_source *s = *source = drua_alloc(sizeof *s);
    if (!s)
        return drua_fail_memory(sizeof *s);
    s->path = drua_copy_text(path);
    s->level = level;
    s->series = drua_copy_text(series);
    const drua_status status = s->path && s->series ? open_file(s, keep) : drua_fail_memory(strlen(path));
    if (status != DRUA_OK) {
        source_close(s);
        *source = NULL;
    }
    return status;
}

void source_close(block_source *s)
{
    if (!s)
        return;
    drua_zarr_close(s->zarr);
    mosaic_close(s->mosaic);
    close_stack(s);
    for (int64_t i = 0; i < s->plane_count; i++)
        drua_free(s->planes[i].pixels);
    drua_free(s->planes);
    drua_free(s->path);
    drua_free(s->series);
    drua_text_free(&s->other_series);
    drua_free(s);
}

const drua_zarr_metadata *source_metadata(const block_source *s)
{
    return &s->metadata;
}

drua_status source_choose_frames(block_source *s, int64_t first, int64_t count)
{
    const int64_t frames = s->metadata.frames;
    if (first < 0 || count < 1 || first > frames - count)
        return drua_fail(DRUA_E_ARGUMENT,
                         "'%.600s' has %" PRId64 " frames, so it has no frames %" PRId64 " to %" PRId64
                         "; choose frames from 1 to %" PRId64,
                         s->path, frames, first + 1, first + count, frames);
    s->first_frame = first;
    s->all_frames = frames;
    s->metadata.frames = count;
    return DRUA_OK;
}

int64_t source_all_frames(const block_source *s)
{
    return s->all_frames ? s->all_frames : s->metadata.frames;
}

drua_status source_choose_box(block_source *s, const int64_t origin[3], const int64_t size[3])
{
    drua_zarr_metadata *f = &s->metadata;
    for (int k = 0; k < 3; k++) {
        const int64_t extent = f->shape.extent[k], chosen = size[k] ? size[k] : extent - origin[k];
        if (origin[k] < 0 || chosen < 1 || origin[k] > extent - chosen)
            return drua_fail(DRUA_E_ARGUMENT,
                             "origin %" PRId64 " and size %" PRId64 " exceed the %" PRId64
                             " pixels of '%.600s' along %c; choose a box inside the image",
                             origin[k], size[k], extent, s->path, "xyz"[k]);
        s->origin[k] = origin[k];
        f->shape.extent[k] = chosen;
        f->chunk.extent[k] = f->chunk.extent[k] < chosen ? f->chunk.extent[k] : chosen;
        f->file.extent[k] = f->file.extent[k] < chosen ? f->file.extent[k] : chosen;
    }
    return DRUA_OK;
}

/* Returns a box of the image as a box of the file. */
static drua_box box_of_file(const block_source *s, const drua_box *box)
{
    drua_box file = *box;
    for (int k = 0; k < 3; k++) {
        file.first[k] += s->origin[k];
        file.end[k] += s->origin[k];
    }
    return file;
}

/*
 * Copies the text of a TIFF or a mosaic for a box of its pixels: moves the position, and leaves out the labels of
 * slices unless the box begins with the first slice.
 */
static void describe_box(const block_source *s, const char *about, drua_text *text)
{
    const drua_zarr_metadata *f = &s->metadata;
    double at[3] = {0};
    for (const char *line = about, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        if (!strncmp(line, "position=", 9))
            sscanf(line, "position=%lf,%lf,%lf", &at[0], &at[1], &at[2]);
        else if (strncmp(line, "labels=", 7) || !s->origin[2])
            drua_text_append(text, line, (size_t)(end - line));
    }
    for (int k = 0; k < 3; k++)
        at[k] += (double)s->origin[k] * f->scale[k];
    drua_text_add(text, "position=%.17g,%.17g,%.17g\n", at[0], at[1], at[2]);
}

const char *source_other_series(const block_source *s)
{
    if (s->tiff)
        return drua_tiff_other_series(s->tiff);
    return s->other_series.length ? drua_text_characters(&s->other_series) : NULL;
}

void source_describe_left_out(const block_source *s, drua_text *text)
{
    if (s->tiff)
        drua_tiff_describe_left_out(s->tiff, text);
    else if (s->zarr)
        drua_zarr_describe_left_out(s->zarr, text);
}

static void describe_file(block_source *s, int64_t channel, drua_text *text)
{
    drua_text about = {0};
    if (s->mosaic)
        mosaic_describe(s->mosaic, channel, &about);
    else
        drua_tiff_describe(s->tiff, channel < 0, &about);
    if (s->origin[0] || s->origin[1] || s->origin[2])
        describe_box(s, drua_text_characters(&about), text);
    else
        drua_text_add(text, "%s", drua_text_characters(&about));
    text->failed |= about.failed;
    drua_text_free(&about);
}

void source_describe(block_source *s, int64_t channel, drua_text *text)
{
    drua_zarr_range range = drua_zarr_all(&s->metadata);
    range.first_frame = s->first_frame;
    for (int k = 0; k < 3; k++) {
        range.box.first[k] += s->origin[k];
        range.box.end[k] += s->origin[k];
    }
    if (channel >= 0) {
        range.first_channel = channel;
        range.channels = 1;
    }
    if (s->zarr)
        drua_zarr_describe(s->zarr, &range, text);
    else if (s->mosaic || select_volume(s, channel < 0 ? 0 : channel, s->first_frame) == DRUA_OK)
        describe_file(s, channel, text);
}

/* Parses the JSON of the line "ome=" of a text (ome_line.h). NULL without such a line. The caller frees it. */
static drua_json *read_ome_line(const char *text)
{
    const char *line = strstr(text, "\nome=");
    drua_json *json = NULL;
    line = line ? line + strlen("\nome=") : NULL;
    if (line && drua_json_parse("metadata", line, strcspn(line, "\n"), &json) != DRUA_OK)
        return NULL;
    return json;
}

drua_status source_find_channel(block_source *s, const char *channel, int64_t *number)
{
    char *end;
    drua_text text = {0}, names = {0};
    const int64_t count = s->metadata.channels;
    *number = strtoll(channel, &end, 10) - 1;
    if (end != channel && !*end && *number >= 0 && *number < count)
        return DRUA_OK;
    source_describe(s, -1, &text);
    drua_json *line = read_ome_line(drua_text_characters(&text));
    const drua_json *list = drua_json_get(drua_json_get(line, "omero"), "channels");
    *number = -1;
    for (int64_t i = 0; i < count && *number < 0; i++) {
        const char *label = drua_json_text(drua_json_get(drua_json_at(list, i), "label"));
        if (label && !strcmp(label, channel))
            *number = i;
        if (label && *label)
            drua_text_add(&names, "%s'%.60s'", names.length ? ", " : "", label);
    }
    if (*number < 0)
        drua_fail(DRUA_E_ARGUMENT, "'%.600s' has no channel '%.60s'; use a number from 1 to %" PRId64 "%s%.300s",
                  s->path, channel, count, names.length ? ", or one of the names " : "", drua_text_characters(&names));
    drua_json_free(line);
    drua_text_free(&text);
    drua_text_free(&names);
    return *number < 0 ? DRUA_E_ARGUMENT : DRUA_OK;
}

void source_identify(const block_source *s, drua_text *text)
{
    const drua_zarr_metadata *f = &s->metadata;
    drua_text_add(text,
                  "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " type %d chunk %" PRId64 " %" PRId64
                  " %" PRId64 " scale %.17g %.17g %.17g %s",
                  f->shape.width, f->shape.height, f->shape.depth, f->channels, f->frames, (int)f->type, f->chunk.width,
                  f->chunk.height, f->chunk.depth, f->scale[0], f->scale[1], f->scale[2], f->unit);
    if (s->first_frame)
        drua_text_add(text, " first frame %" PRId64, s->first_frame);
    if (s->origin[0] || s->origin[1] || s->origin[2])
        drua_text_add(text, " origin %" PRId64 " %" PRId64 " %" PRId64, s->origin[0], s->origin[1], s->origin[2]);
    if (s->zarr)
        drua_text_add(text, " metadata %08" PRIx32, drua_zarr_metadata_sum(s->zarr));
    else if (s->mosaic)
        mosaic_identify(s->mosaic, text);
    else
        drua_tiff_identify(s->tiff, text);
}

drua_status source_hash(const block_source *s, drua_sha256 *hash)
{
    const drua_zarr_metadata *f = &s->metadata;
    const drua_box all = drua_box_of(f->shape.extent), file = box_of_file(s, &all);
    drua_zarr_box box = {.channel = 0};
    memcpy(box.first, file.first, sizeof box.first);
    memcpy(box.end, file.end, sizeof box.end);
    for (box.frame = s->first_frame; box.frame < s->first_frame + f->frames; box.frame++)
        for (box.channel = 0; box.channel < f->channels; box.channel++) {
            uint32_t crc;
            uint64_t bytes;
            DRUA_TRY(drua_zarr_sum(s->zarr, &box, &crc, &bytes));
            drua_sha256_add(hash, &crc, sizeof crc);
            drua_sha256_add(hash, &bytes, sizeof bytes);
        }
    return DRUA_OK;
}

drua_zarr *source_zarr(const block_source *s)
{
    return s->zarr;
}

bool source_is_mosaic(const block_source *s)
{
    return s->mosaic;
}

const char *source_file(const block_source *s, int64_t number)
{
    return s->mosaic ? mosaic_file(s->mosaic, number) : s->tiff ? drua_tiff_part_path(s->tiff, number) : NULL;
}

drua_status source_check(const block_source *s)
{
    if (s->mosaic)
        return mosaic_check(s->mosaic);
    return s->zarr ? drua_zarr_check(s->zarr) : s->tiff ? drua_tiff_check(s->tiff) : DRUA_OK;
}

drua_status source_read(block_source *s, int64_t channel, int64_t frame, const drua_box *box, void *pixels)
{
    const drua_box file = box_of_file(s, box);
    if (s->mosaic)
        return mosaic_read(s->mosaic, channel, s->first_frame + frame, &file, pixels);
    if (!s->zarr) {
        const drua_status status = read_tiff(s, channel, s->first_frame + frame, &file, pixels);
        /* an open TIFF stays readable even if another file has taken its path since */
        DRUA_TRY(status == DRUA_E_MEMORY ? status : drua_tiff_check(s->tiff));
        return status;
    }
    drua_zarr_box b = {.channel = channel, .frame = s->first_frame + frame};
    memcpy(b.first, file.first, sizeof b.first);
    memcpy(b.end, file.end, sizeof b.end);
    return drua_zarr_read(s->zarr, &b, pixels);
}

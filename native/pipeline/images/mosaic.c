/* SPDX-License-Identifier: BSD-3-Clause */
#include "mosaic.h"
#include "blend.h"
#include "chunk_prints.h"

#include "alloc.h"
#include "device.h"
#include "image_file.h"
#include "parallel.h"
#include "tile_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The largest numbers of tiles and handles that are open at once, and of pixels that are blended at once. */
enum { MAX_OPEN = 32, MAX_HANDLES = 64, SLAB_PIXELS = 1 << 24 };

/* A file that the list names. */
typedef struct listed_file {
    char *path, *state; /* state: as source_identify, and that of all chunks */
    block_source *source; /* NULL: closed */
    chunk_prints *prints; /* NULL: not in chunks */
} listed_file;

typedef struct placed_tile {
    listed_file file;
    int64_t first[3]; /* position in the mosaic, as drua_mosaic_place */
    float rest[3];
    int64_t used; /* when the tile was used last */
} placed_tile;

/* The image of a flat or a dark field; its file has no path if the list names none. */
typedef struct field {
    listed_file file;
    float *pixels; /* of a channel */
    int64_t channel;
} field;

struct mosaic {
    drua_tile_list list;
    placed_tile *tiles;
    drua_zarr_metadata metadata;
    drua_shape tile;
    field flat, dark;
    size_t keep; /* bytes for the pixels of all open files */
    int open_count, max_open;
    int64_t uses;
    bool is_open; /* all tiles have been checked */
};

/* ---- files */

static void close_file(listed_file *f)
{
    chunk_prints_close(f->prints);
    source_close(f->source);
    f->prints = NULL;
    f->source = NULL;
}

static void free_file(listed_file *f)
{
    close_file(f);
    drua_free(f->path);
    drua_free(f->state);
}

static void close_tile(mosaic *m, placed_tile *t)
{
    m->open_count -= t->file.source != NULL;
    close_file(&t->file);
}

static void close_least_used(mosaic *m)
{
    placed_tile *least = NULL;
    for (int64_t i = 0; i < m->list.count; i++)
        if (m->tiles[i].file.source && (!least || m->tiles[i].used < least->used))
            least = &m->tiles[i];
    if (least)
        close_tile(m, least);
}

/* Puts the list's name, and what to do, around the error message about a file. */
static drua_status name_list(const mosaic *m, const char *path, drua_status status)
{
    char why[700];
    drua_file_info info;
    snprintf(why, sizeof why, "%s", drua_error_text());
    if (m->is_open && status == DRUA_E_ARGUMENT)
        return drua_fail(DRUA_E_AWAY,
                         "the tile '%.300s' of '%.300s' has disappeared or changed: %.500s. Restore it, then run the "
                         "same command again",
                         path, m->list.path, why);
    return drua_fail(status, "'%.300s' lists '%.300s', which cannot be read: %.500s%s", m->list.path, path, why,
                     drua_image_file_stat(path, &info) ? "" : ". Make the file accessible, or remove it from the list");
}

/* Opens a file's image and describes its state. */
static drua_status open_image(const mosaic *m, listed_file *f, drua_text *state)
{
    DRUA_TRY(source_open(f->path, "", 0, m->keep / MAX_OPEN, &f->source));
    if (source_other_series(f->source))
        return drua_fail(DRUA_E_ARGUMENT, "it holds several images; save each of them as a file");
    source_identify(f->source, state);
    return source_zarr(f->source) ? chunk_prints_open(source_zarr(f->source), state, &f->prints) : DRUA_OK;
}

/* Opens a file. Fails if it holds several images, or has another state than when it was opened first. */
static drua_status open_file(const mosaic *m, listed_file *f)
{
    drua_text now = {0};
    if (drua_tile_list_is_path(f->path))
        return drua_fail(DRUA_E_ARGUMENT,
                         "'%.300s' lists '%.300s', which is a list of tiles too; list its tiles instead", m->list.path,
                         f->path);
    drua_status status = open_image(m, f, &now);
    if (status != DRUA_OK)
        status = name_list(m, f->path, status);
    else if (!f->state)
        f->state = drua_copy_text(drua_text_characters(&now));
    else if (strcmp(f->state, drua_text_characters(&now)))
        status = drua_fail(DRUA_E_AWAY,
                           "the tile '%.300s' of '%.300s' has changed since the list was opened. Restore it, then run "
                           "the same command again",
                           f->path, m->list.path);
    if (now.failed || (status == DRUA_OK && !f->state))
        status = drua_fail_memory(now.length);
    drua_text_free(&now);
    if (status != DRUA_OK)
        close_file(f);
    return status;
}

static drua_status open_tile(mosaic *m, placed_tile *t)
{
    t->used = ++m->uses;
    if (t->file.source)
        return DRUA_OK;
    if (m->open_count == m->max_open)
        close_least_used(m);
    const drua_status status = open_file(m, &t->file);
    m->open_count += t->file.source != NULL;
    return status;
}

/* ---- opening */

static drua_status check_tile(const mosaic *m, const placed_tile *t)
{
    const drua_zarr_metadata *f = source_metadata(t->file.source), *one = &m->metadata;
    if (drua_shape_is_same_size(f->shape, m->tile) && f->type == one->type && f->channels == one->channels &&
        f->frames == one->frames)
        return DRUA_OK;
    return drua_fail(DRUA_E_ARGUMENT,
                     "the tile '%.300s' has %" PRId64 " x %" PRId64 " x %" PRId64 " pixels of %s, %" PRId64
                     " channels and %" PRId64 " frames, but '%.300s' has %" PRId64 " x %" PRId64 " x %" PRId64
                     ", %s, %" PRId64 " and %" PRId64 "; all tiles of a mosaic need the same",
                     t->file.path, f->shape.width, f->shape.height, f->shape.depth, drua_type_name(f->type),
                     f->channels, f->frames, m->tiles[0].file.path, m->tile.width, m->tile.height, m->tile.depth,
                     drua_type_name(one->type), one->channels, one->frames);
}

/* Each core reads planes of a stack through its own handle. */
static int choose_max_open(const drua_zarr_metadata *tile)
{
    const int count = MAX_HANDLES / drua_parallel_workers(tile->shape.depth);
    return count < MAX_OPEN ? count : MAX_OPEN;
}

static drua_status check_tiles(mosaic *m)
{
    char path[DRUA_TILE_PATH];
    for (int64_t i = 0; i < m->list.count; i++) {
        placed_tile *t = &m->tiles[i];
        drua_tile_list_path(m->list.path, m->list.tiles[i].name, path);
        t->file.path = drua_copy_text(path);
        if (!t->file.path)
            return drua_fail_memory(strlen(path));
        DRUA_TRY(open_tile(m, t));
        if (!i) {
            m->metadata = *source_metadata(t->file.source);
            m->tile = m->metadata.shape;
            m->max_open = choose_max_open(&m->metadata);
        }
        DRUA_TRY(check_tile(m, t));
    }
    return DRUA_OK;
}

static void place_tiles(mosaic *m)
{
    drua_zarr_metadata *f = &m->metadata;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < m->list.count; i++) {
            low = fmin(low, m->list.tiles[i].at[axis]);
            high = fmax(high, m->list.tiles[i].at[axis]);
        }
        for (int64_t i = 0; i < m->list.count; i++)
            drua_mosaic_place(m->list.tiles[i].at[axis], low, &m->tiles[i].first[axis], &m->tiles[i].rest[axis]);
        f->shape.extent[axis] = drua_mosaic_extent(m->tile.extent[axis], low, high);
    }
    f->shape.dimension = f->shape.depth > 1 ? 3 : m->tile.dimension;
    f->chunk = f->file = (drua_shape){m->tile.width, m->tile.height, 1, 2};
    f->levels = 1;
    f->labels = false;
}

static drua_status open_field(const mosaic *m, const char *name, field *f)
{
    char path[DRUA_TILE_PATH];
    if (!name)
        return DRUA_OK;
    drua_tile_list_path(m->list.path, name, path);
    f->file.path = drua_copy_text(path);
    f->channel = -1;
    DRUA_TRY(f->file.path ? open_file(m, &f->file) : drua_fail_memory(strlen(path)));
    const drua_zarr_metadata *own = source_metadata(f->file.source), *tile = &m->metadata;
    const drua_shape s = own->shape;
    if (s.width == m->tile.width && s.height == m->tile.height && (s.depth == 1 || s.depth == m->tile.depth) &&
        (own->channels == 1 || own->channels == tile->channels))
        return DRUA_OK;
    return drua_fail(DRUA_E_ARGUMENT,
                     "'%.300s' has %" PRId64 " x %" PRId64 " x %" PRId64 " pixels and %" PRId64
                     " channels, and the tiles of '%.300s' have %" PRId64 " x %" PRId64 " x %" PRId64 " and %" PRId64
                     "; use a plane of the tile's width and height, with one channel or as many as the tiles",
                     path, s.width, s.height, s.depth, own->channels, m->list.path, m->tile.width, m->tile.height,
                     m->tile.depth, tile->channels);
}

static drua_status open_all(mosaic *m, const char *path)
{
    DRUA_TRY(drua_tile_list_read(path, &m->list));
    m->tiles = drua_alloc((size_t)m->list.count * sizeof *m->tiles);
    if (!m->tiles)
        return drua_fail_memory((size_t)m->list.count * sizeof *m->tiles);
    DRUA_TRY(check_tiles(m));
    DRUA_TRY(open_field(m, m->list.flat, &m->flat));
    DRUA_TRY(open_field(m, m->list.dark, &m->dark));
    place_tiles(m);
    m->is_open = true;
    return DRUA_OK;
}

drua_status mosaic_open(const char *path, size_t keep, mosaic **made)
{
    mosaic *m = *made = drua_alloc(sizeof *m);
    if (!m)
        return drua_fail_memory(sizeof *m);
    m->keep = keep;
    m->max_open = 1;
    const drua_status status = open_all(m, path);
    if (status != DRUA_OK) {
        mosaic_close(m);
        *made = NULL;
    }
    return status;
}

void mosaic_close(mosaic *m)
{
    if (!m)
        return;
    for (int64_t i = 0; m->tiles && i < m->list.count; i++)
        free_file(&m->tiles[i].file);
    free_file(&m->flat.file);
    free_file(&m->dark.file);
    drua_free(m->flat.pixels);
    drua_free(m->dark.pixels);
    drua_free(m->tiles);
    drua_tile_list_free(&m->list);
    drua_free(m);
}

/* ---- metadata */

const drua_zarr_metadata *mosaic_metadata(const mosaic *m)
{
    return &m->metadata;
}

void mosaic_describe(mosaic *m, int64_t channel, drua_text *text)
{
    drua_text about = {0};
    if (open_tile(m, &m->tiles[0]) == DRUA_OK)
        source_describe(m->tiles[0].file.source, channel, &about);
    for (const char *line = drua_text_characters(&about), *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        if (strncmp(line, "position=", 9) && strncmp(line, "labels=", 7))
            drua_text_append(text, line, (size_t)(end - line));
    }
    text->failed |= about.failed;
    drua_text_free(&about);
}

void mosaic_identify(const mosaic *m, drua_text *text)
{
    drua_text_add(text, " mosaic %" PRId64 " %d %d", m->list.count, m->list.fusion, m->list.misses_zeros);
    for (int64_t i = 0; i < m->list.count; i++) {
        const drua_listed_tile *t = &m->list.tiles[i];
        drua_text_add(text, "\n%.17g %.17g %.17g %s %s", t->at[0], t->at[1], t->at[2], t->name,
                      m->tiles[i].file.state);
    }
    if (m->list.flat)
        drua_text_add(text, "\nflat %s %s", m->list.flat, m->flat.file.state);
    if (m->list.dark)
        drua_text_add(text, "\ndark %s %s", m->list.dark, m->dark.file.state);
}

drua_status mosaic_check(mosaic *m)
{
    for (int64_t i = 0; i < m->list.count; i++) {
        close_tile(m, &m->tiles[i]);
        DRUA_TRY(open_tile(m, &m->tiles[i]));
    }
    field *const fields[] = {&m->flat, &m->dark};
    for (int i = 0; i < 2; i++) {
        close_file(&fields[i]->file);
        DRUA_TRY(fields[i]->file.path ? open_file(m, &fields[i]->file) : DRUA_OK);
    }
    return DRUA_OK;
}

const char *mosaic_file(const mosaic *m, int64_t number)
{
    const int64_t count = m->list.count;
    const char *flat = m->flat.file.path, *dark = m->dark.file.path,
               *const fields[] = {flat ? flat : dark, flat ? dark : NULL};
    return number < count ? m->tiles[number].file.path : number < count + 2 ? fields[number - count] : NULL;
}

/* ---- flat and dark field */

/* Reads the field's pixels for a channel of the tiles, unless they are already in memory. */
static drua_status read_field(const mosaic *m, field *f, int64_t channel)
{
    if (!f->file.source || f->channel == channel)
        return DRUA_OK;
    const drua_zarr_metadata *own = source_metadata(f->file.source);
    const drua_box all = drua_box_of(own->shape.extent);
    const size_t count = (size_t)drua_box_pixels(&all);
    void *pixels = drua_alloc(count * drua_type_size(own->type));
    if (!f->pixels)
        f->pixels = drua_alloc(count * sizeof *f->pixels);
    drua_status status = pixels && f->pixels ? DRUA_OK : drua_fail_memory(count * sizeof *f->pixels);
    if (status == DRUA_OK)
        status = source_read(f->file.source, own->channels > 1 ? channel : 0, 0, &all, pixels);
    if (status == DRUA_OK)
        blend_to_floats(pixels, own->type, count, f->pixels);
    drua_free(pixels);
    for (size_t i = 0; i < count && status == DRUA_OK; i++)
        if (!isfinite(f->pixels[i]) || (f == &m->flat && f->pixels[i] <= 0))
            status = drua_fail(DRUA_E_ARGUMENT, "'%.600s' has a pixel of %g; a %s", f->file.path, (double)f->pixels[i],
                               f == &m->flat ? "flat field needs numbers above 0" : "dark field needs finite numbers");
    f->channel = status == DRUA_OK ? channel : -1;
    return status;
}

/* The field's values at a row of a piece. */
static const float *row_of_field(const mosaic *m, const field *f, const drua_box *box, int64_t y, int64_t z)
{
    const int64_t plane = source_metadata(f->file.source)->shape.depth > 1 ? z : 0;
    return f->pixels + box->first[0] + m->tile.width * (y + m->tile.height * plane);
}

static void correct_piece(const mosaic *m, const blend_piece *p)
{
    const drua_box *box = &p->box;
    const int64_t width = box->end[0] - box->first[0];
    float *pixels = p->pixels;
    if (!m->flat.file.source && !m->dark.file.source)
        return;
    for (int64_t z = box->first[2]; z < box->end[2]; z++)
        for (int64_t y = box->first[1]; y < box->end[1]; y++, pixels += width) {
            const float *dark = m->dark.file.source ? row_of_field(m, &m->dark, box, y, z) : NULL,
                        *flat = m->flat.file.source ? row_of_field(m, &m->flat, box, y, z) : NULL;
            for (int64_t x = 0; x < width; x++) {
                const float value = pixels[x] - (dark ? dark[x] : 0.0f);
                pixels[x] = flat ? value / flat[x] : value;
            }
        }
}

/* ---- pixels */

/* A box of the mosaic, and the parts of tiles that it needs. */
typedef struct slab {
    const mosaic *mosaic;
    int64_t channel, frame;
    drua_box box;
    blend_piece *pieces;
    placed_tile **tiles; /* of the pieces */
    int64_t count, first; /* first: the first piece of those that are read together */
    float *rows; /* two rows for each worker */
    char *pixels; /* of the whole box that is read */
    const drua_box *whole;
} slab;

/* Finds the part of a tile that a box of the mosaic needs. Returns false if the box needs no pixel of the tile. */
static bool find_piece(const mosaic *m, const placed_tile *t, const drua_box *box, blend_piece *p)
{
    *p = (blend_piece){.tile = m->tile};
    for (int axis = 0; axis < 3; axis++) {
        const int64_t extent = m->tile.extent[axis], at = t->first[axis], more = t->rest[axis] > 0;
        const int64_t low = box->first[axis] > at ? box->first[axis] : at,
                      high = box->end[axis] < at + extent + more ? box->end[axis] : at + extent + more;
        if (low >= high)
            return false;
        p->first[axis] = at;
        p->rest[axis] = t->rest[axis];
        p->box.first[axis] = low - at - more > 0 ? low - at - more : 0;
        p->box.end[axis] = high - at < extent ? high - at : extent;
    }
    return true;
}

static drua_status read_piece(void *payload, int worker, int64_t item)
{
    const slab *s = payload;
    const mosaic *m = s->mosaic;
    blend_piece *p = &s->pieces[s->first + item];
    placed_tile *t = s->tiles[s->first + item];
    const size_t count = (size_t)drua_box_pixels(&p->box);
    void *pixels = drua_alloc(count * drua_type_size(m->metadata.type));
    (void)worker;
    p->pixels = drua_alloc(count * sizeof *p->pixels);
    if (m->list.misses_zeros)
        p->missing = drua_alloc(count * sizeof *p->missing);
    const bool has_memory = pixels && p->pixels && (p->missing || !m->list.misses_zeros);
    drua_status status = has_memory ? DRUA_OK : drua_fail_memory(count * sizeof *p->pixels);
    if (status == DRUA_OK)
        status = source_read(t->file.source, s->channel, s->frame, &p->box, pixels);
    if (status == DRUA_OK) {
        blend_to_floats(pixels, m->metadata.type, count, p->pixels);
        for (size_t i = 0; i < count && p->missing; i++)
            p->missing[i] = p->pixels[i] == 0.0f; /* before the correction, because it can make other pixels 0 */
        correct_piece(m, p);
    }
    drua_free(pixels);
    return status;
}

static drua_status read_pieces(mosaic *m, slab *s)
{
    for (s->first = 0; s->first < s->count; s->first += m->max_open) {
        const int64_t left = s->count - s->first, count = left < m->max_open ? left : m->max_open;
        for (int64_t i = 0; i < count; i++)
            DRUA_TRY(open_tile(m, s->tiles[s->first + i]));
        DRUA_TRY(drua_parallel(count, read_piece, s));
    }
    return DRUA_OK;
}

static drua_status blend_item(void *payload, int worker, int64_t item)
{
    const slab *s = payload;
    const drua_box *box = &s->box, *whole = s->whole;
    const drua_type type = s->mosaic->metadata.type;
    const int64_t rows = box->end[1] - box->first[1], width = whole->end[0] - whole->first[0],
                  height = whole->end[1] - whole->first[1];
    const int64_t y = box->first[1] + item % rows, z = box->first[2] + item / rows;
    const int64_t at = width * (y - whole->first[1] + height * (z - whole->first[2]));
    float *sums = s->rows + 2 * width * worker;
    blend_row(s->pieces, s->count, s->mosaic->list.fusion, box->first[0], box->end[0], y, z, sums, sums + width, type,
              s->pixels + (size_t)at * drua_type_size(type));
    return DRUA_OK;
}

static drua_status read_slab(mosaic *m, slab *s)
{
    const int64_t rows = (s->box.end[1] - s->box.first[1]) * (s->box.end[2] - s->box.first[2]);
    s->count = 0;
    for (int64_t i = 0; i < m->list.count; i++)
        if (find_piece(m, &m->tiles[i], &s->box, &s->pieces[s->count]))
            s->tiles[s->count++] = &m->tiles[i];
    drua_status status = read_pieces(m, s);
    if (status == DRUA_OK)
        status = drua_parallel(rows, blend_item, s);
    for (int64_t i = 0; i < s->count; i++) {
        drua_free(s->pieces[i].pixels);
        drua_free(s->pieces[i].missing);
    }
    return status;
}

/* Divides a box into slabs of whole rows. */
static void choose_slab(const drua_box *box, int64_t step[3])
{
    int64_t left = SLAB_PIXELS;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t extent = box->end[axis] - box->first[axis];
        step[axis] = !axis || extent < left ? extent : left > 0 ? left : 1;
        left /= step[axis];
    }
}

drua_status mosaic_read(mosaic *m, int64_t channel, int64_t frame, const drua_box *box, void *pixels)
{
    slab s = {.mosaic = m, .channel = channel, .frame = frame, .pixels = pixels, .whole = box};
    int64_t step[3];
    DRUA_TRY(read_field(m, &m->flat, channel));
    DRUA_TRY(read_field(m, &m->dark, channel));
    choose_slab(box, step);
    const size_t count = (size_t)m->list.count,
                 row = 2 * (size_t)step[0] * (size_t)drua_parallel_workers(step[1] * step[2]) * sizeof *s.rows;
    s.pieces = drua_alloc(count * sizeof *s.pieces);
    s.tiles = drua_alloc(count * sizeof *s.tiles);
    s.rows = drua_alloc(row);
    drua_status status = s.pieces && s.tiles && s.rows ? DRUA_OK : drua_fail_memory(row);
    for (int64_t i = 0; i < drua_box_parts(box, step) && status == DRUA_OK; i++) {
        s.box = drua_box_part(box, step, i);
        status = read_slab(m, &s);
    }
    drua_free(s.pieces);
    drua_free(s.tiles);
    drua_free(s.rows);
    return status;
}

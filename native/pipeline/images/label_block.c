/* SPDX-License-Identifier: BSD-3-Clause */
#include "label_files.h"

#include "alloc.h"
#include "crc32c.h"
#include "error.h"
#include "file.h"
#include "host_memory.h"
#include "label_slabs.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { FACES = 6 };

/* Header of a file. Rows follow, then the faces as runs: a label and the number of pixels that have it. */
typedef struct head {
    char magic[8];
    int64_t block;
    uint64_t count;
    uint64_t at[FACES], bytes[FACES];
    uint32_t sums[FACES];
    uint32_t rows_sum, sum; /* `sum`: checksum of all fields before it */
} head;

static const char MAGIC[] = "DRUALBK1";

/* ---- from pixels */

static int64_t block_side(const label_block *b, int axis)
{
    return b->box.end[axis] - b->box.first[axis];
}

static size_t pixels_of(const label_block *b)
{
    return (size_t)(block_side(b, 0) * block_side(b, 1) * block_side(b, 2));
}

static uint32_t is_positive(int32_t value)
{
    return value > 0 ? (uint32_t)value : 0;
}

/* Negative values and NaN become background. */
static uint32_t rounded_down(float value)
{
    const float max = 4294967040.0f;
    return value > 0 ? (uint32_t)(value < max ? value : max) : 0;
}

drua_status label_rows_fit(uint32_t label, size_t bytes)
{
    const uint64_t max = drua_host_memory() / 4; /* the rest is for other tables, blocks and programs */
    if (bytes < SIZE_MAX && (!max || bytes <= max))
        return DRUA_OK;
    return drua_fail(DRUA_E_MEMORY,
                     "label %" PRIu32 " is too large: its table needs a row for each number up to this one, which "
                     "exceeds a quarter of this computer's memory; close gaps in the label numbers first",
                     label);
}

uint32_t label_value(drua_type type, const void *pixels, size_t i)
{
    switch (type) {
    case DRUA_UINT8: return ((const uint8_t *)pixels)[i];
    case DRUA_INT8: return is_positive(((const int8_t *)pixels)[i]);
    case DRUA_UINT16: return ((const uint16_t *)pixels)[i];
    case DRUA_INT16: return is_positive(((const int16_t *)pixels)[i]);
    case DRUA_UINT32: return ((const uint32_t *)pixels)[i];
    case DRUA_INT32: return is_positive(((const int32_t *)pixels)[i]);
    default: return rounded_down(((const float *)pixels)[i]);
    }
}

double label_pixel(drua_type type, const void *pixels, size_t i)
{
    switch (type) {
    case DRUA_UINT8: return ((const uint8_t *)pixels)[i];
    case DRUA_INT8: return ((const int8_t *)pixels)[i];
    case DRUA_UINT16: return ((const uint16_t *)pixels)[i];
    case DRUA_INT16: return ((const int16_t *)pixels)[i];
    case DRUA_UINT32: return ((const uint32_t *)pixels)[i];
    case DRUA_INT32: return ((const int32_t *)pixels)[i];
    default: return (double)((const float *)pixels)[i];
    }
}

double label_odd_pixel(drua_type type, const void *pixels, size_t begin, size_t end)
{
    const bool may_be = type != DRUA_UINT8 && type != DRUA_UINT16 && type != DRUA_UINT32;
    for (size_t i = begin; i < end && may_be; i++) {
        const double value = label_pixel(type, pixels, i);
        if (value != 0 && !(value >= 1))
            return value;
    }
    return 0;
}

drua_status label_map_refuse(double odd)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "the label map has no label: all its pixels are 0, negative, NaN or below 1, such as %g; labels "
                     "are whole numbers from 1, so make a label map first",
                     isnan(odd) ? (double)NAN : odd);
}

void label_block_note_odd(label_block *b, drua_type type, const void *pixels)
{
    const float odd = b->count ? 0 : (float)label_odd_pixel(type, pixels, 0, pixels_of(b));
    if (odd == 0)
        return;
    b->count = 1; /* label_block_compact makes room for one more row */
    b->rows[0] = (label_row){.first = UINT64_MAX};
    memcpy(&b->rows[0].sides, &odd, sizeof odd);
}

/*
 * Replaces the numbers of labels with their places in the table. Neighbouring pixels mostly have the same number, so
 * the last lookup is reused.
 */
static drua_status number_pixels(label_meeting *m, uint32_t *pixels, size_t count)
{
    uint32_t last = 0, label = 0;
    for (size_t i = 0; i < count; i++) {
        if (pixels[i] != last) {
            last = pixels[i];
            label = last ? label_meet(m, last) : 0;
            if (last && !label)
                return DRUA_E_MEMORY;
        }
        pixels[i] = label;
    }
    return DRUA_OK;
}

drua_status label_block_compact(label_block *b)
{
    label_meeting m = {.room = 0};
    drua_status status = number_pixels(&m, b->pixels, pixels_of(b));
    b->count = m.count;
    b->rows = drua_alloc(((size_t)m.count + 1) * sizeof *b->rows);
    if (status == DRUA_OK && !b->rows)
        status = drua_fail_memory(m.count * sizeof *b->rows);
    for (uint32_t i = 0; i < m.room && status == DRUA_OK; i++)
        if (m.places[i])
            b->rows[m.places[i] - 1].number = m.numbers[i];
    label_meeting_free(&m);
    return status;
}

/* ---- measuring labels, slab by slab */

typedef struct measuring {
    label_block *block;
    const int64_t *extent;
    pthread_mutex_t lock; /* protects the block's count and rows */
} measuring;

static drua_status count_slab(void *payload, const label_slab *slab)
{
    measuring *m = payload;
    const int64_t width = block_side(m->block, 0);
    const uint32_t *pixels = m->block->pixels;
    uint32_t max = 0;
    for (int64_t i = slab->first * width; i < slab->end * width; i++)
        max = pixels[i] > max ? pixels[i] : max;
    pthread_mutex_lock(&m->lock);
    m->block->count = max > m->block->count ? max : m->block->count;
    pthread_mutex_unlock(&m->lock);
    return DRUA_OK;
}

static uint32_t sides_at(int64_t at, int64_t extent, int axis)
{
    return (uint32_t)((at == 0) | (at == extent - 1) << 1) << 2 * axis;
}

/* Rows of the labels in a slab, in the order in which the labels occur. */
typedef struct slab_rows {
    label_meeting met;
    label_row *rows;
    uint32_t room;
} slab_rows;

static drua_status add_run(slab_rows *s, uint32_t label, const label_row *run)
{
    const uint32_t place = label_meet(&s->met, label);
    if (!place)
        return DRUA_E_MEMORY;
    if (place > s->room) {
        const uint32_t room = 2 * s->room + 256;
        label_row *grown = drua_realloc(s->rows, room * sizeof *grown);
        if (!grown)
            return drua_fail_memory(room * sizeof *grown);
        for (uint32_t i = s->room; i < room; i++)
            grown[i] = (label_row){.first = UINT64_MAX};
        s->rows = grown;
        s->room = room;
    }
    label_row_add(&s->rows[place - 1], run);
    return DRUA_OK;
}

/* Adds runs of pixels with the same label instead of single pixels. */
static drua_status measure_row(const measuring *m, int64_t row, slab_rows *s)
{
    const label_block *b = m->block;
    const int64_t *extent = m->extent, count = block_side(b, 0), y = b->box.first[1] + row % block_side(b, 1),
                  z = b->box.first[2] + row / block_side(b, 1);
    const uint64_t first = (uint64_t)((z * extent[1] + y) * extent[0] + b->box.first[0]);
    const uint32_t sides = sides_at(y, extent[1], 1) | (extent[2] > 1 ? sides_at(z, extent[2], 2) : 0),
                   *pixels = b->pixels + row * count;
    for (int64_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && pixels[end] == pixels[i];)
            end++;
        if (pixels[i])
            DRUA_TRY(add_run(s, pixels[i],
                             &(label_row){.pixels = (uint64_t)(end - i),
                                          .first = first + (uint64_t)i,
                                          .sides = sides | sides_at(b->box.first[0] + i, extent[0], 0) |
                                                   sides_at(b->box.first[0] + end - 1, extent[0], 0)}));
    }
    return DRUA_OK;
}

static drua_status measure_slab(void *payload, const label_slab *slab)
{
    measuring *m = payload;
    slab_rows s = {.room = 0};
    drua_status status = DRUA_OK;
    for (int64_t row = slab->first; row < slab->end && status == DRUA_OK; row++)
        status = measure_row(m, row, &s);
    pthread_mutex_lock(&m->lock);
    for (uint32_t i = 0; i < s.met.room && status == DRUA_OK; i++)
        if (s.met.places[i])
            label_row_add(&m->block->rows[s.met.numbers[i] - 1], &s.rows[s.met.places[i] - 1]);
    pthread_mutex_unlock(&m->lock);
    label_meeting_free(&s.met);
    drua_free(s.rows);
    return status;
}

static drua_status measure_slabs(measuring *m)
{
    label_block *b = m->block;
    if (!b->rows)
        DRUA_TRY(label_slabs_each(&b->box, count_slab, m));
    if (!b->rows)
        b->rows = drua_alloc(((size_t)b->count + 1) * sizeof *b->rows);
    if (!b->rows)
        return drua_fail_memory(b->count * sizeof *b->rows);
    for (uint32_t i = 0; i < b->count; i++)
        b->rows[i].first = UINT64_MAX;
    return label_slabs_each(&b->box, measure_slab, m);
}

drua_status label_block_measure(label_block *b, const int64_t extent[3])
{
    measuring m = {.block = b, .extent = extent};
    pthread_mutex_init(&m.lock, NULL);
    const drua_status status = measure_slabs(&m);
    pthread_mutex_destroy(&m.lock);
    return status;
}

void label_block_free(label_block *b)
{
    drua_free(b->pixels);
    drua_free(b->rows);
    *b = (label_block){.pixels = NULL};
}

/* ---- files */

static void name_of(const char *folder, int64_t number, char path[LABELS_PATH])
{
    char name[40];
    snprintf(name, sizeof name, "block%" PRId64 ".labels", number);
    pass_file_path(folder, name, path);
}

static bool append_bytes(drua_bytes *bytes, const void *data, size_t length)
{
    if (bytes->length + length > bytes->capacity && !drua_bytes_reserve(bytes, 2 * bytes->capacity + length))
        return false;
    memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
    return true;
}

/* Appends the labels of a face as runs. */
static bool append_face(const label_block *b, int face, drua_bytes *bytes)
{
    const int axis = face / 2, fast = axis == 0, slow = axis == 2 ? 1 : 2;
    const int64_t steps[] = {1, block_side(b, 0), block_side(b, 0) * block_side(b, 1)},
                  start = face % 2 ? (block_side(b, axis) - 1) * steps[axis] : 0;
    uint32_t run[2] = {b->pixels[start], 0};
    bool good = true;
    for (int64_t v = 0; v < block_side(b, slow); v++)
        for (int64_t u = 0; u < block_side(b, fast); u++) {
            const uint32_t label = b->pixels[start + v * steps[slow] + u * steps[fast]];
            if (label != run[0] || run[1] == UINT32_MAX) {
                good = good && append_bytes(bytes, run, sizeof run);
                run[0] = label;
                run[1] = 0;
            }
            run[1]++;
        }
    return good && append_bytes(bytes, run, sizeof run);
}

drua_status label_block_write(const label_block *b, const char *folder, int64_t number, bool faces)
{
    head h = {.block = number, .count = b->count};
    drua_bytes bytes = {0};
    char path[LABELS_PATH];
    const size_t rows = b->count * sizeof *b->rows;
    memcpy(h.magic, MAGIC, sizeof h.magic);
    bool good = append_bytes(&bytes, &h, sizeof h) && append_bytes(&bytes, b->rows, rows);
    h.rows_sum = drua_crc32c(b->rows, rows);
    for (int i = 0; i < FACES && faces && good; i++) {
        h.at[i] = bytes.length;
        good = append_face(b, i, &bytes);
        h.bytes[i] = bytes.length - h.at[i];
        h.sums[i] = drua_crc32c(bytes.data + h.at[i], h.bytes[i]);
    }
    h.sum = drua_crc32c(&h, offsetof(head, sum));
    drua_status status = good ? DRUA_OK : drua_fail_memory(bytes.length);
    name_of(folder, number, path);
    errno = 0;
    if (good)
        memcpy(bytes.data, &h, sizeof h);
    if (good && !drua_file_replace_by(folder, path, bytes.data, bytes.length))
        status =
            drua_fail(DRUA_E_ARGUMENT, "'%.600s' cannot be written: %s; check the disk space", path, strerror(errno));
    drua_free(bytes.data);
    return status;
}

static drua_status fail_damaged_block(const char *path)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "the labels of a block in '%.600s' are damaged or missing; make the plan again with --anew", path);
}

/* Reads a part of a file; the caller frees its data. */
static drua_status read_part(const char *path, uint64_t at, uint64_t length, uint32_t sum, drua_bytes *bytes)
{
    *bytes = (drua_bytes){0};
    if (length == 0 || (drua_file_part(path, (int64_t)at, (size_t)length, bytes, NULL) == DRUA_FILE_PRESENT &&
                        bytes->length == length && drua_crc32c(bytes->data, length) == sum))
        return DRUA_OK;
    drua_free(bytes->data);
    bytes->data = NULL;
    return fail_damaged_block(path);
}

static drua_status read_head(const char *path, int64_t number, head *h)
{
    drua_bytes bytes = {0};
    bool good = drua_file_part(path, 0, sizeof *h, &bytes, NULL) == DRUA_FILE_PRESENT && bytes.length == sizeof *h;
    if (good)
        memcpy(h, bytes.data, sizeof *h);
    good = good && !memcmp(h->magic, MAGIC, sizeof h->magic) && h->sum == drua_crc32c(h, offsetof(head, sum)) &&
           h->block == number && h->count < UINT32_MAX;
    drua_free(bytes.data);
    return good ? DRUA_OK : fail_damaged_block(path);
}

drua_status label_block_read(const char *folder, int64_t number, label_row **rows, uint32_t *count)
{
    char path[LABELS_PATH];
    drua_bytes bytes;
    head h;
    name_of(folder, number, path);
    *rows = NULL;
    DRUA_TRY(read_head(path, number, &h));
    DRUA_TRY(read_part(path, sizeof h, h.count * sizeof **rows, h.rows_sum, &bytes));
    *rows = (label_row *)(void *)bytes.data;
    *count = (uint32_t)h.count;
    return DRUA_OK;
}

drua_status label_block_face(const char *folder, int64_t number, int axis, bool end, int64_t pixels, uint32_t *labels)
{
    char path[LABELS_PATH];
    drua_bytes bytes;
    head h;
    const int face = 2 * axis + end;
    int64_t filled = 0;
    name_of(folder, number, path);
    DRUA_TRY(read_head(path, number, &h));
    DRUA_TRY(read_part(path, h.at[face], h.bytes[face], h.sums[face], &bytes));
    for (size_t i = 0; i + 8 <= bytes.length && filled <= pixels; i += 8) {
        uint32_t run[2];
        memcpy(run, bytes.data + i, sizeof run);
        const bool fits = run[0] <= h.count && run[1] <= pixels - filled;
        for (uint32_t k = 0; k < run[1] && fits; k++)
            labels[filled++] = run[0];
        if (!fits)
            filled = pixels + 1;
    }
    drua_free(bytes.data);
    return filled == pixels ? DRUA_OK : fail_damaged_block(path);
}

void label_block_remove(const char *folder, int64_t number)
{
    char path[LABELS_PATH];
    name_of(folder, number, path);
    drua_file_remove(path);
}

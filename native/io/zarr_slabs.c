/* SPDX-License-Identifier: BSD-3-Clause */
#include "zarr_slabs.h"

#include "alloc.h"
#include "c_locale.h"
#include "zarr_image.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* A slab is larger than the 32 MB that a transfer has in flight, so these 32 MB lie in at most two slabs. */
enum { SLAB_BYTES = 64 << 20, BUFFERS = 2 };
static const size_t MAX_KEPT = (size_t)4 << 30;

struct drua_zarr_slabs {
    drua_zarr *zarr;                /* either the image to read or the image to write */
    drua_zarr_out *out;
    int level;
    drua_zarr_range range;
    int64_t slices, layer;          /* slices of a frame; slices of a layer of chunks */
    size_t plane_bytes;
    int64_t *starts, count; /* first plane of each slab, then the end of the last slab */
    unsigned char *buffers[BUFFERS];
    pthread_t thread;
    bool runs;
    pthread_mutex_t lock;           /* guards the following fields */
    pthread_cond_t changed;
    int64_t brought, taken;         /* numbers of slabs filled and slabs emptied */
    bool stop;
    drua_status failure;
    char sentence[1024];
};

/* ---- planes: a unit holds all channels of the slices of one layer, one channel's box after the other */

static int64_t unit_end(const drua_zarr_slabs *s, int64_t plane)
{
    const int64_t z = plane / s->range.channels % s->slices, at = s->range.box.first[2] + z;
    const int64_t left = s->layer - at % s->layer, more = left < s->slices - z ? left : s->slices - z;
    return plane + more * s->range.channels;
}

static int64_t unit_start(const drua_zarr_slabs *s, int64_t plane)
{
    const int64_t frame = plane / s->range.channels / s->slices, z = plane / s->range.channels % s->slices,
                  before = (s->range.box.first[2] + z) % s->layer;
    return (frame * s->slices + (before < z ? z - before : 0)) * s->range.channels;
}

static int64_t slab_of(const drua_zarr_slabs *s, int64_t plane)
{
    int64_t low = 0, high = s->count - 1;
    while (low < high) {
        const int64_t middle = (low + high + 1) / 2;
        if (s->starts[middle] <= plane)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static unsigned char *plane_at(const drua_zarr_slabs *s, int64_t plane)
{
    const int64_t slab = slab_of(s, plane), start = unit_start(s, plane),
                  slices = (unit_end(s, start) - start) / s->range.channels;
    const int64_t channel = plane % s->range.channels, slice = (plane - start) / s->range.channels;
    return s->buffers[slab % BUFFERS] + (size_t)(start - s->starts[slab] + channel * slices + slice) * s->plane_bytes;
}

static int64_t planes_of(const drua_zarr_slabs *s)
{
    return s->range.frames * s->slices * s->range.channels;
}

/* ---- the thread between slabs and files */

/* Makes the boxes of a slab in the order of its memory. */
static int64_t boxes_of(const drua_zarr_slabs *s, int64_t slab, drua_zarr_box *boxes)
{
    int64_t count = 0;
    for (int64_t plane = s->starts[slab], end; plane < s->starts[slab + 1]; plane = end) {
        end = unit_end(s, plane);
        for (int64_t c = 0; c < s->range.channels; c++) {
            drua_zarr_box box = s->range.box;
            box.channel = s->range.first_channel + c;
            box.frame = s->range.first_frame + plane / s->range.channels / s->slices;
            box.first[2] += plane / s->range.channels % s->slices;
            box.end[2] = box.first[2] + (end - plane) / s->range.channels;
            boxes[count++] = box;
        }
    }
    return count;
}

static drua_status move_boxes(const drua_zarr_slabs *s, const drua_zarr_box *boxes, int64_t count,
                              unsigned char *pixels)
{
    if (s->zarr)
        return drua_zarr_read_boxes(s->zarr, boxes, count, pixels);
    for (int64_t i = 0; i < count; i++) {
        DRUA_TRY(drua_zarr_write(s->out, s->level, &boxes[i], pixels));
        pixels += (size_t)(boxes[i].end[2] - boxes[i].first[2]) * s->plane_bytes;
    }
    return DRUA_OK;
}

static drua_status move_slab(const drua_zarr_slabs *s, int64_t slab)
{
    drua_zarr_box *boxes = drua_alloc((size_t)(s->starts[slab + 1] - s->starts[slab]) * sizeof *boxes);
    if (!boxes)
        return drua_fail_memory((size_t)(s->starts[slab + 1] - s->starts[slab]) * sizeof *boxes);
    const drua_status status = move_boxes(s, boxes, boxes_of(s, slab, boxes), s->buffers[slab % BUFFERS]);
    drua_free(boxes);
    return status;
}

/* Waits until the slab is empty (when reading) or full (when writing). */
static bool wait_for(drua_zarr_slabs *s, int64_t slab)
{
    pthread_mutex_lock(&s->lock);
    while (!s->stop && (s->zarr ? slab >= s->taken + BUFFERS : slab >= s->brought))
        pthread_cond_wait(&s->changed, &s->lock);
    const bool go = !s->stop;
    pthread_mutex_unlock(&s->lock);
    return go;
}

static void done_with(drua_zarr_slabs *s, int64_t slab, drua_status status)
{
    pthread_mutex_lock(&s->lock);
    if (status != DRUA_OK) {
        s->failure = status;
        snprintf(s->sentence, sizeof s->sentence, "%s", drua_error_text());
        s->stop = true;
    } else if (s->zarr)
        s->brought = slab + 1;
    else
        s->taken = slab + 1;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static void *move_slabs(void *payload)
{
    drua_zarr_slabs *s = payload;
    drua_locale_enter();
    for (int64_t slab = 0; slab < s->count && wait_for(s, slab); slab++)
        done_with(s, slab, move_slab(s, slab));
    drua_locale_leave();
    return NULL;
}

/* ---- open */

/* Divides the planes into slabs at layers of chunks; thin layers share a slab. */
static drua_status cut_into_slabs(drua_zarr_slabs *s)
{
    const int64_t planes = planes_of(s);
    int64_t largest = 0;
    s->starts = drua_alloc((size_t)(planes + 1) * sizeof *s->starts);
    if (!s->starts)
        return drua_fail_memory((size_t)(planes + 1) * sizeof *s->starts);
    for (int64_t plane = 0, end; plane < planes; plane = end) {
        end = unit_end(s, plane);
        while (end < planes && (size_t)(unit_end(s, end) - plane) * s->plane_bytes <= SLAB_BYTES)
            end = unit_end(s, end);
        largest = end - plane > largest ? end - plane : largest;
        s->starts[++s->count] = end;
    }
    for (int i = 0; i < BUFFERS && i < s->count; i++)
        if (!(s->buffers[i] = drua_alloc((size_t)largest * s->plane_bytes)))
            return drua_fail_memory((size_t)largest * s->plane_bytes);
    return DRUA_OK;
}

static drua_status start_slabs(const drua_zarr_slabs *request, const drua_zarr_metadata *metadata,
                               drua_zarr_slabs **out)
{
    drua_zarr_slabs *s = *out = drua_alloc(sizeof *s);
    const drua_zarr_box *box = &request->range.box;
    if (!s)
        return drua_fail_memory(sizeof *s);
    *s = *request;
    s->slices = box->end[2] - box->first[2];
    s->layer = metadata->file.depth;
    s->plane_bytes = (size_t)((box->end[0] - box->first[0]) * (box->end[1] - box->first[1])) *
                     drua_chunked_pixel_bytes(metadata->type);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    drua_status status = cut_into_slabs(s);
    if (status == DRUA_OK) {
        s->runs = pthread_create(&s->thread, NULL, move_slabs, s) == 0;
        status = s->runs ? DRUA_OK : drua_fail_memory(sizeof s->thread);
    }
    if (status == DRUA_OK)
        return DRUA_OK;
    *out = NULL;
    return drua_zarr_slabs_close(s, status);
}

drua_status drua_zarr_slabs_read(drua_zarr *zarr, const drua_zarr_range *range, drua_zarr_slabs **slabs)
{
    drua_zarr_metadata metadata = *drua_zarr_metadata_of(zarr);
    const drua_zarr_slabs request = {.zarr = zarr, .range = *range};
    const size_t shared = drua_zarr_shared_bytes(zarr);
    metadata.file = metadata.chunk;
    if (shared)
        drua_zarr_set_cache(zarr, shared < MAX_KEPT ? shared : MAX_KEPT);
    return start_slabs(&request, &metadata, slabs);
}

drua_status drua_zarr_slabs_write(drua_zarr_out *out, int level, const drua_zarr_range *range, drua_zarr_slabs **slabs)
{
    const drua_zarr_slabs request = {.out = out, .level = level, .range = *range};
    return start_slabs(&request, drua_zarr_out_metadata(out, level), slabs);
}

drua_zarr_range drua_zarr_all(const drua_zarr_metadata *f)
{
    return (drua_zarr_range){
        .channels = f->channels, .frames = f->frames, .box.end = {f->shape.width, f->shape.height, f->shape.depth}};
}

/* ---- planes */

int drua_zarr_slabs_prepare(void *payload, size_t first, size_t last)
{
    drua_zarr_slabs *s = payload;
    const int64_t done = slab_of(s, (int64_t)first), wanted = slab_of(s, (int64_t)last);
    pthread_mutex_lock(&s->lock);
    if (s->zarr)
        s->taken = done > s->taken ? done : s->taken;
    else
        s->brought = done > s->brought ? done : s->brought;
    pthread_cond_broadcast(&s->changed);
    while (!s->stop && (s->zarr ? wanted >= s->brought : wanted >= s->taken + BUFFERS))
        pthread_cond_wait(&s->changed, &s->lock);
    const bool ready = !s->stop || (s->zarr && wanted < s->brought);
    pthread_mutex_unlock(&s->lock);
    return ready;
}

void drua_zarr_slabs_copy(void *payload, size_t plane, size_t inside, void *memory, size_t bytes)
{
    const drua_zarr_slabs *s = payload;
    unsigned char *pixels = plane_at(s, (int64_t)plane) + inside;
    memcpy(s->zarr ? memory : pixels, s->zarr ? (const void *)pixels : memory, bytes);
}

drua_status drua_zarr_slabs_close(drua_zarr_slabs *s, drua_status status)
{
    pthread_mutex_lock(&s->lock);
    s->stop |= s->zarr || status != DRUA_OK;
    s->brought = s->out ? s->count : s->brought;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    if (s->runs)
        pthread_join(s->thread, NULL);
    if (s->failure != DRUA_OK && (s->out || status != DRUA_OK))
        status = drua_fail(s->failure, "%s", s->sentence);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    for (int i = 0; i < BUFFERS; i++)
        drua_free(s->buffers[i]);
    drua_free(s->starts);
    drua_free(s);
    return status;
}

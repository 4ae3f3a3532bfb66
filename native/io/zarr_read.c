/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads boxes of pixels from chunks. */
#include "zarr_image.h"

#include "alloc.h"
#include "parallel.h"

#include <string.h>

typedef struct reading {
    drua_zarr *zarr;
    const drua_zarr_box *boxes;
    const int64_t *items;       /* for each box: the number of its first chunk */
    int64_t count;
    unsigned char *pixels;
    const int64_t *places;      /* for each box: the offset of its pixels */
    drua_chunk_work *work;      /* one per worker */
} reading;

static int64_t number_of(const drua_chunked *a, const int64_t *index)
{
    int64_t number = 0;
    for (int d = 0; d < a->dimensions; d++)
        number = number * ((a->extent[d] + a->chunk[d] - 1) / a->chunk[d]) + index[d];
    return number;
}

static drua_status read_chunk(void *payload, int worker, int64_t item)
{
    reading *r = payload;
    const drua_chunked *a = &r->zarr->array;
    int64_t box = 0, from[DRUA_AXES], counts[DRUA_AXES], index[DRUA_AXES];
    while (box + 1 < r->count && r->items[box + 1] <= item)
        box++;
    drua_box_grid(a, a->chunk, &r->boxes[box], from, counts);
    drua_grid_index(a, from, counts, item - r->items[box], index);
    drua_chunk_work *w = &r->work[worker];
    if (!w->chunk)
        DRUA_TRY(drua_chunk_work_open(a, w));
    bool missing = true;
    const int64_t number = number_of(a, index);
    unsigned char *kept = r->zarr->kept ? drua_chunk_cache_take(r->zarr->kept, number, &missing) : NULL,
                  *chunk = kept ? kept : w->chunk;
    const drua_status status = missing ? drua_chunk_read(r->zarr, index, w, chunk) : DRUA_OK;
    if (kept && missing)
        drua_chunk_cache_put(r->zarr->kept, number, status);
    if (status == DRUA_OK)
        drua_chunk_copy(a, &r->boxes[box], index, chunk, r->pixels + (size_t)r->places[box] * a->pixel_bytes, false);
    if (kept && status == DRUA_OK)
        drua_chunk_cache_release(r->zarr->kept, number);
    return status;
}

/* ---- boxes */

static int64_t pixels_of(const drua_zarr_box *b)
{
    return (b->end[0] - b->first[0]) * (b->end[1] - b->first[1]) * (b->end[2] - b->first[2]);
}

drua_status drua_zarr_read_boxes(drua_zarr *z, const drua_zarr_box *boxes, int64_t count, void *pixels)
{
    int64_t *numbers = drua_alloc(2 * (size_t)(count + 1) * sizeof *numbers), *items = numbers,
            *places = numbers + count + 1, from[DRUA_AXES], counts[DRUA_AXES];
    if (!numbers)
        return drua_fail_memory(2 * (size_t)(count + 1) * sizeof *numbers);
    drua_status status = DRUA_OK;
    for (int64_t i = 0; i < count && status == DRUA_OK; i++) {
        if (!drua_box_is_inside(&z->metadata, &boxes[i]))
            status = drua_chunked_fail(&z->array, "the box to read must lie inside the image");
        items[i + 1] = items[i] + drua_box_grid(&z->array, z->array.chunk, &boxes[i], from, counts);
        places[i + 1] = places[i] + pixels_of(&boxes[i]);
    }
    const int workers = drua_parallel_workers(items[count]);
    drua_chunk_work *work = status == DRUA_OK ? drua_alloc((size_t)workers * sizeof *work) : NULL;
    reading r = {z, boxes, items, count, pixels, places, work};
    if (status == DRUA_OK)
        status = work ? drua_parallel(items[count], read_chunk, &r) : drua_fail_memory((size_t)workers * sizeof *work);
    for (int i = 0; work && i < workers; i++)
        drua_chunk_work_close(&work[i]);
    drua_free(work);
    drua_free(numbers);
    return status;
}

drua_status drua_zarr_read(drua_zarr *z, const drua_zarr_box *box, void *pixels)
{
    return drua_zarr_read_boxes(z, box, 1, pixels);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts boxes of pixels to the grid of chunks. */
#include "zarr_image.h"

#include <string.h>

/* Gives the range of a box along a dimension. */
static void box_range(const drua_chunked *a, const drua_zarr_box *box, int d, int64_t *first, int64_t *end)
{
    const drua_axis axis = a->axis[d];
    if (axis == DRUA_AXIS_T || axis == DRUA_AXIS_C) {
        *first = axis == DRUA_AXIS_T ? box->frame : box->channel;
        *end = *first + 1;
    } else {
        *first = box->first[DRUA_AXIS_X - axis];
        *end = box->end[DRUA_AXIS_X - axis];
    }
}

int64_t drua_box_grid(const drua_chunked *a, const int64_t *step, const drua_zarr_box *box, int64_t *from,
                      int64_t *counts)
{
    int64_t all = 1;
    for (int d = 0; d < a->dimensions; d++) {
        int64_t first, end;
        box_range(a, box, d, &first, &end);
        from[d] = first / step[d];
        counts[d] = (end - 1) / step[d] - from[d] + 1;
        all *= counts[d];
    }
    return all;
}

void drua_grid_index(const drua_chunked *a, const int64_t *from, const int64_t *counts, int64_t item, int64_t *index)
{
    for (int d = a->dimensions - 1; d >= 0; d--) {
        index[d] = from[d] + item % counts[d];
        item /= counts[d];
    }
}

bool drua_box_is_inside(const drua_zarr_metadata *f, const drua_zarr_box *b)
{
    bool inside = b->channel >= 0 && b->channel < f->channels && b->frame >= 0 && b->frame < f->frames;
    for (int k = 0; k < 3; k++)
        inside &= b->first[k] >= 0 && b->first[k] < b->end[k] && b->end[k] <= f->shape.extent[k];
    return inside;
}

/* Copies a row of the box, whose pixels have the stride `stride` in the chunk. */
static void copy_row(unsigned char *row, unsigned char *chunk, int64_t count, int64_t stride, size_t bytes,
                     bool into_chunk)
{
    const size_t length = stride == 1 ? (size_t)count * bytes : bytes;
    for (int64_t i = 0; i < (stride == 1 ? 1 : count); i++) {
        unsigned char *in_chunk = chunk + (size_t)(i * stride) * bytes, *in_row = row + (size_t)i * bytes;
        memcpy(into_chunk ? in_chunk : in_row, into_chunk ? in_row : in_chunk, length);
    }
}

void drua_chunk_copy(const drua_chunked *a, const drua_zarr_box *box, const int64_t *index, unsigned char *chunk,
                     unsigned char *pixels, bool into_chunk)
{
    int64_t strides[DRUA_AXES], at = 0, low[3] = {0}, high[3] = {1, 1, 1}, step[3] = {0};
    const int64_t width = box->end[0] - box->first[0], plane = width * (box->end[1] - box->first[1]);
    drua_chunked_strides(a, a->chunk, strides);
    for (int d = 0; d < a->dimensions; d++) {
        const int64_t origin = index[d] * a->chunk[d];
        int64_t first, end;
        box_range(a, box, d, &first, &end);
        const int64_t from = first > origin ? first : origin,
                      to = end < origin + a->chunk[d] ? end : origin + a->chunk[d];
        at += (from - origin) * strides[d];
        if (a->axis[d] >= DRUA_AXIS_Z) {
            const int k = DRUA_AXIS_X - a->axis[d];
            low[k] = from - first;
            high[k] = to - first;
            step[k] = strides[d];
        }
    }
    for (int64_t z = low[2]; z < high[2]; z++)
        for (int64_t y = low[1]; y < high[1]; y++) {
            const int64_t in_box = z * plane + y * width + low[0],
                          in_chunk = at + (z - low[2]) * step[2] + (y - low[1]) * step[1];
            copy_row(pixels + (size_t)in_box * a->pixel_bytes, chunk + (size_t)in_chunk * a->pixel_bytes,
                     high[0] - low[0], step[0], a->pixel_bytes, into_chunk);
        }
}

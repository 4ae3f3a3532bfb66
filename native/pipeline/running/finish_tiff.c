/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a TIFF as output: the blocks go to a temporary image in chunks beside it, and the TIFF is written from that
 * image at the end.
 */
#include "finish_tiff.h"
#include "job_outputs.h"

#include "alloc.h"
#include "error.h"
#include "file.h"
#include "new_file.h"
#include "write_behind.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Returns the number of slices to read at once: whole chunks of all channels, limited by a part of the memory. */
static int64_t slices_at_once(const drua_zarr_metadata *f, size_t plane)
{
    const uint64_t max = (uint64_t)1 << 31, planes = max / plane / (uint64_t)f->channels;
    const int64_t chunk = f->file.depth < f->shape.depth ? f->file.depth : f->shape.depth;
    return planes < 1 ? 1 : (int64_t)planes < chunk ? (int64_t)planes : chunk;
}

typedef struct copying {
    drua_zarr *from;
    const drua_zarr_metadata *facts;
    drua_write_behind *to;
    size_t plane;
    int64_t slices, page;
    char *pixels;
} copying;

/* Copies slices from `first` on, of all channels, in ImageJ's order. */
static drua_status copy_slices(copying *c, int64_t frame, int64_t first)
{
    const drua_zarr_metadata *f = c->facts;
    const int64_t end = first + c->slices < f->shape.depth ? first + c->slices : f->shape.depth, count = end - first;
    for (int64_t channel = 0; channel < f->channels; channel++) {
        const drua_zarr_box box = {channel, frame, {0, 0, first}, {f->shape.width, f->shape.height, end}};
        DRUA_TRY(drua_zarr_read(c->from, &box, c->pixels + (size_t)(channel * count) * c->plane));
    }
    for (int64_t i = 0; i < count * f->channels; i++, c->page++) {
        const size_t page = (size_t)c->page;
        if (!drua_write_behind_prepare(c->to, page, page))
            return drua_fail(DRUA_E_ARGUMENT, "the file cannot be written");
        drua_write_behind_copy(c->to, page, 0,
                               c->pixels + (size_t)(i % f->channels * count + i / f->channels) * c->plane, c->plane);
    }
    return DRUA_OK;
}

static drua_status copy_all(copying *c)
{
    drua_status status = DRUA_OK;
    for (int64_t frame = 0; frame < c->facts->frames; frame++)
        for (int64_t first = 0; first < c->facts->shape.depth && status == DRUA_OK; first += c->slices)
            status = copy_slices(c, frame, first);
    return status;
}

/* The unfinished TIFF lies in the folder of chunks, which belongs to the plan. */
static drua_status write_tiff(const job *j, const char *chunks, drua_zarr *zarr)
{
    copying c = {.from = zarr, .facts = drua_zarr_metadata_of(zarr)};
    const drua_shape s = c.facts->shape, pages = {s.width, s.height, s.depth * c.facts->channels * c.facts->frames, 3};
    drua_tiff_out *out;
    drua_text text = {0};
    c.plane = (size_t)(s.width * s.height) * drua_type_size(c.facts->type);
    c.slices = slices_at_once(c.facts, c.plane);
    c.pixels = drua_alloc(c.plane * (size_t)(c.slices * c.facts->channels));
    if (!c.pixels)
        return drua_fail_memory(c.plane * (size_t)(c.slices * c.facts->channels));
    drua_zarr_describe(zarr, NULL, &text);
    drua_text_add(&text, "channels=%" PRId64 "\nslices=%" PRId64 "\nframes=%" PRId64 "\n", c.facts->channels, s.depth,
                  c.facts->frames);
    if (c.facts->labels)
        drua_text_add(&text, "labelMap=1\n");
    drua_status status = text.failed ? drua_fail_memory(text.length) : DRUA_OK;
    if (status == DRUA_OK)
        status = drua_tiff_create(j->text.output, pages, c.facts->type, drua_text_characters(&text),
                                  *j->text.compression ? j->text.compression : NULL, chunks, &out);
    if (status == DRUA_OK)
        status = drua_write_behind_open(out, c.plane, &c.to);
    if (status == DRUA_OK)
        status = drua_write_behind_close(c.to, copy_all(&c));
    drua_text_free(&text);
    drua_free(c.pixels);
    return status;
}

/*
 * Marks the TIFF as this plan's by a file in the folder of chunks, so that finishing can resume after an interruption.
 */
static drua_status claim_name(const job *j, const char *chunks)
{
    static const char MARK[] = "tiff.writing";
    char mark[JOB_PATH + sizeof MARK];
    drua_file_info info;
    snprintf(mark, sizeof mark, "%s/%s", chunks, MARK);
    if (!j->text.replaces && !drua_file_is_ordinary(mark) && drua_file_stat(j->text.output, &info))
        return drua_fail(
            DRUA_E_ARGUMENT,
            "'%.600s' already exists, and this plan did not begin it; move it away, then finish the plan again",
            j->text.output);
    return drua_file_replace_by(chunks, mark, "", 0)
               ? DRUA_OK
               : drua_fail(DRUA_E_ARGUMENT,
                           "'%.600s' cannot be written; check the disk space and whether the folder is write-protected",
                           mark);
}

drua_status finish_tiff_write(const job *j)
{
    char path[JOB_PATH];
    drua_zarr *zarr;
    job_output_path(j, 0, path);
    if (!drua_file_is_folder(path))
        return DRUA_OK;
    DRUA_TRY(claim_name(j, path));
    drua_new_file_remove_abandoned(path);
    DRUA_TRY(drua_zarr_open(path, 0, &zarr));
    drua_zarr_expect_all(zarr);
    const drua_status status = write_tiff(j, path, zarr);
    drua_zarr_close(zarr);
    return status;
}

drua_status finish_tiff_clean(const job *j)
{
    char path[JOB_PATH];
    job_output_path(j, 0, path);
    return drua_zarr_remove(path);
}

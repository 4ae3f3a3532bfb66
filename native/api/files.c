/* SPDX-License-Identifier: BSD-3-Clause */
/* Files to images and back, a few pages at a time. */
#include "context.h"

#include "alloc.h"
#include "error.h"
#include "read_ahead.h"
#include "write_behind.h"

#include <string.h>

static drua_status read_tiff(drua_context *context, const char *path, int64_t channel, int64_t frame, drua_image *image)
{
    drua_tiff *tiff;
    DRUA_TRY(drua_tiff_open(path, channel, frame, &tiff));
    const drua_shape shape = drua_tiff_shape(tiff);
    drua_text text = {0};
    drua_read_ahead *pages;
    drua_status status = drua_go_on(context);
    if (status == DRUA_OK)
        status = drua_read_ahead_open(tiff, &pages);
    if (status == DRUA_OK) {
        const drua_stream stream = {drua_read_ahead_prepare, drua_read_ahead_copy, pages};
        status = drua_read_ahead_close(pages, drua_push_stream(context, shape, drua_tiff_type(tiff), &stream, image));
    }
    if (status == DRUA_OK) {
        drua_tiff_describe(tiff, &text);
        status = text.failed ? drua_fail_memory(text.length) : drua_set_metadata(context, *image, drua_text_characters(&text));
        if (status != DRUA_OK)
            drua_release(context, *image);
    }
    drua_text_free(&text);
    drua_tiff_close(tiff);
    return status;
}

static drua_status write_tiff(drua_context *context, drua_image image, const char *path, const char *compression)
{
    drua_image_info info;
    const char *text;
    drua_tiff_out *out;
    drua_write_behind *sheets;
    DRUA_TRY(drua_get_info(context, image, &info));
    DRUA_TRY(drua_get_metadata(context, image, &text));
    char *copy = drua_copy_text(text);
    drua_status status = copy ? drua_tiff_create(path, info.shape, info.type, copy, compression, &out) : drua_fail_memory(strlen(text));
    if (status == DRUA_OK)
        status = drua_write_behind_open(out, (size_t)(info.bytes / (uint64_t)info.shape.depth), &sheets);
    if (status == DRUA_OK) {
        const drua_stream stream = {drua_write_behind_prepare, drua_write_behind_copy, sheets};
        status = drua_write_behind_close(sheets, drua_pull_stream(context, image, &stream));
    }
    drua_free(copy);
    return status;
}

drua_status drua_read_tiff(drua_context *context, const char *path, int64_t channel, int64_t frame, drua_image *image)
{
    drua_begin(context);
    const drua_status status = read_tiff(context, path, channel, frame, image);
    drua_end();
    return status;
}

drua_status drua_write_tiff(drua_context *context, drua_image image, const char *path, const char *compression)
{
    drua_begin(context);
    const drua_status status = write_tiff(context, image, path, compression);
    drua_end();
    return status;
}

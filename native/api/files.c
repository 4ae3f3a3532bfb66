/* SPDX-License-Identifier: BSD-3-Clause */
/* Files to images and back, through host memory of the engine's own. */
#include "context.h"

#include "alloc.h"
#include "c_locale.h"
#include "error.h"
#include "pages.h"

#include <string.h>

/* Dense planes in one block; NULL without memory. */
static void **make_planes(drua_shape shape, drua_type type)
{
    const size_t bytes = (size_t)shape.width * (size_t)shape.height * drua_type_size(type), list = (size_t)shape.depth * sizeof(void *);
    void **planes = drua_alloc(list);
    char *pixels = planes ? drua_alloc(bytes * (size_t)shape.depth) : NULL;
    for (int64_t z = 0; pixels && z < shape.depth; z++)
        planes[z] = pixels + (size_t)z * bytes;
    if (!pixels) {
        drua_free(planes);
        drua_fail_memory(bytes * (size_t)shape.depth);
        return NULL;
    }
    return planes;
}

static void free_planes(void **planes)
{
    if (planes)
        drua_free(planes[0]);
    drua_free(planes);
}

static drua_status read_tiff(drua_context *context, const char *path, int64_t channel, int64_t frame, drua_image *image)
{
    drua_tiff *tiff;
    DRUA_TRY(drua_tiff_open(path, channel, frame, &tiff));
    const drua_shape shape = drua_tiff_shape(tiff);
    drua_text text = {0};
    drua_pages *pages;
    drua_status status = drua_pages_open(tiff, &pages);
    if (status == DRUA_OK) {
        const drua_stream stream = {drua_pages_prepare, drua_pages_copy, pages};
        status = drua_pages_close(pages, drua_push_stream(context, shape, drua_tiff_type(tiff), &stream, image));
    }
    if (status == DRUA_OK) {
        drua_tiff_describe(tiff, &text);
        status = drua_set_metadata(context, *image, drua_text_characters(&text));
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
    DRUA_TRY(drua_get_info(context, image, &info));
    DRUA_TRY(drua_get_metadata(context, image, &text));
    char *copy = drua_copy_text(text);
    void **planes = copy ? make_planes(info.shape, info.type) : NULL;
    drua_status status = copy ? DRUA_OK : drua_fail_memory(strlen(text));
    if (status == DRUA_OK)
        status = planes ? drua_pull_planes(context, image, planes) : DRUA_E_MEMORY;
    if (status == DRUA_OK)
        status = drua_tiff_write(path, info.shape, info.type, (const void *const *)planes, copy, compression);
    free_planes(planes);
    drua_free(copy);
    return status;
}

drua_status drua_read_tiff(drua_context *context, const char *path, int64_t channel, int64_t frame, drua_image *image)
{
    drua_locale_enter();
    const drua_status status = read_tiff(context, path, channel, frame, image);
    drua_locale_leave();
    return status;
}

drua_status drua_write_tiff(drua_context *context, drua_image image, const char *path, const char *compression)
{
    drua_locale_enter();
    const drua_status status = write_tiff(context, image, path, compression);
    drua_locale_leave();
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that may be larger than host memory are read some frames at a time. */
#include "call_parts.h"
#include "plan_files.h"

#include "error.h"
#include "image_file.h"

/* If the operation did not choose a part of the file, opens all frames, which must be grey and complete. */
static void open_frames(drua_plan *plan, const char *path)
{
    enum { FIRST_CHANNEL = 1, ALL_FRAMES = 0 };
    const char *name = plan_text(plan, path);
    plan_open_file(plan, path, FIRST_CHANNEL, ALL_FRAMES);
    if (plan->file && drua_image_file_has_colours(plan->file))
        plan_fail(plan, "%s must be a file of grey values, got '%s', which has colours; convert it to 8, 16 or 32 bits",
                  path, name);
    if (plan->file && drua_image_file_other_series(plan->file))
        plan_fail(plan, "%s must be a file with one image, and '%s' holds several images (series); save one as a file",
                  path, name);
    if (plan->file && drua_image_file_missing(plan->file) > 0) {
        drua_text message = {0};
        drua_image_file_describe_missing(plan->file, &message);
        plan_fail(plan, "%s must be a whole file: %s; copy or save it again", path, drua_text_characters(&message));
        drua_text_free(&message);
    }
}

static drua_image_file *file_of(drua_plan *plan, const char *path)
{
    if (!plan->file)
        open_frames(plan, path);
    return plan->status == DRUA_OK ? plan->file : NULL;
}

drua_shape plan_file_shape(drua_plan *plan, const char *path)
{
    const drua_image_file *file = file_of(plan, path);
    return file ? drua_image_file_shape(file) : (drua_shape){1, 1, 1, 2};
}

drua_type plan_file_type(drua_plan *plan, const char *path)
{
    const drua_image_file *file = file_of(plan, path);
    return file ? drua_image_file_type(file) : DRUA_UINT8;
}

drua_status plan_close_pages(drua_plan *plan, drua_status status)
{
    if (plan->pages)
        status = drua_file_planes_close(plan->pages, status);
    plan->pages = NULL;
    return status;
}

/* Pages from `first` on; the first `before` bytes of each page are left out. */
typedef struct part {
    drua_file_planes *pages;
    size_t first, before;
} part;

static int prepare_planes(void *payload, size_t first, size_t last)
{
    const part *p = payload;
    return drua_file_planes_prepare(p->pages, p->first + first, p->first + last);
}

static void copy_slice(void *payload, size_t z, size_t inside, void *memory, size_t bytes)
{
    const part *p = payload;
    drua_file_planes_copy(p->pages, p->first + z, p->before + inside, memory, bytes);
}

/*
 * Uploads frames. If frames are requested in order, they are read ahead while the device works; an earlier frame
 * restarts reading ahead.
 */
static drua_status upload_frames(drua_plan *plan, drua_image_file *file, int64_t first, size_t before, drua_view frames)
{
    if (plan->pages && first < plan->next_page)
        DRUA_TRY(plan_close_pages(plan, DRUA_OK));
    if (!plan->pages)
        DRUA_TRY(drua_file_planes_open(file, (size_t)first, &plan->pages));
    part p = {plan->pages, (size_t)first, before};
    drua_planes planes = {.prepare = prepare_planes, .copy = copy_slice, .payload = &p};
    drua_status status = drua_device_upload_from(plan->engine->device, frames, &planes);
    plan->next_page = first + frames.layout.depth;
    return status == DRUA_OK ? status : plan_close_pages(plan, status);
}

drua_view plan_file_rows(drua_plan *plan, const char *path, int64_t first, int32_t count, int64_t row, int32_t rows)
{
    drua_image_file *file = file_of(plan, path);
    const drua_type type = plan_file_type(plan, path);
    drua_shape shape = plan_file_shape(plan, path);
    shape.height = rows;
    shape.depth = count;
    const drua_view frames = plan_scratch(plan, shape, type);
    if (plan->status == DRUA_OK)
        plan_try(plan, upload_frames(plan, file, first, (size_t)(row * shape.width) * drua_type_size(type), frames));
    return frames;
}

drua_view plan_file_frames(drua_plan *plan, const char *path, int64_t first, int32_t count)
{
    return plan_file_rows(plan, path, first, count, 0, (int32_t)plan_file_shape(plan, path).height);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes images as OME-Zarr: all pixels unchanged, then each smaller level, computed on the device from the next larger
 * one.
 */
#include "call_parts.h"
#include "plan_files.h"

#include "error.h"
#include "image_file.h"
#include "imagej.h"
#include "zarr.h"
#include "zarr_slabs.h"

#include <stdlib.h>
#include <string.h>

/* ---- metadata */

static double number_of(const char *text, const char *key, double otherwise)
{
    char value[64];
    const double number = drua_imagej_find(text, key, value, sizeof value) ? atof(value) : otherwise;
    return number > 0 && isfinite(number) ? number : otherwise;
}

static bool is_count(double number)
{
    return number >= 1 && number == floor(number);
}

/*
 * Returns the metadata of the file. The slices are divided among channels and frames, in ImageJ's order, if the text
 * states their numbers and these fit the number of slices.
 */
static drua_zarr_metadata metadata_of(const drua_value *value, const char *text)
{
    const drua_shape s = value->shape;
    drua_zarr_metadata f = {.shape = s,
                            .channels = 1,
                            .frames = 1,
                            .type = value->type,
                            .frame_interval = number_of(text, "frameInterval", 0)};
    const double channels = number_of(text, "channels", 1), slices = number_of(text, "slices", 1),
                 frames = number_of(text, "frames", 1);
    const bool are_counts = is_count(channels) && is_count(slices) && is_count(frames);
    if (are_counts && channels * slices * frames == (double)s.depth && channels * frames > 1) {
        f.channels = (int64_t)channels;
        f.frames = (int64_t)frames;
        f.shape.depth = (int64_t)slices;
        f.shape.dimension = slices > 1 ? 3 : 2;
    }
    f.scale[0] = number_of(text, "pixelWidth", 1);
    f.scale[1] = number_of(text, "pixelHeight", 1);
    f.scale[2] = number_of(text, "pixelDepth", 1);
    if (!drua_imagej_find(text, "unit", f.unit, sizeof f.unit) || !strncmp(f.unit, "pixel", 5))
        f.unit[0] = 0;
    return f;
}

static void read_extents(drua_plan *plan, const char *options, const char *name, int64_t to[3])
{
    double numbers[3] = {0};
    plan_setting_numbers(plan, options, name, numbers);
    for (int k = 0; k < 3; k++)
        to[k] = (int64_t)numbers[k];
}

static drua_zarr_options options_of(drua_plan *plan, const char *options, const char *compression)
{
    static const char *const compressions[] = {DRUA_CHUNK_COMPRESSIONS};
    drua_zarr_options o = {.compression = compression, .replaces = true}; /* as ImageJ's saveAs does */
    if (!options)
        return o;
    o.version = plan_setting(plan, options, "version") == 0 ? 4 : 5;
    o.compression = compressions[(int)plan_setting(plan, options, "compression")];
    o.levels = (int)plan_setting(plan, options, "levels");
    o.labels = plan_setting(plan, options, "labels") != 0;
    read_extents(plan, options, "chunk", o.chunk);
    read_extents(plan, options, "shard", o.shard);
    return o;
}

/* ---- pixels */

static drua_status write_planes(drua_engine *engine, drua_value *value, drua_zarr_out *out, int level,
                                const drua_zarr_range *range)
{
    drua_zarr_slabs *slabs;
    DRUA_TRY(drua_zarr_slabs_write(out, level, range, &slabs));
    drua_planes planes = {
        .prepare = drua_zarr_slabs_prepare, .copy = drua_zarr_slabs_copy, .payload = slabs, .lock = engine->lock};
    const drua_status status = drua_value_download(engine, value, &planes);
    return drua_zarr_slabs_close(slabs, status);
}

/* The slices of one channel and frame. */
static drua_operand stack_of(drua_plan *plan, drua_value *value, const drua_zarr_metadata *f, int64_t channel,
                             int64_t frame)
{
    const double depth = (double)(f->shape.depth * f->channels);
    drua_operand image = {.image = value};
    if (f->frames > 1)
        image = CALL(plan, "crop", DRUA_NO_TYPE, image, NUMBER(0), NUMBER(0), NUMBER((double)frame * depth),
                     NUMBER((double)f->shape.width), NUMBER((double)f->shape.height), NUMBER(depth));
    return f->channels > 1
               ? CALL(plan, "reduce_stack", DRUA_NO_TYPE, image, NUMBER((double)f->channels), NUMBER((double)channel))
               : image;
}

static void write_levels(drua_plan *plan, drua_value *value, drua_zarr_out *out, int64_t channel, int64_t frame)
{
    const drua_zarr_metadata *above = drua_zarr_out_metadata(out, 0);
    const int levels = above->levels;
    drua_operand image = levels > 1 ? stack_of(plan, value, above, channel, frame) : (drua_operand){0};
    for (int level = 1; level < levels && plan->status == DRUA_OK; level++) {
        const drua_zarr_metadata *f = drua_zarr_out_metadata(out, level);
        double factor[3];
        for (int k = 0; k < 3; k++)
            factor[k] = f->shape.extent[k] < above->shape.extent[k] ? 2 : 1;
        drua_operand smaller = CALL(plan, f->labels ? "bin_mode" : "bin_mean", DRUA_NO_TYPE, image, NUMBER(factor[0]),
                                    NUMBER(factor[1]), NUMBER(factor[2]));
        plan_release_image(plan, image);
        drua_zarr_range range = drua_zarr_all(f);
        range.first_channel = channel;
        range.first_frame = frame;
        range.channels = range.frames = 1;
        if (plan->status == DRUA_OK)
            plan_try(plan, write_planes(plan->engine, smaller.image, out, level, &range));
        image = smaller;
        above = f;
    }
    plan_release_image(plan, image);
}

static void write_all(drua_plan *plan, drua_value *value, drua_zarr_out *out)
{
    const drua_zarr_metadata *f = drua_zarr_out_metadata(out, 0);
    const drua_zarr_range all = drua_zarr_all(f);
    plan_try(plan, write_planes(plan->engine, value, out, 0, &all));
    for (int64_t frame = 0; frame < f->frames; frame++)
        for (int64_t channel = 0; channel < f->channels && plan->status == DRUA_OK; channel++)
            write_levels(plan, value, out, channel, frame);
}

/* Labels are integers in OME-Zarr; most operations make them as float32. */
static drua_value *as_integers(drua_plan *plan, drua_value *value)
{
    return value && value->type == DRUA_FLOAT32 ? CALL(plan, "copy", DRUA_UINT32, (drua_operand){.image = value}).image
                                                : value;
}

void plan_write_chunks(drua_plan *plan, const char *image, const char *path, const char *options,
                       const char *compression)
{
    char *text;
    drua_zarr_out *out;
    if (!plan_try(plan, drua_image_file_check_name(plan_text(plan, path), DRUA_FILE_ZARR)))
        return;
    drua_zarr_options zarr_options = options_of(plan, options, compression);
    drua_value *value = plan_keep_image(plan, image, &text);
    zarr_options.labels |= plan->bound[plan_find(plan, image)].labels;
    if (zarr_options.labels)
        value = as_integers(plan, value);
    if (!value || !plan_try(plan, drua_image_file_may_write(plan_text(plan, path))))
        return;
    const drua_zarr_metadata metadata = metadata_of(value, text);
    if (!plan_try(plan, drua_zarr_create(plan_text(plan, path), &metadata, &zarr_options, text, &out)))
        return;
    write_all(plan, value, out);
    if (plan->status == DRUA_OK)
        plan_try(plan, drua_zarr_finish(out, DRUA_OK));
    else
        drua_zarr_finish(out, DRUA_E_INTERNAL); /* removes the image, also after Escape, because no call continues it */
}

void plan_write_file(drua_plan *plan, const char *image, const char *path, const char *compression)
{
    if (!plan_try(plan, drua_image_file_check_name(plan_text(plan, path), DRUA_FILE_TIFF | DRUA_FILE_ZARR)))
        return;
    if (drua_zarr_is_path(plan_text(plan, path)))
        plan_write_chunks(plan, image, path, NULL, compression && strcmp(compression, "none") ? compression : NULL);
    else
        plan_write_tiff(plan, image, path, compression);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads images from files and writes them, a few planes at a time. */
#include "call_parts.h"
#include "plan_files.h"

#include "alloc.h"
#include "error.h"
#include "image_file.h"
#include "text.h"
#include "write_behind.h"

#include <string.h>

static void describe_file(drua_plan *plan, drua_bound *out)
{
    drua_text text = {0};
    drua_image_file_describe(plan->file, &text);
    out->text_result = text.failed ? NULL : drua_copy_text(drua_text_characters(&text));
    if (!out->text_result)
        plan_try(plan, drua_fail_memory(text.length));
    drua_text_free(&text);
}

/*
 * Adds messages: the file has more or fewer pages than its metadata state, pages or display settings are left out, or
 * the command read only the first of the file's series.
 */
static void note_oddities(drua_plan *plan)
{
    drua_text *lines = &plan->engine->lines;
    const size_t before = lines->length;
    drua_image_file_describe_left_out(plan->file, lines);
    if (lines->length > before)
        drua_text_add(lines, "\n");
    if (drua_image_file_other_series(plan->file))
        drua_text_add(lines,
                      "this is one of several series of the file; read the others with Drua_readBox and "
                      "series=N: %s\n",
                      drua_image_file_other_series(plan->file));
    if (drua_image_file_missing(plan->file) == 0)
        return;
    drua_image_file_describe_missing(plan->file, lines);
    drua_text_add(lines, "; Drua reads these as slices\n");
}

void plan_read_file(drua_plan *plan, const char *output)
{
    const int i = plan_find(plan, output);
    const drua_output *out = &plan->outputs[i];
    drua_engine *engine = plan->engine;
    drua_file_planes *file;
    if (plan->status != DRUA_OK || !plan_try(plan, drua_device_check(engine->device)) ||
        !plan_try(plan, drua_file_planes_open(plan->file, 0, &file)))
        return;
    drua_planes planes = {
        .prepare = drua_file_planes_prepare, .copy = drua_file_planes_copy, .payload = file, .lock = engine->lock};
    const drua_status status = drua_value_upload(engine, out->natural, out->type, &planes, &plan->bound[i].result);
    if (!plan_try(plan, drua_file_planes_close(file, status)))
        return;
    describe_file(plan, &plan->bound[i]);
    plan->bound[i].labels = drua_image_file_has_labels(plan->file);
    note_oddities(plan);
}

static drua_status write_pages(drua_engine *engine, drua_value *value, drua_tiff_out *file)
{
    const size_t plane_bytes = (size_t)(drua_value_bytes(value) / (uint64_t)value->shape.depth);
    drua_write_behind *writer;
    DRUA_TRY(drua_write_behind_open(file, plane_bytes, &writer));
    drua_planes planes = {
        .prepare = drua_write_behind_prepare, .copy = drua_write_behind_copy, .payload = writer, .lock = engine->lock};
    const drua_status status = drua_value_download(engine, value, &planes);
    return drua_write_behind_close(writer, status);
}

/* Other threads may release the image, or change its metadata, while pixels move, so the call holds both. */
drua_value *plan_keep_image(drua_plan *plan, const char *image, char **text)
{
    const char *about = plan_text(plan, image);
    drua_held *kept = plan_hold(plan);
    *text = plan_host_memory(plan, strlen(about) + 1);
    if (!kept || !*text)
        return NULL;
    kept->value = plan->bound[plan_find(plan, image)].value;
    drua_value_retain(kept->value);
    strcpy(*text, about);
    return kept->value;
}

void plan_write_tiff(drua_plan *plan, const char *image, const char *path, const char *compression)
{
    char *text;
    drua_tiff_out *file;
    drua_value *value = plan_keep_image(plan, image, &text);
    if (value && plan_try(plan, drua_image_file_may_write(plan_text(plan, path))) &&
        plan_try(plan,
                 drua_tiff_create(plan_text(plan, path), value->shape, value->type, text, compression, NULL, &file)))
        plan_try(plan, write_pages(plan->engine, value, file));
}

void plan_write_operand(drua_plan *plan, drua_operand operand, const char *path)
{
    drua_tiff_out *file;
    drua_value *value = operand.image;
    if (plan->status == DRUA_OK && plan_try(plan, drua_image_file_may_write(path)) &&
        plan_try(plan, drua_tiff_create(path, value->shape, value->type, "", "none", NULL, &file)))
        plan_try(plan, write_pages(plan->engine, value, file));
}

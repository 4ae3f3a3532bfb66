/* SPDX-License-Identifier: BSD-3-Clause */
/* Text reports about a context: its memory, its work and its times. */
#include "context.h"

#include "record.h"

#include <string.h>

static void add_size(drua_text *text, double bytes)
{
    static const char *const unit[] = {"b", "kb", "Mb", "Gb"};
    int i = 0;
    for (; bytes >= 1024 && i < 3; i++)
        bytes /= 1024;
    drua_text_add(text, "%.1f %s", bytes, unit[i]);
}

/* Adds the line of an image, and returns its size in bytes. */
static double add_image(drua_text *text, const char *name, const slot *s)
{
    const drua_shape shape = drua_value_shape(s->value);
    const drua_type type = drua_value_type(s->value);
    const double bytes =
        (double)shape.width * (double)shape.height * (double)shape.depth * (double)drua_type_size(type);
    drua_text_add(text, "- %s[%lldx%lldx%lld %s, %s] ", name, (long long)shape.width, (long long)shape.height,
                  (long long)shape.depth, drua_type_name(type), drua_value_state(s->value));
    add_size(text, bytes);
    drua_text_add(text, "\n");
    return bytes;
}

/* Adds a line for each image, first for those with names, in the order of the names. Returns the sum of the sizes. */
static double add_images(drua_text *text, drua_context *context)
{
    double sum = 0;
    size_t nameless = 0;
    drua_text lines = {0};
    for (size_t i = 0; i < context->slot_count; i++)
        context->slots[i].listed = false;
    for (size_t i = 0; i < context->name_count; i++) {
        slot *s = drua_slot(context, context->names[i].image);
        const double bytes = add_image(&lines, context->names[i].name, s);
        sum += s->listed ? 0 : bytes;
        s->listed = true;
    }
    for (size_t i = 0; i < context->slot_count; i++)
        if (context->slots[i].value && !context->slots[i].listed) {
            sum += add_image(&lines, "without a name ", &context->slots[i]);
            nameless++;
        }
    drua_text_add(text, "GPU contains %zu images.\n%s", context->name_count + nameless, drua_text_characters(&lines));
    drua_text_free(&lines);
    return sum;
}

const char *drua_report_memory(drua_context *context)
{
    drua_text *text = drua_thread_text();
    if (drua_enter(context) != DRUA_OK)
        return "";
    const double sum = add_images(text, context);
    uint64_t used, pooled;
    drua_device_memory(context->device, &used, &pooled);
    drua_text_add(text, "= ");
    add_size(text, sum);
    drua_text_add(text, "\nheld on %s: ", drua_device_get_info(context->device)->name);
    add_size(text, (double)used);
    drua_text_add(text, ", kept for reuse: ");
    add_size(text, (double)pooled);
    const drua_statistics *s = drua_device_statistics(context->device);
    drua_text_add(text, ", peak: ");
    add_size(text, (double)s->peak_bytes);
    drua_text_add(text, ", budget: ");
    add_size(text, (double)s->budget_bytes);
    drua_text_add(text, "\nheld on the host: ");
    add_size(text, (double)s->host_bytes);
    drua_text_add(text, ", moved there so far: ");
    add_size(text, (double)s->spilled_bytes);
    drua_text_add(text, "\n");
    drua_leave(context);
    return drua_text_characters(text);
}

const char *drua_take_messages(drua_context *context)
{
    drua_text *text = drua_thread_text(), *lines = &context->engine.lines;
    if (drua_enter(context) != DRUA_OK)
        return "";
    drua_text_add(text, "%s", drua_text_characters(lines));
    drua_text_free(lines);
    *lines = (drua_text){0};
    drua_leave(context);
    return drua_text_characters(text);
}

const char *drua_take_misfit(drua_context *context)
{
    drua_text *text = drua_thread_text();
    if (drua_enter(context) != DRUA_OK)
        return "";
    drua_text_add(text, "%s", drua_text_characters(&context->misfit));
    drua_text_free(&context->misfit);
    context->misfit = (drua_text){0};
    drua_leave(context);
    return drua_text_characters(text);
}

drua_status drua_trace(drua_context *context, int on)
{
    DRUA_TRY(drua_enter(context));
    if (on) {
        drua_text_free(&context->trace);
        context->trace = (drua_text){0};
    }
    bool change = context->traced != (on != 0);
    context->traced = on != 0;
    if (change)
        context->engine.eager = on != 0 || context->engine.settings.eager;
    drua_leave(context);
    return DRUA_OK;
}

drua_status drua_time_launches(drua_context *context, int on)
{
    DRUA_TRY(drua_enter(context));
    context->engine.times_launches = on != 0;
    drua_leave(context);
    return DRUA_OK;
}

const char *drua_trace_text(drua_context *context)
{
    drua_text *text = drua_thread_text();
    if (drua_enter(context) != DRUA_OK)
        return "";
    drua_text_append(text, drua_text_characters(&context->trace), context->trace.length);
    drua_leave(context);
    return drua_text_characters(text);
}

const char *drua_explain_launches(drua_context *context)
{
    drua_text *text = drua_thread_text();
    if (drua_enter(context) != DRUA_OK)
        return "";
    const drua_device_info *device = drua_device_get_info(context->device);
    drua_text_add(text, "%s (%s)\n", device->name, device->platform);
    drua_record_explain(&context->engine, text);
    drua_leave(context);
    return drua_text_characters(text);
}

const char *drua_profile(drua_context *context)
{
    drua_text *text = drua_thread_text();
    if (drua_enter(context) != DRUA_OK)
        return "";
    drua_device_take_profile(text);
    drua_leave(context);
    return drua_text_characters(text);
}

void drua_get_statistics_sized(drua_context *context, drua_statistics *statistics, size_t size)
{
    memset(statistics, 0, size);
    if (drua_enter(context) != DRUA_OK)
        return;
    drua_copy_known(statistics, size, drua_device_statistics(context->device), sizeof *statistics);
    drua_leave(context);
}

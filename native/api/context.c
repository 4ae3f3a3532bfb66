/* SPDX-License-Identifier: BSD-3-Clause */
#include "context.h"

#include "alloc.h"
#include "c_locale.h"
#include "describe.h"
#include "error.h"
#include "hash.h"

#include <string.h>

const char *drua_version(void)
{
    return DRUA_VERSION;
}

const char *drua_error_message(void)
{
    return drua_error_text();
}

const char *drua_describe(void)
{
    return drua_registry_json(DRUA_VERSION);
}

drua_text *drua_thread_text(void)
{
    enum { RESULTS = 16 };      /* one call can return several texts */
    static _Thread_local drua_text texts[RESULTS];
    static _Thread_local unsigned next;
    drua_text *text = &texts[next++ % RESULTS];
    text->length = 0;
    text->failed = false;
    if (text->characters)
        text->characters[0] = 0;
    return text;
}

void drua_enter(drua_context *context)
{
    pthread_rwlock_rdlock(&context->opened);
    const uint64_t ticket = drua_device_ticket(context->device);
    drua_locale_enter();
    pthread_mutex_lock(&context->lock);
    drua_device_enter(ticket);
}

void drua_leave(drua_context *context)
{
    pthread_mutex_unlock(&context->lock);
    pthread_rwlock_unlock(&context->opened);
    drua_locale_leave();
}

static drua_status start(const char *wish, drua_device **device, drua_engine *engine)
{
    drua_locale_enter();
    drua_status status = drua_device_open(wish, device);
    if (status == DRUA_OK && (status = drua_graph_open(engine, *device)) != DRUA_OK) {
        drua_graph_close(engine);
        drua_device_close(*device);
        *engine = (drua_engine){0};
        *device = NULL;
    }
    drua_locale_leave();
    return status;
}

drua_status drua_open(const char *wish, drua_context **out)
{
    *out = NULL;
    drua_context *context = drua_alloc(sizeof *context);
    if (!context)
        return drua_fail_memory(sizeof *context);
    pthread_rwlock_init(&context->opened, NULL);
    pthread_mutex_init(&context->lock, NULL);
    context->wish = drua_copy_text(wish ? wish : "");
    drua_status status = context->wish ? start(wish, &context->device, &context->engine) : drua_fail_memory(1);
    if (status != DRUA_OK) {
        drua_close(context);
        return status;
    }
    drua_device_build_ahead(context->device);
    *out = context;
    return DRUA_OK;
}

static void clear(drua_context *context)
{
    for (size_t i = 0; i < context->name_count; i++)
        drua_free(context->names[i].name);
    context->name_count = 0;
    for (size_t i = 0; i < context->slot_count; i++)
        if (context->slots[i].value)
            drua_slot_free(context, ((uint64_t)context->slots[i].generation << 32) | (i + 1));
}

void drua_close(drua_context *context)
{
    if (!context)
        return;
    clear(context);
    drua_device_stop_building(context->device);
    drua_graph_close(&context->engine);
    drua_device_close(context->device);
    drua_free(context->slots);
    drua_free(context->wish);
    drua_free(context->names);
    drua_text_free(&context->trace);
    pthread_mutex_destroy(&context->lock);
    pthread_rwlock_destroy(&context->opened);
    drua_free(context);
}

drua_status drua_restart(drua_context *context)
{
    drua_device *device;
    drua_engine engine;
    DRUA_TRY(start(context->wish, &device, &engine));
    pthread_rwlock_wrlock(&context->opened);
    drua_locale_enter();
    clear(context);
    drua_device_stop_building(context->device);
    drua_graph_close(&context->engine);
    drua_device_close(context->device);
    context->engine = engine;
    context->device = device;
    context->traced = false;
    drua_device_build_ahead(device);
    drua_locale_leave();
    pthread_rwlock_unlock(&context->opened);
    return DRUA_OK;
}

int drua_is_lost(drua_context *context)
{
    drua_enter(context);
    const bool lost = drua_device_is_lost(context->device);
    drua_leave(context);
    return lost;
}

void drua_cancel(drua_context *context)
{
    pthread_rwlock_rdlock(&context->opened);
    drua_device_cancel(context->device);
    pthread_rwlock_unlock(&context->opened);
}

double drua_progress(drua_context *context)
{
    pthread_rwlock_rdlock(&context->opened);
    const double progress = drua_device_progress(context->device);
    pthread_rwlock_unlock(&context->opened);
    return progress;
}

void drua_context_device(drua_context *context, drua_device_info *info)
{
    pthread_rwlock_rdlock(&context->opened);
    *info = *drua_device_facts(context->device);
    pthread_rwlock_unlock(&context->opened);
}

const char *drua_context_note(drua_context *context)
{
    return drua_device_note(context->device);
}

drua_status drua_set_memory(drua_context *context, const char *budget)
{
    drua_enter(context);
    drua_status status = drua_device_set_budget(context->device, budget);
    drua_leave(context);
    return status;
}

void drua_set_line(drua_context *context, int line)
{
    drua_enter(context);
    context->engine.line = line;
    drua_leave(context);
}

drua_status drua_sync(drua_context *context)
{
    drua_enter(context);
    drua_status status = drua_graph_flush(&context->engine);
    drua_device_lend_lock(&context->lock, context->device);
    if (status == DRUA_OK)
        status = drua_device_finish(context->device);
    drua_device_lend_lock(NULL, NULL);
    drua_leave(context);
    return status;
}

void drua_get_statistics(drua_context *context, drua_statistics *statistics)
{
    drua_enter(context);
    *statistics = *drua_device_statistics(context->device);
    drua_leave(context);
}

/* ---- handles: the low half is the slot's number + 1, the high half its generation */

slot *drua_slot(drua_context *context, drua_image image)
{
    size_t index = (size_t)(image & 0xffffffffu) - 1;
    if (image && index < context->slot_count && context->slots[index].value &&
        context->slots[index].generation == (uint32_t)(image >> 32))
        return &context->slots[index];
    drua_fail(DRUA_E_NAME, image ? "the image was released before; push or create it again" : "no image was given");
    return NULL;
}

drua_status drua_slot_new(drua_context *context, drua_value *value, drua_image *image)
{
    size_t index = 0;
    while (index < context->slot_count && context->slots[index].value)
        index++;
    if (index == context->slot_capacity) {
        size_t capacity = 2 * context->slot_capacity + 16;
        slot *grown = drua_realloc(context->slots, capacity * sizeof *grown);
        if (!grown) {
            drua_value_release(&context->engine, value);
            return drua_fail_memory(capacity * sizeof *grown);
        }
        memset(grown + context->slot_capacity, 0, (capacity - context->slot_capacity) * sizeof *grown);
        context->slots = grown;
        context->slot_capacity = capacity;
    }
    if (index == context->slot_count)
        context->slot_count++;
    context->slots[index].value = value;
    *image = ((uint64_t)context->slots[index].generation << 32) | (index + 1);
    return DRUA_OK;
}

void drua_slot_free(drua_context *context, drua_image image)
{
    slot *freed = &context->slots[(image & 0xffffffffu) - 1];
    drua_value_release(&context->engine, freed->value);
    drua_free(freed->metadata);
    freed->value = NULL;
    freed->metadata = NULL;
    freed->generation++;
}

/* ---- names */

static size_t find_name(const drua_context *context, const char *name)
{
    uint64_t hash = drua_hash(DRUA_HASH_START, name, strlen(name));
    size_t i = 0;
    while (i < context->name_count && (context->names[i].hash != hash || strcmp(context->names[i].name, name)))
        i++;
    return i;
}

drua_image drua_name_image(const drua_context *context, const char *name)
{
    size_t i = find_name(context, name);
    return i < context->name_count ? context->names[i].image : 0;
}

static void unbind_at(drua_context *context, size_t i)
{
    drua_free(context->names[i].name);
    context->name_count--;
    memmove(&context->names[i], &context->names[i + 1], (context->name_count - i) * sizeof *context->names);
}

static void release_if_nameless(drua_context *context, drua_image image)
{
    for (size_t i = 0; i < context->name_count; i++)
        if (context->names[i].image == image)
            return;
    drua_slot_free(context, image);
}

static void release(drua_context *context, drua_image image)
{
    for (size_t i = context->name_count; i-- > 0;)
        if (context->names[i].image == image)
            unbind_at(context, i);
    drua_slot_free(context, image);
}

drua_status drua_name_set(drua_context *context, const char *name, drua_image image)
{
    size_t i = find_name(context, name);
    if (i < context->name_count) {
        drua_image old = context->names[i].image;
        context->names[i].image = image;
        if (old != image)
            release_if_nameless(context, old);
        return DRUA_OK;
    }
    if (context->name_count == context->name_capacity) {
        size_t capacity = 2 * context->name_capacity + 16;
        name_entry *grown = drua_realloc(context->names, capacity * sizeof *grown);
        if (!grown)
            return drua_fail_memory(capacity * sizeof *grown);
        context->names = grown;
        context->name_capacity = capacity;
    }
    char *copy = drua_copy_text(name);
    if (!copy)
        return drua_fail_memory(strlen(name));
    context->names[context->name_count++] = (name_entry){copy, drua_hash(DRUA_HASH_START, name, strlen(name)), image};
    return DRUA_OK;
}

drua_status drua_fail_unknown_image(const drua_context *context, const char *param, const char *name)
{
    enum { MOST = 3 };
    drua_text near = {0};
    size_t shown = 0;
    for (size_t distance = 0; distance <= strlen(name) / 2 + 1 && shown < MOST; distance++)
        for (size_t i = 0; i < context->name_count && shown < MOST; i++)
            if (drua_text_distance(name, context->names[i].name) == distance)
                drua_text_add(&near, "%s'%s'", shown++ ? ", " : "", context->names[i].name);
    for (size_t i = context->name_count; i-- > 0 && shown == 0;)
        drua_text_add(&near, "'%s'", context->names[i].name), shown++;
    drua_status status =
        context->name_count == 0
            ? drua_fail(DRUA_E_NAME, "%s: there is no image '%s' on the device, which holds no images; push it first", param, name)
            : drua_fail(DRUA_E_NAME, "%s: there is no image '%s' on the device; push it first, or use one of the %zu there, such as %s",
                        param, name, context->name_count, drua_text_characters(&near));
    drua_text_free(&near);
    return status;
}

drua_status drua_bind(drua_context *context, const char *name, drua_image image)
{
    drua_enter(context);
    drua_status status = DRUA_E_NAME;
    if (!*name)
        status = drua_fail(DRUA_E_ARGUMENT, "a name has at least one character");
    else if (drua_slot(context, image))
        status = drua_name_set(context, name, image);
    drua_leave(context);
    return status;
}

drua_status drua_find(drua_context *context, const char *name, drua_image *image)
{
    drua_enter(context);
    *image = drua_name_image(context, name);
    drua_status status = *image ? DRUA_OK : drua_fail_unknown_image(context, "image", name);
    drua_leave(context);
    return status;
}

drua_status drua_release_name(drua_context *context, const char *name)
{
    drua_enter(context);
    drua_image image = drua_name_image(context, name);
    drua_status status = image ? DRUA_OK : drua_fail_unknown_image(context, "image", name);
    if (image)
        release(context, image);
    drua_leave(context);
    return status;
}

drua_status drua_clear(drua_context *context)
{
    drua_enter(context);
    clear(context);
    drua_leave(context);
    return DRUA_OK;
}

const char *drua_names(drua_context *context)
{
    drua_text *text = drua_thread_text();
    drua_enter(context);
    for (size_t i = 0; i < context->name_count; i++) {
        drua_text_append(text, "\n", i > 0);
        drua_text_append(text, context->names[i].name, strlen(context->names[i].name));
    }
    drua_leave(context);
    return drua_text_characters(text);
}

drua_status drua_release(drua_context *context, drua_image image)
{
    drua_enter(context);
    drua_status status = drua_slot(context, image) ? DRUA_OK : DRUA_E_NAME;
    if (status == DRUA_OK)
        release(context, image);
    drua_leave(context);
    return status;
}

/* ---- reports */

static void add_size(drua_text *text, double bytes)
{
    static const char *const unit[] = {"b", "kb", "Mb", "Gb"};
    int i = 0;
    for (; bytes >= 1024 && i < 3; i++)
        bytes /= 1024;
    drua_text_add(text, "%.1f %s", bytes, unit[i]);
}

const char *drua_report_memory(drua_context *context)
{
    drua_text *text = drua_thread_text();
    drua_enter(context);
    drua_text_add(text, "GPU contains %zu images.\n", context->name_count);
    double sum = 0;
    for (size_t i = 0; i < context->name_count; i++) {
        const slot *s = drua_slot(context, context->names[i].image);
        drua_shape shape = drua_value_shape(s->value);
        drua_type type = drua_value_type(s->value);
        double bytes = (double)shape.width * (double)shape.height * (double)shape.depth * (double)drua_type_size(type);
        sum += bytes;
        drua_text_add(text, "- %s[%lldx%lldx%lld %s, %s] ", context->names[i].name, (long long)shape.width, (long long)shape.height,
                      (long long)shape.depth, drua_type_name(type), drua_value_state(s->value));
        add_size(text, bytes);
        drua_text_add(text, "\n");
    }
    uint64_t used, pooled;
    drua_device_memory(context->device, &used, &pooled);
    drua_text_add(text, "= ");
    add_size(text, sum);
    drua_text_add(text, "\nheld on %s: ", drua_device_facts(context->device)->name);
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

drua_status drua_trace(drua_context *context, int on)
{
    drua_enter(context);
    if (on) {
        drua_text_free(&context->trace);
        context->trace = (drua_text){0};
    }
    bool change = context->traced != (on != 0);
    context->traced = on != 0;
    if (change)
        context->engine.eager = on != 0 || context->engine.always_eager;
    drua_leave(context);
    return DRUA_OK;
}

const char *drua_trace_text(drua_context *context)
{
    drua_text *text = drua_thread_text();
    drua_enter(context);
    drua_text_append(text, drua_text_characters(&context->trace), context->trace.length);
    drua_leave(context);
    return drua_text_characters(text);
}

const char *drua_explain(drua_context *context)
{
    drua_text *text = drua_thread_text();
    drua_enter(context);
    drua_graph_explain(&context->engine, text);
    drua_leave(context);
    return drua_text_characters(text);
}

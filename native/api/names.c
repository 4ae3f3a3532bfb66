/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles of images, and the names that are bound to them. */
#include "context.h"

#include "alloc.h"
#include "error.h"
#include "hash.h"

#include <stdatomic.h>
#include <string.h>

/* ---- handles. Their bits, from the highest: tag of the context, generation of the slot, index of the slot + 1 */

enum { TAG_BITS = 26, GENERATION_BITS = 18, SLOT_BITS = 20 };

#define MAX_SLOTS       ((UINT64_C(1) << SLOT_BITS) - 1)
#define LAST_GENERATION ((UINT32_C(1) << GENERATION_BITS) - 1)

static atomic_uint_least32_t last_tag;

uint32_t drua_new_context_tag(void)
{
    const uint32_t max = (UINT32_C(1) << TAG_BITS) - 1;
    return atomic_fetch_add(&last_tag, 1) % max + 1;
}

static uint64_t tag_of(drua_image image)
{
    return image >> (GENERATION_BITS + SLOT_BITS);
}

/* Returns the index of a handle's slot; for a handle without a slot, an index beyond all slots. */
static size_t index_of(drua_image image)
{
    return (size_t)(image & MAX_SLOTS) - 1;
}

static drua_image handle_of(const drua_context *context, size_t i)
{
    return ((uint64_t)context->tag << (GENERATION_BITS + SLOT_BITS)) |
           ((uint64_t)context->slots[i].generation << SLOT_BITS) | (i + 1);
}

static slot *find_live_slot(drua_context *context, drua_image image)
{
    const size_t index = index_of(image);
    return index < context->slot_count && context->slots[index].value && handle_of(context, index) == image
               ? &context->slots[index]
               : NULL;
}

slot *drua_slot(drua_context *context, drua_image image)
{
    slot *s = find_live_slot(context, image);
    if (!s)
        drua_fail(DRUA_E_NAME, !image ? "no image was given"
                               : tag_of(image) && tag_of(image) != context->tag
                                   ? "the image belongs to another context; use it there, or pull it and push it here"
                                   : "the image was released before; push or create it again");
    return s;
}

/* A slot that has used all its generations stays empty, so that no handle is issued twice. */
static bool is_free(const slot *s)
{
    return !s->value && s->generation <= LAST_GENERATION;
}

drua_status drua_slot_new(drua_context *context, drua_value *value, drua_image *image)
{
    size_t index = 0;
    while (index < context->slot_count && !is_free(&context->slots[index]))
        index++;
    if (index == MAX_SLOTS) {
        drua_value_release(&context->engine, value);
        return drua_fail(DRUA_E_MEMORY, "the context has %llu images, which is the limit; release some",
                         (unsigned long long)MAX_SLOTS);
    }
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
    *image = handle_of(context, index);
    return DRUA_OK;
}

static void free_slot(drua_context *context, drua_image image)
{
    slot *freed = &context->slots[index_of(image)];
    drua_value_release(&context->engine, freed->value);
    drua_free(freed->metadata);
    freed->value = NULL;
    freed->metadata = NULL;
    freed->labels = false;
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
    free_slot(context, image);
}

void drua_slot_release(drua_context *context, drua_image image)
{
    if (!find_live_slot(context, image))
        return;
    for (size_t i = context->name_count; i-- > 0;)
        if (context->names[i].image == image)
            unbind_at(context, i);
    free_slot(context, image);
}

drua_status drua_name_set(drua_context *context, const char *name, drua_image image)
{
    size_t i = find_name(context, name);
    if (i < context->name_count) {
        drua_image old = context->names[i].image;
        context->names[i].image = image;
        if (old != image) {
            context->names[i].maker = NULL;
            release_if_nameless(context, old);
        }
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
    context->names[context->name_count++] =
        (name_entry){.name = copy, .hash = drua_hash(DRUA_HASH_START, name, strlen(name)), .image = image};
    return DRUA_OK;
}

void drua_name_note_maker(drua_context *context, const char *name, const void *maker, bool is_result, int line)
{
    size_t i = find_name(context, name);
    if (i < context->name_count) {
        context->names[i].maker = maker;
        context->names[i].is_result = is_result;
        context->names[i].line = line;
    }
}

bool drua_name_has_maker(const drua_context *context, const char *name, const void *maker, int line)
{
    size_t i = find_name(context, name);
    return i < context->name_count && context->names[i].maker == maker && context->names[i].line == line;
}

bool drua_name_is_result(const drua_context *context, const char *name)
{
    size_t i = find_name(context, name);
    return i < context->name_count && context->names[i].maker && context->names[i].is_result;
}

drua_status drua_fail_unknown_image(const drua_context *context, const char *param, const char *name)
{
    enum { LIMIT = 3 };
    drua_text near = {0};
    size_t shown = 0;
    for (size_t distance = 0; distance <= strlen(name) / 2 + 1 && shown < LIMIT; distance++)
        for (size_t i = 0; i < context->name_count && shown < LIMIT; i++)
            if (drua_text_distance(name, context->names[i].name) == distance)
                drua_text_add(&near, "%s'%s'", shown++ ? ", " : "", context->names[i].name);
    for (size_t i = context->name_count; i-- > 0 && shown == 0;)
        drua_text_add(&near, "'%s'", context->names[i].name), shown++;
    drua_status status =
        context->name_count == 0
            ? drua_fail(DRUA_E_NAME, "%s: there is no image '%s', because the device holds no images; push it first",
                        param, name)
            : drua_fail(DRUA_E_NAME,
                        "%s: there is no image '%s' on the device; push it first, or use one that is on the device, "
                        "such as %s",
                        param, name, drua_text_characters(&near));
    drua_text_free(&near);
    return status;
}

void drua_forget_images(drua_context *context)
{
    for (size_t i = 0; i < context->name_count; i++)
        drua_free(context->names[i].name);
    context->name_count = 0;
    for (size_t i = 0; i < context->slot_count; i++)
        if (context->slots[i].value)
            free_slot(context, handle_of(context, i));
}

/* ---- functions of drua.h */

drua_status drua_bind(drua_context *context, const char *name, drua_image image)
{
    DRUA_TRY(drua_enter(context));
    drua_status status = DRUA_E_NAME;
    if (!*name)
        status = drua_fail(DRUA_E_ARGUMENT, "the name of an image must have at least one character");
    else if (drua_slot(context, image))
        status = drua_name_set(context, name, image);
    drua_leave(context);
    return status;
}

drua_status drua_find(drua_context *context, const char *name, drua_image *image)
{
    DRUA_TRY(drua_enter(context));
    *image = drua_name_image(context, name);
    drua_status status = *image ? DRUA_OK : drua_fail_unknown_image(context, "image", name);
    drua_leave(context);
    return status;
}

drua_status drua_release_name(drua_context *context, const char *name)
{
    DRUA_TRY(drua_enter(context));
    drua_image image = drua_name_image(context, name);
    drua_status status = image ? DRUA_OK : drua_fail_unknown_image(context, "image", name);
    if (image)
        drua_slot_release(context, image);
    drua_leave(context);
    return status;
}

drua_status drua_clear(drua_context *context)
{
    DRUA_TRY(drua_enter(context));
    drua_forget_images(context);
    drua_leave(context);
    return DRUA_OK;
}

const char *drua_names(drua_context *context)
{
    drua_text *text = drua_thread_text();
    if (drua_enter(context) != DRUA_OK)
        return "";
    for (size_t i = 0; i < context->name_count; i++) {
        drua_text_append(text, "\n", i > 0);
        drua_text_append(text, context->names[i].name, strlen(context->names[i].name));
    }
    drua_leave(context);
    return drua_text_characters(text);
}

drua_status drua_release(drua_context *context, drua_image image)
{
    DRUA_TRY(drua_enter(context));
    const drua_status status = drua_slot(context, image) ? DRUA_OK : DRUA_E_NAME;
    drua_slot_release(context, image);
    drua_leave(context);
    return status;
}

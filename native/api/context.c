/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening, closing and settings of contexts, and the state that all contexts share. */
#include "context.h"

#include "alloc.h"
#include "c_locale.h"
#include "describe.h"
#include "error.h"
#include "time_devices.h"
#include "variables.h"

#include <stdlib.h>
#include <string.h>

const char *drua_version(void)
{
    return DRUA_VERSION;
}

int drua_version_number(void)
{
    return DRUA_VERSION_NUMBER;
}

const char *drua_error_message(void)
{
    return drua_error_text();
}

const char *drua_describe(void)
{
    return drua_registry_json(DRUA_VERSION);
}

static drua_status open_device(const char *selector, pthread_mutex_t *lock, drua_device **device, drua_engine *engine)
{
    drua_locale_enter();
    drua_status status = drua_device_open(selector, device);
    if (status == DRUA_OK && (status = drua_engine_open(engine, *device, lock)) != DRUA_OK) {
        drua_engine_close(engine);
        drua_device_close(*device);
        *engine = (drua_engine){0};
        *device = NULL;
    }
    drua_locale_leave();
    return status;
}

static bool leaves_a_choice(const char *selector)
{
    const char *usual = drua_variable_text(DRUA_VARIABLE_DEVICE);
    if (!selector || !*selector)
        selector = usual ? usual : "";
    return !*selector || !strcmp(selector, "gpu");
}

drua_status drua_open(const char *selector, drua_context **out)
{
    *out = NULL;
    DRUA_TRY(drua_device_check_fork());
    if (leaves_a_choice(selector))
        drua_time_devices();
    drua_context *context = drua_alloc(sizeof *context);
    if (!context)
        return drua_fail_memory(sizeof *context);
    context->tag = drua_new_context_tag();
    pthread_rwlock_init(&context->opened, NULL);
    pthread_mutex_init(&context->lock, NULL);
    context->selector = drua_copy_text(selector ? selector : "");
    drua_status status = context->selector
                             ? open_device(context->selector, &context->lock, &context->device, &context->engine)
                             : drua_fail_memory(1);
    if (status != DRUA_OK) {
        drua_close(context);
        return status;
    }
    drua_copy_start(context->note, drua_device_note(context->device), sizeof context->note);
    drua_copy_start(context->warning, drua_device_warning(context->device), sizeof context->warning);
    drua_device_build_ahead(context->device);
    *out = context;
    return DRUA_OK;
}

void drua_close(drua_context *context)
{
    if (!context || drua_device_is_forked())
        return;
    drua_forget_images(context);
    drua_device_stop_building(context->device);
    drua_engine_close(&context->engine);
    drua_device_close(context->device);
    drua_free(context->slots);
    drua_free(context->selector);
    drua_free(context->budget);
    drua_free(context->names);
    drua_text_free(&context->trace);
    drua_text_free(&context->misfit);
    pthread_mutex_destroy(&context->lock);
    pthread_rwlock_destroy(&context->opened);
    drua_free(context);
}

drua_status drua_restart(drua_context *context)
{
    drua_device *device;
    drua_engine engine;
    DRUA_TRY(drua_device_check_fork());
    DRUA_TRY(open_device(context->selector, &context->lock, &device, &engine));
    pthread_rwlock_wrlock(&context->opened);
    drua_locale_enter();
    if (context->budget)
        /* fails only if the reopened device has too little memory for this budget */
        drua_device_set_budget(device, context->budget);
    drua_forget_images(context);
    drua_device_stop_building(context->device);
    drua_engine_close(&context->engine);
    drua_device_close(context->device);
    context->engine = engine;
    context->device = device;
    context->traced = false;
    drua_device_build_ahead(device);
    drua_locale_leave();
    pthread_rwlock_unlock(&context->opened);
    return DRUA_OK;
}

void drua_prepare_exit(void)
{
    drua_device_prepare_exit();
}

int drua_is_lost(drua_context *context)
{
    if (drua_enter(context) != DRUA_OK)
        return 1;
    const bool lost = drua_device_is_lost(context->device);
    drua_leave(context);
    return lost;
}

void drua_cancel(drua_context *context)
{
    if (drua_device_is_forked())
        return;
    pthread_rwlock_rdlock(&context->opened);
    drua_device_cancel(context->device);
    pthread_rwlock_unlock(&context->opened);
}

void drua_stop_calls(drua_context *context, int on)
{
    if (drua_device_is_forked())
        return;
    pthread_rwlock_rdlock(&context->opened);
    drua_device_stop_calls(context->device, on != 0);
    pthread_rwlock_unlock(&context->opened);
}

void drua_set_progress_callback(drua_context *context, drua_progress_callback watch, void *payload)
{
    if (drua_enter(context) != DRUA_OK)
        return;
    context->watch = watch;
    context->watch_payload = payload;
    drua_leave(context);
}

drua_status drua_prepare(drua_context *context, int on)
{
    DRUA_TRY(drua_enter(context));
    context->engine.settings.compile = on ? DRUA_COMPILE_AT_ONCE : drua_settings_read().compile;
    drua_leave(context);
    return DRUA_OK;
}

double drua_progress(drua_context *context)
{
    if (drua_device_is_forked())
        return -1;
    pthread_rwlock_rdlock(&context->opened);
    const double progress = drua_device_progress(context->device);
    pthread_rwlock_unlock(&context->opened);
    return progress;
}

int drua_is_compiling(drua_context *context)
{
    if (drua_device_is_forked())
        return 0;
    pthread_rwlock_rdlock(&context->opened);
    const bool compiles = drua_device_is_compiling(context->device);
    pthread_rwlock_unlock(&context->opened);
    return compiles;
}

void drua_copy_known(void *to, size_t to_size, const void *from, size_t from_size)
{
    const size_t known = to_size < from_size ? to_size : from_size;
    memcpy(to, from, known);
    memset((char *)to + known, 0, to_size - known);
}

drua_status drua_device_describe_sized(size_t index, drua_device_info *info, size_t size)
{
    drua_device_info whole;
    DRUA_TRY(drua_device_inspect(index, &whole));
    drua_copy_known(info, size, &whole, sizeof whole);
    return DRUA_OK;
}

void drua_context_device_sized(drua_context *context, drua_device_info *info, size_t size)
{
    drua_device_info whole = {.name = "", .platform = "", .driver = "", .version = "", .extensions = "", .address = ""};
    if (drua_device_check_fork() == DRUA_OK) {
        pthread_rwlock_rdlock(&context->opened);
        whole = *drua_device_get_info(context->device);
        pthread_rwlock_unlock(&context->opened);
    }
    drua_copy_known(info, size, &whole, sizeof whole);
}

const char *drua_context_note(drua_context *context)
{
    return context->note;
}

const char *drua_context_warning(drua_context *context)
{
    return context->warning;
}

const char *drua_device_name(drua_context *context)
{
    return drua_device_get_info(context->device)->name;
}

drua_status drua_set_memory(drua_context *context, const char *budget)
{
    char *kept = drua_copy_text(budget ? budget : "");
    if (!kept)
        return drua_fail_memory(1);
    drua_status status = drua_enter(context);
    if (status != DRUA_OK) {
        drua_free(kept);
        return status;
    }
    status = drua_device_set_budget(context->device, kept);
    if (status == DRUA_OK) {
        char *before = context->budget;
        context->budget = kept;
        kept = before;
    }
    drua_leave(context);
    drua_free(kept);
    return status;
}

void drua_set_line_number(drua_context *context, int line)
{
    if (drua_enter(context) != DRUA_OK)
        return;
    context->engine.line = line;
    drua_leave(context);
}

drua_status drua_sync(drua_context *context)
{
    DRUA_TRY(drua_enter_work(context));
    drua_status status = drua_engine_flush(&context->engine);
    if (status == DRUA_OK)
        status = drua_device_finish_reporting(context->device, &context->lock);
    drua_leave(context);
    return status;
}

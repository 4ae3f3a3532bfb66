/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins and ends calls, and owns the texts that they return. */
#include "context.h"

#include "c_locale.h"

enum { RESULTS = 16 }; /* because one call can return several texts */

static _Thread_local drua_text texts[RESULTS];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t end_of_thread;
static bool has_key;

static void free_texts(void *unused)
{
    (void)unused;
    for (int i = 0; i < RESULTS; i++)
        drua_text_free(&texts[i]);
}

static void make_key(void)
{
    has_key = !pthread_key_create(&end_of_thread, free_texts);
}

#if !defined(_WIN32)
/* A thread that ends after the library was unloaded must not call free_texts. */
__attribute__((destructor)) static void forget_key(void)
{
    if (has_key)
        pthread_key_delete(end_of_thread);
}
#endif

drua_text *drua_thread_text(void)
{
    static _Thread_local unsigned next;
    drua_text *text = &texts[next++ % RESULTS];
    pthread_once(&once, make_key);
    if (has_key)
        pthread_setspecific(end_of_thread, texts);
    text->length = 0;
    text->failed = false;
    if (text->characters)
        text->characters[0] = 0;
    return text;
}

drua_status drua_enter(drua_context *context)
{
    DRUA_TRY(drua_device_check_fork());
    pthread_rwlock_rdlock(&context->opened);
    const uint64_t ticket = drua_device_ticket(context->device);
    drua_locale_enter();
    pthread_mutex_lock(&context->lock);
    drua_device_enter(ticket);
    return DRUA_OK;
}

drua_status drua_enter_work(drua_context *context)
{
    DRUA_TRY(drua_enter(context));
    drua_device_watch_call(context->device, context->watch, context->watch_payload);
    if (!drua_device_wants_stop(context->device))
        return DRUA_OK;
    drua_leave(context);
    return drua_fail_cancelled();
}

void drua_leave(drua_context *context)
{
    pthread_mutex_unlock(&context->lock);
    pthread_rwlock_unlock(&context->opened);
    drua_locale_leave();
}

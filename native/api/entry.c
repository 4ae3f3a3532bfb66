/* SPDX-License-Identifier: BSD-3-Clause */
/* How a call begins and ends, and where its texts are kept. */
#include "context.h"

#include "c_locale.h"

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

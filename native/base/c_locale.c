/* SPDX-License-Identifier: BSD-3-Clause */
#include "c_locale.h"

#include <locale.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

static _Thread_local int depth;

#if defined(_WIN32)
#include <stdlib.h>
#include <string.h>

static _Thread_local char *before;
static _Thread_local int was;

void drua_locale_enter(void)
{
    if (depth++)
        return;
    was = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    before = _strdup(setlocale(LC_ALL, NULL));
    setlocale(LC_ALL, "C");
}

void drua_locale_leave(void)
{
    if (--depth)
        return;
    if (before)
        setlocale(LC_ALL, before);
    free(before);
    _configthreadlocale(was);
}

#else
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t plain;
static _Thread_local locale_t before;

static void create_c_locale(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

void drua_locale_enter(void)
{
    if (depth++)
        return;
    pthread_once(&once, create_c_locale);
    before = uselocale(plain);
}

void drua_locale_leave(void)
{
    if (--depth == 0)
        uselocale(before);
}
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include "alloc.h"

#include <pthread.h>
#include <string.h>

typedef struct kept {
    struct kept *next;
    char *text;
} kept;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static kept *first;

static const char *find_or_add(const char *text)
{
    for (const kept *k = first; k; k = k->next)
        if (!strcmp(k->text, text))
            return k->text;
    kept *k = drua_alloc(sizeof *k);
    char *copy = k ? drua_copy_text(text) : NULL;
    if (!copy) {
        drua_free(k);
        return NULL;
    }
    *k = (kept){first, copy};
    first = k;
    return copy;
}

const char *drua_text_keep(const char *text)
{
    pthread_mutex_lock(&lock);
    const char *copy = find_or_add(text);
    pthread_mutex_unlock(&lock);
    return copy;
}

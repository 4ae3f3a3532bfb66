/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PoCL and LLVM install handlers for crashes and termination signals when they first compile. Inside a JVM this
 * silently breaks Java's null checks and integer division, so the program's own handlers are restored.
 */
#include "internal.h"

#if defined(_WIN32)
void drua_signals_save(void) {}
void drua_signals_restore(void) {}
#else
#include <pthread.h>
#include <pthread.h>
#include <signal.h>

static const int guarded[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,  SIGABRT, SIGTRAP, SIGSYS, SIGUSR1,
                              SIGUSR2, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ};
enum { COUNT = sizeof guarded / sizeof *guarded };

/* Handlers belong to the process: if several threads compile, those from before the first one are the right ones. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before[COUNT];
static int inside;

void drua_signals_save(void)
{
    pthread_mutex_lock(&lock);
    if (inside++ == 0)
        for (int i = 0; i < COUNT; i++)
            sigaction(guarded[i], NULL, &before[i]);
    pthread_mutex_unlock(&lock);
}

void drua_signals_restore(void)
{
    pthread_mutex_lock(&lock);
    inside--;
    for (int i = 0; i < COUNT; i++)
        sigaction(guarded[i], &before[i], NULL);
    pthread_mutex_unlock(&lock);
}
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PoCL and LLVM install handlers for crashes and for the signals that end a program when they first compile. Inside a JVM that
 * makes Java's null checks and integer divisions silently wrong, so the host program's handlers are put back.
 */
#include "internal.h"

#if defined(_WIN32)
void drua_signals_save(void) {}
void drua_signals_restore(void) {}
#else
#include <signal.h>

static const int guarded[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,  SIGABRT, SIGTRAP, SIGSYS, SIGUSR1,
                              SIGUSR2, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ};
enum { COUNT = sizeof guarded / sizeof *guarded };
static _Thread_local struct sigaction before[COUNT];

void drua_signals_save(void)
{
    for (int i = 0; i < COUNT; i++)
        sigaction(guarded[i], NULL, &before[i]);
}

void drua_signals_restore(void)
{
    for (int i = 0; i < COUNT; i++)
        sigaction(guarded[i], &before[i], NULL);
}
#endif

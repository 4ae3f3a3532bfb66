/* SPDX-License-Identifier: BSD-3-Clause */
#include "cores.h"

#if defined(_WIN32)
#include <windows.h>
static long count(void) { return (long)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS); }
#else
#include <unistd.h>
static long count(void) { return sysconf(_SC_NPROCESSORS_ONLN); }
#endif

int drua_cores(void)
{
    const long cores = count();
    return cores < 1 ? 1 : (int)cores;
}

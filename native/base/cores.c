/* SPDX-License-Identifier: BSD-3-Clause */
#include "cores.h"

#if defined(_WIN32)
#include <windows.h>
static long count_cores(void)
{
    return (long)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}
static uint64_t read_memory_size(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
}
#else
#include <unistd.h>
static long count_cores(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN);
}
static uint64_t read_memory_size(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}
#endif

int drua_cores(void)
{
    const long cores = count_cores();
    return cores < 1 ? 1 : (int)cores;
}

uint64_t drua_physical_memory(void)
{
    const uint64_t bytes = read_memory_size();
    return bytes ? bytes : UINT64_MAX;
}

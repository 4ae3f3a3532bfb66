/* SPDX-License-Identifier: BSD-3-Clause */
#include "host_memory.h"

#if defined(_WIN32)
#include <windows.h>

uint64_t drua_host_memory(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
}
#else
#include <unistd.h>

uint64_t drua_host_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes : 0;
}
#endif

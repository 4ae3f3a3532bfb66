/* SPDX-License-Identifier: BSD-3-Clause */
#include "cores.h"

#include <unistd.h>

int drua_cores(void)
{
    long cores = 2;
#if defined(_SC_NPROCESSORS_ONLN)
    cores = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return cores < 1 ? 1 : (int)cores;
}

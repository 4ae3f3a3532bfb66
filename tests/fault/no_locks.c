/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a program (LD_PRELOAD), this library simulates a disk without file locks, like some network disks. */
#include <errno.h>
#include <sys/file.h>

int flock(int file, int operation)
{
    (void)file;
    (void)operation;
    errno = ENOLCK;
    return -1;
}

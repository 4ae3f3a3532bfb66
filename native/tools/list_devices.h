/* SPDX-License-Identifier: BSD-3-Clause */
/* drua devices, and which devices a scheduler gave to this process. */
#ifndef DRUA_TOOLS_LIST_DEVICES_H
#define DRUA_TOOLS_LIST_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

/** Lists devices for people, or with --json or --spark-json for programs; the exit status. */
int drua_tool_devices(int count, char **arguments);

/**
 * What `--devices job` means: wishes of drua_open with commas between for the GPUs that the scheduler's variables name,
 * "all" where the driver shows no others, "" where there are no such variables. False with a sentence in `devices` if
 * they name what is not there.
 */
bool drua_tool_job_devices(char *devices, size_t size);

#endif

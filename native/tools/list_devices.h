/* SPDX-License-Identifier: BSD-3-Clause */
/* drua devices, and the devices that a scheduler assigned to this process. */
#ifndef DRUA_TOOLS_LIST_DEVICES_H
#define DRUA_TOOLS_LIST_DEVICES_H

#include "tool_command.h"

#include <stdbool.h>
#include <stddef.h>

/** Lists devices as text or, with --json or --spark-json, for programs. With --job, lists the devices of a scheduler's
 * job. Returns the exit status. */
int drua_tool_devices(const drua_tool_command *command, int count, char **arguments);

/** drua check: prints a report about this computer and its devices. Returns the exit status. */
int drua_tool_check(const drua_tool_command *command, int count, char **arguments);

/**
 * Resolves `--devices job` to comma-separated selectors of drua_open for the GPUs that the scheduler's variables name.
 * Writes "all" if the driver shows only the assigned GPUs, and "" if no such variable is set. Returns false with an
 * error message in `devices` if the variables name missing devices.
 */
bool drua_tool_job_devices(char *devices, size_t size);

#endif

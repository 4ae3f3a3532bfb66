/* SPDX-License-Identifier: BSD-3-Clause */
/* drua slurm: writes scripts for an array job that runs a plan's blocks, and for the job that finishes them. */
#ifndef DRUA_TOOLS_SLURM_H
#define DRUA_TOOLS_SLURM_H

#include "tool_command.h"

/** Writes both scripts beside the plan and prints how to submit them. Returns the exit status. */
int drua_tool_slurm(const drua_tool_command *command, int count, char **arguments);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* drua slurm: a plan's blocks as the scripts of an array job and of the job that finishes them. */
#ifndef DRUA_TOOLS_SLURM_H
#define DRUA_TOOLS_SLURM_H

/** Writes both scripts beside the plan and prints how to submit them; the exit status. */
int drua_tool_slurm(int count, char **arguments);

#endif

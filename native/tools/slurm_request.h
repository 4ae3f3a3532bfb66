/* SPDX-License-Identifier: BSD-3-Clause */
/* The request of a call of drua slurm, and the script texts that this request determines. */
#ifndef DRUA_TOOLS_SLURM_REQUEST_H
#define DRUA_TOOLS_SLURM_REQUEST_H

#include "text.h"

#include <stdbool.h>
#include <stdint.h>

enum { SLURM_PATH = 4096, SLURM_OPTIONS = 9, SLURM_TIME = 0, SLURM_GPUS = 4, SLURM_MEMORY = 6 };

/** An option whose text is passed to SLURM unchanged. */
typedef struct slurm_option {
    const char *option, *line, *allowed, *example;
} slurm_option;

extern const slurm_option slurm_options[SLURM_OPTIONS];

/** The kinds of jobs. */
typedef enum slurm_job { SLURM_STAGE, SLURM_ARRAY, SLURM_FINISH } slurm_job;

typedef struct slurm_request {
    const char *plan, *container;
    const char *before; /**< a command of the shell that each job runs first; NULL: none */
    const char *scratch; /**< the folder in which the blocks are computed; NULL: that of the plan */
    const char *values[SLURM_OPTIONS]; /**< NULL: not given */
    int64_t elements, at_once; /**< 0: not given */
    char folder[SLURM_PATH], program[SLURM_PATH];
    int64_t blocks, left;
    int pass, passes; /**< pass: next pass of a plan in progress, 0: no pass in progress; passes: their total number */
    bool estimates_time; /**< the plan gives the time limits */
    bool whole_nodes; /**< each job takes a node with all its GPUs */
    char stage_time[32], element_time[32], finish_time[32]; /**< time limits that follow from the plan; "": none */
    drua_text reads, makes; /**< paths of the plan, each with a line break after it; owned */
    drua_text binds; /**< folders that containers must see besides the current one, in the same form; owned */
} slurm_request;

/** Copies the line at `at` without its line break, and moves `at` to the next line. Returns false after the last. */
bool slurm_next_line(const char **at, char line[SLURM_PATH]);

/** Appends the script of a job; `pass`: the pass that an array computes, 0: the blocks of the plan. */
void slurm_add_script(drua_text *t, const slurm_request *r, slurm_job job, int pass);

/** Adds the folder on the scratch disk that holds the copies. */
void slurm_add_scratch_folder(drua_text *t, const slurm_request *r);

/** All scripts begin like this, which distinguishes them from other files. */
extern const char slurm_first_lines[];

/**
 * Lists the plan's files and the folders for containers. Returns the exit status: not 0 if they do not suit the options
 * that need them.
 */
int slurm_find_places(slurm_request *r);

#endif

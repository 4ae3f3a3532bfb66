/* SPDX-License-Identifier: BSD-3-Clause */
/* An open plan: the contents of its file, the recorded pipeline, the grid of blocks, the input and the outputs. */
#ifndef DRUA_PIPELINE_JOB_H
#define DRUA_PIPELINE_JOB_H

#include "block_memory.h"
#include "block_plan.h"
#include "evaluate.h"
#include "input_record.h"
#include "source.h"

/* A named input while the plan is open. */
typedef struct job_input {
    block_source *source; /* NULL for a channel of the plan's input */
    input_record *record; /* as in job */
    int64_t channel; /* from 0 */
} job_input;

/* How recording treats a pass. */
typedef enum pass_mode {
    PASSES_DONE, /* the plan has the results */
    PASSES_ALONE, /* this process does the pass */
    PASSES_COUNTED, /* the pass is only listed, and returns placeholder numbers */
    PASSES_SHARED /* this process does its share and uses the results of other processes */
} pass_mode;

typedef struct job {
    char path[JOB_PATH], folder[JOB_PATH]; /* paths of the plan and of its journal */
    block_plan text;
    block_source *source;
    /* records the input's files that are read; NULL for a TIFF, whose state is part of the plan's hash */
    input_record *record;
    job_input named[GRAPH_NAMED]; /* in the order of text.inputs */
    block_memory *memory; /* for pixels of blocks in flight */
    evaluator main; /* the evaluator that recorded the pipeline */
    const char *devices; /* names of the devices that compute blocks; NULL: the recording device */
    bool for_others; /* other computers run the plan, so it can be made without a device */
    bool planner; /* the recording device was requested for planning; see workers_open */
    struct block_workers *workers; /* workers on these devices; opened on first use */
    graph *graphs; /* one graph for each channel and frame if they differ (see open_job.c), else one for all */
    int64_t graph_count;
    int64_t volume; /* index of the channel and frame that is being recorded */
    int next_number; /* index in text.numbers of the next number to record */
    pass_mode passes;
    bool fresh; /* the plan is being made */
    const char *pipeline; /* the path or text of a new plan's pipeline; NULL: the plan is read from its file */
    bool anew; /* the plan replaces another one and discards its blocks */
    bool was_open; /* this process has opened the inputs of the plan before */
    int pass; /* number of passes met so far in this channel and frame */
    const drua_blocks_share *share; /* of passes; NULL: all blocks */
    bool stores_nothing; /* each pass computes all its values */
    drua_text costs; /* lines for the user about the costs of passes */
    bool waits; /* recording stopped at a pass that must wait for an earlier pass or for other processes */
    drua_blocks_watch watch; /* reports the passes that come first */
    void *payload;
    int outputs[JOB_OUTPUTS]; /* indices of graph values */
    int output_count;
    drua_shape shape; /* of the outputs */
    int64_t channels, frames, per_image, blocks;
} job;

/* Returns whether the plan's file exists and is not to be replaced. */
bool job_has_plan(const job *j);

/* Opens an image as source_open; fails with DRUA_E_AWAY if the plan exists and the image is missing or damaged. */
drua_status job_open_image(const job *j, const char *path, const char *series, int level, size_t keep,
                           block_source **source);

/* Limits an open image to the frames that the plan processes. */
drua_status job_choose_frames(const job *j, block_source *source);

/* Limits an open image to the pixels that the plan processes. */
drua_status job_choose_box(const job *j, block_source *source);

void job_close(job *j);

/* Fails if an image of this extent has too many blocks to count, over all channels and frames. */
drua_status job_check_blocks(const job *j, const int64_t extent[3], const int64_t step[3]);

/* Returns the images that blocks read. */
block_sources job_sources(const job *j);

/* Opens the requested devices unless they are open. */
drua_status job_open_workers(job *j);

/* Sets the paths of the plan and of its journal. */
void job_set_paths(job *j, const char *path);

/* Loads from the file alone the grid of blocks and the outputs. It needs no input, pipeline or device. */
drua_status job_load_text(job *j, const char *path);

/* Position of a block, and the graph that computes it, if one is recorded. */
typedef struct block_place {
    int64_t channel, frame;
    drua_box box;
    const graph *graph;
} block_place;

block_place job_block(const job *j, int64_t block);

/* Sets the number of blocks from the extents in the plan. */
void job_set_grid(job *j);

/* Parses a size such as "8GB" or "512MB"; returns false if the text is not a size. */
bool job_parse_size(const char *text, uint64_t *bytes);

/* Returns the limits for choosing the blocks of a pass, which this computer's device computes. */
block_limits job_limits(const job *j);

/*
 * If the plan states more memory than the planning device has, returns this memory, which is that of another computer's
 * device; else 0.
 */
uint64_t job_other_memory(const job *j);

/* As job_limits, for the blocks of a plan: those of another computer's device if the plan states its memory. */
block_limits job_planned_limits(const job *j);

/* Returns the bytes of host memory that may be used. */
uint64_t job_host_limit(const job *j);

#endif

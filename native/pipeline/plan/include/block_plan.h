/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of a plan's file. */
#ifndef DRUA_PIPELINE_BLOCK_PLAN_H
#define DRUA_PIPELINE_BLOCK_PLAN_H

#include "choose_block.h"
#include "sha256.h"

/* The limits also protect memory from a damaged plan file that claims too many blocks, channels or frames. */
enum { JOB_PATH = 2048, JOB_OUTPUTS = 8, JOB_MAX_BLOCKS = 100000000, JOB_MAX_VOLUMES = 1000000 };

/* The pixels that a pass stores on the disk. */
typedef struct pass_store {
    int number; /* index in the `made` of the graph; -1: the pass stores no pixels */
    drua_type image; /* type of the pixels of a stored image; DRUA_NO_TYPE: labels */
} pass_store;

/* A pass over all blocks of each channel and frame, done before the plan's blocks. */
typedef struct plan_pass {
    char *what; /* name of the pass in progress reports */
    int64_t extent[3], step[3]; /* extent of the image that the pass covers; extent of its blocks */
    pass_store store;
    int values[2], count; /* the values that the pass reads; only while the plan is made */
} plan_pass;

/* A value that a pass computes once and stores: the operation that computes it, and its index in the graph. */
typedef struct plan_stored {
    char *operation;
    int value;
} plan_stored;

/* An input that has a name in the pipeline. */
typedef struct plan_input {
    char *name;
    char *path; /* "": a channel of the plan's input */
    char *channel; /* its number from 1, or its name; "": all channels */
} plan_input;

/* The contents of a plan's file. It owns its texts. */
typedef struct block_plan {
    char *macro, *input, *output, *memory, *host_memory, *compression, *series;
    int64_t block[3], chunk[3], shard[3];
    int version;
    int level; /* resolution level of the input */
    int64_t first_frame, last_frame, origin[3], extent[3], margin; /* as in the request, whose `size` is `extent` */
    drua_blocks_labels labels; /* which results are label maps */
    bool replaces; /* the outputs may replace existing images */
    graph_number *numbers; /* measured when the plan was made */
    int number_count;
    char graph[DRUA_SHA256_TEXT], files[DRUA_SHA256_TEXT], image[DRUA_SHA256_TEXT], settings[DRUA_SHA256_TEXT];
    char all[DRUA_SHA256_TEXT]; /* hash of the four hashes above and the version */
    uint64_t device_bytes, host_bytes;
    int64_t halo[3];
    int64_t size[3], channels, frames; /* of the outputs */
    char *paths[JOB_OUTPUTS]; /* of the outputs */
    int path_count;
    int table_count; /* number of tables of labels */
    int64_t requested_block[3]; /* 0: not requested */
    /*
     * limits for choosing blocks of a shared plan; if the device's bytes are 0, use the limits of the device and the
     * computer
     */
    block_limits limits;
    /* the passes of a shared plan that must run before its numbers are known; count 0: the numbers are known */
    plan_pass *passes;
    int pass_count;
    plan_stored stored[GRAPH_STORED];
    int stored_count;
    plan_input inputs[GRAPH_NAMED]; /* channels come first */
    int input_count;
    char *provenance; /* JSON object about the results; NULL: not made yet */
    bool one_image; /* as in the request; only while the plan is made */
    bool writes_provenance; /* finish writes it beside a TIFF */
} block_plan;

void block_plan_free(block_plan *text);
drua_status block_plan_read(const char *path, block_plan *text);

/* Removes the list of passes. */
void block_plan_forget_passes(block_plan *text);

/* Reduces a shared plan to its request, so that it can be opened as a new plan. */
void block_plan_reduce_to_request(block_plan *text);

struct job;
drua_status block_plan_write(const struct job *j);

/*
 * Returns whether `volumes` images of this extent have at most JOB_MAX_BLOCKS blocks of extent `step`. The numbers may
 * come from a file without further checks.
 */
bool job_can_count(const int64_t extent[3], const int64_t step[3], int64_t volumes);

#endif

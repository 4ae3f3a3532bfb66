/* SPDX-License-Identifier: BSD-3-Clause */
/* An open plan: the contents of its file, the recorded pipeline, the grid of blocks, the input and the outputs. */
#ifndef DRUA_BLOCKS_JOB_H
#define DRUA_BLOCKS_JOB_H

#include "block_memory.h"
#include "block_pipeline.h"
#include "boxes.h"
#include "evaluate.h"
#include "input_record.h"
#include "journal.h"
#include "source.h"

/* The limits also protect memory from a damaged plan file that claims too many blocks, channels or frames. */
enum { JOB_PATH = 2048, JOB_OUTPUTS = 8, JOB_MOST_BLOCKS = 100000000, JOB_MOST_VOLUMES = 1000000 };

/* Bytes that a block may use, and its granularity. */
typedef struct block_limits {
    uint64_t device, buffer, host;
    int64_t file[3]; /* the extent of a block is a multiple of this */
} block_limits;

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

/* A value that the plan computes once and stores: the node's operation and the index of its result in the graph. */
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

/* A named input while the plan is open. */
typedef struct job_input {
    block_source *source; /* NULL for a channel of the plan's input */
    input_record *record; /* as in job */
    int64_t channel; /* from 0 */
} job_input;

/* The contents of a plan's file. It owns its texts. */
typedef struct block_plan {
    char *macro, *input, *output, *memory, *host_memory, *compression, *series;
    int64_t block[3], chunk[3], shard[3];
    int version;
    int level; /* resolution level of the input */
    drua_blocks_labels labels; /* which results are label maps */
    bool replaces; /* the outputs may replace existing images */
    graph_number *numbers;      /* measured when the plan was made */
    int number_count;
    char graph[DRUA_SHA256_TEXT], files[DRUA_SHA256_TEXT], image[DRUA_SHA256_TEXT], settings[DRUA_SHA256_TEXT];
    char all[DRUA_SHA256_TEXT]; /* hash of the four hashes above and the version */
    uint64_t device_bytes, host_bytes;
    int64_t halo[3];
    int64_t size[3], channels, frames;          /* of the outputs */
    char *paths[JOB_OUTPUTS];                   /* of the outputs */
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
    bool planner; /* the recording device computes no blocks if `devices` names other ones */
    struct block_workers *workers; /* workers on these devices; opened on first use */
    graph *graphs; /* one graph for each channel and frame if numbers were measured, else one for all */
    int64_t graph_count;
    int64_t volume; /* the one being recorded */
    int next_number; /* index in text.numbers of the next number to record */
    pass_mode passes;
    bool fresh; /* the plan is being made */
    const char *pipeline; /* the path or text of a new plan's pipeline; NULL: the plan is read from its file */
    bool anew; /* the plan replaces another one and discards its blocks */
    int pass; /* number of passes met so far in this channel and frame */
    const drua_blocks_share *share; /* of passes; NULL: all blocks */
    bool stores_nothing; /* each pass computes all its values */
    drua_text costs; /* lines for the user about the costs of passes */
    bool waits; /* recording stopped at a pass that is not due yet or that other processes must finish */
    drua_blocks_watch watch; /* reports the passes that come first */
    void *payload;
    int outputs[JOB_OUTPUTS]; /* indices of graph values */
    int output_count;
    drua_shape shape;           /* of the outputs */
    int64_t channels, frames, per_image, blocks;
} job;

drua_status block_plan_write(const job *j);

/*
 * Opens a plan on a device, as its text describes it. If `fresh`, sets the hashes and the blocks; else compares them
 * with the plan's and fails if they differ.
 */
drua_status job_open(job *j, const char *device, pass_mode passes, bool fresh);

/*
 * Fails if the input has changed since finished blocks and passes read it. Opens the input first if necessary. A
 * process checks only the part of the input that belongs to `share`, because all processes together check the whole
 * input. If `share` is NULL, it checks the whole input.
 */
drua_status job_check_input(job *j, const drua_blocks_share *share);

/* Opens an image as source_open; fails with DRUA_E_AWAY if the plan exists and the image is missing. */
drua_status job_open_image(const job *j, const char *path, const char *series, int level, size_t keep,
                           block_source **source);

/* Records the commands for one channel and frame. */
drua_status job_record_volume(job *j, const script *s, int64_t volume, graph *g);
void job_close(job *j);

/*
 * Returns whether blocks of extent `step` in `volumes` images of this extent number at most JOB_MOST_BLOCKS. The
 * numbers may come from a file without further checks.
 */
bool job_can_count(const int64_t extent[3], const int64_t step[3], int64_t volumes);

/* Fails if an image of this extent has too many blocks to count, over all channels and frames. */
drua_status job_check_blocks(const job *j, const int64_t extent[3], const int64_t step[3]);

/* Returns the images that blocks read. */
block_sources job_sources(const job *j);

/* Opens the requested devices unless they are open. */
drua_status job_open_workers(job *j);

/* Sets the grid and the hashes of a plan whose blocks are chosen. */
drua_status job_seal(job *j);
void job_set_paths(job *j, const char *path);

/* Loads from the file alone the grid of blocks and the outputs. It needs no input, pipeline or device. */
drua_status job_load_text(job *j, const char *path);

/* Opens the plan in a file. The plan must be complete. */
drua_status job_load(job *j, const char *path, const char *device);

/* Position of a block, and the graph that computes it, if one is recorded. */
typedef struct block_place {
    int64_t channel, frame;
    drua_box box;
    const graph *graph;
} block_place;

block_place job_block(const job *j, int64_t block);

/* Sets the number of blocks from the extents in the plan. */
void job_set_grid(job *j);

/* Makes the final paths of the results. Fails if a name cannot be the name of a separate file. */
drua_status job_name_outputs(job *j);

/*
 * Chooses the extent of blocks of some values. Blocks are as large as memory allows, read few pixels twice, and are
 * numerous enough to keep all parts of a computer busy. `what` receives the bytes that a block uses. Fails with
 * DRUA_E_MEMORY, the bytes needed and the bytes allowed, if not even the pixels of one file fit.
 */
drua_status choose_block(const graph *g, const int *outputs, int output_count, const block_limits *limits,
                         int64_t step[3], block_bytes *what);

/*
 * Chooses the extent of blocks for a pass in which the shape of blocks does not matter. A block has at most
 * `most_pixels` pixels; the choice minimises the pixels that must be decoded, in chunks of extent `chunk`, and
 * computed.
 */
drua_status choose_pass_slab(const graph *g, const int *values, int count, const block_limits *limits,
                             const int64_t chunk[3], int64_t most_pixels, int64_t step[3]);

/* Returns a block in the middle of the image. */
drua_box middle_block(const int64_t extent[3], const int64_t step[3]);

/* Returns the bytes of the computer's memory that the blocks in flight on one device use. */
uint64_t job_host_bytes(const block_bytes *b);

/* Parses a size such as "8GB" or "512MB"; returns false if the text is not a size. */
bool job_parse_size(const char *text, uint64_t *bytes);

/* Returns the limits for choosing blocks, and the bytes of the computer's memory that may be used. */
block_limits job_limits(const job *j);
uint64_t job_host_limit(const job *j);

/*
 * The path of an output that blocks write. Labels that belong to an image lie in its folder, and move with it when it
 * gets its final name; text.paths has the final paths.
 */
void job_output_path(const job *j, int output, char path[JOB_PATH]);

/* Returns the image to which labels belong, or -1 if the output lies in no other one. */
int job_image_of(const job *j, int output);

/* Returns whether one of the results has the output's path, which is otherwise a folder of results. */
bool job_has_main_image(const job *j);

/* Path of a table of the plan; tables count from 0. */
void label_table_path(const job *j, int table, char path[JOB_PATH]);

/* Metadata, text and options of an output for drua_zarr_create. */
const char *job_output_text(const job *j, int output);
drua_zarr_metadata job_output_metadata(const job *j, int output);
drua_zarr_options job_output_options(const job *j, int output);

/*
 * Computes the checksum and the length in bytes of a block's files in all outputs, as they are on the disk. If `crc` is
 * NULL, computes only the length.
 */
drua_status job_sum(drua_zarr *const *outputs, int count, const drua_zarr_box *box, uint32_t *crc, uint64_t *bytes);

/*
 * Returns whether the output is a TIFF. The blocks then write a temporary image in chunks, from which the TIFF is
 * written.
 */
bool job_makes_tiff(const job *j);

/* Returns whether a path is the name of a TIFF. */
bool job_is_tiff(const char *output);

/* Returns whether all outputs have their final names. */
bool job_is_finished(const job *j);

/* Flushes all written files and their records to the disk. */
void job_settle(const job *j, journal *records);

/* Fails if a share is not within this number of blocks. */
drua_status job_check_share(const drua_blocks_share *share, int64_t blocks);

/* Chooses the blocks of a recorded plan and sets its hashes. */
drua_status job_choose_blocks(job *j);

/*
 * Measures a number over all pixels of a value, block by block. A function of graph_measure whose payload is the job.
 */
drua_status job_measure(void *payload, const graph *g, const drua_op *op, const drua_bound *bound, int value,
                        double *number);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan that is open: what its file says, the recorded pipeline, the grid of blocks, input and outputs. */
#ifndef DRUA_BLOCKS_JOB_H
#define DRUA_BLOCKS_JOB_H

#include "block_memory.h"
#include "block_pipeline.h"
#include "boxes.h"
#include "evaluate.h"
#include "input_record.h"
#include "journal.h"
#include "source.h"

/* A plan's blocks and its channels and frames are counted in memory, also of a file that only says that it has so many.
 */
enum { JOB_PATH = 2048, JOB_OUTPUTS = 8, JOB_MOST_BLOCKS = 100000000, JOB_MOST_VOLUMES = 1000000 };

/* What a block may take. */
typedef struct block_limits {
    uint64_t device, buffer, host;
    int64_t file[3]; /* blocks are multiples of it */
} block_limits;

/* A pass over all blocks of each channel and frame before the blocks of a plan. */
typedef struct plan_pass {
    char *what; /* for those who watch */
    int64_t extent[3], step[3]; /* of what is looked at; of blocks */
    int labels; /* which of the numberings of labels it makes; -1: none */
} plan_pass;

/* What the plan's file holds. Texts are owned. */
typedef struct block_plan {
    char *macro, *input, *output, *memory, *host_memory, *compression;
    int64_t block[3], chunk[3], shard[3];
    int version;
    bool replaces; /* outputs of others that are there */
    graph_number *numbers;      /* measured when the plan was made */
    int number_count;
    char graph[DRUA_SHA256_TEXT], files[DRUA_SHA256_TEXT], image[DRUA_SHA256_TEXT], settings[DRUA_SHA256_TEXT];
    char all[DRUA_SHA256_TEXT]; /* of those and the version */
    uint64_t device_bytes, host_bytes;
    int64_t halo[3];
    int64_t size[3], channels, frames;          /* of the outputs */
    char *paths[JOB_OUTPUTS];                   /* of the outputs */
    int path_count;
    int table_count; /* of labels */
    int64_t wish[3]; /* the block that was asked for; 0: none */
    block_limits limits; /* for which blocks are chosen, of a plan whose passes are shared; device 0: those of the
                            device and the computer */
    plan_pass
        *passes; /* of a plan that is begun: what processes do before the numbers are known; count 0: it has them */
    int pass_count;
} block_plan;

void block_plan_free(block_plan *text);
drua_status block_plan_read(const char *path, block_plan *text);

/* Leaves of a plan that is begun what was asked for, to be opened as a new one. */
void block_plan_take_back(block_plan *text);

/* What becomes of a pass when recording meets it. */
typedef enum pass_mode {
    PASSES_DONE, /* the plan has what they gave */
    PASSES_ALONE, /* this process does them */
    PASSES_COUNTED, /* they are listed, and give numbers that stand for others */
    PASSES_SHARED /* this process does its share, and takes what others have found */
} pass_mode;

typedef struct job {
    char path[JOB_PATH], folder[JOB_PATH];      /* of the plan, of its journal */
    block_plan text;
    block_source *source;
    input_record *record; /* of what is read of it; NULL: a TIFF, whose state stands in the plan's hash */
    block_memory *memory; /* of blocks on their way */
    evaluator main; /* that recorded */
    const char *devices; /* wishes of those that do blocks; NULL: the same */
    bool planner; /* the one that records does so alone where others are wished */
    struct crew *crew; /* of these, once it was needed */
    graph *graphs;              /* of each channel and frame where numbers were measured, else one for all */
    int64_t graph_count;
    int64_t volume;             /* that is recorded now */
    int next_number;            /* of text.numbers, to be recorded next */
    pass_mode passes;
    bool fresh; /* the plan is being made */
    bool anew; /* in the place of another one, whose blocks go */
    int pass; /* met so far in this channel and frame */
    const drua_blocks_share *share; /* of passes; NULL: all of them */
    bool waits; /* recording ended at a pass that is for others to do, or for later */
    drua_blocks_watch watch; /* of passes that come first */
    void *payload;
    int outputs[JOB_OUTPUTS];   /* values */
    int output_count;
    drua_shape shape;           /* of the outputs */
    int64_t channels, frames, per_image, blocks;
} job;

drua_status block_plan_write(const job *j);

/* Opens what a plan's text says on a device. `fresh`: hashes and blocks are set then; else they are compared, and
 * differences refused. */
drua_status job_open(job *j, const char *device, pass_mode passes, bool fresh);

/* Refuses an input that is not as finished blocks and passes have read it, and opens it before if it is not open.
 * `share` (NULL: all): whose part is looked at, as several processes look at all of it together. */
drua_status job_check_input(job *j, const drua_blocks_share *share);

/* Records the commands for one channel and frame. */
drua_status job_record_volume(job *j, const script *s, int64_t volume, graph *g);
void job_close(job *j);

/* Whether an extent cut into blocks in each of so many volumes makes no more than JOB_MOST_BLOCKS; also of numbers that
 * a file says. */
bool job_can_count(const int64_t extent[3], const int64_t step[3], int64_t volumes);

/* Refuses blocks of a value of that extent in all channels and frames where they are too many to count. */
drua_status job_check_blocks(const job *j, const int64_t extent[3], const int64_t step[3]);

/* Opens the devices that are wished, if that was not done yet. */
drua_status job_open_crew(job *j);

/* Sets the grid and the hashes of a plan whose blocks are chosen. */
drua_status job_seal(job *j);
void job_set_paths(job *j, const char *path);

/* What the file alone says of a plan, without its input, its pipeline or a device: the grid of blocks and the outputs.
 */
drua_status job_load_text(job *j, const char *path);

/* Opens the plan in a file, which is whole. */
drua_status job_load(job *j, const char *path, const char *device);

/* Where a block lies, and the graph that makes it, if that was recorded. */
typedef struct block_place {
    int64_t channel, frame;
    drua_box box;
    const graph *graph;
} block_place;

block_place job_block(const job *j, int64_t block);

/*
 * Chooses the extent of blocks of some values: as large as memory allows, with as little read twice as may be, and
 * enough of them to keep all parts of a machine busy. `what`: what they take. DRUA_E_MEMORY with what is needed and
 * what was allowed where not even one file's pixels fit.
 */
drua_status choose_block(const graph *g, const int *outputs, int output_count, const block_limits *limits,
                         int64_t step[3], block_bytes *what);

/* The same for a pass whose blocks have no faces that matter: at most so many pixels, for which as few as may be are
 * decoded, in chunks of that extent, and computed. */
drua_status choose_pass_slab(const graph *g, const int *values, int count, const block_limits *limits,
                             const int64_t chunk[3], int64_t most_pixels, int64_t step[3]);

/* A block in the middle of the image. */
drua_box middle_block(const int64_t extent[3], const int64_t step[3]);

/* Bytes of the computer that blocks take which are on their way through one device. */
uint64_t job_host_bytes(const block_bytes *b);

/* Bytes that a size such as "8GB" or "512MB" says; false if it says none. */
bool job_parse_size(const char *text, uint64_t *bytes);

/* For which blocks are chosen; and of this computer, bytes that may be used. */
block_limits job_limits(const job *j);
uint64_t job_host_limit(const job *j);

/* The path of an output that blocks write. */
void job_output_path(const job *j, int output, char path[JOB_PATH]);

/* Facts of an output for drua_zarr_create, and how it is written. */
drua_zarr_metadata job_output_metadata(const job *j, int output);
drua_zarr_options job_output_options(const job *j, int output);

/* The checksum and the bytes of the files of a block in all outputs, as they are on the disk; `crc` NULL: the bytes
 * alone. */
drua_status job_sum(drua_zarr *const *outputs, int count, const drua_zarr_box *box, uint32_t *crc, uint64_t *bytes);

/* A TIFF is written whole, from an image in chunks that blocks make beside it; that goes then. */
bool job_makes_tiff(const job *j);

/* Whether all outputs have their names. */
bool job_is_finished(const job *j);

/* Hands all that was written, and its records, to the disk. */
void job_settle(const job *j, journal *records);

/* Whether a share's blocks are of so many. */
drua_status job_check_share(const drua_blocks_share *share, int64_t blocks);

/* Chooses the blocks of a plan that is recorded, and sets its hashes. */
drua_status job_choose_blocks(job *j);

/* Measures a number of all pixels of a value, block by block: a graph_measure's function with the job as payload. */
drua_status job_measure(void *payload, const graph *g, const drua_op *op, const drua_bound *bound, int value,
                        double *number);

#endif

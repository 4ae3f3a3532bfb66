/* SPDX-License-Identifier: BSD-3-Clause */
/* The pixels that passes store beside the plan, in chunks: labels of blocks, and images that are expensive to make. */
#ifndef DRUA_PIPELINE_PASS_STORES_H
#define DRUA_PIPELINE_PASS_STORES_H

#include "block_passes.h"
#include "passes.h"

/* The grid of a store, and its folder for one channel and frame. */
typedef struct pass_grid {
    char folder[PASS_PATH];
    int64_t extent[3], step[3];
    pass_store store;
} pass_grid;

/*
 * Chooses the blocks of a pass that stores an image of the graph; `value` is its index. A block consists of whole
 * chunks, or lies within one chunk.
 */
drua_status pass_grid_choose(job *j, const graph *g, int value, pass_grid *grid);

/*
 * Opens the store and the results of its pass, and creates what is missing. `hash` is that of the pass. An
 * interrupted pass keeps its blocks. Close `results` and `out` also after a failure.
 */
drua_status pass_store_open(const job *j, const pass_grid *grid, const char *hash, pass_results **results,
                            drua_zarr_out **out);

/*
 * Writes the pixels of a block and appends the checksums of its files to `sums`. `written` reads what `out` has
 * written. Fails with DRUA_E_AWAY if the store has disappeared; otherwise the files would be written under the empty
 * mount point of its disk.
 */
drua_status pass_store_write(drua_zarr_out *out, const drua_zarr *written, const drua_box *block, const void *pixels,
                             drua_bytes *sums);

/*
 * Joins the results of all blocks, which are checksums from drua_zarr_list_sums, and writes them as the joined result
 * of the pass. The caller frees sums->data, also after a failure.
 */
drua_status pass_sums_join(pass_results *results, const pass_grid *grid, const char *hash, drua_bytes *sums);

#endif

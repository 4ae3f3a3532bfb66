/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Follows the chain of directories of a TIFF file to its end, because libtiff mistakes a truncated chain for a short
 * one.
 */
#ifndef DRUA_IO_TIFF_CHAIN_H
#define DRUA_IO_TIFF_CHAIN_H

#include "store_file.h"

#include <drua/types.h>

#include <stdbool.h>
#include <stdint.h>

enum { DRUA_TIFF_PARTS = 16 };

typedef struct drua_tiff_chain {
    int64_t pages; /**< number of directories, at least 1 */
    uint64_t parts[DRUA_TIFF_PARTS]; /**< offsets of the first directory, then of its values that Drua uses */
    int part_count;
    uint64_t unwritten; /**< bytes of value 0 at the end of the file to which no directory refers; 0 if they are fewer
                             than the last directory has, or if a byte after its link is not 0 */
    int64_t planes; /**< planes of a MetaMorph stack, whose single directory describes all planes; else 0 */
} drua_tiff_chain;

/**
 * Follows the chain in a file. Returns NULL if the chain is valid, else a phrase that completes "the
 * file 'a.tif' ...". The chain is invalid if it leads back to itself, or if a directory or a value that Drua uses lies
 * beyond the file's end.
 */
const char *drua_tiff_follow(drua_store_file *file, drua_tiff_chain *chain);

/**
 * Returns whether the first directory or one of its values begins at a byte from `first` to `end` - 1. True if there
 * are more values than `parts` holds.
 */
bool drua_tiff_has_part_in(const drua_tiff_chain *chain, uint64_t first, uint64_t end);

#endif

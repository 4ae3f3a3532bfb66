/* SPDX-License-Identifier: BSD-3-Clause */
/* The chain of directories of a TIFF file, followed to its end: libtiff takes a chain that was cut for a short one. */
#ifndef DRUA_IO_TIFF_CHAIN_H
#define DRUA_IO_TIFF_CHAIN_H

#include <drua/types.h>

#include <stdint.h>

typedef struct drua_tiff_chain {
    int64_t pages; /**< directories, at least 1 */
    uint64_t first; /**< byte where the first one begins */
    int64_t planes; /**< of a MetaMorph stack, which has one directory for all its planes; else 0 */
} drua_tiff_chain;

/**
 * Follows the chain of a file of so many bytes. Returns NULL, or what is wrong, as in "the file 'a.tif' ...": a
 * directory or a value that Drua uses lies beyond the end of the file, or the chain leads back to itself.
 */
const char *drua_tiff_follow(const char *path, uint64_t bytes, drua_tiff_chain *chain);

#endif

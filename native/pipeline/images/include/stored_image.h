/* SPDX-License-Identifier: BSD-3-Clause */
/* An image that a pass has stored beside the plan, because computing it again in each pass would take longer. */
#ifndef DRUA_PIPELINE_STORED_IMAGE_H
#define DRUA_PIPELINE_STORED_IMAGE_H

#include "error.h"
#include "file.h"
#include "tile.h"

#include <stdbool.h>

typedef struct stored_image stored_image;

/*
 * Makes an image that opens its files on the first read. `folder` is the folder of its pass, and `sums` the checksums
 * of its files, from drua_zarr_list_sums; the image takes their data, also after a failure. If `is_whole` is false,
 * reading fails with DRUA_E_AWAY. Close with stored_image_close.
 */
drua_status stored_image_make(const char *folder, bool is_whole, drua_bytes sums, stored_image **made);
void stored_image_close(stored_image *s);

/* Reads a box into dense pixels, on all cores. One thread at a time. */
drua_status stored_image_read(stored_image *s, const drua_box *box, void *pixels);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Integers about the shape of each label, added up over blocks in a pass that overlaps. */
#ifndef DRUA_PIPELINE_LABEL_SHAPES_H
#define DRUA_PIPELINE_LABEL_SHAPES_H

#include "file.h"
#include "op.h"

/* The shapes of labels 0 to `count` - 1. Their boxes are known before blocks are added. */
typedef struct label_shapes {
    drua_label_shape *of; /* owned */
    uint32_t count;
    int64_t extent[3]; /* of the image */
} label_shapes;

/*
 * Computes the integers of the labels in `own`, on all cores. `pixels` has the labels in `box`. Unless the image begins
 * there, `box` has one more pixel before `own` along each axis. The caller frees `found`.
 */
drua_status block_shapes_find(const label_shapes *shapes, const drua_box *own, const drua_box *box, drua_type type,
                              const void *pixels, drua_bytes *found);

/* Adds the result of a block. */
drua_status label_shapes_add(label_shapes *shapes, const drua_bytes *found);

/* `save` returns all integers as bytes, which the caller frees; `load` replaces the integers with such bytes. */
drua_status label_shapes_save(const label_shapes *shapes, drua_bytes *bytes);
drua_status label_shapes_load(label_shapes *shapes, const drua_bytes *bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The metadata of a plate of OME-Zarr: wells, each with fields, which are images. */
#ifndef DRUA_PIPELINE_PLATE_H
#define DRUA_PIPELINE_PLATE_H

#include "json.h"

#include "error.h"

#include <stdbool.h>
#include <stdint.h>

enum { PLATE_PATH = 2048, PLATE_NAME = 64 };

/* A field of a plate: its path is WELL/NAME, such as A/1/0. */
typedef struct plate_field {
    char well[PLATE_NAME], name[PLATE_NAME];
} plate_field;

typedef struct plate {
    drua_json *json; /* of the plate's group; `about` is its member "plate" */
    const drua_json *about;
    plate_field *fields; /* in the order of the wells in the metadata */
    int64_t count;
} plate;

/*
 * Reads a plate; `p->about` is NULL if the path leads to anything else. Fails if a well has no metadata or no fields,
 * if a field is listed twice, or if a path would leave the plate's folder. Free with plate_free, also after a failure.
 */
drua_status plate_read(const char *path, plate *p);
void plate_free(plate *p);

/*
 * Whether the folder of a field of a plate exists. In an archive or on a server: whether the field has metadata, or
 * they cannot be read.
 */
bool plate_has_field(const char *folder, const char *path);

/* Fails with DRUA_E_AWAY if the plate has disappeared. */
drua_status plate_check(const char *path);

/*
 * Writes the groups of a plate with the same wells and fields to a folder, in the version 4 or 5 of OME-Zarr, 0: 4. The
 * plate's own metadata come last.
 */
drua_status plate_write(const plate *p, const char *from, const char *to, int version);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The OME-XML of an OME-TIFF file, with every number inside its limits. Elements, attributes and defaults follow the
 * schema 2016-06 (www.openmicroscopy.org/Schemas/OME/2016-06).
 */
#ifndef DRUA_IO_OME_XML_H
#define DRUA_IO_OME_XML_H

#include "error.h"

#include <stdbool.h>
#include <stdint.h>

/** Largest number that the OME-XML may state: planes of an image, pages of a file. */
enum { DRUA_OME_MAX = 1 << 24 };

typedef enum drua_ome_axis { DRUA_OME_C, DRUA_OME_Z, DRUA_OME_T, DRUA_OME_AXES } drua_ome_axis;

/** An element TiffData: consecutive pages of the file hold consecutive planes of the image. */
typedef struct drua_ome_block {
    int64_t page; /**< the first page, from 0; -1: not stated */
    int64_t count; /**< pages; -1: not stated */
    int64_t first[DRUA_OME_AXES]; /**< the first plane */
    int file; /**< index of the file that holds the pages; -1: not stated */
} drua_ome_block;

/** A file that the text names. Either text may be empty. */
typedef struct drua_ome_file {
    char name[256], uuid[200];
} drua_ome_file;

typedef struct drua_ome_channel {
    char name[128]; /**< "" if not stated */
    bool has_colour;
    uint32_t colour; /**< red, green and blue: 0xRRGGBB */
} drua_ome_channel;

typedef struct drua_ome {
    int64_t images; /**< elements Image, called series; the other members describe the chosen one */
    int64_t chosen; /**< number of the chosen image, from 1; 0: no image has the name */
    char **names; /**< of the images, "" if not stated */
    bool has_pixels;
    bool is_elsewhere; /**< another file holds the description */
    char elsewhere[256]; /**< its name */
    char uuid[200]; /**< of this file; "" if not stated */
    drua_ome_file *files;
    int file_count;
    drua_ome_channel *channels; /**< the channels that the text lists, in their order */
    int64_t channel_count;
    double position[3]; /**< of the first plane along x, y, z */
    char position_unit[3][32]; /**< "" if the position is not stated */
    int64_t width, height, size[DRUA_OME_AXES];
    drua_ome_axis order[DRUA_OME_AXES]; /**< the axes of consecutive planes; the first one varies fastest */
    int64_t samples; /**< most values of a pixel in a channel; 0: not stated */
    double scale[3]; /**< along x, y, z; 0: not stated */
    char unit[3][32];
    double interval; /**< time between frames; 0: not stated */
    char time_unit[32];
    drua_ome_block *blocks;
    int64_t block_count;
} drua_ome;

/** Returns whether the root element of a TIFF's description is OME. */
bool drua_ome_is_xml(const char *description);

/** Returns whether a description is the beginning of an XML text that ends before its root element. */
bool drua_ome_is_cut(const char *description);

/**
 * Parses the description of the file `path` with expat. `series` chooses an image by its number from 1 or by its name;
 * "": the first one. The caller closes `ome` also after a failure. DRUA_E_ARGUMENT names the path and the problem;
 * DRUA_E_UNSUPPORTED if expat is not installed. Any thread.
 */
drua_status drua_ome_parse(const char *path, const char *description, const char *series, drua_ome *ome);
void drua_ome_close(drua_ome *ome);

#endif

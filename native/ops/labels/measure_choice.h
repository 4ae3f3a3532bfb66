/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of columns that a call of measure_labels names, and the headings of its table. */
#ifndef DRUA_OPS_MEASURE_CHOICE_H
#define DRUA_OPS_MEASURE_CHOICE_H

#include "measure_labels.h"

enum {
    SHAPE,
    MOMENTS,
    HULL,
    FERET,
    INSCRIBED,
    INTENSITY,
    NEIGHBORS,
    TEXTURE,
    RADIAL,
    RIM,
    SKELETON,
    GEODESIC,
    OUTLINE,
    RAW_MOMENTS,
    SIZE,
    PERCENTILES,
    GROUPS
};
enum { MEASURE_MAX_COLUMNS = 256 };

extern const measure_group *const measure_groups[GROUPS];

/** `width` and `column`: for each group the number of its columns, and the first one in a row. */
typedef struct measure_choice {
    bool group[GROUPS], distances; /**< `distances`: a group needs them */
    int columns, width[GROUPS], column[GROUPS];
    char (*text)[MEASURE_HEADING];
    const char *headings[MEASURE_MAX_COLUMNS];
} measure_choice;

/** Reads which groups the call's options name; shape alone if they name none. `flat`: the image has one slice. */
void measure_choose_groups(drua_plan *plan, bool flat, measure_choice *choice);

/** Chooses the group of a column; returns the index of the column in a row. */
int measure_choose_column(drua_plan *plan, bool flat, const char *name, measure_choice *choice);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Start tags of TrackMate's XML and their attributes. */
#ifndef DRUA_OPS_MATE_TAGS_H
#define DRUA_OPS_MATE_TAGS_H

#include "plan.h"

/** A start tag: the characters from its name to before its ">". */
typedef struct mate_tag {
    const char *start, *end;
} mate_tag;

/** Finds the next start tag from *at on, and moves *at past it. Skips comments, instructions and CDATA sections. */
bool mate_next_tag(const char **at, mate_tag *found);

bool mate_has_name(mate_tag t, const char *name);
int64_t mate_count_tags(const char *text, const char *name);

/** The value of an attribute, up to its closing quote; NULL if the tag does not have the attribute. */
const char *mate_attribute(mate_tag t, const char *name);

/** A number of a tag. Fails the call if the tag does not have it or it is outside its limits. */
double mate_number(drua_plan *p, mate_tag t, const char *name, double min, double max);

#endif

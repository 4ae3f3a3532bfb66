/* SPDX-License-Identifier: BSD-3-Clause */
#include "registration_notes.h"

#include <stdio.h>
#include <string.h>

/* A transform beyond these limits is wrong: part of the frame that is shared, and change of area. */
static const double least_overlap = 0.01, most_area = 25;

/* Below this correlation, a user should look at the frame. */
static const double weak_correlation = 0.3;

enum { NAMED = 10, TEXT_ROOM = 200 };

bool registration_is_found(const registration_row *row, drua_layout frame)
{
    const double area = fabs(plane_area(row->map, frame.width / 2.0, frame.height / 2.0));
    return row->overlap >= least_overlap && area >= 1 / most_area && area <= most_area;
}

/* The numbers of frames, such as "3, 4, 9 and 12 more". */
typedef struct frame_list {
    char text[TEXT_ROOM];
    int32_t count;
} frame_list;

static void add_frame(frame_list *list, int32_t frame)
{
    const size_t length = strlen(list->text);
    if (list->count < NAMED)
        snprintf(list->text + length, TEXT_ROOM - length, "%s%d", list->count ? ", " : "", (int)frame + 1);
    list->count++;
}

static void tell_list(drua_plan *p, const char *what, frame_list *list, const char *result)
{
    const size_t length = strlen(list->text);
    if (list->count > NAMED)
        snprintf(list->text + length, TEXT_ROOM - length, " and %d more", (int)(list->count - NAMED));
    if (list->count > 0)
        plan_add_message(p, "%s frame%s %s; %s", what, list->count > 1 ? "s" : "", list->text, result);
}

void registration_tell(drua_plan *p, const registration_notes *notes, const registration_row *rows, int32_t frames)
{
    frame_list empty = {.count = 0}, failed = {.count = 0}, weak = {.count = 0};
    for (int32_t i = 0; i < frames; i++) {
        if (notes->state[i] == REGISTRATION_EMPTY)
            add_frame(&empty, i);
        else if (notes->state[i] == REGISTRATION_FAILED)
            add_frame(&failed, i);
        else if (rows[i].correlation < weak_correlation)
            add_frame(&weak, i);
    }
    tell_list(p, "there is no texture in", &empty, "such a frame moves like the frame before it");
    tell_list(p, "the search ended with an impossible transform for", &failed,
              "such a frame moves like the frame before it");
    tell_list(p, "the correlation with the reference is less than 0.3 for", &weak,
              "check whether the transform is right");
}

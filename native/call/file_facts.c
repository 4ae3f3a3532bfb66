/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the metadata of image files, and lists the files of a folder. */
#include "call.h"
#include "plan_files.h"

#include "error.h"
#include "image_file.h"
#include "imagej.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads "position=x,y,z", which is in the text's unit, as pixels. */
static void find_position(const char *text, double position[3])
{
    char value[128];
    double at[3], size[3];
    if (!drua_imagej_find(text, "position", value, sizeof value) ||
        sscanf(value, "%lf,%lf,%lf", &at[0], &at[1], &at[2]) != 3)
        return;
    drua_text_voxel_sizes(text, size);
    for (int axis = 0; axis < 3; axis++) {
        position[axis] = size[axis] > 0 ? at[axis] / size[axis] : at[axis];
        position[axis] = isfinite(position[axis]) ? position[axis] : 0;
    }
}

bool plan_find_file(drua_plan *plan, const char *path, int64_t channel, int64_t frame, plan_file_facts *facts)
{
    const drua_selection which = {.channels = {channel, channel}, .frames = {frame, frame}, .series = ""};
    drua_file_info info;
    drua_image_file *file;
    drua_text text = {0};
    *facts = (plan_file_facts){.shape = {1, 1, 1, 2}, .type = DRUA_UINT8};
    if (plan->status != DRUA_OK || !drua_image_file_stat(path, &info))
        return false;
    if (!plan_try(plan, drua_image_file_open(path, &which, &file)))
        return true;
    if (drua_image_file_other_series(file))
        plan_fail(plan, "'%s' holds several images (series); save each of them as a file", path);
    facts->shape = drua_image_file_shape(file);
    facts->type = drua_image_file_type(file);
    drua_image_file_describe(file, &text);
    find_position(drua_text_characters(&text), facts->position);
    if (text.failed)
        plan_try(plan, drua_fail_memory(text.length));
    drua_text_free(&text);
    drua_image_file_close(file);
    return true;
}

/* ---- folders */

typedef struct listing {
    drua_plan *plan;
    const char *begin, *end;
    char **names;
    int64_t count, room;
} listing;

static bool add_name(const char *name, void *data)
{
    listing *l = data;
    const size_t length = strlen(name), begin = strlen(l->begin), end = strlen(l->end);
    if (length < begin + end || strncmp(name, l->begin, begin) || strcmp(name + length - end, l->end))
        return true;
    if (l->count == l->room) {
        const int64_t room = 2 * l->room + 64;
        char **grown = plan_host_memory(l->plan, (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        if (l->count)
            memcpy(grown, l->names, (size_t)l->count * sizeof *grown);
        l->names = grown;
        l->room = room;
    }
    char *copy = plan_host_memory(l->plan, length + 1);
    if (copy)
        memcpy(copy, name, length + 1);
    l->names[l->count++] = copy;
    return copy;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int64_t plan_list_folder(drua_plan *plan, const char *folder, const char *begin, const char *end, char ***names)
{
    listing l = {.plan = plan, .begin = begin, .end = end};
    if (plan->status == DRUA_OK && !drua_file_is_folder(*folder ? folder : "."))
        plan_fail(plan, "the folder %s does not exist; check the path", folder);
    if (plan->status == DRUA_OK)
        plan_try(plan, drua_folder_list(*folder ? folder : ".", add_name, &l));
    if (plan->status != DRUA_OK)
        return 0;
    if (l.count)
        qsort(l.names, (size_t)l.count, sizeof *l.names, compare_names);
    *names = l.names;
    return l.count;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the part of a file that a call reads. */
#include "call.h"
#include "plan_files.h"

#include "image_file.h"

static void open_selection(drua_plan *plan, const char *path, const drua_selection *which)
{
    if (!plan->file && plan->status == DRUA_OK)
        plan_try(plan, drua_image_file_open(plan_text(plan, path), which, &plan->file));
}

void plan_open_file(drua_plan *plan, const char *path, int64_t channel, int64_t frame)
{
    open_selection(plan, path,
                   &(drua_selection){.channels = {channel, channel}, .frames = {frame, frame}, .series = ""});
}

static void read_integers(drua_plan *plan, const char *options, const char *name, int64_t *to, int count)
{
    double numbers[16];
    plan_setting_numbers(plan, options, name, numbers);
    for (int i = 0; i < count; i++)
        to[i] = (int64_t)numbers[i];
}

void plan_open_box(drua_plan *plan, const char *path, const char *options)
{
    char series[DRUA_SETTING_TEXT];
    drua_selection which = {.level = (int)plan_setting(plan, options, "level"), .series = series};
    plan_setting_text(plan, options, "series", series);
    read_integers(plan, options, "channels", which.channels, 2);
    read_integers(plan, options, "frames", which.frames, 2);
    read_integers(plan, options, "origin", which.origin, 3);
    read_integers(plan, options, "size", which.size, 3);
    open_selection(plan, path, &which);
}

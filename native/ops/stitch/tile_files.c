/* SPDX-License-Identifier: BSD-3-Clause */
#include "tile_files.h"
#include "plan_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static char *copy_text(drua_plan *p, const char *text)
{
    char *copy = plan_host_memory(p, strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

static void make_room(drua_plan *p, tile_files *f, int64_t count)
{
    if (count > DRUA_MAX_TILES)
        plan_fail(p, "there may be at most %d tiles, got %" PRId64, DRUA_MAX_TILES, count);
    f->count = plan_failed(p) ? 0 : count;
    f->paths = plan_host_memory(p, (size_t)(f->count + 1) * sizeof *f->paths);
    f->stage = plan_host_memory(p, (size_t)(f->count + 1) * sizeof *f->stage);
}

/* ---- lists */

static void find_by_list(drua_plan *p, const char *path, tile_files *f)
{
    drua_tile_list list;
    char file[DRUA_TILE_PATH];
    plan_read_tile_list(p, path, &list);
    make_room(p, f, list.count);
    for (int64_t i = 0; i < f->count && !plan_failed(p); i++) {
        drua_tile_list_path(path, list.tiles[i].name, file);
        f->paths[i] = copy_text(p, file);
        for (int axis = 0; axis < 3; axis++)
            f->stage[i][axis] = list.tiles[i].at[axis];
    }
}

/* ---- placeholders */

/* Returns the length of a placeholder such as {xx}, and its letter; 0 if the text begins with something else. */
static size_t placeholder_at(const char *text, char *letter)
{
    *letter = text[0] == '{' ? text[1] : 0;
    const size_t length = *letter && strchr("xyi", *letter) ? strspn(text + 1, (const char[]){*letter, 0}) : 0;
    return length && text[1 + length] == '}' ? length + 2 : 0;
}

/* Puts numbers in the places of {x}, {y} and {i}; repeated letters give the least number of digits. */
static void write_name(const char *pattern, const int64_t numbers[3], char name[DRUA_TILE_PATH])
{
    size_t used = 0, length;
    char letter;
    for (const char *at = pattern; *at && used + 32 < DRUA_TILE_PATH; at += length) {
        length = placeholder_at(at, &letter);
        if (length)
            used += (size_t)snprintf(name + used, 32, "%0*" PRId64, length < 22 ? (int)length - 2 : 20,
                                     numbers[letter == 'x'   ? 0
                                             : letter == 'y' ? 1
                                                             : 2]);
        else
            name[used++] = *at;
        length = length ? length : 1;
    }
    name[used] = 0;
}

/* Whether a pattern has {x} and {y}, or {i} alone. */
static bool is_grid(const char *pattern)
{
    bool has[3] = {false};
    char letter;
    for (const char *at = pattern; *at; at++)
        if (placeholder_at(at, &letter))
            has[letter == 'x' ? 0 : letter == 'y' ? 1 : 2] = true;
    return has[2] ? !has[0] && !has[1] : has[0] && has[1];
}

/*
 * Positions on the stage are numbers of tiles here; scale_stage converts them to pixels once the extent of the tiles is
 * known.
 */
static void find_by_grid(drua_plan *p, const char *pattern, tile_files *f)
{
    const int64_t columns = (int64_t)plan_setting(p, "options", "columns"),
                  rows = (int64_t)plan_setting(p, "options", "rows"),
                  first = (int64_t)plan_setting(p, "options", "first");
    char name[DRUA_TILE_PATH];
    if (!is_grid(pattern))
        plan_fail(p, "the name %s must have {x} and {y} for the numbers of column and row, or {i} for that of the tile",
                  pattern);
    make_room(p, f, columns * rows);
    for (int64_t i = 0; i < f->count && !plan_failed(p); i++) {
        int64_t place[2];
        stitch_grid_place(p, i, columns, rows, place);
        write_name(pattern, (const int64_t[]){first + place[0], first + place[1], first + i}, name);
        f->paths[i] = copy_text(p, name);
        for (int axis = 0; axis < 2; axis++)
            f->stage[i][axis] = (double)place[axis];
    }
}

static void scale_stage(drua_plan *p, tile_files *f)
{
    const double step = 1 - plan_setting(p, "options", "overlap") / 100;
    for (int64_t i = 0; i < f->count; i++)
        for (int axis = 0; axis < 2; axis++)
            f->stage[i][axis] *= step * (double)f->shape.extent[axis];
}

/* ---- positions in metadata */

static void find_by_metadata(drua_plan *p, const char *pattern, tile_files *f)
{
    const char *star = strrchr(pattern, '*');
    const char *begin = star;
    char folder[DRUA_TILE_PATH], start[DRUA_TILE_PATH], path[2 * DRUA_TILE_PATH], **names = NULL;
    while (begin > pattern && !strchr("/\\", begin[-1]))
        begin--;
    snprintf(folder, sizeof folder, "%.*s", (int)(begin - pattern), pattern);
    snprintf(start, sizeof start, "%.*s", (int)(star - begin), begin);
    if (strchr(pattern, '*') != star || strpbrk(star, "/\\"))
        plan_fail(p, "the name %s may have one *, in the name of the file", pattern);
    const int64_t count = plan_list_folder(p, folder, start, star + 1, &names);
    make_room(p, f, count);
    for (int64_t i = 0; i < f->count && !plan_failed(p); i++) {
        snprintf(path, sizeof path, "%s%s", folder, names[i]);
        f->paths[i] = copy_text(p, path);
    }
}

/* A file without a position counts as lying at 0, 0, 0, so several such files lie at the same place. */
static void require_positions(drua_plan *p, const tile_files *f)
{
    bool differ = f->count < 2;
    for (int64_t i = 1; i < f->count; i++)
        for (int axis = 0; axis < 3; axis++)
            differ = differ || f->stage[i][axis] != f->stage[0][axis];
    if (!differ)
        plan_fail(p,
                  "the metadata of the %" PRId64 " files %s state no different positions; use a list of tiles, or "
                  "numbers in their names",
                  f->count, plan_text(p, "tiles"));
}

/* ---- all */

static void check_file(drua_plan *p, const tile_files *f, const char *path, const plan_file_facts *facts)
{
    const drua_shape a = facts->shape, b = f->shape;
    if (!plan_failed(p) && (!drua_shape_is_same_size(a, b) || facts->type != f->type))
        plan_fail(p,
                  "the tile %s has %" PRId64 " x %" PRId64 " x %" PRId64 " pixels, but %s has %" PRId64 " x %" PRId64
                  " x %" PRId64 "%s; all tiles need the same size and type",
                  path, a.width, a.height, a.depth, f->paths[0], b.width, b.height, b.depth,
                  facts->type != f->type ? " of another type" : "");
}

/* Leaves out and reports the files that do not exist. */
static void keep_existing(drua_plan *p, int64_t channel, int64_t frame, bool takes_positions, tile_files *f)
{
    const int64_t all = f->count;
    f->count = 0;
    for (int64_t i = 0; i < all && !plan_failed(p); i++) {
        plan_file_facts facts;
        if (!plan_find_file(p, f->paths[i], channel, frame, &facts)) {
            if (!plan_failed(p))
                plan_add_message(p, "the tile %s does not exist and is left out", f->paths[i]);
            continue;
        }
        if (!f->count) {
            f->shape = facts.shape;
            f->type = facts.type;
        }
        memmove(f->stage[f->count], takes_positions ? facts.position : f->stage[i], sizeof *f->stage);
        f->paths[f->count] = f->paths[i];
        check_file(p, f, f->paths[i], &facts);
        f->count++;
    }
    if (!f->count)
        plan_fail(p, "no file matches %s; check the path", plan_text(p, "tiles"));
}

void tile_files_find(drua_plan *p, int64_t channel, int64_t frame, tile_files *f)
{
    const char *tiles = plan_text(p, "tiles");
    const bool list = drua_tile_list_is_path(tiles), star = !list && strchr(tiles, '*');
    *f = (tile_files){.count = 0};
    if (list)
        find_by_list(p, tiles, f);
    else if (star)
        find_by_metadata(p, tiles, f);
    else
        find_by_grid(p, tiles, f);
    keep_existing(p, channel, frame, star, f);
    if (star)
        require_positions(p, f);
    else if (!list)
        scale_stage(p, f);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the positions of tiles in files, and lists them as an image that can be processed block by block. */
#include "host_work.h"
#include "plan_files.h"
#include "tile_files.h"

#include <string.h>

/* ---- the list that is written */

static const char *const field_names[] = {"flat", "dark"};

/* Returns the length of the folder's part of a path, with the slash. */
static size_t folder_length(const char *path)
{
    size_t length = strlen(path);
    while (length && !strchr("/\\", path[length - 1]))
        length--;
    return length;
}

/* Returns the name of a tile for the list: a path relative to the list's folder, or an absolute one. */
static const char *name_in_list(drua_plan *p, const char *list, const char *path)
{
    char seen[DRUA_TILE_PATH];
    const size_t folder = folder_length(list);
    if (!strncmp(list, path, folder) && path[folder])
        return path + folder;
    drua_tile_list_path(list, path, seen);
    if (strcmp(seen, path))
        plan_fail(p, "the list %s lies in another folder than the tile %s; write it there, or use absolute paths", list,
                  path);
    return path;
}

/* Fails if the list could not name a tile or a field. The positions take long, so this runs before them. */
static void check_names(drua_plan *p, const stitch_job *j)
{
    const char *list = plan_text(p, "list");
    char name[DRUA_SETTING_TEXT], path[DRUA_TILE_PATH];
    for (int i = 0; i < 2 && !plan_failed(p); i++) {
        plan_file_facts facts;
        plan_setting_text(p, "options", field_names[i], name);
        drua_tile_list_path(list, name, path);
        if (*name && !plan_find_file(p, path, 1, 1, &facts))
            plan_fail(p, "the %s field %s does not exist; its path begins in the folder of the list", field_names[i],
                      path);
        if (*name)
            plan_keep_input(p, list, path);
    }
    for (int32_t i = 0; i < j->count && !plan_failed(p); i++) {
        plan_keep_input(p, list, j->paths[i]);
        name_in_list(p, list, j->paths[i]);
    }
}

static void require_pixels(drua_plan *p, const stitch_job *j)
{
    for (int32_t i = 0; i < j->count; i++)
        if (!j->tiles[i].empty)
            return;
    plan_fail(p, "all pixels of all tiles %s are 0; check the path, the channel and the frame", plan_text(p, "tiles"));
}

static void print_settings(drua_plan *p, drua_plan_text *text)
{
    static const char *const fusions[] = {DRUA_FUSIONS}, *const missing[] = {DRUA_MISSING_PIXELS};
    char name[DRUA_SETTING_TEXT];
    plan_print(p, text, "# drua: fusion=%s missing=%s", fusions[(int)plan_setting(p, "options", "fusion")],
               missing[(int)plan_setting(p, "options", "missing")]);
    for (int i = 0; i < 2; i++) {
        plan_setting_text(p, "options", field_names[i], name);
        if (*name)
            plan_print(p, text, " %s=%s", field_names[i], name);
    }
    plan_print(p, text, "\n");
}

static void print_tile(drua_plan *p, drua_plan_text *text, const stitch_job *j, int32_t tile, const double corner[3],
                       bool table)
{
    const stitch_tile *t = &j->tiles[tile];
    const char *name = name_in_list(p, plan_text(p, "list"), j->paths[tile]);
    double at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = t->at[axis] - corner[axis];
    if (!table && strchr(name, ';'))
        plan_fail(p, "the name of the tile %s has a semicolon, which ends a name in a .txt list; write a .csv list",
                  name);
    if (table) {
        plan_print(p, text, "\"");
        for (const char *c = name; *c; c++)
            plan_print(p, text, "%s%c", *c == '"' ? "\"" : "", *c);
        plan_print(p, text, "\",%.4f,%.4f,%.4f,%.4f,%d\n", at[0], at[1], at[2], t->quality, t->links);
        return;
    }
    plan_print(p, text, "%s%s; ; (%.4f, %.4f", *name == '#' ? "./" : "", name, at[0], at[1]);
    if (j->shape.depth > 1)
        plan_print(p, text, ", %.4f", at[2]);
    plan_print(p, text, ")\n");
}

static void write_list(drua_plan *p, const stitch_job *j, const double corner[3])
{
    const char *list = plan_text(p, "list");
    const bool table = drua_tile_list_is_table(list);
    drua_plan_text text = {0};
    print_settings(p, &text);
    if (table)
        plan_print(p, &text, "file,x,y,z,quality,pairs\n");
    else
        plan_print(p, &text, "dim = %d\n\n", j->shape.depth > 1 ? 3 : 2);
    for (int32_t i = 0; i < j->count && !plan_failed(p); i++)
        if (!j->tiles[i].empty)
            print_tile(p, &text, j, i, corner, table);
    plan_write_text(p, list, &text);
}

/* ---- the operation */

static void build_files(drua_plan *p)
{
    const int64_t channel = (int64_t)plan_setting(p, "options", "channel"),
                  frame = (int64_t)plan_setting(p, "options", "frame");
    tile_files files;
    double corner[3], high[3];
    if (!plan_failed(p) && !drua_tile_list_is_path(plan_text(p, "list")))
        plan_fail(p, "list must have the extension .csv or .txt, got %s", plan_text(p, "list"));
    tile_files_find(p, channel, frame, &files);
    if (plan_failed(p))
        return;
    stitch_job j = stitch_begin(p, files.count, files.shape, files.type);
    if (plan_failed(p))
        return;
    j.paths = (const char *const *)files.paths;
    j.channel = channel;
    j.frame = frame;
    for (int32_t i = 0; i < j.count; i++) {
        memcpy(j.tiles[i].stage, files.stage[i], sizeof j.tiles[i].stage);
        memcpy(j.tiles[i].at, files.stage[i], sizeof j.tiles[i].at);
    }
    check_names(p, &j);
    if (!plan_setting(p, "options", "keep"))
        stitch_find_positions(p, &j);
    require_pixels(p, &j);
    if (plan_failed(p))
        return;
    stitch_find_corner(&j, corner, high);
    write_list(p, &j, corner);
    stitch_make_table(p, &j, corner);
}

#define COUNT(name_, doc_) DRUA_INTEGER(name_, doc_, DRUA_RANGE(1, DRUA_MAX_TILES), .default_value = 1)
#define NUMBER_OF(name_)                                                                                               \
    DRUA_INTEGER(name_, "number of the " name_ " that shows the shifts, from 1", DRUA_RANGE(1, 2147483647),            \
                 .default_value = 1)

DRUA_OP(stitch_files) = {
    .name = "stitch_files",
    .category = "stitching",
    .summary = "Finds the positions of overlapping tiles in files, and writes a list that process_file blends into one "
               "image of any size.",
    .source = STITCH_SOURCE,
    .before_example = "folder = getDirectory(\"temp\");\n"
                      "Ext.Drua_crop(image, part, 0, 0, 0, 120, 100, 1);\n"
                      "Ext.Drua_write(part, folder + \"drua-example-1-1.tif\");\n"
                      "Ext.Drua_crop(image, part, 80, 0, 0, 120, 100, 1);\n"
                      "Ext.Drua_write(part, folder + \"drua-example-2-1.tif\");",
    DRUA_PARAMS(
        {.name = "tiles",
         .doc = "a list of tiles (.csv, .txt); a name with {x} and {y}, or {i}, for numbers of tiles in a grid; "
                "or a name with * for files whose metadata state their positions",
         .kind = DRUA_KIND_PATH,
         .example_text = "drua-example-{x}-{y}.tif"},
        {.name = "list",
         .doc = "list to write: a table (.csv), or a TileConfiguration.txt (.txt)",
         .kind = DRUA_KIND_PATH,
         .written = true,
         .example_text = "drua-example-tiles.csv"},
        STITCH_OPTIONS("columns=2 overlap=33", COUNT("columns", "tiles along x"), COUNT("rows", "tiles along y"),
                       DRUA_INTEGER("first", "number of the first tile, column and row in names", DRUA_RANGE(0, 1e6),
                                    .default_value = 1),
                       STITCH_GRID, NUMBER_OF("channel"), NUMBER_OF("frame"),
                       STITCH_KEEP("whether the positions of the stage are final"),
                       DRUA_TEXT("flat", "image of the flat field; its path begins in the folder of the list",
                                 .default_text = ""),
                       DRUA_TEXT("dark", "image of the dark field; its path begins in the folder of the list",
                                 .default_text = ""), ),
        STITCH_TABLE),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .build = build_files,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the files and folders that a plan needs, for programs that copy them or show them to containers. */
#include "block_pipeline.h"
#include "job_outputs.h"
#include "script.h"

#include "c_locale.h"
#include "error.h"
#include "file.h"
#include "store.h"
#include "tile_list.h"

#include <string.h>

static drua_status add_place(drua_text *places, const char *what, const char *path)
{
    if (strchr(path, '\n'))
        return drua_fail(DRUA_E_ARGUMENT, "the path '%.600s' has a line break; rename the file, then plan again", path);
    if (*path && !drua_store_is_remote(path))
        drua_text_add(places, "%s %s\n", what, path);
    return DRUA_OK;
}

/* Adds a file that a list of tiles names; NULL: none. */
static drua_status add_listed(drua_text *places, const char *list, const char *name)
{
    char file[DRUA_TILE_PATH];
    if (!name)
        return DRUA_OK;
    drua_tile_list_path(list, name, file);
    return add_place(places, "reads", file);
}

/* Adds an input and, if it is a list of tiles, the files that it names. */
static drua_status add_input(drua_text *places, const char *path)
{
    drua_tile_list list = {0};
    DRUA_TRY(add_place(places, "reads", path));
    if (drua_store_is_remote(path) || !drua_tile_list_is_path(path))
        return DRUA_OK;
    drua_status status = drua_tile_list_read(path, &list);
    for (int64_t i = 0; status == DRUA_OK && i < list.count; i++)
        status = add_listed(places, path, list.tiles[i].name);
    if (status == DRUA_OK)
        status = add_listed(places, path, list.flat);
    if (status == DRUA_OK)
        status = add_listed(places, path, list.dark);
    drua_tile_list_free(&list);
    return status;
}

static drua_status add_file(void *places, const char *path)
{
    drua_file_info info;
    return !drua_store_is_remote(path) && drua_file_stat(path, &info) ? add_place(places, "reads", path) : DRUA_OK;
}

static drua_status add_places(const job *j, drua_text *places)
{
    char path[JOB_PATH];
    DRUA_TRY(add_input(places, j->text.input));
    for (int i = 0; i < j->text.input_count; i++)
        DRUA_TRY(add_input(places, j->text.inputs[i].path));
    DRUA_TRY(script_visit_files(j->text.macro, add_file, places));
    DRUA_TRY(add_place(places, "makes", j->text.output));
    for (int i = 0; i < j->output_count; i++) {
        job_output_path(j, i, path);
        DRUA_TRY(add_place(places, "makes", path));
    }
    return places->failed ? drua_fail_memory(places->length) : DRUA_OK;
}

drua_status drua_blocks_places(const char *plan, drua_text *places)
{
    job j;
    drua_locale_enter();
    drua_status status = job_load_text(&j, plan);
    if (status == DRUA_OK)
        status = add_places(&j, places);
    job_close(&j);
    drua_locale_leave();
    return status;
}

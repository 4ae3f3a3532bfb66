/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the files and folders that a plan needs, for programs that copy them or show them to containers. */
#include "block_pipeline.h"
#include "job_outputs.h"
#include "script.h"

#include "c_locale.h"
#include "error.h"
#include "file.h"
#include "store.h"

#include <string.h>

static drua_status add_place(drua_text *places, const char *what, const char *path)
{
    if (strchr(path, '\n'))
        return drua_fail(DRUA_E_ARGUMENT, "the path '%.600s' has a line break; rename the file, then plan again", path);
    if (*path && !drua_store_is_remote(path))
        drua_text_add(places, "%s %s\n", what, path);
    return DRUA_OK;
}

/* Adds the files that the commands name, such as point spread functions and tables. */
static drua_status add_files(const block_plan *p, drua_text *places)
{
    script s = {0};
    drua_file_info info;
    drua_status status = script_parse(p->macro, &s);
    for (size_t i = 0; status == DRUA_OK && i < s.count; i++)
        for (size_t k = 0; status == DRUA_OK && k < s.calls[i].count; k++) {
            const script_argument *a = &s.calls[i].arguments[k];
            if (!a->is_number && *a->text && !drua_store_is_remote(a->text) && drua_file_stat(a->text, &info))
                status = add_place(places, "reads", a->text);
        }
    script_free(&s);
    return status;
}

static drua_status add_places(const job *j, drua_text *places)
{
    char path[JOB_PATH];
    DRUA_TRY(add_place(places, "reads", j->text.input));
    for (int i = 0; i < j->text.input_count; i++)
        DRUA_TRY(add_place(places, "reads", j->text.inputs[i].path));
    DRUA_TRY(add_files(&j->text, places));
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

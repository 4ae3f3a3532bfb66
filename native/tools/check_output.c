/* SPDX-License-Identifier: BSD-3-Clause */
#include "check_output.h"

#include "error.h"
#include "file.h"
#include "image_file.h"
#include "zarr.h"

#include <stdio.h>

enum { MOST = 4096 };

static bool can_write_file(const char *path)
{
    char resolved[MOST], name[MOST];
    FILE *file = drua_file_resolve(path, resolved, sizeof resolved)
                     ? drua_file_create_beside(resolved, name, sizeof name)
                     : NULL;
    if (!file)
        return false;
    fclose(file);
    return drua_file_remove(name);
}

bool drua_tool_check_output(const char *output, const char *const *read, int count, bool overwrite, char *why,
                            size_t size)
{
    drua_file_info info;
    for (int i = 0; i < count; i++)
        if (read[i] && (drua_file_is_inside(read[i], output) || drua_file_is_inside(output, read[i]))) {
            snprintf(why, size, "the output '%.1000s' is the input '%.1000s' or would replace it; give another output",
                     output, read[i]);
            return false;
        }
    if (drua_image_file_check_name(output, DRUA_FILE_TIFF | DRUA_FILE_ZARR) != DRUA_OK) {
        snprintf(why, size, "%s", drua_error_text());
        return false;
    }
    if (drua_file_look(output, &info) && info.is_file && !overwrite) {
        snprintf(why, size, "'%.1000s' already exists; give another output, or replace it with --overwrite", output);
        return false;
    }
    if (drua_zarr_is_path(output)) {
        const bool can = drua_zarr_can_create(output, overwrite) == DRUA_OK;
        if (!can)
            snprintf(why, size, "%s%s", drua_error_text(), overwrite ? "" : "; --overwrite replaces an image");
        return can;
    }
    if ((drua_file_look(output, &info) && !info.is_file) || !can_write_file(output)) {
        snprintf(why, size,
                 "the file '%.1000s' cannot be written; is there a folder or a device of that name, and the right to "
                 "write?",
                 output);
        return false;
    }
    return true;
}

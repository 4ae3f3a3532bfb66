/* SPDX-License-Identifier: BSD-3-Clause */
#include "check_output.h"

#include "error.h"
#include "file.h"
#include "image_file.h"
#include "new_file.h"
#include "zarr.h"

#include <stdio.h>

bool drua_tool_check_output(const char *output, const char *const *read, int count, bool overwrite, char *why,
                            size_t size)
{
    drua_file_info info;
    for (int i = 0; i < count; i++)
        if (read[i] && (drua_file_is_inside(read[i], output) || drua_file_is_inside(output, read[i]))) {
            snprintf(why, size, "the output '%.1000s' is the input '%.1000s' or would replace it; use another output",
                     output, read[i]);
            return false;
        }
    if (drua_image_file_check_name(output, DRUA_FILE_TIFF | DRUA_FILE_ZARR) != DRUA_OK) {
        snprintf(why, size, "%s", drua_error_text());
        return false;
    }
    if (drua_file_stat(output, &info) && info.is_file && !overwrite) {
        snprintf(why, size, "'%.1000s' already exists; use another output, or replace it with --overwrite", output);
        return false;
    }
    if (drua_zarr_is_path(output)) {
        const bool can = drua_zarr_can_create(output, overwrite) == DRUA_OK;
        if (!can)
            snprintf(why, size, "%s%s", drua_error_text(),
                     overwrite || !drua_file_is_folder(output) ? "" : "; --overwrite replaces an image");
        return can;
    }
    const bool can = drua_new_file_check(output) == DRUA_OK;
    if (!can)
        snprintf(why, size, "%s", drua_error_text());
    return can;
}

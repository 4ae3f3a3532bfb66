/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the metadata that are lost when an image is written as TIFF. */
#include "imagej.h"
#include "json.h"
#include "ome_line.h"
#include "ome_write.h"
#include "tiff.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void add_lost(drua_text *lost, const char *what)
{
    drua_text_add(lost, "%s%s", lost->length ? ", " : "", what);
}

/* Returns whether a channel has a name that is not its number. */
static bool has_names(const drua_json *channels)
{
    char number[24];
    bool any = false;
    for (int64_t c = 0; c < drua_json_length(channels); c++) {
        const char *name = drua_json_text(drua_json_get(drua_json_at(channels, c), "label"));
        snprintf(number, sizeof number, "%" PRId64, c + 1);
        any |= name && *name && strcmp(name, number);
    }
    return any;
}

static bool has_windows(const drua_json *channels)
{
    bool any = false;
    for (int64_t c = 0; c < drua_json_length(channels); c++)
        any |= drua_json_get(drua_json_at(channels, c), "window") != NULL;
    return any;
}

drua_status drua_tiff_add_lost(const char *path, const char *text, drua_text *lost)
{
    drua_ome_line line;
    char value[2];
    const drua_status status = drua_ome_line_read(text, &line);
    if (status == DRUA_OK) {
        const drua_json *channels = drua_json_get(line.omero, "channels");
        const double *at = line.position;
        if (drua_ome_is_name(path)) {
            if (has_windows(channels) || drua_imagej_find(text, "max", value, sizeof value))
                add_lost(lost, "display ranges");
            if (!drua_ome_has_unit(text))
                add_lost(lost, "voxel size in this unit");
        } else {
            if (has_names(channels))
                add_lost(lost, "names of channels");
            if (at[0] != 0 || at[1] != 0 || at[2] != 0)
                add_lost(lost, "position");
        }
        if (line.attributes || line.ome)
            add_lost(lost, "own attributes");
    }
    drua_ome_line_close(&line);
    return status == DRUA_OK && lost->failed ? drua_fail_memory(lost->length) : status;
}

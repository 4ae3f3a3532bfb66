/* SPDX-License-Identifier: BSD-3-Clause */
#include "chunked.h"

#include "text.h"

#include <errno.h>
#include <string.h>

drua_status drua_zarr_fail_to_write(const char *path, bool made)
{
    return made && errno == ENOENT
               ? drua_fail(DRUA_E_AWAY,
                           "the folder of '%.600s' has disappeared since it was made; make it accessible, then run "
                           "the same command again",
                           path)
               : drua_fail(DRUA_E_ARGUMENT,
                           "'%.600s' cannot be written: %s; check the disk space and whether the folder is "
                           "write-protected",
                           path, strerror(errno));
}

bool drua_zarr_has_text(const char *path, const char *text)
{
    char found[256];
    FILE *file = drua_file_open(path, "rb");
    size_t at = 0, length;
    bool same = file != NULL;
    while (same && (length = fread(found, 1, sizeof found, file)) > 0) {
        same = strlen(text + at) >= length && !memcmp(found, text + at, length);
        at += length;
    }
    same = same && !text[at] && !ferror(file);
    if (file)
        fclose(file);
    return same;
}

bool drua_zarr_replace_text(const char *folder, const char *path, const char *text)
{
    return drua_zarr_has_text(path, text) || drua_file_replace_by(folder, path, text, strlen(text)) ||
           drua_zarr_has_text(path, text);
}

static drua_status write_file(const char *folder, const char *name, const drua_text *text)
{
    char path[DRUA_PATH];
    if (text->failed)
        return drua_fail_memory(text->length);
    errno = 0;
    const bool made = drua_file_make_shared_folder(folder);
    if (made && drua_path_join(path, folder, name) && drua_zarr_replace_text(folder, path, drua_text_characters(text)))
        return DRUA_OK;
    return drua_zarr_fail_to_write(folder, made);
}

drua_status drua_zarr_write_group(const char *folder, int version, const char *attributes)
{
    drua_text group = {0}, text = {0};
    drua_text_add(&group, "{\"zarr_format\":2}\n");
    if (version == 5)
        drua_text_add(
            &text, "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{\"version\":\"0.5\"%s%s}}}\n",
            *attributes ? "," : "", attributes);
    else
        drua_text_add(&text, "{%s}\n", attributes);
    drua_status status = version == 5 ? DRUA_OK : write_file(folder, ".zgroup", &group);
    if (status == DRUA_OK)
        status = write_file(folder, version == 5 ? "zarr.json" : ".zattrs", &text);
    drua_file_remove_parts(folder);
    drua_text_free(&group);
    drua_text_free(&text);
    return status;
}

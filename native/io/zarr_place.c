/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that the path of a new image is free, and removes the folders of earlier images. */
#include "zarr_out.h"

#include "new_file.h"
#include "zip.h"

#include <stdio.h>
#include <string.h>

static const char LABELS[] = "labels";

bool drua_zarr_is_known(const char *name)
{
    static const char *const metadata[] = {".zarray", ".zattrs",    ".zgroup", ".zmetadata", "zarr.json",
                                           "c",       DRUA_PENDING, DRUA_PARTS, LABELS,       NULL};
    const size_t length = strlen(name), ending = strlen(DRUA_WRITING);
    for (int i = 0; metadata[i]; i++)
        if (!strcmp(name, metadata[i]))
            return true;
    return strspn(name, "0123456789.") == length || (length > ending && !strcmp(name + length - ending, DRUA_WRITING));
}

static bool remove_labels(const char *name, void *data)
{
    char path[DRUA_PATH];
    if (strcmp(name, ".") && strcmp(name, "..") && drua_path_join(path, data, name) && !drua_file_is_link(path) &&
        drua_file_is_folder(path))
        drua_file_remove_folder(path, drua_zarr_is_known);
    return true;
}

bool drua_zarr_remove_folder(const char *folder)
{
    char labels[DRUA_PATH];
    if (drua_path_join(labels, folder, LABELS) && !drua_file_is_link(labels) && drua_file_is_folder(labels))
        drua_folder_visit(labels, remove_labels, labels);
    return drua_file_remove_folder(folder, drua_zarr_is_known);
}

/* Searches a folder and its subfolders for a name that does not belong to an image. */
typedef struct search {
    const char *folder;
    char *name;
    bool found, in_labels; /* in_labels: each subfolder holds labels, under any name */
    drua_status status;
} search;

static bool find_foreign_file(const char *name, void *data)
{
    search *s = data;
    char path[DRUA_PATH];
    if (!strcmp(name, ".") || !strcmp(name, ".."))
        return true;
    const bool folder = drua_path_join(path, s->folder, name) && !drua_file_is_link(path) && drua_file_is_folder(path);
    s->found = !drua_zarr_is_known(name) && !(s->in_labels && folder);
    if (s->found)
        snprintf(s->name, 256, "%s", name);
    else if (folder) {
        search below = {path, s->name, false, !strcmp(name, LABELS), DRUA_OK};
        const drua_status status = drua_folder_list(path, find_foreign_file, &below);
        s->status = status == DRUA_OK ? below.status : status;
        s->found = below.found;
    }
    return !s->found && s->status == DRUA_OK;
}

static bool has_metadata(const char *folder)
{
    static const char *const names[] = {".zattrs", ".zgroup", ".zarray", "zarr.json"};
    char path[DRUA_PATH];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (drua_path_join(path, folder, names[i]) && drua_file_is_ordinary(path))
            return true;
    return false;
}

static bool any_name(const char *name, void *data)
{
    *(bool *)data |= strcmp(name, ".") && strcmp(name, "..");
    return true;
}

static drua_status fail_existing(const drua_zarr_out *out)
{
    return drua_fail(DRUA_E_ARGUMENT, "the image '%.600s' already exists; move it away or choose another name",
                     out->path);
}

/* Refuses an archive's path if a file there must not be replaced. */
static drua_status inspect_archive(const drua_zarr_out *out)
{
    drua_file_info info;
    DRUA_TRY(drua_new_file_may_replace(out->path));
    return out->replaces || !drua_file_stat(out->path, &info) ? DRUA_OK : fail_existing(out);
}

drua_status drua_zarr_check_folder(const drua_zarr_out *out)
{
    if (drua_zip_is_archive(out->path))
        return inspect_archive(out);
    char name[256];
    drua_file_info info;
    search all = {out->path, name, false, false, DRUA_OK};
    bool any = false;
    if (drua_file_is_link(out->path))
        return drua_fail(DRUA_E_ARGUMENT, "'%.600s' is a link; use the path of the folder that it leads to", out->path);
    if (!drua_file_stat(out->path, &info))
        return DRUA_OK;
    if (!info.is_folder)
        return drua_fail(DRUA_E_ARGUMENT, "'%.600s' is a file; choose another name for the folder of the image",
                         out->path);
    DRUA_TRY(drua_folder_list(out->path, any_name, &any));
    if (!any)
        return DRUA_OK;
    DRUA_TRY(drua_folder_list(out->path, find_foreign_file, &all));
    DRUA_TRY(all.status);
    if (all.found)
        return drua_fail(
            DRUA_E_ARGUMENT,
            "the folder '%.600s' holds '%s', which does not belong to an image; remove it or choose another name",
            out->path, name);
    if (!has_metadata(out->path))
        return drua_fail(DRUA_E_ARGUMENT, "the folder '%.600s' holds no image; remove it or choose another name",
                         out->path);
    return out->replaces ? DRUA_OK : fail_existing(out);
}

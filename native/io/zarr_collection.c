/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the images of a folder, in the layout of bioformats2raw. */
#include "chunked.h"
#include "new_file.h"
#include "ome_write.h"
#include "quote.h"

#include <string.h>

static drua_status add_image(const char *folder, const char *name, int number, drua_text *xml)
{
    char path[DRUA_PATH];
    drua_text text = {0};
    drua_zarr *zarr;
    if (!drua_path_join(path, folder, name))
        return drua_fail(DRUA_E_ARGUMENT, "the path of '%.600s' in '%.600s' is too long", name, folder);
    DRUA_TRY(drua_zarr_open(path, 0, &zarr));
    const drua_zarr_metadata *m = drua_zarr_metadata_of(zarr);
    const drua_zarr_range all = drua_zarr_all(m);
    drua_zarr_describe(zarr, &all, &text);
    const drua_ome_image image = {.id = name,
                                  .name = name,
                                  .name_length = strlen(name) - (drua_text_has_extension(name, ".zarr") ? 5 : 0),
                                  .text = drua_text_characters(&text),
                                  .shape = m->shape,
                                  .type = m->type,
                                  .samples = 1,
                                  .pages = m->channels * m->shape.depth * m->frames};
    const drua_status status = text.failed ? drua_fail_memory(text.length) : drua_ome_add(&image, number, xml);
    drua_text_free(&text);
    drua_zarr_close(zarr);
    return status;
}

static drua_status write_xml(const char *folder, const char *inside, const char *const *names, int count)
{
    char path[DRUA_PATH];
    drua_text xml = {0};
    drua_status status = DRUA_OK;
    drua_ome_begin(&xml);
    for (int i = 0; i < count && status == DRUA_OK; i++)
        status = add_image(folder, names[i], i, &xml);
    drua_ome_end(&xml);
    if (status == DRUA_OK && xml.failed)
        status = drua_fail_memory(xml.length);
    if (status == DRUA_OK && !drua_path_join(path, inside, "METADATA.ome.xml"))
        status = drua_fail(DRUA_E_ARGUMENT, "the path '%.600s' is too long", inside);
    if (status == DRUA_OK && !drua_zarr_has_text(path, xml.characters))
        status = drua_new_file_write(path, NULL, xml.characters, xml.length);
    drua_text_free(&xml);
    return status;
}

drua_status drua_zarr_write_collection(const char *folder, int version, const char *const *names, int count)
{
    char inside[DRUA_PATH];
    drua_text list = {0};
    drua_text_add(&list, "\"series\":[");
    for (int i = 0; i < count; i++) {
        drua_text_add(&list, i ? "," : "");
        drua_text_add_json(&list, names[i]);
    }
    drua_text_add(&list, "]");
    drua_status status = list.failed ? drua_fail_memory(list.length)
                         : drua_path_join(inside, folder, "OME")
                             ? drua_zarr_write_group(inside, version, list.characters)
                             : drua_fail(DRUA_E_ARGUMENT, "the path '%.600s' is too long", folder);
    drua_text_free(&list);
    if (status == DRUA_OK)
        status = write_xml(folder, inside, names, count);
    return status == DRUA_OK ? drua_zarr_write_group(folder, version, "\"bioformats2raw.layout\":3") : status;
}

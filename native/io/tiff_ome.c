/* SPDX-License-Identifier: BSD-3-Clause */
#include "tiff_ome.h"

#include "alloc.h"
#include "file.h"
#include "multiscales.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- order of pages */

/* Returns the position of a plane in ImageJ's order, from its number in the order of the OME-XML. */
static int64_t imagej_position(const drua_ome *ome, int64_t plane)
{
    int64_t at[DRUA_OME_AXES] = {0};
    for (int i = 0; i < DRUA_OME_AXES; i++) {
        at[ome->order[i]] = plane % ome->size[ome->order[i]];
        plane /= ome->size[ome->order[i]];
    }
    return at[DRUA_OME_C] + ome->size[DRUA_OME_C] * (at[DRUA_OME_Z] + ome->size[DRUA_OME_Z] * at[DRUA_OME_T]);
}

/* Returns the number of a block's first plane in the order of the OME-XML; -1 if the image has no such plane. */
static int64_t first_plane(const drua_ome *ome, const drua_ome_block *block)
{
    int64_t plane = 0, step = 1;
    for (int i = 0; i < DRUA_OME_AXES; i++) {
        const drua_ome_axis axis = ome->order[i];
        if (block->first[axis] >= ome->size[axis])
            return -1;
        plane += block->first[axis] * step;
        step *= ome->size[axis];
    }
    return plane;
}

/*
 * The planes of an image while their pages are found. In `pages`, -1 means: no page yet. In `parts` and `part`, -1
 * means: this file.
 */
typedef struct page_table {
    int32_t *pages, *parts; /* for each plane */
    int32_t *part; /* for each file of the OME-XML: index in t->parts */
    bool *used; /* pages of this file that have a plane */
} page_table;

/*
 * Enters the pages of a block. Returns the problem, or NULL. Pages of other files are checked when they are read,
 * because sets may have thousands of files.
 */
static const char *place_block(const drua_tiff *t, const drua_ome *ome, const drua_ome_block *block, page_table *p)
{
    const int32_t part = block->file < 0 ? -1 : p->part[block->file];
    const int64_t planes = ome->size[DRUA_OME_C] * ome->size[DRUA_OME_Z] * ome->size[DRUA_OME_T],
                  page = block->page < 0 ? 0 : block->page, plane = first_plane(ome, block),
                  all_pages = part < 0 ? t->pages : planes - plane, default_count = block->page < 0 ? all_pages : 1,
                  count = block->count < 0 ? default_count : block->count;
    if (plane < 0 || count > planes - plane)
        return "it lists planes beyond the image's channels, slices and frames";
    if (part < 0 && count > t->pages - page)
        return "it lists pages that the file does not have";
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = imagej_position(ome, plane + i);
        if (p->pages[at] >= 0 || (part < 0 && p->used[page + i]))
            return "it lists a plane or a page twice";
        p->pages[at] = (int32_t)(page + i);
        p->parts[at] = part;
        if (part < 0)
            p->used[page + i] = true;
    }
    return NULL;
}

static const char *place_all(const drua_tiff *t, const drua_ome *ome, int64_t planes, page_table *p)
{
    static const drua_ome_block whole = {.page = -1, .count = -1, .file = -1};
    const char *wrong = ome->block_count ? NULL : place_block(t, ome, &whole, p);
    for (int64_t i = 0; i < ome->block_count && !wrong; i++)
        wrong = place_block(t, ome, &ome->blocks[i], p);
    for (int64_t i = 0; i < planes && !wrong; i++)
        if (p->pages[i] < 0)
            wrong = "it lists no page for some planes";
    return wrong;
}

static drua_status fail_mismatch(const drua_tiff *t, const char *wrong)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "the OME-XML of '%.600s' does not match the file: %s; save the image again as an OME-TIFF of one "
                     "file",
                     t->path, wrong);
}

/* Frees the lists of pages and files if they describe the default: page i of this file. */
static void drop_usual_order(drua_tiff *t)
{
    bool usual = true, own = true;
    for (int64_t i = 0; i < t->pages; i++) {
        usual = usual && t->page_of[i] == i;
        own = own && t->part_of[i] < 0;
    }
    if (own) {
        drua_free(t->part_of);
        t->part_of = NULL;
    }
    if (own && usual) {
        drua_free(t->page_of);
        t->page_of = NULL;
    }
}

/* Fills t->page_of and t->part_of: the page and the file of each plane, in ImageJ's order of planes. */
static drua_status order_pages(drua_tiff *t, const drua_ome *ome, int32_t *part)
{
    const int64_t planes = ome->size[DRUA_OME_C] * ome->size[DRUA_OME_Z] * ome->size[DRUA_OME_T];
    const size_t bytes = (size_t)planes * sizeof *t->page_of;
    page_table p = {drua_alloc(bytes), drua_alloc(bytes), part, drua_alloc((size_t)t->pages * sizeof *p.used)};
    t->page_of = p.pages;
    t->part_of = p.parts;
    if (!p.pages || !p.parts || !p.used) {
        drua_free(p.used);
        return drua_fail_memory(bytes);
    }
    memset(p.pages, 0xff, bytes);
    memset(p.parts, 0xff, bytes);
    memset(p.used, 0, (size_t)t->pages * sizeof *p.used);
    const char *wrong = place_all(t, ome, planes, &p);
    for (int64_t i = 0; i < t->pages && !wrong && ome->images == 1; i++)
        t->unlisted += !p.used[i];
    drua_free(p.used);
    if (wrong) {
        drua_free(t->page_of);
        drua_free(t->part_of);
        t->page_of = t->part_of = NULL;
        return fail_mismatch(t, wrong);
    }
    t->about.channels = ome->size[DRUA_OME_C];
    t->about.slices = ome->size[DRUA_OME_Z];
    t->about.frames = ome->size[DRUA_OME_T];
    t->pages = t->promised = planes;
    drop_usual_order(t);
    return DRUA_OK;
}

/* ---- the files of a set */

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');
    return back && (!slash || back > slash) ? back + 1 : slash ? slash + 1 : path;
}

/*
 * A file is recognized by its UUID, even if it was renamed; without UUIDs by its name, or because the OME-XML names
 * only one file.
 */
static bool is_this_file(const drua_tiff *t, const drua_ome *ome, const drua_ome_file *file)
{
    if (*ome->uuid && !strcmp(ome->uuid, file->uuid))
        return true;
    return !*file->name || !strcmp(file->name, name_of(t->path)) || (!*ome->uuid && ome->file_count == 1);
}

static bool make_path_beside(const drua_tiff *t, const char *name, char path[4096])
{
    const int folder = (int)(name_of(t->path) - t->path);
    return *name && !strchr(name, '/') && !strchr(name, '\\') &&
           snprintf(path, 4096, "%.*s%s", folder, t->path, name) < 4096;
}

static drua_status add_part(drua_tiff *t, const char *name)
{
    char path[4096];
    drua_file_info info;
    bool absent = true;
    const bool named = make_path_beside(t, name, path);
    const drua_status status = named ? drua_store_find(path, &info, &absent) : DRUA_OK;
    if (status == DRUA_E_AWAY)
        return drua_store_name(path, status);
    if (status != DRUA_OK || absent)
        return drua_fail(DRUA_E_ARGUMENT,
                         "the file '%.600s' is one of several files of an OME-TIFF, and '%.200s' is missing; copy all "
                         "files into one folder",
                         t->path, name);
    drua_tiff_part *part = &t->parts[t->part_count];
    *part = (drua_tiff_part){drua_copy_text(path), info.bytes, info.changed_exactly};
    t->part_count++;
    return part->path ? DRUA_OK : drua_fail_memory(strlen(path));
}

/* Lists the other files in t->parts, and for each file of the OME-XML its place in this list. */
static drua_status find_parts(drua_tiff *t, const drua_ome *ome, int32_t *part)
{
    t->parts = drua_alloc((size_t)(ome->file_count + 1) * sizeof *t->parts);
    if (!t->parts)
        return drua_fail_memory((size_t)ome->file_count * sizeof *t->parts);
    for (int i = 0; i < ome->file_count; i++) {
        part[i] = is_this_file(t, ome, &ome->files[i]) ? -1 : t->part_count;
        if (part[i] >= 0)
            DRUA_TRY(add_part(t, ome->files[i].name));
    }
    return DRUA_OK;
}

/* Takes size and type from the first page of the chosen image. */
static drua_status take_first_page(drua_tiff *t, const drua_ome *ome, const int32_t *part)
{
    const drua_ome_block *block = ome->block_count ? &ome->blocks[0] : NULL;
    const int64_t page = block && block->page > 0 ? block->page : 0;
    drua_tiff *other;
    if (!block || block->file < 0 || part[block->file] < 0)
        return page < t->pages ? drua_tiff_take_page(t, page)
                               : fail_mismatch(t, "it lists pages that the file does not have");
    DRUA_TRY(drua_tiff_open_part(t->parts[part[block->file]].path, &other));
    t->type = other->type;
    t->stored = other->stored;
    t->width = other->width;
    t->height = other->height;
    t->samples = other->samples;
    drua_tiff_close(other);
    return DRUA_OK;
}

/* Reads the ImageDescription of a TIFF, or else the whole file as text. */
static drua_status read_description(const drua_tiff *t, const char *path, drua_store_file *file, char **text)
{
    enum { LIMIT = 256 << 20 };
    char start[4] = "", *found = NULL;
    const uint64_t bytes = drua_store_file_info(file)->bytes;
    drua_store_file_read(file, 0, start, sizeof start);
    if (memcmp(start, "II", 2) && memcmp(start, "MM", 2)) {
        char *all = bytes <= LIMIT ? drua_alloc((size_t)bytes + 1) : NULL;
        if (all && drua_store_file_read(file, 0, all, (size_t)bytes)) {
            all[bytes] = 0;
            *text = all;
        } else
            drua_free(all);
        return drua_store_file_failure(file);
    }
    TIFF *other = drua_tiff_handle(t->lib, path, file);
    if (other && t->lib->TIFFGetField(other, TIFFTAG_IMAGEDESCRIPTION, &found) && found)
        *text = drua_copy_text(found);
    if (other)
        t->lib->TIFFClose(other);
    return drua_store_file_failure(file);
}

/*
 * Reads the OME-XML of the companion file in the same folder: an XML file, or a TIFF with the XML in its
 * ImageDescription. The caller frees *text.
 */
static drua_status read_companion(const drua_tiff *t, const char *name, char **text)
{
    char path[4096];
    drua_store_file *file = NULL;
    *text = NULL;
    const bool named = make_path_beside(t, name, path);
    drua_status status = named ? drua_store_file_open(path, &file) : DRUA_OK;
    if (!named || status == DRUA_E_ARGUMENT)
        return drua_fail(DRUA_E_ARGUMENT,
                         "the file '%.600s' is one of several files of an OME-TIFF, and '%.200s', which describes "
                         "them, is missing; copy all files into one folder",
                         t->path, name);
    if (status == DRUA_OK)
        status = read_description(t, path, file, text);
    drua_store_file_close(file);
    if (status != DRUA_OK)
        return drua_store_name(path, status);
    return *text ? DRUA_OK
                 : drua_fail(
                       DRUA_E_ARGUMENT,
                       "the file '%.600s' holds no OME-XML, although '%.600s' refers to it; save the image again as "
                       "an OME-TIFF of one file",
                       path, t->path);
}

/* ---- whether Drua can read the file */

static drua_status fail_series(const drua_tiff *t, const drua_ome *ome)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "the file '%.600s' holds %lld images (series), but this command reads files with one; read one "
                     "with Drua_readBox and series=1, or save it as a separate file",
                     t->path, (long long)ome->images);
}

/*
 * Fails if the OME-XML does not match the pages or describes an image that Drua cannot read. Otherwise counts the
 * samples of a colour page as one channel.
 */
static drua_status check_image(const drua_tiff *t, drua_ome *ome)
{
    if (ome->samples > t->samples || ome->size[DRUA_OME_C] % t->samples)
        return fail_mismatch(t, "its number of colour channels differs from that of the pages");
    if (ome->size[DRUA_OME_C] > t->samples && t->samples > 1)
        return drua_fail(DRUA_E_ARGUMENT,
                         "the file '%.600s' holds several RGB channels, which Drua does not read; save them as "
                         "separate channels with one value per pixel",
                         t->path);
    ome->size[DRUA_OME_C] /= t->samples;
    if (ome->width != t->width || ome->height != t->height)
        return fail_mismatch(t, "its width or height differs from that of the pages");
    const int64_t max = DRUA_OME_MAX / ome->size[DRUA_OME_C] / ome->size[DRUA_OME_Z];
    return ome->size[DRUA_OME_T] > max ? fail_mismatch(t, "it states more planes than a TIFF can have") : DRUA_OK;
}

/* ---- scale */

/*
 * Sets the scale in the unit of x. Some programs state only the width or only the height of their square pixels. If the
 * OME-XML states neither, or units that do not convert, the resolution tags give the scale.
 */
static void set_scale(drua_tiff *t, const drua_ome *ome)
{
    const int main_axis = ome->scale[0] > 0 ? 0 : 1;
    const char *unit = drua_unit_to_imagej(ome->unit[main_axis]);
    double size[3];
    bool known = ome->scale[main_axis] > 0;
    for (int k = 0; k < 3; k++) {
        size[k] = ome->scale[k] * drua_unit_factor(drua_unit_to_imagej(ome->unit[k]), unit);
        known = known && (size[k] > 0 || ome->scale[k] == 0);
    }
    if (known) {
        snprintf(t->about.unit, sizeof t->about.unit, "%s", *unit ? unit : "pixel");
        t->pixel[0] = size[main_axis];
        t->pixel[1] = size[1] > 0 ? size[1] : size[0];
        if (size[2] > 0)
            t->about.spacing = size[2];
    }
    t->has_position = known;
    for (int k = 0; k < 3; k++) {
        const double factor = drua_unit_factor(drua_unit_to_imagej(ome->position_unit[k]), unit);
        t->position[k] = ome->position[k] * factor;
        t->has_position = t->has_position && (factor > 0 || ome->position[k] == 0);
    }
    t->about.frame_interval = ome->interval * drua_seconds_of_unit(ome->time_unit);
}

drua_status drua_tiff_read_ome(const drua_tiff *t, const char *text, const char *series, drua_ome *ome)
{
    char *whole, uuid[sizeof ome->uuid];
    *ome = (drua_ome){0};
    if (drua_ome_is_cut(text))
        return drua_tiff_fail_truncated(t, "is damaged: the XML text in its ImageDescription ends in its first line");
    if (!drua_ome_is_xml(text))
        return DRUA_OK;
    DRUA_TRY(drua_ome_parse(t->path, text, series ? series : "", ome));
    if (!ome->is_elsewhere)
        return DRUA_OK;
    DRUA_TRY(read_companion(t, ome->elsewhere, &whole));
    memcpy(uuid, ome->uuid, sizeof uuid);
    drua_ome_close(ome);
    drua_status status = drua_ome_parse(t->path, whole, series ? series : "", ome);
    memcpy(ome->uuid, uuid, sizeof uuid);
    drua_free(whole);
    if (status == DRUA_OK && ome->is_elsewhere)
        status = fail_mismatch(t, "the file that describes it refers to another one");
    return status;
}

double drua_tiff_pages_by_ome(const drua_tiff *t, const drua_ome *ome)
{
    const double all =
        (double)ome->size[DRUA_OME_C] * (double)ome->size[DRUA_OME_Z] * (double)ome->size[DRUA_OME_T] / t->samples;
    double listed = 0;
    if (!ome->has_pixels || ome->file_count > 0 || ome->images > 1)
        return 1;
    for (int64_t i = 0; i < ome->block_count; i++) {
        const drua_ome_block *block = &ome->blocks[i];
        const double default_count = block->page < 0 ? all : 1;
        listed += block->count < 0 ? default_count : (double)block->count;
    }
    return fmax(1, fmin(all, listed));
}

/* Lists the series that were not chosen, for a message to the user. */
static drua_status list_other_series(drua_tiff *t, const drua_ome *ome)
{
    drua_text names = {0};
    int count = 0;
    for (int64_t i = 0; i < ome->images; i++)
        if (i + 1 != ome->chosen)
            drua_text_add(&names, "%s%lld '%s'", count++ ? ", " : "", (long long)i + 1, ome->names[i]);
    t->others = names.failed ? NULL : drua_copy_text(drua_text_characters(&names));
    drua_text_free(&names);
    return t->others ? DRUA_OK : drua_fail_memory(names.length);
}

/*
 * Returns whether the OME-XML lists the pages of this file in their order. Then it can be wrong only about the number
 * of pages, because some programs do not update it when they add or remove pages.
 */
static bool lists_in_order(const drua_tiff *t, const drua_ome *ome)
{
    for (int64_t i = 0; i < ome->block_count; i++) {
        const drua_ome_block *block = &ome->blocks[i];
        if ((block->file >= 0 && !is_this_file(t, ome, &ome->files[block->file])) ||
            first_plane(ome, block) != (block->page < 0 ? 0 : block->page))
            return false;
    }
    return true;
}

static drua_status apply_image(drua_tiff *t, drua_ome *ome)
{
    const bool plain =
        ome->size[DRUA_OME_C] == t->samples && ome->size[DRUA_OME_T] == 1 && ome->images == 1 && ome->file_count < 2;
    int32_t *part = drua_alloc((size_t)(ome->file_count + 1) * sizeof *part);
    drua_status status = part ? find_parts(t, ome, part) : drua_fail_memory((size_t)ome->file_count * sizeof *part);
    if (status == DRUA_OK && (ome->images > 1 || t->part_count))
        status = take_first_page(t, ome, part);
    if (status == DRUA_OK)
        status = check_image(t, ome);
    if (status == DRUA_OK) {
        status = order_pages(t, ome, part);
        if (status == DRUA_E_ARGUMENT && plain && lists_in_order(t, ome)) { /* all pages are slices */
            status = DRUA_OK;
            t->promised = ome->size[DRUA_OME_Z];
            drua_tiff_compare_pages(t, false);
        }
    }
    drua_free(part);
    return status;
}

drua_status drua_tiff_apply_ome(drua_tiff *t, const char *series, drua_ome *ome)
{
    if (!ome->has_pixels)
        return DRUA_OK;
    if (ome->images > 1 && !series)
        return fail_series(t, ome);
    if (ome->images > 1)
        DRUA_TRY(list_other_series(t, ome));
    const drua_status status = apply_image(t, ome);
    set_scale(t, ome);
    t->channels = ome->channels;
    t->channel_count = ome->channel_count;
    ome->channels = NULL;
    return status;
}

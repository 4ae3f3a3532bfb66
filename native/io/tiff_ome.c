/* SPDX-License-Identifier: BSD-3-Clause */
#include "tiff_ome.h"

#include "alloc.h"
#include "multiscales.h"

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
 * Enters the pages of a block into the list `pages`, where -1 marks planes without a page. Returns the problem, or
 * NULL. `used` marks pages with a plane.
 */
static const char *place_block(const drua_tiff *t, const drua_ome *ome, const drua_ome_block *block, int32_t *pages,
                               bool *used)
{
    const int64_t planes = ome->size[DRUA_OME_C] * ome->size[DRUA_OME_Z] * ome->size[DRUA_OME_T],
                  page = block->page < 0 ? 0 : block->page, otherwise = block->page < 0 ? t->pages : 1,
                  count = block->count < 0 ? otherwise : block->count, plane = first_plane(ome, block);
    if (plane < 0 || count > planes - plane)
        return "it lists planes beyond the image's channels, slices and frames";
    if (count > t->pages - page)
        return "it lists pages that the file does not have";
    for (int64_t i = 0; i < count; i++) {
        int32_t *place = &pages[imagej_position(ome, plane + i)];
        if (*place >= 0 || used[page + i])
            return "it lists a plane or a page twice";
        *place = (int32_t)(page + i);
        used[page + i] = true;
    }
    return NULL;
}

static const char *place_all(const drua_tiff *t, const drua_ome *ome, int64_t planes, int32_t *pages, bool *used)
{
    static const drua_ome_block whole = {.page = -1, .count = -1};
    const char *wrong = ome->block_count ? NULL : place_block(t, ome, &whole, pages, used);
    for (int64_t i = 0; i < ome->block_count && !wrong; i++)
        wrong = place_block(t, ome, &ome->blocks[i], pages, used);
    for (int64_t i = 0; i < planes && !wrong; i++)
        if (pages[i] < 0)
            wrong = "it lists no page for some planes";
    return wrong;
}

static drua_status fail_match(const drua_tiff *t, const char *wrong)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "the OME-XML of '%.600s' does not match the file: %s; save the image again as an OME-TIFF of one "
                     "file",
                     t->path, wrong);
}

/* Frees the list of pages if it changes nothing. */
static void drop_usual_order(drua_tiff *t)
{
    for (int64_t i = 0; i < t->pages; i++)
        if (t->page_of[i] != i)
            return;
    drua_free(t->page_of);
    t->page_of = NULL;
}

/* Fills the list of pages: the page of each plane in ImageJ's order. */
static drua_status order_pages(drua_tiff *t, const drua_ome *ome)
{
    const int64_t planes = ome->size[DRUA_OME_C] * ome->size[DRUA_OME_Z] * ome->size[DRUA_OME_T];
    const size_t bytes = (size_t)planes * sizeof *t->page_of;
    bool *used = drua_alloc((size_t)t->pages * sizeof *used);
    t->page_of = drua_alloc(bytes);
    if (!used || !t->page_of) {
        drua_free(used);
        return drua_fail_memory(bytes);
    }
    memset(t->page_of, 0xff, bytes);
    memset(used, 0, (size_t)t->pages * sizeof *used);
    const char *wrong = place_all(t, ome, planes, t->page_of, used);
    drua_free(used);
    if (wrong) {
        drua_free(t->page_of);
        t->page_of = NULL;
        return fail_match(t, wrong);
    }
    t->about.channels = ome->size[DRUA_OME_C];
    t->about.slices = ome->size[DRUA_OME_Z];
    t->about.frames = ome->size[DRUA_OME_T];
    t->pages = t->promised = planes;
    drop_usual_order(t);
    return DRUA_OK;
}

/* ---- whether Drua can read the file */

static drua_status fail_series(const drua_tiff *t, int64_t images)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "the file '%.600s' holds %lld images (series), and Drua reads OME-TIFFs with one; save the series "
                     "that you need as a separate file",
                     t->path, (long long)images);
}

static drua_status fail_files(const drua_tiff *t)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "the file '%.600s' is one of several files of an OME-TIFF, and Drua reads OME-TIFFs of one file; "
                     "save the image as one file",
                     t->path);
}

/* Counts the channels of colour pages as one. */
static drua_status check_image(const drua_tiff *t, drua_ome *ome)
{
    if (ome->samples > t->samples || ome->size[DRUA_OME_C] % t->samples)
        return fail_match(t, "it states other colour channels than the pages have");
    if (ome->size[DRUA_OME_C] > t->samples && t->samples > 1)
        return drua_fail(DRUA_E_ARGUMENT,
                         "the file '%.600s' holds several RGB channels, which Drua does not read; save them as "
                         "separate channels with one value a pixel",
                         t->path);
    ome->size[DRUA_OME_C] /= t->samples;
    if (ome->width != t->width || ome->height != t->height)
        return fail_match(t, "it states another width or height than the pages have");
    const int64_t most = DRUA_OME_MOST / ome->size[DRUA_OME_C] / ome->size[DRUA_OME_Z];
    return ome->size[DRUA_OME_T] > most ? fail_match(t, "it states more planes than a TIFF can have") : DRUA_OK;
}

/* ---- scale */

/*
 * Sets the scale in the unit of x. Some programs state only the width or only the height of their square pixels. If the
 * text states neither, or units that do not convert, the resolution tags give the scale.
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
    t->about.frame_interval = ome->interval * drua_seconds_of_unit(ome->time_unit);
}

drua_status drua_tiff_read_ome(const drua_tiff *t, const char *text, drua_ome *ome)
{
    *ome = (drua_ome){0};
    return drua_ome_is_xml(text) ? drua_ome_parse(t->path, text, ome) : DRUA_OK;
}

double drua_tiff_promised_by_ome(const drua_tiff *t, const drua_ome *ome)
{
    const double all =
        (double)ome->size[DRUA_OME_C] * (double)ome->size[DRUA_OME_Z] * (double)ome->size[DRUA_OME_T] / t->samples;
    double listed = 0;
    if (!ome->has_pixels || ome->names_files)
        return 1;
    for (int64_t i = 0; i < ome->block_count; i++) {
        const drua_ome_block *block = &ome->blocks[i];
        const double otherwise = block->page < 0 ? all : 1;
        listed += block->count < 0 ? otherwise : (double)block->count;
    }
    return fmax(1, fmin(all, listed));
}

drua_status drua_tiff_follow_ome(drua_tiff *t, drua_ome *ome)
{
    if (ome->is_elsewhere)
        return fail_files(t);
    if (!ome->has_pixels)
        return DRUA_OK;
    if (ome->images > 1)
        return fail_series(t, ome->images);
    const bool plain = ome->size[DRUA_OME_C] == t->samples && ome->size[DRUA_OME_T] == 1;
    drua_status status = ome->has_other_files ? fail_files(t) : check_image(t, ome);
    if (status == DRUA_OK)
        status = order_pages(t, ome);
    if (status == DRUA_E_ARGUMENT && plain) /* one channel and one frame: all pages are slices */
        status = DRUA_OK;
    set_scale(t, ome);
    return status;
}

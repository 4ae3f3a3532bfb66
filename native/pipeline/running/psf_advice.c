/* SPDX-License-Identifier: BSD-3-Clause */
#include "psf_advice.h"

#include "alloc.h"
#include "image_file.h"
#include "imagej.h"
#include "registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct voxels {
    double pixel, slice; /* in `unit`; 0: unknown */
    char unit[64];
} voxels;

/* A deconvolution that reads its psf from a file. */
typedef struct restoration {
    const graph *g;
    int source, file; /* index of a value, and of a file of the graph */
} restoration;

static voxels voxels_of(const char *text)
{
    voxels v = {0, 0, ""};
    char value[64];
    if (!text || !drua_imagej_find(text, "unit", v.unit, sizeof v.unit))
        return v;
    v.pixel = drua_imagej_find(text, "pixelWidth", value, sizeof value) ? strtod(value, NULL) : 0;
    v.slice = drua_imagej_find(text, "pixelDepth", value, sizeof value) ? strtod(value, NULL) : 0;
    return v;
}

static drua_status voxels_of_file(const char *path, voxels *v)
{
    drua_image_file *file;
    drua_text text = {0};
    DRUA_TRY(drua_image_file_open(path, &(drua_selection){.level = 0}, &file));
    drua_image_file_describe(file, &text);
    *v = voxels_of(drua_text_characters(&text));
    drua_text_free(&text);
    drua_image_file_close(file);
    return DRUA_OK;
}

static bool finds_restoration(const graph *g, const graph_node *node, restoration *r)
{
    const int psf = drua_find_param(node->op, "psf"), source = drua_find_param(node->op, "source");
    if (strcmp(node->op->name, "deconvolve") || psf < 0 || source < 0)
        return false;
    *r = (restoration){g, node->images[source], GRAPH_NONE};
    for (int i = 0; i < g->file_count; i++)
        if (g->files[i].value == node->images[psf])
            r->file = i;
    return r->file >= 0 && r->source >= 0;
}

/*
 * Returns whether two lengths in comparable units differ by more than 1 %, which is the limit of fit_psf. An unknown
 * length never differs.
 */
static bool lengths_differ(double psf, double image, double factor)
{
    return psf > 0 && image > 0 && factor > 0 && fabs(psf * factor / image - 1) > 0.01;
}

/*
 * Warns that voxels differ, and then gives the psf the voxels of the image, so that fit_psf checks the psf as blocks
 * use it.
 */
static void compare_voxels(const restoration *r, bool deep, const voxels *image, voxels *psf, drua_text *said)
{
    const double factor = drua_unit_factor(psf->unit, image->unit);
    const bool differ =
        lengths_differ(psf->pixel, image->pixel, factor) || (deep && lengths_differ(psf->slice, image->slice, factor));
    if (!*psf->unit || !differ)
        return;
    drua_text_add(said,
                  "The psf '%.600s' has voxels of %g x %g %s and the image has %g x %g %s, and blocks use the psf's "
                  "pixels as they are: resample it with Drua_fitPsf and save it.\n",
                  r->g->files[r->file].path, psf->pixel, psf->slice, psf->unit, image->pixel, image->slice,
                  image->unit);
    *psf = *image;
}

static drua_status ask_fit_psf(evaluator *e, drua_value *image, drua_value *psf, const voxels *of_image,
                               const voxels *of_psf, drua_text *said)
{
    const drua_op *op = drua_find_op("fit_psf");
    drua_bound bound[DRUA_PLAN_PARAMS] = {{0}};
    const struct {
        const char *name, *text;
        double number;
    } settings[] = {{"image_pixel", NULL, of_image->pixel},
                    {"image_slice", NULL, of_image->slice},
                    {"image_unit", of_image->unit, 0},
                    {"psf_pixel", NULL, of_psf->pixel},
                    {"psf_slice", NULL, of_psf->slice},
                    {"psf_unit", of_psf->unit, 0},
                    {"wavelength", NULL, 0},
                    {"numerical_aperture", NULL, 0},
                    {"immersion_index", NULL, 0}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        drua_bound *b = &bound[drua_find_param(op, settings[i].name)];
        b->is_set = true;
        b->text = settings[i].text;
        b->number = settings[i].number;
    }
    bound[drua_find_param(op, "source")].value = image;
    bound[drua_find_param(op, "psf")].value = psf;
    DRUA_TRY(drua_engine_call(&e->engine, op, bound, NULL));
    drua_bound *advice = &bound[drua_find_param(op, "advice")];
    drua_text_add(said, "%s", advice->text_result ? advice->text_result : "");
    drua_free(advice->text_result);
    drua_value_release(&e->engine, bound[drua_find_param(op, "destination")].result);
    return DRUA_OK;
}

/* Makes a column of pixels as the image for fit_psf, which reads only the image's extent along z. */
static drua_status make_column(evaluator *e, const drua_value *whole, drua_value **column)
{
    const int64_t depth = whole->shape.depth;
    const drua_box box = {{0, 0, 0}, {1, 1, depth}};
    void *pixels = drua_alloc((size_t)depth * drua_type_size(whole->type));
    if (!pixels)
        return drua_fail_memory((size_t)depth);
    memset(pixels, 0, (size_t)depth * drua_type_size(whole->type));
    const drua_status status = evaluator_upload(e, &box, whole, pixels, column);
    drua_free(pixels);
    return status;
}

static drua_status advise_on_psf(evaluator *e, const restoration *r, drua_text *said)
{
    if (e->is_absent) {
        drua_text_add(said, "The psf '%.600s' was not checked, because this computer has no OpenCL device.\n",
                      r->g->files[r->file].path);
        return DRUA_OK;
    }
    const graph_value *source = &r->g->values[r->source];
    const voxels image = voxels_of(source->text);
    drua_value *column, *psf;
    voxels of_psf;
    DRUA_TRY(voxels_of_file(r->g->files[r->file].path, &of_psf));
    DRUA_TRY(evaluator_file(e, r->g, r->file, &psf));
    compare_voxels(r, source->image->shape.depth > 1 && psf->shape.depth > 1, &image, &of_psf, said);
    DRUA_TRY(make_column(e, source->image, &column));
    const drua_status status = ask_fit_psf(e, column, psf, &image, &of_psf, said);
    drua_value_release(&e->engine, column);
    return status;
}

drua_status psf_advice_add(job *j)
{
    const graph *g = &j->graphs[0];
    drua_status status = DRUA_OK;
    restoration r;
    for (int i = 0; i < g->node_count && status == DRUA_OK; i++)
        if (finds_restoration(g, g->nodes[i], &r))
            status = advise_on_psf(&j->main, &r, &j->main.engine.lines);
    return status;
}

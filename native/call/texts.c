/* SPDX-License-Identifier: BSD-3-Clause */
/* Results inherit the metadata of the first image, with the voxel size and position that the operation implies. */
#include "call.h"

#include "alloc.h"
#include "error.h"
#include "imagej.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const sizes[] = {"pixelWidth", "pixelHeight", "pixelDepth", NULL}, *const unit[] = {"unit", NULL},
                         *const extents[] = {"width", "height", "depth", NULL}, *const colours[] = {"rgb", NULL},
                         *const places[] = {"position", NULL};
static const double same[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

void plan_same_voxels(drua_plan *plan, double steps[3][3])
{
    (void)plan;
    memcpy(steps, same, sizeof same);
}

/* ---- sizes of voxels */

/* The scalar product of two steps in the unit of `size`. */
static double scalar_product(const double *a, const double *b, const double size[3])
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
        sum += a[axis] * size[axis] * b[axis] * size[axis];
    return sum;
}

void drua_text_voxel_sizes(const char *text, double size[3])
{
    enum { UP_TO = 64 };
    char value[UP_TO];
    for (int axis = 0; axis < 3; axis++)
        size[axis] = drua_imagej_find(text, sizes[axis], value, sizeof value) ? atof(value) : 1;
}

bool plan_voxel_size(drua_plan *plan, const char *image, double size[3])
{
    char value[2];
    bool known = true;
    const char *text = plan_text(plan, image);
    drua_text_voxel_sizes(text, size);
    for (int axis = 0; axis < 3; axis++) {
        const bool given = drua_imagej_find(text, sizes[axis], value, sizeof value);
        if (!(size[axis] > 0) || isinf(size[axis])) {
            size[axis] = 1;
            known = false;
        }
        known = known && given;
    }
    return known;
}

void plan_voxel_unit(drua_plan *plan, const char *image, char text[DRUA_SETTING_TEXT])
{
    if (!drua_imagej_find(plan_text(plan, image), unit[0], text, DRUA_SETTING_TEXT))
        *text = 0;
}

/* Computes the lengths of a voxel's edges. Returns false if the edges are not perpendicular. */
static bool measure_steps(const char *text, const double steps[3][3], double edges[3])
{
    double size[3];
    drua_text_voxel_sizes(text, size);
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        edges[i] = sqrt(scalar_product(steps[i], steps[i], size));
        const double both = edges[i] * sqrt(scalar_product(steps[next], steps[next], size));
        if (!(both > 0 && fabs(scalar_product(steps[i], steps[next], size)) <= 1e-6 * both))
            return false;
    }
    return true;
}

/* ---- positions */

void plan_same_place(drua_plan *plan, double first[3])
{
    (void)plan;
    memset(first, 0, 3 * sizeof *first);
}

/*
 * Computes the position of a result's first pixel, along the axes of the result. Returns false if its axes are not
 * those of the source in some order, or point backwards. Without a position in the text, the source begins at 0.
 */
static bool move_position(const char *text, const double steps[3][3], const double first[3], double moved[3])
{
    char value[200];
    double at[3] = {0, 0, 0}, size[3];
    if (drua_imagej_find(text, places[0], value, sizeof value) &&
        sscanf(value, "%lf,%lf,%lf", &at[0], &at[1], &at[2]) != 3)
        return false;
    drua_text_voxel_sizes(text, size);
    for (int i = 0; i < 3; i++) {
        int along = 0, found = -1;
        for (int k = 0; k < 3; k++)
            if (steps[i][k] != 0) {
                along++;
                found = k;
            }
        if (along != 1 || steps[i][found] < 0)
            return false;
        moved[i] = at[found] + first[found] * size[found];
    }
    return true;
}

/* Returns whether a text is that of an image of OME-Zarr or OME-TIFF, or has a position. */
static bool has_place(const char *text)
{
    char value[2];
    return drua_imagej_find(text, "ome", value, sizeof value) || drua_imagej_find(text, places[0], value, sizeof value);
}

/* Adds the position of the first pixel of a result, unless the position is 0. */
static void add_position(drua_text *to, const char *text, const double steps[3][3], const double first[3])
{
    double moved[3];
    if (move_position(text, steps, first, moved) && (moved[0] != 0 || moved[1] != 0 || moved[2] != 0))
        drua_text_add(to, "%s=%.15g,%.15g,%.15g\n", places[0], moved[0], moved[1], moved[2]);
}

/* ---- texts */

static bool is_one_of(const char *line, const char *const *keys)
{
    while (*keys && (strncmp(line, *keys, strlen(*keys)) || line[strlen(*keys)] != '='))
        keys++;
    return *keys;
}

/*
 * Converts the metadata `text` of an image of the shape `from` for a result of the shape `shape`. `steps` and `first`
 * place the result's voxels in that image; NULL means unknown.
 */
static void convert_text(drua_text *to, const char *text, drua_shape from, drua_shape shape, const double (*steps)[3],
                         const double *first)
{
    double size[3];
    const bool moved = !steps || memcmp(steps, same, sizeof same),
               known = steps && (!moved || measure_steps(text, steps, size));
    for (const char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        if (!(moved && is_one_of(line, sizes)) && !(!known && is_one_of(line, unit)) &&
            !(known && is_one_of(line, extents)) &&
            !(is_one_of(line, colours) && !drua_shape_is_same_size(from, shape)) &&
            !(is_one_of(line, places) && (first || moved || !drua_shape_is_same_size(from, shape))))
            drua_text_append(to, line, (size_t)(end - line));
    }
    if (to->length && drua_text_characters(to)[to->length - 1] != '\n')
        drua_text_add(to, "\n");
    for (int axis = 0; axis < 3; axis++) {
        if (known && moved)
            drua_text_add(to, "%s=%.15g\n", sizes[axis], size[axis]);
        if (known)
            drua_text_add(to, "%s=%lld\n", extents[axis], (long long)shape.extent[axis]);
    }
    if (known && first)
        add_position(to, text, steps, first);
}

/* The metadata of an output; "": none. */
static void describe_output(drua_plan *plan, size_t i, const drua_bound *source)
{
    drua_text text = {0};
    double steps[3][3], first[3];
    const bool known = plan->op->steps || !plan->op->params[i].shape;
    const char *has = source && source->text ? source->text : "";
    if (*has && (plan->op->steps || !known)) {
        plan_same_voxels(plan, steps);
        if (plan->op->steps)
            plan->op->steps(plan, steps);
        const bool placed = known && plan->op->place && has_place(has);
        if (placed)
            plan->op->place(plan, first);
        convert_text(&text, has, source->value->shape, plan->outputs[i].shape, known ? steps : NULL,
                     placed ? first : NULL);
        has = drua_text_characters(&text);
    }
    plan->bound[i].text_result = text.failed ? NULL : drua_copy_text(has);
    if (!plan->bound[i].text_result)
        plan_try(plan, drua_fail_memory(strlen(has)));
    drua_text_free(&text);
}

void plan_pass_texts(drua_plan *plan)
{
    const drua_bound *source = NULL;
    for (size_t i = 0; i < plan->op->param_count && !source; i++)
        source = plan->op->params[i].kind == DRUA_KIND_IMAGE_IN && plan->bound[i].value ? &plan->bound[i] : NULL;
    for (size_t i = 0; i < plan->op->param_count && plan->status == DRUA_OK; i++) {
        const drua_param *param = &plan->op->params[i];
        const drua_bound *out = &plan->bound[i];
        if (param->kind == DRUA_KIND_IMAGE_OUT && !out->text_result && !(param->partial && out->value) &&
            (out->text || (source && source->text)))
            describe_output(plan, i, source);
    }
}

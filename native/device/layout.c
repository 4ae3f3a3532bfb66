/* SPDX-License-Identifier: BSD-3-Clause */
#include "device.h"
#include "variables.h"

size_t drua_type_size(drua_type type)
{
    static const unsigned char size[] = {0, 1, 1, 2, 2, 4, 4, 4};
    return size[type];
}

bool drua_type_is_wide_integer(drua_type type)
{
    return type == DRUA_UINT32 || type == DRUA_INT32;
}

const char *drua_type_name(drua_type type)
{
    static const char *const name[] = {"none", "uint8", "int8", "uint16", "int16", "uint32", "int32", "float32"};
    return name[type];
}

drua_layout drua_layout_dense(drua_shape shape, drua_type type)
{
    return (drua_layout){.extent = {(int32_t)shape.width, (int32_t)shape.height, (int32_t)shape.depth},
                         .type = (int32_t)type,
                         .stride = {1, shape.width, shape.width * shape.height}};
}

drua_layout drua_layout_in_rows(drua_shape shape, drua_type type)
{
    enum { VECTOR = 4, WIDEST_VECTOR = 16 };
    drua_layout l = drua_layout_dense(shape, type);
    if (shape.width % VECTOR == 0 || shape.width * shape.height * shape.depth == shape.width)
        return l;
    l.row = (shape.width + WIDEST_VECTOR - 1) / WIDEST_VECTOR * WIDEST_VECTOR;
    l.plane = l.row * shape.height;
    return l;
}

int64_t drua_layout_length(const drua_layout *l)
{
    return (l->depth - 1) * l->plane + (l->height - 1) * l->row + l->width;
}

uint64_t drua_layout_bytes(const drua_layout *l)
{
    return (uint64_t)((l->depth - 1) * l->plane + l->height * l->row) * drua_type_size((drua_type)l->type);
}

int64_t drua_layout_count(const drua_layout *l)
{
    return (int64_t)l->width * l->height * l->depth;
}

bool drua_layout_is_dense(const drua_layout *l)
{
    return l->column == 1 && (l->height == 1 || l->row == l->width) &&
           (l->depth == 1 || l->plane == (int64_t)l->width * l->height);
}

bool drua_layout_is_vec4(const drua_layout *l)
{
    return drua_layout_is_in_vectors(l, 4);
}

bool drua_layout_is_in_vectors(const drua_layout *l, int32_t lanes)
{
    return l->column == 1 && l->offset % lanes == 0 && l->row % lanes == 0 && l->plane % lanes == 0 &&
           l->row >= ((int64_t)l->width + lanes - 1) / lanes * lanes;
}

bool drua_layout_is_in_bytes(const drua_layout *l)
{
    return (l->type == DRUA_UINT8 || l->type == DRUA_INT8) && drua_layout_is_in_vectors(l, 16);
}

bool drua_layout_is_same_size(const drua_layout *a, const drua_layout *b)
{
    return a->width == b->width && a->height == b->height && a->depth == b->depth;
}

bool drua_shape_is_same_size(drua_shape a, drua_shape b)
{
    return a.width == b.width && a.height == b.height && a.depth == b.depth;
}

bool drua_shape_is_countable(drua_shape shape)
{
    return (double)shape.width * (double)shape.height * (double)shape.depth < 0x1p56;
}

static int64_t largest_index(const drua_layout *l)
{
    int64_t last = l->offset;
    for (int axis = 0; axis < 3; axis++)
        if (l->stride[axis] > 0)
            last += (l->extent[axis] - 1) * l->stride[axis];
    return l->offset < 0 ? last - l->offset : last;
}

/* 64-bit indices are used only if an image exceeds 32-bit indices. */
int drua_device_index_width(const drua_arg *arguments)
{
    for (const drua_arg *a = arguments; a->kind; a++)
        if (a->kind == DRUA_LAUNCH_VIEW && largest_index(&a->as.view.layout) > INT32_MAX - 65536)
            return 1;
    return drua_variable_text(DRUA_VARIABLE_INDEX64) != NULL;
}

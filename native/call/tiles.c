/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles images that an operation reads and writes in tiles, because the device cannot hold them as a whole. The
 * geometry is in tile.h of room registry.
 */
#include "call_parts.h"

#include <string.h>

/* ---- capacity of the device */

static uint64_t bytes_of(const drua_view *view)
{
    return view->buffer ? drua_buffer_bytes(view->buffer) : 0;
}

bool plan_fits_both(drua_plan *plan, drua_view a, drua_view b)
{
    const drua_device *device = plan->engine->device;
    const uint64_t bytes = bytes_of(&a) + (a.buffer == b.buffer ? 0 : bytes_of(&b));
    return plan->status != DRUA_OK ||
           (bytes <= drua_device_statistics(plan->engine->device)->budget_bytes / 4 * 3 &&
            drua_device_holds(device, bytes_of(&a)) && drua_device_holds(device, bytes_of(&b)));
}

bool plan_fits_with_scratch(drua_plan *plan, drua_view view, uint64_t bytes)
{
    return plan->status != DRUA_OK || bytes_of(&view) + bytes <= drua_device_memory_left(plan->engine->device) / 10 * 9;
}

int64_t plan_part_count(drua_plan *plan, int64_t bytes)
{
    enum { SPARE = 6 };
    return 1 + bytes / (int64_t)drua_device_share(plan->engine->device, SPARE);
}

/* Returns whether the device holds an output completely, or has room for it in addition to the inputs. */
static bool is_whole(const drua_plan *plan, const drua_value *output)
{
    const uint64_t bytes = drua_value_bytes(output);
    const drua_device *device = plan->engine->device;
    return (output->buffer && !drua_buffer_host(output->buffer)) ||
           (bytes <= drua_device_memory_left(device) / 2 && drua_device_holds(device, bytes));
}

bool plan_is_on_host(drua_plan *plan, const drua_param *param, const drua_value *value)
{
    return param->by_tiles && !is_whole(plan, value);
}

/* ---- boxes of images */

static int64_t start_of(const drua_layout *l, const drua_box *box)
{
    return box->first[0] * l->column + box->first[1] * l->row + box->first[2] * l->plane;
}

/* The view up to the end of a box, or only that box as a separate image. */
static drua_view view_of_box(drua_view view, const drua_box *box, bool separate)
{
    drua_layout *l = &view.layout;
    l->offset += separate ? start_of(l, box) : 0;
    for (int axis = 0; axis < 3; axis++)
        l->extent[axis] = (int32_t)(box->end[axis] - (separate ? box->first[axis] : 0));
    return view;
}

static drua_shape shape_of(const drua_box *box)
{
    return (drua_shape){box->end[0] - box->first[0], box->end[1] - box->first[1], box->end[2] - box->first[2], 3};
}

/* Returns a view of scratch memory for a box. Unless `separate`, pixels have their positions in the whole image. */
static drua_view scratch_of_box(drua_view scratch, const drua_box *box, bool separate)
{
    if (separate)
        return scratch;
    scratch.layout.offset = -start_of(&scratch.layout, box);
    return view_of_box(scratch, box, false);
}

/* Host addresses of the slices of a box, or of its rows. */
static void **host_rows(drua_plan *plan, drua_view view, const drua_box *box, bool rows)
{
    const drua_layout *l = &view.layout;
    const int64_t in_slice = rows ? box->end[1] - box->first[1] : 1, count = in_slice * (box->end[2] - box->first[2]);
    void **planes = plan_host_memory(plan, (size_t)count * sizeof *planes);
    char *first = planes ? (char *)drua_buffer_host(view.buffer) +
                               (l->offset + start_of(l, box)) * (int64_t)drua_type_size((drua_type)l->type)
                         : NULL;
    for (int64_t k = 0; planes && k < count; k++)
        planes[k] =
            first + (k % in_slice * l->row + k / in_slice * l->plane) * (int64_t)drua_type_size((drua_type)l->type);
    return planes;
}

/* Uploads row by row, because the image's memory may end before the last row of the box does. */
static void upload_rows(drua_plan *plan, drua_view view, const drua_box *box, drua_view to)
{
    const drua_type type = (drua_type)to.layout.type;
    const int64_t width = to.layout.width, count = (int64_t)to.layout.height * to.layout.depth;
    const drua_view lines = {to.buffer, drua_layout_dense((drua_shape){width, 1, count, 3}, type)};
    drua_view last = plan_slices(lines, (int32_t)count - 1, 1);
    const void *const *rows = (const void *const *)host_rows(plan, view, box, true);
    if (!rows)
        return;
    const char *end = (const char *)drua_buffer_host(view.buffer) + drua_buffer_bytes(view.buffer);
    const int64_t left = (end - (const char *)rows[count - 1]) / (int64_t)drua_type_size(type);
    last.layout.width = (int32_t)(left < width ? left : width);
    if (count > 1)
        plan_try(plan, drua_device_upload(plan->engine->device, plan_slices(lines, 0, (int32_t)count - 1), rows));
    if (plan->status == DRUA_OK)
        plan_try(plan, drua_device_upload(plan->engine->device, last, rows + count - 1));
}

/* Whether the slices of a box have no gaps and lie inside the image's memory. */
static bool has_slices(drua_view view, const drua_box *box)
{
    const drua_layout box_layout = view_of_box(view, box, true).layout;
    const int64_t end = box_layout.offset + drua_layout_length(&box_layout);
    return (box_layout.width == box_layout.row || box_layout.height == 1) &&
           (uint64_t)end * drua_type_size((drua_type)box_layout.type) <= drua_buffer_bytes(view.buffer);
}

drua_view plan_send_box(drua_plan *plan, drua_view view, const drua_box *box)
{
    const drua_view scratch = plan_scratch(plan, shape_of(box), (drua_type)view.layout.type);
    if (!plan_need(plan, view) || !plan_try(plan, drua_buffer_spill(view.buffer)))
        return scratch;
    if (has_slices(view, box)) {
        void **slices = host_rows(plan, view, box, false);
        if (slices)
            plan_try(plan, drua_device_upload(plan->engine->device, scratch, (const void *const *)slices));
    } else {
        upload_rows(plan, view, box, scratch);
    }
    drua_device_statistics(plan->engine->device)->tiles += plan->status == DRUA_OK;
    return scratch;
}

const void *plan_host_pixels(drua_plan *plan, drua_view view)
{
    if (!plan_need(plan, view) || !plan_try(plan, drua_buffer_move_to_host(view.buffer)))
        return NULL;
    return (const char *)drua_buffer_host(view.buffer) +
           view.layout.offset * (int64_t)drua_type_size((drua_type)view.layout.type);
}

/* ---- one tile after another */

static drua_value *output_of(drua_plan *plan, const drua_tiles *t)
{
    return t->output ? plan->bound[plan_find(plan, t->output)].result : NULL;
}

/* Returns whether this image is sent to the device in tiles; all others are used as they are. */
static bool is_cut(const drua_tiles *t, int i)
{
    const drua_layout *l = &t->inputs[i].layout;
    return !t->whole && t->inputs[i].buffer && drua_layout_is_dense(l) && l->extent[t->axis] > 1 &&
           drua_layout_is_same_size(l, &t->inputs[0].layout);
}

/* Bytes of the whole images that tiles read and write. */
static int64_t bytes_cut(const drua_tiles *t)
{
    int64_t bytes = 0;
    for (int i = 0; i < 2; i++)
        if (is_cut(t, i) && (i == 0 || t->inputs[1].buffer != t->inputs[0].buffer))
            bytes +=
                drua_layout_count(&t->inputs[i].layout) * (int64_t)drua_type_size((drua_type)t->inputs[i].layout.type);
    return bytes;
}

/* Returns whether the device has room for all inputs and `beside` bytes: those of the output or of a tile of it. */
static bool holds_inputs(drua_plan *plan, const drua_tiles *t, uint64_t beside)
{
    const drua_device *device = plan->engine->device;
    uint64_t bytes = beside;
    for (int i = 0; i < 2; i++) {
        bytes += i == 0 || t->inputs[1].buffer != t->inputs[0].buffer ? bytes_of(&t->inputs[i]) : 0;
        if (!drua_device_holds(device, bytes_of(&t->inputs[i])))
            return false;
    }
    return bytes <= drua_device_statistics(plan->engine->device)->budget_bytes / 4 * 3;
}

/* Tiles begin at even layers unless they have only one layer. */
static int64_t layers_of_tile(int64_t extent, int64_t parts, int64_t multiple)
{
    const int64_t thick = extent / parts, unit = multiple > 0 ? multiple : thick > 1 ? 2 : 1;
    return parts == 1 ? extent : thick > unit ? thick / unit * unit : unit;
}

static void begin_tiles(drua_plan *plan, drua_tiles *t, const drua_value *output)
{
    const drua_layout *l = output ? &output->layout : &t->inputs[0].layout;
    const bool in_tiles = output && !is_whole(plan, output);
    const int64_t bytes = output ? (int64_t)drua_value_bytes(output) : 0,
                  of_output = in_tiles ? plan_part_count(plan, bytes) : 1;
    t->all = drua_box_of((const int64_t[]){l->width, l->height, l->depth});
    memcpy(t->step, t->all.end, sizeof t->step);
    t->axis = t->axis ? t->axis : l->depth > 1 ? 2 : 1;
    t->whole = !t->thickness && holds_inputs(plan, t, (uint64_t)(bytes / of_output));
    const int64_t read = bytes_cut(t), of_inputs = plan_part_count(plan, read),
                  parts = of_inputs > of_output ? of_inputs : of_output;
    t->step[t->axis] =
        t->thickness ? t->thickness : layers_of_tile(t->all.end[t->axis], parts, t->axis == 1 ? t->multiple : 0);
    if (t->rows && t->axis == 2 && t->step[2] == 1)
        t->step[1] = layers_of_tile(l->height, plan_part_count(plan, read / l->depth), t->multiple);
}

/* The part of an image that a tile reads. */
static drua_tile tile_of(const drua_tiles *t, const drua_layout *l)
{
    drua_tiling tiling = {.parts = drua_parts_none(), .inputs = {l->width, l->height, l->depth}};
    for (int axis = 0; axis < 3; axis++) {
        tiling.outputs[axis] = t->all.end[axis];
        tiling.cuts[axis] = t->step[axis] < t->all.end[axis];
        tiling.parts.range[axis] = (drua_affine_range){true, 1, -(double)t->halo, (double)t->halo};
    }
    return drua_tile_for(&tiling, &t->at.wanted);
}

static drua_view read_tile(drua_plan *plan, const drua_tiles *t, int i, const drua_box *box)
{
    const drua_layout *l = &t->inputs[i].layout;
    if (!is_cut(t, i) || drua_box_parts(&t->all, t->step) == 1)
        return t->separate && drua_layout_is_same_size(l, &t->inputs[0].layout) ? view_of_box(t->inputs[i], box, true)
                                                                                : t->inputs[i];
    return scratch_of_box(plan_send_box(plan, t->inputs[i], box), box, t->separate);
}

/* Frees the tile's inputs and copies its output to the host. */
static void end_tile(drua_plan *plan, drua_tiles *t, const drua_value *output)
{
    for (int i = 0; i < 2; i++)
        if (t->from[i].buffer != t->inputs[i].buffer && (i == 0 || t->from[1].buffer != t->from[0].buffer))
            plan_free_scratch(plan, t->from[i]);
    if (plan->status != DRUA_OK || !output || t->to.buffer == output->buffer)
        return;
    const drua_box *box = &t->at.wanted;
    void **slices = host_rows(plan, drua_value_view(output), box, false);
    if (slices)
        plan_try(plan, drua_device_download(plan->engine->device,
                                            (drua_view){t->to.buffer, drua_layout_dense(shape_of(box), output->type)},
                                            slices));
    drua_device_statistics(plan->engine->device)->tiles += plan->status == DRUA_OK;
    plan_free_scratch(plan, t->to);
}

bool plan_next_tile(drua_plan *plan, drua_tiles *t)
{
    const drua_value *output = output_of(plan, t);
    if (t->number > 0)
        end_tile(plan, t, output);
    if (plan->status != DRUA_OK || (t->output && !output))
        return false;
    if (t->number == 0)
        begin_tiles(plan, t, output);
    const int64_t parts = drua_box_parts(&t->all, t->step), number = t->number++;
    if (number >= parts)
        return false;
    t->at.wanted = drua_box_part(&t->all, t->step, t->backwards ? parts - 1 - number : number);
    t->at.read = t->at.made = t->at.wanted;
    for (int i = 0; i < 2 && t->inputs[i].buffer; i++) {
        const drua_tile tile = tile_of(t, &t->inputs[i].layout);
        if (i == 0)
            t->at = tile;
        t->from[i] =
            i == 1 && t->inputs[1].buffer == t->inputs[0].buffer ? t->from[0] : read_tile(plan, t, i, &tile.read);
    }
    if (output && is_whole(plan, output))
        t->to = view_of_box(drua_value_view(output), &t->at.wanted, t->separate);
    else if (output)
        t->to = scratch_of_box(plan_scratch(plan, shape_of(&t->at.wanted), output->type), &t->at.wanted, t->separate);
    return plan->status == DRUA_OK;
}

drua_grid plan_tile_grid(drua_grid grid, const drua_tiles *t)
{
    for (int axis = 1; axis < 3; axis++) {
        const int64_t first = t->at.wanted.first[axis], end = t->at.wanted.end[axis];
        if (first > t->all.first[axis] || end < t->all.end[axis]) {
            grid.items[axis] = end - first;
            grid.from[axis] = first;
        }
    }
    return grid;
}

void plan_free_scratch(drua_plan *plan, drua_view view)
{
    for (drua_held **at = &plan->held; *at && view.buffer; at = &(*at)->next)
        if ((*at)->buffer == view.buffer) {
            drua_buffer_release(view.buffer);
            (*at)->buffer = NULL;
            return;
        }
}

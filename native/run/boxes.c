/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work of which not even one layer fits the device, or that looks elsewhere in an image, such as turns: box after box of the
 * outputs is made from the boxes of the inputs that it reads. Whole images live on the host.
 */
#include "tiled.h"

#include "deferred.h"
#include "error.h"
#include "materialize.h"
#include "run.h"

#include <string.h>

typedef struct boxes {
    drua_plan *plan;
    drua_parts parts;                   /* where the operation has no `region` */
    drua_shape inputs;                  /* extent of those that are cut */
    drua_shape outputs;
    drua_value *homes[DRUA_PLAN_PARAMS];     /* whole outputs */
    uint64_t pixel_bytes;               /* of all outputs */
    double done, all;                   /* pixels of the outputs */
    double too_much;                    /* bytes of a box for which there was no room */
} boxes;

/* A box of the outputs with what comes from it: the box of the inputs, and that of the outputs that a call makes of these. */
typedef struct work {
    drua_box wanted, read, made;
} work;

static int64_t along(drua_shape shape, int axis)
{
    return *drua_extent_along(&shape, axis);
}

static double pixels_of(const drua_box *box)
{
    double pixels = 1;
    for (int axis = 0; axis < 3; axis++)
        pixels *= (double)(box->end[axis] - box->first[axis]);
    return pixels;
}

/* At least a pixel of each axis. */
static void cut_to(drua_shape shape, drua_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        const int64_t extent = along(shape, axis);
        int64_t *first = &box->first[axis], *end = &box->end[axis];
        *first = *first < 0 ? 0 : *first < extent ? *first : extent - 1;
        *end = *end > extent ? extent : *end > *first ? *end : *first + 1;
    }
}

static bool is_cut_along(const boxes *b, int out_axis)
{
    return b->plan->op->region || (b->parts.axis[out_axis] >= 0 && (out_axis > 0 || b->parts.columns));
}

/* To what a box in the middle of the image reads, as far as there is so much. */
static void widen(const boxes *b, work *w, int out)
{
    const int axis = b->parts.axis[out];
    const int64_t extent = along(b->inputs, axis), usual = w->wanted.end[out] - w->wanted.first[out] + 2 * b->parts.halo[axis];
    int64_t *first = &w->read.first[axis], *end = &w->read.end[axis];
    if (*end - *first < usual) {
        *end = *first + usual < extent ? *first + usual : extent;
        *first = *end > usual ? *end - usual : 0;
    }
}

/* Along each axis of the outputs what the operation says of its parts. */
static void follow_parts(const boxes *b, work *w)
{
    w->read = (drua_box){{0}, {b->inputs.width, b->inputs.height, b->inputs.depth}};
    w->made = (drua_box){{0}, {b->outputs.width, b->outputs.height, b->outputs.depth}};
    for (int out = 0; out < 3; out++) {
        const int axis = b->parts.axis[out];
        const drua_reach *r = &b->parts.reach[out];
        if (!is_cut_along(b, out))
            continue;
        const double first = (double)w->wanted.first[out], last = (double)(w->wanted.end[out] - 1), halo = (double)b->parts.halo[axis];
        const double low = r->set ? fmin(r->step * first, r->step * last) + r->least : first - halo;
        const double high = r->set ? fmax(r->step * first, r->step * last) + r->most : last + halo;
        w->read.first[axis] = (int64_t)floor(fmax(low, -1));
        w->read.end[axis] = (int64_t)floor(fmin(high, 0x1p31)) + 1;
        cut_to(b->inputs, &w->read);
        if (b->parts.alike && !r->set)
            widen(b, w, out);
        w->read.first[axis] -= b->parts.tile[axis] ? w->read.first[axis] % b->parts.tile[axis] : 0;
        w->made.first[out] = r->set ? w->wanted.first[out] : w->read.first[axis];
        w->made.end[out] = r->set ? w->wanted.end[out] : w->read.end[axis];
    }
}

static work work_for(const boxes *b, const drua_box *wanted)
{
    work w = {.wanted = *wanted, .made = *wanted};
    if (b->plan->op->region)
        b->plan->op->region(b->plan, wanted, &w.read);
    else
        follow_parts(b, &w);
    cut_to(b->inputs, &w.read);
    return w;
}

static drua_view seen(const drua_value *value, const drua_box *box)
{
    drua_view view = drua_value_view(value);
    drua_layout *l = &view.layout;
    l->offset += box->first[0] * l->column + box->first[1] * l->row + box->first[2] * l->plane;
    l->width = (int32_t)(box->end[0] - box->first[0]);
    l->height = (int32_t)(box->end[1] - box->first[1]);
    l->depth = (int32_t)(box->end[2] - box->first[2]);
    return view;
}

/* Rows of a box in an image on the host. */
typedef struct rows {
    char *first;
    size_t bytes;               /* of a row */
    int64_t row, plane;         /* bytes to the next one */
} rows;

static rows rows_of(drua_view view)
{
    const drua_layout *l = &view.layout;
    const int64_t size = (int64_t)drua_type_size((drua_type)l->type);
    return (rows){(char *)drua_buffer_host(view.buffer) + l->offset * size, (size_t)(l->width * size), l->row * size, l->plane * size};
}

/* Some bytes of the dense plane that a slice of the box makes: for each piece of a row `at` and `memory`. */
#define EACH_PIECE(r, z, inside, bytes, copy)                                                                                    \
    for (size_t done = 0; done < (bytes);) {                                                                                     \
        const size_t y = ((inside) + done) / (r)->bytes, x = ((inside) + done) % (r)->bytes;                                     \
        const size_t piece = (r)->bytes - x < (bytes) - done ? (r)->bytes - x : (bytes) - done;                                  \
        char *at = (r)->first + (int64_t)(z) * (r)->plane + (int64_t)y * (r)->row + x, *part = (char *)memory + done;            \
        copy;                                                                                                                    \
        done += piece;                                                                                                           \
    }

static void from_rows(void *payload, size_t z, size_t inside, void *memory, size_t bytes)
{
    const rows *r = payload;
    EACH_PIECE(r, z, inside, bytes, memcpy(part, at, piece))
}

static void to_rows(void *payload, size_t z, size_t inside, void *memory, size_t bytes)
{
    const rows *r = payload;
    EACH_PIECE(r, z, inside, bytes, memcpy(at, part, piece))
}

/* Pixels of an image that is on the host, or goes there as it is large, are sent from there. */
static drua_status fill(drua_engine *engine, drua_view from, drua_value *part)
{
    enum { SMALL_PART = 16 };
    if (drua_buffer_bytes(from.buffer) > drua_device_statistics(engine->device)->budget_bytes / SMALL_PART)
        DRUA_TRY(drua_buffer_spill(from.buffer));
    DRUA_TRY(drua_value_allocate_dense(engine, part));
    if (!drua_buffer_host(from.buffer) || from.layout.column != 1)
        return drua_copy_region(engine, from, drua_value_view(part), 0, 0, 0);
    rows r = rows_of(from);
    return drua_device_upload_from(engine->device, drua_value_view(part), &(drua_planes){.copy = from_rows, .payload = &r});
}

/* The box of a value as an image of its own; along an axis of one pixel that pixel. */
static drua_status cut_out(const boxes *b, drua_value *value, drua_box box, drua_value **out)
{
    drua_engine *engine = b->plan->engine;
    drua_shape shape = value->shape;
    for (int axis = 0; axis < 3; axis++) {
        if (along(shape, axis) == 1)
            box.first[axis] = 0, box.end[axis] = 1;
        else if (along(shape, axis) != along(b->inputs, axis))
            return DRUA_E_UNSUPPORTED;
        *drua_extent_along(&shape, axis) = box.end[axis] - box.first[axis];
    }
    DRUA_TRY(drua_value_materialize(engine, value));
    *out = drua_value_new(shape, value->type);
    return *out ? fill(engine, seen(value, &box), *out) : DRUA_E_MEMORY;
}

/* Whether every part gets it as it is. */
static bool stays_whole(const boxes *b, size_t i)
{
    const drua_op *op = b->plan->op;
    return op->params[i].kind != DRUA_KIND_IMAGE_IN || op->params[i].whole || (op->region && (int)i != b->plan->first_image);
}

/* What is wanted of a result, to its place in the whole one. */
static drua_status bring_home(drua_engine *engine, const work *w, const drua_value *result, const drua_value *home)
{
    drua_box core = w->wanted;
    drua_shape shape = result->shape;
    for (int axis = 0; axis < 3; axis++) {
        core.first[axis] -= w->made.first[axis];
        core.end[axis] -= w->made.first[axis];
        if (along(shape, axis) < core.end[axis])
            return DRUA_E_UNSUPPORTED;
        *drua_extent_along(&shape, axis) = core.end[axis] - core.first[axis];
    }
    drua_value *part = drua_value_new(shape, result->type);
    if (!part)
        return DRUA_E_MEMORY;
    part->layout = seen(result, &core).layout;
    part->buffer = result->buffer;
    drua_buffer_retain(part->buffer);
    rows r = rows_of(seen(home, &w->wanted));
    const drua_status status = drua_engine_pull(engine, part, &(drua_planes){.copy = to_rows, .payload = &r});
    drua_value_release(engine, part);
    return status;
}

/* The call for one box. */
static drua_status run(boxes *b, const work *w)
{
    const drua_plan *plan = b->plan;
    drua_engine *engine = plan->engine;
    const drua_call_tile place = {.call = plan, .read = &w->read, .made = &w->made};
    drua_bound bound[DRUA_PLAN_PARAMS];
    drua_value *parts[DRUA_PLAN_PARAMS] = {NULL};
    drua_status status = DRUA_OK;
    memcpy(bound, plan->bound, plan->op->param_count * sizeof *bound);
    for (size_t i = 0; i < plan->op->param_count && status == DRUA_OK; i++) {
        if (b->homes[i])
            bound[i] = (drua_bound){.type = plan->outputs[i].type};
        if (stays_whole(b, i))
            continue;
        status = cut_out(b, plan->bound[i].value, w->read, &parts[i]);
        bound[i].value = parts[i];
    }
    if (status == DRUA_OK) {
        engine->tile = &place;
        status = drua_engine_call(engine, plan->op, bound, NULL);
    }
    for (size_t i = 0; i < plan->op->param_count; i++) {
        if (b->homes[i] && status == DRUA_OK)
            status = drua_value_materialize(engine, bound[i].result);
        if (b->homes[i] && status == DRUA_OK)
            status = bring_home(engine, w, bound[i].result, b->homes[i]);
        if (b->homes[i])
            drua_value_release(engine, bound[i].result);
        drua_value_release(engine, parts[i]);
    }
    drua_device_statistics(engine->device)->slabs += status == DRUA_OK;
    return status;
}

static void halve(const drua_box *box, int axis, drua_box halves[2])
{
    halves[0] = halves[1] = *box;
    halves[0].end[axis] = halves[1].first[axis] = (box->first[axis] + box->end[axis]) / 2;
}

/* The axis whose halves read least, and how much; slices stay whole where it is all the same. -1: there is none to cut. */
static int axis_to_cut(const boxes *b, const drua_box *wanted, double *least)
{
    int best = -1;
    *least = INFINITY;
    for (int axis = 2; axis >= 0; axis--) {
        drua_box halves[2];
        if (wanted->end[axis] - wanted->first[axis] < 2 || !is_cut_along(b, axis))
            continue;
        halve(wanted, axis, halves);
        double pixels = 0;
        for (int i = 0; i < 2; i++) {
            const work w = work_for(b, &halves[i]);
            pixels += pixels_of(&w.read);
        }
        if (pixels < *least) {
            *least = pixels;
            best = axis;
        }
    }
    return best;
}

static double bytes_of(const boxes *b, const work *w)
{
    double bytes = pixels_of(&w->made) * (double)b->pixel_bytes;
    for (size_t i = 0; i < b->plan->op->param_count; i++)
        if (!stays_whole(b, i))
            bytes += pixels_of(&w->read) * (double)drua_type_size(b->plan->bound[i].value->type);
    return bytes;
}

/*
 * Boxes take a third of the budget, or less where a step needs more beside them; or more where their halves would read nearly as
 * much again, and it can be had. Where these read it again and again, none serve.
 */
static drua_status make(boxes *b, const drua_box *wanted)
{
    enum { SMALLEST = 64 };
    static const double AGAIN = 1.5;
    drua_device *device = b->plan->engine->device;
    const work w = work_for(b, wanted);
    double halves_read = 0;
    const int axis = pixels_of(wanted) > SMALLEST ? axis_to_cut(b, wanted, &halves_read) : -1;
    const double bytes = bytes_of(b, &w);
    drua_status status = DRUA_E_MEMORY;
    if (b->plan->economical && pixels_of(&w.made) > LARGEST_OVERHEAD * pixels_of(wanted))
        return status;
    if (axis < 0 || (bytes < b->too_much && (bytes <= (double)drua_device_share(device, 3) || halves_read > AGAIN * pixels_of(&w.read)))) {
        status = run(b, &w);
        b->too_much = status == DRUA_E_MEMORY ? bytes : b->too_much;
    }
    if (status == DRUA_OK) {
        b->done += pixels_of(wanted);
        drua_device_report(device, b->done / b->all);
    }
    drua_box halves[2];
    if (status != DRUA_E_MEMORY || axis < 0)
        return status;
    halve(wanted, axis, halves);
    DRUA_TRY(make(b, &halves[0]));
    return make(b, &halves[1]);
}

/* Homes for all outputs; they must be new, and just what the operation makes by itself if it does not say which boxes it reads. */
static drua_status make_homes(boxes *b)
{
    const drua_plan *plan = b->plan;
    for (size_t i = 0; i < plan->op->param_count; i++) {
        const drua_param *param = &plan->op->params[i];
        if (param->kind == DRUA_KIND_IMAGE_INOUT || (param->partial && plan->bound[i].value))
            return DRUA_E_MEMORY;
        if (param->kind != DRUA_KIND_IMAGE_OUT)
            continue;
        const drua_shape natural = plan->outputs[i].natural;
        b->outputs = plan_written(plan, i);
        for (int axis = 0; axis < 3 && !plan->op->region; axis++)
            if (along(natural, axis) != along(b->outputs, axis))
                return DRUA_E_MEMORY;
        b->homes[i] = drua_value_new(b->outputs, plan->outputs[i].type);
        if (!b->homes[i])
            return DRUA_E_MEMORY;
        DRUA_TRY(drua_buffer_make_on_host(plan->engine->device, drua_value_bytes(b->homes[i]), &b->homes[i]->buffer));
        b->pixel_bytes += drua_type_size(plan->outputs[i].type);
    }
    return DRUA_OK;
}

bool drua_boxes_serve(const drua_plan *plan)
{
    return (plan->op->region || plan->op->parts) && !plan->engine->in_tiles && plan->first_image >= 0;
}

drua_status drua_boxes_call(drua_plan *plan)
{
    drua_engine *engine = plan->engine;
    boxes b = {.plan = plan, .parts = {.axis = {0, 1, 2}}, .too_much = INFINITY};
    if (!plan->op->region)
        plan->op->parts(plan, &b.parts);
    b.inputs = drua_slabs_inputs(plan);
    drua_status status = plan->status == DRUA_OK ? make_homes(&b) : plan->status;
    const drua_box all = {{0}, {b.outputs.width, b.outputs.height, b.outputs.depth}};
    b.all = pixels_of(&all);
    engine->in_tiles = true;
    engine->tile_scratch = b.parts.given;
    if (status == DRUA_OK)
        status = make(&b, &all);
    engine->tile_scratch = NULL;
    engine->in_tiles = false;
    drua_device_report(engine->device, -1);
    for (size_t i = 0; i < plan->op->param_count; i++)
        if (status == DRUA_OK && b.homes[i])
            plan->bound[i].result = b.homes[i];
        else
            drua_value_release(engine, b.homes[i]);
    return status == DRUA_E_UNSUPPORTED ? DRUA_E_MEMORY : status;
}

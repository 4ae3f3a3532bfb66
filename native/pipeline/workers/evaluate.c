/* SPDX-License-Identifier: BSD-3-Clause */
#include "evaluate.h"

#include "alloc.h"
#include "clock.h"
#include "error.h"
#include "image_file.h"
#include "registry.h"

#include <string.h>

/* ---- devices */

static drua_status open_engine(evaluator *e, const char *memory)
{
    DRUA_TRY(drua_engine_open(&e->engine, e->device, &e->lock));
    drua_engine_use_presets(&e->engine);
    DRUA_TRY(drua_device_set_budget(e->device, memory));
    drua_device_enter(drua_device_ticket(e->device));
    return DRUA_OK;
}

static void begin_evaluator(evaluator *e, const char *device)
{
    *e = (evaluator){.device = NULL, .is_open = true};
    drua_copy_start(e->device_name, device ? device : "", sizeof e->device_name);
    pthread_mutex_init(&e->lock, NULL);
}

drua_status evaluator_open(const char *device, const char *memory, evaluator *e)
{
    begin_evaluator(e, device);
    drua_status status = drua_device_open(device, &e->device);
    /* a note says that another device was opened */
    if (status == DRUA_OK && *e->device_name && *drua_device_note(e->device))
        status =
            drua_fail(DRUA_E_ARGUMENT, "no OpenCL device is called '%.80s'; 'drua devices' lists the available devices",
                      e->device_name);
    return status == DRUA_OK ? open_engine(e, memory) : status;
}

drua_status evaluator_open_absent(const char *memory, uint64_t bytes, evaluator *e)
{
    begin_evaluator(e, "");
    e->is_absent = true;
    DRUA_TRY(drua_device_describe_absent(bytes, &e->device));
    return open_engine(e, memory);
}

void evaluator_close(evaluator *e)
{
    if (!e->is_open)
        return;
    for (int i = 0; i < e->file_count; i++)
        drua_value_release(&e->engine, e->files[i]);
    drua_free(e->files);
    if (e->device) {
        drua_device_stop_building(e->device);
        drua_engine_close(&e->engine);
        drua_device_close(e->device);
    }
    pthread_mutex_destroy(&e->lock);
    e->is_open = false;
}

/* ---- files and inputs */

static drua_status read_file(evaluator *e, const char *path, drua_value **image)
{
    const drua_op *op = drua_find_op("read");
    drua_bound bound[DRUA_PLAN_PARAMS] = {{0}};
    drua_bound *file = &bound[drua_find_param(op, "path")];
    file->is_set = true;
    file->text = path;
    DRUA_TRY(drua_engine_call(&e->engine, op, bound, NULL));
    for (size_t i = 0; i < op->param_count; i++)
        drua_free(bound[i].text_result);
    *image = bound[drua_find_param(op, "image")].result;
    return DRUA_OK;
}

/*
 * Fails if a file has changed: each device reads the file separately, and all must read the same contents. A folder's
 * own time says nothing about its contents, so it is not compared.
 */
static drua_status check_file(const graph_file *f)
{
    drua_file_info now;
    const bool present = drua_image_file_stat(f->path, &now);
    if (present && (now.is_folder || (now.bytes == f->info.bytes && now.changed_exactly == f->info.changed_exactly)))
        return DRUA_OK;
    return drua_fail(DRUA_E_AWAY, "'%.600s' %s since the pipeline was recorded; %s, then run the same command again",
                     f->path, present ? "has changed" : "has disappeared",
                     present ? "restore it" : "make it accessible");
}

/* Reads the files that are not loaded yet; their number can grow while a pipeline is recorded. */
static drua_status read_files(evaluator *e, const graph *g)
{
    if (e->file_count >= g->file_count)
        return DRUA_OK;
    drua_value **grown = drua_realloc(e->files, (size_t)g->file_count * sizeof *grown);
    if (!grown)
        return drua_fail_memory((size_t)g->file_count * sizeof *grown);
    e->files = grown;
    for (; e->file_count < g->file_count; e->file_count++) {
        const graph_file *f = &g->files[e->file_count];
        DRUA_TRY(check_file(f));
        const drua_status status = read_file(e, f->path, &e->files[e->file_count]), after = check_file(f);
        if (status == DRUA_OK && after != DRUA_OK)
            drua_value_release(&e->engine, e->files[e->file_count]);
        DRUA_TRY(after);
        DRUA_TRY(status);
    }
    return DRUA_OK;
}

drua_status evaluator_file(evaluator *e, const graph *g, int file, drua_value **image)
{
    DRUA_TRY(read_files(e, g));
    *image = e->files[file];
    return DRUA_OK;
}

/* Consecutive pixels, treated as planes. */
typedef struct memory {
    char *first;
    size_t plane;
} memory;

static void copy_out(void *payload, size_t z, size_t inside, void *to, size_t bytes)
{
    const memory *m = payload;
    memcpy(to, m->first + z * m->plane + inside, bytes);
}

static void copy_in(void *payload, size_t z, size_t inside, void *from, size_t bytes)
{
    const memory *m = payload;
    memcpy(m->first + z * m->plane + inside, from, bytes);
}

static memory memory_of(void *pixels, drua_shape shape, drua_type type)
{
    return (memory){pixels, (size_t)(shape.width * shape.height) * drua_type_size(type)};
}

static drua_shape shape_of(const drua_box *box, int32_t dimension)
{
    return (drua_shape){box_side(box, 0), box_side(box, 1), box_side(box, 2), dimension};
}

drua_status evaluator_upload(evaluator *e, const drua_box *box, const drua_value *whole, void *pixels,
                             drua_value **image)
{
    const drua_shape shape = shape_of(box, whole->shape.dimension);
    memory m = memory_of(pixels, shape, whole->type);
    return drua_value_upload(&e->engine, shape, whole->type, &(drua_planes){.copy = copy_out, .payload = &m}, image);
}

/* Returns whether a node reads a value or the value is a requested output. The graph may have other outputs. */
static bool is_needed(const evaluation *v, int value)
{
    bool needed = v->boxes->used[value] && boxes_read_value(v->graph, v->boxes, value);
    for (int i = 0; i < v->output_count; i++)
        needed |= v->outputs[i] == value;
    return needed;
}

static drua_status upload_inputs(evaluator *e, const evaluation *v, drua_value **values)
{
    const graph *g = v->graph;
    for (int i = 0; i < graph_inputs(g); i++) {
        const int value = graph_input(g, i);
        if (is_needed(v, value))
            DRUA_TRY(
                evaluator_upload(e, &v->boxes->have[value], g->values[value].image, v->in->pixels[i], &values[value]));
    }
    return DRUA_OK;
}

drua_status evaluator_download(evaluator *e, drua_value *image, void *pixels)
{
    memory m = memory_of(pixels, image->shape, image->type);
    return drua_value_download(&e->engine, image, &(drua_planes){.copy = copy_in, .payload = &m});
}

/* Converts a box from whole-image positions to positions within `have`. */
static drua_box relative_box(const drua_box *box, const drua_box *have)
{
    drua_box own = *box;
    for (int axis = 0; axis < 3; axis++) {
        own.first[axis] -= have->first[axis];
        own.end[axis] -= have->first[axis];
    }
    return own;
}

/* ---- nodes */

static drua_status call_node(evaluator *e, const graph *g, const block_boxes *b, int node, drua_value **values)
{
    const graph_node *n = g->nodes[node];
    const drua_tile *tile = &b->tiles[node];
    drua_value *images[DRUA_PLAN_PARAMS] = {NULL}, *results[DRUA_PLAN_PARAMS] = {NULL};
    drua_status status = DRUA_OK;
    for (size_t i = 0; i < n->op->param_count && status == DRUA_OK; i++) {
        drua_box box;
        if (n->op->params[i].kind != DRUA_KIND_IMAGE_IN)
            continue;
        status = drua_declared_input(n->declared, i, tile, &box);
        const drua_box own = relative_box(&box, &b->have[n->images[i]]);
        if (status == DRUA_OK)
            status = drua_engine_see(&e->engine, values[n->images[i]], &own, &images[i]);
    }
    if (status == DRUA_OK)
        status = drua_engine_call_declared(&e->engine, n->declared, tile, images, results);
    for (size_t i = 0; i < n->op->param_count; i++) {
        drua_value_release(&e->engine, images[i]);
        if (results[i] && n->images[i] != GRAPH_NONE && b->used[n->images[i]])
            values[n->images[i]] = results[i];
        else
            drua_value_release(&e->engine, results[i]);
        const int read = n->op->params[i].kind == DRUA_KIND_IMAGE_IN ? n->images[i] : GRAPH_NONE;
        if (read != GRAPH_NONE && b->last[read] == node && values[read]) {
            drua_value_release(&e->engine, values[read]);
            values[read] = NULL;
        }
    }
    if (status != DRUA_OK)
        drua_error_prefix(n->op->name, 0);
    return status;
}

static drua_status run_nodes(evaluator *e, const graph *g, const block_boxes *b, drua_value **values)
{
    for (int i = 0; i < g->file_count; i++) {
        values[g->files[i].value] = e->files[i];
        drua_value_retain(e->files[i]);
    }
    for (int node = 0; node < g->node_count; node++)
        if (boxes_use(g, b, node))
            DRUA_TRY(call_node(e, g, b, node, values));
    return DRUA_OK;
}

static drua_status see_outputs(evaluator *e, const evaluation *v, drua_value *const *values, drua_value **results)
{
    for (int i = 0; i < v->output_count; i++) {
        const int value = v->outputs[i];
        const drua_box own = relative_box(&v->boxes->wanted, &v->boxes->have[value]);
        DRUA_TRY(drua_engine_see(&e->engine, values[value], &own, &results[i]));
        DRUA_TRY(drua_value_materialize(&e->engine, results[i]));
    }
    return drua_device_finish(e->device);
}

static drua_status compute_nodes(evaluator *e, const evaluation *v, drua_value **results, block_seconds *seconds)
{
    const graph *g = v->graph;
    drua_value **values = drua_alloc((size_t)g->value_count * sizeof *values);
    if (!values)
        return drua_fail_memory((size_t)g->value_count * sizeof *values);
    for (int i = 0; i < v->output_count; i++)
        results[i] = NULL;
    const double start = drua_seconds();
    drua_status status = read_files(e, g);
    if (status == DRUA_OK)
        status = upload_inputs(e, v, values);
    const double sent = drua_seconds();
    if (status == DRUA_OK)
        status = run_nodes(e, g, v->boxes, values);
    if (status == DRUA_OK)
        status = see_outputs(e, v, values, results);
    seconds->up += sent - start;
    seconds->compute += drua_seconds() - sent;
    for (int i = 0; i < g->value_count; i++)
        drua_value_release(&e->engine, values[i]);
    for (int i = 0; i < v->output_count && status != DRUA_OK; i++) {
        drua_value_release(&e->engine, results[i]);
        results[i] = NULL;
    }
    drua_free(values);
    return status;
}

drua_status evaluate_values(evaluator *e, const evaluation *v, drua_value **results, block_seconds *seconds)
{
    pthread_mutex_lock(&e->lock);
    const drua_status status = compute_nodes(e, v, results, seconds);
    pthread_mutex_unlock(&e->lock);
    return status;
}

drua_status evaluate_block(evaluator *e, const evaluation *v, void *const *made, block_seconds *seconds)
{
    drua_value *results[DRUA_PLAN_PARAMS] = {NULL};
    pthread_mutex_lock(&e->lock);
    drua_status status = compute_nodes(e, v, results, seconds);
    const double start = drua_seconds();
    for (int i = 0; i < v->output_count; i++) {
        if (status == DRUA_OK)
            status = evaluator_download(e, results[i], made[i]);
        drua_value_release(&e->engine, results[i]);
    }
    seconds->down += drua_seconds() - start;
    pthread_mutex_unlock(&e->lock);
    return status;
}

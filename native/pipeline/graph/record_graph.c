/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records a pipeline: its commands run on an engine whose calls make nodes instead of pixels. So the code that runs
 * operations also determines the parts of composites, shapes and types.
 */
#include "graph.h"
#include "recorder.h"

#include "alloc.h"
#include "error.h"
#include "registry.h"

#include <string.h>

/* ---- values */

static drua_status add_value(graph *g, drua_shape shape, drua_type type, int *number)
{
    graph_value *grown = drua_realloc(g->values, (size_t)(g->value_count + 1) * sizeof *grown);
    if (!grown)
        return drua_fail_memory(sizeof *grown);
    g->values = grown;
    drua_value *image = drua_value_new(shape, type);
    if (!image)
        return DRUA_E_MEMORY;
    *number = g->value_count++;
    g->values[*number] = (graph_value){.image = image};
    return DRUA_OK;
}

int recorder_value_of(const graph *g, const drua_value *image)
{
    for (int i = 0; image && i < g->value_count; i++)
        if (g->values[i].image == image)
            return i;
    return GRAPH_NONE;
}

/* ---- recording a call as a node */

static drua_status keep_argument(graph_node *node, size_t i)
{
    drua_bound *bound = &node->bound[i];
    if (drua_kind_is_text(node->op->params[i].kind) && bound->text) {
        bound->text = node->texts[i] = drua_copy_text(bound->text);
        if (!bound->text)
            return drua_fail_memory(1);
    }
    if (bound->array) {
        node->arrays[i] = drua_alloc((bound->length + 1) * sizeof(double));
        if (!node->arrays[i])
            return drua_fail_memory(bound->length * sizeof(double));
        memcpy(node->arrays[i], bound->array, bound->length * sizeof(double));
        bound->array = node->arrays[i];
    }
    return DRUA_OK;
}

static drua_status add_node(graph *g, const drua_op *op, const drua_bound *bound, graph_node **made)
{
    graph_node **grown = drua_realloc(g->nodes, (size_t)(g->node_count + 1) * sizeof *grown);
    if (!grown)
        return drua_fail_memory(sizeof *grown);
    g->nodes = grown;
    graph_node *node = drua_alloc(sizeof *node);
    if (!node)
        return drua_fail_memory(sizeof *node);
    g->nodes[g->node_count++] = node;
    node->op = op;
    memcpy(node->bound, bound, op->param_count * sizeof *bound);
    *made = node;
    drua_status status = DRUA_OK;
    for (size_t i = 0; i < op->param_count && status == DRUA_OK; i++) {
        node->images[i] = op->params[i].kind == DRUA_KIND_IMAGE_IN ? recorder_value_of(g, bound[i].value) : GRAPH_NONE;
        node->bound[i].result = NULL;
        status = keep_argument(node, i);
    }
    return status;
}

/* Writes settings that the operation would measure on the whole image into its text of options. */
static drua_status settle_options(drua_engine *engine, graph_node *node)
{
    char settled[DRUA_SETTINGS_BYTES] = "";
    drua_text text = {0};
    size_t i = 0;
    drua_plan call = {.engine = engine, .op = node->op, .bound = node->bound, .first_image = -1};
    if (!node->op->write_measured_settings)
        return DRUA_OK;
    while (node->op->params[i].kind != DRUA_KIND_OPTIONS)
        i++;
    plan_check(&call);
    if (call.status == DRUA_OK)
        node->op->write_measured_settings(&call, settled);
    plan_free(&call);
    if (call.status != DRUA_OK || !*settled)
        return call.status;
    plan_replace_settings(&node->op->params[i], node->texts[i] ? node->texts[i] : "", settled, &text);
    if (text.failed)
        return drua_fail_memory(text.length);
    drua_free(node->texts[i]);
    node->bound[i].text = node->texts[i] = text.characters;
    node->bound[i].is_set = true;
    return DRUA_OK;
}

drua_status recorder_set_text(graph *g, int value, const char *text)
{
    drua_free(g->values[value].text);
    g->values[value].text = text ? drua_copy_text(text) : NULL;
    return !text || g->values[value].text ? DRUA_OK : drua_fail_memory(strlen(text));
}

/*
 * Gives the results of a call the metadata of its first image, with the voxel size that the operation implies.
 * `images` has for each parameter the index of its value.
 */
static drua_status pass_texts(recorder *r, const drua_op *op, const drua_bound *bound, const int *images)
{
    graph *g = r->graph;
    drua_bound own[DRUA_PLAN_PARAMS];
    drua_plan call = {.engine = r->engine, .op = op, .bound = own, .first_image = -1};
    memcpy(own, bound, op->param_count * sizeof *own);
    for (size_t i = 0; i < op->param_count; i++) {
        const bool is_input = op->params[i].kind == DRUA_KIND_IMAGE_IN && images[i] != GRAPH_NONE;
        own[i].text = is_input                                 ? g->values[images[i]].text
                      : drua_kind_is_image(op->params[i].kind) ? NULL
                                                               : own[i].text;
        own[i].text_result = NULL;
        own[i].result = NULL;
    }
    plan_check(&call);
    for (size_t i = 0; i < op->param_count && call.status == DRUA_OK; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_OUT)
            plan_infer(&call, i);
    if (call.status == DRUA_OK)
        plan_pass_texts(&call);
    plan_free(&call);
    for (size_t i = 0; i < op->param_count; i++) {
        const bool made = op->params[i].kind == DRUA_KIND_IMAGE_OUT && images[i] != GRAPH_NONE;
        if (made && call.status == DRUA_OK)
            call.status = recorder_set_text(g, images[i], own[i].text_result);
        if (made && call.status == DRUA_OK)
            call.status = recorder_set_channel(g, op, images, images[i]);
        drua_free(own[i].text_result);
    }
    return call.status;
}

/* Returns whether the first given input is a label map. */
static bool source_has_labels(const graph *g, const graph_node *node)
{
    bool given[DRUA_PLAN_PARAMS];
    for (size_t i = 0; i < node->op->param_count; i++)
        given[i] = node->images[i] != GRAPH_NONE;
    const int first = drua_first_input(node->op, given);
    return first >= 0 && g->values[node->images[first]].labels;
}

/* Stores a node's result if the plan lists it as stored. Skips nodes with several results, which run anyway. */
static drua_status store_result(recorder *r, const graph_node *node)
{
    graph *g = r->graph;
    stored_image *image = NULL;
    int value = GRAPH_NONE, results = 0;
    for (size_t i = 0; i < node->op->param_count; i++)
        if (node->op->params[i].kind == DRUA_KIND_IMAGE_OUT) {
            value = node->images[i];
            results++;
        }
    if (results != 1 || !r->measure->store)
        return DRUA_OK;
    r->engine->executor = r->usual; /* storing needs pixels */
    const drua_status status = r->measure->store(r->measure->payload, g, node->op, value, &image);
    r->engine->executor = &r->executor;
    if (status != DRUA_OK || !image)
        return status;
    graph_made *made = &g->made[g->made_count];
    *made = (graph_made){.what = drua_copy_text("storing"), .value = value, .image = image};
    if (!made->what) {
        stored_image_close(image);
        return drua_fail_memory(1);
    }
    g->made_count++;
    g->values[value].stored = true;
    return DRUA_OK;
}

static drua_status record_node(recorder *r, const drua_request *request)
{
    graph *g = r->graph;
    graph_node *node = NULL;
    const drua_op *op = request->op;
    drua_bound *bound = request->bound;
    if (!request->lasting && drua_find_op(op->name) != op) /* the descriptor is private to another operation */
        return drua_fail(
            DRUA_E_UNSUPPORTED,
            "needs several passes over the whole image, so it cannot run block by block; run it on an image "
            "that fits the device");
    DRUA_TRY(add_node(g, op, bound, &node));
    DRUA_TRY(settle_options(r->engine, node));
    DRUA_TRY(drua_engine_declare(r->engine, op, node->bound, &node->declared));
    for (size_t i = 0; i < op->param_count; i++) {
        if (op->params[i].kind != DRUA_KIND_IMAGE_OUT)
            continue;
        DRUA_TRY(add_value(g, drua_declared_shape(node->declared, i), drua_declared_type(node->declared, i),
                           &node->images[i]));
        graph_value *value = &g->values[node->images[i]];
        value->labels = drua_makes_labels(op, i, source_has_labels(g, node));
        drua_value_retain(value->image);
        bound[i].result = value->image;
    }
    DRUA_TRY(pass_texts(r, op, node->bound, node->images));
    return store_result(r, node);
}

/* ---- recording a composite as its parts */

/*
 * Returns the function that builds an operation from other ones. An operation that needs all pixels at once has a
 * separate function for images that exceed the device's memory.
 */
static void (*builder_of(const drua_op *op))(drua_plan *plan)
{
    const bool local = op->expression || op->describe_blocks || op->parts || op->region;
    return op->build ? op->build : local ? NULL : op->build_large;
}

static drua_status record_composite(recorder *r, const drua_request *request)
{
    const drua_op *op = request->op;
    drua_bound *bound = request->bound;
    int images[DRUA_PLAN_PARAMS];
    drua_plan call = {.engine = r->engine,
                      .op = op,
                      .bound = bound,
                      .first_image = -1,
                      .state = request->state,
                      .frame = r->measure->frame,
                      .frames = r->measure->frames};
    plan_check(&call);
    for (size_t i = 0; i < op->param_count && call.status == DRUA_OK; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_OUT || op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            plan_infer(&call, i);
    if (call.status == DRUA_OK && op->build_in_blocks)
        op->build_in_blocks(&call, r->measure->margin);
    else if (call.status == DRUA_OK)
        builder_of(op)(&call);
    r->graph->by_frame |= call.asks_frame;
    plan_free(&call);
    for (size_t i = 0; i < op->param_count; i++)
        images[i] =
            recorder_value_of(r->graph, op->params[i].kind == DRUA_KIND_IMAGE_OUT ? bound[i].result : bound[i].value);
    if (call.status == DRUA_OK) /* parts may crop and extend */
        call.status = pass_texts(r, op, bound, images);
    for (size_t i = 0; i < op->param_count && call.status == DRUA_OK; i++) {
        const int made = recorder_value_of(r->graph, bound[i].result);
        if (made != GRAPH_NONE && op->params[i].labels)
            r->graph->values[made].labels = true;
    }
    for (size_t i = 0; i < op->param_count && call.status == DRUA_OK; i++)
        if (bound[i].result && bound[i].value &&
            !drua_shape_is_same_size(bound[i].result->shape, bound[i].value->shape))
            call.status =
                drua_fail(DRUA_E_UNSUPPORTED, "writes into an image of another size, so it cannot run block by block; "
                                              "give its result a new name");
    if (call.status != DRUA_OK)
        plan_drop_results(&call);
    return call.status;
}

/* ---- numbers of all pixels */

static drua_status add_number(graph *g, const char *operation, double number)
{
    graph_number *grown = drua_realloc(g->numbers, (size_t)(g->number_count + 1) * sizeof *grown);
    if (!grown)
        return drua_fail_memory(sizeof *grown);
    g->numbers = grown;
    grown[g->number_count] = (graph_number){drua_copy_text(operation), number};
    if (!grown[g->number_count].what)
        return drua_fail_memory(1);
    g->number_count++;
    return DRUA_OK;
}

static drua_status record_numbers(recorder *r, const drua_op *op, drua_bound *bound)
{
    graph *g = r->graph;
    double numbers[GRAPH_NUMBERS] = {0};
    int taken = 0;
    const int value = recorder_value_of(g, bound[0].value);
    drua_plan call = {.engine = r->engine, .op = op, .bound = bound, .first_image = -1};
    plan_check(&call);
    plan_free(&call);
    DRUA_TRY(call.status);
    r->engine->executor = r->usual; /* measuring needs pixels */
    const drua_status status = r->measure->measure(r->measure->payload, g, op, bound, value, numbers);
    r->engine->executor = &r->executor;
    DRUA_TRY(status);
    for (size_t i = 0; i < op->param_count && taken < GRAPH_NUMBERS; i++)
        if (op->params[i].kind == DRUA_KIND_NUMBER_OUT) {
            DRUA_TRY(add_number(g, op->name, numbers[taken]));
            bound[i].number_result = numbers[taken++];
        }
    return DRUA_OK;
}

static bool makes_table(const drua_op *op)
{
    bool makes = false;
    for (size_t i = 0; i < op->param_count; i++)
        makes |= op->params[i].kind == DRUA_KIND_TABLE_OUT;
    return makes;
}

static bool makes_image(const drua_op *op)
{
    bool makes = false;
    for (size_t i = 0; i < op->param_count; i++)
        makes |= drua_kind_is_image(op->params[i].kind) && op->params[i].kind != DRUA_KIND_IMAGE_IN;
    return makes;
}

/*
 * Refuses an operation whose result has a row, a column or a number for each label, and names the commands that measure
 * the same by blocks.
 */
static drua_status refuse_per_label(const drua_op *op)
{
    static const char pairs[] = "Drua_measureLabelPairs, whose table has the labels that touch and their common sides",
                      sums[] = "statisticsOfLabelledPixels, whose table has the sums of each label";
    static const struct {
        const char *name, *instead;
    } others[] = {{"generate_touch_matrix", pairs},        {"generate_touch_count_matrix", pairs},
                  {"touching_neighbor_count_map", pairs},  {"generate_binary_overlap_matrix", NULL},
                  {"generate_jaccard_index_matrix", NULL}, {"label_overlap_count_map", NULL},
                  {"centroids_of_labels", sums},           {"mean_intensity_map", sums}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(op->name, others[i].name))
            return drua_fail(DRUA_E_UNSUPPORTED,
                             "needs all pixels of each label at once, so it cannot run block by block; %s%s",
                             others[i].instead ? "use "
                                               : "run it on an image that fits the device, or compare masks of "
                                                 "both maps by jaccardIndex",
                             others[i].instead ? others[i].instead : "");
    return DRUA_OK;
}

/* ---- the engine's table of calls */

static drua_status record_call(drua_engine *engine, const drua_request *request)
{
    recorder *r = recorder_of(engine);
    const drua_op *op = request->op;
    drua_bound *bound = request->bound;
    if (request->table)
        *request->table = NULL;
    drua_status status = refuse_per_label(op);
    if (status != DRUA_OK)
        drua_error_prefix(op->name, 0);
    DRUA_TRY(status);
    if (recorder_sees_labels(op))
        status = recorder_label(r, op, bound);
    else if (makes_table(op) && !makes_image(op))
        status = drua_fail(DRUA_E_UNSUPPORTED,
                           "makes a table, and the tables of several blocks cannot be joined into one; block by block, "
                           "statisticsOfLabelledPixels, Drua_measureLabels and Drua_measureLabelPairs measure "
                           "labels");
    else if (!makes_image(op))
        status = record_numbers(r, op, bound);
    else if (op->build_in_blocks || builder_of(op))
        status = record_composite(r, request);
    else
        status = record_node(r, request);
    if (status != DRUA_OK)
        drua_error_prefix(op->name, 0);
    return status;
}

static drua_status no_pixels(drua_engine *engine, drua_value *value, bool siblings)
{
    (void)engine;
    (void)value;
    (void)siblings;
    return drua_fail(DRUA_E_UNSUPPORTED,
                     "needs all pixels of the image at once, so it cannot run block by block; run it "
                     "on an image that fits the device");
}

void recorder_begin(recorder *r, drua_engine *engine, graph *g, const graph_measure *measure)
{
    *r = (recorder){.executor = {no_pixels, record_call},
                    .usual = engine->executor,
                    .engine = engine,
                    .graph = g,
                    .measure = measure};
    g->engine = engine;
    engine->executor = &r->executor;
}

void recorder_end(recorder *r)
{
    r->engine->executor = r->usual;
}

/* Records a conversion to uint32; `*value` becomes the result. */
static drua_status record_integers(drua_engine *engine, graph *g, int *value)
{
    static const graph_measure none = {.payload = NULL};
    const drua_op *op = drua_find_op("copy");
    drua_bound bound[DRUA_PLAN_PARAMS] = {{.is_set = true, .value = g->values[*value].image}, {.type = DRUA_UINT32}};
    recorder r;
    recorder_begin(&r, engine, g, &none);
    const drua_status status = record_node(&r, &(drua_request){.op = op, .bound = bound});
    recorder_end(&r);
    if (status == DRUA_OK)
        *value = recorder_value_of(g, bound[1].result);
    drua_value_release(engine, bound[1].result);
    return status;
}

drua_status graph_settle_labels(drua_engine *engine, graph *g, drua_blocks_labels which, bool as_integers)
{
    for (int i = 0; i < g->output_count; i++) {
        int *value = &g->outputs[i].value;
        const bool labels = which == DRUA_LABELS_KNOWN ? g->values[*value].labels : which == DRUA_LABELS_ALL;
        if (labels && as_integers && g->values[*value].image->type == DRUA_FLOAT32)
            DRUA_TRY(record_integers(engine, g, value));
        g->values[*value].labels = labels;
    }
    return DRUA_OK;
}

drua_status recorder_add_source(recorder *r, drua_shape shape, drua_type type, int *value)
{
    return add_value(r->graph, shape, type, value);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records operations that need all pixels of a label. A pass over all blocks computes their result, and later
 * operations read it.
 */
#include "recorder.h"

#include "alloc.h"
#include "error.h"
#include "registry.h"

#include <string.h>

enum { MAKES_LABELS = 1, MAKES_TABLE = 2, MAKES_LIST = 3, MAKES_SHAPES = 4, MAKES_OVERLAP = 5 };

static int kind_of(const drua_op *op)
{
    static const struct {
        const char *name;
        int kind;
    } table[] = {{"connected_components_box", MAKES_LABELS},
                 {"connected_components_diamond", MAKES_LABELS},
                 {"close_index_gaps_in_label_map", MAKES_LABELS},
                 {"exclude_labels_on_edges", MAKES_LABELS},
                 {"exclude_labels_on_edges_of_axes", MAKES_LABELS},
                 {"exclude_labels_outside_size_range", MAKES_LABELS},
                 {"label_spots", MAKES_LABELS},
                 {"pixel_count_map", MAKES_LABELS},
                 {"spots_to_point_list", MAKES_LIST},
                 {"statistics_of_labelled_pixels", MAKES_TABLE},
                 {"statistics_of_background_and_labelled_pixels", MAKES_TABLE},
                 {"jaccard_index", MAKES_OVERLAP},
                 {"sorensen_dice_coefficient", MAKES_OVERLAP},
                 {NULL, 0}};
    int i = 0;
    if (op->shape_columns)
        return MAKES_SHAPES;
    while (table[i].name && strcmp(table[i].name, op->name))
        i++;
    return table[i].kind;
}

bool recorder_sees_labels(const drua_op *op)
{
    return kind_of(op) != 0;
}

static int image_of(const recorder *r, const drua_op *op, const drua_bound *bound, const char *name)
{
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_IN && !strcmp(op->params[i].name, name))
            return recorder_value_of(r->graph, bound[i].value);
    return GRAPH_NONE;
}

/* Determines the type of the result, and fails if its size differs from that of the input. */
static drua_status infer_type(recorder *r, const drua_op *op, drua_bound *bound, drua_type *type)
{
    drua_plan call = {.engine = r->engine, .op = op, .bound = bound, .first_image = -1};
    plan_check(&call);
    for (size_t i = 0; i < op->param_count && call.status == DRUA_OK; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_OUT) {
            plan_infer(&call, i);
            *type = call.outputs[i].type;
            if (call.status == DRUA_OK && !drua_shape_is_same_size(call.outputs[i].shape, call.outputs[i].natural))
                call.status =
                    drua_fail(DRUA_E_UNSUPPORTED,
                              "writes into an image of another size, so it cannot run block by block; give its "
                              "result a new name");
        }
    plan_free(&call);
    return call.status;
}

static drua_status make_labels(recorder *r, const graph_label_call *c, drua_bound *bound, drua_type type)
{
    graph *g = r->graph;
    graph_made *n = &g->made[g->made_count];
    size_t out = 0;
    int labels = 0;
    for (int i = 0; i < g->made_count; i++)
        labels += g->made[i].labels != NULL;
    if (labels == GRAPH_LABELS)
        return drua_fail(DRUA_E_UNSUPPORTED,
                         "numbers labels too often: a pipeline can do so at most %d times; split it into two pipelines",
                         GRAPH_LABELS);
    DRUA_TRY(r->measure->label(r->measure->payload, g, c, &n->labels));
    n->what = drua_copy_text(drua_text_characters(&c->text));
    if (!n->what || label_map_limit(n->labels, type) != DRUA_OK) {
        label_map_close(n->labels);
        drua_free(n->what);
        return drua_fail_memory(1);
    }
    g->made_count++;
    DRUA_TRY(recorder_add_source(r, g->values[c->labels].image->shape, type, &n->value));
    while (c->op->params[out].kind != DRUA_KIND_IMAGE_OUT)
        out++;
    g->values[n->value].labels = c->op->params[out].labels;
    DRUA_TRY(recorder_set_text(g, n->value, g->values[c->labels].text));
    drua_value_retain(g->values[n->value].image);
    bound[out].result = g->values[n->value].image;
    return DRUA_OK;
}

static drua_status make_table(recorder *r, const graph_label_call *c)
{
    graph *g = r->graph;
    const drua_value *a = g->values[c->source].image, *b = g->values[c->labels].image;
    if (!drua_shape_is_same_size(a->shape, b->shape))
        return drua_fail(DRUA_E_ARGUMENT, "both images must have the same size");
    DRUA_TRY(r->measure->tabulate(r->measure->payload, g, c));
    drua_text_add(&g->tables, "%s\n", drua_text_characters(&c->text));
    g->table_count++;
    return g->tables.failed ? drua_fail_memory(g->tables.length) : DRUA_OK;
}

/* Records a list of spots as a table: numbers the spots, then lists their positions. */
static drua_status list_spots(recorder *r, graph_label_call *c)
{
    const drua_op *spots = drua_find_op("label_spots");
    drua_bound numbered[DRUA_PLAN_PARAMS] = {c->bound[0], {.type = DRUA_UINT32}};
    DRUA_TRY(recorder_label(r, spots, numbered));
    c->labels = c->source = recorder_value_of(r->graph, numbered[1].result);
    drua_text_add(&c->text, "%s of v%d", c->op->name, c->labels);
    const drua_status status = c->text.failed ? drua_fail_memory(c->text.length) : make_table(r, c);
    drua_text_free(&c->text);
    drua_value_release(r->engine, numbered[1].result);
    return status;
}

static void describe_call(const recorder *r, graph_label_call *c)
{
    for (size_t i = 0; i < c->op->param_count; i++)
        graph_describe_argument(
            &c->op->params[i], &c->bound[i],
            c->op->params[i].kind == DRUA_KIND_IMAGE_IN ? recorder_value_of(r->graph, c->bound[i].value) : GRAPH_NONE,
            &c->text);
}

/* Sets the columns of a table of shapes, with the voxel size from the images' metadata. */
static drua_status choose_columns(recorder *r, const graph_label_call *c, drua_label_columns *columns)
{
    drua_bound bound[DRUA_PLAN_PARAMS];
    drua_plan plan = {.engine = r->engine, .op = c->op, .bound = bound, .first_image = -1};
    memcpy(bound, c->bound, c->op->param_count * sizeof *bound);
    for (size_t i = 0; i < c->op->param_count; i++)
        if (c->op->params[i].kind == DRUA_KIND_IMAGE_IN)
            bound[i].text = r->graph->values[recorder_value_of(r->graph, bound[i].value)].text;
    plan_check(&plan);
    if (plan.status == DRUA_OK)
        c->op->shape_columns(&plan, columns);
    plan_free(&plan);
    return plan.status;
}

/* Records a table of shapes, or of pairs. */
static drua_status measure_shapes(recorder *r, graph_label_call *c)
{
    drua_label_columns *columns = drua_alloc(sizeof *columns);
    if (!columns)
        return drua_fail_memory(sizeof *columns);
    c->source = c->op->pair_row ? c->labels : image_of(r, c->op, c->bound, "intensity");
    c->columns = columns;
    drua_status status = choose_columns(r, c, columns);
    drua_text_add(&c->text, "%s of voxels %.17g %.17g %.17g", c->op->name, columns->constants[0], columns->constants[1],
                  columns->constants[2]);
    describe_call(r, c);
    if (status == DRUA_OK && c->text.failed)
        status = drua_fail_memory(c->text.length);
    r->engine->executor = r->usual; /* measuring needs pixels */
    if (status == DRUA_OK)
        status = make_table(r, c);
    r->engine->executor = &r->executor;
    drua_text_free(&c->text);
    drua_free(columns);
    return status;
}

/* Records a table with one number about two images. */
static drua_status compare_images(recorder *r, graph_label_call *c)
{
    c->source = image_of(r, c->op, c->bound, "source1");
    c->labels = image_of(r, c->op, c->bound, "source2");
    drua_text_add(&c->text, "%s", c->op->name);
    describe_call(r, c);
    drua_status status = c->text.failed ? drua_fail_memory(c->text.length) : DRUA_OK;
    r->engine->executor = r->usual; /* measuring needs pixels */
    if (status == DRUA_OK)
        status = make_table(r, c);
    r->engine->executor = &r->executor;
    drua_text_free(&c->text);
    return status;
}

drua_status recorder_label(recorder *r, const drua_op *op, drua_bound *bound)
{
    graph_label_call c = {.op = op,
                          .bound = bound,
                          .labels = image_of(r, op, bound, "labels"),
                          .source = image_of(r, op, bound, "source")};
    drua_type type = DRUA_FLOAT32;
    if (kind_of(op) == MAKES_LIST)
        return list_spots(r, &c);
    if (kind_of(op) == MAKES_OVERLAP)
        return compare_images(r, &c);
    if (kind_of(op) == MAKES_SHAPES)
        return measure_shapes(r, &c);
    if (c.labels == GRAPH_NONE)
        c.labels = c.source;
    DRUA_TRY(infer_type(r, op, bound, &type));
    if (!r->measure->label)
        return drua_fail(DRUA_E_INTERNAL, "internal error: labels cannot be numbered here");
    drua_text_add(&c.text, "%s to %s", op->name, drua_type_name(type));
    describe_call(r, &c);
    drua_status status = c.text.failed ? drua_fail_memory(c.text.length) : DRUA_OK;
    r->engine->executor = r->usual; /* measuring needs pixels */
    if (status == DRUA_OK)
        status = kind_of(op) == MAKES_TABLE ? make_table(r, &c) : make_labels(r, &c, bound, type);
    r->engine->executor = &r->executor;
    drua_text_free(&c.text);
    return status;
}

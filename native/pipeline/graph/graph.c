/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder.h"

#include "alloc.h"

#include <inttypes.h>
#include <string.h>

static void free_node(graph_node *node)
{
    drua_declared_free(node->declared);
    for (size_t i = 0; i < DRUA_PLAN_PARAMS; i++) {
        drua_free(node->texts[i]);
        drua_free(node->arrays[i]);
    }
    drua_free(node);
}

void graph_free(graph *g)
{
    for (int i = 0; i < g->node_count; i++)
        free_node(g->nodes[i]);
    for (int i = 0; i < g->value_count; i++) {
        drua_value_release(g->engine, g->values[i].image);
        drua_free(g->values[i].text);
    }
    for (int i = 0; i < g->file_count; i++)
        drua_free(g->files[i].path);
    for (int i = 0; i < g->output_count; i++)
        drua_free(g->outputs[i].name);
    for (int i = 0; i < g->number_count; i++)
        drua_free(g->numbers[i].what);
    for (int i = 0; i < g->made_count; i++) {
        drua_free(g->made[i].what);
        label_map_close(g->made[i].labels);
        stored_image_close(g->made[i].image);
    }
    drua_text_free(&g->tables);
    drua_free(g->nodes);
    drua_free(g->values);
    drua_free(g->files);
    drua_free(g->outputs);
    drua_free(g->numbers);
    *g = (graph){.engine = NULL};
}

void graph_describe_argument(const drua_param *param, const drua_bound *bound, int value, drua_text *text)
{
    if (value != GRAPH_NONE)
        drua_text_add(text, " %s=v%d", param->name, value);
    else if (drua_kind_is_text(param->kind) && bound->text)
        drua_text_add(text, " %s='%s'", param->name, bound->text);
    else if (!drua_kind_is_output(param->kind) && !drua_kind_is_image(param->kind))
        drua_text_add(text, " %s=%.17g", param->name, bound->number);
    for (size_t k = 0; bound->array && k < bound->length; k++)
        drua_text_add(text, ",%.17g", bound->array[k]);
}

void graph_describe(const graph *g, drua_text *text)
{
    for (int i = 0; i < g->value_count; i++) {
        const drua_shape s = g->values[i].image->shape;
        drua_text_add(text, "v%d %" PRId64 " %" PRId64 " %" PRId64 " %d\n", i, s.width, s.height, s.depth,
                      (int)g->values[i].image->type);
    }
    for (int i = 0; i < g->node_count; i++) {
        drua_text_add(text, "%s", g->nodes[i]->op->name);
        for (size_t k = 0; k < g->nodes[i]->op->param_count; k++)
            graph_describe_argument(&g->nodes[i]->op->params[k], &g->nodes[i]->bound[k], g->nodes[i]->images[k], text);
        drua_text_add(text, "\n");
    }
    for (int i = 0; i < g->made_count; i++)
        drua_text_add(text, "v%d by %s\n", g->made[i].value, g->made[i].what);
    drua_text_add(text, "%s", drua_text_characters(&g->tables));
    for (int i = 0; i < g->file_count; i++)
        drua_text_add(text, "v%d from file %d\n", g->files[i].value, i);
    for (int i = 0; i < g->output_count; i++)
        drua_text_add(text, "v%d to %s\n", g->outputs[i].value, g->outputs[i].name);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns a tree of recorded pointwise operations into one launch. */
#include "value.h"

#include "alloc.h"
#include "error.h"
#include "plan.h"
#include "registry.h"
#include "text.h"

#include <ctype.h>
#include <string.h>

/* As chain_step in kernels/chain/chain.cl. */
typedef struct step {
    int32_t operation, a, b, c, keep, type;
    float scalars[DRUA_NODE_SCALARS];
    int32_t snapped, row, slice;        /* of the chain's first pixel in the whole image */
} step;

enum { ACCUMULATOR = 0, FIRST_INPUT = 1, FIRST_REGISTER = FIRST_INPUT + DRUA_CHAIN_INPUTS };

typedef struct chain {
    drua_value *root;
    drua_value *inputs[DRUA_CHAIN_INPUTS];
    int input_count;
    drua_value *made[DRUA_CHAIN_STEPS];                     /* the value of each step */
    int operands[DRUA_CHAIN_STEPS][DRUA_NODE_INPUTS];       /* step number, or -1 - input number */
    int step_count;
    bool positional, exact;
} chain;

static void add_operations(drua_text *text, const char *macro, bool exact)
{
    drua_text_add(text, "#define %s \\\n", macro);
    for (int i = 0; drua_op_table[i]; i++)
        if (drua_op_table[i]->expression && (drua_op_table[i]->numeric == DRUA_EXACT) == exact)
            drua_text_add(text, "case %d: v = %s; break; \\\n", i, drua_op_table[i]->expression);
    drua_text_add(text, "\n");
}

char *drua_chain_source(void)
{
    drua_text text = {0};
    add_operations(&text, "EXACT_OPERATIONS", true);
    add_operations(&text, "DEVICE_OPERATIONS", false);
    if (text.failed)
        drua_text_free(&text);
    return text.characters;
}

bool drua_op_is_positional(const drua_op *op)
{
    for (const char *c = op->expression; c && *c; c++)
        if (strchr("XYZ", *c) && (c == op->expression || (!isalnum((unsigned char)c[-1]) && c[-1] != '_')) &&
            !isalnum((unsigned char)c[1]) && c[1] != '_')
            return true;
    return false;
}

static bool same_extent(drua_shape a, drua_shape b)
{
    return a.width == b.width && a.height == b.height && a.depth == b.depth;
}

/* The virtual values that a chain would compute, each once, operands before their readers. */
typedef struct tree {
    drua_value *values[2 * DRUA_WINDOW];
    int count;
    bool full;
} tree;

static void collect(tree *t, drua_value *value)
{
    if (value->buffer || t->full)
        return;
    for (int i = 0; i < t->count; i++)
        if (t->values[i] == value)
            return;
    for (int i = 0; i < value->node->input_count; i++)
        collect(t, value->node->inputs[i]);
    t->full = t->full || t->count == (int)(sizeof t->values / sizeof *t->values);
    if (!t->full)
        t->values[t->count++] = value;
}

static int reads_inside(const tree *t, const drua_value *wanted)
{
    int count = 0;
    for (int k = 0; k < t->count; k++)
        for (int i = 0; i < t->values[k]->node->input_count; i++)
            count += t->values[k]->node->inputs[i] == wanted;
    return count;
}

/* A virtual value below the root that has to become resident before the chain can run, or NULL. */
static drua_value *blocking(const drua_engine *engine, drua_value *root)
{
    tree t = {.count = 0};
    collect(&t, root);
    for (int k = 0; k < t.count; k++) {
        drua_value *value = t.values[k];
        bool constant = value->node->input_count == 0 && !drua_op_is_positional(value->node->op);
        bool read_elsewhere = value->readers > 1 && value->readers > reads_inside(&t, value);
        if (value != root && !constant && (!engine->fuse || t.full || !same_extent(value->shape, root->shape) || read_elsewhere))
            return value;
    }
    return NULL;
}

/* Number of the step that makes `value`, -1 - n for input n, or INT32_MIN when the chain is full. */
static int lower(chain *c, drua_value *value)
{
    if (value->buffer) {
        for (int i = 0; i < c->input_count; i++)
            if (c->inputs[i] == value)
                return -1 - i;
        if (c->input_count == DRUA_CHAIN_INPUTS)
            return INT32_MIN;
        c->inputs[c->input_count] = value;
        return -1 - c->input_count++;
    }
    for (int i = 0; i < c->step_count; i++)
        if (c->made[i] == value)
            return i;
    int operands[DRUA_NODE_INPUTS] = {0};
    for (int i = 0; i < value->node->input_count; i++)
        if ((operands[i] = lower(c, value->node->inputs[i])) == INT32_MIN)
            return INT32_MIN;
    if (c->step_count == DRUA_CHAIN_STEPS)
        return INT32_MIN;
    memcpy(c->operands[c->step_count], operands, sizeof operands);
    c->made[c->step_count] = value;
    c->exact = c->exact && value->node->op->numeric == DRUA_EXACT;
    c->positional = c->positional || drua_op_is_positional(value->node->op);
    return c->step_count++;
}

/* Gives each result a place: the accumulator if only the next step reads it, else a register. False: too few registers. */
static bool assign(const chain *c, step *steps)
{
    int last_use[DRUA_CHAIN_STEPS], place[DRUA_CHAIN_STEPS] = {0}, owner[DRUA_CHAIN_REGISTERS];
    for (int k = 0; k < c->step_count; k++)
        last_use[k] = k;
    for (int k = 0; k < c->step_count; k++)
        for (int i = 0; i < c->made[k]->node->input_count; i++)
            if (c->operands[k][i] >= 0)
                last_use[c->operands[k][i]] = k;
    for (int r = 0; r < DRUA_CHAIN_REGISTERS; r++)
        owner[r] = -1;
    for (int k = 0; k < c->step_count; k++) {
        const drua_node *node = c->made[k]->node;
        int32_t *operand[DRUA_NODE_INPUTS] = {&steps[k].a, &steps[k].b, &steps[k].c};
        steps[k].operation = drua_op_number(node->op);
        steps[k].type = (int32_t)c->made[k]->type;
        steps[k].snapped = (node->op->traits & DRUA_SNAP) != 0;
        memcpy(steps[k].scalars, node->scalars, sizeof node->scalars);
        steps[k].row = (int32_t)c->root->origin[1];
        steps[k].slice = (int32_t)c->root->origin[2];
        for (int i = 0; i < node->input_count; i++) {
            int from = c->operands[k][i];
            *operand[i] = from < 0 ? FIRST_INPUT + (-1 - from) : from == k - 1 ? ACCUMULATOR : place[from];
        }
        for (int r = 0; r < DRUA_CHAIN_REGISTERS; r++)
            if (owner[r] >= 0 && last_use[owner[r]] <= k)
                owner[r] = -1;
        if (last_use[k] > k + 1) {
            int r = 0;
            while (r < DRUA_CHAIN_REGISTERS && owner[r] >= 0)
                r++;
            if (r == DRUA_CHAIN_REGISTERS)
                return false;
            owner[r] = k;
            steps[k].keep = place[k] = FIRST_REGISTER + r;
        }
    }
    return true;
}

static bool fits_line(const drua_view *view, const drua_value *value, drua_shape shape, int lanes)
{
    return same_extent(value->shape, shape) && drua_layout_is_dense(&view->layout) && view->layout.offset % lanes == 0;
}

/* Whether every vector of a row of `width` pixels is aligned in this image. */
static bool rows_aligned(const drua_layout *l, int32_t width, int lanes)
{
    return l->column == 1 && l->width == width && width % lanes == 0 && l->offset % lanes == 0 && l->row % lanes == 0 &&
           l->plane % lanes == 0;
}

static drua_status launch(drua_engine *engine, chain *c, const step *steps)
{
    drua_value *root = c->root;
    DRUA_TRY(drua_value_allocate(engine, root));
    drua_view out = drua_value_view(root), in[DRUA_CHAIN_INPUTS];
    int lanes = drua_device_lanes(engine->device);
    bool line = !c->positional;
    for (int i = 0; i < DRUA_CHAIN_INPUTS; i++) {
        in[i] = i < c->input_count ? drua_value_view(c->inputs[i]) : out;
        if (i < c->input_count)
            line = line && fits_line(&in[i], c->inputs[i], root->shape, lanes);
    }
    drua_arg arguments[] = {ARG(in[0]), ARG(in[1]), ARG(in[2]), ARG(in[3]), INT(c->input_count), ARG(out),
                            TABLE(steps, (size_t)c->step_count * sizeof *steps), INT(c->step_count),
                            {.kind = DRUA_LAUNCH_END}, {.kind = DRUA_LAUNCH_END}};
    drua_status status;
    if (line) {
        int64_t vectors = (drua_layout_count(&out.layout) + lanes - 1) / lanes;
        arguments[8] = LONG(vectors);
        status = drua_device_launch(engine->device, c->exact ? "chain_line" : "chain_line_any", GRID(vectors, 1, 1, 256, 1, 1), arguments);
    } else {
        int32_t wide = rows_aligned(&out.layout, out.layout.width, lanes) << DRUA_CHAIN_INPUTS;
        for (int i = 0; i < c->input_count; i++)
            wide |= rows_aligned(&in[i].layout, out.layout.width, lanes) << i;
        arguments[8] = INT(wide);
        int64_t across = (out.layout.width + lanes - 1) / lanes;
        status = drua_device_launch(engine->device, c->exact ? "chain_rows" : "chain_rows_any",
                                    GRID(across, out.layout.height, out.layout.depth, 32, 4, 1), arguments);
    }
    if (status != DRUA_OK) {
        drua_buffer_release(root->buffer);
        root->buffer = NULL;
        return status;
    }
    drua_statistics *statistics = drua_device_statistics(engine->device);
    statistics->chains++;
    statistics->chained_steps += (uint64_t)c->step_count;
    return DRUA_OK;
}

drua_status drua_chain_run(drua_engine *engine, drua_value *root)
{
    if (!root->node)
        return drua_fail(DRUA_E_INTERNAL, "an image has neither pixels nor a recipe");
    for (drua_value *input; (input = blocking(engine, root)) != NULL;)
        DRUA_TRY(drua_chain_run(engine, input));
    chain c = {.root = root, .exact = true};
    step steps[DRUA_CHAIN_STEPS] = {{0}};
    if (lower(&c, root) == INT32_MIN || !assign(&c, steps)) {
        /* too large for one launch: what the last step reads becomes resident, and that step is a chain of its own */
        for (int i = 0; i < root->node->input_count; i++)
            if (!root->node->inputs[i]->buffer)
                DRUA_TRY(drua_chain_run(engine, root->node->inputs[i]));
        return drua_chain_run(engine, root);
    }
    drua_status status = launch(engine, &c, steps);
    if (status != DRUA_OK) {
        drua_error_prefix(root->node->op->name, root->node->line);
        return status;
    }
    drua_value_forget_node(engine, root);
    return DRUA_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which part of a tree of pending pointwise operations one launch computes, and in which registers. */
#include "chain_kernel.h"

#include "registry.h"

#include <string.h>

enum { ACCUMULATOR = 0, FIRST_INPUT = 1, FIRST_REGISTER = FIRST_INPUT + DRUA_CHAIN_INPUTS };

/* The values that a chain would compute without storing them. Each occurs once, and operands precede their readers. */
typedef struct tree {
    drua_value *values[2 * DRUA_PENDING_VALUES];
    int count;
    bool full;
} tree;

static void collect_values(tree *t, drua_value *value)
{
    if (value->buffer || t->full)
        return;
    for (int i = 0; i < t->count; i++)
        if (t->values[i] == value)
            return;
    for (int i = 0; i < value->node->input_count && !value->node->call; i++)
        collect_values(t, value->node->inputs[i]);
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

static bool is_constant(const drua_value *value)
{
    return !value->node->call && value->node->input_count == 0 && !drua_op_is_positional(value->node->op);
}

static bool is_read_elsewhere(const tree *t, const drua_value *value)
{
    return value->readers > 1 && value->readers > reads_inside(t, value);
}

drua_value *drua_chain_blocking(const drua_engine *engine, drua_value *root)
{
    tree t = {.count = 0};
    collect_values(&t, root);
    int shared = 0, calls = 0;
    for (int k = 0; k < t.count; k++) {
        drua_value *value = t.values[k];
        if (value == root || is_constant(value))
            continue;
        if (!engine->settings.fuse || t.full || !drua_shape_is_same_size(value->shape, root->shape) ||
            (value->node->call && ++calls > 1))
            return value;
        if (value->node->call)
            continue;
        if (is_read_elsewhere(&t, value) && ++shared == DRUA_CHAIN_OUTPUTS)
            return value;
    }
    return NULL;
}

/*
 * Adds `value` to the chain. Returns the index of the step that computes it, -1 - n for input n, or INT32_MIN if the
 * chain is full.
 */
static int add_value(drua_chain *c, drua_value *value)
{
    if (value->buffer || drua_value_is_deferred(value)) {
        for (int i = 0; i < c->input_count; i++)
            if (c->inputs[i] == value)
                return -1 - i;
        if (c->input_count == DRUA_CHAIN_INPUTS)
            return INT32_MIN;
        c->inputs[c->input_count] = value;
        return -1 - c->input_count++;
    }
    for (int i = 0; i < c->step_count; i++)
        if (c->values[i] == value)
            return i;
    int operands[DRUA_NODE_INPUTS] = {0};
    for (int i = 0; i < value->node->input_count; i++)
        if ((operands[i] = add_value(c, value->node->inputs[i])) == INT32_MIN)
            return INT32_MIN;
    if (c->step_count == DRUA_CHAIN_STEPS)
        return INT32_MIN;
    memcpy(c->operands[c->step_count], operands, sizeof operands);
    c->values[c->step_count] = value;
    c->exact = c->exact && value->node->op->numeric == DRUA_EXACT;
    c->positional = c->positional || drua_op_is_positional(value->node->op);
    return c->step_count++;
}

static bool is_output(const drua_chain *c, int k)
{
    for (int i = 0; i < c->output_count; i++)
        if (c->outputs[i] == k)
            return true;
    return false;
}

static void add_output(drua_chain *c, int k)
{
    if (!is_output(c, k) && c->output_count < DRUA_CHAIN_OUTPUTS)
        c->outputs[c->output_count++] = k;
}

/* Puts the output of the last step first, because its value is in the accumulator when the kernel ends. */
static void order_outputs(drua_chain *c)
{
    for (int i = 1; i < c->output_count; i++)
        if (c->outputs[i] == c->step_count - 1) {
            c->outputs[i] = c->outputs[0];
            c->outputs[0] = c->step_count - 1;
        }
}

static int deferred_count(const drua_chain *c)
{
    int count = 0;
    for (int i = 0; i < c->input_count; i++)
        count += drua_value_is_deferred(c->inputs[i]);
    return count;
}

size_t drua_chain_bytes_read(const drua_chain *c)
{
    size_t bytes = 0;
    for (int i = 0; i < c->input_count; i++)
        bytes += drua_type_size(c->inputs[i]->type);
    return bytes;
}

double drua_chain_bytes(const drua_chain *c)
{
    double bytes = 0;
    for (int i = 0; i < c->input_count; i++)
        bytes += (double)drua_value_bytes(c->inputs[i]);
    for (int i = 0; i < c->output_count; i++)
        bytes += (double)drua_value_bytes(c->values[c->outputs[i]]);
    return bytes;
}

drua_value *drua_chain_deferred_input(const drua_chain *c)
{
    for (int i = 0; i < c->input_count; i++)
        if (drua_value_is_deferred(c->inputs[i]))
            return c->inputs[i];
    return NULL;
}

static bool is_part(const drua_chain *c, const drua_value *value)
{
    for (int i = 0; i < c->input_count; i++)
        if (c->inputs[i] == value)
            return true;
    for (int k = 0; k < c->step_count; k++)
        if (c->values[k] == value)
            return true;
    return false;
}

/* Whether a pending value depends on something that the chain reads or computes anyway. */
static bool shares_inputs(const drua_chain *c, drua_value *value)
{
    tree t = {.count = 0};
    collect_values(&t, value);
    for (int k = 0; k < t.count; k++) {
        if (is_part(c, t.values[k]) && !is_constant(t.values[k]))
            return true;
        for (int i = 0; i < t.values[k]->node->input_count; i++)
            if (t.values[k]->node->inputs[i]->buffer && is_part(c, t.values[k]->node->inputs[i]))
                return true;
    }
    return false;
}

/* Assigns a register to each result that is needed after the next step. Returns false if there are too few. */
static bool assign_registers(const drua_chain *c, drua_step *steps)
{
    int last_use[DRUA_CHAIN_STEPS], place[DRUA_CHAIN_STEPS] = {0}, owner[DRUA_CHAIN_REGISTERS];
    for (int k = 0; k < c->step_count; k++)
        last_use[k] = k;
    for (int k = 0; k < c->step_count; k++)
        for (int i = 0; i < c->values[k]->node->input_count; i++)
            if (c->operands[k][i] >= 0)
                last_use[c->operands[k][i]] = k;
    for (int r = 0; r < DRUA_CHAIN_REGISTERS; r++)
        owner[r] = -1;
    for (int i = 1; i < c->output_count; i++) { /* the last registers are reserved for further outputs */
        owner[DRUA_CHAIN_REGISTERS - i] = c->outputs[i];
        last_use[c->outputs[i]] = c->step_count;
        steps[c->outputs[i]].keep = place[c->outputs[i]] = FIRST_REGISTER + DRUA_CHAIN_REGISTERS - i;
    }
    for (int k = 0; k < c->step_count; k++) {
        const drua_node *node = c->values[k]->node;
        int32_t *operand[DRUA_NODE_INPUTS] = {&steps[k].a, &steps[k].b, &steps[k].c};
        steps[k].operation = drua_op_number(node->op);
        steps[k].type = (int32_t)c->values[k]->type;
        steps[k].roundings = (float)node->op->roundings;
        memcpy(steps[k].scalars, node->scalars, sizeof node->scalars);
        steps[k].row = (int32_t)c->values[c->outputs[0]]->origin[1];
        steps[k].slice = (int32_t)c->values[c->outputs[0]]->origin[2];
        for (int i = 0; i < node->input_count; i++) {
            int from = c->operands[k][i];
            *operand[i] = from == k - 1 ? ACCUMULATOR : from < 0 ? FIRST_INPUT + (-1 - from) : place[from];
        }
        for (int r = 0; r < DRUA_CHAIN_REGISTERS; r++)
            if (owner[r] >= 0 && last_use[owner[r]] <= k)
                owner[r] = -1;
        if (last_use[k] > k + 1 && !place[k]) {
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

/* Stores values that other pending work also reads. */
static void add_shared_outputs(drua_chain *c, drua_value *root)
{
    tree t = {.count = 0};
    collect_values(&t, root);
    for (int k = 0; k < c->step_count; k++)
        if (c->values[k] != root && !is_constant(c->values[k]) && is_read_elsewhere(&t, c->values[k]))
            add_output(c, k);
}

bool drua_rows_aligned(const drua_layout *l, int32_t width, int lanes)
{
    const int64_t vectors = (width + lanes - 1) / lanes;
    return l->column == 1 && l->width == width && (width % lanes == 0 || l->row >= vectors * lanes) &&
           l->offset % lanes == 0 && l->row % lanes == 0 && l->plane % lanes == 0;
}

/* Whether pixels have the same distances from the first one as in an image of contiguous rows and planes. */
static bool has_same_rows(const drua_layout *l, const drua_layout *whole)
{
    return drua_layout_is_same_size(l, whole) && l->column == 1 && (l->height == 1 || l->row == whole->row) &&
           (l->depth == 1 || l->plane == whole->plane);
}

bool drua_chain_is_line(const drua_engine *engine, const drua_chain *c, int lanes)
{
    const drua_layout out = drua_value_place(engine, c->values[c->outputs[0]]);
    bool line = !c->positional;
    for (int i = 0; i < c->input_count && line; i++) {
        const drua_layout in = drua_value_place(engine, c->inputs[i]);
        line = has_same_rows(&in, &out) && in.offset % lanes == 0;
    }
    return line;
}

/*
 * When all pending work is sent, adds images that are still held and share steps or inputs, so that one pass computes
 * them all.
 */
static void add_siblings(const drua_engine *engine, drua_chain *c, const drua_value *root)
{
    drua_step steps[DRUA_CHAIN_STEPS];
    const int lanes = drua_device_lanes(engine->device);
    for (drua_value *value = engine->pending; value && c->output_count < DRUA_CHAIN_OUTPUTS; value = value->next) {
        if (value == root || value->node->call || value->references <= value->readers ||
            !drua_shape_is_same_size(value->shape, root->shape) || !shares_inputs(c, value) ||
            drua_chain_blocking(engine, value))
            continue;
        drua_chain wider = *c;
        const int k = add_value(&wider, value);
        if (k == INT32_MIN || deferred_count(&wider) > deferred_count(c))
            continue;
        add_output(&wider, k);
        order_outputs(&wider);
        memset(steps, 0, sizeof steps);
        const bool slower = drua_chain_is_line(engine, c, lanes) && !drua_chain_is_line(engine, &wider, lanes);
        if (wider.outputs[0] == wider.step_count - 1 && !slower && assign_registers(&wider, steps))
            *c = wider;
    }
}

bool drua_chain_form(const drua_engine *engine, drua_value *root, bool siblings, drua_chain *c, drua_step *steps)
{
    *c = (drua_chain){.exact = true};
    const int last = add_value(c, root);
    if (last == INT32_MIN)
        return false;
    add_output(c, last);
    add_shared_outputs(c, root);
    if (siblings)
        add_siblings(engine, c, root);
    return assign_registers(c, steps);
}

drua_value *drua_chain_read_by_both(const drua_chain *c, const drua_value *result)
{
    for (int i = 0; i < result->node->input_count; i++) {
        tree t = {.count = 0};
        collect_values(&t, result->node->inputs[i]);
        for (int k = 0; k < t.count; k++)
            for (int j = 0; j < c->step_count; j++)
                if (c->values[j] == t.values[k])
                    return result->node->inputs[i];
    }
    return NULL;
}

drua_value *drua_chain_find_deferred(drua_value *value)
{
    tree t = {.count = 0};
    collect_values(&t, value);
    for (int k = 0; k < t.count; k++)
        if (drua_value_is_deferred(t.values[k]))
            return t.values[k];
    return NULL;
}

bool drua_chain_depends_on(drua_value *value, const drua_value *wanted)
{
    tree t = {.count = 0};
    collect_values(&t, value);
    for (int k = 0; k < t.count; k++)
        if (t.values[k] == wanted)
            return true;
    return false;
}

drua_value *drua_chain_find(const drua_engine *engine, const drua_pointwise *work)
{
    for (drua_value *value = engine->pending; value; value = value->next) {
        const drua_node *node = value->node;
        bool same =
            node->op == work->op && value->type == work->type && drua_shape_is_same_size(value->shape, work->shape) &&
            value->shape.dimension == work->shape.dimension && node->input_count == work->input_count &&
            !value->origin[1] && !value->origin[2] && !memcmp(node->scalars, work->scalars, sizeof node->scalars);
        for (int i = 0; same && i < work->input_count; i++)
            same = drua_value_is_same(node->inputs[i], work->inputs[i]);
        if (same)
            return value;
    }
    return NULL;
}

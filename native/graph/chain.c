/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns a tree of recorded pointwise operations into one launch. */
#include "around.h"

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

bool drua_op_mentions(const drua_op *op, char name)
{
    for (const char *c = op->expression; c && *c; c++)
        if (*c == name && (c == op->expression || (!isalnum((unsigned char)c[-1]) && c[-1] != '_')) && !isalnum((unsigned char)c[1]) &&
            c[1] != '_')
            return true;
    return false;
}

bool drua_op_is_positional(const drua_op *op)
{
    return drua_op_mentions(op, 'X') || drua_op_mentions(op, 'Y') || drua_op_mentions(op, 'Z');
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
    for (int i = 0; i < value->node->input_count && !value->node->call; i++)
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

static bool is_constant(const drua_value *value)
{
    return !value->node->call && value->node->input_count == 0 && !drua_op_is_positional(value->node->op);
}

static bool is_read_elsewhere(const tree *t, const drua_value *value)
{
    return value->readers > 1 && value->readers > reads_inside(t, value);
}

/* A virtual value below the root that has to become resident before the chain can run, or NULL. One call may wait for the chain. */
static drua_value *blocking(const drua_engine *engine, drua_value *root)
{
    tree t = {.count = 0};
    collect(&t, root);
    int shared = 0, calls = 0;
    for (int k = 0; k < t.count; k++) {
        drua_value *value = t.values[k];
        if (value == root || is_constant(value))
            continue;
        if (!engine->fuse || t.full || !same_extent(value->shape, root->shape) || (value->node->call && ++calls > 1))
            return value;
        if (value->node->call)
            continue;
        if (is_read_elsewhere(&t, value) && ++shared == DRUA_CHAIN_OUTPUTS)
            return value;
    }
    return NULL;
}

/* Number of the step that makes `value`, -1 - n for input n, or INT32_MIN when the chain is full. */
static int lower(drua_chain *c, drua_value *value)
{
    if (value->buffer || drua_value_waits(value)) {
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

/* The last step comes first: its value is in the accumulator when the kernel ends. */
static void order_outputs(drua_chain *c)
{
    for (int i = 1; i < c->output_count; i++)
        if (c->outputs[i] == c->step_count - 1) {
            c->outputs[i] = c->outputs[0];
            c->outputs[0] = c->step_count - 1;
        }
}

static int waiting_count(const drua_chain *c)
{
    int count = 0;
    for (int i = 0; i < c->input_count; i++)
        count += drua_value_waits(c->inputs[i]);
    return count;
}

/* What a call that waits makes of the chain's inputs, or NULL. */
static drua_value *waiting_input(const drua_chain *c)
{
    for (int i = 0; i < c->input_count; i++)
        if (drua_value_waits(c->inputs[i]))
            return c->inputs[i];
    return NULL;
}

static bool is_part(const drua_chain *c, const drua_value *value)
{
    for (int i = 0; i < c->input_count; i++)
        if (c->inputs[i] == value)
            return true;
    for (int k = 0; k < c->step_count; k++)
        if (c->made[k] == value)
            return true;
    return false;
}

/* Whether a virtual value is made of something that the chain reads or computes anyway. */
static bool shares(const drua_chain *c, drua_value *value)
{
    tree t = {.count = 0};
    collect(&t, value);
    for (int k = 0; k < t.count; k++) {
        if (is_part(c, t.values[k]) && !is_constant(t.values[k]))
            return true;
        for (int i = 0; i < t.values[k]->node->input_count; i++)
            if (t.values[k]->node->inputs[i]->buffer && is_part(c, t.values[k]->node->inputs[i]))
                return true;
    }
    return false;
}

/* A register for each result that outlives the next step. False: too few registers. */
static bool assign(const drua_chain *c, step *steps)
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
    for (int i = 1; i < c->output_count; i++) {     /* further outputs have the last registers for themselves */
        owner[DRUA_CHAIN_REGISTERS - i] = c->outputs[i];
        last_use[c->outputs[i]] = c->step_count;
        steps[c->outputs[i]].keep = place[c->outputs[i]] = FIRST_REGISTER + DRUA_CHAIN_REGISTERS - i;
    }
    for (int k = 0; k < c->step_count; k++) {
        const drua_node *node = c->made[k]->node;
        int32_t *operand[DRUA_NODE_INPUTS] = {&steps[k].a, &steps[k].b, &steps[k].c};
        steps[k].operation = drua_op_number(node->op);
        steps[k].type = (int32_t)c->made[k]->type;
        steps[k].snapped = (node->op->traits & DRUA_SNAP) != 0;
        memcpy(steps[k].scalars, node->scalars, sizeof node->scalars);
        steps[k].row = (int32_t)c->made[c->outputs[0]]->origin[1];
        steps[k].slice = (int32_t)c->made[c->outputs[0]]->origin[2];
        for (int i = 0; i < node->input_count; i++) {
            int from = c->operands[k][i];
            *operand[i] = from < 0 ? FIRST_INPUT + (-1 - from) : from == k - 1 ? ACCUMULATOR : place[from];
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

/* What other unsent work reads, too, is stored on the way. */
static void add_shared_outputs(drua_chain *c, drua_value *root)
{
    tree t = {.count = 0};
    collect(&t, root);
    for (int k = 0; k < c->step_count; k++)
        if (c->made[k] != root && !is_constant(c->made[k]) && is_read_elsewhere(&t, c->made[k]))
            add_output(c, k);
}

bool drua_fits_line(const drua_layout *layout, int lanes)
{
    return drua_layout_is_dense(layout) && layout->offset % lanes == 0;
}

bool drua_rows_aligned(const drua_layout *l, int32_t width, int lanes)
{
    return l->column == 1 && l->width == width && width % lanes == 0 && l->offset % lanes == 0 && l->row % lanes == 0 &&
           l->plane % lanes == 0;
}

static bool is_line(const drua_chain *c, int lanes)
{
    const drua_value *out = c->made[c->outputs[0]];
    bool line = !c->positional;
    for (int i = 0; i < c->input_count; i++)
        line = line && same_extent(c->inputs[i]->shape, out->shape) && drua_fits_line(&c->inputs[i]->layout, lanes);
    return line;
}

/* When all is sent: images of the same steps or inputs that somebody holds are made in the same pass. */
static void add_siblings(const drua_engine *engine, drua_chain *c, const drua_value *root)
{
    step steps[DRUA_CHAIN_STEPS];
    const int lanes = drua_device_lanes(engine->device);
    for (drua_value *value = engine->unsent; value && c->output_count < DRUA_CHAIN_OUTPUTS; value = value->next) {
        if (value == root || value->node->call || value->references <= value->readers || !same_extent(value->shape, root->shape) ||
            !shares(c, value) || blocking(engine, value))
            continue;
        drua_chain wider = *c;
        const int k = lower(&wider, value);
        if (k == INT32_MIN || waiting_count(&wider) > waiting_count(c))
            continue;
        add_output(&wider, k);
        order_outputs(&wider);
        memset(steps, 0, sizeof steps);
        const bool slower = is_line(c, lanes) && !is_line(&wider, lanes);
        if (wider.outputs[0] == wider.step_count - 1 && !slower && assign(&wider, steps))
            *c = wider;
    }
}

/* ---- launching */

static drua_status interpret(drua_engine *engine, const drua_chain *c, const step *steps)
{
    const int lanes = drua_device_lanes(engine->device);
    drua_view out[DRUA_CHAIN_OUTPUTS], in[DRUA_CHAIN_INPUTS];
    for (int i = 0; i < DRUA_CHAIN_OUTPUTS; i++)
        out[i] = drua_value_view(c->made[c->outputs[i < c->output_count ? i : 0]]);
    for (int i = 0; i < DRUA_CHAIN_INPUTS; i++)
        in[i] = i < c->input_count ? drua_value_view(c->inputs[i]) : out[0];
    drua_arg arguments[] = {ARG(in[0]), ARG(in[1]), ARG(in[2]), ARG(in[3]), INT(c->input_count), ARG(out[0]), ARG(out[1]), ARG(out[2]),
                            INT(c->output_count), TABLE(steps, (size_t)c->step_count * sizeof *steps), INT(c->step_count),
                            {.kind = DRUA_LAUNCH_END}, {.kind = DRUA_LAUNCH_END}};
    drua_arg *last = &arguments[sizeof arguments / sizeof *arguments - 2];
    if (c->line) {
        int64_t vectors = (drua_layout_count(&out[0].layout) + lanes - 1) / lanes;
        *last = LONG(vectors);
        return drua_device_launch(engine->device, c->exact ? "chain_line" : "chain_line_any", GRID(vectors, 1, 1, 256, 1, 1), arguments);
    }
    const drua_layout *l = &out[0].layout;
    int32_t wide = drua_rows_aligned(l, l->width, lanes) << DRUA_CHAIN_INPUTS;
    for (int i = 0; i < c->input_count; i++)
        wide |= drua_rows_aligned(&in[i].layout, l->width, lanes) << i;
    *last = INT(wide);
    return drua_device_launch(engine->device, c->exact ? "chain_rows" : "chain_rows_any",
                              GRID((l->width + lanes - 1) / lanes, l->height, l->depth, 32, 4, 1), arguments);
}

static drua_status allocate(drua_engine *engine, const drua_chain *c)
{
    for (int i = 0; i < c->output_count; i++)
        if (!c->made[c->outputs[i]]->buffer)
            DRUA_TRY(drua_value_allocate(engine, c->made[c->outputs[i]]));
    return DRUA_OK;
}

static void drop_outputs(const drua_chain *c)
{
    for (int i = 0; i < c->output_count; i++)
        drua_chain_take_back(c->made[c->outputs[i]]);
}

static void count(drua_engine *engine, const drua_chain *c, bool compiled)
{
    drua_statistics *statistics = drua_device_statistics(engine->device);
    statistics->chains++;
    statistics->chained_steps += (uint64_t)c->step_count;
    statistics->compiled_chains += compiled;
}

/* `settled`: by the kernel that will do it from now on; may be NULL. */
static drua_status launch(drua_engine *engine, drua_chain *c, const step *steps, bool *settled)
{
    bool compiled = false;
    const char *why = "";
    drua_trial trial = {.measured = false};
    const double start = engine->eager ? drua_seconds() : 0;
    c->line = is_line(c, drua_device_lanes(engine->device));
    drua_status status = allocate(engine, c);
    if (status == DRUA_OK)
        status = drua_compiler_run(engine, c, &compiled, &why, &trial);
    if (status == DRUA_OK && !compiled)
        status = interpret(engine, c, steps);
    if (status == DRUA_OK)
        status = drua_tune_end(engine, &trial);
    if (status != DRUA_OK) {
        drop_outputs(c);
        return status;
    }
    if (settled)
        *settled = !trial.measured && !trial.early;
    count(engine, c, compiled);
    if (engine->eager)
        DRUA_TRY(drua_device_finish(engine->device));
    drua_explain_chain(engine, c, compiled ? "compiled" : "interpreted", why, engine->eager ? drua_seconds() - start : 0);
    return DRUA_OK;
}

/* The results are pixels from now on; what only their recipes held goes. */
static void settle(drua_engine *engine, const drua_chain *c)
{
    drua_value *outputs[DRUA_CHAIN_OUTPUTS];
    for (int i = 0; i < c->output_count; i++) {
        outputs[i] = c->made[c->outputs[i]];
        drua_value_retain(outputs[i]);
    }
    for (int i = 0; i < c->output_count; i++)
        drua_value_forget_node(engine, outputs[i]);
    for (int i = 0; i < c->output_count; i++)
        drua_value_release(engine, outputs[i]);
}

/* The chain that ends in `root`; false where it is too large for one launch. */
static bool plan_chain(const drua_engine *engine, drua_value *root, drua_chain *c, step *steps)
{
    *c = (drua_chain){.exact = true};
    const int last = lower(c, root);
    if (last == INT32_MIN)
        return false;
    add_output(c, last);
    add_shared_outputs(c, root);
    if (engine->flushing)
        add_siblings(engine, c, root);
    return assign(c, steps);
}

/* ---- chains around calls */

void drua_chain_take_back(drua_value *root)
{
    drua_buffer_release(root->buffer);
    root->buffer = NULL;
}

static bool goes_along(const drua_engine *engine, drua_chain *c)
{
    c->line = c->input_count > 0 && is_line(c, drua_device_lanes(engine->device));
    return c->line && drua_chain_numbers(c, NULL, 0) <= DRUA_CHAIN_NUMBERS * DRUA_NUMBERS;
}

drua_status drua_chain_promise(drua_engine *engine, drua_value *root, bool floats, drua_chain *c, bool *promised)
{
    step steps[DRUA_CHAIN_STEPS] = {{0}};
    *promised = false;
    if (root->buffer || drua_value_waits(root) || root->readers > 1 || (engine->flushing && root->references > root->readers))
        return DRUA_OK;
    for (drua_value *input; root->node && (input = blocking(engine, root)) != NULL;)
        DRUA_TRY(drua_chain_run(engine, input));
    const bool flushing = engine->flushing;
    engine->flushing = false;
    *promised = root->node && plan_chain(engine, root, c, steps) && c->output_count == 1 && !waiting_input(c) && goes_along(engine, c);
    for (int k = 0; *promised && floats && k < c->step_count; k++)
        *promised = c->made[k]->type == DRUA_FLOAT32;
    engine->flushing = flushing;
    return *promised ? allocate(engine, c) : DRUA_OK;
}

drua_status drua_chain_fill(drua_engine *engine, drua_value *root)
{
    step steps[DRUA_CHAIN_STEPS] = {{0}};
    drua_buffer *buffer = root->buffer;
    drua_chain c;
    root->buffer = NULL;
    const bool planned = plan_chain(engine, root, &c, steps);
    root->buffer = buffer;
    if (!planned)
        return drua_fail(DRUA_E_INTERNAL, "a chain cannot be planned again");
    DRUA_TRY(launch(engine, &c, steps, NULL));
    settle(engine, &c);
    return DRUA_OK;
}

/* What the call that makes `made` reads and the chain computes too, so that it has to be there before both; or NULL. */
static drua_value *read_by_both(const drua_chain *c, const drua_value *made)
{
    for (int i = 0; i < made->node->input_count; i++) {
        tree t = {.count = 0};
        collect(&t, made->node->inputs[i]);
        for (int k = 0; k < t.count; k++)
            for (int j = 0; j < c->step_count; j++)
                if (c->made[j] == t.values[k])
                    return made->node->inputs[i];
    }
    return NULL;
}

/* The call that makes an input of the chain; the chain too if a kernel of the call stores what it makes of it. May begin a trial of both. */
static drua_status run_with_call(drua_engine *engine, drua_chain *c, drua_value *made, bool *done, drua_trial *trial)
{
    int inside = 0;
    for (int k = 0; k < c->step_count; k++)
        for (int i = 0; i < c->made[k]->node->input_count; i++)
            inside += c->made[k]->node->inputs[i] == made;
    drua_around around = {.after = c, .middle = made, .keeps = made->references > inside};
    if (!goes_along(engine, c))
        return drua_call_send(engine, made, NULL);
    DRUA_TRY(allocate(engine, c));
    const drua_status status = drua_call_send(engine, made, &around);
    *done = status == DRUA_OK && around.after_is_done;
    *trial = around.trial;
    if (*done)
        count(engine, c, true);
    else
        drop_outputs(c);
    return status;
}

drua_status drua_chain_send_calls(drua_engine *engine, drua_value *value)
{
    tree t = {.count = 0};
    collect(&t, value);
    for (int k = 0; k < t.count; k++)
        if (drua_value_waits(t.values[k]))
            DRUA_TRY(drua_value_force(engine, t.values[k]));
    return DRUA_OK;
}

bool drua_chain_reads(drua_value *value, const drua_value *wanted)
{
    tree t = {.count = 0};
    collect(&t, value);
    for (int k = 0; k < t.count; k++)
        if (t.values[k] == wanted)
            return true;
    return false;
}

drua_status drua_chain_run(drua_engine *engine, drua_value *root)
{
    if (!root->node)
        return drua_fail(DRUA_E_INTERNAL, "an image has neither pixels nor a recipe");
    if (root->node->call)
        return drua_call_send(engine, root, NULL);
    for (drua_value *input; root->node && (input = blocking(engine, root)) != NULL;)
        DRUA_TRY(drua_chain_run(engine, input));
    if (!root->node)        /* it came along with an input: while all unsent work goes out, images of the same inputs do */
        return DRUA_OK;
    drua_chain c;
    step steps[DRUA_CHAIN_STEPS] = {{0}};
    if (!plan_chain(engine, root, &c, steps)) {
        /* too large for one launch: what the last step reads becomes resident, and that step is a chain of its own */
        for (int i = 0; root->node && i < root->node->input_count; i++)
            if (!root->node->inputs[i]->buffer)
                DRUA_TRY(drua_chain_run(engine, root->node->inputs[i]));
        return root->node ? drua_chain_run(engine, root) : DRUA_OK;
    }
    drua_value *made = waiting_input(&c), *both = made ? read_by_both(&c, made) : NULL;
    drua_trial trial = {.measured = false};
    bool done = false, settled = true;
    if (both) {
        DRUA_TRY(drua_chain_run(engine, both));
        return drua_chain_run(engine, root);
    }
    if (made)
        DRUA_TRY(run_with_call(engine, &c, made, &done, &trial));
    drua_status status = done ? DRUA_OK : launch(engine, &c, steps, &settled);
    if (status == DRUA_OK && settled && trial.variant == done)
        status = drua_tune_end(engine, &trial);
    if (status != DRUA_OK) {
        drua_error_prefix(root->node->op->name, root->node->line);
        return status;
    }
    settle(engine, &c);
    return DRUA_OK;
}

drua_status drua_chain_flush(drua_engine *engine)
{
    drua_status status = DRUA_OK;
    engine->flushing = true;
    while (status == DRUA_OK && engine->unsent) {
        drua_value *value = engine->unsent;     /* the newest first: what only it reads is computed inside its chain */
        drua_value_retain(value);
        status = drua_value_force(engine, value);
        drua_value_release(engine, value);
    }
    engine->flushing = false;
    return status;
}

/* Two values are the same image if they show the same pixels; views of one image are made anew each time. */
static bool same_image(const drua_value *a, const drua_value *b)
{
    return a == b || (a->buffer && a->buffer == b->buffer && a->type == b->type && !memcmp(&a->layout, &b->layout, sizeof a->layout));
}

drua_value *drua_chain_find(const drua_engine *engine, const drua_op *op, drua_shape shape, drua_type type, drua_value *const *inputs,
                            int input_count, const float *scalars)
{
    for (drua_value *value = engine->unsent; value; value = value->next) {
        const drua_node *node = value->node;
        bool same = node->op == op && value->type == type && same_extent(value->shape, shape) && value->shape.dimension == shape.dimension &&
                    node->input_count == input_count && !value->origin[1] && !value->origin[2] &&
                    !memcmp(node->scalars, scalars, sizeof node->scalars);
        for (int i = 0; same && i < input_count; i++)
            same = same_image(node->inputs[i], inputs[i]);
        if (same)
            return value;
    }
    return NULL;
}

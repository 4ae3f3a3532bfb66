/* SPDX-License-Identifier: BSD-3-Clause */
/* Chains on their way to the device: by one launch of their own, or in the launches of the call before or behind them. */
#include "around.h"

#include "error.h"
#include "plan.h"

/* Whether nothing but two images and the last result has to be there at once: where registers are scarce that has kernels of its own. */
static bool needs_two(const drua_engine *engine, const drua_chain *c, const drua_step *steps)
{
    bool few = drua_device_facts(engine->device)->is_gpu && c->input_count <= 2 && c->output_count == 1;
    for (int k = 0; k < c->step_count; k++)
        few = few && !steps[k].keep;
    return few;
}

static drua_status interpret(drua_engine *engine, const drua_chain *c, const drua_step *steps)
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
        const int64_t vectors = (drua_layout_length(&out[0].layout) + lanes - 1) / lanes;
        const drua_grid grid = GRID(vectors, 1, 1, 256, 1, 1);
        const drua_arg of_two[] = {ARG(in[0]), ARG(in[1]), INT(c->input_count), ARG(out[0]), TABLE(steps, (size_t)c->step_count * sizeof *steps),
                                   INT(c->step_count), LONG(vectors), {.kind = DRUA_LAUNCH_END}};
        *last = LONG(vectors);
        if (needs_two(engine, c, steps))
            return drua_device_launch(engine->device, c->exact ? "chain_line_of_two" : "chain_line_any_of_two", grid, of_two);
        return drua_device_launch(engine->device, c->exact ? "chain_line" : "chain_line_any", grid, arguments);
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
static drua_status launch(drua_engine *engine, drua_chain *c, const drua_step *steps, bool *settled)
{
    bool compiled = false;
    const char *why = "";
    drua_trial trial = {.measured = false};
    const bool timed = drua_is_timed(engine);
    if (timed)
        DRUA_TRY(drua_device_finish(engine->device));
    const double start = timed ? drua_seconds() : 0;
    c->line = drua_chain_is_line(engine, c, drua_device_lanes(engine->device));
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
    if (timed)
        DRUA_TRY(drua_device_finish(engine->device));
    drua_explain_chain(engine, c, compiled ? "compiled" : "interpreted", why, timed ? drua_seconds() - start : 0);
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

/* ---- chains around calls */

void drua_chain_take_back(drua_value *root)
{
    drua_buffer_release(root->buffer);
    root->buffer = NULL;
    root->layout = drua_layout_dense(root->shape, root->type);
}

static bool goes_along(const drua_engine *engine, drua_chain *c)
{
    c->line = c->input_count > 0 && drua_chain_is_line(engine, c, drua_device_lanes(engine->device));
    return c->line && drua_chain_numbers(c, NULL, 0) <= DRUA_CHAIN_NUMBERS * DRUA_NUMBERS;
}

drua_status drua_chain_promise(drua_engine *engine, drua_value *root, bool floats, drua_chain *c, bool *promised)
{
    drua_step steps[DRUA_CHAIN_STEPS] = {{0}};
    *promised = false;
    if (root->buffer || drua_value_waits(root) || root->readers > 1 || (engine->flushing && root->references > root->readers))
        return DRUA_OK;
    for (drua_value *input; root->node && (input = drua_chain_blocking(engine, root)) != NULL;)
        DRUA_TRY(drua_chain_run(engine, input));
    const bool flushing = engine->flushing;
    engine->flushing = false;
    *promised = root->node && drua_chain_form(engine, root, c, steps) && c->output_count == 1 && !drua_chain_waiting_input(c) && goes_along(engine, c);
    for (int k = 0; *promised && floats && k < c->step_count; k++)
        *promised = c->made[k]->type == DRUA_FLOAT32;
    engine->flushing = flushing;
    return *promised ? allocate(engine, c) : DRUA_OK;
}

drua_status drua_chain_fill(drua_engine *engine, drua_value *root)
{
    drua_step steps[DRUA_CHAIN_STEPS] = {{0}};
    drua_buffer *buffer = root->buffer;
    drua_chain c;
    root->buffer = NULL;
    const bool planned = drua_chain_form(engine, root, &c, steps);
    root->buffer = buffer;
    if (!planned)
        return drua_fail(DRUA_E_INTERNAL, "a chain cannot be planned again");
    DRUA_TRY(launch(engine, &c, steps, NULL));
    settle(engine, &c);
    return DRUA_OK;
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

/* ---- whole trees */

drua_status drua_chain_run(drua_engine *engine, drua_value *root)
{
    if (!root->node)
        return drua_fail(DRUA_E_INTERNAL, "an image has neither pixels nor a recipe");
    if (root->node->call)
        return drua_call_send(engine, root, NULL);
    for (drua_value *input; root->node && (input = drua_chain_blocking(engine, root)) != NULL;)
        DRUA_TRY(drua_chain_run(engine, input));
    if (!root->node)        /* it came along with an input: while all unsent work goes out, images of the same inputs do */
        return DRUA_OK;
    drua_chain c;
    drua_step steps[DRUA_CHAIN_STEPS] = {{0}};
    if (!drua_chain_form(engine, root, &c, steps)) {
        /* too large for one launch: what the last step reads becomes resident, and that step is a chain of its own */
        for (int i = 0; root->node && i < root->node->input_count; i++)
            if (!root->node->inputs[i]->buffer)
                DRUA_TRY(drua_chain_run(engine, root->node->inputs[i]));
        return root->node ? drua_chain_run(engine, root) : DRUA_OK;
    }
    drua_value *made = drua_chain_waiting_input(&c), *both = made ? drua_chain_read_by_both(&c, made) : NULL;
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

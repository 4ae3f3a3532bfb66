/* SPDX-License-Identifier: BSD-3-Clause */
/* Submits chains to the device in separate launches. */
#include "chain.h"

#include "arguments.h"
#include "chain_kernel.h"
#include "clock.h"
#include "error.h"
#include "record.h"

#include <stdio.h>

/*
 * Returns whether a chain on a GPU reads at most two images, has one result and keeps no result in a register. Kernels
 * that take fewer registers run such chains.
 */
static bool needs_two(const drua_engine *engine, const drua_chain *c, const drua_step *steps)
{
    bool few = drua_device_get_info(engine->device)->is_gpu && c->input_count <= 2 && c->output_count == 1;
    for (int k = 0; k < c->step_count; k++)
        few = few && !steps[k].keep;
    return few;
}

static drua_status launch_interpreter(drua_engine *engine, const drua_chain *c, const drua_step *steps)
{
    const int lanes = drua_device_lanes(engine->device);
    drua_view out[DRUA_CHAIN_OUTPUTS], in[DRUA_CHAIN_INPUTS];
    for (int i = 0; i < DRUA_CHAIN_OUTPUTS; i++)
        out[i] = drua_value_view(c->values[c->outputs[i < c->output_count ? i : 0]]);
    for (int i = 0; i < DRUA_CHAIN_INPUTS; i++)
        in[i] = i < c->input_count ? drua_value_view(c->inputs[i]) : out[0];
    drua_arg arguments[] = {ARG(in[0]),
                            ARG(in[1]),
                            ARG(in[2]),
                            ARG(in[3]),
                            INT(c->input_count),
                            ARG(out[0]),
                            ARG(out[1]),
                            ARG(out[2]),
                            INT(c->output_count),
                            TABLE(steps, (size_t)c->step_count * sizeof *steps),
                            INT(c->step_count),
                            {.kind = DRUA_LAUNCH_END},
                            {.kind = DRUA_LAUNCH_END}};
    drua_arg *last = &arguments[sizeof arguments / sizeof *arguments - 2];
    if (c->line) {
        const int64_t vectors = (drua_layout_length(&out[0].layout) + lanes - 1) / lanes;
        const drua_grid grid = GRID(vectors, 1, 1, 256, 1, 1);
        const drua_arg of_two[] = {ARG(in[0]),
                                   ARG(in[1]),
                                   INT(c->input_count),
                                   ARG(out[0]),
                                   TABLE(steps, (size_t)c->step_count * sizeof *steps),
                                   INT(c->step_count),
                                   LONG(vectors),
                                   {.kind = DRUA_LAUNCH_END}};
        *last = LONG(vectors);
        if (needs_two(engine, c, steps))
            return drua_device_launch(engine->device, c->exact ? "chain_line_of_two" : "chain_line_any_of_two", grid,
                                      of_two);
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

drua_status drua_chain_allocate(drua_engine *engine, const drua_chain *c)
{
    drua_status status = DRUA_OK;
    for (int i = 0; i < c->output_count && status == DRUA_OK; i++)
        if (!c->values[c->outputs[i]]->buffer)
            status = drua_value_allocate(engine, c->values[c->outputs[i]]);
    if (status != DRUA_OK)
        drua_chain_discard_outputs(c);
    return status;
}

void drua_chain_discard_outputs(const drua_chain *c)
{
    for (int i = 0; i < c->output_count; i++)
        drua_chain_discard(c->values[c->outputs[i]]);
}

void drua_chain_count(drua_engine *engine, const drua_chain *c, bool compiled)
{
    drua_statistics *statistics = drua_device_statistics(engine->device);
    statistics->chains++;
    statistics->chained_steps += (uint64_t)c->step_count;
    statistics->compiled_chains += compiled;
}

void drua_chain_describe(const drua_chain *c, const char *before, drua_record *record)
{
    drua_record_add(record, before);
    for (int k = 0; k < c->step_count; k++) {
        drua_record_add(record, k ? " + " : "");
        drua_record_add(record, c->values[k]->node->op->name);
    }
}

static void record_chain(drua_engine *engine, const drua_chain *c, const char *variant, const char *why, double seconds)
{
    drua_record *record = drua_record_new(engine);
    if (!record)
        return;
    drua_chain_describe(c, "", record);
    record->bytes = drua_chain_bytes(c);
    snprintf(record->how, sizeof record->how, "%d step%s in 1 launch %s, %d read, %d written, %s%s%s%s", c->step_count,
             c->step_count == 1 ? "" : "s", c->line ? "as one line" : "row by row", c->input_count, c->output_count,
             variant, *why ? " (" : "", why, *why ? ")" : "");
    record->seconds = seconds;
}

drua_status drua_chain_launch(drua_engine *engine, drua_chain *c, const drua_step *steps, bool *is_final)
{
    bool compiled = false;
    const char *why = "";
    drua_trial trial = {.measured = false};
    const bool timed = drua_is_timed(engine);
    if (timed)
        DRUA_TRY(drua_device_finish(engine->device));
    const double start = timed ? drua_seconds() : 0;
    c->line = drua_chain_is_line(engine, c, drua_device_lanes(engine->device));
    drua_status status = drua_chain_allocate(engine, c);
    if (status == DRUA_OK)
        status = drua_chain_run_compiled(engine, c, &compiled, &why, &trial);
    if (status == DRUA_OK && !compiled)
        status = launch_interpreter(engine, c, steps);
    if (status == DRUA_OK)
        status = drua_tune_end(engine, &trial);
    if (status != DRUA_OK) {
        drua_chain_discard_outputs(c);
        return status;
    }
    if (is_final)
        *is_final = !trial.measured && !trial.early;
    drua_chain_count(engine, c, compiled);
    if (timed)
        DRUA_TRY(drua_device_finish(engine->device));
    record_chain(engine, c, compiled ? "compiled" : "interpreted", why, timed ? drua_seconds() - start : 0);
    return DRUA_OK;
}

void drua_chain_finish(drua_engine *engine, const drua_chain *c)
{
    drua_value *outputs[DRUA_CHAIN_OUTPUTS];
    for (int i = 0; i < c->output_count; i++) {
        outputs[i] = c->values[c->outputs[i]];
        drua_value_retain(outputs[i]);
    }
    for (int i = 0; i < c->output_count; i++)
        drua_value_drop_node(engine, outputs[i]);
    for (int i = 0; i < c->output_count; i++)
        drua_value_release(engine, outputs[i]);
}

void drua_chain_discard(drua_value *root)
{
    drua_buffer_release(root->buffer);
    root->buffer = NULL;
    root->layout = drua_layout_dense(root->shape, root->type);
}

drua_status drua_chain_fill(drua_engine *engine, drua_value *root)
{
    drua_step steps[DRUA_CHAIN_STEPS] = {{0}};
    drua_buffer *buffer = root->buffer;
    drua_chain c;
    root->buffer = NULL;
    const bool planned = drua_chain_form(engine, root, false, &c, steps);
    root->buffer = buffer;
    if (!planned)
        return drua_fail(DRUA_E_INTERNAL, "the chain of a reserved image cannot be formed again");
    DRUA_TRY(drua_chain_launch(engine, &c, steps, NULL));
    drua_chain_finish(engine, &c);
    return DRUA_OK;
}

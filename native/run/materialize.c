/* SPDX-License-Identifier: BSD-3-Clause */
#include "materialize.h"

#include "error.h"
#include "strategy.h"
#include "tiled.h"

#include <string.h>

/* Takes over the pixels of a call's result. */
static void take_pixels(drua_engine *engine, drua_value *value, const drua_value *made)
{
    value->buffer = made->buffer;
    value->layout = made->layout;
    drua_buffer_retain(value->buffer);
    drua_value_drop_node(engine, value);
}

/*
 * Sends the deferred call that makes `value`. `wanted` holds the chain that may be fused into its launch; NULL: none.
 * If the launch computes that chain, `value` gets memory only if it is needed itself (`keeps_result`).
 */
static drua_status run_deferred(drua_engine *engine, drua_value *value, bool siblings, drua_fusion *wanted)
{
    const drua_node *node = value->node;
    const drua_op *op = node->op;
    const int line = node->line;
    drua_bound bound[DRUA_PLAN_PARAMS];
    drua_fusion none = {.epilogue = NULL}, *fusion = wanted ? wanted : &none;
    drua_plan plan = {.engine = engine, .op = op, .bound = bound, .siblings = siblings, .fusion = fusion};
    if (engine->deferred == value)
        engine->deferred = NULL;
    memcpy(bound, node->call, op->param_count * sizeof *bound);
    while (op->params[plan.first_image].kind != DRUA_KIND_IMAGE_IN)
        plan.first_image++;
    plan_infer(&plan, plan_first_output(op));
    if (plan.status == DRUA_OK)
        drua_run_strategies(&plan, "fused");
    const bool makes = plan.status == DRUA_OK && (!fusion->epilogue_is_done || fusion->keeps_result);
    drua_value *made = bound[plan_first_output(op)].result;
    /* a result made in tiles may be pending */
    if (makes && plan_try(&plan, drua_value_materialize_with(engine, made, siblings)))
        take_pixels(engine, value, made);
    if (plan.status != DRUA_OK)
        drua_error_prefix(op->name, line);
    plan_free(&plan);
    plan_drop_results(&plan);
    return plan.status;
}

/*
 * Runs the call that makes an input of the chain, together with the chain if a kernel of the call can store the chain's
 * result. May begin timing a variant; the caller ends the trial.
 */
static drua_status run_with_deferred(drua_engine *engine, drua_chain *c, drua_value *result, bool siblings, bool *done,
                                     drua_trial *trial)
{
    int inside = 0;
    for (int k = 0; k < c->step_count; k++)
        for (int i = 0; i < c->values[k]->node->input_count; i++)
            inside += c->values[k]->node->inputs[i] == result;
    drua_fusion fusion = {.epilogue = c, .result = result, .keeps_result = result->references > inside};
    if (!drua_chain_can_fuse(engine, c))
        return run_deferred(engine, result, siblings, NULL);
    DRUA_TRY(drua_chain_allocate(engine, c));
    const drua_status status = run_deferred(engine, result, siblings, &fusion);
    *done = status == DRUA_OK && fusion.epilogue_is_done;
    *trial = fusion.trial;
    if (*done)
        drua_chain_count(engine, c, true);
    else
        drua_chain_discard_outputs(c);
    return status;
}

static drua_status materialize_whole(drua_engine *engine, drua_value *root, bool siblings);

static drua_status compute_value(drua_engine *engine, drua_value *root, bool siblings)
{
    if (!root->node)
        return drua_fail(DRUA_E_INTERNAL, "internal error: an image has neither pixels nor recorded work that "
                                          "computes them");
    if (root->node->call)
        return run_deferred(engine, root, siblings, NULL);
    for (drua_value *input; root->node && (input = drua_chain_blocking(engine, root)) != NULL;)
        DRUA_TRY(materialize_whole(engine, input, siblings));
    /*
     * Computing an input can compute the root too: when all pending work is sent, one pass computes all images that
     * share inputs.
     */
    if (!root->node)
        return DRUA_OK;
    drua_chain c;
    drua_step steps[DRUA_CHAIN_STEPS] = {{0}};
    if (!drua_chain_form(engine, root, siblings, &c, steps)) {
        /*
         * too large for one launch: the inputs of the last step become resident, and that step becomes a separate chain
         */
        for (int i = 0; root->node && i < root->node->input_count; i++)
            if (!root->node->inputs[i]->buffer)
                DRUA_TRY(materialize_whole(engine, root->node->inputs[i], siblings));
        return root->node ? compute_value(engine, root, siblings) : DRUA_OK;
    }
    drua_value *result = drua_chain_deferred_input(&c), *both = result ? drua_chain_read_by_both(&c, result) : NULL;
    drua_trial trial = {.measured = false};
    bool done = false, is_final = true;
    if (both) {
        DRUA_TRY(materialize_whole(engine, both, siblings));
        return root->node ? compute_value(engine, root, siblings) : DRUA_OK;
    }
    if (result)
        DRUA_TRY(run_with_deferred(engine, &c, result, siblings, &done, &trial));
    drua_status status = done ? DRUA_OK : drua_chain_launch(engine, &c, steps, &is_final);
    if (status == DRUA_OK && is_final && trial.variant == done)
        status = drua_tune_end(engine, &trial);
    if (status != DRUA_OK) {
        drua_error_prefix(root->node->op->name, root->node->line);
        return status;
    }
    drua_chain_finish(engine, &c);
    return DRUA_OK;
}

/*
 * Computing the inputs may also compute the value and release its last reference, so its structure is held. This hold
 * does not count as a reference, because references decide which values are stored.
 */
static drua_status materialize_whole(drua_engine *engine, drua_value *root, bool siblings)
{
    drua_value_hold(root);
    const drua_status status = compute_value(engine, root, siblings);
    drua_value_let_go(root);
    return status;
}

drua_status drua_materialize(drua_engine *engine, drua_value *value, bool siblings)
{
    const drua_status status = materialize_whole(engine, value, siblings);
    return status == DRUA_E_MEMORY && !drua_value_is_deferred(value) ? drua_run_chain_tiled(engine, value) : status;
}

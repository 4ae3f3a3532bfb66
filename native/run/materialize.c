/* SPDX-License-Identifier: BSD-3-Clause */
#include "materialize.h"

#include "deferred.h"
#include "error.h"
#include "engine_calls.h"
#include "tiled.h"

/*
 * Runs the call that makes an input of the chain, together with the chain if a kernel of the call can store the chain's
 * result. May begin a trial of both.
 */
static drua_status run_with_deferred(drua_engine *engine, drua_chain *c, drua_value *result, bool *done,
                                     drua_trial *trial)
{
    int inside = 0;
    for (int k = 0; k < c->step_count; k++)
        for (int i = 0; i < c->values[k]->node->input_count; i++)
            inside += c->values[k]->node->inputs[i] == result;
    drua_fusion fusion = {.epilogue = c, .result = result, .keeps_result = result->references > inside};
    if (!drua_chain_can_fuse(engine, c))
        return drua_deferred_run(engine, result, NULL);
    DRUA_TRY(drua_chain_allocate(engine, c));
    const drua_status status = drua_deferred_run(engine, result, &fusion);
    *done = status == DRUA_OK && fusion.epilogue_is_done;
    *trial = fusion.trial;
    if (*done)
        drua_chain_count(engine, c, true);
    else
        drua_chain_discard_outputs(c);
    return status;
}

static drua_status compute_value(drua_engine *engine, drua_value *root)
{
    if (!root->node)
        return drua_fail(DRUA_E_INTERNAL, "internal error: an image has neither pixels nor recorded work that "
                                          "computes them");
    if (root->node->call)
        return drua_deferred_run(engine, root, NULL);
    for (drua_value *input; root->node && (input = drua_chain_blocking(engine, root)) != NULL;)
        DRUA_TRY(drua_materialize_whole(engine, input));
    /* it was computed together with an input, as images of the same inputs are when all pending work is sent */
    if (!root->node)
        return DRUA_OK;
    drua_chain c;
    drua_step steps[DRUA_CHAIN_STEPS] = {{0}};
    if (!drua_chain_form(engine, root, &c, steps)) {
        /*
         * too large for one launch: the inputs of the last step become resident, and that step becomes a separate chain
         */
        for (int i = 0; root->node && i < root->node->input_count; i++)
            if (!root->node->inputs[i]->buffer)
                DRUA_TRY(drua_materialize_whole(engine, root->node->inputs[i]));
        return root->node ? compute_value(engine, root) : DRUA_OK;
    }
    drua_value *result = drua_chain_deferred_input(&c), *both = result ? drua_chain_read_by_both(&c, result) : NULL;
    drua_trial trial = {.measured = false};
    bool done = false, is_final = true;
    if (both) {
        DRUA_TRY(drua_materialize_whole(engine, both));
        return root->node ? compute_value(engine, root) : DRUA_OK;
    }
    if (result)
        DRUA_TRY(run_with_deferred(engine, &c, result, &done, &trial));
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
 * The value may be computed and released together with its inputs, so its structure is held. A further reference would
 * change which values are stored.
 */
drua_status drua_materialize_whole(drua_engine *engine, drua_value *root)
{
    drua_value_hold(root);
    const drua_status status = compute_value(engine, root);
    drua_value_let_go(root);
    return status;
}

drua_status drua_materialize(drua_engine *engine, drua_value *value)
{
    const drua_status status = drua_materialize_whole(engine, value);
    return status == DRUA_E_MEMORY && !drua_value_is_deferred(value) ? drua_run_chain_tiled(engine, value) : status;
}

void drua_limit_pending(drua_plan *plan)
{
    while (plan->status == DRUA_OK && plan->engine->pending_count > DRUA_PENDING_VALUES) {
        drua_value *oldest = plan->engine->pending;
        while (oldest->next)
            oldest = oldest->next;
        plan_try(plan, drua_value_materialize(plan->engine, oldest));
    }
}

drua_status drua_engine_flush(drua_engine *engine)
{
    drua_status status = DRUA_OK;
    engine->flushing = true;
    while (status == DRUA_OK && engine->pending) {
        /* the newest value first, because values that only it reads are computed inside its chain */
        drua_value *value = engine->pending;
        drua_value_retain(value);
        status = drua_value_materialize(engine, value);
        drua_value_release(engine, value);
    }
    engine->flushing = false;
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that are compiled for one chain, in the background, once the chain has recurred and processed enough pixels.
 * Until then, the table-driven kernel runs it, with bit-identical results.
 */
#include "chain_kernel.h"

#include "alloc.h"
#include "arguments.h"
#include "chain_text.h"
#include "hash.h"
#include "kernel_cache.h"
#include "registry.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NUMBERS = DRUA_CHAIN_NUMBERS, SEEN_OFTEN = 2, ACCESS = 16, MAX_VECTORS = 4, GROUP = DRUA_CHAIN_GROUP };

/* Everything on which the text depends. */
typedef struct chain_key {
    uint8_t line, wide_index, inputs, outputs, steps, input_type[DRUA_CHAIN_INPUTS], output[DRUA_CHAIN_OUTPUTS];
    struct {
        uint16_t operation;
        uint8_t type;
        int8_t operand[DRUA_NODE_INPUTS];
    } step[DRUA_CHAIN_STEPS];
} chain_key;

static int lanes_of(const drua_engine *engine, const drua_chain *c)
{
    const int preset = drua_device_lanes(engine->device);
    if (!c->line || !drua_device_get_info(engine->device)->is_gpu)
        return preset;
    size_t largest = 1;
    for (int i = 0; i < c->input_count; i++)
        largest = drua_type_size(c->inputs[i]->type) > largest ? drua_type_size(c->inputs[i]->type) : largest;
    for (int i = 0; i < c->output_count; i++) {
        const size_t size = drua_type_size(c->values[c->outputs[i]]->type);
        largest = size > largest ? size : largest;
    }
    int lanes = ACCESS / (int)largest;
    for (int i = 0; i < c->input_count; i++)
        while (lanes > preset && c->inputs[i]->layout.offset % lanes)
            lanes /= 2;
    return lanes;
}

/* Number of vectors per work-item: more for small elements, so that enough loads are in flight. */
static int vectors_of(const drua_engine *engine, const drua_chain *c, int lanes)
{
    if (!c->line || !drua_device_get_info(engine->device)->is_gpu)
        return 1;
    size_t smallest = drua_type_size(c->values[c->outputs[0]]->type);
    for (int i = 0; i < c->input_count; i++)
        smallest = drua_type_size(c->inputs[i]->type) < smallest ? drua_type_size(c->inputs[i]->type) : smallest;
    const int vectors = ACCESS / (lanes * (int)smallest);
    return vectors < 1 ? 1 : vectors > MAX_VECTORS ? MAX_VECTORS : vectors;
}

typedef struct launch {
    drua_arg arguments[DRUA_CHAIN_INPUTS + DRUA_CHAIN_OUTPUTS + MAX_NUMBERS + 2];
    float numbers[MAX_NUMBERS * DRUA_NUMBERS];
    int number_count, lanes, vectors;
    drua_grid grid;
} launch;

static bool make_call(const drua_engine *engine, const drua_chain *c, launch *call)
{
    const drua_layout *l = &c->values[c->outputs[0]]->layout;
    drua_arg *a = call->arguments;
    memset(call, 0, sizeof *call);
    call->lanes = lanes_of(engine, c);
    call->vectors = vectors_of(engine, c, call->lanes);
    call->number_count = drua_chain_numbers(c, call->numbers, MAX_NUMBERS * DRUA_NUMBERS);
    if (call->number_count > MAX_NUMBERS * DRUA_NUMBERS)
        return false;
    for (int i = 0; i < c->input_count; i++)
        *a++ = ARG(drua_value_view(c->inputs[i]));
    for (int i = 0; i < c->output_count; i++)
        *a++ = ARG(drua_value_view(c->values[c->outputs[i]]));
    for (int i = 0; i * DRUA_NUMBERS < call->number_count; i++)
        *a++ = (drua_arg){.kind = DRUA_LAUNCH_NUMBERS, .as.numbers = call->numbers + i * DRUA_NUMBERS};
    if (c->line) {
        const int64_t vectors = (drua_layout_length(l) + call->lanes - 1) / call->lanes,
                      whole = (int64_t)GROUP * call->vectors;
        *a = LONG(vectors);
        call->grid = GRID((vectors + whole - 1) / whole * GROUP, 1, 1, GROUP, 1, 1);
        return true;
    }
    int wide = drua_rows_aligned(l, l->width, call->lanes) << DRUA_CHAIN_INPUTS;
    for (int i = 0; i < c->input_count; i++)
        wide |= drua_rows_aligned(&c->inputs[i]->layout, l->width, call->lanes) << i;
    *a = INT(wide);
    call->grid = GRID((l->width + call->lanes - 1) / call->lanes, l->height, l->depth, 32, 4, 1);
    return true;
}

static chain_key key_of(const drua_chain *c)
{
    chain_key key;
    memset(&key, 0, sizeof key);
    key.inputs = (uint8_t)c->input_count;
    key.outputs = (uint8_t)c->output_count;
    key.steps = (uint8_t)c->step_count;
    for (int i = 0; i < c->input_count; i++)
        key.input_type[i] = (uint8_t)c->inputs[i]->type;
    for (int i = 0; i < c->output_count; i++)
        key.output[i] = (uint8_t)c->outputs[i];
    for (int k = 0; k < c->step_count; k++) {
        key.step[k].operation = (uint16_t)drua_op_number(c->values[k]->node->op);
        key.step[k].type = (uint8_t)c->values[k]->type;
        for (int i = 0; i < c->values[k]->node->input_count; i++)
            key.step[k].operand[i] = (int8_t)c->operands[k][i];
    }
    return key;
}

uint64_t drua_chain_hash(const drua_chain *c)
{
    const chain_key key = key_of(c);
    return drua_hash(DRUA_HASH_START, &key, sizeof key);
}

static drua_cached_kernel *find_cached_kernel(drua_engine *engine, const chain_key *key)
{
    const size_t length = offsetof(chain_key, step) + key->steps * sizeof *key->step;
    return drua_kernel_cache_find(engine, (drua_kernel_key){'c', key, length});
}

static void start_compilation(drua_engine *engine, const drua_chain *c, const launch *call, drua_cached_kernel *e)
{
    char *text = drua_chain_kernel_text(c, call->vectors);
    if (text) {
        e->text_hash = drua_hash(DRUA_HASH_START, text, strlen(text));
        e->kernel = drua_jit_start(engine->device, (drua_jit_source){"chain", text, "chain_compiled", call->lanes},
                                   call->grid, call->arguments, drua_kernel_when(engine));
    }
    drua_free(text);
}

static const char *why_not(const drua_cached_kernel *e)
{
    if (!e->kernel)
        return e->calls < SEEN_OFTEN ? "first time" : "few pixels";
    return drua_kernel_is_building(e) ? "being compiled" : "the driver refused to compile it";
}

/* Compiled text counts positions from 0. */
static bool is_part(const drua_chain *c)
{
    const int64_t *origin = c->values[c->outputs[0]]->origin;
    return c->positional && (origin[1] || origin[2]);
}

drua_status drua_chain_run_compiled(drua_engine *engine, const drua_chain *c, bool *done, const char **why,
                                    drua_trial *trial)
{
    enum { INTERPRETED, COMPILED, VARIANTS };
    const drua_compile_policy policy = engine->settings.compile;
    launch call;
    *done = false;
    *why = "DRUA_CHAINS=interpret";
    if (policy == DRUA_COMPILE_NEVER)
        return DRUA_OK;
    *why = "a part of an image";
    if (is_part(c))
        return DRUA_OK;
    *why = "too many numbers";
    if (!make_call(engine, c, &call))
        return DRUA_OK;
    chain_key key = key_of(c);
    key.line = (uint8_t)(c->line ? call.lanes : 0);
    key.wide_index = (uint8_t)drua_device_index_width(call.arguments);
    drua_cached_kernel *e = find_cached_kernel(engine, &key);
    *why = "the compiler is busy";
    trial->early = !e;
    if (!e)
        return DRUA_OK;
    const int64_t pixels = drua_layout_count(&c->values[c->outputs[0]]->layout);
    if (drua_kernel_cache_count(engine, e, pixels, SEEN_OFTEN))
        start_compilation(engine, c, &call, e);
    *why = why_not(e);
    trial->early = !e->kernel || drua_kernel_is_building(e);
    if (!drua_kernel_is_ready(e))
        return DRUA_OK;
    char kind[24];
    snprintf(kind, sizeof kind, "chain:%016llx", (unsigned long long)e->text_hash);
    *done = policy != DRUA_COMPILE_WORTHWHILE ||
            drua_tune_begin(engine, kind, pixels, VARIANTS, COMPILED, trial) == COMPILED;
    *why = trial->measured ? "while variants are timed" : *done ? "" : "timed as faster";
    return *done ? drua_jit_launch(e->kernel, call.grid, call.arguments) : DRUA_OK;
}

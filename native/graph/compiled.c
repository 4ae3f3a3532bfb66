/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels compiled for one chain: the same expressions and conversions as the interpreting kernel's, in order, with numbers and
 * sizes as arguments, so that the same steps with other numbers on other images are the same kernel. Compiled in the
 * background when a chain has come back and moved enough pixels; until then the interpreting kernel serves, with the same bits.
 */
#include "chain.h"

#include "alloc.h"
#include "hash.h"
#include "plan.h"
#include "registry.h"
#include "text.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 128, GROUP = 256, MOST_NUMBERS = DRUA_CHAIN_NUMBERS, SEEN_OFTEN = 2, ACCESS = 16, MOST_VECTORS = 4 };

/* below this the interpreting kernel costs less than the time until a new one is ready */
static const int64_t ENOUGH_PIXELS = 1 << 20;

/* All that the text depends on. */
typedef struct chain_key {
    uint8_t line, wide_index, inputs, outputs, steps, input_type[DRUA_CHAIN_INPUTS], output[DRUA_CHAIN_OUTPUTS];
    struct {
        uint16_t operation;
        uint8_t type;
        int8_t operand[DRUA_NODE_INPUTS];
    } step[DRUA_CHAIN_STEPS];
} chain_key;

typedef struct entry {
    uint64_t used;
    chain_key key;
    int64_t seen, pixels;
    char kind[24];              /* names the text for the tuner */
    drua_made *kernel;
} entry;

struct drua_compiler {
    drua_when when;
    uint64_t clock;
    uint64_t hashes[ENTRIES];   /* of the entries' keys, close together because they are searched at each launch */
    entry entries[ENTRIES];
};

drua_when drua_when_to_compile(void)
{
    const char *wish = getenv("DRUA_CHAINS");
    return !wish ? DRUA_WHEN_WORTH : !strcmp(wish, "compile") ? DRUA_WHEN_SEEN : !strcmp(wish, "interpret") ? DRUA_NEVER : DRUA_WHEN_WORTH;
}

drua_compiler *drua_compiler_new(void)
{
    drua_compiler *compiler = drua_alloc(sizeof *compiler);
    if (compiler)
        compiler->when = drua_when_to_compile();
    return compiler;
}

void drua_compiler_free(drua_engine *engine)
{
    if (!engine->compiler)
        return;
    drua_made_stop(engine->device);
    for (int i = 0; i < ENTRIES; i++)
        drua_made_free(engine->compiler->entries[i].kernel);
    drua_free(engine->compiler);
    engine->compiler = NULL;
}

/* ---- what is computed, as text */

static int lanes_of(const drua_engine *engine, const drua_chain *c)
{
    const int preset = drua_device_lanes(engine->device);
    if (!c->line || !drua_device_facts(engine->device)->is_gpu)
        return preset;
    size_t largest = 1;
    for (int i = 0; i < c->input_count; i++)
        largest = drua_type_size(c->inputs[i]->type) > largest ? drua_type_size(c->inputs[i]->type) : largest;
    for (int i = 0; i < c->output_count; i++) {
        const size_t size = drua_type_size(c->made[c->outputs[i]]->type);
        largest = size > largest ? size : largest;
    }
    int lanes = ACCESS / (int)largest;
    for (int i = 0; i < c->input_count; i++)
        while (lanes > preset && c->inputs[i]->layout.offset % lanes)
            lanes /= 2;
    return lanes;
}

/* Vectors that a work-item handles, so that images of small elements beside large ones keep enough loads under way. */
static int vectors_of(const drua_engine *engine, const drua_chain *c, int lanes)
{
    if (!c->line || !drua_device_facts(engine->device)->is_gpu)
        return 1;
    size_t smallest = drua_type_size(c->made[c->outputs[0]]->type);
    for (int i = 0; i < c->input_count; i++)
        smallest = drua_type_size(c->inputs[i]->type) < smallest ? drua_type_size(c->inputs[i]->type) : smallest;
    const int vectors = ACCESS / (lanes * (int)smallest);
    return vectors < 1 ? 1 : vectors > MOST_VECTORS ? MOST_VECTORS : vectors;
}

int drua_chain_numbers(const drua_chain *c, float *numbers, int most)
{
    int count = 0;
    for (int k = 0; k < c->step_count; k++)
        for (int i = 0; i < DRUA_NODE_SCALARS; i++)
            if (drua_op_mentions(c->made[k]->node->op, (char)('s' + i))) {
                if (count < most)
                    numbers[count] = c->made[k]->node->scalars[i];
                count++;
            }
    return count;
}

void drua_chain_add_steps(drua_text *text, const drua_chain *c, int v)
{
    int number = 0;
    for (int k = 0; k < c->step_count; k++) {
        const drua_node *node = c->made[k]->node;
        drua_text_add(text, "    FLOATV v%d_%d;\n    {", k, v);
        for (int i = 0; i < node->input_count; i++) {
            const int from = c->operands[k][i];
            drua_text_add(text, " const FLOATV %c = %s%d_%d;", 'a' + i, from < 0 ? "i" : "v", from < 0 ? -1 - from : from, v);
        }
        for (int i = 0; i < DRUA_NODE_SCALARS; i++)
            if (drua_op_mentions(node->op, (char)('s' + i))) {
                drua_text_add(text, " const FLOATV %c = (FLOATV)(n%d.v[%d]);", 's' + i, number / DRUA_NUMBERS, number % DRUA_NUMBERS);
                number++;
            }
        const bool snapped = (node->op->traits & DRUA_SNAP) && c->made[k]->type != DRUA_FLOAT32;
        drua_text_add(text, " const FLOATV r = %s; v%d_%d = saturate_lanes(%s, %d); }\n", node->op->expression, k, v,
                      snapped ? "snap_lanes(r)" : "r", (int)c->made[k]->type);
    }
}

static void add_line(drua_text *text, const drua_chain *c, int vectors)
{
    /* by the global number alone, so that a launch can be cut into parts */
    drua_text_add(text, "    const INDEX number = (INDEX)get_global_id(0), first = number / %d * %d + number %% %d;\n", GROUP, GROUP * vectors, GROUP);
    for (int v = 0; v < vectors; v++) {
        drua_text_add(text, "    const INDEX item_%d = first + %d, at_%d = item_%d * LANES;\n    const bool in_%d = item_%d < (INDEX)vectors;\n",
                      v, v * GROUP, v, v, v, v);
        for (int i = 0; i < c->input_count; i++)
            drua_text_add(text,
                          "    FLOATV i%d_%d = (FLOATV)(0.0f);\n    if (in_%d) i%d_%d = load_lanes(in%d_pixels, %d, (INDEX)in%d.offset + at_%d);\n",
                          i, v, v, i, v, i, (int)c->inputs[i]->type, i, v);
    }
    for (int v = 0; v < vectors; v++)
        drua_chain_add_steps(text, c, v);
    for (int v = 0; v < vectors; v++)
        for (int i = 0; i < c->output_count; i++)
            drua_text_add(text, "    if (in_%d) store_lanes(out%d_pixels, %d, (INDEX)out%d.offset + at_%d, v%d_%d);\n", v, i,
                          (int)c->made[c->outputs[i]]->type, i, v, c->outputs[i], v);
}

static void add_rows(drua_text *text, const drua_chain *c)
{
    drua_text_add(text, "    PLACE(out0, 0, 0)\n");
    for (int i = 0; i < c->input_count; i++)
        drua_text_add(text, "    FLOATV i%d_0;\n    GATHER(i%d_0, in%d, %d, %d)\n", i, i, i, (int)c->inputs[i]->type, i);
    drua_chain_add_steps(text, c, 0);
    for (int i = 0; i < c->output_count; i++)
        drua_text_add(text, "    SCATTER(out%d, %d, v%d_0)\n", i, (int)c->made[c->outputs[i]]->type, c->outputs[i]);
}

static char *source_of(const drua_chain *c, int numbers, int vectors)
{
    drua_text text = {0};
    drua_text_add(&text, "typedef struct { float v[%d]; } numbers;\n\nkernel void chain_made(", DRUA_NUMBERS);
    for (int i = 0; i < c->input_count; i++)
        drua_text_add(&text, "INPUT(in%d), ", i);
    for (int i = 0; i < c->output_count; i++)
        drua_text_add(&text, "OUTPUT(out%d), ", i);
    for (int i = 0; i * DRUA_NUMBERS < numbers; i++)
        drua_text_add(&text, "const numbers n%d, ", i);
    drua_text_add(&text, c->line ? "long vectors)\n{\n" : "int wide)\n{\n");
    if (c->line)
        add_line(&text, c, vectors);
    else
        add_rows(&text, c);
    drua_text_add(&text, "}\n");
    if (text.failed)
        drua_text_free(&text);
    return text.characters;
}

/* ---- launching */

typedef struct launch {
    drua_arg arguments[DRUA_CHAIN_INPUTS + DRUA_CHAIN_OUTPUTS + MOST_NUMBERS + 2];
    float numbers[MOST_NUMBERS * DRUA_NUMBERS];
    int number_count, lanes, vectors;
    drua_grid grid;
} launch;

static bool make_call(const drua_engine *engine, const drua_chain *c, launch *call)
{
    const drua_layout *l = &c->made[c->outputs[0]]->layout;
    drua_arg *a = call->arguments;
    memset(call, 0, sizeof *call);
    call->lanes = lanes_of(engine, c);
    call->vectors = vectors_of(engine, c, call->lanes);
    call->number_count = drua_chain_numbers(c, call->numbers, MOST_NUMBERS * DRUA_NUMBERS);
    if (call->number_count > MOST_NUMBERS * DRUA_NUMBERS)
        return false;
    for (int i = 0; i < c->input_count; i++)
        *a++ = ARG(drua_value_view(c->inputs[i]));
    for (int i = 0; i < c->output_count; i++)
        *a++ = ARG(drua_value_view(c->made[c->outputs[i]]));
    for (int i = 0; i * DRUA_NUMBERS < call->number_count; i++)
        *a++ = (drua_arg){.kind = DRUA_LAUNCH_NUMBERS, .as.numbers = call->numbers + i * DRUA_NUMBERS};
    if (c->line) {
        const int64_t vectors = (drua_layout_length(l) + call->lanes - 1) / call->lanes, whole = (int64_t)GROUP * call->vectors;
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
        key.step[k].operation = (uint16_t)drua_op_number(c->made[k]->node->op);
        key.step[k].type = (uint8_t)c->made[k]->type;
        for (int i = 0; i < c->made[k]->node->input_count; i++)
            key.step[k].operand[i] = (int8_t)c->operands[k][i];
    }
    return key;
}

uint64_t drua_chain_hash(const drua_chain *c)
{
    const chain_key key = key_of(c);
    return drua_hash(DRUA_HASH_START, &key, sizeof key);
}

static bool is_building(const entry *e)
{
    return e->kernel && drua_made_ask(e->kernel) == DRUA_MADE_BUILDING;
}

/* A place for a new chain, that of the one that was not used for longest; NULL if all are being compiled. */
static entry *make_room(drua_compiler *compiler)
{
    entry *oldest = NULL;
    for (int i = 0; i < ENTRIES; i++) {
        entry *e = &compiler->entries[i];
        if (!is_building(e) && (!oldest || e->used < oldest->used))
            oldest = e;
    }
    if (oldest)
        drua_made_free(oldest->kernel);
    return oldest;
}

static entry *find(drua_compiler *compiler, const chain_key *key)
{
    const size_t length = offsetof(chain_key, step) + key->steps * sizeof *key->step;
    const uint64_t hash = drua_hash(DRUA_HASH_START, key, length);
    for (int i = 0; i < ENTRIES; i++)
        if (compiler->hashes[i] == hash && !memcmp(&compiler->entries[i].key, key, length))
            return &compiler->entries[i];
    entry *e = make_room(compiler);
    if (e) {
        *e = (entry){.key = *key};
        compiler->hashes[e - compiler->entries] = hash;
    }
    return e;
}

static void start(drua_engine *engine, const drua_chain *c, const launch *call, entry *e)
{
    char *text = source_of(c, call->number_count, call->vectors);
    if (text)
        snprintf(e->kind, sizeof e->kind, "chain:%016llx", (unsigned long long)drua_hash(DRUA_HASH_START, text, strlen(text)));
    if (text)
        e->kernel = drua_made_start(engine->device, "chain", text, "chain_made", call->lanes, call->grid, call->arguments,
                                    engine->compiler->when == DRUA_WHEN_SEEN ? DRUA_MADE_NOW : DRUA_MADE_BESIDE);
    drua_free(text);
}

/* Text that is compiled counts positions from 0. */
static bool is_part(const drua_chain *c)
{
    const int64_t *origin = c->made[c->outputs[0]]->origin;
    return c->positional && (origin[1] || origin[2]);
}

drua_status drua_compiler_run(drua_engine *engine, const drua_chain *c, bool *done, const char **why, drua_trial *trial)
{
    enum { INTERPRETED, COMPILED, VARIANTS };
    drua_compiler *compiler = engine->compiler;
    launch call;
    *done = false;
    *why = "DRUA_CHAINS=interpret";
    if (compiler->when == DRUA_NEVER)
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
    entry *e = find(compiler, &key);
    *why = "the compiler is busy";
    trial->early = !e;
    if (!e)
        return DRUA_OK;
    e->used = ++compiler->clock;
    e->seen++;
    e->pixels += drua_layout_count(&c->made[c->outputs[0]]->layout);
    if (!e->kernel && (compiler->when == DRUA_WHEN_SEEN || (e->seen >= SEEN_OFTEN && e->pixels >= ENOUGH_PIXELS)))
        start(engine, c, &call, e);
    *why = !e->kernel ? e->seen < SEEN_OFTEN ? "first time" : "few pixels" : is_building(e) ? "being compiled" : "the driver refused to compile it";
    trial->early = !e->kernel || is_building(e);
    if (!e->kernel || drua_made_ask(e->kernel) != DRUA_MADE_READY)
        return DRUA_OK;
    const int64_t pixels = drua_layout_count(&c->made[c->outputs[0]]->layout);
    const bool choose = compiler->when == DRUA_WHEN_WORTH;
    *done = !choose || drua_tune_begin(engine, e->kind, pixels, VARIANTS, COMPILED, trial) == COMPILED;
    *why = trial->measured ? "while variants are timed" : *done ? "" : "timed as faster";
    if (!*done)
        return DRUA_OK;
    return drua_made_launch(e->kernel, call.grid, call.arguments);
}

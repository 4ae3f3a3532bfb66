/* SPDX-License-Identifier: BSD-3-Clause */
#include "fusion.h"

#include "arguments.h"
#include "chain_kernel.h"
#include "chain_text.h"
#include "hash.h"

#include <string.h>

enum { MAX_KERNEL_ARGUMENTS = 40 };

/* ---- arguments */

typedef struct builder {
    drua_fused_launch *call;
    int count, cl_count;
} builder;

static void add_argument(builder *b, drua_arg argument)
{
    const bool two = argument.kind == DRUA_LAUNCH_VIEW || argument.kind == DRUA_LAUNCH_TABLE;
    if (b->count < DRUA_FUSED_ARGUMENTS)
        b->call->arguments[b->count] = argument;
    b->count++;
    b->cl_count += two ? 2 : 1;
}

static void add_images(builder *b, const drua_chain *c, const drua_value *result)
{
    for (int i = 0; i < c->input_count; i++)
        if (c->inputs[i] != result)
            add_argument(b, ARG(drua_value_view(c->inputs[i])));
    for (int i = 0; result && i < c->output_count; i++)
        add_argument(b, ARG(drua_value_view(c->values[c->outputs[i]])));
}

static bool add_numbers(builder *b, const drua_chain *c, float *numbers)
{
    const int max = DRUA_CHAIN_NUMBERS * DRUA_NUMBERS, count = drua_chain_numbers(c, numbers, max);
    for (int i = 0; i * DRUA_NUMBERS < count; i++)
        add_argument(b, (drua_arg){.kind = DRUA_LAUNCH_NUMBERS, .as.numbers = numbers + i * DRUA_NUMBERS});
    return count <= max;
}

static bool is_all_of(const drua_view *view, const drua_value *value)
{
    return view->layout.offset == 0 && drua_layout_count(&view->layout) == drua_layout_count(&value->layout);
}

bool drua_chain_can_fuse(const drua_engine *engine, drua_chain *c)
{
    c->line = c->input_count > 0 && drua_chain_is_line(engine, c, drua_device_lanes(engine->device));
    return c->line && drua_chain_numbers(c, NULL, 0) <= DRUA_CHAIN_NUMBERS * DRUA_NUMBERS;
}

bool drua_fusion_waits_for_source(const drua_fusion *fusion)
{
    return fusion && fusion->prologue && !fusion->source_is_filled;
}

bool drua_fusion_fits(const drua_fusion *fusion, bool prologue, bool epilogue, const drua_buffer *result,
                      const drua_arg *arguments, drua_fused_launch *call)
{
    builder b = {.call = call};
    int sources = 0, results = 0;
    memset(call, 0, sizeof *call);
    for (const drua_arg *a = arguments; a->kind; a++) {
        drua_arg own = *a;
        const bool is_view = a->kind == DRUA_LAUNCH_VIEW || a->kind == DRUA_LAUNCH_POINTER;
        if (is_view && epilogue && fusion->epilogue && a->as.view.buffer == result) {
            results += is_all_of(&a->as.view, fusion->result) ? 1 : 2;
            if (!fusion->keeps_result) /* the result is not stored, so it needs no memory */
                own.as.view.buffer = fusion->epilogue->values[fusion->epilogue->outputs[0]]->buffer;
        }
        if (is_view && drua_fusion_waits_for_source(fusion) && a->as.view.buffer == fusion->source->buffer) {
            sources += is_all_of(&a->as.view, fusion->source) ? 1 : 2;
            own.as.view.buffer = fusion->prologue->inputs[0]->buffer;
        }
        add_argument(&b, own);
    }
    call->prologue = prologue && sources == 1;
    call->epilogue = results == 1 && !fusion->epilogue_is_done;
    if (sources && !call->prologue)
        return false;
    call->hash = DRUA_HASH_START;
    if (call->prologue) {
        const uint64_t hash = drua_chain_hash(fusion->prologue);
        call->hash = drua_hash(call->hash, &hash, sizeof hash);
        add_images(&b, fusion->prologue, NULL);
        if (!add_numbers(&b, fusion->prologue, call->numbers[0]))
            return false;
    }
    if (call->epilogue) {
        const uint64_t parts[] = {drua_chain_hash(fusion->epilogue),
                                  (uint64_t)drua_chain_input_number(fusion->epilogue, fusion->result),
                                  fusion->keeps_result};
        call->hash = drua_hash(call->hash, parts, sizeof parts);
        add_images(&b, fusion->epilogue, fusion->result);
        if (!add_numbers(&b, fusion->epilogue, call->numbers[1]))
            return false;
    }
    return (call->prologue || call->epilogue) && b.count < DRUA_FUSED_ARGUMENTS && b.cl_count <= MAX_KERNEL_ARGUMENTS;
}

char *drua_fusion_text(const drua_fusion *fusion, const drua_fused_launch *call)
{
    drua_text text = {0};
    drua_text_add(&text, "typedef struct { float v[%d]; } chain_numbers;\n", DRUA_NUMBERS);
    if (call->prologue)
        drua_chain_add_prologue(&text, fusion->prologue);
    if (call->epilogue)
        drua_chain_add_epilogue(&text, fusion->epilogue, fusion->result, fusion->keeps_result);
    if (text.failed)
        drua_text_free(&text);
    return text.characters;
}

drua_status drua_fusion_fill_source(drua_engine *engine, drua_fusion *fusion, const drua_arg *arguments)
{
    if (!drua_fusion_waits_for_source(fusion))
        return DRUA_OK;
    for (const drua_arg *a = arguments; a->kind; a++)
        if ((a->kind == DRUA_LAUNCH_VIEW || a->kind == DRUA_LAUNCH_POINTER) &&
            a->as.view.buffer == fusion->source->buffer) {
            fusion->source_is_filled = true;
            return drua_chain_fill(engine, fusion->source);
        }
    return DRUA_OK;
}

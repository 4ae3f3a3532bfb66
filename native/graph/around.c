/* SPDX-License-Identifier: BSD-3-Clause */
#include "around.h"

#include "hash.h"
#include "plan.h"
#include "text.h"

#include <string.h>

enum { MOST_KERNEL_ARGUMENTS = 40 };

/* ---- arguments */

typedef struct builder {
    drua_around_call *call;
    int count, cl_count;
} builder;

static void add(builder *b, drua_arg argument)
{
    const bool two = argument.kind == DRUA_LAUNCH_VIEW || argument.kind == DRUA_LAUNCH_TABLE;
    if (b->count < DRUA_AROUND_ARGUMENTS)
        b->call->arguments[b->count] = argument;
    b->count++;
    b->cl_count += two ? 2 : 1;
}

static void add_images(builder *b, const drua_chain *c, const drua_value *middle)
{
    for (int i = 0; i < c->input_count; i++)
        if (c->inputs[i] != middle)
            add(b, ARG(drua_value_view(c->inputs[i])));
    for (int i = 0; middle && i < c->output_count; i++)
        add(b, ARG(drua_value_view(c->made[c->outputs[i]])));
}

static bool add_numbers(builder *b, const drua_chain *c, float *numbers)
{
    const int most = DRUA_CHAIN_NUMBERS * DRUA_NUMBERS, count = drua_chain_numbers(c, numbers, most);
    for (int i = 0; i * DRUA_NUMBERS < count; i++)
        add(b, (drua_arg){.kind = DRUA_LAUNCH_NUMBERS, .as.numbers = numbers + i * DRUA_NUMBERS});
    return count <= most;
}

static int number_of(const drua_chain *c, const drua_value *input)
{
    int i = 0;
    while (i < c->input_count && c->inputs[i] != input)
        i++;
    return i;
}

static bool is_all_of(const drua_view *view, const drua_value *value)
{
    return view->layout.offset == 0 && drua_layout_count(&view->layout) == drua_layout_count(&value->layout);
}

bool drua_around_fits(const drua_around *around, bool before, bool after, const drua_buffer *made, const drua_arg *arguments, drua_around_call *call)
{
    builder b = {.call = call};
    int sources = 0, results = 0;
    memset(call, 0, sizeof *call);
    for (const drua_arg *a = arguments; a->kind; a++) {
        drua_arg own = *a;
        const bool is_view = a->kind == DRUA_LAUNCH_VIEW || a->kind == DRUA_LAUNCH_POINTER;
        if (is_view && after && around->after && a->as.view.buffer == made) {
            results += is_all_of(&a->as.view, around->middle) ? 1 : 2;
            if (!around->keeps)     /* not stored, so it needs no memory */
                own.as.view.buffer = around->after->made[around->after->outputs[0]]->buffer;
        }
        if (is_view && around->before && !around->is_filled && a->as.view.buffer == around->source->buffer) {
            sources += is_all_of(&a->as.view, around->source) ? 1 : 2;
            own.as.view.buffer = around->before->inputs[0]->buffer;
        }
        add(&b, own);
    }
    call->before = before && sources == 1;
    call->after = results == 1 && !around->after_is_done;
    if (sources && !call->before)
        return false;
    call->hash = DRUA_HASH_START;
    if (call->before) {
        const uint64_t hash = drua_chain_hash(around->before);
        call->hash = drua_hash(call->hash, &hash, sizeof hash);
        add_images(&b, around->before, NULL);
        if (!add_numbers(&b, around->before, call->numbers[0]))
            return false;
    }
    if (call->after) {
        const uint64_t parts[] = {drua_chain_hash(around->after), (uint64_t)number_of(around->after, around->middle), around->keeps};
        call->hash = drua_hash(call->hash, parts, sizeof parts);
        add_images(&b, around->after, around->middle);
        if (!add_numbers(&b, around->after, call->numbers[1]))
            return false;
    }
    return (call->before || call->after) && b.count < DRUA_AROUND_ARGUMENTS && b.cl_count <= MOST_KERNEL_ARGUMENTS;
}

/* ---- text */

static int structs_of(const drua_chain *c)
{
    return (drua_chain_numbers(c, NULL, 0) + DRUA_NUMBERS - 1) / DRUA_NUMBERS;
}

enum { ALL = -1 };

/* Text for each number below `count` but one; `format` takes that number, once or twice. */
static void add_each(drua_text *text, int count, int but, const char *format)
{
    for (int i = 0; i < count; i++)
        if (i != but)
            drua_text_add(text, format, i, i);
}

/* The chain's inputs as vectors i0_0, i1_0, ...; `format` takes input, input, type, input. */
static void add_loads(drua_text *text, const drua_chain *c, int but, const char *format)
{
    for (int i = 0; i < c->input_count; i++)
        if (i != but)
            drua_text_add(text, format, i, i, (int)c->inputs[i]->type, i);
}

/* The chain's inputs as struct chain_inputs, which a row of the source points to. */
static void add_before(drua_text *text, const drua_chain *c)
{
    const int structs = structs_of(c);
    drua_text_add(text, "#define BEFORE_PARAMETERS");
    add_each(text, c->input_count, ALL, ", INPUT(before_in%d)");
    add_each(text, structs, ALL, ", const chain_numbers before_n%d");
    drua_text_add(text, "\n#define BEFORE_INPUTS const chain_inputs inputs = {");
    for (int i = 0; i < c->input_count; i++)
        drua_text_add(text, "%sbefore_in%d_pixels, (INDEX)before_in%d.offset", i ? ", " : "", i, i);
    add_each(text, structs, ALL, ", before_n%d");
    drua_text_add(text, "};\ntypedef struct {\n");
    add_each(text, c->input_count, ALL, "    global const uchar *in%d;\n    INDEX at%d;\n");
    add_each(text, structs, ALL, "    chain_numbers n%d;\n");
    drua_text_add(text, "} chain_inputs;\ninline FLOATV chain_before(const chain_inputs *c, const INDEX at, const int count, const bool whole)\n{\n");
    add_loads(text, c, ALL, "    const FLOATV i%d_0 = load_some(c->in%d, %d, c->at%d + at, count, whole);\n");
    add_each(text, structs, ALL, "    const chain_numbers n%d = c->n%d;\n");
    drua_chain_add_steps(text, c, 0);
    drua_text_add(text, "    return v%d_0;\n}\n", c->outputs[0]);
}

static void add_after(drua_text *text, const drua_chain *c, const drua_value *middle, bool keeps)
{
    const int from = number_of(c, middle), structs = structs_of(c);
    drua_text_add(text, "#define KEEPS %d\n#define AFTER_PARAMETERS", keeps);
    add_each(text, c->input_count, from, ", INPUT(after_in%d)");
    add_each(text, c->output_count, ALL, ", OUTPUT(after_out%d)");
    add_each(text, structs, ALL, ", const chain_numbers after_n%d");
    drua_text_add(text, "\n#define AFTER_ARGUMENTS");
    add_each(text, c->input_count, from, ", after_in%d_pixels, (INDEX)after_in%d.offset");
    add_each(text, c->output_count, ALL, ", after_out%d_pixels, (INDEX)after_out%d.offset");
    add_each(text, structs, ALL, ", after_n%d");
    drua_text_add(text, "\ninline void chain_after(const INDEX at, const int most, const int count, const bool whole, const FLOATV i%d_0", from);
    add_each(text, c->input_count, from, ", global const uchar *in%d, const INDEX in%d_at");
    add_each(text, c->output_count, ALL, ", global uchar *out%d, const INDEX out%d_at");
    add_each(text, structs, ALL, ", const chain_numbers n%d");
    drua_text_add(text, ")\n{\n");
    add_loads(text, c, from, "    const FLOATV i%d_0 = load_some(in%d, %d, in%d_at + at, whole ? most : count, whole);\n");
    drua_chain_add_steps(text, c, 0);
    for (int i = 0; i < c->output_count; i++)
        drua_text_add(text, "    store_some(out%d, %d, out%d_at + at, count, whole && count == most, v%d_0);\n", i, (int)c->made[c->outputs[i]]->type, i,
                      c->outputs[i]);
    drua_text_add(text, "}\n");
}

char *drua_around_text(const drua_around *around, const drua_around_call *call)
{
    drua_text text = {0};
    drua_text_add(&text, "typedef struct { float v[%d]; } chain_numbers;\n", DRUA_NUMBERS);
    if (call->before)
        add_before(&text, around->before);
    if (call->after)
        add_after(&text, around->after, around->middle, around->keeps);
    if (text.failed)
        drua_text_free(&text);
    return text.characters;
}

/* ---- what no kernel could do */

drua_status drua_around_fill(drua_engine *engine, drua_around *around, const drua_arg *arguments)
{
    if (!around || !around->before || around->is_filled)
        return DRUA_OK;
    for (const drua_arg *a = arguments; a->kind; a++)
        if ((a->kind == DRUA_LAUNCH_VIEW || a->kind == DRUA_LAUNCH_POINTER) && a->as.view.buffer == around->source->buffer) {
            around->is_filled = true;
            return drua_chain_fill(engine, around->source);
        }
    return DRUA_OK;
}

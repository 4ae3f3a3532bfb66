/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generates the same expressions and conversions as the table-driven kernel, in the same order. Numbers and sizes are
 * arguments, so the same steps with other numbers on other images have the same text.
 */
#include "chain_text.h"

enum { GROUP = DRUA_CHAIN_GROUP };

int drua_chain_numbers(const drua_chain *c, float *numbers, int max)
{
    int count = 0;
    for (int k = 0; k < c->step_count; k++)
        for (int i = 0; i < DRUA_NODE_SCALARS; i++)
            if (drua_op_mentions(c->values[k]->node->op, (char)('s' + i))) {
                if (count < max)
                    numbers[count] = c->values[k]->node->scalars[i];
                count++;
            }
    return count;
}

int drua_chain_input_number(const drua_chain *c, const drua_value *input)
{
    int i = 0;
    while (i < c->input_count && c->inputs[i] != input)
        i++;
    return i;
}

/*
 * The steps for vector `v` of a work-item: from inputs i0_V, i1_V, ... and numbers n0.v[0], ... to results v0_V, v1_V,
 * ...
 */
static void add_steps(drua_text *text, const drua_chain *c, int v)
{
    int number = 0;
    for (int k = 0; k < c->step_count; k++) {
        const drua_node *node = c->values[k]->node;
        drua_text_add(text, "    FLOATV v%d_%d;\n    {", k, v);
        for (int i = 0; i < node->input_count; i++) {
            const int from = c->operands[k][i];
            drua_text_add(text, " const FLOATV %c = %s%d_%d;", 'a' + i, from < 0 ? "i" : "v",
                          from < 0 ? -1 - from : from, v);
        }
        for (int i = 0; i < DRUA_NODE_SCALARS; i++)
            if (drua_op_mentions(node->op, (char)('s' + i))) {
                drua_text_add(text, " const FLOATV %c = (FLOATV)(n%d.v[%d]);", 's' + i, number / DRUA_NUMBERS,
                              number % DRUA_NUMBERS);
                number++;
            }
        drua_text_add(text, " const FLOATV r = %s; v%d_%d = saturate_lanes(", node->op->expression, k, v);
        if (node->op->roundings > 0 && c->values[k]->type != DRUA_FLOAT32)
            drua_text_add(text, "snap_lanes(r, %d.0f), %d); }\n", node->op->roundings, (int)c->values[k]->type);
        else
            drua_text_add(text, "r, %d); }\n", (int)c->values[k]->type);
    }
}

static void add_line(drua_text *text, const drua_chain *c, int vectors)
{
    /* depends only on the global number, so that a launch can be divided */
    drua_text_add(text, "    const INDEX number = (INDEX)get_global_id(0), first = number / %d * %d + number %% %d;\n",
                  GROUP, GROUP * vectors, GROUP);
    for (int v = 0; v < vectors; v++) {
        drua_text_add(text,
                      "    const INDEX item_%d = first + %d, at_%d = item_%d * LANES;\n    const bool in_%d = item_%d "
                      "< (INDEX)vectors;\n",
                      v, v * GROUP, v, v, v, v);
        for (int i = 0; i < c->input_count; i++)
            drua_text_add(text,
                          "    FLOATV i%d_%d = (FLOATV)(0.0f);\n    if (in_%d) i%d_%d = load_lanes(in%d_pixels, %d, "
                          "(INDEX)in%d.offset + at_%d);\n",
                          i, v, v, i, v, i, (int)c->inputs[i]->type, i, v);
    }
    for (int v = 0; v < vectors; v++)
        add_steps(text, c, v);
    for (int v = 0; v < vectors; v++)
        for (int i = 0; i < c->output_count; i++)
            drua_text_add(text, "    if (in_%d) store_lanes(out%d_pixels, %d, (INDEX)out%d.offset + at_%d, v%d_%d);\n",
                          v, i, (int)c->values[c->outputs[i]]->type, i, v, c->outputs[i], v);
}

static void add_rows(drua_text *text, const drua_chain *c)
{
    drua_text_add(text, "    PLACE(out0, 0, 0)\n");
    for (int i = 0; i < c->input_count; i++)
        drua_text_add(text, "    FLOATV i%d_0;\n    GATHER(i%d_0, in%d, %d, %d)\n", i, i, i, (int)c->inputs[i]->type,
                      i);
    add_steps(text, c, 0);
    for (int i = 0; i < c->output_count; i++)
        drua_text_add(text, "    SCATTER(out%d, %d, v%d_0)\n", i, (int)c->values[c->outputs[i]]->type, c->outputs[i]);
}

char *drua_chain_kernel_text(const drua_chain *c, int vectors)
{
    const int numbers = drua_chain_numbers(c, NULL, 0);
    drua_text text = {0};
    drua_text_add(&text, "typedef struct { float v[%d]; } numbers;\n\nkernel void chain_compiled(", DRUA_NUMBERS);
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

/* ---- in the text of another kernel */

static int structs_of(const drua_chain *c)
{
    return (drua_chain_numbers(c, NULL, 0) + DRUA_NUMBERS - 1) / DRUA_NUMBERS;
}

enum { ALL = -1 };

/* Text for each number below `count` except `but`; `format` uses that number once or twice. */
static void add_each(drua_text *text, int count, int but, const char *format)
{
    for (int i = 0; i < count; i++)
        if (i != but)
            drua_text_add(text, format, i, i);
}

/* The chain's inputs as vectors i0_0, i1_0, ...; `format` uses input, input, type, input. */
static void add_loads(drua_text *text, const drua_chain *c, int but, const char *format)
{
    for (int i = 0; i < c->input_count; i++)
        if (i != but)
            drua_text_add(text, format, i, i, (int)c->inputs[i]->type, i);
}

/* The chain's inputs as struct chain_inputs, to which a row of the source points. */
void drua_chain_add_prologue(drua_text *text, const drua_chain *c)
{
    const int structs = structs_of(c);
    drua_text_add(text, "#define PROLOGUE_PARAMETERS");
    add_each(text, c->input_count, ALL, ", INPUT(prologue_in%d)");
    add_each(text, structs, ALL, ", const chain_numbers prologue_n%d");
    drua_text_add(text, "\n#define PROLOGUE_INPUTS const chain_inputs inputs = {");
    for (int i = 0; i < c->input_count; i++)
        drua_text_add(text, "%sprologue_in%d_pixels, (INDEX)prologue_in%d.offset", i ? ", " : "", i, i);
    add_each(text, structs, ALL, ", prologue_n%d");
    drua_text_add(text, "};\ntypedef struct {\n");
    add_each(text, c->input_count, ALL, "    global const uchar *in%d;\n    INDEX at%d;\n");
    add_each(text, structs, ALL, "    chain_numbers n%d;\n");
    drua_text_add(text, "} chain_inputs;\ninline FLOATV chain_prologue(const chain_inputs *c, const INDEX at, const "
                        "int count, const bool whole)\n{\n");
    add_loads(text, c, ALL, "    const FLOATV i%d_0 = load_some(c->in%d, %d, c->at%d + at, count, whole);\n");
    add_each(text, structs, ALL, "    const chain_numbers n%d = c->n%d;\n");
    add_steps(text, c, 0);
    drua_text_add(text, "    return v%d_0;\n}\n", c->outputs[0]);
}

void drua_chain_add_epilogue(drua_text *text, const drua_chain *c, const drua_value *result, bool keeps_result)
{
    const int from = drua_chain_input_number(c, result), structs = structs_of(c);
    drua_text_add(text, "#define KEEPS %d\n#define EPILOGUE_PARAMETERS", keeps_result);
    add_each(text, c->input_count, from, ", INPUT(epilogue_in%d)");
    add_each(text, c->output_count, ALL, ", OUTPUT(epilogue_out%d)");
    add_each(text, structs, ALL, ", const chain_numbers epilogue_n%d");
    drua_text_add(text, "\n#define EPILOGUE_ARGUMENTS");
    add_each(text, c->input_count, from, ", epilogue_in%d_pixels, (INDEX)epilogue_in%d.offset");
    add_each(text, c->output_count, ALL, ", epilogue_out%d_pixels, (INDEX)epilogue_out%d.offset");
    add_each(text, structs, ALL, ", epilogue_n%d");
    drua_text_add(text,
                  "\ninline void chain_epilogue(const INDEX at, const int most, const int count, const bool whole, "
                  "const FLOATV i%d_0",
                  from);
    add_each(text, c->input_count, from, ", global const uchar *in%d, const INDEX in%d_at");
    add_each(text, c->output_count, ALL, ", global uchar *out%d, const INDEX out%d_at");
    add_each(text, structs, ALL, ", const chain_numbers n%d");
    drua_text_add(text, ")\n{\n");
    add_loads(text, c, from,
              "    const FLOATV i%d_0 = load_some(in%d, %d, in%d_at + at, whole ? most : count, whole);\n");
    add_steps(text, c, 0);
    for (int i = 0; i < c->output_count; i++)
        drua_text_add(text, "    store_some(out%d, %d, out%d_at + at, count, whole && count == most, v%d_0);\n", i,
                      (int)c->values[c->outputs[i]]->type, i, c->outputs[i]);
    drua_text_add(text, "}\n");
}

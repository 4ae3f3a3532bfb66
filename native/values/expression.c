/* SPDX-License-Identifier: BSD-3-Clause */
/* Analyses the expressions of pointwise operations. */
#include "value.h"

#include "registry.h"
#include "text.h"

#include <ctype.h>

static void add_operations(drua_text *text, const char *macro, bool exact)
{
    drua_text_add(text, "#define %s \\\n", macro);
    for (int i = 0; drua_op_table[i]; i++)
        if (drua_op_table[i]->expression && (drua_op_table[i]->numeric == DRUA_EXACT) == exact)
            drua_text_add(text, "case %d: v = %s; break; \\\n", i, drua_op_table[i]->expression);
    drua_text_add(text, "\n");
}

char *drua_expressions_source(void)
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
        if (*c == name && (c == op->expression || (!isalnum((unsigned char)c[-1]) && c[-1] != '_')) &&
            !isalnum((unsigned char)c[1]) && c[1] != '_')
            return true;
    return false;
}

bool drua_op_is_positional(const drua_op *op)
{
    return drua_op_mentions(op, 'X') || drua_op_mentions(op, 'Y') || drua_op_mentions(op, 'Z');
}

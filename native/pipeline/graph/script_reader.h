/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the words and values of a pipeline's text. Values are computed at once, so blocks see only their results. */
#ifndef DRUA_PIPELINE_SCRIPT_READER_H
#define DRUA_PIPELINE_SCRIPT_READER_H

#include "script.h"

enum { SCRIPT_WORD = 128 };

typedef struct script_variable_entry {
    char name[SCRIPT_WORD];
    script_argument value;
} script_variable_entry;

typedef struct script_reader {
    const char *at;
    int line;
    script *out;
    script_variable_entry *variables;
    size_t count;
    int depth, rounds; /* nested loops, and rounds of all loops so far */
} script_reader;

drua_status script_fail_at_line(const script_reader *r, const char *what);

/* Skips white space and comments. */
void script_skip_blanks(script_reader *r);

/* Skips spaces, then the given character if it follows; returns whether it did. */
bool script_take_character(script_reader *r, char c);

/* Reads a name including its dots, such as Ext.CLIJ2_blur. */
bool script_take_word(script_reader *r, char word[SCRIPT_WORD]);

/* Returns the value of a variable, or NULL. The pointer is valid until a variable is added. */
script_argument *script_variable(script_reader *r, const char *name);

/*
 * Computes an expression of numbers, strings and variables with + - * / % and parentheses. + joins strings. A word
 * that does not name a variable names an image. The caller owns a->text.
 */
drua_status script_take_value(script_reader *r, script_argument *a);

/* Compares two expressions that are numbers. */
drua_status script_take_condition(script_reader *r, bool *holds);

/* Skips a string that begins here. */
drua_status script_skip_text(script_reader *r);

#endif

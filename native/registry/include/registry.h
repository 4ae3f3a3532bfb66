/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds operations and commands by name. Any thread: the first call builds the registry, later calls only read it. */
#ifndef DRUA_REGISTRY_H
#define DRUA_REGISTRY_H

#include "op.h"

/** One argument that a macro passes, or a fixed value. */
typedef struct drua_command_argument {
    int param;              /**< index in op->params; -1: accepted and ignored */
    const char *name;       /**< for help texts; owned by the registry */
    bool by_reference;
    bool fixed;             /**< not passed by the macro: `number` or `text` */
    double number;
    const char *text;
    drua_type type;         /**< of a new output; DRUA_NO_TYPE: the operation's own rule */
    bool type_of_source;    /**< ":source": the type of the first image argument */
} drua_command_argument;

/** A number that a command puts into the results table. */
typedef struct drua_command_result {
    const char *column;
    int param;
} drua_command_result;

/** A macro command: an operation and the order of the command's arguments. */
typedef struct drua_command_entry {
    const char *name;       /**< with prefix */
    const drua_op *op;
    drua_command_argument *arguments;
    size_t argument_count;
    drua_command_result *results;
    size_t result_count;
    struct drua_command_entry *other; /**< the next signature of this command, which comes from another release of CLIJ
                                         or, for a Drua_ command, from a CLIJ prefix; NULL: the last signature */
} drua_command_entry;

/** The table that the build makes from native/ops; ends with NULL. */
extern const drua_op *const drua_op_table[];

/** Finds an operation, a command, or the index of a parameter by name. Returns NULL, or -1 for a parameter, if the name
 * is unknown. */
const drua_op *drua_find_op(const char *name);
const drua_command_entry *drua_find_command(const char *name);
int drua_find_param(const drua_op *op, const char *name);

/**
 * Sets *entry to the signature of this command that takes `count` arguments: *entry or one of its others. If no
 * signature does, fails with an error message that lists the arguments of each, and does not change *entry.
 */
drua_status drua_choose_signature(const drua_command_entry **entry, size_t count);

/** Returns the parameter of the first input image that the call gives (`given`, one for each parameter), or -1. */
int drua_first_input(const drua_op *op, const bool *given);

/** Returns whether an output is a label map if the first given input (drua_first_input) is one (`source`). */
bool drua_makes_labels(const drua_op *op, size_t output, bool source);

/** Returns true if a command has a CLIJ prefix. */
static inline bool drua_is_of_clij(const drua_command_entry *entry)
{
    return entry->name[0] == 'C';
}

/** Number of commands, and command `index`, counted from 0; NULL if the index is too large. */
size_t drua_command_count(void);
const drua_command_entry *drua_command_at(size_t index);

/**
 * End of an error message about an unknown command: the most similar command ("; did you mean CLIJ2_copy?"), what to do
 * instead of a command of CLIJ2 that Drua does not have, or "". Valid until the next call of this thread.
 */
const char *drua_similar_commands(const char *name);

/** End of an error message about an unknown operation ("; did you mean gaussian_blur?"), or "". The unknown name may
 * also be similar to a command's name with or without its prefix ("gaussianBlur3D"); the text then has the operation
 * that the command runs. Valid until the next call of this thread. */
const char *drua_similar_operations(const char *name);

/** The first error in descriptors or aliases as a message, or NULL if all are valid. For tests. */
const char *drua_registry_fault(void);

/** The index of an operation in drua_op_table, which is its opcode in chains. */
int drua_op_number(const drua_op *op);

#endif

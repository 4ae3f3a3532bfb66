/* SPDX-License-Identifier: BSD-3-Clause */
#include "registry.h"

#include "absent.h"
#include "alloc.h"
#include "c_locale.h"
#include "error.h"
#include "hash.h"
#include "text.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 8192, MAX_ARGUMENTS = 32, LONGEST = 1024 };

static drua_command_entry *commands;
static size_t command_count, command_capacity;
static int bucket[BUCKETS];         /* index + 1 of a command, 0: free; open addressing */
static char fault[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void note_fault(const char *op, const char *what, const char *detail)
{
    if (!*fault)
        snprintf(fault, sizeof fault, "operation %.100s: %.100s '%.200s'", op, what, detail);
}

static char *trim_spaces(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);)
        *--end = 0;
    return text;
}

static size_t bucket_of(const char *name)
{
    size_t at = (size_t)(drua_hash(DRUA_HASH_START, name, strlen(name)) % BUCKETS);
    while (bucket[at] && strcmp(commands[bucket[at] - 1].name, name))
        at = (at + 1) % BUCKETS;
    return at;
}

static drua_type type_by_name(const char *name)
{
    static const char *const names[] = {"uint8", "int8", "uint16", "int16", "uint32", "int32", "float32"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return (drua_type)(i + 1);
    return DRUA_NO_TYPE;
}

static void parse_argument(const drua_op *op, char *text, drua_command_argument *argument)
{
    *argument = (drua_command_argument){.param = -1};
    char *value = strchr(text, '=');
    char *type = strchr(text, ':');
    if (value) {
        *value++ = 0;
        argument->fixed = true;
    } else if (type) {
        *type++ = 0;
        argument->type_of_source = !strcmp(trim_spaces(type), "source");
        argument->type = type_by_name(trim_spaces(type));
        if (!argument->type && !argument->type_of_source)
            note_fault(op->name, "an alias has the unknown type", type);
    }
    text = trim_spaces(text);
    bool ignored = *text == '~';
    argument->by_reference = *text == '&';
    if (ignored || argument->by_reference)
        text++;
    argument->name = drua_copy_text(text);
    if (ignored)
        return;
    argument->param = drua_find_param(op, text);
    if (argument->param < 0) {
        note_fault(op->name, "an alias has the unknown parameter", text);
        return;
    }
    if (value) {
        value = trim_spaces(value);
        if (drua_kind_is_text(op->params[argument->param].kind))
            argument->text = drua_copy_text(value);
        else
            argument->number = strtod(value, NULL);
    }
}

static size_t passed_count(const drua_command_entry *entry)
{
    size_t passed = 0;
    for (size_t k = 0; k < entry->argument_count; k++)
        passed += !entry->arguments[k].fixed;
    return passed;
}

/* Returns the signature of a command that takes `count` arguments, or NULL. */
static const drua_command_entry *signature_of(const drua_command_entry *entry, size_t count)
{
    while (entry && passed_count(entry) != count)
        entry = entry->other;
    return entry;
}

/* Adds a signature to a command. */
static void add_signature(drua_command_entry *entry, const drua_command_entry *model)
{
    drua_command_entry *other = drua_alloc(sizeof *other);
    drua_command_argument *arguments = drua_alloc(model->argument_count * sizeof *arguments);
    if (!other || !arguments)
        return;
    memcpy(arguments, model->arguments, model->argument_count * sizeof *arguments);
    *other = *model;
    other->name = entry->name;
    other->arguments = arguments;
    other->other = entry->other;
    entry->other = other;
}

static void add_command(const drua_op *op, const char *prefix, const char *name, const drua_command_argument *arguments,
                        size_t count, const drua_command_result *results, size_t result_count)
{
    char full[LONGEST];
    snprintf(full, sizeof full, "%s_%s", prefix, name);
    drua_command_entry *present = bucket[bucket_of(full)] ? &commands[bucket[bucket_of(full)] - 1] : NULL;
    if (present) {
        const drua_command_entry model = {
            .op = op, .arguments = (drua_command_argument *)arguments, .argument_count = count};
        if (present->op == op && !result_count && !signature_of(present, passed_count(&model)))
            add_signature(present, &model);
        else
            note_fault(op->name, "two operations have the command", full);
        return;
    }
    if (command_count == command_capacity) {
        size_t capacity = command_capacity ? 2 * command_capacity : 1024;
        drua_command_entry *grown = drua_realloc(commands, capacity * sizeof *grown);
        if (!grown)
            return;
        commands = grown;
        command_capacity = capacity;
    }
    drua_command_entry *entry = &commands[command_count];
    *entry = (drua_command_entry){.op = op, .argument_count = count, .result_count = result_count};
    entry->name = drua_copy_text(full);
    entry->arguments = drua_alloc(count * sizeof *arguments);
    entry->results = drua_alloc(result_count * sizeof *results);
    if (!entry->name || !entry->arguments || !entry->results)
        return;
    memcpy(entry->arguments, arguments, count * sizeof *arguments);
    for (size_t i = 0; i < count && !strcmp(prefix, "CLIJ"); i++)
        entry->arguments[i].by_reference = false;       /* the oldest dialect passes only names, also as literals */
    if (result_count)
        memcpy(entry->results, results, result_count * sizeof *results);
    size_t at = bucket_of(full);
    bucket[at] = (int)++command_count;
}

/* Makes arguments of outputs references, as in all Drua_ commands. */
static void pass_outputs_by_reference(const drua_op *op, drua_command_argument *arguments, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (arguments[i].param >= 0 && drua_kind_is_output(op->params[arguments[i].param].kind))
            arguments[i].by_reference = true;
}

static void add_command_like(const drua_command_entry *model, const char *prefix)
{
    char full[LONGEST];
    const char *name = strchr(model->name, '_') + 1;
    snprintf(full, sizeof full, "%s_%s", prefix, name);
    if (bucket[bucket_of(full)])
        return;
    const drua_command_entry copy = *model;     /* the list may move when it grows */
    drua_command_argument arguments[MAX_ARGUMENTS];
    memcpy(arguments, copy.arguments, copy.argument_count * sizeof *arguments);
    pass_outputs_by_reference(copy.op, arguments, copy.argument_count);
    add_command(copy.op, prefix, name, arguments, copy.argument_count, copy.results, copy.result_count);
}

static void parse_alias(const drua_op *op, const char *alias)
{
    char text[LONGEST];
    if (strlen(alias) >= sizeof text) {
        note_fault(op->name, "this alias is too long:", alias);
        return;
    }
    strcpy(text, alias);
    char *colon = strchr(text, ':'), *space = strchr(text, ' ');
    if (!colon || !space || space > colon) {
        note_fault(op->name, "this alias is not 'PREFIX name: arguments':", alias);
        return;
    }
    *colon = *space = 0;
    char *body = colon + 1, *table = strchr(body, ';');
    drua_command_argument arguments[MAX_ARGUMENTS];
    drua_command_result results[MAX_ARGUMENTS];
    size_t count = 0, result_count = 0;
    if (table)
        *table++ = 0;
    for (char *save = NULL, *part = strtok_r(body, ",", &save); part && count < MAX_ARGUMENTS;
         part = strtok_r(NULL, ",", &save))
        if (*trim_spaces(part))
            parse_argument(op, trim_spaces(part), &arguments[count++]);
    for (char *save = NULL, *part = strtok_r(table ? table : body + strlen(body), ",", &save);
         part && result_count < MAX_ARGUMENTS; part = strtok_r(NULL, ",", &save)) {
        char *equal = strchr(part, '=');
        if (!equal)
            continue;
        *equal++ = 0;
        int param = drua_find_param(op, trim_spaces(equal));
        if (param < 0 || op->params[param].kind != DRUA_KIND_NUMBER_OUT)
            note_fault(op->name, "an alias has in its table the unknown number", equal);
        else
            results[result_count++] = (drua_command_result){drua_copy_text(trim_spaces(part)), param};
    }
    char *name = trim_spaces(space + 1);
    for (char *save = NULL, *prefix = strtok_r(text, "/", &save); prefix; prefix = strtok_r(NULL, "/", &save))
        add_command(op, prefix, name, arguments, count, results, result_count);
}

/* Adds the command Drua_NAME of an operation, with all its parameters in order. */
static void add_own_command(const drua_op *op)
{
    char name[LONGEST];
    size_t length = 0;
    for (const char *c = op->name; *c && length + 1 < sizeof name; c++)
        name[length++] = *c == '_' && c[1] ? (char)toupper((unsigned char)*++c) : *c;
    name[length] = 0;
    drua_command_argument arguments[MAX_ARGUMENTS];
    size_t count = 0;
    for (size_t i = 0; i < op->param_count && count < MAX_ARGUMENTS; i++)
        if (op->params[i].kind != DRUA_KIND_TABLE_OUT)
            arguments[count++] = (drua_command_argument){
                .param = (int)i, .name = op->params[i].name, .by_reference = drua_kind_is_output(op->params[i].kind)};
    add_command(op, "Drua", name, arguments, count, NULL, 0);
}

static void check_param(const drua_op *op, const drua_param *p)
{
    if (!p->name || !p->doc || !*p->doc)
        note_fault(op->name, "this parameter has no documentation:", p->name ? p->name : "?");
    if (p->has_range && !p->default_text && !(p->default_value >= p->minimum && p->default_value <= p->maximum))
        note_fault(op->name, "the default of this parameter is outside its range:", p->name);
    if (p->kind == DRUA_KIND_INTEGER && !(p->has_range && p->minimum >= -0x1p53 && p->maximum <= 0x1p53))
        note_fault(op->name, "this integer has no range within 2^53:", p->name);
    for (const drua_param *setting = p->settings; setting && setting->name; setting++) {
        const bool is_numeric = setting->kind == DRUA_KIND_NUMBER || setting->kind == DRUA_KIND_ARRAY_IN;
        if (is_numeric && !setting->has_range)
            note_fault(op->name, "this setting has no range:", setting->name);
        check_param(op, setting);
    }
}

static void check_op(const drua_op *op)
{
    size_t images = 0, numbers = 0;
    for (size_t i = 0; i < op->param_count; i++) {
        const drua_param *p = &op->params[i];
        check_param(op, p);
        images += p->kind == DRUA_KIND_IMAGE_IN || p->kind == DRUA_KIND_IMAGE_INOUT;
        numbers += p->kind == DRUA_KIND_NUMBER || p->kind == DRUA_KIND_INTEGER || p->kind == DRUA_KIND_BOOLEAN;
    }
    if (!op->summary || !*op->summary || !op->category)
        note_fault(op->name, "summary or category is missing:", op->name);
    if (op->estimate && !drua_find_op(op->estimate))
        note_fault(op->name, "this operation for the estimate does not exist:", op->estimate);
    const bool has_both = op->expression && op->launch;
    int bodies =
        (op->expression != NULL) + (op->launch != NULL) + (op->build != NULL) + ((op->traits & DRUA_HOST) != 0);
    if (bodies != (has_both ? 2 : 1))
        note_fault(op->name,
                   "must have exactly one of expression (also with launch), launch, build and DRUA_HOST:", op->name);
    if (op->build && (op->parts || op->region || op->describe_blocks || op->build_large))
        note_fault(op->name, "a composite must not have parts:", op->name);
    if (op->expression && (images > 3 || numbers > 3))
        note_fault(op->name, "this expression has more than three images or numbers:", op->expression);
}

/* Adds each command with all other prefixes, except where a prefix already has a command with this name. */
static void add_other_prefixes(void)
{
    static const char *const prefixes[] = {"Drua", "CLIJ2", "CLIJx", "CLIJ"};
    const size_t before = command_count;
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < before; i++) {
            const size_t length = strlen(prefixes[k]);
            if (strncmp(commands[i].name, prefixes[k], length) || commands[i].name[length] != '_')
                continue;
            for (size_t other = 0; other < 4; other++)
                add_command_like(&commands[i], prefixes[other]);
        }
}

/* Adds to a Drua_ command the signatures of its name with CLIJ prefixes that differ in the number of arguments. */
static void add_other_signatures(drua_command_entry *own)
{
    static const char *const prefixes[] = {"CLIJ2", "CLIJx", "CLIJ", "CLIJxt"};
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
        char full[LONGEST];
        snprintf(full, sizeof full, "%s%s", prefixes[k], strchr(own->name, '_'));
        const int found = bucket[bucket_of(full)];
        for (const drua_command_entry *model = found ? &commands[found - 1] : NULL; model; model = model->other)
            if (!signature_of(own, passed_count(model))) {
                add_signature(own, model);
                pass_outputs_by_reference(own->other->op, own->other->arguments, own->other->argument_count);
            }
    }
}

static void fill_registry(void)
{
    drua_locale_enter();
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        check_op(*op);
        add_own_command(*op);
        for (const char *const *alias = (*op)->aliases; alias && *alias; alias++)
            parse_alias(*op, *alias);
    }
    add_other_prefixes();
    for (size_t i = 0; i < command_count; i++)
        if (!strncmp(commands[i].name, "Drua_", 5))
            add_other_signatures(&commands[i]);
    drua_locale_leave();
}

/* ---- operations by name: open addressing */

enum { OP_SLOTS = 4096 };

static const drua_op *op_slot[OP_SLOTS];
static pthread_once_t ops_once = PTHREAD_ONCE_INIT;

static const drua_op **slot_of(const char *name)
{
    size_t i = drua_hash(DRUA_HASH_START, name, strlen(name)) % OP_SLOTS;
    while (op_slot[i] && strcmp(op_slot[i]->name, name))
        i = (i + 1) % OP_SLOTS;
    return &op_slot[i];
}

static void fill_slots(void)
{
    for (const drua_op *const *op = drua_op_table; *op; op++)
        *slot_of((*op)->name) = *op;
}

const drua_op *drua_find_op(const char *name)
{
    pthread_once(&ops_once, fill_slots);
    return *slot_of(name);
}

const drua_command_entry *drua_find_command(const char *name)
{
    pthread_once(&once, fill_registry);
    int found = bucket[bucket_of(name)];
    return found ? &commands[found - 1] : NULL;
}

static void add_argument_names(const drua_command_entry *entry, drua_text *text)
{
    const char *between = " (";
    for (size_t k = 0; k < entry->argument_count; k++)
        if (!entry->arguments[k].fixed) {
            drua_text_add(text, "%s%s", between, entry->arguments[k].name);
            between = ", ";
        }
    drua_text_add(text, passed_count(entry) ? ")" : "");
}

drua_status drua_choose_signature(const drua_command_entry **entry, size_t count)
{
    const drua_command_entry *chosen = signature_of(*entry, count);
    if (chosen) {
        *entry = chosen;
        return DRUA_OK;
    }
    drua_text text = {0};
    for (const drua_command_entry *e = *entry; e; e = e->other) {
        const size_t passed = passed_count(e);
        if (e == *entry)
            drua_text_add(&text, "takes %zu argument%s", passed, passed == 1 ? "" : "s");
        else
            drua_text_add(&text, " or %zu", passed);
        add_argument_names(e, &text);
    }
    drua_fail(DRUA_E_ARGUMENT, "%s, got %zu", drua_text_characters(&text), count);
    drua_text_free(&text);
    return DRUA_E_ARGUMENT;
}

size_t drua_command_count(void)
{
    pthread_once(&once, fill_registry);
    return command_count;
}

const drua_command_entry *drua_command_at(size_t index)
{
    pthread_once(&once, fill_registry);
    return index < command_count ? &commands[index] : NULL;
}

int drua_first_input(const drua_op *op, const bool *given)
{
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_IN && given[i])
            return (int)i;
    return -1;
}

bool drua_makes_labels(const drua_op *op, size_t output, bool source)
{
    const bool converts = op->expression && !strcmp(op->expression, "a");
    const bool keeps_labels = converts || op->view || (op->traits & (DRUA_COPIES | DRUA_KEEPS_LABELS));
    return op->params[output].labels || (source && keeps_labels);
}

int drua_find_param(const drua_op *op, const char *name)
{
    for (size_t i = 0; i < op->param_count; i++)
        if (!strcmp(op->params[i].name, name))
            return (int)i;
    return -1;
}

const char *drua_similar_commands(const char *name)
{
    static _Thread_local char text[LONGEST];
    pthread_once(&once, fill_registry);
    const char *best = NULL;
    size_t min = strlen(name) / 3 + 1;
    if (drua_absent_advice(name)) {
        snprintf(text, sizeof text, "; %s", drua_absent_advice(name));
        return text;
    }
    for (size_t i = 0; i < command_count; i++) {
        size_t distance = drua_text_distance(name, commands[i].name);
        if (distance < min) {
            min = distance;
            best = commands[i].name;
        }
    }
    if (best)
        snprintf(text, sizeof text, "; did you mean %s?", best);
    return best ? text : "";
}

static size_t distance_to_command(const char *name, const drua_command_entry *command)
{
    const char *prefix_end = strchr(command->name, '_');
    const char *const spellings[] = {command->op->name, command->name, prefix_end ? prefix_end + 1 : command->name};
    size_t min = SIZE_MAX;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const size_t distance = drua_text_distance(name, spellings[i]);
        min = distance < min ? distance : min;
    }
    return min;
}

const char *drua_similar_operations(const char *name)
{
    static _Thread_local char text[LONGEST];
    pthread_once(&once, fill_registry);
    const drua_command_entry *best = NULL;
    size_t min = strlen(name) / 3 + 1;
    for (size_t i = 0; i < command_count; i++) {
        const size_t distance = distance_to_command(name, &commands[i]);
        if (distance < min) {
            min = distance;
            best = &commands[i];
        }
    }
    if (best)
        snprintf(text, sizeof text, "; did you mean %s?", best->op->name);
    return best ? text : "";
}

const char *drua_registry_fault(void)
{
    pthread_once(&once, fill_registry);
    return *fault ? fault : NULL;
}

int drua_op_number(const drua_op *op)
{
    int number = 0;
    while (drua_op_table[number] && drua_op_table[number] != op)
        number++;
    return number;
}

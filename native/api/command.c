/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls by name: binds arguments to parameters, runs the operation, and assigns handles and names to results. */
#include "context.h"

#include "alloc.h"
#include "clock.h"
#include "error.h"
#include "registry.h"
#include "table.h"

#include <stdatomic.h>
#include <string.h>

enum { MAX_PARAMS = 32 };

/*
 * The operation of one call with an extra parameter for each image of a list. Filled only by calls with a list, because
 * it is large.
 */
typedef struct spread {
    drua_op op;
    drua_param params[MAX_PARAMS];
    drua_name names[MAX_PARAMS];
} spread;

/* State of one call, from binding its arguments to returning its results. */
typedef struct call {
    drua_context *context;
    const drua_op *op;
    /* the name that the caller used, as prefix of errors; NULL: a call by another function of drua.h, without prefix */
    const char *label;
    drua_bound bound[MAX_PARAMS];
    drua_image images[MAX_PARAMS]; /* handle of each image argument; 0: the call creates it */
    bool created[MAX_PARAMS]; /* this call created the image */
    bool reads_labels; /* the first input is a label map */
    drua_argument *outputs[MAX_PARAMS]; /* where a result is written back; NULL: nowhere */
    const drua_argument *list;          /* argument for a parameter of kind images; NULL: none */
    spread *spread;                     /* the operation with a parameter for each entry of `list` */
    drua_region *region;                /* the part of the first output image to compute; NULL: all */
} call;

const char *drua_result_name(const char *command)
{
    static atomic_ulong number;
    drua_text *text = drua_thread_text();
    drua_text_add(text, "%s_result%lu", command, atomic_fetch_add(&number, 1) + 1);
    return drua_text_characters(text);
}

static const char *kind_sentence(drua_kind kind)
{
    if (drua_kind_is_image(kind))
        return "an image";
    if (drua_kind_is_text(kind))
        return "a string";
    if (kind == DRUA_KIND_IMAGES)
        return "an array that alternates names and images";
    return kind == DRUA_KIND_ARRAY_IN ? "an array of numbers" : "a number";
}

static drua_status fail_wrong_kind(const drua_param *param, const drua_argument *argument)
{
    static const char *const got[] = {"nothing",          "a number", "a string", "an image", "an array of numbers",
                                      "an array of names"};
    bool known = (unsigned)argument->kind < sizeof got / sizeof *got;
    return drua_fail(DRUA_E_ARGUMENT, "%s must be %s, got %s", param->name, kind_sentence(param->kind),
                     known ? got[argument->kind] : "an argument of unknown kind");
}

static drua_status bind_image(call *c, int i, drua_image image)
{
    const drua_param *param = &c->op->params[i];
    const slot *s = drua_slot(c->context, image);
    if (!s) {
        if (c->label)
            drua_error_prefix(param->name, 0);
        return DRUA_E_NAME;
    }
    c->images[i] = image;
    c->bound[i].value = param->replaces ? NULL : s->value;
    c->bound[i].text = s->metadata;
    c->bound[i].labels = s->labels;
    c->bound[i].is_set = true;
    return DRUA_OK;
}

static drua_status bind_argument(call *c, int i, drua_argument *argument)
{
    const drua_param *param = &c->op->params[i];
    drua_bound *bound = &c->bound[i];
    if (drua_kind_is_output(param->kind))
        c->outputs[i] = argument;
    if (drua_kind_is_image(param->kind)) {
        if (argument->kind == DRUA_ARG_IMAGE)
            return bind_image(c, i, argument->image);
        if (param->kind == DRUA_KIND_IMAGE_OUT && argument->kind == DRUA_ARG_NONE)
            return DRUA_OK;
        return fail_wrong_kind(param, argument);
    }
    if (argument->kind == DRUA_ARG_NONE || drua_kind_is_output(param->kind))
        return DRUA_OK;
    const bool text = drua_kind_is_text(param->kind), list = param->kind == DRUA_KIND_IMAGES;
    drua_argument_kind wanted = text ? DRUA_ARG_TEXT : list ? DRUA_ARG_LIST : DRUA_ARG_NUMBER;
    if (param->kind == DRUA_KIND_ARRAY_IN)
        wanted = DRUA_ARG_ARRAY;
    if (argument->kind != wanted || (text && !argument->text) || (list && !argument->list && argument->length))
        return fail_wrong_kind(param, argument);
    if (list)
        c->list = argument;
    bound->is_set = true;
    bound->number = argument->number;
    bound->text = argument->text;
    bound->array = argument->array;
    bound->length = argument->length;
    return DRUA_OK;
}

/* Finds the image of a list entry, which is a handle or a name. */
static drua_status find_listed_image(call *c, const char *param, size_t entry, const drua_argument *given,
                                     drua_image *image)
{
    if (given->kind == DRUA_ARG_IMAGE) {
        *image = given->image;
        if (drua_slot(c->context, given->image))
            return DRUA_OK;
        drua_error_prefix(param, 0);
        return DRUA_E_NAME;
    }
    if (given->kind != DRUA_ARG_TEXT || !given->text)
        return drua_fail(DRUA_E_ARGUMENT, "%s: element %zu must be an image; names and images alternate", param, entry);
    *image = drua_name_image(c->context, given->text);
    return *image ? DRUA_OK : drua_fail_unknown_image(c->context, param, given->text);
}

/* Checks a name of the list, and adds the image that follows it to the parameters of this call. */
static drua_status add_listed_image(call *c, int i, size_t entry)
{
    const char *param = c->op->params[i].name;
    const drua_argument *name = &c->list->list[entry];
    drua_bound *bound = &c->bound[i];
    drua_image image = 0;
    size_t at = c->spread->op.param_count;
    if (name->kind != DRUA_ARG_TEXT || !name->text)
        return drua_fail(DRUA_E_ARGUMENT, "%s: element %zu must be a name; names and images alternate", param, entry);
    for (size_t k = 0; k < bound->length; k++)
        if (!strcmp(c->spread->names[k].text, name->text))
            return drua_fail(DRUA_E_ARGUMENT, "%s has two images named '%s'; give each image a different name", param,
                             name->text);
    DRUA_TRY(find_listed_image(c, param, entry + 1, &c->list->list[entry + 1], &image));
    for (size_t k = c->op->param_count; k < c->spread->op.param_count; k++)
        if (c->images[k] == image)
            at = k;
    if (at == MAX_PARAMS || bound->length == MAX_PARAMS)
        return drua_fail(DRUA_E_ARGUMENT, "%s has more than %zu images; use fewer", param,
                         MAX_PARAMS - c->op->param_count);
    if (at == c->spread->op.param_count) {
        c->spread->params[c->spread->op.param_count++] =
            (drua_param){.name = name->text, .doc = "image of the list", .kind = DRUA_KIND_IMAGE_INOUT};
        c->images[at] = image;
        c->bound[at].value = drua_slot(c->context, image)->value;
        c->bound[at].is_set = true;
    }
    c->spread->names[bound->length++] = (drua_name){name->text, (int)at};
    return DRUA_OK;
}

/* Adds a parameter to the call for each image of the list. */
static drua_status add_list_params(call *c)
{
    int i = 0;
    while (c->op->params[i].kind != DRUA_KIND_IMAGES)
        i++;
    const char *param = c->op->params[i].name;
    if (!c->list->length || c->list->length % 2)
        return drua_fail(DRUA_E_ARGUMENT, "%s has %zu elements; alternate names and images, such as \"a\", image",
                         param, c->list->length);
    spread *own = c->spread;
    own->op = *c->op;
    memcpy(own->params, c->op->params, c->op->param_count * sizeof *own->params);
    c->bound[i].names = own->names;
    c->bound[i].length = 0;
    for (size_t entry = 0; entry < c->list->length; entry += 2)
        DRUA_TRY(add_listed_image(c, i, entry));
    own->op.params = own->params;
    c->op = &own->op;
    return DRUA_OK;
}

/* Moves the text that the call made for an image to that image. */
static void assign_text(call *c, size_t i, slot *to)
{
    if (!c->bound[i].text_result)
        return;
    drua_free(to->metadata);
    to->metadata = c->bound[i].text_result;
    c->bound[i].text_result = NULL;
}

static drua_status create_handle(call *c, size_t i)
{
    drua_value *value = c->bound[i].result;
    c->bound[i].result = NULL;
    DRUA_TRY(drua_slot_new(c->context, value, &c->images[i]));
    c->created[i] = true;
    return DRUA_OK;
}

static drua_status write_number_or_text(call *c, size_t i)
{
    const drua_kind kind = c->op->params[i].kind;
    drua_argument *out = c->outputs[i];
    if (out && kind == DRUA_KIND_NUMBER_OUT) {
        out->kind = DRUA_ARG_NUMBER;
        out->number = c->bound[i].number_result;
    } else if (out && kind == DRUA_KIND_TEXT_OUT) {
        const char *result = c->bound[i].text_result ? c->bound[i].text_result : "";
        drua_text *text = drua_thread_text();
        drua_text_append(text, result, strlen(result));
        if (text->failed)
            return drua_fail_memory(strlen(result));
        out->kind = DRUA_ARG_TEXT;
        out->text = drua_text_characters(text);
    }
    return DRUA_OK;
}

/* Returns whether the first given input is a label map. */
static bool reads_labels(const call *c)
{
    bool given[MAX_PARAMS];
    for (size_t i = 0; i < c->op->param_count; i++)
        given[i] = c->images[i] != 0;
    const int first = drua_first_input(c->op, given);
    return first >= 0 && drua_slot(c->context, c->images[first])->labels;
}

static drua_status run_call(call *c, drua_table **table)
{
    drua_context *context = c->context;
    c->reads_labels = reads_labels(c); /* an output may take over the input's name, which releases the input */
    if (c->list)
        DRUA_TRY(add_list_params(c));
    const char *name = c->label ? c->label : c->op->name;
    const double start = context->traced ? drua_seconds() : 0;
    drua_status status = c->region ? drua_engine_call_part(&context->engine, c->op, c->bound, c->region)
                                   : drua_engine_call(&context->engine, c->op, c->bound, table);
    for (size_t i = 0; i < c->op->param_count && status == DRUA_OK; i++) {
        if (c->bound[i].result && !c->images[i])
            status = create_handle(c, i);
        if (status == DRUA_OK)
            status = write_number_or_text(c, i);
    }
    if (context->traced)
        drua_text_add(&context->trace, "> %s\n< %s %.3f ms\n", name, name, 1e3 * (drua_seconds() - start));
    return status;
}

/* Existing images get their new values after all steps that can fail; a failed call releases all its new images. */
static drua_status end_call(call *c, drua_status status, drua_table **table)
{
    drua_context *context = c->context;
    for (size_t i = 0; i < c->op->param_count; i++) {
        slot *s = status == DRUA_OK && c->bound[i].result ? drua_slot(context, c->images[i]) : NULL;
        if (s) {
            drua_value *old = s->value;
            s->value = c->bound[i].result;
            c->bound[i].result = old;
        }
        slot *output = status == DRUA_OK && c->op->params[i].kind == DRUA_KIND_IMAGE_OUT && c->images[i]
                           ? drua_slot(context, c->images[i])
                           : NULL;
        if (output) { /* NULL if another output took over the name, which released this image */
            output->labels = c->bound[i].labels || drua_makes_labels(c->op, i, c->reads_labels);
            assign_text(c, i, output);
        }
        if (status != DRUA_OK && c->created[i])
            drua_slot_release(context, c->images[i]);
        drua_value_release(&context->engine, c->bound[i].result);
        drua_free(c->bound[i].text_result);
    }
    if (status != DRUA_OK && table) {
        drua_table_discard(*table);
        *table = NULL;
    }
    if (status != DRUA_OK && c->label)
        drua_error_prefix(c->label, 0);
    return status;
}

static drua_status bind_and_run(call *c, drua_argument *arguments, size_t count, drua_table **table)
{
    size_t next = 0;
    for (size_t i = 0; i < c->op->param_count; i++)
        if (c->op->params[i].kind != DRUA_KIND_TABLE_OUT && next < count)
            DRUA_TRY(bind_argument(c, (int)i, &arguments[next++]));
    if (next < count)
        return drua_fail(DRUA_E_ARGUMENT, "takes %zu arguments, got %zu", next, count);
    DRUA_TRY(run_call(c, table));
    for (size_t i = 0; i < c->op->param_count; i++)
        if (c->op->params[i].kind == DRUA_KIND_IMAGE_OUT && c->outputs[i] && c->images[i]) {
            c->outputs[i]->kind = DRUA_ARG_IMAGE;
            c->outputs[i]->image = c->images[i];
        }
    return DRUA_OK;
}

static drua_status run_operation(drua_context *context, const drua_op *op, const char *label, drua_argument *arguments,
                                 size_t count, drua_table **table, drua_region *region)
{
    spread list;
    call c = {.context = context, .op = op, .label = label, .spread = &list, .region = region};
    DRUA_TRY(drua_enter_work(context));
    const drua_status status = end_call(&c, bind_and_run(&c, arguments, count, table), table);
    drua_leave(context);
    return status;
}

static drua_status fail_unknown_operation(const char *operation)
{
    const char *near = drua_similar_operations(operation);
    return drua_fail(DRUA_E_NAME, "there is no operation '%s'%s", operation,
                     *near ? near : "; 'drua describe' lists all operations");
}

drua_status drua_invoke(drua_context *context, const char *operation, drua_argument *arguments, size_t count,
                        drua_table **table)
{
    const drua_op *op = drua_find_op(operation);
    if (table)
        *table = NULL;
    if (!op)
        return fail_unknown_operation(operation);
    return run_operation(context, op, operation, arguments, count, table, NULL);
}

drua_status drua_invoke_part_sized(drua_context *context, const char *operation, drua_argument *arguments, size_t count,
                                   drua_part *part, size_t size)
{
    const drua_op *op = drua_find_op(operation);
    drua_region region = {.whole = {0}};
    drua_part whole;
    drua_copy_known(&whole, sizeof whole, part, size);
    if (!op)
        return fail_unknown_operation(operation);
    for (int axis = 0; axis < 3; axis++) {
        region.box.first[axis] = whole.first[axis];
        region.box.end[axis] = whole.end[axis];
    }
    const drua_status status = run_operation(context, op, operation, arguments, count, NULL, &region);
    whole.whole = region.whole;
    whole.reads_all = region.reads_all;
    drua_copy_known(part, size, &whole, sizeof whole);
    return status;
}

drua_status drua_invoke_inside(drua_context *context, const char *operation, drua_argument *arguments, size_t count)
{
    return run_operation(context, drua_find_op(operation), NULL, arguments, count, NULL, NULL);
}

/* ---- macro commands: images are names */

/*
 * Returns whether a Drua_ command replaces the existing image `name` by a new one: only an image that the same argument
 * in the same macro line has made, as in a loop. CLIJ2 commands overwrite the image and keep its extent.
 */
static bool is_made_anew(const call *c, const drua_param *param, const char *name, const void *maker)
{
    const int line = c->context->engine.line;
    return param->kind == DRUA_KIND_IMAGE_OUT && !param->partial && line > 0 && !strncmp(c->label, "Drua_", 5) &&
           drua_name_has_maker(c->context, name, maker, line);
}

static drua_status bind_name(call *c, int i, drua_argument *argument, const void *maker, const char **name)
{
    const drua_param *param = &c->op->params[i];
    bool output = param->kind == DRUA_KIND_IMAGE_OUT;
    *name = NULL;
    if (argument->kind == DRUA_ARG_TEXT && argument->text && *argument->text) {
        drua_image image = drua_name_image(c->context, argument->text);
        if (!image && !output)
            return drua_fail_unknown_image(c->context, param->name, argument->text);
        *name = argument->text;
        return image && !param->replaces && !is_made_anew(c, param, argument->text, maker) ? bind_image(c, i, image)
                                                                                           : DRUA_OK;
    }
    if (argument->kind == DRUA_ARG_ARRAY || argument->kind == DRUA_ARG_LIST)
        return fail_wrong_kind(param, argument);
    if (!output)
        return drua_fail(DRUA_E_ARGUMENT, "%s must be the name of an image, got %s; push an image and pass its name",
                         param->name, argument->kind == DRUA_ARG_NUMBER ? "a number" : "an empty text");
    return DRUA_OK;
}

static void add_extents(drua_text *text, const drua_shape *shape)
{
    drua_text_add(text, shape->depth > 1 ? "%lld x %lld x %lld" : "%lld x %lld", (long long)shape->width,
                  (long long)shape->height, (long long)shape->depth);
}

static bool takes_image(const drua_op *op)
{
    bool takes = false;
    for (size_t i = 0; i < op->param_count; i++)
        takes |= drua_kind_is_image(op->params[i].kind) && op->params[i].kind != DRUA_KIND_IMAGE_OUT;
    return takes;
}

/* Returns whether the extent of an existing image differs from the extent that the operation gives a new one. */
static bool has_other_extent(const call *c, size_t i)
{
    const drua_value *old = c->bound[i].value;
    const drua_shape *new = &c->bound[i].natural;
    return c->op->params[i].kind == DRUA_KIND_IMAGE_OUT && (!c->op->params[i].partial || !takes_image(c->op)) && old &&
           new->width && !drua_shape_is_same_size(*new, old->shape);
}

static void add_misfit(const call *c, size_t i, const char *name, drua_text *text)
{
    drua_text_add(text, "%s: the image '%s' exists and keeps its ", c->op->params[i].name, name);
    add_extents(text, &c->bound[i].value->shape);
    drua_text_add(text, " pixels, where a new one would have ");
    add_extents(text, &c->bound[i].natural);
    drua_text_add(text, "; release it first to have a new one");
}

/*
 * Notes the first result that does not fit its image. Macros size some images on purpose, such as a matrix of 2 x 2
 * classes. An image counts as sized on purpose if it was pushed, or if a command without an image parameter made it.
 */
static void note_misfit(const call *c, const char *const names[MAX_PARAMS])
{
    drua_context *context = c->context;
    for (size_t i = 0; i < c->op->param_count && !context->misfit.length; i++) {
        if (!has_other_extent(c, i) || (takes_image(c->op) && !drua_name_is_result(context, names[i])))
            continue;
        drua_text_add(&context->misfit, "%s: ", c->label);
        add_misfit(c, i, names[i], &context->misfit);
        if (context->engine.line > 0)
            drua_text_add(&context->misfit, " (line %d)", context->engine.line);
    }
}

/* If an output is an existing image with an unexpected extent, adds it to the error, because it may be the cause. */
static drua_status explain_misfit(const call *c, const char *const names[MAX_PARAMS], drua_status status)
{
    size_t i = 0;
    while (i < c->op->param_count && !has_other_extent(c, i))
        i++;
    if (status != DRUA_E_ARGUMENT || i == c->op->param_count)
        return status;
    drua_text text = {0};
    drua_text_add(&text, "%s. ", drua_error_text());
    add_misfit(c, i, names[i], &text);
    drua_fail(status, "%s", drua_text_characters(&text));
    drua_text_free(&text);
    return status;
}

/* Makes a table of one row from the numbers that the command writes to the results table. */
static drua_status table_of_results(const drua_command_entry *entry, const drua_argument *results, drua_table **table)
{
    const char *headings[MAX_PARAMS];
    double cells[MAX_PARAMS];
    for (size_t k = 0; k < entry->result_count; k++) {
        headings[k] = entry->results[k].column;
        cells[k] = results[k].number;
    }
    *table = drua_table_make(headings, entry->result_count, cells, 1);
    return *table ? DRUA_OK : drua_fail_memory(sizeof **table);
}

static drua_status run_command(call *c, const drua_command_entry *entry, drua_argument *arguments, size_t count,
                               drua_table **table)
{
    const char *names[MAX_PARAMS] = {NULL};
    const drua_command_argument *makers[MAX_PARAMS] = {NULL};
    drua_argument results[MAX_PARAMS] = {{0}};
    size_t next = 0;
    DRUA_TRY(drua_choose_signature(&entry, count));
    c->op = entry->op;
    for (size_t k = 0; k < entry->argument_count; k++) {
        const drua_command_argument *a = &entry->arguments[k];
        int i = a->param;
        if (a->fixed) {
            c->bound[i].is_set = true;
            c->bound[i].number = a->number;
            c->bound[i].text = a->text;
            continue;
        }
        drua_argument *argument = &arguments[next++];
        if (i < 0)
            continue;
        c->bound[i].type = a->type;
        c->bound[i].type_of_source = a->type_of_source;
        c->bound[i].clij2 = drua_is_of_clij(entry) ? entry->name : NULL;
        if (drua_kind_is_image(c->op->params[i].kind)) {
            c->outputs[i] = argument;
            makers[i] = a;
            DRUA_TRY(bind_name(c, i, argument, a, &names[i]));
        } else {
            DRUA_TRY(bind_argument(c, i, argument));
        }
    }
    for (size_t k = 0; k < entry->result_count; k++)
        c->outputs[entry->results[k].param] = &results[k];
    const drua_status status = run_call(c, table);
    if (status != DRUA_OK)
        return explain_misfit(c, names, status);
    note_misfit(c, names);
    for (size_t i = 0; i < c->op->param_count; i++)
        if (c->op->params[i].kind == DRUA_KIND_IMAGE_OUT && c->outputs[i]) {
            const char *name = names[i] ? names[i] : drua_result_name(entry->name);
            DRUA_TRY(*name ? drua_name_set(c->context, name, c->images[i]) : drua_fail_memory(1));
            if (c->created[i])
                drua_name_note_maker(c->context, name, makers[i], takes_image(c->op), c->context->engine.line);
            c->outputs[i]->kind = DRUA_ARG_TEXT;
            c->outputs[i]->text = name;
        }
    return entry->result_count && table ? table_of_results(entry, results, table) : DRUA_OK;
}

drua_status drua_command(drua_context *context, const char *name, drua_argument *arguments, size_t count,
                         drua_table **table)
{
    const drua_command_entry *entry = drua_find_command(name);
    if (table)
        *table = NULL;
    if (!entry)
        return drua_fail(DRUA_E_NAME, "there is no command '%s'%s", name, drua_similar_commands(name));
    spread list;
    call c = {.context = context, .op = entry->op, .label = name, .spread = &list};
    DRUA_TRY(drua_enter_work(context));
    const drua_status status = end_call(&c, run_command(&c, entry, arguments, count, table), table);
    drua_leave(context);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the commands of a script for a recorder and keeps the names of images. The first image that the script pushes or
 * reads is the input.
 */
#include "recorder.h"

#include "alloc.h"
#include "error.h"
#include "store.h"
#include "image_file.h"
#include "registry.h"
#include "text.h"

#include <string.h>

typedef struct named {
    char *name;
    int value;
    const graph_named *input; /* NULL: a line of the script made the image */
    bool is_read; /* a line of the script reads the image */
} named;

typedef struct session {
    recorder r;
    graph *g;
    const graph_named *inputs;
    int input_count;
    bool pushes; /* the script pushes an image, which is then the input */
    bool has_input;
    named *names;
    size_t count;
} session;

/* ---- names */

static named *find_image(const session *s, const char *name)
{
    for (size_t i = s->count; i-- > 0;)
        if (!strcmp(s->names[i].name, name))
            return &s->names[i];
    return NULL;
}

static drua_status bind_input(session *s, const char *name, int value, const graph_named *input)
{
    named *grown = drua_realloc(s->names, (s->count + 1) * sizeof *grown);
    if (!grown)
        return drua_fail_memory(sizeof *grown);
    s->names = grown;
    grown[s->count] = (named){drua_copy_text(name), value, input, false};
    return grown[s->count++].name ? DRUA_OK : drua_fail_memory(strlen(name));
}

static drua_status bind_name(session *s, const char *name, int value)
{
    return bind_input(s, name, value, NULL);
}

/* ---- inputs that the request names */

static bool is_unread(const named *n)
{
    return n->input && n->input->name && !n->is_read;
}

static const char *option_of(const graph_named *input)
{
    return input->channel < 0 ? "--input" : "--channel";
}

/* Returns the unread input with the most similar name, or NULL. */
static const named *similar_input(const session *s, const char *name)
{
    const char *names[GRAPH_NAMED + 1] = {NULL};
    int count = 0;
    for (size_t i = 0; i < s->count; i++)
        if (is_unread(&s->names[i]))
            names[count++] = s->names[i].name;
    const char *alike = drua_text_most_alike(names, name);
    return alike ? find_image(s, alike) : NULL;
}

/* Fails if no line of the script reads an image that the request names. */
static drua_status require_reads(const session *s)
{
    drua_text read = {0};
    const named *unread = NULL;
    for (size_t i = s->count; i-- > 0;)
        unread = is_unread(&s->names[i]) ? &s->names[i] : unread;
    if (!unread)
        return DRUA_OK;
    for (size_t i = 0; i < s->count; i++)
        if (s->names[i].input && s->names[i].is_read)
            drua_text_add(&read, "%s'%.60s'", read.length ? ", " : "", s->names[i].name);
    drua_fail(
        DRUA_E_NAME,
        "no line of the pipeline reads the image '%.60s' of %s; it reads %s; correct the name, or leave the option out",
        unread->name, option_of(unread->input), read.length ? drua_text_characters(&read) : "no input");
    drua_text_free(&read);
    return DRUA_E_NAME;
}

static drua_status text_of(const script_call *call, size_t i, const char **text)
{
    if (i >= call->count || call->arguments[i].is_number)
        return drua_fail(DRUA_E_ARGUMENT, "argument %zu must be a string", i + 1);
    *text = call->arguments[i].text;
    return DRUA_OK;
}

/* ---- push, pull and release */

/* Adds an input as a value; the first one is the graph's input. */
static drua_status add_input(session *s, const graph_named *in, const char *name)
{
    graph *g = s->g;
    int value;
    DRUA_TRY(recorder_add_source(&s->r, in->metadata->shape, in->metadata->type, &value));
    g->values[value].labels = in->metadata->labels;
    DRUA_TRY(recorder_set_text(g, value, in->text));
    if (in == s->inputs) {
        g->input = value;
        g->place = (graph_place){in->image, in->channel};
        s->has_input = true;
    } else {
        graph_made *made = &g->made[g->made_count];
        *made = (graph_made){.what = drua_copy_text(in->name), .value = value, .place = {in->image, in->channel}};
        if (!made->what)
            return drua_fail_memory(strlen(in->name));
        g->made_count++;
    }
    return bind_input(s, name, value, in);
}

/* Adds the inputs that have names. */
static drua_status add_named_inputs(session *s)
{
    for (int i = 0; i < s->input_count; i++)
        if (s->inputs[i].name)
            DRUA_TRY(add_input(s, &s->inputs[i], s->inputs[i].name));
    return DRUA_OK;
}

static drua_status take_input(session *s, const char *name)
{
    for (int i = 0; i < s->input_count; i++)
        if (s->inputs[i].name && !strcmp(s->inputs[i].name, name))
            return DRUA_OK;
    if (s->has_input && s->inputs[0].name)
        return drua_fail(DRUA_E_NAME,
                         "no --channel or --input has the name '%.200s'; with --channel, a pipeline pushes "
                         "only images with such names",
                         name);
    const named *similar = s->has_input ? similar_input(s, name) : NULL;
    if (similar)
        return drua_fail(DRUA_E_NAME, "no --input has the name '%.200s'; did you mean '%s' of %s?", name, similar->name,
                         option_of(similar->input));
    if (s->has_input)
        return drua_fail(DRUA_E_UNSUPPORTED, "a pipeline has only one input, and this is a second image; if every "
                                             "block needs all of it, read it with Drua_read");
    return add_input(s, &s->inputs[0], name);
}

static drua_status require_whole(const drua_image_file *file)
{
    drua_text message = {0};
    if (drua_image_file_missing(file) == 0)
        return DRUA_OK;
    drua_image_file_describe_missing(file, &message);
    drua_fail(DRUA_E_ARGUMENT, "%s; copy or save it again", drua_text_characters(&message));
    drua_text_free(&message);
    return DRUA_E_ARGUMENT;
}

static drua_status add_file(session *s, const char *path, const char *name)
{
    graph *g = s->g;
    drua_image_file *file;
    graph_file *grown = drua_realloc(g->files, (size_t)(g->file_count + 1) * sizeof *grown);
    if (!grown)
        return drua_fail_memory(sizeof *grown);
    g->files = grown;
    DRUA_TRY(drua_image_file_open(path, &(drua_selection){.level = 0}, &file));
    graph_file *f = &grown[g->file_count];
    *f = (graph_file){.path = drua_copy_text(path)};
    drua_status status = f->path ? require_whole(file) : drua_fail_memory(strlen(path));
    if (status == DRUA_OK && !drua_image_file_stat(path, &f->info))
        status = drua_store_name(path, DRUA_E_AWAY);
    if (status == DRUA_OK)
        status = recorder_add_source(&s->r, drua_image_file_shape(file), drua_image_file_type(file), &f->value);
    drua_image_file_close(file);
    if (status == DRUA_OK)
        g->file_count++;
    else
        drua_free(f->path);
    return status == DRUA_OK ? bind_name(s, name, f->value) : status;
}

static drua_status add_output(session *s, const char *name)
{
    graph *g = s->g;
    named *image = find_image(s, name);
    if (!image)
        return drua_fail(DRUA_E_NAME, "there is no image '%s'; pull an image that an earlier line makes", name);
    for (int i = 0; i < g->output_count; i++)
        if (!strcmp(g->outputs[i].name, name))
            return drua_fail(DRUA_E_UNSUPPORTED, "'%s' is used for two results; give each result a different name",
                             name);
    graph_output *grown = drua_realloc(g->outputs, (size_t)(g->output_count + 1) * sizeof *grown);
    if (!grown)
        return drua_fail_memory(sizeof *grown);
    g->outputs = grown;
    image->is_read = true;
    grown[g->output_count] = (graph_output){drua_copy_text(name), image->value};
    return grown[g->output_count++].name ? DRUA_OK : drua_fail_memory(strlen(name));
}

typedef enum transfer { NO_TRANSFER, PUSH, PULL, READ, WRITE, NOTHING } transfer;

static transfer transfer_of(const char *operation)
{
    static const struct {
        const char *name;
        transfer means;
    } table[] = {{"push", PUSH},        {"push_current_z_stack", PUSH},
                 {"pull", PULL},        {"read", READ},
                 {"write", WRITE},      {"write_compressed", WRITE},
                 {"write_zarr", WRITE}, {"release", NOTHING},
                 {"clear", NOTHING},    {NULL, NO_TRANSFER}};
    int i = 0;
    while (table[i].name && strcmp(table[i].name, operation))
        i++;
    return table[i].means;
}

static drua_status run_transfer(session *s, const script_call *call, transfer what)
{
    const char *first = NULL, *second = NULL;
    if (what == NOTHING)
        return DRUA_OK;
    DRUA_TRY(text_of(call, 0, &first));
    if (what == PUSH)
        return take_input(s, first);
    if (what == PULL || what == WRITE)
        return add_output(s, first);
    DRUA_TRY(text_of(call, 1, &second));
    return s->pushes || s->has_input ? add_file(s, first, second) : take_input(s, second);
}

/* ---- operations */

static drua_status bind_image(session *s, const drua_param *param, const script_argument *a, drua_bound *bound)
{
    const bool reads = param->kind != DRUA_KIND_IMAGE_OUT;
    named *image = a->is_number ? NULL : find_image(s, a->text);
    if (a->is_number)
        return drua_fail(DRUA_E_ARGUMENT, "%s must be the name of an image, got a number", param->name);
    const named *similar = !image && reads ? similar_input(s, a->text) : NULL;
    if (similar)
        return drua_fail(DRUA_E_NAME, "%s: there is no image '%s'; did you mean '%s' of %s?", param->name, a->text,
                         similar->name, option_of(similar->input));
    if (!image && reads)
        return drua_fail(DRUA_E_NAME,
                         "%s: there is no image '%s'; push it, or make it in an earlier line (block by block, "
                         "lists of points are tables, which no command reads)",
                         param->name, a->text);
    if (image) {
        bound->value = s->g->values[image->value].image;
        image->is_read |= reads;
    }
    return DRUA_OK;
}

static drua_status bind_argument(session *s, const drua_param *param, const script_argument *a, drua_bound *bound)
{
    if (drua_kind_is_image(param->kind))
        return bind_image(s, param, a, bound);
    const bool text = drua_kind_is_text(param->kind);
    if (drua_kind_is_output(param->kind))
        return DRUA_OK;
    if (text == a->is_number || param->kind == DRUA_KIND_ARRAY_IN || param->kind == DRUA_KIND_IMAGES)
        return drua_fail(DRUA_E_ARGUMENT, "%s must be %s", param->name,
                         text           ? "a string"
                         : a->is_number ? "an array; pipelines cannot use arrays"
                                        : "a number");
    bound->is_set = true;
    bound->number = a->number;
    bound->text = a->text;
    return DRUA_OK;
}

static drua_status bind_all(session *s, const drua_command_entry *entry, const script_call *call, drua_bound *bound,
                            const char **names)
{
    size_t given = 0;
    for (size_t k = 0; k < entry->argument_count; k++) {
        const drua_command_argument *a = &entry->arguments[k];
        drua_bound *b = a->param < 0 ? NULL : &bound[a->param];
        const script_argument *argument = a->fixed ? NULL : &call->arguments[given++];
        if (!b)
            continue;
        b->type = a->type;
        b->type_of_source = a->type_of_source;
        b->clij2 = drua_is_of_clij(entry) ? entry->name : NULL;
        if (a->fixed) {
            b->is_set = true;
            b->number = a->number;
            b->text = a->text;
            continue;
        }
        DRUA_TRY(bind_argument(s, &entry->op->params[a->param], argument, b));
        names[a->param] = argument->text;
    }
    return DRUA_OK;
}

static drua_status run_operation(session *s, const drua_command_entry *entry, const script_call *call)
{
    DRUA_TRY(drua_choose_signature(&entry, call->count));
    const drua_op *op = entry->op;
    drua_bound bound[DRUA_PLAN_PARAMS] = {{0}};
    const char *names[DRUA_PLAN_PARAMS] = {NULL};
    DRUA_TRY(bind_all(s, entry, call, bound, names));
    DRUA_TRY(s->r.executor.call(s->r.engine, &(drua_request){.op = op, .bound = bound}));
    drua_status status = DRUA_OK;
    for (size_t i = 0; i < op->param_count; i++) {
        if (op->params[i].kind != DRUA_KIND_IMAGE_OUT || !bound[i].result)
            continue;
        for (int v = 0; v < s->g->value_count && names[i] && status == DRUA_OK; v++)
            if (s->g->values[v].image == bound[i].result)
                status = bind_name(s, names[i], v);
        drua_value_release(s->r.engine, bound[i].result);
    }
    return status;
}

static drua_status run_call(session *s, const script_call *call)
{
    const drua_command_entry *entry = drua_find_command(call->name);
    if (!entry)
        return drua_fail(DRUA_E_NAME, "there is no command '%s'%s", call->name, drua_similar_commands(call->name));
    const transfer what = transfer_of(entry->op->name);
    return what == NO_TRANSFER ? run_operation(s, entry, call) : run_transfer(s, call, what);
}

drua_status script_call_visit_files(const script_call *call, script_file_visitor *visit, void *payload)
{
    const drua_command_entry *entry = drua_find_command(call->name);
    if (!entry || drua_choose_signature(&entry, call->count) != DRUA_OK)
        return DRUA_OK;
    for (size_t k = 0, given = 0; k < entry->argument_count; k++) {
        const drua_command_argument *a = &entry->arguments[k];
        const script_argument *argument = a->fixed ? NULL : &call->arguments[given++];
        const drua_param *param = argument && a->param >= 0 ? &entry->op->params[a->param] : NULL;
        if (param && param->kind == DRUA_KIND_PATH && !param->written && !argument->is_number)
            DRUA_TRY(visit(payload, argument->text));
    }
    return DRUA_OK;
}

drua_status script_visit_files(const char *macro, script_file_visitor *visit, void *payload)
{
    script s;
    DRUA_TRY(script_parse(macro, &s));
    drua_status status = DRUA_OK;
    for (size_t i = 0; status == DRUA_OK && i < s.count; i++)
        status = script_call_visit_files(&s.calls[i], visit, payload);
    script_free(&s);
    return status;
}

static drua_status require_file(void *payload, const char *path)
{
    drua_file_info info;
    (void)payload;
    return drua_image_file_stat(path, &info)
               ? DRUA_OK
               : drua_fail(DRUA_E_AWAY,
                           "'%.600s' of the plan is missing; make it accessible, then run the same command again",
                           path);
}

/* Runs a call. If a plan has recorded the call before, a missing file had the right name, but has disappeared. */
static drua_status run_planned_call(session *s, const script_call *call, bool planned)
{
    char why[2048];
    const drua_status status = run_call(s, call);
    if (status != DRUA_E_ARGUMENT || !planned)
        return status;
    drua_copy_start(why, drua_error_text(), sizeof why);
    DRUA_TRY(script_call_visit_files(call, require_file, NULL));
    return drua_fail(status, "%s", why);
}

static bool has_push(const script *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const drua_command_entry *entry = drua_find_command(s->calls[i].name);
        if (entry && transfer_of(entry->op->name) == PUSH)
            return true;
    }
    return false;
}

/* If the script pulls no image, the last computed image is the output. */
static drua_status choose_outputs(session *s)
{
    if (!s->has_input)
        return drua_fail(DRUA_E_ARGUMENT, "the pipeline has no input image; begin it with Ext.Drua_push(image);");
    if (!s->g->output_count && s->count > 1)
        DRUA_TRY(add_output(s, s->names[s->count - 1].name));
    if (!s->g->output_count)
        return drua_fail(DRUA_E_ARGUMENT, "the pipeline has no result image; end it with Ext.Drua_pull(result);");
    return DRUA_OK;
}

drua_status graph_record(drua_engine *engine, const script *commands, const graph_named *inputs, int count,
                         const graph_measure *measure, graph *g)
{
    session s = {.g = g, .inputs = inputs, .input_count = count, .pushes = has_push(commands)};
    drua_status status = DRUA_OK;
    *g = (graph){.input = GRAPH_NONE};
    recorder_begin(&s.r, engine, g, measure);
    status = add_named_inputs(&s);
    for (size_t i = 0; i < commands->count && status == DRUA_OK; i++) {
        status = run_planned_call(&s, &commands->calls[i], measure->planned);
        if (status != DRUA_OK)
            drua_error_prefix(commands->calls[i].name, commands->calls[i].line);
    }
    if (status == DRUA_OK)
        status = choose_outputs(&s);
    if (status == DRUA_OK)
        status = require_reads(&s);
    recorder_end(&s.r);
    for (size_t i = 0; i < s.count; i++)
        drua_free(s.names[i].name);
    drua_free(s.names);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "describe.h"

#include "absent.h"
#include "c_locale.h"
#include "registry.h"
#include "quote.h"
#include "text.h"

#include <pthread.h>
#include <stdio.h>

static drua_text json;
static const char *release;
static pthread_once_t once = PTHREAD_ONCE_INIT;

const char *drua_kind_name(drua_kind kind)
{
    static const char *const name[] = {"image_in", "image_out",  "image_inout", "number",    "integer",
                                       "boolean",  "choice",     "text",        "options",   "array_in",
                                       "images",   "number_out", "text_out",    "table_out", "path"};
    return name[kind];
}

static void add_member(const char *name, const char *value, const char *after)
{
    drua_text_add_json(&json, name);
    drua_text_add(&json, ":");
    drua_text_add_json(&json, value ? value : "");
    drua_text_add(&json, "%s", after);
}

static void add_flag(const char *name, bool on)
{
    drua_text_add(&json, "\"%s\":%s,", name, on ? "true" : "false");
}

/* The element type of an output; "rule" if it depends on arguments. */
static const char *element_type(const drua_param *p)
{
    static const char *const name[] = {"source", "uint8", "int8", "uint16", "int16", "uint32", "int32", "float32"};
    return p->kind != DRUA_KIND_IMAGE_OUT ? NULL : p->type_rule ? "rule" : name[p->type];
}

static void describe_param(const drua_param *p)
{
    drua_text_add(&json, "{");
    add_member("name", p->name, ",");
    add_member("doc", p->doc, ",");
    add_member("kind", drua_kind_name(p->kind), ",");
    add_member("unit", p->unit, ",");
    if (p->has_range)
        drua_text_add(&json, "\"min\":%.17g,\"max\":%.17g,", p->minimum, p->maximum);
    else
        drua_text_add(&json, "\"min\":null,\"max\":null,");
    if (p->default_text) {
        add_member("default", p->default_text, ",");
    } else if (p->kind == DRUA_KIND_NUMBER || p->kind == DRUA_KIND_INTEGER || p->kind == DRUA_KIND_BOOLEAN) {
        drua_text_add(&json, "\"default\":%.17g,", p->default_value);
    } else {
        drua_text_add(&json, "\"default\":null,");
    }
    if (p->example_text)
        add_member("example", p->example_text, ",");
    else if (p->example != 0)
        drua_text_add(&json, "\"example\":%.17g,", p->example);
    else
        drua_text_add(&json, "\"example\":null,");
    add_member("type", element_type(p), ",");
    add_flag("written", p->written);
    add_flag("replaces", p->replaces);
    add_flag("labels", p->labels);
    add_member("group", p->group, ",");
    add_member("enabled_if", p->enabled_if, ",");
    drua_text_add(&json, "\"choices\":[");
    for (const char *const *c = p->choices; c && *c; c++) {
        drua_text_add(&json, c == p->choices ? "" : ",");
        drua_text_add_json(&json, *c);
    }
    drua_text_add(&json, "],\"settings\":[");
    for (const drua_param *setting = p->settings; setting && setting->name && !setting->unlisted; setting++) {
        drua_text_add(&json, setting == p->settings ? "" : ",");
        describe_param(setting);
    }
    drua_text_add(&json, "]}");
}

static const char *mechanism_of(const drua_op *op)
{
    if (op->traits & DRUA_HOST)
        return "host";
    if (op->expression)
        return "pointwise";
    if (op->build)
        return "composite";
    return op->view ? "view" : "kernel";
}

static void describe_op(const drua_op *op)
{
    static const char *const numeric[] = {"exact", "device", "approximate"};
    drua_text_add(&json, "{");
    add_member("name", op->name, ",");
    add_member("category", op->category, ",");
    add_member("summary", op->summary, ",");
    add_member("source", op->source, ",");
    add_member("expression", op->expression, ",");
    add_member("estimate", op->estimate, ",");
    add_member("before_example", op->before_example, ",");
    add_flag("menu", op->menu);
    add_member("numeric", numeric[op->numeric], ",");
    add_member("mechanism", mechanism_of(op), ",");
    add_flag("host", op->traits & DRUA_HOST);
    drua_text_add(&json, "\"parameters\":[");
    for (size_t i = 0; i < op->param_count; i++) {
        drua_text_add(&json, i ? "," : "");
        describe_param(&op->params[i]);
    }
    drua_text_add(&json, "]}");
}

/* Values that the command sets and a macro does not pass. */
static void describe_fixed(const drua_command_entry *c)
{
    drua_text_add(&json, "],\"fixed\":[");
    const char *comma = "";
    for (size_t i = 0; i < c->argument_count; i++) {
        const drua_command_argument *a = &c->arguments[i];
        if (!a->fixed)
            continue;
        drua_text_add(&json, "%s{", comma);
        comma = ",";
        add_member("name", c->op->params[a->param].name, ",");
        if (a->text)
            add_member("value", a->text, "}");
        else
            drua_text_add(&json, "\"value\":%.17g}", a->number);
    }
}

/* Writes an object without its closing brace. */
static void describe_signature(const drua_command_entry *c)
{
    drua_text_add(&json, "{");
    add_member("name", c->name, ",");
    add_member("operation", c->op->name, ",");
    drua_text_add(&json, "\"arguments\":[");
    const char *comma = "";
    for (size_t i = 0; i < c->argument_count; i++) {
        const drua_command_argument *a = &c->arguments[i];
        if (a->fixed)
            continue;
        drua_text_add(&json, "%s{", comma);
        comma = ",";
        add_member("name", a->name, ",");
        add_member("kind", drua_kind_name(a->param < 0 ? DRUA_KIND_NUMBER : c->op->params[a->param].kind), ",");
        drua_text_add(&json, "\"output\":%s,\"ignored\":%s,\"typed\":%s}", a->by_reference ? "true" : "false",
                      a->param < 0 ? "true" : "false", a->type != DRUA_NO_TYPE || a->type_of_source ? "true" : "false");
    }
    describe_fixed(c);
    drua_text_add(&json, "],\"results\":[");
    for (size_t i = 0; i < c->result_count; i++) {
        drua_text_add(&json, i ? ",{" : "{");
        add_member("column", c->results[i].column, ",");
        add_member("parameter", c->op->params[c->results[i].param].name, "}");
    }
    drua_text_add(&json, "]");
}

static void describe_command(const drua_command_entry *c)
{
    describe_signature(c);
    drua_text_add(&json, ",\"others\":[");
    for (const drua_command_entry *other = c->other; other; other = other->other) {
        describe_signature(other);
        drua_text_add(&json, other->other ? "}," : "}");
    }
    drua_text_add(&json, "]}");
}

static void write_json(void)
{
    drua_locale_enter();
    drua_text_add(&json, "{");
    add_member("version", release, ",\n\"operations\":[\n");
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        drua_text_add(&json, op == drua_op_table ? "" : ",\n");
        describe_op(*op);
    }
    drua_text_add(&json, "],\n\"commands\":[\n");
    for (size_t i = 0; i < drua_command_count(); i++) {
        drua_text_add(&json, i ? ",\n" : "");
        describe_command(drua_command_at(i));
    }
    drua_text_add(&json, "],\n\"absent\":[\n");
    for (const drua_absent *absent = drua_absent_table; absent->begins; absent++) {
        drua_text_add(&json, absent == drua_absent_table ? "{" : ",\n{");
        add_member("begins", absent->begins, ",");
        add_member("advice", absent->advice, "}");
    }
    drua_text_add(&json, "]}\n");
    drua_locale_leave();
}

const char *drua_registry_json(const char *version)
{
    release = version;
    pthread_once(&once, write_json);
    return json.failed ? "" : drua_text_characters(&json);
}

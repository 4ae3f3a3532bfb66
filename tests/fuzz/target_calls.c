/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Interprets any bytes as a program of calls: operations and commands with arguments of any kind, NaN, infinities, huge
 * and negative numbers, released images, long names.
 */
#include "fuzz.h"

#include "registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct input {
    const uint8_t *at, *end;
} input;

static drua_context *context;

static unsigned next(input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static unsigned random_below(input *in, unsigned limit)
{
    return limit ? (next(in) | next(in) << 8) % limit : 0;
}

/* ---- arguments; sizes stay small so that valid calls need little memory and time */

static double number(input *in)
{
    static const double some[] = {0,   1,   2,        3,         5,     0.5,    -1,     -3,           7.9,  255,
                                  256, NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e-300, 4294967296.0, 1e10, -0.0};
    const unsigned which = random_below(in, 40);
    return which < sizeof some / sizeof *some ? some[which] : (int)random_below(in, 61) - 20;
}

/* Whether a parameter is a size or an amount of work. */
static bool is_size(const drua_param *p)
{
    static const char *const words[] = {"width",  "height",     "depth", "radius", "sigma", "bins",
                                        "factor", "iterations", "count", "size",   "number"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(p->name, words[i]))
            return true;
    return !strcmp(p->name, "n");
}

static double number_for(input *in, const drua_param *p)
{
    const double any = number(in);
    return p && is_size(p) && any > 60 && any <= p->maximum ? fmod(any, 60) : any;
}

static const char *text(input *in)
{
    static char very_long[3000];
    static const char *const some[] = {"",
                                       "a",
                                       "b",
                                       "c",
                                       "\xc3\xa4 \xf0\x9f\x94\xac",
                                       "blobs.gif",
                                       "Otsu",
                                       "center rotate=45 -center",
                                       "1 2 3\n4 5 6",
                                       "%s%n%d",
                                       "\xff\xfe",
                                       "scale=nan translateX=1e300",
                                       "\"\\",
                                       "sigma=1",
                                       "no such thing"};
    memset(very_long, 'n', sizeof very_long - 1);
    const unsigned which = random_below(in, 18);
    return which < sizeof some / sizeof *some ? some[which] : very_long;
}

static drua_image images[8];

static drua_image image(input *in)
{
    static const drua_image never[] = {0, 1, UINT64_MAX, (uint64_t)9 << 32 | 2};
    const unsigned which = random_below(in, 24);
    return which < 20 ? images[which % 8] : never[which % 4];
}

/* A list that, in most cases, alternates names and images. */
static drua_argument random_list(input *in)
{
    static drua_argument entries[6];
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        entries[i] =
            (drua_argument){.kind = random_below(in, 9) ? i % 2 && random_below(in, 2) ? DRUA_ARG_IMAGE : DRUA_ARG_TEXT
                                                        : (drua_argument_kind)random_below(in, 6),
                            .text = text(in),
                            .image = image(in)};
    return (drua_argument){
        .kind = DRUA_ARG_LIST, .list = random_below(in, 20) ? entries : NULL, .length = random_below(in, 7)};
}

static drua_argument_kind expected_kind(input *in, drua_kind kind, bool names)
{
    if (drua_kind_is_image(kind)) {
        if (kind == DRUA_KIND_IMAGE_OUT && random_below(in, 2))
            return DRUA_ARG_NONE;
        return names ? DRUA_ARG_TEXT : DRUA_ARG_IMAGE;
    }
    if (drua_kind_is_text(kind))
        return DRUA_ARG_TEXT;
    if (kind == DRUA_KIND_ARRAY_IN)
        return DRUA_ARG_ARRAY;
    return drua_kind_is_output(kind) ? DRUA_ARG_NONE : DRUA_ARG_NUMBER;
}

static drua_argument make_argument(input *in, const drua_param *p, bool names)
{
    static const double array[] = {0, 1, -2, NAN, INFINITY, 1e30, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    drua_argument a = {.number = number_for(in, p),
                       .text = text(in),
                       .image = image(in),
                       .array = array,
                       .length = random_below(in, 17)};
    a.kind = (drua_argument_kind)random_below(in, 5);
    if (p && p->kind == DRUA_KIND_IMAGES && random_below(in, 8))
        return random_list(in);
    if (p && random_below(in, 8)) /* mostly the kind that the operation expects */
        a.kind = expected_kind(in, p->kind, names);
    if (a.kind == DRUA_ARG_ARRAY && !random_below(in, 9))
        a.array = NULL;
    if (a.kind == DRUA_ARG_TEXT && !random_below(in, 30))
        a.text = NULL;
    return a;
}

/* ---- calls */

/* Keeps an image for later calls if it is small. */
static void keep_image(input *in, drua_image made)
{
    drua_image_info info;
    if (drua_get_info(context, made, &info) != DRUA_OK)
        return;
    if (info.bytes > 1 << 16) {
        fuzz_check("release", drua_release(context, made));
        return;
    }
    images[random_below(in, 8)] = made;
}

static void push_random_image(input *in)
{
    static float pixels[4096];
    for (size_t i = 0; i < sizeof pixels / sizeof *pixels; i++)
        pixels[i] = (float)(i % 11) - (float)(i % 3);
    const drua_shape shape = {1 + random_below(in, 16), 1 + random_below(in, 16), 1 + random_below(in, 4),
                              random_below(in, 5)};
    drua_image made = 0;
    const drua_status status = drua_push(context, shape, (drua_type)(random_below(in, 9)), pixels, &made);
    fuzz_check("push", status);
    if (status == DRUA_OK) {
        images[random_below(in, 8)] = made;
        static const char *const names[] = {"a", "b", "c", "blobs.gif"};
        if (random_below(in, 3))
            fuzz_check("bind", drua_bind(context, names[random_below(in, 4)], made));
    }
}

/* Whether a call may take seconds on a CPU, because a Fourier transform compiles kernels for each new extent. */
static bool is_slow(const drua_op *op)
{
    return !strcmp(op->category, "fourier") || !strcmp(op->category, "deconvolution");
}

static void invoke(input *in)
{
    size_t operations = 0;
    while (drua_op_table[operations])
        operations++;
    const drua_op *op = drua_op_table[random_below(in, (unsigned)operations)];
    if (is_slow(op) && random_below(in, 20))
        return;
    drua_argument arguments[40];
    size_t count = 0;
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].kind != DRUA_KIND_TABLE_OUT)
            arguments[count++] = make_argument(in, &op->params[i], false);
    if (!random_below(in, 20))
        arguments[count++] = make_argument(in, NULL, false);
    else if (count > 0 && !random_below(in, 20))
        count--;
    drua_table *table = NULL;
    if (getenv("DRUA_VERBOSE"))
        printf("%s\n", op->name);
    const drua_status status =
        drua_invoke(context, random_below(in, 40) ? op->name : text(in), arguments, count, &table);
    fuzz_check(op->name, status);
    drua_table_free(table);
    for (size_t i = 0; status == DRUA_OK && i < count; i++)
        if (arguments[i].kind == DRUA_ARG_IMAGE)
            keep_image(in, arguments[i].image);
}

static void run_command(input *in)
{
    const drua_command_entry *entry = drua_command_at(random_below(in, (unsigned)drua_command_count()));
    if (is_slow(entry->op) && random_below(in, 20))
        return;
    drua_argument arguments[40];
    size_t count = 0;
    for (size_t k = 0; k < entry->argument_count; k++)
        if (!entry->arguments[k].fixed)
            arguments[count++] = make_argument(
                in, entry->arguments[k].param < 0 ? NULL : &entry->op->params[entry->arguments[k].param], true);
    drua_table *table = NULL;
    if (getenv("DRUA_VERBOSE"))
        printf("%s\n", entry->name);
    const drua_status status =
        drua_command(context, random_below(in, 40) ? entry->name : text(in), arguments, count, &table);
    fuzz_check(entry->name, status);
    drua_table_free(table);
    for (size_t i = 0; status == DRUA_OK && i < count; i++) {
        drua_image made = 0;
        if (arguments[i].kind == DRUA_ARG_TEXT && arguments[i].text &&
            drua_find(context, arguments[i].text, &made) == DRUA_OK)
            keep_image(in, made);
    }
}

static void use(input *in)
{
    drua_image_info info;
    const drua_image chosen = image(in);
    const drua_status status = drua_get_info(context, chosen, &info);
    fuzz_check("get_info", status);
    if (status == DRUA_OK && info.bytes <= 1 << 16) {
        static double pixels[(1 << 16) / sizeof(double)];
        fuzz_check("pull", drua_pull(context, chosen, pixels));
    }
    if (!random_below(in, 4))
        fuzz_check("release", drua_release(context, chosen));
    if (!random_below(in, 8))
        fuzz_check("release_name", drua_release_name(context, text(in)));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    input in = {bytes, bytes + size};
    context = fuzz_context();
    memset(images, 0, sizeof images);
    for (int i = 0; i < 6; i++)
        push_random_image(&in);
    while (in.at < in.end) {
        switch (random_below(&in, 8)) {
        case 0: push_random_image(&in); break;
        case 1: use(&in); break;
        case 2:
        case 3: run_command(&in); break;
        default: invoke(&in);
        }
    }
    fuzz_check("sync", drua_sync(context));
    fuzz_check("clear", drua_clear(context));
    return 0;
}

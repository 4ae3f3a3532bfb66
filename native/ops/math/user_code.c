/* SPDX-License-Identifier: BSD-3-Clause */
#include "user_code.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const c_name[] = {"", "uchar", "char", "ushort", "short", "uint", "int", "float"};

/* ---- words of the user's code */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/*
 * Returns the next position where the word occurs as a whole word, or NULL. An empty word is never found; check_names
 * refuses empty names.
 */
static const char *find_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = length ? strstr(text, word) : NULL, *start = text; at; at = strstr(at + length, word))
        if ((at == start || !is_word(at[-1])) && !is_word(at[length]))
            return at;
    return NULL;
}

/*
 * Whether the name at `at` is only the first argument of one of these words, as in "READ_IMAGE(NAME". `writes`:
 * WRITE_IMAGE counts too.
 */
static bool is_argument(const char *start, const char *at, const char *image, bool writes)
{
    static const char *const words[] = {"READ_IMAGE", "GET_IMAGE_WIDTH", "GET_IMAGE_HEIGHT", "GET_IMAGE_DEPTH",
                                        "WRITE_IMAGE"};
    const size_t count = sizeof words / sizeof *words - !writes;
    char own[2][256];
    snprintf(own[0], sizeof own[0], "READ_%s_IMAGE", image);
    snprintf(own[1], sizeof own[1], "WRITE_%s_IMAGE", image);
    while (at > start && isspace((unsigned char)at[-1]))
        at--;
    if (at == start || *--at != '(')
        return false;
    while (at > start && isspace((unsigned char)at[-1]))
        at--;
    const char *end = at;
    while (at > start && is_word(at[-1]))
        at--;
    const size_t length = (size_t)(end - at);
    bool found = false;
    for (int i = 0; i < 1 + writes; i++)
        found = found || (strlen(own[i]) == length && !strncmp(at, own[i], length));
    for (size_t i = 0; i < count; i++)
        found = found || (strlen(words[i]) == length && !strncmp(at, words[i], length));
    return found;
}

/*
 * Whether the text uses the name only as the first argument of words that read or, with `writes`, write pixels; true
 * without a text.
 */
static bool is_only_argument(const char *text, const char *image, bool writes)
{
    bool only = !text || !strchr(text, '#');
    for (const char *at = text ? find_word(text, image) : NULL; at && only; at = find_word(at + strlen(image), image))
        only = is_argument(text, at, image, writes);
    return only;
}

/* Whether code may compute pixel positions from the pointer. The image's rows must then be contiguous. */
static bool counts_pixels(const user_code *user, const char *image)
{
    return !is_only_argument(user->code, image, true) || !is_only_argument(user->globals, image, true);
}

static bool text_only_reads(const char *text, const char *image)
{
    char writer[256];
    snprintf(writer, sizeof writer, "WRITE_%s_IMAGE", image);
    return !find_word(text, writer) && is_only_argument(text, image, false);
}

bool user_code_only_reads(const char *code, const char *globals, const char *image)
{
    return text_only_reads(code, image) && (!globals || text_only_reads(globals, image));
}

/* ---- source text of the kernel */

typedef struct writer {
    char *text;
    size_t length, size;
} writer;

static void append_text(writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(w->text + w->length, w->size - w->length, format, arguments);
    va_end(arguments);
    w->length += length > 0 && (size_t)length < w->size - w->length ? (size_t)length : 0;
}

/*
 * Whether extents must be constants in the source text. User code may need constant extents, such as for the length of
 * an array, or use extents outside the kernel.
 */
static bool wants_extents(const user_code *user)
{
    static const char *const words[] = {"GET_IMAGE_", "IMAGE_SIZE_", "get_global_size"};
    bool wants = user->globals && (strstr(user->globals, "READ_") || strstr(user->globals, "WRITE_"));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        wants = wants || strstr(user->code, words[i]) || (user->globals && strstr(user->globals, words[i]));
    return wants;
}

static void add_extent(writer *w, const char *image, const char *axis, const char *argument, bool constant,
                       int32_t extent)
{
    if (constant)
        append_text(w, "#define IMAGE_SIZE_%s_%s %d\n", image, axis, (int)extent);
    else
        append_text(w, "#define IMAGE_SIZE_%s_%s ((int)image_size_%s_%s)\n", image, axis, image, argument);
}

/* Defines the words that contain the image's name. */
static void add_words(writer *w, const drua_named_image *image, bool constant, bool computes_positions)
{
    const char *n = image->name, *type = c_name[image->view.layout.type];
    const bool stack = image->shape.dimension == 3;
    const char *kind = stack ? "stack" : "plane", *position = stack ? "STACK" : "PLANE";
    add_extent(w, n, "WIDTH", "width", constant, image->view.layout.width);
    add_extent(w, n, "HEIGHT", "height", constant, image->view.layout.height);
    add_extent(w, n, "DEPTH", "depth", constant, image->view.layout.depth);
    append_text(w, "#define IMAGE_%s_PIXEL_TYPE %s\n", n, type);
    append_text(
        w,
        "#define IMAGE_%s_TYPE long image_size_%s_width, long image_size_%s_height, long image_size_%s_depth, global "
        "%s *\n",
        n, n, n, n, type);
    append_text(w, "#define CONVERT_%s_PIXEL_TYPE clij_convert_%s_sat\n", n, type);
    append_text(w, "#define POS_%s_TYPE DRUA_%s_POSITION\n#define POS_%s_INSTANCE(x, y, z, w) DRUA_%s_AT(x, y, z, w)\n",
                n, position, n, position);
    append_text(w, "#define DRUA_EXTENT_%s(i) GET_IMAGE_WIDTH(i), GET_IMAGE_HEIGHT(i), GET_IMAGE_DEPTH(i), ", n);
    if (computes_positions)
        append_text(w, "GET_IMAGE_WIDTH(i), (long)GET_IMAGE_WIDTH(i) * GET_IMAGE_HEIGHT(i)\n");
    else
        append_text(w, "drua_layout_%s.row, drua_layout_%s.plane\n", n, n);
    append_text(w, "#define READ_%s_IMAGE(i, s, at) drua_%s_read_%s(DRUA_EXTENT_%s(i), i, at)\n", n, kind, type, n);
    append_text(w, "#define WRITE_%s_IMAGE(i, at, v) drua_%s_write_%s(DRUA_EXTENT_%s(i), i, at, v)\n", n, kind, type,
                n);
}

/*
 * Adds the kernel function. An extra } in the user's code would end the kernel early; the text after the code then does
 * not compile.
 */
static void add_kernel(writer *w, const user_code *user)
{
    const char *extent = user->images[user->extent].name;
    append_text(w, DRUA_PART "image_parameters\nkernel void custom_operation(");
    for (size_t i = 0; i < user->count; i++)
        append_text(w, "%sglobal %s *drua_pixels_%s, const drua_layout drua_layout_%s", i ? ", " : "",
                    c_name[user->images[i].view.layout.type], user->images[i].name, user->images[i].name);
    append_text(w,
                ") {\nif (get_global_id(0) >= drua_layout_%s.width || get_global_id(1) >= drua_layout_%s.height || "
                "get_global_id(2) >= drua_layout_%s.depth) return;\n",
                extent, extent, extent);
    for (size_t i = 0; i < user->count; i++) {
        const char *n = user->images[i].name;
        append_text(
            w,
            "const long image_size_%s_width = drua_layout_%s.width, image_size_%s_height = drua_layout_%s.height, "
            "image_size_%s_depth = drua_layout_%s.depth;\n",
            n, n, n, n, n, n);
        append_text(w, "global %s *%s = drua_pixels_%s + drua_layout_%s.offset;\n",
                    c_name[user->images[i].view.layout.type], n, n, n);
    }
    if (user->positions)
        append_text(w, "const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n");
    append_text(w,
                "enum { a_brace_too_many };\n" DRUA_PART
                "%s\n%s\n\ntypedef char end_of_the_code[a_brace_too_many + 1];\n}\n",
                user->code_name, user->code);
}

/*
 * Defines get_global_size as the size of the image over which the kernel runs, without rounding up to whole
 * work-groups.
 */
static void add_global_size(writer *w, const user_code *user)
{
    const drua_layout *l = &user->images[user->extent].view.layout;
    if (strstr(user->code, "get_global_size") || (user->globals && strstr(user->globals, "get_global_size")))
        append_text(
            w, "#define get_global_size(axis) ((size_t)((axis) == 0 ? %d : (axis) == 1 ? %d : (axis) == 2 ? %d : 1))\n",
            (int)l->width, (int)l->height, (int)l->depth);
}

static const char *make_text(drua_plan *plan, const user_code *user)
{
    enum { FOR_AN_IMAGE = 4096 };
    size_t names = 0;
    for (size_t i = 0; i < user->count; i++)
        names = strlen(user->images[i].name) > names ? strlen(user->images[i].name) : names;
    writer w = {.size = strlen(user->code) + (user->globals ? strlen(user->globals) : 0) +
                        (user->count + 1) * (FOR_AN_IMAGE + 64 * names)};
    const bool constant = wants_extents(user);
    w.text = plan_host_memory(plan, w.size);
    if (!w.text)
        return NULL;
    for (size_t i = 0; i < user->count; i++)
        add_words(&w, &user->images[i], constant, counts_pixels(user, user->images[i].name));
    add_global_size(&w, user);
    if (user->globals)
        append_text(&w, DRUA_PART "%s\n%s\n\n", user->globals_name, user->globals);
    add_kernel(&w, user);
    return w.text;
}

/* ---- execution */

static bool is_identifier(const char *name)
{
    bool is = *name && !isdigit((unsigned char)*name);
    for (; *name; name++)
        is = is && is_word(*name) && (unsigned char)*name < 0x80;
    return is;
}

static void check_names(drua_plan *plan, const user_code *user)
{
    static const char *const taken[] = {"x", "y", "z"};
    for (size_t i = 0; i < user->count; i++) {
        const char *name = user->images[i].name;
        if (!is_identifier(name))
            plan_fail(
                plan,
                "image_parameters: '%s' is not a variable name; use letters, digits and _, and begin with a letter",
                name);
        for (size_t k = 0; k < sizeof taken / sizeof *taken && user->positions; k++)
            if (!strcmp(name, taken[k]))
                plan_fail(
                    plan,
                    "image_parameters: '%s' is reserved for the position of the pixel; give the image another name",
                    name);
    }
}

/* Refuses code whose result depends on the size of work-groups. This size differs between devices. */
static void check_groups(drua_plan *plan, const char *name, const char *text)
{
    size_t length;
    const char *word = text ? user_code_find_group_word(text, &length) : NULL;
    if (word)
        plan_fail(plan, "%s uses %.*s; write the code without work-groups, whose size Drua chooses", name, (int)length,
                  word);
}

/*
 * If code computes pixel positions in an image, under any of its names, its pixels must be contiguous. The view is then
 * copied, and the copy is written back after the kernel has run.
 */
static drua_view pixels_of(drua_plan *plan, const user_code *user, size_t i)
{
    const drua_named_image *image = &user->images[i];
    bool must_be_dense = image->view.layout.column != 1;
    for (size_t k = i; k < user->count; k++)
        must_be_dense = must_be_dense || (user->images[k].first == i && counts_pixels(user, user->images[k].name));
    if (!must_be_dense || drua_layout_is_dense(&image->view.layout))
        return image->view;
    const drua_view copy = plan_scratch(plan, image->shape, (drua_type)image->view.layout.type);
    plan_copy(plan, image->view, copy, 0, 0, 0);
    return copy;
}

void user_code_run(drua_plan *plan, const user_code *user)
{
    drua_arg arguments[USER_IMAGES + 1] = {{.kind = DRUA_LAUNCH_END}};
    check_names(plan, user);
    check_groups(plan, user->globals_name, user->globals);
    check_groups(plan, user->code_name, user->code);
    const char *text = plan_failed(plan) ? NULL : make_text(plan, user);
    for (size_t i = 0; i < user->count && text; i++)
        arguments[i] = user->images[i].first < i ? arguments[user->images[i].first] : ARG(pixels_of(plan, user, i));
    if (text && !plan_failed(plan))
        plan_launch_user_kernel(plan, "custom", text, "custom_operation",
                                plan_grid(user->images[user->extent].view.layout), arguments);
    for (size_t i = 0; i < user->count && text; i++)
        if (arguments[i].as.view.buffer != user->images[i].view.buffer && user->images[i].first == i)
            plan_copy(plan, arguments[i].as.view, user->images[i].view, 0, 0, 0);
}

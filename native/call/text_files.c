/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the text files of operations. */
#include "call.h"

#include "alloc.h"
#include "error.h"
#include "file.h"
#include "host_work.h"
#include "image_file.h"
#include "new_file.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_BYTES = 1 << 30 };

/* Makes room for `more` characters and the NUL byte after them. */
static bool make_room(drua_plan *plan, drua_plan_text *text, size_t more)
{
    if (text->length + more < text->capacity)
        return true;
    const size_t capacity = 2 * (text->length + more) + 1024;
    char *grown = plan_host_memory(plan, capacity);
    if (!grown)
        return false;
    if (text->length > 0)
        memcpy(grown, text->characters, text->length);
    text->characters = grown;
    text->capacity = capacity;
    return true;
}

void plan_print(drua_plan *plan, drua_plan_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (plan->status != DRUA_OK || length < 0 || !make_room(plan, text, (size_t)length))
        return;
    va_start(arguments, format);
    vsnprintf(text->characters + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

void plan_write_text(drua_plan *plan, const char *path, const drua_plan_text *text)
{
    if (plan->status != DRUA_OK || !plan_try(plan, drua_image_file_check_text_name(path)) ||
        !plan_try(plan, drua_image_file_may_write(path)))
        return;
    plan_try(plan, drua_new_file_write(path, NULL, text->characters, text->length));
}

char *plan_read_text(drua_plan *plan, const char *path)
{
    drua_bytes bytes = {0};
    uint64_t size = 0;
    if (plan->status != DRUA_OK)
        return NULL;
    const drua_file_state state = drua_file_part(path, 0, MAX_BYTES, &bytes, &size);
    char *text = NULL;
    if (state == DRUA_FILE_ABSENT)
        plan_fail(plan, "%s does not exist; check the path", path);
    else if (state == DRUA_FILE_AWAY)
        plan_try(plan, drua_fail(DRUA_E_AWAY, "%s cannot be read at the moment; try again later", path));
    else if (state != DRUA_FILE_PRESENT)
        plan_fail(plan, "%s cannot be read; use the path of a text file that you may read", path);
    else if (size > MAX_BYTES)
        plan_fail(plan, "%s has %llu bytes, but a text file may have at most %d; split it into several files", path,
                  (unsigned long long)size, MAX_BYTES);
    else
        text = plan_host_memory(plan, bytes.length + 1);
    const size_t mark = drua_text_mark(bytes.data, bytes.length), length = bytes.length - mark;
    if (text && length > 0)
        memcpy(text, bytes.data + mark, length);
    if (text && memchr(text, 0, length))
        plan_fail(plan, "%s is not a text file, because it has a NUL byte; save it as plain text", path);
    drua_free(bytes.data);
    return plan->status == DRUA_OK ? text : NULL;
}

void plan_keep_input(drua_plan *plan, const char *output, const char *input)
{
    if (plan->status == DRUA_OK && (drua_file_is_inside(input, output) || drua_file_is_inside(output, input)))
        plan_fail(plan, "the output %s is the input %s or would replace it; use another output", output, input);
}

bool plan_is_file(const char *path)
{
    return drua_file_is_ordinary(path);
}

void plan_make_folder(drua_plan *plan, const char *path)
{
    if (plan->status == DRUA_OK && !drua_file_make_shared_folder(path))
        plan_fail(plan, "cannot create the folder %s; check that you may write there", path);
}

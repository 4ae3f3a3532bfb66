/* SPDX-License-Identifier: BSD-3-Clause */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char sentence[1600];

/* Names and contents of files may contain line ends; a quoted text stays on one line. */
static void in_one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            *text = ' ';
}

drua_status drua_fail(drua_status status, const char *format, ...)
{
    char text[sizeof sentence]; /* the arguments may refer to the old message */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    in_one_line(text);
    memcpy(sentence, text, sizeof sentence);
    return status;
}

void drua_error_prefix(const char *operation, int line)
{
    char text[sizeof sentence], where[48] = "";
    size_t length = strlen(operation);
    if (strncmp(sentence, operation, length) == 0 && strchr(": (", sentence[length]))
        return;
    if (line > 0)
        snprintf(where, sizeof where, " (called in line %d)", line);
    if (snprintf(text, sizeof text, "%s%s: %s", operation, where, sentence) > 0)
        memcpy(sentence, text, sizeof sentence);
}

const char *drua_error_text(void)
{
    return sentence;
}

drua_status drua_fail_memory(size_t bytes)
{
    return drua_fail(DRUA_E_MEMORY, "host memory does not have %zu more bytes; close other programs or images", bytes);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "file_name.h"

#include "utf8.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { LIMIT = 200 }; /* bytes; systems allow 255, of which suffixes such as ".zarr.writing" take some */

static bool equal_ignoring_case(const char *a, const char *b, size_t length)
{
    size_t i = 0;
    while (i < length && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i]))
        i++;
    return i == length;
}

/* Whether Windows keeps a name for a device, with any extension. */
static bool is_device(const char *name)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul", "conin$", "conout$"};
    size_t length = strcspn(name, ".");
    while (length && name[length - 1] == ' ')
        length--;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (length == strlen(devices[i]) && equal_ignoring_case(name, devices[i], length))
            return true;
    return length == 4 && (equal_ignoring_case(name, "com", 3) || equal_ignoring_case(name, "lpt", 3)) &&
           name[3] >= '0' && name[3] <= '9';
}

const char *drua_file_name_fault(const char *name)
{
    const size_t length = strlen(name);
    if (!length)
        return "it is empty";
    if (length > LIMIT)
        return "it has more than 200 bytes";
    if (!drua_is_utf8(name))
        return "it is not UTF-8";
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return "it has a line end or another control character";
    if (strpbrk(name, "/\\:*?\"<>|"))
        return "it has one of the characters / \\ : * ? \" < > |";
    if (strchr(". ", name[0]) || strchr(". ", name[length - 1]))
        return "it begins or ends with a dot or a space";
    return is_device(name) ? "Windows keeps this name for a device" : NULL;
}

bool drua_file_name_same(const char *a, const char *b)
{
    return strlen(a) == strlen(b) && equal_ignoring_case(a, b, strlen(a));
}

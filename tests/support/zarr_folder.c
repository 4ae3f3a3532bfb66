/* SPDX-License-Identifier: BSD-3-Clause */
#include "zarr_folder.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void zarr_folder_put(const char *folder, const char *name, const void *bytes, size_t length)
{
    char path[800];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *c = path + strlen(folder) + 1; (c = strchr(c, '/')) != NULL; *c++ = '/') {
        *c = 0;
        mkdir(path, 0755);
    }
    FILE *file = fopen(path, "wb");
    ck_assert_msg(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0, "%s cannot be written", path);
}

char *zarr_folder_get(const char *folder, const char *name, size_t *length)
{
    char path[800];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file, "%s cannot be read", path);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    ck_assert_uint_eq(fread(bytes, 1, *length, file), *length);
    bytes[*length] = 0;
    fclose(file);
    return bytes;
}

/* Decodes base64 in place and returns the number of bytes. */
static size_t decode(char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0, held = 0;
    size_t length = 0;
    for (const char *c = text; *c && *c != '=' && *c != '\n'; c++) {
        bits = bits << 6 | (unsigned)(strchr(digits, *c) - digits);
        held += 6;
        if (held >= 8)
            text[length++] = (char)(bits >> (held -= 8));
    }
    return length;
}

void zarr_folder_unpack(const char *list, const char *folder)
{
    static char line[1 << 16];
    FILE *file = fopen(list, "r");
    ck_assert_msg(file, "%s cannot be read", list);
    while (fgets(line, sizeof line, file)) {
        char *blank = strchr(line, ' ');
        if (*line == '#')
            continue;
        *blank = 0;
        zarr_folder_put(folder, line, blank + 1, decode(blank + 1));
    }
    fclose(file);
}

bool zarr_folder_holds(const char *folder, const char *part)
{
    char command[800];
    snprintf(command, sizeof command, "test -n \"$(find '%s' -name '*%s*')\"", folder, part);
    return system(command) == 0;
}

void zarr_folder_remove(const char *folder)
{
    char command[800];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables that calls return: freeing them, and writing them as CSV. */
#include "c_locale.h"
#include "error.h"
#include "file.h"
#include "table.h"
#include "text.h"

#include <drua/drua.h>

#include <math.h>
#include <string.h>

enum { MOST_PATH = 4096 };

void drua_table_free(drua_table *table)
{
    drua_table_discard(table);
}

static void add_heading(drua_text *text, const char *heading)
{
    if (!strpbrk(heading, ",\"\r\n")) {
        drua_text_append(text, heading, strlen(heading));
        return;
    }
    drua_text_append(text, "\"", 1);
    for (; *heading; heading++)
        drua_text_append(text, *heading == '"' ? "\"\"" : heading, *heading == '"' ? 2 : 1);
    drua_text_append(text, "\"", 1);
}

/* printf writes NaN as "nan", "-nan" or "nan(ind)", which differs between C libraries. */
static void add_cell(drua_text *text, double cell)
{
    if (isnan(cell))
        drua_text_append(text, "NaN", 3);
    else
        drua_text_add(text, "%.17g", cell);
}

static void add_rows(drua_text *text, const drua_table *table)
{
    for (size_t column = 0; column < table->columns; column++) {
        drua_text_append(text, ",", column > 0);
        add_heading(text, table->headings[column]);
    }
    drua_text_append(text, "\n", 1);
    for (size_t row = 0; row < table->rows; row++) {
        for (size_t column = 0; column < table->columns; column++) {
            drua_text_append(text, ",", column > 0);
            add_cell(text, table->cells[row * table->columns + column]);
        }
        drua_text_append(text, "\n", 1);
    }
}

/* Writes a temporary file beside the path, then renames it. A replaced file passes on its owner and permissions. */
static bool write_file(const char *path, const char *characters, size_t length)
{
    char resolved[MOST_PATH], temporary[MOST_PATH];
    drua_file_info info;
    if (!drua_file_resolve(path, resolved, sizeof resolved))
        return false;
    const bool replaces = drua_file_look(resolved, &info);
    if (replaces && !info.is_file)
        return false;
    FILE *file = drua_file_create_beside(resolved, temporary, sizeof temporary);
    if (!file)
        return false;
    const bool allowed = !replaces || drua_file_copy_rights(resolved, temporary);
    const bool written = allowed && fwrite(characters, 1, length, file) == length, closed = fclose(file) == 0;
    if (written && closed && drua_file_move(temporary, resolved))
        return true;
    drua_file_remove(temporary);
    return false;
}

drua_status drua_table_write(const drua_table *table, const char *path)
{
    drua_text text = {0};
    drua_locale_enter();
    add_rows(&text, table);
    drua_status status = text.failed ? drua_fail_memory(text.length) : DRUA_OK;
    if (status == DRUA_OK && !write_file(path, drua_text_characters(&text), text.length))
        status = drua_fail(
            DRUA_E_ARGUMENT,
            "the table cannot be written to '%s'; choose a file in an existing folder that you may write to", path);
    drua_text_free(&text);
    drua_locale_leave();
    return status;
}

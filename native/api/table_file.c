/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables that calls return: freeing them, and writing them as CSV. */
#include "c_locale.h"
#include "error.h"
#include "image_file.h"
#include "new_file.h"
#include "table.h"
#include "text.h"

#include <drua/drua.h>

#include <math.h>
#include <string.h>

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

drua_status drua_check_text_path(const char *path)
{
    return drua_image_file_check_text_name(path);
}

drua_status drua_table_write(const drua_table *table, const char *path)
{
    DRUA_TRY(drua_image_file_check_text_name(path));
    drua_text text = {0};
    drua_locale_enter();
    add_rows(&text, table);
    drua_status status = text.failed ? drua_fail_memory(text.length) : DRUA_OK;
    if (status == DRUA_OK)
        status = drua_new_file_write(path, NULL, drua_text_characters(&text), text.length);
    drua_text_free(&text);
    drua_locale_leave();
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <drua/drua.h>

#include <stdio.h>
#include <stdlib.h>

#define COUNT(...)                   (sizeof(const drua_argument[]){__VA_ARGS__} / sizeof(drua_argument))
#define RUN(command, ...)            run(command, (drua_argument[]){__VA_ARGS__}, COUNT(__VA_ARGS__), NULL)
#define MEASURE(table, command, ...) run(command, (drua_argument[]){__VA_ARGS__}, COUNT(__VA_ARGS__), table)

static drua_context *context;
static const char *folder;

/* An argument that is a text or the name of an image. */
static inline drua_argument text(const char *characters)
{
    return (drua_argument){.kind = DRUA_ARG_TEXT, .text = characters};
}

static inline drua_argument number(double value)
{
    return (drua_argument){.kind = DRUA_ARG_NUMBER, .number = value};
}

/* Ends the program with the error message of the last call. */
static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, drua_error_message());
    drua_close(context);
    exit(1);
}

static void fail_to_write(const char *path)
{
    fprintf(stderr, "'%s' cannot be written; choose an existing folder on a disk with free space\n", path);
    drua_close(context);
    exit(1);
}

static void result_path(char path[FILENAME_MAX], const char *name, const char *ending)
{
    if (snprintf(path, FILENAME_MAX, "%s/%s%s", folder, name, ending) >= FILENAME_MAX)
        fail_to_write(folder);
}

static void read_image(const char *path, const char *name)
{
    drua_image image;
    if (drua_read_tiff(context, path, 0, 0, &image) != DRUA_OK || drua_bind(context, name, image) != DRUA_OK)
        fail(path);
}

static inline void write_image(const char *name)
{
    char path[FILENAME_MAX];
    drua_image image;
    result_path(path, name, ".tif");
    if (drua_find(context, name, &image) != DRUA_OK || drua_write_tiff(context, image, path, NULL) != DRUA_OK)
        fail(name);
}

static void write_table(const drua_table *table, const char *name)
{
    char path[FILENAME_MAX];
    result_path(path, name, ".csv");
    FILE *file = fopen(path, "w");
    if (!file)
        fail_to_write(path);
    for (size_t x = 0; x < table->columns; x++)
        fprintf(file, "%s%s", x ? "," : "", table->headings[x]);
    for (size_t i = 0; i < table->rows * table->columns; i++)
        fprintf(file, "%s%.17g", i % table->columns ? "," : "\n", table->cells[i]);
    fputc('\n', file);
    const int failed = ferror(file);
    if (fclose(file) || failed)
        fail_to_write(path);
}

/* Runs a command, which writes the numbers that it finds into its arguments. */
static void run(const char *command, drua_argument *arguments, size_t count, const char *table_name)
{
    drua_table *table = NULL;
    if (drua_command(context, command, arguments, count, &table) != DRUA_OK)
        fail(command);
    if (table && table_name)
        write_table(table, table_name);
    drua_table_free(table);
}

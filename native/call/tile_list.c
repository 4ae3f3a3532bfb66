/* SPDX-License-Identifier: BSD-3-Clause */
#include "tile_list.h"
#include "call.h"
#include "host_work.h"

#include "alloc.h"
#include "error.h"
#include "file.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list while it is read. */
typedef struct reader {
    drua_tile_list *list;
    int line; /* from 1 */
    int dimension; /* numbers of a position in TileConfiguration.txt */
    char separator; /* of a table; 0: the list is not a table */
    bool has_dimension; /* a line has stated it */
    bool has_series; /* a line says multiseries = true: tiles name series of files */
    int columns[4]; /* of a table: places of file, x, y, z from 0; -1: none */
    bool given[4]; /* a line has stated the setting */
} reader;

static const char *const names[] = {"file", "x", "y", "z"},
                         *const settings[] = {"fusion", "missing", "flat", "dark", NULL},
                         *const fusions[] = {DRUA_FUSIONS, NULL}, *const missing[] = {DRUA_MISSING_PIXELS, NULL};

bool drua_tile_list_is_table(const char *path)
{
    return drua_text_has_extension(path, ".csv");
}

bool drua_tile_list_is_path(const char *path)
{
    return drua_tile_list_is_table(path) || drua_text_has_extension(path, ".txt");
}

static const char blanks[] = " \t\r";

/* Removes blanks around a word, and quotes; a doubled quote between quotes is one quote. */
static char *trim(char *word)
{
    word += strspn(word, blanks);
    size_t length = strlen(word);
    while (length && strchr(blanks, word[length - 1]))
        length--;
    word[length] = 0;
    if (length < 2 || word[0] != '"' || word[length - 1] != '"')
        return word;
    word[length - 1] = 0;
    char *to = ++word;
    for (const char *from = word; *from; from++) {
        from += from[0] == '"' && from[1] == '"';
        *to++ = *from;
    }
    *to = 0;
    return word;
}

static bool read_number(const char *text, double *number, char **end)
{
    *number = strtod(text, end);
    return *end != text && *number > -1e9 && *number < 1e9;
}

/* ---- settings */

static int place_of(const char *const *words, const char *word)
{
    int i = 0;
    while (words[i] && strcmp(words[i], word))
        i++;
    return words[i] ? i : -1;
}

static drua_status read_setting(reader *r, const char *name, char *value)
{
    drua_tile_list *list = r->list;
    const int fusion = place_of(fusions, value), zero = place_of(missing, value), setting = place_of(settings, name);
    if (setting >= 0 && r->given[setting])
        return drua_fail(DRUA_E_ARGUMENT, "line %d of %s gives the setting %s again; leave out one of the two", r->line,
                         list->path, name);
    if (setting >= 0)
        r->given[setting] = true;
    if (!strcmp(name, "fusion") && fusion >= 0)
        list->fusion = fusion;
    else if (!strcmp(name, "missing") && zero >= 0)
        list->misses_zeros = zero;
    else if (!strcmp(name, "flat") && *value)
        list->flat = value;
    else if (!strcmp(name, "dark") && *value)
        list->dark = value;
    else
        return drua_fail(DRUA_E_ARGUMENT,
                         "line %d of %s has the setting %.100s=%.100s; use fusion=linear, distance, average or max, "
                         "missing=none or zero, flat=FILE, dark=FILE",
                         r->line, list->path, name, value);
    return DRUA_OK;
}

/* Reads the words name=value after "# drua:". */
static drua_status read_settings(reader *r, char *text)
{
    for (char *word = text + strspn(text, blanks), *next; *word; word = next) {
        next = word + strcspn(word, blanks);
        if (*next)
            *next++ = 0;
        next += strspn(next, blanks);
        char *value = strchr(word, '=');
        if (value)
            *value++ = 0;
        DRUA_TRY(read_setting(r, word, value ? value : word + strlen(word)));
    }
    return DRUA_OK;
}

/* ---- tables */

/* Ends a field of a table with a NUL byte and returns the next one; NULL after the last. */
static char *split_field(char *field, char separator)
{
    const bool may_quote = field[strspn(field, " ")] == '"';
    bool quoted = false;
    for (; *field; field++) {
        quoted ^= may_quote && *field == '"';
        if (*field == separator && !quoted) {
            *field = 0;
            return field + 1;
        }
    }
    return NULL;
}

/* Returns whether the first line of the list is that of a table, and finds its columns. */
static bool read_heading(reader *r, char *line)
{
    static const char separators[] = ",;\t";
    const size_t at = strcspn(line, separators);
    char *copy = line[at] && !strchr(line, '(') ? drua_copy_text(line) : NULL;
    int column = 0;
    if (!copy)
        return false;
    r->separator = line[at];
    for (int i = 0; i < 4; i++)
        r->columns[i] = -1;
    for (char *field = copy, *next; field; field = next, column++) {
        next = split_field(field, r->separator);
        const char *name = trim(field);
        for (int i = 0; i < 4; i++)
            if (strlen(name) == strlen(names[i]) && drua_text_distance(name, names[i]) == 0)
                r->columns[i] = column;
    }
    drua_free(copy);
    if (r->columns[0] < 0 || r->columns[1] < 0 || r->columns[2] < 0)
        r->separator = 0;
    return r->separator;
}

static drua_status read_row(const reader *r, char *line, drua_listed_tile *tile)
{
    int column = 0, numbers = 0;
    char *end;
    for (char *field = line, *next; field; field = next, column++) {
        next = split_field(field, r->separator);
        field = trim(field);
        if (column == r->columns[0])
            tile->name = field;
        for (int axis = 0; axis < 3; axis++)
            if (column == r->columns[1 + axis] && read_number(field, &tile->at[axis], &end) && !*end)
                numbers++;
    }
    if (tile->name && *tile->name && numbers == 2 + (r->columns[3] >= 0))
        return DRUA_OK;
    return drua_fail(DRUA_E_ARGUMENT, "line %d of %s must have the name of a file and numbers for x, y%s", r->line,
                     r->list->path, r->columns[3] >= 0 ? " and z" : "");
}

/* ---- TileConfiguration.txt */

/* Reads "( x, y )" or "( x, y, z )" at the end of a line. */
static bool read_position(const reader *r, const char *line, double at[3])
{
    const char *text = strrchr(line, '(');
    char *end;
    if (!text)
        return false;
    for (int axis = 0; axis < r->dimension; axis++) {
        if (!read_number(++text, &at[axis], &end))
            return false;
        text = end + strspn(end, " \t");
        if (*text != (axis + 1 < r->dimension ? ',' : ')'))
            return false;
    }
    return !text[1 + strspn(text + 1, blanks)];
}

/* Refuses a tile that is not the first series of its file, because Drua would read the first one. */
static drua_status check_series(const reader *r, const char *text)
{
    char *end;
    const long number = strtol(text, &end, 10);
    return !r->has_series || number == 0
               ? DRUA_OK
               : drua_fail(DRUA_E_ARGUMENT,
                           "line %d of %s names the series %ld of a file (multiseries = true), counted from 0; save "
                           "each series as a file of its own",
                           r->line, r->list->path, number);
}

static drua_status read_tile(const reader *r, char *line, drua_listed_tile *tile)
{
    if (!read_position(r, line, tile->at))
        return drua_fail(DRUA_E_ARGUMENT,
                         "line %d of %s must be a tile such as \"a.tif; ; (0.0, 0.0)\" with %d numbers", r->line,
                         r->list->path, r->dimension);
    char *end = strchr(line, ';');
    if (end)
        DRUA_TRY(check_series(r, end + 1));
    *(end ? end : strrchr(line, '(')) = 0;
    tile->name = trim(line);
    return *tile->name
               ? DRUA_OK
               : drua_fail(DRUA_E_ARGUMENT, "line %d of %s must begin with the name of a file", r->line, r->list->path);
}

/* ---- all lines */

static drua_status read_row_or_tile(const reader *r, char *line, drua_listed_tile *tile)
{
    return r->separator ? read_row(r, line, tile) : read_tile(r, line, tile);
}

/* Reads a line that begins with #. Refuses the line if it may be a tile whose name begins with #. */
static drua_status read_comment(reader *r, char *line)
{
    static const char mark[] = "drua:";
    drua_listed_tile tile = {.name = NULL};
    char *text = line + 1 + strspn(line + 1, blanks);
    if (!strncmp(text, mark, sizeof mark - 1))
        return read_settings(r, text + sizeof mark - 1);
    if (text != line + 1 || !*text || read_row_or_tile(r, line, &tile) != DRUA_OK)
        return DRUA_OK;
    return drua_fail(DRUA_E_ARGUMENT,
                     "line %d of %s begins with #, as a comment does, but lists the tile %.300s; write ./ before the "
                     "name of a tile, and a blank after the # of a comment",
                     r->line, r->list->path, tile.name);
}

/* Reads Fiji's setting "multiseries = true" or "false". Returns whether the line is this setting. */
static bool read_series(reader *r, const char *line)
{
    static const char word[] = "multiseries";
    const char *text = line + sizeof word - 1;
    if (strncmp(line, word, sizeof word - 1) || *(text += strspn(text, blanks)) != '=')
        return false;
    text++;
    r->has_series = !strncmp(text + strspn(text, blanks), "true", 4);
    return true;
}

static drua_status read_line(reader *r, char *line)
{
    drua_tile_list *list = r->list;
    int given;
    line += strspn(line, blanks);
    if (*line == '#')
        return read_comment(r, line);
    if (!*line || read_series(r, line))
        return DRUA_OK;
    if (sscanf(line, "dim = %d", &given) == 1) {
        if (r->has_dimension || list->count)
            return drua_fail(DRUA_E_ARGUMENT,
                             "line %d of %s is a second line \"dim = \", or comes after a tile; correct the file",
                             r->line, list->path);
        r->has_dimension = true;
        r->dimension = given;
        return given == 2 || given == 3
                   ? DRUA_OK
                   : drua_fail(DRUA_E_ARGUMENT, "line %d of %s must say dim = 2 or dim = 3, got %d", r->line,
                               list->path, given);
    }
    if (!list->count && !r->separator && read_heading(r, line))
        return DRUA_OK;
    if (list->count == DRUA_MAX_TILES)
        return drua_fail(DRUA_E_ARGUMENT, "%s has more than %d tiles; stitch parts of the mosaic from shorter lists",
                         list->path, DRUA_MAX_TILES);
    drua_listed_tile *tile = &list->tiles[list->count++];
    return read_row_or_tile(r, line, tile);
}

static int64_t count_lines(const char *text)
{
    int64_t lines = 1;
    for (; *text; text++)
        lines += *text == '\n';
    return lines < DRUA_MAX_TILES ? lines : DRUA_MAX_TILES;
}

/* Reads all lines of the list's text into its tiles, which have room for as many as count_lines says. */
static drua_status parse(drua_tile_list *list)
{
    reader r = {.list = list, .dimension = 2};
    for (char *line = list->text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        r.line++;
        DRUA_TRY(read_line(&r, line));
    }
    return list->count ? DRUA_OK
                       : drua_fail(DRUA_E_ARGUMENT,
                                   "%s has no tile; use lines such as \"a.tif; ; (0.0, 0.0)\", or a table with the "
                                   "columns file, x and y",
                                   list->path);
}

drua_status drua_tile_list_read(const char *path, drua_tile_list *list)
{
    enum { MAX_BYTES = 1 << 26 };
    drua_bytes bytes = {0};
    uint64_t size = 0;
    *list = (drua_tile_list){.path = path};
    const drua_file_state state = drua_file_part(path, 0, MAX_BYTES, &bytes, &size);
    const bool has_nul = bytes.length && memchr(bytes.data, 0, bytes.length);
    if (state == DRUA_FILE_PRESENT && size <= MAX_BYTES && drua_bytes_reserve(&bytes, bytes.length + 1)) {
        bytes.data[bytes.length] = 0;
        const size_t mark = drua_text_mark(bytes.data, bytes.length);
        list->text = drua_copy_text((const char *)bytes.data + mark);
        list->tiles = list->text ? drua_alloc((size_t)count_lines(list->text) * sizeof *list->tiles) : NULL;
    }
    drua_free(bytes.data);
    if (state != DRUA_FILE_PRESENT || size > MAX_BYTES)
        return drua_fail(state == DRUA_FILE_AWAY ? DRUA_E_AWAY : DRUA_E_ARGUMENT,
                         "the list of tiles '%.600s' cannot be read; use the path of a text file of at most %d MB",
                         path, MAX_BYTES >> 20);
    if (has_nul)
        return drua_fail(DRUA_E_ARGUMENT,
                         "the list of tiles '%.600s' is not a text, because it has a NUL byte; save it as plain text",
                         path);
    return list->tiles ? parse(list) : drua_fail_memory((size_t)size);
}

void drua_tile_list_free(drua_tile_list *list)
{
    drua_free(list->text);
    drua_free(list->tiles);
    *list = (drua_tile_list){.path = NULL};
}

void plan_read_tile_list(drua_plan *plan, const char *path, drua_tile_list *list)
{
    *list = (drua_tile_list){.path = path, .text = plan_read_text(plan, path)};
    if (list->text)
        list->tiles = plan_host_memory(plan, (size_t)count_lines(list->text) * sizeof *list->tiles);
    if (list->tiles)
        plan_try(plan, parse(list));
}

void drua_tile_list_path(const char *list, const char *name, char path[DRUA_TILE_PATH])
{
    const bool absolute = strchr("/\\", *name) || (*name && name[1] == ':');
    const char *slash = NULL; /* the last one */
    for (const char *at = list; *at; at++)
        slash = strchr("/\\", *at) ? at : slash;
    snprintf(path, DRUA_TILE_PATH, "%.*s%s", slash && !absolute ? (int)(slash - list) + 1 : 0, list, name);
}

/* ---- the mosaic */

int64_t drua_mosaic_extent(int64_t extent, double low, double high)
{
    return extent + (int64_t)floor(high - low + 0.5);
}

void drua_mosaic_place(double at, double low, int64_t *first, float *rest)
{
    const double exact = at - low, whole = floor(exact + 0.5), place = fabs(exact - whole) < 1e-4 ? whole : exact;
    *first = (int64_t)floor(place);
    *rest = (float)(place - (double)*first);
}

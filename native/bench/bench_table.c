/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares a table of drua-bench with another one, and draws it as a picture. Times are compared as multiples of their
 * floors, so that tables of different machines and days are comparable. If a floor is too small for the table's digits,
 * the copy rate of the same run replaces it.
 */
#include "bench.h"
#include "file.h"
#include "quote.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 1024, NAME = 160 };

/* a time that grew by more than this factor is reported */
static const double SLOWER = 1.1;

typedef struct row {
    char name[NAME], size[32]; /* name: the operation; size: extent and type */
    double milliseconds, floor;
    double share; /* 0: without a valid floor */
} row;

typedef struct table {
    row *rows;
    size_t count;
    double rate; /* copy rate, GB/s */
} table;

/* Reads a row with a time. Its floor is valid if the row has no note. */
static bool read_row(const char *line, row *r)
{
    char size[16], type[16];
    int end = 0;
    if (sscanf(line, "%159[^\t#]\t%15[^\t]\t%15[^\t]\t%lf\t%lf\t%lf%n", r->name, size, type, &r->milliseconds,
               &r->floor, &r->share, &end) != 6)
        return false;
    snprintf(r->size, sizeof r->size, "%s %s", size, type);
    const bool holds = r->milliseconds > 0 && line[end + strspn(line + end, "\t\r\n")] == 0;
    r->share = holds ? r->floor / r->milliseconds : 0;
    return r->milliseconds > 0;
}

/* Reads the copy rate from a header line that ends with it. */
static void read_rate(const char *line, double *rate)
{
    const char *words = "copy rate of this run, ", *at = *line == '#' ? strstr(line, words) : NULL;
    if (at)
        *rate = strtod(at + strlen(words), NULL);
}

static bool read_table(const char *path, table *t)
{
    char line[MAX_LINE];
    size_t capacity = 0;
    FILE *file = drua_file_open(path, "rb");
    bool whole = file != NULL;
    *t = (table){NULL, 0, 0};
    while (whole && fgets(line, sizeof line, file)) {
        if (t->count == capacity) {
            capacity = 2 * capacity + 64;
            row *grown = realloc(t->rows, capacity * sizeof *grown);
            whole = grown != NULL;
            if (!whole)
                break;
            t->rows = grown;
        }
        t->count += read_row(line, &t->rows[t->count]);
        read_rate(line, &t->rate);
    }
    whole = whole && !ferror(file);
    if (file)
        fclose(file);
    if (!whole) {
        fprintf(stderr, "%s cannot be read to its end; use a table that drua-bench has written\n", path);
        free(t->rows);
        return false;
    }
    if (t->count == 0 || t->rate <= 0) {
        fprintf(stderr, "%s has no %s; use a table that drua-bench has written\n", path,
                t->count == 0 ? "row with a time" : "copy rate");
        free(t->rows);
        return false;
    }
    return true;
}

static const row *find_row(const table *t, const row *wanted)
{
    for (size_t i = 0; i < t->count; i++)
        if (!strcmp(t->rows[i].name, wanted->name) && !strcmp(t->rows[i].size, wanted->size))
            return &t->rows[i];
    return NULL;
}

/* Names the rows that have a time in the older table only, because the operation was not run or was refused. */
static void name_missing(const table *before, const table *after)
{
    bool any = false;
    for (size_t i = 0; i < before->count; i++)
        if (!find_row(after, &before->rows[i])) {
            printf("%s%s %s", any ? ", " : "# no time any more: ", before->rows[i].name, before->rows[i].size);
            any = true;
        }
    printf("%s", any ? "\n" : "");
}

static double times_slower(const row *then, double rate_then, const row *now, double rate_now)
{
    const double min = 0.01; /* smallest comparable floor: floors have four decimal digits */
    const bool floors = then->floor >= min && now->floor >= min;
    return now->milliseconds / then->milliseconds * (floors ? then->floor / now->floor : rate_now / rate_then);
}

int drua_bench_compare(const char *old_path, const char *new_path)
{
    table before, after;
    int slower = 0, faster = 0, compared = 0;
    if (!read_table(old_path, &before))
        return 2;
    if (!read_table(new_path, &after)) {
        free(before.rows);
        return 2;
    }
    for (size_t i = 0; i < after.count; i++) {
        const row *now = &after.rows[i], *then = find_row(&before, now);
        if (!then)
            continue;
        const double ratio = times_slower(then, before.rate, now, after.rate);
        compared++;
        faster += ratio < 1 / SLOWER;
        if (ratio > SLOWER) {
            slower++;
            printf("%s\t%s\t%.2f times slower, measured by the copy rate\t%.4f ms, was %.4f ms\n", now->name, now->size,
                   ratio, now->milliseconds, then->milliseconds);
        }
    }
    name_missing(&before, &after);
    printf("# %d compared: %d slower, %d faster by more than 10 %%\n", compared, slower, faster);
    free(before.rows);
    free(after.rows);
    return slower > 0;
}

/* ---- a picture: a dot per row shows the time as a multiple of its floor, on a logarithmic scale */

enum { WIDTH = 900, HEIGHT = 420, LEFT = 60, RIGHT = 190, TOP = 40, BOTTOM = 30, NAMED = 12, DECADES = 4 };

static int by_share(const void *a, const void *b)
{
    const double x = ((const row *)a)->share, y = ((const row *)b)->share;
    return (x > y) - (x < y);
}

static double height_of(double times)
{
    const double part = log10(fmax(times, 1)) / DECADES;
    return HEIGHT - BOTTOM - fmin(part, 1) * (HEIGHT - TOP - BOTTOM);
}

int drua_bench_plot(const char *path)
{
    table t;
    if (!read_table(path, &t))
        return 2;
    qsort(t.rows, t.count, sizeof *t.rows, by_share);
    size_t without = 0; /* rows of share 0, which are sorted to the front */
    while (without < t.count && t.rows[without].share <= 0)
        without++;
    const size_t count = t.count - without;
    const row *rows = t.rows + without;
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
           "font-size=\"11\">\n",
           WIDTH, HEIGHT);
    printf("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" y=\"20\" font-size=\"13\">Time of "
           "each operation, as a "
           "multiple of the time to read and write its images once</text>\n",
           LEFT);
    for (int decade = 0; decade <= DECADES; decade++) {
        const double y = height_of(pow(10, decade));
        printf("<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ccc\"/><text x=\"%d\" y=\"%.1f\" "
               "text-anchor=\"end\">%.0f</text>\n",
               LEFT, WIDTH - RIGHT, y, y, LEFT - 8, y + 4, pow(10, decade));
    }
    for (size_t i = 0; i < count; i++) {
        const row *r = &rows[i];
        const double x = LEFT + ((double)i + 0.5) * (WIDTH - LEFT - RIGHT) / (double)count;
        drua_text name = {0};
        drua_text_add(&name, "%s, %s", r->name, r->size);
        drua_text text = {0};
        drua_text_add_xml(&text, drua_text_characters(&name));
        printf("<g><title>%s: %.3f ms, %.1f times</title><circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" "
               "fill=\"%s\"/></g>\n",
               drua_text_characters(&text), r->milliseconds, 1 / r->share, x, height_of(1 / r->share),
               strchr(r->size, 'f') ? "#0072b2" : "#d55e00");
        drua_text_free(&text);
        drua_text_free(&name);
    }
    for (int i = 0; i < NAMED && (size_t)i < count; i++) {
        char name[35];
        drua_text text = {0};
        drua_copy_start(name, rows[i].name, sizeof name);
        drua_text_add_xml(&text, name);
        printf("<text x=\"%d\" y=\"%d\" font-size=\"9\">%.0f %s</text>\n", WIDTH - RIGHT + 8, TOP + 14 * i,
               1 / rows[i].share, drua_text_characters(&text));
        drua_text_free(&text);
    }
    printf("<text x=\"%d\" y=\"%d\" fill=\"#0072b2\">stacks, float32</text><text x=\"%d\" y=\"%d\" "
           "fill=\"#d55e00\">planes, uint16</text>\n</svg>\n",
           LEFT, HEIGHT - 8, LEFT + 110, HEIGHT - 8);
    free(t.rows);
    return 0;
}

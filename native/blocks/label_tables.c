/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of labels, joined from those of blocks: sums and extents in one pass, distances to the centres that these give in another. */
#include "label_tables.h"
#include "block_passes.h"

#include "alloc.h"
#include "error.h"
#include "file.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MASS, MIDDLE, CENTRES };

/* What is added up of a label. */
typedef struct sums {
    double pixels, least, most, sum, squares, positions[3], weighted[3];
    int64_t low[3], high[3];
    double distance[CENTRES], longest[CENTRES];
} sums;

typedef struct tabulation {
    sums *of; /* labels 0, 1, ... */
    uint32_t room, largest;
    bool any;
    bool second; /* pass */
} tabulation;

/* ---- blocks */

static drua_status make_room(tabulation *t, uint32_t label)
{
    t->largest = label > t->largest ? label : t->largest;
    if (label < t->room)
        return DRUA_OK;
    const size_t room = (size_t)label + label / 2 + 1024;
    sums *grown = room < UINT32_MAX ? drua_realloc(t->of, room * sizeof *grown) : NULL;
    if (!grown)
        return drua_fail_memory(room * sizeof *grown);
    for (size_t i = t->room; i < room; i++)
        grown[i] = (sums){.least = DBL_MAX, .most = -DBL_MAX, .low = {INT64_MAX, INT64_MAX, INT64_MAX}, .high = {-1, -1, -1}};
    t->of = grown;
    t->room = (uint32_t)room;
    return DRUA_OK;
}

static void add_pixel(sums *s, const int64_t at[3], double value)
{
    s->pixels++;
    s->least = value < s->least ? value : s->least;
    s->most = value > s->most ? value : s->most;
    s->sum += value;
    for (int axis = 0; axis < 3; axis++) {
        s->positions[axis] += (double)at[axis];
        s->weighted[axis] += value * (double)at[axis];
        s->low[axis] = at[axis] < s->low[axis] ? at[axis] : s->low[axis];
        s->high[axis] = at[axis] > s->high[axis] ? at[axis] : s->high[axis];
    }
}

static double centre_of(const sums *s, int which, int axis)
{
    return which == MASS ? s->weighted[axis] / s->sum : s->positions[axis] / s->pixels;
}

static void add_distances(sums *s, const int64_t at[3], double value)
{
    const double beside = value - s->sum / s->pixels;
    s->squares += beside * beside;
    for (int which = 0; which < CENTRES; which++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double way = (double)at[axis] - centre_of(s, which, axis);
            square += way * way;
        }
        s->distance[which] += sqrt(square);
        s->longest[which] = sqrt(square) > s->longest[which] ? sqrt(square) : s->longest[which];
    }
}

static double value_of(drua_type type, const void *pixels, size_t i)
{
    switch (type) {
    case DRUA_UINT8: return ((const uint8_t *)pixels)[i];
    case DRUA_INT8: return ((const int8_t *)pixels)[i];
    case DRUA_UINT16: return ((const uint16_t *)pixels)[i];
    case DRUA_INT16: return ((const int16_t *)pixels)[i];
    case DRUA_UINT32: return (double)(float)((const uint32_t *)pixels)[i];
    case DRUA_INT32: return (double)(float)((const int32_t *)pixels)[i];
    default: return (double)((const float *)pixels)[i];
    }
}

static drua_status add_block(tabulation *t, const drua_box *box, drua_type type, const void *pixels, const uint32_t *labels)
{
    size_t i = 0;
    for (int64_t z = box->first[2]; z < box->end[2]; z++)
        for (int64_t y = box->first[1]; y < box->end[1]; y++)
            for (int64_t x = box->first[0]; x < box->end[0]; x++, i++) {
                if (!labels[i] && !t->any)
                    continue;
                if (labels[i] >= t->room || labels[i] > t->largest)
                    DRUA_TRY(make_room(t, labels[i]));
                (t->second ? add_distances : add_pixel)(&t->of[labels[i]], (const int64_t[]){x, y, z}, value_of(type, pixels, i));
            }
    return DRUA_OK;
}

static drua_status take_block(job *j, drua_value *const *images, const drua_box *box, int64_t number, void *payload)
{
    (void)number;
    const size_t bytes = (size_t)drua_box_pixels(box) * drua_type_size(images[0]->type);
    void *pixels = drua_alloc(bytes);
    uint32_t *labels = NULL;
    drua_status status = pixels ? evaluator_download(&j->main, images[0], pixels) : drua_fail_memory(bytes);
    if (status == DRUA_OK)
        status = label_pixels(&j->main, images[1], &labels);
    if (status == DRUA_OK)
        status = add_block(payload, box, images[0]->type, pixels, labels);
    drua_free(pixels);
    drua_free(labels);
    return status;
}

/* ---- rows; columns as statistics_of_labels.c has them */

static const char HEADINGS[] =
    "CHANNEL,FRAME,IDENTIFIER,BOUNDING_BOX_X,BOUNDING_BOX_Y,BOUNDING_BOX_Z,BOUNDING_BOX_END_X,BOUNDING_BOX_END_Y,BOUNDING_BOX_END_Z,BOUNDING_BOX_"
    "WIDTH,BOUNDING_BOX_HEIGHT,"
    "BOUNDING_BOX_DEPTH,MINIMUM_INTENSITY,MAXIMUM_INTENSITY,MEAN_INTENSITY,SUM_INTENSITY,STANDARD_DEVIATION_INTENSITY,PIXEL_COUNT,SUM_INTENSITY_"
    "TIMES_X,SUM_INTENSITY_TIMES_Y,"
    "SUM_INTENSITY_TIMES_Z,MASS_CENTER_X,MASS_CENTER_Y,MASS_CENTER_Z,SUM_X,SUM_Y,SUM_Z,CENTROID_X,CENTROID_Y,CENTROID_Z,SUM_DISTANCE_TO_MASS_CENTER,"
    "MEAN_DISTANCE_TO_MASS_CENTER,MAX_DISTANCE_TO_MASS_CENTER,MAX_MEAN_DISTANCE_TO_MASS_CENTER_RATIO,SUM_DISTANCE_TO_CENTROID,MEAN_DISTANCE_TO_"
    "CENTROID,"
    "MAX_DISTANCE_TO_CENTROID,MAX_MEAN_DISTANCE_TO_CENTROID_RATIO\n";

static void add_cell(drua_text *text, double cell)
{
    if (isnan(cell))
        drua_text_add(text, ",NaN");
    else
        drua_text_add(text, ",%.17g", cell);
}

static void add_row(const sums *s, drua_text *text)
{
    const bool there = s->pixels > 0;
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = there ? (double)s->low[axis] : DBL_MAX;
        high[axis] = there ? (double)s->high[axis] : -DBL_MAX;
    }
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, low[axis]);
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, high[axis]);
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, high[axis] - low[axis] + 1);
    const double cells[] = {s->least, s->most, s->sum / s->pixels, s->sum, there ? sqrt(s->squares / s->pixels) : (double)NAN, s->pixels};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        add_cell(text, cells[i]);
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, s->weighted[axis]);
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, centre_of(s, MASS, axis));
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, s->positions[axis]);
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, centre_of(s, MIDDLE, axis));
    for (int which = 0; which < CENTRES; which++) {
        const double mean = s->distance[which] / s->pixels;
        add_cell(text, s->distance[which]);
        add_cell(text, mean);
        add_cell(text, s->longest[which]);
        add_cell(text, s->longest[which] / mean);
    }
}

/* ---- passes */

static drua_status measure(job *j, const graph *g, const graph_label_call *c, tabulation *t)
{
    enum { MOST_PIXELS = 1 << 27 };
    const int values[] = {c->source, c->labels};
    int64_t step[3];
    t->any = !strcmp(c->op->name, "statistics_of_background_and_labelled_pixels");
    DRUA_TRY(make_room(t, 0));
    DRUA_TRY(pass_step(j, g, values, 2, MOST_PIXELS, step));
    for (int axis = 0; axis < 3; axis++)
        step[axis] = j->text.block[axis] > 0 && j->text.block[axis] < step[axis] ? j->text.block[axis] : step[axis];
    DRUA_TRY(pass_run(j, g, values, 2, step, &(block_pass){.take = take_block, .payload = t, .what = "blocks measured"}));
    t->second = true;
    return pass_run(j, g, values, 2, step, &(block_pass){.take = take_block, .payload = t, .what = "blocks measured again"});
}

static void fragment_path(const job *j, int table, int64_t volume, char path[LABELS_PATH])
{
    snprintf(path, LABELS_PATH, "%.2000s/table%d.%" PRId64 ".csv", j->folder, table, volume);
}

/* The first line of a table that a pass has left says of what. */
static bool is_there(const char *path, const char *what)
{
    drua_bytes bytes = {0};
    const bool there = drua_file_part(path, 0, DRUA_SHA256_TEXT - 1, &bytes, NULL) == DRUA_FILE_THERE && bytes.length == DRUA_SHA256_TEXT - 1 &&
                       !memcmp(bytes.data, what, bytes.length);
    drua_free(bytes.data);
    return there;
}

static drua_status write_file(const char *folder, const char *path, drua_text *text)
{
    drua_status status = text->failed ? drua_fail_memory(text->length) : DRUA_OK;
    errno = 0;
    if (status == DRUA_OK && (!drua_file_make_shared_folder(folder) || !drua_file_replace_by(folder, path, text->characters, text->length)))
        status = drua_fail(DRUA_E_ARGUMENT, "'%.600s' cannot be written: %s; see the disk's space and whether the folder is write-protected", path,
                           strerror(errno));
    drua_text_free(text);
    return status;
}

drua_status job_tabulate(void *payload, const graph *g, const graph_label_call *c)
{
    job *j = payload;
    char path[LABELS_PATH], what[DRUA_SHA256_TEXT];
    tabulation t = {.of = NULL};
    drua_text text = {0};
    fragment_path(j, g->table_count, j->volume, path);
    label_hash(j, g, c, what);
    if (!j->fresh || is_there(path, what))
        return DRUA_OK;
    drua_status status = measure(j, g, c, &t);
    drua_text_add(&text, "%s\n", what);
    for (uint32_t label = !t.any; label <= t.largest && status == DRUA_OK; label++) {
        drua_text_add(&text, "%" PRId64 ",%" PRId64 ",%" PRIu32, j->volume % j->channels + 1, j->volume / j->channels + 1, label);
        add_row(&t.of[label], &text);
        drua_text_add(&text, "\n");
    }
    drua_free(t.of);
    if (status == DRUA_OK)
        return write_file(j->folder, path, &text);
    drua_text_free(&text);
    return status;
}

/* ---- beside the outputs */

void label_table_path(const job *j, int table, char path[JOB_PATH])
{
    char number[20] = "";
    const char *output = j->text.output, *point = strrchr(output, '.');
    const size_t length = point && !strchr(point, '/') ? (size_t)(point - output) : strlen(output);
    if (table)
        snprintf(number, sizeof number, "-%d", table + 1);
    if (j->output_count > 1)
        snprintf(path, JOB_PATH, "%.1900s/labels%s.csv", output, number);
    else
        snprintf(path, JOB_PATH, "%.*s%s.csv", (int)(length < 1900 ? length : 1900), output, number);
}

static drua_status finish_table(const job *j, int table)
{
    drua_text text = {0};
    char path[JOB_PATH], fragment[LABELS_PATH];
    drua_text_add(&text, "%s", HEADINGS);
    for (int64_t volume = 0; volume < j->channels * j->frames; volume++) {
        drua_bytes bytes = {0};
        fragment_path(j, table, volume, fragment);
        if (drua_file_part(fragment, 0, SIZE_MAX / 4, &bytes, NULL) != DRUA_FILE_THERE || bytes.length < DRUA_SHA256_TEXT) {
            drua_free(bytes.data);
            drua_text_free(&text);
            return drua_fail(DRUA_E_ARGUMENT, "the plan's table '%.600s' is gone; make the plan anew by drua plan with --anew", fragment);
        }
        drua_text_append(&text, (const char *)bytes.data + DRUA_SHA256_TEXT, bytes.length - DRUA_SHA256_TEXT);
        drua_free(bytes.data);
    }
    label_table_path(j, table, path);
    errno = 0;
    return write_file(j->folder, path, &text);
}

drua_status label_tables_finish(const job *j)
{
    for (int table = 0; table < j->text.table_count; table++)
        DRUA_TRY(finish_table(j, table));
    return DRUA_OK;
}

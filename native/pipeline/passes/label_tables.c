/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes tables of labels by joining the statistics of blocks. The first pass computes sums and extents. The second pass
 * computes distances to the centres that result from the first.
 */
#include "passes.h"
#include "block_passes.h"
#include "job_outputs.h"
#include "label_block.h"
#include "label_sums.h"
#include "pass_parts.h"

#include "alloc.h"
#include "error.h"
#include "file.h"
#include "new_file.h"
#include "parallel.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- blocks */

enum { PASSES = 2 };

typedef struct tabling {
    tabulation all;
    drua_type type, label_type;
} tabling;

static drua_status keep_sums(pass_block *b, void *payload)
{
    const tabling *t = payload;
    const tabulated_block block = {&b->box, t->type, t->label_type, b->pixels[0], b->pixels[1]};
    return block_sums_find(&t->all, &block, &b->found);
}

static drua_status add_sums(const drua_bytes *found, void *payload)
{
    tabling *t = payload;
    return tabulation_add(&t->all, found);
}

static drua_status save_sums(const void *payload, drua_bytes *joined)
{
    const tabling *t = payload;
    return tabulation_save(&t->all, joined);
}

static drua_status load_sums(void *payload, const drua_bytes *joined)
{
    tabling *t = payload;
    return tabulation_load(&t->all, joined);
}

/* ---- rows; the columns are those of statistics_of_labels.c */

static const char HEADINGS[] = "CHANNEL,FRAME,IDENTIFIER,BOUNDING_BOX_X,BOUNDING_BOX_Y,BOUNDING_BOX_Z,BOUNDING_BOX_END_"
                               "X,BOUNDING_BOX_END_Y,BOUNDING_BOX_END_Z,BOUNDING_BOX_"
                               "WIDTH,BOUNDING_BOX_HEIGHT,"
                               "BOUNDING_BOX_DEPTH,MINIMUM_INTENSITY,MAXIMUM_INTENSITY,MEAN_INTENSITY,SUM_INTENSITY,"
                               "STANDARD_DEVIATION_INTENSITY,PIXEL_COUNT,SUM_INTENSITY_"
                               "TIMES_X,SUM_INTENSITY_TIMES_Y,"
                               "SUM_INTENSITY_TIMES_Z,MASS_CENTER_X,MASS_CENTER_Y,MASS_CENTER_Z,SUM_X,SUM_Y,SUM_Z,"
                               "CENTROID_X,CENTROID_Y,CENTROID_Z,SUM_DISTANCE_TO_MASS_CENTER,"
                               "MEAN_DISTANCE_TO_MASS_CENTER,MAX_DISTANCE_TO_MASS_CENTER,MAX_MEAN_DISTANCE_TO_MASS_"
                               "CENTER_RATIO,SUM_DISTANCE_TO_CENTROID,MEAN_DISTANCE_TO_"
                               "CENTROID,"
                               "MAX_DISTANCE_TO_CENTROID,MAX_MEAN_DISTANCE_TO_CENTROID_RATIO\n";

static void add_cell(drua_text *text, double cell)
{
    if (isnan(cell))
        drua_text_add(text, ",NaN");
    else
        drua_text_add(text, ",%.17g", cell);
}

static void add_row(const label_sums *s, drua_text *text)
{
    const bool exists = s->pixels > 0;
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = exists ? (double)s->low[axis] : DBL_MAX;
        high[axis] = exists ? (double)s->high[axis] : -DBL_MAX;
    }
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, low[axis]);
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, high[axis]);
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, high[axis] - low[axis] + 1);
    const double cells[] = {
        s->least, s->most, s->sum / s->pixels, s->sum, exists ? sqrt(s->squares / s->pixels) : (double)NAN, s->pixels};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        add_cell(text, cells[i]);
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, s->weighted[axis]);
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, label_sums_centre(s, MASS, axis));
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, s->positions[axis]);
    for (int axis = 0; axis < 3; axis++)
        add_cell(text, label_sums_centre(s, MIDDLE, axis));
    for (int which = 0; which < CENTRES; which++) {
        const double mean = s->distance[which] / s->pixels;
        add_cell(text, s->distance[which]);
        add_cell(text, mean);
        add_cell(text, s->longest[which]);
        add_cell(text, s->longest[which] / mean);
    }
}

/* ---- passes */

static drua_status measure_table(job *j, const graph *g, const graph_label_call *c, tabulation *made)
{
    enum { MAX_PIXELS = 1 << 27 };
    const int values[] = {c->source, c->labels};
    int64_t step[3];
    tabling t = {.type = g->values[c->source].image->type, .label_type = g->values[c->labels].image->type};
    block_pass pass = {.keep = keep_sums,
                       .add = add_sums,
                       .save = save_sums,
                       .load = load_sums,
                       .payload = &t,
                       .what = "blocks measured",
                       .store.number = -1};
    t.all.any = !strcmp(c->op->name, "statistics_of_background_and_labelled_pixels");
    drua_status status = tabulation_grow(&t.all, 0);
    if (status == DRUA_OK)
        status = pass_block_extent(j, g, values, 2, MAX_PIXELS, step);
    for (int axis = 0; axis < 3 && status == DRUA_OK; axis++)
        step[axis] = j->text.requested_block[axis] > 0 && j->text.requested_block[axis] < step[axis]
                         ? j->text.requested_block[axis]
                         : step[axis];
    if (status == DRUA_OK)
        status = pass_run(j, g, values, 2, step, &pass);
    if (status == DRUA_OK && t.all.largest == 0 && t.all.of[0].odd != 0)
        status = label_map_refuse(t.all.of[0].odd);
    t.all.second = true;
    pass.what = "blocks measured again";
    if (status == DRUA_OK)
        status = pass_run(j, g, values, 2, step, &pass);
    *made = t.all;
    return status;
}

static void fragment_path(const job *j, int table, int64_t volume, char path[LABELS_PATH])
{
    snprintf(path, LABELS_PATH, "%.2000s/table%d.%" PRId64 ".csv", j->folder, table, volume);
}

/* Returns whether a table on the disk belongs to this pass; its first line holds the pass's hash. */
static bool is_there(const char *path, const char *what)
{
    drua_bytes bytes = {0};
    const bool exists = drua_file_part(path, 0, DRUA_SHA256_TEXT - 1, &bytes, NULL) == DRUA_FILE_THERE &&
                       bytes.length == DRUA_SHA256_TEXT - 1 && !memcmp(bytes.data, what, bytes.length);
    drua_free(bytes.data);
    return exists;
}

static drua_status write_file(const char *folder, const char *path, drua_text *text)
{
    drua_status status = text->failed ? drua_fail_memory(text->length) : DRUA_OK;
    if (status == DRUA_OK && !drua_file_make_shared_folder(folder))
        status = drua_new_file_fail(folder);
    if (status == DRUA_OK)
        status = drua_new_file_write(path, folder, text->characters, text->length);
    drua_text_free(text);
    return status;
}

/* ROWS: rows that a thread writes at once; TEXTS: number of such pieces in memory at once. */
enum { ROWS = 256, TEXTS = 64 };

typedef struct writing {
    const tabulation *table;
    int64_t channel, frame; /* counted from 1 */
    uint64_t first; /* first label */
    drua_text texts[TEXTS];
} writing;

static drua_status write_rows(void *payload, int worker, int64_t item)
{
    writing *w = payload;
    drua_text *text = &w->texts[item];
    const uint64_t first = w->first + (uint64_t)item * ROWS;
    (void)worker;
    for (uint64_t label = first; label < first + ROWS && label <= w->table->largest; label++) {
        drua_text_add(text, "%" PRId64 ",%" PRId64 ",%" PRIu64, w->channel, w->frame, label);
        add_row(&w->table->of[label], text);
        drua_text_add(text, "\n");
    }
    return text->failed ? drua_fail_memory(text->length) : DRUA_OK;
}

static drua_status write_table(const job *j, const tabulation *t, drua_text *text)
{
    writing w = {.table = t, .channel = j->volume % j->channels + 1, .frame = j->volume / j->channels + 1};
    drua_status status = DRUA_OK;
    for (w.first = !t->any; w.first <= t->largest && status == DRUA_OK; w.first += ROWS * TEXTS) {
        status = drua_parallel(TEXTS, write_rows, &w);
        for (int i = 0; i < TEXTS; i++) {
            if (w.texts[i].length && status == DRUA_OK)
                drua_text_append(text, w.texts[i].characters, w.texts[i].length);
            drua_text_free(&w.texts[i]);
        }
    }
    return status;
}

drua_status job_tabulate(void *payload, const graph *g, const graph_label_call *c)
{
    job *j = payload;
    char path[LABELS_PATH], what[DRUA_SHA256_TEXT];
    tabulation t = {.of = NULL};
    drua_text text = {0};
    fragment_path(j, g->table_count, j->volume, path);
    DRUA_TRY(pass_hash(j, g, drua_text_characters(&c->text), what));
    if (j->passes == PASSES_DONE || (j->passes != PASSES_COUNTED && is_there(path, what))) {
        pass_skip(j, PASSES);
        return DRUA_OK;
    }
    drua_status status = measure_table(j, g, c, &t);
    if (j->passes == PASSES_COUNTED) {
        drua_free(t.of);
        return status;
    }
    drua_text_add(&text, "%s\n", what);
    if (status == DRUA_OK)
        status = write_table(j, &t, &text);
    drua_free(t.of);
    if (status == DRUA_OK)
        return write_file(j->folder, path, &text);
    drua_text_free(&text);
    return status;
}

/* ---- beside the outputs */

static drua_status finish_table(const job *j, int table)
{
    drua_text text = {0};
    char path[JOB_PATH], fragment[LABELS_PATH];
    drua_text_add(&text, "%s", HEADINGS);
    for (int64_t volume = 0; volume < j->channels * j->frames; volume++) {
        drua_bytes bytes = {0};
        fragment_path(j, table, volume, fragment);
        if (drua_file_part(fragment, 0, SIZE_MAX / 4, &bytes, NULL) != DRUA_FILE_THERE ||
            bytes.length < DRUA_SHA256_TEXT) {
            drua_free(bytes.data);
            drua_text_free(&text);
            return drua_fail(DRUA_E_AWAY,
                             "the plan's table '%.600s' is missing; make it accessible, then run the same command "
                             "again, or make the plan again with drua plan --anew",
                             fragment);
        }
        drua_text_append(&text, (const char *)bytes.data + DRUA_SHA256_TEXT, bytes.length - DRUA_SHA256_TEXT);
        drua_free(bytes.data);
    }
    label_table_path(j, table, path);
    return job_write_beside(j, path, &text);
}

drua_status label_tables_finish(const job *j)
{
    for (int table = 0; table < j->text.table_count; table++)
        DRUA_TRY(finish_table(j, table));
    return DRUA_OK;
}

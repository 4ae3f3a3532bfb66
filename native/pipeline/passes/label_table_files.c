/* SPDX-License-Identifier: BSD-3-Clause */
#include "label_table_files.h"
#include "job_outputs.h"
#include "label_map.h"
#include "passes.h"

#include "crc32c.h"
#include "error.h"
#include "file.h"
#include "new_file.h"
#include "parallel.h"
#include "alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void fragment_path(const job *j, int table, int64_t volume, char path[LABELS_PATH])
{
    snprintf(path, LABELS_PATH, "%.2000s/table%d.%" PRId64 ".csv", j->folder, table, volume);
}

/* The table after the two lines at the file's head: the hash of its pass and the checksum of the rest. */
enum { SUM_DIGITS = 8, HEAD = DRUA_SHA256_TEXT + SUM_DIGITS + 1 };

/* Returns whether a file's bytes are a whole table. */
static bool is_whole(const drua_bytes *bytes)
{
    char sum[SUM_DIGITS + 1];
    if (bytes->length <= HEAD)
        return false;
    snprintf(sum, sizeof sum, "%08" PRIx32, drua_crc32c(bytes->data + HEAD, bytes->length - HEAD));
    return !memcmp(bytes->data + DRUA_SHA256_TEXT, sum, SUM_DIGITS);
}

bool label_table_exists(const job *j, int table, const char *hash)
{
    char path[LABELS_PATH];
    drua_bytes bytes = {0};
    fragment_path(j, table, j->volume, path);
    const bool exists = drua_file_part(path, 0, SIZE_MAX / 4, &bytes, NULL) == DRUA_FILE_PRESENT && is_whole(&bytes) &&
                        !memcmp(bytes.data, hash, DRUA_SHA256_TEXT - 1);
    drua_free(bytes.data);
    return exists;
}

void label_table_cell(drua_text *text, double cell)
{
    if (isnan(cell))
        drua_text_add(text, ",NaN");
    else
        drua_text_add(text, ",%.17g", cell);
}

/* ---- rows */

/* ROWS: rows that a thread writes at once; TEXTS: number of such pieces in memory at once. */
enum { ROWS = 256, TEXTS = 64 };

typedef struct writing {
    const table_rows *rows;
    int64_t channel, frame; /* counted from 1 */
    int64_t first; /* first row of the pieces in memory */
    drua_text texts[TEXTS];
} writing;

static drua_status write_piece(void *payload, int worker, int64_t item)
{
    writing *w = payload;
    drua_text *text = &w->texts[item];
    const int64_t first = w->first + item * ROWS;
    (void)worker;
    for (int64_t row = first; row < first + ROWS && row < w->rows->end; row++) {
        drua_text_add(text, "%" PRId64 ",%" PRId64, w->channel, w->frame);
        w->rows->add(w->rows->of, row, text);
        drua_text_add(text, "\n");
    }
    return text->failed ? drua_fail_memory(text->length) : DRUA_OK;
}

static drua_status write_rows(const job *j, const table_rows *rows, drua_text *text)
{
    writing w = {.rows = rows, .channel = j->volume % j->channels + 1, .frame = j->volume / j->channels + 1};
    drua_status status = DRUA_OK;
    for (w.first = rows->first; w.first < rows->end && status == DRUA_OK; w.first += ROWS * TEXTS) {
        status = drua_parallel(TEXTS, write_piece, &w);
        for (int i = 0; i < TEXTS; i++) {
            if (w.texts[i].length && status == DRUA_OK)
                drua_text_append(text, w.texts[i].characters, w.texts[i].length);
            drua_text_free(&w.texts[i]);
        }
    }
    return status;
}

drua_status label_table_write(const job *j, int table, const char *hash, const table_rows *rows)
{
    char path[LABELS_PATH];
    drua_text text = {0};
    fragment_path(j, table, j->volume, path);
    drua_text_add(&text, "%s\n%0*d\n%s\n", hash, SUM_DIGITS, 0, rows->headings);
    drua_status status = write_rows(j, rows, &text);
    if (status == DRUA_OK && text.failed)
        status = drua_fail_memory(text.length);
    if (status == DRUA_OK) {
        char sum[SUM_DIGITS + 1];
        snprintf(sum, sizeof sum, "%08" PRIx32, drua_crc32c(text.characters + HEAD, text.length - HEAD));
        memcpy(text.characters + DRUA_SHA256_TEXT, sum, SUM_DIGITS);
    }
    if (status == DRUA_OK && !drua_file_make_shared_folder(j->folder))
        status = drua_new_file_fail(j->folder);
    if (status == DRUA_OK)
        status = drua_new_file_write(path, j->folder, text.characters, text.length);
    drua_text_free(&text);
    return status;
}

/* ---- beside the outputs */

/* Adds the table of a channel and frame; only the first one adds the headings. */
static drua_status add_fragment(const job *j, int table, int64_t volume, drua_text *text)
{
    char path[LABELS_PATH];
    drua_bytes bytes = {0};
    fragment_path(j, table, volume, path);
    const drua_file_state state = drua_file_part(path, 0, SIZE_MAX / 4, &bytes, NULL);
    const bool whole = state == DRUA_FILE_PRESENT && is_whole(&bytes);
    const char *headings = whole ? (const char *)bytes.data + HEAD : NULL,
               *rows = whole ? memchr(headings, '\n', bytes.length - HEAD) : NULL;
    if (rows && volume == 0)
        drua_text_add(text, "CHANNEL,FRAME,%.*s\n", (int)(rows - headings), headings);
    if (rows)
        drua_text_append(text, rows + 1, bytes.length - (size_t)(rows + 1 - (const char *)bytes.data));
    drua_free(bytes.data);
    return rows ? DRUA_OK
                : drua_fail(DRUA_E_AWAY,
                            "the plan's table '%.600s' is %s; make it accessible, then run the same command again, or "
                            "make the plan again with drua plan --anew",
                            path, state == DRUA_FILE_PRESENT ? "truncated or damaged" : "missing");
}

drua_status label_tables_finish(const job *j)
{
    for (int table = 0; table < j->text.table_count; table++) {
        char path[JOB_PATH];
        drua_text text = {0};
        drua_status status = DRUA_OK;
        for (int64_t volume = 0; volume < j->channels * j->frames && status == DRUA_OK; volume++)
            status = add_fragment(j, table, volume, &text);
        if (status != DRUA_OK) {
            drua_text_free(&text);
            return status;
        }
        label_table_path(j, table, path);
        DRUA_TRY(job_write_beside(j, path, &text));
    }
    return DRUA_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The progress of a plan as a page of HTML: one file without scripts, links or pictures from elsewhere. Large plans are
 * summarized, so that the page stays small.
 */
#include "places.h"
#include "plan_status.h"
#include "block_pipeline.h"

#include "c_locale.h"
#include "error.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { CELLS = 48, MAPS = 16, BARS = 48, LISTED = 50 };

static void add_escaped(drua_text *html, const char *text)
{
    for (; *text; text++) {
        if (*text == '&')
            drua_text_add(html, "&amp;");
        else if (*text == '<')
            drua_text_add(html, "&lt;");
        else if (*text == '>')
            drua_text_add(html, "&gt;");
        else if (*text == '"')
            drua_text_add(html, "&quot;");
        else
            drua_text_append(html, text, 1);
    }
}

static void add_head(const job *j, drua_text *html)
{
    drua_text_add(html, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    add_escaped(html, j->path);
    drua_text_add(html, "</title><style>body{font-family:sans-serif;margin:2em;max-width:60em}"
                        "table{border-collapse:collapse}td,th{padding:.2em .8em .2em 0;text-align:left}"
                        "td.n{text-align:right}progress{width:20em}svg{background:#eee}figure{display:inline-block;"
                        "margin:0 1em 1em 0}</style></head><body>\n<h1>");
    add_escaped(html, j->path);
    drua_text_add(html, "</h1>\n<p>From <code>");
    add_escaped(html, j->text.input);
    drua_text_add(html, "</code> to <code>");
    add_escaped(html, j->text.output);
    drua_text_add(html, "</code>.</p>\n");
}

/* ---- progress and rates */

static void add_row(drua_text *html, const char *what, int64_t done, int64_t blocks)
{
    drua_text_add(html, "<tr><td>");
    add_escaped(html, what);
    drua_text_add(html,
                  "</td><td><progress max=\"%" PRId64 "\" value=\"%" PRId64
                  "\"></progress></td><td class=\"n\">%" PRId64 " of %" PRId64 "</td></tr>\n",
                  blocks, done, done, blocks);
}

static drua_status add_progress(const job *j, const journal_state *state, drua_text *html)
{
    char what[120];
    drua_text_add(html, "<h2>Progress</h2>\n<table>\n");
    for (int pass = 1; pass <= j->text.pass_count; pass++) {
        int64_t done = 0, blocks = 0;
        DRUA_TRY(status_count_pass(j, pass, &done, &blocks));
        snprintf(what, sizeof what, "pass %d: %.80s", pass, j->text.passes[pass - 1].what);
        add_row(html, what, done, blocks);
    }
    add_row(html, "blocks of the results", state->done, j->blocks);
    drua_text_add(html, "</table>\n");
    return DRUA_OK;
}

static void add_rates(const job *j, const journal_state *state, drua_text *html)
{
    const double rate = state->blocks_per_second, left = (double)(j->blocks - state->done);
    int64_t first = INT64_MAX, last = 0, max = 1, counts[BARS] = {0};
    uint64_t bytes = 0;
    for (int64_t i = 0; i < state->count; i++) {
        const block_record *r = &state->blocks[i];
        if (r->state != BLOCK_DONE)
            continue;
        first = r->time < first ? r->time : first;
        last = r->time > last ? r->time : last;
        bytes += r->bytes;
    }
    if (!state->done)
        return;
    const double length = last > first ? (double)(last - first) : 1;
    for (int64_t i = 0; i < state->count; i++)
        if (state->blocks[i].state == BLOCK_DONE) {
            int64_t *count = &counts[(int)fmin(BARS - 1, (double)(state->blocks[i].time - first) / length * BARS)];
            max = ++*count > max ? *count : max;
        }
    drua_text_add(html, "<h2>Rates</h2>\n<p>%" PRId64 " processes have written %.1f MB.", state->files,
                  (double)bytes / 1e6);
    if (rate > 0)
        drua_text_add(html, " %.3g blocks a second in the last minutes; about %.0f minutes left.", rate,
                      ceil(left / rate / 60));
    drua_text_add(html, "</p>\n<figure><svg width=\"%d\" height=\"80\" role=\"img\" aria-label=\"blocks over time\">",
                  8 * BARS);
    for (int i = 0; i < BARS; i++) {
        const int height = (int)lround(76.0 * (double)counts[i] / (double)max);
        drua_text_add(html, "<rect x=\"%d\" y=\"%d\" width=\"7\" height=\"%d\" fill=\"#37a\"/>", 8 * i, 80 - height,
                      height);
    }
    drua_text_add(html, "</svg><figcaption>Finished blocks in %d equal parts of %.1f minutes</figcaption></figure>\n",
                  BARS, length / 60000);
}

/* ---- failures */

static void add_failures(const job *j, const journal_state *state, drua_text *html)
{
    int64_t lost = 0, repeated = 0;
    for (int64_t i = 0; i < state->count; i++) {
        lost += state->blocks[i].state == BLOCK_LOST;
        repeated += state->blocks[i].state == BLOCK_DONE && state->blocks[i].attempt > 1;
    }
    drua_text_add(html,
                  "<h2>Failures</h2>\n<p>%" PRId64 " blocks are lost: their files are missing or have changed. %" PRId64
                  " blocks were computed more than once.</p>\n",
                  lost, repeated);
    if (!lost)
        return;
    drua_text_add(html, "<table><tr><th>block</th><th>channel</th><th>frame</th><th>x, y, z</th></tr>\n");
    for (int64_t i = 0, listed = 0; i < state->count && listed < LISTED; i++) {
        if (state->blocks[i].state != BLOCK_LOST)
            continue;
        const block_place place = job_block(j, i);
        listed++;
        drua_text_add(html,
                      "<tr><td class=\"n\">%" PRId64 "</td><td>%" PRId64 "</td><td>%" PRId64 "</td><td>%" PRId64
                      ", %" PRId64 ", %" PRId64 "</td></tr>\n",
                      i, place.channel + 1, place.frame + 1, place.box.first[0], place.box.first[1],
                      place.box.first[2]);
    }
    drua_text_add(html, "</table>\n");
    if (lost > LISTED)
        drua_text_add(html, "<p>The first %d are listed.</p>\n", LISTED);
}

/* ---- the map: one picture for each channel and frame, seen along z */

typedef struct map_cell {
    int64_t blocks, done, lost;
} map_cell;

static const char *colour_of(const map_cell *c)
{
    if (c->lost)
        return "#c33";
    if (!c->done)
        return "#ccc";
    return c->done < c->blocks ? "#9bd" : "#37a";
}

static void add_map(const job *j, const journal_state *state, int64_t volume, drua_text *html)
{
    map_cell cells[CELLS][CELLS] = {{{0}}};
    int64_t count[2], side[2];
    for (int axis = 0; axis < 2; axis++) {
        count[axis] = (j->text.size[axis] + j->text.block[axis] - 1) / j->text.block[axis];
        side[axis] = count[axis] < CELLS ? count[axis] : CELLS;
    }
    for (int64_t i = volume * j->per_image; i < (volume + 1) * j->per_image && i < state->count; i++) {
        const block_place place = job_block(j, i);
        const int64_t x = place.box.first[0] / j->text.block[0], y = place.box.first[1] / j->text.block[1];
        map_cell *c = &cells[y * side[1] / count[1]][x * side[0] / count[0]];
        c->blocks++;
        c->done += state->blocks[i].state == BLOCK_DONE;
        c->lost += state->blocks[i].state == BLOCK_LOST;
    }
    drua_text_add(html, "<figure><svg width=\"%" PRId64 "\" height=\"%" PRId64 "\" role=\"img\" aria-label=\"map\">",
                  10 * side[0], 10 * side[1]);
    for (int64_t y = 0; y < side[1]; y++)
        for (int64_t x = 0; x < side[0]; x++)
            drua_text_add(html,
                          "<rect x=\"%" PRId64 "\" y=\"%" PRId64
                          "\" width=\"9\" height=\"9\" fill=\"%s\"><title>%" PRId64 " of %" PRId64 "</title></rect>",
                          10 * x, 10 * y, colour_of(&cells[y][x]), cells[y][x].done, cells[y][x].blocks);
    drua_text_add(html, "</svg><figcaption>channel %" PRId64 ", frame %" PRId64 "</figcaption></figure>\n",
                  volume % j->channels + 1, volume / j->channels + 1);
}

static void add_maps(const job *j, const journal_state *state, drua_text *html)
{
    const int64_t volumes = j->channels * j->frames, shown = volumes < MAPS ? volumes : MAPS;
    drua_text_add(html,
                  "<h2>Map of blocks</h2>\n<p>x to the right, y down, all slices together. Dark blue: done; light "
                  "blue: some done; red: some lost; grey: none done.</p>\n");
    for (int64_t volume = 0; volume < shown; volume++)
        add_map(j, state, volume, html);
    if (shown < volumes)
        drua_text_add(html, "<p>The first %d of %" PRId64 " channels and frames are shown.</p>\n", MAPS, volumes);
}

static drua_status write_page(const job *j, const journal_state *state, drua_text *html)
{
    char now[64] = "";
    const time_t seconds = time(NULL);
    struct tm utc;
#if defined(_WIN32)
    const bool known = gmtime_s(&utc, &seconds) == 0;
#else
    const bool known = gmtime_r(&seconds, &utc);
#endif
    if (known)
        strftime(now, sizeof now, "%Y-%m-%d %H:%M:%S UTC", &utc);
    add_head(j, html);
    drua_text_add(html, "<p>%s%s.</p>\n", now, journal_is_finished(j->folder) ? ", finished" : "");
    DRUA_TRY(add_progress(j, state, html));
    add_rates(j, state, html);
    add_failures(j, state, html);
    add_maps(j, state, html);
    drua_text_add(html, "</body></html>\n");
    return html->failed ? drua_fail_memory(html->length) : DRUA_OK;
}

drua_status drua_blocks_page(const char *plan, const char *path, drua_text *html)
{
    job j;
    journal_state state;
    int due = 0;
    drua_locale_enter();
    drua_status status = status_load(plan, &j, &state, &due);
    if (status == DRUA_OK)
        status = places_check_page(&j, path);
    if (status == DRUA_OK)
        status = write_page(&j, &state, html);
    journal_state_free(&state);
    job_close(&j);
    drua_locale_leave();
    return status;
}

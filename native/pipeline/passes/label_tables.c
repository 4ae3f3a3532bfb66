/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes tables of labels by joining the statistics of blocks. The first pass computes sums and extents. The second pass
 * computes distances to the centres that result from the first, or shapes. Pairs of labels and the overlap of two
 * images need one pass. A list of spots needs no pass: it has the positions of labels that are numbered already.
 */
#include "passes.h"
#include "block_passes.h"
#include "label_block.h"
#include "label_pairs.h"
#include "label_shapes.h"
#include "label_sums.h"
#include "label_table_files.h"
#include "pass_parts.h"

#include "alloc.h"
#include "error.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- blocks */

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

static const char HEADINGS[] = "IDENTIFIER,BOUNDING_BOX_X,BOUNDING_BOX_Y,BOUNDING_BOX_Z,BOUNDING_BOX_END_"
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
                               "MAX_DISTANCE_TO_CENTROID,MAX_MEAN_DISTANCE_TO_CENTROID_RATIO";

static void add_row(const void *of, int64_t row, drua_text *text)
{
    const label_sums *s = (const label_sums *)of + row;
    const bool exists = s->pixels > 0;
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = exists ? (double)s->low[axis] : DBL_MAX;
        high[axis] = exists ? (double)s->high[axis] : -DBL_MAX;
    }
    drua_text_add(text, ",%" PRId64, row);
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, low[axis]);
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, high[axis]);
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, high[axis] - low[axis] + 1);
    const double cells[] = {
        s->min, s->max, s->sum / s->pixels, s->sum, exists ? sqrt(s->squares / s->pixels) : (double)NAN, s->pixels};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        label_table_cell(text, cells[i]);
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, s->weighted[axis]);
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, label_sums_centre(s, MASS, axis));
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, s->positions[axis]);
    for (int axis = 0; axis < 3; axis++)
        label_table_cell(text, label_sums_centre(s, MIDDLE, axis));
    for (int which = 0; which < CENTRES; which++) {
        const double mean = s->distance[which] / s->pixels;
        label_table_cell(text, s->distance[which]);
        label_table_cell(text, mean);
        label_table_cell(text, s->longest[which]);
        label_table_cell(text, s->longest[which] / mean);
    }
}

/* ---- passes */

static drua_status choose_step(job *j, const graph *g, const graph_label_call *c, int64_t step[3])
{
    enum { MAX_PIXELS = 1 << 27 };
    const int values[] = {c->source, c->labels};
    DRUA_TRY(pass_block_extent(j, g, values, 2, MAX_PIXELS, step));
    for (int axis = 0; axis < 3; axis++)
        step[axis] = j->text.requested_block[axis] > 0 && j->text.requested_block[axis] < step[axis]
                         ? j->text.requested_block[axis]
                         : step[axis];
    return DRUA_OK;
}

/* Runs the first pass or, if t->all.second, the second one. */
static drua_status sum_blocks(job *j, const graph *g, const graph_label_call *c, const int64_t step[3], tabling *t)
{
    const int values[] = {c->source, c->labels};
    const block_pass pass = {.keep = keep_sums,
                             .add = add_sums,
                             .save = save_sums,
                             .load = load_sums,
                             .payload = t,
                             .what = t->all.second ? "blocks measured again" : "blocks measured",
                             .store.number = -1};
    t->type = g->values[c->source].image->type;
    t->label_type = g->values[c->labels].image->type;
    if (!t->all.second)
        DRUA_TRY(tabulation_grow(&t->all, 0));
    DRUA_TRY(pass_run(j, g, values, 2, step, &pass));
    return t->all.largest == 0 && t->all.of[0].odd != 0 ? label_map_refuse(t->all.of[0].odd) : DRUA_OK;
}

static drua_status measure_table(job *j, const graph *g, const graph_label_call *c, tabling *t)
{
    int64_t step[3];
    t->all.any = !strcmp(c->op->name, "statistics_of_background_and_labelled_pixels");
    DRUA_TRY(choose_step(j, g, c, step));
    DRUA_TRY(sum_blocks(j, g, c, step, t));
    t->all.second = true;
    return sum_blocks(j, g, c, step, t);
}

static drua_status make_statistics(job *j, const graph *g, const graph_label_call *c, const char *hash)
{
    tabling t = {.all.of = NULL};
    drua_status status = measure_table(j, g, c, &t);
    const table_rows rows = {HEADINGS, !t.all.any, (int64_t)t.all.largest + 1, add_row, t.all.of};
    if (status == DRUA_OK && j->passes != PASSES_COUNTED)
        status = label_table_write(j, g->table_count, hash, &rows);
    drua_free(t.all.of);
    return status;
}

/* ---- tables of shapes; the second pass needs the boxes that the first one finds */

typedef struct shaping {
    const graph_label_call *call;
    label_shapes all;
    drua_type type; /* of the labels */
} shaping;

static drua_status keep_shapes(pass_block *b, void *payload)
{
    const shaping *s = payload;
    return block_shapes_find(&s->all, &b->own, &b->box, s->type, b->pixels[0], &b->found);
}

static drua_status add_shapes(const drua_bytes *found, void *payload)
{
    shaping *s = payload;
    return label_shapes_add(&s->all, found);
}

static drua_status save_shapes(const void *payload, drua_bytes *joined)
{
    const shaping *s = payload;
    return label_shapes_save(&s->all, joined);
}

static drua_status load_shapes(void *payload, const drua_bytes *joined)
{
    shaping *s = payload;
    return label_shapes_load(&s->all, joined);
}

/* Makes shapes without pixels, which have the boxes of a table. */
static drua_status begin_shapes(const tabulation *t, label_shapes *all)
{
    const size_t bytes = ((size_t)t->largest + 1) * sizeof *all->of;
    DRUA_TRY(label_rows_fit(t->largest, bytes));
    all->of = drua_alloc(bytes);
    if (!all->of)
        return drua_fail_memory(bytes);
    all->count = t->largest + 1;
    for (uint32_t label = 0; label < all->count; label++)
        for (int axis = 0; axis < 3 && t->of[label].pixels > 0; axis++) {
            all->of[label].low[axis] = (uint32_t)t->of[label].low[axis];
            all->of[label].high[axis] = (uint32_t)t->of[label].high[axis];
        }
    return DRUA_OK;
}

static void add_shape_row(const void *of, int64_t row, drua_text *text)
{
    enum { MAX_CELLS = 128 };
    const shaping *s = of;
    double cells[MAX_CELLS];
    s->call->op->shape_row(s->call->columns, &s->all.of[row], cells);
    drua_text_add(text, ",%" PRId64, row);
    for (int i = 0; i < s->call->columns->count; i++)
        label_table_cell(text, cells[i]);
}

static drua_status measure_shapes(job *j, const graph *g, const graph_label_call *c, tabling *t, shaping *s)
{
    const block_pass pass = {.keep = keep_shapes,
                             .add = add_shapes,
                             .save = save_shapes,
                             .load = load_shapes,
                             .payload = s,
                             .overlaps = true,
                             .what = "blocks measured again",
                             .store.number = -1};
    int64_t step[3];
    DRUA_TRY(choose_step(j, g, c, step));
    DRUA_TRY(sum_blocks(j, g, c, step, t));
    DRUA_TRY(begin_shapes(&t->all, &s->all));
    return pass_run(j, g, &c->labels, 1, step, &pass);
}

static drua_status make_shapes(job *j, const graph *g, const graph_label_call *c, const char *hash)
{
    tabling t = {.all.of = NULL};
    shaping s = {.call = c, .type = g->values[c->labels].image->type};
    memcpy(s.all.extent, g->values[c->labels].image->shape.extent, sizeof s.all.extent);
    drua_status status = measure_shapes(j, g, c, &t, &s);
    const table_rows rows = {c->columns->headings, 1, s.all.count, add_shape_row, &s};
    if (status == DRUA_OK && j->passes != PASSES_COUNTED)
        status = label_table_write(j, g->table_count, hash, &rows);
    drua_free(t.all.of);
    drua_free(s.all.of);
    return status;
}

/* ---- tables of pairs */

typedef struct pairing {
    const graph_label_call *call;
    label_pairs all;
    drua_type type; /* of the labels */
    drua_bytes rows; /* all pairs in their order */
} pairing;

static drua_status keep_pairs(pass_block *b, void *payload)
{
    const pairing *p = payload;
    return block_pairs_find(&b->own, &b->box, p->type, b->pixels[0], &b->found);
}

static drua_status add_pairs(const drua_bytes *found, void *payload)
{
    pairing *p = payload;
    return label_pairs_add(&p->all, found);
}

static drua_status save_pairs(const void *payload, drua_bytes *joined)
{
    const pairing *p = payload;
    return label_pairs_save(&p->all, joined);
}

static drua_status load_pairs(void *payload, const drua_bytes *joined)
{
    pairing *p = payload;
    label_pairs_free(&p->all);
    return label_pairs_add(&p->all, joined);
}

static void add_pair_row(const void *of, int64_t row, drua_text *text)
{
    enum { MAX_CELLS = 8 };
    const pairing *p = of;
    const label_pair *pair = (const label_pair *)(const void *)p->rows.data + row;
    double cells[MAX_CELLS];
    p->call->op->pair_row(p->call->columns, pair->steps, cells);
    drua_text_add(text, ",%" PRIu32 ",%" PRIu32, pair->labels[0], pair->labels[1]);
    for (int i = 0; i < p->call->columns->count; i++)
        label_table_cell(text, cells[i]);
}

static drua_status measure_pairs(job *j, const graph *g, const graph_label_call *c, pairing *p)
{
    const block_pass pass = {.keep = keep_pairs,
                             .add = add_pairs,
                             .save = save_pairs,
                             .load = load_pairs,
                             .payload = p,
                             .overlaps = true,
                             .what = "blocks measured",
                             .store.number = -1};
    int64_t step[3];
    DRUA_TRY(choose_step(j, g, c, step));
    DRUA_TRY(pass_run(j, g, &c->labels, 1, step, &pass));
    if (!p->all.labelled && p->all.odd != 0)
        return label_map_refuse(p->all.odd);
    return label_pairs_list(&p->all, &p->rows);
}

static drua_status make_pairs(job *j, const graph *g, const graph_label_call *c, const char *what)
{
    pairing p = {.call = c, .type = g->values[c->labels].image->type};
    drua_status status = measure_pairs(j, g, c, &p);
    const table_rows rows = {c->columns->headings, 0, (int64_t)(p.rows.length / sizeof(label_pair)), add_pair_row, &p};
    if (status == DRUA_OK && j->passes != PASSES_COUNTED)
        status = label_table_write(j, g->table_count, what, &rows);
    label_pairs_free(&p.all);
    drua_free(p.rows.data);
    return status;
}

/* ---- lists of spots */

typedef struct spots {
    label_row *rows;
    int64_t width, height;
} spots;

static void add_spot(const void *of, int64_t row, drua_text *text)
{
    const spots *s = of;
    const int64_t at = (int64_t)s->rows[row].first;
    drua_text_add(text, ",%" PRId64 ",%" PRId64 ",%" PRId64, at % s->width, at / s->width % s->height,
                  at / s->width / s->height);
}

static drua_status list_spots(job *j, const graph *g, const graph_label_call *c, const char *hash)
{
    const drua_shape shape = g->values[c->labels].image->shape;
    spots s = {.width = shape.width, .height = shape.height};
    uint32_t count;
    if (j->passes == PASSES_COUNTED)
        return DRUA_OK;
    DRUA_TRY(label_map_rows(graph_labels(g, c->labels), &s.rows, &count));
    const table_rows rows = {"X,Y,Z", 1, (int64_t)count + 1, add_spot, &s};
    const drua_status status = label_table_write(j, g->table_count, hash, &rows);
    drua_free(s.rows);
    return status;
}

/* ---- the overlap of two images */

enum { BOTH, FIRST, SECOND, OVERLAP_COUNTS };

typedef struct overlap {
    drua_type types[2];
    uint64_t counts[OVERLAP_COUNTS]; /* pixels that are not 0 in both images, in the first, in the second */
    bool dice;
} overlap;

static drua_status count_overlap(pass_block *b, void *payload)
{
    const overlap *o = payload;
    uint64_t counts[OVERLAP_COUNTS] = {0};
    const size_t pixels = (size_t)drua_box_pixels(&b->box);
    for (size_t i = 0; i < pixels; i++) {
        const bool first = label_pixel(o->types[0], b->pixels[0], i) != 0,
                   second = label_pixel(o->types[1], b->pixels[1], i) != 0;
        counts[BOTH] += first && second;
        counts[FIRST] += first;
        counts[SECOND] += second;
    }
    return pass_bytes(counts, sizeof counts, &b->found);
}

static drua_status load_overlap(void *payload, const drua_bytes *joined)
{
    overlap *o = payload;
    if (joined->length != sizeof o->counts)
        return drua_fail(DRUA_E_ARGUMENT, "the plan's counts of pixels are damaged; make the plan again with --anew");
    memcpy(o->counts, joined->data, sizeof o->counts);
    return DRUA_OK;
}

static drua_status add_overlap(const drua_bytes *found, void *payload)
{
    overlap *o = payload, more = {.dice = false};
    DRUA_TRY(load_overlap(&more, found));
    for (int i = 0; i < OVERLAP_COUNTS; i++)
        o->counts[i] += more.counts[i];
    return DRUA_OK;
}

static drua_status save_overlap(const void *payload, drua_bytes *joined)
{
    const overlap *o = payload;
    return pass_bytes(o->counts, sizeof o->counts, joined);
}

static void add_overlap_row(const void *of, int64_t row, drua_text *text)
{
    const overlap *o = of;
    const double both = (double)o->counts[BOTH], all = (double)(o->counts[FIRST] + o->counts[SECOND]);
    (void)row;
    label_table_cell(text, o->dice ? 2 * both / all : both / (all - both));
}

static drua_status make_overlap(job *j, const graph *g, const graph_label_call *c, const char *hash)
{
    const int values[] = {c->source, c->labels};
    int64_t step[3];
    overlap o = {.types = {g->values[c->source].image->type, g->values[c->labels].image->type},
                 .dice = !strcmp(c->op->name, "sorensen_dice_coefficient")};
    const block_pass pass = {.keep = count_overlap,
                             .add = add_overlap,
                             .save = save_overlap,
                             .load = load_overlap,
                             .payload = &o,
                             .what = "blocks compared",
                             .store.number = -1};
    const table_rows rows = {o.dice ? "Sorensen_Dice_coefficient" : "Jaccard_Index", 0, 1, add_overlap_row, &o};
    DRUA_TRY(choose_step(j, g, c, step));
    DRUA_TRY(pass_run(j, g, values, 2, step, &pass));
    return j->passes == PASSES_COUNTED ? DRUA_OK : label_table_write(j, g->table_count, hash, &rows);
}

/* ---- tables */

typedef struct table_kind {
    int passes;
    drua_status (*make)(job *j, const graph *g, const graph_label_call *c, const char *hash);
} table_kind;

static table_kind kind_of(const graph_label_call *c)
{
    const char *name = c->op->name;
    if (!strcmp(name, "spots_to_point_list"))
        return (table_kind){0, list_spots};
    if (!strcmp(name, "jaccard_index") || !strcmp(name, "sorensen_dice_coefficient"))
        return (table_kind){1, make_overlap};
    if (c->op->pair_row)
        return (table_kind){1, make_pairs};
    return (table_kind){2, c->columns ? make_shapes : make_statistics};
}

drua_status job_tabulate(void *payload, const graph *g, const graph_label_call *c)
{
    job *j = payload;
    char hash[DRUA_SHA256_TEXT];
    const table_kind kind = kind_of(c);
    DRUA_TRY(pass_hash(j, g, drua_text_characters(&c->text), hash));
    if (j->passes == PASSES_DONE || (j->passes != PASSES_COUNTED && label_table_exists(j, g->table_count, hash))) {
        pass_skip(j, kind.passes);
        return DRUA_OK;
    }
    return kind.make(j, g, c, hash);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "movie_labels.h"

#include <string.h>

enum { WALK = 32, SUM_WORDS = 8, MAX_ROWS = 1 << 26, FIRST_SLOTS = 4, MAX_SLOTS = 1 << 14 };

/* One work-item for WALK pixels along y. */
static drua_grid walk_grid(drua_layout l)
{
    return GRID(l.width, (l.height + WALK - 1) / WALK, l.depth, 64, 1, 1);
}

static drua_view take_zeros(drua_plan *p, uint64_t words)
{
    drua_view view = plan_scratch_bytes(p, 4 * (words + 1));
    plan_clear(p, view);
    return view;
}

static drua_tiles tiles_of(const movie_labels *m, int64_t halo)
{
    return (drua_tiles){.inputs = {m->labels}, .axis = 2, .separate = true, .halo = halo};
}

static int32_t first_layer(const drua_tiles *t)
{
    return (int32_t)t->at.read.first[2];
}

static void set_rows(drua_plan *p, const char *image, movie_labels *m, const uint32_t *ranges)
{
    uint32_t *pairs = plan_host_memory(p, (size_t)(m->frames + 1) * 2 * sizeof *pairs);
    for (int64_t t = 0; t < m->frames && !plan_failed(p); t++) {
        const uint32_t max = ranges[2 * t + 1], min = max ? ~ranges[2 * t] : 1;
        m->min[t] = pairs[2 * t] = min;
        m->base[t] = pairs[2 * t + 1] = (uint32_t)m->rows;
        m->rows += max ? (int64_t)max - min + 1 : 0;
        if (max > TRACK_MAX)
            plan_fail(p,
                      "%s has label %u in frame %lld, but labels up to %d can be tracked; renumber the labels with "
                      "closeIndexGapsInLabelMap",
                      image, (unsigned)max, (long long)t + 1, TRACK_MAX);
        if (m->rows > MAX_ROWS)
            plan_fail(p,
                      "%s has label numbers that are too far apart: more than %d from the smallest to the largest, "
                      "added up over the frames; renumber the labels of each frame from 1",
                      image, MAX_ROWS);
    }
    if (plan_failed(p))
        return;
    m->base[m->frames] = pairs[2 * m->frames + 1] = (uint32_t)m->rows;
    m->table = plan_scratch_bytes(p, (uint64_t)(m->frames + 1) * 2 * sizeof *pairs);
    plan_write(p, m->table, pairs);
}

movie_labels movie_open_operand(drua_plan *p, drua_operand operand, const char *image, int64_t frames)
{
    movie_labels m = {.frames = frames};
    const int64_t depth = plan_failed(p) ? frames : plan_operand_shape(p, operand).depth;
    if (!plan_failed(p) && depth % frames)
        plan_fail(p, "%s has %lld slices, which cannot be divided equally among %lld frames; pass the number of frames",
                  image, (long long)depth, (long long)frames);
    m.labels = plan_operand_image(p, operand);
    if (plan_failed(p))
        return m;
    m.slices = (int32_t)(depth / frames);
    m.min = plan_host_memory(p, (size_t)(frames + 1) * sizeof *m.min);
    m.base = plan_host_memory(p, (size_t)(frames + 1) * sizeof *m.base);
    uint32_t *ranges = plan_host_memory(p, (size_t)frames * 2 * sizeof *ranges);
    drua_view on_device = take_zeros(p, 2 * (uint64_t)frames);
    for (drua_tiles t = tiles_of(&m, 0); plan_next_tile(p, &t);)
        LAUNCH(p, "movie_label_ranges", walk_grid(t.from[0].layout), ARG(t.from[0]), INT(m.slices),
               INT(first_layer(&t)), POINTER(on_device));
    plan_read(p, on_device, ranges, (size_t)frames * 2 * sizeof *ranges);
    plan_free_scratch(p, on_device);
    set_rows(p, image, &m, ranges);
    return m;
}

movie_labels movie_open_labels(drua_plan *p, const char *image, int64_t frames)
{
    return movie_open_operand(p, plan_operand(p, image), image, frames);
}

static double wide_count(const uint32_t *counter)
{
    return (double)(counter[0] | (uint64_t)counter[1] << 32);
}

track_spot *movie_spots(drua_plan *p, movie_labels *m, const double voxel[3], int64_t *count)
{
    *count = 0;
    if (plan_failed(p))
        return NULL;
    const size_t bytes = (size_t)m->rows * SUM_WORDS * sizeof(uint32_t);
    drua_view on_device = take_zeros(p, (uint64_t)m->rows * SUM_WORDS);
    for (drua_tiles t = tiles_of(m, 0); plan_next_tile(p, &t);)
        LAUNCH(p, "movie_sums", walk_grid(t.from[0].layout), ARG(t.from[0]), INT(m->slices), INT(first_layer(&t)),
               POINTER(m->table), POINTER(on_device));
    uint32_t *sums = plan_host_memory(p, bytes + sizeof *sums);
    m->spot = plan_host_memory(p, (size_t)(m->rows + 1) * sizeof *m->spot);
    if (bytes > 0)
        plan_read(p, on_device, sums, bytes);
    plan_free_scratch(p, on_device);
    int64_t max = 0;
    for (int64_t row = 0; row < m->rows && !plan_failed(p); row++)
        max += sums[row * SUM_WORDS] > 0;
    track_spot *spots = plan_host_memory(p, (size_t)(max + 1) * sizeof *spots);
    for (int64_t t = 0; t < m->frames && !plan_failed(p); t++)
        for (uint32_t row = m->base[t]; row < m->base[t + 1]; row++) {
            const uint32_t *sum = sums + (size_t)row * SUM_WORDS;
            m->spot[row] = sum[0] ? *count : -1;
            if (!sum[0])
                continue;
            track_spot *s = &spots[*count];
            *s = (track_spot){.size = sum[0], .frame = (int32_t)t, .source = *count};
            s->label = m->min[t] + (row - m->base[t]);
            for (int axis = 0; axis < 3; axis++)
                s->at[axis] = wide_count(sum + 2 + 2 * axis) / sum[0] * voxel[axis];
            ++*count;
        }
    return plan_failed(p) ? NULL : spots;
}

/*
 * Counts pixels that labels share with labels of `other`, `shift` slices later, with that many slots for each label.
 * Returns false if the slots are too few for a label.
 */
static bool count_shared(drua_plan *p, const movie_labels *m, drua_view other, int32_t shift, int32_t slots,
                         uint32_t *shared)
{
    uint32_t overfull = 0;
    drua_view counts = take_zeros(p, (uint64_t)m->rows * 2 * (uint64_t)slots), flag = take_zeros(p, 1);
    drua_tiles t = tiles_of(m, shift);
    t.inputs[1] = other;
    while (plan_next_tile(p, &t)) {
        const int32_t origin = first_layer(&t);
        LAUNCH(p, "movie_overlaps", walk_grid(t.from[0].layout), ARG(t.from[0]), ARG(t.from[1]), INT(shift),
               INT(m->slices), INT(origin), INT(t.at.wanted.first[2] - origin), INT(t.at.wanted.end[2] - origin),
               POINTER(m->table), INT(slots), POINTER(counts), POINTER(flag));
    }
    plan_read(p, flag, &overfull, sizeof overfull);
    if (!overfull && !plan_failed(p))
        plan_read(p, counts, shared, (size_t)m->rows * 2 * (size_t)slots * sizeof *shared);
    plan_free_scratch(p, counts);
    plan_free_scratch(p, flag);
    return !overfull;
}

uint32_t *movie_shared(drua_plan *p, const movie_labels *m, drua_view other, int32_t shift, int32_t *slots)
{
    *slots = FIRST_SLOTS;
    uint32_t *shared = plan_host_memory(p, (size_t)m->rows * 2 * FIRST_SLOTS * sizeof *shared + sizeof *shared);
    while (!plan_failed(p) && m->rows > 0 && !count_shared(p, m, other, shift, *slots, shared)) {
        *slots *= 4;
        if (*slots > MAX_SLOTS)
            plan_fail(p, "a label shares pixels with more than %d other labels; split it, or link by distance",
                      MAX_SLOTS);
        shared = plan_host_memory(p, (size_t)m->rows * 2 * (size_t)*slots * sizeof *shared);
    }
    return plan_failed(p) ? NULL : shared;
}

track_overlaps movie_overlaps(drua_plan *p, const movie_labels *m, const track_graph *g)
{
    track_overlaps o = {0};
    int32_t slots;
    if (plan_failed(p) || m->rows == 0)
        return o;
    const uint32_t *shared = movie_shared(p, m, m->labels, m->slices, &slots);
    int64_t *first = plan_host_memory(p, (size_t)(g->count + 1) * sizeof *first), max = 0;
    int32_t *place = plan_host_memory(p, (size_t)(g->count + 1) * sizeof *place);
    for (int64_t k = 0; k < m->rows * slots && !plan_failed(p); k++)
        max += shared[2 * k + 1] > 0;
    int32_t *spot = plan_host_memory(p, (size_t)(max + 1) * sizeof *spot);
    uint32_t *pixels = plan_host_memory(p, (size_t)(max + 1) * sizeof *pixels);
    for (int64_t i = 0; i < g->count && !plan_failed(p); i++)
        place[g->spots[i].source] = (int32_t)i;
    for (int64_t i = 0; i < g->count && !plan_failed(p); i++) {
        const track_spot *s = &g->spots[i];
        const uint32_t *pair = shared + ((size_t)m->base[s->frame] + s->label - m->min[s->frame]) * 2 * (size_t)slots;
        first[i + 1] = first[i];
        for (int32_t k = 0; k < slots; k++, pair += 2) {
            if (!pair[1])
                continue;
            const uint32_t row = m->base[s->frame + 1] + pair[0] - m->min[s->frame + 1];
            spot[first[i + 1]] = place[m->spot[row]];
            pixels[first[i + 1]++] = pair[1];
        }
    }
    return (track_overlaps){first, spot, pixels};
}

/* ---- painting */

typedef struct painting {
    const movie_labels *movie;
    drua_view numbers;
} painting;

static void launch_painting(drua_plan *p)
{
    const painting *w = plan_state(p);
    drua_view labels = plan_image(p, "labels");
    for (drua_tiles t = {.inputs = {labels}, .output = "destination", .axis = 2, .separate = true};
         plan_next_tile(p, &t);)
        LAUNCH(p, "movie_paint", plan_grid(t.to.layout), ARG(t.from[0]), INT(w->movie->slices), INT(first_layer(&t)),
               POINTER(w->movie->table), POINTER(w->numbers), ARG(t.to));
}

static const drua_op paint = {
    .name = "paint",
    DRUA_PARAMS(DRUA_IMAGE_IN("labels", "label movie"),
                DRUA_LABELS_OUT("destination", "numbers of the labels", .type = DRUA_FLOAT32, .by_tiles = true)),
    .numeric = DRUA_EXACT,
    .launch = launch_painting,
};

drua_operand movie_paint(drua_plan *p, const char *image, const movie_labels *m, const uint32_t *numbers)
{
    if (plan_failed(p))
        return (drua_operand){0};
    painting work = {m, plan_scratch_bytes(p, 4 * ((uint64_t)m->rows + 1))};
    plan_write(p, work.numbers, numbers);
    return plan_call_private(p, &paint, &work, DRUA_FLOAT32, (drua_operand[]){plan_operand(p, image)}, 1);
}

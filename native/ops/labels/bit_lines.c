/* SPDX-License-Identifier: BSD-3-Clause */
#include "labels.h"

enum { CHUNK = 4096, LANES = 256, FEW_CHUNKS = 256 };

drua_ranks labels_rank(drua_plan *p, drua_view bits, uint32_t words)
{
    uint32_t chunks = (words + CHUNK - 1) / CHUNK;
    drua_view counts = plan_scratch_bytes(p, 4 * ((uint64_t)chunks + 1)),
              before = plan_scratch_bytes(p, 4 * (uint64_t)words);
    LAUNCH(p, "rank_count", LINE((int64_t)chunks * LANES, 256), POINTER(bits), POINTER(counts), INT(words));
    if (chunks > FEW_CHUNKS)
        LAUNCH(p, "rank_scan", LINE(LANES, 256), POINTER(counts), INT(chunks));
    LAUNCH(p, "rank_words", LINE((int64_t)chunks * LANES, 256), POINTER(bits), POINTER(counts), POINTER(before),
           INT(words), INT(chunks), INT(chunks > FEW_CHUNKS));
    return (drua_ranks){before, counts, chunks};
}

uint32_t labels_rank_total(drua_plan *p, drua_ranks ranks)
{
    uint32_t *counts = plan_host_memory(p, 4 * ((size_t)ranks.chunks + 1));
    plan_read(p, ranks.chunk_counts, counts, 4 * ((size_t)ranks.chunks + 1));
    return plan_failed(p) ? 0 : counts[ranks.chunks];
}

uint32_t labels_max_words(drua_plan *p)
{
    enum { NODES_A_WORD = 16 };
    return (uint32_t)(plan_max_countable_pixels(p) / NODES_A_WORD);
}

drua_bits labels_bits(drua_plan *p, drua_layout l, int multiple)
{
    uint64_t unit = (uint64_t)multiple, row = ((uint64_t)l.width + 32 * unit - 1) / (32 * unit) * unit,
             words = row * (uint64_t)l.height * (uint64_t)l.depth;
    if (words > labels_max_words(p)) {
        plan_fail_memory(
            p,
            "an image of %d x %d x %d pixels is too large for 32-bit labels; with rows padded to %d pixels, "
            "at most %llu pixels can be labelled; crop it or split it",
            l.width, l.height, l.depth, 32 * multiple, 32 * (unsigned long long)labels_max_words(p));
        return (drua_bits){{0}, 0, 0};
    }
    return (drua_bits){plan_scratch_bytes(p, 4 * words), (uint32_t)words, (uint32_t)row};
}

drua_bits labels_pack(drua_plan *p, drua_view source, int multiple)
{
    const drua_layout l = source.layout;
    const drua_bits bits = labels_bits(p, l, multiple);
    const uint32_t row = bits.row;
    for (drua_tiles t = {.inputs = {source}}; plan_next_tile(p, &t);) {
        const drua_view from = t.from[0];
        if (drua_layout_is_in_bytes(&from.layout) &&
            /* 16-byte vectors are faster than the vectors of 4 pixels plus a fused prologue */
            plan_prologue_bytes(p, from) < 2)
            LAUNCH(p, "pack_bytes", plan_tile_grid(GRID(row, l.height, l.depth, 16, 16, 1), &t), ARG(from),
                   POINTER(bits.view), INT(row), INT(0));
        else if (labels_are_vec4(from, from))
            LAUNCH_WITH_PROLOGUE(p, "pack_vec4",
                                 plan_tile_grid(GRID((int64_t)row * 8, l.height, l.depth, 32, 8, 1), &t), ARG(from),
                                 POINTER(bits.view), INT(row), INT(0));
        else
            LAUNCH(p, "pack_bits", plan_tile_grid(GRID((int64_t)row * 32, l.height, l.depth, 32, 8, 1), &t), ARG(from),
                   POINTER(bits.view), INT(row));
    }
    return bits;
}

static drua_ranks rank_tile(drua_plan *p, drua_view tile, drua_bits *bits)
{
    *bits = labels_pack(p, tile, 1);
    return labels_rank(p, bits->view, bits->words);
}

static void drop_ranks(drua_plan *p, drua_bits bits, drua_ranks ranks)
{
    plan_free_scratch(p, bits.view);
    plan_free_scratch(p, ranks.before);
    plan_free_scratch(p, ranks.chunk_counts);
}

int64_t labels_count_spots(drua_plan *p, drua_view source)
{
    int64_t count = 0;
    for (drua_tiles t = {.inputs = {source}, .separate = true}; plan_next_tile(p, &t);) {
        drua_bits bits;
        const drua_ranks ranks = rank_tile(p, t.from[0], &bits);
        count += labels_rank_total(p, ranks);
        drop_ranks(p, bits, ranks);
    }
    return count;
}

/* Lists the set pixels of a tile that has extent `l` and begins at `first` in the image. */
static void list_tile(drua_plan *p, const int64_t first[3], drua_layout l, drua_bits bits, drua_ranks ranks,
                      int64_t listed, drua_view list)
{
    enum { LIST_WORDS = 4 /* as in kernels/labels/tables.cl */ };
    const int64_t strips = ((int64_t)bits.row + LIST_WORDS - 1) / LIST_WORDS;
    LAUNCH(p, "list_spots", GRID(32 * strips, l.height, l.depth, 32, 8, 1), POINTER(bits.view), POINTER(ranks.before),
           INT(bits.row), INT(l.height), INT(l.depth), ARG(list), INT(listed), INT(first[1]), INT(first[2]));
}

void labels_list_spots(drua_plan *p, drua_view source, drua_view list)
{
    int64_t listed = 0;
    for (drua_tiles t = {.inputs = {source}, .separate = true}; plan_next_tile(p, &t);) {
        drua_bits bits;
        const drua_ranks ranks = rank_tile(p, t.from[0], &bits);
        list_tile(p, t.at.wanted.first, t.from[0].layout, bits, ranks, listed, list);
        if (t.at.wanted.end[t.axis] < t.all.end[t.axis])
            listed += labels_rank_total(p, ranks);
        drop_ranks(p, bits, ranks);
    }
}

drua_spots labels_find_spots(drua_plan *p, drua_view source)
{
    drua_spots found = {.source = source, .ranked = plan_fits_both(p, source, source)};
    if (found.ranked) {
        found.bits = labels_pack(p, source, 1);
        found.ranks = labels_rank(p, found.bits.view, found.bits.words);
    }
    return found;
}

int64_t labels_count_found(drua_plan *p, const drua_spots *found)
{
    return found->ranked ? labels_rank_total(p, found->ranks) : labels_count_spots(p, found->source);
}

void labels_list_found(drua_plan *p, const drua_spots *found, drua_view list)
{
    if (found->ranked)
        list_tile(p, (const int64_t[]){0, 0, 0}, found->source.layout, found->bits, found->ranks, 0, list);
    else
        labels_list_spots(p, found->source, list);
}

bool labels_are_vec4(drua_view a, drua_view b)
{
    return drua_layout_is_vec4(&a.layout) && drua_layout_is_vec4(&b.layout) &&
           drua_layout_is_same_size(&a.layout, &b.layout);
}

int32_t labels_march(drua_layout l)
{
    enum { SLICES = 32, FEW = 128 };
    return l.depth > FEW ? SLICES : 4;
}

drua_grid labels_march_grid(drua_layout l, int32_t slices)
{
    return GRID(((int64_t)l.width + 3) / 4, l.height, (l.depth + slices - 1) / slices, 32, 8, 1);
}

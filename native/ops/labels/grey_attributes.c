/* SPDX-License-Identifier: BSD-3-Clause */
/* Attribute openings and closings of grey values, bit by bit; see kernels/labels/attribute_rounds.cl. */
#include "labels.h"

enum { AREA, BOX_DIAGONAL };
enum { OPENING, CLOSING, TOP_HAT, BOTTOM_HAT };

/* The bits of the levels, the smallest attribute, and scratch memory of all rounds. */
typedef struct attributes {
    drua_layout of;
    bool box, diagonal;
    uint64_t least; /* pixels, or the square of a diagonal */
    int places; /* bits of a level */
    drua_view planes, table;
    drua_bits members, settled;
} attributes;

#define EXTENT_OF(a)                                                                                                   \
    INT((a)->of.height), INT((a)->of.depth), INT((a)->members.row), INT((a)->members.words), INT((a)->box)
#define SIZES_OF(a) POINTER((a)->table), INT((a)->of.width), INT((a)->diagonal), LONG((a)->least)

static uint64_t words_of_table(const attributes *a, uint64_t words)
{
    enum { NODES_A_WORD = 16, BOX_WORDS = 6 };
    return words * NODES_A_WORD * (a->diagonal ? BOX_WORDS : 1);
}

/* Decides one bit of the levels. */
static void decide(drua_plan *p, const attributes *a, int place)
{
    const drua_grid words = LINE(a->members.words, 256);
    const drua_view members = a->members.view, settled = a->settled.view;
    LAUNCH(p, "attribute_members", words, POINTER(a->planes), EXTENT_OF(a), INT(place), INT(a->places),
           POINTER(members), POINTER(settled));
    const drua_runs runs =
        a->box ? labels_join_blocks(p, a->members, a->of) : labels_join_runs(p, a->members, a->of, a->of.depth > 1);
    plan_clear(p, a->table);
    LAUNCH(p, "attribute_measure", words, POINTER(a->planes), EXTENT_OF(a), INT(place), INT(a->places),
           POINTER(members), POINTER(settled), POINTER(runs.parent), SIZES_OF(a));
    LAUNCH(p, "attribute_lower", words, POINTER(a->planes), EXTENT_OF(a), INT(place), POINTER(members),
           POINTER(runs.parent), SIZES_OF(a));
    plan_free_scratch(p, runs.parent);
    plan_free_scratch(p, runs.roots);
}

/* The bits of a level at the places where `varying` is 1, moved together; see kernels/geodesic/attribute_levels.cl. */
static uint32_t pack(uint32_t level, uint32_t varying)
{
    uint32_t packed = 0, place = 1;
    for (; varying; varying &= varying - 1, place <<= 1)
        packed |= level & varying & -varying ? place : 0;
    return packed;
}

static void launch_attribute_filter(drua_plan *p)
{
    enum { ZEROS, ONES, HAS_NAN, NOT_LOWEST, HIGHEST, SEEN };
    const drua_view source = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = source.layout;
    const int64_t neighbours = plan_integer(p, "connectivity");
    const uint64_t minimum = (uint64_t)plan_integer(p, "minimum");
    const int operation = plan_choice(p, "operation");
    const bool down = operation == CLOSING || operation == BOTTOM_HAT;
    attributes a = {
        .of = l, .box = neighbours == 8 || neighbours == 26, .diagonal = plan_choice(p, "attribute") == BOX_DIAGONAL};
    uint32_t seen[SEEN] = {0};
    const drua_view found = plan_scratch_bytes(p, sizeof seen);
    plan_clear(p, found);
    LAUNCH(p, "attribute_begin", plan_grid(l), ARG(source), POINTER(found), INT(down));
    plan_read(p, found, seen, sizeof seen);
    const uint32_t varying = seen[ZEROS] & seen[ONES], base = pack(~seen[NOT_LOWEST], varying), lift = seen[HAS_NAN];
    for (uint32_t left = pack(seen[HIGHEST], varying) - base + lift; left; left >>= 1)
        a.places++;
    a.least = a.diagonal ? minimum * minimum : minimum;
    a.members = labels_bits(p, l, a.box ? 2 : 1);
    a.settled = labels_bits(p, l, a.box ? 2 : 1);
    a.table = plan_scratch_bytes(p, 4 * words_of_table(&a, a.members.words));
    a.planes = plan_scratch_bytes(p, 4 * (uint64_t)a.members.words * (uint64_t)(a.places + !a.places));
    plan_clear(p, a.settled.view);
    LAUNCH(p, "attribute_pack", GRID(32 * (int64_t)a.members.row, l.height, l.depth, 32, 8, 1), ARG(source),
           POINTER(a.planes), INT(a.members.words), INT(a.members.row), INT(a.places), INT(varying), INT(base),
           INT(lift), INT(down));
    for (int place = a.places; place-- > 0 && minimum > (a.diagonal ? 0 : 1) && !plan_failed(p);)
        decide(p, &a, place);
    LAUNCH(p, "attribute_end", plan_grid(to.layout), POINTER(a.planes), ARG(source), INT(a.members.words),
           INT(a.members.row), INT(a.places), INT(varying), INT(~seen[ZEROS]), INT(base), INT(lift), INT(down),
           INT(operation == TOP_HAT || operation == BOTTOM_HAT), ARG(to));
}

static uint64_t scratch_of_filter(drua_plan *p)
{
    enum { BITS_A_BYTE = 8, NODES_A_WORD = 16, OTHERS = 3, PIXELS_A_WORD = 32 };
    const drua_shape of = plan_shape(p, "source");
    const attributes a = {.diagonal = plan_choice(p, "attribute") == BOX_DIAGONAL};
    const uint64_t words = ((uint64_t)of.width / (2 * PIXELS_A_WORD) + 1) * 2 * (uint64_t)(of.height * of.depth),
                   places = BITS_A_BYTE * (uint64_t)drua_type_size(plan_type(p, "source"));
    return 4 * (words * (places + NODES_A_WORD + OTHERS) + words_of_table(&a, words));
}

/*
 * Whether a structure around a pixel is large enough depends only on pixels at most `minimum` away. A structure that
 * goes further has at least `minimum` pixels, and its box is large enough too.
 */
static void parts_of_filter(drua_plan *p, drua_parts *parts)
{
    parts->halo[0] = parts->halo[1] = parts->halo[2] = plan_integer(p, "minimum");
    parts->columns = true;
}

DRUA_OP(attribute_filter) = {
    .name = "attribute_filter",
    .category = "filter",
    .menu = true,
    .summary = "Removes small bright or dark structures of grey values and keeps the outlines of all others: area "
               "opening and closing, or the same by the diagonal of bounding boxes.",
    .source = "each pixel gets the highest grey value at which the pixels of at least this value that are connected "
              "to it are large enough (Vincent 1993), as in MorphoLibJ's Gray Scale Attribute Filtering; a binary "
              "search finds the value bit by bit, with connected components for all pixels at once. If the whole image "
              "is too small, all pixels get its darkest value, and for closings its brightest. NaN is darker than all "
              "numbers for openings, and brighter for closings. Top-hat is the image minus its opening, and bottom-hat "
              "the closing minus the image",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "grey, binary or label image"),
                DRUA_IMAGE_OUT("destination", "filtered image, or what the filter removed"),
                DRUA_CHOICE("operation",
                            "opening: removes bright structures; closing: fills dark ones; top-hat, bottom-hat: shows "
                            "what the opening or closing changes",
                            DRUA_CHOICES("opening", "closing", "top-hat", "bottom-hat"), .default_text = "opening"),
                DRUA_CHOICE("attribute",
                            "area: number of pixels, in stacks of voxels; box-diagonal: distance between the centres "
                            "of the first and the last pixel of the bounding box",
                            DRUA_CHOICES("area", "box-diagonal"), .default_text = "area"),
                DRUA_INTEGER("minimum", "structures with a smaller attribute are removed", .unit = "pixel",
                             DRUA_RANGE(0, 2147483647), .default_value = 100),
                DRUA_INTEGER("connectivity",
                             "4 or 6: neighbouring pixels share a side; 8 or 26: a shared corner is enough",
                             DRUA_RANGE(4, 26), DRUA_ONLY(4, 6, 8, 26), .default_value = 6)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_attribute_filter,
    .parts = parts_of_filter,
    .scratch = scratch_of_filter,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* Maxima of a minimum prominence; see kernels/detect/prominence.cl. */
#include "plan.h"

enum { BORDERS, PEAKS_LEFT, LENGTHS };

/* A list that becomes shorter from round to round: each round copies the entries that it keeps. */
typedef struct shrinking_list {
    drua_view entries, kept;
    uint32_t length;
} shrinking_list;

/* The peaks of an image, with lists of the undecided peaks and of the pixels on their borders. */
typedef struct peaks {
    drua_layout layout;
    uint64_t count; /* pixels */
    drua_view ranks, owners; /* of each pixel: its rank among the values, and its peak */
    drua_view pixels, peak_ranks, joined_to, passes, goals; /* of each peak */
    drua_view lengths;
    shrinking_list borders, undecided;
    uint32_t number;
    double tolerance;
} peaks;

#define FOURS       GRID((a->count + 3) / 4, 1, 1, 256, 1, 1)
#define LIST(list)  GRID((list).length, 1, 1, 256, 1, 1)
#define ENTRIES(of) POINTER((of).entries), INT((of).length)
#define EXTENT      INT(l.width), INT(l.height), INT(l.depth)
#define OF_PEAKS                                                                                                       \
    POINTER(a->pixels), POINTER(a->peak_ranks), POINTER(a->joined_to), POINTER(a->passes), POINTER(a->goals)

static void read_lengths(drua_plan *p, peaks *a)
{
    uint32_t lengths[LENGTHS] = {0};
    plan_read(p, a->lengths, lengths, sizeof lengths);
    a->borders.length = lengths[BORDERS];
    a->undecided.length = lengths[PEAKS_LEFT];
}

static shrinking_list make_list(drua_plan *p, uint32_t length)
{
    const uint64_t bytes = sizeof(uint32_t) * ((uint64_t)length + !length);
    return (shrinking_list){plan_scratch_bytes(p, bytes), plan_scratch_bytes(p, bytes), length};
}

static void swap_list(shrinking_list *list)
{
    const drua_view entries = list->entries;
    list->entries = list->kept;
    list->kept = entries;
}

/* Climbs from all pixels to their peaks. */
static void climb_to_peaks(drua_plan *p, const peaks *a, drua_view source, drua_view min)
{
    enum { STEPS = 8, TURNS = 11 }; /* 8^11 exceeds the number of pixels */
    const drua_layout l = a->layout;
    const drua_view unfinished = plan_scratch_bytes(p, (TURNS + 1) * sizeof(uint32_t));
    int turn = 0;
    plan_clear(p, unfinished);
    plan_write(p, min, &(uint32_t){UINT32_MAX});
    LAUNCH(p, "prominence_ranks", plan_grid(l), ARG(source), POINTER(a->ranks), POINTER(min));
    LAUNCH(p, "prominence_climb", plan_grid(l), POINTER(a->ranks), POINTER(a->owners), EXTENT);
    for (uint64_t reached = 1; reached < a->count; reached *= STEPS)
        LAUNCH(p, "prominence_follow", FOURS, POINTER(a->owners), INT(a->count), INT(STEPS), POINTER(unfinished),
               INT(turn++));
}

static void list_peaks(drua_plan *p, peaks *a)
{
    const drua_layout l = a->layout;
    plan_clear(p, a->lengths);
    LAUNCH(p, "prominence_count", FOURS, POINTER(a->ranks), POINTER(a->owners), INT(a->count), EXTENT,
           REAL(a->tolerance), POINTER(a->lengths));
    read_lengths(p, a);
    a->number = a->undecided.length;
    a->borders = make_list(p, a->borders.length);
    a->undecided = make_list(p, a->number);
    drua_view *const of_peaks[] = {&a->pixels, &a->peak_ranks, &a->joined_to, &a->passes, &a->goals};
    for (size_t i = 0; i < sizeof of_peaks / sizeof *of_peaks; i++)
        *of_peaks[i] = plan_scratch_bytes(p, sizeof(uint32_t) * (uint64_t)a->number);
    plan_clear(p, a->lengths);
    LAUNCH(p, "prominence_list_borders", FOURS, POINTER(a->ranks), POINTER(a->owners), INT(a->count), EXTENT,
           REAL(a->tolerance), POINTER(a->borders.entries), POINTER(a->lengths));
    LAUNCH(p, "prominence_list_peaks", FOURS, POINTER(a->ranks), POINTER(a->owners), INT(a->count), OF_PEAKS,
           POINTER(a->undecided.entries), POINTER(a->lengths));
    LAUNCH(p, "prominence_name_tops", LIST(a->undecided), POINTER(a->owners), POINTER(a->pixels), INT(a->number));
    LAUNCH(p, "prominence_name_pixels", FOURS, POINTER(a->owners), INT(a->count), POINTER(a->pixels), INT(a->number));
}

/* Finds the passes of undecided peaks, and merges those of insufficient prominence. */
static void merge_once(drua_plan *p, const peaks *a)
{
    const drua_layout l = a->layout;
    plan_clear(p, a->lengths);
    for (int turn = 0; turn < 2 && a->borders.length; turn++)
        LAUNCH(p, "prominence_passes", LIST(a->borders), ENTRIES(a->borders), POINTER(a->ranks), POINTER(a->owners),
               EXTENT, OF_PEAKS, INT(turn));
    LAUNCH(p, "prominence_join", LIST(a->undecided), ENTRIES(a->undecided), OF_PEAKS, REAL(a->tolerance));
    LAUNCH(p, "prominence_keep_peaks", LIST(a->undecided), ENTRIES(a->undecided), OF_PEAKS, REAL(a->tolerance),
           POINTER(a->undecided.kept), POINTER(a->lengths));
    if (a->borders.length)
        LAUNCH(p, "prominence_keep_borders", LIST(a->borders), ENTRIES(a->borders), POINTER(a->ranks),
               POINTER(a->owners), EXTENT, OF_PEAKS, REAL(a->tolerance), POINTER(a->borders.kept), POINTER(a->lengths));
}

static void mark_by_climbing(drua_plan *p, drua_view source, drua_view to)
{
    const drua_layout l = source.layout;
    const uint64_t count = (uint64_t)drua_layout_count(&l);
    peaks made = {.layout = l,
                  .count = count,
                  .ranks = plan_scratch_bytes(p, sizeof(uint32_t) * count),
                  .owners = plan_scratch_bytes(p, sizeof(uint32_t) * count),
                  .lengths = plan_scratch_bytes(p, LENGTHS * sizeof(uint32_t)),
                  .tolerance = plan_number(p, "tolerance")},
          *const a = &made;
    const drua_view min = plan_scratch_bytes(p, sizeof(uint32_t));
    climb_to_peaks(p, a, source, min);
    list_peaks(p, a);
    while (a->undecided.length && !plan_failed(p)) {
        merge_once(p, a);
        read_lengths(p, a);
        swap_list(&a->borders);
        swap_list(&a->undecided);
    }
    LAUNCH(p, "prominence_mark", plan_grid(to.layout), POINTER(a->owners), OF_PEAKS, POINTER(min), REAL(a->tolerance),
           EXTENT, ARG(to));
}

#define SEARCHED POINTER(ranks), POINTER(owners), POINTER(queue), POINTER(found)

/*
 * Marks peaks by flooding: each top floods the pixels that are lower by less than the tolerance. The host launches the
 * sequential part in short pieces, because a running launch cannot be stopped.
 */
static void mark_by_flooding(drua_plan *p, drua_view source, drua_view to)
{
    enum { MIN_LINES = 8, STRIPS_OF_UNIT = 4, STATES = 5, PIXELS_AT_ONCE = 1 << 24 };
    const drua_layout l = source.layout;
    const uint64_t count = (uint64_t)drua_layout_count(&l);
    const int64_t lines = (int64_t)l.height * l.depth,
                  wanted = lines / ((int64_t)plan_device(p)->compute_units * STRIPS_OF_UNIT) + 1;
    const int64_t lines_of_strip = wanted > MIN_LINES ? wanted : MIN_LINES,
                  strips = (lines + lines_of_strip - 1) / lines_of_strip;
    const drua_view ranks = plan_scratch_bytes(p, 4 * count), owners = plan_scratch_bytes(p, 4 * count),
                    queue = plan_scratch_bytes(p, 4 * count);
    const drua_view list = plan_scratch_bytes(p, 4 * count), found = plan_scratch_bytes(p, count),
                    counts = plan_scratch_bytes(p, 4 * (uint64_t)strips);
    const int64_t share = (int64_t)count / 4 + 1, max = share < PIXELS_AT_ONCE ? share : PIXELS_AT_ONCE;
    const double tolerance = plan_number(p, "tolerance");
    LAUNCH(p, "prominence_ranks_of_lines", GRID(lines, 1, 1, 8, 1, 1), ARG(source), POINTER(ranks), POINTER(owners),
           POINTER(found), INT(lines));
    LAUNCH(p, "prominence_of_strips", GRID(strips, 1, 1, 1, 1, 1), SEARCHED, POINTER(list), POINTER(counts), EXTENT,
           INT(lines_of_strip), REAL(tolerance));
    uint32_t *of_strips = plan_host_memory(p, (size_t)strips * sizeof *of_strips), state[STATES] = {0};
    uint64_t undecided = 0;
    plan_read(p, counts, of_strips, (size_t)strips * sizeof *of_strips);
    for (int64_t strip = 0; strip < strips && !plan_failed(p); strip++)
        undecided += of_strips[strip];
    if (undecided && !plan_failed(p)) {
        const drua_view tops = plan_scratch_bytes(p, 4 * undecided), spare = plan_scratch_bytes(p, 4 * undecided),
                        states = plan_scratch_bytes(p, sizeof state);
        LAUNCH(p, "prominence_order", GRID(1, 1, 1, 1, 1, 1), POINTER(ranks), POINTER(list), POINTER(counts),
               INT(lines_of_strip * l.width), INT(strips), POINTER(tops), POINTER(spare));
        plan_clear(p, states);
        while (state[0] < undecided && !plan_failed(p)) {
            LAUNCH(p, "prominence_of_list", GRID(1, 1, 1, 1, 1, 1), SEARCHED, POINTER(tops), INT(undecided), EXTENT,
                   REAL(tolerance), POINTER(states), INT(max));
            plan_read(p, states, state, sizeof state);
        }
    }
    LAUNCH(p, "prominence_of_found", GRID((int64_t)to.layout.height * to.layout.depth, 1, 1, 8, 1, 1), POINTER(found),
           EXTENT, ARG(to));
}

static void launch_prominent(drua_plan *p)
{
    const drua_view source = plan_image(p, "source"), to = plan_image(p, "destination");
    const uint64_t count = (uint64_t)drua_layout_count(&source.layout);
    if (count >= UINT32_MAX)
        plan_fail(p, "source has %llu pixels, but at most 4294967294 can be searched at once; crop it or split it",
                  (unsigned long long)count);
    if (plan_device(p)->is_gpu)
        mark_by_climbing(p, source, to);
    else
        mark_by_flooding(p, source, to);
}

static void number_maxima(drua_plan *p, drua_operand image)
{
    drua_operand marks = CALL(p, "prominent_maxima", DRUA_UINT8, image, NUMBER(plan_number(p, "tolerance")));
    plan_return(p, "destination", CALL(p, "label_spots", plan_type(p, "destination"), marks));
}

static void build_find(drua_plan *p)
{
    number_maxima(p, plan_operand(p, "source"));
}

static void build_find_and_label(drua_plan *p)
{
    drua_operand image = plan_operand(p, "source");
    number_maxima(p, plan_flag(p, "invert") ? CALL(p, "invert", DRUA_FLOAT32, image) : image);
}

#define SOURCE DRUA_IMAGE_IN("source", "image to search")
#define TOLERANCE                                                                                                      \
    DRUA_NUMBER("tolerance",                                                                                           \
                "smallest prominence: height of a maximum above the highest pass that leads to a higher maximum; for " \
                "the highest maximum, height above the darkest pixel",                                                 \
                .unit = "grey value", DRUA_RANGE(0, 1e30), .default_value = 10)
#define METHOD                                                                                                         \
    "prominence: the height of a maximum above the highest pass that leads to a higher maximum; for the highest "      \
    "maximum, above the darkest pixel; pixels touch at sides"

DRUA_OP(prominent_maxima) = {
    .name = "prominent_maxima",
    .category = "detection",
    .summary = "Marks maxima that exceed their surroundings by a tolerance, one pixel each: the first of a flat top in "
               "raster order.",
    .source = METHOD,
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "1 at each maximum, else 0"), TOLERANCE),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_prominent,
};

DRUA_OP(find_maxima) = {
    .name = "find_maxima",
    .category = "detection",
    .summary = "Finds and numbers maxima that exceed their surroundings by a tolerance, one pixel each.",
    .source = METHOD,
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "the number of each maximum, in raster order, else 0"),
                TOLERANCE),
    DRUA_ALIASES("CLIJx findMaxima: source, &destination, tolerance"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .menu = true,
    .build = build_find,
};

DRUA_OP(find_and_label_maxima) = {
    .name = "find_and_label_maxima",
    .category = "detection",
    .summary =
        "Finds and numbers maxima, or minima, that differ from their surroundings by a tolerance, one pixel each.",
    .source = METHOD,
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "the number of each maximum, in raster order, else 0"), TOLERANCE,
                DRUA_BOOLEAN("invert", "find minima instead, as maxima of the negative image", .default_value = 1)),
    DRUA_ALIASES("CLIJx findAndLabelMaxima: source, &destination, tolerance, invert"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_find_and_label,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses radices, work-items and lines per work-group. The limits and weights below gave nearly the fastest of 850
 * variants on an H200: docs/internals/speed-notes.md.
 */
#include "line.h"

#include <math.h>

enum { LONGEST = 4096, MAX_LINES = 64, COLUMNS = 16, MIN_COLUMNS = 4, WHOLE = 8, HALF = 4 };

static bool is_power_of_two(int64_t n)
{
    return !(n & (n - 1));
}

static int rounds_up(int64_t a, int64_t b)
{
    return (int)((a + b - 1) / b);
}

/* Number of values that a work-item holds in a step. */
static int values_per_item(const fft_line *a, int step)
{
    return rounds_up(a->length / a->radices[step], a->threads) * a->radices[step];
}

static int max_held(const fft_line *a)
{
    int max = 1;
    for (int i = 0; i < a->steps; i++)
        max = values_per_item(a, i) > max ? values_per_item(a, i) : max;
    return max;
}

/* ---- lines per work-group */

/* Work-groups that exchange numbers in halves should be so small that a multiprocessor's registers hold two groups. */
static int max_items(const fft_line *a, bool halves)
{
    if (is_power_of_two(a->length))
        return 512;
    return !halves || a->lines <= MIN_COLUMNS ? 768 : a->lines < COLUMNS ? 448 : 0;
}

static bool line_fits(const fft_line *a, const drua_device_info *info, bool halves)
{
    const int64_t max_bytes = info->local_memory < 49152 ? (int64_t)info->local_memory : 49152;
    const int64_t padded = a->length + (a->gap ? a->length / a->gap : 0), items = (int64_t)a->threads * a->lines;
    return padded * a->lines * (halves ? HALF : WHOLE) <= max_bytes && items <= max_items(a, halves) &&
           items <= (int64_t)info->largest_work_group;
}

/*
 * Chooses how many lines lie side by side. Columns take 128 bytes as far as work-items and memory allow, or 32 bytes if
 * there would be too few work-groups otherwise. Rows are exchanged as a whole.
 */
static bool choose_lines(fft_line *a, const drua_device_info *info)
{
    const int fewest_items = is_power_of_two(a->length) && !a->rows ? 256 : 128;
    a->lines = a->rows ? rounds_up(fewest_items, a->threads) : COLUMNS;
    while (!a->rows && a->threads * a->lines < fewest_items)
        a->lines *= 2;
    a->lines = a->lines < MAX_LINES ? a->lines : MAX_LINES;
    while (a->lines > MIN_COLUMNS && !a->rows && a->count < a->lines * (int64_t)info->compute_units)
        a->lines /= 2;
    for (a->halves = false; !line_fits(a, info, false); a->lines /= 2) {
        a->halves = !a->rows && line_fits(a, info, true);
        if (a->halves || a->lines == 1)
            return a->halves;
    }
    return true;
}

/* ---- powers of two */

/*
 * As few radices as possible, each up to 16. Rows of up to SHORT_ROW numbers use 8 numbers per work-item, which hides
 * latency, and begin with the smallest radix.
 */
static bool choose_power_of_two(fft_line *a, const drua_device_info *info)
{
    enum { SHORT_ROW = 512 };
    const bool is_short = a->rows && a->length <= SHORT_ROW;
    const int max = is_short ? 3 : 4;
    int twos = 0;
    while (a->length >> (twos + 1))
        twos++;
    for (int left = (twos + max - 1) / max; left > 0; left--) {
        const int step = is_short && !a->steps ? twos / left : (twos + left - 1) / left;
        a->radices[a->steps++] = 1 << step;
        twos -= step;
    }
    a->threads = rounds_up(a->length, is_short ? 8 : 16);
    a->gap = a->steps ? a->radices[0] : 1;
    a->values = max_held(a);
    return choose_lines(a, info);
}

/* ---- other lengths */

/* Cost in steps: the number of steps, idle work-items, too many or too few numbers per work-item, and narrow groups. */
static double cost_of(const fft_line *a)
{
    enum { MANY = 16, FEW = 10, WIDE = 8 };
    double slots = 0, sum = 0;
    for (int i = 0; i < a->steps; i++) {
        slots += (double)values_per_item(a, i) * a->threads / (double)a->length;
        sum += a->radices[i];
    }
    const double narrow = a->rows || a->lines >= WIDE ? 0 : 0.4,
                 narrower = narrow > 0 && a->lines < MIN_COLUMNS ? 0.6 : 0;
    return a->steps + 3 * (slots / a->steps - 1) + 0.06 * fmax(a->values - MANY, 0) + 0.1 * fmax(FEW - a->values, 0) +
           0.02 * sum + narrow + narrower;
}

typedef struct search {
    const drua_device_info *info;
    fft_line best;
    double cost;
} search;

/* Work-items per line: as many as one of the steps has butterflies, or a fraction of them. */
static void try_threads(search *s, fft_line a)
{
    enum { MAX_ROUNDS = 7 };
    const int max_values = a.rows ? 18 : 21;
    for (int i = 0; i < a.steps; i++)
        for (int rounds = 1; rounds <= MAX_ROUNDS; rounds++) {
            a.threads = rounds_up(a.length / a.radices[i], rounds);
            a.values = max_held(&a);
            if (a.values > max_values || !choose_lines(&a, s->info) || cost_of(&a) >= s->cost)
                continue;
            s->best = a;
            s->cost = cost_of(&a);
        }
}

/*
 * Products of radices from number `from` on, in ascending order: steps that store their results close together come
 * last.
 */
static void try_radices(search *s, fft_line a, int64_t rest, int from)
{
    static const int radices[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21};
    if (rest == 1)
        try_threads(s, a);
    if (rest == 1 || a.steps == FFT_LINE_STEPS)
        return;
    a.steps++;
    for (int i = from; i < (int)(sizeof radices / sizeof *radices); i++)
        if (rest % radices[i] == 0) {
            a.radices[a.steps - 1] = radices[i];
            try_radices(s, a, rest / radices[i], i);
        }
}

static int even_part(int n)
{
    return n & -n;
}

/*
 * Puts an odd radix first. The first step of rows writes to local memory at distances of its radix, and an odd distance
 * uses all banks.
 */
static void begin_with_odd(fft_line *a)
{
    int at = 0;
    for (int i = 1; i < a->steps; i++)
        at = even_part(a->radices[i]) < even_part(a->radices[at]) ? i : at;
    const int first = a->radices[at];
    for (; at > 0; at--)
        a->radices[at] = a->radices[at - 1];
    a->radices[0] = first;
}

bool fft_line_choose(fft_line *line, const drua_device_info *info)
{
    if (line->length > LONGEST)
        return false;
    *line = (fft_line){.length = line->length, .count = line->count, .rows = line->rows};
    if (is_power_of_two(line->length))
        return choose_power_of_two(line, info);
    search s = {.info = info, .cost = INFINITY};
    try_radices(&s, *line, line->length, 0);
    if (!s.best.steps)
        return false;
    *line = s.best;
    if (line->rows)
        begin_with_odd(line);
    return true;
}

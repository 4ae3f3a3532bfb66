/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs eight steps of growth in a plane in one launch. A work-group computes a tile of two words by STEP_ROWS rows. It
 * reads the bits of the tile and of eight pixels around it. Local memory holds the labels that may spread and those
 * that pixels get during the steps.
 */
#include "components.cl"
#include "grow_until_full.cl"
enum {
    STEPS = 8, STEP_WORDS = 2, STEP_ROWS = 32, SEEN_WORDS = STEP_WORDS + 2, SEEN_ROWS = STEP_ROWS + 2 * STEPS,
    SEEN_COLUMNS = 32 * STEP_WORDS + 2 * STEPS, FIRST_COLUMN = 32 - STEPS,
    LINE_WORDS = SEEN_WORDS + 2, LINES = SEEN_ROWS + 2      /* with a border of zeros */
};

/* The neighbours of the set bits of a word: across faces, edges and corners (box) or across faces only. */
inline uint reached_around(local const uint *word, int box)
{
    local const uint *above = word - LINE_WORDS, *below = word + LINE_WORDS;
    if (box)
        return spread_by_one(word[0] | above[0] | below[0], word[-1] | above[-1] | below[-1],
                             word[1] | above[1] | below[1]);
    return spread_by_one(word[0], word[-1], word[1]) | above[0] | below[0];
}

/* The three pixels from bit `shift` of a word on. */
#define THREE_BITS(words, shift) ((words)[0] >> (shift) | (words)[1] << 1 << (31 - (shift)))

/* Returns the largest label among the neighbours of a pixel that have a bit; `at` points to the pixel's own label. */
inline uint largest_seen(local const uint *line, local const uint *at, int x, int box)
{
    const int shift = (x - 1) & 31;
    local const uint *word = line + (x - 1) / 32;
    const uint above = THREE_BITS(word - LINE_WORDS, shift), here = THREE_BITS(word, shift),
               below = THREE_BITS(word + LINE_WORDS, shift);
    uint label = max(max(here & 1 ? at[-1] : 0, here & 4 ? at[1] : 0),
                     max(above & 2 ? at[-SEEN_COLUMNS] : 0, below & 2 ? at[SEEN_COLUMNS] : 0));
    if (box)
        label = max(max(label, max(above & 1 ? at[-SEEN_COLUMNS - 1] : 0, above & 4 ? at[-SEEN_COLUMNS + 1] : 0)),
                    max(below & 1 ? at[SEEN_COLUMNS - 1] : 0, below & 4 ? at[SEEN_COLUMNS + 1] : 0));
    return label;
}

/* The bits of a word that lie within `count` pixels of a row. */
inline uint bits_of_row(int count)
{
    return count >= 32 ? 0xffffffffu : (1u << count) - 1;
}

/* The open pixels of a word that this step reaches; they are added to the list. */
inline uint reach(uint open, local const uint *word, int box, local int *count, local ushort *fresh, int lane)
{
    const uint found = open ? open & reached_around(word, box) : 0;
    if (found) {
        int next = atomic_add(count, (int)popcount(found));
        for (uint rest = found; rest; rest &= rest - 1)
            fresh[next++] = (ushort)(lane * 32 + BIT_NUMBER(ONE_BIT(rest)));
    }
    return found;
}

/* Reads the labels of pixels that may spread, if there are `any` pixels to spread to. */
inline void read_spreading(int any, local uint *label_of, local const uint *spreads, global const uint *first_label,
                           int label_row, int lane)
{
    for (int k = lane; k < SEEN_ROWS * SEEN_COLUMNS && any; k += GROW_WORDS) {
        const int line = k / SEEN_COLUMNS, x = k % SEEN_COLUMNS + FIRST_COLUMN;
        if (spreads[line * SEEN_WORDS + x / 32] >> (x & 31) & 1)
            label_of[k] = first_label[(INDEX)line * label_row + x];
    }
}

/*
 * Labels the first `some` pixels of the list from neighbours that had a label in `before`. Also writes labels of the
 * tile itself to the image.
 */
inline void label_fresh(local uint *label_of, local const ushort *fresh, int some, local const uint *before, int box,
                        global uint *first_label, int label_row, int lane)
{
    for (int k = lane; k < some; k += GROW_WORDS) {
        const int line = fresh[k] / (32 * SEEN_WORDS), x = fresh[k] % (32 * SEEN_WORDS);
        local uint *mine = label_of + line * SEEN_COLUMNS + x - FIRST_COLUMN;
        const uint label = largest_seen(before + (line + 1) * LINE_WORDS + 1, mine, x, box);
        *mine = label;
        if (x >= 32 && x < 32 + 32 * STEP_WORDS && line >= STEPS && line < STEPS + STEP_ROWS)
            first_label[(INDEX)line * label_row + x] = label;
    }
}

/*
 * Runs the steps of one launch. changed[left] receives whether its last two steps changed a pixel. If the last two
 * steps of the launch before changed nothing, this one returns at once.
 */
kernel void grow_until_full_steps(global const uint *from, global uint *to, global const uint *mask, int masked,
                                  int row_words, int width, int height, global uint *labels, int label_row,
                                  global uint *changed, int left)
{
    local uint bits[2][LINES * LINE_WORDS], spreads[SEEN_ROWS * SEEN_WORDS], label_of[SEEN_ROWS * SEEN_COLUMNS];
    local ushort fresh[SEEN_ROWS * SEEN_COLUMNS];
    local int count[2], open_words;
    if (!changed[left + 1] && !changed[left + 2])
        return;
    const int lane = get_local_id(0), tile = (int)(get_global_id(0) / GROW_WORDS),
              tiles = (row_words + STEP_WORDS - 1) / STEP_WORDS;
    const int first_word = tile % tiles * STEP_WORDS - 1, first_row = tile / tiles * STEP_ROWS - STEPS;
    const int row = lane / SEEN_WORDS, column = lane % SEEN_WORDS, y = first_row + row, word = first_word + column;
    const int place = (row + 1) * LINE_WORDS + column + 1;
    const bool seen = lane < SEEN_ROWS * SEEN_WORDS,
               there = seen && word >= 0 && word < row_words && y >= 0 && y < height;
    const bool own = there && column > 0 && column <= STEP_WORDS && row >= STEPS && row < STEPS + STEP_ROWS;
    const INDEX at = (INDEX)y * row_words + word;
    const uint edge = column == 0 ? 0xffffffffu << FIRST_COLUMN : column > STEP_WORDS ? (1u << STEPS) - 1 : 0xffffffffu;
    const uint here = there ? from[at] & edge : 0;
    uint open = there ? ~here & edge & (masked ? mask[at] : bits_of_row(width - 32 * word)) : 0;
    if (lane == 0)
        count[0] = open_words = 0;
    for (int k = lane; k < LINES * LINE_WORDS; k += GROW_WORDS)
        bits[0][k] = bits[1][k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own && open)
        open_words = 1;
    if (seen) {
        bits[0][place] = here;
        bits[1][place] = open;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (seen)
        spreads[lane] = here & reached_around(bits[1] + place, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    global uint *first_label = labels + (INDEX)first_row * label_row + 32 * (INDEX)first_word;
    read_spreading(open_words, label_of, spreads, first_label, label_row, lane);
    uint now = here;
    bool late = false;
    for (int step = 0; step < STEPS && open_words; step++) {
        const int box = step % 2 == 0, turn = step & 1;
        local const uint *before = bits[turn];
        const uint found = reach(open, before + place, box, &count[turn], fresh, lane);
        now |= found;
        open &= ~found;
        late = late || (own && found && step >= STEPS - 2);
        if (seen)
            bits[1 - turn][place] = now;
        barrier(CLK_LOCAL_MEM_FENCE);
        const int some = count[turn];
        if (some == 0 && box)       /* no later step can reach a pixel */
            break;
        if (lane == 0)
            count[1 - turn] = 0;
        label_fresh(label_of, fresh, some, before, box, first_label, label_row, lane);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (own)
        to[at] = now;
    if (late)
        changed[left] = 1;
}

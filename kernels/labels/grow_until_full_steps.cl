/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Eight steps of growth in a plane by one launch. A group makes a tile of two words by STEP_ROWS rows from bits that reach as many
 * pixels beyond it as there are steps; labels that pixels get on the way are kept in local memory, those before are read.
 */
enum {
    STEPS = 8, STEP_WORDS = 2, STEP_ROWS = 32, SEEN_WORDS = STEP_WORDS + 2, SEEN_ROWS = STEP_ROWS + 2 * STEPS,
    NEW_COLUMNS = 32 * STEP_WORDS + 2 * STEPS, FIRST_COLUMN = 32 - STEPS
};

/* Bits that a group sees, before the launch and now; labels of those that are new. */
typedef struct {
    local const uint *before, *now;
    local const uint *made;
    global const uint *labels;      /* of the pixel at its first bit, which may lie outside */
    INDEX row;
} seen_bits;

/* Word of a row, 0 beyond what is seen. */
inline uint seen_word(local const uint *words, int row, int column)
{
    return row >= 0 && row < SEEN_ROWS && column >= 0 && column < SEEN_WORDS ? words[row * SEEN_WORDS + column] : 0;
}

inline uint label_seen(const seen_bits *s, int row, int x)
{
    if (x < 0 || row < 0 || x >= 32 * SEEN_WORDS || row >= SEEN_ROWS || !(s->now[row * SEEN_WORDS + x / 32] >> (x & 31) & 1))
        return 0;
    if (s->before[row * SEEN_WORDS + x / 32] >> (x & 31) & 1)
        return s->labels[row * s->row + x];
    return s->made[row * NEW_COLUMNS + x - FIRST_COLUMN];
}

/* The largest label around a pixel. */
inline uint largest_seen(const seen_bits *s, int row, int x, int box)
{
    const uint sides = max(max(label_seen(s, row, x - 1), label_seen(s, row, x + 1)), max(label_seen(s, row - 1, x), label_seen(s, row + 1, x)));
    if (!box)
        return sides;
    return max(sides, max(max(label_seen(s, row - 1, x - 1), label_seen(s, row - 1, x + 1)), max(label_seen(s, row + 1, x - 1), label_seen(s, row + 1, x + 1))));
}

inline uint spread_seen(local const uint *words, int row, int column)
{
    return spread_by_one(seen_word(words, row, column), seen_word(words, row, column - 1), seen_word(words, row, column + 1));
}

/* Steps from a box on. changed[left]: whether the last two of them changed a pixel; where those before did not there is nothing to do. */
kernel void grow_until_full_steps(global const uint *from, global uint *to, global const uint *mask, int masked, int row_words, int width, int height,
                                  global uint *labels, int label_row, global uint *changed, int left)
{
    local uint before[SEEN_ROWS * SEEN_WORDS], now[SEEN_ROWS * SEEN_WORDS], made[SEEN_ROWS * NEW_COLUMNS];
    local ushort fresh[SEEN_ROWS * NEW_COLUMNS];
    local int count, open_words;
    const int lane = get_local_id(0), tile = (int)(get_global_id(0) / GROW_WORDS), tiles = (row_words + STEP_WORDS - 1) / STEP_WORDS;
    const int first_word = tile % tiles * STEP_WORDS - 1, first_row = tile / tiles * STEP_ROWS - STEPS;
    const int row = lane / SEEN_WORDS, column = lane % SEEN_WORDS, y = first_row + row, word = first_word + column;
    const bool goes_on = changed[left + 1] || changed[left + 2], seen = goes_on && lane < SEEN_ROWS * SEEN_WORDS;
    const bool there = seen && word >= 0 && word < row_words && y >= 0 && y < height;
    const bool own = there && column > 0 && column <= STEP_WORDS && row >= STEPS && row < STEPS + STEP_ROWS;
    const INDEX at = (INDEX)y * row_words + word;
    const uint here = there ? from[at] : 0;
    uint open = 0;
    if (there) {
        const int rest = width - 32 * word;
        open = ~here & (masked ? mask[at] : rest >= 32 ? 0xffffffffu : (1u << rest) - 1);
        open &= column == 0 ? 0xffffffffu << FIRST_COLUMN : column > STEP_WORDS ? (1u << STEPS) - 1 : 0xffffffffu;
    }
    if (lane == 0)
        count = open_words = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (seen)
        before[lane] = now[lane] = here;
    if (own && open)
        open_words = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const seen_bits bits = {before, now, made, labels + (INDEX)first_row * label_row + 32 * (INDEX)first_word, label_row};
    uint grown = 0;
    bool late = false;
    for (int step = 0; step < STEPS && open_words; step++) {
        const int box = step % 2 == 0;
        uint found = 0;
        if (open) {
            const uint straight = seen_word(now, row - 1, column) | seen_word(now, row + 1, column);
            found = open & (spread_seen(now, row, column) | (box ? spread_seen(now, row - 1, column) | spread_seen(now, row + 1, column) : straight));
            if (found) {
                int place = atomic_add(&count, (int)popcount(found));
                for (uint rest_of = found; rest_of; rest_of &= rest_of - 1)
                    fresh[place++] = (ushort)(row * 32 * SEEN_WORDS + column * 32 + BIT_NUMBER(ONE_BIT(rest_of)));
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const int some = count;
        for (int k = lane; k < some; k += GROW_WORDS) {
            const int line = fresh[k] / (32 * SEEN_WORDS), x = fresh[k] % (32 * SEEN_WORDS);
            const uint label = largest_seen(&bits, line, x, box);
            made[line * NEW_COLUMNS + x - FIRST_COLUMN] = label;
            if (x >= 32 && x < 32 + 32 * STEP_WORDS && line >= STEPS && line < STEPS + STEP_ROWS)
                labels[(INDEX)(first_row + line) * label_row + 32 * (INDEX)first_word + x] = label;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane == 0)
            count = 0;
        if (found)
            now[lane] |= found;
        open &= ~found;
        grown |= found;
        late = late || (own && found && step >= STEPS - 2);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (own)
        to[at] = here | grown;
    if (late)
        changed[left] = 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs four rounds of thinning in a plane in one launch. A work-group computes a tile of bits; it also reads the bits
 * around the tile that these rounds reach. One side of a round reaches two rows, because rows of one parity are thinned
 * before the others, and four columns. A work-item has four words, which cover 64 columns and two rows, one word for
 * each subfield; words of a subfield are adjacent. All pixels of a word are tested at once.
 */
enum {
    ROUNDS = 4,
    SIDES = 4,
    MARGIN_ROWS = 2 * SIDES * ROUNDS,
    TILE_PAIRS = 2,
    TILE_ROWS = 64,
    SEEN_PAIRS = TILE_PAIRS + 2,
    SEEN_ROWS = TILE_ROWS + 2 * MARGIN_ROWS,
    SEEN_WORDS = SEEN_PAIRS * SEEN_ROWS / 2,
    BEYOND = SEEN_PAIRS + 1
};

/* Bits of the eight neighbours of a word's pixels. */
typedef struct {
    uint west, north_west, north, north_east, east, south_east, south, south_west;
} compass;

/*
 * Bits left of, at and right of those of a word, in its row or an adjacent row; `even` and `odd` are the words of that
 * row.
 */
inline uint west_of(local const uint *even, local const uint *odd, bool is_odd)
{
    return is_odd ? even[0] : odd[0] << 1 | odd[-1] >> 31;
}

inline uint east_of(local const uint *even, local const uint *odd, bool is_odd)
{
    return is_odd ? even[0] >> 1 | even[1] << 31 : odd[0];
}

enum { FIELD_WORDS = SEEN_WORDS + 2 * BEYOND };

/*
 * The neighbours of a work-item's word in subfield `field` that `links` allows; `words` is its word in the first
 * subfield.
 */
inline compass around_word(local const uint *words, int field, compass links)
{
    const bool is_odd = field & 1;
    local const uint *here = words + (field & 2) * FIELD_WORDS, *beside = words + (~field & 2) * FIELD_WORDS;
    local const uint *up = beside - (field & 2 ? 0 : SEEN_PAIRS), *down = beside + (field & 2 ? SEEN_PAIRS : 0);
    const compass c = {west_of(here, here + FIELD_WORDS, is_odd) & links.west,
                       west_of(up, up + FIELD_WORDS, is_odd) & links.north_west,
                       up[is_odd * FIELD_WORDS] & links.north,
                       east_of(up, up + FIELD_WORDS, is_odd) & links.north_east,
                       east_of(here, here + FIELD_WORDS, is_odd) & links.east,
                       east_of(down, down + FIELD_WORDS, is_odd) & links.south_east,
                       down[is_odd * FIELD_WORDS] & links.south,
                       west_of(down, down + FIELD_WORDS, is_odd) & links.south_west};
    return c;
}

/*
 * is_simple for a plane, where the slices before and after are background: the neighbours are connected, and one of the
 * four face neighbours is background. A connected piece ends at a face neighbour that is followed, going around, by an
 * object pixel at the corner or the next face.
 */
inline uint simple_bits(const compass c)
{
    const uint a = ~c.east & (c.north_east | c.north), b = ~c.north & (c.north_west | c.west);
    const uint d = ~c.west & (c.south_west | c.south), e = ~c.south & (c.south_east | c.east);
    return (a ^ b ^ d ^ e) & ~((a & b) | (d & e));
}

/* Bits where at least two of the eight neighbours are set. */
inline uint two_or_more(const compass c)
{
    const uint one = c.west | c.east, two = c.west & c.east, other = c.north | c.south, others = c.north & c.south;
    const uint left = c.north_west | c.south_west, lefts = c.north_west & c.south_west,
               right = c.north_east | c.south_east;
    const uint rights = c.north_east & c.south_east, straight = one | other, oblique = left | right;
    return two | others | lefts | rights | (one & other) | (left & right) | (straight & oblique);
}

/* The neighbours on one side, in the order of thin_once (native/ops/morphology/skeleton.c). */
inline uint from_side(const compass c, int side)
{
    if (side < 2)
        return side == 0 ? c.north : c.south;
    return side == 2 ? c.east : c.west;
}

/*
 * Removes the pixels of one side from a work-item's words, one subfield after another. Sets `went` if it removed any.
 * All work-items of a group must call it.
 */
inline void thin_side(local uint *words, const compass *links, int side, bool needed, local int *went)
{
    uint marked[4];
    _Pragma("unroll")
    for (int field = 0; field < 4; field++) {
        marked[field] = needed ? words[field * FIELD_WORDS] : 0;
        if (marked[field]) {
            const compass c = around_word(words, field, links[field]);
            marked[field] &= ~from_side(c, side) & simple_bits(c) & two_or_more(c);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    _Pragma("unroll")
    for (int field = 0; field < 4; field++) {
        if (marked[field]) {
            const uint removed = marked[field] & simple_bits(around_word(words, field, links[field]));
            words[field * FIELD_WORDS] &= ~removed;
            if (removed)
                *went = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* The bits of a tile and its surroundings, and the changes that a work-group finds. */
typedef struct {
    uint seen[4 * FIELD_WORDS];
    int active, went[ROUNDS], changes;
} plane_tile;

/*
 * Runs four rounds on a tile. With `has_links`, `links` contains for each word the bits of the pixels that are linked
 * to their neighbour in each of eight directions; other neighbours count as background. A tile stores the last launch
 * that changed it. If the launch before changed none of its neighbours, nothing will change, and both sets of bits are
 * already equal there.
 */
inline void thin_tile(local plane_tile *t, global const uint *from, global uint *to, global const uint *links,
                      bool has_links, int pairs, int height, global uint *changed, int launch,
                      global uint *last_change, uint step)
{
    const int lane = get_local_id(0), tile = (int)(get_global_id(0) / SEEN_WORDS);
    const int columns = (pairs + TILE_PAIRS - 1) / TILE_PAIRS, rows = (height + TILE_ROWS - 1) / TILE_ROWS,
              column = tile % columns, row = tile / columns;
    if (lane == 0) {
        t->active = t->changes = 0;
        for (int round = 0; round < ROUNDS; round++)
            t->went[round] = 0;
        if (changed[launch])
            t->active = is_changed_around(last_change, column, row, columns, rows, step);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!t->active)
        return;
    const int seen_pair = lane % SEEN_PAIRS, seen_row = lane / SEEN_PAIRS * 2;
    const int pair = column * TILE_PAIRS + seen_pair - 1, y = row * TILE_ROWS + seen_row - MARGIN_ROWS;
    local uint *words = t->seen + BEYOND + lane;
    uint before[4];
    compass linked[4];
    _Pragma("unroll")
    for (int field = 0; field < 4; field++) {
        const bool inside = pair >= 0 && pair < pairs && y + field / 2 >= 0 && y + field / 2 < height;
        const INDEX at = inside ? 2 * ((INDEX)(y + field / 2) * pairs + pair) + field % 2 : 0;
        const uint8 l = has_links ? vload8(at, links) : (uint8)(~0u);
        const compass c = {l.s0, l.s1, l.s2, l.s3, l.s4, l.s5, l.s6, l.s7};
        linked[field] = c;
        before[field] = inside ? from[at] : 0;
        words[field * FIELD_WORDS] = before[field];
        if (lane < 2 * BEYOND)
            t->seen[field * FIELD_WORDS + (lane < BEYOND ? lane : SEEN_WORDS + lane)] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 0; round < ROUNDS; round++) {
        const int lost = 2 * SIDES * round;
        const bool needed = seen_row >= lost && seen_row < SEEN_ROWS - lost;
        for (int side = 0; side < SIDES; side++)
            thin_side(words, linked, side, needed, &t->went[round]);
        if (!t->went[round])
            break;
    }
    const bool is_inner = seen_pair > 0 && seen_pair <= TILE_PAIRS && seen_row >= MARGIN_ROWS &&
                          seen_row < MARGIN_ROWS + TILE_ROWS && pair < pairs;
    for (int field = 0; field < 4; field++)
        if (is_inner && y + field / 2 < height) {
            const uint now = words[field * FIELD_WORDS];
            to[2 * ((INDEX)(y + field / 2) * pairs + pair) + field % 2] = now;
            if (now != before[field])
                t->changes = 1;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0 && t->changes) {
        last_change[tile] = step;
        changed[launch + 1] = 1;
    }
}

/* Runs the rounds from 4 (step - 1) on. */
kernel void skeleton_plane(global const uint *from, global uint *to, int pairs, int height, global uint *changed,
                           int launch, global uint *last_change, uint step)
{
    local plane_tile tile;
    thin_tile(&tile, from, to, from, false, pairs, height, changed, launch, last_change, step);
}

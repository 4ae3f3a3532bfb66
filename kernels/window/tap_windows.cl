/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks over the windows of a vector of pixels, for taps.cl. */

/* The windows of LANES pixels from (x, y, z) on: rows of a copy with borders, and half the length of each. */
typedef struct {
    layout copy;
    constant short *half_chords;
    int x, y, z, rx, ry, rz;
} tap_window;

inline tap_window window_here(const layout *copy, constant short *half_chords, int rx, int ry, int rz)
{
    return (tap_window){
        *copy, half_chords, LANES * (int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2), rx, ry, rz};
}

inline int half_chord(const tap_window *w, int dy, int dz) { return w->half_chords[abs(dz) * (w->ry + 1) + abs(dy)]; }

/* Offset at which the row of the window at (dy, dz) would begin if it were as long as the middle row. */
inline INDEX window_row(const tap_window *w, int dy, int dz)
{
    return AT(w->copy, w->x, w->y + w->ry + dy, w->z + w->rz + dz);
}

inline FLOATV window_centre(global const float *pixels, const tap_window *w)
{
    return JOIN(vload, LANES)(0, pixels + window_row(w, 0, 0) + w->rx);
}

/* Defines NAME: updates `all` by `add` with one vector of a row's taps after another. */
#define OVER_ROW(NAME, T, add)                                                                                         \
    inline T NAME(T all, global const float *pixels, const tap_window *w, int dy, int dz, FLOATV about)                \
    {                                                                                                                  \
        const int first = w->rx - half_chord(w, dy, dz), end = 2 * w->rx - first + 1;                                  \
        tap_row taps = taps_from(pixels + window_row(w, dy, dz), first);                                               \
        for (int i = first & -TAPS; i < end; i += TAPS) {                                                              \
            next_taps(&taps);                                                                                          \
            UNROLLED(n, TAPS)                                                                                          \
                if (TAPS == 1 || (i + n >= first && i + n < end))                                                      \
                    all = add(all, tap(&taps, n), about);                                                              \
        }                                                                                                              \
        return all;                                                                                                    \
    }

/* Defines NAME: updates `all` by `add` with one vector of taps of a window after another. */
#define OVER_WINDOW(NAME, T, add)                                                                                      \
    OVER_ROW(NAME##_of_row, T, add)                                                                                    \
    inline T NAME(T all, global const float *pixels, const tap_window *w)                                              \
    {                                                                                                                  \
        for (int dz = -w->rz; dz <= w->rz; dz++)                                                                       \
            for (int dy = -w->ry; dy <= w->ry; dy++)                                                                   \
                all = NAME##_of_row(all, pixels, w, dy, dz, 0.0f);                                                     \
        return all;                                                                                                    \
    }

/*
 * Sums over a window. Rows and planes have separate sums, so that a sum of thousands of pixels is not rounded
 * thousands of times.
 */
#define SUM_OVER_WINDOW(NAME, add)                                                                                     \
    OVER_ROW(NAME##_of_row, FLOATV, add)                                                                               \
    inline FLOATV NAME(global const float *pixels, const tap_window *w, FLOATV about)                                  \
    {                                                                                                                  \
        FLOATV sum = 0.0f;                                                                                             \
        for (int dz = -w->rz; dz <= w->rz; dz++) {                                                                     \
            FLOATV plane_sum = 0.0f;                                                                                   \
            for (int dy = -w->ry; dy <= w->ry; dy++)                                                                   \
                plane_sum += NAME##_of_row(0.0f, pixels, w, dy, dz, about);                                            \
            sum += plane_sum;                                                                                          \
        }                                                                                                              \
        return sum;                                                                                                    \
    }

inline FLOATV lower(FLOATV best, FLOATV v, FLOATV about) { return select(best, v, v < best); }
inline FLOATV higher(FLOATV best, FLOATV v, FLOATV about) { return select(best, v, v > best); }
inline INTV count_number(INTV number, FLOATV v, FLOATV about) { return number - (v == v); }
inline INTV count_nonzero(INTV number, FLOATV v, FLOATV about) { return number - (v != 0.0f); }
inline JOIN(uint, LANES) add_integer(JOIN(uint, LANES) sum, FLOATV v, FLOATV about)
{
    return sum + JOIN(as_uint, LANES)(JOIN(convert_int, LANES)(v));
}
inline FLOATV add(FLOATV sum, FLOATV v, FLOATV about) { return sum + v; }
inline FLOATV add_difference(FLOATV sum, FLOATV v, FLOATV about) { return sum + (v - about); }
inline FLOATV add_square(FLOATV sum, FLOATV v, FLOATV about) { return sum + (v - about) * (v - about); }
OVER_WINDOW(lowest, FLOATV, lower)
OVER_WINDOW(highest, FLOATV, higher)
OVER_WINDOW(numbers, INTV, count_number)
OVER_WINDOW(nonzero, INTV, count_nonzero)
OVER_WINDOW(sum_of_integers, JOIN(uint, LANES), add_integer)
SUM_OVER_WINDOW(sum, add)
SUM_OVER_WINDOW(sum_of_differences, add_difference)
SUM_OVER_WINDOW(sum_of_squares, add_square)

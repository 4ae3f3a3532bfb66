/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Running statistics over time of magnified pixels. A work-item handles one pixel, or 16 neighbours on CPUs, which use
 * vectors.
 */

#if LANES == 16
#define REAL float16
#define READ(at) vload16(0, at)
#define WRITE(at, value) vstore16(value, 0, at)
enum { WIDE = 16 };
#else
#define REAL float
#define READ(at) (*(at))
#define WRITE(at, value) (*(at) = (value))
enum { WIDE = 1 };
#endif

#define EACH(i, count) _Pragma("unroll") for (int i = 0; i < (count); i++)     /* sums stay in registers */

/* most phases per work-item; pixels that an interpolation reads: two on the left and two on the right */
enum { PHASES = 3, NEAR = 5 };
/* planes of the state; without moments, only the first two */
enum { SUM, REST, MEAN, SQUARES, PRODUCTS, BEFORE, START };

typedef struct {
    REAL sum, rest, mean, squares, products, before, start;
} history;

/*
 * Adds one value after `n` earlier ones. `rest` keeps the rounding error of the sum. Welford's recurrence updates the
 * central moments and the products of values that follow each other in time. Values are taken relative to the first
 * one, because float32 would lose small differences of values far from 0.
 */
IN_PLACE void add_in_time(history *of, int n, int moments, REAL value)
{
    const REAL more = value - of->rest, total = of->sum + more;
    of->rest = (total - of->sum) - more;
    of->sum = total;
    if (!moments)
        return;
    if (n == 0) {
        of->mean = of->squares = of->products = of->before = (REAL)(0.0f);
        of->start = value;
    } else {
        const REAL mean = of->mean, change = value - of->start, before = of->before;
        const REAL away = change - mean, shift = away / (float)(n + 1), now = mean + shift;
        of->mean = now;
        of->squares = fma(away, change - now, of->squares);
        of->products = of->products + shift * ((before - mean) - mean) + (float)(n - 1) * shift * shift +
                       (before - now) * (change - now);
        of->before = change;
    }
}

/* Reads the state after `done` values, or zeros. */
IN_PLACE history read_history(global const float *at, INDEX plane, int done, int moments)
{
    history of = {0};
    if (done > 0) {
        of.sum = READ(at + SUM * plane);
        of.rest = READ(at + REST * plane);
    }
    if (done > 0 && moments) {
        of.mean = READ(at + MEAN * plane);
        of.squares = READ(at + SQUARES * plane);
        of.products = READ(at + PRODUCTS * plane);
        of.before = READ(at + BEFORE * plane);
        of.start = READ(at + START * plane);
    }
    return of;
}

inline void write_history(global float *at, INDEX plane, int moments, history of)
{
    WRITE(at + SUM * plane, of.sum);
    WRITE(at + REST * plane, of.rest);
    if (!moments)
        return;
    WRITE(at + MEAN * plane, of.mean);
    WRITE(at + SQUARES * plane, of.squares);
    WRITE(at + PRODUCTS * plane, of.products);
    WRITE(at + BEFORE * plane, of.before);
    WRITE(at + START * plane, of.start);
}

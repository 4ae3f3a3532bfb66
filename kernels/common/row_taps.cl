/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a row of floats that is aligned to whole vectors, TAPS taps at a time. With four lanes it loads whole vectors,
 * including one past the last tap, because GPUs split unaligned vectors into single pixels.
 */
#include "prelude.cl"
#if LANES == 4
enum { TAPS = 4 };
typedef struct {
    global const FLOATV *next;
    FLOATV here, ahead;
} tap_row;

inline tap_row taps_from(global const float *row, int first)
{
    global const FLOATV *next = (global const FLOATV *)row + (first >> 2);
    return (tap_row){next, 0.0f, *next};
}

inline void next_taps(tap_row *r)
{
    r->here = r->ahead;
    r->ahead = *++r->next;
}

/* The LANES pixels that start at tap n. */
inline FLOATV tap(const tap_row *r, int n)
{
    switch (n) {
    case 0: return r->here;
    case 1: return (FLOATV)(r->here.yzw, r->ahead.x);
    case 2: return (FLOATV)(r->here.zw, r->ahead.xy);
    default: return (FLOATV)(r->here.w, r->ahead.xyz);
    }
}
#else
enum { TAPS = 1 };
typedef struct {
    global const float *next;
    FLOATV here;
} tap_row;

inline tap_row taps_from(global const float *row, int first) { return (tap_row){row + first, 0.0f}; }

inline void next_taps(tap_row *r) { r->here = JOIN(vload, LANES)(0, r->next++); }

inline FLOATV tap(const tap_row *r, int n) { return r->here; }
#endif

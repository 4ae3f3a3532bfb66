/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Radial gradient convergence of all phases of a magnified image, weighted with its intensity, and what is known of each
 * magnified pixel over time. A work-item has up to PHASES phases of one column, all with the same samples of the half
 * grid, of WIDE neighbouring pixels, for FRAMES frames at once: each sample and each weight is read once for many sums.
 * Frames are added one after the other, so the sums do not depend on how a stack is cut.
 */

#if LANES == 16
#define REAL float16
#define READ(at) vload16(0, at)
#define WRITE(at, value) vstore16(value, 0, at)
#define WHERE_NEGATIVE(test, value) select((float16)(0.0f), value, (test) < 0.0f)
#define READ_DIRECTION(to_x, to_y, frame, at)                                                                                    \
    to_x = vload16(0, frame + at);                                                                                               \
    to_y = vload16(0, frame + directions.plane + at);
enum { WIDE = 16, FRAMES = 1, PAIR = 1 };
#else
#define REAL float
#define READ(at) (*(at))
#define WRITE(at, value) (*(at) = (value))
#define WHERE_NEGATIVE(test, value) ((test) < 0.0f ? (value) : 0.0f)
#define READ_DIRECTION(to_x, to_y, frame, at)                                                                                    \
    const float2 pair = vload2(at, frame);                                                                                       \
    to_x = pair.x;                                                                                                               \
    to_y = pair.y;
enum { WIDE = 1, FRAMES = 4, PAIR = 2 };
#endif

#define EACH(i, count) _Pragma("unroll") for (int i = 0; i < (count); i++)     /* sums stay in registers */

enum { PHASES = 3, NEAR = 5 };      /* pixels of an interpolation: two before and two behind */

/* Phases q to q + count - 1 of column p; its taps are [samples][count] from `first` on. */
typedef struct {
    int p, q, count, first, samples, unused[3];
} item;

/*
 * A tap: direction of the offset times weight, weight, and where the sample lies (as an int's bits). A macro, so that the
 * number of phases is known where loops are unrolled.
 */
#define CONVERGE(count)                                                                                                          \
    for (int s = 0; s < it.samples; s++) {                                                                                       \
        float4 tap[count];                                                                                                       \
        REAL ux[FRAMES], uy[FRAMES];                                                                                             \
        EACH(c, count)                                                                                                           \
            tap[c] = at_taps[s * count + c];                                                                                     \
        EACH(k, FRAMES) {                                                                                                        \
            READ_DIRECTION(ux[k], uy[k], from[k], as_int(tap[0].w))                                                              \
        }                                                                                                                        \
        EACH(c, count)                                                                                                           \
            EACH(k, FRAMES) {                                                                                                    \
                const REAL sine = fma(uy[k], (REAL)(tap[c].x), -(ux[k] * tap[c].y));                                             \
                const REAL cosine = fma(ux[k], (REAL)(tap[c].x), uy[k] * tap[c].y);                                              \
                sum[c][k] += WHERE_NEGATIVE(cosine, tap[c].z - fabs(sine));                                                      \
            }                                                                                                                    \
    }

/* The frame at the item's magnified pixels; `corner` is the upper left one of their NEAR x NEAR neighbours. */
#define INTERPOLATE(out, corner)                                                                                                 \
    EACH(j, NEAR) {                                                                                                              \
        REAL line = (REAL)(0.0f);                                                                                                \
        EACH(i, NEAR)                                                                                                            \
            line = fma((REAL)(wx[i]), READ(corner + j * frames.row + i), line);                                                  \
        EACH(c, PHASES)                                                                                                          \
            if (c < it.count)                                                                                                    \
                out[c] = fma((REAL)(wy[c * NEAR + j]), line, out[c]);                                                            \
    }

enum { SUM, REST, MEAN, SQUARES, PRODUCTS, BEFORE, START };     /* planes of the state; two without moments */

/*
 * Adds one value in time: a sum with what its rounding lost, and the central moments by Welford's recurrence and its like for
 * neighbours in time, both of what differs from the first value: a mean far from 0 would lose small steps. `n` values came before.
 */
inline void add_in_time(global float *state, INDEX plane, int n, int moments, REAL value)
{
    REAL sum = (REAL)(0.0f), rest = (REAL)(0.0f);
    if (n > 0) {
        sum = READ(state);
        rest = READ(state + plane);
    }
    const REAL more = value - rest, total = sum + more;
    WRITE(state, total);
    WRITE(state + plane, (total - sum) - more);
    if (!moments)
        return;
    if (n == 0) {
        WRITE(state + MEAN * plane, (REAL)(0.0f));
        WRITE(state + SQUARES * plane, (REAL)(0.0f));
        WRITE(state + PRODUCTS * plane, (REAL)(0.0f));
        WRITE(state + START * plane, value);
        WRITE(state + BEFORE * plane, (REAL)(0.0f));
    } else {
        const REAL mean = READ(state + MEAN * plane), change = value - READ(state + START * plane), before = READ(state + BEFORE * plane);
        const REAL away = change - mean, shift = away / (float)(n + 1), now = mean + shift;
        WRITE(state + MEAN * plane, now);
        WRITE(state + SQUARES * plane, fma(away, change - now, READ(state + SQUARES * plane)));
        WRITE(state + PRODUCTS * plane, READ(state + PRODUCTS * plane) + shift * ((before - mean) - mean) + (float)(n - 1) * shift * shift +
                                            (before - now) * (change - now));
        WRITE(state + BEFORE * plane, change);
    }
}

enum { NO_WEIGHT, INTERPOLATED, GIVEN };

/*
 * `frames` are padded frames, or with GIVEN their magnified images as planes of phases; `state` holds [plane][phase] images.
 * Behind the items lie the weights of the interpolation for each phase. The first `done` frames of the group are in it already.
 */
kernel void esrrf_accumulate(INPUT(directions), INPUT(frames), global uchar *state_pixels, const layout state, global const float4 *taps,
                             TABLE(items), int item_count, int magnification, int width, int height, int count, int done,
                             int moments, int weighting, float sensitivity)
{
    const int x = WIDE * (int)get_global_id(0), number = get_global_id(1) % item_count, y = get_global_id(1) / item_count;
    if (x >= width || y >= height)
        return;
    const item it = TABLE_OF(item, items)[number];
    constant float *weights = (constant float *)(TABLE_OF(item, items) + item_count);
    constant float *wx = weights + it.p * NEAR, *wy = weights + it.q * NEAR;
    const int phase = it.q * magnification + it.p, phases = magnification * magnification;
    global const float4 *at_taps = taps + it.first;
    const INDEX state_plane = (INDEX)state.plane * phases;
    for (int f = 0; f < count; f += FRAMES) {
        REAL sum[PHASES][FRAMES];
        global const float *from[FRAMES];
        EACH(k, FRAMES) {
            from[k] = (global const float *)directions_pixels + AT(directions, 0, 0, 2 * min(f + k, count - 1)) +
                      PAIR * (2 * y * (INDEX)directions.row + x);
            EACH(c, PHASES)
                sum[c][k] = (REAL)(0.0f);
        }
        if (it.count == 1) {
            CONVERGE(1)
        } else if (it.count == 2) {
            CONVERGE(2)
        } else {
            CONVERGE(3)
        }
        EACH(k, FRAMES) {
            REAL intensity[PHASES];
            if (f + k >= count)
                continue;
            EACH(c, PHASES)
                intensity[c] = (REAL)(0.0f);
            if (weighting == INTERPOLATED)
                INTERPOLATE(intensity, ((global const float *)frames_pixels + AT(frames, x, y, f + k)))
            EACH(c, PHASES) {
                if (c >= it.count)
                    continue;
                REAL value = fmax(sum[c][k], (REAL)(0.0f));
                if (sensitivity != 1.0f)
                    value = pow(value, (REAL)(sensitivity));
                if (weighting == INTERPOLATED)
                    value *= intensity[c];
                if (weighting == GIVEN)
                    value *= READ((global const float *)frames_pixels + AT(frames, x, y, (f + k) * phases + phase + c * magnification));
                add_in_time((global float *)state_pixels + AT(state, x, y, phase + c * magnification), state_plane, done + f + k, moments, value);
            }
        }
    }
}

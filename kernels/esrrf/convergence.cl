/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes the radial gradient convergence of all phases of a magnified image, weights it with the intensity, and adds
 * it to the statistics of each magnified pixel. A work-item handles up to PHASES phases of one column, WIDE
 * neighbouring pixels and FRAMES frames at once. These phases use the same samples of the half grid, so each sample and
 * weight is read once for many sums. Frames are added in order, so the sums do not depend on how a stack is divided.
 */
#include "add_in_time.cl"
#if LANES == 16
#define ADD_WHERE_NEGATIVE(sum, test, value) sum += select((float16)(0.0f), value, (test) < 0.0f)
#define TAPS at_taps
#define ROW(items)                                                                                                     \
    ((int)get_global_id(1) / (items)) /* consecutive work-items of a row of the grid read the same rows of directions */
#define ITEM(items) ((int)get_global_id(1) % (items))
#define READ_DIRECTIONS(frames, at)                                                                                    \
    ux[0] = vload16(0, from[0] + at);                                                                                  \
    uy[0] = vload16(0, from[0] + directions.plane + at);
enum { FRAMES = 1, FEW = 1, TOGETHER = 1, SOURCES = 1, STEP = 1 };
typedef float direction;
#else
/*
 * Adds `value` where `test` is negative, and 0 elsewhere. Adding 0 does not change the sum, because a sum that starts
 * at 0 is never -0. A plain conditional sum would take two instructions, because compilers select the value first.
 */
#define ADD_WHERE_NEGATIVE(sum, test, value) sum = (test) < 0.0f ? fma(it.one, value, sum) : sum
#define TAPS near_taps
#define ROW(items) (int)get_global_id(1)
/* one item per work-group, in a form that compilers recognise */
#define ITEM(items) ((int)get_global_id(2) - (int)get_local_id(2))
#define READ_DIRECTIONS(frames, at)                                                                                    \
    EACH(k, frames / 2) {                                                                                              \
        const float4 two = from[k][at];                                                                                \
        ux[2 * k] = two.x, uy[2 * k] = two.y;                                                                          \
        ux[2 * k + 1] = two.z, uy[2 * k + 1] = two.w;                                                                  \
    }
enum { FRAMES = 8, FEW = 2, TOGETHER = 2, SOURCES = FRAMES / TOGETHER, STEP = 4 };
typedef float4 direction;           /* gradient directions of two frames, side by side */
#endif

/*
 * Phases q to q + count - 1 of column p. The taps are [samples][count] from `first` on. `one` is 1, hidden from the
 * compiler.
 */
typedef struct {
    int p, q, count, first, samples;
    float one;
    int unused[2];
} item;

/*
 * One tap: offset direction times weight, weight, and the position of the sample as the bits of an int. CONVERGE is a
 * macro, so that the numbers of phases and frames are constants where loops are unrolled.
 */
#define CONVERGE(count, frames)                                                                                        \
    _Pragma("nounroll") for (int s = 0; s < samples; s++) {                                                            \
        float4 tap[count];                                                                                             \
        REAL ux[frames], uy[frames];                                                                                   \
        EACH(c, count)                                                                                                 \
            tap[c] = TAPS[s * count + c];                                                                              \
        READ_DIRECTIONS(frames, as_int(tap[0].w))                                                                      \
        EACH(c, count)                                                                                                 \
            EACH(k, frames) {                                                                                          \
                const REAL sine = fma(uy[k], (REAL)(tap[c].x), -(ux[k] * tap[c].y));                                   \
                const REAL cosine = fma(ux[k], (REAL)(tap[c].x), uy[k] * tap[c].y);                                    \
                ADD_WHERE_NEGATIVE(sum[c][k], cosine, tap[c].z - fabs(sine));                                          \
            }                                                                                                          \
    }

#define CONVERGE_PHASES(frames)                                                                                        \
    if (it.count == 1) {                                                                                               \
        CONVERGE(1, frames)                                                                                            \
    } else if (it.count == 2) {                                                                                        \
        CONVERGE(2, frames)                                                                                            \
    } else {                                                                                                           \
        CONVERGE(3, frames)                                                                                            \
    }

enum { NO_WEIGHT, INTERPOLATED, GIVEN };

/* Interpolates the frames from `first` on at the work-item's magnified pixels. Rows are already magnified along x. */
#define INTERPOLATE(out, first, step)                                                                                  \
    {                                                                                                                  \
        global const float *above[step];                                                                               \
        EACH(k, step)                                                                                                  \
            above[k] = at_intensity + (INDEX)min(first + k, count - 1) * magnification * (INDEX)intensity.plane;       \
        EACH(j, NEAR) {                                                                                                \
            REAL row[step];                                                                                            \
            EACH(k, step)                                                                                              \
                row[k] = READ(above[k] + j * intensity.row);                                                           \
            EACH(c, PHASES)                                                                                            \
                EACH(k, step)                                                                                          \
                    out[c][k] = fma((REAL)(wy[c * NEAR + j]), row[k], j > 0 ? out[c][k] : (REAL)(0.0f));               \
        }                                                                                                              \
    }

/* Adds the frames whose sums are complete and moves the others to the front, so that register indices are constants. */
#define ADD_FRAMES(step)                                                                                               \
    for (int first = f; first < f + at_once; first += step) {                                                          \
        REAL weight[PHASES][step];                                                                                     \
        if (sensitivity != 1.0f)                                                                                       \
            for (int k = 0; k < step; k++)                                                                             \
                EACH(c, PHASES) {                                                                                      \
                    const REAL value = pow(fmax(sum[c][0], (REAL)(0.0f)), (REAL)(sensitivity));                        \
                    EACH(next, step - 1)                                                                               \
                        sum[c][next] = sum[c][next + 1];                                                               \
                    sum[c][step - 1] = value;                                                                          \
                }                                                                                                      \
        if (weighting == INTERPOLATED)                                                                                 \
            INTERPOLATE(weight, first, step)                                                                           \
        if (weighting == GIVEN)                                                                                        \
            EACH(k, step)                                                                                              \
                EACH(c, PHASES)                                                                                        \
                    weight[c][k] = READ(at_intensity + (INDEX)intensity.plane *                                        \
                        ((INDEX)min(first + k, count - 1) * phases +                                                   \
                                                                                 min(c, it.count - 1) *                \
                                                                                     magnification));                  \
        EACH(k, step)                                                                                                  \
            if (first + k < count)                                                                                     \
                EACH(c, PHASES) {                                                                                      \
                    REAL value = fmax(sum[c][k], (REAL)(0.0f));                                                        \
                    if (weighting != NO_WEIGHT)                                                                        \
                        value *= weight[c][k];                                                                         \
                    add_in_time(&past[c], done + first + k, moments, value);                                           \
                }                                                                                                      \
        EACH(c, PHASES)                                                                                                \
            EACH(next, FRAMES - step)                                                                                  \
                sum[c][next] = sum[c][next + step];                                                                    \
    }

/*
 * `intensity` has, for each frame, rows magnified along x with one plane per column of phases, or with GIVEN, magnified
 * images as planes of phases. `state` holds [plane][phase] images and already contains the first `done` frames of the
 * group. The interpolation weights of each phase follow the items. All work-items of a work-group have the same item
 * and neighbouring pixels. On GPUs `near_taps` caches as many of its taps as fit.
 */
#define ACCUMULATE_PARAMETERS                                                                                          \
    INPUT(directions), INPUT(intensity), global uchar *state_pixels, const layout state, global const float4 *taps,    \
        TABLE(items),                                                                                                  \
        local float4 *near_taps, int room, int item_count, int magnification, int width, int height, int count,        \
            int done,                                                                                                  \
        int weighting, float sensitivity
#define ACCUMULATE_ARGUMENTS                                                                                           \
    directions_pixels, directions, intensity_pixels, intensity, state_pixels, state, taps, items_bytes, items_at,      \
        near_taps,                                                                                                     \
        room, item_count, magnification, width, height, count, done, weighting, sensitivity

IN_PLACE void accumulate(ACCUMULATE_PARAMETERS, const int moments)
{
    const int column = WIDE * (int)get_global_id(0), line = ROW(item_count);
    const item it = TABLE_OF(item, items)[ITEM(item_count)];
    const bool inside =
        /* work-items outside the image reach the same barriers but store nothing */
        column < width && line < height;
    const int x = inside ? column : 0, y = inside ? line : 0;
    constant float *wy = (constant float *)(TABLE_OF(item, items) + item_count) + it.q * NEAR;
    const int phase = it.q * magnification + it.p, phases = magnification * magnification;
    const INDEX step = (INDEX)state.plane * magnification, state_plane = (INDEX)state.plane * phases;
    if (LANES == 16 && !inside)
        return;
    global float *at_state = (global float *)state_pixels + AT(state, x, y, phase);
    history past[PHASES];
    EACH(c, PHASES)
        past[c] = read_history(at_state + c * step, state_plane, c < it.count ? done : 0, moments);
        global const float *at_intensity =
            (global const float *)intensity_pixels + AT(intensity, x, y, weighting == GIVEN ? phase : it.p);
        global const direction *from[SOURCES];
        const int max_samples = room / it.count; /* number of samples whose taps fit */
        for (int f = 0, at_once; f < count; f += at_once) {
            REAL sum[PHASES][FRAMES];
            at_once = count - f > FEW ? FRAMES : FEW;
            EACH(c, PHASES)
            EACH(k, FRAMES)
                sum[c][k] = (REAL)(0.0f);
        EACH(k, SOURCES)
        from[k] = (global const direction *)((global const float *)directions_pixels +
                                             AT(directions, 0, 0,
                                                2 * TOGETHER * min(f / TOGETHER + k, (count - 1) / TOGETHER))) +
                  (2 * y * (INDEX)directions.row + x);
        for (int first = 0; first < it.samples; first += max_samples) {
            const int samples = min(max_samples, it.samples - first);
            global const float4 *at_taps = taps + it.first + first * it.count;
#if LANES != 16
            if (f == 0 || max_samples < it.samples) {
                barrier(CLK_LOCAL_MEM_FENCE);
                const int lane = get_local_id(1) * get_local_size(0) + get_local_id(0),
                          lanes = get_local_size(0) * get_local_size(1);
                for (int i = lane; i < samples * it.count; i += lanes)
                    near_taps[i] = at_taps[i];
                barrier(CLK_LOCAL_MEM_FENCE);
            }
#endif
            if (at_once == FRAMES) {
                CONVERGE_PHASES(FRAMES)
            } else {
                CONVERGE_PHASES(FEW)
            }
        }
        if (moments) {
            ADD_FRAMES(1)
        } else {
            ADD_FRAMES(STEP)
        }
    }
    EACH(c, PHASES)
        if (inside && c < it.count)
            write_history(at_state + c * step, state_plane, moments, past[c]);
}

kernel void esrrf_accumulate(ACCUMULATE_PARAMETERS)
{
    accumulate(ACCUMULATE_ARGUMENTS, 0);
}

/* A separate kernel, because moments take registers. */
kernel void esrrf_accumulate_moments(ACCUMULATE_PARAMETERS)
{
    accumulate(ACCUMULATE_ARGUMENTS, 1);
}

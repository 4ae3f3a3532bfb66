/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs any chain of pointwise operations in one pass. A chain is a table of steps. Each step evaluates one descriptor's
 * expression, converts the result to the type of its destination, and leaves it in the accumulator and optionally in a
 * register. All work-items take the same branches. A kernel that needs fewer registers runs more work-items at once.
 * Separate kernels therefore run chains of exact operations (without pow, sin and the like) and chains that keep no
 * results in registers.
 */
#include "chain.cl"
#ifdef EXACT_OPERATIONS
typedef struct {
    int operation, a, b, c;     /* operands: 0 accumulator, which is input 1 at first, 1..4 inputs, 5..8 registers */
    int keep, type;             /* register 5..8 or 0; element type of the step's result */
    float s, t, u;
    float roundings;            /* number of float32 roundings in the operation's result, see snap */
    int row, slice;             /* position of the first pixel in the whole image */
} chain_step;

#define PICK(operand, code)                                                                                            \
    switch (code) {                                                                                                    \
    case 0: operand = sum; break;                                                                                      \
    case 1: operand = in0; break;                                                                                      \
    case 2: operand = in1; break;                                                                                      \
    case 3: operand = in2; break;                                                                                      \
    case 4: operand = in3; break;                                                                                      \
    case 5: operand = r0; break;                                                                                       \
    case 6: operand = r1; break;                                                                                       \
    case 7: operand = r2; break;                                                                                       \
    default: operand = r3; break;                                                                                      \
    }

#define PICK_OF_TWO(operand, code)                                                                                     \
    switch (code) {                                                                                                    \
    case 0: operand = sum; break;                                                                                      \
    case 1: operand = in0; break;                                                                                      \
    default: operand = in1; break;                                                                                     \
    }

#define KEEP                                                                                                           \
    switch (steps[k].keep) {                                                                                           \
    case 5: r0 = sum; break;                                                                                           \
    case 6: r1 = sum; break;                                                                                           \
    case 7: r2 = sum; break;                                                                                           \
    case 8: r3 = sum; break;                                                                                           \
    }

#define EACH_STEP(operations, pick, keep_it)                                                                           \
    for (int k = 0; k < count; k++) {                                                                                  \
        FLOATV a = sum, b = sum, c = sum, v;                                                                           \
        if (steps[k].a | steps[k].b | steps[k].c) {                                                                    \
            pick(a, steps[k].a)                                                                                        \
            pick(b, steps[k].b)                                                                                        \
            pick(c, steps[k].c)                                                                                        \
        }                                                                                                              \
        const FLOATV s = (FLOATV)(steps[k].s), t = (FLOATV)(steps[k].t), u = (FLOATV)(steps[k].u);                     \
        switch (steps[k].operation) {                                                                                  \
            operations                                                                                                 \
        default: v = a;                                                                                                \
        }                                                                                                              \
        if (steps[k].type != FLOAT32)                                                                                  \
            v = saturate_lanes(steps[k].roundings > 0.0f ? snap_lanes(v, steps[k].roundings) : v, steps[k].type);      \
        sum = v;                                                                                                       \
        keep_it                                                                                                        \
    }

/* The results are the accumulator and, for chains with several outputs, the last registers. */
#define RUN_CHAIN(name, operations)                                                                                    \
    inline FLOATV name(constant chain_step *steps, int count, FLOATV in0, FLOATV in1, FLOATV in2, FLOATV in3,          \
        FLOATV X, FLOATV Y,                                                                                            \
                       FLOATV Z, FLOATV *second, FLOATV *third)                                                        \
    {                                                                                                                  \
        FLOATV sum = in0, r0 = in0, r1 = in0, r2 = in0, r3 = in0;                                                      \
        EACH_STEP(operations, PICK, KEEP)                                                                              \
        *second = r3;                                                                                                  \
        *third = r2;                                                                                                   \
        return sum;                                                                                                    \
    }

/* For chains with at most two images, one result and no register. */
#define RUN_OF_TWO(name, operations)                                                                                   \
    inline FLOATV name(constant chain_step *steps, int count, FLOATV in0, FLOATV in1)                                  \
    {                                                                                                                  \
        const FLOATV X = (FLOATV)(0.0f), Y = X, Z = X;                                                                 \
        FLOATV sum = in0;                                                                                              \
        EACH_STEP(operations, PICK_OF_TWO, )                                                                           \
        return sum;                                                                                                    \
    }

RUN_CHAIN(run_exact, EXACT_OPERATIONS)
RUN_CHAIN(run_any, EXACT_OPERATIONS DEVICE_OPERATIONS)
RUN_OF_TWO(run_exact_of_two, EXACT_OPERATIONS)
RUN_OF_TWO(run_any_of_two, EXACT_OPERATIONS DEVICE_OPERATIONS)

#define IMAGES                                                                                                         \
    INPUT(in0), INPUT(in1), INPUT(in2), INPUT(in3), int inputs, OUTPUT(out), OUTPUT(out1), OUTPUT(out2), int outputs
#define STEPS TABLE(steps), int count

/* Number of elements from the first pixel to just past the last one. */
#define LENGTH(i) ((INDEX)(i.depth - 1) * (INDEX)i.plane + (INDEX)(i.height - 1) * (INDEX)i.row + i.width)

/* All images have the same layout: one long line of rows, including any padding between them. */
#define LINE                                                                                                           \
    const INDEX item = (INDEX)get_global_id(0);                                                                        \
    if (item >= (INDEX)vectors)                                                                                        \
        return;                                                                                                        \
    const INDEX at = item * LANES, left = LENGTH(out) - at;                                                            \
    const FLOATV none = (FLOATV)(0.0f);                                                                                \
    constant chain_step *chain = TABLE_OF(chain_step, steps);                                                          \
    FLOATV v0 = none, v1 = none;                                                                                       \
    if (inputs > 0) v0 = load_lanes(in0_pixels, in0.type, (INDEX)in0.offset + at);                                     \
    if (inputs > 1) v1 = load_lanes(in1_pixels, in1.type, (INDEX)in1.offset + at);                                     \
    if (left < LANES)       /* the values of padding must not affect how the cosine of a vector is computed */ \
        v0 = select(none, v0, LANE_NUMBERS < (FLOATV)((float)left));

#define LINE_OF_FOUR(run)                                                                                              \
    LINE                                                                                                               \
    FLOATV v2 = none, v3 = none, second, third;                                                                        \
    if (inputs > 2) v2 = load_lanes(in2_pixels, in2.type, (INDEX)in2.offset + at);                                     \
    if (inputs > 3) v3 = load_lanes(in3_pixels, in3.type, (INDEX)in3.offset + at);                                     \
    const FLOATV value = run(chain, count, v0, v1, v2, v3, none, none, none, &second, &third);                         \
    store_lanes(out_pixels, out.type, (INDEX)out.offset + at, value);                                                  \
    if (outputs > 1) store_lanes(out1_pixels, out1.type, (INDEX)out1.offset + at, second);                             \
    if (outputs > 2) store_lanes(out2_pixels, out2.type, (INDEX)out2.offset + at, third);

kernel void chain_line(IMAGES, STEPS, long vectors)
{
    LINE_OF_FOUR(run_exact)
}

kernel void chain_line_any(IMAGES, STEPS, long vectors)
{
    LINE_OF_FOUR(run_any)
}

kernel void chain_line_of_two(INPUT(in0), INPUT(in1), int inputs, OUTPUT(out), STEPS, long vectors)
{
    LINE
    store_lanes(out_pixels, out.type, (INDEX)out.offset + at, run_exact_of_two(chain, count, v0, v1));
}

kernel void chain_line_any_of_two(INPUT(in0), INPUT(in1), int inputs, OUTPUT(out), STEPS, long vectors)
{
    LINE
    store_lanes(out_pixels, out.type, (INDEX)out.offset + at, run_any_of_two(chain, count, v0, v1));
}

/* For views, images of different sizes, and operations that use the position. */
#define ROWS(run)                                                                                                      \
    constant chain_step *chain = TABLE_OF(chain_step, steps);                                                          \
    PLACE(out, chain->row, chain->slice)                                                                               \
    FLOATV v0 = (FLOATV)(0.0f), v1 = v0, v2 = v0, v3 = v0, second, third;                                              \
    if (inputs > 0) GATHER(v0, in0, in0.type, 0)                                                                       \
    if (inputs > 1) GATHER(v1, in1, in1.type, 1)                                                                       \
    if (inputs > 2) GATHER(v2, in2, in2.type, 2)                                                                       \
    if (inputs > 3) GATHER(v3, in3, in3.type, 3)                                                                       \
    const FLOATV v = run(chain, count, v0, v1, v2, v3, X, Y, Z, &second, &third);                                      \
    SCATTER(out, out.type, v)                                                                                          \
    if (outputs > 1) { SCATTER(out1, out1.type, second) }                                                              \
    if (outputs > 2) { SCATTER(out2, out2.type, third) }

kernel void chain_rows(IMAGES, STEPS, int wide)
{
    ROWS(run_exact)
}

kernel void chain_rows_any(IMAGES, STEPS, int wide)
{
    ROWS(run_any)
}
#endif

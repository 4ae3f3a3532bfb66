/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows with one weight per pixel, in the order of kernels/filter/convolve.cl. A work-item computes four pixels in
 * each of ROWS rows. The work-group keeps the weights in local memory, in rows of whole vectors. Constants:
 *
 * - WIDTH, HEIGHT, DEPTH: extents of the weights.
 * - CORRELATES: 0 for the sum of weighted pixels, 1 for the normalised correlation.
 * - LX, LY: size of a work-group.
 */
enum {
    ROWS = 4,           /* as in native/ops/window/weights.c */
    ITEMS = LX * LY,
    READ = (WIDTH + 6) / 4,             /* vectors with the taps of four pixels */
    LINE = (WIDTH + 3) / 4,             /* vectors of a row of weights */
    LINES = HEIGHT * DEPTH
};

typedef struct {
    float4 both, image;         /* sums of products with the weights, and of squares */
} products;

inline void add_tap(products *sum, float weight, float4 v)
{
    sum->both = fma((float4)(weight), v, sum->both);
    if (CORRELATES)
        sum->image = fma(v, v, sum->image);
}

/* Adds a row of taps, times a row of weights. */
inline void add_line(products *sum, const float *taps, local const float4 *line)
{
    EACH(q, 0, LINE) {
        const union { float4 all; float one[4]; } weight = {line[q]};
        EACH(t, 0, 4) {
            const int i = 4 * q + t;
            if (i < WIDTH)
                add_tap(sum, weight.one[t], (float4)(taps[i], taps[i + 1], taps[i + 2], taps[i + 3]));
        }
    }
}

/* Adds a plane of the windows of the pixels at x, y and below; `lines`: its weights. */
inline void add_plane(products *sum, global const float *pixels, const layout *image, int x, int y, int z,
                      local const float4 *lines)
{
    const layout padded = *image;
    float4 plane_sum[ROWS];
    EACH(n, 0, ROWS)
        plane_sum[n] = 0.0f;
    _Pragma("unroll 1") for (int j = 0; j < HEIGHT + ROWS - 1; j++) {
        global const float4 *row = (global const float4 *)(pixels + AT(padded, x, min(y + j, padded.height - 1), z));
        float taps[4 * READ];
        EACH(q, 0, READ) {
            const float4 four = row[q];
            taps[4 * q] = four.x;
            taps[4 * q + 1] = four.y;
            taps[4 * q + 2] = four.z;
            taps[4 * q + 3] = four.w;
        }
        EACH(n, 0, ROWS)
            if ((uint)(j - n) < HEIGHT) {
                local const float4 *line = lines + (j - n) * LINE;
                if (CORRELATES) {
                    add_line(&sum[n], taps, line);
                } else {
                    products row_sum = {0.0f, 0.0f};
                    add_line(&row_sum, taps, line);
                    plane_sum[n] += row_sum.both;
                }
            }
    }
    if (!CORRELATES)
        EACH(n, 0, ROWS)
            sum[n].both += plane_sum[n];
}

__attribute__((reqd_work_group_size(LX, LY, 1))) kernel void window_weights(INPUT(padded), INPUT(weights), OUTPUT(to))
{
    local float4 lines[LINES * LINE];
    local float *table = (local float *)lines;
    const int x = 4 * (int)get_global_id(0), y = ROWS * (int)get_global_id(1), z = (int)get_global_id(2);
    for (int i = (int)(get_local_id(1) * LX + get_local_id(0)); i < LINES * LINE * 4; i += ITEMS) {
        const int column = i % (4 * LINE), line = i / (4 * LINE);
        table[i] = column < WIDTH ? ((global const float *)weights_pixels)[AT(weights, column, line, 0)] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!INSIDE(to, x, y, z))
        return;
    products sum[ROWS];
    float wanted = 0.0f;
    EACH(n, 0, ROWS)
        sum[n] = (products){0.0f, 0.0f};
    _Pragma("unroll 1") for (int k = 0; k < DEPTH; k++)
        add_plane(sum, (global const float *)padded_pixels, &padded, x, y, z + k, lines + k * HEIGHT * LINE);
    if (CORRELATES)
        _Pragma("unroll 1") for (int i = 0; i < LINES; i++)
            EACH(column, 0, WIDTH)
                wanted = fma(table[4 * LINE * i + column], table[4 * LINE * i + column], wanted);
    EACH(n, 0, ROWS) {
        const union { float4 all; float one[4]; } both = {sum[n].both}, image = {sum[n].image};
        EACH(l, 0, 4)
            if (x + l < to.width && y + n < to.height) {
                const float size = sqrt(image.one[l]) * sqrt(wanted);
                STORE_SNAPPED(to, x + l, y + n, z,
                              !CORRELATES    ? both.one[l]
                              : size == 0.0f ? 0.0f
                                             : both.one[l] / size,
                              (CORRELATES ? 4 : 1) * ROUNDINGS_OF_SUM(WIDTH * LINES));
            }
    }
}

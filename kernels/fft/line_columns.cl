/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms of a spectrum's lines along y or z, some side by side. */

/* A tile of columns: `lines` in a row from `first` on in a plane across the axis. */
typedef struct {
    line_tile tile;
    INDEX first, stride;
    int count;          /* columns that there are, at most tile.lines */
} line_columns_place;

inline line_columns_place line_columns_at(const layout s, int axis, int n, int lines, uint radices)
{
    line_columns_place p;
    const int group = (int)(get_global_id(0) / LINE_GROUP), across = axis == 1 ? s.width / 2 : (int)(s.plane / 2);
    const int tiles = (across + lines - 1) / lines, plane = group / tiles, column = (group - plane * tiles) * lines;
    p.tile = (line_tile){n, lines, lines, 1, radices, 1};
    p.first = (INDEX)(s.offset / 2) + (INDEX)plane * (INDEX)(s.plane / 2) + column;
    p.stride = (INDEX)((axis == 1 ? s.row : s.plane) / 2);
    p.count = min(lines, across - column);
    return p;
}

/* Every number of the tile: its column c, its place i in the column, and where it lies in memory. */
#define LINE_COLUMNS(p)                                                                                                          \
    _Pragma("unroll 4") for (int t = (int)get_local_id(0), i, c; i = line_divide(t, 1.0f / (float)p.tile.lines), c = t - i * p.tile.lines,  \
                     t < p.tile.n * p.tile.lines; t += LINE_GROUP)                                                               \
        if (c < p.count)
#define LINE_COLUMN_AT(p) (p.first + (INDEX)i * p.stride + c)

kernel void line_columns(OUTPUT(spectrum), int axis, int n, int lines, uint radices, global const float2 *restrict waves, int inverse)
{
    local float2 tile[LINE_TILE];
    const line_columns_place p = line_columns_at(spectrum, axis, n, lines, radices);
    global float2 *pairs = (global float2 *)spectrum_pixels;
    LINE_COLUMNS(p) {
        const float2 value = pairs[LINE_COLUMN_AT(p)];
        tile[line_at(p.tile, c, i)] = inverse ? value.yx : value;
    }
    line_transform(tile, p.tile, waves);
    LINE_COLUMNS(p) {
        const float2 value = tile[line_at(p.tile, c, i)];
        pairs[LINE_COLUMN_AT(p)] = inverse ? value.yx : value;
    }
}

/* There, times a factor or its conjugate, and back. */
kernel void line_columns_product(OUTPUT(spectrum), INPUT(factor), int conjugate, int axis, int n, int lines, uint radices,
                                 global const float2 *restrict waves)
{
    local float2 tile[LINE_TILE];
    const line_columns_place p = line_columns_at(spectrum, axis, n, lines, radices);
    global float2 *pairs = (global float2 *)spectrum_pixels;
    global const float2 *factors = (global const float2 *)factor_pixels;
    LINE_COLUMNS(p)
        tile[line_at(p.tile, c, i)] = pairs[LINE_COLUMN_AT(p)];
    line_transform(tile, p.tile, waves);
    LINE_COLUMNS(p) {
        const float2 k = factors[LINE_COLUMN_AT(p)];
        const int at = line_at(p.tile, c, i);
        tile[at] = line_product(tile[at], (float2)(k.x, conjugate ? -k.y : k.y)).yx;
    }
    line_transform(tile, p.tile, waves);
    LINE_COLUMNS(p)
        pairs[LINE_COLUMN_AT(p)] = tile[line_at(p.tile, c, i)].yx;
}

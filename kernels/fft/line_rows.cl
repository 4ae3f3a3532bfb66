/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transforms of real rows of an even width, as complex ones of half the width. Images are as transforms have them: without gaps
 * between planes, rows of pairs.
 */

/* A tile of rows: `count` from number `first` on. */
typedef struct {
    line_tile tile;
    int first, count;
} line_rows_place;

inline line_rows_place line_rows_at(const layout s, int width, int lines, uint radices)
{
    line_rows_place p;
    p.tile = (line_tile){width / 2, lines, 1, width / 2, radices, 2};
    p.first = (int)(get_global_id(0) / LINE_GROUP) * lines;
    p.count = min(lines, s.height * s.depth - p.first);
    return p;
}

/* The first `wide` of each of the tile's rows: number i of row `line`. */
#define LINE_ROWS(p, wide)                                                                                                       \
    _Pragma("unroll 4") for (int t = (int)get_local_id(0), line, i; line = line_divide(t, 1.0f / (float)(wide)), i = t - line * (wide),      \
                     t < (wide) * p.count; t += LINE_GROUP)

inline global float2 *line_row(global uchar *pixels, const layout image, int row)
{
    return (global float2 *)pixels + ((INDEX)image.offset + (INDEX)row * (INDEX)image.row) / 2;
}

/* Half spectra of rows to what line_transform makes the rows of, swapped. */
inline void line_load_spectra(local float2 *tile, const line_rows_place p, global uchar *pixels, const layout spectrum, global const float2 *restrict waves)
{
    const int n = p.tile.n;
    LINE_ROWS(p, n / 2 + 1) {
        global const float2 *row = line_row(pixels, spectrum, p.first + line);
        float2 a = row[i], b = row[n - i];
        if (i == 0)
            a.y = b.y = 0.0f;
        const float2 w = waves[i], even = (float2)(a.x + b.x, a.y - b.y);
        const float2 odd = line_product((float2)(-a.y - b.y, a.x - b.x), (float2)(w.x, -w.y));
        tile[line_at(p.tile, line, i)] = (even + odd).yx;
        if (i > 0)
            tile[line_at(p.tile, line, n - i)] = (float2)(odd.y - even.y, even.x - odd.x);
    }
}

/* The other way: from the transform of rows that were taken for complex numbers. */
inline void line_store_spectra(local const float2 *tile, const line_rows_place p, global uchar *pixels, const layout spectrum, global const float2 *restrict waves)
{
    const int n = p.tile.n;
    LINE_ROWS(p, n / 2 + 1) {
        global float2 *row = line_row(pixels, spectrum, p.first + line);
        const float2 a = tile[line_at(p.tile, line, i)], b = tile[line_at(p.tile, line, i > 0 ? n - i : 0)];
        const float2 even = 0.5f * (float2)(a.x + b.x, a.y - b.y);
        const float2 odd = line_product(0.5f * (float2)(a.y + b.y, b.x - a.x), waves[i]);
        row[i] = even + odd;
        row[n - i] = (float2)(even.x - odd.x, odd.y - even.y);
    }
}

kernel void line_rows_forward(OUTPUT(from), OUTPUT(to), int lines, uint radices, global const float2 *restrict waves)
{
    local float2 tile[LINE_TILE];
    const line_rows_place p = line_rows_at(from, from.width, lines, radices);
    LINE_ROWS(p, p.tile.n)
        tile[line_at(p.tile, line, i)] = line_row(from_pixels, from, p.first + line)[i];
    line_transform(tile, p.tile, waves);
    line_store_spectra(tile, p, to_pixels, to, waves);
}

kernel void line_rows_inverse(OUTPUT(image), int lines, uint radices, global const float2 *restrict waves, float scale)
{
    local float2 tile[LINE_TILE];
    const line_rows_place p = line_rows_at(image, image.width, lines, radices);
    line_load_spectra(tile, p, image_pixels, image, waves);
    line_transform(tile, p.tile, waves);
    LINE_ROWS(p, p.tile.n)
        line_row(image_pixels, image, p.first + line)[i] = scale * tile[line_at(p.tile, line, i)].yx;
}

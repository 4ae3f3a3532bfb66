/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows made of chords: the row at (dy, dz) has the pixels from x - half to x + half, or none if half is negative.
 * Chords never get longer with |dy|. A work-group loads bands of rows into local memory; level k holds the results over
 * 2^k neighbours from each position on. A chord combines values from several levels, so a window needs a few reads per
 * row instead of one per pixel. A work-item computes ROWS pixels of a column. The rows of one plane form a disc; there
 * is one disc for each |dz|.
 */

enum { TILE_X = 32, TILE_Y = 8, LANE_COUNT = TILE_X * TILE_Y, SIZE = 3072 /* words of a band */ };

#define EACH(i, count) _Pragma("unroll") for (int i = 0; i < count; i++)

/*
 * Loads the rows of band `first` from plane z, with repeated borders; `read` reads a pixel. A work-item's pixels are
 * LANE_COUNT apart.
 */
#define READ_BAND(read, LOAD_AT)                                                                                       \
    for (int i = lane, r = lane_row, c = lane_column; i < size; i += LANE_COUNT) {                                     \
        const INDEX at = AT(from, clamp(left + c, 0, from.width - 1), clamp(top + first + r, 0, from.height - 1),      \
            plane);                                                                                                    \
        row[i] = read(LOAD_AT);                                                                                        \
        r += step_rows;                                                                                                \
        c += step_columns;                                                                                             \
        if (c >= width) {                                                                                              \
            c -= width;                                                                                                \
            r++;                                                                                                       \
        }                                                                                                              \
    }

/*
 * Folds the two rows at distance dy of each pixel that the band contains. In `fold`, which has no bare commas, the
 * chord starts at row[at].
 */
#define BOTH_ROWS(fold)                                                                                                \
    EACH(j, ROWS)                                                                                                      \
    {                                                                                                                  \
        const int here = (int)get_local_id(1) + j * TILE_Y + ry - first, start = (int)get_local_id(0) + rx -           \
            half_length;                                                                                               \
        if ((uint)(here - dy) < (uint)height) {                                                                        \
            const int at = (here - dy) * width + start;                                                                \
            fold                                                                                                       \
        }                                                                                                              \
        if (dy > 0 && (uint)(here + dy) < (uint)height) {                                                              \
            const int at = (here + dy) * width + start;                                                                \
            fold                                                                                                       \
        }                                                                                                              \
    }

/* Folds the chords that two overlapping blocks of this level cover and that are too long for the lower level. */
#define SPANNED(fold)                                                                                                  \
    for (; pending[k] > 0; pending[k]--) {                                                                             \
        const int dy = pending[k] - 1, half_length = half_chords[(disc_number + k) * (ry + 1) + dy], length = 2 *      \
            half_length + 1;                                                                                           \
        if (length >= 2 * pixels)                                                                                      \
            break;                                                                                                     \
        if (half_length >= 0)                                                                                          \
            BOTH_ROWS(fold)                                                                                            \
    }

/* Folds one block of this level into each chord whose length has this bit, after the blocks of lower bits. */
#define IN_BLOCKS(fold)                                                                                                \
    for (int dy = 0; dy <= ry; dy++) {                                                                                 \
        const int half_length = half_chords[(disc_number + k) * (ry + 1) + dy], length = 2 * half_length + 1;          \
        if (length < pixels)                                                                                           \
            break;                                                                                                     \
        if (length & pixels)                                                                                           \
            BOTH_ROWS(fold)                                                                                            \
    }

#define CHORDS(T, buffers)                                                                                             \
    constant short *half_chords = TABLE_OF(short, chords);                                                             \
    const int capacity = 2 / buffers * SIZE * (int)sizeof(uint) / (int)sizeof(T);                                      \
    local T rows[2 * SIZE * sizeof(uint) / sizeof(T)];                                                                 \
    const int lane = get_local_id(1) * TILE_X + get_local_id(0), left = (int)(get_global_id(0) - get_local_id(0)) -    \
        rx,                                                                                                            \
              top = (int)(get_global_id(1) - get_local_id(1)) * ROWS - ry;                                             \
    const int width = TILE_X + 2 * rx, band = capacity / width, all_rows = TILE_Y * ROWS + 2 * ry;                     \
    const int lane_row = lane / width, lane_column = lane - lane_row * width;                                          \
    const int step_rows = LANE_COUNT / width, step_columns = LANE_COUNT - step_rows * width;

/* Folds plane z into disc[k * ROWS + j], for discs from disc_number on. */
#define FOLD_PLANE(T, z, read, join, chosen, fold)                                                                     \
    const int plane = clamp(z, 0, from.depth - 1);                                                                     \
    for (int first = 0; first < all_rows; first += band) {                                                             \
        const int height = min(band, all_rows - first), size = height * width;                                         \
        local T *row = rows, *next = rows + capacity;                                                                  \
        int pending[DISCS];                                                                                            \
        EACH(k, DISCS)                                                                                                 \
            pending[k] = ry + 1;                                                                                       \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (from.type == FLOAT32)                                                                                      \
            READ_BAND(read, ((global const float *)from_pixels)[at])                                                   \
        else                                                                                                           \
            READ_BAND(read, load_float(from_pixels, from.type, at))                                                    \
        for (int pixels = 1;; pixels *= 2) {                                                                           \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            EACH(k, DISCS)                                                                                             \
                if (disc_number + k <= rz)                                                                             \
                    chosen(fold)                                                                                       \
            if (pixels > rx)                                                                                           \
                break;                                                                                                 \
            for (int i = lane; i < size; i += LANE_COUNT)                                                              \
                next[i] = i + pixels < size ? join(row[i], row[i + pixels]) : row[i];                                  \
            local T *const last = row;                                                                                 \
            row = next;                                                                                                \
            next = last;                                                                                               \
        }                                                                                                              \
    }

#define STORE_ROWS(z, store)                                                                                           \
    EACH(j, ROWS)                                                                                                      \
    {                                                                                                                  \
        const int x = get_global_id(0), y = top + ry + (int)get_local_id(1) + j * TILE_Y;                              \
        if (INSIDE(to, x, y, z))                                                                                       \
            store                                                                                                      \
    }

/* Computes one slice: folds plane after plane into the same disc. */
#define SLICE(T, begin, read, join, chosen, fold, store)                                                               \
    CHORDS(T, 2)                                                                                                       \
    T disc[ROWS];                                                                                                      \
    EACH(j, ROWS)                                                                                                      \
        disc[j] = begin;                                                                                               \
    const int z = get_global_id(2);                                                                                    \
    for (int dz = -rz; dz <= rz; dz++) {                                                                               \
        const int disc_number = abs(dz);                                                                               \
        FOLD_PLANE(T, z + dz, read, join, chosen, fold)                                                                \
    }                                                                                                                  \
    STORE_ROWS(z, store)

/*
 * Like FOLD_PLANE, for sums whose last bits depend on the order: it adds the discs of planes in the same order as
 * MARCH. Blocks overwrite smaller ones, so that the band can hold all rows of every window for which a kernel is
 * compiled.
 */
#define FOLD_PLANE_IN_PLACE(T, z, read, join, fold)                                                                    \
    const int plane = clamp(z, 0, from.depth - 1), k = 0;                                                              \
    for (int first = 0; first < all_rows; first += band) {                                                             \
        const int height = min(band, all_rows - first), size = height * width;                                         \
        local T *const row = rows;                                                                                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        READ_BAND(read, load_float(from_pixels, from.type, at))                                                        \
        for (int pixels = 1;; pixels *= 2) {                                                                           \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            IN_BLOCKS(fold)                                                                                            \
            if (pixels > rx)                                                                                           \
                break;                                                                                                 \
            for (int start = 0; start < size; start += LANE_COUNT) {                                                   \
                const int i = start + lane, here = min(i, size - 1), there = min(i + pixels, size - 1);                \
                const T joined = join(row[here], row[there]);                                                          \
                barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
                if (i < size)                                                                                          \
                    row[i] = joined;                                                                                   \
            }                                                                                                          \
        }                                                                                                              \
    }

#define SLICE_OF_SUMS(T, begin, read, join, fold, plus, store)                                                         \
    CHORDS(T, 1)                                                                                                       \
    T sum[ROWS], disc[ROWS];                                                                                           \
    EACH(j, ROWS)                                                                                                      \
        sum[j] = begin;                                                                                                \
    const int z = get_global_id(2);                                                                                    \
    for (int dz = -rz; dz <= rz; dz++) {                                                                               \
        const int disc_number = abs(dz);                                                                               \
        EACH(j, ROWS)                                                                                                  \
            disc[j] = plus ? begin : sum[j];                                                                           \
        FOLD_PLANE_IN_PLACE(T, z + dz, read, join, fold)                                                               \
        EACH(j, ROWS)                                                                                                  \
            sum[j] = plus ? sum[j] + disc[j] : disc[j];                                                                \
    }                                                                                                                  \
    EACH(j, ROWS)                                                                                                      \
        disc[j] = sum[j];                                                                                              \
    STORE_ROWS(z, store)

/*
 * Computes slices from `front` on and reads each plane once. sum[k] is the partial result for the slice k - DISCS + 1
 * after the last plane, so each step shifts the sums and adds a plane.
 */
#define MARCH(T, begin, read, join, chosen, fold, store)                                                               \
    CHORDS(T, 2)                                                                                                       \
    const int front = (int)get_global_id(2) * slices, end = min(front + slices, to.depth), disc_number = 0;            \
    T sum[(2 * DISCS - 1) * ROWS];                                                                                     \
    EACH(i, (2 * DISCS - 1) * ROWS)                                                                                    \
        sum[i] = begin;                                                                                                \
    for (int z = front - 2 * rz; z < end; z++) {                                                                       \
        T disc[DISCS * ROWS];                                                                                          \
        EACH(i, DISCS * ROWS)                                                                                          \
            disc[i] = begin;                                                                                           \
        FOLD_PLANE(T, z + rz, read, join, chosen, fold)                                                                \
        EACH(i, (2 * DISCS - 1) * ROWS)                                                                                \
            sum[i] = join(i < (2 * DISCS - 2) * ROWS ? sum[min(i + ROWS, (2 * DISCS - 1) * ROWS - 1)] : begin,         \
                          disc[abs(DISCS - 1 - i / ROWS) * ROWS + i % ROWS]);                                          \
        EACH(k, DISCS)                                                                                                 \
            if (z >= front && k == DISCS - 1 - rz)                                                                     \
                EACH(i, ROWS)                                                                                          \
                    disc[i] = sum[k * ROWS + i];                                                                       \
        if (z >= front)                                                                                                \
            STORE_ROWS(z, store)                                                                                       \
    }

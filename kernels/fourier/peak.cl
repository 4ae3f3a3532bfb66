/* SPDX-License-Identifier: BSD-3-Clause */
/* Position of the largest pixel; the first one wins a tie. */

enum { PEAK_GROUP = 256 };

/* Each work-group writes its largest value and the place of that pixel. */
kernel void peak_find(INPUT(image), long count, global float *values, global long *places)
{
    local float best[PEAK_GROUP];
    local long at[PEAK_GROUP];
    const int own = (int)get_local_id(0);
    best[own] = -INFINITY;
    at[own] = count;
    const bool is_dense = image.column == 1 && image.row == image.width && image.plane == image.row * image.height;
    for (long n = get_global_id(0); n < count; n += get_global_size(0)) {
        const float value =
            is_dense ? load_float(image_pixels, image.type, (INDEX)(image.offset + n))
                     : LOAD(image, n % image.width, n / image.width % image.height, n / image.width / image.height);
        if (value > best[own]) {
            best[own] = value;
            at[own] = n;
        }
    }
    for (int step = PEAK_GROUP / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (own < step &&
            (best[own + step] > best[own] || (best[own + step] == best[own] && at[own + step] < at[own]))) {
            best[own] = best[own + step];
            at[own] = at[own + step];
        }
    }
    if (own == 0) {
        values[get_group_id(0)] = best[0];
        places[get_group_id(0)] = at[0];
    }
}

inline float taper(int i, int n)
{
    const float s = sinpi(((float)i + 0.5f) / (float)n);
    return n < 4 ? 1.0f : s * s;
}

/* Subtracts a number from an image inside its box and fades the result towards the box's edges; the padding stays 0. */
kernel void box_subtract(OUTPUT(part), float number, int fade)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(part, x, y, z))
        return;
    const float share = fade ? taper(x, part.width) * taper(y, part.height) * taper(z, part.depth) : 1.0f;
    STORE(part, x, y, z, share * (LOAD(part, x, y, z) - number));
}

/* Writes the scaled correlation, with shift 0 in the middle. */
kernel void correlation_centre(INPUT(from), OUTPUT(to), float scale)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int i = (x - to.width / 2 + from.width) % from.width, j = (y - to.height / 2 + from.height) % from.height;
    STORE(to, x, y, z, scale * LOAD(from, i, j, (z - to.depth / 2 + from.depth) % from.depth));
}

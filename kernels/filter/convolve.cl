/* SPDX-License-Identifier: BSD-3-Clause */
/* A window with a weight for each pixel. A work-item makes a vector of pixels from a float32 copy with repeated borders. */

kernel void convolve_window(INPUT(padded), INPUT(weights), OUTPUT(to))
{
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    global const float *weight = (global const float *)weights_pixels + weights.offset;
    FLOATV sum = 0.0f;
    for (int k = 0; k < weights.depth; k++) {
        FLOATV plane_sum = 0.0f;    /* a sum of thousands of pixels is not rounded thousands of times */
        for (int j = 0; j < weights.height; j++) {
            global const float *row = (global const float *)padded_pixels + AT(padded, x, y + j, z + k);
            FLOATV row_sum = 0.0f;
            for (int i = 0; i < weights.width; i++)
                row_sum += *weight++ * JOIN(vload, LANES)(0, row + i);
            plane_sum += row_sum;
        }
        sum += plane_sum;
    }
    float out[LANES];
    JOIN(vstore, LANES)(sum, 0, out);
    for (int n = 0; n < LANES && x + n < to.width; n++)
        STORE_SNAPPED(to, x + n, y, z, out[n]);
}

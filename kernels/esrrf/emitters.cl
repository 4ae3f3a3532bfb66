/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates a movie of blinking emitters with photon noise. */

inline uint scramble(uint v)
{
    v = (v ^ (v >> 16)) * 0x7feb352du;
    v = (v ^ (v >> 15)) * 0x846ca68bu;
    return v ^ (v >> 16);
}

/* Returns a random number between 0 and 1, both excluded. */
inline float next_uniform(uint *state)
{
    *state = scramble(*state + 0x9e3779b9u);
    return ((*state >> 9) + 0.5f) * 0x1p-23f;
}

/* Returns a Poisson number: a product of uniform numbers, or a rounded normal number if the mean is large. */
inline float count_photons(float mean, uint *state)
{
    if (mean > 40.0f) {
        const float radius = sqrt(-2.0f * log(next_uniform(state))), angle = 6.2831853f * next_uniform(state);
        return fmax(0.0f, floor(mean + sqrt(mean) * radius * cos(angle) + 0.5f));
    }
    float count = 0.0f, product = next_uniform(state);
    for (const float limit = exp(-mean); product > limit; product *= next_uniform(state))
        count += 1.0f;
    return count;
}

/*
 * `emitters` are (x, y) in corner coordinates, sorted by y. `rows` gives the first and the end index of the emitters
 * that may reach each row. `light` has a line of photon counts for each frame.
 */
kernel void esrrf_draw_emitters(OUTPUT(to), global const float2 *emitters, global const int2 *rows, INPUT(light),
                                float sigma, float background, float step_x, float step_y, uint seed)
{
    const int x = get_global_id(0), y = get_global_id(1), t = get_global_id(2);
    if (!INSIDE(to, x, y, t))
        return;
    const float narrow = 0.5f / (sigma * sigma), peak = narrow / M_PI_F;
    float mean = background;
    for (int e = rows[y].x; e < rows[y].y; e++) {
        const float photons = ((global const float *)light_pixels)[AT(light, e, t, 0)],
                    dx = x + 0.5f - (emitters[e].x + step_x * t), dy = y + 0.5f - (emitters[e].y + step_y * t);
        if (photons > 0.0f)
            mean += photons * peak * exp(-narrow * (dx * dx + dy * dy));
    }
    uint state = scramble(seed ^ scramble(x ^ scramble(y ^ scramble(t))));
    STORE(to, x, y, t, count_photons(mean, &state));
}

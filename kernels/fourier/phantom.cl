/* SPDX-License-Identifier: BSD-3-Clause */
/* Test images with known truth, and camera noise. */

inline uint hashed(uint n)
{
    n = (n ^ (n >> 16)) * 0x7feb352du;
    n = (n ^ (n >> 15)) * 0x846ca68bu;
    return n ^ (n >> 16);
}

/* The next random number between 0 and 1, both excluded. */
inline float uniform_of(uint2 *state)
{
    state->y += 0x9e3779b9u;
    return ((float)(hashed(hashed(state->x) ^ state->y) >> 8) + 0.5f) * 0x1p-24f;
}

/* Five tubes of square cross-section along y, alternately near and far; they extend beyond the field of view. */
inline float bar(float x, float z, float width, float depth)
{
    const float place = floor(x / width * 5.0f), cx = (place + 0.5f) * width / 5.0f;
    const float cz = depth * (fmod(place + 6.0f, 2.0f) < 0.5f ? 0.375f : 0.625f), rx = 0.065f * width,
                rz = fmax(0.2f * depth, 0.5f);
    const float dx = fabs(x - cx) / rx, dz = fabs(z - cz) / rz;
    return fmax(dx, dz) <= 1.0f && (fmax(dx, dz) > 0.5f || depth < 2.0f && dx > 0.5f) ? 1.0f : 0.0f;
}

/* Balls with soft rims, one at a random position in each cell of a lattice. */
inline float beads(int x, int y, int z, int depth, float radius, int pitch, uint seed)
{
    const int deep = depth > 1 ? 1 : 0;
    float value = 0.0f;
    for (int k = -deep; k <= deep; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                const int cx = x / pitch + i, cy = y / pitch + j, cz = deep ? z / pitch + k : 0;
                uint2 state =
                    (uint2)(hashed((uint)(cx + 1) + 4099u * (uint)(cy + 1) + 16785407u * (uint)(cz + 1)), seed);
                const float room = (float)pitch - 2.0f * radius;
                const float px = (float)(cx * pitch) + radius + room * uniform_of(&state),
                            py = (float)(cy * pitch) + radius + room * uniform_of(&state);
                const float pz = deep ? (float)(cz * pitch) + radius + room * uniform_of(&state) : 0.0f;
                value +=
                    clamp(radius + 0.5f - length((float3)((float)x - px, (float)y - py, (float)z - pz)), 0.0f, 1.0f);
            }
    return value;
}

kernel void phantom_draw(OUTPUT(to), int kind, float brightness, float radius, int pitch, int seed, int depth)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z,
              brightness * (kind == 0 ? bar((float)x + 0.5f, (float)z + 0.5f, (float)to.width, (float)depth)
                                      : beads(x, y, z, depth, radius, pitch, (uint)seed)));
}

inline float normal_of(uint2 *state)
{
    const float radius = sqrt(-2.0f * log(uniform_of(state)));
    return radius * cospi(2.0f * uniform_of(state));
}

/* A Poisson number: counted one by one if the mean is small, otherwise normal with the right variance. */
inline float poisson_of(float mean, uint2 *state)
{
    if (!(mean > 0.0f))
        return 0.0f;
    if (mean > 40.0f)
        return fmax(rint(mean + sqrt(mean) * normal_of(state)), 0.0f);
    const float limit = exp(-mean);
    float product = uniform_of(state);
    int count = 0;
    for (; product > limit && count < 200; count++)
        product *= uniform_of(state);
    return (float)count;
}

/*
 * The random numbers of a pixel depend on its position in the whole image; `first` is the position of the first pixel.
 */
kernel void camera_noise(INPUT(from), OUTPUT(to), float photons, float spread, int seed, long first, int width,
                         int height)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const ulong place = (ulong)first + (ulong)x + (ulong)width * ((ulong)y + (ulong)height * (ulong)z);
    uint2 state = (uint2)(hashed((uint)place) + (uint)(place >> 32), hashed((uint)seed));
    const float value = LOAD_CLAMPED(from, x, y, z);
    const float counted = photons > 0.0f ? poisson_of(value * photons, &state) / photons : value;
    STORE(to, x, y, z, spread > 0.0f ? counted + spread * normal_of(&state) : counted);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all magnified pixels of a frame share: the frame as float32 with BORDER zeros around it, and the direction of the
 * gradient on a grid of half pixels, where sample n lies at n / 2 of a pixel's corner.
 */

enum { BORDER = 2 };
enum { REGISTERED, NANOPYX, NANOJ };

kernel void esrrf_pad_frames(INPUT(from), OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int fx = x - BORDER, fy = y - BORDER, inside = fx >= 0 && fy >= 0 && fx < from.width && fy < from.height;
    ((global float *)to_pixels)[AT(to, x, y, z)] = inside ? LOAD(from, fx, fy, z) : 0.0f;
}

/* Frames magnified along x, with all their rows: a plane for each column of phases. */
kernel void esrrf_magnify_rows(INPUT(from), OUTPUT(to), TABLE(weights), int magnification, int width)
{
    const int x = WIDE * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= width || y >= to.height || z * magnification >= to.depth)
        return;
    global const float *at = (global const float *)from_pixels + AT(from, x, y, z);
    REAL near[NEAR];
    EACH(i, NEAR)
        near[i] = READ(at + i);
    for (int p = 0; p < magnification; p++) {
        constant float *wx = TABLE_OF(float, weights) + p * NEAR;
        REAL line = (REAL)(0.0f);
        EACH(i, NEAR)
            line = fma((REAL)(wx[i]), near[i], line);
        WRITE((global float *)to_pixels + AT(to, x, y, z * magnification + p), line);
    }
}

/* Where a sample of the half grid comes from along one axis: four gradients from `first` on. */
enum { ONE, MIDDLE, EDGE };     /* the second of them; between the second and the third; near the last pixel's far side */

typedef struct {
    int first, kind;
} stencil;

inline stencil stencil_of(int n, int size, int registration)
{
    n = min(n, 2 * size);
    if (registration == REGISTERED) {       /* gradients lie on the pixels' corners, half a pixel before where the others look */
        if (n >= 2 * size - 1)
            return (stencil){size - 2, ONE};
        return n & 1 ? (stencil){(n + 1) / 2 - 2, MIDDLE} : (stencil){n / 2 - 1, ONE};
    }
    if (n == 2 * size)
        return (stencil){size - 2, EDGE};
    return n & 1 ? (stencil){(n - 1) / 2 - 1, ONE} : (stencil){n / 2 - 2, MIDDLE};
}

/* Interpolates, times 16 in the middle: both components of a gradient have that factor. Whole numbers stay exact here, so
   that a gradient is 0 if and only if it is. */
inline float fold(stencil s, float4 v, float2 edge)
{
    return s.kind == ONE ? v.y : s.kind == MIDDLE ? fma(9.0f, v.y + v.z, -(v.x + v.w)) : fma(edge.x, v.x, edge.y * v.y);
}

enum { LINE = 5 };              /* four pixels and the one before them */

/*
 * Roberts' cross of four pixels from s.first on, interpolated along the row; outside the frame it is 0. Differences come first:
 * a small gradient on a large grey level keeps all its digits.
 */
inline float2 cross_of_rows(const float *above, const float *here, stencil s, int width, float2 edge)
{
    float gx[4] = {0}, gy[4] = {0};
    _Pragma("unroll") for (int i = 0; i < 4; i++) {
        const int x = s.first + i;
        if (x < 0 || x >= width || (s.kind == ONE && i != 1) || (s.kind == EDGE && i > 1))
            continue;
        const float left = x == 0 ? here[i + 1] : here[i], upper_left = x == 0 ? above[i + 1] : above[i];
        gx[i] = (here[i + 1] - left) + (above[i + 1] - upper_left);
        gy[i] = (here[i + 1] - above[i + 1]) + (left - upper_left);
    }
    return (float2)(fold(s, (float4)(gx[0], gx[1], gx[2], gx[3]), edge), fold(s, (float4)(gy[0], gy[1], gy[2], gy[3]), edge));
}

/* Of frame z: two planes of x and y components for devices that read vectors of many neighbours, else pairs, those of two frames side by side. */
inline void store_direction(global float *all, layout to, int column, int line, int z, float2 direction)
{
    const INDEX at = line * (INDEX)to.row + column;
#if LANES == 16
    all[AT(to, 0, 0, 2 * z) + at] = direction.x;
    all[AT(to, 0, 0, 2 * z + 1) + at] = direction.y;
#else
    vstore2(direction, 2 * at + z % TOGETHER, all + AT(to, 0, 0, 2 * (z - z % TOGETHER)));
#endif
}

/* Unit vectors; 0 where the gradient is 0, and in samples that the method leaves out. */
inline float2 unit(float gx, float gy)
{
    const float size = fmax(fabs(gx), fabs(gy));
    if (!(size > 0.0f))
        return (float2)(0.0f);
    gx /= size;
    gy /= size;
    const float length = sqrt(fma(gx, gx, gy * gy));
    return (float2)(gx / length, gy / length);
}

/*
 * Rows of `to` hold the samples of even columns and then those of odd ones, `reach` samples before the frame included;
 * two slices a frame hold the components. Samples from 1 to `last` count.
 */
kernel void esrrf_directions(INPUT(frames), OUTPUT(to), int reach, int width, int height, int last_x, int last_y, int registration,
                             float edge_before, float edge_last)
{
    const float2 edge = (float2)(edge_before, edge_last);
    const int column = get_global_id(0), line = get_global_id(1), z = get_global_id(2), half_row = to.width / 2;
    if (column >= to.width || line >= to.height || 2 * z >= to.depth)
        return;
    const int nx = 2 * (column % half_row) + column / half_row - reach, ny = line - reach;
    float2 direction = (float2)(0.0f);
    if (nx >= 1 && nx <= last_x && ny >= 1 && ny <= last_y) {
        global const float *plane = (global const float *)frames_pixels + AT(frames, BORDER, BORDER, z);
        const stencil sx = stencil_of(nx, width, registration), sy = stencil_of(ny, height, registration);
        float gx[4] = {0}, gy[4] = {0}, above[LINE] = {0}, here[LINE] = {0};
        _Pragma("unroll") for (int i = -1; i < 4; i++) {
            const int y = sy.first + i;
            if ((sy.kind != MIDDLE && i > 1) || y < 0 || y >= height)
                continue;
            for (int k = 0; k < LINE; k++) {
                above[k] = here[k];
                here[k] = plane[y * (INDEX)frames.row + sx.first - 1 + k];
            }
            if (i < 0)
                continue;
            const float2 gradient = cross_of_rows(y == 0 ? here : above, here, sx, width, edge);
            gx[i] = gradient.x;
            gy[i] = gradient.y;
        }
        direction = unit(fold(sy, (float4)(gx[0], gx[1], gx[2], gx[3]), edge), fold(sy, (float4)(gy[0], gy[1], gy[2], gy[3]), edge));
    }
    store_direction((global float *)to_pixels, to, column, line, z, direction);
}

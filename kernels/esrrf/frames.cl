/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all magnified pixels of a frame share: the frame as float32 with BORDER zeros around it, and the direction of the
 * gradient on a grid of half pixels, where sample n lies at n / 2 of a pixel's corner.
 */

enum { BORDER = 2 };
enum { REGISTERED, NANOPYX, NANOJ };

/* Slices of `to` are those of `from` from `first` on. */
kernel void esrrf_pad_frames(INPUT(from), OUTPUT(to), int first)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int fx = x - BORDER, fy = y - BORDER, inside = fx >= 0 && fy >= 0 && fx < from.width && fy < from.height;
    ((global float *)to_pixels)[AT(to, x, y, z)] = inside ? LOAD(from, fx, fy, first + z) : 0.0f;
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

/* Differences and sums of neighbours along a row, interpolated; gradients outside the frame are 0. */
inline float2 along_row(global const float *line, stencil s, int width, float2 edge)
{
    float d[4], t[4];
    for (int i = 0; i < 4; i++) {
        const int x = s.first + i, inside = x >= 0 && x < width;
        const float here = inside ? line[x] : 0.0f, before = inside ? line[max(x - 1, 0)] : 0.0f;
        d[i] = here - before;
        t[i] = here + before;
    }
    return (float2)(fold(s, vload4(0, d), edge), fold(s, vload4(0, t), edge));
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
 * slices hold x and y components in turn. Samples from 1 to `last` count.
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
        float dx[4] = {0}, dy[4] = {0};
        float2 before = (float2)(0.0f);
        for (int i = -1; i < 4; i++) {
            const int y = sy.first + i;
            if ((sy.kind == ONE && (i < 0 || i > 1)) || (sy.kind == EDGE && i > 1) || y < 0 || y >= height)
                continue;
            const float2 here = along_row(plane + y * (INDEX)frames.row, sx, width, edge);
            if (i >= 0) {
                if (y == 0)
                    before = here;
                dx[i] = here.x + before.x;
                dy[i] = here.y - before.y;
            }
            before = here;
        }
        direction = unit(fold(sy, vload4(0, dx), edge), fold(sy, vload4(0, dy), edge));
    }
    global float *out = (global float *)to_pixels;
    out[AT(to, column, line, 2 * z)] = direction.x;
    out[AT(to, column, line, 2 * z + 1)] = direction.y;
}

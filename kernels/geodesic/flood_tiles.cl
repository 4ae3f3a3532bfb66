/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tiles of images whose pixels change until no pixel can change any more. A launch visits the tiles that the previous
 * launch changed, and the tiles around them.
 */
enum { FLOOD_ITEMS = 256, FLOOD_EACH = 4 }; /* a tile of a work-group has 1024 pixels */

/* Starts a batch of launches. changed[left] says whether a launch changed something. */
kernel void geodesic_batch(global uint *changed, int launches)
{
    const int i = get_global_id(0);
    if (i <= launches)
        changed[i] = i == launches;
}

/* A tile: its place among the tiles of an image, its first pixel and its extent. A plane has tiles of one slice. */
typedef struct {
    int columns, rows, layers, column, row, layer;
    int x, y, z, wide, high, thick;
} flood_tile;

inline flood_tile flood_tile_at(int width, int height, int depth, int wide, int high, int thick, uint number)
{
    flood_tile t;
    t.columns = (width + wide - 1) / wide;
    t.rows = (height + high - 1) / high;
    t.layers = (depth + thick - 1) / thick;
    t.column = number % t.columns;
    t.row = number / t.columns % t.rows;
    t.layer = number / t.columns / t.rows;
    t.x = t.column * wide;
    t.y = t.row * high;
    t.z = t.layer * thick;
    t.wide = wide;
    t.high = high;
    t.thick = thick;
    return t;
}

/* GPUs: the tile of a work-group. It may reach beyond the image. */
inline flood_tile tile_of_group(int width, int height, int depth, uint number)
{
    return depth > 1 ? flood_tile_at(width, height, depth, 16, 8, 8, number)
                     : flood_tile_at(width, height, depth, 32, 32, 1, number);
}

/* CPUs: the tile of a work-item, cut to the image. */
inline flood_tile tile_of_item(int width, int height, int depth, uint number)
{
    flood_tile t = depth > 1 ? flood_tile_at(width, height, depth, 64, 16, 16, number)
                             : flood_tile_at(width, height, depth, 64, 64, 1, number);
    t.wide = min(t.wide, width - t.x);
    t.high = min(t.high, height - t.y);
    t.thick = min(t.thick, depth - t.z);
    return t;
}

/* Pixel n of a tile in the image. */
inline int3 pixel_of_tile(const flood_tile t, int n)
{
    return (int3)(t.x + n % t.wide, t.y + n / t.wide % t.high, t.z + n / t.wide / t.high);
}

inline bool is_inside(int3 at, int width, int height, int depth)
{
    return at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x < width && at.y < height && at.z < depth;
}

/* The number of a pixel of a dense image. */
inline ulong dense_pixel(int3 at, int width, int height)
{
    return ((ulong)at.z * height + at.y) * width + at.x;
}

/* Notes that a launch has changed a tile. */
inline void note_change(global uint *last_change, uint number, uint launch, global uint *flag)
{
    last_change[number] = launch;
    set_flag(flag);
}

/* Whether the launch before `launch` changed a tile around this one. */
inline bool is_tile_due(global const uint *last_change, const flood_tile t, uint launch)
{
    bool is_due = false;
    for (int k = max(t.layer - 1, 0); k <= min(t.layer + 1, t.layers - 1); k++)
        for (int j = max(t.row - 1, 0); j <= min(t.row + 1, t.rows - 1); j++)
            for (int i = max(t.column - 1, 0); i <= min(t.column + 1, t.columns - 1); i++)
                is_due |= last_change[((uint)k * t.rows + j) * t.columns + i] + 1 >= launch;
    return is_due;
}

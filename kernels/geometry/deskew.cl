/* SPDX-License-Identifier: BSD-3-Clause */
/* Straightens stacks of tilted planes that a moving stage recorded. */

/* Returns a pixel of plane z at a position between rows; 0 outside the rows. `first` is the first row of this part. */
inline float between_rows(INPUT(from), int x, float y, int z, int first, int rows)
{
    const int row = (int)floor(y), plane = clamp(z, 0, from.depth - 1);
    const float share = y - row;
    if (!(y >= 0.0f) || y > rows - 1)
        return 0.0f;
    const float here = LOAD_CLAMPED(from, x, row - first, plane), next = LOAD_CLAMPED(from, x, row + 1 - first, plane);
    return share > 0.0f ? here + share * (next - here) : here;
}

/*
 * Shifts each plane along y by its number times `whole` + `part` rows. `order` -1 counts planes from the last. Origins
 * are the positions of the first pixels of these parts in the whole images.
 */
kernel void deskew_shear(INPUT(from), OUTPUT(to), const int whole, const float part, const int order, const int rows,
                         const int planes, const int to_y, const int to_z, const int from_y, const int from_z)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int plane = z + to_z, number = order > 0 ? plane : planes - 1 - plane;
    float value = 0.0f;
    if (plane < planes) {
        const float rest = number * part, down = floor(rest);
        const float at = (float)(y + to_y - number * whole - (int)down) - (rest - down);
        value = between_rows(from_pixels, from, x, at, plane - from_z, from_y, rows);
    }
    STORE_SNAPPED(to, x, y, z, value, ROUNDINGS_OF_INTERPOLATION);
}

/*
 * Interpolates between the two planes on both sides of a voxel. A plane is read at the row that lies perpendicularly
 * below or above the voxel. `step`: pixels between planes along the coverslip.
 */
kernel void deskew_rotate(INPUT(from), OUTPUT(to), const float step, const float sine, const float cosine,
                          const int order, const int rows, const int planes, const int to_y, const int to_z,
                          const int from_y, const int from_z)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float up = z + to_z, along = (y + to_y - up * (cosine / sine)) / step, before = floor(along),
                share = along - before, row = up / sine, little = 1e-4f;
    const int number = (int)before, near = share < little ? number : number + 1;
    float value = 0.0f;
    if (along >= -little && along <= planes - 1 + little && row <= rows - 1 + little) {
        const int first = order > 0 ? number : planes - 1 - number, second = order > 0 ? near : planes - 1 - near;
        const float top = rows - 1, a = clamp(row + share * step * cosine, 0.0f, top),
                    b = clamp(row - (1.0f - share) * step * cosine, 0.0f, top);
        const float here = between_rows(from_pixels, from, x, a, first - from_z, from_y, rows),
                    next = between_rows(from_pixels, from, x, b, second - from_z, from_y, rows);
        value = share < little ? here : here + share * (next - here);
    }
    STORE_SNAPPED(to, x, y, z, value, ROUNDINGS_OF_INTERPOLATION);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* Copies pixels to x0, y0, z0 of the target, bits as they are where the types are equal; what falls outside is dropped. */
kernel void copy_region(INPUT(from), OUTPUT(to), long x0, long y0, long z0)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const long tx = x + x0, ty = y + y0, tz = z + z0;
    if (!INSIDE(from, x, y, z) || tx < 0 || ty < 0 || tz < 0 || tx >= to.width || ty >= to.height || tz >= to.depth)
        return;
    const INDEX at = AT(from, x, y, z), target = AT(to, tx, ty, tz);
    if (from.type != to.type) {
        store_float(to_pixels, to.type, target, load_float(from_pixels, from.type, at));
        return;
    }
    switch (from.type) {
    case UINT8:
    case INT8: to_pixels[target] = from_pixels[at]; break;
    case UINT16:
    case INT16: ((global ushort *)to_pixels)[target] = ((global const ushort *)from_pixels)[at]; break;
    default: ((global uint *)to_pixels)[target] = ((global const uint *)from_pixels)[at];
    }
}

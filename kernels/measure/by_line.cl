/* SPDX-License-Identifier: BSD-3-Clause */
/* An image as a line of pixels, x fastest, read four at a time. */

inline float4 load_line(global const uchar *pixels, int type, INDEX at)
{
    switch (type) {
    case UINT8: return convert_float4(*(global const uchar4 *)(pixels + at));
    case INT8: return convert_float4(*(global const char4 *)(pixels + at));
    case UINT16: return convert_float4(*(global const ushort4 *)((global const ushort *)pixels + at));
    case INT16: return convert_float4(*(global const short4 *)((global const short *)pixels + at));
    case UINT32: return convert_float4(*(global const uint4 *)((global const uint *)pixels + at));
    case INT32: return convert_float4(*(global const int4 *)((global const int *)pixels + at));
    default: return *(global const float4 *)((global const float *)pixels + at);
    }
}

/* Positions of pixels i to i + 3 of a line through an image. */
inline void find_four(const layout *shape, long i, int4 *x, int4 *y, int4 *z)
{
    const long row = i / shape->width;
    int at[3] = {(int)(i % shape->width), (int)(row % shape->height), (int)(row / shape->height)};
    int found[12];
    for (int k = 0; k < 4; k++) {
        found[k] = at[0];
        found[4 + k] = at[1];
        found[8 + k] = at[2];
        if (++at[0] == shape->width) {
            at[0] = 0;
            if (++at[1] == shape->height) {
                at[1] = 0;
                at[2]++;
            }
        }
    }
    *x = vload4(0, found);
    *y = vload4(1, found);
    *z = vload4(2, found);
}

/* Pixels i to i + 3 of the line; an image of another size is read at its border. */
inline float4 load_four(global const uchar *pixels, const layout *image, const layout *shape, long i, long count, int dense)
{
    if (dense && i + 4 <= count)
        return load_line(pixels, image->type, (INDEX)(image->offset + i));
    int4 x, y, z;
    find_four(shape, i, &x, &y, &z);
    x = min(x, image->width - 1);
    y = min(y, image->height - 1);
    z = min(z, image->depth - 1);
    const layout l = *image;
    return (float4)(load_float(pixels, l.type, AT(l, x.s0, y.s0, z.s0)), load_float(pixels, l.type, AT(l, x.s1, y.s1, z.s1)),
                    load_float(pixels, l.type, AT(l, x.s2, y.s2, z.s2)), load_float(pixels, l.type, AT(l, x.s3, y.s3, z.s3)));
}

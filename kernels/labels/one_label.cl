/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selects the pixels of one label. Integers are compared with `label` with all 32 bits, and float32 pixels with
 * `number`. If the type of the image cannot hold the label, no pixel is selected.
 */

#define HAS_LABEL(i, x, y, z, label, number)                                                                           \
    (i.type == FLOAT32 ? LOAD_CLAMPED(i, x, y, z) == (number) : LOAD_WHOLE_CLAMPED(i, x, y, z) == (label))

kernel void label_to_mask(INPUT(labels), const long label, const float number, OUTPUT(mask))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(mask, x, y, z))
        STORE(mask, x, y, z, HAS_LABEL(labels, x, y, z, label, number) ? 1.0f : 0.0f);
}

kernel void mask_label(INPUT(source), INPUT(labels), const long label, const float number, OUTPUT(result))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(result, x, y, z))
        return;
    const INDEX from = AT(source, min(x, source.width - 1), min(y, source.height - 1), min(z, source.depth - 1)),
                to = AT(result, x, y, z);
    if (HAS_LABEL(labels, x, y, z, label, number)) {
        MOVE(source, from, result, to)
    } else
        store_float(result_pixels, result.type, to, 0.0f);
}

/* Copies the pixels of a label from a box, which may reach beyond the source. All other pixels become 0. */
kernel void crop_label(INPUT(source), INPUT(labels), const uint label, const int left, const int top, const int front,
                       OUTPUT(result))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(result, x, y, z))
        return;
    const int a = x + left, b = y + top, c = z + front;
    const INDEX to = AT(result, x, y, z);
    if (a >= 0 && b >= 0 && c >= 0 && INSIDE(source, a, b, c) && LOAD_LABEL(labels, a, b, c) == label) {
        const INDEX from = AT(source, a, b, c);
        MOVE(source, from, result, to)
    } else
        store_float(result_pixels, result.type, to, 0.0f);
}

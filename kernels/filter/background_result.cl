/* SPDX-License-Identifier: BSD-3-Clause */
/* The last step of ImageJ's Subtract Background, which rounds integers. */

/* White of 8 and 16 bits. For a light background, the result is white minus the depth below the background. */
inline float white(int type)
{
    switch (type) {
    case UINT8: return 255.0f;
    case INT8: return 127.0f;
    case UINT16: return 65535.0f;
    case INT16: return 32767.0f;
    default: return 0.0f;
    }
}

/*
 * `background` is that of the image times `sign`. Returns the background itself (`creates`), or the image without it.
 */
inline float without_background(float value, float background, float sign, int creates, int type)
{
    const float positive = sign < 0.0f ? -background : background;
    if (type == FLOAT32)
        return creates ? positive : value - positive;
    if (creates)
        return floor(positive + 0.5f);
    return floor(value - positive + (sign < 0.0f ? white(type) + 0.5f : 0.5f));
}

/* SPDX-License-Identifier: BSD-3-Clause */

#define VECTOR(i)                                                                                                      \
    LOAD(vectors, (i) % vectors.width, (i) / vectors.width % vectors.height, (i) / vectors.width / vectors.height)

/*
 * Writes the absorbances of red, green and blue as a mixture of three stains. Entry i of the table is the absorbance of
 * grey value i.
 */
kernel void color_deconvolution(INPUT(from), INPUT(vectors), OUTPUT(to), TABLE(absorbances))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    float color[3], m[9];
    for (int i = 0; i < 3; i++)
        color[i] = TABLE_OF(float, absorbances)[(int)clamp(fmax(LOAD_CLAMPED(from, x, y, i), 0.0f), 0.0f, 255.0f)];
    for (int i = 0; i < 9; i++)
        m[i] = VECTOR(i);
    const float3 red = (float3)(m[0], m[1], m[2]), green = (float3)(m[3], m[4], m[5]),
                 blue = (float3)(m[6], m[7], m[8]);
    const float3 of_red = cross(green, blue), of_green = cross(blue, red), of_blue = cross(red, green);
    const float volume = dot(red, of_red);
    const float3 mixture = (of_red * color[0] + of_green * color[1] + of_blue * color[2]) / volume;
    const float parts[3] = {mixture.x, mixture.y, mixture.z};
    for (int i = 0; i < min(3, to.depth); i++)
        STORE(to, x, y, i, volume == 0.0f ? 0.0f : parts[i]);
}

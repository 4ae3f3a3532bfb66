/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sets one bit for each pixel that is not 0 (with `invert`, that is 0). Rows are aligned to four pixels and take
 * `row_words` words of 32 bits.
 */
#ifdef PROLOGUE_PARAMETERS
#define NOT_ZERO_AT(x, y, z) (chain_prologue(&inputs, AT(source, x, y, z), 4, true) != 0.0f)
#else
#define PROLOGUE_PARAMETERS
#define PROLOGUE_INPUTS
#define NOT_ZERO_AT(x, y, z) is_not_zero(source_pixels, source.type, AT(source, x, y, z))
#endif

kernel void pack_vec4(INPUT(source), global uint *bits, int row_words, int invert PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local uchar flags[8][32];
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const int lane = get_local_id(0), line = get_local_id(1), column = (int)get_group_id(0) * 4 + lane;
    const int4 found = INSIDE(source, x, y, z) ? NOT_ZERO_AT(x, y, z) : 0;
    const int4 set = (found ^ -invert) & (int4)(1, 2, 4, 8) & ((1 << clamp(source.width - x, 0, 4)) - 1);
    flags[line][lane] = set.x | set.y | set.z | set.w;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane > 3 || column >= row_words || y >= source.height)
        return;
    uint word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint)flags[line][8 * lane + i] << 4 * i;
    bits[((uint)z * source.height + y) * row_words + column] = word;
}

/* SPDX-License-Identifier: BSD-3-Clause */

enum { MOMENT_ITEMS = 64 };

/* Of each row's pixels that are not 0: their number, and the sums of x and of its square. */
kernel void moments_of_rows(INPUT(from), global long *rows)
{
    local long sums[3][MOMENT_ITEMS];
    const int lane = (int)get_local_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    long number = 0, first = 0, second = 0;
    for (int x = lane; x < from.width; x += MOMENT_ITEMS)
        if (LOAD(from, x, y, z) != 0.0f) {
            number++;
            first += x;
            second += (long)x * x;
        }
    sums[0][lane] = number;
    sums[1][lane] = first;
    sums[2][lane] = second;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < 3) {
        long sum = 0;
        for (int i = 0; i < MOMENT_ITEMS; i++)
            sum += sums[lane][i];
        rows[3 * ((long)z * from.height + y) + lane] = sum;
    }
}

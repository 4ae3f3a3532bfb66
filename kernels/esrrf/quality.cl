/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures how well a super-resolved image explains the microscope's image. */

/* Blurs planes with a Gaussian along one axis; (dx, dy) is the step along it. */
kernel void esrrf_blur(INPUT(from), OUTPUT(to), TABLE(weights), int radius, int dx, int dy)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    constant float *weight = TABLE_OF(float, weights) + radius;
    float sum = 0.0f;
    for (int i = -radius; i <= radius; i++)
        sum = fma(weight[i], LOAD_CLAMPED(from, x + i * dx, y + i * dy, 0), sum);
    STORE(to, x, y, 0, sum);
}

enum { SUMS = 5, SUM_GROUP = 256 };

/* Sums a, b, aa, ab and bb for each work-group, where a and b are relative to their approximate means. */
kernel void esrrf_moments(INPUT(first), INPUT(second), global float *sums, float first_mean, float second_mean)
{
    local float part[SUMS][SUM_GROUP];
    const int l = get_local_id(0), group = get_group_id(0);
    float sum[SUMS] = {0};
    for (int y = group; y < first.height; y += get_num_groups(0))
        for (int x = l; x < first.width; x += SUM_GROUP) {
            const float a = LOAD(first, x, y, 0) - first_mean, b = LOAD(second, x, y, 0) - second_mean;
            sum[0] += a;
            sum[1] += b;
            sum[2] = fma(a, a, sum[2]);
            sum[3] = fma(a, b, sum[3]);
            sum[4] = fma(b, b, sum[4]);
        }
    for (int k = 0; k < SUMS; k++)
        part[k][l] = sum[k];
    for (int half_size = SUM_GROUP / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_size)
            for (int k = 0; k < SUMS; k++)
                part[k][l] += part[k][l + half_size];
    }
    if (l == 0)
        for (int k = 0; k < SUMS; k++)
            sums[group * SUMS + k] = part[k][0];
}

/* Writes |seen - (scale * explained + offset)|. */
kernel void esrrf_error(INPUT(seen), INPUT(explained), OUTPUT(to), float scale, float offset)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z, fabs(LOAD_CLAMPED(seen, x, y, 0) - fma(scale, LOAD_CLAMPED(explained, x, y, 0), offset)));
}

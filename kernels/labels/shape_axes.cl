/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Principal axes of a label. The same source serves devices with doubles and the host, which defines SPACE, METHOD,
 * WORD, WIDE, BYTE and WHOLE itself.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#define SPACE global
#define METHOD inline
#define WORD uint
#define WIDE ulong
#define BYTE char
#define WHOLE long
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* Rotates axes a and b so that their covariance becomes 0 (Jacobi 1846); the columns of v rotate with them. */
METHOD void rotate_axes(double m[3][3], double v[3][3], int a, int b)
{
    if (m[a][b] == 0)
        return;
    const double slope = (m[b][b] - m[a][a]) / (2 * m[a][b]);
    const double t = (slope >= 0 ? 1 : -1) / (fabs(slope) + sqrt(slope * slope + 1));
    const double cosine = 1 / sqrt(t * t + 1), sine = t * cosine, both = m[a][b];
    const int other = 3 - a - b;
    const double with_a = m[other][a], with_b = m[other][b];
    m[a][a] -= t * both;
    m[b][b] += t * both;
    m[a][b] = m[b][a] = 0;
    m[other][a] = m[a][other] = cosine * with_a - sine * with_b;
    m[other][b] = m[b][other] = sine * with_a + cosine * with_b;
    for (int row = 0; row < 3; row++) {
        const double left = v[row][a], right = v[row][b];
        v[row][a] = cosine * left - sine * right;
        v[row][b] = sine * left + cosine * right;
    }
}

METHOD void swap_axes(double m[3][3], double v[3][3], int a, int b)
{
    if (m[a][a] >= m[b][b])
        return;
    const double value = m[a][a];
    m[a][a] = m[b][b];
    m[b][b] = value;
    for (int row = 0; row < 3; row++) {
        const double kept = v[row][a];
        v[row][a] = v[row][b];
        v[row][b] = kept;
    }
}

/*
 * Principal axes as columns of v, and variances in descending order on the diagonal of m. The axes are a right-handed
 * system. The first axis points to positive x and the third to positive z, unless they are perpendicular to x or z.
 */
METHOD void find_axes(const double c[6], double m[3][3], double v[3][3])
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            v[row][column] = row == column;
            m[row][column] = row == column ? c[row] : c[row + column + 2];
        }
    for (int sweep = 0; sweep < 12; sweep++) {
        rotate_axes(m, v, 0, 1);
        rotate_axes(m, v, 0, 2);
        rotate_axes(m, v, 1, 2);
    }
    swap_axes(m, v, 0, 1);
    swap_axes(m, v, 0, 2);
    swap_axes(m, v, 1, 2);
    const double first = v[0][0] < 0 ? -1 : 1, third = v[2][2] < 0 ? -1 : 1;
    for (int row = 0; row < 3; row++) {
        v[row][0] *= first;
        v[row][2] *= third;
    }
    v[0][1] = v[1][2] * v[2][0] - v[2][2] * v[1][0];
    v[1][1] = v[2][2] * v[0][0] - v[0][2] * v[2][0];
    v[2][1] = v[0][2] * v[1][0] - v[1][2] * v[0][0];
}
#endif

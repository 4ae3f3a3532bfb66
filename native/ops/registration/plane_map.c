/* SPDX-License-Identifier: BSD-3-Clause */
#include "plane_map.h"

#include <math.h>

plane_map plane_identity(void)
{
    return (plane_map){{{0, 1, 0}, {0, 0, 1}}};
}

plane_map plane_product(plane_map second, plane_map first)
{
    plane_map m = {{{0}}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            m.at[i][j] =
                (j == 0 ? second.at[i][0] : 0) + second.at[i][1] * first.at[0][j] + second.at[i][2] * first.at[1][j];
    return m;
}

plane_map plane_inverse(plane_map m)
{
    const double a = m.at[0][1], b = m.at[0][2], c = m.at[1][1], d = m.at[1][2], det = a * d - b * c;
    plane_map inverse = {{{0, d / det, -b / det}, {0, -c / det, a / det}}};
    for (int i = 0; i < 2; i++)
        inverse.at[i][0] = -(inverse.at[i][1] * m.at[0][0] + inverse.at[i][2] * m.at[1][0]);
    return inverse;
}

double plane_area(plane_map m, double u, double v)
{
    const double by_u[2] = {m.at[0][1] + m.at[0][3] * v, m.at[1][1] + m.at[1][3] * v},
                 by_v[2] = {m.at[0][2] + m.at[0][3] * u, m.at[1][2] + m.at[1][3] * u};
    return by_u[0] * by_v[1] - by_u[1] * by_v[0];
}

bool plane_is_finite(plane_map m)
{
    double sum = 0;
    for (int i = 0; i < 2 * PLANE_TERMS; i++)
        sum += m.at[i / PLANE_TERMS][i % PLANE_TERMS];
    return isfinite(sum);
}

void plane_corner(const double corners[][2], int corner, double terms[PLANE_TERMS])
{
    const double *here = corners[corner], *opposite = corners[3 - corner];
    const double scale = 1 / ((here[0] - opposite[0]) * (here[1] - opposite[1]));
    terms[0] = scale * opposite[0] * opposite[1];
    terms[1] = -scale * opposite[1];
    terms[2] = -scale * opposite[0];
    terms[3] = scale;
}

plane_map plane_of_corners(const double from[][2], const double to[][2])
{
    plane_map m = {{{0}}};
    for (int k = 0; k < 4; k++) {
        double terms[PLANE_TERMS];
        plane_corner(from, k, terms);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < PLANE_TERMS; j++)
                m.at[i][j] += to[k][i] * terms[j];
    }
    return m;
}

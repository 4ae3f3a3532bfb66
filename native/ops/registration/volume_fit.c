/* SPDX-License-Identifier: BSD-3-Clause */
#include "volume_fit.h"

#include "normal_equations.h"

#include <math.h>
#include <string.h>

enum { UNKNOWNS = 12 }; /* of an affine step: number 4 i + k moves axis i by the term k of 1, x, y, z */

/* Position of the product of two terms among the ten products in the sums. */
static const int product_of[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};

volume_map volume_product(const volume_map *second, const volume_map *first)
{
    volume_map m;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            m.at[i][j] = j == 3 ? second->at[i][3] : 0;
            for (int k = 0; k < 3; k++)
                m.at[i][j] += second->at[i][k] * first->at[k][j];
        }
    return m;
}

double volume_change(const volume_map *m)
{
    const double *a = m->at[0], *b = m->at[1], *c = m->at[2];
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

volume_match volume_match_of(const double *s, double difference)
{
    const double min = 1e-6; /* a variance below this share of the squares is rounding */
    const double n = s[0], r = s[3] - s[1] * s[1] / n, t = s[4] - s[2] * s[2] / n, both = s[5] - s[1] * s[2] / n,
                 squares = s[3] + s[4] - 2 * s[5] + difference * (2 * (s[1] - s[2]) + difference * n);
    volume_match m = {.number = n, .correlation = NAN, .residual = sqrt(fmax(0, squares) / n)};
    if (r > min * s[3] && t > min * s[4])
        m.correlation = fmax(-1, fmin(1, both / sqrt(r * t)));
    return m;
}

/* Sets which affine unknowns each unknown of a mode changes. Returns the number of unknowns. */
static int motions_of(volume_mode mode, double motions[UNKNOWNS][UNKNOWNS])
{
    memset(motions, 0, UNKNOWNS * sizeof *motions);
    if (mode == VOLUME_AFFINE) {
        for (int i = 0; i < UNKNOWNS; i++)
            motions[i][i] = 1;
        return UNKNOWNS;
    }
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3, last = (i + 2) % 3;
        motions[i][4 * i] = 1; /* a shift along axis i */
        motions[3 + i][4 * next + 1 + last] = -1; /* a rotation about axis i */
        motions[3 + i][4 * last + 1 + next] = 1;
        motions[6][4 * i + 1 + i] = 1; /* a scale */
    }
    return mode == VOLUME_TRANSLATION ? 3 : mode == VOLUME_RIGID ? 6 : 7;
}

/* Sets a rotation about the axis `rotation` by its length, in radians (Rodrigues). */
static void set_rotation(const double rotation[3], volume_map *m)
{
    const double angle = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]),
                 s = angle > 0 ? sin(angle) / angle : 1, c = angle > 0 ? (1 - cos(angle)) / (angle * angle) : 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m->at[i][j] = (i == j) * cos(angle) + c * rotation[i] * rotation[j];
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3, last = (i + 2) % 3;
        m->at[next][last] -= s * rotation[i];
        m->at[last][next] += s * rotation[i];
    }
}

static void set_step(volume_mode mode, const double *unknowns, volume_map *step)
{
    if (mode == VOLUME_AFFINE) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++)
                step->at[i][j] = j < 3 ? (i == j) + unknowns[4 * i + 1 + j] : unknowns[4 * i];
        return;
    }
    set_rotation(mode == VOLUME_TRANSLATION ? (const double[3]){0} : unknowns + 3, step);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3 && mode == VOLUME_SCALED; j++)
            step->at[i][j] *= 1 + unknowns[6];
        step->at[i][3] = unknowns[i];
    }
}

/* The sum of products of slopes along two axes, with the product of two terms. */
static double bend_of(const double *sums, int i, int k, int j, int l)
{
    const int axis = i == j ? i : (i + 1) % 3 == j ? i : j;
    return sums[axis * VOLUME_SUMS + (i == j ? 18 : 28) + product_of[k][l]];
}

bool volume_step(volume_mode mode, const double *sums, double damping, volume_map *step)
{
    const double n = sums[0], gain = (sums[5] - sums[1] * sums[2] / n) / (sums[4] - sums[2] * sums[2] / n),
                 offset = (sums[1] - gain * sums[2]) / n;
    double motions[UNKNOWNS][UNKNOWNS], slopes[UNKNOWNS], a[UNKNOWNS][UNKNOWNS + 1], unknowns[UNKNOWNS];
    if (!(gain > 0 && isfinite(gain)))
        return false;
    for (int i = 0; i < UNKNOWNS; i++) {
        const double *s = sums + i / 4 * VOLUME_SUMS + i % 4;
        slopes[i] = (s[14] - gain * s[10] - offset * s[6]) / gain;
    }
    const int count = motions_of(mode, motions);
    for (int p = 0; p < count; p++) {
        a[p][count] = 0;
        for (int i = 0; i < UNKNOWNS; i++)
            a[p][count] += motions[p][i] * slopes[i];
        for (int q = 0; q < count; q++) {
            a[p][q] = 0;
            for (int i = 0; i < UNKNOWNS; i++)
                for (int j = 0; j < UNKNOWNS && motions[p][i] != 0; j++)
                    if (motions[q][j] != 0)
                        a[p][q] += motions[p][i] * motions[q][j] * bend_of(sums, i / 4, i % 4, j / 4, j % 4);
        }
    }
    for (int p = 0; p < count; p++)
        a[p][p] *= 1 + damping;
    if (!solve_linear_equations(*a, count, UNKNOWNS + 1))
        return false;
    for (int p = 0; p < count; p++)
        unknowns[p] = a[p][count];
    set_step(mode, unknowns, step);
    double sum = 0;
    for (int i = 0; i < UNKNOWNS; i++)
        sum += step->at[i / 4][i % 4];
    return isfinite(sum);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Moments of an object about its centre, and the axes of the ellipsoid with the same moments. */
#include "central_moments.h"

enum { ORDERS = MOMENT_ORDERS };

static void shape_of_moments(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){ORDERS, ORDERS, ORDERS, 3};
    (void)p;
}

static void launch_moments(drua_plan *p)
{
    const moments m = central_moments(p, plan_image(p, "source"));
    float numbers[ORDERS * ORDERS * ORDERS];
    for (int n = 0; n < ORDERS * ORDERS * ORDERS; n++)
        numbers[n] = (float)m.of[n % 3][n / 3 % 3][n / 9];
    drua_view cube = plan_scratch(p, (drua_shape){ORDERS, ORDERS, ORDERS, 3}, DRUA_FLOAT32);
    plan_write(p, cube, numbers);
    plan_copy(p, cube, plan_image(p, "destination"), 0, 0, 0);
}

/* Rotates the plane of axes a and b so that their covariance becomes 0 (Jacobi 1846). */
static void diagonalize_plane(double c[3][3], int a, int b)
{
    if (c[a][b] == 0)
        return;
    const double slope = (c[b][b] - c[a][a]) / (2 * c[a][b]),
                 t = (slope >= 0 ? 1 : -1) / (fabs(slope) + sqrt(slope * slope + 1));
    const double cosine = 1 / sqrt(t * t + 1), sine = t * cosine, both = c[a][b];
    const int other = 3 - a - b;
    const double with_a = c[other][a], with_b = c[other][b];
    c[a][a] -= t * both;
    c[b][b] += t * both;
    c[a][b] = c[b][a] = 0;
    c[other][a] = c[a][other] = cosine * with_a - sine * with_b;
    c[other][b] = c[b][other] = sine * with_a + cosine * with_b;
}

/*
 * Variances along the principal axes, in ascending order. A variance is 0 for an empty image, or if only rounding
 * errors remain.
 */
static void principal_variances(drua_plan *p, double values[3])
{
    enum { SWEEPS = 30 };
    const double rounding = 1e-12;
    const moments m = central_moments(p, plan_image(p, "source"));
    const double number = m.of[0][0][0] > 0 ? m.of[0][0][0] : 1;
    double c[3][3] = {{m.of[2][0][0] / number, m.of[1][1][0] / number, m.of[1][0][1] / number},
                      {m.of[1][1][0] / number, m.of[0][2][0] / number, m.of[0][1][1] / number},
                      {m.of[1][0][1] / number, m.of[0][1][1] / number, m.of[0][0][2] / number}};
    for (int i = 0; i < SWEEPS; i++) {
        diagonalize_plane(c, 0, 1);
        diagonalize_plane(c, 0, 2);
        diagonalize_plane(c, 1, 2);
    }
    values[0] = fmin(c[0][0], fmin(c[1][1], c[2][2]));
    values[2] = fmax(c[0][0], fmax(c[1][1], c[2][2]));
    values[1] = fmax(fmin(c[0][0], c[1][1]), fmin(fmax(c[0][0], c[1][1]), c[2][2]));
    for (int i = 0; i < 2; i++)
        values[i] = values[i] > rounding * values[2] ? values[i] : 0;
}

static void measure_eigenvalues(drua_plan *p)
{
    double values[3];
    principal_variances(p, values);
    plan_set_number(p, "smallest", values[0]);
    plan_set_number(p, "middle", values[1]);
    plan_set_number(p, "largest", values[2]);
}

static void measure_aspect_ratio(drua_plan *p)
{
    double values[3];
    principal_variances(p, values);
    plan_set_number(p, "aspect_ratio", values[2] > 0 ? values[2] / values[0] : 0);
}

#define MASK DRUA_IMAGE_IN("source", "binary image of one object")

DRUA_OP(binary_image_moments) = {
    .name = "binary_image_moments",
    .category = "measurement",
    .summary = "Measures the shape of an object by central moments: sums, over its pixels, of products of the "
               "distances from its centre along x, y and z, each to the power of 0, 1 or 2.",
    .source = "entry i, j, k: sum of (x - cx)^i (y - cy)^j (z - cz)^k over the object's pixels, whose mean position is "
              "cx, cy, cz",
    DRUA_PARAMS(MASK, DRUA_IMAGE_OUT("destination", "3 x 3 x 3 moments; the first is the number of pixels",
                                     .shape = shape_of_moments, .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJ2 binaryImageMoments3D: source, &destination"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_SOURCE_EXTENT,
    .launch = launch_moments,
};

DRUA_OP(binary_image_eigenvalues) = {
    .name = "binary_image_eigenvalues",
    .category = "measurement",
    .summary = "Measures how far an object extends along its three principal axes: variances of its pixels' positions, "
               "in square pixels.",
    .source = "eigenvalues of the covariance matrix of positions, by Jacobi's rotations; 0 where there is no pixel",
    DRUA_PARAMS(MASK, DRUA_NUMBER_OUT("smallest", "variance along the shortest axis"),
                DRUA_NUMBER_OUT("middle", "variance along the middle axis"),
                DRUA_NUMBER_OUT("largest", "variance along the longest axis")),
    DRUA_ALIASES("CLIJ2 getBinaryImageEigenValues3D: source, &smallest, &middle, &largest"),
    .numeric = DRUA_APPROXIMATE,
    .launch = measure_eigenvalues,
};

DRUA_OP(binary_image_aspect_ratio) = {
    .name = "binary_image_aspect_ratio",
    .category = "measurement",
    .summary = "Measures how elongated an object is: the variance along its longest axis divided by that along its "
               "shortest; 1 for balls.",
    .source = "ratio of the eigenvalues of the covariance matrix of positions; infinite for planes and lines, 0 where "
              "there is no pixel",
    DRUA_PARAMS(MASK, DRUA_NUMBER_OUT("aspect_ratio", "1 or more")),
    DRUA_ALIASES("CLIJ2 getBinaryImageAspectRatio3D: source, &aspect_ratio"),
    .numeric = DRUA_APPROXIMATE,
    .launch = measure_aspect_ratio,
};

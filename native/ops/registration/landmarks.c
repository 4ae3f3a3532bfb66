/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for the transform of one pair of frames. It uses no images, only sums over their pixels. */
#include "landmarks.h"

#include "normal_equations.h"

#include <math.h>
#include <string.h>

/* Constants of TurboReg for accurate registration; each finer level allows half as many comparisons. */
enum { COMPARISONS = 10, LAMBDA_FACTOR = 4 };
static const double FIRST_LAMBDA = 1, ENOUGH = 0.001; /* pixels */

static int landmarks_of(landmark_mode mode)
{
    switch (mode) {
    case TRANSLATION: return 1;
    case SCALED_ROTATION: return 2;
    case BILINEAR: return 4;
    default: return 3;
    }
}

static int unknowns_of(landmark_mode mode)
{
    return mode == RIGID_BODY ? 3 : 2 * landmarks_of(mode);
}

/* ---- maps */

/* Returns the map that takes landmarks to others, for modes whose unknowns are landmarks. */
static plane_map map_between(landmark_mode mode, const double from[][2], const double to[][2])
{
    plane_map m = plane_identity();
    if (mode == TRANSLATION) {
        m.at[0][0] = to[0][0] - from[0][0];
        m.at[1][0] = to[0][1] - from[0][1];
        return m;
    }
    if (mode == BILINEAR)
        return plane_of_corners(from, to);
    const double fx = from[1][0] - from[0][0], fy = from[1][1] - from[0][1], tx = to[1][0] - to[0][0],
                 ty = to[1][1] - to[0][1];
    if (mode == SCALED_ROTATION) {
        const double length = fx * fx + fy * fy, c = (fx * tx + fy * ty) / length, s = (fx * ty - fy * tx) / length;
        m = (plane_map){{{0, c, -s}, {0, s, c}}};
    } else {
        const double gx = from[2][0] - from[0][0], gy = from[2][1] - from[0][1], det = fx * gy - gx * fy;
        for (int i = 0; i < 2; i++) {
            const double f = to[1][i] - to[0][i], g = to[2][i] - to[0][i];
            m.at[i][1] = (f * gy - g * fy) / det;
            m.at[i][2] = (g * fx - f * gx) / det;
        }
    }
    for (int i = 0; i < 2; i++)
        m.at[i][0] = to[0][i] - m.at[i][1] * from[0][0] - m.at[i][2] * from[0][1];
    return m;
}

/* ---- how pixels move with each unknown */

/* Movement along an axis of a pixel u, v for an unknown, as the terms of a map. */
typedef struct motion {
    double of[2][PLANE_TERMS];
} motion;

/* Sets how affine unknowns move the pixels: each landmark moves them by its barycentric coordinate. */
static void affine_motions(const double p[][2], motion *motions)
{
    const double det = p[2][0] * p[1][1] - p[1][0] * p[2][1] + p[1][0] * p[0][1] - p[0][0] * p[1][1] +
                       p[0][0] * p[2][1] - p[2][0] * p[0][1];
    for (int i = 0; i < 3; i++) {
        const double *next = p[(i + 1) % 3], *last = p[(i + 2) % 3];
        const double share[3] = {(last[0] * next[1] - next[0] * last[1]) / det, (last[1] - next[1]) / det,
                                 (next[0] - last[0]) / det};
        for (int axis = 0; axis < 2; axis++)
            memcpy(motions[2 * i + axis].of[axis], share, sizeof share);
    }
}

/*
 * The first landmark rotates and scales the frame about the second. TurboReg's terms for the second landmark differ
 * from that; they are kept, because they decide where its search ends.
 */
static void rotation_motions(const double p[][2], motion *motions)
{
    const double dx = p[0][0] - p[1][0], dy = p[0][1] - p[1][1], square = dx * dx + dy * dy, a = dx / square,
                 b = dy / square, half = 0.5 * (p[1][0] * p[0][1] - p[0][0] * p[1][1]) / square;
    const double less = (square - dx * dy) / square, more = (square + dx * dy) / square;
    const double base = half + p[0][0] * a + p[1][0] * b, lean = half * (dx * dx - dy * dy) / square;
    const double along[3] = {-(a * p[1][0] + b * p[1][1]), a, b}, across[3] = {2 * half, -b, a};
    const double second_x[3] = {base + lean, -a * more, a - b - a * b * dy},
                 second_y[3] = {base - lean, -(a + b - a * b * dx), -b * less};
    for (int i = 0; i < 3; i++) {
        motions[0].of[0][i] = motions[1].of[1][i] = along[i];
        motions[0].of[1][i] = across[i];
        motions[1].of[0][i] = -across[i];
        motions[2].of[0][i] = second_x[i];
        motions[2].of[1][i] = -less * across[i];
        motions[3].of[0][i] = more * across[i];
        motions[3].of[1][i] = second_y[i];
    }
}

static void motions_of(const landmark_search *s, motion *motions)
{
    memset(motions, 0, MAX_UNKNOWNS * sizeof *motions);
    switch (s->mode) {
    case TRANSLATION: motions[0].of[0][0] = motions[1].of[1][0] = 1; break;
    case RIGID_BODY: /* rotation about pixel 0, 0, then shift */
        motions[0].of[0][2] = -1;
        motions[0].of[1][1] = 1;
        motions[1].of[0][0] = motions[2].of[1][0] = 1;
        break;
    case SCALED_ROTATION: rotation_motions(s->tried, motions); break;
    case AFFINE: affine_motions(s->tried, motions); break;
    case BILINEAR:
        for (int k = 0; k < MAX_UNKNOWNS; k++)
            plane_corner(s->still, k / 2, motions[k].of[k % 2]);
        break;
    }
}

/* ---- one comparison */

/* Position of the product of terms i and j (1, x, y, x y) among the moments of the sums. */
static const int moment_of[PLANE_TERMS][PLANE_TERMS] = {{0, 1, 2, 4}, {1, 3, 4, 6}, {2, 4, 5, 7}, {4, 6, 7, 8}};

/* Converts a motion to the coordinates of the sums. */
static void to_sum_frame(motion *m, const sum_frame *frame)
{
    const double mx = frame->middle[0], my = frame->middle[1];
    for (int axis = 0; axis < 2; axis++) {
        double *of = m->of[axis];
        of[0] += of[1] * mx + of[2] * my + of[3] * mx * my;
        of[1] = (of[1] + of[3] * my) / frame->scale;
        of[2] = (of[2] + of[3] * mx) / frame->scale;
        of[3] /= frame->scale * frame->scale;
    }
}

/* Sets the slopes of the mean square for each unknown, and the products of slopes, from the sums of the pixels. */
static void set_slopes(landmark_search *s, const double *sums, const sum_frame *frame)
{
    motion motions[MAX_UNKNOWNS];
    motions_of(s, motions);
    const int n = unknowns_of(s->mode), terms = s->mode == BILINEAR ? 4 : 3, moments = s->mode == BILINEAR ? 9 : 6;
    const double *products = sums + 2 + 2 * terms;
    for (int k = 0; k < n; k++)
        to_sum_frame(&motions[k], frame);
    for (int k = 0; k < n; k++) {
        s->slopes[k] = 0;
        for (int i = 0; i < 2 * terms; i++)
            s->slopes[k] += motions[k].of[i / terms][i % terms] * sums[2 + i];
        for (int l = 0; l < n; l++) {
            s->bends[k][l] = 0;
            for (int i = 0; i < 2 * terms; i++)
                for (int j = 0; j < 2 * terms; j++)
                    s->bends[k][l] += motions[k].of[i / terms][i % terms] * motions[l].of[j / terms][j % terms] *
                                      products[moments * (i / terms + j / terms) + moment_of[i % terms][j % terms]];
        }
    }
}

/* Finds the step that solves the normal equations; NaN if no step does. */
static void find_step(int n, const double bends[][MAX_UNKNOWNS], const double *slopes, double *step)
{
    double a[MAX_UNKNOWNS][MAX_UNKNOWNS + 1];
    for (int i = 0; i < n; i++) {
        memcpy(a[i], bends[i], (size_t)n * sizeof **a);
        a[i][n] = slopes[i];
    }
    const bool solved = solve_linear_equations(*a, n, MAX_UNKNOWNS + 1);
    for (int i = 0; i < n; i++)
        step[i] = solved ? a[i][n] : (double)NAN;
}

/*
 * Returns the factor by which the landmarks scale areas. The mean square is divided by this factor, so that a transform
 * does not gain by shrinking the frame.
 */
static double area_of(const landmark_search *s)
{
    const double(*p)[2] = s->tried;
    const double dx = p[0][0] - p[1][0], dy = p[0][1] - p[1][1];
    if (s->mode == SCALED_ROTATION)
        return dx * dx + dy * dy;
    return s->mode == AFFINE ? fabs(dx * (p[0][1] - p[2][1]) - dy * (p[0][0] - p[2][0])) : 1;
}

/* The diagonal of a rectangle; hypot of the C library needs a newer glibc. */
static double diagonal(double width, double height)
{
    return sqrt(width * width + height * height);
}

/* Returns the map to compare for landmarks in the moved frame. */
static plane_map searched_map(const landmark_search *s, const double moved[][2])
{
    return s->mode == BILINEAR ? map_between(s->mode, s->still, moved) : map_between(s->mode, moved, s->still);
}

/* Moves the tried landmarks by a step. Returns the mean distance in pixels. */
static double try_step(landmark_search *s, const double *step, const int64_t extent[2])
{
    if (s->mode == RIGID_BODY) {
        const plane_map m = s->map;
        const double angle = atan2(m.at[0][2], m.at[0][1]) - step[0], c = cos(step[0]), d = sin(step[0]),
                     x = m.at[0][0] + step[1], y = m.at[1][0] + step[2];
        s->tried_map = (plane_map){{{x * c - y * d, cos(angle), sin(angle)}, {x * d + y * c, -sin(angle), cos(angle)}}};
        return diagonal(step[1], step[2]) + 0.25 * diagonal((double)extent[0], (double)extent[1]) * fabs(step[0]);
    }
    double way = 0;
    const int n = landmarks_of(s->mode);
    for (int k = 0; k < n; k++) {
        for (int axis = 0; axis < 2; axis++)
            s->tried[k][axis] = s->moved[k][axis] - step[2 * k + axis];
        way += diagonal(step[2 * k], step[2 * k + 1]);
    }
    s->tried_map = searched_map(s, s->tried);
    return way / n;
}

static void keep_tried(landmark_search *s)
{
    memcpy(s->moved, s->tried, sizeof s->moved);
    s->map = s->tried_map;
}

/*
 * TurboReg moves each unknown along its own slope, without the products of different slopes, and solves the full
 * equations once at the end of a level. A transform with an undefined number ends the level.
 */
void landmarks_take(landmark_search *s, const double *sums, const sum_frame *frame, const int64_t extent[2])
{
    const double square = sums[1] / (sums[0] * area_of(s));
    const bool better = s->stage == SEARCH_BEGINS || square < s->best;
    double step[MAX_UNKNOWNS];
    if (better) {
        s->best = square;
        keep_tried(s);
    }
    if (s->stage == SEARCH_ENDS) {
        s->stage = SEARCH_DONE;
        return;
    }
    if (s->stage == SEARCH_GOES_ON)
        s->lambda = better ? s->lambda / LAMBDA_FACTOR : s->lambda * LAMBDA_FACTOR;
    set_slopes(s, sums, frame);
    s->comparisons++;
    if (s->stage == SEARCH_BEGINS || (s->comparisons < s->max - 1 && s->way >= ENOUGH)) {
        for (int k = 0; k < unknowns_of(s->mode); k++)
            step[k] = s->slopes[k] / ((1 + s->lambda) * s->bends[k][k]);
        s->stage = SEARCH_GOES_ON;
    } else {
        find_step(unknowns_of(s->mode), s->bends, s->slopes, step);
        s->stage = SEARCH_ENDS;
    }
    s->way = try_step(s, step, extent);
    if (!plane_is_finite(s->tried_map))
        s->stage = SEARCH_DONE;
}

/* ---- levels */

landmark_search landmarks_begin(landmark_mode mode, int64_t width, int64_t height, int levels)
{
    const double w = (double)width, h = (double)height;
    const double middle[2] = {floor(w / 2), floor(h / 2)}, golden = (sqrt(5) - 1) / 8;
    const double low[2] = {floor(golden * w), floor(golden * h)},
                 high[2] = {w - ceil(golden * w), h - ceil(golden * h)};
    const double points[][MAX_LANDMARKS][2] = {
        [TRANSLATION] = {{middle[0], middle[1]}},
        [RIGID_BODY] = {{middle[0], middle[1]}, {middle[0], floor(h / 4)}, {middle[0], floor(3 * h / 4)}},
        [SCALED_ROTATION] = {{floor(w / 4), middle[1]}, {floor(3 * w / 4), middle[1]}},
        [AFFINE] = {{middle[0], floor(h / 4)}, {floor(w / 4), floor(3 * h / 4)}, {floor(3 * w / 4), floor(3 * h / 4)}},
        [BILINEAR] = {{low[0], low[1]}, {low[0], high[1]}, {high[0], low[1]}, {high[0], high[1]}}};
    landmark_search s = {.mode = mode, .map = plane_identity()};
    const double shrink = ldexp(1, 1 - levels);
    for (int i = 0; i < 2 * MAX_LANDMARKS; i++)
        s.moved[i / 2][i % 2] = s.still[i / 2][i % 2] = shrink * points[mode][i / 2][i % 2];
    return s;
}

void landmarks_begin_level(landmark_search *s, int level)
{
    s->stage = SEARCH_BEGINS;
    s->lambda = FIRST_LAMBDA;
    s->comparisons = 0;
    s->max = COMPARISONS << level;
    memcpy(s->tried, s->moved, sizeof s->tried);
    if (s->mode != RIGID_BODY)
        s->map = searched_map(s, s->moved);
    s->tried_map = s->map;
}

void landmarks_double(landmark_search *s)
{
    for (int i = 0; i < 2 * MAX_LANDMARKS; i++) {
        s->moved[i / 2][i % 2] *= 2;
        s->still[i / 2][i % 2] *= 2;
    }
    s->map.at[0][0] *= 2;
    s->map.at[1][0] *= 2;
}

plane_map landmarks_result(const landmark_search *s)
{
    return s->mode == RIGID_BODY ? plane_inverse(s->map) : map_between(s->mode, s->still, s->moved);
}

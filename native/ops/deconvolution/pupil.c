/* SPDX-License-Identifier: BSD-3-Clause */
#include "pupil.h"

#include "quadrature.h"

#include <stdlib.h>

/*
 * Distance between two rings as a phase of the finest wave, in radians. Interpolation between eight rings is then
 * accurate to a millionth.
 */
static const double RING_STEP = 0.25;

/* ---- rays, each given by its n sin(angle) */

static const double DESIGNED_GLASS = 1.515, GLASS_THICKNESS = 170;

static double axial_component(double index, double sine)
{
    return sqrt(fmax(index * index - sine * sine, 0));
}

/* n sin(angle) of the steepest ray that reaches the point. */
static double steepest_ray(const optics *o)
{
    const double max = fmin(o->aperture, fmin(o->sample, o->immersion));
    return o->glass > 0 ? fmin(max, o->glass) : max;
}

static double phase_of(const optics *o, double sine, double z)
{
    return o->wavenumber *
           (o->depth * axial_component(o->sample, sine) + z * axial_component(o->immersion, sine) +
            (o->glass > 0 ? GLASS_THICKNESS * (axial_component(o->glass, sine) - axial_component(DESIGNED_GLASS, sine))
                          : 0));
}

/* The stage position at which a ray is in phase with neighbouring rays. */
static double focus_of_ray(const optics *o, double sine)
{
    const double glass =
        o->glass > 0
            ? GLASS_THICKNESS * (1 / axial_component(o->glass, sine) - 1 / axial_component(DESIGNED_GLASS, sine))
            : 0;
    return -axial_component(o->immersion, sine) * (o->depth / axial_component(o->sample, sine) + glass);
}

/* Largest rate of phase change over the pupil, scaled to the whole pupil, in radians. */
static double max_phase_rate(const optics *o, double z)
{
    enum { SAMPLES = 512 };
    double max = 0, before = phase_of(o, 0, z);
    for (int i = 1; i <= SAMPLES; i++) {
        const double now = phase_of(o, steepest_ray(o) * sin(M_PI / 2 * i / SAMPLES), z);
        max = fmax(max, fabs(now - before));
        before = now;
    }
    return max * SAMPLES;
}

/*
 * Integration nodes over the pupil. The variable is an angle whose sine is n sin(angle) of the ray divided by that of
 * the steepest ray. At the rim, the phase can behave like a square root; with this variable, it needs no finer steps
 * there.
 */
typedef struct pupil {
    int64_t n;
    double *sine, *weight;
} pupil;

static pupil pupil_of(drua_plan *p, const optics *o, double radians)
{
    const double max = steepest_ray(o);
    const quadrature q = quadrature_of(p, quadrature_nodes(radians));
    for (int64_t i = 0; !plan_failed(p) && i < q.n; i++) {
        const double angle = M_PI / 2 * q.at[i];
        q.at[i] = max * sin(angle);
        q.weight[i] *= q.at[i] * max * cos(angle);
    }
    return (pupil){q.n, q.at, q.weight};
}

/* ---- the brightest stage position */

static double on_axis(const optics *o, const pupil *q, double z)
{
    double re = 0, im = 0;
    for (int64_t i = 0; i < q->n; i++) {
        const double at = phase_of(o, q->sine[i], z);
        re += q->weight[i] * cos(at);
        im += q->weight[i] * sin(at);
    }
    return re * re + im * im;
}

static double product_on_axis(const optics *waves, int count, const pupil *q, double z)
{
    return on_axis(&waves[0], q, z) * (count > 1 ? on_axis(&waves[1], q, z) : 1);
}

/*
 * Multiplies `products` by the intensity at equally spaced stage positions. Each ray's phase changes by the same angle
 * from one position to the next.
 */
static void scan_axis(drua_plan *p, const optics *o, const pupil *q, double low, double step, double *products,
                      int64_t count)
{
    double *ray = plan_host_memory(p, (size_t)q->n * 4 * sizeof *ray), *re = ray, *im = ray + q->n,
           *turn_re = im + q->n, *turn_im = turn_re + q->n;
    for (int64_t i = 0; ray && i < q->n; i++) {
        const double at = phase_of(o, q->sine[i], low),
                     turn = o->wavenumber * step * axial_component(o->immersion, q->sine[i]);
        re[i] = q->weight[i] * cos(at);
        im[i] = q->weight[i] * sin(at);
        turn_re[i] = cos(turn);
        turn_im[i] = sin(turn);
    }
    for (int64_t n = 0; ray && n < count; n++) {
        double a = 0, b = 0;
        for (int64_t i = 0; i < q->n; i++) {
            const double now = re[i];
            a += now;
            b += im[i];
            re[i] = now * turn_re[i] - im[i] * turn_im[i];
            im[i] = now * turn_im[i] + im[i] * turn_re[i];
        }
        products[n] *= a * a + b * b;
    }
}

/* Golden-section search between two stage positions that enclose one maximum. */
static double maximum_between(const optics *waves, int count, const pupil *q, double left, double right)
{
    enum { CUTS = 60 };
    const double golden = (sqrt(5) - 1) / 2;
    for (int i = 0; i < CUTS; i++) {
        const double nearer = right - golden * (right - left), farther = left + golden * (right - left);
        if (product_on_axis(waves, count, q, nearer) > product_on_axis(waves, count, q, farther))
            right = farther;
        else
            left = nearer;
    }
    return (left + right) / 2;
}

double pupil_focus(drua_plan *p, const optics *waves, int count)
{
    enum { RAYS = 64, STEPS_A_WIDTH = 8 };
    const optics *o = &waves[0];
    if (o->glass > 0 && steepest_ray(o) > DESIGNED_GLASS) {
        plan_fail(p,
                  "glass_index is %g, and rays with n sin(angle) up to %g pass: gibson_lanni assumes an objective "
                  "designed for a cover glass of index %g, which steeper rays cannot pass; choose born_wolf",
                  o->glass, steepest_ray(o), DESIGNED_GLASS);
        return 0;
    }
    double low = INFINITY, high = -INFINITY, finest = 0, radians = 0;
    for (int i = 0; i < RAYS; i++) {
        const double z = focus_of_ray(o, 0.98 * steepest_ray(o) * i / (RAYS - 1));
        low = fmin(low, z);
        high = fmax(high, z);
    }
    if (high - low < 1e-9)
        return (low + high) / 2;
    for (int i = 0; i < count; i++)
        finest = fmax(finest, waves[i].wavenumber);
    const double width = 2 * M_PI / finest / (o->immersion - axial_component(o->immersion, steepest_ray(o))),
                 step = width / STEPS_A_WIDTH;
    low -= 2 * width;
    high += 2 * width;
    for (int i = 0; i < count; i++)
        radians = fmax(radians, fmax(max_phase_rate(&waves[i], low), max_phase_rate(&waves[i], high)));
    const double steps = (high - low) / step + 1;
    if (psf_is_too_much(p, 4 * steps * (double)quadrature_nodes(radians)))
        return 0;
    const pupil q = pupil_of(p, o, radians);
    double *products = plan_host_memory(p, (size_t)steps * sizeof *products);
    int64_t best = 0;
    for (int64_t n = 0; products && n < (int64_t)steps; n++)
        products[n] = 1;
    for (int i = 0; i < count && !plan_failed(p); i++)
        scan_axis(p, &waves[i], &q, low, step, products, (int64_t)steps);
    for (int64_t n = 0; !plan_failed(p) && n < (int64_t)steps; n++)
        best = products[n] > products[best] ? n : best;
    return plan_failed(p)
               ? 0
               : maximum_between(waves, count, &q, low + (double)(best - 1) * step, low + (double)(best + 1) * step);
}

/* ---- rings */

int64_t rings_between(const rings *r, double radius, double *weights)
{
    const double at = radius / r->step;
    const int64_t first = (int64_t)at - (RING_WEIGHTS / 2 - 1);
    for (int i = 0; i < RING_WEIGHTS; i++) {
        weights[i] = 1;
        for (int k = 0; k < RING_WEIGHTS; k++)
            if (k != i)
                weights[i] *= (at - (double)(first + k)) / (double)(i - k);
    }
    return first;
}

double rings_at(const rings *r, int64_t first, const double *weights, int64_t plane)
{
    double light = 0;
    for (int i = 0; i < RING_WEIGHTS; i++)
        light += weights[i] * r->light[plane * r->count + llabs(first + i)];
    return light;
}

static rings make_rings(drua_plan *p, double radius, double step, int64_t depth)
{
    rings r = {.step = step, .count = (int64_t)fmin(radius / step, 1e15) + RING_WEIGHTS, .depth = depth};
    if (!psf_is_too_much(p, (double)r.count * (double)depth))
        r.light = plan_host_memory(p, (size_t)(r.count * depth) * sizeof *r.light);
    return r;
}

bool report_piece(drua_plan *p, piece s, int64_t done, int64_t all)
{
    plan_progress(p, (s.done + (double)done / (double)all) / s.all);
    return !plan_failed(p) && !plan_is_stopped(p);
}

rings pupil_light(drua_plan *p, const optics *o, double radius, double slice, int64_t depth, double focus, piece s)
{
    const double first = focus - (double)(depth / 2) * slice, last = first + (double)(depth - 1) * slice,
                 finest = o->wavenumber * steepest_ray(o);
    const double step = RING_STEP / finest;
    const rings r = make_rings(p, radius + RING_WEIGHTS * step, step, depth);
    const double radians =
        fmax(max_phase_rate(o, first), max_phase_rate(o, last)) + M_PI / 2 * finest * step * (double)r.count;
    if (plan_failed(p) || psf_is_too_much(p, (double)quadrature_nodes(radians) * (double)r.count * (double)depth))
        return r;
    const pupil q = pupil_of(p, o, radians);
    const size_t rays = (size_t)(q.n * depth);
    double *re = plan_host_memory(p, rays * sizeof *re), *im = plan_host_memory(p, rays * sizeof *im),
           *bessel = plan_host_memory(p, (size_t)q.n * sizeof *bessel);
    for (int64_t i = 0; !plan_failed(p) && i < q.n * depth; i++) {
        const double at = phase_of(o, q.sine[i % q.n], first + (double)(i / q.n) * slice);
        re[i] = q.weight[i % q.n] * cos(at);
        im[i] = q.weight[i % q.n] * sin(at);
    }
    for (int64_t i = 0; i < r.count && report_piece(p, s, i, r.count); i++) {
        for (int64_t k = 0; k < q.n; k++)
            bessel[k] = j0(o->wavenumber * q.sine[k] * (double)i * step);
        for (int64_t z = 0; z < depth; z++) {
            double a = 0, b = 0;
            for (int64_t k = 0; k < q.n; k++) {
                a += bessel[k] * re[z * q.n + k];
                b += bessel[k] * im[z * q.n + k];
            }
            r.light[z * r.count + i] = a * a + b * b;
        }
    }
    return r;
}

/* Adds the intensity at `radius`, times `share`, to ring `to` in all planes. */
static void add_to_ring(const rings *from, double radius, double share, const rings *into, int64_t to)
{
    double weights[RING_WEIGHTS];
    const int64_t first = rings_between(from, radius, weights);
    for (int64_t z = 0; z < from->depth; z++)
        into->light[z * into->count + to] += share * rings_at(from, first, weights, z);
}

/*
 * Integrates over rings of the source that overlap the pinhole. A ring lies completely inside the pinhole, or in part,
 * as an arc. As a function of the ring's radius, the arc's angle behaves like a square root at both ends of its range.
 * Integration over the angle on a circle whose diameter is that range removes these roots.
 */
rings pupil_through_hole(drua_plan *p, const rings *light, const optics *o, double hole, piece s)
{
    const double radius = (double)(light->count - 2 * RING_WEIGHTS) * light->step - hole;
    const rings out = make_rings(p, fmax(radius, 0), light->step, light->depth);
    const int64_t nodes = quadrature_nodes(2 * M_PI * o->wavenumber * steepest_ray(o) * hole);
    if (plan_failed(p) ||
        psf_is_too_much(p, 2.0 * RING_WEIGHTS * (double)nodes * (double)out.count * (double)out.depth))
        return out;
    const quadrature q = quadrature_of(p, nodes);
    for (int64_t i = 0; i < out.count && report_piece(p, s, i, out.count); i++) {
        const double centre = (double)i * out.step, all = fmax(hole - centre, 0), min = fabs(hole - centre),
                     half = fmin(hole, centre);
        for (int64_t k = 0; k < q.n; k++) {
            const double angle = M_PI * q.at[k], partly = min + half * (1 - cos(angle));
            if (all > 0)
                add_to_ring(light, all * q.at[k], 2 * M_PI * all * all * q.at[k] * q.weight[k], &out, i);
            if (half > 0) {
                const double cosine = (partly * partly + centre * centre - hole * hole) / (2 * partly * centre);
                add_to_ring(light, partly,
                            2 * partly * acos(fmax(fmin(cosine, 1), -1)) * half * sin(angle) * M_PI * q.weight[k], &out,
                            i);
            }
        }
    }
    return out;
}

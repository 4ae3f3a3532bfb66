/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Area and perimeter of a plane's hulls, Feret diameters and boxes of least width by rotating calipers (Shamos 1978).
 * The same source serves devices with doubles and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "hull_chains.cl"
#include "shape_axes.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/*
 * The largest and the smallest extent of a hull. a and b are the vertices of the largest one. The smallest one lies
 * between the edge that starts at vertex c and the vertex d.
 */
typedef struct {
    double max_distance, min_width;
    int a, b, c, d;
} calipers;

METHOD double distance_of(const slice_hull *s, SPACE const double *size, int i, int j)
{
    SPACE const int *p = vertex_of(s, i), *q = vertex_of(s, j);
    const double x = size[0] * ((double)q[0] - p[0]), y = size[1] * ((double)q[1] - p[1]);
    return sqrt(x * x + y * y);
}

METHOD void try_pair(const slice_hull *s, SPACE const double *size, int i, int j, calipers *found)
{
    const double distance = distance_of(s, size, i, j);
    if (distance > found->max_distance) {
        found->max_distance = distance;
        found->a = i;
        found->b = j;
    }
}

/* Twice the area of the triangle of an edge and a vertex, which grows with the vertex's distance from the edge. */
METHOD WHOLE vertex_reach(const slice_hull *s, int edge, int vertex)
{
    SPACE const int *a = vertex_of(s, edge), *b = vertex_of(s, (edge + 1) % (s->left + s->right)),
                    *c = vertex_of(s, vertex);
    return -turn(a[0], a[1], b[0], b[1], c[0], c[1]);
}

METHOD calipers turn_calipers(const slice_hull *s, SPACE const double *size)
{
    const int count = s->left + s->right;
    calipers found = {-1, INFINITY, 0, 0, 0, 0};
    for (int edge = 0, far = 1; edge < count; edge++) {
        const int next = (edge + 1) % count;
        while (vertex_reach(s, edge, (far + 1) % count) > vertex_reach(s, edge, far)) {
            try_pair(s, size, edge, far, &found);
            far = (far + 1) % count;
        }
        const int beside = (far + 1) % count;
        try_pair(s, size, edge, far, &found);
        try_pair(s, size, next, far, &found);
        if (vertex_reach(s, edge, beside) == vertex_reach(s, edge, far)) {
            try_pair(s, size, edge, beside, &found);
            try_pair(s, size, next, beside, &found);
        }
        const double width = (double)vertex_reach(s, edge, far) * size[0] * size[1] / distance_of(s, size, edge, next);
        if (width < found.min_width * (1 - 1e-12)) {
            found.min_width = width;
            found.c = edge;
            found.d = far;
        }
    }
    return found;
}

/* An angle in degrees from 0 to below 180. */
METHOD double half_turn(double y, double x)
{
    const double degrees = 180 / 3.141592653589793 * atan2(y, x), up = degrees < 0 ? degrees + 180 : degrees;
    return up >= 180 ? up - 180 : up;
}

METHOD SPACE double *put_vertex(const slice_hull *s, SPACE const double *size, int i, double top, SPACE double *out)
{
    *out++ = size[0] * vertex_of(s, i)[0];
    *out++ = size[1] * (vertex_of(s, i)[1] + top);
    return out;
}

/* Largest and smallest Feret diameter, their angles and ends. */
METHOD void fill_feret(const slice_hull *s, SPACE const double *size, double top, const calipers *found,
                       SPACE double *out)
{
    SPACE const int *a = vertex_of(s, found->a), *b = vertex_of(s, found->b), *c = vertex_of(s, found->c),
                    *next = vertex_of(s, (found->c + 1) % (s->left + s->right)), *d = vertex_of(s, found->d);
    const double x = size[0] * ((double)next[0] - c[0]), y = size[1] * ((double)next[1] - c[1]);
    *out++ = found->max_distance;
    *out++ = half_turn(size[1] * ((double)b[1] - a[1]), size[0] * ((double)b[0] - a[0]));
    out = put_vertex(s, size, found->a, top, out);
    out = put_vertex(s, size, found->b, top, out);
    *out++ = found->min_width;
    *out++ = half_turn(-x, y);
    out = put_vertex(s, size, found->d, top, out);
    const double to_x = size[0] * ((double)d[0] - c[0]), to_y = size[1] * ((double)d[1] - c[1]),
                 along = (to_x * x + to_y * y) / (x * x + y * y);
    *out++ = size[0] * c[0] + along * x;
    *out++ = size[1] * (c[1] + top) + along * y;
}

/* The box along the edge across which the hull has its smallest extent: centre, length, width, angle. */
METHOD void fill_box_of_least_width(const slice_hull *s, SPACE const double *size, double top, const calipers *found,
                                    SPACE double *out)
{
    const int count = s->left + s->right;
    SPACE const int *c = vertex_of(s, found->c), *next = vertex_of(s, (found->c + 1) % count);
    const double x = size[0] * ((double)next[0] - c[0]), y = size[1] * ((double)next[1] - c[1]),
                 length = sqrt(x * x + y * y);
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
        SPACE const int *v = vertex_of(s, i);
        const double along =
            (size[0] * ((double)v[0] - c[0]) * x + size[1] * ((double)v[1] - c[1]) * y) / length;
        low = fmin(low, along);
        high = fmax(high, along);
    }
    const double middle = (low + high) / 2 / length, across = found->min_width / 2 / length;
    out[0] = size[0] * c[0] + middle * x + across * y;
    out[1] = size[1] * (c[1] + top) + middle * y - across * x;
    out[2] = high - low;
    out[3] = found->min_width;
    out[4] = half_turn(y, x);
}

METHOD void fill_polygon(const slice_hull *s, SPACE const double *size, SPACE double *out)
{
    const int count = s->left + s->right;
    WHOLE area = 0;
    double perimeter = 0;
    for (int i = 0; i < count; i++) {
        SPACE const int *p = vertex_of(s, i), *q = vertex_of(s, (i + 1) % count), *o = vertex_of(s, 0);
        area += ((WHOLE)q[0] - o[0]) * ((WHOLE)p[1] - o[1]) - ((WHOLE)p[0] - o[0]) * ((WHOLE)q[1] - o[1]);
        perimeter += distance_of(s, size, i, (i + 1) % count);
    }
    out[0] = (double)area / 2 * size[0] * size[1];
    out[1] = perimeter;
}
#endif

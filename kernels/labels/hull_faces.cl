/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of a convex hull: its points, its triangles and their planes. The same source serves devices with doubles
 * and the host, where a hull has one lane.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "shape_axes.cl"
#define SHARED local
#ifdef ON_CPU /* a hull has one lane; PoCL would need minutes to optimize code with this many barriers */
#define MEET() ((void)0)
#else
#define MEET() barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#endif
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/*
 * Words of memory for each point: planes of two faces (a hull of n points has fewer than 2 n), four words of the point,
 * two faces, two words of `seen` (one per face), three words of `rim` (its edges are at most n), and one word that
 * keeps the planes of the next hull at whole longs.
 */
enum { PLANE_LONGS = 4, FACE_WORDS = 7, POINT_WORDS = 2 * (2 * PLANE_LONGS + FACE_WORDS + 1) + 4 + 3 + 1 };

/* The last word of a face: the last point that saw the face, or that a face is no longer part of the hull. */
enum { SEEN_BY = 6, NOT_SEEN = -1, DEAD = -2 };

/*
 * Longs of a plane: the normal, which points outwards and is twice as long as the area of the face, and the product of
 * the normal and a vertex. Words of a point: x, y, z, and the edge of the rim that begins there. Words 0 to 2 of a
 * face: its vertices, counter-clockwise for a viewer outside. Word 3 + k: the neighbour beyond the edge from vertex k
 * to vertex (k + 1) % 3. A new point is vertex 2 of its faces.
 */
typedef struct {
    SPACE WHOLE *planes;
    SPACE int *points, *faces;
    SPACE int *seen; /* faces that the new point sees; before, faces that it may see first */
    SPACE int *rim; /* edges around these faces: first vertex, second vertex, and the face beyond the edge */
    SHARED int *counts; /* of seen faces and of edges */
    int point_count, face_count, candidate_count;
    int lane, lanes;
} solid;

#ifdef __OPENCL_VERSION__
inline int add_one(local int *count)
{
    return atomic_inc(count);
}

/* Stores that a point has seen a face. Returns whether this lane is the first to do so. */
inline bool mark_seen(global int *word, int point)
{
    return atomic_xchg(word, point) != point;
}
#endif

METHOD solid solid_in(SPACE int *memory, int most_points, SHARED int *counts, int lane, int lanes)
{
    solid h;
    h.planes = (SPACE WHOLE *)memory;
    h.points = memory + 4 * PLANE_LONGS * (size_t)most_points;
    h.faces = h.points + 4 * (size_t)most_points;
    h.seen = h.faces + 2 * FACE_WORDS * (size_t)most_points;
    h.rim = h.seen + 2 * (size_t)most_points;
    h.counts = counts;
    h.point_count = h.face_count = h.candidate_count = 0;
    h.lane = lane;
    h.lanes = lanes;
    return h;
}

METHOD SPACE int *face_of(const solid *h, int face)
{
    return h->faces + FACE_WORDS * (size_t)face;
}

METHOD SPACE int *point_of(const solid *h, int point)
{
    return h->points + 4 * (size_t)point;
}

/* Six times the volume of the tetrahedron of a face and a point; the products of its terms may wrap around. */
METHOD WHOLE volume_to(const solid *h, int face, SPACE const int *point)
{
    SPACE const WHOLE *n = h->planes + PLANE_LONGS * (size_t)face;
    return (WHOLE)((WIDE)n[0] * (WIDE)point[0] + (WIDE)n[1] * (WIDE)point[1] + (WIDE)n[2] * (WIDE)point[2] -
                   (WIDE)n[3]);
}

METHOD void set_face(const solid *h, int face, int a, int b, int c)
{
    SPACE int *f = face_of(h, face);
    f[0] = a;
    f[1] = b;
    f[2] = c;
    f[SEEN_BY] = NOT_SEEN;
    SPACE const int *p = point_of(h, a), *q = point_of(h, b), *r = point_of(h, c);
    const WHOLE x = (WHOLE)q[0] - p[0], y = (WHOLE)q[1] - p[1], z = (WHOLE)q[2] - p[2];
    const WHOLE s = (WHOLE)r[0] - p[0], t = (WHOLE)r[1] - p[1], u = (WHOLE)r[2] - p[2];
    SPACE WHOLE *n = h->planes + PLANE_LONGS * (size_t)face;
    n[0] = y * u - z * t;
    n[1] = z * s - x * u;
    n[2] = x * t - y * s;
    n[3] = (WHOLE)((WIDE)n[0] * (WIDE)p[0] + (WIDE)n[1] * (WIDE)p[1] + (WIDE)n[2] * (WIDE)p[2]);
}

METHOD void set_neighbours(const solid *h, int face, int first, int second, int third)
{
    SPACE int *f = face_of(h, face);
    f[3] = first;
    f[4] = second;
    f[5] = third;
}

#endif

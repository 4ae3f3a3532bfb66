/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Convex hulls of the labels of stacks, as triangles with integer vertices. Points are added level by level along z
 * and, in each level, around the convex polygon of its points. The last vertex therefore always has a face that the
 * new point sees, from which a walk over neighbours finds all such faces (Edelsbrunner 1987, chapter 8). The same
 * source serves devices with doubles and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "hull_chains.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/*
 * Words of memory for each point: three coordinates, two faces (a hull of n points has fewer than 2 n), two words of
 * `seen` (one per face) and two words of `rim` (its edges are at most n, with two words each).
 */
enum { FACE_WORDS = 7, SEEN_BY = 6, DEAD = -2, POINT_WORDS = 3 + 2 * FACE_WORDS + 2 + 2 };

/*
 * Words of a face. Words 0 to 2: its vertices, counter-clockwise for a viewer outside. Word 3 + k: the neighbour beyond
 * the edge from vertex k to vertex (k + 1) % 3. Word 6: the last point that saw the face. A dead face has been removed
 * from the hull, and a new face may take its memory; its word 0 is the number of the next dead face.
 */
typedef struct {
    SPACE int *points, *faces;
    SPACE int *seen; /* faces that the new point sees */
    SPACE int *rim; /* along the rim of these faces: first vertex of each edge, and the face beyond the edge */
    int point_count, face_count, dead; /* `dead`: the first dead face; -1: no face is dead */
    int last; /* a face at the last vertex; at first, a face that the next point sees */
} solid;

METHOD solid solid_in(SPACE int *memory, int most_points)
{
    solid h;
    h.points = memory;
    h.faces = memory + 3 * (size_t)most_points;
    h.seen = h.faces + 2 * FACE_WORDS * (size_t)most_points;
    h.rim = h.seen + 2 * (size_t)most_points;
    h.point_count = h.face_count = h.last = 0;
    h.dead = -1;
    return h;
}

METHOD SPACE int *face_of(const solid *h, int face)
{
    return h->faces + FACE_WORDS * (size_t)face;
}

/* The normal of a face, which points outwards. Its length is twice the area of the face. */
METHOD void normal_of(const solid *h, int face, WHOLE normal[3])
{
    SPACE const int *v = face_of(h, face);
    SPACE const int *a = h->points + 3 * (size_t)v[0], *b = h->points + 3 * (size_t)v[1],
                    *c = h->points + 3 * (size_t)v[2];
    const WHOLE x = (WHOLE)b[0] - a[0], y = (WHOLE)b[1] - a[1], z = (WHOLE)b[2] - a[2];
    const WHOLE s = (WHOLE)c[0] - a[0], t = (WHOLE)c[1] - a[1], u = (WHOLE)c[2] - a[2];
    normal[0] = y * u - z * t;
    normal[1] = z * s - x * u;
    normal[2] = x * t - y * s;
}

/* Six times the volume of the tetrahedron of a face and a point; positive if the point sees the face. */
METHOD WHOLE volume_to(const solid *h, int face, int point)
{
    WHOLE normal[3];
    normal_of(h, face, normal);
    SPACE const int *a = h->points + 3 * (size_t)face_of(h, face)[0], *p = h->points + 3 * (size_t)point;
    return normal[0] * ((WHOLE)p[0] - a[0]) + normal[1] * ((WHOLE)p[1] - a[1]) + normal[2] * ((WHOLE)p[2] - a[2]);
}

METHOD int place_in_face(SPACE const int *face, int vertex)
{
    return face[0] == vertex ? 0 : face[1] == vertex ? 1 : 2;
}

/*
 * Lists the faces that a point sees, and returns their number. Looks for the first one among the faces around the last
 * vertex; word 4 of such a face is the next face around that vertex.
 */
METHOD int find_seen(solid *h, int point)
{
    int first = h->last, count = 1;
    while (volume_to(h, first, point) <= 0) {
        first = face_of(h, first)[4];
        if (first == h->last)
            return 0;
    }
    h->seen[0] = first;
    face_of(h, first)[SEEN_BY] = point;
    for (int i = 0; i < count; i++)
        for (int edge = 0; edge < 3; edge++) {
            const int beyond = face_of(h, h->seen[i])[3 + edge];
            if (face_of(h, beyond)[SEEN_BY] == point || volume_to(h, beyond, point) <= 0)
                continue;
            face_of(h, beyond)[SEEN_BY] = point;
            h->seen[count++] = beyond;
        }
    return count;
}

/* Lists the edges between the seen faces and the others, in their order along the rim. Returns their number. */
METHOD int trace_rim(solid *h, int point)
{
    int face = h->seen[0], edge = 0, count = 0;
    for (int i = 0; face_of(h, face_of(h, face)[3 + edge])[SEEN_BY] == point; i++) {
        face = h->seen[i / 3];
        edge = i % 3;
    }
    const int first_face = face, first_edge = edge;
    do {
        h->rim[2 * count] = face_of(h, face)[edge];
        h->rim[2 * count++ + 1] = face_of(h, face)[3 + edge];
        edge = (edge + 1) % 3;
        while (face_of(h, face_of(h, face)[3 + edge])[SEEN_BY] == point) {
            const int vertex = face_of(h, face)[edge];
            face = face_of(h, face)[3 + edge];
            edge = place_in_face(face_of(h, face), vertex);
        }
    } while (face != first_face || edge != first_edge);
    return count;
}

/*
 * Replaces the faces that the point sees (their number is `seen`) with a new face for each edge of the rim (their
 * number is `edges`), which joins the edge to the point. New faces take the memory of the replaced faces first, then
 * that of dead faces.
 */
METHOD void cover_rim(solid *h, int point, int seen, int edges)
{
    for (int i = seen; i < edges; i++)
        if (h->dead >= 0) {
            h->seen[i] = h->dead;
            h->dead = face_of(h, h->dead)[0];
        } else {
            h->seen[i] = h->face_count++;
        }
    for (int i = 0; i < edges; i++) {
        const int from = h->rim[2 * i], to = h->rim[2 * ((i + 1) % edges)], beyond = h->rim[2 * i + 1];
        SPACE int *face = face_of(h, h->seen[i]), *outer = face_of(h, beyond);
        face[0] = from;
        face[1] = to;
        face[2] = point;
        face[3] = beyond;
        face[4] = h->seen[(i + 1) % edges];
        face[5] = h->seen[(i + edges - 1) % edges];
        face[SEEN_BY] = -1;
        outer[3 + place_in_face(outer, to)] = h->seen[i];
    }
    for (int i = edges; i < seen; i++) {
        face_of(h, h->seen[i])[0] = h->dead;
        face_of(h, h->seen[i])[SEEN_BY] = DEAD;
        h->dead = h->seen[i];
    }
    h->last = h->seen[0];
}

METHOD int store_point(solid *h, SPACE const int *xy, int z)
{
    SPACE int *point = h->points + 3 * (size_t)h->point_count;
    point[0] = xy[0];
    point[1] = xy[1];
    point[2] = z;
    return h->point_count++;
}

METHOD int are_equal(const slice_hull *s, int i, int k)
{
    return vertex_of(s, i)[0] == vertex_of(s, k)[0] && vertex_of(s, i)[1] == vertex_of(s, k)[1];
}

/* Returns whether an earlier vertex equals vertex i: both chains may have the same first or last vertex. */
METHOD int is_repeated(const slice_hull *s, int i)
{
    return i > 0 && (are_equal(s, i, i - 1) || (i == s->left + s->right - 1 && are_equal(s, i, 0)));
}

METHOD void add_polygon(solid *h, const slice_hull *s, int z)
{
    for (int i = 0; i < s->left + s->right; i++) {
        if (is_repeated(s, i))
            continue;
        const int point = store_point(h, vertex_of(s, i), z), seen = find_seen(h, point);
        if (seen > 0)
            cover_rim(h, point, seen, trace_rim(h, point));
    }
}

METHOD void set_face(solid *h, int face, int b, int c, int beyond_first, int beyond_second, int beyond_third)
{
    SPACE int *f = face_of(h, face);
    f[0] = 0;
    f[1] = b;
    f[2] = c;
    f[3] = beyond_first;
    f[4] = beyond_second;
    f[5] = beyond_third;
    f[SEEN_BY] = -1;
}

/* Begins with a polygon of at least three vertices: fans of faces on its upper and on its lower side. */
METHOD void begin_with_polygon(solid *h, const slice_hull *s, int z)
{
    for (int i = 0; i < s->left + s->right; i++)
        if (!is_repeated(s, i))
            store_point(h, vertex_of(s, i), z);
    const int fan = h->point_count - 2;
    for (int i = 0; i < fan; i++) {
        const int is_last = i == fan - 1;
        set_face(h, i, i + 2, i + 1, is_last ? fan + i : i + 1, fan + i, i == 0 ? fan : i - 1);
        set_face(h, fan + i, i + 1, i + 2, i == 0 ? 0 : fan + i - 1, i, is_last ? i : fan + i + 1);
    }
    h->face_count = 2 * fan;
}
#endif

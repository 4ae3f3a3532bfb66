/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Convex hulls of the labels of stacks, as triangles with integer vertices. Points are added level by level along z
 * and, in each level, around the convex polygon of its points. A point that lies outside the hull therefore sees a face
 * at the last vertex, and the neighbours of seen faces lead to all others (Edelsbrunner 1987, chapter 8). The lanes of
 * a work-group share the work on a hull: all of them call the same functions for the same point. The same source serves
 * devices with doubles and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "hull_chains.cl"
#include "hull_faces.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* Keeps the candidates that the point sees, at the beginning of `seen`. */
METHOD void find_first_seen(const solid *h, int point)
{
    for (int from = 0; from < h->candidate_count; from += h->lanes) {
        const int i = from + h->lane, face = i < h->candidate_count ? h->seen[i] : -1;
        const int sees = face >= 0 && volume_to(h, face, point_of(h, point)) > 0;
        MEET();
        if (sees) {
            face_of(h, face)[SEEN_BY] = point;
            h->seen[add_one(&h->counts[0])] = face;
        }
    }
    MEET();
}

METHOD void add_edge(const solid *h, int from, int to, int beyond)
{
    const int edge = add_one(&h->counts[1]);
    h->rim[3 * edge] = from;
    h->rim[3 * edge + 1] = to;
    h->rim[3 * edge + 2] = beyond;
    point_of(h, from)[3] = edge;
}

/*
 * Lists the faces that a point sees, and the edges between them and the other faces. Returns the number of seen faces.
 * Looks for the first ones among the candidates.
 */
METHOD int find_seen(const solid *h, int point)
{
    find_first_seen(h, point);
    int count = h->counts[0];
    for (int first = 0; first < count;) {
        MEET();
        for (int i = 3 * first + h->lane; i < 3 * count; i += h->lanes) {
            SPACE int *face = face_of(h, h->seen[i / 3]), *word = face_of(h, face[3 + i % 3]) + SEEN_BY;
            if (*word == point)
                continue;
            if (volume_to(h, face[3 + i % 3], point_of(h, point)) <= 0)
                add_edge(h, face[i % 3], face[(i + 1) % 3], face[3 + i % 3]);
            else if (mark_seen(word, point))
                h->seen[add_one(&h->counts[0])] = face[3 + i % 3];
        }
        MEET();
        first = count;
        count = h->counts[0];
    }
    return count;
}

/* The new face at an edge of the rim: it takes the memory of a seen face, if there is one. */
METHOD int new_face(const solid *h, int edge, int seen)
{
    return edge < seen ? h->seen[edge] : h->face_count + edge - seen;
}

/* Replaces the faces that the point sees. Each edge of the rim gets a new face, which joins the edge to the point. */
METHOD void cover_rim(solid *h, int point, int seen, int edges)
{
    for (int i = h->lane; i < edges; i += h->lanes) {
        const int from = h->rim[3 * i], to = h->rim[3 * i + 1], beyond = h->rim[3 * i + 2];
        const int face = new_face(h, i, seen), next = new_face(h, point_of(h, to)[3], seen);
        SPACE int *outer = face_of(h, beyond);
        set_face(h, face, from, to, point);
        face_of(h, face)[3] = beyond;
        face_of(h, face)[4] = next;
        face_of(h, next)[5] = face;
        outer[3 + (outer[0] == to ? 0 : outer[1] == to ? 1 : 2)] = face;
        if (i >= seen)
            h->seen[i] = face;
    }
    for (int i = edges + h->lane; i < seen; i += h->lanes)
        face_of(h, h->seen[i])[SEEN_BY] = DEAD;
    h->face_count += edges > seen ? edges - seen : 0;
    h->candidate_count = edges;
}

/* Stores a point and returns its number. */
METHOD int store_point(solid *h, SPACE const int *xy, int z)
{
    SPACE int *point = point_of(h, h->point_count);
    if (h->lane == 0) {
        point[0] = xy[0];
        point[1] = xy[1];
        point[2] = z;
        h->counts[0] = h->counts[1] = 0;
    }
    MEET();
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
            cover_rim(h, point, seen, h->counts[1]);
        MEET();
    }
}

/* Makes `count` faces from `first` on the candidates for the next point. */
METHOD void set_candidates(solid *h, int first, int count)
{
    for (int i = h->lane; i < count; i += h->lanes)
        h->seen[i] = first + i;
    h->candidate_count = count;
    MEET();
}

/*
 * Begins with a polygon of at least three vertices: fans of faces on its upper and on its lower side. Returns the
 * number of faces on each side; those on the upper side come first.
 */
METHOD int begin_with_polygon(solid *h, const slice_hull *s, int z)
{
    for (int i = 0; i < s->left + s->right; i++)
        if (!is_repeated(s, i))
            store_point(h, vertex_of(s, i), z);
    const int fan = h->point_count - 2;
    for (int i = h->lane; i < fan; i += h->lanes) {
        const int is_last = i == fan - 1;
        set_face(h, i, 0, i + 2, i + 1);
        set_neighbours(h, i, is_last ? fan + i : i + 1, fan + i, i == 0 ? fan : i - 1);
        set_face(h, fan + i, 0, i + 1, i + 2);
        set_neighbours(h, fan + i, i == 0 ? 0 : fan + i - 1, i, is_last ? i : fan + i + 1);
    }
    h->face_count = 2 * fan;
    return fan;
}
#endif

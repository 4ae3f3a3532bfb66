/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins labels that touch, with the union-find of components.cl, and shrinks labels. */

kernel void labels_alone(global uint *parent, uint largest)
{
    const uint label = get_global_id(0);
    if (label <= largest)
        parent[label] = label;
}

/* Joins two touching labels. Most pairs touch at many pixels and are already joined. */
#define JOIN_NEXT(x1, y1, z1)                                                                                          \
    if (INSIDE(labels, x1, y1, z1)) {                                                                                  \
        const uint next = LOAD_LABEL(labels, x1, y1, z1);                                                              \
        if (next > 0 && next <= largest && next != label && parent[next] != parent[label])                             \
            join(parent, label, next);                                                                                 \
    }

kernel void labels_join(INPUT(labels), volatile global uint *parent, uint largest)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint label = LOAD_LABEL(labels, x, y, z);
    if (label == 0 || label > largest)
        return;
    JOIN_NEXT(x + 1, y, z)
    JOIN_NEXT(x, y + 1, z)
    JOIN_NEXT(x, y, z + 1)
}

/* Each work-item changes only its own entry. */
kernel void labels_flatten(volatile global uint *parent, uint largest)
{
    const uint label = get_global_id(0);
    if (label > largest)
        return;
    uint root = label;
    for (uint up = parent[root]; up != root; up = parent[root])
        root = up;
    parent[label] = root;
}

inline bool is_label_edge(INPUT(labels), int x, int y, int z, uint label)
{
    return LOAD_LABEL_CLAMPED(labels, x - 1, y, z) != label || LOAD_LABEL_CLAMPED(labels, x + 1, y, z) != label ||
           LOAD_LABEL_CLAMPED(labels, x, y - 1, z) != label || LOAD_LABEL_CLAMPED(labels, x, y + 1, z) != label ||
           LOAD_LABEL_CLAMPED(labels, x, y, z - 1) != label || LOAD_LABEL_CLAMPED(labels, x, y, z + 1) != label;
}

kernel void label_edges(INPUT(labels), int keep, OUTPUT(result))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(result, x, y, z))
        return;
    const uint label = LOAD_LABEL_CLAMPED(labels, x, y, z);
    STORE_LABEL(result, x, y, z,
                label > 0 && is_label_edge(labels_pixels, labels, x, y, z, label) == (bool)keep ? label : 0);
}

#define FOUR_LABELS(x, y, z) LOAD_FOUR_LABELS(labels, x, y, z)

enum { WITHOUT_EDGES, EDGES, EDGE_MASK };

/* Writes the edges of labels, everything but the edges, or 1 at edges. Rows must be aligned to four pixels. */
kernel void edges_vec4(INPUT(labels), int what, OUTPUT(result))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint4 here = FOUR_LABELS(x, y, z);
    const uint before = x > 0 ? LOAD_LABEL(labels, x - 1, y, z) : here.x;
    const uint after = x + 4 < labels.width ? LOAD_LABEL(labels, x + 4, y, z) : 0;
    const int4 edge =
        here != (uint4)(before, here.xyz) ||
        (here != (uint4)(here.yzw, after) && FIRST_OF_FOUR(labels.width - 1 - x)) ||
        here != FOUR_LABELS(x, max(y - 1, 0), z) || here != FOUR_LABELS(x, min(y + 1, labels.height - 1), z) ||
        here != FOUR_LABELS(x, y, max(z - 1, 0)) || here != FOUR_LABELS(x, y, min(z + 1, labels.depth - 1));
    const uint4 other = what == EDGES ? 0 : here;
    const uint4 made = select(other, what == EDGES ? here : (uint4)(0), edge);
    STORE_FOUR_LABELS(result, x, y, z, what == EDGE_MASK ? as_uint4(edge & 1) : made);
}

/*
 * The smallest label of a cross or a box, background included; with `own`, the pixel's label if it is the smallest,
 * else 0.
 */
kernel void smallest_label(INPUT(labels), int box, int own, OUTPUT(result))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(result, x, y, z))
        return;
    const uint here = LOAD_LABEL_CLAMPED(labels, x, y, z);
    uint label = here;
    const int deep = labels.depth > 1;
    for (int dz = -deep; label > 0 && dz <= deep; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                if (box || abs(dx) + abs(dy) + abs(dz) <= 1)
                    label = min(label, LOAD_LABEL_CLAMPED(labels, x + dx, y + dy, z + dz));
    STORE_LABEL(result, x, y, z, own && label != here ? 0 : label);
}

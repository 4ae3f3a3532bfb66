/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the runs of labels in a work-group's tile. */
#include "statistics.cl"
#include "statistics_list.cl"

/* ---- four pixels down a column, of which `more` follow the first; the loads overlap */

#define ROW_OF(type, i) ((global const type *)pixels)[at + row * min(i, more)]
#define DOWN(type) ((JOIN(type, 4))(ROW_OF(type, 0), ROW_OF(type, 1), ROW_OF(type, 2), ROW_OF(type, 3)))

inline uint4 labels_down(global const uchar *pixels, int type, INDEX at, INDEX row, int more)
{
    switch (type) {
    case UINT8: return convert_uint4(DOWN(uchar));
    case INT8: return convert_uint4_sat(DOWN(char));
    case UINT16: return convert_uint4(DOWN(ushort));
    case INT16: return convert_uint4_sat(DOWN(short));
    case UINT32: return DOWN(uint);
    case INT32: return convert_uint4_sat(DOWN(int));
    default: return convert_uint4(clamp(DOWN(float), 0.0f, 4294967040.0f));
    }
}

/* Pixels of another image, clamped. */
inline float4 values_down(global const uchar *pixels, const layout *image, int x, int y, int z, int more_rows)
{
    const layout l = *image;
    const int line = min(y, l.height - 1), more = min(more_rows, l.height - 1 - line);
    const INDEX at = AT(l, min(x, l.width - 1), line, min(z, l.depth - 1)), row = (INDEX)l.row;
    switch (l.type) {
    case UINT8: return convert_float4(DOWN(uchar));
    case INT8: return convert_float4(DOWN(char));
    case UINT16: return convert_float4(DOWN(ushort));
    case INT16: return convert_float4(DOWN(short));
    case UINT32: return convert_float4(DOWN(uint));
    case INT32: return convert_float4(DOWN(int));
    default: return DOWN(float);
    }
}

/* Integers that sort like the pixels; exact_orders.cl converts them back. */
inline uint4 orders_down(global const uchar *pixels, const layout *image, int x, int y, int z, int more_rows)
{
    const layout l = *image;
    if (l.type == UINT32 || l.type == INT32) {
        const int line = min(y, l.height - 1), more = min(more_rows, l.height - 1 - line);
        const INDEX at = AT(l, min(x, l.width - 1), line, min(z, l.depth - 1)), row = (INDEX)l.row;
        return DOWN(uint) ^ (l.type == INT32 ? 0x80000000u : 0u);
    }
    const uint4 bits = as_uint4(values_down(pixels, image, x, y, z, more_rows));
    return select(bits | 0x80000000u, ~bits, bits);
}

/* ---- a work-group's table and a run that is added to it */

#define OPEN_TABLE(FIELDS)                                                                                             \
    volatile local uint tags[SLOTS], table[SLOTS * FIELDS];                                                            \
    const int lanes = get_local_size(0) * get_local_size(1) * get_local_size(2);                                       \
    const int lane = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);    \
    for (int i = lane; i < SLOTS * FIELDS; i += lanes)                                                                 \
        table[i] = 0;                                                                                                  \
    for (int i = lane; i < SLOTS; i += lanes)                                                                          \
        tags[i] = NOBODY;                                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);

#define END_RUN(FIELDS, collect, emit)                                                                                 \
    {                                                                                                                  \
        const int place = slot_of(tags, label);                                                                        \
        volatile local uint *slot = table + place * FIELDS;                                                            \
        if (place >= 0) {                                                                                              \
            collect                                                                                                    \
        } else {                                                                                                       \
            emit                                                                                                       \
        }                                                                                                              \
    }

#define CLOSE_TABLE(FIELDS, emit)                                                                                      \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    for (int i = lane; i < SLOTS; i += lanes) {                                                                        \
        const uint label = tags[i];                                                                                    \
        if (label == NOBODY)                                                                                           \
            continue;                                                                                                  \
        uint run[FIELDS];                                                                                              \
        for (int field = 0; field < FIELDS; field++)                                                                   \
            run[field] = table[i * FIELDS + field];                                                                    \
        emit                                                                                                           \
    }

/*
 * Walks all runs of a work-group's tile. Each kernel declares its own sums (`declare`). `read` loads four pixels as
 * `value` or `order`, `begin` starts a label, `add` adds a pixel, and `end` ends the label and fills `run`. `collect`
 * adds the run to the table. `emit` adds the table to the rows at the end, or a run if the table is full. Runs come
 * from a list if the list could hold all of them.
 */
#define EACH_RUN(FIELDS, declare, read, begin, add, end, collect, emit)                                                \
    OPEN_TABLE(FIELDS)                                                                                                 \
    if ((int)*count <= capacity) {                                                                                     \
        WALK_LIST(FIELDS, declare, read, begin, add, end, collect, emit)                                               \
    } else {                                                                                                           \
        WALK_DOWN(FIELDS, declare, read, begin, add, end, collect, emit)                                               \
    }                                                                                                                  \
    CLOSE_TABLE(FIELDS, emit)

#define WALK_DOWN(FIELDS, declare, read, begin, add, end, collect, emit)                                               \
    const int x = (int)get_global_id(0), top = (int)get_global_id(1) * rows, z = (int)get_global_id(2);                \
    const int bottom = x < labels.width && z < labels.depth ? min(top + rows, labels.height) : top;                    \
    uint run[FIELDS], label = NOBODY;                                                                                  \
    int start = top;                                                                                                   \
    declare                                                                                                            \
    for (int four = top; four <= bottom; four += 4) {                                                                  \
        uint4 next = NOBODY;                                                                                           \
        float4 value = 0.0f;                                                                                           \
        uint4 order = 0;                                                                                               \
        if (four < bottom) {                                                                                           \
            const int more = bottom - 1 - four;                                                                        \
            next = labels_down(labels_pixels, labels.type, AT(labels, x, four, z), (INDEX)labels.row, more) - first;   \
            next = select(next, (uint4)(NOBODY), next > (uint4)(last - first) || (int4)(0, 1, 2, 3) > (int4)(more));   \
            if (any(next != NOBODY)) {                                                                                 \
                read                                                                                                   \
            }                                                                                                          \
        }                                                                                                              \
        if (label == NOBODY && all(next == NOBODY))                                                                    \
            continue;                                                                                                  \
        for (int y = four; y < four + 4; y++, next = next.s1230, value = value.s1230, order = order.s1230) {           \
            if (next.x != label) {                                                                                     \
                if (label != NOBODY) {                                                                                 \
                    end                                                                                                \
                    END_RUN(FIELDS, collect, emit)                                                                     \
                }                                                                                                      \
                label = next.x;                                                                                        \
                start = y;                                                                                             \
                if (label != NOBODY) {                                                                                 \
                    begin                                                                                              \
                }                                                                                                      \
            }                                                                                                          \
            if (label != NOBODY) {                                                                                     \
                add                                                                                                    \
            }                                                                                                          \
        }                                                                                                              \
    }

/* Numbers of work-groups computed from positions, because the grid may be launched in parts. */
#define GROUPS(axis, items) (((uint)(items) + (uint)get_local_size(axis) - 1) / (uint)get_local_size(axis))
#define GROUP_NUMBER(axis) ((uint)get_global_id(axis) / (uint)get_local_size(axis))

#define WALK_LIST(FIELDS, declare, read, begin, add, end, collect, emit)                                               \
    const uint columns = GROUPS(0, labels.width), lines = GROUPS(1, (labels.height + rows - 1) / rows), layers =       \
        GROUPS(2, labels.depth);                                                                                       \
    const uint group = (GROUP_NUMBER(2) * lines + GROUP_NUMBER(1)) * columns + GROUP_NUMBER(0), listed = *count;       \
    const uint share = (listed / (columns * lines * layers) / lanes + 1) * lanes, from = min(group * share, listed);   \
    for (uint i = from + lane; i < min(from + share, listed); i += lanes) {                                            \
        const uint4 found = list[i];                                                                                   \
        const uint label = found.x;                                                                                    \
        const int x = (int)found.y, start = (int)found.z, z = (int)(found.w / LONGEST_RUN), bottom = start + 1 +       \
            found.w % LONGEST_RUN;                                                                                     \
        uint run[FIELDS];                                                                                              \
        declare                                                                                                        \
        begin                                                                                                          \
        for (int four = start; four < bottom; four += 4) {                                                             \
            const int more = bottom - 1 - four;                                                                        \
            float4 value = 0.0f;                                                                                       \
            uint4 order = 0;                                                                                           \
            read                                                                                                       \
            for (int y = four; y <= four + min(more, 3); y++, value = value.s1230, order = order.s1230) {              \
                add                                                                                                    \
            }                                                                                                          \
        }                                                                                                              \
        const int y = bottom;                                                                                          \
        end                                                                                                            \
        END_RUN(FIELDS, collect, emit)                                                                                 \
    }

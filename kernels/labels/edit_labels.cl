/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps, removes or merges labels that a list of ranges names. */

enum { EDIT_KEEP, EDIT_REMOVE, EDIT_MERGE };

/* Sets numbers[label] to the new number of each label. Merged labels get the number `merged`. */
kernel void number_edited(TABLE(ranges), int count, int edit, uint merged, uint largest, global uint *numbers)
{
    constant uint2 *range = TABLE_OF(uint2, ranges);
    const ulong label = get_global_id(0);
    if (label > largest)
        return;
    bool is_named = false;
    for (int i = 0; i < count; i++)
        is_named |= label >= range[i].x && label <= range[i].y;
    uint number = (uint)label;
    if (edit == EDIT_MERGE)
        number = is_named && label ? merged : number;
    else if (is_named == (edit == EDIT_REMOVE))
        number = 0;
    numbers[label] = number;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs.h"

#include "error.h"

drua_status inputs_read(block_source *source, block_memory *memory, const graph *g, int64_t channel, int64_t frame,
                        const block_boxes *b, block_inputs *in)
{
    *in = (block_inputs){.pixels = {NULL}};
    for (int i = 0; i < graph_inputs(g); i++) {
        const int value = graph_input(g, i);
        const drua_box *box = &b->have[value];
        const drua_type type = g->values[value].image->type;
        const size_t bytes = (size_t)drua_box_pixels(box) * drua_type_size(type);
        if (!b->used[value])
            continue;
        in->pixels[i] = block_memory_take(memory, bytes);
        if (!in->pixels[i])
            return drua_fail_memory(bytes);
        const graph_made *made = i ? &g->made[i - 1] : NULL;
        DRUA_TRY(!made          ? source_read(source, channel, frame, box, in->pixels[i])
                 : made->labels ? label_map_read(made->labels, memory, box, type, in->pixels[i])
                                : stored_image_read(made->image, box, in->pixels[i]));
    }
    return DRUA_OK;
}

void inputs_free(block_inputs *in)
{
    for (int i = 0; i < GRAPH_INPUTS; i++)
        block_memory_give(in->pixels[i]);
    *in = (block_inputs){.pixels = {NULL}};
}

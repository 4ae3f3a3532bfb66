/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs.h"

#include "error.h"

/* Reads a box of an image. An image with one channel or one frame serves all channels or frames. */
static drua_status read_image(const block_sources *sources, const graph_place *place, int64_t channel, int64_t frame,
                              const drua_box *box, void *pixels)
{
    block_source *source = sources->image[place->image];
    const drua_zarr_metadata *f = source_metadata(source);
    channel = place->channel >= 0 ? place->channel : f->channels == 1 ? 0 : channel;
    return source_read(source, channel, f->frames == 1 ? 0 : frame, box, pixels);
}

drua_status inputs_read(const block_sources *sources, block_memory *memory, const graph *g, int64_t channel,
                        int64_t frame, const block_boxes *b, block_inputs *in)
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
        DRUA_TRY(made && made->labels ? label_map_read(made->labels, memory, box, type, in->pixels[i])
                 : made && made->image
                     ? stored_image_read(made->image, box, in->pixels[i])
                     : read_image(sources, made ? &made->place : &g->place, channel, frame, box, in->pixels[i]));
    }
    return DRUA_OK;
}

void inputs_free(block_inputs *in)
{
    for (int i = 0; i < GRAPH_INPUTS; i++)
        block_memory_give(in->pixels[i]);
    *in = (block_inputs){.pixels = {NULL}};
}

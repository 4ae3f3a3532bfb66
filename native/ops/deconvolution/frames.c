/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Channels and frames of a hyperstack, each deconvolved as an image of its own. Where one fits the call's device, the devices share them; else
 * one comes after the other, and the devices share its blocks.
 */
#include "blocks.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* An image on the host. */
typedef struct host_image {
    const char *pixels;
    drua_layout layout;
    size_t pixel; /* bytes */
} host_image;

/* Dense copies of what a frame is made of. */
typedef struct copies {
    void *source, *psf;
} copies;

typedef struct frames {
    rl_options options;
    int64_t channels, count; /* count: channels times frames */
    drua_shape shape, psf_shape; /* of one */
    drua_type type, psf_type;
    bool has_psfs; /* one for each channel */
    const char *own; /* the address of the call's device */
    host_image source, psf;
    float *restored; /* all of the result */
    atomic_llong done;
} frames;

/* ---- images from the host */

typedef struct sent {
    const void *pixels; /* dense */
    drua_shape shape;
} sent;

static void shape_of_sent(drua_plan *p, drua_shape *shape)
{
    *shape = ((const sent *)plan_state(p))->shape;
}

static void send(drua_plan *p)
{
    const sent *s = plan_state(p);
    const drua_type type = plan_type(p, "destination");
    const size_t plane = (size_t)(s->shape.width * s->shape.height) * drua_type_size(type);
    for (drua_tiles t = {.output = "destination", .axis = 2, .separate = true}; plan_next_tile(p, &t);) {
        const drua_box *box = &t.at.wanted;
        const drua_view dense = plan_scratch(p, (drua_shape){s->shape.width, s->shape.height, box->end[2] - box->first[2], 3}, type);
        plan_write(p, dense, (const char *)s->pixels + (size_t)box->first[2] * plane);
        plan_copy(p, dense, t.to, 0, 0, 0);
        plan_drop(p, dense);
    }
}

static const drua_op sending = {
    DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "the image", .shape = shape_of_sent, .by_slices = true)),
    .numeric = DRUA_EXACT,
    .plan = send,
};

static drua_operand send_image(drua_plan *p, const void *pixels, drua_shape shape, drua_type type)
{
    sent s = {pixels, shape};
    return plan_call_private(p, &sending, &s, type, NULL, 0);
}

static host_image on_host(drua_plan *p, const char *name)
{
    const drua_view view = plan_operand_image(p, plan_operand(p, name));
    return (host_image){plan_host_pixels(p, view), view.layout, drua_type_size((drua_type)view.layout.type)};
}

/* A row, whose pixels are further apart or in another order in an image that was turned or mirrored. */
static void gather_row(const char *from, int64_t column, size_t pixel, int64_t width, char *to)
{
    if (column == 1) {
        memcpy(to, from, (size_t)width * pixel);
        return;
    }
    for (int64_t x = 0; x < width; x++)
        memcpy(to + x * (int64_t)pixel, from + x * column * (int64_t)pixel, pixel);
}

/* Slices that are `step` apart, one behind the other. */
static void gather(const host_image *from, int64_t first, int64_t step, drua_shape shape, void *to)
{
    const int64_t pixel = (int64_t)from->pixel;
    char *at = to;
    for (int64_t z = 0; z < shape.depth; z++)
        for (int64_t y = 0; y < shape.height; y++, at += shape.width * pixel)
            gather_row(from->pixels + ((first + z * step) * from->layout.plane + y * from->layout.row) * pixel, from->layout.column, from->pixel, shape.width, at);
}

static size_t bytes_of(drua_shape s, drua_type type)
{
    return (size_t)(s.width * s.height * s.depth) * drua_type_size(type);
}

static copies make_copies(drua_plan *p, const frames *f)
{
    return (copies){plan_host(p, bytes_of(f->shape, f->type)), plan_host(p, bytes_of(f->psf_shape, f->psf_type))};
}

/* ---- one frame */

static void run_one(drua_plan *p)
{
    rl_run(p, plan_state(p), NULL);
}

static void run_one_large(drua_plan *p)
{
    rl_run_large(p, plan_state(p), NULL);
}

#define ONE_PARAMS                                                                                                                                   \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "blurred image"), DRUA_IMAGE_IN("psf", "point spread function"),                                             \
                DRUA_IMAGE_OUT("destination", "restored image", .type = DRUA_FLOAT32))

static const drua_op one = {ONE_PARAMS, .numeric = DRUA_APPROXIMATE, .traits = DRUA_WHOLE, .plan = run_one, .large = run_one_large};

/* For devices that help: what has no memory for it all at once gives it back, as blocks have other bits. */
static const drua_op one_at_once = {ONE_PARAMS, .numeric = DRUA_APPROXIMATE, .traits = DRUA_WHOLE, .plan = run_one};

/* The slices of a channel are as far apart as there are channels. */
static int64_t first_slice(const frames *f, int64_t number)
{
    return number / f->channels * f->shape.depth * f->channels + number % f->channels;
}

static void keep_restored(drua_plan *p, frames *f, int64_t number, drua_operand restored)
{
    const drua_view view = plan_operand_image(p, restored);
    const char *pixels = plan_host_pixels(p, view);
    const drua_shape s = f->shape;
    for (int64_t z = 0; pixels && z < s.depth; z++)
        for (int64_t y = 0; y < s.height; y++)
            memcpy(f->restored + ((first_slice(f, number) + z * f->channels) * s.height + y) * s.width,
                   pixels + (z * view.layout.plane + y * view.layout.row) * (int64_t)sizeof(float), (size_t)s.width * sizeof(float));
}

static void restore(drua_plan *p, frames *f, rl_options *options, copies to, int64_t number)
{
    char where[64];
    if (plan_failed(p))
        return;
    gather(&f->source, first_slice(f, number), f->channels, f->shape, to.source);
    gather(&f->psf, f->has_psfs ? number % f->channels * f->psf_shape.depth : 0, 1, f->psf_shape, to.psf);
    const drua_operand images[] = {send_image(p, to.source, f->shape, f->type), send_image(p, to.psf, f->psf_shape, f->psf_type)};
    const bool helps = strcmp(plan_device(p)->address, f->own) != 0;
    const drua_operand restored = plan_call_private(p, helps ? &one_at_once : &one, options, DRUA_FLOAT32, images, 2);
    keep_restored(p, f, number, restored);
    snprintf(where, sizeof where, "channel %lld, frame %lld", (long long)(number % f->channels + 1), (long long)(number / f->channels + 1));
    if (f->count > 1)
        plan_locate_failure(p, where);
    plan_forget(p, images[0]);
    plan_forget(p, images[1]);
    plan_forget(p, restored);
    atomic_fetch_add(&f->done, !plan_failed(p));
}

/* ---- all of them */

static void do_piece(drua_plan *p)
{
    const drua_piece *piece = plan_state(p);
    frames *f = piece->spread->payload;
    rl_options by_itself = f->options;
    *by_itself.devices = 0;
    restore(p, f, &by_itself, make_copies(p, f), piece->number);
}

static const drua_op piece = {.name = "deconvolve_frames", .numeric = DRUA_APPROXIMATE, .build = do_piece};

static double progress(const drua_spread *spread)
{
    const frames *f = spread->payload;
    return (double)atomic_load(&f->done) / (double)f->count;
}

static bool fits(drua_plan *p, const frames *f, drua_shape box)
{
    const uint64_t each = plan_fft_bytes(box), images = bytes_of(f->shape, f->type) + bytes_of(f->shape, DRUA_FLOAT32) + bytes_of(f->psf_shape, f->psf_type);
    return each <= plan_device(p)->largest_allocation && each * (uint64_t)rl_boxes(&f->options, false) + images <= plan_memory_left(p);
}

/* Transforms are chosen on the call's own device, for all that share frames. */
static void restore_all(drua_plan *p, frames *f)
{
    drua_shape psf = f->psf_shape;
    psf.depth = f->options.slices ? 1 : psf.depth;
    const drua_shape box = rl_box_of_block(f->shape, psf, &f->options, 0).shape;
    if (fits(p, f, box)) {
        drua_spread spread = {.devices = *f->options.devices ? f->options.devices : f->own,
                              .op = &piece,
                              .payload = f,
                              .progress = progress,
                              .all = {.end = {f->count, 1, 1}},
                              .step = {1, 1, 1},
                              .room = f->count + 1}; /* there is room for all of the result */
        plan_fft_prepare(p, box, true);
        plan_spread(p, &spread, 0);
        return;
    }
    const copies to = make_copies(p, f);
    for (int64_t number = 0; number < f->count && !plan_failed(p); number++)
        restore(p, f, &f->options, to, number);
}

/* Of `depth` slices how many each of so many parts has. */
static int64_t share(drua_plan *p, const char *image, int64_t depth, int64_t parts, const char *what)
{
    if (!plan_failed(p) && depth % parts)
        plan_fail(p, "%s has %lld slices, which are not the same number for each of %lld %s; give other numbers of these, or crop it", image, (long long)depth,
                  (long long)parts, what);
    return depth % parts ? 1 : depth / parts;
}

static void build(drua_plan *p)
{
    const drua_shape all = plan_shape(p, "source");
    const int64_t psfs = plan_integer(p, "psfs");
    frames f = {.options = rl_read_options(p), .channels = plan_integer(p, "channels"), .shape = all, .psf_shape = plan_shape(p, "psf"), .has_psfs = psfs > 1};
    f.count = f.channels * plan_integer(p, "frames");
    if (!plan_failed(p) && psfs > 1 && psfs != f.channels)
        plan_fail(p, "psfs must be 1 or the number of channels, %lld, got %lld", (long long)f.channels, (long long)psfs);
    if (f.options.keep_partial)
        plan_fail(p, "options cannot have keep_partial, as several frames may be begun; leave it out");
    f.shape.depth = share(p, "source", all.depth, f.count, "channels and frames");
    f.psf_shape.depth = share(p, "psf", f.psf_shape.depth, psfs, "point spread functions");
    f.options.every = f.options.stop > 0 ? f.options.every : 0;
    f.own = plan_device(p)->address;
    f.type = plan_type(p, "source");
    f.psf_type = plan_type(p, "psf");
    f.source = on_host(p, "source");
    f.psf = on_host(p, "psf");
    f.restored = plan_host(p, bytes_of(all, DRUA_FLOAT32));
    if (!plan_failed(p))
        restore_all(p, &f);
    plan_return(p, "destination", send_image(p, f.restored, all, DRUA_FLOAT32));
}

#define MANY DRUA_RANGE(1, 1000000), .preset = 1

const drua_op drua_op_deconvolve_frames = {
    .name = "deconvolve_frames",
    .category = "deconvolution",
    .summary = "Undoes the blur of every channel and frame of a hyperstack, each by itself; devices of the computer share them.",
    .source = "as deconvolve",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "blurred images, their slices in ImageJ's order: channels, slices, frames"),
                DRUA_IMAGE_IN("psf", "point spread function, or those of the channels, one behind the other along z"),
                DRUA_IMAGE_OUT("destination", "restored images in the same order", .type = DRUA_FLOAT32, .by_slices = true),
                DRUA_INTEGER("channels", "number of channels", MANY), DRUA_INTEGER("frames", "number of frames", MANY),
                DRUA_INTEGER("psfs", "point spread functions in psf: 1, or as many as there are channels", MANY), RL_OPTIONS),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .build = build,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deconvolves each channel and frame of a hyperstack as a separate image. If a frame fits the call's device, the
 * devices share the frames. Otherwise the frames run one after another, and the devices share the blocks of each.
 * Images pass through the host if other devices need them, or if the call's own device has no room for all of them.
 */
#include "blocks.h"
#include "plan_devices.h"
#include "plan_fft.h"
#include "frame_slices.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Host memory for the inputs of one frame, if the stacks are on the host. */
typedef struct copies {
    void *source, *psf;
} copies;

typedef struct frames {
    rl_options options;
    int64_t channels, count; /* count: channels times frames */
    drua_shape shape, psf_shape; /* of one frame */
    drua_type type, psf_type;
    bool has_psfs; /* the psf stack holds one psf for each channel */
    bool on_device;
    const char *own; /* address of the call's device */
    rl_stack source, psf, restored;
    atomic_llong done;
} frames;

static copies make_copies(drua_plan *p, const frames *f)
{
    if (f->on_device)
        return (copies){NULL, NULL};
    return (copies){plan_host_memory(p, rl_bytes_of(f->shape, f->type)),
                    plan_host_memory(p, rl_bytes_of(f->psf_shape, f->psf_type))};
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

#define ONE_PARAMS                                                                                                     \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "blurred image"), DRUA_IMAGE_IN("psf", "point spread function"),               \
                DRUA_IMAGE_OUT("destination", "restored image", .type = DRUA_FLOAT32))

static const drua_op one = {ONE_PARAMS, .numeric = DRUA_APPROXIMATE, .traits = DRUA_WHOLE, .launch = run_one,
                            .build_large = run_one_large};

/*
 * Helper devices run this operation. If a frame does not fit a helper device, the operation fails there and the call's
 * device processes the frame: deconvolution in blocks would give slightly different results.
 */
static const drua_op one_at_once = {ONE_PARAMS, .numeric = DRUA_APPROXIMATE, .traits = DRUA_WHOLE, .launch = run_one};

/* In ImageJ's order, successive slices of one channel are `channels` slices apart. */
static rl_slices slices_of(const frames *f, int64_t number)
{
    return (rl_slices){number / f->channels * f->shape.depth * f->channels + number % f->channels, f->channels,
                       f->shape};
}

static rl_slices slices_of_psf(const frames *f, int64_t number)
{
    return (rl_slices){f->has_psfs ? number % f->channels * f->psf_shape.depth : 0, 1, f->psf_shape};
}

static void restore_frame(drua_plan *p, frames *f, rl_options *options, copies to, int64_t number)
{
    char where[64];
    if (plan_failed(p))
        return;
    const drua_operand images[] = {rl_take_slices(p, &f->source, slices_of(f, number), to.source),
                                   rl_take_slices(p, &f->psf, slices_of_psf(f, number), to.psf)};
    const bool helps = strcmp(plan_device(p)->address, f->own) != 0;
    const drua_operand restored = plan_call_private(p, helps ? &one_at_once : &one, options, DRUA_FLOAT32, images, 2);
    rl_put_slices(p, &f->restored, slices_of(f, number), restored);
    snprintf(where, sizeof where, "channel %lld, frame %lld", (long long)(number % f->channels + 1),
             (long long)(number / f->channels + 1));
    if (f->count > 1)
        plan_locate_failure(p, where);
    plan_release_image(p, images[0]);
    plan_release_image(p, images[1]);
    plan_release_image(p, restored);
    atomic_fetch_add(&f->done, !plan_failed(p));
}

/* ---- all frames */

static void do_piece(drua_plan *p)
{
    const drua_piece *piece = plan_state(p);
    frames *f = piece->spread->payload;
    rl_options by_itself = f->options;
    *by_itself.devices = 0;
    restore_frame(p, f, &by_itself, make_copies(p, f), piece->number);
}

static const drua_op piece = {.name = "deconvolve_frames", .numeric = DRUA_APPROXIMATE, .build = do_piece};

static double frames_progress(const drua_spread *spread)
{
    const frames *f = spread->payload;
    return (double)atomic_load(&f->done) / (double)f->count;
}

/* Returns whether the call's device has room for a frame and `beside` more bytes. */
static bool frame_fits(drua_plan *p, const frames *f, drua_shape box, uint64_t beside)
{
    const uint64_t each = plan_fft_bytes(box), images = rl_bytes_of(f->shape, f->type) +
                                                        rl_bytes_of(f->shape, DRUA_FLOAT32) +
                                                        rl_bytes_of(f->psf_shape, f->psf_type);
    return each <= plan_device(p)->largest_allocation &&
           each * (uint64_t)rl_boxes(&f->options, false) + images + beside <= plan_memory_left(p);
}

/*
 * Whether all frames stay on the call's device: no other device takes part, and the device has room for all images and
 * the work on one frame.
 */
static bool stays_on_device(drua_plan *p, const frames *f, drua_shape box, drua_shape all, drua_shape psfs)
{
    const uint64_t restored = rl_bytes_of(all, DRUA_FLOAT32);
    return restored <= plan_device(p)->largest_allocation &&
           frame_fits(p, f, box, rl_bytes_of(all, f->type) + rl_bytes_of(psfs, f->psf_type) + restored) &&
           plan_serves_alone(p, f->options.devices);
}

/* The call's own device chooses the Fourier transforms for all devices that share the frames. */
static void restore_all(drua_plan *p, frames *f, drua_shape box)
{
    if (frame_fits(p, f, box, 0)) {
        drua_spread spread = {.devices = f->on_device || !*f->options.devices ? f->own : f->options.devices,
                              .op = &piece,
                              .payload = f,
                              .progress = frames_progress,
                              .all = {.end = {f->count, 1, 1}},
                              .step = {1, 1, 1},
                              .room = f->count + 1}; /* there is room for the whole result */
        plan_fft_prepare(p, box, true);
        plan_spread(p, &spread, 0);
        return;
    }
    const copies to = make_copies(p, f);
    for (int64_t number = 0; number < f->count && !plan_failed(p); number++)
        restore_frame(p, f, &f->options, to, number);
}

static drua_shape box_of(const frames *f)
{
    drua_shape psf = f->psf_shape;
    psf.depth = f->options.slices ? 1 : psf.depth;
    return rl_box_of_block(f->shape, psf, &f->options, 0).shape;
}

/*
 * Number of slices in each of `parts` equal parts of a stack. Fails the call if `depth` is not a multiple of `parts`.
 */
static int64_t slices_of_part(drua_plan *p, const char *image, int64_t depth, int64_t parts, const char *what)
{
    if (!plan_failed(p) && depth % parts)
        plan_fail(
            p,
            "%s has %lld slices, which cannot be divided equally among %lld %s; use other numbers, or crop the stack",
            image, (long long)depth, (long long)parts, what);
    return depth % parts ? 1 : depth / parts;
}

static void build_deconvolve_frames(drua_plan *p)
{
    const drua_shape all = plan_shape(p, "source"), all_psfs = plan_shape(p, "psf");
    const int64_t psfs = plan_integer(p, "psfs");
    frames f = {.options = rl_read_options(p),
                .channels = plan_integer(p, "channels"),
                .shape = all,
                .psf_shape = all_psfs,
                .has_psfs = psfs > 1};
    f.count = f.channels * plan_integer(p, "frames");
    if (!plan_failed(p) && psfs > 1 && psfs != f.channels)
        plan_fail(p, "psfs must be 1 or the number of channels, %lld, got %lld", (long long)f.channels,
                  (long long)psfs);
    if (f.options.keep_partial)
        plan_fail(
            p,
            "options cannot have keep_partial, because several frames may be unfinished at the same time; remove it");
    f.shape.depth = slices_of_part(p, "source", all.depth, f.count, "channels and frames");
    f.psf_shape.depth = slices_of_part(p, "psf", f.psf_shape.depth, psfs, "point spread functions");
    f.options.every = f.options.stop > 0 ? f.options.every : 0;
    f.own = plan_device(p)->address;
    f.type = plan_type(p, "source");
    f.psf_type = plan_type(p, "psf");
    if (plan_failed(p))
        return;
    const drua_shape box = box_of(&f);
    f.on_device = stays_on_device(p, &f, box, all, all_psfs);
    f.source = rl_given_stack(p, "source", f.on_device);
    f.psf = rl_given_stack(p, "psf", f.on_device);
    f.restored = rl_new_stack(p, all, f.on_device);
    if (!plan_failed(p))
        restore_all(p, &f, box);
    plan_return(p, "destination", rl_made_stack(p, &f.restored, all));
}

#define MANY DRUA_RANGE(1, 1000000), .default_value = 1

DRUA_OP(deconvolve_frames) = {
    .name = "deconvolve_frames",
    .category = "deconvolution",
    .summary = "Undoes the blur of every channel and frame of a hyperstack separately; devices of the computer share "
               "the work.",
    .source = "as deconvolve",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "blurred images, their slices in ImageJ's order: channels, slices, frames"),
                DRUA_IMAGE_IN("psf", "point spread function, or one for each channel, one after the other along z"),
                DRUA_IMAGE_OUT("destination", "restored images in the same order", .type = DRUA_FLOAT32,
                               .by_tiles = true),
                DRUA_INTEGER("channels", "number of channels", MANY), DRUA_INTEGER("frames", "number of frames", MANY),
                DRUA_INTEGER("psfs", "point spread functions in psf: 1, or as many as there are channels", MANY),
                RL_OPTIONS),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .build = build_deconvolve_frames,
};

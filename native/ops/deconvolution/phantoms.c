/* SPDX-License-Identifier: BSD-3-Clause */
/* Test images for deconvolution, with known objects and known noise. */
#include "plan.h"

static void shape_of_phantom(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "width"), plan_integer(p, "height"), plan_integer(p, "depth"), 3};
}

#define EXTENT(name, default_)                                                                                         \
    DRUA_INTEGER(name, name " of the image", .unit = "pixel", DRUA_RANGE(1, 2147483647), .default_value = default_)

static void launch_phantom(drua_plan *p)
{
    const double radius = plan_number(p, "radius");
    const int64_t depth = plan_shape(p, "destination").depth;
    int64_t pitch = plan_integer(p, "pitch");
    if ((double)pitch < 2 * radius + 1)
        plan_fail(p, "pitch must be at least the width of a bead, 2 radius + 1 = %g, got %lld", 2 * radius + 1,
                  (long long)pitch);
    for (drua_tiles t = {.output = "destination"}; plan_next_tile(p, &t);)
        LAUNCH(p, "phantom_draw", plan_tile_grid(plan_grid(t.to.layout), &t), ARG(t.to), INT(plan_choice(p, "kind")),
               REAL(plan_number(p, "brightness")), REAL(radius), INT(pitch), INT(plan_integer(p, "seed")), INT(depth));
}

DRUA_OP(phantom) = {
    .name = "phantom",
    .category = "deconvolution",
    .summary = "Draws a known object to test a deconvolution: hollow bars that extend beyond the view, or beads.",
    .source = "pixels inside bars or beads have the value brightness, all others 0",
    DRUA_PARAMS(
        DRUA_IMAGE_OUT("destination", "the object", .shape = shape_of_phantom, .type = DRUA_FLOAT32, .by_tiles = true),
        DRUA_CHOICE("kind", "object to draw", .default_text = "bars", DRUA_CHOICES("bars", "beads")),
        EXTENT("width", 128), EXTENT("height", 128), EXTENT("depth", 64),
        DRUA_NUMBER("brightness", "value of a pixel of the object", .default_value = 100),
        DRUA_NUMBER("radius", "radius of a bead", .unit = "pixel", DRUA_RANGE(0, 1000), .default_value = 3),
        DRUA_INTEGER("pitch", "distance between beads", .unit = "pixel", DRUA_RANGE(1, 10000), .default_value = 24),
        DRUA_INTEGER("seed", "seed of the random positions of beads; another number gives other positions",
                     DRUA_RANGE(0, 2147483647), .default_value = 1)),
    .numeric = DRUA_DEVICE,
    .launch = launch_phantom,
};

static void add_noise(drua_plan *p)
{
    drua_view out = plan_image(p, "destination");
    int64_t at[3];
    const drua_shape whole = plan_whole_shape(p, "destination", at);
    LAUNCH(p, "camera_noise", plan_grid(out.layout), ARG(plan_image(p, "source")), ARG(out),
           REAL(plan_number(p, "photons")), REAL(plan_number(p, "read_noise")), INT(plan_integer(p, "seed")),
           LONG(at[0] + whole.width * (at[1] + whole.height * at[2])), INT(whole.width), INT(whole.height));
}

DRUA_OP(camera_noise) = {
    .name = "camera_noise",
    .category = "deconvolution",
    .summary = "Adds the noise of a camera: photon noise and the noise of the electronics.",
    .source = "Poisson numbers with the mean photons x value; above a mean of 40, normal numbers; the same seed gives "
              "the same noise",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image without noise"),
                DRUA_IMAGE_OUT("destination", "noisy image", .type = DRUA_FLOAT32),
                DRUA_NUMBER("photons", "photons that make a pixel brighter by 1; 0: no photon noise",
                            DRUA_RANGE(0, 1e6), .default_value = 1),
                DRUA_NUMBER("read_noise", "standard deviation of the noise of the electronics", DRUA_RANGE(0, 1e6),
                            .default_value = 0),
                DRUA_INTEGER("seed", "seed of the random numbers; another number gives other noise",
                             DRUA_RANGE(0, 2147483647), .default_value = 1)),
    .numeric = DRUA_DEVICE,
    .launch = add_noise,
    .parts = plan_parts_pixels,
};

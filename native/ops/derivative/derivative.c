/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradients, Sobel and Laplace. */
#include "../window/window.h"

#include <stdio.h>

/* Returns a grid with one work-item for each vector of a row in each group of `slices` slices. */
static drua_grid grid_of_vectors(drua_plan *p, drua_layout l, int slices)
{
    const int lanes = plan_lanes(p);
    return GRID((l.width + lanes - 1) / lanes, l.height, (l.depth + slices - 1) / slices, 32, 4, 1);
}

static void along_x(drua_plan *p)
{
    drua_view to = plan_image(p, "destination");
    LAUNCH(p, "gradient_across", grid_of_vectors(p, to.layout, 1), ARG(plan_image(p, "source")), ARG(to));
}

static void launch_gradient(drua_plan *p, int dy, int dz)
{
    drua_view to = plan_image(p, "destination");
    LAUNCH(p, "gradient_along", grid_of_vectors(p, to.layout, 1), ARG(plan_image(p, "source")), ARG(to), INT(dy),
           INT(dz));
}

static void along_y(drua_plan *p)
{
    launch_gradient(p, 1, 0);
}
static void along_z(drua_plan *p)
{
    launch_gradient(p, 0, 1);
}

/*
 * Launches a kernel whose work-items each process several slices. Long runs read fewer planes twice; short runs spread
 * shallow stacks over more work-items.
 */
static void launch_march(drua_plan *p, const char *kernel, bool flat)
{
    enum { LONG = 32, SHORT = 16, DEEP = 256 };
    drua_view to = plan_image(p, "destination");
    const int run = to.layout.depth >= DEEP ? LONG : SHORT;
    LAUNCH(p, kernel, grid_of_vectors(p, to.layout, run), ARG(plan_image(p, "source")), ARG(to), INT(flat), INT(run));
}

static bool is_flat(drua_plan *p)
{
    return plan_shape(p, "source").dimension == 2;
}

/* Writes the gradient's length or its square. The GPU kernel is compiled for the images' types. */
static void gradient_length(drua_plan *p, const char *kernel, bool length)
{
    enum { PIXELS = 4, ROWS = 2, LONG = 128, SHORT = 32 };     /* as in kernels/specialized/derivative/sobel.cl */
    const bool flat = is_flat(p) || plan_flag(p, "slice_by_slice");
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = to.layout;
    const int32_t slices = l.depth < 2 * LONG ? SHORT : LONG;
    char constants[120];
    snprintf(constants, sizeof constants, "FROM=%s SMALL=%d TO=%s TO_TYPE=%d ALIGNED=%d WHOLE=%d FLAT=%d LENGTH=%d",
             window_element(from), drua_type_size(from.layout.type) < 4, window_element(to), (int)l.type,
             window_in_vectors(from.layout, l, PIXELS), l.width % PIXELS == 0, flat, length);
    const drua_grid grid =
        GRID((l.width + PIXELS - 1) / PIXELS, (l.height + ROWS - 1) / ROWS, (l.depth + slices - 1) / slices, 32, 4, 1);
    const drua_specialized rows = {.kernel = "sobel_rows", .constants = constants};
    if (!LAUNCH_SPECIALIZED(p, &rows, grid, ARG(from), ARG(to), INT(slices)))
        launch_march(p, kernel, flat);
}

static void plan_sobel(drua_plan *p)
{
    gradient_length(p, "sobel_magnitude", true);
}
static void plan_tenengrad(drua_plan *p)
{
    gradient_length(p, "sobel_energy", false);
}
static void laplace_box(drua_plan *p)
{
    launch_march(p, "laplace_box", is_flat(p));
}

static void laplace_diamond(drua_plan *p)
{
    launch_march(p, "laplace_diamond", is_flat(p));
}

#define IMAGES(type_)                                                                                                  \
    DRUA_IMAGE_IN("source", "image to filter"), DRUA_IMAGE_OUT("destination", "filtered image", .type = type_)
#define BY_SLICE DRUA_BOOLEAN("slice_by_slice", "treat every slice of a stack separately", .default_value = 0)
#define WHOLE_OR_SLICES(name)                                                                                          \
    "CLIJ2/CLIJx " name ": source, &destination, slice_by_slice=0",                                                    \
        "CLIJ2/CLIJx " name "SliceBySlice: source, &destination, slice_by_slice=1"

#define DERIVATIVE(name_, function, numeric_, traits_, summary_, source_, params_, ...)                                \
    {                                                                                                                  \
        .name = #name_, .category = "filter", .summary = summary_, .source = source_, .numeric = numeric_,             \
        .traits = traits_, .launch = function, .parts = plan_parts_neighbours, params_, DRUA_ALIASES(__VA_ARGS__)      \
    }

DRUA_OP(gradient_x) =
    DERIVATIVE(gradient_x, along_x, DRUA_EXACT, 0,
               "Shows edges that run up and down: the pixel to the right minus the pixel to the left.",
               "central difference, not halved", DRUA_PARAMS(IMAGES(DRUA_FLOAT32)),
               "CLIJ2/CLIJx gradientX: source, &destination", "CLIJ gradientX: source, destination:source");
DRUA_OP(gradient_y) = DERIVATIVE(gradient_y, along_y, DRUA_EXACT, 0,
                                 "Shows edges that run left and right: the pixel below minus the pixel above.",
                                 "central difference, not halved", DRUA_PARAMS(IMAGES(DRUA_FLOAT32)),
                                 "CLIJ2/CLIJx gradientY: source, &destination",
                                 "CLIJ gradientY: source, destination:source");
DRUA_OP(gradient_z) =
    DERIVATIVE(gradient_z, along_z, DRUA_EXACT, 0,
               "Shows edges between slices: the pixel in the slice after minus the pixel in the slice before.",
               "central difference, not halved", DRUA_PARAMS(IMAGES(DRUA_FLOAT32)),
               "CLIJ2/CLIJx gradientZ: source, &destination", "CLIJ gradientZ: source, destination:source");
DRUA_OP(sobel) =
    DERIVATIVE(sobel, plan_sobel, DRUA_DEVICE, DRUA_PROLOGUE | DRUA_EPILOGUE,
               "Shows edges of all directions: how steeply grey values change (the length of the gradient).",
               "Sobel's differences, weights 1 2 1 along the other axes, not divided",
               DRUA_IN_MENU(DRUA_PARAMS(IMAGES(DRUA_TYPE_OF_SOURCE), BY_SLICE)), WHOLE_OR_SLICES("sobel"));
DRUA_OP(tenengrad) =
    DERIVATIVE(tenengrad, plan_tenengrad, DRUA_EXACT, DRUA_PROLOGUE | DRUA_EPILOGUE,
               "Measures how sharp an image is at each pixel: the squared length of the gradient.",
               "Sobel's differences, squared and added", DRUA_PARAMS(IMAGES(DRUA_FLOAT32), BY_SLICE),
               WHOLE_OR_SLICES("tenengrad"));
DRUA_OP(laplace_box) = DERIVATIVE(laplace_box, laplace_box, DRUA_EXACT, 0,
                                  "Shows edges and spots: how much a pixel differs from all its neighbours.",
                                  "8 or 26 times the pixel minus its neighbours",
                                  DRUA_IN_MENU(DRUA_PARAMS(IMAGES(DRUA_TYPE_OF_SOURCE))),
                                  "CLIJ2/CLIJx laplaceBox: source, &destination");
DRUA_OP(laplace_diamond) =
    DERIVATIVE(laplace_diamond, laplace_diamond, DRUA_EXACT, 0,
               "Shows edges and spots: how much a pixel differs from its neighbours at the sides.",
               "4 or 6 times the pixel minus its neighbours", DRUA_PARAMS(IMAGES(DRUA_TYPE_OF_SOURCE)),
               "CLIJ2/CLIJx laplaceDiamond: source, &destination", "CLIJx laplaceSphere: source, &destination");

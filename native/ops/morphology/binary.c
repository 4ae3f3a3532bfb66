/* SPDX-License-Identifier: BSD-3-Clause */
/* Dilation, erosion, opening, closing and edges of binary images. */
#include "binary_bits.h"

static void grow_once(drua_plan *p, bool erode, bool box)
{
    drua_mask mask = mask_pack(p, erode);
    mask_grow(p, &mask, 1, box, plan_flag(p, "slice_by_slice"));
    mask_unpack(p, &mask, erode);
}

static void dilate_box(drua_plan *p) { grow_once(p, false, true); }
static void dilate_sphere(drua_plan *p) { grow_once(p, false, false); }
static void erode_box(drua_plan *p) { grow_once(p, true, true); }
static void erode_sphere(drua_plan *p) { grow_once(p, true, false); }

/* Opening grows the background first; closing grows the foreground first. */
static void grow_and_back(drua_plan *p, bool opening, bool box)
{
    int64_t steps = plan_integer(p, "steps");
    drua_mask mask = mask_pack(p, opening);
    mask_grow(p, &mask, steps < 1 ? 1 : steps, box, false);
    mask_invert(p, &mask);
    mask_grow(p, &mask, steps < 1 ? 1 : steps, box, false);
    mask_unpack(p, &mask, !opening);
}

static void opening_box(drua_plan *p) { grow_and_back(p, true, true); }
static void opening_diamond(drua_plan *p) { grow_and_back(p, true, false); }
static void closing_box(drua_plan *p) { grow_and_back(p, false, true); }
static void closing_diamond(drua_plan *p) { grow_and_back(p, false, false); }

static void plan_edges(drua_plan *p)
{
    drua_view to = plan_image(p, "destination");
    drua_mask mask = mask_pack(p, true);
    mask_grow(p, &mask, 1, false, false);
    LAUNCH(p, "binary_edges", plan_grid_of_vectors(p, to.layout, 8), MASK_ARGUMENTS(&mask),
           ARG(plan_image(p, "source")), ARG(to));
}

static void there_and_back(drua_plan *p, drua_parts *parts)
{
    const int64_t steps = plan_integer(p, "steps");
    parts->halo[0] = parts->halo[1] = parts->halo[2] = steps < 1 ? 2 : 2 * steps;
    parts->columns = true;
}

#define IMAGES DRUA_IMAGE_IN("source", "binary image"), DRUA_IMAGE_OUT("destination", "binary image, 0 and 1")
#define ONCE                                                                                                           \
    DRUA_PARAMS(IMAGES, DRUA_BOOLEAN("slice_by_slice", "treat every slice of a stack separately", .default_value = 0))
#define STEPS                                                                                                          \
    DRUA_PARAMS(IMAGES, DRUA_INTEGER("steps", "number of erosions and of dilations; less than 1 acts as 1",            \
                                     .unit = "pixel", DRUA_RANGE(-10000, 10000), .default_value = 1))
#define ONCE_ALIASES(name)                                                                                             \
    "CLIJ2/CLIJx " name ": source, &destination, slice_by_slice=0",                                                    \
        "CLIJ2/CLIJx " name "SliceBySlice: source, &destination, slice_by_slice=1",                                    \
        "CLIJ " name ": source, destination, slice_by_slice=0",                                                        \
        "CLIJ " name "SliceBySlice: source, destination, slice_by_slice=1"

#define BINARY(name_, function, parts_, summary_, source_, params_, ...)                                               \
    {                                                                                                                  \
        .name = #name_, .category = "binary", .summary = summary_, .source = source_, .numeric = DRUA_EXACT,           \
        .launch = function, .parts = parts_, params_, DRUA_ALIASES(__VA_ARGS__)                                        \
    }

DRUA_OP(dilate_box) = BINARY(dilate_box, dilate_box, plan_parts_neighbours,
                             "Grows objects by one pixel to all sides and corners.", "box of 3 pixels along each axis",
                             ONCE, ONCE_ALIASES("dilateBox"),
                             "CLIJ dilateBoxIJ: source, destination, slice_by_slice=0");
DRUA_OP(dilate_sphere) = BINARY(dilate_sphere, dilate_sphere, plan_parts_neighbours,
                                "Grows objects by one pixel to all sides.", "cross of 3 pixels along each axis",
                                DRUA_IN_MENU(ONCE), ONCE_ALIASES("dilateSphere"));
DRUA_OP(erode_box) = BINARY(erode_box, erode_box, plan_parts_neighbours,
                            "Shrinks objects by one pixel from all sides and corners.",
                            "box of 3 pixels along each axis", ONCE, ONCE_ALIASES("erodeBox"),
                            "CLIJ erodeBoxIJ: source, destination, slice_by_slice=0");
DRUA_OP(erode_sphere) = BINARY(erode_sphere, erode_sphere, plan_parts_neighbours,
                               "Shrinks objects by one pixel from all sides.", "cross of 3 pixels along each axis",
                               DRUA_IN_MENU(ONCE), ONCE_ALIASES("erodeSphere"));
DRUA_OP(opening_box) = BINARY(opening_box, opening_box, there_and_back,
                              "Removes objects and bridges thinner than a box.", "erosions, then as many dilations",
                              DRUA_IN_MENU(STEPS), "CLIJ2/CLIJx openingBox: source, &destination, steps");
DRUA_OP(opening_diamond) = BINARY(opening_diamond, opening_diamond, there_and_back,
                                  "Removes objects and bridges thinner than a diamond.",
                                  "erosions, then as many dilations", STEPS,
                                  "CLIJ2/CLIJx openingDiamond: source, &destination, steps");
DRUA_OP(closing_box) = BINARY(closing_box, closing_box, there_and_back, "Closes gaps and holes thinner than a box.",
                              "dilations, then as many erosions", DRUA_IN_MENU(STEPS),
                              "CLIJ2/CLIJx closingBox: source, &destination, steps");
DRUA_OP(closing_diamond) = BINARY(closing_diamond, closing_diamond, there_and_back,
                                  "Closes gaps and holes thinner than a diamond.", "dilations, then as many erosions",
                                  STEPS, "CLIJ2/CLIJx closingDiamond: source, &destination, steps");
DRUA_OP(binary_edge_detection) = BINARY(binary_edge_detection, plan_edges, plan_parts_neighbours,
                                        "Marks pixels of objects that have background at a side.",
                                        "object without its erosion by a cross", DRUA_IN_MENU(DRUA_PARAMS(IMAGES)),
                                        "CLIJ2/CLIJx binaryEdgeDetection: source, &destination");

/* SPDX-License-Identifier: BSD-3-Clause */
/* Projections along z that use only some pixels: at given positions, above a threshold, or nonzero. */
#include "plan.h"

static void shape_of_plane(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){shape->width, shape->height, 1, 2};
}

static void range_shape(drua_plan *p, drua_shape *shape)
{
    int64_t first = plan_integer(p, "start_z"), last = plan_integer(p, "end_z");
    if (last < first)
        plan_fail(p, "end_z must not be smaller than start_z, got %lld and %lld", (long long)last, (long long)first);
    *shape = (drua_shape){shape->width, shape->height, last - first + 1, 3};
}

static void pick_slices(drua_plan *p, int64_t start)
{
    enum { SLICES = 16 }; /* slices for which a work-item reads the position once */
    drua_view to = plan_image(p, "destination");
    LAUNCH(p, "slices_at",
           GRID(to.layout.width, to.layout.height, ((int64_t)to.layout.depth + SLICES - 1) / SLICES, 32, 8, 1),
           ARG(plan_image(p, "source")), ARG(plan_image(p, "z_position")), ARG(to), INT(start), INT(SLICES));
}

static void at_position(drua_plan *p)
{
    pick_slices(p, 0);
}
static void around_position(drua_plan *p)
{
    pick_slices(p, plan_integer(p, "start_z"));
}

static void mean_of(drua_plan *p, float sign)
{
    drua_view to = plan_image(p, "destination");
    LAUNCH(p, "mean_of_chosen", plan_grid(to.layout), ARG(plan_image(p, "source")), ARG(to),
           REAL(plan_number(p, "threshold")), REAL(sign));
}

static void mean_above(drua_plan *p) { mean_of(p, 1); }
static void mean_below(drua_plan *p) { mean_of(p, -1); }

static void minimum_above(drua_plan *p)
{
    int64_t depth = plan_shape(p, "source").depth, first = plan_integer(p, "min_z"), last = plan_integer(p, "max_z");
    first = first < 0 ? 0 : first;
    last = last < depth ? last : depth - 1;
    const int64_t count = last < first ? 0 : last - first + 1;
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    if (drua_type_is_wide_integer((drua_type)from.layout.type)) {
        const double below = fmin(fmax(floor(plan_number(p, "threshold")), INT32_MIN - 1.0), UINT32_MAX);
        LAUNCH(p, "minimum_from", plan_grid(to.layout), ARG(from), ARG(to), LONG((int64_t)below + 1), INT(first),
               INT(count));
    } else {
        LAUNCH(p, "minimum_above", plan_grid(to.layout), ARG(from), ARG(to), REAL(plan_number(p, "threshold")),
               INT(first), INT(count));
    }
}

static void median_of_nonzero(drua_plan *p)
{
    enum { COLUMNS = 8, LANES = 32, DEEP = 64 };
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    if (plan_device(p)->is_gpu && from.layout.depth >= DEEP && !drua_type_is_wide_integer((drua_type)from.layout.type))
        LAUNCH(p, "median_of_long",
               GRID(to.layout.width, to.layout.height, (int64_t)to.layout.depth * LANES, COLUMNS, 1, LANES), ARG(from),
               ARG(to));
    else
        LAUNCH(p, "median_of_nonzero", plan_grid(to.layout), ARG(from), ARG(to));
}

/* A part has some rows of all slices. */
static void parts_chosen(drua_plan *p, drua_parts *parts)
{
    (void)p;
    parts->axis[2] = -1;
}

#define STACK DRUA_IMAGE_IN("source", "stack")
#define PLACE                                                                                                          \
    DRUA_IMAGE_IN("z_position",                                                                                        \
                  "plane of slice numbers, counted from 0; numbers beyond the stack mean the nearest slice")
#define PLANE DRUA_IMAGE_OUT("destination", "projection", .shape = shape_of_plane)
#define LIMIT                                                                                                          \
    DRUA_NUMBER("threshold", "limit; pixels equal to it do not count", .unit = "grey value", .default_value = 0,       \
                .example = 40)
#define SLICE(name, doc_, default_) DRUA_INTEGER(name, doc_, .unit = "slice", DRUA_RANGE_ANY, .default_value = default_)
#define CHOSEN(name_, function, traits_, numeric_, summary_, method_, params_, ...)                                    \
    {                                                                                                                  \
        .name = #name_, .category = "projection", .summary = summary_, .source = method_, .traits = traits_,           \
        .numeric = numeric_, .launch = function, .parts = parts_chosen, .steps = plan_same_voxels,                     \
        .place = plan_same_place, params_, DRUA_ALIASES(__VA_ARGS__)                                                   \
    }

DRUA_OP(z_position_projection) = CHOSEN(z_position_projection, at_position, DRUA_READS_PART, DRUA_EXACT,
                                        "Takes each pixel from the slice whose number another image gives.",
                                        "pixels are copied", DRUA_PARAMS(STACK, PLACE, PLANE),
                                        "CLIJ2/CLIJx zPositionProjection: source, z_position, &destination");
DRUA_OP(z_position_range_projection) = CHOSEN(
    z_position_range_projection, around_position, DRUA_READS_PART, DRUA_EXACT,
    "Takes, for each pixel, the slices around the slice whose number another image gives: flattens a curved layer.",
    "pixels are copied",
    DRUA_PARAMS(STACK, PLACE, DRUA_IMAGE_OUT("destination", "slices around that position", .shape = range_shape),
                SLICE("start_z", "first slice, counted from that position", -5),
                SLICE("end_z", "last slice, included", 5)),
    "CLIJ2/CLIJx zPositionRangeProjection: source, z_position, &destination, start_z, end_z");
DRUA_OP(mean_z_projection_above_threshold) =
    CHOSEN(mean_z_projection_above_threshold, mean_above, 0, DRUA_DEVICE,
           "Takes the mean along z of the pixels above a threshold.",
           "slice after slice in a fixed order; the rounding errors of float32 sums are added at the end (Neumaier "
           "1974); NaN if there is no such pixel",
           DRUA_PARAMS(STACK, PLANE, LIMIT), "CLIJx meanZProjectionAboveThreshold: source, &destination, threshold");
DRUA_OP(mean_z_projection_below_threshold) =
    CHOSEN(mean_z_projection_below_threshold, mean_below, 0, DRUA_DEVICE,
           "Takes the mean along z of the pixels below a threshold.",
           "slice after slice in a fixed order; the rounding errors of float32 sums are added at the end (Neumaier "
           "1974); NaN if there is no such pixel",
           DRUA_PARAMS(STACK, PLANE, LIMIT), "CLIJx meanZProjectionBelowThreshold: source, &destination, threshold");
DRUA_OP(minimum_z_projection_above_threshold) = CHOSEN(
    minimum_z_projection_above_threshold, minimum_above, 0, DRUA_EXACT,
    "Takes the smallest value along z that is above a threshold; 0 if no value is above it.", "slice after slice",
    DRUA_PARAMS(STACK, PLANE, LIMIT, SLICE("min_z", "first slice, counted from 0", 0),
                SLICE("max_z", "last slice, included", 2147483647)),
    "CLIJ2/CLIJx minimumZProjectionThresholdedBounded: source, &destination, threshold, min_z, max_z");
DRUA_OP(median_z_projection_of_nonzero) =
    CHOSEN(median_z_projection_of_nonzero, median_of_nonzero, 0, DRUA_EXACT,
           "Takes the median along z of the pixels that are not 0; 0 if all are 0.",
           "element n/2 of the sorted values, found bit by bit", DRUA_PARAMS(STACK, PLANE),
           "CLIJ2/CLIJx medianZProjectionMasked: source, &destination");

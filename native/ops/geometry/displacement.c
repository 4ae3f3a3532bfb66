/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Particle image velocimetry: finds where the surroundings of each pixel have moved; see
 * kernels/geometry/displacement.cl.
 */
#include "plan.h"

/* Half widths in pixels along x, y, z; the fourth number is unused. */
typedef struct search {
    int32_t window[4], max[4], mean[3];
} search;

enum { TABLE_BYTES = 8 * sizeof(int32_t), AROUND = 3 };
#define EXTENT INT(of.width), INT(of.height), INT(of.depth)

static int32_t max_shift_of(drua_plan *p, const char *name)
{
    return (int32_t)plan_integer(p, name);
}

/* Returns a search with square windows in planes and shifts along all axes. */
static search in_planes(drua_plan *p)
{
    return (search){{AROUND, AROUND, 0, 0},
                    {max_shift_of(p, "maximum_x"), max_shift_of(p, "maximum_y"), max_shift_of(p, "maximum_z"), 0},
                    {AROUND, AROUND, 0}};
}

static drua_view send_differences(drua_plan *p, const char *image, drua_shape of, const int32_t mean[3])
{
    drua_view made = plan_scratch(p, of, DRUA_FLOAT32);
    LAUNCH(p, "displacement_differences", plan_grid(made.layout), ARG(plan_image(p, image)), POINTER(made), EXTENT,
           INT(mean[0]), INT(mean[1]), INT(mean[2]));
    return made;
}

/*
 * Searches for displacements between two images of extent `of`. The second image starts `ahead` pixels into its memory.
 */
static drua_view find_displacement(drua_plan *p, const search *s, drua_view one, drua_view other, int64_t ahead,
                                   drua_shape of)
{
    drua_view found = plan_scratch(p, of, DRUA_INT32);
    int64_t turns = 1;
    for (int axis = 0; axis < 3; axis++)
        turns *= (2 * (int64_t)s->window[axis] + 1) * (2 * (int64_t)s->max[axis] + 1);
    LAUNCH(p, "displacement_search", grid_of_turns(plan_grid(found.layout), turns), POINTER(one), POINTER(other),
           LONG(ahead), EXTENT, TABLE(s, TABLE_BYTES), POINTER(found));
    return found;
}

static void write_component(drua_plan *p, const search *s, drua_view found, drua_shape of, int axis, const char *output)
{
    const drua_view to = plan_image(p, output);
    LAUNCH(p, "displacement_component", plan_grid(to.layout), POINTER(found), EXTENT, TABLE(s, TABLE_BYTES), INT(axis),
           ARG(to));
}

static drua_view find_between_sources(drua_plan *p, const search *s, drua_shape of)
{
    const drua_view one = send_differences(p, "source1", of, s->mean),
                    other = send_differences(p, "source2", of, s->mean);
    drua_view found = find_displacement(p, s, one, other, 0, of);
    plan_free_scratch(p, one);
    plan_free_scratch(p, other);
    return found;
}

static const char *const outputs[] = {"destination_x", "destination_y", "destination_z"};

static void launch_velocimetry(drua_plan *p)
{
    const search s = in_planes(p);
    const drua_shape of = plan_shape(p, "source1");
    const drua_view found = find_between_sources(p, &s, of);
    for (int axis = 0; axis < 3; axis++)
        write_component(p, &s, found, of, axis, outputs[axis]);
}

static void launch_displacement(drua_plan *p)
{
    const search s = in_planes(p);
    const drua_shape of = plan_shape(p, "source1");
    write_component(p, &s, find_between_sources(p, &s, of), of, (int)plan_integer(p, "axis"), "destination");
}

static void parts_in_planes(drua_plan *p, drua_parts *parts)
{
    const search s = in_planes(p);
    for (int axis = 0; axis < 3; axis++)
        parts->halo[axis] = s.max[axis] + s.window[axis] + s.mean[axis];
    parts->columns = true;
}

/* ---- each slice and the next one */

static void pairs_of_slices(drua_plan *p, drua_shape *shape)
{
    if (shape->depth < 2)
        plan_fail(p, "source has one slice, but at least two are needed; push a stack whose slices are time points");
    shape->depth--;
}

static void launch_of_slices(drua_plan *p)
{
    search s = in_planes(p);
    s.max[2] = 0;
    drua_shape of = plan_shape(p, "source");
    const drua_view all = send_differences(p, "source", of, s.mean);
    of.depth--;
    const drua_view found = find_displacement(p, &s, all, all, of.width * of.height, of);
    for (int axis = 0; axis < 3; axis++)
        write_component(p, &s, found, of, axis, outputs[axis]);
}

/* ---- one axis after another */

static void along_axes(drua_plan *p, int axes, int32_t window, int32_t mean)
{
    const drua_shape of = plan_shape(p, "source1");
    for (int axis = 0; axis < axes; axis++) {
        search s = {{0}, {0}, {0}};
        s.window[axis] = window;
        s.max[axis] = max_shift_of(p, "maximum_shift");
        s.mean[axis] = mean;
        const drua_view found = find_between_sources(p, &s, of);
        write_component(p, &s, found, of, axis, outputs[axis]);
        plan_free_scratch(p, found);
    }
}

enum { LINE_AROUND = 5 };

static void launch_fast(drua_plan *p)
{
    along_axes(p, 2, LINE_AROUND, max_shift_of(p, "maximum_shift") + 1);
}
static void launch_fast_volume(drua_plan *p)
{
    along_axes(p, 3, max_shift_of(p, "maximum_shift"), max_shift_of(p, "maximum_shift"));
}

/* ---- registration */

static drua_operand smooth_shifts(drua_plan *p, int axis)
{
    const drua_operand x = NUMBER((double)plan_integer(p, "maximum_x")),
                       y = NUMBER((double)plan_integer(p, "maximum_y"));
    drua_operand shifts = CALL(p, "displacement", DRUA_FLOAT32, plan_operand(p, "source1"), plan_operand(p, "source2"),
                               x, y, NUMBER(0), NUMBER(axis));
    return CALL(p, "gaussian_blur", DRUA_FLOAT32, shifts, x, y, NUMBER(0));
}

static void build_registration(drua_plan *p)
{
    const drua_operand x = smooth_shifts(p, 0), y = smooth_shifts(p, 1);
    plan_return(p, "destination",
                CALL(p, "apply_vector_field_2d", plan_type(p, "destination"), plan_operand(p, "source2"), x, y));
}

#define SOURCES                                                                                                        \
    DRUA_IMAGE_IN("source1", "image"), DRUA_IMAGE_IN("source2", "image of the same scene after it has moved")
#define SHIFTS(axis, ...)                                                                                              \
    DRUA_IMAGE_OUT("destination_" axis, "shifts along " axis " in pixels", .type = DRUA_FLOAT32, __VA_ARGS__)
#define LIMIT(name, doc_, default_)                                                                                    \
    DRUA_INTEGER(name, doc_, .unit = "pixel", DRUA_RANGE(0, 500), .default_value = default_)
#define MAX_X                      LIMIT("maximum_x", "largest shift along x", 2)
#define MAX_Y                      LIMIT("maximum_y", "largest shift along y", 2)
#define MAX_Z                      LIMIT("maximum_z", "largest shift along z", 0)
#define METHOD(window)                                                                                                 \
    "shift with the largest correlation coefficient of differences from local means; " window                          \
    "; in a tie, no shift; borders repeated"

DRUA_OP(displacement) = {
    .name = "displacement",
    .category = "registration",
    .summary = "Finds for each pixel how far its surroundings have moved in another image, along one axis.",
    .source = METHOD("7 x 7 pixels"),
    DRUA_PARAMS(SOURCES, DRUA_IMAGE_OUT("destination", "shifts in pixels", .type = DRUA_FLOAT32), MAX_X, MAX_Y, MAX_Z,
                DRUA_INTEGER("axis", "component of the shifts: 0 is x, 1 is y, 2 is z", DRUA_RANGE(0, 2))),
    .numeric = DRUA_DEVICE,
    .launch = launch_displacement,
    .parts = parts_in_planes,
};

DRUA_OP(particle_image_velocimetry) = {
    .name = "particle_image_velocimetry",
    .category = "registration",
    .summary = "Finds for each pixel how far its surroundings have moved in another image.",
    .source = METHOD("7 x 7 pixels"),
    DRUA_PARAMS(SOURCES, SHIFTS("x"), SHIFTS("y"), SHIFTS("z"), MAX_X, MAX_Y, MAX_Z),
    DRUA_ALIASES("CLIJx particleImageVelocimetry: source1, source2, destination_x, destination_y, destination_z, "
                 "maximum_x, maximum_y, maximum_z"),
    .numeric = DRUA_DEVICE,
    .menu = true,
    .launch = launch_velocimetry,
    .parts = parts_in_planes,
};

DRUA_OP(particle_image_velocimetry_timelapse) = {
    .name = "particle_image_velocimetry_timelapse",
    .category = "registration",
    .summary = "Finds for each pixel of each slice how far its surroundings have moved in the next slice.",
    .source = METHOD("7 x 7 pixels"),
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames, one in each slice"), SHIFTS("x", .shape = pairs_of_slices),
                SHIFTS("y", .shape = pairs_of_slices),
                DRUA_IMAGE_OUT("destination_z", "0 everywhere, because slices do not move along z",
                               .type = DRUA_FLOAT32, .shape = pairs_of_slices),
                MAX_X, MAX_Y, LIMIT("maximum_z", "has no effect", 0)),
    DRUA_ALIASES("CLIJx particleImageVelocimetryTimelapse: source, destination_x, destination_y, destination_z, "
                 "maximum_x, maximum_y, maximum_z, "
                 "~correct_local_shift"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_of_slices,
};

DRUA_OP(fast_particle_image_velocimetry) = {
    .name = "fast_particle_image_velocimetry",
    .category = "registration",
    .summary = "Finds for each pixel how far its row and, separately, its column have moved in another image.",
    .source = METHOD("means over maximum_shift + 1 pixels to both sides, correlation over lines of 11 pixels"),
    DRUA_PARAMS(SOURCES, SHIFTS("x"), SHIFTS("y"), LIMIT("maximum_shift", "largest shift", 2)),
    DRUA_ALIASES("CLIJx fastParticleImageVelocimetry: source1, source2, destination_x, destination_y, maximum_shift"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_fast,
};

DRUA_OP(fast_particle_image_velocimetry_3d) = {
    .name = "fast_particle_image_velocimetry_3d",
    .category = "registration",
    .summary = "Finds for each pixel how far its lines along x, y and z have moved in another image, each separately.",
    .source = METHOD("means and correlation over maximum_shift pixels to both sides"),
    DRUA_PARAMS(SOURCES, SHIFTS("x"), SHIFTS("y"), SHIFTS("z"), LIMIT("maximum_shift", "largest shift", 2)),
    DRUA_ALIASES("CLIJx fastParticleImageVelocimetry3D: source1, source2, &destination_x, &destination_y, "
                 "&destination_z, maximum_shift"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_fast_volume,
};

DRUA_OP(deformable_registration_2d) = {
    .name = "deformable_registration_2d",
    .category = "registration",
    .summary = "Warps the second image so that it lies on the first one.",
    .source = "particleImageVelocimetry, a Gaussian blur of the shifts with maximum_x and maximum_y as sigma, then "
              "applyVectorField",
    DRUA_PARAMS(SOURCES, DRUA_IMAGE_OUT("destination", "second image, warped"), MAX_X, MAX_Y),
    DRUA_ALIASES("CLIJx deformableRegistration2D: source1, source2, &destination, maximum_x, maximum_y"),
    .numeric = DRUA_DEVICE,
    .build = build_registration,
};

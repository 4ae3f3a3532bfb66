/* SPDX-License-Identifier: BSD-3-Clause */
/* Pixel classification with a random forest; see kernels/classify/random_forest.cl. */
#include "plan.h"

enum { SHARES = 3 }; /* as in kernels/classify/random_forest.cl */

static int64_t classes_of(drua_plan *p)
{
    const drua_shape forest = plan_shape(p, "forest");
    const int64_t trees = plan_integer(p, "trees");
    if (forest.width <= SHARES || forest.height < trees)
        plan_fail(p,
                  "forest must have a row for each node, at least %lld, and more than %d columns, but it is %lld x "
                  "%lld; see the page of the operation",
                  (long long)trees, SHARES, (long long)forest.width, (long long)forest.height);
    return plan_failed(p) ? 1 : forest.width - SHARES;
}

static void classes_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){shape->width, shape->height, classes_of(p), 3};
}

static void plane_shape(drua_plan *p, drua_shape *shape)
{
    classes_of(p);
    *shape = (drua_shape){shape->width, shape->height, 1, 2};
}

static void launch_probabilities(drua_plan *p)
{
    const drua_view to = plan_image(p, "destination");
    LAUNCH(p, "forest_probabilities", plan_grid(to.layout), ARG(plan_image(p, "features")),
           ARG(plan_image(p, "forest")), ARG(to), INT(plan_integer(p, "trees")));
}

static void launch_classes(drua_plan *p)
{
    const drua_view to = plan_image(p, "destination");
    LAUNCH(p, "forest_classes", plan_grid(to.layout), ARG(plan_image(p, "features")), ARG(plan_image(p, "forest")),
           ARG(to), INT(plan_integer(p, "trees")), INT(classes_of(p)));
}

/* A part contains all slices, because each slice holds one feature of the pixels. */
static void parts_random_forest(drua_plan *p, drua_parts *parts)
{
    parts->axis[2] = -1;
    parts->columns = true;
    (void)p;
}

#define INPUTS                                                                                                         \
    DRUA_IMAGE_IN("features", "feature stack: a slice for each feature"),                                              \
        DRUA_IMAGE_WHOLE(                                                                                              \
            "forest",                                                                                                  \
            "a row for each node: feature, limit, child, then the share of each class; the first rows are the roots")
#define TREES DRUA_INTEGER("trees", "number of trees", DRUA_RANGE(1, 100000), .default_value = 1)
#define METHOD                                                                                                         \
    "a pixel passes through each tree from its root: to row child if its feature is less than the limit, else to the " \
    "row after that; Breiman 2001"

DRUA_OP(random_forest_probabilities) = {
    .name = "random_forest_probabilities",
    .category = "classification",
    .summary = "Estimates for each pixel the probability of each class, by a random forest.",
    .source = METHOD,
    DRUA_PARAMS(INPUTS,
                DRUA_IMAGE_OUT("destination", "stack: a slice for each class", .shape = classes_shape,
                               .type = DRUA_FLOAT32),
                TREES),
    .numeric = DRUA_EXACT,
    .launch = launch_probabilities,
    .parts = parts_random_forest,
};

DRUA_OP(random_forest_classes) = {
    .name = "random_forest_classes",
    .category = "classification",
    .summary = "Classifies each pixel by a random forest. The result is the most probable class, counted from 1.",
    .source = METHOD,
    DRUA_PARAMS(INPUTS, DRUA_IMAGE_OUT("destination", "plane of classes", .shape = plane_shape, .type = DRUA_FLOAT32),
                TREES),
    .numeric = DRUA_EXACT,
    .launch = launch_classes,
    .parts = parts_random_forest,
};

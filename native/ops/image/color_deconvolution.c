/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

enum { GREYS = 256 };

static void three_slices(drua_plan *p, drua_shape *shape)
{
    const drua_shape vectors = plan_shape(p, "color_vectors");
    if (shape->depth != 3)
        plan_fail(p,
                  "source must have 3 slices, red, green and blue, got %lld; call run(\"RGB Stack\") before you push "
                  "the image",
                  (long long)shape->depth);
    if (vectors.width * vectors.height * vectors.depth != 9)
        plan_fail(p,
                  "color_vectors must hold 9 numbers, got an image of %lld x %lld x %lld; pass three for red, three "
                  "for green, three for blue",
                  (long long)vectors.width, (long long)vectors.height, (long long)vectors.depth);
}

static void launch_color_deconvolution(drua_plan *p)
{
    const double absorbance_of_black = 5;
    float *absorbances = plan_host_memory(p, GREYS * sizeof *absorbances);
    if (!absorbances)
        return;
    absorbances[0] = (float)absorbance_of_black;
    for (int i = 1; i < GREYS; i++)
        absorbances[i] = (float)-log10(i / 255.0);
    const drua_layout l = plan_image(p, "destination").layout;
    LAUNCH(p, "color_deconvolution", GRID(l.width, l.height, 1, 32, 8, 1), ARG(plan_image(p, "source")),
           ARG(plan_image(p, "color_vectors")), ARG(plan_image(p, "destination")),
           TABLE(absorbances, GREYS * sizeof *absorbances));
}

/* A part has some rows of all three slices. */
static void parts_color_deconvolution(drua_plan *p, drua_parts *parts)
{
    (void)p;
    parts->axis[2] = -1;
}

DRUA_OP(color_deconvolution) = {
    .name = "color_deconvolution",
    .category = "image",
    .summary = "Separates up to three stains of a colour image: how much light each stain absorbs.",
    .source = "absorbance -log10(value / 255), or 5 for the value 0, as a mixture of three colour vectors (Haub and "
              "Meckel 2015)",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "three slices, red, green and blue, with values from 0 to 255"),
                DRUA_IMAGE_WHOLE("color_vectors",
                                 "9 numbers: absorbances of the three stains in red, then in green, then in blue"),
                DRUA_IMAGE_OUT("destination", "a slice for each stain; 0 where the vectors depend on each other",
                               .shape = three_slices, .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJx colorDeconvolution: source, color_vectors, &destination"),
    .numeric = DRUA_DEVICE,
    .launch = launch_color_deconvolution,
    .parts = parts_color_deconvolution,
};

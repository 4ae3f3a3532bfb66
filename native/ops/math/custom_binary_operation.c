/* SPDX-License-Identifier: BSD-3-Clause */
#include "user_code.h"

static bool only_reads(drua_plan *plan, const char *image)
{
    return user_code_only_reads(plan_text(plan, "opencl_code"), NULL, image);
}

static void launch_custom_binary_operation(drua_plan *p)
{
    drua_named_image images[] = {{"image1", plan_shape(p, "image1"), plan_image(p, "image1"), 0},
                                 {"image2", plan_shape(p, "image2"), plan_image(p, "image2"), 1}};
    const user_code user = {
        .code = plan_text(p, "opencl_code"), .code_name = "opencl_code", .images = images, .count = 2};
    user_code_run(p, &user);
}

DRUA_OP(custom_binary_operation) = {
    .name = "custom_binary_operation",
    .category = "math",
    .summary = "Runs OpenCL statements that you write on two images, once for each pixel of the first.",
    .source = "as custom_operation, but without x, y and z: get_global_id(0) and so on give the position",
    DRUA_PARAMS(DRUA_IMAGE_INOUT("image1", "image that the code calls image1"),
                DRUA_IMAGE_INOUT("image2", "image that the code calls image2"),
                {.name = "opencl_code",
                 .doc = "statements for each pixel",
                 .kind = DRUA_KIND_TEXT,
                 .example_text =
                     "int2 at = (int2)(get_global_id(0), get_global_id(1)); "
                     "WRITE_IMAGE(image2, at, CONVERT_image2_PIXEL_TYPE(255 - READ_IMAGE(image1, sampler, at).x));"}),
    DRUA_ALIASES("CLIJx customBinaryOperation: image1, image2, opencl_code"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_READS_PART | DRUA_WHOLE,
    .only_reads = only_reads,
    .launch = launch_custom_binary_operation,
};

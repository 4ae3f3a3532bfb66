/* SPDX-License-Identifier: BSD-3-Clause */
#include "user_code.h"

#include <string.h>

static bool only_reads(drua_plan *plan, const char *image)
{
    return user_code_only_reads(plan_text(plan, "operation_code"), plan_text(plan, "global_code"), image);
}

/*
 * Index of the image that a Java HashMap of the names lists last: CLIJ2 runs its kernel over the size of this image.
 * The map places names in buckets by hash, and doubles the number of buckets when three quarters are full. It lists
 * names of one bucket in the order in which they were added.
 */
static size_t last_of_map(const drua_named_image *images, size_t count)
{
    uint32_t buckets = 16, max = 0;
    size_t last = 0;
    while (count > buckets / 4 * 3)
        buckets *= 2;
    for (size_t i = 0; i < count; i++) {
        uint32_t hash = 0;
        for (const char *c = images[i].name; *c; c++)
            hash = 31 * hash + (unsigned char)*c;
        const uint32_t bucket = (hash ^ (hash >> 16)) & (buckets - 1);
        if (bucket >= max) {
            max = bucket;
            last = i;
        }
    }
    return last;
}

static void launch_custom_operation(drua_plan *p)
{
    user_code user = {.code = plan_text(p, "operation_code"),
                      .code_name = "operation_code",
                      .globals = plan_text(p, "global_code"),
                      .globals_name = "global_code",
                      .positions = true};
    user.images = plan_named_images(p, "image_parameters", &user.count);
    if (user.count > USER_IMAGES) {
        plan_fail(p, "image_parameters has %zu images, but at most %d are possible; combine some of them", user.count,
                  USER_IMAGES);
        return;
    }
    user.extent = last_of_map(user.images, user.count);
    user_code_run(p, &user);
}

DRUA_OP(custom_operation) = {
    .name = "custom_operation",
    .category = "math",
    .summary = "Runs OpenCL statements that you write, once for each pixel.",
    .source = "OpenCL C 1.2 with the words of CLIJ2's kernels; beyond the edge the nearest pixel is read and nothing "
              "is written; docs/custom_operations.md lists the words",
    DRUA_PARAMS(
        {.name = "operation_code",
         .doc = "statements for each pixel",
         .kind = DRUA_KIND_TEXT,
         .example_text = "float value = READ_IMAGE(source, sampler, POS_source_INSTANCE(x, y, z, 0)).x; "
                         "WRITE_IMAGE(result, POS_result_INSTANCE(x, y, z, 0), CONVERT_result_PIXEL_TYPE(2 * value));"},
        DRUA_TEXT("global_code", "functions that the statements call", .default_text = ""),
        DRUA_IMAGES("image_parameters",
                    "array of names in the code and images, alternately; all images must exist before the call")),
    DRUA_ALIASES("CLIJ2/CLIJx customOperation: operation_code, global_code, image_parameters"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_READS_PART | DRUA_WHOLE,
    .only_reads = only_reads,
    .launch = launch_custom_operation,
};

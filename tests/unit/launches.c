/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that kernels use 64-bit indices where 32 bits do not suffice, in whatever order an image is stored. */
#include "harness.h"

#include "arguments.h"
#include "context.h"

#include <string.h>

static int width_of(drua_layout layout)
{
    return drua_device_index_width((const drua_arg[]){ARG(((drua_view){.layout = layout})), {.kind = DRUA_LAUNCH_END}});
}

/* The layout of an image whose pixels are reversed along these axes. */
static drua_layout flipped(drua_layout l, int axes)
{
    for (int axis = 0; axis < 3; axis++)
        if (axes >> axis & 1) {
            l.offset += (l.extent[axis] - 1) * l.stride[axis];
            l.stride[axis] = -l.stride[axis];
        }
    return l;
}

/* With reversed axes, the first and last pixels can have much smaller indices than the largest one. */
START_TEST(flipped_images_reach_as_far)
{
    const drua_layout large = drua_layout_dense((drua_shape){2048, 2050, 512, 3}, DRUA_UINT8),
                      small = drua_layout_dense((drua_shape){2048, 2050, 500, 3}, DRUA_UINT8);
    for (int axes = 0; axes < 8; axes++) {
        ck_assert_msg(width_of(flipped(large, axes)) == 1, "axes %d", axes);
        ck_assert_msg(width_of(flipped(small, axes)) == 0, "axes %d", axes);
    }
}
END_TEST

/* Copying the start of a line of 32 GB or more computes correct positions. */
START_TEST(lines_of_any_length_are_copied)
{
    enum { GROUP = 256 };
    static unsigned char pixels[16 * GROUP], got[sizeof pixels];
    const drua_shape shape = reference_plane(sizeof pixels, 1);
    drua_context *context = harness_open();
    drua_device *device = context->device;
    drua_view views[2] = {{.layout = drua_layout_dense(shape, DRUA_UINT8)},
                          {.layout = drua_layout_dense(shape, DRUA_UINT8)}};
    const void *from = pixels;
    void *to = got;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)(i % 251 + 1);
    for (int i = 0; i < 2; i++)
        REQUIRE(drua_buffer_make(device, sizeof pixels, &views[i].buffer));
    for (int64_t quads = INT64_C(1) << 31; quads <= INT64_C(1) << 32; quads *= 2) {
        REQUIRE(drua_device_clear(device, views[1], sizeof pixels));
        REQUIRE(drua_device_upload(device, views[0], &from));
        REQUIRE(drua_device_launch(
            device, "copy_line", GRID(GROUP, 1, 1, GROUP, 1, 1),
            ((const drua_arg[]){POINTER(views[0]), POINTER(views[1]), LONG(quads), {.kind = DRUA_LAUNCH_END}})));
        REQUIRE(drua_device_download(device, views[1], &to));
        ck_assert_msg(!memcmp(pixels, got, sizeof pixels), "%lld quads", (long long)quads);
    }
    for (int i = 0; i < 2; i++)
        drua_buffer_release(views[i].buffer);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("launches");
    TCase *tests = tcase_create("launches");
    tcase_add_test(tests, flipped_images_reach_as_far);
    tcase_add_test(tests, lines_of_any_length_are_copied);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

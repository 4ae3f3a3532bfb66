/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares objects cut out of random images with the pixels of the label. */
#include "measured.h"

#include <string.h>

enum { LABELS = 5 };

/* Finds the box of a label; returns whether the label has pixels. */
static bool box_of(const reference_image *labels, int label, int64_t low[3], int64_t high[3])
{
    bool found = false;
    REFERENCE_EACH_PIXEL (labels->shape, x, y, z) {
        const int64_t at[3] = {x, y, z};
        if ((int)reference_at(labels, x, y, z) != label)
            continue;
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = !found || at[axis] < low[axis] ? at[axis] : low[axis];
            high[axis] = !found || at[axis] > high[axis] ? at[axis] : high[axis];
        }
        found = true;
    }
    return found;
}

static void check_label(drua_context *context, const reference_image *source, const reference_image *labels, int label,
                        int border)
{
    int64_t low[3] = {0}, high[3] = {0};
    drua_argument arguments[] = {IMAGE(harness_push(context, source)), IMAGE(harness_push(context, labels)), NEW,
                                 NUMBER(label), NUMBER(border)};
    if (!box_of(labels, label, low, high)) {
        ck_assert_int_ne(drua_invoke(context, "crop_label", arguments, 5, NULL), 0);
        ck_assert_ptr_nonnull(strstr(drua_error_message(), "has no pixels in labels"));
        return;
    }
    REQUIRE(drua_invoke(context, "crop_label", arguments, 5, NULL));
    reference_image result = harness_pull(context, arguments[2].image);
    const int64_t around[3] = {border, border, labels->shape.dimension == 3 ? border : 0};
    ck_assert_int_eq(result.shape.width, high[0] - low[0] + 1 + 2 * around[0]);
    ck_assert_int_eq(result.shape.height, high[1] - low[1] + 1 + 2 * around[1]);
    ck_assert_int_eq(result.shape.depth, high[2] - low[2] + 1 + 2 * around[2]);
    ck_assert_int_eq(result.type, source->type);
    REFERENCE_EACH_PIXEL (result.shape, x, y, z) {
        const int64_t a = x + low[0] - around[0], b = y + low[1] - around[1], c = z + low[2] - around[2];
        const bool inside = reference_is_inside(labels->shape, a, b, c) && (int)reference_at(labels, a, b, c) == label;
        ck_assert_double_eq(reference_at(&result, x, y, z), inside ? reference_at(source, a, b, c) : 0);
    }
    reference_free(&result);
}

static void check_labels(drua_context *context, harness_random *chance, drua_shape shape, drua_type type)
{
    reference_image labels = measured_labels(chance, shape, DRUA_UINT16, LABELS),
                    source = harness_image(chance, type, shape, HARNESS_GREY);
    for (int label = 1; label <= LABELS + 1; label++)
        check_label(context, &source, &labels, label, harness_below(chance, 3));
    reference_free(&source);
    reference_free(&labels);
    REQUIRE(drua_clear(context));
}

START_TEST(random_labels)
{
    measured_test_shapes(_i, 51, check_labels);
}
END_TEST

/* A label that float32 cannot tell apart from its neighbour. */
START_TEST(large_label)
{
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT32, reference_plane(4, 1));
    REFERENCE_EACH_PIXEL (labels.shape, x, y, z)
        reference_put(&labels, x, y, z, (double)((1 << 24) + x));
    check_label(context, &labels, &labels, (1 << 24) + 1, 0);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

static void check_position(drua_context *context, drua_image image, const char *expected)
{
    const char *text;
    REQUIRE(drua_get_metadata(context, image, &text));
    const char *found = strstr(text, "position=");
    ck_assert_msg(expected ? found && !strncmp(found, expected, strlen(expected)) : !found, "%s", text);
}

/*
 * The result begins at the first pixel of the box, (4 - 1, 2 - 1, 1 - 1), in voxels of 0.5 x 0.25 x 2. Without metadata
 * the position is unknown.
 */
START_TEST(position_of_box)
{
    static const char *const texts[] = {"pixelWidth=0.5\npixelHeight=0.25\npixelDepth=2\nposition=10,-5,3\n",
                                        "pixelWidth=0.5\npixelHeight=0.25\npixelDepth=2\nome={}\n",
                                        "pixelWidth=0.5\npixelHeight=0.25\npixelDepth=2\n"},
                             *const positions[] = {"position=11.5,-4.75,3\n", "position=1.5,0.25,0\n", NULL};
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_stack(9, 7, 5));
    reference_put(&labels, 4, 2, 1, 3);
    reference_put(&labels, 5, 4, 3, 3);
    for (int i = 0; i < 3; i++) {
        const drua_image source = harness_push(context, &labels), existing = harness_push(context, &labels);
        drua_argument arguments[] = {IMAGE(source), IMAGE(harness_push(context, &labels)), NEW, NUMBER(3), NUMBER(1)};
        REQUIRE(drua_set_metadata(context, source, texts[i]));
        REQUIRE(drua_set_metadata(context, existing, "position=70,80,90\n"));
        REQUIRE(drua_invoke(context, "crop_label", arguments, 5, NULL));
        check_position(context, arguments[2].image, positions[i]);
        arguments[2] = (drua_argument)IMAGE(existing);
        REQUIRE(drua_invoke(context, "crop_label", arguments, 5, NULL));
        check_position(context, existing, positions[i]);
    }
    reference_free(&labels);
    drua_close(context);
}
END_TEST

/* The box is also needed for the position of the result, but the host waits for it once. */
START_TEST(one_wait)
{
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_stack(9, 7, 5));
    reference_put(&labels, 4, 2, 1, 3);
    const drua_image source = harness_push(context, &labels);
    drua_argument arguments[] = {IMAGE(source), IMAGE(harness_push(context, &labels)), NEW, NUMBER(3), NUMBER(1)};
    drua_statistics before, after;
    REQUIRE(drua_set_metadata(context, source, "position=10,-5,3\n"));
    drua_get_statistics(context, &before);
    REQUIRE(drua_invoke(context, "crop_label", arguments, 5, NULL));
    drua_get_statistics(context, &after);
    ck_assert_int_eq(after.waits - before.waits, 1);
    check_position(context, arguments[2].image, "position=13,-4,3\n");
    reference_free(&labels);
    drua_close(context);
}
END_TEST

/* A plane and a stack of one slice give a plane, without a border along z. */
START_TEST(plane_and_slice)
{
    const drua_shape shapes[] = {{9, 7, 1, 2}, {9, 7, 1, 3}};
    drua_context *context = harness_open();
    for (int i = 0; i < 4; i++) {
        reference_image source = reference_make(DRUA_UINT8, shapes[i % 2]),
                        labels = reference_make(DRUA_UINT8, shapes[i / 2]);
        reference_put(&labels, 4, 2, 0, 1);
        reference_put(&labels, 5, 2, 0, 1);
        drua_argument arguments[] = {IMAGE(harness_push(context, &source)), IMAGE(harness_push(context, &labels)), NEW,
                                     NUMBER(1), NUMBER(1)};
        REQUIRE(drua_invoke(context, "crop_label", arguments, 5, NULL));
        reference_image result = harness_pull(context, arguments[2].image);
        ck_assert_int_eq(result.shape.width, 4);
        ck_assert_int_eq(result.shape.height, 3);
        ck_assert_int_eq(result.shape.depth, i == 3 ? 3 : 1);
        ck_assert_int_eq(result.shape.dimension, (i == 3 ? 3 : 2));
        reference_free(&result);
        reference_free(&labels);
        reference_free(&source);
    }
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("crop_label");
    TCase *tests = tcase_create("crop_label");
    tcase_set_timeout(tests, 300);
    harness_add(tests, random_labels, 3);
    harness_add(tests, large_label, 1);
    harness_add(tests, position_of_box, 1);
    harness_add(tests, one_wait, 1);
    harness_add(tests, plane_and_slice, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

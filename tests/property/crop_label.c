/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares objects cut out of random images with the pixels of the label. */
#include "measured.h"

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

int main(void)
{
    Suite *suite = suite_create("crop_label");
    TCase *tests = tcase_create("crop_label");
    tcase_set_timeout(tests, 300);
    harness_add(tests, random_labels, 3);
    harness_add(tests, large_label, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

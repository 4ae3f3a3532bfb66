/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests single tiles of images, which only the engine's own functions can compute. */
#include "context.h"
#include "declared.h"
#include "registry.h"
#include "tile_images.h"
#undef NUMBER /* the macro for operations replaces that of harness.h */

#include "harness.h"

static drua_context *context;
static drua_engine *engine;

static void open_context(void)
{
    context = harness_open();
    engine = &context->engine;
    REQUIRE(drua_enter(context));
}

static void close_context(void)
{
    drua_leave(context);
    drua_close(context);
}

/*
 * Reads the first rows of a plane that has more pixels than 32 bits can count. Only the layout is that large, not the
 * allocated memory.
 */
START_TEST(planes_beyond_32_bits)
{
    enum { WIDTH = 65536, PIXELS = 4 };
    const drua_shape line = {PIXELS, 1, 1, 2};
    static const unsigned char pixels[PIXELS] = {7, 8, 9, 10};
    unsigned char got[PIXELS];
    drua_image image, sent;
    drua_value *tile;
    drua_leave(context);
    REQUIRE(drua_push(context, line, DRUA_UINT8, pixels, &image));
    REQUIRE(drua_enter(context));
    drua_view view = drua_value_view(drua_slot(context, image)->value);
    REQUIRE(drua_buffer_move_to_host(view.buffer));
    view.layout = drua_layout_dense((drua_shape){WIDTH, WIDTH, 2, 3}, DRUA_UINT8);
    REQUIRE(drua_send_from_host(engine, view, line, &tile));
    REQUIRE(drua_slot_new(context, tile, &sent));
    drua_leave(context);
    REQUIRE(drua_pull(context, sent, got));
    REQUIRE(drua_enter(context));
    ck_assert_mem_eq(got, pixels, PIXELS);
}
END_TEST

/* Declares an operation on an image, with the second half of the slices as its tile, and computes this tile. */
static void make_tile(const char *operation, drua_bound *bound, drua_image half, drua_value **results)
{
    drua_value *images[DRUA_PLAN_PARAMS] = {drua_slot(context, half)->value}, *whole;
    drua_shape shape = images[0]->shape;
    const int64_t depth = shape.depth;
    drua_declared *declared;
    drua_tile tile;
    shape.depth *= 2;
    ck_assert_ptr_nonnull(whole = drua_value_new(shape, images[0]->type));
    bound[0].value = whole;
    REQUIRE(drua_engine_declare(engine, drua_find_op(operation), bound, &declared));
    const drua_box wanted = {{0, 0, depth}, {shape.width, shape.height, shape.depth}};
    REQUIRE(drua_declared_tile(declared, &wanted, &tile));
    REQUIRE(drua_engine_call_declared(engine, declared, &tile, images, results));
    drua_declared_free(declared);
    drua_value_release(engine, whole);
}

static reference_image pull_value(drua_value *value)
{
    drua_image image;
    REQUIRE(drua_slot_new(context, value, &image));
    drua_leave(context);
    reference_image pixels = harness_pull(context, image);
    REQUIRE(drua_enter(context));
    return pixels;
}

/* Pixels depend on the number of their slice, so a tile must not reuse the pending work of a whole image. */
START_TEST(pending_work_keeps_its_place)
{
    enum { WIDTH = 3, DEPTH = 2 };
    static const float ones[WIDTH * DEPTH] = {1, 1, 1, 1, 1, 1};
    drua_image image;
    drua_value *results[DRUA_PLAN_PARAMS];
    drua_bound bound[DRUA_PLAN_PARAMS] = {[2] = {.is_set = true, .number = 2}};
    drua_leave(context);
    REQUIRE(drua_push(context, (drua_shape){WIDTH, 1, DEPTH, 3}, DRUA_FLOAT32, ones, &image));
    drua_argument whole[] = {IMAGE(image), NEW, NUMBER(2)};
    REQUIRE(drua_invoke(context, "multiply_image_and_coordinate", whole, 3, NULL));
    REQUIRE(drua_enter(context));
    make_tile("multiply_image_and_coordinate", bound, image, results);
    reference_image tile = pull_value(results[1]);
    drua_leave(context);
    reference_image all = harness_pull(context, whole[1].image);
    REQUIRE(drua_enter(context));
    for (int i = 0; i < WIDTH * DEPTH; i++) {
        ck_assert_double_eq(all.pixels[i], i / WIDTH);
        ck_assert_double_eq(tile.pixels[i], DEPTH + i / WIDTH);
    }
    reference_free(&tile);
    reference_free(&all);
}
END_TEST

START_TEST(copied_integers_keep_their_bits)
{
    static const uint32_t numbers[] = {16777217, 4294967295, 33554435, 5};
    drua_image image;
    drua_value *results[DRUA_PLAN_PARAMS];
    drua_bound bound[DRUA_PLAN_PARAMS] = {{0}};
    drua_leave(context);
    REQUIRE(drua_push(context, (drua_shape){2, 1, 2, 3}, DRUA_UINT32, numbers, &image));
    REQUIRE(drua_enter(context));
    make_tile("copy", bound, image, results);
    reference_image tile = pull_value(results[1]);
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq(tile.pixels[i], numbers[i]);
    reference_free(&tile);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("image_tiles");
    TCase *tiles = tcase_create("tiles");
    tcase_add_checked_fixture(tiles, open_context, close_context);
    tcase_add_test(tiles, planes_beyond_32_bits);
    tcase_add_test(tiles, pending_work_keeps_its_place);
    tcase_add_test(tiles, copied_integers_keep_their_bits);
    suite_add_tcase(suite, tiles);
    return harness_run(suite);
}

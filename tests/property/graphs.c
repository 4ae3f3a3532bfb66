/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests random graphs of pointwise operations over several images, with writes in place, other sizes and types,
 * releases and early pulls. A context that fuses operations and one that does not must give the same bits, and the
 * first one must launch fewer kernels. The same holds for a context that interprets chains and one that compiles a
 * kernel for each chain, and for graphs with filters, as on GPUs.
 */
#include "sides.h"

#include "registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_IMAGES = 10, MAX_STEPS = 40 };

static const drua_op *operations[256];
static int operation_count;
static bool with_filters;

/* Operations with a rule for the extent of their result may refuse inputs of different extents. */
static bool takes_any_extents(const drua_op *op)
{
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].shape)
            return false;
    return true;
}

static void find_pointwise(void)
{
    operation_count = 0;
    with_filters = false;
    for (const drua_op *const *op = drua_op_table; *op; op++)
        if ((*op)->expression && takes_any_extents(*op))
            operations[operation_count++] = *op;
}

/*
 * Selects few filters, because each compiles kernels. Filters and readers are as frequent as all other operations
 * together; views and drawing operations are rare.
 */
static void find_filters(void)
{
    static const char *const names[] = {"gaussian_blur",
                                        "mean_box",
                                        "median_box",
                                        "sobel",
                                        "top_hat_box",
                                        "maximum_sphere",
                                        "subtract_images",
                                        "add_image_and_scalar",
                                        "greater_constant",
                                        "multiply_images",
                                        "convert_uint8",
                                        "maximum_images",
                                        "flip",
                                        "draw_box",
                                        "sum_of_all_pixels",
                                        "maximum_of_all_pixels",
                                        "sum_x_projection",
                                        "connected_components_box"};
    operation_count = 0;
    with_filters = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        operations[operation_count++] = drua_find_op(names[i]);
}

static void open_compiled_side(void)
{
    find_pointwise();
    sides[0] = open_with("DRUA_CHAINS", "interpret");
    sides[1] = open_with("DRUA_CHAINS", "compile");
}

static void open_sides_with_filters(void)
{
    setenv("DRUA_AS_GPU", "1", 1);
    setenv("DRUA_CHAINS", "compile", 1);
    open_sides();
    find_filters();
}

typedef struct graph {
    harness_random chance;
    drua_image images[SIDES][MAX_IMAGES];
    int count;
    char story[8192];
} graph;

static void push_sources(graph *g)
{
    static const drua_shape shapes[] = {{37, 29, 1, 2}, {67, 23, 1, 2}, {37, 29, 1, 2}, {16, 9, 5, 3}};
    const drua_shape shape = shapes[harness_below(&g->chance, 4)];
    for (g->count = 0; g->count < 4; g->count++) {
        const drua_shape other = harness_below(&g->chance, 8)
                                     ? shape
                                     : (drua_shape){shape.width + 5, shape.height - 3, shape.depth, shape.dimension};
        reference_image image =
            harness_image(&g->chance, harness_types[harness_below(&g->chance, 7)], other,
                          with_filters || harness_below(&g->chance, 3) ? HARNESS_GREY : HARNESS_SPECIAL);
        for (int s = 0; s < SIDES; s++)
            g->images[s][g->count] = harness_push(sides[s], &image);
        reference_free(&image);
    }
}

static bool same_bits(drua_image a, drua_image b)
{
    drua_image_info info, other;
    REQUIRE(drua_get_info(sides[0], a, &info));
    REQUIRE(drua_get_info(sides[1], b, &other));
    ck_assert_uint_eq(info.bytes, other.bytes);
    ck_assert_int_eq(info.type, other.type);
    void *pixels[SIDES] = {reference_allocate(1, info.bytes), reference_allocate(1, info.bytes)};
    REQUIRE(drua_pull(sides[0], a, pixels[0]));
    REQUIRE(drua_pull(sides[1], b, pixels[1]));
    bool same = true;
    if (info.type == DRUA_FLOAT32)      /* all NaN count as equal */
        for (size_t i = 0; same && i < info.bytes / sizeof(float); i++) {
            const float *one = pixels[0], *other_one = pixels[1];
            same = isnan(one[i]) ? isnan(other_one[i]) : !memcmp(&one[i], &other_one[i], sizeof(float));
            if (!same)
                printf("pixel %zu is %a on one side, %a on the other\n", i, (double)one[i], (double)other_one[i]);
        }
    else
        same = !memcmp(pixels[0], pixels[1], info.bytes);
    free(pixels[0]);
    free(pixels[1]);
    return same;
}

static void drop_image(graph *g, int i)
{
    for (int s = 0; s < SIDES; s++) {
        REQUIRE(drua_release(sides[s], g->images[s][i]));
        g->images[s][i] = g->images[s][g->count - 1];
    }
    g->count--;
}

static void tell(graph *g, const char *what, int number)
{
    size_t length = strlen(g->story);
    snprintf(g->story + length, sizeof g->story - length, " %s %d", what, number);
}

static double random_number(graph *g, const drua_op *op, const drua_param *p)
{
    if (p->kind == DRUA_KIND_BOOLEAN)
        return harness_below(&g->chance, 2);
    if (with_filters && !op->expression)
        return harness_below(&g->chance, 3) / 2.0;
    return p->has_range ? p->minimum : harness_below(&g->chance, 40) / 4.0 - 3;
}

/* Runs one operation on both sides with random inputs; the destination is new, another image, or one of the inputs. */
static void apply(graph *g)
{
    const drua_op *op = operations[harness_below(&g->chance, operation_count)];
    int chosen[32];
    double numbers[32];
    const bool fresh = g->count < MAX_IMAGES && harness_below(&g->chance, 3);
    tell(g, op->name, fresh);
    for (size_t i = 0; i < op->param_count; i++) {
        chosen[i] = harness_below(&g->chance, g->count);
        numbers[i] = random_number(g, op, &op->params[i]);
        if (op->params[i].kind == DRUA_KIND_INTEGER)
            numbers[i] = trunc(numbers[i]);
    }
    int made = -1;
    double measured[SIDES] = {0};
    for (int s = 0; s < SIDES; s++) {
        drua_argument arguments[32];
        size_t out = 0;
        for (size_t i = 0; i < op->param_count; i++) {
            const drua_kind kind = op->params[i].kind;
            if (kind == DRUA_KIND_IMAGE_OUT)
                out = i;
            arguments[i] = (kind == DRUA_KIND_IMAGE_OUT && fresh) || kind == DRUA_KIND_NUMBER_OUT ? NEW
                           : drua_kind_is_image(kind)           ? IMAGE(g->images[s][chosen[i]])
                                                                : NUMBER(numbers[i]);
        }
        REQUIRE(drua_invoke(sides[s], op->name, arguments, op->param_count, NULL));
        if (op->params[out].kind == DRUA_KIND_IMAGE_OUT && fresh) {
            g->images[s][g->count] = arguments[out].image;
            made = g->count;
        }
        for (size_t i = 0; i < op->param_count; i++)
            if (op->params[i].kind == DRUA_KIND_NUMBER_OUT)
                measured[s] = arguments[i].number;
    }
    ck_assert_msg(measured[0] == measured[1] || (isnan(measured[0]) && isnan(measured[1])), "%.17g, %.17g:%s",
                  measured[0], measured[1], g->story);
    g->count += made >= 0;
}

static void run_graph(uint64_t seed)
{
    graph g = {.chance = {seed}};
    push_sources(&g);
    const int steps = 1 + harness_below(&g.chance, MAX_STEPS);
    for (int step = 0; step < steps; step++) {
        apply(&g);
        if (g.count > 3 && !harness_below(&g.chance, 5)) {
            tell(&g, "release", 0);
            drop_image(&g, harness_below(&g.chance, g.count));
        }
        if (with_filters && !harness_below(&g.chance, 8)) {
            tell(&g, "sync", 0);
            REQUIRE(drua_sync(sides[0]));
        }
        if (!harness_below(&g.chance, 12)) {
            const int i = harness_below(&g.chance, g.count);
            tell(&g, "pull", i);
            ck_assert_msg(same_bits(g.images[0][i], g.images[1][i]), "seed %llu:%s", (unsigned long long)seed, g.story);
        }
    }
    while (g.count > 0) {
        const int i = harness_below(&g.chance, g.count);
        ck_assert_msg(same_bits(g.images[0][i], g.images[1][i]), "seed %llu, image %d:%s", (unsigned long long)seed, i,
                      g.story);
        drop_image(&g, i);
    }
}

static void run_graphs(uint64_t seed, int count)
{
    find_pointwise();
    open_sides();
    for (int i = 0; i < count; i++)
        if (harness_is_sampled(i))
            run_graph(seed + (uint64_t)i);
    const drua_statistics fused = statistics_of(sides[0]), single = statistics_of(sides[1]);
    printf("%d graphs: %llu launches fused, %llu one by one\n", count, (unsigned long long)fused.launches,
           (unsigned long long)single.launches);
    ck_assert_uint_eq(fused.calls, single.calls);
    ck_assert_uint_lt(fused.launches, single.launches);
    ck_assert_uint_gt(fused.chained_steps, fused.chains);
    ck_assert_uint_eq(single.chained_steps, single.chains);
    close_sides();
}

static void compile_graphs(uint64_t seed, int count)
{
    open_compiled_side();
    for (int i = 0; i < count; i++)
        if (harness_is_sampled(i))
            run_graph(seed + (uint64_t)i);
    const drua_statistics interpreted = statistics_of(sides[0]), compiled = statistics_of(sides[1]);
    printf("%d graphs: %llu chains, %llu by separate kernels\n", count, (unsigned long long)compiled.chains,
           (unsigned long long)compiled.compiled_chains);
    ck_assert_uint_eq(interpreted.compiled_chains, 0);
    ck_assert_uint_eq(interpreted.launches, compiled.launches);
    ck_assert_uint_eq(compiled.compiled_chains, compiled.chains);
    close_sides();
}

/* Runs graphs until one of them saves launches, which must happen soon; a short graph may have nothing to fuse. */
static void run_graphs_with_filters(uint64_t seed, int count)
{
    enum { SOON = 200 };
    drua_statistics fused = {0}, single = {0};
    open_sides_with_filters();
    for (int i = 0; i < count || (fused.launches >= single.launches && i < SOON); i++) {
        if (harness_is_sampled(i))
            run_graph(seed + (uint64_t)i);
        fused = statistics_of(sides[0]);
        single = statistics_of(sides[1]);
    }
    printf("at least %d graphs with filters: %llu launches fused, %llu one by one\n", count,
           (unsigned long long)fused.launches, (unsigned long long)single.launches);
    ck_assert_uint_eq(fused.calls, single.calls);
    ck_assert_uint_lt(fused.launches, single.launches);
    close_sides();
    unsetenv("DRUA_AS_GPU");
    unsetenv("DRUA_CHAINS");
}

START_TEST(fixed_graphs_with_filters)
{
    run_graphs_with_filters(2000, 6);
}
END_TEST

START_TEST(new_graphs_with_filters)
{
    run_graphs_with_filters(harness_new_seed("property_graphs_with_filters"), 6);
}
END_TEST

START_TEST(fixed_graphs_compiled)
{
    compile_graphs(1000, 6);
}
END_TEST

START_TEST(new_graphs_compiled)
{
    compile_graphs(harness_new_seed("property_graphs_compiled"), 6);
}
END_TEST

START_TEST(fixed_graphs)
{
    run_graphs(1, 150);
}
END_TEST

START_TEST(new_graphs)
{
    run_graphs(harness_new_seed("property_graphs"), 50);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("graphs");
    TCase *tests = tcase_create("graphs"), *filters = tcase_create("filters");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, fixed_graphs);
    tcase_add_test(tests, new_graphs);
    tcase_add_test(tests, fixed_graphs_compiled);
    tcase_add_test(tests, new_graphs_compiled);
    suite_add_tcase(suite, tests);
    tcase_set_timeout(filters, 600);
    if (harness_sample() ==
        1) /* the fixed graphs have few filters and still need some dozen launches, so a sample runs only new graphs */
        tcase_add_test(filters, fixed_graphs_with_filters);
    tcase_add_test(filters, new_graphs_with_filters);
    suite_add_tcase(suite, filters);
    return harness_run(suite);
}

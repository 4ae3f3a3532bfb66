/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random graphs of pointwise operations over several images, with writes in place, other sizes and types, releases and
 * early pulls: a context that fuses and one that does not must give the same bits, and the first must send fewer kernels;
 * so must one that interprets chains and one that compiles a kernel for each, and, as on GPUs, with filters among them.
 */
#include "harness.h"

#include "registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_IMAGES = 10, MOST_STEPS = 40, SIDES = 2 };

static drua_context *sides[SIDES];      /* fused, one by one */
static const drua_op *operations[256];
static int operation_count;
static bool with_filters;

static void find_pointwise(void)
{
    operation_count = 0;
    with_filters = false;
    for (const drua_op *const *op = drua_op_table; *op; op++)
        if ((*op)->expression)
            operations[operation_count++] = *op;
}

/* Few, for each compiles kernels; filters as often as all others together. */
static void find_filters(void)
{
    static const char *const names[] = {"gaussian_blur", "mean_box", "median_box", "sobel", "top_hat_box", "maximum_sphere", "subtract_images",
                                        "add_image_and_scalar", "greater_constant", "multiply_images", "convert_uint8", "maximum_images"};
    operation_count = 0;
    with_filters = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        operations[operation_count++] = drua_find_op(names[i]);
}

static drua_context *open_with(const char *name, const char *value)
{
    setenv(name, value, 1);
    drua_context *context = harness_open();
    unsetenv(name);
    return context;
}

static void open_sides(void)
{
    find_pointwise();
    sides[0] = open_with("DRUA_FUSE", "1");
    sides[1] = open_with("DRUA_FUSE", "0");
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

static void close_sides(void)
{
    for (int s = 0; s < SIDES; s++)
        drua_close(sides[s]);
}

typedef struct graph {
    harness_random chance;
    drua_image images[SIDES][MOST_IMAGES];
    int count;
    char story[8192];
} graph;

static void push_sources(graph *g)
{
    static const drua_shape shapes[] = {{37, 29, 1, 2}, {37, 29, 1, 2}, {37, 29, 1, 2}, {16, 9, 5, 3}};
    const drua_shape shape = shapes[harness_below(&g->chance, 4)];
    for (g->count = 0; g->count < 4; g->count++) {
        const drua_shape other = harness_below(&g->chance, 8) ? shape : (drua_shape){shape.width + 5, shape.height - 3, shape.depth, shape.dimension};
        reference_image image = harness_image(&g->chance, harness_types[harness_below(&g->chance, 7)], other,
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
    if (info.type == DRUA_FLOAT32)      /* any NaN is as good as another */
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

static void drop(graph *g, int i)
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

/* One operation on both sides: random inputs, destination new, one of the images, or an input itself. */
static void apply(graph *g)
{
    const drua_op *op = operations[harness_below(&g->chance, operation_count)];
    int chosen[32];
    double numbers[32];
    const bool fresh = g->count < MOST_IMAGES && harness_below(&g->chance, 3);
    tell(g, op->name, fresh);
    for (size_t i = 0; i < op->param_count; i++) {
        chosen[i] = harness_below(&g->chance, g->count);
        numbers[i] = with_filters && !op->expression  ? harness_below(&g->chance, 3) / 2.0
                     : op->params[i].has_range        ? op->params[i].minimum
                                                      : harness_below(&g->chance, 40) / 4.0 - 3;
    }
    int made = -1;
    for (int s = 0; s < SIDES; s++) {
        drua_argument arguments[32];
        size_t out = 0;
        for (size_t i = 0; i < op->param_count; i++) {
            const drua_kind kind = op->params[i].kind;
            if (kind == DRUA_KIND_IMAGE_OUT)
                out = i;
            arguments[i] = kind == DRUA_KIND_IMAGE_OUT && fresh ? NEW
                           : drua_kind_is_image(kind)           ? IMAGE(g->images[s][chosen[i]])
                                                                : NUMBER(numbers[i]);
        }
        REQUIRE(drua_invoke(sides[s], op->name, arguments, op->param_count, NULL));
        if (op->params[out].kind == DRUA_KIND_IMAGE_OUT && fresh) {
            g->images[s][g->count] = arguments[out].image;
            made = g->count;
        }
    }
    g->count += made >= 0;
}

static void run_graph(uint64_t seed)
{
    graph g = {.chance = {seed}};
    push_sources(&g);
    const int steps = 1 + harness_below(&g.chance, MOST_STEPS);
    for (int step = 0; step < steps; step++) {
        apply(&g);
        if (g.count > 3 && !harness_below(&g.chance, 5)) {
            tell(&g, "release", 0);
            drop(&g, harness_below(&g.chance, g.count));
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
        ck_assert_msg(same_bits(g.images[0][i], g.images[1][i]), "seed %llu, image %d:%s", (unsigned long long)seed, i, g.story);
        drop(&g, i);
    }
}

static drua_statistics statistics_of(drua_context *context)
{
    drua_statistics statistics;
    drua_get_statistics(context, &statistics);
    return statistics;
}

static void run_graphs(uint64_t seed, int count)
{
    open_sides();
    for (int i = 0; i < count; i++)
        run_graph(seed + (uint64_t)i);
    const drua_statistics fused = statistics_of(sides[0]), single = statistics_of(sides[1]);
    printf("%d graphs: %llu launches fused, %llu one by one\n", count, (unsigned long long)fused.launches, (unsigned long long)single.launches);
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
        run_graph(seed + (uint64_t)i);
    const drua_statistics interpreted = statistics_of(sides[0]), compiled = statistics_of(sides[1]);
    printf("%d graphs: %llu chains, %llu by kernels of their own\n", count, (unsigned long long)compiled.chains,
           (unsigned long long)compiled.compiled_chains);
    ck_assert_uint_eq(interpreted.compiled_chains, 0);
    ck_assert_uint_eq(interpreted.launches, compiled.launches);
    ck_assert_uint_eq(compiled.compiled_chains, compiled.chains);
    close_sides();
}

static void run_graphs_with_filters(uint64_t seed, int count)
{
    open_sides_with_filters();
    for (int i = 0; i < count; i++)
        run_graph(seed + (uint64_t)i);
    const drua_statistics fused = statistics_of(sides[0]), single = statistics_of(sides[1]);
    printf("%d graphs with filters: %llu launches fused, %llu one by one\n", count, (unsigned long long)fused.launches,
           (unsigned long long)single.launches);
    ck_assert_uint_eq(fused.calls, single.calls);
    ck_assert_uint_lt(fused.launches, single.launches);
    close_sides();
    unsetenv("DRUA_AS_GPU");
    unsetenv("DRUA_CHAINS");
}

START_TEST(fixed_graphs_with_filters)
{
    run_graphs_with_filters(2000, 5);
}
END_TEST

START_TEST(new_graphs_with_filters)
{
    run_graphs_with_filters(harness_new_seed("property_graphs_with_filters"), 2);
}
END_TEST

START_TEST(fixed_graphs_compiled)
{
    compile_graphs(1000, 6);
}
END_TEST

START_TEST(new_graphs_compiled)
{
    compile_graphs(harness_new_seed("property_graphs_compiled"), 2);
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

/* A straight chain is one launch, and its middle can still be asked for. */
START_TEST(chain_is_one_launch)
{
    open_sides();
    drua_context *context = sides[0];
    const float numbers[] = {1, 2, 3};
    drua_image at = harness_line(context, numbers, 3), middle = 0;
    const uint64_t before = statistics_of(context).launches;
    for (int i = 0; i < 20; i++) {
        drua_argument add[] = {IMAGE(at), NEW, NUMBER(1)};
        REQUIRE(drua_invoke(context, "add_image_and_scalar", add, 3, NULL));
        at = add[1].image;
        if (i == 9)
            middle = at;
    }
    ck_assert_double_eq(harness_first(context, at), 21);
    ck_assert_uint_eq(statistics_of(context).launches, before + 1);
    ck_assert_double_eq(harness_first(context, middle), 11);
    close_sides();
}
END_TEST

/* Each image is the one before added to itself: as a tree this has 2^30 leaves. */
START_TEST(shared_work_is_done_once)
{
    open_sides();
    for (int s = 0; s < SIDES; s++) {
        const float number = 1;
        drua_image at = harness_line(sides[s], &number, 1);
        for (int i = 0; i < 30; i++) {
            drua_argument add[] = {IMAGE(at), IMAGE(at), NEW};
            REQUIRE(drua_invoke(sides[s], "add_images", add, 3, NULL));
            REQUIRE(drua_release(sides[s], at));
            at = add[2].image;
        }
        ck_assert_double_eq(harness_first(sides[s], at), ldexp(1, 30));
    }
    close_sides();
}
END_TEST

/* -0.3 in an integer image is 0, not -0, also where the image stays in a register. */
START_TEST(integers_have_no_negative_zero)
{
    open_sides();
    for (int s = 0; s < SIDES; s++) {
        const float number = -0.3f;
        const drua_image source = harness_line(sides[s], &number, 1);
        drua_image whole = 0;
        REQUIRE(drua_create(sides[s], reference_plane(1, 1), DRUA_INT16, &whole));
        REQUIRE(INVOKE(sides[s], "add_image_and_scalar", IMAGE(source), IMAGE(whole), NUMBER(0)));
        drua_argument divide[] = {IMAGE(whole), NEW, NUMBER(1)};
        REQUIRE(drua_invoke(sides[s], "divide_scalar_by_image", divide, 3, NULL));
        ck_assert_double_eq(harness_first(sides[s], divide[1].image), INFINITY);
    }
    close_sides();
}
END_TEST

/* Long programs of unread images neither pile up nor are they computed at the end. */
START_TEST(window_is_bounded)
{
    open_sides();
    drua_context *context = sides[0];
    const float number = 1;
    drua_image source = harness_line(context, &number, 1);
    for (int i = 0; i < 1000; i++) {
        drua_argument add[] = {IMAGE(source), NEW, NUMBER(i)};
        REQUIRE(drua_invoke(context, "add_image_and_scalar", add, 3, NULL));
        REQUIRE(drua_release(context, add[1].image));
    }
    ck_assert_uint_eq(statistics_of(context).launches, 0);
    drua_image kept[300];
    for (int i = 0; i < 300; i++) {
        drua_argument add[] = {IMAGE(source), NEW, NUMBER(i)};
        REQUIRE(drua_invoke(context, "add_image_and_scalar", add, 3, NULL));
        kept[i] = add[1].image;
    }
    ck_assert_uint_gt(statistics_of(context).launches, 200);
    for (int i = 299; i >= 0; i--)
        ck_assert_double_eq(harness_first(context, kept[i]), i + 1);
    close_sides();
}
END_TEST

static drua_image applied(drua_context *context, const char *operation, drua_image source, double number)
{
    drua_argument arguments[] = {IMAGE(source), NEW, NUMBER(number)};
    REQUIRE(drua_invoke(context, operation, arguments, 3, NULL));
    return arguments[1].image;
}

/* The same call on the same image is computed once, also through two views of it. */
START_TEST(equal_work_is_done_once)
{
    open_sides();
    drua_context *context = sides[0];
    const float numbers[] = {1, 2, 3, 4};
    const drua_image source = harness_line(context, numbers, 4);
    const uint64_t before = statistics_of(context).launches;
    const drua_image one = applied(context, "add_image_and_scalar", source, 1), two = applied(context, "add_image_and_scalar", source, 1);
    REQUIRE(INVOKE(context, "set", IMAGE(two), NUMBER(9)));
    REQUIRE(drua_sync(context));
    ck_assert_double_eq(harness_first(context, one), 2);
    ck_assert_double_eq(harness_first(context, two), 9);
    const drua_image again = applied(context, "maximum_image_and_scalar", one, 0), twice = applied(context, "maximum_image_and_scalar", one, 0);
    const uint64_t steps = statistics_of(context).chained_steps;
    REQUIRE(INVOKE(context, "add_images", IMAGE(again), IMAGE(twice), IMAGE(again)));
    ck_assert_double_eq(harness_first(context, again), 4);
    ck_assert_uint_eq(statistics_of(context).chained_steps, steps + 2);
    ck_assert_uint_le(statistics_of(context).launches, before + 3);
    close_sides();
}
END_TEST

/* What is made of the same image, and what lies on the way, leaves one launch when all is sent. */
START_TEST(results_share_a_launch)
{
    open_sides();
    drua_context *context = sides[0];
    const float numbers[] = {1, 2, 3, 4};
    const drua_image source = harness_line(context, numbers, 4);
    const uint64_t before = statistics_of(context).launches;
    const drua_image sum = applied(context, "add_image_and_scalar", source, 1);
    const drua_image product = applied(context, "multiply_image_and_scalar", source, 10);
    const drua_image both = applied(context, "multiply_image_and_scalar", sum, 3);
    REQUIRE(drua_sync(context));
    ck_assert_uint_eq(statistics_of(context).launches, before + 1);
    ck_assert_double_eq(harness_first(context, sum), 2);
    ck_assert_double_eq(harness_first(context, product), 10);
    ck_assert_double_eq(harness_first(context, both), 6);
    ck_assert_uint_eq(statistics_of(context).launches, before + 1);
    ck_assert_ptr_nonnull(strstr(drua_explain(context), "3 steps in 1 launch as one line, 1 read, 3 written, interpreted (first time)"));
    close_sides();
}
END_TEST

static drua_image joined(drua_context *context, const char *operation, drua_image a, drua_image b)
{
    drua_argument arguments[] = {IMAGE(a), IMAGE(b), NEW};
    REQUIRE(drua_invoke(context, operation, arguments, 3, NULL));
    return arguments[2].image;
}

/* A weighted mean reads more images than one launch: while all unsent work goes out, one of its inputs brings it along. */
START_TEST(large_chain_goes_out_with_its_inputs)
{
    enum { IMAGES = 4 };
    open_sides();
    drua_context *context = sides[0];
    const float numbers[] = {1, 2, 3, 4, 5};
    const drua_image source = harness_line(context, numbers, 5);
    drua_image sum = 0, weights = 0;
    for (int i = 0; i < IMAGES; i++) {
        const float weight[] = {(float)i + 1, 2, 3, 4, 5};
        const drua_image w = harness_line(context, weight, 5), product = joined(context, "multiply_images", source, w);
        sum = sum ? joined(context, "add_images", sum, product) : product;
        weights = weights ? joined(context, "add_images", weights, w) : w;
    }
    const drua_image mean = joined(context, "divide_images", sum, applied(context, "add_image_and_scalar", weights, 0));
    const drua_image result = applied(context, "power", mean, 1);
    REQUIRE(drua_sync(context));
    ck_assert_double_eq(harness_first(context, result), 1);
    ck_assert_double_eq(harness_first(context, sum), 10);
    close_sides();
}
END_TEST

/* A chain that comes back is compiled by a thread while the interpreter serves, and gives the same bits. */
START_TEST(chain_is_compiled_in_the_background)
{
    enum { TRIES = 3000 };
    const struct timespec pause = {0, 20000000};
    find_pointwise();
    drua_context *context = open_with("DRUA_TUNE", "off");
    drua_image source;
    REQUIRE(drua_create(context, reference_plane(1024, 1024), DRUA_UINT8, &source));
    int i = 0;
    for (; i < TRIES && statistics_of(context).compiled_chains == 0; i++) {
        const drua_image first = applied(context, "add_image_and_scalar", source, i % 200), last = applied(context, "multiply_image_and_scalar", first, 1);
        ck_assert_double_eq(harness_first(context, last), i % 200);
        if (i == 0)
            ck_assert_ptr_nonnull(strstr(drua_explain(context), "interpreted (first time)"));
        REQUIRE(drua_release(context, first));
        REQUIRE(drua_release(context, last));
        nanosleep(&pause, NULL);
    }
    printf("compiled after %d runs\n", i);
    ck_assert_int_gt(i, 2);
    ck_assert_int_lt(i, TRIES);
    ck_assert_ptr_nonnull(strstr(drua_explain(context), "compiled"));
    drua_close(context);
}
END_TEST

static int run_until_chosen(drua_context *context, drua_image source)
{
    enum { TRIES = 3000 };
    const struct timespec pause = {0, 20000000};
    int i = 0;
    for (bool chosen = false; i < TRIES && !chosen; i++) {
        const drua_image made = applied(context, "multiply_image_and_scalar", source, i % 20);
        ck_assert_double_eq(harness_first(context, made), i % 20);
        REQUIRE(drua_release(context, made));
        const char *text = drua_explain(context), *last = text;
        for (const char *line = strstr(text, "\n"); line && line[1]; line = strstr(line + 1, "\n"))
            last = line + 1;
        chosen = strstr(last, "compiled, ") || strstr(last, "timed as faster");
        nanosleep(&pause, NULL);
    }
    return i;
}

/* Each variant is timed five times; the choice is kept, and the next context begins with it. */
START_TEST(variants_are_timed)
{
    enum { TIMED = 10 };
    char folder[] = "/tmp/drua_tuning_XXXXXX", command[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("DRUA_TUNE", "on", 1);
    for (int round = 0; round < 2; round++) {
        drua_context *context = open_with("DRUA_CACHE", folder);
        drua_image source;
        REQUIRE(drua_create(context, reference_plane(1024, 1024), DRUA_UINT16, &source));
        REQUIRE(INVOKE(context, "set", IMAGE(source), NUMBER(1)));
        REQUIRE(drua_sync(context));
        const int runs = run_until_chosen(context, source);
        printf("chosen after %d runs\n", runs);
        if (round == 0)
            ck_assert_int_gt(runs, TIMED);
        else
            ck_assert_ptr_null(strstr(drua_explain(context), "while variants are timed"));
        drua_close(context);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* A filter that chooses among kernels has the same bits with each of them. */
START_TEST(filters_are_timed)
{
    enum { WIDTH = 200, HEIGHT = 160, DEPTH = 40, CALLS = 12 };
    static float first[WIDTH * HEIGHT], again[WIDTH * HEIGHT];
    ck_assert_int_eq(setenv("DRUA_TUNE", "on", 1), 0);
    ck_assert_int_eq(setenv("DRUA_CACHE", "off", 1), 0);
    drua_context *context = harness_open();
    harness_random chance = {7};
    reference_image stack = harness_image(&chance, DRUA_FLOAT32, (drua_shape){WIDTH, HEIGHT, DEPTH, 3}, HARNESS_GREY);
    const drua_image source = harness_push(context, &stack);
    for (int i = 0; i < CALLS; i++) {
        drua_argument arguments[] = {IMAGE(source), NEW};
        REQUIRE(drua_invoke(context, "median_z_projection", arguments, 2, NULL));
        REQUIRE(drua_pull(context, arguments[1].image, i ? again : first));
        ck_assert(!i || !memcmp(first, again, sizeof first));
        REQUIRE(drua_release(context, arguments[1].image));
    }
    reference_free(&stack);
    drua_close(context);
}
END_TEST

START_TEST(context_closes_while_it_compiles)
{
    drua_context *context = harness_open();
    drua_image source;
    REQUIRE(drua_create(context, reference_plane(1024, 1024), DRUA_UINT16, &source));
    for (int i = 0; i < 3; i++) {
        const drua_image made = applied(context, "subtract_image_from_scalar", source, i);
        ck_assert_double_eq(harness_first(context, made), i);
        REQUIRE(drua_release(context, made));
    }
    drua_close(context);
}
END_TEST

/* Vector libraries may compute all lanes in the way that the largest needs; a pixel's bits must not depend on its neighbours. */
START_TEST(neighbours_do_not_matter)
{
    enum { COUNT = 64 };
    if (getenv("DRUA_AS_GPU"))      /* a processor with the kernels of GPUs, which have no such library */
        return;
    static const char *const functions[] = {"sine", "cosine", "exponential", "logarithm"};
    open_sides();
    float alone[COUNT], beside[COUNT];
    for (int i = 0; i < COUNT; i++) {
        alone[i] = ldexpf(1 + (float)i / COUNT, i % 25);
        beside[i] = i % 4 == 3 ? 3e7f : alone[i];
    }
    for (int f = 0; f < 4; f++) {
        drua_argument one[] = {IMAGE(harness_line(sides[0], alone, COUNT)), NEW}, other[] = {IMAGE(harness_line(sides[0], beside, COUNT)), NEW};
        REQUIRE(drua_invoke(sides[0], functions[f], one, 2, NULL));
        REQUIRE(drua_invoke(sides[0], functions[f], other, 2, NULL));
        float a[COUNT], b[COUNT];
        REQUIRE(drua_pull(sides[0], one[1].image, a));
        REQUIRE(drua_pull(sides[0], other[1].image, b));
        for (int i = 0; i < COUNT; i++)
            ck_assert_msg(i % 4 == 3 || !memcmp(&a[i], &b[i], sizeof *a), "%s of %a", functions[f], (double)alone[i]);
    }
    close_sides();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("graphs");
    TCase *tests = tcase_create("graphs");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, chain_is_one_launch);
    tcase_add_test(tests, shared_work_is_done_once);
    tcase_add_test(tests, integers_have_no_negative_zero);
    tcase_add_test(tests, window_is_bounded);
    tcase_add_test(tests, equal_work_is_done_once);
    tcase_add_test(tests, results_share_a_launch);
    tcase_add_test(tests, large_chain_goes_out_with_its_inputs);
    tcase_add_test(tests, chain_is_compiled_in_the_background);
    tcase_add_test(tests, variants_are_timed);
    tcase_add_test(tests, filters_are_timed);
    tcase_add_test(tests, context_closes_while_it_compiles);
    tcase_add_test(tests, neighbours_do_not_matter);
    tcase_add_test(tests, fixed_graphs);
    tcase_add_test(tests, new_graphs);
    tcase_add_test(tests, fixed_graphs_compiled);
    tcase_add_test(tests, new_graphs_compiled);
    suite_add_tcase(suite, tests);
    TCase *filters = tcase_create("filters");
    tcase_set_timeout(filters, 600);
    tcase_add_test(filters, fixed_graphs_with_filters);
    tcase_add_test(filters, new_graphs_with_filters);
    suite_add_tcase(suite, filters);
    return harness_run(suite);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests kernels written by users: they must give the same numbers as plain C for all types and views. Also tests the
 * messages about errors.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drua_context *context;

static void open_context(void)
{
    context = harness_open();
}

static void close_context(void)
{
    drua_close(context);
}

#define CUSTOM(code, functions, ...) INVOKE(context, "custom_operation", NAME(code), NAME(functions), LIST(__VA_ARGS__))
#define AT(image) "POS_" image "_INSTANCE(x, y, z, 0)"

/* ---- numbers */

typedef struct sample {
    reference_image pixels;
    drua_image image;
} sample;

/* A random image, possibly a part of a larger image or a mirrored view. */
static sample random_sample(harness_random *chance, drua_type type, drua_shape shape)
{
    enum { WHOLE, PART, FLIPPED };
    sample s = {.pixels = harness_image(chance, type, shape, HARNESS_GREY)};
    const int how = harness_below(chance, 3);
    s.image = harness_push(context, &s.pixels);
    if (how == WHOLE)
        return s;
    drua_argument part[] = {IMAGE(s.image),
                            NEW,
                            NUMBER(1),
                            NUMBER(0),
                            NUMBER(0),
                            NUMBER((double)shape.width - 1),
                            NUMBER((double)shape.height),
                            NUMBER((double)shape.depth)};
    drua_argument flip[] = {IMAGE(s.image), NEW, NUMBER(1), NUMBER(0), NUMBER(0)};
    drua_argument *arguments = how == PART ? part : flip;
    REQUIRE(drua_invoke(context, how == PART ? "crop" : "flip", arguments, how == PART ? 8 : 5, NULL));
    REQUIRE(drua_release(context, s.image));
    s.image = arguments[1].image;
    reference_free(&s.pixels);
    s.pixels = harness_pull(context, s.image);
    return s;
}

static void free_sample(sample *s)
{
    REQUIRE(drua_release(context, s->image));
    reference_free(&s->pixels);
}

static void compare_image(const reference_image *expected, drua_image image, const char *what)
{
    reference_image got = harness_pull(context, image);
    ck_assert_uint_eq(reference_count(expected), reference_count(&got));
    for (size_t i = 0; i < reference_count(expected); i++)
        ck_assert_msg(got.pixels[i] == expected->pixels[i], "%s, type %d: pixel %zu is %g, expected %g", what,
                      (int)expected->type, i, got.pixels[i], expected->pixels[i]);
    reference_free(&got);
}

static void check_numbers(harness_random *chance, drua_type type_a, drua_type type_b, drua_type type_c, bool stack)
{
    const int64_t width = 4 + harness_below(chance, 40), height = 2 + harness_below(chance, 12);
    const drua_shape shape =
        stack ? reference_stack(width, height, 1 + harness_below(chance, 4)) : reference_plane(width, height);
    sample a = random_sample(chance, type_a, shape), b = random_sample(chance, type_b, shape),
           c = random_sample(chance, type_c, shape);
    reference_image expected = reference_duplicate(&c.pixels);
    REFERENCE_EACH_PIXEL(c.pixels.shape, x, y, z)
        if (x % 3 != 2)
            reference_put(&expected, x, y, z,
                          reference_store(type_c, 0.5 * reference_at(&a.pixels, x + 2, y - 1, z + 1) -
                                                      reference_at(&b.pixels, x, y, z) + 0.25 +
                                                      (double)(x + 10 * y - z)));
    REQUIRE(CUSTOM("if (x % 3 == 2) return;\n"
                   "float one = READ_IMAGE(a, sampler, POS_a_INSTANCE(x + 2, y - 1, z + 1, 0)).x;\n"
                   "const POS_b_TYPE at = " AT("b") ";\n"
                   "float value = combine(one, READ_b_IMAGE(b, sampler, at).x) + x + 10 * y - z;\n"
                   "IMAGE_out_PIXEL_TYPE stored = CONVERT_out_PIXEL_TYPE(value);\n"
                   "WRITE_IMAGE(out, " AT("out") ", stored);",
                   "float combine(float one, float other)\n{\n    return 0.5f * one - other + 0.25f;\n}",
                   NAME("a"), IMAGE(a.image), NAME("b"), IMAGE(b.image), NAME("out"), IMAGE(c.image)));
    compare_image(&expected, c.image, "result");
    compare_image(&a.pixels, a.image, "first source");
    compare_image(&b.pixels, b.image, "second source");
    reference_free(&expected);
    free_sample(&a);
    free_sample(&b);
    free_sample(&c);
}

START_TEST(numbers)
{
    harness_random chance = {harness_new_seed("custom")};
    open_context();
    for (int a = 0; harness_types[a]; a++)
        for (int stack = 0; stack < 2; stack++)
            if (harness_is_sampled(2 * a + stack))
                check_numbers(&chance, harness_types[a], harness_types[(a + 3 + stack) % 7],
                              harness_types[(a + 5 * stack) % 7], stack);
    close_context();
}
END_TEST

static drua_image push_line(drua_type type, int64_t width, double first, double step)
{
    reference_image line = reference_make(type, reference_plane(width, 1));
    for (int64_t x = 0; x < width; x++)
        reference_put(&line, x, 0, 0, first + step * (double)x);
    drua_image image = harness_push(context, &line);
    reference_free(&line);
    return image;
}

static double pixel_at(drua_image image, size_t at)
{
    reference_image pixels = harness_pull(context, image);
    const double value = pixels.pixels[at];
    reference_free(&pixels);
    return value;
}

/*
 * Values read have the image's own type: integers divide and shift as integers, and differences of bytes can be
 * negative.
 */
START_TEST(types_of_what_is_read)
{
    open_context();
    drua_image bytes = push_line(DRUA_UINT8, 4, 3, 1), made = push_line(DRUA_FLOAT32, 4, 0, 0);
    REQUIRE(CUSTOM("IMAGE_b_PIXEL_TYPE v = READ_IMAGE(b, sampler, " AT("b") ").x; WRITE_IMAGE(f, " AT(
                       "f") ", v / 2 + 100 * (v - 5) + (v >> 1 & 1) * 0.5f);",
                   "", NAME("b"), IMAGE(bytes), NAME("f"), IMAGE(made)));
    ck_assert_double_eq(pixel_at(made, 0), 1 - 200 + 0.5);
    ck_assert_double_eq(pixel_at(made, 3), 3 + 100 + 0.5);
    drua_image large = push_line(DRUA_UINT32, 2, 4294967294.0, 1), next = push_line(DRUA_UINT32, 2, 0, 0);
    REQUIRE(CUSTOM("WRITE_IMAGE(n, " AT("n") ", CONVERT_n_PIXEL_TYPE(READ_IMAGE(u, sampler, " AT("u") ").x - 1u));", "",
                   NAME("u"), IMAGE(large), NAME("n"), IMAGE(next)));
    ck_assert_double_eq(pixel_at(next, 0), 4294967293.0);
    REQUIRE(CUSTOM(
        "WRITE_IMAGE(b, " AT("b") ", CONVERT_b_PIXEL_TYPE(x == 0 ? NAN : x == 1 ? 300.7f : x == 2 ? -4.0f : 7.9f));",
        "", NAME("b"), IMAGE(bytes)));
    ck_assert(pixel_at(bytes, 0) == 0 && pixel_at(bytes, 1) == 255 && pixel_at(bytes, 2) == 0 &&
              pixel_at(bytes, 3) == 7);
    close_context();
}
END_TEST

/* Extents are constants, also inside functions, and pointers work as in CLIJ2's kernels. */
START_TEST(what_functions_see)
{
    open_context();
    drua_image source = push_line(DRUA_FLOAT32, 70, 0, 2), made = push_line(DRUA_FLOAT32, 70, 0, 0);
    REQUIRE(CUSTOM("WRITE_IMAGE(made, " AT("made") ", mean(source, x) + source[(x + 1) % GET_IMAGE_WIDTH(source)] + "
                                                   "get_global_size(0) * 1000 + MAX_ARRAY_SIZE);",
                   "#define HALF 0.5f\nfloat mean(global float *source, int x)\n{\n"
                   "    return HALF * (READ_IMAGE(source, sampler, POS_source_INSTANCE(x - 1, 0, 0, 0)).x + "
                   "READ_IMAGE(source, sampler, POS_source_INSTANCE(x + 1, 0, 0, 0)).x);\n}",
                   NAME("source"), IMAGE(source), NAME("made"), IMAGE(made)));
    ck_assert_double_eq(pixel_at(made, 0), 1 + 2 + 70000 + 1000);
    ck_assert_double_eq(pixel_at(made, 5), 10 + 12 + 70000 + 1000);
    ck_assert_double_eq(pixel_at(made, 69), 137 + 0 + 70000 + 1000);
    drua_image longer = push_line(DRUA_FLOAT32, 90, 0, 0);
    REQUIRE(CUSTOM("float all[GET_IMAGE_WIDTH(line)]; all[x] = x; WRITE_IMAGE(line, " AT(
                       "line") ", all[x] + GET_IMAGE_WIDTH(line));",
                   "", NAME("line"), IMAGE(longer)));
    REQUIRE(CUSTOM("float all[GET_IMAGE_WIDTH(line)]; all[x] = x; WRITE_IMAGE(line, " AT(
                       "line") ", all[x] + GET_IMAGE_WIDTH(line));",
                   "", NAME("line"), IMAGE(made)));
    ck_assert(pixel_at(longer, 89) == 89 + 90 && pixel_at(made, 69) == 69 + 70);
    close_context();
}
END_TEST

/* With images of several extents, the code runs over the one that Java's HashMap lists last (checked with Java 17). */
START_TEST(over_which_image)
{
    static const struct { const char *names[17], *last;
    } sets[] = {{{"src", "dst"}, "src"},
                {{"a", "b"}, "b"},
                {{"input", "output"}, "input"},
                {{"image", "result"}, "image"},
                {{"image1", "image2"}, "image2"},
                {{"source", "mask", "destination"}, "mask"},
                {{"original", "background", "result"}, "background"},
                {{"labels", "intensity", "map", "q"}, "labels"},
                {{"q", "a"}, "a"},
                {{"A", "Q", "a"}, "a"},
                {{"a", "Q", "A"}, "A"},
                {{"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9", "n10", "n11", "n12", "n13"}, "n13"},
                {{"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11"}, "p10"}};
    open_context();
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        if (!harness_is_sampled((int)s))
            continue;
        drua_argument entries[36], arguments[3] = {[1] = NAME("")};
        size_t count = 0, last = 0;
        char code[2000] = "";
        for (; sets[s].names[count]; count++) {
            const char *name = sets[s].names[count];
            entries[2 * count] = NAME(name);
            entries[2 * count + 1] = IMAGE(push_line(DRUA_FLOAT32, 20 + (int64_t)count, 0, 0));
            last = strcmp(name, sets[s].last) ? last : count;
            snprintf(code + strlen(code), sizeof code - strlen(code),
                     "WRITE_IMAGE(%s, POS_%s_INSTANCE(x - y, 0, 0, 0), 1);\n", name, name);
        }
        arguments[0] = NAME(code);
        arguments[2] = (drua_argument){.kind = DRUA_ARG_LIST, .list = entries, .length = 2 * count};
        REQUIRE(drua_invoke(context, "custom_operation", arguments, 3, NULL));
        reference_image widest = harness_pull(context, entries[2 * count - 1].image);
        double ones = 0;
        for (size_t i = 0; i < reference_count(&widest); i++)
            ones += widest.pixels[i];
        reference_free(&widest);
        ck_assert_msg(ones == 20 + (double)last, "set %zu runs over %g pixels, expected %zu", s, ones, 20 + last);
        REQUIRE(drua_clear(context));
    }
    close_context();
}
END_TEST

/* ---- images that share memory, or are the same */

START_TEST(images_that_are_one)
{
    open_context();
    drua_image line = push_line(DRUA_INT16, 6, 10, 1);
    REQUIRE(CUSTOM("WRITE_IMAGE(to, " AT("to") ", READ_IMAGE(from, sampler, " AT("from") ").x * 2);", "", NAME("from"),
                   IMAGE(line), NAME("to"), IMAGE(line)));
    ck_assert(pixel_at(line, 0) == 20 && pixel_at(line, 5) == 30);
    drua_argument copy[] = {IMAGE(line), NEW};
    REQUIRE(drua_invoke(context, "copy", copy, 2, NULL));
    drua_argument sum[] = {IMAGE(line), NEW, NUMBER(1)};
    REQUIRE(drua_invoke(context, "add_image_and_scalar", sum, 3, NULL));
    REQUIRE(CUSTOM("WRITE_IMAGE(a, " AT("a") ", -1);", "", NAME("a"), IMAGE(line)));
    ck_assert_double_eq(pixel_at(line, 3), -1);
    ck_assert_double_eq(pixel_at(copy[1].image, 3), 26);
    ck_assert_double_eq(pixel_at(sum[1].image, 3), 27);
    close_context();
}
END_TEST

static uint64_t launches(void)
{
    drua_statistics s;
    drua_get_statistics(context, &s);
    return s.launches;
}

/* An image that is only read is not copied, even if other images share its memory. */
START_TEST(images_that_are_only_read)
{
    static const char *const reads[] = {
        "WRITE_IMAGE(b, " AT("b") ", READ_IMAGE(a, sampler, " AT("a") ").x + GET_IMAGE_WIDTH ( a ));",
        "WRITE_IMAGE(b, " AT("b") ", READ_a_IMAGE( a, sampler, " AT("a") ").x); int aa = 0, a_ = aa;"};
    static const char *const may_write[] = {"WRITE_IMAGE(b, " AT("b") ", a[0]);", "WRITE_a_IMAGE(a, " AT("a") ", 1);",
                                            "WRITE_IMAGE(a, " AT("a") ", 1);",
                                            "#define WRITE WRITE_IMAGE\nWRITE(a, " AT("a") ", 1);"};
    open_context();
    drua_image line = push_line(DRUA_FLOAT32, 6, 10, 1), other = push_line(DRUA_FLOAT32, 6, 0, 0);
    drua_argument copy[] = {IMAGE(line), NEW};
    REQUIRE(drua_invoke(context, "copy", copy, 2, NULL));
    for (size_t i = 0; i < 2; i++) {
        const uint64_t before = launches();
        REQUIRE(CUSTOM(reads[i], "", NAME("a"), IMAGE(line), NAME("b"), IMAGE(other)));
        ck_assert_msg(launches() == before + 1, "%s", reads[i]);
    }
    ck_assert_double_eq(pixel_at(other, 5), 15);
    for (size_t i = 0; i < sizeof may_write / sizeof *may_write; i++) {
        drua_argument again[] = {IMAGE(copy[1].image), NEW};
        REQUIRE(drua_invoke(context, "copy", again, 2, NULL));
        const double before = pixel_at(copy[1].image, 2);
        REQUIRE(CUSTOM(may_write[i], "", NAME("a"), IMAGE(again[1].image), NAME("b"), IMAGE(other)));
        ck_assert_double_eq(pixel_at(copy[1].image, 2), before);
        ck_assert_double_eq(pixel_at(again[1].image, 2), i ? 1 : before);
    }
    close_context();
}
END_TEST

/* A part of an image, whose rows have gaps, is read and written in place unless the code uses linear pixel indices. */
START_TEST(images_with_gaps)
{
    static const struct { const char *code; bool copies; } ways[] = {
        {"WRITE_IMAGE(to, " AT("to") ", READ_IMAGE(from, sampler, " AT("from") ").x + 1);", false},
        {"WRITE_IMAGE(to, " AT("to") ", from[x + GET_IMAGE_WIDTH(from) * y] + 1);", true}};
    harness_random chance = {12};
    open_context();
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        reference_image whole = harness_image(&chance, DRUA_FLOAT32, reference_plane(30, 7), HARNESS_GREY);
        const drua_image image = harness_push(context, &whole);
        drua_argument part[] = {IMAGE(image), NEW, NUMBER(5), NUMBER(2), NUMBER(0), NUMBER(11), NUMBER(4), NUMBER(1)};
        REQUIRE(drua_invoke(context, "crop", part, 8, NULL));
        drua_image to;
        REQUIRE(drua_create(context, reference_plane(11, 4), DRUA_FLOAT32, &to));
        REQUIRE(drua_sync(context));
        const uint64_t before = launches();
        REQUIRE(CUSTOM(ways[k].code, "", NAME("from"), IMAGE(part[1].image), NAME("to"), IMAGE(to)));
        ck_assert_int_eq(launches() - before > 1, ways[k].copies);
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 11; x++)
                ck_assert_double_eq(pixel_at(to, x + 11 * y), reference_at(&whole, x + 5, y + 2, 0) + 1);
        reference_free(&whole);
    }
    close_context();
}
END_TEST

START_TEST(two_images)
{
    open_context();
    drua_image one = push_line(DRUA_UINT8, 5, 100, 1), other = push_line(DRUA_UINT8, 7, 0, 0);
    REQUIRE(INVOKE(context, "custom_binary_operation", IMAGE(one), IMAGE(other),
                   NAME("const int x = get_global_id(0);\nWRITE_IMAGE(image2, (int2)(x + 1, 0), READ_IMAGE(image1, "
                        "sampler, (int2)(x, 0)).x - 50);")));
    ck_assert(pixel_at(other, 0) == 0 && pixel_at(other, 1) == 50 && pixel_at(other, 5) == 54 &&
              pixel_at(other, 6) == 0);
    REQUIRE(INVOKE(context, "custom_binary_operation", IMAGE(one), IMAGE(one),
                   NAME("int2 at = (int2)(get_global_id(0), get_global_id(1)); WRITE_IMAGE(image2, at, "
                        "READ_IMAGE(image1, sampler, at).x + 1);")));
    ck_assert(pixel_at(one, 0) == 101 && pixel_at(one, 4) == 105);
    close_context();
}
END_TEST

/* ---- errors */

START_TEST(words_of_work_groups)
{
    open_context();
    drua_image a = push_line(DRUA_FLOAT32, 4, 1, 1);
    const char *const groups[] = {"barrier",        "work_group_barrier", "local",
                                  "__local",        "get_local_id",       "get_local_linear_id",
                                  "get_local_size", "get_group_id",       "get_num_groups"};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        char code[80];
        snprintf(code, sizeof code, "/* barrier */ int v = %s(0); // local", groups[i]);
        REFUSED(DRUA_E_ARGUMENT, CUSTOM(code, "", NAME("a"), IMAGE(a)), "operation_code uses ", groups[i], "chooses");
        REFUSED(DRUA_E_ARGUMENT, CUSTOM("", code, NAME("a"), IMAGE(a)), "global_code uses ", groups[i], "chooses");
    }
    REQUIRE(CUSTOM("/* barrier */ int my_local = 1; // get_group_id(0)", "// local", NAME("a"), IMAGE(a)));
    REQUIRE(CUSTOM("int barrier = 1; // a \\\n local", "constant char text[] = \"a \\\" local\", quote = '\"';",
                   NAME("a"), IMAGE(a)));
    REFUSED(DRUA_E_ARGUMENT, CUSTOM("char quote = '\"'; barrier (CLK_GLOBAL_MEM_FENCE);", "", NAME("a"), IMAGE(a)),
            "operation_code uses barrier");
    close_context();
}
END_TEST

START_TEST(refusals)
{
    open_context();
    drua_image a = push_line(DRUA_FLOAT32, 4, 1, 1), b = push_line(DRUA_FLOAT32, 4, 5, 1);
    const struct { const char *code, *functions, *words[3];
    } wrong[] = {{"float v = 1;\n\nv = valu;", "", {"operation_code", "line 3", "'valu'"}},
                 {"WRITE_IMAGE(a, " AT("a") ", halved(3));",
                  "float halved(float v)\n{\n    return v / ;\n}",
                  {"global_code", "line 3", "expression"}},
                 {"float v = 1;\n}", "", {"operation_code", "line 4", "a_brace_too_many"}},
                 {"} kernel void other(global float *b) {", "", {"operation_code", "a_brace_too_many", ""}},
                 {"} void other(void) { int v = 1;", "", {"operation_code", "a_brace_too_many", ""}},
                 {"if (x > 1) {", "", {"operation_code", "line", "}"}},
                 {"/* no end", "", {"operation_code", "line 1", "comment"}},
                 {"", "/* no end", {"global_code", "line 1", "comment"}},
                 {"x = 1;", "", {"operation_code", "line 1", "const"}},
                 {"c[0] = 1;", "", {"operation_code", "line 1", "'c'"}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REFUSED(DRUA_E_ARGUMENT, CUSTOM(wrong[i].code, wrong[i].functions, NAME("a"), IMAGE(a), NAME("b"), IMAGE(b)),
                "custom_operation: ", "does not compile", wrong[i].words[0], wrong[i].words[1], wrong[i].words[2]);
    REFUSED(DRUA_E_ARGUMENT, CUSTOM("", "", NAME("x"), IMAGE(a)), "image_parameters", "'x'", "position");
    REFUSED(DRUA_E_ARGUMENT, CUSTOM("", "", NAME("my image"), IMAGE(a)), "image_parameters", "'my image'", "letter");
    REFUSED(DRUA_E_ARGUMENT, CUSTOM("", "", NAME("2nd"), IMAGE(a)), "'2nd'");
    REFUSED(DRUA_E_ARGUMENT, CUSTOM("", "", NAME(""), IMAGE(a)), "''");
    REFUSED(DRUA_E_ARGUMENT, CUSTOM("float v = 1;", "", NAME(""), IMAGE(a)), "''");
    REFUSED(DRUA_E_ARGUMENT, CUSTOM("", "", NAME("\xc3\xa4"), IMAGE(a)), "letter");
    REFUSED(DRUA_E_ARGUMENT, CUSTOM("", "", NAME("a"), IMAGE(a), NAME("b")), "image_parameters", "3 elements",
            "alternate");
    REFUSED(DRUA_E_ARGUMENT, CUSTOM("", "", NAME("a"), IMAGE(a), NAME("a"), IMAGE(b)), "two images", "'a'");
    REFUSED(DRUA_E_ARGUMENT, CUSTOM("", "", IMAGE(a), NAME("a")), "element 0", "name");
    REFUSED(DRUA_E_ARGUMENT, CUSTOM("", "", NAME("a"), NUMBER(3)), "element 1", "image");
    REFUSED(DRUA_E_NAME, CUSTOM("", "", NAME("a"), NAME("nothing")), "image_parameters", "'nothing'");
    REFUSED(DRUA_E_NAME, CUSTOM("", "", NAME("a"), IMAGE(4711)), "image_parameters", "released");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "custom_operation", NAME(""), NAME(""), NEW), "image_parameters",
            "missing");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "custom_operation", NAME(""), NAME(""), NAME("a")), "image_parameters",
            "array that alternates names", "string");
    REFUSED(
        DRUA_E_ARGUMENT,
        INVOKE(context, "custom_operation", NAME(""), NAME(""), ((drua_argument){.kind = DRUA_ARG_LIST, .length = 0})),
        "0 elements");
    REFUSED(
        DRUA_E_ARGUMENT,
        INVOKE(context, "custom_operation", NAME(""), NAME(""), ((drua_argument){.kind = DRUA_ARG_LIST, .length = 2})),
        "image_parameters");
    drua_argument many[34];
    char names[17][8];
    for (int i = 0; i < 17; i++) {
        snprintf(names[i], sizeof names[i], "n%d", i);
        many[2 * i] = NAME(names[i]);
        many[2 * i + 1] = IMAGE(push_line(DRUA_UINT8, 1, 0, 0));
    }
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "custom_operation", NAME(""), NAME(""),
                   ((drua_argument){.kind = DRUA_ARG_LIST, .list = many, .length = 34})),
            "17", "16");
    REQUIRE(INVOKE(context, "custom_operation", NAME(""), NAME(""),
                   ((drua_argument){.kind = DRUA_ARG_LIST, .list = many, .length = 32})));
    ck_assert(pixel_at(a, 3) == 4 && pixel_at(b, 3) == 8);
    close_context();
}
END_TEST

/* Each text is compiled once for all extents; other names or other code make another text. */
START_TEST(compiled_once)
{
    open_context();
    drua_statistics before, after;
    REQUIRE(CUSTOM("WRITE_IMAGE(a, " AT("a") ", x);", "", NAME("a"), IMAGE(push_line(DRUA_FLOAT32, 3, 0, 0))));
    drua_get_statistics(context, &before);
    for (int i = 1; i < 5; i++)
        REQUIRE(CUSTOM("WRITE_IMAGE(a, " AT("a") ", x);", "", NAME("a"), IMAGE(push_line(DRUA_FLOAT32, 3 * i, 0, 0))));
    drua_get_statistics(context, &after);
    ck_assert_uint_eq(before.programs_built, after.programs_built);
    REQUIRE(CUSTOM("WRITE_IMAGE(a, " AT("a") ", x);", "", NAME("a"), IMAGE(push_line(DRUA_UINT8, 3, 0, 0))));
    drua_get_statistics(context, &after);
    ck_assert_uint_eq(before.programs_built + 1, after.programs_built);
    for (int i = 0; i < 40; i++) { /* more kernels than the cache holds */
        char code[100];
        snprintf(code, sizeof code, "WRITE_IMAGE(a, " AT("a") ", %d);", i);
        drua_image line = push_line(DRUA_FLOAT32, 3, 0, 0);
        REQUIRE(CUSTOM(code, "", NAME("a"), IMAGE(line)));
        ck_assert_double_eq(pixel_at(line, 2), i);
        REQUIRE(drua_release(context, line));
    }
    close_context();
}
END_TEST

/*
 * Images that do not all fit in memory are uploaded when a call reads them. A call whose own images do not fit is
 * refused and changes nothing.
 */
START_TEST(little_memory)
{
    enum { WIDTH = 1 << 20, IMAGES = 8 };
    open_context();
    REQUIRE(drua_set_memory(context, "16MB"));
    drua_image images[IMAGES];
    for (int i = 0; i < IMAGES; i++)
        images[i] = push_line(DRUA_FLOAT32, WIDTH, i, 1);
    for (int i = 0; i < IMAGES; i++)
        REQUIRE(CUSTOM("WRITE_IMAGE(b, " AT("b") ", READ_IMAGE(a, sampler, " AT("a") ").x + READ_IMAGE(b, sampler, " AT(
                           "b") ").x);",
                       "", NAME("a"), IMAGE(images[(i + 3) % IMAGES]), NAME("b"), IMAGE(images[i])));
    double expected[IMAGES];
    for (int i = 0; i < IMAGES; i++)
        expected[i] = i + 5;
    for (int i = 0; i < IMAGES; i++)
        expected[i] += expected[(i + 3) % IMAGES];
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq(pixel_at(images[i], 5), expected[i]);
    REFUSED(DRUA_E_MEMORY,
            CUSTOM("WRITE_IMAGE(a, " AT("a") ", b[0] + c[0] + d[0] + e[0]);", "", NAME("a"), IMAGE(images[0]),
                   NAME("b"), IMAGE(images[1]), NAME("c"), IMAGE(images[2]), NAME("d"), IMAGE(images[3]), NAME("e"),
                   IMAGE(images[4])),
            "custom_operation");
    ck_assert_double_eq(pixel_at(images[0], 5), expected[0]);
    close_context();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("custom");
    TCase *tests = tcase_create("custom");
    tcase_add_test(tests, numbers);
    tcase_add_test(tests, types_of_what_is_read);
    tcase_add_test(tests, what_functions_see);
    tcase_add_test(tests, over_which_image);
    tcase_add_test(tests, images_that_are_one);
    tcase_add_test(tests, images_that_are_only_read);
    tcase_add_test(tests, images_with_gaps);
    tcase_add_test(tests, two_images);
    tcase_add_test(tests, words_of_work_groups);
    tcase_add_test(tests, refusals);
    harness_add(tests, compiled_once, 1);
    tcase_add_test(tests, little_memory);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

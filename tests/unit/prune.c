/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the text of a program after functions that no kernel calls are removed. */
#include "harness.h"

#include "internal.h"

#include <stdio.h>
#include <string.h>

#define PRELUDE                                                                                                        \
    "/* unused() in a comment calls nothing. */\n"                                                                     \
    "#define LOAD(i) load_float(i)\n"                                                                                  \
    "#define LONG_ONE(i)   \\\n"                                                                                       \
    "    through_lines(i) + \\\n"                                                                                      \
    "    1\n"                                                                                                          \
    "#define NEVER(i) only_in_a_macro(i)\n"                                                                            \
    "#define OF(type) read_##type(0)\n"                                                                                \
    "typedef struct { int a; } pair;\n"                                                                                \
    "constant int table[2] = {1, 2};\n"                                                                                \
    "inline float load_float(int i)\n{\n    return saved(i);\n}\n"                                                     \
    "inline float saved(int i)\n{\n    if (i) {\n        i++;\n    }\n    return i;\n}\n"                              \
    "inline int through_lines(int i)\n{\n    return i;\n}\n"                                                           \
    "inline int only_in_a_macro(int i)\n{\n    return i;\n}\n"                                                         \
    "inline int read_uchar(int i)\n{\n    return i;\n}\n"                                                              \
    "__attribute__((noinline)) int with_attribute(int i)\n{\n    return i;\n}\n"                                       \
    "inline int over_lines(int i,\n    int j)\n{\n    return i + j;\n}\n"                                              \
    "#if A\ninline int twice(int i)\n{\n    return i;\n}\n"                                                            \
    "#else\ninline int twice(int i)\n{\n    return -i;\n}\n#endif\n"                                                   \
    "inline int unused(int i)\n{\n    return unused_too(i);\n}\n"                                                      \
    "inline int unused_too(int i)\n{\n    return i;\n}\n"

/* Whether the text contains a definition after the functions that these kernels do not call are removed. */
static bool has(const char *kernels, const char *definition)
{
    static char text[8192];
    snprintf(text, sizeof text, "%s%s", PRELUDE, kernels);
    drua_prune(text);
    ck_assert_ptr_nonnull(strstr(text, kernels));
    return strstr(text, definition) != NULL;
}

START_TEST(what_is_called_stays)
{
    static const struct {
        const char *call, *definition;
    } cases[] = {{"LOAD(1)", "load_float(int"},
                 {"LOAD(1)", "saved(int"},
                 {"load_float(1)", "saved(int"},
                 {"LONG_ONE(1)", "through_lines(int"},
                 {"NEVER(1)", "only_in_a_macro(int"},
                 {"OF(uchar)", "read_uchar(int"},
                 {"with_attribute(1)", "with_attribute(int"},
                 {"over_lines(1, 2)", "over_lines(int"},
                 {"twice(1)", "    return -i;"},
                 {"twice(1)", "    return i;"}};
    char kernel[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(kernel, sizeof kernel, "kernel void f(global int *a)\n{\n    a[0] = %s;\n}\n", cases[i].call);
        ck_assert_msg(has(kernel, cases[i].definition), "%s needs %s", cases[i].call, cases[i].definition);
    }
}
END_TEST

START_TEST(what_is_not_called_goes)
{
    static const char *const gone[] = {"load_float(int",      "saved(int",          "through_lines(int",
                                       "only_in_a_macro(int", "with_attribute(int", "over_lines(int",
                                       "unused(int",          "unused_too(int",     "inline int twice"};
    static const char kernel[] =
        "kernel void f(global int *a)\n{\n    /* saved(1) */ a[0] = table[1]; // unused(1)\n}\n";
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        ck_assert_msg(!has(kernel, gone[i]), "%s is left", gone[i]);
    static const char *const left[] = {"#define LOAD", "#define NEVER", "typedef struct { int a; } pair;",
                                       "constant int table[2]"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        ck_assert_msg(has(kernel, left[i]), "%s is gone", left[i]);
}
END_TEST

START_TEST(texts_of_another_form_stay_as_they_are)
{
    static const char *const texts[] = {
        "",
        "\n",
        "#define A",
        "#define A \\",
        "/* never ends",
        "inline int f(",
        "inline int f(int i)\n{\n no end",
        "f(1)\ng(2)\n",
        "int a = f(1);\n",
        "inline int f(int i) { return i; }\nkernel void k(global int *a)\n{\n    a[0] = f(1);\n}\n"};
    char text[512];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        snprintf(text, sizeof text, "%s", texts[i]);
        drua_prune(text);
        ck_assert_str_eq(text, texts[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("texts of programs");
    TCase *tcase = tcase_create("prune");
    tcase_add_test(tcase, what_is_called_stays);
    tcase_add_test(tcase, what_is_not_called_goes);
    tcase_add_test(tcase, texts_of_another_form_stay_as_they_are);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}

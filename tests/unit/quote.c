/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests titles that are quoted for the languages that the C code generates. A shell and a JSON parser read them here;
 * java/test/QuoteTest.java runs the same macro expressions in ImageJ. Also tests names of files.
 */
#include "alloc.h"
#include "file_name.h"
#include "graph.h"
#undef NUMBER /* the macro for operations replaces that of harness.h */
#include "harness.h"
#include "imagej_file.h"
#include "json.h"
#include "quote.h"
#include "script.h"
#include "utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[HARNESS_FOLDER], ran[64];

/* Parts of titles; %s is a file that exists if the title was executed. */
static const char *const pieces[] = {"\n;exec('touch', '%s');//",
                                     "\";exec(\"touch\", \"%s\");//",
                                     "\\",
                                     "\\\"",
                                     "$(touch %s)",
                                     "`touch %s`",
                                     "'; touch %s; '",
                                     "; touch %s #",
                                     "*/",
                                     "//",
                                     "%%d%%n",
                                     "\r\n",
                                     "\t",
                                     "\x01\x7f",
                                     "\xC2\xB5m \xC3\xA4",
                                     "\xE6\x97\xA5",
                                     "\xF0\x9F\x98\x80",
                                     "\"\"\"",
                                     "'''",
                                     "[a]",
                                     "=1+1",
                                     "<b>&amp;",
                                     "\\u00b5",
                                     "\\n",
                                     " ",
                                     "x"};
enum { PIECES = sizeof pieces / sizeof *pieces, TITLES = PIECES + 200, LIMIT = 40000 };

static char *titles[TITLES + 4];
static int count;

static void add_title(const char *text)
{
    titles[count++] = strcpy(malloc(strlen(text) + 1), text);
}

static void set_up(void)
{
    char all[LIMIT] = "";
    harness_random random = {harness_new_seed("titles")};
    harness_make_folder(folder);
    snprintf(ran, sizeof ran, "%s/ran", folder);
    for (int i = 0; i < TITLES; i++) {
        size_t length = 0;
        const int parts = i < PIECES ? 1 : 1 + i % 6;
        for (int part = 0; part < parts; part++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            length += (size_t)snprintf(all + length, sizeof all - length,
                                       pieces[i < PIECES ? i : harness_below(&random, PIECES)], ran);
#pragma GCC diagnostic pop
        }
        add_title(all);
    }
    add_title("");
    memset(all, 'x', 10000);
    all[10000] = 0;
    add_title(all);
    for (int i = 0; i < 10000; i++)
        memcpy(all + 4 * i, "\xF0\x9F\x98\x80", 4);
    all[39996] = 0;
    add_title(all);
    for (int i = 0; i < 9999; i++)
        memcpy(all + 3 * i, i % 2 ? "\"\\\n" : "\xC2\xB5'", 3);
    all[29997] = 0;
    add_title(all);
}

static void tear_down(void)
{
    ck_assert_msg(access(ran, F_OK), "a title has run");
    while (count)
        free(titles[--count]);
    rmdir(folder);
}

/* Writes a text to a file in the test's folder. */
static const char *written(const char *name, const drua_text *text)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text->characters, 1, text->length, file), text->length);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

START_TEST(shell_reads_titles)
{
    drua_text lines = {0};
    char command[200], *read = malloc(LIMIT);
    for (int i = 0; i < count; i++) {
        drua_text_add(&lines, "printf '%%s\\000' ");
        drua_text_add_shell(&lines, titles[i]);
        drua_text_add(&lines, "\n");
    }
    snprintf(command, sizeof command, "sh '%s'", written("all.sh", &lines));
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    for (int i = 0; i < count; i++) {
        size_t length = 0;
        for (int c; (c = getc(pipe)) > 0;)
            read[length++] = (char)c;
        read[length] = 0;
        ck_assert_str_eq(read, titles[i]);
    }
    ck_assert_int_eq(getc(pipe), EOF);
    ck_assert_int_eq(pclose(pipe), 0);
    unlink(written("all.sh", &lines));
    drua_text_free(&lines);
    free(read);
}
END_TEST

START_TEST(json_reads_titles)
{
    drua_text text = {0};
    drua_json *json;
    drua_text_add(&text, "{\"titles\": [");
    for (int i = 0; i < count; i++) {
        drua_text_add(&text, i ? ", " : "");
        drua_text_add_json(&text, titles[i]);
    }
    drua_text_add(&text, ", ");
    drua_text_add_json(&text, "\xC3( \xED\xA0\x80 \xF0\x9F");
    drua_text_add(&text, "]}");
    REQUIRE(drua_json_read(written("all.json", &text), &json));
    const drua_json *read = drua_json_get(json, "titles");
    for (int i = 0; i < count; i++)
        ck_assert_str_eq(drua_json_text(drua_json_at(read, i)), titles[i]);
    ck_assert_str_eq(drua_json_text(drua_json_at(read, count)),
                     "\xEF\xBF\xBD( \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD");
    drua_json_free(json);
    unlink(written("all.json", &text));
    drua_text_free(&text);
}
END_TEST

static char *macro_of(const char *title)
{
    drua_text text = {0};
    drua_text_add_macro(&text, title, strlen(title));
    return text.characters;
}

/* The expressions that java/test/QuoteTest.java expects from Java and evaluates in ImageJ. */
START_TEST(macro_expressions)
{
    static const char *const expected[][2] = {
        {"", "\"\""},
        {"a \"b\" \\ 'c'\n\t", "\"a \\\"b\\\" \\\\ 'c'\\n\\t\""},
        {"\xC2\xB5m", "fromCharCode(181) + \"m\""},
        {"5 \xC2\xB5\xC3\xA4", "\"5 \" + fromCharCode(181, 228)"},
        {"\r\xF0\x9F\x98\x80 ", "fromCharCode(13, 55357, 56832) + \" \""},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char *made = macro_of(expected[i][0]);
        ck_assert_str_eq(made, expected[i][1]);
        drua_free(made);
    }
}
END_TEST

/* Pipelines by blocks parse titles as ImageJ does. */
START_TEST(pipelines_read_titles)
{
    for (int i = 0; i < count; i++) {
        char *expression = macro_of(titles[i]);
        drua_text text = {0};
        script s;
        drua_text_add(&text, "a = %s;\nExt.Drua_push(a, %s);", expression, expression);
        REQUIRE(script_parse(drua_text_characters(&text), &s));
        ck_assert_uint_eq(s.count, 1);
        ck_assert_uint_eq(s.calls[0].count, 2);
        ck_assert_str_eq(s.calls[0].arguments[0].text, titles[i]);
        ck_assert_str_eq(s.calls[0].arguments[1].text, titles[i]);
        script_free(&s);
        drua_text_free(&text);
        drua_free(expression);
    }
}
END_TEST

START_TEST(escapes_of_pipelines)
{
    static const struct {
        const char *expression, *expected; /* NULL: refused */
    } cases[] = {{"\"a\\tb\\\\n\\101\\265\\u00b5\\x\"", "a\tb\\nA\xC2\xB5u00b5x"},
                 {"'it\"s' + \"'\"", "it\"s'"},
                 {"fromCharCode (55357) + fromCharCode(56832)", "\xF0\x9F\x98\x80"},
                 {"fromCharCode(55357) + \"x\"", "\xEF\xBF\xBDx"},
                 {"\"a\\0b\"", NULL},
                 {"fromCharCode(0)", NULL},
                 {"fromCharCode(65536)", NULL},
                 {"fromCharCode()", NULL},
                 {"\"a\" + 1", "a1"},
                 {"\"a\" + (2 - 3) * 4 + \"b\"", "a-4b"},
                 {"1 + 2 + \"a\"", "3a"},
                 {"\"a\" + 7 % 4 / 3", "a1"},
                 {"\"a\" + 0.5", NULL},
                 {"\"a\" - 1", NULL},
                 {"\"a\" + 1 / 0", NULL},
                 {"b + 1", NULL},
                 {"(\"a\"", NULL},
                 {"\"a\" + b", NULL},
                 {"\"a\nb\"", NULL},
                 {"\"a", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        script s;
        snprintf(text, sizeof text, "Ext.Drua_push(%s);", cases[i].expression);
        const drua_status status = script_parse(text, &s);
        ck_assert_msg((status == DRUA_OK) == (cases[i].expected != NULL), "%s", cases[i].expression);
        if (status == DRUA_OK)
            ck_assert_str_eq(s.calls[0].arguments[0].text, cases[i].expected);
        script_free(&s);
    }
}
END_TEST

/* Loops run while the pipeline is read, and each round adds its commands. */
START_TEST(loops_of_pipelines)
{
    static const struct {
        const char *text, *expected; /* first arguments of all commands; NULL: refused */
    } cases[] = {{"n = 3; for (c = 1; c <= n; c++) { Ext.Drua_push(\"c\" + c); }", "c1 c2 c3 "},
                 {"for (i = 4; i > 0; i -= 2) Ext.Drua_push(\"i\" + i); Ext.Drua_push(\"end\" + i);", "i4 i2 end0 "},
                 {"for (var i = 0; i < 0; i++) { Ext.Drua_push(\"} ;\"); // }\n } Ext.Drua_push(\"end\");", "end "},
                 {"for (t=1;t<3;t=t+1) { for (c=1;c!=3;c++) { name = \"t\" + t + \"c\" + c; Ext.Drua_push(name); } }",
                  "t1c1 t1c2 t2c1 t2c2 "},
                 {"name = \"sum\"; for (c = 2; c >= 1; c--) name = name + c;\nExt.Drua_push(name);", "sum21 "},
                 {"for (c = 1; c == 1; ) { Ext.Drua_push(\"a\"); }", NULL},
                 {"for (c = 1; c == 1; c = 1) { x = 2; }", NULL},
                 {"for (c = 1; c; c++) { Ext.Drua_push(\"a\"); }", NULL},
                 {"for (c = 1; c < n; c++) { Ext.Drua_push(\"a\"); }", NULL},
                 {"for (c = 1; c < 2; c++) { Ext.Drua_push(\"a\");", NULL},
                 {"for (c = 1; c < 2; d++) { Ext.Drua_push(\"a\"); }", NULL},
                 {"while (true) { Ext.Drua_push(\"a\"); }", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drua_text made = {0};
        script s;
        const drua_status status = script_parse(cases[i].text, &s);
        ck_assert_msg((status == DRUA_OK) == (cases[i].expected != NULL), "%s: %s", cases[i].text, drua_error_text());
        for (size_t k = 0; k < s.count; k++)
            drua_text_add(&made, "%s ", s.calls[k].arguments[0].text);
        if (status == DRUA_OK)
            ck_assert_str_eq(drua_text_characters(&made), cases[i].expected);
        else
            ck_assert_ptr_nonnull(strstr(drua_error_text(), "line 1 of the pipeline: "));
        drua_text_free(&made);
        script_free(&s);
    }
}
END_TEST

/* An operation with settings is a single call, whatever its settings contain. */
START_TEST(settings_stay_settings)
{
    char *macro;
    script s;
    REQUIRE(
        graph_macro_of("deconvolve psf='a\";\nExt.Drua_write(input, \"x\"); \\ \xC2\xB5.tif' iterations=2", &macro));
    REQUIRE(script_parse(macro, &s));
    ck_assert_uint_eq(s.count, 4);
    ck_assert_str_eq(s.calls[1].name, "Drua_read");
    ck_assert_str_eq(s.calls[1].arguments[0].text, "a\";\nExt.Drua_write(input, \"x\"); \\ \xC2\xB5.tif");
    ck_assert_str_eq(s.calls[2].name, "Drua_deconvolve");
    script_free(&s);
    drua_free(macro);
    static const char *const refused[] = {"gaussian_blur sigma_x='2);Ext.Drua_pull(input'", "gaussian_blur sigma_x=b",
                                          "gaussian_blur sigma_x=''", "gaussian_blur sigma_x=2,3"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ck_assert_msg(graph_macro_of(refused[i], &macro) == DRUA_E_ARGUMENT, "%s", refused[i]);
        ck_assert_ptr_nonnull(strstr(drua_error_text(), "sigma_x must be a number"));
    }
}
END_TEST

START_TEST(repeated_settings)
{
    static const char *const repeated[] = {"gaussian_blur sigma_x=1 sigma_y=2 sigma_x=1",
                                           "deconvolve psf=a.tif psf=b.tif", "deconvolve psf=a.tif tv=0.1 tv=0.2"};
    for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++) {
        char *macro;
        ck_assert_msg(graph_macro_of(repeated[i], &macro) == DRUA_E_ARGUMENT, "%s", repeated[i]);
        ck_assert_ptr_nonnull(strstr(drua_error_text(), "is given twice"));
    }
}
END_TEST

START_TEST(properties_and_labels)
{
    drua_text text = {0}, read = {0};
    drua_text_add_property(&text, " \xC2\xB5\\n \xF0\x9F\x98\x80");
    ck_assert_str_eq(drua_text_characters(&text), "\\u0020\\u00B5\\u005Cn \\uD83D\\uDE00");
    drua_imagej about;
    char description[200];
    snprintf(description, sizeof description, "ImageJ=1.54p\nunit=%s\n", drua_text_characters(&text));
    drua_imagej_parse(&about, description);
    ck_assert_str_eq(about.unit, " \xC2\xB5\\n \xF0\x9F\x98\x80");
    unsigned char *blocks;
    uint32_t *sizes, entries, length;
    REQUIRE(drua_imagej_blocks("labels=\xF0\x9F\x98\x80 a\t\xC2\xB5\n", 2, &blocks, &sizes, &entries, &length));
    drua_imagej_describe_blocks(&(drua_imagej_file_blocks){sizes, entries, blocks, length},
                                &(drua_imagej_pages){.step = 1, .count = 2, .channels = 1}, false, &read);
    ck_assert_str_eq(drua_text_characters(&read), "labels=\xF0\x9F\x98\x80 a\t\xC2\xB5\n");
    drua_free(blocks);
    drua_free(sizes);
    drua_text_free(&read);
    drua_text_free(&text);
}
END_TEST

/* ImageJ's decoder reads these numbers in the byte order of the file, which is little-endian in Drua's files. */
START_TEST(colours_of_channels)
{
    static const char TEXT[] = "channels=2\nslices=1\nframes=1\nlabels=a\tb\nome={\"omero\":{\"channels\":["
                               "{\"color\":\"FF8000\",\"window\":{\"start\":2,\"end\":3}},"
                               "{\"color\":\"0000FF\",\"window\":{\"start\":-1,\"end\":1}}]}}\n",
                      HEAD[] = "JIJI"
                               "lbal\2\0\0\0"
                               "gnar\1\0\0\0"
                               "stul\2\0\0\0"
                               "a\0b\0"
                               "\0\0\0\0\0\0\0\x40"
                               "\0\0\0\0\0\0\x08\x40"
                               "\0\0\0\0\0\0\xF0\xBF"
                               "\0\0\0\0\0\0\xF0\x3F",
                      DUE[] = "ome={\"omero\":{\"channels\":["
                              "{\"color\":\"FF8000\",\"window\":{\"start\":2,\"end\":3,\"min\":2,\"max\":3}},"
                              "{\"color\":\"0000FF\",\"window\":{\"start\":-1,\"end\":1,\"min\":-1,\"max\":1}}]}}\n";
    const uint32_t expected[] = {28, 2, 2, 32, 768, 768};
    unsigned char *blocks;
    uint32_t *sizes, entries, length;
    drua_text read = {0}, description = {0};
    REQUIRE(drua_imagej_blocks(TEXT, 2, &blocks, &sizes, &entries, &length));
    ck_assert_uint_eq(entries, 6);
    ck_assert_mem_eq(sizes, expected, sizeof expected);
    ck_assert_uint_eq(length, 28 + 2 + 2 + 32 + 2 * 768);
    ck_assert_mem_eq(blocks, HEAD, sizeof HEAD - 1);
    for (int i = 0; i < 256; i++) {
        const unsigned char *first = blocks + sizeof HEAD - 1 + i, *second = first + 768;
        ck_assert(first[0] == i && first[256] == i * 128 / 255 && first[512] == 0);
        ck_assert(second[0] == 0 && second[256] == 0 && second[512] == i);
    }
    const drua_imagej_file_blocks all = {sizes, entries, blocks, length};
    drua_imagej_describe_channels(&all, 2, &read);
    ck_assert_str_eq(drua_text_characters(&read), DUE);
    drua_text_free(&read);
    drua_imagej_describe_channels(&all, 3, &read);
    for (uint32_t cut = 0; cut < length; cut++)
        drua_imagej_describe_channels(&(drua_imagej_file_blocks){sizes, entries, blocks, cut}, 2, &read);
    ck_assert_str_eq(drua_text_characters(&read), "");
    drua_imagej_write(TEXT, 2, false, &description);
    ck_assert_ptr_nonnull(strstr(drua_text_characters(&description), "hyperstack=true\nmode=composite\n"));
    drua_free(blocks);
    drua_free(sizes);
    REQUIRE(drua_imagej_blocks("channels=2\nslices=1\nframes=1\n", 2, &blocks, &sizes, &entries, &length));
    ck_assert_ptr_null(blocks);
    drua_text_free(&description);
    drua_text_free(&read);
}
END_TEST

START_TEST(xml_text)
{
    drua_text text = {0};
    drua_text_add_xml(&text, "<b> & \"x\" 'y' \x01 \xC2\xB5 \xFF");
    ck_assert_str_eq(drua_text_characters(&text),
                     "&#60;b&#62; &#38; &#34;x&#34; &#39;y&#39; \xEF\xBF\xBD \xC2\xB5 \xEF\xBF\xBD");
    drua_text_free(&text);
}
END_TEST

START_TEST(names_of_files)
{
    static const char *const refused[] = {"",    ".",       "..",    "../x",   "/x",     "a/b",    "a\\b",
                                          "C:x", "a\nb",    "a\x7f", ".x",     "x.",     "x ",     " x",
                                          "con", "NUL.tif", "Com1",  "lpt9.x", "aux .x", "CONIN$", "a*",
                                          "a?",  "a\"",     "a<",    "a>",     "a|",     "\xC3(",  "\xED\xA0\x80"};
    static const char *const good[] = {"x",   "result1", "my result (2)", "a.b",  "\xC2\xB5m", "console",
                                       "com", "nul1",    "a;b",           "$(x)", "a'b"};
    char name[300];
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        ck_assert_msg(drua_file_name_fault(refused[i]) != NULL, "'%s'", refused[i]);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_assert_msg(!drua_file_name_fault(good[i]), "'%s'", good[i]);
    memset(name, 'x', 201);
    name[201] = 0;
    ck_assert_str_eq(drua_file_name_fault(name), "it has more than 200 bytes");
    ck_assert_ptr_null(drua_file_name_fault(name + 1));
    ck_assert(drua_file_name_same("Blur", "bLUR") && !drua_file_name_same("blur", "blurs"));
}
END_TEST

/* Tests all characters, and invalid bytes. */
START_TEST(utf8)
{
    uint32_t bad = 0;
    for (uint32_t c = 1; c <= 0x10FFFF && !bad; c += c == 0xD7FF ? 0x801 : 1) {
        char bytes[9] = "", pair[9] = "";
        const char *at = bytes;
        uint32_t read, half = 0;
        const size_t length = drua_utf8_write(c, bytes),
                     early = c < 0x10000 ? 0 : drua_utf16_write(0xD800 + ((c - 0x10000) >> 10), &half, pair),
                     paired = drua_utf16_write(c < 0x10000 ? c : 0xDC00 + (c & 0x3FF), &half, pair);
        if (!drua_utf8_next(&at, &read) || read != c || at != bytes + length || early || half || paired != length ||
            memcmp(pair, bytes, length))
            bad = c;
    }
    ck_assert_uint_eq(bad, 0);
    static const char *const wrong[] = {"\x80",         "\xC0\x80",         "\xC1\xBF",         "\xE0\x9F\xBF",
                                        "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
                                        "\xC3",         "\xE6\x97",         "\xF0\x9F\x98"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert(!drua_is_utf8(wrong[i]));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("quote");
    TCase *tests = tcase_create("quote");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, shell_reads_titles);
    tcase_add_test(tests, json_reads_titles);
    tcase_add_test(tests, macro_expressions);
    tcase_add_test(tests, pipelines_read_titles);
    tcase_add_test(tests, escapes_of_pipelines);
    tcase_add_test(tests, loops_of_pipelines);
    tcase_add_test(tests, settings_stay_settings);
    tcase_add_test(tests, repeated_settings);
    tcase_add_test(tests, properties_and_labels);
    tcase_add_test(tests, colours_of_channels);
    tcase_add_test(tests, xml_text);
    tcase_add_test(tests, names_of_files);
    tcase_add_test(tests, utf8);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sets each number of every operation in turn to NaN, infinity, a huge, negative or fractional value, or a limit of its
 * parameter, for an image on the device, in tiles, and by blocks. Does the same to one pixel and to all pixels of each
 * image. The call must return a result or one error message that names the operation; for a parameter, the message also
 * names the parameter, the value and the limit. The call must not crash and must end in time. DRUA_SAMPLE=n tests every
 * n-th operation. The error message about a misspelt name or word of a setting suggests the right one.
 */
#include "block_files.h"
#include "calls.h"

#include "registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LONG = 900 /* seconds of CPU time */, MAX_BYTES = 1 << 26, VALUES = 16, TEXT = 64 };

static drua_context *context;
static harness_random chance = {17};
static int flawed, tried;

static void report_flaw(const call *c, const char *name, double value, const char *what)
{
    printf("%s, %s=%.17g: %s\n", call_text(c), name, value, what);
    flawed++;
}

/*
 * Whether a call with the parameter's maximum takes too long or exhausts the memory, because of many passes or a large
 * image.
 */
static bool asks_for_much(const drua_param *param)
{
    return strstr(param->name, "iterations") || !strcmp(param->name, "levels") || !strncmp(param->name, "factor", 6) ||
           !strcmp(param->name, "number_of_angles") || !strcmp(param->name, "maximum_x") ||
           !strcmp(param->name, "maximum_y") || !strcmp(param->name, "maximum_z"); /* of a search for a shift */
}

/* Lists the values to test for a parameter. */
static int values_of(const drua_param *param, double values[VALUES])
{
    static const double far[] = {NAN,     INFINITY,   -INFINITY, 1e300,      1e19, 0x1p63,
                                 -0x1p63, 0x1p53 + 2, 0x1p31,    0x1p31 - 1, -1,   0.5};
    int count = 0;
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        values[count++] = far[i];
    if (param->has_range)
        values[count++] = param->minimum;
    if (param->has_range && !asks_for_much(param))
        values[count++] = param->maximum;
    return count;
}

static bool is_image(const drua_param *param)
{
    return param->kind == DRUA_KIND_IMAGE_IN || param->kind == DRUA_KIND_IMAGE_INOUT;
}

/* Whether the descriptor excludes a value. No descriptor restricts pixels. */
static bool is_forbidden(const drua_param *param, double value)
{
    if (is_image(param))
        return false;
    return value != value || (param->kind == DRUA_KIND_BOOLEAN && value != 0 && value != 1) ||
           (param->kind == DRUA_KIND_INTEGER && value != floor(value)) ||
           (param->has_range && (value < param->minimum || value > param->maximum));
}

static bool is_number(const drua_param *param)
{
    return param->kind == DRUA_KIND_NUMBER || param->kind == DRUA_KIND_INTEGER || param->kind == DRUA_KIND_BOOLEAN;
}

static drua_status pull_outputs(const call *c, const drua_argument *arguments)
{
    drua_status status = DRUA_OK;
    for (size_t i = 0, at = 0; status == DRUA_OK && i < c->op->param_count;
         at += c->op->params[i++].kind != DRUA_KIND_TABLE_OUT) {
        if (c->op->params[i].kind != DRUA_KIND_IMAGE_OUT && c->op->params[i].kind != DRUA_KIND_IMAGE_INOUT)
            continue;
        drua_image_info info;
        status = drua_get_info(context, arguments[at].image, &info);
        if (status != DRUA_OK || info.bytes > MAX_BYTES)
            continue;
        void *pixels = reference_allocate(1, info.bytes);
        status = drua_pull(context, arguments[at].image, pixels);
        free(pixels);
    }
    return status;
}

/* Checks the message of a refused call. */
static void check_sentence(const call *c, const drua_param *param, double value, drua_status status)
{
    const char *sentence = drua_error_message();
    char number[TEXT];
    snprintf(number, sizeof number, "%.10g", value);
    if (status != DRUA_E_ARGUMENT && status != DRUA_E_MEMORY && status != DRUA_E_UNSUPPORTED)
        report_flaw(c, param->name, value, sentence);
    else if (strncmp(sentence, c->op->name, strlen(c->op->name)) || strchr(sentence, '\n'))
        report_flaw(c, param->name, value, sentence);
    else if (is_forbidden(param, value) && (status != DRUA_E_ARGUMENT || !strstr(sentence, param->name) ||
                                            (value == value && !strstr(sentence, number))))
        report_flaw(c, param->name, value, sentence);
    /* the message may come from an inner operation */
    else if (is_number(param) && !is_forbidden(param, value) && strstr(sentence, "whole number"))
        report_flaw(c, param->name, value, sentence);
}

static void try_call(const call *c, const drua_param *param, double value)
{
    drua_image handles[CALL_PARAMS] = {0};
    drua_argument arguments[CALL_PARAMS];
    drua_table *table = NULL;
    const clock_t start = clock();
    for (int k = 0; k < c->input_count; k++)
        handles[c->inputs[k]] = harness_push(context, &c->before[c->inputs[k]]);
    drua_status status = drua_invoke(context, c->op->name, arguments, call_arguments(c, handles, arguments), &table);
    if (status == DRUA_OK && is_forbidden(param, value))
        report_flaw(c, param->name, value, "is accepted, although the descriptor forbids it");
    if (status != DRUA_OK)
        check_sentence(c, param, value, status);
    else if (pull_outputs(c, arguments) != DRUA_OK && strchr(drua_error_message(), '\n'))
        report_flaw(c, param->name, value, drua_error_message());
    drua_table_free(table);
    REQUIRE(drua_clear(context));
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (getenv("DRUA_VERBOSE"))
        printf("%.2f s: %s, %s=%.17g\n", seconds, call_text(c), param->name, value);
    if (seconds > LONG)
        report_flaw(c, param->name, value, "takes too long");
    tried++;
}

/* Writes a setting whose numbers, as many as its default has, are all equal. */
static void write_numbers(char text[1024], const char *before, const drua_param *s, double value)
{
    const char *separator = "=";
    int length = snprintf(text, 1024, "%s %s", before, s->name);
    for (const char *number = s->default_text; number; separator = ",") {
        length += snprintf(text + length, 1024 - (size_t)length, "%s%.10g", separator, value);
        number = strchr(number, ',');
        number = number ? number + 1 : NULL;
    }
}

/* Copies a settings text without the words that set `name`, which may occur only once. */
static void leave_out(const char *text, const char *name, char *rest)
{
    const size_t length = strlen(name);
    *rest = 0;
    while (*(text += strspn(text, " "))) {
        const size_t word = strcspn(text, " ");
        const bool is_name = word >= length && !strncmp(text, name, length) && strchr(" =", text[length]);
        if (!is_name)
            sprintf(rest + strlen(rest), "%s%.*s", *rest ? " " : "", (int)word, text);
        text += word;
    }
}

/* Sets each number of a settings text in turn. */
static void try_settings(call *c, int i)
{
    for (const drua_param *s = c->op->params[i].settings; s && s->name; s++) {
        double values[VALUES];
        const char *before = c->texts[i];
        char text[1024], others[1024];
        leave_out(before, s->name, others);
        const bool is_list = s->kind == DRUA_KIND_ARRAY_IN;
        const int count = is_list || (is_number(s) && s->kind != DRUA_KIND_BOOLEAN) ? values_of(s, values) : 0;
        for (int v = 0; v < count; v++) {
            if (is_list)
                write_numbers(text, others, s, values[v]);
            else
                snprintf(text, sizeof text, "%.900s %s=%.10g", others, s->name, values[v]);
            c->texts[i] = text;
            try_call(c, s, values[v]);
        }
        c->texts[i] = before;
    }
}

static void try_operation(const drua_op *op, drua_shape shape)
{
    call c = call_make(&chance, op, shape, DRUA_FLOAT32);
    for (size_t i = 0; i < op->param_count; i++) {
        double values[VALUES];
        const double before = c.numbers[i];
        const int count = is_number(&op->params[i]) ? values_of(&op->params[i], values) : 0;
        for (int v = 0; v < count; v++) {
            c.numbers[i] = values[v];
            try_call(&c, &op->params[i], values[v]);
        }
        c.numbers[i] = before;
        try_settings(&c, (int)i);
    }
    call_free(&c);
}

/* ---- pixels */

/* Lists the values to test for pixels of a type. */
static int pixels_of(drua_type type, double values[VALUES])
{
    static const double far[] = {NAN,    INFINITY,   -INFINITY, 3e38, -3e38, 0x1p63, -0x1p63,
                                 0x1p32, 0x1p31 - 1, 5000,      -1,   0.5,   1e-40};
    int count = 0;
    if (type == DRUA_FLOAT32)
        for (size_t i = 0; i < sizeof far / sizeof *far; i++)
            values[count++] = far[i];
    values[count++] = reference_store(type, -1e300);
    values[count++] = reference_store(type, 1e300);
    return count;
}

/* Sets the pixel in the middle of one image, then all of its pixels. */
static void try_pixels(call *c, int parameter, double value)
{
    reference_image *image = &c->before[parameter];
    const size_t count = reference_count(image);
    image->pixels[count / 2] = value;
    try_call(c, &c->op->params[parameter], value);
    for (size_t i = 0; i < count; i++)
        image->pixels[i] = value;
    try_call(c, &c->op->params[parameter], value);
}

/* Large windows would take minutes, and tell nothing more about pixels. */
static void shrink_windows(call *c)
{
    for (size_t i = 0; i < c->op->param_count; i++)
        if (c->op->params[i].kind == DRUA_KIND_INTEGER && !c->op->params[i].only)
            c->numbers[i] = fmax(c->op->params[i].minimum, fmin(c->numbers[i], 2));
}

/* Each image in turn has the type, so that also numbers of labels and tables of points are extreme. */
static void try_type(const drua_op *op, drua_shape shape, drua_type type)
{
    double values[VALUES];
    const int count = pixels_of(type, values);
    for (size_t i = 0; i < op->param_count; i++)
        for (int v = 0; is_image(&op->params[i]) && v < count; v++) {
            call c = call_make(&chance, op, shape, type);
            shrink_windows(&c);
            c.before[i].type = type;
            for (size_t k = 0; k < reference_count(&c.before[i]); k++)
                c.before[i].pixels[k] = reference_store(type, c.before[i].pixels[k]);
            try_pixels(&c, (int)i, values[v]);
            call_free(&c);
        }
}

/* 65,535 labels of 16 bits would take minutes in operations on all pairs of labels. */
static void try_images(const drua_op *op, drua_shape shape)
{
    static const drua_type integers[] = {DRUA_UINT8, DRUA_INT8, DRUA_UINT32, DRUA_INT32};
    try_type(op, shape, DRUA_FLOAT32);
    try_type(op, shape, integers[harness_below(&chance, sizeof integers / sizeof *integers)]);
}

/* ---- all operations */

static void try_all(void (*try)(const drua_op *op, drua_shape shape), drua_shape shape, int share)
{
    int number = 0;
    for (const drua_op *const *op = drua_op_table; *op; op++)
        if (!((*op)->traits & DRUA_HOST) && harness_is_wanted((*op)->name, (*op)->category) &&
            harness_takes(number++, share))
            try(*op, shape);
    printf("%d calls\n", tried);
    ck_assert_int_eq(flawed, 0);
    drua_close(context);
}

/* ---- misspelt settings */

static void refuse_text(call *c, int i, const char *text, const char *right)
{
    drua_image handles[CALL_PARAMS] = {0};
    drua_argument arguments[CALL_PARAMS];
    drua_table *table = NULL;
    const char *before = c->texts[i];
    char hint[2 * TEXT];
    c->texts[i] = text;
    for (int k = 0; k < c->input_count; k++)
        handles[c->inputs[k]] = harness_push(context, &c->before[c->inputs[k]]);
    const drua_status status =
        drua_invoke(context, c->op->name, arguments, call_arguments(c, handles, arguments), &table);
    snprintf(hint, sizeof hint, "did you mean %s?", right);
    if (status != DRUA_E_ARGUMENT || !strstr(drua_error_message(), hint)) {
        printf("%s with '%s': %s\n", c->op->name, text, status == DRUA_OK ? "is accepted" : drua_error_message());
        flawed++;
    }
    c->texts[i] = before;
    drua_table_free(table);
    REQUIRE(drua_clear(context));
    tried++;
}

/* Adds a letter to the name and the words of each setting of every operation. */
START_TEST(misspelt_settings)
{
    context = harness_open();
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        if ((*op)->traits & DRUA_HOST || !harness_is_wanted((*op)->name, (*op)->category))
            continue;
        call c = call_make(&chance, *op, (drua_shape){12, 10, 6, 3}, DRUA_FLOAT32);
        for (size_t i = 0; i < (*op)->param_count; i++)
            for (const drua_param *s = (*op)->params[i].settings; s && s->name && !s->unlisted; s++) {
                char text[4 * TEXT];
                snprintf(text, sizeof text, "%sq=1", s->name);
                refuse_text(&c, (int)i, text, s->name);
                for (const char *const *word = s->choices; word && *word; word++) {
                    snprintf(text, sizeof text, "%s=%sq", s->name, *word);
                    refuse_text(&c, (int)i, text, *word);
                }
            }
        call_free(&c);
    }
    printf("%d texts\n", tried);
    ck_assert_int_gt(tried, 0);
    ck_assert_int_eq(flawed, 0);
    drua_close(context);
}
END_TEST

START_TEST(at_once)
{
    context = harness_open();
    REQUIRE(drua_set_memory(context, "1GB"));
    try_all(try_operation, (drua_shape){12, 10, 6, 3}, _i);
}
END_TEST

START_TEST(in_tiles)
{
    context = harness_open();
    REQUIRE(drua_set_memory(context, "1MB"));
    try_all(try_operation, (drua_shape){40, 36, 200, 3}, _i);
}
END_TEST

START_TEST(of_pixels)
{
    context = harness_open();
    REQUIRE(drua_set_memory(context, "1GB"));
    try_all(try_images, (drua_shape){12, 10, 6, 3}, _i);
}
END_TEST

START_TEST(of_pixels_in_tiles)
{
    context = harness_open();
    REQUIRE(drua_set_memory(context, "1MB"));
    try_all(try_images, (drua_shape){40, 36, 200, 3}, _i);
}
END_TEST

/* ---- by blocks */

/* Stops a run after a few seconds: extreme numbers may ask for hundreds of thousands of blocks. */
static int is_in_time(void *start, const drua_process_progress *progress)
{
    enum { ENOUGH = 5 };
    (void)progress;
    return difftime(time(NULL), *(const time_t *)start) < ENOUGH;
}

/* Runs a pipeline by blocks. An error must be one message that contains `names`. */
static void run_by_blocks(const char *pipeline, const char *image, const char *settings, bool forbidden,
                          const char *const names[2])
{
    char in[BLOCK_PATH_SIZE], out[BLOCK_PATH_SIZE];
    block_folder_path(image, in);
    block_folder_path("out.zarr", out);
    time_t start = time(NULL);
    const drua_status status = drua_process_file(pipeline, in, out, settings, is_in_time, &start);
    const char *sentence = status == DRUA_OK ? "" : drua_error_message();
    const bool is_sentence = *sentence && !strchr(sentence, '\n') && status != DRUA_E_INTERNAL;
    const bool says_why = status != DRUA_E_ARGUMENT || (strstr(sentence, names[0]) && strstr(sentence, names[1]));
    if (status == DRUA_OK ? forbidden : !is_sentence || (forbidden && !says_why)) {
        printf("%s with %s: status %d, '%s'\n", pipeline, settings, (int)status, sentence);
        flawed++;
    }
    tried++;
}

static const char in_blocks[] = "block=8,8,8 chunk=8,8,8 compression=none anew overwrite memory=1GB host_memory=1GB";

/*
 * Runs one operation by blocks with the value under test; other parameters have their defaults. A message about a
 * parameter gives ten digits of its value, and one about a setting gives the text.
 */
static void try_blocks(const drua_op *op, const drua_param *param, double value, int digits)
{
    char pipeline[512], number[TEXT] = "";
    if (isfinite(value))
        snprintf(number, sizeof number, "%.10g", value);
    snprintf(pipeline, sizeof pipeline, "%s %s=%.*g", op->name, param->name, digits, value);
    run_by_blocks(pipeline, "in.zarr", in_blocks, is_forbidden(param, value),
                  (const char *const[]){param->name, number});
}

static void try_parameters_in_blocks(const drua_op *op, const drua_param *params, size_t count, int digits)
{
    for (size_t i = 0; i < count && params[i].name; i++) {
        double values[VALUES];
        const int tests = is_number(&params[i]) ? values_of(&params[i], values) : 0;
        for (int v = 0; v < tests; v++)
            try_blocks(op, &params[i], values[v], digits);
        if (params[i].settings)
            try_parameters_in_blocks(op, params[i].settings, SIZE_MAX, 10);
    }
}

/* Whether the operation has exactly one image input and one image output. */
static bool can_be_tried(const drua_op *op)
{
    int inputs = 0, outputs = 0;
    for (size_t i = 0; i < op->param_count; i++) {
        inputs += op->params[i].kind == DRUA_KIND_IMAGE_IN;
        outputs += op->params[i].kind == DRUA_KIND_IMAGE_OUT;
        if (op->params[i].kind == DRUA_KIND_PATH || op->params[i].kind == DRUA_KIND_ARRAY_IN ||
            op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            return false;
    }
    return !(op->traits & DRUA_HOST) && inputs == 1 && outputs == 1;
}

/* Writes an 8-bit image, and one of float32 in which every seventh pixel is an extreme value. */
static void write_inputs(void)
{
    const drua_shape shape = {20, 18, 12, 3};
    double values[VALUES];
    const int count = pixels_of(DRUA_FLOAT32, values);
    char in[BLOCK_PATH_SIZE], far[BLOCK_PATH_SIZE];
    reference_image pixels = harness_image(&chance, DRUA_FLOAT32, shape, HARNESS_GREY);
    for (size_t i = 0; i < reference_count(&pixels); i += 7)
        pixels.pixels[i] = values[i / 7 % (size_t)count];
    block_write_input(context, harness_push(context, &pixels), (const int64_t[]){16, 16, 16});
    reference_free(&pixels);
    block_folder_path("in.zarr", in);
    block_folder_path("far.zarr", far);
    ck_assert_int_eq(rename(in, far), 0);
    pixels = harness_image(&chance, DRUA_UINT8, shape, HARNESS_GREY);
    block_write_input(context, harness_push(context, &pixels), (const int64_t[]){16, 16, 16});
    reference_free(&pixels);
}

START_TEST(by_blocks)
{
    int number = 0;
    context = harness_open();
    block_folder_make();
    write_inputs();
    drua_close(context);
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        if (!can_be_tried(*op) || !harness_is_wanted((*op)->name, (*op)->category) || !harness_takes(number++, _i))
            continue;
        run_by_blocks((*op)->name, "far.zarr", in_blocks, false, (const char *const[]){"", ""});
        try_parameters_in_blocks(*op, (*op)->params, (*op)->param_count, 17);
    }
    block_folder_remove();
    printf("%d pipelines\n", tried);
    ck_assert_int_eq(flawed, 0);
}
END_TEST

/* Gives each setting of a run by blocks extreme numbers. Numbers beyond an image are allowed for blocks and chunks. */
START_TEST(settings_of_blocks)
{
    static const struct {
        const char *name, *form;
    } settings[] = {{"block", "block=%s,8,8"},
                    {"block", "block=8,8,%s"},
                    {"chunk", "chunk=%s,%s,%s"},
                    {"chunk", "chunk=8,%s,8"},
                    {"shard", "shard=%s,%s,%s zarr=0.5"},
                    {"memory", "memory=%s"},
                    {"memory", "memory=%sGB"},
                    {"host memory", "host_memory=%sGB"},
                    {"level", "level=%s"},
                    {"zarr", "zarr=%s"},
                    {"series", "series=%s"}};
    static const char *const numbers[] = {"0",
                                          "-1",
                                          "0.5",
                                          "nan",
                                          "inf",
                                          "1e19",
                                          "1e300",
                                          "2147483647",
                                          "2147483648",
                                          "4294967296",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "-9223372036854775808",
                                          "99999999999999999999999999",
                                          ""};
    context = harness_open();
    block_folder_make();
    write_inputs();
    drua_close(context);
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
            char text[512] = "anew overwrite ";
            const size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, settings[s].form, numbers[n], numbers[n], numbers[n]);
            run_by_blocks("invert", "in.zarr", text, strtod(numbers[n], NULL) < 0,
                          (const char *const[]){settings[s].name, ""});
        }
    block_folder_remove();
    ck_assert_int_eq(flawed, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("extreme_numbers");
    TCase *once = tcase_create("at_once"), *tiles = tcase_create("in_tiles"), *blocks = tcase_create("by_blocks"),
          *pixels = tcase_create("of_pixels"), *misspelt = tcase_create("misspelt");
    tcase_set_timeout(once, 2000);
    tcase_set_timeout(tiles, 2000);
    tcase_set_timeout(pixels, 2000);
    tcase_add_loop_test(once, at_once, 0, harness_shares());
    tcase_add_loop_test(tiles, in_tiles, 0, harness_shares());
    tcase_add_loop_test(pixels, of_pixels, 0, harness_shares());
    tcase_add_loop_test(pixels, of_pixels_in_tiles, 0, harness_shares());
    tcase_set_timeout(blocks, 2000);
    tcase_add_loop_test(blocks, by_blocks, 0, harness_shares());
    tcase_set_timeout(misspelt, 600);
    tcase_add_test(misspelt, misspelt_settings);
    tcase_add_test(misspelt, settings_of_blocks);
    suite_add_tcase(suite, misspelt);
    suite_add_tcase(suite, once);
    suite_add_tcase(suite, tiles);
    suite_add_tcase(suite, pixels);
    suite_add_tcase(suite, blocks);
    return harness_run(suite);
}

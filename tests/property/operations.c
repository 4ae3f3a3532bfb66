/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares every operation of the registry with the reference: shapes, element types, existing destinations, work in
 * place, views, and images that are released or changed before the work has run. DRUA_SAMPLE=n tests every n-th case of
 * every n-th operation, DRUA_ONLY=operation all cases of one operation, DRUA_HALF=first or second half of the
 * operations, so that two processes compile kernels in parallel.
 */
#include "calls.h"

#include "hash.h"
#include "registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static drua_context *context;
static harness_random chance;
enum { LONG = 4 /* seconds */, FEW = 10 };

static int every = 1, counter, calls_made, flawed;
static time_t begun;        /* start of an operation's cases; a slow operation gets fewer further cases */

/* The treatment of the images around the call. */
typedef struct setting {
    bool exists;                /* an existing destination of this type and shape */
    drua_type type;
    drua_shape shape;
    int in_place;               /* number of the input that is also the destination, or -1 */
    bool views, released, overwritten;
} setting;

static const setting plain = {.in_place = -1};

typedef struct images {
    drua_image of[CALL_PARAMS];
} images;

/*
 * Pushes an image as a view with the same pixels: a crop of a larger image, or a flipped image that is flipped back.
 * The reference performs both on its own.
 */
static drua_image push_view(const reference_image *image)
{
    const drua_shape s = image->shape, wide = {s.width + 3, s.height + 1, s.depth + (s.dimension == 3), s.dimension};
    reference_image padded = reference_make(image->type, wide);
    reference_paste(image, 2, 1, 0, &padded);
    bool flip = drua_find_op("flip") && harness_below(&chance, 2);
    if (flip) {
        reference_image mirrored = reference_make(image->type, wide);
        reference_flip(&padded, true, true, false, &mirrored);
        reference_free(&padded);
        padded = mirrored;
    }
    drua_image whole = harness_push(context, &padded);
    reference_free(&padded);
    if (flip) {
        drua_argument arguments[] = {IMAGE(whole), NEW, NUMBER(1), NUMBER(1), NUMBER(0)};
        REQUIRE(drua_invoke(context, "flip", arguments, 5, NULL));
        REQUIRE(drua_release(context, whole));
        whole = arguments[1].image;
    }
    drua_argument arguments[] = {
        IMAGE(whole),           NEW, NUMBER(2), NUMBER(1), NUMBER(0), NUMBER((double)s.width), NUMBER((double)s.height),
        NUMBER((double)s.depth)};
    REQUIRE(drua_invoke(context, "crop", arguments, 8, NULL));
    REQUIRE(drua_release(context, whole));
    return arguments[1].image;
}

/* The shapes that the operation chooses for new outputs. */
static void natural_shapes(const call *c, const images *handles, drua_shape *shapes)
{
    images inputs = *handles;
    drua_argument arguments[CALL_PARAMS];
    for (int k = 0; k < c->output_count; k++)
        if (c->op->params[c->outputs[k]].kind == DRUA_KIND_IMAGE_OUT)
            inputs.of[c->outputs[k]] = 0;
    size_t count = call_arguments(c, inputs.of, arguments);
    REQUIRE(drua_invoke(context, c->op->name, arguments, count, NULL));
    for (size_t i = 0, at = 0; i < c->op->param_count; at += c->op->params[i++].kind != DRUA_KIND_TABLE_OUT)
        if (c->op->params[i].kind == DRUA_KIND_IMAGE_OUT) {
            drua_image_info info;
            REQUIRE(drua_get_info(context, arguments[at].image, &info));
            shapes[i] = info.shape;
        }
}

static void push_inputs(const call *c, const setting *how, images *handles)
{
    for (int k = 0; k < c->input_count; k++) {
        const int i = c->inputs[k];
        handles->of[i] =
            how->views && drua_find_op("crop") ? push_view(&c->before[i]) : harness_push(context, &c->before[i]);
    }
}

static bool are_alike(drua_shape a, drua_shape b)
{
    return a.width == b.width && a.height == b.height && a.depth == b.depth && a.dimension == b.dimension;
}

/* Pushes each output that exists before the call. */
static void push_outputs(call *c, const setting *how, const drua_shape *natural, images *handles)
{
    const bool keeps = call_needs_natural(c->op);
    for (int k = 0; k < c->output_count; k++) {
        const int i = c->outputs[k];
        if (c->op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            continue;
        const bool in_place = k == 0 && how->in_place >= 0;
        if (in_place && keeps && !are_alike(natural[i], c->before[c->inputs[how->in_place]].shape))
            continue;
        if (in_place) {
            c->before[i] = reference_duplicate(&c->before[c->inputs[how->in_place]]);
            handles->of[i] = handles->of[c->inputs[how->in_place]];
        } else if (how->exists) {
            c->before[i] = harness_image(&chance, how->type, keeps ? natural[i] : how->shape, HARNESS_LABELS);
            handles->of[i] = harness_push(context, &c->before[i]);
            call_fill_array(c, &chance, reference_count(&c->before[i]));
        }
    }
}

static bool is_output(const images *outputs, const call *c, drua_image image)
{
    for (int k = 0; k < c->output_count; k++)
        if (outputs->of[c->outputs[k]] == image)
            return true;
    return false;
}

/* Changes or releases the inputs after the call; work that was already recorded must not be affected. */
static void disturb_inputs(const call *c, const setting *how, const images *handles, const images *outputs)
{
    for (int k = 0; k < c->input_count; k++) {
        const drua_image image = handles->of[c->inputs[k]];
        bool twice = false;
        for (int other = 0; other < k; other++)
            twice = twice || handles->of[c->inputs[other]] == image;
        if (twice || is_output(outputs, c, image))
            continue;
        if (how->released)
            REQUIRE(drua_release(context, image));
        else if (how->overwritten)
            REQUIRE(INVOKE(context, "set", IMAGE(image), NUMBER(77)));
    }
}

/*
 * Compares results. If an operation writes only the source's extent, the rest of a larger destination must keep its
 * pixels.
 */
static void expect_outputs(call *c, const drua_shape *natural, const images *outputs)
{
    reference_image pulled[CALL_PARAMS], narrow[CALL_PARAMS];
    for (int k = 0; k < c->output_count; k++) {
        const int i = c->outputs[k];
        pulled[k] = harness_pull(context, outputs->of[i]);
        c->expected[i] =
            c->before[i].pixels ? reference_duplicate(&c->before[i]) : reference_make(pulled[k].type, pulled[k].shape);
        narrow[k] = c->expected[i];
        if (c->op->traits & DRUA_SOURCE_EXTENT && c->before[i].pixels && c->op->params[i].kind == DRUA_KIND_IMAGE_OUT)
            c->expected[i] = reference_make(narrow[k].type, natural[i]);
    }
    call_reference(c);
    for (int k = 0; k < c->output_count; k++) {
        const int i = c->outputs[k];
        if (c->expected[i].pixels != narrow[k].pixels) {
            reference_paste(&c->expected[i], 0, 0, 0, &narrow[k]);
            reference_free(&c->expected[i]);
            c->expected[i] = narrow[k];
        }
        char message[256];
        if (!call_output_agrees(c, i, &pulled[k], message, sizeof message)) {
            printf("%s, output %s: %s\n", call_text(c), c->op->params[i].name, message);
            flawed++;
        }
        reference_free(&pulled[k]);
    }
}

static void expect_values(const call *c, const drua_argument *arguments)
{
    int n = 0;
    const bool real = c->input_count > 0 && c->before[c->inputs[0]].type == DRUA_FLOAT32;
    const double tolerance = !call_is_rounded(c->op) && !real ? 1e-14 : 1e-5;
    for (size_t i = 0, at = 0; i < c->op->param_count; i++) {
        const drua_kind kind = c->op->params[i].kind;
        if (kind == DRUA_KIND_NUMBER_OUT && n < c->value_count) {
            const double got = arguments[at].number, wanted = c->values[n++];
            bool agree = isnan(wanted)
                             ? isnan(got)
                             : got == wanted || fabs(got - wanted) <= tolerance * fmax(fabs(wanted), real ? 1 : 0);
            if (!agree) {
                printf("%s, output %s: expected %.17g, got %.17g\n", call_text(c), c->op->params[i].name, wanted, got);
                flawed++;
            }
        }
        at += kind != DRUA_KIND_TABLE_OUT;
    }
}

/* Compares a table's rows; the tolerance is a share of the largest number in each column. */
static void expect_table(const call *c, const drua_table *table)
{
    if (!c->table && c->rows == 0)
        return;
    const size_t columns = c->columns;
    if (!table || table->rows != c->rows || table->columns != columns) {
        printf("%s: a table of %zu x %zu, not %zu x %zu\n", call_text(c), table ? table->rows : 0,
               table ? table->columns : 0, c->rows, columns);
        flawed++;
        return;
    }
    for (size_t k = 0; k < columns; k++) {
        double max = 0;
        for (size_t row = 0; row < c->rows; row++)
            if (isfinite(c->table[row * columns + k]))
                max = fmax(max, fabs(c->table[row * columns + k]));
        for (size_t row = 0; row < c->rows; row++) {
            const double wanted = c->table[row * columns + k], got = table->cells[row * columns + k];
            if (isnan(wanted) ? isnan(got) : wanted == got || fabs(wanted - got) <= 1e-5 * fmax(max, 1))
                continue;
            printf("%s: row %zu, %s: expected %.9g, got %.9g\n", call_text(c), row, table->headings[k], wanted, got);
            flawed++;
            return;
        }
    }
}

/* Checks that the call changed no other input. */
static void expect_inputs(const call *c, const setting *how, const images *handles, const images *outputs)
{
    for (int k = 0; k < c->input_count && !how->released && !how->overwritten; k++) {
        const int i = c->inputs[k];
        if (is_output(outputs, c, handles->of[i]))
            continue;
        reference_image now = harness_pull(context, handles->of[i]);
        char message[256];
        if (!reference_agrees(&c->before[i], &now, 0, false, message, sizeof message)) {
            printf("%s changed its input %s: %s\n", call_text(c), c->op->params[i].name, message);
            flawed++;
        }
        reference_free(&now);
    }
}

static void try_call(const drua_op *op, drua_shape shape, drua_type type, const setting *how)
{
    const int item = counter++, of_sample = item / harness_sample();
    if ((harness_sample() > 1 && !harness_is_sampled(item)) || of_sample % every ||
        (difftime(time(NULL), begun) > LONG && of_sample % FEW))
        return;
    call c = call_make(&chance, op, shape, type);
    images handles = {{0}}, outputs = {{0}};
    drua_shape natural[CALL_PARAMS];
    push_inputs(&c, how, &handles);
    if ((op->traits & DRUA_SOURCE_EXTENT || call_needs_natural(op)) && (how->exists || how->in_place >= 0))
        natural_shapes(&c, &handles, natural);
    push_outputs(&c, how, natural, &handles);
    drua_argument arguments[CALL_PARAMS];
    size_t count = call_arguments(&c, handles.of, arguments);
    drua_table *table = NULL;
    drua_status status = drua_invoke(context, op->name, arguments, count, &table);
    calls_made++;
    if (status != DRUA_OK) {
        printf("%s: %s\n", call_text(&c), drua_error_message());
        flawed++;
    } else {
        for (size_t i = 0, at = 0; i < op->param_count; at += op->params[i++].kind != DRUA_KIND_TABLE_OUT)
            if (op->params[i].kind == DRUA_KIND_IMAGE_OUT || op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
                outputs.of[i] = arguments[at].image;
        disturb_inputs(&c, how, &handles, &outputs);
        expect_outputs(&c, natural, &outputs);
        expect_values(&c, arguments);
        expect_table(&c, table);
        expect_inputs(&c, how, &handles, &outputs);
    }
    drua_table_free(table);
    call_free(&c);
    REQUIRE(drua_clear(context));
}

static void try_operation(const drua_op *op)
{
    static const drua_shape shapes[] = {{1, 1, 1, 2}, {1, 1, 1, 3},   {2, 2, 1, 2},   {2, 2, 2, 3},    {3, 1, 2, 3},
                                        {3, 3, 3, 3}, {37, 29, 1, 2}, {17, 13, 7, 3}, {300, 5, 1, 2}, {130, 70, 3, 3}};
    enum { SHAPES = sizeof shapes / sizeof *shapes, SMALL = 6, TYPES = 7 };
    const drua_shape stack = {17, 13, 7, 3}, plane = {37, 29, 1, 2};
    bool has_input = false, has_output = false, two = false;
    for (size_t i = 0; i < op->param_count; i++) {
        two = two || (has_input && op->params[i].kind == DRUA_KIND_IMAGE_IN);
        has_input = has_input || op->params[i].kind == DRUA_KIND_IMAGE_IN;
        has_output = has_output || (op->params[i].kind == DRUA_KIND_IMAGE_OUT && !call_makes_images(op));
    }
    for (int s = 0; s < SHAPES; s++)
        for (int t = 0; t < (s < SMALL ? 3 : TYPES); t++)
            try_call(op, shapes[s], harness_types[(s + 2 * t) % TYPES], &plain);
    for (const drua_type *type = harness_types; *type; type++) {
        for (int t = 0; t < 3 && has_output; t++)
            try_call(op, stack, *type,
                     &(setting){.exists = true,
                                .type = harness_types[harness_below(&chance, TYPES)],
                                .shape = stack,
                                .in_place = -1});
        if (has_output && has_input && !call_keeps_extent(op) && !call_needs_natural(op)) {
            try_call(op, stack, *type,
                     &(setting){.exists = true, .type = *type, .shape = {9, 21, 3, 3}, .in_place = -1});
            try_call(op, plane, *type,
                     &(setting){.exists = true, .type = DRUA_FLOAT32, .shape = {50, 40, 1, 2}, .in_place = -1});
        }
        if (has_output && has_input) {
            try_call(op, stack, *type, &(setting){.in_place = 0});
            try_call(op, plane, *type, &(setting){.in_place = two ? 1 : 0});
        }
        try_call(op, stack, *type, &(setting){.views = true, .in_place = -1});
        try_call(op, plane, *type, &(setting){.views = true, .in_place = -1});
        try_call(op, plane, *type, &(setting){.released = true, .in_place = -1});
        try_call(op, stack, *type, &(setting){.overwritten = true, .in_place = -1});
    }
}

/*
 * Whether this process tests the operation. Processes test halves of the table, because operations of one folder are
 * adjacent and share kernels; a sample has every n-th operation.
 */
static bool is_tried(size_t number)
{
    const char *half = getenv("DRUA_HALF");
    size_t count = 0;
    while (drua_op_table[count])
        count++;
    return (!half || getenv("DRUA_ONLY") || (number < count / 2) == !strcmp(half, "first")) &&
           harness_is_sampled((int)number + harness_round());
}

/* ---- results do not depend on the memory's previous content */

static const drua_shape past[] = {{17, 13, 7, 3}, {37, 29, 1, 2}, {50, 40, 9, 3}, {7, 13, 17, 3}, {64, 1, 1, 2}};

/* Fills the pool with freed blocks that contain this number. */
static void leave_behind(float number)
{
    drua_image blocks[3 * sizeof past / sizeof *past];
    size_t count = 0;
    for (size_t i = 0; i < sizeof past / sizeof *past; i++)
        for (int k = 0; k < 3; k++) {
            REQUIRE(drua_create(context, past[i], k < 2 ? DRUA_FLOAT32 : DRUA_UINT8, &blocks[count]));
            REQUIRE(INVOKE(context, "set", IMAGE(blocks[count++]), NUMBER(number)));
        }
    REQUIRE(drua_sync(context));
    while (count > 0)
        REQUIRE(drua_release(context, blocks[--count]));
}

/* Runs a call after leave_behind and returns its outputs; false if the call is refused. */
static bool run_after(call *c, const setting *how, float number, reference_image *results)
{
    images handles = {{0}};
    leave_behind(number);
    push_inputs(c, how, &handles);
    for (int k = 0; k < c->output_count; k++)
        if (c->before[c->outputs[k]].pixels && !handles.of[c->outputs[k]])
            handles.of[c->outputs[k]] = harness_push(context, &c->before[c->outputs[k]]);
    const bool done = call_run(c, context, handles.of, results);
    REQUIRE(drua_clear(context));
    return done;
}

static void compare_pasts(const drua_op *op, drua_shape shape, drua_type type, const setting *how)
{
    call c = call_make(&chance, op, shape, type);
    for (int k = 0; k < c.output_count && how->exists; k++)
        if (op->params[c.outputs[k]].kind == DRUA_KIND_IMAGE_OUT) {
            c.before[c.outputs[k]] = harness_image(&chance, how->type, how->shape, HARNESS_LABELS);
            call_fill_array(&c, &chance, reference_count(&c.before[c.outputs[k]]));
        }
    reference_image first[CALL_PARAMS] = {{.pixels = NULL}}, second[CALL_PARAMS] = {{.pixels = NULL}};
    const bool once = run_after(&c, how, -1000, first), twice = run_after(&c, how, 1.5f, second);
    if (once != twice) {
        printf("%s is refused once\n", call_text(&c));
        flawed++;
    }
    for (int k = 0; k < c.output_count; k++) {
        char message[256] = "";
        if (once && twice && !reference_agrees(&first[k], &second[k], 0, false, message, sizeof message)) {
            printf("%s, output %s: shows what was in memory before: %s\n", call_text(&c), op->params[c.outputs[k]].name,
                   message);
            flawed++;
        }
        reference_free(&first[k]);
        reference_free(&second[k]);
    }
    calls_made += 2;
    call_free(&c);
}

START_TEST(nothing_of_the_past)
{
    static const struct {
        drua_shape shape;
        drua_type type;
        setting how;
    } trials[] = {
        {{17, 13, 7, 3}, DRUA_FLOAT32, {.in_place = -1}},
        {{37, 29, 1, 2}, DRUA_UINT8, {.views = true, .in_place = -1}},
        {{17, 13, 7, 3}, DRUA_FLOAT32, {.exists = true, .type = DRUA_FLOAT32, .shape = {50, 40, 9, 3}, .in_place = -1}},
        {{17, 13, 7, 3}, DRUA_FLOAT32, {.exists = true, .type = DRUA_UINT8, .shape = {7, 13, 17, 3}, .in_place = -1}}};
    int number = 0;
    context = harness_open();
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        chance.state = drua_hash(3, (*op)->name, strlen((*op)->name));
        if ((*op)->traits & DRUA_HOST || !harness_is_wanted((*op)->name, (*op)->category) ||
            !is_tried((size_t)(op - drua_op_table)))
            continue;
        for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
            if (harness_sample() == 1 || harness_is_sampled(number++)) /* without a sample, all cases */
                compare_pasts(*op, trials[i].shape, trials[i].type, &trials[i].how);
    }
    ck_assert_int_eq(flawed, 0);
    drua_close(context);
}
END_TEST

/* Whether a line of the file names one of the operation's commands. */
static bool is_listed(const char *path, const drua_op *op)
{
    FILE *file = fopen(path, "r");
    char line[256];
    bool found = false;
    ck_assert_ptr_nonnull(file);
    while (!found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        const drua_command_entry *entry = drua_find_command(line);
        found = entry && entry->op == op;
    }
    fclose(file);
    return found;
}

START_TEST(every_operation_has_a_reference)
{
    int missing = 0;
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        const char *note;
        if (!call_is_known(*op, &note) && !note && !is_listed(TEST_DATA "/cases.txt", *op)) {
            printf("%s: give it a row in tests/support/rows_*.c, or golden cases\n", (*op)->name);
            missing++;
        }
    }
    ck_assert_int_eq(missing, 0);
}
END_TEST

/* An operation's calls depend on its name and the seed, but not on the operations tested before. */
static void try_all(uint64_t seed)
{
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        const char *note;
        const int before = flawed;
        if (!is_tried((size_t)(op - drua_op_table)))
            continue;
        chance.state = drua_hash(seed, (*op)->name, strlen((*op)->name));
        begun = time(NULL);
        if (call_is_known(*op, &note) && harness_is_wanted((*op)->name, (*op)->category))
            try_operation(*op);
        if (difftime(time(NULL), begun) > LONG)
            printf("%s takes too long: %.0f s\n", (*op)->name, difftime(time(NULL), begun));
        if (flawed > before)
            printf("%s: %d cases fail\n", (*op)->name, flawed - before);
    }
    printf("%d calls\n", calls_made);
    ck_assert_int_eq(flawed, 0);
}

START_TEST(fixed_seed)
{
    context = harness_open();
    try_all(1);
    drua_close(context);
}
END_TEST

START_TEST(new_seed)
{
    context = harness_open();
    const uint64_t seed = harness_new_seed("property_operations");
    every = 5;
    counter = (int)(seed % 5);
    try_all(seed);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("operations");
    TCase *tests = tcase_create("operations");
    tcase_set_timeout(tests, 1200);
    tcase_add_test(tests, every_operation_has_a_reference);
    tcase_add_test(tests, nothing_of_the_past);
    tcase_add_test(tests, fixed_seed);
    tcase_add_test(tests, new_seed);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In each operation, the n-th host allocation or OpenCL call fails, for every n. The operation never crashes, reports
 * one error, leaks nothing and leaves other images unchanged. DRUA_SAMPLE=n tests every n-th operation.
 */
#include "calls.h"
#include "loader.h"
#include "source.h"

#include "clock.h"
#include "context.h"
#include "fft.h"
#include "registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failures, refused;
static bool completed, invoked;

static void report_failure(const fault_source *source, long n, const char *operation, const char *what)
{
    printf("%s %ld of %s: %s\n", source->what, n, operation, what);
    failures++;
}

/* Runs the call to the end: computes and pulls every output. */
static drua_status run_to_end(drua_context *context, const call *c, const drua_image *handles)
{
    drua_argument arguments[CALL_PARAMS];
    drua_table *table = NULL;
    size_t count = call_arguments(c, handles, arguments);
    drua_status status = drua_invoke(context, c->op->name, arguments, count, &table);
    drua_table_free(table);
    invoked = status == DRUA_OK;
    for (size_t i = 0, at = 0; i < c->op->param_count && status == DRUA_OK;
         at += c->op->params[i++].kind != DRUA_KIND_TABLE_OUT) {
        if (c->op->params[i].kind != DRUA_KIND_IMAGE_OUT && c->op->params[i].kind != DRUA_KIND_IMAGE_INOUT)
            continue;
        drua_image_info info;
        status = drua_get_info(context, arguments[at].image, &info);
        void *pixels = reference_allocate(1, info.bytes);
        if (status == DRUA_OK)
            status = drua_pull(context, arguments[at].image, pixels);
        free(pixels);
    }
    return status;
}

/* Makes an image of the same pixels that is computed only when it is used. */
static void put_off(drua_context *context, const reference_image *pixels, drua_image *image)
{
    drua_image result;
    REQUIRE(drua_create(context, pixels->shape, pixels->type, &result));
    REQUIRE(INVOKE(context, "add_image_and_scalar", IMAGE(*image), IMAGE(result), NUMBER(0)));
    REQUIRE(drua_release(context, *image));
    *image = result;
}

/*
 * Runs the call with a fault at step n. In the second variant, results go into existing images, and inputs are not
 * computed yet. Returns false if the call makes fewer than n steps.
 */
static bool try_fault(drua_context *context, const fault_source *source, const call *c, bool second, long n)
{
    drua_image handles[CALL_PARAMS] = {0};
    const float numbers[] = {1, 2, 3};
    const drua_image witness = harness_line(context, numbers, 3);
    for (int k = 0; k < c->input_count; k++)
        handles[c->inputs[k]] = harness_push(context, &c->before[c->inputs[k]]);
    for (int k = 0; k < c->output_count && second; k++)
        if (!handles[c->outputs[k]])
            REQUIRE(drua_create(context, reference_stack(20, 3, 2), DRUA_UINT8, &handles[c->outputs[k]]));
    for (int k = 0; k < c->input_count && second; k++)
        put_off(context, &c->before[c->inputs[k]], &handles[c->inputs[k]]);
    if (!second)
        REQUIRE(drua_sync(context));
    source->arm(n);
    const drua_status status = run_to_end(context, c, handles);
    const bool fired = source->fired();
    completed = status == DRUA_OK;
    if (status != DRUA_OK && fired) {
        refused++;
        if (!*drua_error_message() || strchr(drua_error_message(), '\n'))
            report_failure(source, n, c->op->name, "no sentence");
    }
    if (status == DRUA_E_INTERNAL)
        report_failure(source, n, c->op->name, drua_error_message());
    if (harness_first(context, witness) != 1)
        report_failure(source, n, c->op->name, "another image changed");
    for (int k = 0; k < c->input_count; k++) {
        if (c->op->params[c->inputs[k]].kind != DRUA_KIND_IMAGE_IN && invoked)      /* the call changed this image */
            continue;
        reference_image now = harness_pull(context, handles[c->inputs[k]]);
        char message[256];
        if (!reference_agrees(&c->before[c->inputs[k]], &now, 0, false, message, sizeof message))
            report_failure(source, n, c->op->name, message);
        reference_free(&now);
    }
    for (int k = 0; k < c->output_count && second && !invoked; k++)
        if (!c->before[c->outputs[k]].pixels) {
            reference_image now = harness_pull(context, handles[c->outputs[k]]);
            for (int64_t i = 0; i < now.shape.width * now.shape.height * now.shape.depth; i++)
                if (now.pixels[i] != 0) {
                    report_failure(source, n, c->op->name, "a call that failed wrote into an image");
                    break;
                }
            reference_free(&now);
        }
    REQUIRE(drua_clear(context));
    uint64_t used, pooled;
    drua_device_memory(context->device, &used, &pooled);
    if (used != drua_fft_kept_bytes(context->engine.fft, false) || context->engine.pending_count != 0) {
        report_failure(source, n, c->op->name, "memory or work is left behind");
        exit(EXIT_FAILURE);
    }
    return fired;
}

/* Writes a movie to a file, for operations that read one. */
static void write_movie(drua_context *context, harness_random *chance, char *path, size_t size)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, size, "%s/drua-faults-%ld.tif", folder ? folder : "/tmp", (long)getpid());
    reference_image movie = harness_image(chance, DRUA_FLOAT32, reference_stack(7, 5, 3), HARNESS_POSITIVE);
    REQUIRE(drua_write_tiff(context, harness_push(context, &movie), path, NULL));
    REQUIRE(drua_clear(context));
    reference_free(&movie);
}

/* Files of operations that neither read nor write the movie: their names follow that of the movie. */
static const char *const own_files[][2] = {
    {"write_zarr", ".zarr"},          {"write_track_mate", ".out"},        {"write_tile_configuration", ".out"},
    {"read_track_mate", ".xml"},      {"read_tile_configuration", ".txt"}, {"write_cell_tracking", ".cells"},
    {"read_cell_tracking", ".cells"}, {"stitch_files", ".tiles.csv"},      {"move_frame", ".csv"}};

static void name_file(char path[600], const char *movie, const char *operation)
{
    snprintf(path, 600, "%.500s", movie);
    for (size_t i = 0; i < sizeof own_files / sizeof *own_files; i++)
        if (!strcmp(operation, own_files[i][0]))
            snprintf(path, 600, "%.500s%s", movie, own_files[i][1]);
}

static void write_text(const char *movie, const char *ending, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%.500s%s", movie, ending);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void write_own_files(drua_context *context, harness_random *chance, const char *movie)
{
    char path[600], list[1100];
    snprintf(list, sizeof list, "file,x,y\n%.500s,0,0\n%.500s,4,0\n", movie, movie);
    write_text(movie, ".tiles.csv", list);
    write_text(movie, ".xml",
               "<TrackMate><Spot ID=\"1\" FRAME=\"0\" POSITION_X=\"1\" POSITION_Y=\"2\" POSITION_Z=\"0\"/>"
               "<Spot ID=\"2\" FRAME=\"1\" POSITION_X=\"1\" POSITION_Y=\"2\" POSITION_Z=\"0\"/>"
               "<Edge SPOT_SOURCE_ID=\"1\" SPOT_TARGET_ID=\"2\"/></TrackMate>");
    write_text(movie, ".csv", "Frame,Shift_X,Shift_Y\n1,1.5,-1\n");
    write_text(movie, ".txt", "dim = 2\na.tif; ; (0.0, 1.0)\n");
    snprintf(path, sizeof path, "%.500s.cells", movie);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    write_text(movie, ".cells/res_track.txt", "1 0 0 0\n");
    snprintf(path, sizeof path, "%.500s.cells/mask000.tif", movie);
    reference_image mask = harness_image(chance, DRUA_UINT16, reference_plane(7, 5), HARNESS_LABELS);
    for (int64_t i = 0; i < (int64_t)reference_count(&mask); i++)
        mask.pixels[i] = i % 3 == 0; /* res_track.txt has track 1 only */
    REQUIRE(drua_write_tiff(context, harness_push(context, &mask), path, NULL));
    REQUIRE(drua_clear(context));
    reference_free(&mask);
}

static void remove_own_files(const char *movie)
{
    char command[1100];
    snprintf(command, sizeof command, "rm -rf '%s' '%s'.*", movie, movie);
    ck_assert_int_eq(system(command), 0);
}

/* Tries all steps of one call. Returns false if the call does not succeed even without a fault. */
static bool try_steps(drua_context *context, const fault_source *source, const call *c, bool second, int share)
{
    enum { LIMIT = 100000 };
    const double start = drua_seconds();
    long n = 1, tries = 1;
    for (; n < LIMIT && try_fault(context, source, c, second, n); tries++)
        n += 1 + n / share;       /* all early steps, then fewer, because later ones repeat */
    if (n >= LIMIT)
        report_failure(source, n, c->op->name, "does not end");
    if (getenv("DRUA_VERBOSE"))
        printf("%6.2f s, %ld of %ld, %s%s%s\n", drua_seconds() - start, tries, n, c->op->name, completed ? "" : ": ",
               completed ? "" : drua_error_message());
    return completed;
}

/* Skips custom_operation, which takes a list of images; custom_binary_operation has the same code. */
static bool is_wanted(const drua_op *op)
{
    return !(op->traits & DRUA_HOST) && strcmp(op->name, "custom_operation") &&
           harness_is_wanted(op->name, op->category);
}

static void try_operations(const fault_source *source, int share)
{
    enum { TURNS = 20 };
    char movie[512], path[600];
    drua_context *context = harness_open();
    harness_random chance = {5};
    write_movie(context, &chance, movie, sizeof movie);
    write_own_files(context, &chance, movie);
    int number = 0;
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        if (!is_wanted(*op) || !harness_takes(number++, share))
            continue;
        bool ended = false;
        /* a call with random arguments may be refused */
        for (int turn = 0; turn < 2 || (turn < TURNS && !ended); turn++) {
            const bool second = turn % 2;
            call c = call_make(&chance, *op, reference_stack(7, 5, 3), DRUA_FLOAT32);
            name_file(path, movie, (*op)->name);
            for (size_t i = 0; i < (*op)->param_count; i++)
                if ((*op)->params[i].kind == DRUA_KIND_PATH)
                    c.texts[i] = path;
            ended = try_steps(context, source, &c, second, harness_shares() == 1 ? 20 : 100) || ended;
            call_free(&c);
        }
        if (!ended)
            report_failure(source, 0, (*op)->name, "no call comes to its end, so its later steps are not tried");
    }
    remove_own_files(movie);
    printf("%d calls refused because the n-th %s failed\n", refused, source->what);
    ck_assert_int_eq(failures, 0);
    drua_close(context);
}

START_TEST(each_step_of_each_operation)
{
    try_operations(fault_start(_i / harness_shares()), _i % harness_shares());
    loader_expect_nothing_left("all operations", 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("operations");
    TCase *tests = tcase_create("operations");
    tcase_set_timeout(tests, 2000);
    fault_add(tests, each_step_of_each_operation, harness_shares());
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

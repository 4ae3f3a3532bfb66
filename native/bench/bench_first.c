/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the commands of the demonstration (macros/segment_nuclei.ijm) on an image of its size. Measures how long the
 * first result takes, including compiling or loading programs, and how long repetitions take. DRUA_CACHE=off and the
 * driver's cache settings determine what is compiled.
 */
#include "bench.h"
#include "hash.h"
#include "open_context.h"

#include <drua/drua.h>

#include <inttypes.h>
#include <stdio.h>

enum { WIDTH = 352, HEIGHT = 340, APART = 40, RADIUS = 12, TIMES = 4 };

#define TEXT(characters) ((drua_argument){.kind = DRUA_ARG_TEXT, .text = (characters)})
#define NUMBER(value)    ((drua_argument){.kind = DRUA_ARG_NUMBER, .number = (value)})

static const char *const commands[] = {"CLIJ2_gaussianBlur2D", "CLIJ2_thresholdOtsu",
                                       "CLIJ2_connectedComponentsLabelingBox", "CLIJ2_excludeLabelsOnEdges",
                                       "CLIJ2_statisticsOfLabelledPixels"};
enum { STEPS = sizeof commands / sizeof *commands, MAX_ARGUMENTS = 4 };

/* Times and results of one run. */
typedef struct run {
    double seconds[STEPS], all;
    size_t nuclei;
    double sum; /* of all cells of the table */
    uint64_t hash; /* of the label map's pixels */
} run;

/* Draws discs on a patterned background, the same on every computer. */
static void draw_discs(uint8_t *pixels)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int dx = x % APART - APART / 2, dy = y % APART - APART / 2;
            pixels[y * WIDTH + x] =
                (uint8_t)((x * 31 + y * 17) % 23 + (dx * dx + dy * dy < RADIUS * RADIUS ? 150 : 20));
        }
}

static drua_status run_steps(drua_context *context, const uint8_t *pixels, run *r)
{
    static float labels[WIDTH * HEIGHT];
    drua_argument arguments[STEPS][MAX_ARGUMENTS] = {{TEXT("image"), TEXT("blurred"), NUMBER(2), NUMBER(2)},
                                                     {TEXT("blurred"), TEXT("mask")},
                                                     {TEXT("mask"), TEXT("components")},
                                                     {TEXT("components"), TEXT("nuclei")},
                                                     {TEXT("image"), TEXT("nuclei")}};
    drua_image image;
    drua_table *table = NULL;
    const double start = drua_bench_seconds();
    drua_status status = drua_push(context, (drua_shape){WIDTH, HEIGHT, 1, 2}, DRUA_UINT8, pixels, &image);
    if (status == DRUA_OK)
        status = drua_bind(context, "image", image);
    for (int i = 0; i < STEPS && status == DRUA_OK; i++) {
        const double begin = drua_bench_seconds();
        status = drua_command(context, commands[i], arguments[i], i == 0 ? MAX_ARGUMENTS : 2, &table);
        if (status == DRUA_OK)
            status = drua_sync(context);
        r->seconds[i] = drua_bench_seconds() - begin;
    }
    if (status == DRUA_OK)
        status = drua_find(context, "nuclei", &image);
    if (status == DRUA_OK)
        status = drua_pull(context, image, labels);
    r->all = drua_bench_seconds() - start;
    r->sum = 0;
    r->nuclei = table ? table->rows : 0;
    for (size_t i = 0; table && i < table->rows * table->columns; i++)
        r->sum += table->cells[i];
    r->hash = drua_hash(DRUA_HASH_START, labels, sizeof labels);
    drua_table_free(table);
    return status == DRUA_OK ? drua_clear(context) : status;
}

int drua_bench_first(const char *device, int scale)
{
    static uint8_t pixels[WIDTH * HEIGHT];
    drua_context *context;
    drua_statistics before = {0}, after;
    const double start = drua_bench_seconds();
    (void)scale;
    draw_discs(pixels);
    drua_status status = drua_tool_open(device, &context);
    if (status != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    printf("what\tseconds\tcompiled\tloaded\n");
    printf("opening the device\t%.3f\t\t\n", drua_bench_seconds() - start);
    for (int i = 0; i < TIMES && status == DRUA_OK; i++) {
        run r = {.all = 0};
        status = run_steps(context, pixels, &r);
        drua_get_statistics(context, &after);
        for (int k = 0; k < STEPS && status == DRUA_OK; k++)
            printf("%d. %s\t%.4f\t\t\n", i + 1, commands[k], r.seconds[k]);
        if (status == DRUA_OK)
            printf("%d. all, with push and pull\t%.4f\t%" PRIu64 "\t%" PRIu64
                   "\n# %zu nuclei, sum of the table %.17g, pixels %016" PRIx64 "\n",
                   i + 1, r.all, after.programs_built - before.programs_built,
                   after.programs_loaded - before.programs_loaded, r.nuclei, r.sum, r.hash);
        before = after;
    }
    if (status != DRUA_OK)
        fprintf(stderr, "%s\n", drua_error_message());
    drua_close(context);
    return status != DRUA_OK;
}

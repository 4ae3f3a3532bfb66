/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Interprets any bytes as a file of a pipeline by blocks. The first byte chooses the file: the plan, its macro, an
 * operation with settings, records of finished blocks, results of a pass, the numbers of labels, or labels of blocks.
 * It also chooses whether to correct the checksums, which random bytes would never match.
 */
#include "fuzz.h"

#include "block_pipeline.h"
#include "crc32c.h"
#include "error.h"
#include "job.h"
#include "label_list.h"
#include "label_sums.h"
#include "little_endian.h"
#include "pass_records.h"
#include "registry.h"
#include "remove_plan.h"
#include "zarr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HASH = DRUA_SHA256_TEXT - 1, MODEST = 5000 };

static const char hash[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/* ---- existing files: an image of 9 x 7 x 3 pixels, a pipeline's plan for it, and labels of its blocks */

static const int64_t extent[] = {9, 7, 3}, step[] = {5, 7, 3};
enum { PIXELS = 9 * 7 * 3 };

static block_plan usual;

static void make_input(void)
{
    uint8_t pixels[PIXELS];
    drua_image image;
    for (int i = 0; i < PIXELS; i++)
        pixels[i] = (uint8_t)(i % 7 * 30);
    fuzz_check("drua_push", drua_push(fuzz_context(), (drua_shape){9, 7, 3, 3}, DRUA_UINT8, pixels, &image));
    fuzz_check("drua_write_tiff", drua_write_tiff(fuzz_context(), image, "in.tif", NULL));
    fuzz_check("drua_clear", drua_clear(fuzz_context()));
}

static drua_status plan_pipeline(const char *pipeline, const char *output, const char *path)
{
    const drua_blocks_request request = {.pipeline = pipeline,
                                         .input = "in.tif",
                                         .output = output,
                                         .block = {5, 7, 3},
                                         .chunk = {5, 7, 3},
                                         .share = true,
                                         .anew = true};
    drua_text said = {0};
    const drua_status status = drua_blocks_plan(&request, path, &said);
    drua_text_free(&said);
    return status;
}

static void make_labels(void)
{
    const drua_zarr_metadata metadata = {
        .shape = {9, 7, 3, 3}, .channels = 1, .frames = 1, .type = DRUA_UINT32, .scale = {1, 1, 1}, .labels = true};
    const drua_zarr_options options = {.levels = 1, .chunk = {5, 7, 3}, .labels = true, .replaces = true};
    const drua_zarr_box box = {.end = {9, 7, 3}};
    uint32_t pixels[PIXELS];
    drua_zarr_out *out;
    for (uint32_t i = 0; i < PIXELS; i++)
        pixels[i] = i % 4;
    fuzz_store("labels/here", "", 0);
    fuzz_check("drua_zarr_create", drua_zarr_create("labels/local.zarr", &metadata, &options, NULL, &out));
    fuzz_check("drua_zarr_write", drua_zarr_write(out, 0, &box, pixels));
    drua_zarr_finish(out, DRUA_E_CANCELLED);
}

static void make_all(void)
{
    make_input();
    if (plan_pipeline("gaussian_blur sigma_x=1 sigma_y=1 sigma_z=1", "usual.zarr", "usual.json") != DRUA_OK ||
        block_plan_read("usual.json", &usual) != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_text());
        abort();
    }
    make_labels();
}

/* ---- plans and pipelines */

/* Whether counting the plan's blocks is fast; a plan with the most blocks allowed takes seconds. */
static bool is_quick(const char *path)
{
    enum { PART = 100 };
    block_plan p;
    const drua_status status = block_plan_read(path, &p);
    fuzz_check("block_plan_read", status);
    const int64_t volumes = p.channels * p.frames * PART;
    bool quick = status == DRUA_OK && job_can_count(p.size, p.block, volumes);
    for (int i = 0; i < p.pass_count; i++)
        quick = quick && job_can_count(p.passes[i].extent, p.passes[i].step, volumes);
    block_plan_free(&p);
    return quick;
}

static void check_plan(const char *path)
{
    drua_blocks_status status;
    drua_text ranges = {0};
    fuzz_check("drua_blocks_read_status", drua_blocks_read_status(path, &status));
    fuzz_check("drua_blocks_list_unfinished", drua_blocks_list_unfinished(path, &ranges));
    drua_text_free(&ranges);
}

/* Whether a plan names no file outside the folder, so that it may run here. */
static bool stays_here(void)
{
    block_plan p;
    bool here = block_plan_read("plan.json", &p) == DRUA_OK && !strpbrk(p.input, "/\\") && !strpbrk(p.output, "/\\");
    for (int i = 0; here && i < p.path_count; i++)
        here = !strpbrk(p.paths[i], "/\\");
    block_plan_free(&p);
    return here;
}

static void read_plan(const uint8_t *bytes, size_t size, bool runs)
{
    fuzz_store("plan.json", bytes, size);
    const bool quick = is_quick("plan.json");
    if (quick)
        check_plan("plan.json");
    if (quick && runs && stays_here()) {
        fuzz_check("drua_blocks_verify", drua_blocks_verify("plan.json", NULL, NULL));
        fuzz_check("drua_blocks_run", drua_blocks_run("plan.json", &(drua_blocks_share){.end = 0}, NULL, NULL));
    }
    drua_blocks_forget("plan.json");
}

static void forget_output(void)
{
    fuzz_remove("out.zarr");
    fuzz_remove("out.zarr.writing");
}

static void read_pipeline(const uint8_t *bytes, size_t size)
{
    fuzz_store("pipeline.ijm", bytes, size);
    fuzz_check("drua_blocks_plan", plan_pipeline("pipeline.ijm", "out.zarr", "plan.json"));
    drua_blocks_withdraw("plan.json");
    drua_blocks_forget("plan.json");
    forget_output();
}

/* Stops after planning; otherwise blocks would be computed. */
static int stop_after_planning(void *payload, const drua_process_progress *progress)
{
    (void)payload;
    (void)progress;
    return 0;
}

/* The lines after the first are the settings of a run. */
static void read_operation(const uint8_t *bytes, size_t size)
{
    char text[2000];
    size = size < sizeof text ? size : sizeof text - 1;
    memcpy(text, bytes, size);
    text[size] = 0;
    char *settings = strchr(text, '\n');
    if (settings)
        *settings++ = 0;
    if (strpbrk(text, "/\\")) /* a file outside the folder */
        return;
    fuzz_check("drua_process_file", drua_process_file(text, "in.tif", "out.zarr", settings, stop_after_planning, NULL));
    drua_blocks_forget("out.zarr.plan.json");
    forget_output();
}

/* ---- records */

/* Writes a file that begins with the header of Drua's files. */
static void store_headed(const char *name, const char *magic, const char *what, const uint8_t *bytes, size_t size)
{
    uint8_t *all = malloc(8 + HASH + size);
    memcpy(all, magic, 8);
    memcpy(all + 8, what, HASH);
    memcpy(all + 8 + HASH, bytes, size);
    fuzz_store(name, all, 8 + HASH + size);
    free(all);
}

static void read_journal(uint8_t *bytes, size_t size, bool right)
{
    enum { RECORD = 40 };
    for (size_t at = 0; right && at + RECORD <= size; at += RECORD)
        drua_put_number(bytes + at + RECORD - 4, drua_crc32c(bytes + at, RECORD - 4), 4);
    if (right)
        store_headed("usual.json.journal/a.blocks", "DRUABLK1", usual.all, bytes, size);
    else
        fuzz_store("usual.json.journal/a.blocks", bytes, size);
    check_plan("usual.json");
    fuzz_check("drua_blocks_verify", drua_blocks_verify("usual.json", NULL, NULL));
    fuzz_remove("usual.json.journal");
}

/* Sets a number of labels so that its table fits the memory, or certainly does not. */
static void be_modest(uint8_t *number, int bytes)
{
    const uint64_t label = drua_get_number(number, bytes);
    if (label > MODEST && label < UINT32_MAX - MODEST)
        drua_put_number(number, label % MODEST, bytes);
}

static void add_up(pass_results *r, int64_t blocks)
{
    enum { ROW = sizeof(uint64_t) + sizeof(label_sums) };
    tabulation sums = {.of = NULL}, again = {.of = NULL};
    drua_bytes found = {0};
    for (int64_t block = 0; block < blocks; block++)
        if (pass_results_has(r, block) && pass_results_get(r, block, &found) == DRUA_OK) {
            for (size_t at = 0; at + ROW <= found.length; at += ROW)
                be_modest(found.data + at, sizeof(uint64_t));
            fuzz_check("tabulation_add", tabulation_add(&sums, &found));
        }
    fuzz_check("tabulation_load", tabulation_load(&again, &found));
    free(found.data);
    found = (drua_bytes){0};
    if (sums.of && tabulation_save(&sums, &found) == DRUA_OK)
        fuzz_check("tabulation_load", tabulation_load(&again, &found));
    free(found.data);
    free(sums.of);
    free(again.of);
}

/* Each record is one byte for its block, one for its length, then that many bytes. */
static size_t pack_results(const uint8_t *bytes, size_t size, uint8_t *to)
{
    enum { RECORD = 24, LENGTHEN = 4 };
    size_t made = 0;
    for (size_t at = 0; at + 2 <= size;) {
        const size_t wanted = LENGTHEN * (size_t)bytes[at + 1], left = size - at - 2,
                     length = wanted < left ? wanted : left;
        drua_put_number(to + made, bytes[at], 8);
        drua_put_number(to + made + 8, length, 8);
        drua_put_number(to + made + 16, drua_crc32c(bytes + at + 2, length), 4);
        drua_put_number(to + made + 20, drua_crc32c(to + made, RECORD - 4), 4);
        memcpy(to + made + RECORD, bytes + at + 2, length);
        made += RECORD + length;
        at += 2 + length;
    }
    return made;
}

static void read_results(const uint8_t *bytes, size_t size, bool right)
{
    enum { BLOCKS = 12, MAX_GROWTH = 13 }; /* an empty record: 2 bytes become 24 */
    uint8_t *packed = malloc(MAX_GROWTH * size + 1);
    pass_results *r = NULL;
    drua_bytes joined = {0};
    if (right)
        store_headed("pass/a.results", "DRUAPAS1", hash, packed, pack_results(bytes, size, packed));
    else
        fuzz_store("pass/a.results", bytes, size);
    free(packed);
    const drua_status status = pass_results_open("pass", hash, BLOCKS, &r);
    fuzz_check("pass_results_open", status);
    if (status == DRUA_OK)
        add_up(r, BLOCKS);
    pass_results_close(r);
    fuzz_store("pass/joined", bytes, size);
    if (pass_joined_read("pass", hash, &joined))
        free(joined.data);
    fuzz_remove("pass");
}

/* ---- labels */

static void read_map(void)
{
    const drua_box boxes[] = {{{0, 0, 0}, {9, 7, 3}}, {{4, 2, 1}, {9, 3, 2}}};
    uint16_t pixels[PIXELS];
    label_map *map = NULL, *other = NULL;
    label_row *rows = NULL;
    uint32_t largest;
    fuzz_check("label_map_open", label_map_open("labels", hash, extent, &map));
    if (!map)
        return;
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        fuzz_check("label_map_read", label_map_read(map, NULL, &boxes[i], DRUA_UINT16, pixels));
    fuzz_check("label_map_rows", label_map_rows(map, &rows, &largest));
    fuzz_check("label_map_apply", label_map_apply(map, drua_find_op("close_index_gaps_in_label_map"), NULL, &other));
    if (other)
        fuzz_check("label_map_limit", label_map_limit(other, DRUA_UINT8));
    free(rows);
    label_map_close(other);
    label_map_close(map);
}

static void read_numbers(uint8_t *bytes, size_t size, bool right)
{
    if (right && size > 8 + HASH + 4) {
        memcpy(bytes, "DRUALBL1", 8);
        memcpy(bytes + 8, hash, HASH);
        drua_put_number(bytes + size - 4, drua_crc32c(bytes, size - 4), 4);
    }
    fuzz_store("labels/numbers", bytes, size);
    read_map();
    fuzz_remove("labels/numbers");
}

/*
 * The header of a file of a block's labels. Numbers are written to their positions, together with checksums of the
 * data to which they point.
 */
enum {
    AT_COUNT = 16,
    AT_STARTS = 24,
    AT_LENGTHS = 72,
    AT_SUMS = 120,
    AT_ROWS_SUM = 144,
    AT_SUM = 148,
    HEAD = 152,
    FACES = 6,
    ROW = sizeof(label_row)
};

static void put_right(uint8_t *bytes, size_t size, int64_t block)
{
    const uint64_t count = drua_get_number(bytes + AT_COUNT, 8);
    memcpy(bytes, "DRUALBK1", 8);
    drua_put_number(bytes + 8, (uint64_t)block, 8);
    if (count <= (size - HEAD) / ROW) {
        for (uint64_t i = 0; i < count; i++)
            be_modest(bytes + HEAD + i * ROW + offsetof(label_row, number), 4);
        drua_put_number(bytes + AT_ROWS_SUM, drua_crc32c(bytes + HEAD, count * ROW), 4);
    }
    for (int face = 0; face < FACES; face++) {
        const uint64_t start = drua_get_number(bytes + AT_STARTS + 8 * face, 8),
                       length = drua_get_number(bytes + AT_LENGTHS + 8 * face, 8);
        if (start <= size && length <= size - start && start >= HEAD)
            drua_put_number(bytes + AT_SUMS + 4 * face, drua_crc32c(bytes + start, length), 4);
    }
    drua_put_number(bytes + AT_SUM, drua_crc32c(bytes, AT_SUM), 4);
}

/*
 * Joins the labels of two blocks. The first byte says how they are joined, the next two give the length of the first
 * block's file.
 */
static void join_labels(uint8_t *bytes, size_t size, bool right)
{
    if (size < 3)
        return;
    const label_join how = (label_join)(bytes[0] % 3);
    size_t first = (size_t)(bytes[1] | bytes[2] << 8);
    bytes += 3;
    size -= 3;
    first = first < size ? first : size;
    if (right && first > HEAD)
        put_right(bytes, first, 0);
    if (right && size - first > HEAD)
        put_right(bytes + first, size - first, 1);
    fuzz_store("labels/block0.labels", bytes, first);
    fuzz_store("labels/block1.labels", bytes + first, size - first);
    const drua_status status = label_map_join("labels", hash, extent, step, how);
    fuzz_check("label_map_join", status);
    if (status == DRUA_OK)
        read_map();
    fuzz_remove("labels/numbers");
    fuzz_remove("labels/block0.labels");
    fuzz_remove("labels/block1.labels");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    enum { KINDS = 8 };
    if (!usual.macro)
        make_all();
    if (!size)
        return 0;
    const bool right = bytes[0] / KINDS % 2 == 0;
    uint8_t *own = malloc(size);
    memcpy(own, bytes + 1, size - 1);
    switch (bytes[0] % KINDS) {
    case 0: read_plan(own, size - 1, false); break;
    case 1: read_plan(own, size - 1, true); break;
    case 2: read_pipeline(own, size - 1); break;
    case 3: read_operation(own, size - 1); break;
    case 4: read_journal(own, size - 1, right); break;
    case 5: read_results(own, size - 1, right); break;
    case 6: read_numbers(own, size - 1, right); break;
    default: join_labels(own, size - 1, right);
    }
    free(own);
    return 0;
}

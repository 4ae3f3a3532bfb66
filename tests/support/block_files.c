/* SPDX-License-Identifier: BSD-3-Clause */
#include "block_files.h"

#include "error.h"
#include "remove_plan.h"
#include "zarr_folder.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char block_lines[8192];

static char folder[HARNESS_FOLDER];

void block_folder_make(void)
{
    harness_make_folder(folder);
}

void block_folder_remove(void)
{
    zarr_folder_remove(folder);
}

void block_folder_path(const char *name, char path[BLOCK_PATH_SIZE])
{
    snprintf(path, BLOCK_PATH_SIZE, "%s/%s", folder, name);
}

void block_write_text(const char *name, const char *text)
{
    zarr_folder_put(folder, name, text, strlen(text));
}

void block_write_input(drua_context *context, drua_image image, const int64_t chunk[3])
{
    char path[BLOCK_PATH_SIZE], options[200];
    block_folder_path("in.zarr", path);
    snprintf(options, sizeof options, "chunk=%" PRId64 ",%" PRId64 ",%" PRId64, chunk[0], chunk[1], chunk[2]);
    REQUIRE(drua_bind(context, "input", image));
    REQUIRE(COMMAND(context, "Drua_writeZarr", NAME("input"), NAME(path), NAME(options)));
}

reference_image block_read_output(drua_context *context)
{
    char path[BLOCK_PATH_SIZE];
    drua_image image;
    block_folder_path("out.zarr", path);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    reference_image pixels = harness_pull(context, image);
    REQUIRE(drua_release(context, image));
    return pixels;
}

bool block_keep_lines(void *payload, const drua_blocks_progress *progress)
{
    (void)payload;
    const size_t used = strlen(block_lines);
    if (progress->line)
        snprintf(block_lines + used, sizeof block_lines - used, "%s\n", progress->line);
    return true;
}

drua_status block_plan(const drua_blocks_request *request)
{
    char in[BLOCK_PATH_SIZE], out[BLOCK_PATH_SIZE], plan[BLOCK_PATH_SIZE], pipeline[BLOCK_PATH_SIZE];
    drua_text said = {0};
    drua_blocks_request r = *request;
    block_folder_path("in.zarr", in);
    block_folder_path("out.zarr", out);
    block_folder_path("plan.json", plan);
    block_folder_path("pipeline.ijm", pipeline);
    r.pipeline = r.pipeline ? r.pipeline : pipeline;
    r.input = in;
    r.output = out;
    r.overwrite = true; /* the next plan of a test replaces the last one */
    r.watch = r.watch ? r.watch : block_keep_lines;
    block_lines[0] = 0;
    const drua_status status = drua_blocks_plan(&r, plan, &said);
    drua_text_free(&said);
    return status;
}

void block_plan_anew(const char *pipeline, const char *memory, const int64_t block[3], const int64_t chunk[3])
{
    drua_blocks_request request = {.pipeline = pipeline, .memory = memory, .anew = true, .overwrite = true};
    memcpy(request.block, block, sizeof request.block);
    memcpy(request.chunk, chunk, sizeof request.chunk);
    if (block_plan(&request) != DRUA_OK)
        ck_abort_msg("plan: %s", drua_error_text());
}

char *block_read_text(const char *name)
{
    enum { LIMIT = 1 << 24 };
    char path[BLOCK_PATH_SIZE], *text = calloc(LIMIT, 1);
    block_folder_path(name, path);
    FILE *file = fopen(path, "r");
    ck_assert_msg(text && file, "there is no %s", path);
    ck_assert(fread(text, 1, LIMIT - 1, file) < LIMIT - 1);
    fclose(file);
    return text;
}

drua_status block_run(const char *devices)
{
    char plan[BLOCK_PATH_SIZE];
    block_folder_path("plan.json", plan);
    block_lines[0] = 0;
    return drua_blocks_run(plan, &(drua_blocks_share){.devices = devices}, block_keep_lines, NULL);
}

void block_finish(void)
{
    char plan[BLOCK_PATH_SIZE];
    block_folder_path("plan.json", plan);
    if (drua_blocks_finish(plan, true, NULL, NULL) != DRUA_OK)
        ck_abort_msg("finish: %s", drua_error_text());
    if (drua_blocks_verify(plan, NULL, NULL) != DRUA_OK)
        ck_abort_msg("verify: %s", drua_error_text());
    drua_blocks_forget(plan);
}

void block_process(const char *pipeline, const int64_t block[3], const int64_t chunk[3])
{
    block_plan_anew(pipeline, NULL, block, chunk);
    if (block_run(NULL) != DRUA_OK)
        ck_abort_msg("run: %s\n%s", drua_error_text(), pipeline);
    block_finish();
}

void block_process_macro(const char *macro, const int64_t block[3], const int64_t chunk[3])
{
    char path[BLOCK_PATH_SIZE];
    block_write_text("pipeline.ijm", macro);
    block_folder_path("pipeline.ijm", path);
    block_process(path, block, chunk);
}

void block_compare(const reference_image *whole, const reference_image *blocks, const char *about)
{
    const drua_shape s = whole->shape;
    ck_assert_msg(s.width == blocks->shape.width && s.height == blocks->shape.height &&
                      s.depth == blocks->shape.depth && whole->type == blocks->type,
                  "the shape or type of the result differs with\n%s", about);
    REFERENCE_EACH_PIXEL(s, x, y, z) {
        const double a = reference_at(whole, x, y, z), b = reference_at(blocks, x, y, z);
        if (memcmp(&a, &b, sizeof a) && !(isnan(a) && isnan(b)))
            ck_abort_msg("%.9g, expected %.9g, at %" PRId64 ", %" PRId64 ", %" PRId64 " of %" PRId64 " x %" PRId64
                         " x %" PRId64 " with\n%s",
                         b, a, (int64_t)x, (int64_t)y, (int64_t)z, s.width, s.height, s.depth, about);
    }
}

void block_compare_output(drua_context *context, const char *name, const char *about)
{
    drua_image image;
    drua_image_info info;
    REQUIRE(drua_find(context, name, &image));
    REQUIRE(drua_get_info(context, image, &info));
    reference_image whole = harness_pull(context, image), blocks = block_read_output(context);
    if (info.labels && whole.type == DRUA_FLOAT32)
        whole.type = DRUA_UINT32; /* OME-Zarr wants integer labels */
    block_compare(&whole, &blocks, about);
    reference_free(&whole);
    reference_free(&blocks);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "provenance.h"
#include "job_outputs.h"

#include "alloc.h"
#include "device.h"
#include "error.h"
#include "file.h"
#include "quote.h"
#include "store.h"

#include <drua/version.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Returns the bytes of an image's pixels; for a TIFF, those of all its files. */
static double bytes_of(const char *path, const block_source *source)
{
    const drua_zarr_metadata *f = source_metadata(source);
    drua_file_info info;
    double bytes = 0;
    if (source_zarr(source))
        return (double)f->shape.width * (double)f->shape.height * (double)f->shape.depth * (double)f->channels *
               (double)f->frames * (double)drua_type_size(f->type);
    for (int64_t i = 0; path; path = source_file(source, i++))
        bytes += drua_file_stat(path, &info) ? (double)info.bytes : 0;
    return bytes;
}

/* Computes the checksum of a file. Returns false if it cannot be read. */
static bool sum_file(const char *path, char sum[DRUA_SHA256_TEXT])
{
    enum { AT_ONCE = 1 << 20 };
    drua_bytes bytes = {0};
    drua_sha256 hash;
    drua_file_state state;
    int64_t at = 0;
    drua_sha256_begin(&hash);
    while ((state = drua_file_part(path, at, AT_ONCE, &bytes, NULL)) == DRUA_FILE_PRESENT && bytes.length) {
        drua_sha256_add(&hash, bytes.data, bytes.length);
        at += (int64_t)bytes.length;
    }
    drua_free(bytes.data);
    drua_sha256_end(&hash, sum);
    return state == DRUA_FILE_PRESENT;
}

static bool sum_chunks(const block_source *source, char sum[DRUA_SHA256_TEXT])
{
    drua_sha256 hash;
    drua_sha256_begin(&hash);
    const bool good = source_hash(source, &hash) == DRUA_OK;
    drua_sha256_end(&hash, sum);
    return good;
}

/* Returns the last name of a path, and names before it back to one with an extension: plate.zarr/A/1/0. */
static const char *name_of(const char *path)
{
    const char *named = NULL, *last = path;
    for (const char *at = path; *at; at += strspn(at, "/")) {
        const size_t length = strcspn(at, "/");
        last = length ? at : last;
        named = *at != '.' && memchr(at, '.', length) ? at : named;
        at += length;
    }
    return named ? named : last;
}

/* Adds the checksums of an image. Returns false if a file cannot be read. */
static bool add_sums(const char *path, const block_source *source, drua_text *text)
{
    char sum[DRUA_SHA256_TEXT];
    if (!(source_zarr(source) ? sum_chunks(source, sum) : sum_file(path, sum)))
        return false;
    drua_text_add(text, ",\"sha256\":\"%s\"", sum);
    for (int64_t i = 0; source_file(source, i); i++) {
        if (!sum_file(source_file(source, i), sum))
            return false;
        drua_text_add(text, i ? ",{\"file\":" : ",\"further_files\":[{\"file\":");
        drua_text_add_json(text, name_of(source_file(source, i)));
        drua_text_add(text, ",\"sha256\":\"%s\"}%s", sum, source_file(source, i + 1) ? "" : "]");
    }
    return true;
}

/*
 * Adds an input. Its folder is left out, so that results do not depend on where the input lies. The checksum of a TIFF
 * is that of its file; further files of an OME-TIFF have their own. The checksum of an image in chunks is that of the
 * lengths and CRC32C of its files. Large images and images on a server take too long to read, so their state is
 * recorded instead: metadata, and for a TIFF size and time. The state is also recorded for mosaics, and for images with
 * a damaged file, which blocks report.
 */
static drua_status add_input(const char *name, const char *path, block_source *source, drua_text *text)
{
    static const double max = 1e9;
    char sum[DRUA_SHA256_TEXT];
    drua_text_add(text, "{\"name\":");
    drua_text_add_json(text, name);
    drua_text_add(text, ",\"file\":");
    drua_text_add_json(text, name_of(path));
    drua_text state = {0}, sums = {0};
    const bool has_sums = !drua_store_is_remote(path) && !source_is_mosaic(source) && bytes_of(path, source) <= max &&
                          add_sums(path, source, &sums);
    if (has_sums)
        drua_text_add(text, "%s}", drua_text_characters(&sums));
    text->failed |= sums.failed;
    drua_text_free(&sums);
    if (has_sums)
        return DRUA_OK;
    DRUA_TRY(source_check(source));
    drua_sha256 hash;
    source_identify(source, &state);
    drua_sha256_begin(&hash);
    drua_sha256_add_text(&hash, drua_text_characters(&state));
    drua_sha256_end(&hash, sum);
    drua_text_add(text, ",\"state_sha256\":\"%s\"}", sum);
    const drua_status status = state.failed ? drua_fail_memory(state.length) : DRUA_OK;
    drua_text_free(&state);
    return status;
}

static void add_channel(const plan_input *in, drua_text *text)
{
    drua_text_add(text, "{\"name\":");
    drua_text_add_json(text, in->name);
    drua_text_add(text, ",\"of\":\"IN\",\"channel\":");
    drua_text_add_json(text, in->channel);
    drua_text_add(text, "}");
}

drua_status provenance_make(job *j)
{
    block_plan *p = &j->text;
    drua_text text = {0};
    if (p->provenance)
        return DRUA_OK;
    drua_text_add(&text, "{\"version\":\"%s\",\"pipeline\":", DRUA_VERSION);
    drua_text_add_json(&text, p->macro);
    drua_text_add(&text, ",\"device\":");
    drua_text_add_json(&text, drua_device_get_info(j->main.device)->name);
    drua_text_add(&text, ",\"inputs\":[");
    drua_status status = add_input("IN", p->input, j->source, &text);
    for (int i = 0; i < p->input_count && status == DRUA_OK; i++) {
        const plan_input *in = &p->inputs[i];
        drua_text_add(&text, ",");
        if (j->named[i].source)
            status = add_input(in->name, in->path, j->named[i].source, &text);
        else
            add_channel(in, &text);
    }
    drua_text_add(&text, "]}");
    if (status == DRUA_OK && (text.failed || !(p->provenance = drua_copy_text(drua_text_characters(&text)))))
        status = drua_fail_memory(text.length);
    drua_text_free(&text);
    return status;
}

void provenance_path(const job *j, char path[JOB_PATH + 8])
{
    snprintf(path, JOB_PATH + 8, "%.*s.json", JOB_PATH - 1, j->text.output);
}

drua_status provenance_write(const job *j)
{
    char path[JOB_PATH + 8];
    drua_text text = {0};
    if (!j->text.writes_provenance || !job_makes_tiff(j) || !j->text.provenance)
        return DRUA_OK;
    provenance_path(j, path);
    drua_text_add(&text, "%s\n", j->text.provenance);
    return job_write_beside(j, path, &text);
}

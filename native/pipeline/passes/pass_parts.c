/* SPDX-License-Identifier: BSD-3-Clause */
/* Helper functions for passes: calls, names, bytes. */
#include "pass_parts.h"
#include "named_inputs.h"
#include "passes.h"

#include "alloc.h"
#include "error.h"
#include "file.h"
#include "registry.h"

#include <drua/version.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

drua_status pass_call(evaluator *e, const char *operation, drua_value *image, const double *numbers, int count,
                      drua_type type, drua_bound bound[DRUA_PLAN_PARAMS])
{
    const drua_op *op = drua_find_op(operation);
    memset(bound, 0, DRUA_PLAN_PARAMS * sizeof *bound);
    bound[0].value = image;
    for (size_t i = 0; i < op->param_count; i++) {
        const drua_kind kind = op->params[i].kind;
        bound[i].is_set = true;
        if (kind == DRUA_KIND_IMAGE_OUT)
            bound[i].type = type;
        if ((kind == DRUA_KIND_NUMBER || kind == DRUA_KIND_INTEGER || kind == DRUA_KIND_BOOLEAN) && count > 0) {
            bound[i].number = *numbers++;
            count--;
        }
    }
    return drua_engine_call(&e->engine, op, bound, NULL);
}

void pass_folder(const char *journal_folder, int pass, const pass_store *store, int64_t volume, char path[PASS_PATH])
{
    if (store->number >= 0)
        snprintf(path, PASS_PATH, "%.2000s/%s%" PRId64 ".%d", journal_folder, store->image ? "image" : "labels", volume,
                 store->number);
    else
        snprintf(path, PASS_PATH, "%.2000s/pass%d.%" PRId64, journal_folder, pass, volume);
}

bool pass_is_folder(const char *name)
{
    return !strncmp(name, "pass", 4) || !strncmp(name, "labels", 6) || !strncmp(name, "image", 5);
}

drua_status pass_hash(const job *j, const graph *g, const char *about, char hash[DRUA_SHA256_TEXT])
{
    drua_status status = DRUA_OK;
    drua_text text = {0};
    drua_sha256 sum;
    drua_text_add(&text, "%s\n", DRUA_VERSION);
    source_identify(j->source, &text);
    named_inputs_identify(j, &text);
    drua_text_add(&text, "\nvolume %" PRId64 "\n", j->volume);
    graph_describe(g, &text);
    for (int i = 0; i < g->file_count; i++) {
        drua_file_info info = {0};
        if (!drua_file_stat(g->files[i].path, &info))
            status = drua_fail(DRUA_E_AWAY, "'%.600s' is missing; make it accessible, then run the same command again",
                               g->files[i].path);
        drua_text_add(&text, "file %d bytes %" PRIu64 " changed %" PRId64 "\n", i, info.bytes, info.changed_exactly);
    }
    drua_text_add(&text, "%s", about);
    drua_sha256_begin(&sum);
    drua_sha256_add_text(&sum, drua_text_characters(&text));
    drua_sha256_end(&sum, hash);
    if (status == DRUA_OK && text.failed)
        status = drua_fail_memory(text.length);
    drua_text_free(&text);
    return status;
}

drua_status pass_bytes(const void *data, size_t length, drua_bytes *bytes)
{
    *bytes = (drua_bytes){drua_alloc(length + 1), length, length};
    if (!bytes->data)
        return drua_fail_memory(length);
    if (length)
        memcpy(bytes->data, data, length);
    return DRUA_OK;
}

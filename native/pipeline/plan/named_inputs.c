/* SPDX-License-Identifier: BSD-3-Clause */
#include "named_inputs.h"

#include "alloc.h"
#include "error.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the request */

static bool is_name(const char *text, size_t length)
{
    bool good = length > 0 && length < 64 && !isdigit((unsigned char)*text);
    for (size_t i = 0; i < length && good; i++)
        good = isalnum((unsigned char)text[i]) || text[i] == '_';
    return good;
}

static drua_status take_input(block_plan *p, const char *text, bool channel)
{
    const char *between = strchr(text, '='), *option = channel ? "--channel" : "--input";
    plan_input *in = &p->inputs[p->input_count];
    const size_t length = between ? (size_t)(between - text) : 0;
    if (!is_name(text, length) || !between[1])
        return drua_fail(DRUA_E_ARGUMENT, "%s must have the form %s, such as %s, got '%.200s'", option,
                         channel ? "VARIABLE=CHANNEL" : "VARIABLE=FILE", channel ? "nuclei=1" : "flat=flat.tif", text);
    for (int i = 0; i < p->input_count; i++)
        if (strlen(p->inputs[i].name) == length && !strncmp(p->inputs[i].name, text, length))
            return drua_fail(DRUA_E_ARGUMENT, "'%.60s' names two inputs; give each input another name",
                             p->inputs[i].name);
    p->input_count++;
    *in = (plan_input){.name = drua_copy_text(text),
                       .path = drua_copy_text(channel ? "" : between + 1),
                       .channel = drua_copy_text(channel ? between + 1 : "")};
    if (!in->name || !in->path || !in->channel)
        return drua_fail_memory(strlen(text));
    in->name[length] = 0;
    return DRUA_OK;
}

drua_status named_inputs_take(const drua_blocks_request *r, block_plan *p)
{
    for (int i = 0; i < r->channel_count; i++)
        DRUA_TRY(take_input(p, r->channels[i], true));
    for (int i = 0; i < r->input_count; i++)
        DRUA_TRY(take_input(p, r->inputs[i], false));
    return DRUA_OK;
}

/* ---- opening */

static bool is_channel(const plan_input *in)
{
    return !*in->path;
}

static drua_status check_axis(const char *path, const char *axis, int64_t count, int64_t expected)
{
    return count == 1 || count == expected ? DRUA_OK
                                           : drua_fail(DRUA_E_ARGUMENT,
                                                       "the input '%.600s' has %" PRId64 " %s, but IN has %" PRId64
                                                       "; an input needs one of them, or as many as IN",
                                                       path, count, axis, expected);
}

static drua_status check_image(const job *j, const plan_input *in, const block_source *source)
{
    const drua_zarr_metadata *f = source_metadata(source), *main = source_metadata(j->source);
    if (!drua_shape_is_same_size(f->shape, main->shape))
        return drua_fail(DRUA_E_ARGUMENT,
                         "the input '%.600s' has %" PRId64 " x %" PRId64 " x %" PRId64 " pixels, but IN has %" PRId64
                         " x %" PRId64 " x %" PRId64 "; both need the same size",
                         in->path, f->shape.width, f->shape.height, f->shape.depth, main->shape.width,
                         main->shape.height, main->shape.depth);
    DRUA_TRY(check_axis(in->path, "channels", f->channels, j->channels));
    return check_axis(in->path, "frames", f->frames, j->frames);
}

/* A request cannot choose an image for a named input, and the first image may be the wrong one. */
static drua_status refuse_several_images(const plan_input *in, const block_source *source)
{
    const char *others = source_other_series(source);
    if (!others)
        return DRUA_OK;
    if (!drua_zarr_is_path(in->path))
        return drua_fail(DRUA_E_ARGUMENT,
                         "the input '%.600s' holds several images (besides the first one: %.600s); save the image that "
                         "you want as a separate file",
                         in->path, others);
    return drua_fail(DRUA_E_ARGUMENT,
                     "the input '%.600s' holds several images (besides the first one: %.600s); give the path "
                     "of one image, such as %s=%.600s/0",
                     in->path, others, in->name, in->path);
}

drua_status named_inputs_open(job *j, size_t keep)
{
    const block_plan *p = &j->text;
    bool has_channel = false;
    for (int i = 0; i < p->input_count; i++)
        if (is_channel(&p->inputs[i])) {
            DRUA_TRY(source_find_channel(j->source, p->inputs[i].channel, &j->named[i].channel));
            has_channel = true;
        }
    j->channels = has_channel ? 1 : source_metadata(j->source)->channels;
    j->frames = source_metadata(j->source)->frames;
    for (int i = 0; i < p->input_count; i++)
        if (!is_channel(&p->inputs[i])) {
            DRUA_TRY(job_open_image(j, p->inputs[i].path, "", 0, keep, &j->named[i].source));
            DRUA_TRY(refuse_several_images(&p->inputs[i], j->named[i].source));
            if (source_metadata(j->named[i].source)->frames > 1)
                DRUA_TRY(job_choose_frames(j, j->named[i].source));
            DRUA_TRY(job_choose_box(j, j->named[i].source));
            DRUA_TRY(check_image(j, &p->inputs[i], j->named[i].source));
        }
    return DRUA_OK;
}

void named_inputs_identify(const job *j, drua_text *text)
{
    for (int i = 0; i < j->text.input_count; i++) {
        drua_text_add(text, "\ninput %s channel %" PRId64 " ", j->text.inputs[i].name, j->named[i].channel);
        if (j->named[i].source)
            source_identify(j->named[i].source, text);
    }
}

/* ---- records of the files that are read */

static void record_folder(const job *j, int input, char folder[JOB_PATH + 32])
{
    snprintf(folder, JOB_PATH + 32, "%s/inputs%d", j->folder, input + 1);
}

drua_status named_inputs_watch(job *j, const char *hash, bool listed)
{
    char folder[JOB_PATH + 32];
    for (int i = 0; i < j->text.input_count; i++) {
        drua_zarr *zarr = j->named[i].source ? source_zarr(j->named[i].source) : NULL;
        record_folder(j, i, folder);
        if (zarr)
            DRUA_TRY(input_record_open(folder, hash, zarr, listed, &j->named[i].record));
    }
    return DRUA_OK;
}

drua_status named_inputs_check(const job *j, int64_t part, int64_t parts)
{
    for (int i = 0; i < j->text.input_count; i++)
        if (j->named[i].record)
            DRUA_TRY(input_record_check(j->named[i].record, part, parts));
    return DRUA_OK;
}

drua_status named_inputs_list(const job *j)
{
    char folder[JOB_PATH + 32];
    for (int i = 0; i < j->text.input_count; i++) {
        drua_zarr *zarr = j->named[i].source ? source_zarr(j->named[i].source) : NULL;
        record_folder(j, i, folder);
        if (zarr)
            DRUA_TRY(input_record_list(folder, j->text.image, zarr));
    }
    return DRUA_OK;
}

/* ---- recording */

static void fill_named(block_source *source, int64_t channel, const char *name, graph_named *to)
{
    drua_text text = {0};
    *to = (graph_named){.name = name, .metadata = source_metadata(source), .channel = channel};
    source_describe(source, channel, &text);
    to->text = text.characters;
}

int named_inputs_graph(const job *j, graph_named inputs[GRAPH_NAMED + 1])
{
    const block_plan *p = &j->text;
    int count = 0;
    if (!p->input_count || !is_channel(&p->inputs[0]))
        fill_named(j->source, -1, NULL, &inputs[count++]);
    for (int i = 0; i < p->input_count; i++, count++) {
        const bool own = is_channel(&p->inputs[i]);
        fill_named(own ? j->source : j->named[i].source, own ? j->named[i].channel : -1, p->inputs[i].name,
                   &inputs[count]);
        inputs[count].image = own ? 0 : i + 1;
    }
    return count;
}

void named_inputs_free_graph(graph_named *inputs, int count)
{
    for (int i = 0; i < count; i++)
        drua_free(inputs[i].text);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the file of a plan. */
#include "job_outputs.h"

#include "alloc.h"
#include "file.h"
#include "json.h"
#include "quote.h"

#include <drua/version.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FORMAT = 1 };

bool job_can_count(const int64_t extent[3], const int64_t step[3], int64_t volumes)
{
    double blocks = (double)volumes;
    for (int axis = 0; axis < 3; axis++) {
        if (extent[axis] < 1 || step[axis] < 1)
            return false;
        blocks *= ceil((double)extent[axis] / (double)step[axis]);
    }
    return blocks <= JOB_MAX_BLOCKS;
}

/* ---- writing */

static void add_text(drua_text *t, const char *key, const char *value)
{
    drua_text_add(t, "  \"%s\": ", key);
    drua_text_add_json(t, value ? value : "");
    drua_text_add(t, ",\n");
}

static void add_extents(drua_text *t, const char *key, const int64_t *numbers)
{
    drua_text_add(t, "  \"%s\": [%" PRId64 ", %" PRId64 ", %" PRId64 "],\n", key, numbers[0], numbers[1], numbers[2]);
}

static void add_box(drua_text *t, const block_plan *p)
{
    bool all = true;
    for (int k = 0; k < 3; k++)
        all = all && !p->origin[k] && !p->extent[k];
    if (all)
        return;
    add_extents(t, "input_origin", p->origin);
    add_extents(t, "input_size", p->extent);
}

/* Written as texts, because JSON has no such numbers. */
static const struct {
    const char *text;
    double value;
} not_finite[] = {{"inf", INFINITY}, {"-inf", -INFINITY}, {"nan", NAN}, {NULL, 0}};

static void add_number(drua_text *t, double value)
{
    int i = 0;
    while (not_finite[i].text && not_finite[i].value != value && !(isnan(value) && isnan(not_finite[i].value)))
        i++;
    if (not_finite[i].text)
        drua_text_add_json(t, not_finite[i].text);
    else
        drua_text_add(t, "%.17g", value);
}

static void add_numbers(drua_text *t, const block_plan *p)
{
    drua_text_add(t, "  \"numbers\": [");
    for (int i = 0; i < p->number_count; i++) {
        drua_text_add(t, "%s{\"operation\": ", i ? ", " : "");
        drua_text_add_json(t, p->numbers[i].what);
        drua_text_add(t, ", \"value\": ");
        add_number(t, p->numbers[i].value);
        drua_text_add(t, "}");
    }
    drua_text_add(t, "],\n");
}

static void add_tables(drua_text *t, const job *j)
{
    drua_text_add(t, "  \"tables\": [");
    for (int i = 0; i < j->text.table_count; i++) {
        char path[JOB_PATH];
        label_table_path(j, i, path);
        drua_text_add(t, i ? ", " : "");
        drua_text_add_json(t, path);
    }
    drua_text_add(t, "],\n");
}

static void add_stored(drua_text *t, const block_plan *p)
{
    drua_text_add(t, "  \"stored\": [");
    for (int i = 0; i < p->stored_count; i++) {
        drua_text_add(t, "%s{\"operation\": ", i ? ", " : "");
        drua_text_add_json(t, p->stored[i].operation);
        drua_text_add(t, ", \"value\": %d}", p->stored[i].value);
    }
    drua_text_add(t, "],\n");
}

static void add_inputs(drua_text *t, const block_plan *p)
{
    drua_text_add(t, "  \"inputs\": [");
    for (int i = 0; i < p->input_count; i++) {
        drua_text_add(t, "%s{\"name\": ", i ? ", " : "");
        drua_text_add_json(t, p->inputs[i].name);
        drua_text_add(t, ", \"path\": ");
        drua_text_add_json(t, p->inputs[i].path);
        drua_text_add(t, ", \"channel\": ");
        drua_text_add_json(t, p->inputs[i].channel);
        drua_text_add(t, "}");
    }
    drua_text_add(t, "],\n");
}

static void add_outputs(drua_text *t, const job *j)
{
    drua_text_add(t, "  \"outputs\": [");
    for (int i = 0; i < j->output_count; i++) {
        drua_text_add(t, "%s{\"name\": ", i ? ", " : "");
        drua_text_add_json(t, j->graphs[0].outputs[i].name);
        drua_text_add(t, ", \"path\": ");
        drua_text_add_json(t, j->text.paths[i]);
        drua_text_add(t, ", \"type\": \"%s\"}", drua_type_name(j->graphs[0].values[j->outputs[i]].image->type));
    }
    drua_text_add(t, "],\n");
}

/* Adds the passes of a shared plan that are still to be done. */
static void add_passes(drua_text *t, const block_plan *p)
{
    drua_text_add(t, "  \"share\": {\n  ");
    add_extents(t, "block", p->requested_block);
    drua_text_add(t, "    \"limits\": [%" PRIu64 ", %" PRIu64 ", %" PRIu64 "],\n    \"passes\": [", p->limits.device,
                  p->limits.buffer, p->limits.host);
    for (int i = 0; i < p->pass_count; i++) {
        const plan_pass *pass = &p->passes[i];
        drua_text_add(t, "%s\n      {\"what\": ", i ? "," : "");
        drua_text_add_json(t, pass->what);
        drua_text_add(t,
                      ", \"extent\": [%" PRId64 ", %" PRId64 ", %" PRId64 "], \"block\": [%" PRId64 ", %" PRId64
                      ", %" PRId64 "], \"%s\": %d",
                      pass->extent[0], pass->extent[1], pass->extent[2], pass->step[0], pass->step[1], pass->step[2],
                      pass->store.image ? "image" : "labels", pass->store.number);
        if (pass->store.image)
            drua_text_add(t, ", \"type\": \"%s\"", drua_type_name(pass->store.image));
        drua_text_add(t, "}");
    }
    drua_text_add(t, "]},\n");
}

drua_status block_plan_write(const job *j)
{
    const block_plan *p = &j->text;
    drua_text t = {0};
    drua_text_add(&t, "{\n  \"drua_plan\": %d,\n", FORMAT);
    add_text(&t, "version", DRUA_VERSION);
    add_text(&t, "pipeline", p->macro);
    add_text(&t, "input", p->input);
    add_text(&t, "output", p->output);
    add_text(&t, "memory", p->memory);
    add_text(&t, "host_memory", p->host_memory);
    add_text(&t, "compression", p->compression);
    if (*p->series)
        add_text(&t, "series", p->series);
    add_extents(&t, "chunk", p->chunk);
    add_extents(&t, "shard", p->shard);
    drua_text_add(&t, "  \"zarr_version\": %d,\n", p->version);
    if (p->first_frame)
        drua_text_add(&t, "  \"first_frame\": %" PRId64 ",\n  \"last_frame\": %" PRId64 ",\n", p->first_frame,
                      p->last_frame);
    add_box(&t, p);
    drua_text_add(&t, "  \"margin\": %" PRId64 ",\n", p->margin);
    if (p->labels)
        drua_text_add(&t, "  \"labels\": %d,\n", (int)p->labels);
    if (p->level)
        drua_text_add(&t, "  \"level\": %d,\n", p->level);
    drua_text_add(&t, p->replaces ? "  \"replaces\": 1,\n" : "");
    add_outputs(&t, j);
    add_extents(&t, "size", j->shape.extent);
    drua_text_add(&t, "  \"channels\": %" PRId64 ",\n  \"frames\": %" PRId64 ",\n", j->channels, j->frames);
    add_extents(&t, "block", p->block);
    add_extents(&t, "halo", p->halo);
    drua_text_add(&t, "  \"blocks\": %" PRId64 ",\n", j->blocks);
    drua_text_add(&t, "  \"device_bytes\": %" PRIu64 ",\n  \"host_bytes\": %" PRIu64 ",\n", p->device_bytes,
                  p->host_bytes);
    add_numbers(&t, p);
    add_tables(&t, j);
    if (p->provenance)
        drua_text_add(&t, "  \"provenance\": %s,\n", p->provenance);
    drua_text_add(&t, p->writes_provenance ? "  \"writes_provenance\": 1,\n" : "");
    if (p->input_count)
        add_inputs(&t, p);
    if (p->stored_count)
        add_stored(&t, p);
    if (j->passes == PASSES_COUNTED)
        add_passes(&t, p);
    drua_text_add(&t,
                  "  \"hashes\": {\"graph\": \"%s\", \"files\": \"%s\", \"input\": \"%s\", \"settings\": \"%s\", "
                  "\"plan\": \"%s\"}\n}\n",
                  p->graph, p->files, p->image, p->settings, p->all);
    errno = 0;
    drua_status status = t.failed ? drua_fail_memory(t.length) : DRUA_OK;
    if (status == DRUA_OK &&
        (!drua_file_make_shared_folder(j->folder) || !drua_file_replace_by(j->folder, j->path, t.characters, t.length)))
        status =
            drua_fail(DRUA_E_ARGUMENT,
                      "'%.600s' cannot be written: %s; check the disk space and whether the folder is write-protected",
                      j->path, strerror(errno));
    drua_text_free(&t);
    return status;
}

/* ---- reading */

static drua_status fail_damaged_plan(const char *path, const char *key)
{
    return drua_fail(
        DRUA_E_ARGUMENT,
        "'%.600s' is not a plan of Drua, or is damaged: %s is missing or wrong; make the plan again with drua plan",
        path, key);
}

static bool read_text(const drua_json *json, const char *key, char **text)
{
    const char *value = drua_json_text(drua_json_get(json, key));
    *text = value ? drua_copy_text(value) : NULL;
    return *text;
}

static bool read_extents(const drua_json *json, const char *key, int64_t *numbers)
{
    const drua_json *list = drua_json_get(json, key);
    bool good = drua_json_length(list) == 3;
    for (int i = 0; i < 3 && good; i++)
        good = drua_json_integer(drua_json_at(list, i), 0, INT32_MAX, &numbers[i]);
    return good;
}

static bool read_hash(const drua_json *json, const char *key, char hash[DRUA_SHA256_TEXT])
{
    const char *text = drua_json_text(drua_json_get(drua_json_get(json, "hashes"), key));
    if (!text || strlen(text) != DRUA_SHA256_TEXT - 1)
        return false;
    memcpy(hash, text, DRUA_SHA256_TEXT);
    return true;
}

static bool read_number(const drua_json *json, double *value)
{
    const char *text = drua_json_text(json);
    int i = 0;
    while (text && not_finite[i].text && strcmp(not_finite[i].text, text))
        i++;
    if (text)
        *value = not_finite[i].value;
    return text ? not_finite[i].text != NULL : drua_json_number(json, value);
}

static bool read_numbers(const drua_json *json, block_plan *p)
{
    const drua_json *list = drua_json_get(json, "numbers");
    const int64_t count = drua_json_length(list);
    p->numbers = drua_alloc((size_t)(count + 1) * sizeof *p->numbers);
    bool good = p->numbers && count >= 0;
    for (int64_t i = 0; i < count && good; i++) {
        const drua_json *entry = drua_json_at(list, i);
        good = read_text(entry, "operation", &p->numbers[i].what);
        p->number_count += good;
        good = good && read_number(drua_json_get(entry, "value"), &p->numbers[i].value);
    }
    return good;
}

static bool read_type(const drua_json *json, drua_type *type)
{
    const char *text = drua_json_text(drua_json_get(json, "type"));
    for (*type = DRUA_FLOAT32; text && *type && strcmp(drua_type_name(*type), text);)
        --*type;
    return text && *type;
}

static bool read_pass(const drua_json *json, const block_plan *p, plan_pass *pass)
{
    int64_t number = -1;
    const bool image = drua_json_get(json, "image");
    const bool good = read_text(json, "what", &pass->what) && read_extents(json, "extent", pass->extent) &&
                      read_extents(json, "block", pass->step) &&
                      drua_json_integer(drua_json_get(json, image ? "image" : "labels"), -1, GRAPH_MADE - 1, &number) &&
                      (!image || read_type(json, &pass->store.image));
    pass->store.number = (int)number;
    return good && job_can_count(pass->extent, pass->step, p->channels * p->frames);
}

static bool read_passes(const drua_json *json, block_plan *p)
{
    const int64_t max = (int64_t)1 << 53;
    const drua_json *limits = drua_json_get(json, "limits"), *list = drua_json_get(json, "passes");
    const int64_t count = drua_json_length(list);
    int64_t bytes[3];
    bool good = read_extents(json, "block", p->requested_block) && drua_json_length(limits) == 3 && count > 0;
    for (int i = 0; i < 3 && good; i++)
        good = drua_json_integer(drua_json_at(limits, i), 1, max, &bytes[i]);
    p->passes = good ? drua_alloc((size_t)count * sizeof *p->passes) : NULL;
    if (!p->passes)
        return false;
    p->limits = (block_limits){(uint64_t)bytes[0], (uint64_t)bytes[1], (uint64_t)bytes[2], {1, 1, 1}};
    while (p->pass_count < count && read_pass(drua_json_at(list, p->pass_count), p, &p->passes[p->pass_count]))
        p->pass_count++;
    if (p->pass_count < count)
        drua_free(p->passes[p->pass_count].what);
    return p->pass_count == count;
}

static bool read_stored(const drua_json *json, block_plan *p)
{
    const drua_json *list = drua_json_get(json, "stored");
    const int64_t count = list ? drua_json_length(list) : 0;
    bool good = count >= 0 && count <= GRAPH_STORED;
    while (good && p->stored_count < count) {
        const drua_json *entry = drua_json_at(list, p->stored_count);
        int64_t value = 0;
        good = drua_json_integer(drua_json_get(entry, "value"), 0, INT32_MAX, &value) &&
               read_text(entry, "operation", &p->stored[p->stored_count].operation);
        p->stored[p->stored_count].value = (int)value;
        p->stored_count += good;
    }
    return good;
}

static bool read_inputs(const drua_json *json, block_plan *p)
{
    const drua_json *list = drua_json_get(json, "inputs");
    const int64_t count = list ? drua_json_length(list) : 0;
    bool good = count >= 0 && count <= GRAPH_NAMED;
    while (good && p->input_count < count) {
        const drua_json *entry = drua_json_at(list, p->input_count);
        plan_input *in = &p->inputs[p->input_count++];
        good = read_text(entry, "name", &in->name) && read_text(entry, "path", &in->path) &&
               read_text(entry, "channel", &in->channel);
    }
    return good;
}

static bool read_provenance(const drua_json *json, block_plan *p)
{
    const drua_json *object = drua_json_get(json, "provenance");
    int64_t writes = 0;
    drua_text text = {0};
    if (!object)
        return true;
    drua_json_add(object, &text);
    p->provenance = text.failed ? NULL : text.characters;
    const bool good = p->provenance && drua_json_is_object(object) &&
                      (!drua_json_get(json, "writes_provenance") ||
                       drua_json_integer(drua_json_get(json, "writes_provenance"), 0, 1, &writes));
    p->writes_provenance = writes;
    return good;
}

static bool read_outputs(const drua_json *json, block_plan *p)
{
    const drua_json *list = drua_json_get(json, "outputs");
    bool good = drua_json_length(list) >= 1 && drua_json_length(list) <= JOB_OUTPUTS;
    for (int64_t i = 0; good && i < drua_json_length(list); i++) {
        good = read_text(drua_json_at(list, i), "path", &p->paths[i]) && strlen(p->paths[i]) < JOB_PATH - 16;
        p->path_count++;
    }
    p->table_count = (int)drua_json_length(drua_json_get(json, "tables"));
    return good && p->table_count >= 0;
}

static bool read_grid(const drua_json *json, block_plan *p)
{
    return read_extents(json, "size", p->size) &&
           drua_json_integer(drua_json_get(json, "channels"), 1, JOB_MAX_VOLUMES, &p->channels) &&
           drua_json_integer(drua_json_get(json, "frames"), 1, JOB_MAX_VOLUMES, &p->frames) &&
           p->channels * p->frames <= JOB_MAX_VOLUMES && job_can_count(p->size, p->block, p->channels * p->frames);
}

/* Reads the settings that are numbers. If one is wrong, returns false and names it. */
static bool read_settings(const drua_json *json, block_plan *p, const char **wrong)
{
    enum { VERSION, MARGIN, REPLACES, LEVEL, LABELS, FIRST_FRAME, LAST_FRAME, SETTINGS };
    const struct {
        const char *key;
        int64_t min, max;
        bool required;
    } settings[SETTINGS] = {[VERSION] = {"zarr_version", 0, 5, true},
                            [MARGIN] = {"margin", 1, BLOCKS_MAX_MARGIN, true},
                            [REPLACES] = {"replaces", 0, 1, false},
                            [LEVEL] = {"level", 0, DRUA_ZARR_LEVELS, false},
                            [LABELS] = {"labels", 0, DRUA_LABELS_NONE, false},
                            [FIRST_FRAME] = {"first_frame", 1, INT32_MAX, false},
                            [LAST_FRAME] = {"last_frame", 1, INT32_MAX, false}};
    int64_t numbers[SETTINGS] = {0};
    for (int i = 0; i < SETTINGS; i++) {
        const drua_json *number = drua_json_get(json, *wrong = settings[i].key);
        if ((number || settings[i].required) &&
            !drua_json_integer(number, settings[i].min, settings[i].max, &numbers[i]))
            return false;
    }
    p->version = (int)numbers[VERSION];
    p->margin = numbers[MARGIN];
    p->replaces = numbers[REPLACES];
    p->level = (int)numbers[LEVEL];
    p->labels = (drua_blocks_labels)numbers[LABELS];
    p->first_frame = numbers[FIRST_FRAME];
    p->last_frame = numbers[LAST_FRAME];
    return true;
}

/* Reads the box of the input; a plan without a box is of all pixels. */
static bool read_box(const drua_json *json, block_plan *p)
{
    return !drua_json_get(json, "input_origin") ||
           (read_extents(json, "input_origin", p->origin) && read_extents(json, "input_size", p->extent));
}

static drua_status read_all(const char *path, const drua_json *json, block_plan *p)
{
    const struct {
        const char *key;
        char **text;
    } texts[] = {{"pipeline", &p->macro},          {"input", &p->input},
                 {"output", &p->output},           {"memory", &p->memory},
                 {"host_memory", &p->host_memory}, {"compression", &p->compression}};
    const struct {
        const char *key;
        int64_t *numbers;
    } extents[] = {{"chunk", p->chunk}, {"shard", p->shard}, {"block", p->block}, {"halo", p->halo}};
    const struct {
        const char *key;
        char *hash;
    } hashes[] = {
        {"graph", p->graph}, {"files", p->files}, {"input", p->image}, {"settings", p->settings}, {"plan", p->all}};
    int64_t format, bytes;
    const char *wrong;
    if (!drua_json_integer(drua_json_get(json, "drua_plan"), FORMAT, FORMAT, &format))
        return fail_damaged_plan(path, "drua_plan");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!read_text(json, texts[i].key, texts[i].text))
            return fail_damaged_plan(path, texts[i].key);
    if (!drua_json_get(json, "series"))
        p->series = drua_copy_text("");
    else
        read_text(json, "series", &p->series);
    if (!p->series)
        return fail_damaged_plan(path, "series");
    for (size_t i = 0; i < sizeof extents / sizeof *extents; i++)
        if (!read_extents(json, extents[i].key, extents[i].numbers))
            return fail_damaged_plan(path, extents[i].key);
    if (!read_box(json, p))
        return fail_damaged_plan(path, "input_origin");
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        if (!read_hash(json, hashes[i].key, hashes[i].hash))
            return fail_damaged_plan(path, hashes[i].key);
    if (!read_settings(json, p, &wrong))
        return fail_damaged_plan(path, wrong);
    if (!drua_json_integer(drua_json_get(json, "host_bytes"), 0, (int64_t)1 << 53, &bytes))
        return fail_damaged_plan(path, "host_bytes");
    p->host_bytes = (uint64_t)bytes;
    if (!read_outputs(json, p))
        return fail_damaged_plan(path, "outputs or tables");
    if (!read_provenance(json, p))
        return fail_damaged_plan(path, "provenance");
    if (!read_inputs(json, p))
        return fail_damaged_plan(path, "inputs");
    if (!read_stored(json, p))
        return fail_damaged_plan(path, "stored");
    if (!read_grid(json, p))
        return fail_damaged_plan(path, "size, channels, frames or block");
    if (drua_json_get(json, "share") && !read_passes(drua_json_get(json, "share"), p))
        return fail_damaged_plan(path, "share");
    return read_numbers(json, p) ? DRUA_OK : fail_damaged_plan(path, "numbers");
}

drua_status block_plan_read(const char *path, block_plan *p)
{
    drua_json *json;
    *p = (block_plan){.macro = NULL};
    DRUA_TRY(drua_json_read(path, &json));
    if (!json)
        return drua_fail(DRUA_E_ARGUMENT, "there is no plan '%.600s'; make one with drua plan", path);
    const drua_status status = read_all(path, json, p);
    drua_json_free(json);
    if (status != DRUA_OK)
        block_plan_free(p);
    return status;
}

void block_plan_reduce_to_request(block_plan *p)
{
    memcpy(p->block, p->requested_block, sizeof p->block);
    for (int i = 0; i < p->number_count; i++)
        drua_free(p->numbers[i].what);
    p->number_count = 0;
    for (int i = 0; i < p->path_count; i++) {
        drua_free(p->paths[i]);
        p->paths[i] = NULL;
    }
    p->path_count = 0;
}

void block_plan_forget_passes(block_plan *p)
{
    for (int i = 0; i < p->pass_count; i++)
        drua_free(p->passes[i].what);
    drua_free(p->passes);
    p->passes = NULL;
    p->pass_count = 0;
}

void block_plan_free(block_plan *p)
{
    char *texts[] = {p->macro,       p->input,       p->output, p->memory,
                     p->host_memory, p->compression, p->series, p->provenance};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        drua_free(texts[i]);
    for (int i = 0; i < p->number_count; i++)
        drua_free(p->numbers[i].what);
    for (int i = 0; i < p->path_count; i++)
        drua_free(p->paths[i]);
    for (int i = 0; i < p->stored_count; i++)
        drua_free(p->stored[i].operation);
    for (int i = 0; i < p->input_count; i++) {
        drua_free(p->inputs[i].name);
        drua_free(p->inputs[i].path);
        drua_free(p->inputs[i].channel);
    }
    block_plan_forget_passes(p);
    drua_free(p->numbers);
    *p = (block_plan){.macro = NULL};
}

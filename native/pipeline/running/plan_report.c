/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan_report.h"
#include "job_outputs.h"

#include "device.h"
#include "imagej.h"
#include "tiff.h"

#include <inttypes.h>
#include <string.h>

static const double MB = 1e6;

/* Adds notes about the device, then the messages that recording the graph left in the engine, one line each. */
static void add_notes(const job *j, drua_text *report)
{
    if (j->main.is_absent)
        drua_text_add(report, "note    this computer has no OpenCL device; the blocks are for a device with %.1f MB\n",
                      (double)drua_device_get_info(j->main.device)->global_memory / MB);
    if (job_other_memory(j))
        drua_text_add(
            report,
            "note    the blocks are for a device with %.1f MB; the one of this computer has %.1f MB and would "
            "compute them in parts\n",
            (double)job_other_memory(j) / MB, (double)drua_device_get_info(j->main.device)->global_memory / MB);
    for (const char *line = drua_text_characters(&j->main.engine.lines), *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        drua_text_add(report, "note    %.*s\n", (int)(end - line), line);
        end += *end == '\n';
    }
}

static void add_left_out(const job *j, drua_text *report)
{
    drua_text left_out = {0};
    source_describe_left_out(j->source, &left_out);
    if (left_out.length)
        drua_text_add(report, "note    %s\n", drua_text_characters(&left_out));
    report->failed |= left_out.failed;
    drua_text_free(&left_out);
}

/* Adds notes about metadata that the output's format cannot hold, and about results without the input's position. */
static void add_lost(const job *j, drua_text *report)
{
    const graph *g = &j->graphs[0];
    const char *input = g->values[g->input].text;
    char value[2];
    for (int i = 0; i < j->output_count; i++) {
        const char *text = job_output_text(j, i);
        drua_text lost = {0};
        if (input && drua_imagej_find(input, "position", value, sizeof value) &&
            !drua_imagej_find(text, "position", value, sizeof value))
            drua_text_add(report,
                          "note    the result %s has no position: where its first pixel lies in IN is not known\n",
                          g->outputs[i].name);
        if (job_makes_tiff(j) && drua_tiff_add_lost(j->text.output, text, &lost) == DRUA_OK && lost.length)
            drua_text_add(report, "note    %s has no place for: %s\n", j->text.output, drua_text_characters(&lost));
        report->failed |= lost.failed;
        drua_text_free(&lost);
    }
}

void plan_report_add(const job *j, int64_t done, drua_text *report)
{
    const drua_zarr_metadata *f = source_metadata(j->source);
    const block_plan *p = &j->text;
    const block_limits limits = job_planned_limits(j);
    char path[JOB_PATH];
    drua_text_add(report, "input   %s: %" PRId64 " x %" PRId64 " x %" PRId64 " %s", p->input, f->shape.width,
                  f->shape.height, f->shape.depth, drua_type_name(f->type));
    drua_text_add(report, j->channels * j->frames > 1 ? ", %" PRId64 " channels, %" PRId64 " frames\n" : "\n",
                  j->channels, j->frames);
    if (source_other_series(j->source))
        drua_text_add(report, "note    this is one of several series; the others are %s\n",
                      source_other_series(j->source));
    add_left_out(j, report);
    add_lost(j, report);
    for (int i = 0; i < p->input_count; i++)
        drua_text_add(report, "input   %s: %s%s\n", p->inputs[i].name, *p->inputs[i].path ? "" : "channel ",
                      *p->inputs[i].path ? p->inputs[i].path : p->inputs[i].channel);
    for (int i = 0; i < j->output_count; i++) {
        const drua_zarr_metadata o = job_output_metadata(j, i);
        drua_copy_start(path, job_makes_tiff(j) ? p->output : p->paths[i], sizeof path);
        drua_text_add(report, "output  %s: %" PRId64 " x %" PRId64 " x %" PRId64 " %s\n", path, o.shape.width,
                      o.shape.height, o.shape.depth, drua_type_name(o.type));
    }
    for (int i = 0; i < p->table_count; i++) {
        label_table_path(j, i, path);
        drua_text_add(report, "table   %s\n", path);
    }
    drua_text_add(report,
                  "blocks  %" PRId64 " of %" PRId64 " x %" PRId64 " x %" PRId64 ", read with %" PRId64 ", %" PRId64
                  ", %" PRId64 " pixels more on both sides\n",
                  j->blocks, p->block[0], p->block[1], p->block[2], p->halo[0], p->halo[1], p->halo[2]);
    drua_text_add(report, "memory  device %.1f MB of %.1f, host %.1f MB of %.1f\n", (double)p->device_bytes / MB,
                  (double)limits.device / MB, (double)p->host_bytes / MB, (double)limits.host / MB);
    drua_text_add(report, "%s", drua_text_characters(&j->costs));
    if (j->passes == PASSES_COUNTED)
        drua_text_add(report, "note    the processes that run the plan do the passes\n");
    add_notes(j, report);
    for (int i = 0; i < p->number_count; i++)
        drua_text_add(report, "measured %s: %.9g\n", p->numbers[i].what, p->numbers[i].value);
    if (done)
        drua_text_add(report, "resumed: %" PRId64 " of %" PRId64 " blocks are done\n", done, j->blocks);
}

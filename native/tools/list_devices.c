/* SPDX-License-Identifier: BSD-3-Clause */
#include "list_devices.h"

#include "block_pipeline.h"
#include "tool_command.h"
#include "quote.h"
#include "text.h"

#include <drua/drua.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 64 };

/* ---- listing */

static int print_no_device(void)
{
    drua_context *context; /* opening fails, and the error gives the reason */
    if (drua_open(NULL, &context) == DRUA_OK)
        drua_close(context);
    fprintf(stderr, "%s\n", drua_error_message());
    return 1;
}

static void print_devices(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        drua_device_info info;
        if (drua_device_describe(i, &info) == DRUA_OK)
            printf("%zu  %s (%s, %s, %.1f GB, %s)\n", i, info.name, info.platform, info.is_gpu ? "GPU" : "CPU",
                   (double)info.global_memory / 1e9, info.version);
    }
}

static void add_member(drua_text *t, const char *key, const char *value)
{
    drua_text_add(t, "\"%s\": ", key);
    drua_text_add_json(t, value);
    drua_text_add(t, ", ");
}

static void add_device(drua_text *t, size_t i, const drua_device_info *info)
{
    drua_text_add(t, "%s{\"number\": %zu, ", i ? ",\n " : "", i);
    add_member(t, "address", info->address);
    add_member(t, "name", info->name);
    add_member(t, "platform", info->platform);
    add_member(t, "driver", info->driver);
    add_member(t, "version", info->version);
    drua_text_add(t, "\"gpu\": %s, \"memory\": %" PRIu64 ", \"largest_buffer\": %" PRIu64 "}",
                  info->is_gpu ? "true" : "false", info->global_memory, info->largest_allocation);
}

/*
 * Finds device 0, which is the best one, and all devices of the same model and driver. Orders them by bus address, as
 * schedulers number devices.
 */
static size_t find_alike(drua_device_info *alike)
{
    size_t found = 0;
    const size_t count = drua_device_count();
    for (size_t i = 0; i < count && found < LIMIT; i++) {
        drua_device_info info;
        if (drua_device_describe(i, &info) != DRUA_OK || (found && !drua_devices_are_alike(&info, &alike[0])))
            continue;
        size_t at = found++;
        for (; at > 0 && strcmp(alike[at - 1].address, info.address) > 0; at--)
            alike[at] = alike[at - 1];
        alike[at] = info;
    }
    return found;
}

static int print_text(drua_text *t)
{
    const bool whole = !t->failed;
    puts(drua_text_characters(t));
    drua_text_free(t);
    return !whole;
}

static int list_json(size_t count)
{
    drua_text t = {0};
    drua_text_add(&t, "[");
    for (size_t i = 0; i < count; i++) {
        drua_device_info info;
        if (drua_device_describe(i, &info) == DRUA_OK)
            add_device(&t, i, &info);
    }
    drua_text_add(&t, "]");
    return print_text(&t);
}

/* Prints the line that Spark's discovery script expects. */
static int list_for_spark(void)
{
    static drua_device_info alike[LIMIT];
    const size_t count = find_alike(alike);
    drua_text t = {0};
    drua_text_add(&t, "{\"name\": \"gpu\", \"addresses\": [");
    for (size_t i = 0; i < count; i++) {
        drua_text_add(&t, i ? ", " : "");
        drua_text_add_json(&t, alike[i].address);
    }
    drua_text_add(&t, "]}");
    return print_text(&t);
}

/* ---- devices of a job */

/* Returns the first variable that names GPUs. Skips NoDevFiles, which means that a scheduler assigned no GPUs. */
static const char *find_variable(const char **name)
{
    static const char *const names[] = {"CUDA_VISIBLE_DEVICES",
                                        "ROCR_VISIBLE_DEVICES",
                                        "GPU_DEVICE_ORDINAL",
                                        "ZE_AFFINITY_MASK",
                                        "SLURM_STEP_GPUS",
                                        "SLURM_JOB_GPUS",
                                        NULL};
    for (int i = 0; names[i]; i++) {
        const char *value = getenv(names[i]);
        *name = names[i];
        if (value && *value && strcmp(value, "NoDevFiles"))
            return value;
    }
    return NULL;
}

static size_t count_entries(const char *list)
{
    size_t count = 1;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

bool drua_tool_job_devices(char *devices, size_t size)
{
    static drua_device_info alike[LIMIT];
    const char *name, *given = find_variable(&name);
    *devices = 0;
    if (!given)
        return true;
    const size_t count = find_alike(alike);
    if (count <= count_entries(given)) {
        snprintf(devices, size, "all"); /* the driver shows only the assigned devices */
        return true;
    }
    drua_text list = {0};
    bool good = true;
    for (const char *at = given; good && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char *end;
        const unsigned long number = strtoul(at, &end, 10);
        good = *at >= '0' && *at <= '9' && (!*end || *end == ',') && number < count;
        if (good)
            drua_text_add(&list, "%s%s", list.length ? "," : "", alike[number].address);
    }
    good = good && !list.failed && list.length < size;
    if (good)
        snprintf(devices, size, "%s", drua_text_characters(&list));
    else
        snprintf(
            devices, size,
            "%s=%.200s does not list GPU numbers from 0 to %zu; give --devices the addresses that drua devices --json "
            "prints",
            name, given, count - 1);
    drua_text_free(&list);
    return good;
}

/* ---- the command */

/* Prints the names of the devices that `drua run --devices job` takes, on one line. */
static int list_of_job(void)
{
    static drua_device_info alike[LIMIT];
    static char given[4096];
    drua_text t = {0};
    if (!drua_tool_job_devices(given, sizeof given)) {
        fprintf(stderr, "%s\n", given);
        return 1;
    }
    const size_t count = find_alike(alike), taken = !*given ? 1 : !strcmp(given, "all") ? count : count_entries(given);
    for (size_t i = 0; i < taken; i++)
        drua_text_add(&t, "%s%s", i ? ", " : "", alike[0].name);
    return print_text(&t);
}

int drua_tool_devices(const drua_tool_command *command, int count, char **arguments)
{
    const char *how = count > 0 ? arguments[0] : "";
    const bool json = !strcmp(how, "--json"), spark = !strcmp(how, "--spark-json"), job = !strcmp(how, "--job");
    if (count > 1)
        return drua_tool_refuse(command, "give only one option: --json, --spark-json or --job");
    const size_t devices = drua_device_count();
    if (!devices)
        return print_no_device();
    if (json)
        return list_json(devices);
    if (spark)
        return list_for_spark();
    if (job)
        return list_of_job();
    print_devices(devices);
    return 0;
}

int drua_tool_check(const drua_tool_command *command, int count, char **arguments)
{
    const char *report;
    (void)command;
    (void)count;
    (void)arguments;
    const drua_status status = drua_check_computer(NULL, NULL, &report);
    fputs(report, stdout);
    return status != DRUA_OK;
}

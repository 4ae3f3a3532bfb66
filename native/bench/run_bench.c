/* SPDX-License-Identifier: BSD-3-Clause */
/* drua-bench: selects the benchmark that the command line names. */
#include "bench.h"

#include "check_arguments.h"
#include "tune_chains.h"

#include <drua/drua.h>

#include <stdlib.h>
#include <string.h>

/* A benchmark with its own function, in contrast to the timing of operations. */
typedef struct benchmark {
    const char *name;
    int (*run)(const char *device, int divisor);
} benchmark;

static const benchmark benchmarks[] = {{"calls", drua_bench_calls},
                                       {"chains", drua_bench_chains},
                                       {"deconvolution", drua_bench_deconvolution},
                                       {"devices", drua_bench_devices},
                                       {"engine", drua_bench_engine},
                                       {"esrrf", drua_bench_esrrf},
                                       {"first", drua_bench_first},
                                       {"peers", drua_bench_peers},
                                       {"labels", drua_bench_labels},
                                       {"quality", drua_bench_quality},
                                       {"raw", drua_bench_raw},
                                       {"tracks", drua_bench_tracks},
                                       {NULL, NULL}};

/* Returns whether an operation's name contains one of the comma-separated parts. */
static bool any_operation_matches(const char *parts)
{
    char part[64];
    for (const char *at = parts; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
        snprintf(part, sizeof part, "%.*s", (int)strcspn(at, ","), at);
        for (size_t i = 0; i < drua_operation_count(); i++)
            if (strstr(drua_operation_name(i), part))
                return true;
    }
    return false;
}

/* Times operations: [odd | profile | stalls] [PART,...] [DIVISOR] */
static int time_operations(const drua_tool_command *command, int count, char **arguments)
{
    drua_bench_options options = {.odd = count > 0 && !strcmp(arguments[0], "odd"),
                                  .profile = count > 0 && !strcmp(arguments[0], "profile"),
                                  .stalls = count > 0 && !strcmp(arguments[0], "stalls")};
    const int used = options.odd || options.profile || options.stalls;
    const char *only = count > used ? arguments[used] : "", *divisor = count > used + 1 ? arguments[used + 1] : NULL;
    options.only = *only ? only : NULL;
    options.scale = drua_tool_read_divisor(divisor);
    if (count > used + 2)
        return drua_tool_refuse(command, "the argument '%s' is one too many", arguments[used + 2]);
    if (*only && !any_operation_matches(only))
        return drua_tool_refuse(command, "no operation's name contains '%s'", only);
    return options.scale ? drua_bench(NULL, options) : drua_tool_refuse_divisor(command, divisor);
}

static int run_bench(const drua_tool_command *command, int count, char **arguments)
{
    const char *what = count > 0 ? arguments[0] : "", *divisor = count > 1 ? arguments[1] : NULL;
    const bool compare = !strcmp(what, "compare"), plot = !strcmp(what, "plot"), sums = !strcmp(what, "sums");
    if (compare)
        return count == 3 ? drua_bench_compare(arguments[1], arguments[2])
                          : drua_tool_refuse(command, "compare needs OLD.tsv and NEW.tsv");
    if (plot)
        return count == 2 ? drua_bench_plot(arguments[1]) : drua_tool_refuse(command, "plot needs one TABLE.tsv");
    const benchmark *b = benchmarks;
    while (b->name && strcmp(b->name, what) != 0)
        b++;
    if (!b->name && !sums)
        return time_operations(command, count, arguments);
    const int scale = drua_tool_read_divisor(divisor);
    if (count > 2)
        return drua_tool_refuse(command, "the argument '%s' is one too many", arguments[2]);
    if (!scale)
        return drua_tool_refuse_divisor(command, divisor);
    if (!sums)
        return b->run(NULL, scale);
    return drua_bench(NULL, (drua_bench_options){.scale = scale, .sums = true}) |
           drua_bench(NULL, (drua_bench_options){.scale = scale, .sums = true, .odd = true});
}

static const char about_bench[] =
    "WHAT is one of:\n"
    "  PART[,PART ...] [DIVISOR]          operations whose names contain a PART; all without WHAT\n"
    "  odd | profile | stalls [PART,... [DIVISOR]]\n"
    "                                     odd widths; time of each kernel; slowest of the first calls\n"
    "  sums [DIVISOR]                     checksums of all results\n"
    "  calls | chains | deconvolution | devices | engine | esrrf | first | labels | peers | quality |\n"
    "  raw | tracks [DIVISOR]             one of these benchmarks\n"
    "  compare OLD.tsv NEW.tsv            name the rows that became slower\n"
    "  plot TABLE.tsv                     print a picture of a table, as SVG\n"
    "DIVISOR, from 1 to 1024, divides the sizes of the images.";

int main(int count, char **arguments)
{
    static const drua_tool_option no_options[] = {{.name = NULL}};
    const drua_tool_command command = {.name = "bench",
                                       .is_program = true,
                                       .words = "[WHAT ...]",
                                       .max = 3,
                                       .summary = "Times operations and parts of the engine.",
                                       .details = about_bench,
                                       .options = no_options,
                                       .run = run_bench};
    return drua_tool_start(&command, count - 1, arguments + 1);
}

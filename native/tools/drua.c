/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line. drua devices | check | describe | version | tune | bench inspect and time the engine; drua
 * deconvolve | phantom process files; drua plan | run | finish | verify | status | process | slurm process images by
 * blocks.
 */
#include <drua/drua.h>

#include "bench.h"
#include "deconvolve.h"
#include "list_devices.h"
#include "process.h"
#include "slurm.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include "windows_text.h"

#include <windows.h>

#include <shellapi.h>
#endif

static int check_computer(void)
{
    const char *report;
    const drua_status status = drua_check_computer(NULL, NULL, &report);
    fputs(report, stdout);
    return status != DRUA_OK;
}

/* A benchmark that runs as a separate program. */
typedef struct program {
    const char *name;
    int (*run)(const char *device, int scale);
} program;

static const program programs[] = {{"chains", drua_bench_chains},
                                   {"deconvolution", drua_bench_deconvolution},
                                   {"devices", drua_bench_devices},
                                   {"engine", drua_bench_engine},
                                   {"esrrf", drua_bench_esrrf},
                                   {"first", drua_bench_first},
                                   {"peers", drua_bench_peers},
                                   {"quality", drua_bench_quality},
                                   {NULL, NULL}};

#if defined(_WIN32)
/* Windows passes arguments and shows text in the machine's local encoding; this function switches both to UTF-8. */
static void speak_utf8(int *count, char ***arguments)
{
    enum { MOST = 4096 };
    int wide_count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &wide_count);
    char **narrow = calloc((size_t)wide_count + 1, sizeof *narrow);
    bool whole = wide && narrow;
    for (int i = 0; whole && i < wide_count; i++)
        whole = (narrow[i] = malloc(MOST)) && drua_narrow(wide[i], narrow[i], MOST);
    if (whole) {
        *count = wide_count;
        *arguments = narrow;
    }
    SetConsoleOutputCP(CP_UTF8);
}
#else
static void speak_utf8(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
}
#endif

/* Returns the factor by which a benchmark's images shrink; 1 if the text is not a valid factor. */
static int scale_of(const char *text)
{
    enum { MOST = 1024 };
    char *end;
    const long scale = strtol(text, &end, 10);
    return *end || scale < 1 || scale > MOST ? 1 : (int)scale;
}

static void print_usage(FILE *to)
{
    fputs("usage: drua devices [--json | --spark-json] | check | describe | version | tune [DIVISOR]\n"
          "       drua bench [PART OF A NAME[,PART ...] | chains | deconvolution | devices | engine | esrrf | first "
          "| peers [DIVISOR OF THE SIZES]]\n"
          "       drua bench odd | profile [PART OF A NAME[,PART ...] [DIVISOR OF THE SIZES]]\n"
          "       drua bench sums [DIVISOR OF THE SIZES]\n"
          "       drua bench compare OLD.tsv NEW.tsv | plot TABLE.tsv\n"
          "       drua deconvolve IN.tif PSF.tif OUT.tif [OPTION=VALUE ...] | phantom FOLDER [NAME=VALUE ...]\n"
          "       drua plan | run | finish | verify | status | process | slurm: images by blocks; each without "
          "arguments prints its usage\n",
          to);
}

static bool is_asked_for_help(int count, char **arguments)
{
    for (int i = 1; i < count; i++)
        if (!strcmp(arguments[i], "--help"))
            return true;
    return count == 2 && !strcmp(arguments[1], "help");
}

int main(int count, char **arguments)
{
    speak_utf8(&count, &arguments);
    const char *verb = count > 1 ? arguments[1] : "";
    if (is_asked_for_help(count, arguments)) { /* before any work: `drua phantom --help` must not write files */
        print_usage(stdout);
        return 0;
    }
    if (!strcmp(verb, "devices"))
        return drua_tool_devices(count - 2, arguments + 2);
    if (!strcmp(verb, "check"))
        return check_computer();
    if (!strcmp(verb, "describe")) {
        fputs(drua_describe(), stdout);
        return 0;
    }
    if (!strcmp(verb, "version") || !strcmp(verb, "--version")) {
        puts(drua_version());
        return 0;
    }
    if (!strcmp(verb, "bench")) {
        const char *what = count > 2 ? arguments[2] : "";
        const int scale = count > 3 ? scale_of(arguments[3]) : 1;
        if (!strcmp(what, "compare") && count == 5)
            return drua_bench_compare(arguments[3], arguments[4]);
        if (!strcmp(what, "plot") && count == 4)
            return drua_bench_plot(arguments[3]);
        for (const program *p = programs; p->name; p++)
            if (!strcmp(what, p->name))
                return p->run(NULL, scale);
        const bool odd = !strcmp(what, "odd"), profile = !strcmp(what, "profile");
        if (odd || profile)
            return drua_bench(NULL, (drua_bench_options){.only = count > 3 ? arguments[3] : NULL,
                                                         .scale = count > 4 ? scale_of(arguments[4]) : 1,
                                                         .odd = odd,
                                                         .profile = profile});
        if (!strcmp(what, "sums"))
            return drua_bench(NULL, (drua_bench_options){.scale = scale, .sums = true}) |
                   drua_bench(NULL, (drua_bench_options){.scale = scale, .sums = true, .odd = true});
        return drua_bench(NULL, (drua_bench_options){.only = *what ? what : NULL, .scale = scale});
    }
    if (!strcmp(verb, "deconvolve"))
        return drua_tool_deconvolve(count - 2, arguments + 2);
    if (!strcmp(verb, "phantom"))
        return drua_tool_phantom(count - 2, arguments + 2);
    if (drua_tool_is_process(verb))
        return drua_tool_process(verb, count - 2, arguments + 2);
    if (!strcmp(verb, "slurm"))
        return drua_tool_slurm(count - 2, arguments + 2);
    if (!strcmp(verb, "tune"))
        return drua_tune(NULL, count > 2 ? scale_of(arguments[2]) : 1);
    print_usage(stderr);
    return 2;
}

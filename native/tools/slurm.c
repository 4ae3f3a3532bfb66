/* SPDX-License-Identifier: BSD-3-Clause */
#include "slurm.h"

#include "alloc.h"
#include "block_pipeline.h"
#include "error.h"
#include "file.h"
#include "new_file.h"
#include "quote.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <direct.h>
#define getcwd _getcwd
#else
#include <unistd.h>
#endif

enum { RIGHT = 0, WRONG = 1, LIMIT = 4096, ELEMENTS = 16, MAX_ELEMENTS = 100000 };

/* Only these characters may appear in an #SBATCH line. */
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS  "0123456789"

/* An option whose text is passed to SLURM unchanged. */
typedef struct sbatch_option {
    const char *option, *line, *allowed, *example;
} sbatch_option;

static const sbatch_option sbatch_options[] = {
    {"--time", "--time=", DIGITS "-:", "4:00:00"},
    {"--partition", "--partition=", LETTERS DIGITS "_-.,", "gpu"},
    {"--account", "--account=", LETTERS DIGITS "_-.", "lab"},
    {"--qos", "--qos=", LETTERS DIGITS "_-.", "normal"},
    {"--gpus", "--gres=gpu:", LETTERS DIGITS "_-.:", "1 or a100:2, 0 for none"},
    {"--cpus", "--cpus-per-task=", DIGITS, "8"},
    {"--memory", "--mem=", DIGITS "KMGT", "64G"},
    {"--constraint", "--constraint=", LETTERS DIGITS "_-.&|", "a100"},
    {"--mail", "--mail-type=FAIL,REQUEUE,TIME_LIMIT --mail-user=", LETTERS DIGITS "_-.@+", "name@lab.org"},
};
enum { SBATCH_OPTIONS = sizeof sbatch_options / sizeof *sbatch_options, GPUS = 4 };

typedef struct request {
    const char *plan, *container;
    const char *before; /* a command of the shell that each job runs first; NULL: none */
    const char *values[SBATCH_OPTIONS]; /* NULL: not given */
    int64_t elements, at_once; /* 0: not given */
    char folder[LIMIT], program[LIMIT];
    int64_t blocks, left;
    int pass, passes; /* pass: next pass of a plan in progress, 0: no pass in progress; passes: their total number */
} request;

/* Appends a job's script; `pass`: the pass that the job runs, 0: no pass. */
typedef void (*add_script)(drua_text *t, const request *r, int pass);

/* ---- the command line */

static bool parse_count(const char *text, int64_t *count)
{
    char *end;
    *count = strtoll(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *count >= 1 && *count <= MAX_ELEMENTS;
}

static int set_sbatch_option(request *r, const char *name, const char *value)
{
    for (int i = 0; i < SBATCH_OPTIONS; i++) {
        if (strcmp(sbatch_options[i].option, name))
            continue;
        if (!*value || *value == '-' || value[strspn(value, sbatch_options[i].allowed)]) {
            fprintf(stderr, "%s '%.200s' is not a value that SLURM knows; write it as %s\n", name, value,
                    sbatch_options[i].example);
            return WRONG;
        }
        r->values[i] = value;
        return RIGHT;
    }
    return RIGHT;
}

static int parse_words(int count, char **words, request *r)
{
    r->plan = words[0];
    for (int i = 1; i < count; i += 2) {
        const char *word = words[i], *value = words[i + 1];
        int64_t *number = !strcmp(word, "--array") ? &r->elements : !strcmp(word, "--at-once") ? &r->at_once : NULL;
        if (number && !parse_count(value, number)) {
            fprintf(stderr, "%s '%.200s' is not a number of elements from 1 to %d\n", word, value, MAX_ELEMENTS);
            return WRONG;
        }
        if (!strcmp(word, "--container"))
            r->container = value;
        else if (!strcmp(word, "--before"))
            r->before = value;
        else if (!number && set_sbatch_option(r, word, value) != RIGHT)
            return WRONG;
    }
    return RIGHT;
}

/* ---- texts in scripts */

/* Refuses line breaks in names, which would look like separate lines to readers. */
static bool is_plain(const char *path)
{
    for (; *path; path++)
        if ((unsigned char)*path < ' ' || *path == 127)
            return false;
    return true;
}

/* All scripts begin like this, which distinguishes them from other files. */
static const char first_lines[] = "#!/bin/sh\n#SBATCH --job-name=drua-";

/* Appends the plan's name, without characters that are unsuitable for job names. */
static void add_job_name(drua_text *t, const char *plan)
{
    const char *slash = strrchr(plan, '/'), *name = slash ? slash + 1 : plan;
    const char *dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    for (size_t i = 0; i < length && i < 40; i++)
        drua_text_append(t, strchr(LETTERS DIGITS "_-.", name[i]) ? &name[i] : "_", 1);
}

static void add_head(drua_text *t, const request *r, const char *ending)
{
    drua_text_add(t, "%s", first_lines);
    add_job_name(t, r->plan);
    drua_text_add(t, "%s\n", ending);
    for (int i = 0; i < SBATCH_OPTIONS; i++) {
        const char *value = r->values[i] ? r->values[i] : i == GPUS ? "1" : NULL;
        if (value && !(i == GPUS && !strcmp(value, "0")))
            drua_text_add(t, "#SBATCH %s%s\n", sbatch_options[i].line, value);
    }
    drua_text_add(t, "#SBATCH --ntasks=1\n#SBATCH --requeue\n#SBATCH --open-mode=append\n");
}

/* Appends the working directory, the program, and the handling of device failures and killed processes. */
static void add_start(drua_text *t, const request *r)
{
    drua_text_add(t, "cd ");
    drua_text_add_shell(t, r->folder);
    drua_text_add(t, " || exit 1\n"
                     "printf '%%s job %%s on %%s\\n' \"$(date)\" \"${SLURM_JOB_ID:-}\" \"$(hostname)\" >&2\n");
    if (r->before)
        drua_text_add(t, "%s\n", r->before);
    drua_text_add(t, "%s=", r->container ? "container" : "program");
    drua_text_add_shell(t, r->container ? r->container : r->program);
    drua_text_add(t, "\ndrua() {\n    %s \"$@\"\n}\n",
                  r->container ? "apptainer exec --nv --bind \"$PWD\" --pwd \"$PWD\" \"$container\" drua"
                               : "\"${DRUA:-$program}\"");
    drua_text_add(t, "plan=");
    drua_text_add_shell(t, r->plan);
    drua_text_add(
        t, "\n"
           "# 75: a device or its memory failed; above 128: the process was killed. SLURM restarts the job, which "
           "resumes its work.\n"
           "again() {\n"
           "    if { [ \"$1\" -eq 75 ] || [ \"$1\" -gt 128 ]; } && [ \"${SLURM_RESTART_COUNT:-0}\" -lt 3 ]; then\n"
           "        scontrol requeue \"$2\" && exit 75\n"
           "    fi\n"
           "    exit \"$1\"\n"
           "}\n");
}

static void add_array(drua_text *t, const request *r, int pass)
{
    char ending[32] = "";
    if (pass)
        snprintf(ending, sizeof ending, "-pass%d", pass);
    add_head(t, r, ending);
    drua_text_add(t, "#SBATCH --array=0-%" PRId64, r->elements - 1);
    if (r->at_once)
        drua_text_add(t, "%%%" PRId64, r->at_once);
    drua_text_add(t, "\n# Finished blocks are not repeated, however often an element starts.%s\n",
                  r->passes ? " The blocks that an earlier array left are done first." : "");
    add_start(t, r);
    drua_text_add(t, "drua run \"$plan\" --array \"$SLURM_ARRAY_TASK_ID/%" PRId64 "\"", r->elements);
    if (pass)
        drua_text_add(t, " --pass %d", pass);
    drua_text_add(t, " --devices job\n"
                     "again $? \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\n");
}

static void add_finish(drua_text *t, const request *r, int pass)
{
    (void)pass;
    add_head(t, r, "-finish");
    drua_text_add(t, "# This job first does the blocks that killed or timed-out array elements left.\n");
    add_start(t, r);
    drua_text_add(t, "drua run \"$plan\" --devices job && drua finish \"$plan\"\n"
                     "again $? \"$SLURM_JOB_ID\"\n");
}

/* ---- files */

/* Whether a file exists that is not one of these scripts. */
static bool is_foreign(const char *path)
{
    const size_t length = sizeof first_lines - 1;
    drua_bytes bytes = {NULL};
    const drua_file_state state = drua_file_part(path, 0, length, &bytes, NULL);
    const bool foreign = state != DRUA_FILE_ABSENT && (state != DRUA_FILE_PRESENT || bytes.length != length ||
                                                       memcmp(bytes.data, first_lines, length) != 0);
    drua_free(bytes.data);
    return foreign;
}

static int write_script(const request *r, const char *ending, add_script add, int pass, char path[LIMIT])
{
    drua_text t = {0};
    add(&t, r, pass);
    const bool fits = snprintf(path, LIMIT, "%s.%s.sh", r->plan, ending) < LIMIT;
    if (fits && is_foreign(path)) {
        fprintf(stderr, "'%.600s' exists and is not a script of drua slurm, so it stays; move it or delete it\n", path);
        drua_text_free(&t);
        return WRONG;
    }
    errno = ENAMETOOLONG;
    const drua_status status = t.failed ? drua_fail_memory(t.length)
                               : fits   ? drua_new_file_write(path, NULL, t.characters, t.length)
                                        : drua_new_file_fail(path);
    if (status != DRUA_OK)
        fprintf(stderr, "%s\n", drua_error_text());
    drua_text_free(&t);
    return status == DRUA_OK ? RIGHT : WRONG;
}

static bool find_program(char program[LIMIT])
{
#if defined(__linux__)
    const ssize_t length = readlink("/proc/self/exe", program, LIMIT - 1);
    program[length > 0 ? length : 0] = 0;
    return length > 0;
#else
    snprintf(program, LIMIT, "drua");
    return true;
#endif
}

static int read_plan_status(request *r)
{
    drua_blocks_status s;
    if (!getcwd(r->folder, LIMIT) || !find_program(r->program)) {
        fprintf(stderr, "the current folder or the file of drua has no name: %s; change to an existing folder\n",
                strerror(errno));
        return WRONG;
    }
    if (!is_plain(r->folder) || !is_plain(r->plan) || (r->container && !is_plain(r->container)) ||
        (r->before && !is_plain(r->before))) {
        fprintf(stderr, "the names of the folder, the plan and the container, and the command of --before, must be "
                        "without line breaks or other control characters\n");
        return WRONG;
    }
    if (drua_blocks_read_status(r->plan, &s) != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_text());
        return WRONG;
    }
    r->pass = s.pass;
    r->passes = s.passes;
    r->blocks = s.plan_blocks;
    r->left = s.plan_blocks - (s.pass ? 0 : s.done);
    r->elements = r->elements ? r->elements : ELEMENTS;
    r->elements = r->elements < s.plan_blocks ? r->elements : s.plan_blocks;
    return RIGHT;
}

/* ---- the chain of jobs */

/* Each job waits for the previous one. */
static void add_submission(drua_text *t, const char *path, bool first, bool last)
{
    drua_text_add(t, last ? "sbatch" : "job=$(sbatch --parsable");
    if (!first)
        drua_text_add(t, " --dependency=afterany:\"${job%%%%;*}\"");
    drua_text_add(t, " ");
    drua_text_add_shell(t, path);
    drua_text_add(t, last ? "" : ")\n");
}

static int write_chain(const request *r, drua_text *t)
{
    char path[LIMIT];
    int wrong = RIGHT;
    for (int pass = r->pass; pass && pass <= r->passes && !wrong; pass++) {
        char ending[32];
        snprintf(ending, sizeof ending, "pass%d", pass);
        wrong = write_script(r, ending, add_array, pass, path);
        add_submission(t, path, pass == r->pass, false);
    }
    if (!wrong)
        wrong = write_script(r, "array", add_array, 0, path);
    add_submission(t, path, !r->pass, false);
    if (!wrong)
        wrong = write_script(r, "finish", add_finish, 0, path);
    add_submission(t, path, false, true);
    return wrong;
}

int drua_tool_slurm(const drua_tool_command *command, int count, char **arguments)
{
    (void)command;
    request r = {.plan = NULL};
    drua_text t = {0};
    int wrong = parse_words(count, arguments, &r);
    if (!wrong)
        wrong = read_plan_status(&r);
    if (wrong)
        return wrong;
    if (r.pass)
        drua_text_add(&t, "passes %d to %d are left, with an array of jobs for each\n", r.pass, r.passes);
    drua_text_add(
        &t, "%" PRId64 " of %" PRId64 " blocks are left, for %" PRId64 " elements of %" PRId64 " blocks at most\n\n",
        r.left, r.blocks, r.elements, (r.blocks + r.elements - 1) / r.elements);
    wrong = write_chain(&r, &t);
    if (!wrong)
        puts(drua_text_characters(&t));
    drua_text_free(&t);
    return wrong;
}

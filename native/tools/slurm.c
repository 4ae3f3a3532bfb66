/* SPDX-License-Identifier: BSD-3-Clause */
#include "slurm.h"
#include "slurm_request.h"

#include "alloc.h"
#include "block_pipeline.h"
#include "error.h"
#include "file.h"
#include "new_file.h"
#include "quote.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
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

enum { RIGHT = 0, WRONG = 1, ELEMENTS = 16, MAX_ELEMENTS = 100000 };

/* Only these characters may appear in an #SBATCH line. */
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS  "0123456789"

const slurm_option slurm_options[SLURM_OPTIONS] = {
    {"--time", "--time=", DIGITS "-:", "4:00:00 or auto"},
    {"--partition", "--partition=", LETTERS DIGITS "_-.,", "gpu"},
    {"--account", "--account=", LETTERS DIGITS "_-.", "lab"},
    {"--qos", "--qos=", LETTERS DIGITS "_-.", "normal"},
    {"--gpus", "--gres=gpu:", LETTERS DIGITS "_-.:", "1 or a100:2, 0 for none, all for whole nodes"},
    {"--cpus", "--cpus-per-task=", DIGITS, "8"},
    {"--memory", "--mem=", DIGITS "KMGT", "64G"},
    {"--constraint", "--constraint=", LETTERS DIGITS "_-.&|", "a100"},
    {"--mail", "--mail-type=FAIL,REQUEUE,TIME_LIMIT --mail-user=", LETTERS DIGITS "_-.@+", "name@lab.org"},
};

/* ---- the command line */

static bool parse_count(const char *text, int64_t *count)
{
    char *end;
    *count = strtoll(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *count >= 1 && *count <= MAX_ELEMENTS;
}

static int set_sbatch_option(slurm_request *r, const char *name, const char *value)
{
    for (int i = 0; i < SLURM_OPTIONS; i++) {
        if (strcmp(slurm_options[i].option, name))
            continue;
        if (!*value || *value == '-' || value[strspn(value, slurm_options[i].allowed)]) {
            fprintf(stderr, "%s '%.200s' is not a value that SLURM knows; write it as %s\n", name, value,
                    slurm_options[i].example);
            return WRONG;
        }
        r->values[i] = value;
        break;
    }
    return RIGHT;
}

/* Sets an option whose value is text; returns false for other options. */
static bool set_text(slurm_request *r, const char *name, const char *value)
{
    const struct {
        const char *name;
        const char **text;
    } texts[] = {{"--container", &r->container}, {"--before", &r->before}, {"--scratch", &r->scratch}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(texts[i].name, name)) {
            *texts[i].text = value;
            return true;
        }
    return false;
}

static int parse_words(int count, char **words, slurm_request *r)
{
    r->plan = words[0];
    for (int i = 1; i < count; i += 2) {
        const char *word = words[i], *value = words[i + 1];
        int64_t *number = !strcmp(word, "--array") ? &r->elements : !strcmp(word, "--at-once") ? &r->at_once : NULL;
        if (number && !parse_count(value, number)) {
            fprintf(stderr, "%s '%.200s' is not a number of elements from 1 to %d\n", word, value, MAX_ELEMENTS);
            return WRONG;
        }
        if (!strcmp(word, "--time") && !strcmp(value, "auto"))
            r->estimates_time = true;
        else if (!number && !set_text(r, word, value) && set_sbatch_option(r, word, value) != RIGHT)
            return WRONG;
    }
    r->whole_nodes = r->values[SLURM_GPUS] && !strcmp(r->values[SLURM_GPUS], "all");
    return RIGHT;
}

/* Refuses line breaks in names, which would look like separate lines to readers. NULL, for no name, is plain. */
static bool is_plain(const char *path)
{
    for (; path && *path; path++)
        if ((unsigned char)*path < ' ' || *path == 127)
            return false;
    return true;
}

/* ---- files */

/* Whether a file exists that is not one of these scripts. */
static bool is_foreign(const char *path)
{
    const size_t length = strlen(slurm_first_lines);
    drua_bytes bytes = {NULL};
    const drua_file_state state = drua_file_part(path, 0, length, &bytes, NULL);
    const bool foreign = state != DRUA_FILE_ABSENT && (state != DRUA_FILE_PRESENT || bytes.length != length ||
                                                       memcmp(bytes.data, slurm_first_lines, length) != 0);
    drua_free(bytes.data);
    return foreign;
}

static int write_script(const slurm_request *r, const char *ending, slurm_job job, int pass, char path[SLURM_PATH])
{
    drua_text t = {0};
    slurm_add_script(&t, r, job, pass);
    const bool fits = snprintf(path, SLURM_PATH, "%s.%s.sh", r->plan, ending) < SLURM_PATH;
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

/* ---- time limits */

/* Writes a time for SLURM, in whole minutes. */
static void write_limit(double seconds, char text[32])
{
    const int64_t minutes = (int64_t)ceil(seconds / 60);
    snprintf(text, 32, "%" PRId64 ":%02" PRId64 ":00", minutes / 60, minutes % 60);
}

/*
 * Sets the time limits from the time that finished blocks took: twice the estimate, and ten minutes to begin. The last
 * job reads all results and makes smaller levels, which takes less than half the time of computing all blocks. Copies
 * take no longer than computing all blocks, because a block reads and writes the same files.
 */
static int estimate_times(slurm_request *r, const drua_blocks_status *s)
{
    const double margin = 2, start = 600, finishing = 0.5;
    if (s->pass || s->blocks_per_second <= 0) {
        fprintf(stderr,
                s->pass
                    ? "--time auto cannot estimate the passes of '%.600s'; give a time such as 4:00:00\n"
                    : "--time auto needs to know how long the blocks of '%.600s' take; compute some on a computer "
                      "like those of the jobs, by drua run PLAN.json --blocks 0:4, or give a time such as 4:00:00\n",
                r->plan);
        return WRONG;
    }
    const double block = (double)(s->processes > 1 ? s->processes : 1) / s->blocks_per_second,
                 each = ceil((double)r->blocks / (double)r->elements);
    write_limit(start + margin * block * each, r->element_time);
    const double all = block * (double)r->blocks;
    write_limit(start + margin * all, r->stage_time);
    write_limit(start + margin * all * (r->scratch ? finishing + 1 : finishing), r->finish_time);
    return RIGHT;
}

/* ---- the plan */

static bool find_program(char program[SLURM_PATH])
{
#if defined(__linux__)
    const ssize_t length = readlink("/proc/self/exe", program, SLURM_PATH - 1);
    program[length > 0 ? length : 0] = 0;
    return length > 0;
#else
    snprintf(program, SLURM_PATH, "drua");
    return true;
#endif
}

static int read_plan_status(slurm_request *r)
{
    drua_blocks_status s;
    if (!getcwd(r->folder, SLURM_PATH) || !find_program(r->program)) {
        fprintf(stderr,
                "the path of the current folder or of the program drua is unknown: %s; change to an existing folder\n",
                strerror(errno));
        return WRONG;
    }
    if (!is_plain(r->folder) || !is_plain(r->plan) || !is_plain(r->container) || !is_plain(r->before) ||
        !is_plain(r->scratch)) {
        fprintf(stderr,
                "the names of the folder, the plan, the container and the scratch disk, and the command of --before, "
                "must not contain line breaks or other control characters; change them\n");
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
    if (r->estimates_time && estimate_times(r, &s) != RIGHT)
        return WRONG;
    return r->container || r->scratch ? slurm_find_places(r) : RIGHT;
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

static int write_chain(const slurm_request *r, drua_text *t)
{
    char path[SLURM_PATH];
    int wrong = r->scratch ? write_script(r, "stage", SLURM_STAGE, 0, path) : RIGHT;
    if (r->scratch)
        add_submission(t, path, true, false);
    for (int pass = r->pass; pass && pass <= r->passes && !wrong; pass++) {
        char ending[32];
        snprintf(ending, sizeof ending, "pass%d", pass);
        wrong = write_script(r, ending, SLURM_ARRAY, pass, path);
        add_submission(t, path, pass == r->pass && !r->scratch, false);
    }
    if (!wrong)
        wrong = write_script(r, "array", SLURM_ARRAY, 0, path);
    add_submission(t, path, !r->pass && !r->scratch, false);
    if (!wrong)
        wrong = write_script(r, "finish", SLURM_FINISH, 0, path);
    add_submission(t, path, false, true);
    return wrong;
}

/* Prints what is left, the time limits, and the commands that submit the scripts. */
static int submit(const slurm_request *r)
{
    drua_text t = {0};
    if (r->pass)
        drua_text_add(&t, "passes %d to %d are left, with an array of jobs for each\n", r->pass, r->passes);
    drua_text_add(
        &t, "%" PRId64 " of %" PRId64 " blocks are left, for %" PRId64 " elements of %" PRId64 " blocks at most\n",
        r->left, r->blocks, r->elements, (r->blocks + r->elements - 1) / r->elements);
    if (*r->element_time)
        drua_text_add(&t, "time limits: %s for an element, %s for the last job", r->element_time, r->finish_time);
    if (*r->element_time && r->scratch)
        drua_text_add(&t, ", %s for the first job", r->stage_time);
    drua_text_add(&t, *r->element_time ? "\n\n" : "\n");
    const int wrong = write_chain(r, &t);
    if (!wrong)
        puts(drua_text_characters(&t));
    drua_text_free(&t);
    return wrong;
}

int drua_tool_slurm(const drua_tool_command *command, int count, char **arguments)
{
    slurm_request r = {.plan = NULL};
    (void)command;
    int wrong = parse_words(count, arguments, &r);
    if (!wrong)
        wrong = read_plan_status(&r);
    if (!wrong)
        wrong = submit(&r);
    drua_text_free(&r.reads);
    drua_text_free(&r.makes);
    drua_text_free(&r.binds);
    return wrong;
}

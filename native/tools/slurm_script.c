/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts of job scripts. */
#include "slurm_request.h"

#include "quote.h"

#include <inttypes.h>
#include <string.h>

const char slurm_first_lines[] = "#!/bin/sh\n#SBATCH --job-name=drua-";

/* Appends the plan's name, without characters that are unsuitable for job names. */
static void add_job_name(drua_text *t, const char *plan)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    const char *slash = strrchr(plan, '/'), *name = slash ? slash + 1 : plan;
    const char *dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    for (size_t i = 0; i < length && i < 40; i++)
        drua_text_append(t, strchr(allowed, name[i]) ? &name[i] : "_", 1);
}

/* Returns an option's value for a job: the user's value, or the value that the plan needs. NULL: SLURM's default. */
static const char *value_of(const slurm_request *r, slurm_job job, int option)
{
    const char *given = r->values[option];
    if (option == SLURM_GPUS)
        return job == SLURM_STAGE || (given && !strcmp(given, "0")) ? NULL : given && !r->whole_nodes ? given : "1";
    if (option == SLURM_TIME && *r->element_time)
        return job == SLURM_FINISH ? r->finish_time : job == SLURM_ARRAY ? r->element_time : r->stage_time;
    if (option == SLURM_MEMORY && !given && r->whole_nodes && job != SLURM_STAGE)
        return "0";
    return given;
}

static void add_head(drua_text *t, const slurm_request *r, slurm_job job, int pass)
{
    drua_text_add(t, "%s", slurm_first_lines);
    add_job_name(t, r->plan);
    if (pass)
        drua_text_add(t, "-pass%d", pass);
    drua_text_add(t, "%s\n", job == SLURM_STAGE ? "-stage" : job == SLURM_FINISH ? "-finish" : "");
    for (int i = 0; i < SLURM_OPTIONS; i++) {
        const char *value = value_of(r, job, i);
        if (value)
            drua_text_add(t, "#SBATCH %s%s\n", slurm_options[i].line, value);
    }
    if (r->whole_nodes && job != SLURM_STAGE)
        drua_text_add(t, "#SBATCH --nodes=1\n#SBATCH --exclusive\n");
    drua_text_add(t, "#SBATCH --ntasks=1\n#SBATCH --requeue\n#SBATCH --open-mode=append\n");
}

/* Appends how the job starts the program. */
static void add_program(drua_text *t, const slurm_request *r)
{
    drua_text_add(t, "%s=", r->container ? "container" : "program");
    drua_text_add_shell(t, r->container ? r->container : r->program);
    drua_text_add(t, "\ndrua() {\n    ");
    if (!r->container) {
        drua_text_add(t, "\"${DRUA:-$program}\" \"$@\"\n}\n");
        return;
    }
    drua_text_add(t, "apptainer exec --nv --bind \"$PWD\"");
    char folder[SLURM_PATH];
    for (const char *at = drua_text_characters(&r->binds); slurm_next_line(&at, folder);) {
        drua_text_add(t, " --bind ");
        drua_text_add_shell(t, folder);
    }
    drua_text_add(t, " --pwd \"$PWD\" \"$container\" drua \"$@\"\n}\n");
}

/* ---- copies on a scratch disk */

/* Appends commands that copy a file or folder between the folders `from` and `to` of the script. */
static void add_copy(drua_text *t, const char *from, const char *to, const char *path, const char *ending)
{
    drua_text name = {0};
    drua_text_add(&name, "%s%s", path, ending);
    drua_text_add(t, "copy \"$%s\" \"$%s\" ", from, to);
    drua_text_add_shell(t, drua_text_characters(&name));
    drua_text_add(t, " || exit 1\n");
    t->failed |= name.failed;
    drua_text_free(&name);
}

static void add_copies(drua_text *t, const char *from, const char *to, const drua_text *paths, const char *ending)
{
    char path[SLURM_PATH];
    for (const char *at = drua_text_characters(paths); slurm_next_line(&at, path);)
        if (!strstr(path, ".writing/")) /* labels lie in the folder of their image */
            add_copy(t, from, to, path, ending);
}

static void add_work(drua_text *t, const slurm_request *r, const char *from, const char *to)
{
    add_copies(t, from, to, &r->makes, ".writing");
    add_copy(t, from, to, r->plan, ".journal");
    add_copy(t, from, to, r->plan, "");
}

void slurm_add_scratch_folder(drua_text *t, const slurm_request *r)
{
    drua_text_add(t, "%s/drua-", r->scratch);
    add_job_name(t, r->plan);
}

/* Appends the names of both folders. A finished plan ends the job. */
static void add_scratch(drua_text *t, const slurm_request *r)
{
    drua_text folder = {0};
    slurm_add_scratch_folder(&folder, r);
    drua_text_add(t, "home=$PWD scratch=");
    drua_text_add_shell(t, drua_text_characters(&folder));
    t->failed |= folder.failed;
    drua_text_free(&folder);
    drua_text_add(t, "\n"
                     "case $(drua status \"$plan\") in *\", finished\") exit 0 ;; esac\n"
                     "copy() { # from, to, path\n"
                     "    [ -e \"$1/$3\" ] || return 0\n"
                     "    case $3 in */*) mkdir -p \"$2/${3%%/*}\" || return 1 ;; esac\n"
                     "    if [ -d \"$1/$3\" ]; then\n"
                     "        mkdir -p \"$2/$3\" && cp -pRL \"$1/$3/.\" \"$2/$3/\"\n"
                     "    else\n"
                     "        cp -pL \"$1/$3\" \"$2/$3\"\n"
                     "    fi\n"
                     "}\n"
                     "mark() {\n"
                     "    printf '%%s\\n' \"$home/$plan\" && cksum <\"$home/$plan\"\n"
                     "}\n"
                     "is_ours() {\n"
                     "    [ \"$(cat \"$scratch/.drua-plan\" 2>/dev/null)\" = \"$(mark)\" ]\n"
                     "}\n");
}

static void add_stage(drua_text *t, const slurm_request *r)
{
    drua_text_add(
        t, "# Copies the plan and the images that it reads to the scratch disk.\n"
           "if [ -e \"$scratch\" ] && ! is_ours; then\n"
           "    printf '%%s\\n' \"'$scratch' is not a copy of this plan; move or delete it, then submit again\" >&2\n"
           "    exit 1\n"
           "fi\n"
           "[ ! -e \"$scratch/.drua-staged\" ] || exit 0\n"
           "mkdir -p \"$scratch\" && mark >\"$scratch/.drua-plan\" || exit 1\n");
    add_copies(t, "home", "scratch", &r->reads, "");
    add_work(t, r, "home", "scratch");
    drua_text_add(t, ": >\"$scratch/.drua-staged\"\n");
}

static void add_return(drua_text *t, const slurm_request *r)
{
    drua_text_add(t, "# Copies the blocks back; finish compares them with their checksums.\n");
    add_work(t, r, "scratch", "home");
    drua_text_add(t, "mark >\"$scratch/.drua-plan\"\n"
                     "cd \"$home\" || exit 1\n");
}

/* ---- all jobs */

/* Appends the working directory, the program, and the handling of device failures and killed processes. */
static void add_start(drua_text *t, const slurm_request *r, slurm_job job)
{
    drua_text_add(t, "cd ");
    drua_text_add_shell(t, r->folder);
    drua_text_add(t, " || exit 1\n");
    if (r->before)
        drua_text_add(t, "%s\n", r->before);
    add_program(t, r);
    drua_text_add(t, "plan=");
    drua_text_add_shell(t, r->plan);
    drua_text_add(t,
                  "\nprintf '%%s job %%s on %%s: %%s\\n' \"$(date)\" \"${SLURM_JOB_ID:-}\" \"$(hostname)\" \"$(%s)\" "
                  ">&2\n",
                  job == SLURM_STAGE ? "echo no device" : "drua devices --job 2>&1");
    drua_text_add(
        t, "# 75: a device or its memory failed; above 128: the process was killed. SLURM restarts the job, which "
           "resumes its work.\n"
           "again() {\n"
           "    if { [ \"$1\" -eq 75 ] || [ \"$1\" -gt 128 ]; } && [ \"${SLURM_RESTART_COUNT:-0}\" -lt 3 ]; then\n"
           "        scontrol requeue \"$2\" && exit 75\n"
           "    fi\n"
           "    exit \"$1\"\n"
           "}\n");
    if (r->scratch)
        add_scratch(t, r);
    if (r->scratch && job != SLURM_STAGE)
        drua_text_add(t, "is_ours && [ -e \"$scratch/.drua-staged\" ] && cd \"$scratch\" || {\n"
                         "    printf '%%s\\n' \"'$scratch' has no copy of the plan; see the output of the first job\" "
                         ">&2\n"
                         "    exit 1\n"
                         "}\n");
}

static void add_array(drua_text *t, const slurm_request *r, int pass)
{
    drua_text_add(t, "drua run \"$plan\" --array \"$SLURM_ARRAY_TASK_ID/%" PRId64 "\"", r->elements);
    if (pass)
        drua_text_add(t, " --pass %d", pass);
    drua_text_add(t, " --devices job\n"
                     "again $? \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\n");
}

static void add_finish(drua_text *t, const slurm_request *r)
{
    drua_text_add(t, "# This job first does the blocks that killed or timed-out array elements left.\n"
                     "drua run \"$plan\" --devices job || again $? \"$SLURM_JOB_ID\"\n");
    if (r->scratch)
        add_return(t, r);
    drua_text_add(t,
                  "drua finish \"$plan\"%s\n"
                  "again $? \"$SLURM_JOB_ID\"\n",
                  r->scratch ? " && rm -rf \"$scratch\"" : "");
}

void slurm_add_script(drua_text *t, const slurm_request *r, slurm_job job, int pass)
{
    add_head(t, r, job, pass);
    if (job == SLURM_ARRAY) {
        drua_text_add(t, "#SBATCH --array=0-%" PRId64, r->elements - 1);
        if (r->at_once)
            drua_text_add(t, "%%%" PRId64, r->at_once);
        drua_text_add(t, "\n# Finished blocks are not repeated, however often an element starts.%s\n",
                      r->passes ? " The blocks that an earlier array left are done first." : "");
    }
    add_start(t, r, job);
    if (job == SLURM_STAGE)
        add_stage(t, r);
    else if (job == SLURM_ARRAY)
        add_array(t, r, pass);
    else
        add_finish(t, r);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of a plan: those that jobs copy to a scratch disk, and the folders that a container must see. */
#include "slurm_request.h"

#include "alloc.h"
#include "block_pipeline.h"
#include "error.h"
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RIGHT = 0, WRONG = 1 };

bool slurm_next_line(const char **at, char line[SLURM_PATH])
{
    const size_t length = strcspn(*at, "\n");
    if (!**at)
        return false;
    snprintf(line, SLURM_PATH, "%.*s", (int)length, *at);
    *at += length + 1;
    return true;
}

static bool has_line(const drua_text *lines, const char *wanted)
{
    char line[SLURM_PATH];
    for (const char *at = drua_text_characters(lines); slurm_next_line(&at, line);)
        if (!strcmp(line, wanted))
            return true;
    return false;
}

/* A line of a text, without its line break. */
typedef struct part {
    const char *begin;
    size_t length;
} part;

static int compare_parts(const void *a, const void *b)
{
    const part *x = a, *y = b;
    const int order = memcmp(x->begin, y->begin, x->length < y->length ? x->length : y->length);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* Adds the rest of the lines that begin with `word`, sorted and each once. */
static void add_lines(const drua_text *lines, const char *word, drua_text *to)
{
    const size_t begin = strlen(word);
    size_t count = 0;
    for (const char *at = drua_text_characters(lines); *at; at += strcspn(at, "\n") + 1)
        count++;
    part *parts = drua_alloc((count + 1) * sizeof *parts);
    count = 0;
    to->failed |= !parts;
    for (const char *at = drua_text_characters(lines); parts && *at; at += strcspn(at, "\n") + 1)
        if (!strncmp(at, word, begin))
            parts[count++] = (part){at + begin, strcspn(at + begin, "\n")};
    if (count)
        qsort(parts, count, sizeof *parts, compare_parts);
    for (size_t i = 0; i < count; i++)
        if (!i || compare_parts(&parts[i - 1], &parts[i]))
            drua_text_add(to, "%.*s\n", (int)parts[i].length, parts[i].begin);
    drua_free(parts);
}

/* ---- the scratch disk */

/* Returns whether a path leads from the current folder to a place below it, also if that folder is copied elsewhere. */
static bool is_below(const char *path)
{
    if (*path == '/' || *path == '\\' || strchr(path, ':'))
        return false;
    for (const char *name = path; name; name = strchr(name, '/') ? strchr(name, '/') + 1 : NULL)
        if (!strncmp(name, "..", 2) && (!name[2] || name[2] == '/'))
            return false;
    return true;
}

static int require_below(const slurm_request *r, const char *path)
{
    if (is_below(path))
        return RIGHT;
    fprintf(stderr,
            "--scratch copies files below the current folder, but the plan '%.600s' needs '%.600s'; plan again in a "
            "folder that holds it, with a path such as data/image.zarr\n",
            r->plan, path);
    return WRONG;
}

/* Refuses a scratch disk on which the folder for the copies would hold the plan itself. */
static int require_apart(const slurm_request *r)
{
    drua_text copies = {0};
    slurm_add_scratch_folder(&copies, r);
    const bool inside = !copies.failed && drua_file_is_inside(r->folder, drua_text_characters(&copies));
    if (inside)
        fprintf(stderr,
                "--scratch '%.600s' puts the copies into '%.600s', which holds the folder of the plan; name another "
                "folder\n",
                r->scratch, drua_text_characters(&copies));
    const int wrong = inside || copies.failed ? WRONG : RIGHT;
    drua_text_free(&copies);
    return wrong;
}

static int check_scratch(const slurm_request *r)
{
    const drua_text *lists[] = {&r->reads, &r->makes};
    char path[SLURM_PATH];
    int wrong = require_below(r, r->plan);
    if (*r->scratch != '/') {
        fprintf(stderr, "--scratch '%.600s' is not a full path; write it as /scratch/NAME, a disk that all nodes see\n",
                r->scratch);
        return WRONG;
    }
    if (drua_file_is_inside(r->scratch, r->folder)) {
        fprintf(stderr, "--scratch '%.600s' lies in the folder of the plan; name a folder on another disk\n",
                r->scratch);
        return WRONG;
    }
    if (!wrong)
        wrong = require_apart(r);
    for (int i = 0; i < 2; i++)
        for (const char *at = drua_text_characters(lists[i]); !wrong && slurm_next_line(&at, path);)
            wrong = require_below(r, path);
    return wrong;
}

/* ---- containers */

static void cut_name(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash)
        slash[slash == path] = 0;
}

/* Adds the folder of a path unless it lies in the current folder. */
static void add_bind(slurm_request *r, const char *path)
{
    char folder[SLURM_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    cut_name(folder);
    const size_t length = strlen(r->folder);
    const bool inside = !strncmp(folder, r->folder, length) && (!folder[length] || folder[length] == '/');
    if (*folder == '/' && !inside && !has_line(&r->binds, folder))
        drua_text_add(&r->binds, "%s\n", folder);
}

/* Adds the folders of a path and of the file to which its links lead. */
static void add_binds(slurm_request *r, const drua_text *places)
{
    char path[SLURM_PATH], resolved[SLURM_PATH];
    for (const char *at = drua_text_characters(places); slurm_next_line(&at, path);) {
        add_bind(r, path);
        if (drua_file_resolve(path, resolved, sizeof resolved))
            add_bind(r, resolved);
    }
}

static int check_bind(const char *folder)
{
    if (!strpbrk(folder, ":,"))
        return RIGHT;
    fprintf(stderr,
            "Apptainer cannot show the folder '%.600s' to a container, because its name has ':' or ','; rename it or "
            "use another folder\n",
            folder);
    return WRONG;
}

static int check_binds(const slurm_request *r)
{
    char path[SLURM_PATH];
    int wrong = check_bind(r->folder);
    if (!wrong && r->scratch)
        wrong = check_bind(r->scratch);
    for (const char *at = drua_text_characters(&r->binds); !wrong && slurm_next_line(&at, path);)
        wrong = check_bind(path);
    return wrong;
}

/* ---- both */

int slurm_find_places(slurm_request *r)
{
    drua_text places = {0};
    if (drua_blocks_places(r->plan, &places) != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_text());
        drua_text_free(&places);
        return WRONG;
    }
    add_lines(&places, "reads ", &r->reads);
    add_lines(&places, "makes ", &r->makes);
    drua_text_free(&places);
    drua_text_add(&places, "%s\n", r->plan);
    add_binds(r, &places);
    add_binds(r, &r->reads);
    add_binds(r, &r->makes);
    const bool failed = places.failed || r->reads.failed || r->makes.failed || r->binds.failed;
    drua_text_free(&places);
    if (failed)
        fprintf(stderr, "there is too little memory for the paths of the plan\n");
    if (failed || (r->scratch && check_scratch(r) != RIGHT))
        return WRONG;
    return r->container ? check_binds(r) : RIGHT;
}

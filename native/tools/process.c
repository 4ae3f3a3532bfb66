/* SPDX-License-Identifier: BSD-3-Clause */
#include "process.h"

#include "block_pipeline.h"
#include "alloc.h"
#include "error.h"
#include "file.h"
#include "new_file.h"
#include "tool_command.h"
#include "list_devices.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RIGHT = 0, WRONG = 1, TRY_AGAIN = 75, LIMIT = 4096, PLACES = 3 };

/* The parsed command line. */
typedef struct line {
    const char *places[PLACES]; /* words that are neither options nor option values */
    int count;
    char pipeline[LIMIT]; /* the pipeline's path, followed by its settings */
    const char *plan; /* -o */
    const char *page; /* --html */
    drua_blocks_request request;
    drua_blocks_share share;
    bool open; /* --open */
    bool unverified; /* --no-verify */
    bool ends_with_input; /* --ends-with-input */
} line;

/* ---- options */

static bool parse_pair(const char *text, char between, int64_t *first, int64_t *second)
{
    char *end;
    *first = strtoll(text, &end, 10);
    if (end == text || *end != between)
        return false;
    text = end + 1;
    *second = strtoll(text, &end, 10);
    return end != text && !*end && *first >= 0 && *second > 0;
}

static bool parse_count(const char *text, int64_t *count)
{
    char *end;
    *count = strtoll(text, &end, 10);
    return end != text && !*end && *count > 0;
}

/* `name`: the option's name after "--", with '_' in place of '-'. */
static bool set_long_option(line *l, const char *option, const char *value)
{
    char name[32];
    if (strncmp(option, "--", 2) || snprintf(name, sizeof name, "%s", option + 2) >= (int)sizeof name)
        return false;
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return drua_blocks_set(&l->request, &l->share, name, value);
}

static bool set_option(line *l, const char *name, const char *value)
{
    drua_blocks_share *s = &l->share;
    if (!strcmp(name, "-o")) {
        l->plan = value;
        return true;
    }
    if (!strcmp(name, "--html")) {
        l->page = value;
        return *value;
    }
    if (!strcmp(name, "--blocks"))
        return parse_pair(value, ':', &s->first, &s->end);
    if (!strcmp(name, "--array"))
        return parse_pair(value, '/', &s->part, &s->parts);
    if (!strcmp(name, "--pass"))
        return parse_count(value, &s->pass);
    return set_long_option(l, name, value);
}

/* Sets an option that takes no value. */
static bool set_flag(line *l, const char *word)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"--anew", &l->request.anew},
                 {"--overwrite", &l->request.overwrite},
                 {"--share", &l->request.share},
                 {"--provenance", &l->request.provenance},
                 {"--open", &l->open},
                 {"--no-verify", &l->unverified},
                 {"--ends-with-input", &l->ends_with_input}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(word, flags[i].name)) {
            *flags[i].flag = true;
            return true;
        }
    return false;
}

/* Returns whether a word sets a parameter of the pipeline. The paths of the two files may also contain '='. */
static bool is_setting(const line *l, const char *word)
{
    return l->count == PLACES && strchr(word, '=');
}

static int parse_words(const drua_tool_command *command, int count, char **words, line *l)
{
    for (int i = 0; i < count; i++) {
        const char *word = words[i];
        if (set_flag(l, word))
            continue;
        if (word[0] == '-') {
            const char *value = words[++i];
            if (!set_option(l, word, value))
                return drua_tool_refuse(command, "'%s' is not a valid value of %s; write it as %s", value, word,
                                        drua_tool_find_option(command, word)->value);
        } else if (is_setting(l, word) && !strncmp(word, "series=", 7)) {
            l->request.series = word + 7;
        } else if (is_setting(l, word) && !strncmp(word, "labels=", 7)) {
            if (!drua_blocks_set(&l->request, &l->share, "labels", word + 7))
                return drua_tool_refuse(command, "labels must be yes or no, got '%s'", word + 7);
        } else if (is_setting(l, word)) {
            const size_t used = strlen(l->pipeline);
            if (snprintf(l->pipeline + used, LIMIT - used, " %s", word) >= (int)(LIMIT - used))
                return drua_tool_refuse(command, "the setting '%.200s' is too long", word);
        } else {
            if (l->count == 0)
                snprintf(l->pipeline, LIMIT, "%s", word);
            l->places[l->count++] = word;
        }
    }
    l->request.pipeline = l->pipeline;
    l->request.input = l->places[1];
    l->request.output = l->places[2];
    return RIGHT;
}

/* ---- messages */

static int exit_status_of(drua_status status)
{
    if (status == DRUA_OK)
        return RIGHT;
    fprintf(stderr, "%s\n", drua_error_text());
    const bool again = status == DRUA_E_DEVICE || status == DRUA_E_NO_DEVICE || status == DRUA_E_MEMORY ||
                       status == DRUA_E_CANCELLED || status == DRUA_E_AWAY;
    return again ? TRY_AGAIN : WRONG;
}

static void write_duration(double seconds, char text[32])
{
    const long s = (long)(seconds + 0.5);
    snprintf(text, 32,
             s >= 3600 ? "%ld h %02ld min"
             : s >= 60 ? "%ld min %02ld s"
                       : "%ld s",
             s >= 3600 ? s / 3600
             : s >= 60 ? s / 60
                       : s,
             s >= 3600 ? s / 60 % 60 : s % 60);
}

/* Prints a progress line at intervals, in a terminal or a log. */
static bool print_progress(void *payload, const drua_blocks_progress *p)
{
    time_t *last = payload;
    const time_t now = time(NULL);
    char left[32];
    if (p->line)
        fprintf(stderr, "%s\n", p->line);
    if (p->plan) {
        fputs(p->plan, stdout);
        fflush(stdout);
    }
    if (p->made && (now > *last || p->done + p->failed == p->blocks)) {
        *last = now;
        write_duration(p->left > 0 ? p->left : p->seconds / (double)p->made * (double)(p->blocks - p->done - p->failed),
                       left);
        fprintf(stderr, "%" PRId64 " of %" PRId64 " %s, %.1f MB/s, slowest step: %s", p->done, p->blocks, p->what,
                (double)p->bytes / 1e6 / (p->seconds > 0 ? p->seconds : 1), p->limit);
        if (p->split.compute > 0)
            fprintf(stderr, " (read %.1f, decode %.1f, transfer %.1f, compute %.1f, encode %.1f, write %.1f s)",
                    p->split.read, p->split.decode, p->split.transfer, p->split.compute, p->split.encode,
                    p->split.write);
        fprintf(stderr, ", %s left\n", left);
    }
    return true;
}

/* ---- commands */

/*
 * Ends this process when the parent process closes the other end of its standard input, or dies. Files stay complete at
 * any time, because each appears only when it is complete.
 */
static void *wait_for_end_of_input(void *unused)
{
    while (getchar() != EOF)
        ;
    _Exit(TRY_AGAIN);
    return unused;
}

/* Determines the scheduler's devices, if the user requested them. */
static bool find_devices(line *l)
{
    static char devices[LIMIT];
    const char *wanted = l->share.devices;
    if (wanted && !strcmp(wanted, "job")) {
        if (!drua_tool_job_devices(devices, sizeof devices)) {
            fprintf(stderr, "%s\n", devices);
            return false;
        }
        l->share.devices = *devices ? devices : NULL;
    }
    l->request.devices = l->share.devices;
    return true;
}

static int make_plan(line *l)
{
    drua_text report = {0};
    time_t last = 0;
    l->request.watch = print_progress;
    l->request.payload = &last;
    l->request.for_others = true;
    if (!find_devices(l))
        return WRONG;
    const drua_status status = drua_blocks_plan(&l->request, l->plan, &report);
    fputs(drua_text_characters(&report), stdout);
    drua_text_free(&report);
    return exit_status_of(status);
}

static int run_plan(line *l)
{
    time_t last = 0;
    return find_devices(l) ? exit_status_of(drua_blocks_run(l->places[0], &l->share, print_progress, &last)) : WRONG;
}

static int finish_plan(line *l)
{
    time_t last = 0;
    return exit_status_of(drua_blocks_finish(l->places[0], !l->unverified, print_progress, &last));
}

static int run_verify(line *l)
{
    time_t last = 0;
    return exit_status_of(drua_blocks_verify(l->places[0], print_progress, &last));
}

static int list_open(const char *plan)
{
    drua_text ranges = {0};
    const int end = exit_status_of(drua_blocks_list_unfinished(plan, &ranges));
    fputs(drua_text_characters(&ranges), stdout);
    drua_text_free(&ranges);
    return end;
}

/* Returns whether a path is free, or holds a page, which a newer page replaces. */
static bool may_replace(const char *path)
{
    static const char start[] = "<!DOCTYPE html>";
    drua_bytes bytes = {0};
    drua_file_info info;
    const bool may =
        !drua_file_stat(path, &info) || (drua_file_part(path, 0, sizeof start - 1, &bytes, NULL) == DRUA_FILE_PRESENT &&
                                         bytes.length == sizeof start - 1 && !memcmp(bytes.data, start, bytes.length));
    drua_free(bytes.data);
    return may;
}

static int write_page(const line *l)
{
    drua_text html = {0};
    int end = exit_status_of(drua_blocks_page(l->places[0], l->page, &html));
    if (end == RIGHT && !may_replace(l->page)) {
        fprintf(stderr, "'%s' exists and is not a page of HTML; use another file\n", l->page);
        end = WRONG;
    } else if (end == RIGHT) {
        end = exit_status_of(drua_new_file_write(l->page, NULL, html.characters, html.length));
    }
    drua_text_free(&html);
    return end;
}

static int run_status(line *l)
{
    drua_blocks_status s;
    if (l->open)
        return list_open(l->places[0]);
    if (l->page)
        return write_page(l);
    const int end = exit_status_of(drua_blocks_read_status(l->places[0], &s));
    if (end == RIGHT) {
        if (s.pass)
            printf("pass %d of %d: %" PRId64 " of %" PRId64 " %s", s.pass, s.passes, s.done, s.blocks, s.what);
        else
            printf("%" PRId64 " of %" PRId64 " blocks done", s.done, s.blocks);
        printf(s.lost ? ", %" PRId64 " lost" : "", s.lost);
        if (s.blocks_per_second > 0 && s.done < s.blocks) {
            char left[32];
            write_duration((double)(s.blocks - s.done) / s.blocks_per_second, left);
            printf(", about %s left", left);
        }
        puts(s.finished ? ", finished" : !s.pass && s.done == s.blocks ? ", not finished" : "");
    }
    return end;
}

static int run_process(line *l)
{
    time_t last = 0;
    return find_devices(l) ? exit_status_of(drua_blocks_process(&l->request, &l->share, print_progress, &last)) : WRONG;
}

static const struct {
    const char *verb;
    int (*run)(line *l);
} verbs[] = {{"plan", make_plan},    {"run", run_plan},      {"finish", finish_plan},
             {"verify", run_verify}, {"status", run_status}, {"process", run_process}};

int drua_tool_process(const drua_tool_command *command, int count, char **arguments)
{
    static line l;
    pthread_t watcher;
    int i = 0;
    while (strcmp(verbs[i].verb, command->name))
        i++;
    const int wrong = parse_words(command, count, arguments, &l);
    if (!wrong && l.ends_with_input && pthread_create(&watcher, NULL, wait_for_end_of_input, NULL) == 0)
        pthread_detach(watcher);
    return wrong ? wrong : verbs[i].run(&l);
}

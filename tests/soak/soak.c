/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs random programs of calls of all operations for DRUA_SOAK_SECONDS in several contexts, each with a thread and a
 * budget. Programs keep images for a long time, write results into existing images, and release or change inputs before
 * the work has run. They call operations by name and as macro commands. Some calls are cancelled at a random moment, or
 * fail because the n-th OpenCL call or allocation fails. Other processes are killed while they fill a cache whose files
 * are damaged. Every result is compared with the reference. At the end, memory, handles and files must be as before.
 */
#include "calls.h"
#include "loader.h"
#include "source.h"

#include "registry.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 3, KEPT = 6, CALLS_A_ROUND = 40, MAX_OPERATIONS = 1024, DEFAULT_SECONDS = 5, TYPES = 7 };

static const drua_op *operations[MAX_OPERATIONS];
static int operation_count;
static pthread_mutex_t reference_lock = PTHREAD_MUTEX_INITIALIZER;      /* all threads share one reference */

typedef struct worker {
    drua_context *context;
    harness_random chance;
    const fault_source *faults;         /* or NULL */
    bool limited;
    drua_image kept[KEPT];              /* images that no call changes */
    reference_image pixels[KEPT];
    long calls, refused;
    drua_image images[CALL_PARAMS];     /* a call's images, by parameter */
    const char *flaw;
    char message[512];
} worker;

static void find_operations(void)
{
    const char *note;
    for (const drua_op *const *op = drua_op_table; *op && operation_count < MAX_OPERATIONS; op++)
        if (call_is_known(*op, &note) && !((*op)->traits & DRUA_HOST) &&
            harness_is_wanted((*op)->name, (*op)->category))
            operations[operation_count++] = *op;
}

static double seconds_to_run(void)
{
    const char *said = getenv("DRUA_SOAK_SECONDS");
    return said ? atof(said) : DEFAULT_SECONDS;
}

static void report_flaw(worker *w, const call *c, const char *what)
{
    if (w->flaw)
        return;
    snprintf(w->message, sizeof w->message, "%s: %s", call_text(c), what);
    w->flaw = w->message;
}

/* ---- long-lived images */

static void check_kept(worker *w, const call *c, int i)
{
    reference_image now = harness_pull(w->context, w->kept[i]);
    char message[256];
    if (!reference_agrees(&w->pixels[i], &now, 0, false, message, sizeof message))
        report_flaw(w, c, "another image changed");
    reference_free(&now);
}

static void keep_image(worker *w, int i)
{
    w->pixels[i] = harness_image(&w->chance, harness_types[harness_below(&w->chance, TYPES)],
                                 (drua_shape){21, 17, 3, 3}, HARNESS_GREY);
    w->kept[i] = harness_push(w->context, &w->pixels[i]);
}

static void release_kept(worker *w, int i)
{
    REQUIRE(drua_release(w->context, w->kept[i]));
    reference_free(&w->pixels[i]);
}

/* ---- one call */

/* Whether existing images of the inputs' size can be destinations. */
static bool takes_outputs(const drua_op *op)
{
    return !call_needs_natural(op) && !call_makes_images(op) && !(op->traits & DRUA_SOURCE_EXTENT);
}

static void push_images(worker *w, call *c, drua_shape shape)
{
    memset(w->images, 0, sizeof w->images);
    for (int k = 0; k < c->input_count; k++)
        w->images[c->inputs[k]] = harness_push(w->context, &c->before[c->inputs[k]]);
    const bool exists = takes_outputs(c->op) && harness_below(&w->chance, 2),
               in_place = exists && c->input_count && !harness_below(&w->chance, 3);
    for (int k = 0; k < c->output_count && exists; k++) {
        const int i = c->outputs[k];
        if (c->op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            continue;
        if (in_place && k == 0) {
            c->before[i] = reference_duplicate(&c->before[c->inputs[0]]);
            w->images[i] = w->images[c->inputs[0]];
        } else {
            c->before[i] =
                harness_image(&w->chance, harness_types[harness_below(&w->chance, TYPES)], shape, HARNESS_LABELS);
            call_fill_array(c, &w->chance, reference_count(&c->before[i]));
            w->images[i] = harness_push(w->context, &c->before[i]);
        }
    }
}

static void release_images(worker *w)
{
    for (int i = 0; i < CALL_PARAMS; i++)
        for (int k = i; k < CALL_PARAMS && w->images[i]; k++)
            if (k > i && w->images[k] == w->images[i])
                w->images[k] = 0;
    for (int i = 0; i < CALL_PARAMS; i++)
        if (w->images[i])
            REQUIRE(drua_release(w->context, w->images[i]));
}

static bool is_output(const worker *w, const call *c, drua_image image)
{
    bool is = false;
    for (int k = 0; k < c->output_count; k++)
        is = is || w->images[c->outputs[k]] == image;
    return is;
}

/* Changes or releases inputs after the call; recorded work must not be affected. */
static void disturb(worker *w, const call *c)
{
    const int how = harness_below(&w->chance, 4);
    for (int k = 0; k < c->input_count && how < 2; k++) {
        const int i = c->inputs[k];
        if (!w->images[i] || is_output(w, c, w->images[i]))
            continue;
        if (how == 1) {
            REQUIRE(INVOKE(w->context, "set", IMAGE(w->images[i]), NUMBER(77)));
        } else {
            REQUIRE(drua_release(w->context, w->images[i]));
            w->images[i] = 0;
        }
    }
}

static void compare_outputs(worker *w, call *c)
{
    reference_image pulled[CALL_PARAMS];
    for (int k = 0; k < c->output_count; k++) {
        const int i = c->outputs[k];
        pulled[k] = harness_pull(w->context, w->images[i]);
        c->expected[i] =
            c->before[i].pixels ? reference_duplicate(&c->before[i]) : reference_make(pulled[k].type, pulled[k].shape);
    }
    pthread_mutex_lock(&reference_lock);
    call_reference(c);
    for (int k = 0; k < c->output_count; k++) {
        char message[256];
        if (!call_output_agrees(c, c->outputs[k], &pulled[k], message, sizeof message))
            report_flaw(w, c, message);
        reference_free(&pulled[k]);
    }
    pthread_mutex_unlock(&reference_lock);
}

static void take_outputs(worker *w, const call *c, const drua_argument *arguments)
{
    for (size_t i = 0, at = 0; i < c->op->param_count; at += c->op->params[i++].kind != DRUA_KIND_TABLE_OUT)
        if (c->op->params[i].kind == DRUA_KIND_IMAGE_OUT || c->op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            w->images[i] = arguments[at].image;
}

/* ---- sending a call */

/* A command with all parameters of the operation, or NULL. */
static const drua_command_entry *some_command(worker *w, const drua_op *op)
{
    const size_t commands = drua_command_count(), begin = (size_t)harness_below(&w->chance, (int)commands);
    size_t wanted = 0;
    for (size_t i = 0; i < op->param_count; i++)
        wanted += op->params[i].kind != DRUA_KIND_TABLE_OUT;
    for (size_t n = 0; n < commands; n++) {
        const drua_command_entry *entry = drua_command_at((begin + n) % commands);
        bool takes_all = entry->op == op && entry->argument_count == wanted;
        for (size_t k = 0; takes_all && k < wanted; k++)
            takes_all = entry->arguments[k].param >= 0 && !entry->arguments[k].fixed &&
                        entry->arguments[k].type == DRUA_NO_TYPE && !entry->arguments[k].type_of_source;
        if (takes_all)
            return entry;
    }
    return NULL;
}

/* Calls a command as a macro does: images have names, and results are looked up by name. */
static drua_status send_command(worker *w, const drua_command_entry *entry, drua_argument *arguments,
                                drua_table **table)
{
    drua_argument ordered[CALL_PARAMS];
    char names[CALL_PARAMS][24];
    size_t place[CALL_PARAMS];
    drua_status status = DRUA_OK;
    for (size_t i = 0, at = 0; i < entry->op->param_count; at += entry->op->params[i++].kind != DRUA_KIND_TABLE_OUT)
        place[i] = at;
    for (size_t k = 0; k < entry->argument_count; k++) {
        const int i = entry->arguments[k].param;
        ordered[k] = arguments[place[i]];
        if (!drua_kind_is_image(entry->op->params[i].kind))
            continue;
        int same = 0;       /* an image that is both input and output has one name */
        while (same < i && !(w->images[i] && w->images[same] == w->images[i]))
            same++;
        snprintf(names[i], sizeof names[i], "image %d", same);
        if (status == DRUA_OK && w->images[i])
            status = drua_bind(w->context, names[i], w->images[i]);
        ordered[k] = NAME(names[i]);
    }
    if (status == DRUA_OK)
        status = drua_command(w->context, entry->name, ordered, entry->argument_count, table);
    for (size_t k = 0; status == DRUA_OK && k < entry->argument_count; k++)
        if (drua_kind_is_image(entry->op->params[entry->arguments[k].param].kind))
            REQUIRE(drua_find(w->context, names[entry->arguments[k].param],
                              &arguments[place[entry->arguments[k].param]].image));
    return status;
}

typedef struct canceller {
    drua_context *context;
    int microseconds;
} canceller;

static void *cancel_later(void *data)
{
    const canceller *c = data;
    usleep((useconds_t)c->microseconds);
    drua_cancel(c->context);
    return NULL;
}

/* Sends a call; one call in eight is cancelled at some moment. */
static drua_status send_call(worker *w, const call *c, drua_argument *arguments, size_t count, drua_table **table)
{
    const drua_command_entry *entry = harness_below(&w->chance, 2) ? some_command(w, c->op) : NULL;
    canceller later = {w->context, harness_below(&w->chance, 2000)};
    const bool cancelled = !harness_below(&w->chance, 8);
    pthread_t thread;
    if (cancelled)
        ck_assert_int_eq(pthread_create(&thread, NULL, cancel_later, &later), 0);
    const drua_status status = entry ? send_command(w, entry, arguments, table)
                                     : drua_invoke(w->context, c->op->name, arguments, count, table);
    if (cancelled)
        pthread_join(thread, NULL);
    return status;
}

/* Checks that a cancelled call changed nothing. */
static void check_unchanged(worker *w, const call *c)
{
    for (int i = 0; i < CALL_PARAMS; i++) {
        if (!w->images[i] || !c->before[i].pixels)
            continue;
        reference_image now = harness_pull(w->context, w->images[i]);
        char message[256];
        if (!reference_agrees(&c->before[i], &now, 0, false, message, sizeof message))
            report_flaw(w, c, "an image of a cancelled call changed");
        reference_free(&now);
    }
}

/*
 * A failed call must give its reason in an error message. Failures are allowed only after an injected fault or under a
 * small budget.
 */
static void judge_refusal(worker *w, const call *c, drua_status status, bool fired)
{
    const bool expected = fired || status == DRUA_E_CANCELLED || (w->limited && status == DRUA_E_MEMORY);
    w->refused++;
    if (status == DRUA_E_INTERNAL || !*drua_error_message() || strchr(drua_error_message(), '\n') || !expected)
        report_flaw(w, c, drua_error_message());
    if (status == DRUA_E_CANCELLED && !fired)
        check_unchanged(w, c);
    for (int i = 0; i < KEPT; i++)
        check_kept(w, c, i);
}

static void run_call(worker *w)
{
    static const drua_shape shapes[] = {{37, 29, 1, 2}, {17, 13, 7, 3}, {3, 1, 2, 3}, {64, 5, 1, 2}, {1, 1, 1, 2}};
    const drua_op *op = operations[harness_below(&w->chance, operation_count)];
    const drua_shape shape = shapes[harness_below(&w->chance, sizeof shapes / sizeof *shapes)];
    pthread_mutex_lock(&reference_lock);
    call c = call_make(&w->chance, op, shape, harness_types[harness_below(&w->chance, TYPES)]);
    pthread_mutex_unlock(&reference_lock);
    push_images(w, &c, shape);
    drua_argument arguments[CALL_PARAMS];
    drua_table *table = NULL;
    const size_t count = call_arguments(&c, w->images, arguments);
    const bool armed = w->faults && harness_below(&w->chance, 2);
    if (armed)
        w->faults->arm(1 + harness_below(&w->chance, 60));
    drua_status status = send_call(w, &c, arguments, count, &table);
    if (status == DRUA_OK)
        take_outputs(w, &c, arguments);
    if (status == DRUA_OK && armed)
        status = drua_sync(w->context);
    const bool fired = armed && w->faults->fired();
    w->calls++;
    if (status != DRUA_OK) {
        judge_refusal(w, &c, status, fired);
    } else {
        disturb(w, &c);
        compare_outputs(w, &c);
    }
    release_images(w);
    const int i = harness_below(&w->chance, KEPT);
    check_kept(w, &c, i);
    release_kept(w, i);
    keep_image(w, i);
    drua_table_free(table);
    call_free(&c);
}

static void *run_round(void *data)
{
    static const char *const budgets[] = {NULL, "1MB", "3MB", "50%"};
    worker *w = data;
    const int budget = harness_below(&w->chance, sizeof budgets / sizeof *budgets);
    w->context = harness_open();
    w->limited = budgets[budget] != NULL;
    REQUIRE(drua_set_memory(w->context, budgets[budget]));
    for (int i = 0; i < KEPT; i++)
        keep_image(w, i);
    for (int i = 0; i < CALLS_A_ROUND && !w->flaw; i++)
        run_call(w);
    for (int i = 0; i < KEPT; i++)
        release_kept(w, i);
    drua_close(w->context);
    return NULL;
}

/* ---- rounds */

static int open_files(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

/* Excludes free memory: after a round the C library keeps the memory of its peak, which is large for compilers. */
static long resident_kilobytes(void)
{
    long pages = 0;
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void soak(const fault_source *faults, int workers)
{
    const uint64_t seed = harness_new_seed("soak");
    const time_t begun = time(NULL);
    long calls = 0, refused = 0, rounds = 0;
    int files = 0;
    find_operations();
    loader_find();
    do {
        worker all[WORKERS] = {0};
        pthread_t threads[WORKERS];
        for (int i = 0; i < workers; i++) {
            all[i] = (worker){.chance = {seed + (uint64_t)(1000 * rounds + i)}, .faults = faults};
            ck_assert_int_eq(pthread_create(&threads[i], NULL, run_round, &all[i]), 0);
        }
        for (int i = 0; i < workers; i++) {
            pthread_join(threads[i], NULL);
            calls += all[i].calls;
            refused += all[i].refused;
            ck_assert_msg(!all[i].flaw, "DRUA_SEED=%llu, round %ld: %s", (unsigned long long)seed, rounds, all[i].flaw);
        }
        loader_expect_nothing_left("round", rounds);
        if (rounds++ == 0)
            files = open_files();
        ck_assert_int_eq(open_files(), files);
        if (rounds % 16 == 1)
            printf("%ld rounds, %ld calls, %ld refused, %d files, %ld MB\n", rounds, calls, refused, files,
                   resident_kilobytes() / 1024);
    } while (difftime(time(NULL), begun) < seconds_to_run());
    printf("%ld rounds, %ld calls, %ld refused, %d files, %ld MB at the end\n", rounds, calls, refused, files,
           resident_kilobytes() / 1024);
}

START_TEST(several_contexts)
{
    soak(NULL, WORKERS);
}
END_TEST

START_TEST(failures)
{
    soak(fault_start(_i), 1);
}
END_TEST

/* ---- killed processes and damaged caches */

static pid_t start_round(uint64_t seed)
{
    const pid_t child = fork();
    if (child)
        return child;
    worker w = {.chance = {seed}};
    find_operations();
    run_round(&w);
    if (w.flaw)
        printf("DRUA_SEED=%llu: %s\n", (unsigned long long)seed, w.flaw);
    fflush(stdout);
    _exit(w.flaw != NULL);
}

/* Truncates some files of the folder and changes one byte in others. */
static void damage_files(harness_random *chance, const char *folder)
{
    DIR *directory = opendir(folder);
    for (const struct dirent *d; directory && (d = readdir(directory)) != NULL;) {
        char path[600];
        struct stat info;
        snprintf(path, sizeof path, "%s/%.255s", folder, d->d_name);
        const int file = d->d_name[0] == '.' || harness_below(chance, 2) ? -1 : open(path, O_RDWR);
        if (file < 0)
            continue;
        if (fstat(file, &info) == 0 && info.st_size > 0) {
            const off_t at = harness_below(chance, (int)info.st_size);
            const char byte = (char)harness_below(chance, 256);
            ck_assert(harness_below(chance, 2) ? pwrite(file, &byte, 1, at) == 1 : ftruncate(file, at) == 0);
        }
        close(file);
    }
    if (directory)
        closedir(directory);
}

START_TEST(killed_processes)
{
    char folder[] = "/tmp/drua-soak-XXXXXX", command[100];
    const time_t begun = time(NULL);
    const uint64_t seed = harness_new_seed("soak_killed");
    harness_random chance = {seed};
    long rounds = 0;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("DRUA_CACHE", folder, 1);
    do {
        const pid_t two[] = {start_round(seed + (uint64_t)rounds), start_round(seed + (uint64_t)rounds + 1)};
        usleep((useconds_t)(1000 * harness_below(&chance, 1500)));
        kill(two[0], SIGKILL);
        damage_files(&chance, folder);
        int status;
        waitpid(two[0], &status, 0);
        waitpid(two[1], &status, 0);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "DRUA_SEED=%llu, round %ld: status %d",
                      (unsigned long long)seed, rounds, status);
        rounds++;
    } while (difftime(time(NULL), begun) < seconds_to_run());
    printf("%ld processes killed\n", rounds);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("soak");
    TCase *threads = tcase_create("threads"), *faults = tcase_create("faults"), *killed = tcase_create("killed");
    const double timeout = 600 + 2 * seconds_to_run();
    tcase_set_timeout(threads, timeout);
    tcase_add_test(threads, several_contexts);
    suite_add_tcase(suite, threads);
    tcase_set_timeout(faults, timeout);
    fault_add(faults, failures, 1);
    suite_add_tcase(suite, faults);
    tcase_set_timeout(killed, timeout);
    tcase_add_test(killed, killed_processes);
    suite_add_tcase(suite, killed);
    return harness_run(suite);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels generated while the engine runs. Threads of the device compile them, and the caller polls for the result. */
#include "internal.h"

#include "alloc.h"
#include "c_locale.h"
#include "error.h"
#include "handles.h"
#include "sources.h"
#include "text.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_ARGUMENTS = 32, MAX_THREADS = 2, SECOND = 1000000000, A_MOMENT = 1000000 }; /* nanoseconds */

struct drua_jit_kernel {
    drua_jit_kernel *next;            /* next in the list of kernels to compile */
    drua_device *device;
    const char *family;
    char *text, *name;
    int lanes, width;
    int32_t group[3];
    bool by_user;
    bool handed, begun; /* a thread has received it; a thread has started to compile it */
    drua_jit_when when;
    drua_status status;         /* result of the compilation */
    drua_arg_kind kinds[MAX_ARGUMENTS];
    size_t count;
    cl_program program;
    drua_kernel kernel;
    drua_kernel *general; /* the kernel of a source text whose program is built, instead of `text` */
    atomic_int state;
};

typedef struct drua_compile_threads {
    drua_device *device;
    pthread_t thread[MAX_THREADS];
    int count;
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    drua_jit_kernel *first;
    bool stop;
} drua_compile_threads;

/*
 * Number of bytes of an argument that is passed by value, alone or in addition to a pointer; 0: only a pointer is
 * passed.
 */
static size_t size_of_value(drua_arg_kind kind)
{
    switch (kind) {
    case DRUA_LAUNCH_VIEW:
        return sizeof(drua_layout);
    case DRUA_LAUNCH_LONG:
        return sizeof(int64_t);
    case DRUA_LAUNCH_NUMBERS:
        return DRUA_NUMBERS * sizeof(float);
    case DRUA_LAUNCH_WEIGHTS:
        return DRUA_WEIGHTS * sizeof(float);
    case DRUA_LAUNCH_POINTER:
        return 0;
    default:
        return sizeof(int32_t);
    }
}

static cl_int set_nothing(drua_jit_kernel *jit, cl_kernel kernel)
{
    static const unsigned char zeros[DRUA_WEIGHTS * sizeof(float)];
    const drua_device *device = jit->device;
    cl_uint index = 0;
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; i < jit->count && code == CL_SUCCESS; i++) {
        const drua_arg_kind kind = jit->kinds[i];
        const bool pointer = kind == DRUA_LAUNCH_VIEW || kind == DRUA_LAUNCH_POINTER || kind == DRUA_LAUNCH_TABLE;
        const size_t size = size_of_value(kind);
        if (pointer)
            code = device->cl->clSetKernelArg(kernel, index++, sizeof(cl_mem), &device->ring.memory);
        if (size && code == CL_SUCCESS)
            code = device->cl->clSetKernelArg(kernel, index++, size, zeros);
    }
    return code;
}

/* Launches the kernel without any work, because drivers for CPUs compile at the first launch. */
static void launch_nothing(drua_jit_kernel *jit, const int32_t group[3])
{
    const drua_device *device = jit->device;
    cl_int code;
    const size_t size[3] = {(size_t)group[0], (size_t)group[1], (size_t)group[2]};
    cl_command_queue queue = device->cl->clCreateCommandQueue(device->context, device->id, 0, &code);
    if (code != CL_SUCCESS)
        return;
    drua_signals_save();
    if (set_nothing(jit, jit->kernel.handle[jit->width]) == CL_SUCCESS)
        device->cl->clEnqueueNDRangeKernel(queue, jit->kernel.handle[jit->width], 3, NULL, size, size, 0, NULL, NULL);
    device->cl->clFinish(queue);
    drua_signals_restore();
    device->cl->clReleaseCommandQueue(queue);
}

/* Builds the program of a kernel of a source text, which keeps it. */
static void build_general(drua_jit_kernel *jit, drua_program_builder *builder)
{
    cl_program program;
    jit->status = drua_kernel_build(jit->device, builder, jit->general, jit->width, &program);
    atomic_store(&jit->state, jit->status == DRUA_OK ? DRUA_JIT_READY : DRUA_JIT_REFUSED);
}

/* Leaves the state as it is if the builder only loads and the disk does not have the program. */
static void compile_kernel(drua_jit_kernel *jit, drua_program_builder *builder)
{
    enum { MAX_TEXTS = 16 };
    const char *texts[MAX_TEXTS];
    size_t count = 0;
    cl_int code = CL_INVALID_PROGRAM;
    for (const drua_source *s = drua_sources; s->family && count < MAX_TEXTS - 1; s++)
        if (!strcmp(s->family, jit->family))
            texts[count++] = s->text;
    texts[count++] = jit->text;
    jit->status = drua_compiler_enter();
    if (jit->status != DRUA_OK) {
        atomic_store(&jit->state, DRUA_JIT_REFUSED);
        return;
    }
    const char *what = jit->by_user ? NULL : *jit->family ? jit->family : jit->name;
    bool kept = false;
    const drua_program_text text = {what, texts, count, jit->width, jit->lanes};
    jit->status = drua_device_compile(jit->device, builder, &text, &jit->program, &kept);
    if (jit->status == DRUA_OK && !jit->program) {
        drua_compiler_exit();
        return;
    }
    if (jit->status == DRUA_OK)
        jit->kernel.handle[jit->width] = jit->device->cl->clCreateKernel(jit->program, jit->name, &code);
    if (code == CL_SUCCESS)
        drua_kernel_ask_limit(jit->device, &jit->kernel, jit->width);
    int32_t group[3] = {jit->group[0], jit->group[1], jit->group[2]};
    if (code == CL_SUCCESS && drua_kernel_fit_group(jit->device, &jit->kernel, jit->width, group) != DRUA_OK)
        code = CL_INVALID_WORK_GROUP_SIZE;
    if (code == CL_SUCCESS && !jit->device->info.is_gpu && jit->lanes && !jit->by_user)
        launch_nothing(jit, group);
    drua_compiler_exit();
    if (code == CL_SUCCESS)
        atomic_fetch_add(kept ? &jit->device->programs_loaded : &jit->device->programs_built, 1);
    atomic_store(&jit->state, code == CL_SUCCESS ? DRUA_JIT_READY : DRUA_JIT_REFUSED);
}

/* Waits for another kernel, at most this many nanoseconds; returns whether one has arrived. */
static bool more_comes(drua_compile_threads *threads, uint64_t within)
{
    return drua_condition_wait(&threads->work, &threads->lock, within);
}

/*
 * Finds the next kernel to compile in the list. A kernel for which no caller waits is taken only while the compiler is
 * idle.
 */
static drua_jit_kernel **find_next(drua_compile_threads *threads)
{
    const bool is_idle =
        /* a call may compute between two compilations and must not wait for one that no caller wants */
        drua_compiler_is_idle(threads->device, SECOND / 4);
    drua_jit_kernel **at = &threads->first;
    while (*at && (*at)->when == DRUA_JIT_LATER && !is_idle)
        at = &(*at)->next;
    return at;
}

static void *run_compile_thread(void *argument)
{
    drua_compile_threads *threads = argument;
    drua_program_builder builder = {0};
    drua_locale_enter();        /* for the lifetime of the thread */
    pthread_mutex_lock(&threads->lock);
    while (!threads->stop) {
        drua_jit_kernel **at = find_next(threads), *jit = *at;
        if (!jit) {
            if (threads->first)
                more_comes(threads, A_MOMENT);
            else if (!builder.context)
                pthread_cond_wait(&threads->work, &threads->lock);
            else if (!more_comes(threads, SECOND))    /* creating a compiler's context takes time and memory */
                drua_program_builder_close(threads->device, &builder);
            continue;
        }
        const bool wanted = jit->when != DRUA_JIT_LATER;
        *at = jit->next;
        jit->begun = true;
        pthread_mutex_unlock(&threads->lock);
        if (jit->general)
            build_general(jit, &builder);
        else
            compile_kernel(jit, jit->when == DRUA_JIT_SOON ? NULL : &builder);
        if (wanted)
            drua_program_done(threads->device);
        pthread_mutex_lock(&threads->lock);
        pthread_cond_broadcast(&threads->done);
    }
    pthread_mutex_unlock(&threads->lock);
    drua_program_builder_close(threads->device, &builder);
    return NULL;
}

static drua_compile_threads *start_compile_threads(drua_device *device)
{
    drua_compile_threads *threads = drua_alloc(sizeof *threads);
    if (!threads)
        return NULL;
    threads->device = device;
    pthread_mutex_init(&threads->lock, NULL);
    drua_condition_init(&threads->work);
    drua_condition_init(&threads->done);
    const int max = device->info.is_gpu ? MAX_THREADS : 1; /* compilers for CPUs run one after another */
    while (threads->count < max && !pthread_create(&threads->thread[threads->count], NULL, run_compile_thread, threads))
        threads->count++;
    if (!threads->count) {
        drua_free(threads);
        return NULL;
    }
    device->compile_threads = threads;
    return threads;
}

static void hand_over(drua_compile_threads *threads, drua_jit_kernel *jit)
{
    pthread_mutex_lock(&threads->lock);
    drua_jit_kernel **at = &threads->first;
    while (*at)
        at = &(*at)->next;
    *at = jit;
    jit->handed = true;
    if (jit->when != DRUA_JIT_LATER)
        drua_program_wanted(jit->device);
    pthread_cond_signal(&threads->work);
    pthread_mutex_unlock(&threads->lock);
}

static drua_jit_kernel *make_jit_kernel(drua_device *device, drua_jit_source source, drua_grid grid,
                                        const drua_arg *arguments, bool by_user)
{
    drua_jit_kernel *jit = drua_alloc(sizeof *jit);
    if (!jit)
        return NULL;
    jit->device = device;
    jit->by_user = by_user;
    jit->family = source.family;
    jit->text = drua_copy_text(source.text);
    jit->name = drua_copy_text(source.name);
    jit->lanes = source.lanes;
    jit->width = drua_device_index_width(arguments);
    jit->kernel.name = jit->name;
    jit->kernel.length = jit->name ? strlen(jit->name) : 0;
    jit->kernel.indivisible = drua_kernels_are_indivisible(source.text);
    jit->kernel.text = jit->text;
    memcpy(jit->group, grid.group, sizeof jit->group);
    while (arguments[jit->count].kind && jit->count < MAX_ARGUMENTS) {
        jit->kinds[jit->count] = arguments[jit->count].kind;
        jit->count++;
    }
    if (jit->text && jit->name)
        return jit;
    drua_jit_free(jit);
    return NULL;
}

/* Compiles while the caller waits. */
static void compile_now(drua_jit_kernel *jit)
{
    drua_program_wanted(jit->device);
    compile_kernel(jit, NULL);
    drua_program_done(jit->device);
}

/* Loads the kernel from disk, which takes milliseconds. Returns whether its state is final. */
static bool is_loaded(drua_jit_kernel *jit)
{
    drua_program_builder loader = {.only_loads = true};
    if (!jit->device->info.is_gpu || !jit->device->cache_folder[0])
        return false;
    compile_kernel(jit, &loader);
    return drua_jit_ask(jit) != DRUA_JIT_BUILDING;
}

drua_jit_kernel *drua_jit_start(drua_device *device, drua_jit_source source, drua_grid grid, const drua_arg *arguments,
                                drua_jit_when when)
{
    drua_jit_kernel *jit = make_jit_kernel(device, source, grid, arguments, false);
    if (jit && when == DRUA_JIT_BESIDE && is_loaded(jit))
        return jit;
    drua_compile_threads *threads = when == DRUA_JIT_NOW      ? NULL
                                    : device->compile_threads ? device->compile_threads
                                                              : start_compile_threads(device);
    if (!jit || (when != DRUA_JIT_NOW && !threads)) {
        drua_jit_free(jit);
        return NULL;
    }
    jit->when = when;
    if (threads)
        hand_over(threads, jit);
    else
        compile_now(jit);
    return jit;
}

drua_jit_kernel *drua_jit_start_optimizing(drua_device *device, drua_kernel *kernel, int variant)
{
    drua_compile_threads *threads = device->compile_threads ? device->compile_threads : start_compile_threads(device);
    drua_jit_kernel *jit = threads ? drua_alloc(sizeof *jit) : NULL;
    if (!jit)
        return NULL;
    jit->device = device;
    jit->general = kernel;
    jit->width = variant;
    jit->when = DRUA_JIT_BESIDE;
    hand_over(threads, jit);
    return jit;
}

drua_status drua_jit_user_kernel(drua_device *device, drua_jit_source source, drua_grid grid, const drua_arg *arguments,
                                 drua_jit_kernel **out)
{
    drua_jit_kernel *jit = make_jit_kernel(device, source, grid, arguments, true);
    if (!jit)
        return drua_fail_memory(sizeof *jit);
    compile_now(jit);
    const drua_status status = drua_jit_ask(jit) == DRUA_JIT_READY ? DRUA_OK
                               : jit->status != DRUA_OK              ? jit->status
                                                                      : drua_fail(DRUA_E_ARGUMENT, "%s", "");
    if (status != DRUA_OK) {
        drua_jit_free(jit);
        jit = NULL;
    }
    *out = jit;
    return status;
}

int drua_jit_lines_before(const char *family)
{
    int lines = 0;
    for (const drua_source *s = drua_sources; s->family; s++)
        for (const char *at = strcmp(s->family, family) ? NULL : strchr(s->text, '\n'); at; at = strchr(at + 1, '\n'))
            lines++;
    return lines;
}

drua_jit_kernel *drua_jit_start_library(drua_device *device, const char *text, const char *name, drua_jit_when when)
{
    const drua_cache_key key = drua_cache_key_of(device, "", &text, 1);
    if (!device->info.is_gpu)
        when = DRUA_JIT_NOW;
    else if (when == DRUA_JIT_LATER && drua_cache_holds(device, &key))
        when = DRUA_JIT_SOON;
    const drua_jit_source source = {.family = "", .text = text, .name = name};
    return drua_jit_start(device, source, (drua_grid){0}, (const drua_arg[]){{0}}, when);
}

cl_kernel drua_jit_handle(drua_jit_kernel *jit)
{
    return drua_jit_wait(jit) == DRUA_JIT_READY ? jit->kernel.handle[jit->width] : NULL;
}

/* Turns "RADIUS=3 STEP=1" into #define lines. */
static void add_constants(drua_text *text, const char *constants)
{
    while (*constants) {
        const int name = (int)strcspn(constants, "="), value = (int)strcspn(constants + name + 1, " ");
        drua_text_add(text, "#define %.*s %.*s\n", name, constants, value, constants + name + 1);
        constants += name + 1 + value;
        constants += *constants == ' ';
    }
}

/* Whether a kernel's text uses the parameters that the chains' text defines. */
static bool uses_chain_parameters(const char *kernel, const char *chain_text)
{
    static const char *const parameters[] = {"PROLOGUE_PARAMETERS", "EPILOGUE_PARAMETERS"};
    bool all = true;
    for (int i = 0; i < 2; i++)
        all = all && (!strstr(chain_text, parameters[i]) || strstr(kernel, parameters[i]));
    return all;
}

/*
 * The file of the kernel whose definition begins like this, preferably a specialized one; others only if `any` is set.
 */
static const drua_source *find_kernel(const char *head, bool any)
{
    const drua_source *other = NULL;
    for (const drua_source *s = drua_sources; s->family; s++) {
        const bool has = strstr(s->text, head) != NULL;
        if (has && drua_source_is_specialized(s))
            return s;
        if (has && any)
            other = s;
    }
    return other;
}

/* Adds the files of a folder that have no kernels. */
static void add_shared(drua_text *text, const char *family)
{
    for (const drua_source *s = drua_sources; s->family; s++)
        if (!strcmp(s->family, family) && !strstr(s->text, "kernel void "))
            drua_text_append(text, s->text, strlen(s->text));
}

drua_jit_kernel *drua_jit_start_specialized(drua_device *device, const char *kernel, const char *constants,
                                            const char *chain_text, drua_grid grid, const drua_arg *arguments,
                                            drua_jit_when when)
{
    drua_text head = {0}, text = {0};
    drua_jit_kernel *jit = NULL;
    drua_text_add(&head, "kernel void %s(", kernel);
    add_constants(&text, constants);
    if (chain_text)
        drua_text_append(&text, chain_text, strlen(chain_text));
    const drua_source *own = head.failed ? NULL : find_kernel(head.characters, chain_text != NULL);
    if (own && drua_source_is_specialized(own))
        add_shared(&text, DRUA_SPECIALIZED_COMMON);
    if (own)
        add_shared(&text, own->family);
    if (own)
        drua_text_append(&text, own->text, strlen(own->text));
    const drua_jit_source source = {chain_text ? "chain" : "", text.characters, kernel, device->lanes};
    if (own && (!chain_text || uses_chain_parameters(own->text, chain_text)) && !text.failed)
        jit = drua_jit_start(device, source, grid, arguments, when);
    drua_text_free(&head);
    drua_text_free(&text);
    return jit;
}

drua_jit_state drua_jit_ask(drua_jit_kernel *jit)
{
    return (drua_jit_state)atomic_load(&jit->state);
}

drua_jit_state drua_jit_wait(drua_jit_kernel *jit)
{
    drua_compile_threads *threads = jit->device->compile_threads;
    if (drua_jit_ask(jit) != DRUA_JIT_BUILDING || !threads)
        return drua_jit_ask(jit);
    pthread_mutex_lock(&threads->lock);
    if (jit->when == DRUA_JIT_LATER && !jit->begun) {
        jit->when = DRUA_JIT_SOON;
        drua_program_wanted(jit->device);
        pthread_cond_signal(&threads->work);
    }
    while (drua_jit_ask(jit) == DRUA_JIT_BUILDING && !threads->stop)
        pthread_cond_wait(&threads->done, &threads->lock);
    pthread_mutex_unlock(&threads->lock);
    return drua_jit_ask(jit);
}

drua_jit_part drua_jit_part_of(drua_jit_kernel *jit)
{
    return (drua_jit_part){jit->device, &jit->kernel, jit->width};
}

/* Removes the kernel from the list, or waits until it is compiled. */
static void withdraw_kernel(drua_jit_kernel *jit)
{
    drua_compile_threads *threads = jit->device->compile_threads;
    if (!threads || !jit->handed)
        return;
    pthread_mutex_lock(&threads->lock);
    drua_jit_kernel **at = &threads->first;
    while (*at && *at != jit)
        at = &(*at)->next;
    if (*at && jit->when != DRUA_JIT_LATER)
        drua_program_done(jit->device);
    if (*at)
        *at = jit->next;
    else
        while (drua_jit_ask(jit) == DRUA_JIT_BUILDING)
            pthread_cond_wait(&threads->done, &threads->lock);
    pthread_mutex_unlock(&threads->lock);
}

void drua_jit_free(drua_jit_kernel *jit)
{
    if (!jit)
        return;
    withdraw_kernel(jit);
    if (jit->kernel.handle[jit->width])
        jit->device->cl->clReleaseKernel(jit->kernel.handle[jit->width]);
    if (jit->program)
        jit->device->cl->clReleaseProgram(jit->program);
    drua_free(jit->text);
    drua_free(jit->name);
    drua_free(jit);
}

void drua_jit_stop(drua_device *device)
{
    drua_compile_threads *threads = device->compile_threads;
    if (!threads)
        return;
    pthread_mutex_lock(&threads->lock);
    threads->stop = true;
    pthread_cond_broadcast(&threads->work);
    pthread_mutex_unlock(&threads->lock);
    while (threads->count > 0)
        pthread_join(threads->thread[--threads->count], NULL);
    pthread_mutex_destroy(&threads->lock);
    pthread_cond_destroy(&threads->work);
    pthread_cond_destroy(&threads->done);
    drua_free(threads);
    device->compile_threads = NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels made of text while the engine runs: threads of the device compile them, and the caller asks whether they are ready. */
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

enum { MOST_ARGUMENTS = 32, MOST_THREADS = 2, SECOND = 1000000000, A_MOMENT = 1000000 };      /* nanoseconds */

struct drua_jit_kernel {
    drua_jit_kernel *next;            /* waits to be compiled */
    drua_device *device;
    const char *family;
    char *text, *name;
    int lanes, width;
    int32_t group[3];
    bool by_user;
    bool handed, begun;         /* to, and by, a thread */
    drua_jit_when when;
    drua_status status;         /* of what was compiled */
    drua_arg_kind kinds[MOST_ARGUMENTS];
    size_t count;
    cl_program program;
    drua_kernel kernel;
    atomic_int state;
};

typedef struct drua_compile_threads {
    drua_device *device;
    pthread_t threads[MOST_THREADS];
    int count;
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    drua_jit_kernel *first;
    bool stop;
} drua_compile_threads;

static cl_int set_nothing(drua_jit_kernel *made, cl_kernel kernel)
{
    static const unsigned char zeros[DRUA_WEIGHTS * sizeof(float)];
    const drua_device *device = made->device;
    cl_uint index = 0;
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; i < made->count && code == CL_SUCCESS; i++) {
        const drua_arg_kind kind = made->kinds[i];
        const bool pointer = kind == DRUA_LAUNCH_VIEW || kind == DRUA_LAUNCH_POINTER || kind == DRUA_LAUNCH_TABLE;
        const size_t size = kind == DRUA_LAUNCH_VIEW      ? sizeof(drua_layout)
                            : kind == DRUA_LAUNCH_LONG    ? sizeof(int64_t)
                            : kind == DRUA_LAUNCH_NUMBERS ? DRUA_NUMBERS * sizeof(float)
                            : kind == DRUA_LAUNCH_WEIGHTS ? DRUA_WEIGHTS * sizeof(float)
                            : kind == DRUA_LAUNCH_POINTER ? 0
                                                          : sizeof(int32_t);
        if (pointer)
            code = device->cl->clSetKernelArg(kernel, index++, sizeof(cl_mem), &device->ring.memory);
        if (size && code == CL_SUCCESS)
            code = device->cl->clSetKernelArg(kernel, index++, size, zeros);
    }
    return code;
}

/* Drivers for processors compile at the first launch: this one finds that there is nothing to do. */
static void launch_nothing(drua_jit_kernel *made, const int32_t group[3])
{
    const drua_device *device = made->device;
    cl_int code;
    const size_t size[3] = {(size_t)group[0], (size_t)group[1], (size_t)group[2]};
    cl_command_queue queue = device->cl->clCreateCommandQueue(device->context, device->id, 0, &code);
    if (code != CL_SUCCESS)
        return;
    drua_signals_save();
    if (set_nothing(made, made->kernel.handle[made->width]) == CL_SUCCESS)
        device->cl->clEnqueueNDRangeKernel(queue, made->kernel.handle[made->width], 3, NULL, size, size, 0, NULL, NULL);
    device->cl->clFinish(queue);
    drua_signals_restore();
    device->cl->clReleaseCommandQueue(queue);
}

static void compile(drua_jit_kernel *made, drua_program_builder *builder)
{
    enum { MOST_TEXTS = 16 };
    const char *texts[MOST_TEXTS];
    size_t count = 0;
    cl_int code = CL_INVALID_PROGRAM;
    for (const drua_source *s = drua_sources; s->family && count < MOST_TEXTS - 1; s++)
        if (!strcmp(s->family, made->family))
            texts[count++] = s->text;
    texts[count++] = made->text;
    made->status = drua_compiler_enter();
    if (made->status != DRUA_OK) {
        atomic_store(&made->state, DRUA_JIT_REFUSED);
        return;
    }
    const char *what = made->by_user ? NULL : *made->family ? made->family : made->name;
    made->status = drua_device_compile(made->device, builder, what, texts, count, made->width, made->lanes, &made->program);
    if (made->status == DRUA_OK)
        made->kernel.handle[made->width] = made->device->cl->clCreateKernel(made->program, made->name, &code);
    if (code == CL_SUCCESS)
        drua_kernel_ask_limit(made->device, &made->kernel, made->width);
    int32_t group[3] = {made->group[0], made->group[1], made->group[2]};
    if (code == CL_SUCCESS && drua_kernel_fit_group(made->device, &made->kernel, made->width, group) != DRUA_OK)
        code = CL_INVALID_WORK_GROUP_SIZE;
    if (code == CL_SUCCESS && !made->device->info.is_gpu && made->lanes && !made->by_user)
        launch_nothing(made, group);
    drua_compiler_exit();
    if (code == CL_SUCCESS)
        atomic_fetch_add(&made->device->programs_built, 1);
    atomic_store(&made->state, code == CL_SUCCESS ? DRUA_JIT_READY : DRUA_JIT_REFUSED);
}

/* Whether something came to be compiled within so many nanoseconds. */
static bool more_comes(drua_compile_threads *maker, uint64_t within)
{
    return drua_condition_wait(&maker->work, &maker->lock, within);
}

/* The place in the list of what is compiled next: what nobody waits for yet, only while nobody needs the compiler. */
static drua_jit_kernel **find_next(drua_compile_threads *maker)
{
    const bool is_idle = drua_compiler_is_idle(maker->device, SECOND / 4);      /* a call that computes between two kernels goes on */
    drua_jit_kernel **at = &maker->first;
    while (*at && (*at)->when == DRUA_JIT_LATER && !is_idle)
        at = &(*at)->next;
    return at;
}

static void *run(void *argument)
{
    drua_compile_threads *maker = argument;
    drua_program_builder builder = {0};
    drua_locale_enter();        /* for as long as the thread lives */
    pthread_mutex_lock(&maker->lock);
    while (!maker->stop) {
        drua_jit_kernel **at = find_next(maker), *made = *at;
        if (!made) {
            if (maker->first)
                more_comes(maker, A_MOMENT);
            else if (!builder.context)
                pthread_cond_wait(&maker->work, &maker->lock);
            else if (!more_comes(maker, SECOND))    /* a compiler's own context takes long to make, and memory */
                drua_program_builder_close(maker->device, &builder);
            continue;
        }
        const bool wanted = made->when != DRUA_JIT_LATER;
        *at = made->next;
        made->begun = true;
        pthread_mutex_unlock(&maker->lock);
        compile(made, made->when == DRUA_JIT_SOON ? NULL : &builder);
        if (wanted)
            drua_program_there(maker->device);
        pthread_mutex_lock(&maker->lock);
        pthread_cond_broadcast(&maker->done);
    }
    pthread_mutex_unlock(&maker->lock);
    drua_program_builder_close(maker->device, &builder);
    return NULL;
}

static drua_compile_threads *start_maker(drua_device *device)
{
    drua_compile_threads *maker = drua_alloc(sizeof *maker);
    if (!maker)
        return NULL;
    maker->device = device;
    pthread_mutex_init(&maker->lock, NULL);
    drua_condition_init(&maker->work);
    drua_condition_init(&maker->done);
    const int most = device->info.is_gpu ? MOST_THREADS : 1;        /* compilers of processors work one after another */
    while (maker->count < most && !pthread_create(&maker->threads[maker->count], NULL, run, maker))
        maker->count++;
    if (!maker->count) {
        drua_free(maker);
        return NULL;
    }
    device->maker = maker;
    return maker;
}

static void hand_over(drua_compile_threads *maker, drua_jit_kernel *made)
{
    pthread_mutex_lock(&maker->lock);
    drua_jit_kernel **at = &maker->first;
    while (*at)
        at = &(*at)->next;
    *at = made;
    made->handed = true;
    if (made->when != DRUA_JIT_LATER)
        drua_program_wanted(made->device);
    pthread_cond_signal(&maker->work);
    pthread_mutex_unlock(&maker->lock);
}

static drua_jit_kernel *make(drua_device *device, const char *family, const char *text, const char *name, int lanes, drua_grid grid, const drua_arg *arguments,
                       bool by_user)
{
    drua_jit_kernel *made = drua_alloc(sizeof *made);
    if (!made)
        return NULL;
    made->device = device;
    made->by_user = by_user;
    made->family = family;
    made->text = drua_copy_text(text);
    made->name = drua_copy_text(name);
    made->lanes = lanes;
    made->width = drua_device_index_width(arguments);
    made->kernel.name = made->name;
    made->kernel.length = made->name ? strlen(made->name) : 0;
    made->kernel.whole = drua_kernels_are_whole(text);
    made->kernel.text = made->text;
    memcpy(made->group, grid.group, sizeof made->group);
    while (arguments[made->count].kind && made->count < MOST_ARGUMENTS) {
        made->kinds[made->count] = arguments[made->count].kind;
        made->count++;
    }
    if (made->text && made->name)
        return made;
    drua_jit_free(made);
    return NULL;
}

/* While the caller waits. */
static void compile_now(drua_jit_kernel *made)
{
    drua_program_wanted(made->device);
    compile(made, NULL);
    drua_program_there(made->device);
}

drua_jit_kernel *drua_jit_start(drua_device *device, const char *family, const char *text, const char *name, int lanes, drua_grid grid,
                           const drua_arg *arguments, drua_jit_when when)
{
    drua_jit_kernel *made = make(device, family, text, name, lanes, grid, arguments, false);
    drua_compile_threads *maker = when == DRUA_JIT_NOW ? NULL : device->maker ? device->maker : start_maker(device);
    if (!made || (when != DRUA_JIT_NOW && !maker)) {
        drua_jit_free(made);
        return NULL;
    }
    made->when = when;
    if (maker)
        hand_over(maker, made);
    else
        compile_now(made);
    return made;
}

drua_status drua_jit_user_kernel(drua_device *device, const char *family, const char *text, const char *name, drua_grid grid, const drua_arg *arguments,
                              drua_jit_kernel **out)
{
    drua_jit_kernel *made = make(device, family, text, name, device->lanes, grid, arguments, true);
    if (!made)
        return drua_fail_memory(sizeof *made);
    compile_now(made);
    const drua_status status = drua_jit_ask(made) == DRUA_JIT_READY ? DRUA_OK
                               : made->status != DRUA_OK              ? made->status
                                                                      : drua_fail(DRUA_E_ARGUMENT, "%s", "");
    if (status != DRUA_OK) {
        drua_jit_free(made);
        made = NULL;
    }
    *out = made;
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
    return drua_jit_start(device, "", text, name, 0, (drua_grid){0}, (const drua_arg[]){{0}}, when);
}

cl_kernel drua_jit_handle(drua_jit_kernel *made)
{
    return drua_jit_wait(made) == DRUA_JIT_READY ? made->kernel.handle[made->width] : NULL;
}

/* "RADIUS=3 STEP=1" as lines of a preprocessor. */
static void add_constants(drua_text *text, const char *constants)
{
    while (*constants) {
        const int name = (int)strcspn(constants, "="), value = (int)strcspn(constants + name + 1, " ");
        drua_text_add(text, "#define %.*s %.*s\n", name, constants, value, constants + name + 1);
        constants += name + 1 + value;
        constants += *constants == ' ';
    }
}

/* Whether a kernel's text mentions the parameters that the chains' text defines. */
static bool takes(const char *kernel, const char *around)
{
    static const char *const parameters[] = {"PROLOGUE_PARAMETERS", "EPILOGUE_PARAMETERS"};
    bool all = true;
    for (int i = 0; i < 2; i++)
        all = all && (!strstr(around, parameters[i]) || strstr(kernel, parameters[i]));
    return all;
}

/* The file of the kernel that begins so, a special one rather than another; those only if `any`. */
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

/* Files without kernels: those of the kernel's folder, and before them those that all specialized kernels share. */
static void add_shared(drua_text *text, const char *family)
{
    for (const drua_source *s = drua_sources; s->family; s++)
        if (!strcmp(s->family, family) && !strstr(s->text, "kernel void "))
            drua_text_append(text, s->text, strlen(s->text));
}

drua_jit_kernel *drua_jit_start_specialized(drua_device *device, const char *kernel, const char *constants, const char *around, drua_grid grid,
                                            const drua_arg *arguments, drua_jit_when when)
{
    drua_text head = {0}, text = {0};
    drua_jit_kernel *made = NULL;
    drua_text_add(&head, "kernel void %s(", kernel);
    add_constants(&text, constants);
    if (around)
        drua_text_append(&text, around, strlen(around));
    const drua_source *own = head.failed ? NULL : find_kernel(head.characters, around != NULL);
    if (own && drua_source_is_specialized(own))
        add_shared(&text, DRUA_SPECIALIZED_COMMON);
    if (own)
        add_shared(&text, own->family);
    if (own)
        drua_text_append(&text, own->text, strlen(own->text));
    if (own && (!around || takes(own->text, around)) && !text.failed)
        made = drua_jit_start(device, around ? "chain" : "", text.characters, kernel, device->lanes, grid, arguments, when);
    drua_text_free(&head);
    drua_text_free(&text);
    return made;
}

drua_jit_state drua_jit_ask(drua_jit_kernel *made)
{
    return (drua_jit_state)atomic_load(&made->state);
}

drua_jit_state drua_jit_wait(drua_jit_kernel *made)
{
    drua_compile_threads *maker = made->device->maker;
    if (drua_jit_ask(made) != DRUA_JIT_BUILDING || !maker)
        return drua_jit_ask(made);
    pthread_mutex_lock(&maker->lock);
    if (made->when == DRUA_JIT_LATER && !made->begun) {
        made->when = DRUA_JIT_SOON;
        drua_program_wanted(made->device);
        pthread_cond_signal(&maker->work);
    }
    while (drua_jit_ask(made) == DRUA_JIT_BUILDING && !maker->stop)
        pthread_cond_wait(&maker->done, &maker->lock);
    pthread_mutex_unlock(&maker->lock);
    return drua_jit_ask(made);
}

drua_status drua_jit_launch(drua_jit_kernel *made, drua_grid grid, const drua_arg *arguments)
{
    return drua_kernel_launch(made->device, &made->kernel, made->width, grid, arguments);
}

/* Takes it off the list, or waits until it is compiled. */
static void withdraw(drua_jit_kernel *made)
{
    drua_compile_threads *maker = made->device->maker;
    if (!maker || !made->handed)
        return;
    pthread_mutex_lock(&maker->lock);
    drua_jit_kernel **at = &maker->first;
    while (*at && *at != made)
        at = &(*at)->next;
    if (*at && made->when != DRUA_JIT_LATER)
        drua_program_there(made->device);
    if (*at)
        *at = made->next;
    else
        while (drua_jit_ask(made) == DRUA_JIT_BUILDING)
            pthread_cond_wait(&maker->done, &maker->lock);
    pthread_mutex_unlock(&maker->lock);
}

void drua_jit_free(drua_jit_kernel *made)
{
    if (!made)
        return;
    withdraw(made);
    if (made->kernel.handle[made->width])
        made->device->cl->clReleaseKernel(made->kernel.handle[made->width]);
    if (made->program)
        made->device->cl->clReleaseProgram(made->program);
    drua_free(made->text);
    drua_free(made->name);
    drua_free(made);
}

void drua_jit_stop(drua_device *device)
{
    drua_compile_threads *maker = device->maker;
    if (!maker)
        return;
    pthread_mutex_lock(&maker->lock);
    maker->stop = true;
    pthread_cond_broadcast(&maker->work);
    pthread_mutex_unlock(&maker->lock);
    while (maker->count > 0)
        pthread_join(maker->threads[--maker->count], NULL);
    pthread_mutex_destroy(&maker->lock);
    pthread_cond_destroy(&maker->work);
    pthread_cond_destroy(&maker->done);
    drua_free(maker);
    device->maker = NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles programs. A program has one kernel, or a few that are used together, and is compiled at the first launch,
 * because drivers compile programs one after another and take seconds for a family of kernels. PoCL on CPUs compiles
 * each kernel at its launch, so a family is one program there. Image sizes and element types are arguments, so a new
 * image needs no compilation, unless its indices need 64 instead of 32 bits.
 */
#include "internal.h"

#include "alloc.h"
#include "error.h"
#include "hash.h"
#include "sources.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static drua_family *find_family(drua_device *device, const char *name)
{
    for (size_t i = 0; i < device->family_count; i++)
        if (!strcmp(device->family[i].name, name))
            return &device->family[i];
    if (device->family_count == DRUA_FAMILIES)
        return NULL;
    drua_family *family = &device->family[device->family_count++];
    family->name = name;
    return family;
}

/* The slot of a kernel's name, or the free slot where it belongs. */
static uint16_t *slot_of(drua_device *device, const char *name, size_t length)
{
    size_t i = drua_hash(DRUA_HASH_START, name, length) % DRUA_KERNEL_SLOTS;
    for (; device->kernel_slot[i]; i = (i + 1) % DRUA_KERNEL_SLOTS) {
        const drua_kernel *kernel = &device->kernels[device->kernel_slot[i] - 1];
        if (kernel->length == length && !memcmp(kernel->name, name, length))
            break;
    }
    return &device->kernel_slot[i];
}

/* Returns whether kernels of this text need their whole grid in one launch. */
bool drua_kernels_are_indivisible(const char *text)
{
    return strstr(text, "get_group_id") || strstr(text, "get_num_groups") || strstr(text, "get_global_size");
}

static const char fence[] = "kernel void ";

/*
 * A text that defines this has kernels that are usually used together. They form one program, because compilers for
 * GPUs spend 0.07 s per program before they reach its code.
 */
static const char mark_together[] = "#define TOGETHER";

/* Registers every "kernel void NAME(" of a text. */
static drua_status index_kernels(drua_device *device, int family, const char *text)
{
    enum { MORE = 128 };
    const bool indivisible = drua_kernels_are_indivisible(text);
    const size_t first = device->kernel_count;
    const char *together = strstr(text, mark_together) ? text : NULL;
    for (const char *at = strstr(text, fence); at; at = strstr(at, fence)) {
        at += sizeof fence - 1;
        if (device->kernel_count % MORE == 0) {
            drua_kernel *grown = drua_realloc(device->kernels, (device->kernel_count + MORE) * sizeof *grown);
            if (!grown)
                return drua_fail_memory(MORE * sizeof *grown);
            device->kernels = grown;
        }
        drua_kernel *kernel = &device->kernels[device->kernel_count++];
        memset(kernel, 0, sizeof *kernel);
        kernel->name = at;
        kernel->length = strcspn(at, "( \n");
        kernel->family = family;
        kernel->indivisible = indivisible;
        kernel->together = together;
        kernel->first = together ? first : device->kernel_count - 1;
        if (device->kernel_count == DRUA_KERNEL_SLOTS / 2)
            return drua_fail(DRUA_E_INTERNAL, "more than %d kernels", DRUA_KERNEL_SLOTS / 2);
        uint16_t *slot = slot_of(device, kernel->name, kernel->length);
        if (!*slot)
            *slot = (uint16_t)device->kernel_count;
    }
    return DRUA_OK;
}

static drua_status add_text(drua_device *device, const char *family_name, const char *text, bool first)
{
    drua_family *family = find_family(device, family_name);
    if (!family)
        return drua_fail(DRUA_E_INTERNAL, "more than %d families of kernels", DRUA_FAMILIES);
    const char **grown = drua_realloc(family->texts, (family->text_count + 1) * sizeof *grown);
    if (!grown)
        return drua_fail_memory(sizeof *grown);
    family->texts = grown;
    if (first)
        memmove(grown + 1, grown, family->text_count * sizeof *grown);
    grown[first ? 0 : family->text_count] = text;
    family->text_count++;
    return index_kernels(device, (int)(family - device->family), text);
}

drua_status drua_device_add_source(drua_device *device, const char *family, const char *text)
{
    return add_text(device, family, text, true);
}

drua_status drua_device_index_sources(drua_device *device)
{
    for (const drua_source *s = drua_sources; s->family; s++)
        if (strcmp(s->family, "common") && !drua_source_is_specialized(s))
            DRUA_TRY(add_text(device, s->family, s->text, false));
    return DRUA_OK;
}

enum { MAX_TEXTS = 256 };

/* Fails with the line of the log that has the first error, unchanged: it is about the user's own text. */
static drua_status fail_for_user(const char *log, const char *error)
{
    const char *line = error;
    while (line && line > log && line[-1] != '\n')
        line--;
    return drua_fail(DRUA_E_ARGUMENT, "%.*s", line ? (int)strcspn(line, "\r\n") : 0, line ? line : "");
}

/* A compiler's log can be long; its first error is the useful part. */
static drua_status fail_to_build(drua_device *device, cl_program program, const char *what, cl_int code)
{
    size_t length = 0;
    if (program)
        device->cl->clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
    char *log = length ? drua_alloc(length + 1) : NULL;
    if (log)
        device->cl->clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, length, log, NULL);
    const char *error = log ? strstr(log, "error") : NULL;
    const drua_status status = !what
                                   ? fail_for_user(log, error)
                                   : drua_fail(DRUA_E_DEVICE,
                                               "the compiler of %s refused the %s kernels (%s); use another device, or "
                                               "install another version of its driver. The compiler says: %.800s",
                                               device->info.name, what, drua_opencl_error(code),
                                               error ? error
                                               : log ? log
                                                     : "");
    drua_free(log);
    return status;
}

static bool open_builder_context(drua_device *device, drua_program_builder *builder)
{
    cl_int code = CL_SUCCESS;
    if (!builder->context && device->info.is_gpu)
        builder->context = device->cl->clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        builder->context = NULL;
    return builder->context != NULL;
}

void drua_program_wanted(drua_device *device)
{
    atomic_fetch_add(&device->wanted, 1);
}

void drua_program_done(drua_device *device)
{
    atomic_store(&device->last_wanted, drua_nanoseconds());
    atomic_fetch_sub(&device->wanted, 1);
}

bool drua_compiler_is_idle(drua_device *device, uint64_t nanoseconds)
{
    return !atomic_load(&device->wanted) && drua_nanoseconds() - atomic_load(&device->last_wanted) > nanoseconds;
}

bool drua_device_is_compiling(drua_device *device)
{
    return atomic_load(&device->wanted) > 0;
}

void drua_program_builder_close(drua_device *device, drua_program_builder *builder)
{
    if (!builder->context || drua_compiler_enter() != DRUA_OK)
        return;
    device->cl->clReleaseContext(builder->context);
    builder->context = NULL;
    drua_compiler_exit();
}

/* Joins the texts and removes functions that no kernel calls. Returns NULL if memory is short. */
static char *join_needed(const char **texts, cl_uint count)
{
    drua_text all = {0};
    for (cl_uint i = 0; i < count; i++)
        drua_text_append(&all, texts[i], strlen(texts[i]));
    if (all.failed)
        drua_text_free(&all);
    else if (all.characters)
        drua_prune(all.characters);
    return all.characters;
}

static cl_int build_texts(drua_device *device, cl_context context, const char **texts, cl_uint count,
                          const char *options, cl_program *program)
{
    cl_int code;
    *program = device->cl->clCreateProgramWithSource(context, count, texts, NULL, &code);
    if (code != CL_SUCCESS)
        *program = NULL;
    return code == CL_SUCCESS ? device->cl->clBuildProgram(*program, 1, &device->id, options, NULL, NULL) : code;
}

/*
 * Builds a program that declares OpenCL's functions and leaves out PoCL's header, whose guard the option defines. Fails
 * if a text calls a function that is not declared.
 */
static cl_int build_with_declarations(drua_device *device, cl_context context, const char *text, const char *options,
                                      cl_program *program)
{
    const char *texts[] = {NULL, text};
    char more[sizeof device->options + 96];
    for (const drua_source *s = drua_sources; s->family; s++)
        if (!strcmp(s->family, DRUA_DECLARATIONS))
            texts[0] = s->text;
    snprintf(more, sizeof more, "%s -D_OPENCL_H_", options);
    const cl_int code = build_texts(device, context, texts, sizeof texts / sizeof *texts, more, program);
    if (code != CL_SUCCESS && *program) {
        device->cl->clReleaseProgram(*program);
        *program = NULL;
    }
    return code;
}

/* `ours`: the texts are Drua's own, with a known form. */
static cl_int build_program(drua_device *device, cl_context context, const char **texts, cl_uint count,
                            const char *options, bool ours, cl_program *program)
{
    const bool declares = ours && device->declares_functions;
    char *needed = ours && (declares || !device->compiles_at_launch) ? join_needed(texts, count) : NULL;
    const char *one = needed;
    cl_int code =
        needed && declares ? build_with_declarations(device, context, needed, options, program) : CL_INVALID_PROGRAM;
    if (code != CL_SUCCESS)
        code = build_texts(device, context, needed ? &one : texts, needed ? 1 : count, options, program);
    drua_free(needed);
    return code;
}

/* Builds in another context and copies the result. NULL on failure. */
static cl_program build_in_own_context(drua_device *device, drua_program_builder *builder, const char **texts,
                                       cl_uint count, const char *options, bool ours, const drua_cache_key *key)
{
    cl_program elsewhere, here = NULL;
    if (build_program(device, builder->context, texts, count, options, ours, &elsewhere) == CL_SUCCESS)
        here = drua_cache_bring(device, key, elsewhere, options);
    if (elsewhere)
        device->cl->clReleaseProgram(elsewhere);
    return here;
}

drua_status drua_device_compile(drua_device *device, drua_program_builder *builder, const drua_program_text *text,
                                cl_program *out, bool *kept)
{
    const char *what = text->what;
    const char *texts[MAX_TEXTS];
    cl_uint count = 0;
    const bool ours = what && text->lanes;
    for (const drua_source *s = drua_sources; s->family && count < MAX_TEXTS && ours; s++)
        if (!strcmp(s->family, "common"))
            texts[count++] = s->text;
    if (count + text->count > MAX_TEXTS)
        return drua_fail(DRUA_E_INTERNAL, "family %s has more than %d kernel files", what ? what : "custom", MAX_TEXTS);
    for (size_t i = 0; i < text->count; i++)
        texts[count++] = text->texts[i];
    char options[sizeof device->options + 64] = "";
    if (text->lanes)
        snprintf(options, sizeof options, "%s -DINDEX=%s -DLANES=%d%s", device->options,
                 text->variant & DRUA_WIDE ? "long" : "int", text->lanes,
                 text->variant & DRUA_UNOPTIMIZED ? " -cl-opt-disable" : "");
    const drua_cache_key key = drua_cache_key_of(device, options, texts, count);
    const bool only_loads = builder && builder->only_loads;
    if (builder && builder->builds_ahead && drua_cache_holds(device, &key)) {
        *out = NULL;
        return DRUA_OK;
    }
    DRUA_TRY(drua_compiler_enter());
    drua_signals_save();
    cl_int code = CL_SUCCESS;
    cl_program program = drua_cache_load(device, &key, options);
    *kept = program != NULL;
    if (!program && builder && !only_loads && open_builder_context(device, builder))
        program = build_in_own_context(device, builder, texts, count, options, ours, &key);
    if (!program && !only_loads) {
        code = build_program(device, device->context, texts, count, options, ours, &program);
        if (code == CL_SUCCESS)
            drua_cache_store(device, &key, program);
    }
    drua_signals_restore();
    drua_status status = DRUA_OK;
    if (code != CL_SUCCESS) {
        status = fail_to_build(device, program, what, code);
        if (program)
            device->cl->clReleaseProgram(program);
    } else {
        *out = program;
    }
    drua_compiler_exit();
    return status;
}

/*
 * Removes all kernels but this one and those compiled together with it. A kernel begins at the start of a line and ends
 * with the first brace at the start of a line.
 */
static char *without_others(const char *text, const drua_kernel *kernel)
{
    const bool is_together = text == kernel->together;
    char *left = drua_alloc(strlen(text) + 1), *to = left;
    while (left && *text) {
        const char *at = strstr(text, fence), *next = at ? at : text + strlen(text),
                   *end = at ? strstr(at, "\n}") : NULL;
        if (at && (!end || at + sizeof fence - 1 == kernel->name || is_together))
            next = end ? end : at + strlen(at);
        memcpy(to, text, (size_t)(next - text));
        to += next - text;
        text = next == at ? end + sizeof "\n}" - 1 : next;
    }
    return left;
}

/* Compiles the texts of a family with only one kernel and those compiled together with it. */
static drua_status compile_alone(drua_device *device, drua_program_builder *builder, const drua_kernel *kernel,
                                 int variant, cl_program *out, bool *kept)
{
    const drua_family *family = &device->family[kernel->family];
    const char *texts[MAX_TEXTS] = {NULL};
    drua_status status =
        family->text_count <= MAX_TEXTS
            ? DRUA_OK
            : drua_fail(DRUA_E_INTERNAL, "family %s has more than %d kernel files", family->name, MAX_TEXTS);
    for (size_t i = 0; i < family->text_count && status == DRUA_OK; i++)
        if (!(texts[i] = without_others(family->texts[i], kernel)))
            status = drua_fail_memory(strlen(family->texts[i]));
    const drua_program_text text = {family->name, texts, family->text_count, variant, device->lanes};
    if (status == DRUA_OK)
        status = drua_device_compile(device, builder, &text, out, kept);
    for (size_t i = 0; i < MAX_TEXTS; i++)
        drua_free((void *)(uintptr_t)texts[i]);
    return status;
}

drua_status drua_kernel_build(drua_device *device, drua_program_builder *builder, drua_kernel *kernel, int variant,
                              cl_program *program)
{
    const bool alone = !device->compiles_at_launch;
    drua_family *family = &device->family[kernel->family];
    drua_build *build = alone ? &device->kernels[kernel->first].build[variant] : &family->build[variant];
    drua_status status = DRUA_OK;
    pthread_mutex_lock(&device->build_lock);
    device->programs_awaited += !builder && !build->program;
    while (build->running)
        pthread_cond_wait(&device->built, &device->build_lock);
    if (!build->program) {
        bool kept = false;
        cl_program made = NULL;
        build->running = true;
        pthread_mutex_unlock(&device->build_lock);
        const drua_program_text text = {family->name, family->texts, family->text_count, variant, device->lanes};
        status = alone ? compile_alone(device, builder, kernel, variant, &made, &kept)
                       : drua_device_compile(device, builder, &text, &made, &kept);
        if (made)
            atomic_fetch_add(kept ? &device->programs_loaded : &device->programs_built, 1);
        pthread_mutex_lock(&device->build_lock);
        build->running = false;
        build->program = made;
        pthread_cond_broadcast(&device->built);
    }
    *program = build->program;
    pthread_mutex_unlock(&device->build_lock);
    return status;
}

drua_kernel *drua_kernel_find(drua_device *device, const char *name)
{
    const uint16_t *slot = slot_of(device, name, strlen(name));
    return *slot ? &device->kernels[*slot - 1] : NULL;
}

drua_status drua_kernel_prepare(drua_device *device, drua_kernel *kernel, int variant)
{
    char name[128];
    cl_program program;
    cl_int code;
    if (kernel->handle[variant])
        return DRUA_OK;
    snprintf(name, sizeof name, "%.*s", (int)kernel->length, kernel->name);
    drua_program_wanted(device);
    const drua_status status = drua_kernel_build(device, NULL, kernel, variant, &program);
    drua_program_done(device);
    DRUA_TRY(status);
    kernel->handle[variant] = device->cl->clCreateKernel(program, name, &code);
    if (code != CL_SUCCESS) {
        kernel->handle[variant] = NULL;
        return drua_opencl_fail(code, "make a kernel ready");
    }
    drua_kernel_ask_limit(device, kernel, variant);
    drua_used_add(device, kernel, variant);
    return DRUA_OK;
}

static void free_builds(const drua_device *device, const drua_build *builds)
{
    for (int v = 0; v < DRUA_PROGRAM_VARIANTS; v++)
        if (builds[v].program)
            device->cl->clReleaseProgram(builds[v].program);
}

void drua_device_free_programs(drua_device *device)
{
    for (size_t i = 0; i < device->kernel_count; i++) {
        for (int v = 0; v < DRUA_PROGRAM_VARIANTS; v++)
            if (device->kernels[i].handle[v])
                device->cl->clReleaseKernel(device->kernels[i].handle[v]);
        for (int width = 0; width <= DRUA_WIDE; width++)
            drua_jit_free(device->kernels[i].optimizing[width]);
        free_builds(device, device->kernels[i].build);
    }
    for (size_t i = 0; i < device->family_count; i++) {
        free_builds(device, device->family[i].build);
        drua_free(device->family[i].texts);
    }
    drua_free(device->kernels);
}

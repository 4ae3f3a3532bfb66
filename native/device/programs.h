/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels and their programs: found, compiled, optimized, kept on disk. */
#ifndef DRUA_DEVICE_PROGRAMS_H
#define DRUA_DEVICE_PROGRAMS_H

#include "handles.h"

#include <ctype.h>

enum { DRUA_FAMILIES = 64, DRUA_SEEN_LAUNCHES = 8, DRUA_KERNEL_SLOTS = 4096, DRUA_MAX_USED_KERNELS = 64 };

/* Variants of a kernel's program: bit 0 for 64-bit indices, bit 1 for code that is not optimized; see optimize.c. */
enum { DRUA_WIDE = 1, DRUA_UNOPTIMIZED = 2, DRUA_PROGRAM_VARIANTS = 4 };

/* A program, before and after it is built; protected by the device's build lock. */
typedef struct drua_build {
    cl_program program;
    bool running;
} drua_build;

/* A kernel that an earlier process used. */
typedef struct drua_used_kernel {
    uint16_t index; /* in the device's kernels */
    uint8_t variant;
} drua_used_kernel;

/* A kernel of a built program, with the bytes of its arguments as last set. */
typedef struct drua_kernel {
    const char *name; /* points into the source text, `length` characters */
    size_t length;
    bool was_used; /* is in the list of used kernels; see used.c */
    bool indivisible; /* counts work-groups or work-items, so it cannot be sent in chunks */
    /* text of a kernel generated while the engine runs; NULL: the kernel is in a source text */
    const char *text;
    size_t max_items[DRUA_PROGRAM_VARIANTS]; /* per work-group */
    int family;
    const char *together; /* the text whose kernels are compiled together with this one, or NULL */
    /* index of the first of these kernels, which owns the program; otherwise this kernel's own */
    size_t first;
    drua_build build[DRUA_PROGRAM_VARIANTS]; /* programs of the kernels whose first this is */
    cl_kernel handle[DRUA_PROGRAM_VARIANTS];
    uint64_t work; /* work of the unoptimized variant so far, in typical work-items */
    struct drua_jit_kernel *optimizing[2]; /* builds of the optimized program in the background, by index width */
    int last_variant; /* variant to which the arguments in `last` belong */
    uint64_t generation; /* generation of the device when the arguments were set */
    uint64_t seen[DRUA_SEEN_LAUNCHES]; /* kinds of launches on a CPU so far, each of which the driver compiles */
    unsigned next_seen;
    struct {
        size_t size;
        unsigned char bytes[64];
    } last[40];
} drua_kernel;

typedef struct drua_family {
    const char *name;
    const char **texts;
    size_t text_count;
    drua_build build[DRUA_PROGRAM_VARIANTS]; /* programs of all its kernels, for drivers that compile at launch */
} drua_family;

/* ---- program.c */

drua_status drua_device_index_sources(drua_device *device);
drua_kernel *drua_kernel_find(drua_device *device, const char *name);

/* Builds the kernel's program and creates its handle, unless they exist. */
drua_status drua_kernel_prepare(drua_device *device, drua_kernel *kernel, int variant);
void drua_device_free_programs(drua_device *device);

/**
 * The separate context in which a thread compiles in the background. The first use opens this context, because some
 * drivers block commands to a context while they compile for it. NULL for threads that a caller waits for.
 */
typedef struct drua_program_builder {
    cl_context context;
    /* leaves programs that are on disk to the caller that will need them, which loads them quickly */
    bool builds_ahead;
    /* loads a program from disk, and compiles none */
    bool only_loads;
} drua_program_builder;

/*
 * Returns the built program of a kernel. The first caller builds it and others wait. NULL if it is built ahead and is
 * already on disk. Any thread.
 */
drua_status drua_kernel_build(drua_device *device, drua_program_builder *builder, drua_kernel *kernel, int variant,
                              cl_program *program);

/** The text of a program. */
typedef struct drua_program_text {
    const char *what; /**< names it in error messages; NULL: a user wrote the text, and nothing common precedes it */
    const char *const *texts;
    size_t count;
    int variant;
    int lanes; /**< 0: nothing common precedes the texts */
} drua_program_text;

/**
 * Compiles the common text followed by the program's. Any thread. If a user's text is wrong (DRUA_E_ARGUMENT), the
 * error is the compiler's. `kept`: receives whether the disk had the program.
 */
drua_status drua_device_compile(drua_device *device, drua_program_builder *builder, const drua_program_text *text,
                                cl_program *program, bool *kept);

/** Whether kernels of this text need their whole grid in one launch. */
bool drua_kernels_are_indivisible(const char *text);

void drua_program_builder_close(drua_device *device, drua_program_builder *builder);

/*
 * drua_program_wanted notes that a program is wanted, drua_program_done that it is built or no longer wanted. Any
 * thread.
 */
void drua_program_wanted(drua_device *device);
void drua_program_done(drua_device *device);

/*
 * Whether no program has been wanted for this long: code that compiles one operation's programs soon compiles the next
 * one's. Any thread.
 */
bool drua_compiler_is_idle(drua_device *device, uint64_t nanoseconds);

/* ---- cache.c */

/* Identifies a program on disk: a hash of everything that its binary depends on. */
typedef struct drua_cache_key {
    uint64_t half[2];
} drua_cache_key;

void drua_cache_open(drua_device *device);
drua_cache_key drua_cache_key_of(const drua_device *device, const char *options, const char *const *texts,
                                 size_t count);

/* Whether the disk has a complete file for it. */
bool drua_cache_holds(const drua_device *device, const drua_cache_key *key);

/* Loads a program for kernels. NULL if the disk has no valid program. */
cl_program drua_cache_load(drua_device *device, const drua_cache_key *key, const char *options);
void drua_cache_store(drua_device *device, const drua_cache_key *key, cl_program program);

/* Copies a program from another context of the device into the device's own, and stores it on disk. NULL on failure. */
cl_program drua_cache_bring(drua_device *device, const drua_cache_key *key, cl_program program, const char *options);

/* ---- prune.c */

/* Whether a C identifier may contain this character after its first one. */
static inline bool drua_is_in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Removes functions that the kernels do not call from a program's text. */
void drua_prune(char *text);

/* ---- process_exit.c */

/*
 * After DRUA_OK the process does not end before drua_compiler_exit; pairs may be nested. DRUA_E_CANCELLED: the process
 * is ending and nothing more is compiled.
 */
drua_status drua_compiler_enter(void);
void drua_compiler_exit(void);
bool drua_is_leaving(void);

/*
 * Keeps the process from ending before this launch has completed, but at most for a minute. NULL forgets the launches
 * of this device.
 */
void drua_launch_compiles(const drua_device *device, cl_event event);

/* Suspends a thread of ours that would otherwise end while the process is ending. */
_Noreturn void drua_stay_until_end(void);

/* ---- optimize.c */

/* Determines how much work a kernel of this device must have before it is optimized. */
void drua_device_choose_optimizing(drua_device *device);

/* The variant for a launch with that index width and grid. */
int drua_kernel_choose_variant(drua_device *device, drua_kernel *kernel, int width, const drua_grid *grid,
                               const drua_arg *arguments);

/* ---- used.c */

/*
 * Reads the list of the kernels that earlier processes used, in each line a name and, unless it is 0, the variant. The
 * caller frees it.
 */
char *drua_used_read(const drua_device *device, size_t *length);

/* Adds a kernel to that list unless it is already in it. */
void drua_used_add(drua_device *device, drua_kernel *kernel, int variant);

/* ---- jit.c */

/* The parts of a generated kernel that a launch needs. */
typedef struct drua_jit_part {
    drua_device *device;
    drua_kernel *kernel;
    int width;
} drua_jit_part;

drua_jit_part drua_jit_part_of(struct drua_jit_kernel *jit);

/* Starts to build the program of a kernel in the background. NULL without memory or threads. */
struct drua_jit_kernel *drua_jit_start_optimizing(drua_device *device, drua_kernel *kernel, int variant);

/* ---- groups.c */

/* Queries the driver for the limits of a kernel with a handle, and of the device. */
void drua_kernel_ask_limit(const drua_device *device, drua_kernel *kernel, int variant);
void drua_device_ask_axes(drua_device *device);

/* Shrinks a work-group to the allowed size; fails if the kernel's result depends on the group. */
drua_status drua_kernel_fit_group(const drua_device *device, const drua_kernel *kernel, int variant, int32_t group[3]);

#endif

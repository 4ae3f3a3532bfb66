/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With DRUA_LATE set, commands run as late as OpenCL allows: only when the program waits for the command, for a later
 * one in its queue, or for one that depends on it. Mapped memory is a separate copy. Code that forgets to wait
 * therefore gets wrong pixels every time, independent of timing.
 */
#ifndef DRUA_TESTS_LATE_H
#define DRUA_TESTS_LATE_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#define EXPORT __attribute__((visibility("default")))

/** The real loader's function of that name. */
void *real(const char *name);
#define REAL(name) ((__typeof__(&name))real(#name))

enum { LATE_WAITS = 64 };

/** Arguments that replace those of the real call. */
typedef struct late_command {
    cl_command_queue queue;
    cl_event gate, made, *wanted;
    cl_uint waits;
    const cl_event *list;
    cl_event more[LATE_WAITS];
    int breaks;
} late_command;

/**
 * Called before and after a real call that creates a command. If `breaks` is set afterwards, a marker takes the
 * command's place, and its event reports a failure.
 */
void late_begin(late_command *command, cl_command_queue queue, cl_uint waits, const cl_event *list, int wants_event,
                int blocks, int breaks);
cl_int late_end(late_command *command, cl_int code, cl_event *event);

/** Counts one more reference to an event. */
void late_retained(void);

/** Lets all commands run that these events depend on. */
void late_ask(cl_uint count, const cl_event *events);

/** Whether one of these commands was made to fail, or depends on one that was. */
int late_broken(cl_uint count, const cl_event *events);

/** Called when the program waits for a whole queue or releases it. */
void late_flush(cl_command_queue queue);
void late_finish(cl_command_queue queue);
void late_forget(cl_command_queue queue);

/** Permanently maps a separate copy of the memory; without DRUA_LATE calls the real function. */
void *late_map(cl_command_queue queue, cl_mem memory, cl_map_flags flags, size_t offset, size_t size, cl_int *code);
cl_int late_unmap(cl_command_queue queue, cl_mem memory, void *host, cl_uint waits, const cl_event *list,
                  cl_event *event, int breaks);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands as late as OpenCL allows, with DRUA_LATE set: each runs only when somebody asks for it, for one behind it in
 * its queue, or for one that was told to wait for it. Mapped memory is memory apart. So whoever forgets to wait gets
 * wrong pixels every time, whatever the timing.
 */
#ifndef DRUA_TESTS_LATE_H
#define DRUA_TESTS_LATE_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#define EXPORT __attribute__((visibility("default")))

/** The real loader's function. */
void *real(const char *name);
#define REAL(name) ((__typeof__(&name))real(#name))

enum { LATE_WAITS = 64 };

/** What the real call is given instead. */
typedef struct late_command {
    cl_command_queue queue;
    cl_event gate, made, *wanted;
    cl_uint waits;
    const cl_event *list;
    cl_event more[LATE_WAITS];
    int breaks;
} late_command;

/** Around a real call that makes a command. Where `breaks` is set then, a marker goes in its place, and its event tells
 * of a failure. */
void late_begin(late_command *command, cl_command_queue queue, cl_uint waits, const cl_event *list, int wants_event,
                int blocks, int breaks);
cl_int late_end(late_command *command, cl_int code, cl_event *event);

/** One more reference to an event. */
void late_retained(void);

/** Lets what these events need run. */
void late_ask(cl_uint count, const cl_event *events);

/** Whether one of these commands was to fail, or depends on one. */
int late_broken(cl_uint count, const cl_event *events);

/** Somebody waits for all of the queue, or gives it back. */
void late_flush(cl_command_queue queue);
void late_finish(cl_command_queue queue);
void late_forget(cl_command_queue queue);

/** Mapping for good, of memory apart; the real thing without DRUA_LATE. */
void *late_map(cl_command_queue queue, cl_mem memory, cl_map_flags flags, size_t offset, size_t size, cl_int *code);
cl_int late_unmap(cl_command_queue queue, cl_mem memory, void *host, cl_uint waits, const cl_event *list,
                  cl_event *event, int breaks);

#endif

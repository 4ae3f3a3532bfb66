/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that a test makes of the OpenCL loader in shim.c. */
#ifndef DRUA_TESTS_SHIM_H
#define DRUA_TESTS_SHIM_H

/** Makes the n-th call that can fail do so (1: the next); 0: none. Resets the counts below. */
void shim_fail_after(long n);

/**
 * The n-th command whose event is requested is accepted, and fails when it runs; 0: none. shim_fired returns whether
 * the run reached it.
 */
void shim_break_after(long n);

/** Calls `function` before the n-th command; shim_fired returns whether the run reached it. */
void shim_call_after(long n, void (*function)(void));

/** From now on every call that can fail does so with that code, as on a lost device; 0: the device is back. */
void shim_lose(int code);

/** Loses one of the contexts created from now on, by its number (1: the next), after that many commands; 0: none. */
void shim_lose_context(long which, long after);

/** Devices report that size as their largest buffer and refuse larger ones; 0: the real limit. */
void shim_limit_blocks(long long bytes);

/** The number of programs being built now. */
int shim_builds(void);

/** shim_calls returns the number of calls since shim_fail_after, shim_fired whether one was made to fail. */
long shim_calls(void);
int shim_fired(void);

/** Bytes in buffers, and numbers of objects and of event references, that were created and not released. */
long long shim_live_bytes(void);
long long shim_live_objects(void);
long long shim_live_events(void);

/** With DRUA_LATE: how often the program waited for a command without flushing the command's queue. */
long long shim_unflushed(void);

/** The peak number of live bytes; starts a new measurement. */
long long shim_peak_bytes(void);
void shim_forget_peak(void);

#endif

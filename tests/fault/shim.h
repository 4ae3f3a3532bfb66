/* SPDX-License-Identifier: BSD-3-Clause */
/* What a test asks of the OpenCL loader in shim.c. */
#ifndef DRUA_TESTS_SHIM_H
#define DRUA_TESTS_SHIM_H

/** The n-th call that can fail does (1: the next); 0: none. Starts the counts below again. */
void shim_fail_after(long n);

/** The n-th command whose event somebody asks for is accepted, and fails when it should run; 0: none. shim_fired tells
 * whether there was one. */
void shim_break_after(long n);

/** Before the n-th command `function` is called; shim_fired tells whether it was. */
void shim_call_after(long n, void (*function)(void));

/** From now on every call that can fail does, with that code, as on a device that is gone; 0: it is back. */
void shim_lose(int code);

/** Of the contexts that are made from now on, the one of that number (1: the next) is lost after so many commands; 0:
 * none. */
void shim_lose_context(long which, long after);

/** Devices say that a buffer has so many bytes at most, and refuse larger ones; 0: as they are. */
void shim_limit_blocks(long long bytes);

/** Programs that are being built now. */
int shim_builds(void);

/** Calls since then, and whether one was made to fail. */
long shim_calls(void);
int shim_fired(void);

/** Bytes in buffers, and numbers of objects and of references to events, that were made and not released. */
long long shim_live_bytes(void);
long long shim_live_objects(void);
long long shim_live_events(void);

/** With DRUA_LATE: how often somebody asked for a command of a queue that was not flushed since. */
long long shim_unflushed(void);

/** The most bytes that were alive at once, and a new count from now on. */
long long shim_peak_bytes(void);
void shim_forget_peak(void);

#endif

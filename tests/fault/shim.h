/* SPDX-License-Identifier: BSD-3-Clause */
/* What a test asks of the OpenCL loader in shim.c. */
#ifndef DRUA_TESTS_SHIM_H
#define DRUA_TESTS_SHIM_H

/** The n-th call that can fail does (1: the next); 0: none. Starts the counts below again. */
void shim_fail_after(long n);

/** From now on every call that can fail does, with that code, as on a device that is gone; 0: it is back. */
void shim_lose(int code);

/** Devices say that a buffer has so many bytes at most, and refuse larger ones; 0: as they are. */
void shim_limit_blocks(long long bytes);

/** Calls since then, and whether one was made to fail. */
long shim_calls(void);
int shim_fired(void);

/** Bytes in buffers and number of objects that were made and not released. */
long long shim_live_bytes(void);
long long shim_live_objects(void);

/** The most bytes that were alive at once, and a new count from now on. */
long long shim_peak_bytes(void);
void shim_forget_peak(void);

#endif

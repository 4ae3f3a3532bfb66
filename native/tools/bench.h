/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_TOOLS_BENCH_H
#define DRUA_TOOLS_BENCH_H

/**
 * Times operations and prints one line each: name, size, type, milliseconds, floor, share of the floor, note.
 * @param only part of the names to time, NULL: all
 * @param scale 1: 512x512x512 and 2048x2048; larger numbers divide the extents for slow devices
 * @return 0, or 1 if a time lies below its floor or the device fails
 */
int drua_bench(const char *device, const char *only, int scale);

/** Times chains of pointwise operations, interpreted and compiled; the columns of drua_bench, the note is the variant. */
int drua_bench_chains(const char *device, int scale);

/** Transfers, launches and first calls, whatever the operation. */
int drua_bench_engine(const char *device, int scale);

#endif

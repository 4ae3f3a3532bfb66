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

/** Times eSRRF and prints frames and magnified pixels a second; `scale` divides the number of frames. */
int drua_bench_esrrf(const char *device, int scale);

/** Times chains of pointwise operations, interpreted and compiled; the columns of drua_bench, the note is the variant. */
int drua_bench_chains(const char *device, int scale);

/** Lets the engine compile and time the variants of common chains ahead. */
int drua_tune_chains(const char *device, int scale);

/**
 * Times Richardson-Lucy iterations on boxes of 512x512x256, 512x512x512 and 1024x1024x256, plain and accelerated, and prints a
 * line each: milliseconds an iteration, voxel-iterations a second, traffic, share of the floor, memory, start.
 */
int drua_bench_deconvolution(const char *device, int scale);

/** Transfers, launches and first calls, whatever the operation. */
int drua_bench_engine(const char *device, int scale);

/** Names the rows of a table that are more than 10 % slower than in an older one; 1 if there are any, 2 if a file cannot be read. */
int drua_bench_compare(const char *old_path, const char *new_path);

/** Prints a table as an SVG picture. */
int drua_bench_plot(const char *path);

#endif

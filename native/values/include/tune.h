/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses by measurement among variants of the same work with bit-identical results. Measuring waits for the device
 * before and after a launch. Only large images are measured, and only until each variant was timed five times. A
 * variant replaces the preset if it is at least 5 % faster. The choice is kept on disk.
 */
#ifndef DRUA_TUNE_H
#define DRUA_TUNE_H

#include "engine.h"

typedef struct drua_tuner drua_tuner;

/* One launch. `measured`: its time is being taken. `early`: the kernel that will be used later is not ready yet. */
typedef struct drua_trial {
    bool measured, early;
    size_t entry;
    int variant;
    double start;
    const char *why;            /* reason for this variant, for the user; static text */
} drua_trial;

enum { DRUA_MAX_VARIANTS = 4 };

/* Reads earlier results for this device. NULL without memory; then defaults are used. */
drua_tuner *drua_tuner_open(const drua_device_info *device);
void drua_tuner_close(drua_tuner *tuner);

/**
 * Returns the variant to run now, one of `count`, for work of a kind (a word) on about `pixels` pixels: the fastest
 * known one, otherwise the next one to be timed, or `preset` if timing does not pay.
 */
int drua_tune_begin(drua_engine *engine, const char *kind, int64_t pixels, int count, int preset, drua_trial *trial);
drua_status drua_tune_end(drua_engine *engine, const drua_trial *trial);

/**
 * For choices that other code measures: drua_tune_recall returns the known choice for a kind and size, or -1;
 * drua_tune_keep stores it.
 */
int drua_tune_recall(drua_tuner *tuner, const char *kind, int64_t pixels);
void drua_tune_keep(drua_tuner *tuner, const char *kind, int64_t pixels, int best);

#endif

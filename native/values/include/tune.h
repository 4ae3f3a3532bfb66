/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Choice by measurement among variants of the same work that give the same bits. Measuring waits for the device before
 * and after a launch, only for large images and only until each variant was timed five times; the choice is kept on
 * disk.
 */
#ifndef DRUA_TUNE_H
#define DRUA_TUNE_H

#include "engine.h"

typedef struct drua_tuner drua_tuner;

/* One launch; `measured` while its time is being taken; `early` where the kernel that will serve is not there yet. */
typedef struct drua_trial {
    bool measured, early;
    size_t entry;
    int variant;
    double start;
    const char *why;            /* this variant: static text, for people */
} drua_trial;

enum { DRUA_MOST_VARIANTS = 4 };

/* Reads what was learnt on this device before; NULL without memory: presets serve then. */
drua_tuner *drua_tuner_open(const drua_device_info *device);
void drua_tuner_close(drua_tuner *tuner);

/**
 * The variant to run now, one of `count`, for work of that kind (a word) on so many pixels: the fastest that is known,
 * else the one to be timed next, or `preset` where timing does not pay.
 */
int drua_tune_begin(drua_engine *engine, const char *kind, int64_t pixels, int count, int preset, drua_trial *trial);
drua_status drua_tune_end(drua_engine *engine, const drua_trial *trial);

/** A choice that others measure: what is known for that kind and size, or -1; and what they found. */
int drua_tune_recall(drua_tuner *tuner, const char *kind, int64_t pixels);
void drua_tune_keep(drua_tuner *tuner, const char *kind, int64_t pixels, int best);

/** Sorts the times; the middle one. */
double drua_median(double *times, size_t count);

#endif

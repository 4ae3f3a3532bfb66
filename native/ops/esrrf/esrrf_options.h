/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings of eSRRF, from "name=value name=value". */
#ifndef DRUA_OPS_ESRRF_OPTIONS_H
#define DRUA_OPS_ESRRF_OPTIONS_H

#include "plan.h"

typedef enum esrrf_projection { ESRRF_AVG, ESRRF_VAR, ESRRF_TAC2, ESRRF_ALL, ESRRF_FRAMES } esrrf_projection;
typedef enum esrrf_registration { ESRRF_REGISTERED, ESRRF_NANOPYX, ESRRF_NANOJ } esrrf_registration;

typedef struct esrrf_options {
    int magnification;
    double radius;                  /**< pixels */
    double sensitivity;
    int64_t frames_per_timepoint;   /**< 0: all */
    esrrf_projection projection;
    bool intensity_weighting, macro_pixel_correction;
    esrrf_registration registration;
} esrrf_options;

/** The presets where the parameter "options" of a call says nothing; fails the call at a name or value that does not exist. */
esrrf_options esrrf_read_options(drua_plan *p);

#define ESRRF_OPTIONS_DOC                                                                                                        \
    "magnification=5 radius=1.5 sensitivity=1 frames_per_timepoint=0 projection=AVG intensity_weighting=true "                    \
    "macro_pixel_correction=true registration=registered, or a part of these; projection is AVG, VAR, TAC2, all or frames, "      \
    "registration is registered, nanopyx or nanoj"

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames, of an image or of a file, that come to the device in parts: so many as are worked on at a time. */
#ifndef DRUA_OPS_ESRRF_MOVIE_H
#define DRUA_OPS_ESRRF_MOVIE_H

#include "plan.h"

typedef struct esrrf_movie {
    const char *name;           /**< the parameter */
    bool is_file, is_resident;
    drua_view image;
    drua_shape shape;           /**< depth: frames */
    drua_type type;
    double from, to;            /**< the part of the call's work that going through the frames is */
} esrrf_movie;

/** Tells that frames up to `end` are on their way. */
void esrrf_report(drua_plan *p, const esrrf_movie *movie, int32_t end);

/** Of the parameter "source" that is an image. `bytes`: what the work needs on the device beside it. */
esrrf_movie esrrf_movie_of_image(drua_plan *p, uint64_t bytes);

/** Of the parameter "path" that is a file. */
esrrf_movie esrrf_movie_of_file(drua_plan *p, uint64_t bytes);

/** Some frames as slices; given back by esrrf_drop_frames once the kernels that read them are sent. */
drua_view esrrf_frames(drua_plan *p, const esrrf_movie *movie, int32_t first, int32_t count);
void esrrf_drop_frames(drua_plan *p, const esrrf_movie *movie, drua_view frames);

/** The pixels of an image on the host, its rows without gaps; and how many bytes its frames are apart. NULL after a
 * failure. */
const char *esrrf_host_frames(drua_plan *p, const esrrf_movie *movie, size_t *apart);

/** Bytes of `count` frames that are on the device only while they are worked on; 0 of an image that is there as a
 * whole. */
uint64_t esrrf_frame_bytes(const esrrf_movie *movie, int32_t count);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Movies from an image or a file whose frames go to the device in chunks. */
#ifndef DRUA_OPS_ESRRF_MOVIE_H
#define DRUA_OPS_ESRRF_MOVIE_H

#include "plan.h"

typedef struct esrrf_movie {
    const char *name;           /**< name of the parameter */
    bool is_file, is_resident;
    drua_view image;
    drua_shape shape;           /**< depth: number of frames */
    drua_type type;
    double from, to;            /**< range of the call's progress, 0 to 1, that one pass through the frames covers */
} esrrf_movie;

/** Reports the progress after the frames before `end` have been sent. */
void esrrf_report(drua_plan *p, const esrrf_movie *movie, int32_t end);

/** Returns a movie from the image parameter "source". `bytes`: device memory that the work needs besides the movie. */
esrrf_movie esrrf_movie_of_image(drua_plan *p, uint64_t bytes);

/** Returns a movie from the file in parameter "path". `bytes`: as in esrrf_movie_of_image. */
esrrf_movie esrrf_movie_of_file(drua_plan *p, uint64_t bytes);

/**
 * Returns some frames as slices. Release them with esrrf_drop_frames after the kernels that read them have been
 * launched.
 */
drua_view esrrf_frames(drua_plan *p, const esrrf_movie *movie, int32_t first, int32_t count);
void esrrf_drop_frames(drua_plan *p, const esrrf_movie *movie, drua_view frames);

/**
 * Returns the pixels of an image in host memory, with contiguous rows, and sets `frame_stride` to the number of bytes
 * between frames. NULL after a failure.
 */
const char *esrrf_host_frames(drua_plan *p, const esrrf_movie *movie, size_t *frame_stride);

/** Device memory for `count` frames that are loaded temporarily; 0 if the whole image is on the device. */
uint64_t esrrf_frame_bytes(const esrrf_movie *movie, int32_t count);

#endif

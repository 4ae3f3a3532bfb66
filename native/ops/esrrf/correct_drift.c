/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that measure and correct the drift of a movie. */
#include "drift.h"

enum { MAX_AT_A_TIME = 64 };

static void drift_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_shape(p, "source").depth, 2, 1, 2};
}

static void launch_estimate(drua_plan *p)
{
    const drua_shape movie = plan_shape(p, "source");
    const int32_t frames = (int32_t)movie.depth;
    const esrrf_movie m = esrrf_movie_of_image(p, esrrf_drift_bytes(movie));
    const double *shifts = esrrf_find_drift(p, &m, (int32_t)plan_integer(p, "frames_together"), MAX_AT_A_TIME);
    drua_view drift = plan_scratch(p, (drua_shape){frames, 2, 1, 2}, DRUA_FLOAT32);
    float *numbers = plan_host_memory(p, 2 * (size_t)frames * sizeof *numbers);
    for (int32_t i = 0; i < 2 * frames && !plan_failed(p); i++)
        numbers[i] = (float)shifts[i];
    plan_write(p, drift, numbers);
    plan_copy(p, drift, plan_image(p, "drift"), 0, 0, 0);
    esrrf_set_drift_table(p, shifts, frames);
}

DRUA_OP(estimate_drift) = {
    .name = "estimate_drift",
    .category = "super-resolution",
    .summary = "Measures how far the field of view of a movie drifts away from its position in the first frames.",
    .source = "cross-correlation of each group of frames with the sum of the other groups, whose drift is corrected; "
              "the peak between pixels by Newton's method on the spectrum; linear interpolation between groups",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames, one per slice"),
                DRUA_IMAGE_OUT("drift", "a column for each frame: how many pixels it is shifted along x, then along y",
                               .shape = drift_shape, .type = DRUA_FLOAT32),
                DRUA_INTEGER("frames_together", ESRRF_DRIFT_FRAMES, DRUA_RANGE(1, 1000000), .default_value = 50,
                             .example = 4),
                DRUA_TABLE_OUT("shifts", "number and shift of each frame")),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = launch_estimate,
};

static void launch_correct(drua_plan *p)
{
    enum { NUMBERS = 2 };
    const drua_shape drift = plan_shape(p, "drift");
    drua_view source = plan_image(p, "source"), destination = plan_image(p, "destination");
    const int32_t frames = source.layout.depth;
    if (drift.width != frames || drift.height != NUMBERS || drift.depth != 1) {
        plan_fail(
            p, "drift must be %d x 2 pixels, a column for each frame as estimateDrift gives it, got %lld x %lld x %lld",
            frames, (long long)drift.width, (long long)drift.height, (long long)drift.depth);
        return;
    }
    float *numbers = plan_host_memory(p, NUMBERS * (size_t)frames * sizeof *numbers);
    double *shifts = plan_host_memory(p, NUMBERS * (size_t)frames * sizeof *shifts);
    plan_read_floats(p, plan_image(p, "drift"), numbers);
    for (int32_t i = 0; i < NUMBERS * frames && !plan_failed(p); i++) {
        shifts[i] = numbers[i];
        if (!(numbers[i] > -1e6f && numbers[i] < 1e6f))
            plan_fail(p, "drift must be within a million pixels, got %g for frame %d", (double)numbers[i],
                      i % frames + 1);
    }
    LAUNCH(p, "esrrf_move_frames", plan_grid(destination.layout), ARG(source), ARG(destination),
           ARG(esrrf_send_moves(p, shifts, frames)));
}

DRUA_OP(correct_drift) = {
    .name = "correct_drift",
    .category = "super-resolution",
    .summary = "Shifts each frame of a movie back by its drift. Pixels from outside repeat the border.",
    .source = "interpolation with Lanczos' window of 4 lobes; shifts by whole pixels copy the pixels",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames, one per slice"),
                DRUA_IMAGE_IN("drift", "columns of shifts along x and y, as estimateDrift makes them"),
                DRUA_IMAGE_OUT("destination", "frames shifted back")),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = launch_correct,
};

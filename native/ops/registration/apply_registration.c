/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves the frames of a movie by transforms, and registers a movie in one call. */
#include "registration.h"
#include "spline_levels.h"

#include <string.h>

registration_job registration_job_of(int32_t moved, int32_t still, plane_map m)
{
    return (registration_job){.moved = moved,
                              .still = still,
                              .start = {(float)m.at[0][0], (float)m.at[1][0]},
                              .by_x = {(float)(m.at[0][1] - 1), (float)m.at[1][1]},
                              .by_y = {(float)m.at[0][2], (float)(m.at[1][2] - 1)},
                              .by_xy = {(float)m.at[0][3], (float)m.at[1][3]}};
}

static void fill_row(const registration_row *row, int32_t frame, double *cells)
{
    cells[REGISTRATION_FRAME] = frame + 1;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            cells[REGISTRATION_XX + 3 * i + (j + 2) % 3] = row->map.at[i][j];
    cells[REGISTRATION_CORRELATION] = row->correlation;
    cells[REGISTRATION_RESIDUAL] = row->residual;
    cells[REGISTRATION_OVERLAP] = row->overlap;
    cells[REGISTRATION_TWIST_X] = row->map.at[0][3];
    cells[REGISTRATION_TWIST_Y] = row->map.at[1][3];
}

static void set_table(drua_plan *p, const double *cells, int32_t frames)
{
    static const char *const headings[REGISTRATION_COLUMNS] = {"Frame",    "XX",      "XY",      "Shift_X",
                                                               "YX",       "YY",      "Shift_Y", "Correlation",
                                                               "Residual", "Overlap", "Twist_X", "Twist_Y"};
    if (!plan_failed(p))
        plan_set_table(p, headings, REGISTRATION_COLUMNS, cells, (size_t)frames);
}

void registration_write(drua_plan *p, const registration_row *rows, int32_t frames, const char *image)
{
    const size_t count = (size_t)frames * REGISTRATION_COLUMNS;
    double *cells = plan_host_memory(p, count * sizeof *cells);
    float *pixels = plan_host_memory(p, count * sizeof *pixels);
    drua_view sent = plan_scratch(p, (drua_shape){REGISTRATION_COLUMNS, frames, 1, 2}, DRUA_FLOAT32);
    if (plan_failed(p))
        return;
    for (int32_t i = 0; i < frames; i++)
        fill_row(&rows[i], i, cells + (size_t)i * REGISTRATION_COLUMNS);
    for (size_t i = 0; i < count; i++)
        pixels[i] = (float)cells[i];
    plan_write(p, sent, pixels);
    plan_copy(p, sent, plan_image(p, image), 0, 0, 0);
    set_table(p, cells, frames);
}

/* ---- moving frames */

static plane_map map_of_row(drua_plan *p, const float *row, int64_t columns, int64_t frame)
{
    static const int column_of[2][PLANE_TERMS] = {
        {REGISTRATION_SHIFT_X, REGISTRATION_XX, REGISTRATION_XY, REGISTRATION_TWIST_X},
        {REGISTRATION_SHIFT_Y, REGISTRATION_YX, REGISTRATION_YY, REGISTRATION_TWIST_Y}};
    plane_map m = {{{0}}};
    for (int i = 0; i < 2 * PLANE_TERMS && !plan_failed(p); i++) {
        const int column = column_of[i / PLANE_TERMS][i % PLANE_TERMS];
        const float number = column < columns ? row[column] : 0;
        m.at[i / PLANE_TERMS][i % PLANE_TERMS] = (double)number;
        if (!(fabsf(number) < 1e6f))
            plan_fail(p, "transforms must be numbers below a million, got %g for frame %lld", (double)number,
                      (long long)frame + 1);
    }
    return m;
}

/* Fails if a transform maps the frame to a line or a point, and tells if it moves the frame out of the image. */
static void check_map(drua_plan *p, plane_map m, drua_shape s, int64_t frame)
{
    const double extent[2] = {(double)s.width, (double)s.height};
    if (plan_failed(p))
        return;
    if (fabs(plane_area(m, extent[0] / 2, extent[1] / 2)) < 1e-6)
        plan_fail(p,
                  "transforms must not shrink a frame to a line or a point, as those of frame %lld do; use rows that "
                  "estimateRegistration made, or 1, 0, 0, 0, 1, 0 for a frame that does not move",
                  (long long)frame + 1);
    for (int axis = 0; axis < 2; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < 4; k++) {
            const double u = k % 2 ? extent[0] - 1 : 0, v = k / 2 ? extent[1] - 1 : 0,
                         at = m.at[axis][0] + m.at[axis][1] * u + m.at[axis][2] * v + m.at[axis][3] * u * v;
            low = fmin(low, at);
            high = fmax(high, at);
        }
        if (high <= -0.5 || low >= extent[axis] - 0.5) {
            plan_add_message(p, "frame %lld moves out of the image; all its pixels are 0", (long long)frame + 1);
            return;
        }
    }
}

/* Reads the transforms of `count` frames from frame `first` on. */
static registration_job *read_jobs(drua_plan *p, int32_t first, int32_t count)
{
    const drua_shape shape = plan_shape(p, "transforms");
    int64_t origin[3];
    const drua_shape movie = plan_whole_shape(p, "source", origin);
    if (shape.width < REGISTRATION_CORRELATION || shape.height != movie.depth || shape.depth != 1)
        plan_fail(p,
                  "transforms must have a row of at least 7 numbers for each of the %lld frames, as "
                  "estimateRegistration makes them, got %lld x %lld x %lld",
                  (long long)movie.depth, (long long)shape.width, (long long)shape.height, (long long)shape.depth);
    float *numbers = plan_host_memory(p, (size_t)(shape.width * shape.height) * sizeof *numbers);
    registration_job *jobs = plan_host_memory(p, (size_t)count * sizeof *jobs);
    if (!plan_failed(p))
        plan_read_floats(p, plan_image(p, "transforms"), numbers);
    for (int32_t i = 0; i < count && !plan_failed(p); i++) {
        const int64_t frame = origin[2] + first + i;
        const plane_map m = map_of_row(p, numbers + frame * shape.width, shape.width, frame);
        check_map(p, m, movie, frame);
        jobs[i] = registration_job_of(i, i, m);
    }
    return jobs;
}

static void launch_apply_registration(drua_plan *p)
{
    const drua_view source = plan_image(p, "source"), destination = plan_image(p, "destination");
    const int32_t frames = source.layout.depth;
    const uint64_t frame = spline_level_bytes(source.layout.width, source.layout.height),
                   room = plan_memory_left(p) / 2 / frame;
    const int32_t max = room < 1 ? 1 : room < (uint64_t)frames ? (int32_t)room : frames;
    for (int32_t first = 0, count; first < frames && !plan_failed(p); first += count) {
        count = frames - first < max ? frames - first : max;
        const registration_job *jobs = read_jobs(p, first, count);
        drua_view coefficients =
            plan_scratch(p, (drua_shape){source.layout.width, source.layout.height, count, 3}, DRUA_FLOAT32);
        drua_view sent = plan_scratch(p, (drua_shape){sizeof *jobs / sizeof(float), 1, count, 3}, DRUA_FLOAT32);
        if (plan_failed(p))
            return;
        plan_write(p, sent, jobs);
        spline_coefficients(p, plan_slices(source, first, count), coefficients, 0, 1);
        const drua_view part = plan_slices(destination, first, count);
        LAUNCH(p, "alignment_move_frames", plan_grid(part.layout), ARG(coefficients), ARG(part), POINTER(sent));
        plan_free_scratch(p, sent);
        plan_free_scratch(p, coefficients);
    }
}

#define MOVED DRUA_IMAGE_OUT("destination", "moved frames; pixels that no source pixel moved to are 0")

DRUA_OP(apply_registration) = {
    .name = "apply_registration",
    .category = "transform",
    .summary = "Moves each frame of a movie by its transform. Transforms of one channel can also move another channel.",
    .source = "cubic spline through all pixels, mirrored at the borders; integers are rounded to the nearest",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames, one per slice"),
                DRUA_IMAGE_WHOLE("transforms", REGISTRATION_TRANSFORMS), MOVED),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE, /* a tile has at least one whole frame */
    .launch = launch_apply_registration,
    .parts = plan_parts_slices,
};

/* ---- estimating and applying in one call */

static void build_register_stack(drua_plan *p)
{
    const drua_operand source = plan_operand(p, "source"),
                       transforms = CALL(p, "estimate_registration", DRUA_FLOAT32, source, TEXT(plan_text(p, "mode")),
                                         TEXT(plan_text(p, "reference")), TEXT(plan_text(p, "missing")));
    const drua_operand moved = CALL(p, "apply_registration", plan_type(p, "destination"), source, transforms);
    const int32_t frames = (int32_t)plan_shape(p, "source").depth;
    const size_t count = (size_t)frames * REGISTRATION_COLUMNS;
    float *pixels = plan_host_memory(p, count * sizeof *pixels);
    double *cells = plan_host_memory(p, count * sizeof *cells);
    if (plan_failed(p))
        return;
    plan_read_floats(p, plan_operand_image(p, transforms), pixels);
    for (size_t i = 0; i < count && !plan_failed(p); i++)
        cells[i] = (double)pixels[i];
    set_table(p, cells, frames);
    plan_return(p, "destination", moved);
}

DRUA_OP(register_stack) = {
    .name = "register_stack",
    .category = "transform",
    .menu = true,
    .summary = "Registers the frames of a movie: undoes shifts, rotations, changes of scale and shears between them.",
    .source = REGISTRATION_SOURCE,
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames, one per slice"), MOVED, REGISTRATION_MODE, REGISTRATION_REFERENCE,
                REGISTRATION_MISSING, REGISTRATION_TABLE),
    DRUA_ALIASES("Drua registerStack: source, &destination, mode, reference, missing=none"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .build = build_register_stack,
};

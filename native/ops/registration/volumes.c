/* SPDX-License-Identifier: BSD-3-Clause */
#include "volumes.h"

#include "counted_pixels.h"

#include <string.h>

/* As in kernels/registration/volume_sums.cl. */
enum { GROUP = 128, MAX_GROUPS = 64, PIXELS_OF_ITEM = 8 };
enum { MIN_EXTENT = 12, MAX_STEPS = 40, SUMS = VOLUME_AXES * VOLUME_SUMS };

/* Limits of the search: length of the last step in pixels of a level, damping, and the shared part of the reference. */
static const double enough = 0.003, first_damping = 0.01, max_damping = 1e4, min_overlap = 0.05;

static int64_t pixels_of(const volume *v)
{
    return (int64_t)v->extent[0] * v->extent[1] * v->extent[2];
}

/* ---- levels */

double volume_of_pixel(const volume *v)
{
    return v->step[0] * v->step[1] * v->step[2];
}

/* Returns the mean of the pixels that are not missing, and sets their number. */
static double mean_of_stack(drua_plan *p, const char *image, volume_missing missing, double *number)
{
    static const int rules[] = {0, NOT_ZERO, NOT_NAN};
    const counted_frames slices = {.frames = plan_image(p, image), .rules = rules[missing]};
    const int32_t depth = slices.frames.layout.depth;
    counted_values *values = plan_host_memory(p, (size_t)depth * sizeof *values);
    double sum = 0, others = 0;
    *number = 0;
    if (!plan_failed(p) && depth < 2)
        plan_fail(p, "%s is a plane; use registerStack or registerDeformable for planes", image);
    if (plan_failed(p))
        return 0;
    counted_measure(p, &slices, values);
    for (int32_t i = 0; i < depth; i++) {
        sum += values[i].number > 0 ? values[i].number * values[i].mean : 0;
        *number += values[i].number;
        others += values[i].not_finite;
    }
    if (others > 0)
        plan_fail(p,
                  "%s holds pixels that are NaN or infinite; replace them first, for example with undefinedToZero, or "
                  "leave NaN out by missing = nan",
                  image);
    else if (*number == 0)
        plan_fail(p, "%s has only missing pixels (missing = %s), so there is nothing to align", image,
                  plan_text(p, "missing"));
    return sum / *number;
}

/* Reads an image less its mean. The centre of the volume is the origin of the search. */
static volume load_volume(drua_plan *p, const char *image, volume_missing missing, double mean, const double size[3],
                          double unit)
{
    const drua_view from = plan_image(p, image);
    volume v = {.extent = {from.layout.width, from.layout.height, from.layout.depth}};
    for (int axis = 0; axis < 3; axis++) {
        v.step[axis] = size[axis] / unit;
        v.start[axis] = -v.step[axis] * (v.extent[axis] - 1) / 2;
    }
    v.pixels = plan_scratch(p, (drua_shape){v.extent[0], v.extent[1], v.extent[2], 3}, DRUA_FLOAT32);
    LAUNCH(p, "volume_load", GRID(v.extent[0], v.extent[1], v.extent[2], 64, 1, 1), ARG(from),
           INT(missing == VOLUME_ZERO), REAL(mean), POINTER(v.pixels), VOLUME_SIZE(v));
    return v;
}

/* Halves the axes that keep enough pixels. */
static volume halve_volume(drua_plan *p, const volume *fine)
{
    volume v = *fine;
    for (int axis = 0; axis < 3; axis++)
        if (fine->extent[axis] >= 2 * MIN_EXTENT) {
            v.extent[axis] /= 2;
            v.start[axis] += v.step[axis] / 2;
            v.step[axis] *= 2;
        }
    v.pixels = plan_scratch(p, (drua_shape){v.extent[0], v.extent[1], v.extent[2], 3}, DRUA_FLOAT32);
    LAUNCH(p, "volume_halve", GRID(v.extent[0], v.extent[1], v.extent[2], 64, 1, 1), POINTER(fine->pixels),
           VOLUME_SIZE(*fine), POINTER(v.pixels), VOLUME_SIZE(v));
    return v;
}

static bool can_halve(const volume *v)
{
    return v->extent[0] >= 2 * MIN_EXTENT || v->extent[1] >= 2 * MIN_EXTENT || v->extent[2] >= 2 * MIN_EXTENT;
}

static void make_levels(drua_plan *p, volume_missing missing, volume_pyramid *all)
{
    double numbers[2];
    const double reference = mean_of_stack(p, "reference", missing, &numbers[0]),
                 source = mean_of_stack(p, "source", missing, &numbers[1]);
    const drua_shape s = plan_shape(p, "reference");
    double size[3], size_of_source[3];
    const bool known = plan_voxel_size(p, "reference", size);
    if (!plan_voxel_size(p, "source", size_of_source) || !known) /* sizes count only if both are known */
        for (int axis = 0; axis < 3; axis++)
            size[axis] = size_of_source[axis] = 1;
    all->unit = fmax(size[0] * (double)s.width, fmax(size[1] * (double)s.height, size[2] * (double)s.depth)) / 2;
    all->difference = reference - source;
    all->reference[0] = load_volume(p, "reference", missing, reference, size, all->unit);
    all->source[0] = load_volume(p, "source", missing, source, size_of_source, all->unit);
    all->counted_reference = numbers[0] * volume_of_pixel(&all->reference[0]);
    all->counted_source = numbers[1] * volume_of_pixel(&all->source[0]);
    for (all->count = 1; all->count < VOLUME_LEVELS && !plan_failed(p); all->count++) {
        const volume *fine = &all->reference[all->count - 1], *other = &all->source[all->count - 1];
        if (!can_halve(fine) || !can_halve(other))
            break;
        all->reference[all->count] = halve_volume(p, fine);
        all->source[all->count] = halve_volume(p, other);
    }
}

/* ---- the search */

volume_map volume_to_pixels(const volume_map *m, const volume *reference, const volume *source)
{
    volume_map to;
    for (int i = 0; i < 3; i++) {
        to.at[i][3] = m->at[i][3] - source->start[i];
        for (int j = 0; j < 3; j++) {
            to.at[i][j] = m->at[i][j] * reference->step[j] / source->step[i];
            to.at[i][3] += m->at[i][j] * reference->start[j];
        }
        to.at[i][3] /= source->step[i];
    }
    return to;
}

void volume_compare(const volume_search *s, int level, const volume_map *map, double *totals)
{
    const volume *reference = &s->levels.reference[level], *source = &s->levels.source[level];
    const volume_map pixels = volume_to_pixels(map, reference, source);
    const int64_t count = pixels_of(reference), needed = count / (GROUP * PIXELS_OF_ITEM) + 1;
    const int32_t groups = (int32_t)(needed < MAX_GROUPS ? needed : MAX_GROUPS);
    float numbers[VOLUME_MAP_NUMBERS];
    for (int i = 0; i < 12; i++)
        numbers[i] = (float)pixels.at[i / 4][i % 4];
    for (int i = 0; i < 3; i++) {
        numbers[12 + i] = (float)source->step[i];
        numbers[15 + i] = (float)source->start[i];
    }
    plan_write(s->p, s->sent_map, numbers);
    LAUNCH(s->p, "volume_sums",
           grid_of_turns(GRID(groups * GROUP, VOLUME_AXES, 1, GROUP, 1, 1), count / (groups * GROUP) + 1),
           POINTER(reference->pixels), VOLUME_SIZE(*reference), POINTER(source->pixels), VOLUME_SIZE(*source),
           POINTER(s->sent_map), POINTER(s->sent_sums));
    plan_read(s->p, s->sent_sums, s->sums, (size_t)groups * SUMS * sizeof *s->sums);
    for (int i = 0; i < SUMS; i++) {
        totals[i] = 0;
        for (int32_t g = 0; g < groups; g++)
            totals[i] += (double)s->sums[(i / VOLUME_SUMS * groups + g) * VOLUME_SUMS + i % VOLUME_SUMS];
    }
}

/* Returns how far a step moves the corners of the reference at most, in pixels of a level. */
static double length_of(const volume_map *step, const volume *v)
{
    double max = 0;
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < 3; i++) {
            double way = step->at[i][3];
            for (int j = 0; j < 3; j++)
                way += (step->at[i][j] - (i == j)) * (k >> j & 1 ? 1 : -1) * v->start[j];
            max = fmax(max, fabs(way) / v->step[i]);
        }
    return max;
}

/* Damping grows after each step that lowers the correlation. */
void volume_search_level(const volume_search *s, int level, volume_map *map)
{
    const volume *reference = &s->levels.reference[level];
    const double min = min_overlap * s->levels.counted_reference / volume_of_pixel(reference);
    double best[SUMS], tried[SUMS], damping = first_damping;
    volume_compare(s, level, map, best);
    double top = volume_match_of(best, 0).correlation;
    for (int k = 0; k < MAX_STEPS && damping < max_damping && !plan_failed(s->p); k++) {
        volume_map step;
        if (!volume_step(s->mode, best, damping, &step))
            return;
        const volume_map next = volume_product(&step, map);
        volume_compare(s, level, &next, tried);
        const volume_match match = volume_match_of(tried, 0);
        if (match.number >= min && match.correlation > top) {
            top = match.correlation;
            *map = next;
            memcpy(best, tried, sizeof best);
            damping /= 10;
            if (length_of(&step, reference) < enough)
                return;
        } else
            damping *= 10;
    }
}

volume_search volume_search_begin(drua_plan *p, volume_mode mode, volume_missing missing)
{
    volume_search s = {.p = p, .mode = mode};
    s.sent_map = plan_scratch(p, (drua_shape){VOLUME_MAP_NUMBERS, 1, 1, 2}, DRUA_FLOAT32);
    s.sent_sums = plan_scratch_bytes(p, MAX_GROUPS * SUMS * sizeof *s.sums);
    s.sums = plan_host_memory(p, MAX_GROUPS * SUMS * sizeof *s.sums);
    make_levels(p, missing, &s.levels);
    return s;
}

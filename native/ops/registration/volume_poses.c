/* SPDX-License-Identifier: BSD-3-Clause */
#include "volume_poses.h"

#include "plan_fft.h"
#include "volume_rotations.h"

#include <stdlib.h>

/* As in kernels/registration/volume_places.cl. */
enum { PEAK_GROUP = 128 };
enum { CANDIDATES = 12, FINALISTS = 6, BEST = 2 };

/* For each reach: samples along the longest axis, groups that each report a peak, and the largest box. */
static const int samples_of[] = {0, 64, 24}, groups_of[] = {0, 64, 8}, extent_of[] = {0, 144, 72};

/* Alignments count as one if they differ by less: by the first two limits as candidates, by the others once refined. */
static const double rotation_of_candidates = 0.6, shift_of_candidates = 0.15, same_rotation = 0.2, same_shift = 0.1;

/* Peaks further from the result than this belong to other alignments. */
static const double other_rotation = 1, other_shift = 0.3;
enum { NEARBY = 2 };

/* Part of the smaller volume that both must share. */
static const double min_shared = 0.2;

/* Radius of the boxes in which contrast is measured, and the share of the whole variance that is added in all boxes. */
enum { CONTRAST_RADIUS = 4, CONTRAST_PIXELS = 729 };
static const double floor_of_variance = 0.05;

static const volume_map same = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

typedef struct pose {
    volume_map map;
    double correlation;
} pose;

/* ---- correlation of coarse volumes */

/* Coarse volumes with equal steps along all axes, and a box with room for all their shifts. */
typedef struct lattice_search {
    const volume_search *s;
    int groups;
    volume reference, source, box; /* the box has no pixels */
    drua_shape shape;
    double step;
    drua_view still, moved; /* spectrum of the reference; the source, then the correlation */
} lattice_search;

static double length_along(const volume *v, int axis)
{
    return v->step[axis] * v->extent[axis];
}

static int level_for(const volume_search *s, double step)
{
    for (int level = s->levels.count - 1; level > 0; level--) {
        double max = 0;
        for (int axis = 0; axis < 3; axis++)
            max = fmax(max, fmax(s->levels.reference[level].step[axis], s->levels.source[level].step[axis]));
        if (max <= 2 * step)
            return level;
    }
    return 0;
}

/* Sends maps from pixels of one volume to pixels of another, one after the other. */
static drua_view send_maps(drua_plan *p, const volume_map *maps, int count, const volume *from, const volume *to)
{
    drua_view sent = plan_scratch(p, (drua_shape){12, count, 1, 2}, DRUA_FLOAT32);
    float *numbers = plan_host_memory(p, (size_t)count * 12 * sizeof *numbers);
    for (int k = 0; k < count && numbers; k++) {
        const volume_map pixels = volume_to_pixels(&maps[k], from, to);
        for (int i = 0; i < 12; i++)
            numbers[12 * k + i] = (float)pixels.at[i / 4][i % 4];
    }
    plan_write(p, sent, numbers);
    return sent;
}

/* Variance of the pixels that are not missing; waits. The host adds at most samples_of[VOLUME_ROTATIONS]^3 pixels. */
static double variance_of(drua_plan *p, const volume *v)
{
    const size_t count = (size_t)v->extent[0] * (size_t)v->extent[1] * (size_t)v->extent[2];
    float *pixels = plan_host_memory(p, count * sizeof *pixels);
    double number = 0, sum = 0, squares = 0;
    plan_read(p, v->pixels, pixels, count * sizeof *pixels);
    for (size_t i = 0; i < count && !plan_failed(p); i++)
        if (!isnan(pixels[i])) {
            number++;
            sum += (double)pixels[i];
            squares += (double)pixels[i] * (double)pixels[i];
        }
    return number > 0 ? fmax(0, squares / number - sum / number * (sum / number)) : 0;
}

/* A volume with this step along all axes, of local contrasts. */
static volume make_coarse(drua_plan *p, const volume *from, double step)
{
    volume v, sampled;
    for (int axis = 0; axis < 3; axis++) {
        v.extent[axis] = (int32_t)fmax(1, floor(length_along(from, axis) / step));
        v.step[axis] = step;
        v.start[axis] = -step * (v.extent[axis] - 1) / 2;
    }
    const drua_shape shape = {v.extent[0], v.extent[1], v.extent[2], 3};
    const drua_grid grid = GRID(v.extent[0], v.extent[1], v.extent[2], 16, 1, 1);
    drua_view map = send_maps(p, &same, 1, &v, from);
    sampled = v;
    sampled.pixels = plan_scratch(p, shape, DRUA_FLOAT32);
    v.pixels = plan_scratch(p, shape, DRUA_FLOAT32);
    LAUNCH(p, "volume_sample", grid, POINTER(from->pixels), VOLUME_SIZE(*from), POINTER(map), POINTER(sampled.pixels),
           VOLUME_SIZE(v));
    LAUNCH(p, "volume_contrast", grid_of_turns(grid, CONTRAST_PIXELS), POINTER(sampled.pixels), POINTER(v.pixels),
           VOLUME_SIZE(v), INT(CONTRAST_RADIUS), REAL(floor_of_variance * variance_of(p, &sampled)));
    plan_free_scratch(p, sampled.pixels);
    plan_free_scratch(p, map);
    return v;
}

static void place_volume(const lattice_search *l, const volume *v, drua_view maps, int number, drua_view to)
{
    LAUNCH(l->s->p, "volume_place", plan_grid(to.layout), POINTER(v->pixels), VOLUME_SIZE(*v), POINTER(maps),
           INT(number), ARG(to));
}

static lattice_search make_lattice(const volume_search *s, volume_reach reach)
{
    lattice_search l = {.s = s, .groups = groups_of[reach], .shape = {.dimension = 3}};
    const volume *r = &s->levels.reference[0], *t = &s->levels.source[0];
    double longest = 0, squares = 0;
    for (int axis = 0; axis < 3; axis++) {
        longest = fmax(longest, fmax(length_along(r, axis), length_along(t, axis)));
        squares += length_along(t, axis) * length_along(t, axis);
    }
    l.step = fmax(longest / samples_of[reach], fmin(r->step[0], fmin(r->step[1], r->step[2])));
    const int level = level_for(s, l.step);
    l.reference = make_coarse(s->p, &s->levels.reference[level], l.step);
    l.source = make_coarse(s->p, &s->levels.source[level], l.step);
    for (int axis = 0; axis < 3; axis++) {
        const double room = length_along(r, axis) + (reach == VOLUME_ROTATIONS ? sqrt(squares) : length_along(t, axis));
        l.shape.extent[axis] = plan_fft_extent((int64_t)ceil(room / l.step) + 1);
        l.box.extent[axis] = (int32_t)l.shape.extent[axis];
        l.box.step[axis] = l.step;
        l.box.start[axis] = -l.step * (double)(l.shape.extent[axis] - 1) / 2;
    }
    plan_fft_prepare(s->p, l.shape, true);
    l.still = plan_fft_scratch(s->p, l.shape);
    l.moved = plan_fft_scratch(s->p, l.shape);
    drua_view unrotated = send_maps(s->p, &same, 1, &l.box, &l.reference);
    place_volume(&l, &l.reference, unrotated, 0, l.still);
    plan_fft_forward(s->p, l.still);
    plan_free_scratch(s->p, unrotated);
    return l;
}

/* Correlates the volumes after map `number` of `maps`, for all shifts; the result lies in l->moved. */
static void correlate_rotated(const lattice_search *l, drua_view maps, int number)
{
    place_volume(l, &l->source, maps, number, l->moved);
    plan_fft_convolve(l->s->p, l->moved, l->still, l->moved, true);
}

/* Returns the peaks of the correlation at all rotations: pairs of a value and an index, in host memory. */
static const float *find_peaks(const lattice_search *l, const volume_map *rotations, int count)
{
    drua_plan *p = l->s->p;
    const size_t bytes = 2 * sizeof(float) * (size_t)(count * l->groups);
    float *peaks = plan_host_memory(p, bytes);
    drua_view found = plan_scratch_bytes(p, bytes), maps = send_maps(p, rotations, count, &l->box, &l->source);
    for (int k = 0; k < count && !plan_failed(p); k++) {
        correlate_rotated(l, maps, k);
        LAUNCH(p, "volume_peaks",
               grid_of_turns(GRID(l->groups * PEAK_GROUP, 1, 1, PEAK_GROUP, 1, 1),
                             l->shape.width * l->shape.height * l->shape.depth / (l->groups * PEAK_GROUP) + 1),
               ARG(l->moved), INT(k), POINTER(found));
        plan_progress(p, 0.5 * k / count);
    }
    plan_read(p, found, peaks, bytes);
    plan_free_scratch(p, found);
    plan_free_scratch(p, maps);
    return peaks;
}

/* Returns the highest correlation at shifts of at most NEARBY samples from an alignment; waits. */
static double height_at(const lattice_search *l, const volume_map *map)
{
    const drua_shape s = l->shape;
    drua_view sent = send_maps(l->s->p, map, 1, &l->box, &l->source);
    float *values = plan_host_memory(l->s->p, (size_t)(s.width * s.height * s.depth) * sizeof *values);
    double height = -INFINITY;
    correlate_rotated(l, sent, 0);
    plan_read_floats(l->s->p, l->moved, values);
    for (int64_t z = -NEARBY; z <= NEARBY && values; z++)
        for (int64_t y = -NEARBY; y <= NEARBY; y++)
            for (int64_t x = -NEARBY; x <= NEARBY; x++) {
                const int64_t row = (y + s.height) % s.height + (z + s.depth) % s.depth * s.height;
                height = fmax(height, (double)values[(x + s.width) % s.width + row * s.width]);
            }
    plan_free_scratch(l->s->p, sent);
    return height;
}

static volume_map map_of_peak(const lattice_search *l, const volume_map *rotation, int64_t index)
{
    const int64_t at[3] = {index % l->shape.width, index / l->shape.width % l->shape.height,
                           index / l->shape.width / l->shape.height};
    volume_map map = *rotation;
    for (int j = 0; j < 3; j++) {
        const int64_t shift = 2 * at[j] > l->shape.extent[j] ? at[j] - l->shape.extent[j] : at[j];
        for (int i = 0; i < 3; i++)
            map.at[i][3] += rotation->at[i][j] * l->step * (double)shift;
    }
    return map;
}

/* ---- poses */

static bool are_same(const volume_map *a, const volume_map *b, double rotation, double shift)
{
    double rotated = 0, shifted = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            const double by = a->at[i][j] - b->at[i][j];
            *(j < 3 ? &rotated : &shifted) += by * by;
        }
    return rotated < rotation * rotation && shifted < shift * shift;
}

/* Adds a pose unless the list has the same one. Returns the number of poses. */
static int add_pose(pose *poses, int count, const pose *added, double rotation, double shift)
{
    for (int i = 0; i < count; i++)
        if (are_same(&poses[i].map, &added->map, rotation, shift))
            return count;
    poses[count] = *added;
    return count + 1;
}

static int best_first(const void *a, const void *b)
{
    const pose *x = a, *y = b;
    return (x->correlation < y->correlation) - (x->correlation > y->correlation);
}

/* Lists all peaks, highest first. */
static pose *list_peaks(const lattice_search *l, const volume_map *rotations, int count)
{
    pose *peaks = plan_host_memory(l->s->p, (size_t)(count * l->groups) * sizeof *peaks);
    const float *found = find_peaks(l, rotations, count);
    for (int i = 0; i < count * l->groups && peaks && found; i++)
        peaks[i] = (pose){map_of_peak(l, &rotations[i / l->groups], (int64_t)found[2 * i + 1]), (double)found[2 * i]};
    if (peaks)
        qsort(peaks, (size_t)(count * l->groups), sizeof *peaks, best_first);
    return peaks;
}

/* Returns the height of the highest peak that lies clearly apart from an alignment; 0 without one. */
static double height_elsewhere(const pose *peaks, int count, const volume_map *map)
{
    for (int i = 0; i < count; i++)
        if (!are_same(&peaks[i].map, map, other_rotation, other_shift))
            return fmax(0, peaks[i].correlation);
    return 0;
}

/* Improves poses on a level. Keeps the best `max` that differ and share enough, best first; returns their number. */
static int refine_poses(const volume_search *s, int level, pose *poses, int count, int max)
{
    const double min = min_shared * fmin(s->levels.counted_reference, s->levels.counted_source) /
                       volume_of_pixel(&s->levels.reference[level]);
    double totals[VOLUME_AXES * VOLUME_SUMS] = {0};
    int kept = 0, differ = 0;
    for (int i = 0; i < count && !plan_failed(s->p); i++) {
        volume_search_level(s, level, &poses[i].map);
        volume_compare(s, level, &poses[i].map, totals);
        const volume_match match = volume_match_of(totals, 0);
        if (match.number >= min && !isnan(match.correlation))
            poses[kept++] = (pose){poses[i].map, match.correlation};
    }
    qsort(poses, (size_t)kept, sizeof *poses, best_first);
    for (int i = 0; i < kept && differ < max; i++) {
        const pose next = poses[i];
        differ = add_pose(poses, differ, &next, same_rotation, same_shift);
    }
    return differ;
}

/* Improves candidates level by level until the best is left. Returns the number of alignments left, 0 or 1. */
static int refine_candidates(const volume_search *s, pose *poses, int count)
{
    const int coarsest = s->levels.count - 1;
    volume_search rough = *s;
    rough.mode = s->mode < VOLUME_RIGID ? s->mode : VOLUME_RIGID;
    count = refine_poses(&rough, coarsest, poses, count, FINALISTS);
    for (int level = coarsest; level >= 0 && !plan_failed(s->p); level--) {
        count = refine_poses(s, level, poses, count, level > 0 ? BEST : 1);
        plan_progress(s->p, 0.5 + 0.5 * ldexp(1, -3 * level));
    }
    return count;
}

double volume_search_poses(const volume_search *s, volume_reach reach, volume_map *map)
{
    volume_map *rotations = plan_host_memory(s->p, VOLUME_ROTATION_COUNT * sizeof *rotations);
    pose *poses = plan_host_memory(s->p, CANDIDATES * sizeof *poses);
    const lattice_search l = make_lattice(s, reach);
    *map = same;
    if (plan_failed(s->p))
        return 0;
    rotations[0] = same;
    const int number = reach == VOLUME_ROTATIONS ? volume_list_rotations(rotations) : 1, peak_count = number * l.groups;
    const pose *peaks = list_peaks(&l, rotations, number);
    int count = 1;
    poses[0] = (pose){.map = same};
    for (int i = 0; i < peak_count && count < CANDIDATES && peaks; i++)
        count = add_pose(poses, count, &peaks[i], rotation_of_candidates, shift_of_candidates);
    if (refine_candidates(s, poses, count) == 0)
        return 0;
    *map = poses[0].map;
    const double height = height_at(&l, map), elsewhere = height_elsewhere(peaks, peak_count, map);
    return height > 0 ? height / elsewhere : 0; /* infinite without another peak */
}

uint64_t volume_poses_bytes(volume_reach reach)
{
    const int extent = extent_of[reach];
    return extent ? 3 * plan_fft_bytes((drua_shape){extent, extent, extent, 3}) : 0;
}

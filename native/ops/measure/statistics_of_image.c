/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of statistics_of_labelled_pixels for an image that is one label: its box is known, and one read of it is enough. */
#include "../labels/statistics.h"
#include "tally.h"

/* Floats as kernels/measure/tally_positions.cl leaves them: a tally of differences from the origin, then these. */
enum { FLOATS = 10, SUM_Z = FLOATS, CENTRES = SUM_Z + 2, ORIGIN = CENTRES + 6, DISTANCES = ORIGIN + 2, GROUP = 256, MOST_GROUPS = 256 };

/* Groups are small enough to be many and large enough to be worth a tree each. */
static int32_t rows_of_group(drua_layout l)
{
    enum { GROUPS = 1024, FEWEST = 8192, MOST = 65536 };
    const int64_t wanted = drua_layout_count(&l) / GROUPS, pixels = wanted < FEWEST ? FEWEST : wanted > MOST ? MOST : wanted;
    const int64_t rows = pixels / l.width + 1;
    return (int32_t)(rows < l.height ? rows : l.height);
}

static bool is_wide(drua_layout l)
{
    return l.column == 1 && ((l.offset | l.row | l.plane) & 3) == 0;
}

/* Sends all of it; `groups` pairs of sums of distances come last. */
static drua_view send(drua_plan *p, drua_view source, int64_t groups)
{
    const drua_layout l = source.layout;
    const int32_t rows = rows_of_group(l), in_slice = (l.height + rows - 1) / rows, step = plan_layers_at_once(p, source);
    drua_view center = tally_sample(p, source), partial = plan_memory(p, (uint64_t)in_slice * (uint64_t)l.depth * FLOATS * sizeof(float));
    drua_view results = plan_memory(p, (uint64_t)(DISTANCES + 4 * groups) * sizeof(float));
    for (int32_t z = 0; z < l.depth && !plan_failed(p); z += step) {
        drua_view some = plan_layers(p, source, z, step);
        LAUNCH(p, "tally_positions", GRID((int64_t)in_slice * GROUP, some.layout.depth, 1, GROUP, 1, 1), ARG(some), POINTER(center), POINTER(partial),
               INT(rows), INT(z), INT(is_wide(some.layout)));
        plan_drop(p, some);
    }
    LAUNCH(p, "join_positions", GRID(GROUP, 1, 1, GROUP, 1, 1), POINTER(partial), POINTER(center), POINTER(results), INT(in_slice), INT(l.width),
           INT(l.height), INT(l.depth));
    LAUNCH(p, "distances_to_centres", GRID(groups * GROUP, 1, 1, GROUP, 1, 1), POINTER(results), INT(l.width), INT(l.height), INT(l.depth));
    return results;
}

/* A sum's pair; what infinity lost in rounding is not a number. */
static double sum_of(const float *pair)
{
    return isfinite(pair[1]) ? (double)pair[0] + pair[1] : pair[0];
}

static void fill_sums(const float *found, const int32_t extent[3], double *cell)
{
    const double n = (double)extent[0] * extent[1] * extent[2], origin = found[ORIGIN], differences = sum_of(found);
    const float *const weighted[] = {found + 2, found + 4, found + SUM_Z};
    const double square = (sum_of(found + 6) - differences * differences / n) / n;
    cell[COLUMN_MINIMUM] = found[TALLY_LOW];
    cell[COLUMN_MAXIMUM] = found[TALLY_LOW + 1];
    cell[COLUMN_PIXELS] = n;
    cell[COLUMN_SUM] = differences + n * origin;
    cell[COLUMN_MEAN] = cell[COLUMN_SUM] / n;
    cell[COLUMN_DEVIATION] = sqrt(square < 0 ? 0 : square);
    for (int axis = 0; axis < 3; axis++) {
        const double middle = (extent[axis] - 1) / 2.0;
        cell[COLUMN_BOX + axis] = 0;
        cell[COLUMN_BOX_END + axis] = extent[axis] - 1;
        cell[COLUMN_BOX_SIZE + axis] = extent[axis];
        cell[COLUMN_POSITIONS + axis] = n * middle;
        cell[COLUMN_CENTROID + axis] = middle;
        cell[COLUMN_WEIGHTED + axis] = sum_of(weighted[axis]) + n * middle * origin;
        cell[COLUMN_MASS_CENTRE + axis] = cell[COLUMN_WEIGHTED + axis] / cell[COLUMN_SUM];
    }
}

/* The corner that is farthest from a point; 0 if the point is nowhere. */
static double farthest(const double *point, const int32_t extent[3])
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double far = fmax(fabs(point[axis]), fabs(extent[axis] - 1 - point[axis]));
        square += far * far;
    }
    return fmax(0, sqrt(square));
}

static void fill_distances(const float *sums, int64_t groups, const int32_t extent[3], double *cell)
{
    static const int centre[] = {COLUMN_MASS_CENTRE, COLUMN_CENTROID};
    for (int i = 0; i < 2; i++) {
        double *out = cell + COLUMN_DISTANCES + 4 * i;
        out[0] = 0;
        for (int64_t g = 0; g < groups; g++)
            out[0] += sum_of(sums + 4 * g + 2 * i);
        out[1] = out[0] / cell[COLUMN_PIXELS];
        out[2] = farthest(cell + centre[i], extent);
        out[3] = out[2] / out[1];
    }
}

static void plan(drua_plan *p)
{
    drua_view source = plan_image(p, "source");
    const drua_layout l = source.layout;
    const int32_t extent[] = {l.width, l.height, l.depth};
    int64_t groups = drua_layout_count(&l) / (64 * GROUP) + 1;
    groups = groups < MOST_GROUPS ? groups : MOST_GROUPS;
    const size_t bytes = (size_t)(DISTANCES + 4 * groups) * sizeof(float);
    float *found = plan_host(p, bytes);
    double cells[STATISTICS_COLUMNS] = {0};
    plan_read(p, send(p, source, groups), found, bytes);
    if (plan_failed(p))
        return;
    fill_sums(found, extent, cells);
    fill_distances(found + DISTANCES, groups, extent, cells);
    plan_set_table(p, statistics_headings, STATISTICS_COLUMNS, cells, 1);
}

const drua_op drua_op_statistics_of_image = {
    .name = "statistics_of_image",
    .category = "measurement",
    .summary = "Measures position and intensity of the whole image; one table row.",
    .source = "sums in a fixed order, then moments of a population; columns as ImageJ and CLIJ2 name them",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image whose intensities are measured"), DRUA_TABLE_OUT("table", "one row, 36 columns")),
    DRUA_ALIASES("CLIJ2 statisticsOfImage: source"),
    .numeric = DRUA_DEVICE,
    .plan = plan,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of statistics_of_labelled_pixels for an image that is one label. The box is known, so one pass over the
 * pixels is enough.
 */
#include "../labels/statistics.h"
#include "distances.h"
#include "reduction.h"

static void fill_sums(const float *found, const int32_t extent[3], double *cell)
{
    const double n = (double)extent[0] * extent[1] * extent[2], origin = found[REDUCTION_ORIGIN],
                 differences = reduce_pair(found);
    const float *const weighted[] = {found + REDUCTION_SUM_X, found + REDUCTION_SUM_Y, found + REDUCTION_SUM_Z};
    const double square = (reduce_pair(found + REDUCTION_SQUARES) - differences * differences / n) / n;
    cell[COLUMN_MINIMUM] = found[REDUCTION_LOW];
    cell[COLUMN_MAXIMUM] = found[REDUCTION_LOW + 1];
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
        cell[COLUMN_WEIGHTED + axis] = reduce_pair(weighted[axis]) + n * middle * origin;
        cell[COLUMN_MASS_CENTRE + axis] = cell[COLUMN_WEIGHTED + axis] / cell[COLUMN_SUM];
    }
}

/* Distance from a point to the farthest corner; 0 if the point is NaN. */
static double farthest_corner(const double *point, const int32_t extent[3])
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double far = fmax(fabs(point[axis]), fabs(extent[axis] - 1 - point[axis]));
        square += far * far;
    }
    return fmax(0, sqrt(square));
}

static void fill_distances(const double *to, int first, const int32_t extent[3], double *cell)
{
    double *out = cell + first;
    out[1] = out[0] / cell[COLUMN_PIXELS];
    out[2] = farthest_corner(to, extent);
    out[3] = out[2] / out[1];
}

static void launch_statistics_of_image(drua_plan *p)
{
    const drua_view source = plan_image(p, "source");
    const drua_layout l = source.layout;
    const double middle[] = {(l.width - 1) / 2.0, (l.height - 1) / 2.0, (l.depth - 1) / 2.0};
    enum { TO_MASS = COLUMN_DISTANCES, TO_MIDDLE = COLUMN_DISTANCES + 4 };
    float found[REDUCTION_POSITIONS] = {0};
    double cells[STATISTICS_COLUMNS] = {0};
    const drua_view results = reduce_positions(p, source, true);
    if (!plan_failed(p))
        cells[TO_MIDDLE] = distances_to(middle, l.extent); /* on the host, while the device reduces the image */
    plan_read(p, results, found, sizeof found);
    if (plan_failed(p))
        return;
    fill_sums(found, l.extent, cells);
    if (drua_type_is_wide_integer((drua_type)l.type)) {
        const reduction exact = reduction_integer_extremes(p, source, (drua_view){0});
        cells[COLUMN_MINIMUM] = exact.low;
        cells[COLUMN_MAXIMUM] = exact.high;
    }
    cells[TO_MASS] = distances_to(cells + COLUMN_MASS_CENTRE, l.extent);
    fill_distances(cells + COLUMN_MASS_CENTRE, TO_MASS, l.extent, cells);
    fill_distances(middle, TO_MIDDLE, l.extent, cells);
    plan_set_table(p, statistics_headings, STATISTICS_COLUMNS, cells, 1);
}

DRUA_OP(statistics_of_image) = {
    .name = "statistics_of_image",
    .category = "measurement",
    .summary = "Measures position and intensity of the whole image; one table row.",
    .source = "sums in a fixed order, then moments of a population; columns as ImageJ and CLIJ2 name them",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image whose intensities are measured"),
                DRUA_TABLE_OUT("table", "one row, 36 columns")),
    DRUA_ALIASES("CLIJ2 statisticsOfImage: source"),
    .numeric = DRUA_DEVICE,
    .launch = launch_statistics_of_image,
};

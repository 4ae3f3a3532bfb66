/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of voxels and names of units for measure_labels and measure_label_pairs. */
#include "measure_labels.h"

#include <stdio.h>
#include <string.h>

bool measure_voxels(drua_plan *p, const char *image, double size[3])
{
    double given[3];
    const bool pixels = plan_setting(p, "options", "units") != 0;
    bool known = plan_voxel_size(p, image, size), all = true;
    plan_setting_numbers(p, "options", "voxel", given);
    for (int axis = 0; axis < 3; axis++) {
        if (given[axis] > 0)
            size[axis] = given[axis];
        if (pixels)
            size[axis] = 1;
        all = all && given[axis] > 0;
    }
    return known || all || pixels;
}

/* The unit in an image's metadata, or "". A unit that would divide the headings of a file is left out. */
static void find_unit(drua_plan *p, const char *image, char unit[MEASURE_UNIT])
{
    char text[DRUA_SETTING_TEXT];
    plan_voxel_unit(p, image, text);
    const bool usable = strlen(text) < MEASURE_UNIT && !strpbrk(text, ",\"") && strncmp(text, "pixel", 5) != 0;
    snprintf(unit, MEASURE_UNIT, "%.*s", MEASURE_UNIT - 1, usable ? text : "");
}

void measure_unit(drua_plan *p, const char *image, const char *other, char unit[MEASURE_UNIT])
{
    double size[3];
    *unit = 0;
    if (plan_setting(p, "options", "units_in_headings") == 0)
        return;
    const bool known = measure_voxels(p, image, size) || (other && measure_voxels(p, other, size)),
               pixels = plan_setting(p, "options", "units") != 0;
    if (known && !pixels)
        find_unit(p, image, unit);
    if (known && !pixels && !*unit && other)
        find_unit(p, other, unit);
    if (!*unit)
        snprintf(unit, MEASURE_UNIT, size[0] == 1 && size[1] == 1 && size[2] == 1 ? "pixel" : "unit");
}

enum { ANGLE = -1 };

/* The power of the unit of length in which a column is measured, ANGLE, or 0 for a number without a unit. */
static int power_of(const char *heading)
{
    static const struct {
        const char *start;
        int power;
    } columns[] = {{"AREA", 2},
                   {"AVERAGE_THICKNESS", 1},
                   {"BOX_", 1},
                   {"BOX_AREA", 2},
                   {"BOX_VOLUME", 3},
                   {"CENTROID_", 1},
                   {"CONTACT_AREA", 2},
                   {"CONTACT_LENGTH", 1},
                   {"CONVEX_AREA", 2},
                   {"CONVEX_VOLUME", 3},
                   {"ELLIPSE_RADIUS", 1},
                   {"ELLIPSOID_PHI", ANGLE},
                   {"ELLIPSOID_PSI", ANGLE},
                   {"ELLIPSOID_RADIUS", 1},
                   {"ELLIPSOID_THETA", ANGLE},
                   {"EQUIVALENT_DIAMETER", 1},
                   {"FERET_", 1},
                   {"FILLED_AREA", 2},
                   {"FILLED_VOLUME", 3},
                   {"GEODESIC_DIAMETER", 1},
                   {"GEODESIC_X", 1},
                   {"GEODESIC_Y", 1},
                   {"GEODESIC_Z", 1},
                   {"HULL_AREA", 2},
                   {"HULL_PERIMETER", 1},
                   {"HULL_SURFACE_AREA", 2},
                   {"HULL_VOLUME", 3},
                   {"INSCRIBED_", 1},
                   {"MASS_CENTER_", 1},
                   {"MEAN_BREADTH", 1},
                   {"ORIENTED_BOX_", 1},
                   {"PERIMETER", 1},
                   {"SKELETON_LENGTH", 1},
                   {"SURFACE_AREA", 2},
                   {"VOLUME", 3}};
    const char *orders = strstr(heading, "MOMENT_"), *angle = strstr(heading, "_ANGLE");
    int power = 0;
    if (angle && !angle[strlen("_ANGLE")])
        return ANGLE;
    for (orders = orders ? orders + strlen("MOMENT_") : ""; *orders; orders++)
        power += 1 + *orders - '0'; /* of the size of a pixel, and of a position */
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (!strncmp(heading, columns[i].start, strlen(columns[i].start)))
            power = columns[i].power;
    return power;
}

void measure_heading(const char *prefix, const char *heading, const char *unit, char text[MEASURE_HEADING])
{
    const int power = *unit ? power_of(heading) : 0;
    if (power == ANGLE)
        snprintf(text, MEASURE_HEADING, "%s%s (degree)", prefix, heading);
    else if (power > 1)
        snprintf(text, MEASURE_HEADING, "%s%s (%s^%d)", prefix, heading, unit, power);
    else if (power == 1)
        snprintf(text, MEASURE_HEADING, "%s%s (%s)", prefix, heading, unit);
    else
        snprintf(text, MEASURE_HEADING, "%s%s", prefix, heading);
}

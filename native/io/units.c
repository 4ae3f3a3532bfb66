/* SPDX-License-Identifier: BSD-3-Clause */
/* OME-Zarr uses the long unit names of UDUNITS-2; ImageJ uses short ones. */
#include "multiscales.h"

#include "imagej.h"

#include <string.h>

static const struct { const char *udunits, *imagej; double metres;
} lengths[] = {{"micrometer", "\302\265m", 1e-6}, {"nanometer", "nm", 1e-9},   {"millimeter", "mm", 1e-3},
               {"centimeter", "cm", 1e-2},        {"meter", "m", 1},           {"kilometer", "km", 1e3},
               {"picometer", "pm", 1e-12},        {"femtometer", "fm", 1e-15}, {"angstrom", "\303\205", 1e-10},
               {"inch", "inch", 0.0254},          {"foot", "ft", 0.3048},      {"decimeter", "dm", 0.1}};

/* Other unit spellings in files of ImageJ and N5 programs. */
static const struct { const char *other, *imagej;
} spellings[] = {{"um", "\302\265m"},
                 {"micron", "\302\265m"},
                 {"microns", "\302\265m"},
                 {"micrometre", "\302\265m"},
                 {"\316\274m", "\302\265m"},
                 {"nanometre", "nm"},
                 {"millimetre", "mm"},
                 {"metre", "m"},
                 {"centimetre", "cm"},
                 {"inches", "inch"},
                 {"in", "inch"},
                 {"A", "\303\205"},
                 {"pixel", ""},
                 {"pixels", ""}};

static const struct { const char *name; double seconds;
} times[] = {{"second", 1},  {"millisecond", 1e-3}, {"microsecond", 1e-6}, {"nanosecond", 1e-9},
             {"minute", 60}, {"hour", 3600},        {"day", 86400},        {"s", 1},
             {"sec", 1},     {"ms", 1e-3},          {"min", 60},           {"h", 3600},
             {"ns", 1e-9},   {"us", 1e-6},          {"\302\265s", 1e-6},  {"d", 86400}};

const char *drua_unit_to_imagej(const char *unit)
{
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (!strcmp(unit, lengths[i].udunits))
            return lengths[i].imagej;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (!strcmp(unit, spellings[i].other))
            return spellings[i].imagej;
    return unit;
}

const char *drua_unit_from_imagej(const char *unit)
{
    const char *usual = drua_unit_to_imagej(unit);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (!strcmp(usual, lengths[i].imagej))
            return lengths[i].udunits;
    return usual;
}

double drua_seconds_of_unit(const char *unit)
{
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (!strcmp(unit, times[i].name))
            return times[i].seconds;
    return 0;
}

static double metres_of(const char *unit)
{
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (!strcmp(unit, lengths[i].imagej))
            return lengths[i].metres;
    return 0;
}

double drua_unit_factor(const char *from, const char *to)
{
    const double to_metres = metres_of(to);
    return !strcmp(from, to) ? 1 : to_metres > 0 ? metres_of(from) / to_metres : 0;
}

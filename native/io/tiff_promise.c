/* SPDX-License-Identifier: BSD-3-Clause */
/* Text formats: ImageJ's FileInfo, tifffile's JSON, and the OME schema 2016-06 (elements Pixels and TiffData). */
#include "tiff_promise.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- tifffile: the extents of all pages, as in {"shape": [12, 512, 512]} */

static double promised_by_shape(const char *text, double page)
{
    static const char KEY[] = "\"shape\": [";
    double all = 1;
    char *at = *text == '{' ? strstr(text, KEY) : NULL, *end;
    if (!at)
        return 1;
    at += strlen(KEY);
    for (double extent = strtod(at, &end); end != at; extent = strtod(at, &end)) {
        all *= extent;
        at = end + strspn(end, ", ");
    }
    return *at == ']' && isfinite(all) && fmod(all, page) == 0 ? all / page : 1;
}

/* ---- OME-TIFF */

/* Returns the number in an attribute of the XML element that begins at `element`; `otherwise` if it has none. */
static double attribute(const char *element, const char *name, double otherwise)
{
    const size_t length = strlen(name), end = strcspn(element, ">");
    for (const char *at = strstr(element, name); at && at < element + end; at = strstr(at + 1, name)) {
        const bool whole = at[-1] == ' ' || at[-1] == '\n' || at[-1] == '\t' || at[-1] == '\r';
        if (whole && at[length] == '=' && (at[length + 1] == '"' || at[length + 1] == '\''))
            return atof(at + length + 2);
    }
    return otherwise;
}

/* Returns the planes that the TiffData elements before `end` list; one without any attribute lists all of them. */
static double listed_planes(const char *from, const char *end, double all)
{
    static const char ELEMENT[] = "TiffData";
    double listed = 0;
    for (const char *at = strstr(from, ELEMENT); at && at < end; at = strstr(at + 1, ELEMENT)) {
        const char next = at[strlen(ELEMENT)];
        if (at[-1] == '/' || next == 's' || at[-1] == '"')
            continue;
        listed += attribute(at, "PlaneCount", next == '/' || next == '>' ? all : 1);
    }
    return listed;
}

static double promised_by_ome(const char *text, int samples)
{
    static const char ELEMENT[] = "Pixels ", CLOSING[] = "Pixels>";
    double promised = 0;
    const bool other_files = strstr(text, "FileName=") != NULL;
    if (other_files || !strstr(text, "<OME") || !strstr(text, "openmicroscopy.org"))
        return 1;
    for (const char *at = strstr(text, ELEMENT); at; at = strstr(at + 1, ELEMENT)) {
        const char *end = strstr(at, CLOSING);
        const double all = attribute(at, "SizeZ", 1) * attribute(at, "SizeT", 1) * attribute(at, "SizeC", 1) / samples;
        promised += end ? fmin(all, listed_planes(at, end, all)) : 0;
    }
    return isfinite(promised) ? promised : 1;
}

double drua_tiff_promised(const char *text, uint32_t width, uint32_t height, int samples)
{
    return fmax(promised_by_shape(text, (double)width * (double)height * samples), promised_by_ome(text, samples));
}

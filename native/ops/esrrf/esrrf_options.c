/* SPDX-License-Identifier: BSD-3-Clause */
#include "esrrf_options.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64, MOST_WORDS = 6 };

/* A setting is a number in a range, whole or not, or one of a few words. */
typedef struct setting {
    const char *name;
    double least, most;
    bool whole;
    const char *words[MOST_WORDS];
} setting;

enum { MAGNIFICATION, RADIUS, SENSITIVITY, FRAMES, PROJECTION, INTENSITY, MACRO_PIXELS, REGISTRATION, SETTINGS };

static const setting settings[SETTINGS] = {
    [MAGNIFICATION] = {"magnification", 1, 20, true, {0}},
    [RADIUS] = {"radius", 0.1, 20, false, {0}},
    [SENSITIVITY] = {"sensitivity", 0.1, 100, false, {0}},
    [FRAMES] = {"frames_per_timepoint", 0, 2147483647, true, {0}},
    [PROJECTION] = {"projection", 0, 0, false, {"AVG", "VAR", "TAC2", "all", "frames"}},
    [INTENSITY] = {"intensity_weighting", 0, 0, false, {"false", "true", "0", "1"}},
    [MACRO_PIXELS] = {"macro_pixel_correction", 0, 0, false, {"false", "true", "0", "1"}},
    [REGISTRATION] = {"registration", 0, 0, false, {"registered", "nanopyx", "nanoj"}},
};

static bool same(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        a++, b++;
    return *a == *b;
}

static int find(drua_plan *p, const char *name)
{
    for (int i = 0; i < SETTINGS; i++)
        if (same(settings[i].name, name))
            return i;
    plan_fail(p, "options has no '%s'; it takes magnification, radius, sensitivity, frames_per_timepoint, projection, "
                 "intensity_weighting, macro_pixel_correction and registration", name);
    return -1;
}

static double word(drua_plan *p, const setting *s, const char *value)
{
    char list[LONGEST * MOST_WORDS] = "";
    for (int i = 0; i < MOST_WORDS && s->words[i]; i++) {
        if (same(s->words[i], value))
            return i;
        strcat(strcat(list, i ? ", " : ""), s->words[i]);
    }
    plan_fail(p, "%s in options must be one of %s, got '%s'", s->name, list, value);
    return 0;
}

static double number(drua_plan *p, const setting *s, const char *value)
{
    char *end;
    double result = strtod(value, &end);
    if (end == value || *end || !(result >= s->least && result <= s->most) || (s->whole && result != floor(result)))
        plan_fail(p, "%s in options must be %s %.10g to %.10g, got '%s'", s->name, s->whole ? "a whole number from" : "a number from",
                  s->least, s->most, value);
    return result;
}

/* The next word of the text, cut off where it is longer than any setting. */
static const char *next(const char *text, char *out)
{
    size_t length = 0;
    while (isspace((unsigned char)*text) || *text == ',')
        text++;
    for (; *text && !isspace((unsigned char)*text) && *text != ','; text++)
        if (length + 1 < 2 * LONGEST)
            out[length++] = *text;
    out[length] = 0;
    return text;
}

esrrf_options esrrf_read_options(drua_plan *p)
{
    double value[SETTINGS] = {[MAGNIFICATION] = 5, [RADIUS] = 1.5, [SENSITIVITY] = 1, [INTENSITY] = 1, [MACRO_PIXELS] = 1};
    char part[2 * LONGEST];
    for (const char *text = next(plan_text(p, "options"), part); *part && !plan_failed(p); text = next(text, part)) {
        char *equals = strchr(part, '=');
        if (!equals) {
            plan_fail(p, "options must be name=value words, got '%s'", part);
            break;
        }
        *equals = 0;
        int i = find(p, part);
        if (i >= 0)
            value[i] = *settings[i].words ? word(p, &settings[i], equals + 1) : number(p, &settings[i], equals + 1);
    }
    return (esrrf_options){.magnification = (int)value[MAGNIFICATION],
                           .radius = value[RADIUS],
                           .sensitivity = value[SENSITIVITY],
                           .frames_per_timepoint = (int64_t)value[FRAMES],
                           .projection = (esrrf_projection)value[PROJECTION],
                           .intensity_weighting = (int)value[INTENSITY] % 2 == 1,
                           .macro_pixel_correction = (int)value[MACRO_PIXELS] % 2 == 1,
                           .registration = (esrrf_registration)value[REGISTRATION]};
}

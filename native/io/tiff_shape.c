/* SPDX-License-Identifier: BSD-3-Clause */
#include "tiff_shape.h"

#include "alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_AXES = 16 };

typedef struct stated_shape {
    int count; /* 0: the text states no shape */
    double extent[MAX_AXES]; /* of all axes, rows and pixels included */
    char axes[MAX_AXES + 1]; /* a letter for each extent; "": the text names no axes */
} stated_shape;

/* Returns the first extent in a text such as {"shape": [3, 13, 19]} or, of early releases, shape=(3, 13, 19). */
static const char *find_extents(const char *text)
{
    static const char OLD[] = "shape=(", KEY[] = "\"shape\":";
    if (!strncmp(text, OLD, strlen(OLD)))
        return text + strlen(OLD);
    const char *at = *text == '{' ? strstr(text, KEY) : NULL;
    if (at)
        at += strlen(KEY) + strspn(at + strlen(KEY), " ");
    return at && *at == '[' ? at + 1 : NULL;
}

static stated_shape parse_shape(const char *text)
{
    static const char AXES[] = "\"axes\": \"";
    stated_shape s = {0};
    const char *at = find_extents(text), *axes = at ? strstr(text, AXES) : NULL;
    char *end;
    if (!at)
        return s;
    for (double extent = strtod(at, &end); end != at && s.count < MAX_AXES; extent = strtod(at, &end)) {
        s.extent[s.count++] = extent;
        at = end + strspn(end, ", ");
    }
    if (*at != ']' && *at != ')')
        s.count = 0;
    const char *letters = axes ? axes + strlen(AXES) : "";
    const size_t count = strcspn(letters, "\"");
    if (count == (size_t)s.count)
        memcpy(s.axes, letters, count);
    return s;
}

double drua_tiff_promised_by_shape(const drua_tiff *t, const char *text)
{
    const double values = (double)t->width * (double)t->height * t->samples;
    const stated_shape s = parse_shape(text);
    double all = 1;
    for (int i = 0; i < s.count; i++)
        all *= s.extent[i];
    return s.count && isfinite(all) && fmod(all, values) == 0 ? all / values : 1;
}

/* The axes of pages: those before rows, pixels and colours. */
typedef struct page_axes {
    int count; /* axes with more than one page */
    int64_t extent[MAX_AXES];
    char letter[MAX_AXES]; /* 0: not stated */
} page_axes;

static page_axes axes_of_pages(const drua_tiff *t, const stated_shape *s)
{
    page_axes p = {0};
    const int pages = s->count - (t->samples > 1 ? 3 : 2);
    for (int i = 0; i < pages; i++)
        if (s->extent[i] > 1) {
            p.extent[p.count] = (int64_t)fmin(s->extent[i], (double)INT32_MAX);
            p.letter[p.count++] = s->axes[i];
        }
    return p;
}

/* Returns 0 for channels, 1 for slices, 2 for frames, -1 for other axes. */
static int axis_of(char letter)
{
    static const char letters[] = "CZT";
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found ? (int)(found - letters) : -1;
}

/* Returns whether each axis is a different one of channels, slices and frames. */
static bool are_all_named(const page_axes *p)
{
    for (int i = 0; i < p->count; i++)
        if (axis_of(p->letter[i]) < 0 || memchr(p->letter, p->letter[i], (size_t)i))
            return false;
    return true;
}

/* Fills the list of pages for each plane in ImageJ's order, in which channels change fastest and frames slowest. */
static drua_status order_pages(drua_tiff *t, const page_axes *p)
{
    const drua_imagej *a = &t->about;
    int64_t step[3] = {0}, pages = 1; /* between channels, slices, frames */
    for (int i = p->count - 1; i >= 0; i--) {
        step[axis_of(p->letter[i])] = pages;
        pages *= p->extent[i];
    }
    t->page_of = drua_alloc((size_t)pages * sizeof *t->page_of);
    if (!t->page_of)
        return drua_fail_memory((size_t)pages * sizeof *t->page_of);
    bool usual = true;
    for (int64_t i = 0; i < pages; i++) {
        const int64_t c = i % a->channels, z = i / a->channels % a->slices, f = i / a->channels / a->slices;
        t->page_of[i] = (int32_t)(c * step[0] + z * step[1] + f * step[2]);
        usual = usual && t->page_of[i] == i;
    }
    if (usual) {
        drua_free(t->page_of);
        t->page_of = NULL;
    }
    return DRUA_OK;
}

drua_status drua_tiff_follow_shape(drua_tiff *t, const char *text)
{
    const stated_shape s = parse_shape(text);
    const page_axes p = axes_of_pages(t, &s);
    t->has_axes = p.count > 1 || p.letter[0] == 'C' || p.letter[0] == 'T';
    if (p.count < 1 || drua_tiff_promised_by_shape(t, text) != (double)t->pages)
        return DRUA_OK;
    if (!are_all_named(&p)) {
        t->axes_unknown = p.count > 1;
        return DRUA_OK;
    }
    int64_t *const counts[] = {&t->about.channels, &t->about.slices, &t->about.frames};
    for (int i = 0; i < p.count; i++)
        *counts[axis_of(p.letter[i])] = p.extent[i];
    return order_pages(t, &p);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* File structure: TIFF Revision 6.0 (Adobe, 1992) and the BigTIFF design (libtiff.gitlab.io/libtiff). */
#include "tiff_chain.h"

#include <stdbool.h>
#include <string.h>

enum { CLASSIC = 42, BIG = 43, METAMORPH_PLANES = 33629, MAX_PAGES = 1 << 24, MAX_ENTRY = 20 };

static const char CUT[] = "is truncated or damaged", CYCLE[] = "is damaged: its directories lead back to each other",
                  MANY[] = "has more than 16777216 directories, so it is probably damaged"; /* MAX_PAGES */

/* A list of offsets or lengths of strips or tiles. */
typedef struct list {
    uint64_t at, count;
    int bytes; /* of a number */
} list;

typedef struct walk {
    drua_store_file *file;
    uint64_t at; /* offset of the next read */
    uint64_t bytes; /* length of the file */
    bool little, big;
    list offsets, lengths; /* of the current directory */
    uint64_t link; /* offset of the last directory's link */
    uint64_t directory; /* bytes of the last directory */
    uint64_t end; /* of all directories, their values and the pixels */
} walk;

static uint64_t integer_of_bytes(const walk *w, const unsigned char *from, int size)
{
    uint64_t n = 0;
    for (int i = 0; i < size; i++)
        n = n << 8 | from[w->little ? size - 1 - i : i];
    return n;
}

static bool read_bytes(walk *w, unsigned char *to, size_t size)
{
    if (!drua_store_file_read(w->file, w->at, to, size))
        return false;
    w->at += size;
    return true;
}

static bool go_to(walk *w, uint64_t at)
{
    w->at = at;
    return at < w->bytes;
}

static void add_part(drua_tiff_chain *chain, uint64_t at)
{
    if (chain->pages == 0 && chain->part_count < DRUA_TIFF_PARTS)
        chain->parts[chain->part_count++] = at;
}

static bool read_number(walk *w, int size, uint64_t *n)
{
    unsigned char raw[8];
    if (!read_bytes(w, raw, (size_t)size))
        return false;
    *n = integer_of_bytes(w, raw, size);
    return true;
}

static int type_bytes(uint64_t type)
{
    static const int bytes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
    return type < sizeof bytes / sizeof *bytes ? bytes[type] : 0;
}

/*
 * Returns whether Drua needs a tag: without it, pixels, axes, scale, colours or labels would be wrong. Broken offsets
 * in other tags, which some programs write, do no harm.
 */
static bool is_used(uint64_t tag)
{
    static const uint16_t tags[] = {258, 270, 273, 279, 282, 283, 320, 324, 325, 339, 50838, 50839};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tag == tags[i])
            return true;
    return false;
}

/* Moves w->end to the end of these bytes, if they lie inside the file and end later. */
static void keep_end(walk *w, uint64_t at, uint64_t bytes)
{
    if (at <= w->bytes && bytes <= w->bytes - at && at + bytes > w->end)
        w->end = at + bytes;
}

/*
 * Moves w->end to the end of the entry's values, and notes the lists of strips or tiles. `field` is the offset of the
 * entry's last field. The value of a text does not move w->end: its bytes may be reserved zeros that were never
 * written.
 */
static void keep_values(walk *w, const unsigned char *entry, uint64_t field, uint64_t at, uint64_t count)
{
    enum { TEXT = 2 };
    const uint64_t tag = integer_of_bytes(w, entry, 2), type = integer_of_bytes(w, entry + 2, 2);
    const int bytes = type_bytes(type);
    const bool inside = bytes && count <= (uint64_t)((w->big ? 8 : 4) / bytes);
    if (bytes && !inside && type != TEXT && count <= w->bytes)
        keep_end(w, at, count * (uint64_t)bytes);
    const list values = {inside ? field : at, bytes ? count : 0, bytes};
    if (tag == 273 || tag == 324)
        w->offsets = values;
    if (tag == 279 || tag == 325)
        w->lengths = values;
}

/* Notes an entry's values. Returns false if Drua needs them and they do not lie inside the file. */
static bool entry_is_whole(walk *w, const unsigned char *entry, drua_tiff_chain *chain)
{
    const int wide = w->big ? 8 : 4, bytes = type_bytes(integer_of_bytes(w, entry + 2, 2));
    const uint64_t tag = integer_of_bytes(w, entry, 2), count = integer_of_bytes(w, entry + 4, wide),
                   at = integer_of_bytes(w, entry + 4 + wide, wide);
    keep_values(w, entry, w->at - (uint64_t)wide, at, count);
    if (tag == METAMORPH_PLANES && chain->pages == 0 && count > 1 && count <= MAX_PAGES)
        chain->planes = (int64_t)count;
    if (!is_used(tag) || bytes == 0 || count <= (uint64_t)(wide / bytes))
        return true;
    add_part(chain, at);
    return at < w->bytes && count <= (w->bytes - at) / (uint64_t)bytes;
}

/* Reads the directory at offset `at`, and the offset of the next one. */
static bool read_directory(walk *w, uint64_t at, drua_tiff_chain *chain, uint64_t *next)
{
    unsigned char entry[MAX_ENTRY];
    uint64_t count;
    w->offsets = w->lengths = (list){.at = 0};
    if (!go_to(w, at) || !read_number(w, w->big ? 8 : 2, &count) || count == 0)
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!read_bytes(w, entry, w->big ? 20 : 12) || !entry_is_whole(w, entry, chain))
            return false;
    w->link = w->at;
    w->directory = w->at - at;
    const bool good = read_number(w, w->big ? 8 : 4, next);
    keep_end(w, at, w->at - at);
    return good;
}

/* Moves w->end to the end of the pixels of the current directory. */
static bool keep_pixels(walk *w)
{
    const uint64_t strips = w->offsets.count < w->lengths.count ? w->offsets.count : w->lengths.count;
    for (uint64_t i = 0; i < strips; i++) {
        uint64_t at, length;
        if (!go_to(w, w->offsets.at + i * (uint64_t)w->offsets.bytes) || !read_number(w, w->offsets.bytes, &at) ||
            !go_to(w, w->lengths.at + i * (uint64_t)w->lengths.bytes) || !read_number(w, w->lengths.bytes, &length))
            return false;
        keep_end(w, at, length);
    }
    return true;
}

/* Returns whether all bytes are 0 from an offset to the end of the file. */
static bool is_zero_from(walk *w, uint64_t at)
{
    unsigned char bytes[4096];
    for (w->at = at; w->at < w->bytes;) {
        const uint64_t left = w->bytes - w->at, size = left < sizeof bytes ? left : sizeof bytes;
        if (!read_bytes(w, bytes, (size_t)size))
            return false;
        for (uint64_t i = 0; i < size; i++)
            if (bytes[i])
                return false;
    }
    return true;
}

/*
 * If all bytes from the last link to the end of the file are 0, returns how many of them no directory refers to.
 * Returns 0 if they are fewer than a directory has. An interrupted program leaves such bytes if it reserves disk space
 * before it writes. The missing link to the next directory is 0, too, and looks like the end of the chain.
 */
static uint64_t count_unwritten(walk *w, uint64_t first)
{
    drua_tiff_chain ignored = {.pages = 1};
    const uint64_t link = w->link, least = w->directory;
    if (w->bytes - link <= least || !is_zero_from(w, link))
        return 0;
    for (uint64_t at = first, next; at; at = next)
        if (!read_directory(w, at, &ignored, &next) || !keep_pixels(w))
            return 0;
    return w->bytes - w->end >= least ? w->bytes - w->end : 0;
}

/*
 * Follows the directories to the last one. To detect a cycle, it remembers the latest directory whose number is a power
 * of two; a cycle returns to a remembered directory.
 */
static const char *follow_chain(walk *w, drua_tiff_chain *chain)
{
    uint64_t next = 0, mark = 0;
    if (!read_number(w, w->big ? 8 : 4, &next))
        return CUT;
    const uint64_t first = next;
    add_part(chain, next);
    do {
        const uint64_t at = next;
        if (!read_directory(w, at, chain, &next))
            return CUT;
        chain->pages++;
        if (next && (next == at || next == mark))
            return CYCLE;
        if (next && chain->pages > MAX_PAGES)
            return MANY;
        if ((chain->pages & (chain->pages - 1)) == 0)
            mark = at;
    } while (next);
    chain->unwritten = count_unwritten(w, first);
    return NULL;
}

static const char *read_header(walk *w, drua_tiff_chain *chain)
{
    unsigned char start[2];
    uint64_t version, sizes;
    if (!read_bytes(w, start, 2) || (memcmp(start, "II", 2) && memcmp(start, "MM", 2)))
        return "is not a readable TIFF file";
    w->little = start[0] == 'I';
    if (!read_number(w, 2, &version) || (version != CLASSIC && version != BIG))
        return "is not a readable TIFF file";
    w->big = version == BIG;
    return w->big && !read_number(w, 4, &sizes) ? CUT : follow_chain(w, chain);
}

const char *drua_tiff_follow(drua_store_file *file, drua_tiff_chain *chain)
{
    walk w = {.file = file, .bytes = drua_store_file_info(file)->bytes};
    *chain = (drua_tiff_chain){.pages = 0};
    return read_header(&w, chain);
}

bool drua_tiff_has_part_in(const drua_tiff_chain *chain, uint64_t first, uint64_t end)
{
    for (int i = 0; i < chain->part_count; i++)
        if (chain->parts[i] >= first && chain->parts[i] < end)
            return true;
    return chain->part_count == DRUA_TIFF_PARTS;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "ome_xml.h"

#include "alloc.h"
#include "codec_libraries.h"
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 5, MAX_FILES = 1 << 14, MAX_IMAGES = 1 << 16 };

/* Elements that Drua reads. */
typedef enum element { OTHER, OME, BINARY_ONLY, IMAGE, PIXELS, CHANNEL, PLANE, TIFF_DATA, UUID } element;

typedef struct parsing {
    const char *path, *series;
    const drua_expat *expat;
    XML_Parser parser;
    drua_ome *ome;
    element inside[DEEPEST + 1]; /* the open elements; inside[0] is OTHER */
    int depth;
    drua_ome_file file; /* of the open element UUID */
    drua_status status;
} parsing;

static void stop_parser(parsing *p, drua_status status)
{
    p->status = status;
    p->expat->XML_StopParser(p->parser, XML_FALSE);
}

/*
 * Stops with an error message, unless an earlier problem has set one: "the OME-XML of 'file' <problem>; save the file
 * again".
 */
static DRUA_PRINTF(2, 3) void refuse(parsing *p, const char *problem, ...)
{
    char text[300];
    va_list values;
    if (p->status != DRUA_OK)
        return;
    va_start(values, problem);
    vsnprintf(text, sizeof text, problem, values);
    va_end(values);
    stop_parser(p, drua_fail(DRUA_E_ARGUMENT, "the OME-XML of '%.600s' %s; save the file again", p->path, text));
}

/* ---- attributes */

static const char *find_attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (!strcmp(attributes[0], name))
            return attributes[1];
    return NULL;
}

/* Reads a whole number; a missing one is `otherwise`. */
static int64_t read_integer(parsing *p, const char **attributes, const char *name, int64_t min, int64_t otherwise)
{
    const char *text = find_attribute(attributes, name);
    if (!text)
        return otherwise;
    char *end;
    const long long n = strtoll(text, &end, 10); /* a number beyond its range becomes LLONG_MIN or LLONG_MAX */
    if (end != text && !*end && n >= min && n <= DRUA_OME_MAX)
        return n;
    refuse(p, "has %s=\"%.40s\", which must be a whole number from %lld to %d", name, text, (long long)min,
           DRUA_OME_MAX);
    return otherwise;
}

/* Reads a positive number; any other text is 0, as if it was not stated. */
static double read_positive(const char **attributes, const char *name)
{
    const char *text = find_attribute(attributes, name);
    char *end;
    const double n = text ? strtod(text, &end) : 0;
    return text && end != text && !*end && isfinite(n) && n > 0 ? n : 0;
}

static void copy_unit(const char **attributes, const char *name, const char *otherwise, char to[32])
{
    const char *unit = find_attribute(attributes, name);
    snprintf(to, 32, "%s", unit ? unit : otherwise);
    for (; *to; to++)
        *to = (unsigned char)*to < ' ' ? ' ' : *to;
}

static void read_order(parsing *p, const char *text, drua_ome_axis order[DRUA_OME_AXES])
{
    static const char names[] = "CZT";
    unsigned seen = 0;
    for (int i = 0; i < DRUA_OME_AXES && text && strlen(text) == 5; i++) {
        const char *axis = strchr(names, text[2 + i]);
        order[i] = axis ? (drua_ome_axis)(axis - names) : DRUA_OME_C;
        seen |= axis ? 1U << order[i] : 0;
    }
    if (seen != 7 || strncmp(text, "XY", 2))
        refuse(p, "has DimensionOrder=\"%.40s\", which must be XY followed by Z, C and T in any order",
               text ? text : "");
}

/* ---- elements */

static void read_pixels(parsing *p, const char **attributes)
{
    static const char *const sizes[] = {"SizeC", "SizeZ", "SizeT"};
    drua_ome *ome = p->ome;
    if (ome->has_pixels)
        refuse(p, "has an Image with several Pixels elements");
    ome->has_pixels = true;
    ome->width = read_integer(p, attributes, "SizeX", 1, 0);
    ome->height = read_integer(p, attributes, "SizeY", 1, 0);
    for (int i = 0; i < DRUA_OME_AXES; i++) {
        ome->size[i] = read_integer(p, attributes, sizes[i], 1, 0);
        if (ome->size[i] == 0)
            refuse(p, "lacks %s", sizes[i]);
    }
    const char *order = find_attribute(attributes, "DimensionOrder");
    const bool stack = ome->size[DRUA_OME_C] == 1 && ome->size[DRUA_OME_T] == 1;
    read_order(p, stack && !order ? "XYCZT" : order, ome->order);
    for (int k = 0; k < 3; k++) {
        char name[32];
        snprintf(name, sizeof name, "PhysicalSize%c", "XYZ"[k]);
        ome->scale[k] = read_positive(attributes, name);
        snprintf(name, sizeof name, "PhysicalSize%cUnit", "XYZ"[k]);
        copy_unit(attributes, name, "\302\265m", ome->unit[k]);
    }
    ome->interval = read_positive(attributes, "TimeIncrement");
    copy_unit(attributes, "TimeIncrementUnit", "s", ome->time_unit);
}

/* Makes room for one more entry of a list whose capacity is a power of two; NULL if the memory is full. */
static void *grow_list(parsing *p, void *list, size_t count, size_t size)
{
    if (count & (count - 1))
        return list;
    const size_t bytes = (count ? 2 * count : 1) * size;
    void *grown = drua_realloc(list, bytes);
    if (!grown)
        stop_parser(p, drua_fail_memory(bytes));
    return grown;
}

/* Adds a block. Before 2008, NumPlanes was the name of PlaneCount. */
static void read_block(parsing *p, const char **attributes)
{
    static const char *const firsts[] = {"FirstC", "FirstZ", "FirstT"};
    drua_ome *ome = p->ome;
    drua_ome_block *grown = grow_list(p, ome->blocks, (size_t)ome->block_count, sizeof *ome->blocks);
    if (!grown)
        return;
    ome->blocks = grown;
    drua_ome_block *block = &ome->blocks[ome->block_count++];
    block->file = -1;
    block->page = read_integer(p, attributes, "IFD", 0, -1);
    block->count = read_integer(p, attributes, "PlaneCount", 0, read_integer(p, attributes, "NumPlanes", 0, -1));
    for (int i = 0; i < DRUA_OME_AXES; i++)
        block->first[i] = read_integer(p, attributes, firsts[i], 0, 0);
}

/* Copies an attribute without characters that would end a line. */
static void copy_name(const char **attributes, const char *name, char *to, size_t size)
{
    const char *text = find_attribute(attributes, name);
    drua_copy_start(to, text ? text : "", size);
    for (; *to; to++)
        *to = (unsigned char)*to < ' ' ? ' ' : *to;
}

/* A colour is a signed number of 32 bits: red, green, blue and opacity. */
static void read_channel(parsing *p, const char **attributes)
{
    drua_ome *ome = p->ome;
    const int64_t samples = read_integer(p, attributes, "SamplesPerPixel", 1, 0);
    const char *colour = find_attribute(attributes, "Color");
    char *end;
    if (samples > ome->samples)
        ome->samples = samples;
    drua_ome_channel *grown = grow_list(p, ome->channels, (size_t)ome->channel_count, sizeof *ome->channels);
    if (!grown)
        return;
    ome->channels = grown;
    drua_ome_channel *channel = &ome->channels[ome->channel_count++];
    *channel = (drua_ome_channel){.colour = 0};
    copy_name(attributes, "Name", channel->name, sizeof channel->name);
    const long long number = colour ? strtoll(colour, &end, 10) : 0;
    channel->has_colour = colour && end != colour && !*end && number >= INT32_MIN && number <= UINT32_MAX;
    channel->colour = channel->has_colour ? (uint32_t)number >> 8 : 0;
}

/* Reads the position of the first plane. */
static void read_plane(parsing *p, const char **attributes)
{
    static const char *const axes[] = {"TheC", "TheZ", "TheT"};
    drua_ome *ome = p->ome;
    for (int i = 0; i < DRUA_OME_AXES; i++)
        if (read_integer(p, attributes, axes[i], 0, 0) != 0)
            return;
    for (int k = 0; k < 3; k++) {
        char name[32], *end;
        snprintf(name, sizeof name, "Position%c", "XYZ"[k]);
        const char *text = find_attribute(attributes, name);
        const double number = text ? strtod(text, &end) : 0;
        if (!text || end == text || *end || !isfinite(number))
            continue;
        snprintf(name, sizeof name, "Position%cUnit", "XYZ"[k]);
        ome->position[k] = number;
        copy_unit(attributes, name, "reference frame", ome->position_unit[k]);
    }
}

/* Begins an image and finds out whether it is the chosen one. */
static void read_image(parsing *p, const char **attributes)
{
    drua_ome *ome = p->ome;
    char name[256], *end;
    copy_name(attributes, "Name", name, sizeof name);
    const long long number = strtoll(p->series, &end, 10);
    const bool numbered = end != p->series && !*end;
    if (ome->images == MAX_IMAGES) {
        refuse(p, "has more than %d images", MAX_IMAGES);
        return;
    }
    char **grown = grow_list(p, ome->names, (size_t)ome->images, sizeof *ome->names);
    if (!grown)
        return;
    ome->names = grown;
    if (!(ome->names[ome->images] = drua_copy_text(name))) {
        stop_parser(p, drua_fail_memory(sizeof name));
        return;
    }
    ome->images++;
    if (!ome->chosen && (!*p->series || (numbered ? number == ome->images : !strcmp(p->series, name))))
        ome->chosen = ome->images;
}

static void read_element(parsing *p, element kind, const char **attributes)
{
    const bool chosen = p->ome->images > 0 && p->ome->images == p->ome->chosen;
    if (kind == OME)
        copy_name(attributes, "UUID", p->ome->uuid, sizeof p->ome->uuid);
    if (kind == BINARY_ONLY) {
        p->ome->is_elsewhere = true;
        copy_name(attributes, "MetadataFile", p->ome->elsewhere, sizeof p->ome->elsewhere);
    }
    if (kind == IMAGE)
        read_image(p, attributes);
    if (kind == PIXELS && chosen)
        read_pixels(p, attributes);
    if (kind == CHANNEL && chosen)
        read_channel(p, attributes);
    if (kind == PLANE && chosen)
        read_plane(p, attributes);
    if (kind == TIFF_DATA && chosen)
        read_block(p, attributes);
    if (kind == UUID) {
        *p->file.uuid = 0;
        copy_name(attributes, "FileName", p->file.name, sizeof p->file.name);
    }
}

/* Notes which file holds the pages of the last block. Blocks of one file usually follow each other. */
static void note_file(parsing *p)
{
    drua_ome *ome = p->ome;
    int i = ome->file_count - 1;
    if (ome->images != ome->chosen || !ome->block_count)
        return;
    while (i >= 0 && (strcmp(ome->files[i].name, p->file.name) || strcmp(ome->files[i].uuid, p->file.uuid)))
        i--;
    if (i < 0) {
        drua_ome_file *grown =
            ome->file_count < MAX_FILES ? grow_list(p, ome->files, (size_t)ome->file_count, sizeof *ome->files) : NULL;
        if (!grown) {
            refuse(p, "names more than %d files", MAX_FILES);
            return;
        }
        ome->files = grown;
        i = ome->file_count++;
        ome->files[i] = p->file;
    }
    ome->blocks[ome->block_count - 1].file = i;
}

/* ---- expat */

static element open_element(const parsing *p)
{
    return p->depth <= DEEPEST ? p->inside[p->depth] : OTHER;
}

static void XMLCALL begin_element(void *payload, const char *name, const char **attributes)
{
    static const struct {
        element parent;
        const char *name;
        element kind;
    } known[] = {{OTHER, "OME", OME},       {OME, "BinaryOnly", BINARY_ONLY}, {OME, "Image", IMAGE},
                 {IMAGE, "Pixels", PIXELS}, {PIXELS, "Channel", CHANNEL},     {PIXELS, "TiffData", TIFF_DATA},
                 {PIXELS, "Plane", PLANE},  {TIFF_DATA, "UUID", UUID}};
    parsing *p = payload;
    const char *colon = strchr(name, ':'), *plain = colon ? colon + 1 : name;
    const element parent = open_element(p);
    element kind = OTHER;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].parent == parent && !strcmp(known[i].name, plain) && (parent != OTHER || p->depth == 0))
            kind = known[i].kind;
    if (++p->depth <= DEEPEST)
        p->inside[p->depth] = kind;
    if (p->status == DRUA_OK)
        read_element(p, kind, attributes);
}

static void XMLCALL end_element(void *payload, const char *name)
{
    parsing *p = payload;
    (void)name;
    if (open_element(p) == UUID && p->status == DRUA_OK)
        note_file(p);
    p->depth--;
}

/* Collects the text of the element UUID, which expat delivers in pieces. */
static void XMLCALL add_characters(void *payload, const char *text, int length)
{
    parsing *p = payload;
    const size_t before = strlen(p->file.uuid);
    if (open_element(p) == UUID && before + (size_t)length < sizeof p->file.uuid) {
        memcpy(p->file.uuid + before, text, (size_t)length);
        p->file.uuid[before + (size_t)length] = 0;
    }
}

/* Refuses a document type: OME-XML has none, and its entities could fill the memory. */
static void XMLCALL refuse_document_type(void *payload, const char *name, const char *system, const char *public_name,
                                         int internal)
{
    parsing *p = payload;
    (void)name, (void)system, (void)public_name, (void)internal;
    refuse(p, "has a document type (DOCTYPE), which OME-XML does not allow");
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* Returns the first element of an XML text: skips a byte order mark, the declaration and comments. */
static const char *find_root(const char *text)
{
    text = skip_blanks(text + (strncmp(text, "\357\273\277", 3) ? 0 : 3));
    while (!strncmp(text, "<?", 2) || !strncmp(text, "<!--", 4)) {
        const char *mark = text[1] == '?' ? "?>" : "-->", *end = strstr(text, mark);
        if (!end)
            return "";
        text = skip_blanks(end + strlen(mark));
    }
    return text;
}

bool drua_ome_is_xml(const char *description)
{
    const char *root = find_root(description);
    const size_t length = strcspn(root, " \t\r\n/>");
    const bool named = length >= 4 && !strncmp(root + length - 3, "OME", 3) && strchr("<:", root[length - 4]);
    return *root == '<' && (named || strstr(root, "openmicroscopy.org/Schemas/OME"));
}

bool drua_ome_is_cut(const char *description)
{
    static const char start[] = "<OME";
    const char *root = find_root(description);
    const bool declared = !strncmp(skip_blanks(description), "<?", 2);
    return (declared && !strchr(root, '>')) || (*root && !strncmp(root, start, strlen(root)));
}

/* Fails with the names of all images. */
static void refuse_series(parsing *p)
{
    drua_text names = {0};
    for (int64_t i = 0; i < p->ome->images; i++)
        drua_text_add(&names, "%s%lld '%s'", i ? ", " : "", (long long)i + 1, p->ome->names[i]);
    if (p->status == DRUA_OK)
        p->status = drua_fail(DRUA_E_ARGUMENT, "the file '%.600s' has no series '%.100s'; it has %.600s", p->path,
                              p->series, drua_text_characters(&names));
    drua_text_free(&names);
}

drua_status drua_ome_parse(const char *path, const char *description, const char *series, drua_ome *ome)
{
    *ome = (drua_ome){0};
    const char *start = skip_blanks(description);
    const size_t length = strlen(start);
    parsing p = {.path = path, .series = series, .expat = drua_expat_load(), .ome = ome};
    if (!p.expat)
        return DRUA_E_UNSUPPORTED;
    if (length > INT32_MAX)
        return drua_fail(DRUA_E_ARGUMENT, "the OME-XML of '%.600s' is longer than 2 GB; save the file again", path);
    p.parser = p.expat->XML_ParserCreate(NULL);
    if (!p.parser)
        return drua_fail_memory(1);
    p.expat->XML_SetUserData(p.parser, &p);
    p.expat->XML_SetElementHandler(p.parser, begin_element, end_element);
    p.expat->XML_SetCharacterDataHandler(p.parser, add_characters);
    p.expat->XML_SetStartDoctypeDeclHandler(p.parser, refuse_document_type);
    if (p.expat->XML_Parse(p.parser, start, (int)length, 1) != XML_STATUS_OK)
        refuse(&p, "is damaged in line %lu: %s", (unsigned long)p.expat->XML_GetCurrentLineNumber(p.parser),
               p.expat->XML_ErrorString(p.expat->XML_GetErrorCode(p.parser)));
    if (!ome->is_elsewhere && ome->images && !ome->chosen)
        refuse_series(&p);
    if (!ome->is_elsewhere && !ome->has_pixels)
        refuse(&p, "describes no pixels");
    p.expat->XML_ParserFree(p.parser);
    return p.status;
}

void drua_ome_close(drua_ome *ome)
{
    for (int64_t i = 0; i < ome->images; i++)
        drua_free(ome->names[i]);
    drua_free(ome->names);
    drua_free(ome->files);
    drua_free(ome->channels);
    drua_free(ome->blocks);
    *ome = (drua_ome){0};
}

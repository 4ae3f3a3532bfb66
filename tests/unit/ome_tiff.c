/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests which page of an OME-TIFF is which channel, slice and frame, scales, and texts that must be refused. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 3, HEIGHT = 2, PIXELS = WIDTH * HEIGHT, C = 2, Z = 3, T = 2, PLANES = C * Z * T, LIMIT = 1 << 14 };

static drua_context *context;
static char folder[HARNESS_FOLDER], path[200];

static void open_context(void)
{
    context = harness_open();
    harness_make_folder(folder);
    snprintf(path, sizeof path, "%s/image.ome.tif", folder);
}

static void close_context(void)
{
    remove(path);
    ck_assert_int_eq(rmdir(folder), 0);
    drua_close(context);
}

/* ---- files */

static unsigned char bytes[LIMIT];
static size_t end;

static void add_number(uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        bytes[end++] = (unsigned char)(value >> 8 * i);
}

static void add_entry(int tag, int type, size_t count, size_t value)
{
    add_number((uint64_t)tag, 2);
    add_number((uint64_t)type, 2);
    add_number(count, 4);
    add_number(value, 4);
}

/*
 * Appends a page of `samples` values per pixel, all equal to `value`, after the link at `link`. Returns its own link.
 */
static size_t add_page(size_t link, int value, int samples, size_t text, size_t length, size_t pyramid)
{
    const size_t pixels = end, next = end + (size_t)(PIXELS * samples), before = end;
    memset(bytes + before, value, (size_t)(PIXELS * samples));
    end = link;
    add_number(next, 4);
    end = next;
    add_number(9 + (length > 0) + (pyramid > 0), 2);
    add_entry(256, 3, 1, WIDTH);
    add_entry(257, 3, 1, HEIGHT);
    add_entry(258, 3, 1, 8); /* libtiff takes one number for all samples */
    add_entry(259, 3, 1, 1);
    add_entry(262, 3, 1, samples == 3 ? 2 : 1);
    if (length)
        add_entry(270, 2, length, text);
    add_entry(273, 4, 1, pixels);
    add_entry(277, 3, 1, (size_t)samples);
    add_entry(278, 3, 1, HEIGHT);
    add_entry(279, 4, 1, (size_t)(PIXELS * samples));
    if (pyramid)
        add_entry(330, 4, 1, pyramid);
    const size_t own = end;
    add_number(0, 4);
    return own;
}

/* Writes a file with one page for each value. With a pyramid, each page has a SubIFD with another page. */
static void make_file(const char *text, const unsigned char *values, int pages, int samples, bool pyramid)
{
    const size_t length = strlen(text) + 1, at = 8;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, "II*", 3);
    ck_assert_uint_lt(at + length, LIMIT / 2);
    memcpy(bytes + at, text, length);
    size_t link = 4, below = 0;
    end = at + length + (length & 1);
    if (pyramid) {
        const size_t spare = end;
        end += 4;
        add_page(spare, 250, samples, 0, 0, 0);
        memcpy(&below, bytes + spare, 4);
    }
    for (int p = 0; p < pages; p++)
        link = add_page(link, values[p], samples, at, p ? 0 : length, below);
    FILE *out = fopen(path, "wb");
    ck_assert(out && fwrite(bytes, 1, end, out) == end && fclose(out) == 0);
}

#define ALL "<TiffData/>"
static const char START[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!-- a note --><OME UUID=\"urn:uuid:1\" "
                            "xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image ID=\"Image:0\">",
                  END[] = "</Pixels></Image></OME>";

/* Returns an OME-XML whose element Pixels has these attributes and elements. */
static const char *xml(const char *order, int c, int z, int t, const char *attributes, const char *elements)
{
    static char text[LIMIT / 2];
    const int length = snprintf(text, sizeof text,
                                "%s<Pixels DimensionOrder=\"%s\" Type=\"uint8\" SizeX=\"%d\" SizeY=\"%d\" SizeC=\"%d\" "
                                "SizeZ=\"%d\" SizeT=\"%d\" %s>%s%s",
                                START, order, WIDTH, HEIGHT, c, z, t, attributes, elements, END);
    ck_assert_int_lt(length, (int)sizeof text);
    return text;
}

/* ---- reading */

static unsigned char value_of(int c, int z, int t)
{
    return (unsigned char)(1 + c + 10 * z + 100 * t);
}

/* Every channel and frame must have its slices. */
static void check_planes(int channels, int slices, int frames)
{
    for (int c = 0; c < channels; c++)
        for (int t = 0; t < frames; t++) {
            unsigned char got[PLANES * PIXELS];
            drua_image image;
            drua_image_info info;
            REQUIRE(drua_read_tiff(context, path, c + 1, t + 1, &image));
            REQUIRE(drua_get_info(context, image, &info));
            ck_assert_int_eq(info.shape.depth, slices);
            REQUIRE(drua_pull(context, image, got));
            for (int i = 0; i < slices * PIXELS; i++)
                ck_assert_msg(got[i] == value_of(c, i / PIXELS, t), "channel %d, frame %d, slice %d: %d", c, t,
                              i / PIXELS, got[i]);
            REQUIRE(drua_release(context, image));
        }
}

static void check_image(int channels, int slices, int frames)
{
    check_planes(channels, slices, frames);
    ck_assert_str_eq(drua_take_messages(context), "");
    REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, path, channels + 1, 1, &(drua_image){0}), "channels");
    REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, path, 1, frames + 1, &(drua_image){0}), "frames");
}

static const char *const orders[] = {"XYCZT", "XYCTZ", "XYZCT", "XYZTC", "XYTCZ", "XYTZC"};

/* Gives the values of the planes in an order such as XYZCT. */
static void order_values(const char *order, unsigned char *values)
{
    for (int i = 0; i < PLANES; i++) {
        int rest = i, at[128] = {0};
        for (int k = 2; k < 5; k++) {
            const int size = order[k] == 'C' ? C : order[k] == 'Z' ? Z : T;
            at[(int)order[k]] = rest % size;
            rest /= size;
        }
        values[i] = value_of(at['C'], at['Z'], at['T']);
    }
}

START_TEST(dimension_orders)
{
    for (int i = 0; i < 12; i++) {
        unsigned char values[PLANES];
        order_values(orders[i % 6], values);
        make_file(xml(orders[i % 6], C, Z, T, "", i % 2 ? ALL : ""), values, PLANES, 1, i >= 6);
        check_image(C, Z, T);
    }
}
END_TEST

/* The pages may have any order, and each TiffData names one of them. */
START_TEST(listed_pages)
{
    for (int step = 1; step < 13; step += 2) { /* 1, 5, 7 and 11 have no factor of 12 */
        char list[2000] = "";
        unsigned char values[PLANES + 1] = {0};
        if (step % 3 == 0)
            continue;
        for (int i = 0; i < PLANES; i++) {
            const int page = (i * step + 4) % PLANES, c = i % C, z = i / C % Z, t = i / C / Z;
            const size_t at = strlen(list);
            values[page] = value_of(c, z, t);
            snprintf(list + at, sizeof list - at,
                     "<TiffData FirstC=\"%d\" FirstZ=\"%d\" FirstT=\"%d\" IFD=\"%d\"%s><UUID FileName=\"old.tif\">"
                     "urn:uuid:1</UUID></TiffData>",
                     c, z, t, page, i % 2 ? "" : " PlaneCount=\"1\"");
        }
        for (int extra = 0; extra < 2; extra++) { /* a page that the XML does not list */
            make_file(xml(orders[step % 6], C, Z, T, "", list), values, PLANES + extra, 1, false);
            check_planes(C, Z, T);
            const bool told = strstr(drua_take_messages(context), "does not list 1 of its pages, which are left out");
            ck_assert_int_eq(told, extra);
        }
    }
}
END_TEST

/* One TiffData names several pages, whose planes follow each other in the dimension order. */
START_TEST(listed_blocks)
{
    unsigned char ordered[PLANES], values[PLANES];
    order_values("XYZCT", ordered);
    memcpy(values, ordered + 5, 7); /* planes 5 to 11, then 0 to 4 */
    memcpy(values + 7, ordered, 5);
    make_file(xml("XYZCT", C, Z, T, "",
                  "<TiffData IFD=\"7\" PlaneCount=\"5\"/><TiffData FirstZ=\"2\" FirstC=\"1\" "
                  "PlaneCount=\"7\"/>"),
              values, PLANES, 1, false);
    check_image(C, Z, T);
    make_file(xml("XYZCT", C, Z, T, "",
                  "<TiffData IFD=\"7\" NumPlanes=\"5\"/><TiffData FirstZ=\"2\" FirstC=\"1\" "
                  "NumPlanes=\"7\"/>"),
              values, PLANES, 1, false);
    check_image(C, Z, T);
}
END_TEST

static void check_text(const char *attributes, const char *const *lines)
{
    static const unsigned char values[PLANES] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    drua_image image;
    make_file(xml("XYCZT", C, Z, T, attributes, ALL), values, PLANES, 1, false);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    const char *text;
    REQUIRE(drua_get_metadata(context, image, &text));
    for (; *lines; lines++)
        ck_assert_msg(strstr(text, *lines) != NULL, "'%s' lacks '%s'", text, *lines);
    REQUIRE(drua_release(context, image));
}

START_TEST(scale)
{
    check_text("PhysicalSizeX=\"0.25\" PhysicalSizeY=\"0.5\" PhysicalSizeZ=\"2\" TimeIncrement=\"3\"",
               (const char *const[]){"pixelWidth=0.25\n", "pixelHeight=0.5\n", "pixelDepth=2\n", "unit=\302\265m\n",
                                     "frameInterval=3\n", NULL});
    check_text("PhysicalSizeX=\"250\" PhysicalSizeXUnit=\"nm\" PhysicalSizeY=\"0.25\" PhysicalSizeZ=\"0.001\" "
               "PhysicalSizeZUnit=\"mm\" TimeIncrement=\"40\" TimeIncrementUnit=\"ms\"",
               (const char *const[]){"pixelWidth=250\n", "pixelHeight=250\n", "pixelDepth=1000\n", "unit=nm\n",
                                     "frameInterval=0.04\n", NULL});
    check_text("PhysicalSizeX=\"2\" PhysicalSizeXUnit=\"pixel\" PhysicalSizeY=\"2\" PhysicalSizeYUnit=\"pixel\" "
               "TimeIncrement=\"7\" TimeIncrementUnit=\"moon\"",
               (const char *const[]){"pixelWidth=2\n", "pixelDepth=1\n", "unit=pixel\n", "frameInterval=0\n", NULL});
    check_text("PhysicalSizeX=\"2\" PhysicalSizeZ=\"3\"", /* square pixels */
               (const char *const[]){"pixelWidth=2\n", "pixelHeight=2\n", "pixelDepth=3\n", "unit=\302\265m\n", NULL});
    check_text("PhysicalSizeY=\"5\" PhysicalSizeYUnit=\"mm\"",
               (const char *const[]){"pixelWidth=5\n", "pixelHeight=5\n", "pixelDepth=1\n", "unit=mm\n", NULL});
    check_text("PhysicalSizeX=\"2\" PhysicalSizeY=\"2\" PhysicalSizeYUnit=\"pt\"", /* no common unit */
               (const char *const[]){"pixelWidth=1\n", "pixelHeight=1\n", "unit=pixel\n", NULL});
    check_text("PhysicalSizeX=\"inf\" PhysicalSizeY=\"-1\"",
               (const char *const[]){"pixelWidth=1\n", "pixelHeight=1\n", NULL});
}
END_TEST

/* ---- texts that do not say which planes the pages are */

static void check_refused(const char *text, int pages, int samples, const char *why)
{
    unsigned char values[2 * PLANES];
    for (int i = 0; i < 2 * PLANES; i++)
        values[i] = (unsigned char)(i + 1);
    make_file(text, values, pages, samples, false);
    REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, path, 0, 0, &(drua_image){0}), path, why);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_from_file", NAME(path), NEW, NAME("magnification=2")), why);
}

START_TEST(contradictions)
{
    static const struct {
        const char *elements, *why;
        int pages;
    } files[] = {{ALL, "some planes", 11},
                 {"", "some planes", 11},
                 {ALL, "beyond", 13},
                 {"<TiffData IFD=\"0\"/>", "some planes", 12},
                 {"<TiffData IFD=\"0\" PlaneCount=\"13\"/>", "beyond", 13},
                 {"<TiffData IFD=\"5\" PlaneCount=\"12\"/>", "pages that the file does not have", 12},
                 {"<TiffData PlaneCount=\"12\"/><TiffData IFD=\"3\"/>", "twice", 12},
                 {"<TiffData FirstC=\"2\"/>", "beyond", 12},
                 {"<TiffData IFD=\"-1\"/>", "IFD=\"-1\"", 12},
                 {"<TiffData PlaneCount=\"99999999999999999999\"/>", "PlaneCount", 12},
                 {"<TiffData FirstZ=\"0x1\"/>", "FirstZ", 12},
                 {"<Channel SamplesPerPixel=\"3\"/><TiffData/>", "colour channels", 12},
                 {"<TiffData IFD=\"0\"><UUID FileName=\"b\">urn:uuid:2</UUID></TiffData>", "several files", 12}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        check_refused(xml("XYCZT", C, Z, T, "", files[i].elements), files[i].pages, 1, files[i].why);
    check_refused(xml("XYCZT", 16777216, 16777216, 16777216, "", ALL), 2, 1, "more planes than");
    check_refused(xml("XYCZT", C, 0, T, "", ALL), 12, 1, "SizeZ=\"0\"");
    check_refused(xml("XYCC", C, Z, T, "", ALL), 12, 1, "DimensionOrder=\"XYCC\"");
    check_refused(xml("XYCCT", C, Z, T, "", ALL), 12, 1, "DimensionOrder=\"XYCCT\"");
    check_refused(xml("XYCZT", 6, 2, 1, "", ALL), 4, 3, "several RGB channels");
    check_refused(xml("XYCZT", 2, 2, 1, "", ALL), 4, 3, "colour channels");
}
END_TEST

START_TEST(damaged_texts)
{
    static char text[LIMIT / 2];
    const char *whole = xml("XYCZT", C, Z, T, "", ALL);
    snprintf(text, sizeof text, "%s", whole);
    const size_t first = (size_t)(strstr(text, "xmlns") - text);
    for (size_t length = strlen(text) - 1; length > first + 60; length -= 7) {
        text[length] = 0;
        check_refused(text, PLANES, 1, "is damaged in line 1");
    }
    snprintf(text, sizeof text, "<!DOCTYPE a [<!ENTITY b \"c\">]>%s", strstr(whole, "<OME"));
    check_refused(text, PLANES, 1, "DOCTYPE");
    snprintf(text, sizeof text, "%s</Image></OME>", START);
    check_refused(text, PLANES, 1, "describes no pixels");
    snprintf(text, sizeof text, "%s<Image/></OME>", START);
    check_refused(text, PLANES, 1, "is damaged in line 1");
    check_refused("<OME><BinaryOnly MetadataFile=\"a.companion.ome\" UUID=\"urn:uuid:3\"/></OME>", PLANES, 1,
                  "several files");
}
END_TEST

/* ---- several images, several files */

static void check_box(const char *options, const unsigned char *expected, int64_t count)
{
    unsigned char got[PLANES * PIXELS];
    drua_image_info info;
    drua_argument arguments[] = {NAME(path), NEW, NAME(options)};
    REQUIRE(drua_invoke(context, "read_box", arguments, 3, NULL));
    REQUIRE(drua_get_info(context, arguments[1].image, &info));
    ck_assert_int_eq(info.shape.depth, count);
    REQUIRE(drua_pull(context, arguments[1].image, got));
    for (int i = 0; i < count * PIXELS; i++)
        ck_assert_int_eq(got[i], expected[i / PIXELS]);
    REQUIRE(drua_release(context, arguments[1].image));
}

START_TEST(series)
{
    static const unsigned char values[] = {1, 11, 21, 31, 32};
    static char text[LIMIT / 2];
    const char *first = xml("XYCZT", 1, 3, 1, "", "<TiffData IFD=\"0\" PlaneCount=\"3\"/>");
    drua_image image;
    snprintf(text, sizeof text,
             "%.*s<Image Name=\"se&apos;cond\"><Pixels DimensionOrder=\"XYZCT\" SizeX=\"%d\" SizeY=\"%d\" SizeC=\"2\" "
             "PhysicalSizeX=\"0.5\" "
             "SizeZ=\"1\" SizeT=\"1\"><Channel Name=\"green\" Color=\"16711935\"/><TiffData IFD=\"3\" "
             "PlaneCount=\"2\"/><Plane TheC=\"0\" TheZ=\"0\" TheT=\"0\" PositionX=\"2\" PositionXUnit=\"\302\265m\"/>"
             "</Pixels></Image></OME>",
             (int)(strlen(first) - strlen("</OME>")), first, WIDTH, HEIGHT);
    make_file(text, values, 5, 1, false);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "2 'se'cond'"));
    check_box("", values, 3);
    check_box("series=1", values, 3);
    check_box("series=2", values + 3, 2);
    check_box("series=se'cond channels=2,2 frames=1,1", values + 4, 1);
    drua_argument arguments[] = {NAME(path), NEW, NAME("series=2")};
    REQUIRE(drua_invoke(context, "read_box", arguments, 3, NULL));
    const char *about;
    REQUIRE(drua_get_metadata(context, arguments[1].image, &about));
    ck_assert_ptr_nonnull(strstr(about, "position=2,0,0\n"));
    ck_assert_ptr_nonnull(strstr(about, "{\"label\":\"green\",\"color\":\"00FF00\"},{}"));
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_box", NAME(path), NEW, NAME("series=third")), "no series 'third'",
            "1 '', 2 'se'cond'");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_from_file", NAME(path), NEW, NAME("magnification=2")),
            "holds several images (series)");
}
END_TEST

/* Writes pages to a second file beside the first one; `path` stays that of the first. */
static void make_second(const char *name, const char *text, const unsigned char *values, int pages)
{
    char before[sizeof path];
    memcpy(before, path, sizeof path);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    make_file(text, values, pages, 1, false);
    memcpy(path, before, sizeof path);
}

static void remove_beside(const char *name)
{
    char beside[300];
    snprintf(beside, sizeof beside, "%s/%s", folder, name);
    ck_assert_int_eq(remove(beside), 0);
}

/* Each channel lies in another file; the text of the second one refers to the first. */
START_TEST(several_files)
{
    static const char second[] = "<OME UUID=\"urn:uuid:2\"><BinaryOnly MetadataFile=\"image.ome.tif\" "
                                 "UUID=\"urn:uuid:1\"/></OME>",
                      lists[] = "<TiffData PlaneCount=\"6\" IFD=\"0\"><UUID FileName=\"image.ome.tif\">urn:uuid:1"
                                "</UUID></TiffData><TiffData FirstC=\"1\" PlaneCount=\"6\" IFD=\"0\"><UUID "
                                "FileName=\"b.ome.tif\">urn:uuid:2</UUID></TiffData>";
    unsigned char values[PLANES];
    char before[sizeof path];
    order_values("XYZTC", values);
    make_file(xml("XYZTC", C, Z, T, "", lists), values, 6, 1, false);
    REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, path, 0, 0, &(drua_image){0}), path, "'b.ome.tif' is missing");
    make_second("b.ome.tif", second, values + 6, 6);
    check_image(C, Z, T);
    memcpy(before, path, sizeof path);
    snprintf(path, sizeof path, "%s/b.ome.tif", folder);
    check_image(C, Z, T);
    memcpy(path, before, sizeof path);
    make_second("b.ome.tif", second, values + 6, 5);
    REQUIRE(drua_read_tiff(context, path, 1, 1, &(drua_image){0}));
    REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, path, 2, 2, &(drua_image){0}), "b.ome.tif", "fewer pages");
    remove_beside("b.ome.tif");
}
END_TEST

/* With one channel and one frame, the pages are slices, even if the OME-XML states a different number of slices. */
START_TEST(slices)
{
    static const unsigned char values[] = {1, 11, 21, 31, 41}, turned[] = {21, 11, 1};
    drua_image image;
    const char *text;
    make_file(xml("XYCZT", 1, 5, 1, "", ALL), values, 5, 1, true);
    check_image(1, 5, 1);
    make_file(xml("XYCZT", 1, 4, 1, "PhysicalSizeX=\"3\" PhysicalSizeY=\"3\"", ALL), values, 5, 1, false);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "states 4 images, but the file has 5"));
    make_file(xml("XYCZT", 1, 3, 1, "",
                  "<TiffData IFD=\"2\"/><TiffData IFD=\"1\" FirstZ=\"1\"/><TiffData IFD=\"0\" "
                  "FirstZ=\"2\"/>"),
              turned, 3, 1, false);
    check_image(1, 3, 1);
    make_file(xml("XYCZT", 1, 6, 1, "", ALL), values, 5, 1, false);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "states 6 images, but the file has 5"));
    make_file(xml("XYCZT", 1, 7, 1, "", "<TiffData IFD=\"0\" PlaneCount=\"5\"/>"), values, 5, 1, false);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "states 7 images, but the file has 5"));
    make_file(xml("XYCZT", 3, 2, 1, "", "<Channel SamplesPerPixel=\"3\"/><TiffData/>"), values, 2, 3, false);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    REQUIRE(drua_get_metadata(context, image, &text));
    ck_assert_ptr_nonnull(strstr(text, "rgb=1"));
    make_file("<NOTOME/>", values, 5, 1, false);
    check_image(1, 5, 1);
}
END_TEST

/* A list whose order differs from that of the pages must be complete, also with one channel and one frame. */
START_TEST(lists_of_slices)
{
    static const struct {
        const char *elements, *why;
    } lists[] = {
        {"<TiffData IFD=\"0\" FirstZ=\"2\"/><TiffData IFD=\"1\" FirstZ=\"1\"/><TiffData IFD=\"9\"/>", "does not have"},
        {"<TiffData IFD=\"0\" FirstZ=\"2\"/><TiffData IFD=\"1\" FirstZ=\"2\"/><TiffData IFD=\"2\"/>", "twice"},
        {"<TiffData IFD=\"0\" FirstZ=\"2\"/><TiffData IFD=\"0\" FirstZ=\"1\"/><TiffData IFD=\"2\"/>", "twice"},
        {"<TiffData IFD=\"0\" FirstZ=\"2\"/><TiffData IFD=\"2\"/>", "no page for some planes"},
        {"<TiffData IFD=\"2\" PlaneCount=\"0\"/>", "no page for some planes"},
        {ALL "<TiffData IFD=\"4\" FirstZ=\"7\"/>", "beyond"},
        {"<TiffData PlaneCount=\"2\"/><TiffData FirstZ=\"2\"><UUID FileName=\"b\">urn:uuid:2</UUID></TiffData>",
         "'b' is missing"},
        {"<TiffData PlaneCount=\"2\"/><TiffData FirstZ=\"2\"><UUID FileName=\"../b\">urn:uuid:2</UUID></TiffData>",
         "'../b' is missing"}};
    char wide[LIMIT];
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        check_refused(xml("XYCZT", 1, 3, 1, "", lists[i].elements), 3, 1, lists[i].why);
    strcpy(wide, xml("XYCZT", 1, 3, 1, "", ALL));
    strstr(wide, " SizeX=\"")[8]++;
    check_refused(wide, 3, 1, "width or height differs");
}
END_TEST

/* A level that is larger than its image, or of another type, is refused. */
START_TEST(wrong_levels)
{
    static const unsigned char values[] = {1, 11}, width[] = {0, 1, 3, 0, 1, 0, 0, 0},
                               bits[] = {2, 1, 3, 0, 1, 0, 0, 0};
    const unsigned char *const tags[] = {width, bits};
    for (int i = 0; i < 2; i++) {
        make_file(xml("XYCZT", 1, 2, 1, "", ALL), values, 2, 1, true);
        size_t at = 0;
        while (memcmp(bytes + at, tags[i], sizeof width))
            at++;
        bytes[at + sizeof width] = i ? 16 : WIDTH + 1; /* the SubIFD is the first directory in the file */
        FILE *out = fopen(path, "wb");
        ck_assert(out && fwrite(bytes, 1, end, out) == end && fclose(out) == 0);
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_box", NAME(path), NEW, NAME("level=1")), "level 1 of");
        REQUIRE(INVOKE(context, "read_box", NAME(path), NEW, NAME("level=0")));
    }
}
END_TEST

/* The ending of the file's name chooses the format. Pixels of the smaller level are means. */
START_TEST(written)
{
    enum { WIDE = 301, HIGH = 5, HALF = 151, ROWS = 3 };
    static float pixels[WIDE * HIGH], half[HALF * ROWS];
    drua_image_info info;
    for (int i = 0; i < WIDE * HIGH; i++)
        pixels[i] = (float)(i % WIDE + 1000 * (i / WIDE));
    drua_image image;
    REQUIRE(drua_push(context, (drua_shape){WIDE, HIGH, 1, 2}, DRUA_FLOAT32, pixels, &image));
    drua_argument arguments[] = {IMAGE(image), NAME(path), NAME("deflate")};
    REQUIRE(drua_invoke(context, "write_compressed", arguments, 3, NULL));
    drua_argument level[] = {NAME(path), NEW, NAME("level=1")};
    REQUIRE(drua_invoke(context, "read_box", level, 3, NULL));
    REQUIRE(drua_get_info(context, level[1].image, &info));
    ck_assert_int_eq(info.shape.width, HALF);
    ck_assert_int_eq(info.shape.height, ROWS);
    REQUIRE(drua_pull(context, level[1].image, half));
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < HALF; x++)
            ck_assert_float_eq_tol(half[y * HALF + x],
                                   (2 * x < WIDE - 1 ? 2 * (float)x + 0.5F : 2 * (float)x) +
                                       1000 * (2 * y < HIGH - 1 ? 2 * (float)y + 0.5F : 2 * (float)y),
                                   1e-3F);
    drua_argument beyond[] = {NAME(path), NEW, NAME("level=2")};
    ck_assert_int_eq(drua_invoke(context, "read_box", beyond, 3, NULL), DRUA_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(drua_error_message(), "has 2 levels"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ome_tiff");
    TCase *tests = tcase_create("ome_tiff");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, dimension_orders);
    tcase_add_test(tests, listed_pages);
    tcase_add_test(tests, listed_blocks);
    tcase_add_test(tests, scale);
    tcase_add_test(tests, contradictions);
    tcase_add_test(tests, damaged_texts);
    tcase_add_test(tests, series);
    tcase_add_test(tests, several_files);
    tcase_add_test(tests, slices);
    tcase_add_test(tests, lists_of_slices);
    tcase_add_test(tests, wrong_levels);
    tcase_add_test(tests, written);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

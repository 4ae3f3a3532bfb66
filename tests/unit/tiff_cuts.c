/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests TIFFs that are truncated, whose directories form a cycle, or whose text claims more pages than the file has. */
#include "assembled_tiff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CUTS = 100 };

/* ---- reading */

static void check_pages(drua_image image, int pages, int first, int step)
{
    static unsigned char got[MOST_PAGES * WIDTH * HEIGHT];
    drua_image_info info;
    REQUIRE(drua_get_info(context, image, &info));
    ck_assert_int_eq(info.shape.depth, pages);
    REQUIRE(drua_pull(context, image, got));
    for (int p = 0; p < pages; p++)
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            ck_assert_msg(got[p * WIDTH * HEIGHT + i] == pixel_of(first + p * step, i), "page %d, pixel %d is %d", p, i,
                          got[p * WIDTH * HEIGHT + i]);
}

/* Reads the file truncated to `length` bytes. Returns true if reading succeeds; all pixels must then be right. */
static bool read_cut(const sample *s, const unsigned char *bytes, size_t length)
{
    drua_image image;
    store_file(bytes, length);
    if (drua_read_tiff(context, path, 0, 0, &image) != DRUA_OK) {
        ck_assert_ptr_nonnull(strstr(drua_error_message(), path));
        return false;
    }
    const bool axes = s->description == HYPERSTACK;
    check_pages(image, axes ? 3 : PAGES, 0, axes ? 2 : 1);
    ck_assert_str_eq(drua_take_messages(context), "");
    REQUIRE(drua_release(context, image));
    return true;
}

START_TEST(cut_files_of_others)
{
    static file f;
    for (int n = 0; n < SAMPLES; n++) {
        make_file(&f, samples[n].kind, samples[n].description, PAGES, samples[n].big);
        ck_assert_msg(read_cut(&samples[n], f.bytes, f.length), "sample %d: %s", n, drua_error_message());
        for (size_t k = 1; k <= CUTS; k++)
            ck_assert_msg(!read_cut(&samples[n], f.bytes, f.length * k / (CUTS + 1)), "sample %d: cut %zu is read", n,
                          k);
        for (size_t lost = 1; lost <= 8; lost++)
            ck_assert_msg(!read_cut(&samples[n], f.bytes, f.length - lost), "sample %d: without %zu bytes", n, lost);
        for (size_t pages = 1; pages < PAGES; pages++) /* between the pixels of two pages */
            ck_assert(!read_cut(&samples[n], f.bytes, f.length - pages * WIDTH * HEIGHT));
    }
}
END_TEST

static size_t load_file(unsigned char *bytes)
{
    FILE *in = fopen(path, "rb");
    ck_assert_ptr_nonnull(in);
    const size_t length = fread(bytes, 1, LIMIT, in);
    fclose(in);
    return length;
}

START_TEST(cut_files_of_drua)
{
    static unsigned char pixels[PAGES * WIDTH * HEIGHT], bytes[LIMIT];
    const char *const compressions[] = {"none", "lzw", "deflate"};
    const char *const texts[] = {"", "channels=2\nslices=3\nframes=2\n", "pixelWidth=0.5\nunit=cm\nlabels=a\tb\tc\n"};
    drua_image image;
    for (int p = 0; p < PAGES; p++)
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            pixels[p * WIDTH * HEIGHT + i] = pixel_of(p, i);
    REQUIRE(drua_push(context, reference_stack(WIDTH, HEIGHT, PAGES), DRUA_UINT8, pixels, &image));
    for (int c = 0; c < 3; c++)
        for (int t = 0; t < 3; t++) {
            REQUIRE(drua_set_metadata(context, image, texts[t]));
            REQUIRE(drua_write_tiff(context, image, path, compressions[c]));
            const size_t length = load_file(bytes);
            const sample s = {AT_END, t == 1 ? HYPERSTACK : IMAGEJ, false};
            ck_assert_ptr_nonnull(memmem(bytes, length, "\nimages=12\n", 11));
            ck_assert(read_cut(&s, bytes, length));
            for (size_t k = 0; k <= CUTS; k++)
                ck_assert_msg(!read_cut(&s, bytes, length * k / (CUTS + 1)), "%s, text %d: cut %zu is read",
                              compressions[c], t, k);
            for (size_t lost = 1; lost <= 8; lost++)
                ck_assert(!read_cut(&s, bytes, length - lost));
        }
}
END_TEST

/* All functions that read TIFF reject a chain of directories that leads back to itself or to an earlier directory. */
START_TEST(circles)
{
    static file f;
    const layout kinds[] = {AT_END, BETWEEN};
    for (int k = 0; k < 2; k++)
        for (int back = 0; back < PAGES; back++) {
            make_file(&f, kinds[k], PLAIN, PAGES, false);
            size_t directory = 0;
            memcpy(&directory, f.bytes + 4, 4);
            for (int i = 0; i < back; i++)
                memcpy(&directory, f.bytes + directory + directory_bytes(&f) - 4, 4);
            put_number(&f, f.last_link, directory, 4);
            store_file(f.bytes, f.length);
            REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, path, 0, 0, &(drua_image){0}), path,
                    "lead back to each other");
            REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_from_file", NAME(path), NEW, NAME("magnification=2")),
                    "lead back to each other");
        }
}
END_TEST

/*
 * The chain of directories ends properly, so the file is not truncated. Another program removed or added pages and kept
 * the text.
 */
START_TEST(other_pages_than_told)
{
    static file f;
    const struct {
        layout kind;
        const char *description;
        int pages;
    } files[] = {{AT_END, IMAGEJ, 7},    {FIRST_AT_FRONT, IMAGEJ, 7}, {AT_END, HYPERSTACK, 11}, {AT_END, PAIRS, 11},
                 {AT_END, SHAPED, 5},    {AT_END, AXES, 5},           {AT_END, OME, 5},         {AT_END, IMAGEJ, 1},
                 {AT_END, OLD_SHAPE, 5}, {AT_END, DENSE_SHAPE, 5},    {AT_END, FRAMES, 14},     {AT_END, CHANNELS, 14},
                 {AT_END, UNNAMED, 14}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        drua_image image;
        char told[80];
        make_file(&f, files[i].kind, files[i].description, files[i].pages, false);
        store_file(f.bytes, f.length);
        REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
        check_pages(image, files[i].pages, 0, 1);
        snprintf(told, sizeof told, "states %d images, but the file has %d", files[i].description == PAIRS ? 6 : 12,
                 files[i].pages);
        const char *lines = drua_take_messages(context);
        ck_assert_msg(strstr(lines, told) && strstr(lines, path), "'%s'", lines);
        ck_assert_str_eq(drua_take_messages(context), "");
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_from_file", NAME(path), NEW, NAME("magnification=2")), told);
    }
}
END_TEST

/* Programs append stacks and keep the text of the first. If it states one axis of pages, all pages are slices. */
START_TEST(appended_slices)
{
    static file f;
    const struct {
        layout kind;
        const char *description;
        int stated, pages;
    } files[] = {{AT_END, IMAGEJ, 12, 14}, {AT_END, SHAPED, 12, 14}, {AT_END, OME, 12, 13}, {BETWEEN, OME_PLANE, 1, 2}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        drua_image image;
        char told[80];
        make_file(&f, files[i].kind, files[i].description, files[i].pages, false);
        store_file(f.bytes, f.length);
        REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
        check_pages(image, files[i].pages, 0, 1);
        snprintf(told, sizeof told, "states %d images, but the file has %d; Drua reads these as slices",
                 files[i].stated, files[i].pages);
        const char *lines = drua_take_messages(context);
        ck_assert_msg(strstr(lines, told) && strstr(lines, path), "'%s'", lines);
        REQUIRE(INVOKE(context, "esrrf_from_file", NAME(path), NEW, NAME("magnification=2")));
    }
}
END_TEST

/* Channels, slices and frames are in the order of the text's axes, in which the last axis changes fastest. */
START_TEST(axes_of_tifffile)
{
    static file f;
    const struct {
        const char *description;
        int channels, slices, frames, channel_step, slice_step, frame_step; /* steps in pages */
    } files[] = {{"{\"shape\": [2, 3, 2, 13, 19], \"axes\": \"TZCYX\"}", 2, 3, 2, 1, 2, 6},
                 {"{\"shape\": [3, 4, 13, 19], \"axes\": \"CZYX\"}", 3, 4, 1, 4, 1, 0},
                 {"{\"shape\": [2, 1, 6, 13, 19], \"axes\": \"ZCTYX\"}", 1, 2, 6, 0, 6, 1},
                 {"{\"axes\": \"CTZYX\", \"shape\": [2, 2, 3, 13, 19]}", 2, 3, 2, 6, 1, 3}};
    const layout kinds[] = {AT_END, ONE};
    for (size_t i = 0; i < 2 * sizeof files / sizeof *files; i++) {
        make_file(&f, kinds[i % 2], files[i / 2].description, PAGES, false);
        store_file(f.bytes, f.length);
        for (int t = 0; t < files[i / 2].frames; t++)
            for (int c = 0; c < files[i / 2].channels; c++) {
                drua_image image;
                REQUIRE(drua_read_tiff(context, path, c + 1, t + 1, &image));
                check_pages(image, files[i / 2].slices, c * files[i / 2].channel_step + t * files[i / 2].frame_step,
                            files[i / 2].slice_step);
                REQUIRE(drua_release(context, image));
            }
        ck_assert_str_eq(drua_take_messages(context), "");
    }
}
END_TEST

/* Pages that may be channels are read as slices with a message, and refused where channels must not mix. */
START_TEST(unnamed_axes_of_tifffile)
{
    static file f;
    const char *const descriptions[] = {
        "{\"shape\": [3, 4, 13, 19]}", "{\"shape\": [3, 4, 13, 19], \"axes\": \"QQYX\"}",
        "{\"shape\": [3, 4, 13, 19], \"axes\": \"ZZYX\"}", "{\"shape\": [3, 4, 13, 19], \"axes\": \"ZYX\"}"};
    for (size_t i = 0; i < sizeof descriptions / sizeof *descriptions; i++) {
        drua_image image;
        make_file(&f, AT_END, descriptions[i], PAGES, false);
        store_file(f.bytes, f.length);
        REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
        check_pages(image, PAGES, 0, 1);
        ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "which ones are channels"));
        REQUIRE(drua_release(context, image));
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_from_file", NAME(path), NEW, NAME("magnification=2")),
                "which ones are channels", "save it again");
    }
}
END_TEST

/* An OME-TIFF of one channel and frame states as many slices as SizeZ says, also if it lists fewer planes. */
START_TEST(planes_of_ome_tiff)
{
    static file f;
    static const char start[] = "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image>"
                                "<Pixels SizeC=\"1\" SizeT=\"1\" SizeX=\"19\" SizeY=\"13\" SizeZ=\"12\">",
                      end[] = "</Pixels></Image></OME>";
    static const char *const lists[] = {
        "<TiffData IFD=\"0\"/><TiffData IFD=\"1\" FirstZ=\"1\"/><TiffData IFD=\"2\" FirstZ=\"2\" PlaneCount=\"3\"/>",
        "<TiffData IFD=\"0\" PlaneCount=\"6\"/>", "<TiffData><UUID FileName=\"a.tif\">urn:uuid:1</UUID></TiffData>"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        drua_image image;
        char text[600];
        snprintf(text, sizeof text, "%s%s%s", start, lists[i], end);
        make_file(&f, AT_END, text, 5, false);
        store_file(f.bytes, f.length);
        REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
        check_pages(image, 5, 0, 1);
        const char *lines = drua_take_messages(context);
        ck_assert_msg(strstr(lines, "states 12 images, but the file has 5") != NULL, "%s: '%s'", lists[i], lines);
    }
}
END_TEST

/* A list of planes leaves pages out, as in files with a thumbnail. */
START_TEST(pages_that_ome_leaves_out)
{
    static file f;
    drua_image image;
    make_file(&f, AT_END,
              "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image><Pixels SizeC=\"1\" SizeT=\"1\" "
              "SizeX=\"19\" SizeY=\"13\" SizeZ=\"3\"><TiffData IFD=\"2\" PlaneCount=\"3\"/></Pixels></Image></OME>",
              7, false);
    store_file(f.bytes, f.length);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    check_pages(image, 3, 2, 1);
    const char *lines = drua_take_messages(context);
    ck_assert_msg(strstr(lines, "does not list 4 of its pages, which are left out") && strstr(lines, path), "'%s'",
                  lines);
}
END_TEST

/*
 * The first directory lies between pages and its link is lost. The pages do not follow each other, so a reader must not
 * take the directory for pixels.
 */
START_TEST(directory_among_pixels)
{
    static file f;
    drua_image image;
    size_t directory = 0;
    make_file(&f, BETWEEN, IMAGEJ, PAGES, false);
    memcpy(&directory, f.bytes + 4, 4);
    put_number(&f, directory + directory_bytes(&f) - 4, 0, 4);
    store_file(f.bytes, f.length);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    check_pages(image, 1, 0, 1);
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "states 12 images, but the file has 1"));
}
END_TEST

/*
 * A file with one directory at its end, whose text claims one page more than the file has. The bytes after the last
 * page are those of the text.
 */
START_TEST(text_among_pixels)
{
    static file f;
    drua_image image;
    size_t directory = 0;
    make_file(&f, ONE_AT_END, IMAGEJ, PAGES - 1, false);
    memcpy(&directory, f.bytes + 4, 4);
    const size_t text = directory, moved = directory + WIDTH * HEIGHT; /* the text takes the place of the last page */
    memmove(f.bytes + moved, f.bytes + directory, directory_bytes(&f));
    memset(f.bytes + text, ' ', WIDTH * HEIGHT);
    memcpy(f.bytes + text, IMAGEJ, sizeof IMAGEJ);
    put_number(&f, 4, moved, 4);
    put_number(&f, moved + 2 + 5 * 12 + 8, text, 4);
    put_number(&f, moved + directory_bytes(&f) - 4, 0, 4);
    store_file(f.bytes, f.length);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    check_pages(image, 1, 0, 1);
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "states 12 images, but the file has 1"));
}
END_TEST

/* A page has no pixels if their offset is 0 or lies in the header. */
START_TEST(pages_without_pixels)
{
    static file f;
    for (int page = 0; page < 2; page++)
        for (size_t offset = 0; offset < 8; offset += 7) {
            size_t directory = 0;
            make_file(&f, AT_END, PLAIN, 2, false);
            memcpy(&directory, f.bytes + 4, 4);
            for (int i = 0; i < page; i++)
                memcpy(&directory, f.bytes + directory + directory_bytes(&f) - 4, 4);
            put_number(&f, directory + 2 + 6 * 12 + 8, offset, 4);
            store_file(f.bytes, f.length);
            REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, path, 0, 0, &(drua_image){0}), path,
                    "pixels of a page are missing");
        }
}
END_TEST

/* Tag ImageDepth: one page holds all slices. */
START_TEST(volumes_in_a_page)
{
    static file f;
    make_file(&f, AT_END, PLAIN, 2, false);
    for (int page = 0; page < 2; page++) {
        size_t directory = 0;
        memcpy(&directory, f.bytes + 4, 4);
        for (int i = 0; i < page; i++)
            memcpy(&directory, f.bytes + directory + directory_bytes(&f) - 4, 4);
        file g = f;
        /* the last entry becomes ImageDepth; libtiff guesses the lengths */
        const size_t entry = directory + 2 + 8 * 12;
        put_number(&g, entry, 32997, 2);
        put_number(&g, entry + 8, 12, 4);
        store_file(g.bytes, g.length);
        REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, path, 0, 0, &(drua_image){0}), path, "12 slices in one page",
                "ImageDepth");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tiff_cuts");
    TCase *tests = tcase_create("tiff_cuts");
    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, cut_files_of_others);
    tcase_add_test(tests, cut_files_of_drua);
    tcase_add_test(tests, circles);
    tcase_add_test(tests, other_pages_than_told);
    tcase_add_test(tests, appended_slices);
    tcase_add_test(tests, axes_of_tifffile);
    tcase_add_test(tests, unnamed_axes_of_tifffile);
    tcase_add_test(tests, planes_of_ome_tiff);
    tcase_add_test(tests, pages_that_ome_leaves_out);
    tcase_add_test(tests, directory_among_pixels);
    tcase_add_test(tests, text_among_pixels);
    tcase_add_test(tests, pages_without_pixels);
    tcase_add_test(tests, volumes_in_a_page);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

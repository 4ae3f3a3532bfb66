/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests TIFFs whose end was reserved on the disk and never written, or whose text ends early. */
#include "assembled_tiff.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Reads the file after its bytes from `first` on become 0 and `more` zeros follow. The file must be refused, be read
 * with a message, or have the same pages as before.
 */
static void read_unwritten(int number, const file *f, size_t first, size_t more)
{
    static unsigned char bytes[LIMIT];
    drua_image image;
    drua_image_info info;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, f->bytes, first);
    store_file(bytes, f->length + more);
    if (drua_read_tiff(context, path, 0, 0, &image) != DRUA_OK)
        return;
    REQUIRE(drua_get_info(context, image, &info));
    ck_assert_msg(info.shape.depth == PAGES || *drua_take_messages(context),
                  "file %d with zeros from byte %zu, and %zu more: %d pages", number, first, more,
                  (int)info.shape.depth);
    REQUIRE(drua_release(context, image));
}

/*
 * A program that reserves disk space and is interrupted leaves zeros, also in place of the link to the next directory.
 * Besides many positions in the file, the positions around each link are tried.
 */
START_TEST(reserved_files_of_others)
{
    static file f;
    for (int n = 0; n < SAMPLES; n++) {
        if (samples[n].description == HYPERSTACK)
            continue; /* only one frame and channel of a hyperstack is read */
        make_file(&f, samples[n].kind, samples[n].description, PAGES, samples[n].big);
        for (size_t first = 8; first < f.length; first += first < 700 ? 7 : 161)
            read_unwritten(n, &f, first, 0);
        for (size_t at = samples[n].big ? 8 : 4, wide = samples[n].big ? 8 : 4, next;; at = next) {
            size_t directory = 0;
            memcpy(&directory, f.bytes + at, wide);
            if (!directory)
                break;
            next = directory + directory_bytes(&f) - wide;
            for (size_t k = 0; k <= 24 && at != wide; k++) {
                read_unwritten(n, &f, at - k, 0);
                read_unwritten(n, &f, at - k, 5000);
            }
        }
    }
}
END_TEST

/* Files with black pixels, or with zeros after all pages that the text counts, are read without a message. */
START_TEST(whole_files_that_end_in_zeros)
{
    static file f;
    const sample whole[] = {{AT_FRONT, PLAIN, false}, {FIRST_AT_FRONT, PLAIN, true}, {ONE, IMAGEJ, false}};
    for (int n = 0; n < 3; n++) {
        drua_image image;
        drua_image_info info;
        make_file(&f, whole[n].kind, whole[n].description, n == 1 ? 1 : PAGES, whole[n].big);
        memset(f.bytes + f.last_link + 4, 0, f.length - f.last_link - 4);
        store_file(f.bytes, f.length);
        REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
        REQUIRE(drua_get_info(context, image, &info));
        ck_assert_int_eq(info.shape.depth, n == 1 ? 1 : PAGES);
        ck_assert_str_eq(drua_take_messages(context), "");
        make_file(&f, AT_END, IMAGEJ, PAGES, whole[n].big);
        store_file(f.bytes, f.length + 5000);
        REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
        REQUIRE(drua_get_info(context, image, &info));
        ck_assert_int_eq(info.shape.depth, PAGES);
    }
}
END_TEST

/* If an ImageDescription ends within its XML, the axes of the pages are unknown. */
START_TEST(texts_that_end_early)
{
    static file f;
    static const char text[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><OME xmlns=\"";
    char start[sizeof text];
    for (size_t length = 4; length + 10 < sizeof text; length++) {
        memcpy(start, text, length);
        start[length] = 0;
        make_file(&f, AT_END, start, PAGES, false);
        store_file(f.bytes, f.length);
        REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, path, 0, 0, &(drua_image){0}), path,
                "the XML text in its ImageDescription ends");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tiff_unwritten");
    TCase *tests = tcase_create("tiff_unwritten");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, reserved_files_of_others);
    tcase_add_test(tests, whole_files_that_end_in_zeros);
    tcase_add_test(tests, texts_that_end_early);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}

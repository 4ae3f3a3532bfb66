/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Interprets any bytes as a TIFF file: describes it, and reads all planes of its first image, and of one channel and
 * frame.
 */
#include "fuzz.h"

#include "tiff.h"

#include <stdlib.h>

enum { MAX_PLANE = 1 << 22, MAX_PAGES = 64 };

static void read_pages(drua_tiff *tiff)
{
    const size_t bytes = drua_tiff_plane_bytes(tiff);
    const int samples = drua_tiff_samples(tiff);
    if (bytes > MAX_PLANE)
        return;
    void *planes[3];
    for (int i = 0; i < 3; i++)
        planes[i] = malloc(bytes);
    for (int64_t page = 0; page < drua_tiff_selected_pages(tiff) && page < MAX_PAGES && samples <= 3; page++) {
        const drua_status status = drua_tiff_read_page(tiff, page, planes);
        fuzz_check("drua_tiff_read_page", status);
        if (status != DRUA_OK)
            break;
    }
    for (int i = 0; i < 3; i++)
        free(planes[i]);
}

static void open_and_read(int64_t channel, int64_t frame)
{
    drua_tiff *tiff;
    const drua_status status = drua_tiff_open("image.tif", "", channel, frame, &tiff);
    fuzz_check("drua_tiff_open", status);
    if (status != DRUA_OK)
        return;
    drua_text text = {0};
    drua_tiff_describe(tiff, false, &text);
    drua_text_free(&text);
    read_pages(tiff);
    drua_tiff_close(tiff);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_store("image.tif", bytes, size);
    open_and_read(0, 0);
    open_and_read(2, 1);
    return 0;
}

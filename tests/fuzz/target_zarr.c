/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Interprets any bytes as a chunked image. The first byte chooses the format (OME-Zarr 0.4, 0.5 or N5) and the naming
 * of the chunk. Then follow the image's metadata, the array's metadata and the chunk's bytes, with a byte 0 after each
 * of the first two.
 */
#include "fuzz.h"

#include "zarr.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PIXELS = 1 << 20 };

enum { NAMES = 5 };

static const struct format {
    const char *folder, *image, *array, *chunks[NAMES];
} formats[] = {
    {"image.zarr",
     "image.zarr/.zattrs",
     "image.zarr/0/.zarray",
     {"image.zarr/0/0.0", "image.zarr/0/0.0.0", "image.zarr/0/0/0", "image.zarr/0/0/0/0", "image.zarr/0/0.0.0.0.0"}},
    {"image.zarr",
     "image.zarr/zarr.json",
     "image.zarr/0/zarr.json",
     {"image.zarr/0/c/0/0", "image.zarr/0/c/0/0/0", "image.zarr/0/c.0.0", "image.zarr/0/0.0.0",
      "image.zarr/0/c/0/0/0/0/0"}},
    {"image.n5",
     "image.n5/attributes.json",
     "image.n5/s0/attributes.json",
     {"image.n5/s0/0/0", "image.n5/s0/0/0/0", "image.n5/s0/0", "image.n5/s0/0/0/0/0", "image.n5/s0/0/0/0/0/0"}}};

/* Writes the text up to the next 0 to a file and returns the position after the 0. */
static const uint8_t *store_text(const char *name, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *zero = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
    fuzz_store(name, at, (size_t)((zero ? zero : end) - at));
    return zero ? zero + 1 : end;
}

static void read_image(const char *path)
{
    drua_zarr *zarr;
    drua_status status = drua_zarr_open(path, 0, &zarr);
    fuzz_check("drua_zarr_open", status);
    if (status != DRUA_OK)
        return;
    const drua_shape s = drua_zarr_metadata_of(zarr)->shape;
    const bool all =
        s.width <= MAX_PIXELS && s.height <= MAX_PIXELS / s.width && s.depth <= MAX_PIXELS / (s.width * s.height);
    const drua_zarr_box box = {0, 0, {0, 0, 0}, {all ? s.width : 1, all ? s.height : 1, all ? s.depth : 1}};
    void *pixels = malloc((size_t)MAX_PIXELS * 4);
    fuzz_check("drua_zarr_read", drua_zarr_read(zarr, &box, pixels));
    drua_text text = {0};
    drua_zarr_describe(zarr, NULL, &text);
    drua_text_free(&text);
    free(pixels);
    drua_zarr_close(zarr);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *const end = bytes + size, *at = bytes + (size > 0);
    const uint8_t first = size ? bytes[0] : 0;
    const struct format *format = &formats[first % 3];
    at = store_text(format->image, at, end);
    at = store_text(format->array, at, end);
    fuzz_store(format->chunks[first / 3 % NAMES], at, (size_t)(end - at));
    read_image(format->folder);
    fuzz_remove(format->folder);
    return 0;
}

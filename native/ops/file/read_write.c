/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes image files without ImageJ. */
#include "plan_files.h"

#define SOURCE                                                                                                         \
    "the TIFF format by libtiff, with the scale, colours and labels that ImageJ keeps there; OME-Zarr 0.4 and 0.5 "    \
    "and N5 by c-blosc, zstd and zlib"
#define EXAMPLE_FILE                                                                                                   \
    .before_example =                                                                                                  \
        "Ext.Drua_push(getTitle());\nExt.Drua_write(getTitle(), getDirectory(\"temp\") + \"drua-example.tif\");"
#define FILE_TO_READ                                                                                                   \
    {                                                                                                                  \
        .name = "path", .doc = "file to read: TIFF, or the folder of an image in OME-Zarr or N5",                      \
        .kind = DRUA_KIND_PATH                                                                                         \
    }
#define FILE_TO_WRITE                                                                                                  \
    {                                                                                                                  \
        .name = "path", .doc = "file to write; a name with the extension .zarr becomes an OME-Zarr",                   \
        .kind = DRUA_KIND_PATH, .written = true                                                                        \
    }
#define RESULT(shape_)                                                                                                 \
    DRUA_IMAGE_OUT("image", "image of the file", .shape = shape_, .type_rule = type_of_file, .replaces = true)

static void open_file(drua_plan *p)
{
    plan_open_file(p, "path", 0, 0);
}

static void open_part(drua_plan *p)
{
    plan_open_file(p, "path", plan_integer(p, "channel"), plan_integer(p, "frame"));
}

static void shape_of_file(drua_plan *p, drua_shape *shape)
{
    open_file(p);
    *shape = plan_file_shape(p, "path");
}

static void shape_of_part(drua_plan *p, drua_shape *shape)
{
    open_part(p);
    *shape = plan_file_shape(p, "path");
}

static drua_type type_of_file(drua_plan *p)
{
    return plan_file_type(p, "path");
}

static void read_file(drua_plan *p)
{
    open_file(p);
    plan_read_file(p, "image");
}

static void read_part(drua_plan *p)
{
    open_part(p);
    plan_read_file(p, "image");
}

static void open_box(drua_plan *p)
{
    plan_open_box(p, "path", "options");
}

static void shape_of_box(drua_plan *p, drua_shape *shape)
{
    open_box(p);
    *shape = plan_file_shape(p, "path");
}

static void read_box(drua_plan *p)
{
    open_box(p);
    plan_read_file(p, "image");
}

static void write_file(drua_plan *p)
{
    plan_write_file(p, "image", "path", "none");
}

static void write_compressed(drua_plan *p)
{
    plan_write_file(p, "image", "path", plan_text(p, "compression"));
}

static void write_zarr(drua_plan *p)
{
    plan_write_chunks(p, "image", "path", "options", NULL);
}

DRUA_OP(read) = {
    .name = "read",
    .category = "file",
    .summary = "Reads an image file (TIFF, OME-Zarr, N5) directly to the device: the slices of its first channel and "
               "frame; if it has one slice, all its channels; if it also has one channel, all its frames.",
    .source = SOURCE,
    EXAMPLE_FILE,
    DRUA_PARAMS(FILE_TO_READ, RESULT(shape_of_file)),
    .numeric = DRUA_EXACT,
    .launch = read_file,
};

DRUA_OP(read_part) = {
    .name = "read_part",
    .category = "file",
    .summary =
        "Reads the slices of one channel and frame of an image file (TIFF, OME-Zarr, N5) directly to the device.",
    .source = SOURCE,
    EXAMPLE_FILE,
    DRUA_PARAMS(
        FILE_TO_READ, RESULT(shape_of_part),
        DRUA_INTEGER("channel", "number of the channel, from 1; 0: chosen as read does", DRUA_RANGE(0, 2147483647)),
        DRUA_INTEGER("frame", "number of the frame, from 1; 0: chosen as read does", DRUA_RANGE(0, 2147483647))),
    .numeric = DRUA_EXACT,
    .launch = read_part,
};

DRUA_OP(write) = {
    .name = "write",
    .category = "file",
    .summary = "Writes an image directly from the device to a TIFF file (above 4 GB, a BigTIFF) or to an OME-Zarr.",
    .source = SOURCE,
    DRUA_PARAMS(DRUA_IMAGE_IN("image", "image to write"), FILE_TO_WRITE),
    .numeric = DRUA_EXACT,
    .build = write_file,
};

DRUA_OP(write_compressed) = {
    .name = "write_compressed",
    .category = "file",
    .summary =
        "Writes an image directly from the device to a compressed TIFF file (above 4 GB, a BigTIFF) or to an OME-Zarr.",
    .source = SOURCE,
    DRUA_PARAMS(DRUA_IMAGE_IN("image", "image to write"), FILE_TO_WRITE,
                DRUA_TEXT("compression",
                          "none, lzw or deflate; for .zarr blosc-lz4, blosc-zstd, zstd, gzip, zlib or none",
                          .default_text = "deflate")),
    .numeric = DRUA_EXACT,
    .build = write_compressed,
};

#define EXTENTS(name_, doc_, ...)                                                                                      \
    {                                                                                                                  \
        .name = name_, .doc = doc_, .kind = DRUA_KIND_ARRAY_IN, .unit = "pixel", .default_text = "0,0,0",              \
        .are_integers = true, DRUA_RANGE(0, 1099511627776.0)                                                           \
    }
#define SPAN(name_)                                                                                                    \
    {                                                                                                                  \
        .name = name_, .doc = "first and last of the " name_ ", from 1; 0: chosen as read does",                       \
        .kind = DRUA_KIND_ARRAY_IN, .default_text = "0,0", .are_integers = true, DRUA_RANGE(0, 2147483647)             \
    }

DRUA_OP(read_box) = {
    .name = "read_box",
    .category = "file",
    .summary =
        "Reads a box, some channels and frames, or a smaller level of an image in OME-Zarr or N5 directly to the "
        "device. Reads only the chunks that it needs. Also reads one series or level of an OME-TIFF.",
    .source = SOURCE,
    .before_example =
        "Ext.Drua_push(getTitle());\nExt.Drua_write(getTitle(), getDirectory(\"temp\") + \"drua-example.zarr\");",
    DRUA_PARAMS({.name = "path",
                 .doc = "folder of an image in OME-Zarr or N5, or an OME-TIFF",
                 .kind = DRUA_KIND_PATH,
                 .example_text = "drua-example.zarr"},
                RESULT(shape_of_box),
                {.name = "options",
                 .doc = "settings as name=value words, such as \"channels=1,2 origin=100,100,0 size=512,512,64\"",
                 .kind = DRUA_KIND_OPTIONS,
                 .default_text = "",
                 .example_text = "origin=20,30,0 size=100,80,0",
                 DRUA_SETTINGS(
                     SPAN("channels"), SPAN("frames"),
                     EXTENTS("origin", "first pixel of the box along x, y, z, from 0"),
                     EXTENTS("size", "pixels of the box along x, y, z; 0: to the end"),
                     DRUA_TEXT("series",
                               "image of a path with several images: its number from 1, or its name; empty: the first",
                               .default_text = ""),
                     DRUA_INTEGER("level", "resolution: 0 is the largest; each further level is about half as large",
                                  DRUA_RANGE(0, 31)))}),
    .numeric = DRUA_EXACT,
    .launch = read_box,
};

DRUA_OP(write_zarr) = {
    .name = "write_zarr",
    .category = "file",
    .summary = "Writes an image directly from the device to an OME-Zarr with smaller levels for viewers.",
    .source = "OME-Zarr 0.4 and 0.5; levels are means of boxes of 2 pixels along each axis, or the most frequent label",
    DRUA_PARAMS(
        DRUA_IMAGE_IN("image", "image to write"),
        {.name = "path",
         .doc = "folder to write",
         .kind = DRUA_KIND_PATH,
         .written = true,
         .example_text = "drua-example.zarr"},
        {.name = "options",
         .doc = "settings as name=value words, such as \"version=0.5 compression=blosc-zstd\"",
         .kind = DRUA_KIND_OPTIONS,
         .default_text = "",
         .example_text = "version=0.5",
         DRUA_SETTINGS(
             DRUA_CHOICE("version", "version of OME-Zarr; most programs read 0.4", DRUA_CHOICES("0.4", "0.5")),
             DRUA_CHOICE("compression", "blosc-lz4 is the fastest, blosc-zstd the smallest; zlib only in 0.4",
                         DRUA_CHOICES(DRUA_CHUNK_COMPRESSIONS)),
             EXTENTS("chunk", "extent of a chunk along x, y, z; 0: 128, or 1024 in a plane"),
             EXTENTS("shard", "only in 0.5: extent of a file along x, y, z; 0: one chunk"),
             DRUA_INTEGER("levels", "number of resolutions; 0: until no side is above 256 pixels", DRUA_RANGE(0, 32)),
             DRUA_BOOLEAN("labels", "pixels are labels: smaller levels take the most frequent label, not the mean"))}),
    .numeric = DRUA_EXACT,
    .build = write_zarr,
};

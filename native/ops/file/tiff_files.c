/* SPDX-License-Identifier: BSD-3-Clause */
/* TIFF files to the device and back, past ImageJ. */
#include "plan.h"

#define SOURCE "the TIFF format by libtiff, with the scale, colours and labels that ImageJ keeps there"
#define EXAMPLE_FILE .before_example = "Ext.Drua_push(getTitle());\nExt.Drua_write(getTitle(), getDirectory(\"temp\") + \"drua-example.tif\");"
#define FILE_TO_READ {.name = "path", .doc = "TIFF file to read", .kind = DRUA_KIND_PATH}
#define FILE_TO_WRITE {.name = "path", .doc = "file to write", .kind = DRUA_KIND_PATH, .written = true}
#define RESULT(shape_) DRUA_IMAGE_OUT("image", "image of the file", .shape = shape_, .type_rule = type_of_file, .replaces = true)

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

static void write_file(drua_plan *p)
{
    plan_write_file(p, "image", "path", "none");
}

static void write_compressed(drua_plan *p)
{
    plan_write_file(p, "image", "path", plan_text(p, "compression"));
}

const drua_op drua_op_read = {
    .name = "read",
    .category = "file",
    .summary = "Reads a TIFF file to the device, past ImageJ: the slices of its first channel and frame, else its channels, else its frames.",
    .source = SOURCE,
    EXAMPLE_FILE,
    DRUA_PARAMS(FILE_TO_READ, RESULT(shape_of_file)),
    .numeric = DRUA_EXACT,
    .plan = read_file,
};

const drua_op drua_op_read_part = {
    .name = "read_part",
    .category = "file",
    .summary = "Reads the slices of one channel and frame of a TIFF file to the device, past ImageJ.",
    .source = SOURCE,
    EXAMPLE_FILE,
    DRUA_PARAMS(FILE_TO_READ, RESULT(shape_of_part), DRUA_INTEGER("channel", "number of the channel, from 1; 0: all or the first"),
                DRUA_INTEGER("frame", "number of the frame, from 1; 0: all or the first")),
    .numeric = DRUA_EXACT,
    .plan = read_part,
};

const drua_op drua_op_write = {
    .name = "write",
    .category = "file",
    .summary = "Writes an image of the device as a TIFF file, past ImageJ; above 4 GB as a BigTIFF.",
    .source = SOURCE,
    DRUA_PARAMS(DRUA_IMAGE_IN("image", "image to write"), FILE_TO_WRITE),
    .numeric = DRUA_EXACT,
    .plan = write_file,
};

const drua_op drua_op_write_compressed = {
    .name = "write_compressed",
    .category = "file",
    .summary = "Writes an image of the device as a TIFF file that takes less space, past ImageJ; above 4 GB as a BigTIFF.",
    .source = SOURCE,
    DRUA_PARAMS(DRUA_IMAGE_IN("image", "image to write"), FILE_TO_WRITE,
                DRUA_TEXT("compression", "none, lzw or deflate", .preset_text = "deflate")),
    .numeric = DRUA_EXACT,
    .plan = write_compressed,
};

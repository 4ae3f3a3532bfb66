/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that an application such as ImageJ runs: windows, tables, names. The engine checks and documents them. */
#include "op.h"

#define HOST(name_, category_, summary_, params_, ...)                                                                 \
    {                                                                                                                  \
        .name = #name_, .category = category_, .summary = summary_, .traits = DRUA_HOST, params_,                      \
        DRUA_ALIASES(__VA_ARGS__)                                                                                      \
    }
#define WINDOW DRUA_PARAMS(DRUA_TEXT("image", "title of an open image window"))
#define NAME DRUA_PARAMS(DRUA_TEXT("image", "name of an image on the device"))
#define SOURCE DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to show"))
#define TARGET DRUA_TEXT("target_image_stack", "title of an open image window")
#define TILE                                                                                                           \
    DRUA_INTEGER("tile_x", "number of the tile along x, from 0", DRUA_RANGE(0, 1e6)),                                  \
        DRUA_INTEGER("tile_y", "number of the tile along y, from 0", DRUA_RANGE(0, 1e6)),                              \
        DRUA_INTEGER("tile_z", "number of the tile along z, from 0", DRUA_RANGE(0, 1e6)),                              \
        DRUA_INTEGER("width", "extent of a tile without margin", DRUA_RANGE(1, 1e6), .default_value = 1),              \
        DRUA_INTEGER("height", "extent of a tile without margin", DRUA_RANGE(1, 1e6), .default_value = 1),             \
        DRUA_INTEGER("depth", "extent of a tile without margin", DRUA_RANGE(1, 1e6), .default_value = 1),              \
        DRUA_INTEGER("margin_width", "pixels left and right of a tile", DRUA_RANGE(0, 1e6)),                           \
        DRUA_INTEGER("margin_height", "pixels above and below a tile", DRUA_RANGE(0, 1e6)),                            \
        DRUA_INTEGER("margin_depth", "slices before and after a tile", DRUA_RANGE(0, 1e6))
#define TILE_NAMES "tile_x, tile_y, tile_z, width, height, depth, margin_width, margin_height, margin_depth"
#define NOTHING .params = NULL
#define RESULTS "setResult(\"Area\", 0, 120);\nsetResult(\"Area\", 1, 95);"
#define AFTER(lines, ...) __VA_ARGS__, .before_example = lines

DRUA_OP(push) = HOST(push, "transfer", "Copies an open image to the device, where it is known by its title.", WINDOW,
                     "CLIJ2/CLIJx/CLIJ push: image");
DRUA_OP(push_as) = HOST(push_as, "transfer", "Copies an open image to the device under another name.",
                        DRUA_PARAMS(DRUA_TEXT("image", "title of an open image window"),
                                    DRUA_TEXT("new_name", "name on the device",
                                              .example_text = "nuclei on the device")),
                        "CLIJ2/CLIJx pushAs: image, new_name");
DRUA_OP(push_tile) = HOST(
    push_tile, "transfer",
    "Copies a tile of an open image, with a margin around it, to the device, where it has the image's name.",
    DRUA_PARAMS(DRUA_TEXT("image", "title of an open image window"), TILE), "CLIJ2/CLIJx pushTile: image, " TILE_NAMES);
DRUA_OP(push_current_slice) = HOST(push_current_slice, "transfer",
                                   "Copies the slice that is shown, cropped to the selection, to the device.", WINDOW,
                                   "CLIJ2/CLIJx/CLIJ pushCurrentSlice: image");
DRUA_OP(push_current_slice_selection) = HOST(push_current_slice_selection, "transfer",
                                             "Copies the selected part of the slice that is shown to the device.",
                                             WINDOW, "CLIJ2 pushCurrentSliceSelection: image");
DRUA_OP(push_current_z_stack) = HOST(push_current_z_stack, "transfer",
                                     "Copies all slices of the channel and frame that are shown to the device.", WINDOW,
                                     "CLIJ2/CLIJx/CLIJ pushCurrentZStack: image");
DRUA_OP(push_current_selection) = HOST(push_current_selection, "transfer",
                                       "Copies the selected part of a stack to the device.", WINDOW,
                                       "CLIJ2/CLIJx pushCurrentSelection: image");
DRUA_OP(pull) = HOST(pull, "transfer", "Shows an image of the device in a new window with its name as the title.", NAME,
                     "CLIJ2/CLIJx/CLIJ pull: image");
DRUA_OP(pull_binary) = HOST(pull_binary, "transfer", "Shows a mask of the device as an 8-bit image of 0 and 255.", NAME,
                            "CLIJ2/CLIJx/CLIJ pullBinary: image");
DRUA_OP(pull_as_roi) = HOST(pull_as_roi, "transfer", "Selects the nonzero pixels of a mask in the active window.",
                            DRUA_PARAMS(DRUA_IMAGE_IN("source", "mask to select")), "CLIJ2/CLIJx pullAsROI: source");
DRUA_OP(pull_to_current_slice) =
    HOST(pull_to_current_slice, "transfer",
         "Writes an image of the device into the slice that a window shows, from its upper left corner on.",
         DRUA_PARAMS(DRUA_IMAGE_IN("input_slice", "image to write"), TARGET),
         "CLIJ2 pullToCurrentSlice: input_slice, target_image_stack");
DRUA_OP(pull_to_current_slice_selection) =
    HOST(pull_to_current_slice_selection, "transfer",
         "Writes an image of the device into the selected part of the slice that a window shows.",
         DRUA_PARAMS(DRUA_IMAGE_IN("input_slice", "image to write"), TARGET),
         "CLIJ2 pullToCurrentSliceSelection: input_slice, target_image_stack");
DRUA_OP(pull_tile) = HOST(
    pull_tile, "transfer", "Writes a tile of the device without its margin into the open image of the same name.",
    AFTER("Ext.Drua_pushTile(title, 0, 0, 0, 64, 64, 1, 8, 8, 0);",
          DRUA_PARAMS(DRUA_TEXT("image", "title of an open image window and name of the tile on the device"), TILE)),
    "CLIJ2/CLIJx pullTile: image, " TILE_NAMES);
DRUA_OP(pull_to_roi_manager) = HOST(pull_to_roi_manager, "transfer",
                                    "Adds the nonzero pixels of a mask as one selection to the ROI Manager.",
                                    DRUA_PARAMS(DRUA_IMAGE_IN("source", "mask")),
                                    "CLIJ2/CLIJx pullToROIManager: source");
DRUA_OP(pull_labels_to_roi_manager) =
    HOST(pull_labels_to_roi_manager, "transfer",
         "Adds one selection for each label, named Label_1, Label_2 and so on, to the ROI Manager.",
         DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map")), "CLIJ2/CLIJx pullLabelsToROIManager: source");
DRUA_OP(pull_labels_to_roi_list) = HOST(pull_labels_to_roi_list, "transfer",
                                        "Lists the selections of all labels in the log.",
                                        DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map")),
                                        "CLIJ2 pullLabelsToROIList: source");
#define GRID_TILE                                                                                                      \
    DRUA_INTEGER("tile_count_x", "tiles side by side", DRUA_RANGE(1, 1e6), .default_value = 2),                        \
        DRUA_INTEGER("tile_count_y", "tiles below each other", DRUA_RANGE(1, 1e6), .default_value = 2),                \
        DRUA_INTEGER("tile_count_z", "tiles along z", DRUA_RANGE(1, 1e6), .default_value = 1),                         \
        DRUA_INTEGER("tile_x", "number of the tile along x, from 0", DRUA_RANGE(0, 1e6)),                              \
        DRUA_INTEGER("tile_y", "number of the tile along y, from 0", DRUA_RANGE(0, 1e6)),                              \
        DRUA_INTEGER("tile_z", "number of the tile along z, from 0", DRUA_RANGE(0, 1e6)),                              \
        DRUA_NUMBER("overlap", "overlap of neighbouring tiles", .unit = "%", DRUA_RANGE(0, 99), .default_value = 10)
#define GRID_NAMES "tile_count_x, tile_count_y, tile_count_z, tile_x, tile_y, tile_z, overlap"

DRUA_OP(push_grid_tile) = HOST(
    push_grid_tile, "transfer",
    "Cuts an open image into a grid of tiles that overlap and copies one to the device, where it has the image's name.",
    DRUA_PARAMS(DRUA_TEXT("image", "title of an open image window"), GRID_TILE),
    "CLIJ2 pushGridTile: image, " GRID_NAMES);
DRUA_OP(pull_grid_tile_to_image) = HOST(
    pull_grid_tile_to_image, "transfer",
    "Writes a tile of a grid into an open image of the same size as the image that was divided.",
    AFTER("Ext.Drua_pushGridTile(title, 2, 2, 1, 0, 0, 0, 10);",
          DRUA_PARAMS(DRUA_IMAGE_IN("source", "tile"), DRUA_TEXT("image", "title of an open image window"), GRID_TILE,
                      DRUA_INTEGER("fusion_mode",
                                   "how tile and image are combined: 0 copy, 1 copy inverted, 2 copy but white, 3 add, "
                                   "4 subtract, 5 multiply, 6 divide, 7 average, 8 difference, 9 and, 10 or, 11 xor, "
                                   "12 minimum, 13 maximum, 14 copy but zeros",
                                   DRUA_RANGE(0, 14)))),
    "CLIJ2 pullGridTileToImage: source, image, " GRID_NAMES ", fusion_mode");
DRUA_OP(organise_windows) = HOST(
    organise_windows, "transfer", "Arranges the image windows in columns, each from top to bottom.",
    DRUA_PARAMS(
        DRUA_INTEGER("start_x", "left edge of the first window on the screen", .unit = "pixel", DRUA_RANGE(-1e6, 1e6)),
        DRUA_INTEGER("start_y", "top edge of the first window on the screen", .unit = "pixel", DRUA_RANGE(-1e6, 1e6)),
        DRUA_INTEGER("tiles_x", "number of columns; windows beyond them stay where they are", DRUA_RANGE(1, 1e6),
                     .default_value = 3),
        DRUA_INTEGER("tiles_y", "number of windows in a column", DRUA_RANGE(1, 1e6), .default_value = 2),
        DRUA_INTEGER("tile_width", "width of a window", .unit = "pixel", DRUA_RANGE(1, 1e6), .default_value = 400),
        DRUA_INTEGER("tile_height", "height of a window", .unit = "pixel", DRUA_RANGE(1, 1e6), .default_value = 300)),
    "CLIJx organiseWindows: start_x, start_y, tiles_x, tiles_y, tile_width, tile_height");
DRUA_OP(show_grey) = HOST(show_grey, "transfer",
                          "Shows an image of the device in the window with this title, which opens if needed.",
                          DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to show"),
                                      DRUA_TEXT("title", "title of the window", .example_text = "result")),
                          "CLIJx showGrey: source, title", "CLIJx showGreyAsync: source, title");
DRUA_OP(show_rgb) =
    HOST(show_rgb, "transfer",
         "Shows three images as red, green and blue in the window with this title, which opens if needed.",
         DRUA_PARAMS(DRUA_IMAGE_IN("red", "image of red"), DRUA_IMAGE_IN("green", "image of green"),
                     DRUA_IMAGE_IN("blue", "image of blue"),
                     DRUA_TEXT("title", "title of the window", .example_text = "result")),
         "CLIJx showRGB: red, green, blue, title");
DRUA_OP(show_glasbey_on_grey) =
    HOST(show_glasbey_on_grey, "transfer",
         "Shows a label map in colours on a grey image in the window with this title, which opens if needed.",
         DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to show in grey"), DRUA_IMAGE_IN("labels", "label map"),
                     DRUA_TEXT("title", "title of the window", .example_text = "result")),
         "CLIJx showGlasbeyOnGrey: source, labels, title");
DRUA_OP(show_3d_with_tip_tilt) = HOST(
    show_3d_with_tip_tilt, "transfer",
    "Shows the brightest pixels of a stack along the line of sight, in the window with this title; dragging rotates "
    "the stack.",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack"), DRUA_TEXT("title", "title of the window", .example_text = "result"),
                DRUA_BOOLEAN("synchronised", "rotate together with the other windows that have this set",
                             .default_value = 1)),
    "CLIJx show3DWithTipTilt: source, title, synchronised");
DRUA_OP(push_meta_data) = HOST(push_meta_data, "transfer",
                               "Remembers the scale of the current window, on top of those remembered before.", NOTHING,
                               "CLIJx pushMetaData:");
DRUA_OP(pop_meta_data) = HOST(pop_meta_data, "transfer",
                              "Gives the current window the scale that was remembered last, and forgets it.",
                              AFTER("Ext.Drua_pushMetaData();", NOTHING), "CLIJx popMetaData:");
DRUA_OP(reset_meta_data) = HOST(reset_meta_data, "transfer", "Forgets all scales that were remembered.", NOTHING,
                                "CLIJx resetMetaData:");
DRUA_OP(push_results_table) =
    HOST(push_results_table, "table", "Makes an image from the Results table: one column of pixels for each column.",
         AFTER(RESULTS, DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "image of the table", .type = DRUA_FLOAT32))),
         "CLIJ2 pushResultsTable: &destination", "CLIJ2/CLIJx resultsTableToImage2D: &destination");
DRUA_OP(push_results_table_column) =
    HOST(push_results_table_column, "table", "Makes a line of pixels from one column of the Results table.",
         AFTER(RESULTS, DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "vector of the column", .type = DRUA_FLOAT32),
                                    DRUA_TEXT("column_name", "heading of the column", .example_text = "Area"))),
         "CLIJ2 pushResultsTableColumn: &destination, column_name",
         "CLIJ2 resultsTableColumnToImage: &destination, column_name");
DRUA_OP(parametric_image_of_results_table_column) = HOST(
    parametric_image_of_results_table_column, "table",
    "Paints every label with its number in a column of the Results table: the first row stands for background, the "
    "second for label 1, and so on.",
    AFTER(RESULTS, DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"),
                               DRUA_IMAGE_OUT("destination", "image of the numbers", .type = DRUA_FLOAT32),
                               DRUA_TEXT("column_name", "heading of the column", .example_text = "Area"))),
    "CLIJ2 generateParametricImageFromResultsTableColumn: source, &destination, column_name");
DRUA_OP(pull_to_results_table) = HOST(pull_to_results_table, "table",
                                      "Writes an image into the Results table: one row for each row of pixels.", SOURCE,
                                      "CLIJ2 pullToResultsTable: source", "CLIJ2/CLIJx image2DToResultsTable: source");
DRUA_OP(pull_to_results_table_column) =
    HOST(pull_to_results_table_column, "table", "Writes a vector into one column of the Results table.",
         DRUA_PARAMS(DRUA_IMAGE_IN("source", "vector"),
                     DRUA_TEXT("column_name", "heading of the column", .example_text = "Area"),
                     DRUA_BOOLEAN("append_new_rows", "whether rows are added below the existing ones")),
         "CLIJ2/CLIJx pullToResultsTableColumn: source, column_name, append_new_rows");
DRUA_OP(image_j_watershed) = HOST(image_j_watershed, "labels",
                                  "Separates touching objects of a mask, slice by slice, by ImageJ's own watershed.",
                                  DRUA_PARAMS(DRUA_IMAGE_IN("source", "mask"),
                                              DRUA_IMAGE_OUT("destination",
                                                             "mask of 0 and 1 with lines of 0 between the parts")),
                                  "CLIJx imageJWatershed: source, &destination");
DRUA_OP(release) = HOST(release, "memory", "Frees an image on the device.", NAME, "CLIJ2/CLIJx/CLIJ release: image");
DRUA_OP(clear) = HOST(clear, "memory", "Frees all images on the device.", NOTHING, "CLIJ2/CLIJx/CLIJ clear:");
DRUA_OP(report_memory) = HOST(report_memory, "memory",
                              "Lists in the log the images on the device and the memory that they take.", NOTHING,
                              "CLIJ2/CLIJx/CLIJ reportMemory:");
DRUA_OP(explain) = {
    .name = "explain",
    .category = "time",
    .traits = DRUA_HOST,
    .summary = "Lists the last launches in the log: operations fused into one pass, bytes moved, kernel variant, and "
               "times if measured."};
DRUA_OP(start_time_tracing) = HOST(start_time_tracing, "time", "Starts measuring how long each command takes.", NOTHING,
                                   "CLIJ2 startTimeTracing:");
DRUA_OP(stop_time_tracing) = HOST(stop_time_tracing, "time", "Stops measuring times.",
                                  AFTER("Ext.Drua_startTimeTracing();", NOTHING), "CLIJ2 stopTimeTracing:");
DRUA_OP(get_time_tracing) = HOST(get_time_tracing, "time", "Gives the measured times as text.",
                                 AFTER("Ext.Drua_startTimeTracing();",
                                       DRUA_PARAMS(DRUA_TEXT_OUT("time_traces",
                                                                 "one line for each start and end of a command"))),
                                 "CLIJ2 getTimeTracing: &time_traces");
DRUA_OP(print) = HOST(print, "image", "Writes the pixels of an image to the log.", SOURCE, "CLIJ2 print: source");
DRUA_OP(list_available_gpus) = HOST(list_available_gpus, "device", "Lists the OpenCL devices in the Results table.",
                                    NOTHING, "CLIJ2/CLIJx listAvailableGPUs:");
DRUA_OP(gpu_properties) = HOST(gpu_properties, "device",
                               "Adds name, memory and OpenCL version of the device in use to the Results table.",
                               NOTHING, "CLIJ2 GPUProperties:");
DRUA_OP(cl_info) = HOST(cl_info, "device", "Writes a list of all OpenCL devices and their properties to the log.",
                        NOTHING, "CLIJ2/CLIJx/CLIJ clInfo:");
DRUA_OP(invalidate_kernel_cache) = HOST(invalidate_kernel_cache, "device",
                                        "Does nothing: compiled kernels never become out of date.", NOTHING,
                                        "CLIJ2/CLIJx invalidateKernelCache:");
DRUA_OP(stop_watch) = HOST(stop_watch, "time",
                           "Writes a text, and the milliseconds since the last call of this command, to the log.",
                           DRUA_PARAMS(DRUA_TEXT("text", "work since the last call", .example_text = "blur")),
                           "CLIJx stopWatch: text");
DRUA_OP(save_as_tif) = HOST(save_as_tif, "file", "Saves an image of the device as a TIFF file.",
                            DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to save"), DRUA_TEXT("path", "file to write")),
                            "CLIJ2/CLIJx saveAsTIF: source, path");
#define HOST_ALONE(name_, category_, summary_, params_)                                                                \
    {                                                                                                                  \
        .name = #name_, .category = category_, .summary = summary_, .traits = DRUA_HOST, params_                       \
    }
DRUA_OP(time_launches) =
    HOST_ALONE(time_launches, "time",
               "Turns on or off the measurement of each launch's time, for explain; fused steps stay fused.",
               DRUA_PARAMS(DRUA_BOOLEAN("on", "on: each launch is waited for and measured", .default_value = 1)));
#define IMAGE_TO_READ                                                                                                  \
    {.name = "path", .doc = "image file to read, of any format that ImageJ opens", .kind = DRUA_KIND_PATH}
#define READ DRUA_IMAGE_OUT("destination", "image of the file", .type = DRUA_FLOAT32)
#define AFTER_WRITING(...)                                                                                             \
    AFTER("Ext.Drua_push(getTitle());\nExt.Drua_write(getTitle(), getDirectory(\"temp\") + \"drua-example.tif\");",    \
          DRUA_PARAMS(__VA_ARGS__))
#define FILE_TO_WRITE {.name = "path", .doc = "text file to write", .kind = DRUA_KIND_PATH, .written = true}

DRUA_OP(read_image_from_disc) = HOST(read_image_from_disc, "file",
                                     "Reads an image file to the device without a window.",
                                     AFTER_WRITING(READ, IMAGE_TO_READ), "CLIJx readImageFromDisc: destination, path");
DRUA_OP(preload_from_disc) = HOST(
    preload_from_disc, "file",
    "Reads an image file to the device and starts reading the next one, so that the next call finds it in memory.",
    AFTER_WRITING(READ, IMAGE_TO_READ, DRUA_TEXT("next_path", "file to read ahead; empty: none", .default_text = ""),
                  DRUA_TEXT("loader", "name of this series of files, if the macro reads several series alternately",
                            .default_text = "")),
    "CLIJx preloadFromDisc: destination, path, next_path, loader");
DRUA_OP(read_raw_image_from_disc) = HOST(
    read_raw_image_from_disc, "file",
    "Reads a file of pixels without a header to the device; the least significant byte of each number comes first.",
    AFTER_WRITING(READ, {.name = "path", .doc = "file of pixels, row by row, slice by slice", .kind = DRUA_KIND_PATH},
                  DRUA_INTEGER("width", "columns", DRUA_RANGE(1, 2147483647), .default_value = 1),
                  DRUA_INTEGER("height", "rows", DRUA_RANGE(1, 2147483647), .default_value = 1),
                  DRUA_INTEGER("depth", "slices", DRUA_RANGE(1, 2147483647), .default_value = 1),
                  DRUA_INTEGER("bits_per_pixel", "8, 16 or 32 (as float32)", DRUA_RANGE(8, 32), .default_value = 8)),
    "CLIJx readRawImageFromDisc: destination, path, width, height, depth, bits_per_pixel");
DRUA_OP(write_xyz_point_list_to_disc) = HOST(
    write_xyz_point_list_to_disc, "file",
    "Writes a point list as an XYZ file: the number of points, an empty line, then number, x, y and z of each point.",
    DRUA_PARAMS(DRUA_IMAGE_IN("points", "point list"), FILE_TO_WRITE), "CLIJx writeXYZPointListToDisc: points, path");
DRUA_OP(write_vtk_line_list_to_disc) =
    HOST(write_vtk_line_list_to_disc, "file",
         "Writes a VTK file of points, and of the lines between touching points with their lengths.",
         DRUA_PARAMS(DRUA_IMAGE_IN("points", "point list"),
                     DRUA_IMAGE_IN("touch_matrix", "touch matrix; row and column 0 stand for the background"),
                     FILE_TO_WRITE),
         "CLIJx writeVTKLineListToDisc: points, touch_matrix, path");

DRUA_OP(apply_to_hyperstack) = HOST_ALONE(
    apply_to_hyperstack, "transfer",
    "Runs an operation on each channel and frame of open images separately, and shows the results as "
    "hyperstacks with the scale and colours of the images. An image of one channel or frame is used "
    "with all of the others.",
    DRUA_PARAMS(
        DRUA_TEXT("operation", "name of the operation", .example_text = "gaussian_blur"),
        DRUA_TEXT("arguments",
                  "parameters as name=value words, with titles for images and results; [] around values with spaces",
                  .example_text = "source=nuclei destination=blurred sigma_x=2 sigma_y=2"),
        DRUA_INTEGER("channel", "the only channel to process, from 1; 0: all", DRUA_RANGE(0, 2147483647)),
        DRUA_INTEGER("frame", "the only frame to process, from 1; 0: all", DRUA_RANGE(0, 2147483647))));
DRUA_OP(deconvolve_hyperstack) = HOST_ALONE(
    deconvolve_hyperstack, "deconvolution",
    "Deconvolves every channel and frame of an open image and shows the result in a new window; channel n uses "
    "the psf's channel n if there is one.",
    DRUA_PARAMS(
        DRUA_TEXT("image", "title of an open image window"),
        DRUA_TEXT("psf", "title of an open image window with the point spread functions"),
        DRUA_TEXT("title", "title of the new window", .example_text = "restored"),
        {.name = "options", .doc = "settings of deconvolve, as words", .kind = DRUA_KIND_OPTIONS, .default_text = ""}));

DRUA_OP(process_file) = {
    .name = "process_file",
    .category = "file",
    .traits = DRUA_HOST,
    .summary = "Runs a pipeline on an image file of any size block by block; called again, it continues where it was "
               "stopped (docs/blocks.md).",
    .before_example =
        "Ext.Drua_push(getTitle());\nExt.Drua_write(getTitle(), getDirectory(\"temp\") + \"drua-example.zarr\");",
    DRUA_PARAMS(DRUA_TEXT("pipeline", "file of macro commands, or an operation with its settings",
                          .example_text = "gaussian_blur sigma_x=2 sigma_y=2"),
                {.name = "input",
                 .doc = "image to read: OME-Zarr, N5 or TIFF, or a list of tiles (docs/stitching.md)",
                 .kind = DRUA_KIND_PATH,
                 .example_text = "drua-example.zarr"},
                {.name = "output",
                 .doc = "OME-Zarr (.zarr) or TIFF (.tif) to write; for several results, their folder",
                 .kind = DRUA_KIND_PATH,
                 .written = true,
                 .example_text = "drua-example-blurred.zarr"},
                {.name = "settings",
                 .doc = "memory=8GB host_memory=8GB devices=all device=NAME block=X,Y,Z chunk=X,Y,Z shard=X,Y,Z "
                        "compression=NAME zarr=0.5 anew overwrite and other options of drua process (docs/blocks.md); "
                        "without overwrite, the command refuses to replace an existing output",
                 .kind = DRUA_KIND_OPTIONS,
                 .default_text = "",
                 .example_text = "overwrite"})};
DRUA_OP(help) = HOST(help, "device", "Lists in the log the commands whose names contain a word.",
                     DRUA_PARAMS(DRUA_TEXT("keyword", "word to look for", .example_text = "gaussian")),
                     "CLIJ2/CLIJx/CLIJ help: keyword");
DRUA_OP(workbench) = HOST_ALONE(
    workbench, "transfer",
    "Opens the workbench on the current image: it builds a pipeline, shows the result of each step, and saves "
    "the pipeline as a macro.",
    NOTHING);

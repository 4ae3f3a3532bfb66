/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands whose body is the host program's: windows, tables, selections and the names of images. Same checks, same pages. */
#include "op.h"

#define HOST(name_, category_, summary_, params_, ...)                                                                           \
    const drua_op drua_op_##name_ = {.name = #name_, .category = category_, .summary = summary_, .traits = DRUA_HOST, params_,  \
                                     DRUA_ALIASES(__VA_ARGS__)};
#define WINDOW DRUA_PARAMS(DRUA_TEXT("image", "title of an open image window"))
#define NAME DRUA_PARAMS(DRUA_TEXT("image", "name of an image on the device"))
#define SOURCE DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to show"))
#define NOTHING .params = NULL

HOST(push, "transfer", "Copies an open image to the device, where it is known by its title.", WINDOW, "CLIJ2/CLIJx/CLIJ push: image")
HOST(push_current_slice, "transfer", "Copies the slice that is shown, cropped to the selection, to the device.", WINDOW,
     "CLIJ2/CLIJx/CLIJ pushCurrentSlice: image")
HOST(push_current_slice_selection, "transfer", "Copies the selected part of the slice that is shown to the device.", WINDOW,
     "CLIJ2 pushCurrentSliceSelection: image")
HOST(push_current_z_stack, "transfer", "Copies all slices of the channel and frame that are shown to the device.", WINDOW,
     "CLIJ2/CLIJx/CLIJ pushCurrentZStack: image")
HOST(push_current_selection, "transfer", "Copies the selected part of a stack to the device.", WINDOW,
     "CLIJ2/CLIJx pushCurrentSelection: image")
HOST(pull, "transfer", "Shows an image of the device in a new window with its name as the title.", NAME, "CLIJ2/CLIJx/CLIJ pull: image")
HOST(pull_binary, "transfer", "Shows a mask of the device as an 8-bit image of 0 and 255.", NAME, "CLIJ2/CLIJx/CLIJ pullBinary: image")
HOST(pull_as_roi, "transfer", "Selects the nonzero pixels of a mask in the active window.",
     DRUA_PARAMS(DRUA_IMAGE_IN("source", "mask to select")), "CLIJ2/CLIJx pullAsROI: source")
HOST(pull_to_current_slice, "transfer", "Writes an image of the device into the slice that is shown.", NAME,
     "CLIJ2 pullToCurrentSlice: image")
HOST(push_results_table, "table", "Makes an image of the Results table: one column of pixels for each column.",
     DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "image of the table", .type = DRUA_FLOAT32)), "CLIJ2 pushResultsTable: &destination")
HOST(push_results_table_column, "table", "Makes a line of pixels of one column of the Results table.",
     DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "vector of the column", .type = DRUA_FLOAT32), DRUA_TEXT("column_name", "heading of the column")),
     "CLIJ2 pushResultsTableColumn: &destination, column_name")
HOST(pull_to_results_table, "table", "Writes an image into the Results table: one row for each row of pixels.", SOURCE,
     "CLIJ2 pullToResultsTable: source")
HOST(pull_to_results_table_column, "table", "Writes a vector into one column of the Results table.",
     DRUA_PARAMS(DRUA_IMAGE_IN("source", "vector"), DRUA_TEXT("column_name", "heading of the column"),
                 DRUA_BOOLEAN("append_new_rows", "whether rows are added below those that are there")),
     "CLIJ2/CLIJx pullToResultsTableColumn: source, column_name, append_new_rows")
HOST(release, "memory", "Frees an image on the device.", NAME, "CLIJ2/CLIJx/CLIJ release: image")
HOST(clear, "memory", "Frees all images on the device.", NOTHING, "CLIJ2/CLIJx/CLIJ clear:")
HOST(report_memory, "memory", "Lists the images on the device and the memory they take in the log.", NOTHING,
     "CLIJ2/CLIJx/CLIJ reportMemory:")
HOST(start_time_tracing, "time", "Starts measuring how long each command takes.", NOTHING, "CLIJ2 startTimeTracing:")
HOST(stop_time_tracing, "time", "Stops measuring times.", NOTHING, "CLIJ2 stopTimeTracing:")
HOST(get_time_tracing, "time", "Gives the measured times as text.", DRUA_PARAMS(DRUA_TEXT_OUT("time_traces", "one line for each start and end of a command")),
     "CLIJ2 getTimeTracing: &time_traces")
HOST(print, "image", "Writes the pixels of an image to the log.", SOURCE, "CLIJ2 print: source")
HOST(list_available_gpus, "device", "Lists the OpenCL devices in the Results table.", NOTHING, "CLIJ2/CLIJx listAvailableGPUs:")
HOST(save_as_tif, "file", "Saves an image of the device as a TIFF file.",
     DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to save"), DRUA_TEXT("path", "file to write")), "CLIJ2/CLIJx saveAsTIF: source, path")
HOST(help, "device", "Lists the commands whose name holds a word in the log.", DRUA_PARAMS(DRUA_TEXT("keyword", "word to look for")),
     "CLIJ2/CLIJx help: keyword")

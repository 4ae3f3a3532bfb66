/* SPDX-License-Identifier: BSD-3-Clause */
/* Label maps from ImageJ's ROI Manager, where StarDist, Cellpose, TrackMate and others put their objects. */
#include "op.h"

DRUA_OP(push_roi_manager) = {
    .name = "push_roi_manager",
    .category = "transfer",
    .summary = "Makes a label map of the selections in the ROI Manager; later selections cover earlier ones.",
    .traits = DRUA_HOST,
    .before_example = "roiManager(\"reset\");\nmakeOval(4, 4, 20, 16);\nroiManager(\"add\");\n"
                      "makeRectangle(20, 12, 30, 30);\nroiManager(\"add\");",
    DRUA_PARAMS(
        DRUA_LABELS_OUT("destination", "label map: the number of each selection, from 1", .type = DRUA_FLOAT32),
        DRUA_INTEGER("width", "extent of the label map", DRUA_RANGE(1, 1e6), .default_value = 64, .unit = "pixel"),
        DRUA_INTEGER("height", "extent of the label map", DRUA_RANGE(1, 1e6), .default_value = 64, .unit = "pixel"),
        DRUA_INTEGER("depth", "slices of the label map; a selection without a slice is in all", DRUA_RANGE(1, 1e6),
                     .default_value = 1, .unit = "pixel"),
        DRUA_BOOLEAN("groups",
                     "on: labels are the groups of the selections, and selections without a group are left out")),
    DRUA_ALIASES("Drua pushROIManager: &destination, width, height, depth, groups"),
};

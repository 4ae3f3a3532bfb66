/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms of frames, as rows of an image and of a table, for the operations that register movies. */
#ifndef DRUA_OPS_REGISTRATION_REGISTRATION_H
#define DRUA_OPS_REGISTRATION_REGISTRATION_H

#include "landmarks.h"
#include "plan.h"

/** Columns of the image and of the table. */
enum {
    REGISTRATION_FRAME,
    REGISTRATION_XX,
    REGISTRATION_XY,
    REGISTRATION_SHIFT_X,
    REGISTRATION_YX,
    REGISTRATION_YY,
    REGISTRATION_SHIFT_Y,
    REGISTRATION_CORRELATION,
    REGISTRATION_RESIDUAL,
    REGISTRATION_OVERLAP,
    REGISTRATION_TWIST_X,
    REGISTRATION_TWIST_Y,
    REGISTRATION_COLUMNS
};

/** The transform of a frame, from positions in the registered frame to positions in the original one. */
typedef struct registration_row {
    plane_map map;
    double correlation, residual, overlap;
} registration_row;

/** A pair of frames for kernels/registration/alignment_sums.cl, with the map minus the identity. */
typedef struct registration_job {
    int32_t moved, still;
    float start[2], by_x[2], by_y[2], by_xy[2];
} registration_job;

registration_job registration_job_of(int32_t moved, int32_t still, plane_map map);

/** Sets the table "registration", and the rows of an image, if `image` is not NULL. */
void registration_write(drua_plan *plan, const registration_row *rows, int32_t frames, const char *image);

#define REGISTRATION_SOURCE                                                                                            \
    "TurboReg and StackReg: Thevenaz, Ruttimann and Unser 1998; pyramids of cubic splines, mean square difference, "   \
    "Marquardt-Levenberg steps"
#define REGISTRATION_TRANSFORMS                                                                                        \
    "a row for each frame: Frame, XX, XY, Shift_X, YX, YY, Shift_Y, Correlation, Residual, Overlap, Twist_X, "         \
    "Twist_Y; pixel x, y of the registered frame lies at XX x + XY y + Shift_X + Twist_X x y, YX x + YY y + Shift_Y "  \
    "+ Twist_Y x y of the original"
#define REGISTRATION_MODE                                                                                              \
    DRUA_CHOICE("mode",                                                                                                \
                "movements to undo; rigid_body: shift and rotation; scaled_rotation: also one scale; affine: also "    \
                "shear; bilinear: each corner of the frame moves separately; not possible with reference previous",    \
                .default_text = "translation",                                                                         \
                DRUA_CHOICES("translation", "rigid_body", "scaled_rotation", "affine", "bilinear"))
#define REGISTRATION_REFERENCE                                                                                         \
    DRUA_CHOICE("reference", "frame to which each frame is registered: the one before it, the first, or the mean",     \
                .default_text = "previous", DRUA_CHOICES("previous", "first", "mean"))
#define REGISTRATION_MISSING                                                                                           \
    DRUA_CHOICE("missing",                                                                                             \
                "pixels that do not count; zero: those that are 0, such as borders that another registration, a "      \
                "deskew or a mosaic left empty",                                                                       \
                .default_text = "none", DRUA_CHOICES("none", "zero"))
#define REGISTRATION_TABLE                                                                                             \
    DRUA_TABLE_OUT("registration", "the same rows as a table; Correlation: -1 to 1, of the registered frame with its " \
                                   "reference; Residual: root of their mean square difference; Overlap: shared part")

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "absent.h"

#include "registry.h"

#include <string.h>

/* The first entry that matches is used, so imageJ3DSuite comes before imageJ. */
#define PLUGIN(name) name " is not part of Drua: pull the image, run " name ", and push its result"
#define CAMERA                                                                                                         \
    "Drua takes no pictures: take them with a plugin for your camera, such as Webcam Capture or Micro-Manager, and "   \
    "push them"

const drua_absent drua_absent_table[] = {
    {"morphoLibJ", PLUGIN("MorphoLibJ")},
    {"simpleITK", PLUGIN("SimpleITK")},
    {"imageJ3DSuite", PLUGIN("the 3D ImageJ Suite")},
    {"imageJ2", PLUGIN("ImageJ2's operation")},
    {"imageJ", PLUGIN("ImageJ's command")},
    {"imglib2", PLUGIN("ImgLib2's algorithm")},
    {"boneJ", PLUGIN("BoneJ")},
    {"starDist", PLUGIN("StarDist")},
    {"captureWebcamImage", CAMERA},
    {"listWebcams", CAMERA},
    {"startContinuousWebcamAcquisition", CAMERA},
    {"stopContinuousWebcamAcquisition", CAMERA},
    {"pullArray", "ImageJ's macros take no array from a command; use pullString or pullToResultsTable"},
    {"pull2DPointListAsRoi",
     "ImageJ's macros take no array from a command; use pullToResultsTable, and makeSelection on its columns"},
    {NULL, NULL}};

const char *drua_absent_advice(const char *command)
{
    const char *name = strchr(command, '_');
    for (const drua_absent *a = drua_absent_table; name && a->begins; a++)
        if (!strncmp(name + 1, a->begins, strlen(a->begins)))
            return a->advice;
    return NULL;
}

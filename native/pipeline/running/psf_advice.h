/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings about the point spread functions of a pipeline. */
#ifndef DRUA_PIPELINE_PSF_ADVICE_H
#define DRUA_PIPELINE_PSF_ADVICE_H

#include "job.h"

/*
 * Adds to the engine's lines the warnings of fit_psf about each file that a deconvolution reads as its psf, one line
 * each. Blocks use the pixels of the file as they are, so a psf with other voxels than the image gets a warning too.
 * Needs the recorded pipeline and its device. Without a device, the line says that the psf was not checked.
 */
drua_status psf_advice_add(job *j);

#endif

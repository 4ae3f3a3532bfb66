/* SPDX-License-Identifier: BSD-3-Clause */
/* How the built-in FFT transforms the lines of an axis: the constants of kernels/specialized/lines/line_steps.cl. */
#ifndef DRUA_FFT_LINE_H
#define DRUA_FFT_LINE_H

#include "handles.h"

enum { FFT_LINE_STEPS = 5 };

typedef struct fft_line {
    int64_t length, count; /* numbers of a line, half of the extent of rows; lines of the image */
    bool rows;
    int radices[FFT_LINE_STEPS], steps;
    int threads, lines; /* work-items of a line, lines of a group */
    int values; /* numbers that a work-item holds at most */
    int gap; /* after so many numbers one is left out in local memory; 0: none */
    bool halves; /* real parts change places before imaginary ones, for want of memory */
} fft_line;

/* Sets all that comes after `rows`. False: lines of that length cannot be transformed on that device. */
bool fft_line_plan(fft_line *line, const drua_device_info *info);

#endif

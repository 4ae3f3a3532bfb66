/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parameters with which the built-in FFT transforms the lines of an axis: the constants of
 * kernels/specialized/lines/line_steps.cl.
 */
#ifndef DRUA_FFT_LINE_H
#define DRUA_FFT_LINE_H

#include "handles.h"

enum { FFT_LINE_STEPS = 5 };

typedef struct fft_line {
    int64_t length, count; /* numbers per line, half of the extent for rows; lines in the image */
    bool rows;
    int radices[FFT_LINE_STEPS], steps;
    int threads, lines; /* work-items per line, lines per work-group */
    int values; /* largest number of values per work-item */
    int gap; /* a gap is left in local memory after this many numbers; 0: none */
    bool halves; /* real parts are exchanged before imaginary ones, to save memory */
} fft_line;

/* Sets all members after `rows`. Returns false if the device cannot transform lines of that length. */
bool fft_line_choose(fft_line *line, const drua_device_info *info);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_IO_CODEC_TIMES_H
#define DRUA_IO_CODEC_TIMES_H

/**
 * Returns the seconds that all threads of the process together have spent on decoding and encoding chunks so far. Any
 * thread.
 */
void drua_codec_seconds(double *decode_seconds, double *encode_seconds);

#endif

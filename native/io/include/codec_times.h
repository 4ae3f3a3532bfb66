/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_IO_CODEC_TIMES_H
#define DRUA_IO_CODEC_TIMES_H

/** Seconds that all threads of the process have spent so far in decoding and encoding chunks. Any thread. */
void drua_codec_seconds(double *decode_seconds, double *encode_seconds);

#endif

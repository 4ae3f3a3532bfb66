/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_BASE_CRC32C_H
#define DRUA_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/** CRC-32C (Castagnoli), as in Zarr's crc32c codec. Any thread. */
uint32_t drua_crc32c(const void *bytes, size_t length);

/** Continues a checksum: `before` is the checksum of the preceding bytes; 0: no preceding bytes. */
uint32_t drua_crc32c_more(uint32_t before, const void *bytes, size_t length);

/** Joins the checksums of two consecutive ranges of bytes; the second has `length` bytes. */
uint32_t drua_crc32c_join(uint32_t before, uint32_t after, uint64_t length);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_BASE_CRC32C_H
#define DRUA_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/** Returns the CRC-32C (Castagnoli) of `length` bytes, as in Zarr's crc32c codec. Any thread. */
uint32_t drua_crc32c(const void *bytes, size_t length);

/**
 * Returns the checksum of two consecutive ranges of bytes from the checksum of each. The second range has `length`
 * bytes. Any thread.
 */
uint32_t drua_crc32c_join(uint32_t before, uint32_t after, uint64_t length);

#endif

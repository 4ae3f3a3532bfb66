/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_BASE_CRC32C_H
#define DRUA_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/** CRC32C of Castagnoli, as Zarr's crc32c has it. Any thread. */
uint32_t drua_crc32c(const void *bytes, size_t length);

/** The same of bytes that follow others, whose checksum is `before`; 0: none do. */
uint32_t drua_crc32c_more(uint32_t before, const void *bytes, size_t length);

/** The checksum of bytes and of `length` more behind them, from the checksums of both. */
uint32_t drua_crc32c_join(uint32_t before, uint32_t after, uint64_t length);

#endif

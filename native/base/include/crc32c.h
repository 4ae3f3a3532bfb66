/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_BASE_CRC32C_H
#define DRUA_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/** CRC32C of Castagnoli, as Zarr's crc32c has it. Any thread. */
uint32_t drua_crc32c(const void *bytes, size_t length);

/** The same of bytes that follow others, whose checksum is `before`; 0: none do. */
uint32_t drua_crc32c_more(uint32_t before, const void *bytes, size_t length);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of the system that libtiff's sources need to know. */
#ifndef DRUA_TIF_CONFIG_H
#define DRUA_TIF_CONFIG_H

#include "tiffconf.h"

#define HAVE_ASSERT_H 1
#define HAVE_FCNTL_H 1
#define HAVE_FSEEKO 1
#define HAVE_STRINGS_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UNISTD_H 1
#if defined(_WIN32)
#define HAVE_IO_H 1
#define HAVE_SETMODE 1
#define USE_WIN32_FILEIO 1
#else
#define HAVE_MMAP 1
#endif

#define SIZEOF_SIZE_T 8
#define STRIP_SIZE_DEFAULT 8192
#define TIFF_MAX_DIR_COUNT 1048576
#define TIFF_SIZE_FORMAT PRIuPTR
#define TIFF_SSIZE_FORMAT PRId64
#define ZSTD_SUPPORT 1

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads the libraries of codecs and metadata at run time, because only some files need them. With DRUA_CODECS_INSIDE
 * they are linked into the library instead.
 */
#ifndef DRUA_IO_CODEC_LIBRARIES_H
#define DRUA_IO_CODEC_LIBRARIES_H

#include "error.h"

#include <blosc.h>
#include <expat.h>
#include <jansson.h>
#include <zlib.h>
#include <zstd.h>

#define DRUA_BLOSC_FUNCTIONS(F) F(blosc_cbuffer_validate) F(blosc_decompress_ctx) F(blosc_compress_ctx)
#define DRUA_ZSTD_FUNCTIONS(F)                                                                                         \
    F(ZSTD_decompress) F(ZSTD_compress) F(ZSTD_compressBound) F(ZSTD_isError) F(ZSTD_getErrorName)
#define DRUA_ZLIB_FUNCTIONS(F)                                                                                         \
    F(inflateInit2_)                                                                                                   \
    F(inflate) F(inflateReset) F(inflateEnd) F(deflateInit2_) F(deflate) F(deflateBound) F(deflateEnd) F(crc32)
#define DRUA_JANSSON_FUNCTIONS(F)                                                                                      \
    F(json_loadb) F(json_delete) F(json_object_get) F(json_array_get) F(json_array_size) F(json_string_value)          \
    F(json_real_value) F(json_object_iter) F(json_object_iter_next) F(json_object_iter_key) F(json_object_iter_value)
#define DRUA_EXPAT_FUNCTIONS(F)                                                                                        \
    F(XML_ParserCreate) F(XML_ParserFree) F(XML_SetUserData) F(XML_SetElementHandler) F(XML_SetCharacterDataHandler)   \
    F(XML_SetStartDoctypeDeclHandler) F(XML_Parse) F(XML_StopParser) F(XML_GetErrorCode) F(XML_ErrorString)            \
    F(XML_GetCurrentLineNumber)

/* The structures hold only function pointers, so that one loader fills all of them. */
#define F(name) __typeof__(&name) name;
typedef struct drua_libblosc {
    DRUA_BLOSC_FUNCTIONS(F)
} drua_libblosc;
typedef struct drua_libzstd {
    DRUA_ZSTD_FUNCTIONS(F)
} drua_libzstd;
typedef struct drua_zlib {
    DRUA_ZLIB_FUNCTIONS(F)
} drua_zlib;
typedef struct drua_jansson {
    DRUA_JANSSON_FUNCTIONS(F)
} drua_jansson;
typedef struct drua_expat {
    DRUA_EXPAT_FUNCTIONS(F)
} drua_expat;
#undef F

/** Load a library and return its functions; return NULL with the error message set on failure. Any thread. */
const drua_libblosc *drua_libblosc_load(void);
const drua_libzstd *drua_libzstd_load(void);
const drua_zlib *drua_zlib_load(void);
const drua_jansson *drua_jansson_load(void);
const drua_expat *drua_expat_load(void);

#endif

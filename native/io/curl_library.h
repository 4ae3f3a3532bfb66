/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads libcurl at run time, because only addresses on servers need it. */
#ifndef DRUA_IO_CURL_LIBRARY_H
#define DRUA_IO_CURL_LIBRARY_H

#include "error.h"

/* The macros that check types in curl.h do not allow members with the names of its functions. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#define DRUA_CURL_FUNCTIONS(F)                                                                                         \
    F(curl_global_init)                                                                                                \
    F(curl_easy_init)                                                                                                  \
    F(curl_easy_reset) F(curl_easy_setopt) F(curl_easy_perform) F(curl_easy_cleanup) F(curl_easy_strerror)

/** Declared as in curl.h. */
typedef struct drua_curl {
#define F(name) __typeof__(&name) name;
    DRUA_CURL_FUNCTIONS(F)
#undef F
} drua_curl;

/** Loads libcurl and returns its functions; returns NULL with the error message set on failure. Any thread. */
const drua_curl *drua_curl_load(void);

#endif

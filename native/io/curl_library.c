/* SPDX-License-Identifier: BSD-3-Clause */
#include "curl_library.h"

#include "library.h"

#include <pthread.h>
#include <stdbool.h>

#if defined(_WIN32)
static const char *const files[] = {"libcurl.dll", "libcurl-4.dll", NULL};
#elif defined(__APPLE__)
static const char *const files[] = {"libcurl.4.dylib", "/usr/lib/libcurl.4.dylib", NULL};
#else
static const char *const files[] = {"libcurl.so.4", "libcurl-gnutls.so.4", NULL};
#endif

static drua_curl functions;
static const drua_curl *loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find_functions(void)
{
    void *library = drua_library_open(files);
    if (!library)
        return false;
#define F(name)                                                                                                        \
    if (!(*(void **)&functions.name = drua_library_find(library, #name)))                                              \
        return false;
    DRUA_CURL_FUNCTIONS(F)
#undef F
    return functions.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static void load_libcurl(void)
{
    loaded = find_functions() ? &functions : NULL;
}

const drua_curl *drua_curl_load(void)
{
    pthread_once(&once, load_libcurl);
    if (!loaded)
        drua_fail(DRUA_E_UNSUPPORTED, "libcurl, which reads addresses, is not installed; on Debian and Ubuntu: apt-get "
                                      "install libcurl4");
    return loaded;
}

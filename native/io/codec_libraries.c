/* SPDX-License-Identifier: BSD-3-Clause */
#include "codec_libraries.h"

#include "library.h"

#include <pthread.h>
#include <stdbool.h>

enum { BLOSC, ZSTD, ZLIB, JANSSON, EXPAT, LIBRARIES };

#if defined(DRUA_CODECS_INSIDE)
#define F(name) name,
static drua_libblosc blosc = {DRUA_BLOSC_FUNCTIONS(F)};
static drua_libzstd zstd = {DRUA_ZSTD_FUNCTIONS(F)};
static drua_zlib zlib = {DRUA_ZLIB_FUNCTIONS(F)};
static drua_jansson jansson = {DRUA_JANSSON_FUNCTIONS(F)};
static drua_expat expat = {DRUA_EXPAT_FUNCTIONS(F)};

static bool is_loaded(int number)
{
    (void)number;
    return true;
}
#else
#if defined(_WIN32)
#define FILES(linux_, mac_, windows_) {windows_, "lib" windows_, NULL}
#elif defined(__APPLE__)
#define FILES(linux_, mac_, windows_) {mac_, "/opt/homebrew/lib/" mac_, "/usr/local/lib/" mac_, NULL}
#else
#define FILES(linux_, mac_, windows_) {linux_, NULL}
#endif
#define F(name) #name,

typedef struct library {
    const char *name, *package, *files[4];
    const char *const *functions;
    void **slots;               /* receives the addresses of the functions */
    bool loaded;
} library;

static drua_libblosc blosc;
static drua_libzstd zstd;
static drua_zlib zlib;
static drua_jansson jansson;
static drua_expat expat;

static library libraries[LIBRARIES] = {
    [BLOSC] = {"c-blosc", "libblosc1", FILES("libblosc.so.1", "libblosc.1.dylib", "blosc.dll"),
               (const char *const[]){DRUA_BLOSC_FUNCTIONS(F) NULL}, (void **)&blosc, false},
    [ZSTD] = {"zstd", "libzstd1", FILES("libzstd.so.1", "libzstd.1.dylib", "zstd.dll"),
              (const char *const[]){DRUA_ZSTD_FUNCTIONS(F) NULL}, (void **)&zstd, false},
    [ZLIB] = {"zlib", "zlib1g", FILES("libz.so.1", "libz.1.dylib", "zlib1.dll"),
              (const char *const[]){DRUA_ZLIB_FUNCTIONS(F) NULL}, (void **)&zlib, false},
    [JANSSON] = {"jansson", "libjansson4", FILES("libjansson.so.4", "libjansson.4.dylib", "jansson.dll"),
                 (const char *const[]){DRUA_JANSSON_FUNCTIONS(F) NULL}, (void **)&jansson, false},
    [EXPAT] = {"expat", "libexpat1", FILES("libexpat.so.1", "libexpat.1.dylib", "libexpat.dll"),
               (const char *const[]){DRUA_EXPAT_FUNCTIONS(F) NULL}, (void **)&expat, false},
};
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load_library(void)
{
    for (library *l = libraries; l < libraries + LIBRARIES; l++) {
        void *handle = drua_library_open(l->files);
        l->loaded = handle != NULL;
        for (int i = 0; l->loaded && l->functions[i]; i++)
            l->loaded = (l->slots[i] = drua_library_find(handle, l->functions[i])) != NULL;
    }
}

static bool is_loaded(int number)
{
    const library *l = &libraries[number];
    pthread_once(&once, load_library);
    if (!l->loaded)
        drua_fail(DRUA_E_UNSUPPORTED, "the library %s is not installed; on Debian and Ubuntu: apt-get install %s",
                  l->name, l->package);
    return l->loaded;
}
#endif

const drua_libblosc *drua_libblosc_load(void)
{
    return is_loaded(BLOSC) ? &blosc : NULL;
}

const drua_libzstd *drua_libzstd_load(void)
{
    return is_loaded(ZSTD) ? &zstd : NULL;
}

const drua_zlib *drua_zlib_load(void)
{
    return is_loaded(ZLIB) ? &zlib : NULL;
}

const drua_jansson *drua_jansson_load(void)
{
    return is_loaded(JANSSON) ? &jansson : NULL;
}

const drua_expat *drua_expat_load(void)
{
    return is_loaded(EXPAT) ? &expat : NULL;
}

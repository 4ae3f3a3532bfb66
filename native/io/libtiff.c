/* SPDX-License-Identifier: BSD-3-Clause */
#include "libtiff.h"

#include "library.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#if defined(_WIN32)
#include "windows_text.h"

#include <windows.h>
#endif

static drua_libtiff functions;
static const drua_libtiff *loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local char message[512];

static void note_complaint(const char *module, const char *format, va_list arguments)
{
    (void)module;
    if (*message) /* the first complaint is the cause */
        return;
    vsnprintf(message, sizeof message, format, arguments);
    for (char *c = message; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    size_t length = strlen(message);
    while (length && (message[length - 1] == '.' || message[length - 1] == ' '))
        message[--length] = 0;
}

#if defined(DRUA_TIFF_INSIDE)
static bool find_functions(void)
{
#define F(name) functions.name = name;
    DRUA_TIFF_FUNCTIONS(F)
#undef F
    return true;
}
#else
#if defined(_WIN32)
static const char *const candidates[] = {"libtiff-6.dll", "libtiff-5.dll", "tiff.dll", NULL};
#elif defined(__APPLE__)
static const char *const candidates[] = {"libtiff.6.dylib", "libtiff.5.dylib", "libtiff.dylib",
                                         "/opt/homebrew/lib/libtiff.6.dylib", NULL};
#else
static const char *const candidates[] = {"libtiff.so.6", "libtiff.so.5", "libtiff.so", NULL};
#endif

static bool find_functions(void)
{
    void *library = drua_library_open(candidates);
    if (!library)
        return false;
#define F(name)                                                                                                        \
    if (!(*(void **)&functions.name = drua_library_find(library, #name)))                                              \
        return false;
    DRUA_TIFF_FUNCTIONS(F)
#undef F
    return true;
}
#endif

#if defined(_WIN32)
/* Opens a UTF-8 path. libtiff's own function expects the system's code page and prevents replacing an open file. */
static TIFF *open_utf8(const char *path, const char *mode)
{
    HANDLE file = drua_windows_open(path, *mode == 'w');
    if (file == INVALID_HANDLE_VALUE) {
        snprintf(message, sizeof message, "%s: cannot be opened", path);
        return NULL;
    }
    TIFF *tiff = functions.TIFFFdOpen((int)(intptr_t)file, path, mode); /* handles have 32 significant bits */
    if (!tiff)
        CloseHandle(file);
    return tiff;
}
#endif

static void load_libtiff(void)
{
    if (!find_functions())
        return;
#if defined(_WIN32)
    functions.TIFFOpen = open_utf8;
#endif
    functions.TIFFSetErrorHandler(note_complaint);
    functions.TIFFSetWarningHandler(NULL);
    loaded = &functions;
}

const drua_libtiff *drua_libtiff_load(void)
{
    pthread_once(&once, load_libtiff);
    if (!loaded)
        drua_fail(DRUA_E_UNSUPPORTED, "libtiff is not installed; on Debian and Ubuntu: apt-get install libtiff6");
    message[0] = 0;
    return loaded;
}

const char *drua_libtiff_message(void)
{
    static _Thread_local char text[sizeof message];
    memcpy(text, message, sizeof text);
    message[0] = 0;
    return text;
}

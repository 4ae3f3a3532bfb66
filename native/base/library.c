/* SPDX-License-Identifier: BSD-3-Clause */
#include "library.h"

#include <stddef.h>

#if defined(_WIN32)
#include <windows.h>
static void *open_file(const char *file) { return (void *)LoadLibraryA(file); }
void *drua_library_find(void *library, const char *name) { return (void *)GetProcAddress((HMODULE)library, name); }
#else
#include <dlfcn.h>
static void *open_file(const char *file) { return dlopen(file, RTLD_NOW | RTLD_LOCAL); }
void *drua_library_find(void *library, const char *name) { return dlsym(library, name); }
#endif

void *drua_library_open(const char *const *files)
{
    void *library = NULL;
    while (*files && !library)
        library = open_file(*files++);
    return library;
}

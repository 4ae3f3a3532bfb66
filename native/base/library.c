/* SPDX-License-Identifier: BSD-3-Clause */
#include "library.h"

#include <stdio.h>

#if defined(_WIN32)
#include <windows.h>
/* Never opens a file in the current folder. */
static void *open_file(const char *file)
{
    return (void *)LoadLibraryExA(file, NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
}
void *drua_library_find(void *library, const char *name) { return (void *)GetProcAddress((HMODULE)library, name); }
bool drua_library_file(void *function, char *path, size_t size)
{
    HMODULE library;
    const DWORD by_address = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    if (!GetModuleHandleExA(by_address, (LPCSTR)function, &library))
        return false;
    const DWORD length = GetModuleFileNameA(library, path, (DWORD)size);
    return length > 0 && length < size;
}
#else
#include <dlfcn.h>
bool drua_library_file(void *function, char *path, size_t size)
{
    Dl_info info;
    return dladdr(function, &info) && info.dli_fname && snprintf(path, size, "%s", info.dli_fname) < (int)size;
}
static void *open_file(const char *file) { return dlopen(file, RTLD_NOW | RTLD_LOCAL); }
void *drua_library_find(void *library, const char *name) { return dlsym(library, name); }
#endif

#ifdef __linux__
#include <link.h>
#include <string.h>

typedef struct search {
    const char *part;
    int left;
    char path[4096];
} search;

static int visit_library(struct dl_phdr_info *library, size_t size, void *data)
{
    (void)size;
    search *s = data;
    const char *slash = strrchr(library->dlpi_name, '/'), *file = slash ? slash + 1 : library->dlpi_name;
    if (!strstr(file, s->part) || s->left-- > 0)
        return 0;
    snprintf(s->path, sizeof s->path, "%s", library->dlpi_name);
    return 1;
}

void *drua_library_of_process(const char *part, int number)
{
    search s = {.part = part, .left = number};
    return dl_iterate_phdr(visit_library, &s) ? dlopen(s.path, RTLD_NOW | RTLD_NOLOAD) : NULL;
}
#else
void *drua_library_of_process(const char *part, int number)
{
    (void)part;
    (void)number;
    return NULL;
}
#endif

void *drua_library_open(const char *const *files)
{
    void *library = NULL;
    while (*files && !library)
        library = open_file(*files++);
    return library;
}

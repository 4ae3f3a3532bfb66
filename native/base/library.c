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

#ifdef __linux__
#include <link.h>
#include <stdio.h>
#include <string.h>

typedef struct search {
    const char *part;
    int left;
    char path[4096];
} search;

static int visit(struct dl_phdr_info *library, size_t size, void *data)
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
    return dl_iterate_phdr(visit, &s) ? dlopen(s.path, RTLD_NOW | RTLD_NOLOAD) : NULL;
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

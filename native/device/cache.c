/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stores built programs on disk, so that only the first start on a machine compiles. A file is used only if it is
 * complete and was made from the same source for the same device and driver. Drivers crash on truncated binaries, so
 * the file also has a length and a checksum. Any failure here only means that the program is built from source.
 * PoCL on CPUs already has a cache. When asked for a binary, it compiles every kernel of a program, which takes
 * seconds. On PoCL this cache is therefore used only if DRUA_CACHE names a folder.
 */
#include "internal.h"

#include "alloc.h"
#include "file.h"
#include "hash.h"

#include <stdio.h>
#include <string.h>

static const char ENDING[] = ".program";
static const uint64_t MAX_BYTES = 256u << 20;

typedef struct header {
    char magic[16];
    uint64_t key[2], length, checksum;
} header;

static const char MAGIC[16] = "drua program 1\n";

void drua_cache_open(drua_device *device)
{
    if (drua_file_cache_folder(device->cache_folder, sizeof device->cache_folder, !device->compiles_at_launch))
        drua_file_prune(device->cache_folder, ENDING, MAX_BYTES);
}

static uint64_t add_text(uint64_t hash, const char *text)
{
    return drua_hash(hash, text, strlen(text) + 1);
}

drua_cache_key drua_cache_key_of(const drua_device *device, const char *options, const char *const *texts, size_t count)
{
    drua_cache_key key = {{DRUA_HASH_START, ~DRUA_HASH_START}};
    for (int i = 0; i < 2; i++) {
        uint64_t h = add_text(key.half[i], device->info.name);
        h = add_text(h, device->info.platform);
        h = add_text(h, device->platform_version);
        h = add_text(h, device->info.driver);
        h = add_text(h, device->info.version);
        h = add_text(h, options);
        for (size_t t = 0; t < count; t++)
            h = add_text(h, texts[t]);
        key.half[i] = h;
    }
    return key;
}

static bool path_of(const drua_device *device, const drua_cache_key *key, char *path, size_t size)
{
    return device->cache_folder[0] &&
           snprintf(path, size, "%s/%016llx%016llx%s", device->cache_folder, (unsigned long long)key->half[0],
                    (unsigned long long)key->half[1], ENDING) < (int)size;
}

static bool is_sound(const header *h, size_t length, const drua_cache_key *key)
{
    return length > sizeof *h && !memcmp(h->magic, MAGIC, sizeof MAGIC) && !memcmp(h->key, key->half, sizeof h->key) &&
           h->length == length - sizeof *h && h->checksum == drua_hash(DRUA_HASH_START, h + 1, h->length);
}

/* Loads a program for kernels in the device's context. NULL on failure. */
static cl_program load_program(drua_device *device, const unsigned char *binary, size_t bytes, const char *options)
{
    cl_int code, verdict;
    cl_program program =
        device->cl->clCreateProgramWithBinary(device->context, 1, &device->id, &bytes, &binary, &verdict, &code);
    if (code == CL_SUCCESS)
        code = device->cl->clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    if (code != CL_SUCCESS && program) {
        device->cl->clReleaseProgram(program);
        program = NULL;
    }
    return program;
}

/* Reads and checks the file of a program. NULL on failure. */
static header *read_sound(const drua_device *device, const drua_cache_key *key)
{
    char path[sizeof device->cache_folder + 64];
    size_t length;
    header *file = path_of(device, key, path, sizeof path) ? drua_file_read(path, MAX_BYTES, &length) : NULL;
    if (file && !is_sound(file, length, key)) {
        drua_free(file);
        return NULL;
    }
    return file;
}

bool drua_cache_holds(const drua_device *device, const drua_cache_key *key)
{
    header *file = read_sound(device, key);
    const bool holds = file != NULL;
    drua_free(file);
    return holds;
}

cl_program drua_cache_load(drua_device *device, const drua_cache_key *key, const char *options)
{
    header *file = read_sound(device, key);
    cl_program program = file ? load_program(device, (const unsigned char *)(file + 1), file->length, options) : NULL;
    drua_free(file);
    return program;
}

/* A built program's binary, after space for a header. NULL on failure. */
static header *binary_of(const drua_device *device, cl_program program)
{
    size_t bytes = 0;
    if (device->cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != CL_SUCCESS ||
        bytes == 0)
        return NULL;
    header *file = drua_alloc(sizeof *file + bytes);
    unsigned char *binary = (unsigned char *)(file + 1);
    if (file &&
        device->cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) != CL_SUCCESS) {
        drua_free(file);
        return NULL;
    }
    if (file)
        file->length = bytes;
    return file;
}

static void store_entry(const drua_device *device, const drua_cache_key *key, header *file)
{
    char path[sizeof device->cache_folder + 64];
    if (!path_of(device, key, path, sizeof path))
        return;
    memcpy(file->magic, MAGIC, sizeof MAGIC);
    memcpy(file->key, key->half, sizeof file->key);
    file->checksum = drua_hash(DRUA_HASH_START, file + 1, file->length);
    drua_file_replace(path, file, sizeof *file + file->length);
}

cl_program drua_cache_bring(drua_device *device, const drua_cache_key *key, cl_program program, const char *options)
{
    header *file = binary_of(device, program);
    cl_program here = file ? load_program(device, (const unsigned char *)(file + 1), file->length, options) : NULL;
    if (here)
        store_entry(device, key, file);
    drua_free(file);
    return here;
}

void drua_cache_store(drua_device *device, const drua_cache_key *key, cl_program program)
{
    header *file = device->cache_folder[0] ? binary_of(device, program) : NULL;
    if (file)
        store_entry(device, key, file);
    drua_free(file);
}

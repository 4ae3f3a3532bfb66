/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a fuzz target without libFuzzer: fuzz_TARGET FOLDER [SECONDS [SEED]]. Runs it on all files of a folder, then for
 * that many seconds on these files with random bytes changed, cut or joined, and on random bytes. Prints the seed.
 */
#include "fuzz.h"

#include "harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_FILES = 4096, LONGEST = 1 << 16, RANDOM_BYTES = 4000 };

static struct {
    uint8_t *bytes;
    size_t size;
} files[MAX_FILES];
static int file_count;

static void read_file(const char *folder, const char *name)
{
    static uint8_t bytes[LONGEST];
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    files[file_count].bytes = malloc(size + 1);
    files[file_count].size = size;
    memcpy(files[file_count++].bytes, bytes, size);
}

static void read_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    for (const struct dirent *d; directory && (d = readdir(directory)) != NULL && file_count < MAX_FILES;)
        if (d->d_name[0] != '.')
            read_file(folder, d->d_name);
    if (directory)
        closedir(directory);
}

static size_t change(harness_random *chance, uint8_t *bytes)
{
    if (!file_count || !harness_below(chance, 8)) {
        for (size_t i = 0; i < RANDOM_BYTES; i++)
            bytes[i] = (uint8_t)harness_below(chance, 256);
        return RANDOM_BYTES;
    }
    const int from = harness_below(chance, file_count), other = harness_below(chance, file_count);
    size_t size = files[from].size;
    memcpy(bytes, files[from].bytes, size);
    if (size && !harness_below(chance, 4))
        size = (size_t)harness_below(chance, (int)size);
    if (!harness_below(chance, 4) && size + files[other].size <= LONGEST) {
        memcpy(bytes + size, files[other].bytes, files[other].size);
        size += files[other].size;
    }
    for (int n = harness_below(chance, 8); n && size; n--)
        bytes[harness_below(chance, (int)size)] = (uint8_t)harness_below(chance, 256);
    return size;
}

int main(int count, char **words)
{
    if (count < 2)
        return 2;
    static uint8_t bytes[LONGEST];
    const double seconds = count > 2 ? atof(words[2]) : 0;
    harness_random chance = {count > 3 ? strtoull(words[3], NULL, 10) : harness_new_seed("fuzz")};
    long inputs = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);       /* so that the seed is printed even if the process dies */
    read_folder(words[1]);
    for (int i = 0; i < file_count; i++)
        LLVMFuzzerTestOneInput(files[i].bytes, files[i].size);
    for (const time_t begun = time(NULL); difftime(time(NULL), begun) < seconds; inputs++)
        LLVMFuzzerTestOneInput(bytes, change(&chance, bytes));
    printf("%d files and %ld random inputs\n", file_count, inputs);
    fuzz_end();
    for (int i = 0; i < file_count; i++)
        free(files[i].bytes);
    return file_count ? 0 : 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "label_list.h"

#include "alloc.h"
#include "crc32c.h"
#include "error.h"
#include "file.h"
#include "sha256.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct head {
    char magic[8], hash[DRUA_SHA256_TEXT - 1];
    int64_t extent[3], step[3], blocks;
    uint64_t labels, largest;
} head;

static const char MAGIC[] = "DRUALBL1", NAME[] = "numbers";

static size_t part_sizes(const head *h, size_t of[3])
{
    of[0] = (size_t)(h->blocks + 1) * sizeof(uint64_t);
    of[1] = (size_t)h->labels * sizeof(uint32_t);
    of[2] = (size_t)(h->largest + 1) * sizeof(label_row);
    return sizeof *h + of[0] + of[1] + of[2] + sizeof(uint32_t);
}

drua_status label_list_write(const label_list *l, const char *folder, const char *hash)
{
    head h = {.blocks = l->blocks, .labels = l->labels, .largest = l->largest};
    const void *parts[] = {l->begins, l->numbers, l->rows};
    char path[LABELS_PATH];
    size_t of[3];
    memcpy(h.magic, MAGIC, sizeof h.magic);
    memcpy(h.hash, hash, sizeof h.hash);
    memcpy(h.extent, l->extent, sizeof h.extent);
    memcpy(h.step, l->step, sizeof h.step);
    const size_t length = part_sizes(&h, of);
    unsigned char *bytes = drua_alloc(length), *at = bytes + sizeof h;
    if (!bytes)
        return drua_fail_memory(length);
    memcpy(bytes, &h, sizeof h);
    for (int i = 0; i < 3; at += of[i++])
        memcpy(at, parts[i], of[i]);
    const uint32_t sum = drua_crc32c(bytes, length - sizeof sum);
    memcpy(at, &sum, sizeof sum);
    pass_file_path(folder, NAME, path);
    errno = 0;
    const bool written = drua_file_replace_by(folder, path, bytes, length);
    drua_free(bytes);
    return written ? DRUA_OK
                   : drua_fail(DRUA_E_ARGUMENT, "'%.600s' cannot be written: %s; check the disk space", path,
                               strerror(errno));
}

static drua_status copy_parts(label_list *l, const head *h, const unsigned char *at)
{
    void **parts[] = {(void **)&l->begins, (void **)&l->numbers, (void **)&l->rows};
    size_t of[3];
    part_sizes(h, of);
    memcpy(l->extent, h->extent, sizeof l->extent);
    memcpy(l->step, h->step, sizeof l->step);
    l->blocks = h->blocks;
    l->labels = h->labels;
    l->largest = (uint32_t)h->largest;
    for (int i = 0; i < 3; at += of[i++]) {
        *parts[i] = drua_alloc(of[i] + 1);
        if (!*parts[i])
            return drua_fail_memory(of[i]);
        memcpy(*parts[i], at, of[i]);
    }
    return DRUA_OK;
}

/* Returns whether the numbers fit a file of this length. Rejects numbers so large that sizes would overflow. */
static bool is_sane(const head *h, size_t length)
{
    const drua_box all = drua_box_of(h->extent);
    double blocks = 1;
    size_t of[3];
    for (int axis = 0; axis < 3; axis++) {
        if (h->extent[axis] < 1 || h->extent[axis] > INT32_MAX || h->step[axis] < 1 || h->step[axis] > INT32_MAX)
            return false;
        blocks *= ceil((double)h->extent[axis] / (double)h->step[axis]);
    }
    return blocks <= (double)length && drua_box_parts(&all, h->step) == h->blocks && h->labels <= length &&
           h->largest <= length && h->largest < UINT32_MAX && part_sizes(h, of) == length;
}

/* Returns whether every label has a number with a row. */
static bool is_consistent(const label_list *l)
{
    bool good = l->begins[0] == 0 && l->begins[l->blocks] == l->labels;
    for (int64_t block = 0; block < l->blocks && good; block++)
        good = l->begins[block] <= l->begins[block + 1];
    for (uint64_t i = 0; i < l->labels && good; i++)
        good = l->numbers[i] <= l->largest;
    return good;
}

bool label_map_exists(const char *folder)
{
    char path[LABELS_PATH];
    pass_file_path(folder, NAME, path);
    return drua_file_is_ordinary(path);
}

drua_status label_list_damaged(const char *path)
{
    return drua_fail(DRUA_E_ARGUMENT, "the labels in '%.600s' are damaged; make the plan again with --anew", path);
}

drua_status label_list_read(const char *folder, const char *hash, label_list *l, bool *exists)
{
    char path[LABELS_PATH];
    drua_bytes bytes = {0};
    head h;
    uint32_t sum = 0;
    *l = (label_list){.blocks = 0};
    pass_file_path(folder, NAME, path);
    *exists = drua_file_is_ordinary(path);
    if (!*exists)
        return DRUA_OK;
    bool good = drua_file_part(path, 0, SIZE_MAX / 4, &bytes, NULL) == DRUA_FILE_PRESENT &&
                bytes.length > sizeof h + sizeof sum;
    if (good) {
        memcpy(&h, bytes.data, sizeof h);
        memcpy(&sum, bytes.data + bytes.length - sizeof sum, sizeof sum);
        good = sum == drua_crc32c(bytes.data, bytes.length - sizeof sum) && !memcmp(h.magic, MAGIC, sizeof h.magic) &&
               is_sane(&h, bytes.length);
    }
    drua_status status = good ? DRUA_OK : label_list_damaged(path);
    if (good && memcmp(h.hash, hash, sizeof h.hash))
        status = drua_fail(DRUA_E_ARGUMENT,
                           "'%.600s' has labels of another plan: its pipeline, input, settings or version differ; "
                           "discard them by making the plan with --anew",
                           path);
    if (status == DRUA_OK)
        status = copy_parts(l, &h, bytes.data + sizeof h);
    if (status == DRUA_OK && !is_consistent(l))
        status = label_list_damaged(path);
    drua_free(bytes.data);
    return status;
}

void label_list_free(label_list *l)
{
    drua_free(l->begins);
    drua_free(l->numbers);
    drua_free(l->rows);
    *l = (label_list){.blocks = 0};
}

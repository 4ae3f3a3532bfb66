/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads one chunk from its file: a plain chunk, a chunk in a shard, or a chunk after an N5 header. */
#include "zarr_image.h"

#include "alloc.h"
#include "crc32c.h"
#include "store_lookup.h"

#include <string.h>

enum { SLACK = 1 << 20, NUMBERS = 2 };

size_t drua_chunk_bytes(const drua_chunked *a)
{
    return (size_t)drua_chunked_product(a, a->chunk) * a->stored_bytes;
}

static int64_t chunks_of_shard(const drua_chunked *a)
{
    int64_t count = 1;
    for (int d = 0; d < a->dimensions; d++)
        count *= a->file[d] / a->chunk[d];
    return count;
}

size_t drua_shard_index_bytes(const drua_chunked *a)
{
    return a->sharded ? (size_t)chunks_of_shard(a) * NUMBERS * sizeof(uint64_t) : 0;
}

drua_status drua_chunk_work_open(const drua_chunked *a, drua_chunk_work *w)
{
    const size_t bytes = drua_chunk_bytes(a), index = drua_shard_index_bytes(a);
    *w = (drua_chunk_work){.chunk = drua_alloc(bytes)};
    if (w->chunk && index)
        w->index = drua_alloc(index);
    if (w->chunk && a->format == DRUA_N5)
        w->block = drua_alloc(bytes);
    return w->chunk && (w->index || !index) && (w->block || a->format != DRUA_N5) ? DRUA_OK
                                                                                  : drua_fail_memory(bytes + index);
}

void drua_chunk_work_close(drua_chunk_work *w)
{
    drua_free(w->packed.data);
    drua_free(w->chunk);
    drua_free(w->block);
    drua_free(w->index);
}

/* Fails with an error message that names the chunk and includes the thread's current one. */
static drua_status fail_on_chunk(const drua_chunked *a, const char *path, const int64_t *index, drua_status status)
{
    char text[128], what[400];
    drua_copy_start(what, drua_error_text(), sizeof what);
    return drua_fail(status, "'%.600s', chunk %s, cannot be read: %s%s", path, drua_chunked_index_text(a, index, text),
                     what, strchr(what, ';') ? "" : "; copy the image again from its source");
}

static void fill_chunk(const drua_chunked *a, unsigned char *pixels)
{
    const size_t bytes = (size_t)drua_chunked_product(a, a->chunk) * a->pixel_bytes;
    for (size_t i = 0; i < bytes; i += a->pixel_bytes)
        memcpy(pixels + i, a->fill, a->pixel_bytes);
}

/* Converts decoded pixels from the files' type, in place. */
static drua_status convert_pixels(const drua_chunked *a, unsigned char *pixels, size_t count)
{
    if (a->stored == DRUA_STORED_AS_IS || drua_convert_stored(a->stored, pixels, count, pixels))
        return DRUA_OK;
    return drua_fail(DRUA_E_ARGUMENT, "it has values that %s cannot hold exactly; convert the array to %s",
                     drua_chunked_type_name(a->type), drua_chunked_type_name(a->type));
}

void drua_chunk_swap(const drua_chunked *a, unsigned char *pixels, size_t bytes)
{
    if (a->big_endian == drua_is_big_endian())
        return;
    for (size_t i = 0; i + 1 < bytes; i += a->stored_bytes)
        for (size_t low = i, high = i + a->stored_bytes - 1; low < high; low++, high--) {
            const unsigned char byte = pixels[low];
            pixels[low] = pixels[high];
            pixels[high] = byte;
        }
}

/* ---- N5: big-endian numbers */

static uint32_t get_big_endian(const unsigned char *b, int bytes)
{
    uint32_t n = 0;
    while (bytes--)
        n = n << 8 | *b++;
    return n;
}

/* Copies a block smaller than a chunk to the chunk's corner. */
static void copy_block_to_corner(const drua_chunked *a, const int64_t *extents, const unsigned char *block,
                                 unsigned char *pixels)
{
    int64_t strides[DRUA_AXES];
    const int fast = a->order[a->dimensions - 1];
    const size_t row = (size_t)extents[fast] * a->pixel_bytes;
    const int64_t rows = drua_chunked_product(a, extents) / extents[fast];
    drua_chunked_strides(a, a->chunk, strides);
    fill_chunk(a, pixels);
    for (int64_t r = 0; r < rows; r++) {
        int64_t rest = r, at = 0;
        for (int i = a->dimensions - 2; i >= 0; i--) {
            at += rest % extents[a->order[i]] * strides[a->order[i]];
            rest /= extents[a->order[i]];
        }
        memcpy(pixels + (size_t)at * a->pixel_bytes, block + (size_t)r * row, row);
    }
}

/* `index` is that of the block. A block may be smaller than the others where it touches the array's end. */
static drua_status decode_n5(const drua_chunked *a, const int64_t *index, const drua_bytes *packed,
                             unsigned char *block, unsigned char *pixels)
{
    const size_t header = 4 + 4 * (size_t)a->dimensions;
    int64_t extents[DRUA_AXES];
    bool smaller = false;
    if (packed->length < header || get_big_endian(packed->data, 2) != 0 ||
        get_big_endian(packed->data + 2, 2) != (uint32_t)a->dimensions)
        return drua_fail(DRUA_E_ARGUMENT, "it does not begin with the header of an N5 block with %d axes",
                         a->dimensions);
    for (int d = 0; d < a->dimensions; d++) {
        extents[d] = get_big_endian(packed->data + 4 + 4 * d, 4);
        smaller |= extents[d] < a->chunk[d];
        const int64_t rest = a->extent[d] - index[d] * a->chunk[d], min = rest < a->chunk[d] ? rest : a->chunk[d];
        if (extents[d] < min || extents[d] > a->chunk[d])
            return drua_fail(DRUA_E_ARGUMENT, "its header says %lld pixels along axis %d, the array's block has %lld",
                             (long long)extents[d], d + 1, (long long)min);
    }
    unsigned char *to = smaller ? block : pixels;
    const size_t count = (size_t)drua_chunked_product(a, extents), bytes = count * a->stored_bytes;
    DRUA_TRY(drua_codec_decode(&a->codec, packed->data + header, packed->length - header, to, bytes));
    drua_chunk_swap(a, to, bytes);
    DRUA_TRY(convert_pixels(a, to, count));
    if (smaller)
        copy_block_to_corner(a, extents, block, pixels);
    return DRUA_OK;
}

/* ---- the file of a chunk */

/*
 * Reads a part of a chunk's file. *absent is true if the file does not exist and the image's metadata are still present
 * and unchanged.
 */
static drua_status read_part(const drua_zarr *z, const char *path, int64_t offset, size_t max, drua_chunk_work *w,
                             bool *absent)
{
    drua_file_info info;
    drua_status status = drua_store_read(path, offset, max, &w->packed, &info, absent);
    w->print = 0;
    if (status == DRUA_OK && *absent) {
        DRUA_TRY(drua_zarr_check(z));
        /* read again: the image may have reappeared in the meantime */
        status = drua_store_read(path, offset, max, &w->packed, &info, absent);
    }
    if (status == DRUA_E_ARGUMENT)
        DRUA_TRY(drua_zarr_check(z)); /* success keeps the error message of the failure */
    DRUA_TRY(status);
    w->print = drua_file_print(*absent ? NULL : &info);
    w->file_bytes = *absent ? 0 : info.bytes;
    return *absent && z->has_all ? drua_fail(DRUA_E_ARGUMENT, "the file is missing") : DRUA_OK;
}

/*
 * Fails if the chunk has a file under the name that another prefix and separator give, because this means that the
 * metadata are wrong.
 */
static drua_status check_other_name(const drua_chunked *a, const int64_t *file, const char *prefix, char separator)
{
    char path[DRUA_PATH];
    drua_chunked other = *a;
    drua_file_info info;
    bool absent;
    other.prefix = prefix;
    other.separator = separator;
    DRUA_TRY(drua_chunked_path(&other, file, path));
    const drua_status status = drua_store_find(path, &info, &absent);
    if (status != DRUA_OK || absent)
        return status == DRUA_E_AWAY ? status : DRUA_OK; /* a folder of that name does no harm */
    if (strcmp(prefix, a->prefix))
        return drua_fail(DRUA_E_ARGUMENT,
                         "there is '%.600s' instead; the array's chunk_key_encoding must be %s with the separator '%c'",
                         path, *prefix ? "default" : "v2", separator);
    return drua_fail(DRUA_E_ARGUMENT,
                     "there is '%.600s' instead; the array's metadata must state the separator '%c', not '%c'", path,
                     separator, a->separator);
}

/* Fails if a file lies where the path of an absent chunk needs a folder. */
static drua_status check_folders(const drua_chunked *a, const int64_t *file)
{
    char path[DRUA_PATH];
    drua_file_info info;
    DRUA_TRY(drua_chunked_path(a, file, path));
    if (drua_store_is_remote(path))
        return DRUA_OK;
    while (drua_store_parent(path) && strlen(path) > strlen(a->folder))
        if (drua_file_stat(path, &info))
            return info.is_folder ? DRUA_OK
                                  : drua_fail(DRUA_E_ARGUMENT, "'%.600s' is a file, but must be a folder", path);
    return DRUA_OK;
}

/* Distinguishes a chunk without a file from one whose file only seems to be missing. */
static drua_status check_absence(const drua_chunked *a, const int64_t *file)
{
    static const char *const prefixes[] = {"", "c"};
    static const char separators[] = {'/', '.'};
    const int ways = a->format == DRUA_ZARR_3 ? 2 : 1;
    for (int p = 0; p < ways; p++)
        for (int s = 0; s < 2; s++)
            if (strcmp(prefixes[p], a->prefix) || separators[s] != a->separator)
                DRUA_TRY(check_other_name(a, file, prefixes[p], separators[s]));
    return check_folders(a, file);
}

int64_t drua_file_number(const drua_chunked *a, const int64_t *file)
{
    int64_t number = 0;
    for (int d = 0; d < a->dimensions; d++)
        number = number * ((a->extent[d] + a->file[d] - 1) / a->file[d]) + file[d];
    return number;
}

/* Passes the print of the last file that was read to the image's callback, if it has one. */
static drua_status report_print(const drua_zarr *z, const int64_t *file, drua_chunk_work *w, bool damaged)
{
    const uint64_t print = w->print;
    w->print = 0;
    return print && z->see ? z->see(z->viewer, drua_file_number(&z->array, file), print, damaged) : DRUA_OK;
}

/* ---- shards */

static drua_status decode_index(const drua_chunked *a, const drua_bytes *packed, uint64_t *index)
{
    const size_t bytes = drua_shard_index_bytes(a);
    DRUA_TRY(drua_codec_decode(&a->index_codec, packed->data, packed->length, index, bytes));
    for (size_t i = 0; i < bytes / sizeof *index; i++) {
        const unsigned char *b = (const unsigned char *)(index + i);
        uint64_t n = 0;
        for (int k = 0; k < 8; k++)
            n = n << 8 | b[a->index_big_endian ? k : 7 - k];
        index[i] = n;
    }
    return DRUA_OK;
}

static drua_status read_index(const drua_zarr *z, const char *path, const int64_t *file, drua_chunk_work *w,
                              uint64_t *index)
{
    const drua_chunked *a = &z->array;
    const size_t bytes = drua_shard_index_bytes(a), all = bytes + (a->index_codec.checksum ? 4 : 0);
    bool absent;
    DRUA_TRY(read_part(z, path, a->index_first ? 0 : -(int64_t)all, all, w, &absent));
    if (absent) {
        memset(index, 0xff, bytes);
        return check_absence(a, file);
    }
    if (w->packed.length != all)
        return drua_fail(DRUA_E_ARGUMENT, "the file is shorter than the index of its shard");
    return decode_index(a, &w->packed, index);
}

/* Finds offset and length of the numbered chunk in its shard. Caches the shard's index if there is room. */
static drua_status find_in_shard(const drua_zarr *z, const char *path, const int64_t *file, int64_t number,
                                 drua_chunk_work *w, uint64_t found[NUMBERS])
{
    const drua_chunked *a = &z->array;
    const int64_t shard = drua_file_number(a, file);
    bool missing = true;
    uint64_t *kept = z->indexes ? drua_chunk_cache_take(z->indexes, shard, &missing) : NULL,
             *index = kept ? kept : w->index;
    drua_status status = missing ? read_index(z, path, file, w, index) : DRUA_OK;
    if (missing && status == DRUA_OK)
        status = report_print(z, file, w, false);
    if (status == DRUA_OK)
        memcpy(found, index + NUMBERS * number, NUMBERS * sizeof *found);
    if (kept && missing)
        drua_chunk_cache_put(z->indexes, shard, status);
    if (kept && status == DRUA_OK)
        drua_chunk_cache_release(z->indexes, shard);
    return status;
}

/* ---- the bytes of a chunk; *absent: the chunk does not exist */

static drua_status whole_file(const drua_zarr *z, const char *path, const int64_t *file, drua_chunk_work *w,
                              bool *absent)
{
    const size_t max = 2 * drua_chunk_bytes(&z->array) + SLACK;
    DRUA_TRY(read_part(z, path, 0, max + 1, w, absent));
    if (*absent)
        return check_absence(&z->array, file);
    return w->packed.length <= max
               ? DRUA_OK
               : drua_fail(DRUA_E_ARGUMENT, "the file is more than twice as long as its %zu bytes of pixels",
                           drua_chunk_bytes(&z->array));
}

/* Returns whether a chunk lies in the index of its shard: then the file has lost bytes before or after it. */
static bool overlaps_index(const drua_chunked *a, const uint64_t found[NUMBERS], uint64_t file_bytes)
{
    const uint64_t all = drua_shard_index_bytes(a) + (a->index_codec.checksum ? 4 : 0);
    return found[1] > 0 && (a->index_first ? found[0] < all : found[0] + found[1] > file_bytes - all);
}

static drua_status part_of_shard(const drua_zarr *z, const char *path, const int64_t *file, int64_t number,
                                 drua_chunk_work *w, bool *absent)
{
    const size_t max = 2 * drua_chunk_bytes(&z->array) + SLACK;
    uint64_t found[NUMBERS];
    DRUA_TRY(find_in_shard(z, path, file, number, w, found));
    *absent = found[0] == UINT64_MAX && found[1] == UINT64_MAX;
    if (*absent)
        return z->has_all ? drua_fail(DRUA_E_ARGUMENT, "it is missing in its shard") : DRUA_OK;
    if (found[0] > INT64_MAX / 2 || found[1] > max)
        return drua_fail(DRUA_E_ARGUMENT, "the index of its shard is damaged");
    bool gone;
    DRUA_TRY(read_part(z, path, (int64_t)found[0], (size_t)found[1], w, &gone));
    if (gone || w->packed.length != found[1])
        return drua_fail(DRUA_E_ARGUMENT,
                         "the file ends before byte %llu, but its shard's index says that the chunk ends there",
                         (unsigned long long)(found[0] + found[1]));
    if (overlaps_index(&z->array, found, w->file_bytes))
        return drua_fail(DRUA_E_ARGUMENT, "the index of its shard says that the chunk lies where the index is");
    return DRUA_OK;
}

/* Decodes a chunk without an N5 header. Fails if it differs from the image's list of checksums. */
static drua_status decode_listed(const drua_zarr *z, const int64_t *file, const drua_chunk_work *w,
                                 unsigned char *pixels)
{
    const size_t bytes = drua_chunk_bytes(&z->array);
    const drua_chunk_sums *sums = z->sums ? &z->sums[drua_file_number(&z->array, file)] : NULL;
    const bool same = !sums || (sums->listed && drua_crc32c(w->packed.data, w->packed.length) == sums->file);
    const drua_status status = drua_codec_decode(&z->array.codec, w->packed.data, w->packed.length, pixels, bytes);
    if (same || (status == DRUA_OK && sums->listed && drua_crc32c(pixels, bytes) == sums->pixels))
        return status;
    return drua_fail(DRUA_E_ARGUMENT, "the file has changed since Drua wrote it; put it back, or begin again");
}

static drua_status decode_chunk(const drua_zarr *z, const char *path, const int64_t *file, int64_t number,
                                drua_chunk_work *w, unsigned char *pixels)
{
    const drua_chunked *a = &z->array;
    const size_t bytes = drua_chunk_bytes(a);
    bool absent;
    DRUA_TRY(a->sharded ? part_of_shard(z, path, file, number, w, &absent) : whole_file(z, path, file, w, &absent));
    if (absent) {
        fill_chunk(a, pixels);
        return DRUA_OK;
    }
    if (a->format == DRUA_N5)
        return decode_n5(a, file, &w->packed, w->block, pixels);
    DRUA_TRY(decode_listed(z, file, w, pixels));
    drua_chunk_swap(a, pixels, bytes);
    return convert_pixels(a, pixels, (size_t)drua_chunked_product(a, a->chunk));
}

drua_status drua_chunk_read(const drua_zarr *z, const int64_t *index, drua_chunk_work *w, unsigned char *pixels)
{
    const drua_chunked *a = &z->array;
    char path[DRUA_PATH];
    int64_t file[DRUA_AXES], number = 0;
    for (int d = 0; d < a->dimensions; d++) {
        const int64_t in_file = a->file[d] / a->chunk[d];
        file[d] = index[d] / in_file;
        number = number * in_file + index[d] % in_file;
    }
    DRUA_TRY(drua_chunked_path(a, file, path));
    w->print = 0;
    drua_status status = decode_chunk(z, path, file, number, w, pixels);
    if (status == DRUA_OK)
        status = report_print(z, file, w, false);
    else if (status == DRUA_E_ARGUMENT)
        report_print(z, file, w, true); /* keeps the error message */
    return status == DRUA_OK ? status : fail_on_chunk(a, path, index, status);
}

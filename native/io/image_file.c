/* SPDX-License-Identifier: BSD-3-Clause */
#include "image_file.h"

#include "alloc.h"
#include "chunked.h"
#include "file.h"
#include "read_ahead.h"
#include "store_lookup.h"
#include "zarr_slabs.h"

#include <ctype.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>

struct drua_image_file {
    char *path;
    drua_image_file *next; /* next open file */
    drua_tiff *tiff;            /* either a TIFF file or a chunked image */
    drua_zarr *zarr;
    drua_text others; /* numbers and names of the chunked images of the folder that were not chosen */
    drua_zarr_range range;      /* of the chunked image */
};

struct drua_file_planes {
    const drua_image_file *file;
    drua_read_ahead *pages;     /* either TIFF pages or slabs */
    drua_zarr_slabs *slabs;
};

/* ---- names */

/* Copies the extension of a path, without its dot; "" without an extension. */
static void find_extension(const char *path, char extension[16])
{
    enum { LONGEST = 8 };
    const size_t end = drua_path_length(path);
    size_t start;
    for (start = end; start > 0 && isalnum((unsigned char)path[start - 1]);)
        start--;
    const size_t length = end - start;
    const bool is_extension =
        start > 0 && path[start - 1] == '.' && length > 0 && length <= LONGEST && isalpha((unsigned char)path[start]);
    memcpy(extension, path + start, is_extension ? length : 0);
    extension[is_extension ? length : 0] = 0;
}

drua_status drua_image_file_check_name(const char *path, int kinds)
{
    static const struct {
        const char *extension;
        int kind;
    } known[] = {{"tif", DRUA_FILE_TIFF},
                 {"tiff", DRUA_FILE_TIFF},
                 {"btf", DRUA_FILE_TIFF},
                 {"zarr", DRUA_FILE_ZARR},
                 {"ozx", DRUA_FILE_ZARR}};
    char extension[16];
    find_extension(path, extension);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if ((known[i].kind & kinds) && !strcasecmp(extension, known[i].extension))
            return DRUA_OK;
    if (!*extension)
        return DRUA_OK;
    return drua_fail(DRUA_E_ARGUMENT,
                     "the path '%.600s' has the extension .%s, but the file will be %s; use the extension %s", path,
                     extension,
                     kinds == DRUA_FILE_TIFF   ? "a TIFF"
                     : kinds == DRUA_FILE_ZARR ? "an OME-Zarr"
                                               : "a TIFF or an OME-Zarr",
                     kinds == DRUA_FILE_TIFF   ? ".tif, .tiff or .btf"
                     : kinds == DRUA_FILE_ZARR ? ".zarr or .ozx"
                                               : ".tif, .tiff, .zarr or .ozx");
}

drua_status drua_image_file_check_text_name(const char *path)
{
    static const char *const images[] = {"tif", "tiff", "btf", "zarr", "ozx", "n5", "png", "jpg", "jpeg", "gif", "bmp"};
    char extension[16];
    find_extension(path, extension);
    for (size_t i = 0; i < sizeof images / sizeof *images; i++)
        if (!strcasecmp(extension, images[i]))
            return drua_fail(DRUA_E_ARGUMENT,
                             "the path '%.600s' has the extension .%s of an image, but the file will be a text; use "
                             "another extension, such as .txt",
                             path, extension);
    return DRUA_OK;
}

/* ---- files open in this process */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static drua_image_file *first_open;

static void list_open_file(drua_image_file *f)
{
    pthread_mutex_lock(&lock);
    f->next = first_open;
    first_open = f;
    pthread_mutex_unlock(&lock);
}

static void remove_from_open_files(const drua_image_file *f)
{
    pthread_mutex_lock(&lock);
    for (drua_image_file **at = &first_open; *at; at = &(*at)->next)
        if (*at == f) {
            *at = f->next;
            break;
        }
    pthread_mutex_unlock(&lock);
}

drua_status drua_image_file_may_write(const char *path)
{
    bool read = false;
    pthread_mutex_lock(&lock);
    for (const drua_image_file *f = first_open; f && !read; f = f->next)
        read = drua_file_is_inside(f->path, path) || drua_file_is_inside(path, f->path);
    pthread_mutex_unlock(&lock);
    return read ? drua_fail(DRUA_E_ARGUMENT, "'%.600s' is being read, so it cannot be replaced now; use another name",
                            path)
                : DRUA_OK;
}

/* ---- selection */

static drua_status select_range(const char *path, const char *what, const int64_t request[2], int64_t available,
                                bool all, int64_t *first, int64_t *count)
{
    int64_t from = request[0] ? request[0] : request[1], to = request[1] ? request[1] : request[0];
    if (!from) {
        from = 1;
        to = all ? available : 1;
    }
    if (from < 1 || to < from || to > available)
        return drua_fail(DRUA_E_ARGUMENT,
                         "%ss %lld to %lld were requested, but '%.600s' has %lld; choose numbers from 1 to %lld", what,
                         (long long)from, (long long)to, path, (long long)available, (long long)available);
    *first = from - 1;
    *count = to - from + 1;
    return DRUA_OK;
}

/*
 * If a plane has several channels and no channel is chosen, the channels become the slices. Otherwise, if no frame is
 * chosen, its frames do.
 */
static drua_status choose_slices(const char *path, const drua_selection *s, drua_image_file *f)
{
    const drua_zarr_metadata *metadata = drua_zarr_metadata_of(f->zarr);
    const bool no_channel = !s->channels[0] && !s->channels[1], no_frame = !s->frames[0] && !s->frames[1],
               flat = metadata->shape.depth == 1;
    const bool stacks_channels = flat && no_channel && metadata->channels > 1,
               stacks_frames = flat && no_frame && !stacks_channels;
    drua_zarr_range *r = &f->range;
    DRUA_TRY(select_range(path, "channel", s->channels, metadata->channels, stacks_channels, &r->first_channel,
                          &r->channels));
    DRUA_TRY(select_range(path, "frame", s->frames, metadata->frames, stacks_frames, &r->first_frame, &r->frames));
    for (int k = 0; k < 3; k++) {
        const int64_t extent = metadata->shape.extent[k];
        r->box.first[k] = s->origin[k];
        r->box.end[k] = s->size[k] ? s->origin[k] + s->size[k] : extent;
        if (s->origin[k] < 0 || s->origin[k] >= extent || s->size[k] < 0 || s->size[k] > extent - s->origin[k])
            return drua_fail(
                DRUA_E_ARGUMENT,
                "origin %lld and size %lld exceed the %lld pixels of '%.600s' along %c; choose a box inside "
                "the image",
                (long long)(s->origin[k]), (long long)(s->size[k]), (long long)extent, path, "xyz"[k]);
    }
    return DRUA_OK;
}

static drua_status open_tiff(const char *path, const drua_selection *s, drua_image_file *f)
{
    bool box = (s->channels[1] && s->channels[1] != s->channels[0]) || (s->frames[1] && s->frames[1] != s->frames[0]);
    for (int k = 0; k < 3; k++)
        box |= s->origin[k] || s->size[k];
    if (box)
        return drua_fail(DRUA_E_ARGUMENT,
                         "'%.600s' is neither a .zarr nor an .n5 image; only such images can be read by box, or by "
                         "several channels or frames at once",
                         path);
    DRUA_TRY(drua_tiff_open(path, s->series, s->channels[0], s->frames[0], &f->tiff));
    return drua_tiff_choose_level(f->tiff, s->level);
}

static drua_status open_zarr(const char *path, const drua_selection *s, drua_image_file *f)
{
    drua_text chosen = {0};
    drua_status status = drua_zarr_choose_series(path, s->series, &chosen, &f->others);
    if (status == DRUA_OK)
        status = drua_zarr_open(drua_text_characters(&chosen), s->level, &f->zarr);
    drua_text_free(&chosen);
    return status == DRUA_OK ? choose_slices(path, s, f) : status;
}

drua_status drua_image_file_open(const char *path, const drua_selection *which, drua_image_file **file)
{
    const drua_selection usual = {.level = 0}, *s = which ? which : &usual;
    drua_image_file *f = drua_alloc(sizeof *f);
    *file = NULL;
    if (!f)
        return drua_fail_memory(sizeof *f);
    f->path = drua_copy_text(path);
    if (f->path)
        list_open_file(f);
    drua_status status = f->path ? DRUA_OK : drua_fail_memory(strlen(path));
    if (status == DRUA_OK)
        status = drua_zarr_is_path(path) ? open_zarr(path, s, f) : open_tiff(path, s, f);
    if (status == DRUA_OK)
        *file = f;
    else
        drua_image_file_close(f);
    return status;
}

void drua_image_file_close(drua_image_file *f)
{
    if (!f)
        return;
    remove_from_open_files(f);
    drua_free(f->path);
    drua_tiff_close(f->tiff);
    drua_zarr_close(f->zarr);
    drua_text_free(&f->others);
    drua_free(f);
}

/* ---- metadata */

drua_shape drua_image_file_shape(const drua_image_file *f)
{
    if (f->tiff)
        return drua_tiff_shape(f->tiff);
    const drua_zarr_range *r = &f->range;
    const int64_t depth = (r->box.end[2] - r->box.first[2]) * r->channels * r->frames;
    const int32_t dimension = drua_zarr_metadata_of(f->zarr)->shape.dimension;
    return (drua_shape){r->box.end[0] - r->box.first[0], r->box.end[1] - r->box.first[1], depth,
                        depth > 1 ? 3 : dimension};
}

drua_type drua_image_file_type(const drua_image_file *f)
{
    return f->tiff ? drua_tiff_type(f->tiff) : drua_zarr_metadata_of(f->zarr)->type;
}

bool drua_image_file_has_colours(const drua_image_file *f)
{
    return f->tiff && drua_tiff_samples(f->tiff) != 1;
}

bool drua_image_file_has_labels(const drua_image_file *f)
{
    return f->zarr && drua_zarr_metadata_of(f->zarr)->labels;
}

void drua_image_file_axes(const drua_image_file *f, int64_t *channels, int64_t *frames)
{
    if (f->tiff)
        drua_tiff_axes(f->tiff, channels, frames);
    else {
        *channels = drua_zarr_metadata_of(f->zarr)->channels;
        *frames = drua_zarr_metadata_of(f->zarr)->frames;
    }
}

int64_t drua_image_file_missing(const drua_image_file *f)
{
    return f->tiff ? drua_tiff_missing(f->tiff) : 0;
}

void drua_image_file_describe_missing(const drua_image_file *f, drua_text *text)
{
    if (f->tiff)
        drua_tiff_describe_missing(f->tiff, text);
}

void drua_image_file_describe_left_out(const drua_image_file *f, drua_text *text)
{
    if (f->tiff)
        drua_tiff_describe_left_out(f->tiff, text);
    else
        drua_zarr_describe_left_out(f->zarr, text);
}

const char *drua_image_file_other_series(const drua_image_file *f)
{
    if (f->tiff)
        return drua_tiff_other_series(f->tiff);
    return f->others.length ? drua_text_characters(&f->others) : NULL;
}

const char *drua_image_file_part(const drua_image_file *f, int part)
{
    return f->tiff ? drua_tiff_part_path(f->tiff, part) : NULL;
}

void drua_image_file_describe(const drua_image_file *f, drua_text *text)
{
    if (f->tiff) {
        drua_tiff_describe(f->tiff, false, text);
        return;
    }
    const drua_shape shape = drua_image_file_shape(f);
    const drua_zarr_range *r = &f->range;
    const int bits = 8 * (int)drua_chunked_pixel_bytes(drua_image_file_type(f));
    drua_text_add(text, "width=%lld\nheight=%lld\ndepth=%lld\nbits=%d\n", (long long)shape.width,
                  (long long)shape.height, (long long)shape.depth, bits);
    if (r->channels * r->frames > 1)
        drua_text_add(text, "channels=%lld\nslices=%lld\nframes=%lld\n", (long long)r->channels,
                      (long long)(r->box.end[2] - r->box.first[2]), (long long)r->frames);
    drua_zarr_describe(f->zarr, r, text);
}

bool drua_image_file_stat(const char *path, drua_file_info *info)
{
    bool absent;
    if (!drua_store_is_remote(path))
        return drua_file_stat(path, info);
    *info = (drua_file_info){.is_folder = true};
    return drua_zarr_is_path(path) || (drua_store_find(path, info, &absent) == DRUA_OK && !absent);
}

drua_status drua_image_file_check(const drua_image_file *f)
{
    return f->tiff ? drua_tiff_check(f->tiff) : drua_zarr_check_time(f->zarr);
}

/* ---- planes */

drua_status drua_file_planes_open(const drua_image_file *f, size_t first, drua_file_planes **planes)
{
    drua_file_planes *p = *planes = drua_alloc(sizeof *p);
    if (!p)
        return drua_fail_memory(sizeof *p);
    p->file = f;
    const drua_status status =
        f->tiff ? drua_read_ahead_open(f->tiff, first, &p->pages) : drua_zarr_slabs_read(f->zarr, &f->range, &p->slabs);
    if (status != DRUA_OK) {
        drua_free(p);
        *planes = NULL;
    }
    return status;
}

int drua_file_planes_prepare(void *planes, size_t first, size_t last)
{
    const drua_file_planes *p = planes;
    return p->pages ? drua_read_ahead_prepare(p->pages, first, last) : drua_zarr_slabs_prepare(p->slabs, first, last);
}

void drua_file_planes_copy(void *planes, size_t plane, size_t inside, void *memory, size_t bytes)
{
    const drua_file_planes *p = planes;
    if (p->pages)
        drua_read_ahead_copy(p->pages, plane, inside, memory, bytes);
    else
        drua_zarr_slabs_copy(p->slabs, plane, inside, memory, bytes);
}

drua_status drua_file_planes_close(drua_file_planes *p, drua_status status)
{
    status = p->pages ? drua_read_ahead_close(p->pages, status) : drua_zarr_slabs_close(p->slabs, status);
    if (status == DRUA_OK)
        status = drua_image_file_check(p->file);
    drua_free(p);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "new_file.h"

#include "file_system.h"

#include <errno.h>
#include <string.h>

static const char *advice(int why)
{
    switch (why) {
    case ENOENT:
    case ENOTDIR: return "create its folder first, or choose another name";
    case ENAMETOOLONG: return "choose a name of at most 200 bytes";
    case EACCES:
    case EPERM:
    case EROFS: return "you may not write in its folder; choose another one";
    default: return "check that its disk has space left and that your quota is not used up";
    }
}

drua_status drua_new_file_fail(const char *path)
{
    const int why = errno;
    return drua_fail(DRUA_E_ARGUMENT, "the file '%.1000s' cannot be written%s%s; %s", path, why ? ": " : "",
                     why ? strerror(why) : "", advice(why));
}

drua_status drua_new_file_may_replace(const char *path)
{
    drua_file_info info;
    if (!drua_file_stat(path, &info))
        return DRUA_OK;
    if (!info.is_file)
        return drua_fail(DRUA_E_ARGUMENT, "'%.1000s' is %s, which Drua does not replace; choose another name", path,
                         info.is_folder ? "a folder" : "a device, a pipe or another special file");
    return drua_file_may_change(path) ? DRUA_OK
                                      : drua_fail(DRUA_E_ARGUMENT,
                                                  "the file '%.1000s' is write-protected; change its permissions, or "
                                                  "choose another name",
                                                  path);
}

/* Where to look for abandoned files, and how their names start. */
typedef struct search {
    const char *folder, *start;
} search;

/* Returns whether a name is one that drua_file_create_beside gives a file: start.number.number.number.writing. */
static bool is_unfinished(const char *name, const char *start)
{
    static const char digits[] = "0123456789abcdef";
    const size_t length = strlen(start);
    if (strncmp(name, start, length) != 0)
        return false;
    name += length;
    for (int part = 0; part < 3; part++) {
        const size_t count = *name == '.' ? strspn(name + 1, digits) : 0;
        if (!count)
            return false;
        name += 1 + count;
    }
    return !strcmp(name, ".writing");
}

static bool remove_abandoned(const char *name, void *data)
{
    const search *s = data;
    char path[DRUA_NEW_FILE_PATH];
    FILE *file = NULL;
    if (is_unfinished(name, s->start) && snprintf(path, sizeof path, "%s/%s", s->folder, name) < (int)sizeof path &&
        !drua_file_is_link(path))
        file = drua_file_open(path, "r+b");
    if (file && drua_file_lock(file) == DRUA_LOCK_OWN)
        drua_file_remove(path);
    if (file)
        fclose(file);
    return true;
}

void drua_new_file_remove_abandoned(const char *folder)
{
    drua_folder_visit(folder, remove_abandoned, &(search){folder, "new"});
}

/* Removes the unfinished files beside an absolute path that earlier processes have left. */
static void remove_abandoned_beside(const char *path)
{
    char folder[DRUA_NEW_FILE_PATH];
    size_t length = strlen(path);
    while (length > 0 && !drua_file_is_separator(path[length - 1]))
        length--;
    if (length == 0 || length >= sizeof folder)
        return;
    memcpy(folder, path, length);
    folder[length] = 0;
    drua_folder_visit(folder, remove_abandoned, &(search){folder, path + length});
}

/*
 * The lock belongs to a second stream. The first one can then be closed, which reports the last errors of writing,
 * before the file gets its name. Another process that removes abandoned files may lock the new file first, and then
 * removes it.
 */
static bool create_locked(drua_new_file *f, const char *start)
{
    enum { ATTEMPTS = 10 };
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        errno = 0;
        f->file = drua_file_create_beside(start, f->unfinished, sizeof f->unfinished);
        if (!f->file)
            return false;
        f->lock = drua_file_open(f->unfinished, "r+b");
        const drua_lock lock = f->lock ? drua_file_lock(f->lock) : DRUA_LOCK_NONE;
        if (lock != DRUA_LOCK_OTHER && drua_file_is_ordinary(f->unfinished))
            return true;
        fclose(f->file);
        if (f->lock)
            fclose(f->lock);
        f->file = f->lock = NULL;
    }
    errno = 0;
    return false;
}

static bool create_unfinished(drua_new_file *f, const char *folder)
{
    char start[DRUA_NEW_FILE_PATH];
    if (!folder || !drua_file_same_disk(folder, f->path)) {
        remove_abandoned_beside(f->path);
        return create_locked(f, f->path);
    }
    errno = ENAMETOOLONG;
    return snprintf(start, sizeof start, "%s/new", folder) < (int)sizeof start && create_locked(f, start);
}

drua_status drua_new_file_begin(drua_new_file *f, const char *path, const char *folder)
{
    drua_file_info info;
    *f = (drua_new_file){.file = NULL};
    errno = ENAMETOOLONG;
    if (!drua_file_resolve(path, f->path, sizeof f->path))
        return drua_new_file_fail(path);
    DRUA_TRY(drua_new_file_may_replace(path));
    if (!create_unfinished(f, folder))
        return drua_new_file_fail(path);
    if (!drua_file_stat(f->path, &info) || drua_file_copy_rights(f->path, f->unfinished))
        return DRUA_OK;
    return drua_new_file_end(f, drua_fail(DRUA_E_ARGUMENT,
                                          "'%.1000s' belongs to another user, and a new file would belong to you; "
                                          "remove it first or choose another name",
                                          path));
}

drua_status drua_new_file_end(drua_new_file *f, drua_status status)
{
    if (!f->file)
        return status;
    errno = 0;
    const bool closed = fclose(f->file) == 0;
    f->file = NULL;
    if (status == DRUA_OK && (!closed || !drua_file_move(f->unfinished, f->path)))
        status = drua_new_file_fail(f->path);
    if (status != DRUA_OK)
        drua_file_remove(f->unfinished);
    if (f->lock)
        fclose(f->lock);
    f->lock = NULL;
    return status;
}

drua_status drua_new_file_write(const char *path, const char *folder, const void *bytes, size_t length)
{
    drua_new_file f;
    DRUA_TRY(drua_new_file_begin(&f, path, folder));
    errno = 0;
    const bool written = fwrite(bytes, 1, length, f.file) == length && fflush(f.file) == 0;
    return drua_new_file_end(&f, written ? DRUA_OK : drua_new_file_fail(path));
}

drua_status drua_new_file_check(const char *path)
{
    static const char some[4096];
    drua_new_file f;
    DRUA_TRY(drua_new_file_begin(&f, path, NULL));
    errno = 0;
    const bool written = fwrite(some, 1, sizeof some, f.file) == sizeof some && fflush(f.file) == 0;
    const drua_status status = written ? DRUA_OK : drua_new_file_fail(path);
    drua_new_file_end(&f, DRUA_E_CANCELLED);
    return status;
}

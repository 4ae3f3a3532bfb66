/* SPDX-License-Identifier: BSD-3-Clause */
#include "new_file.h"

#include "file_system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *advice_for(int why)
{
    switch (why) {
    case ENOENT:
    case ENOTDIR: return "create its folder first, or choose another name";
    case ENAMETOOLONG: return "choose a name of at most 200 bytes";
    case EACCES:
    case EPERM:
    case EROFS: return "you may not write in its folder; choose another one";
    case EEXIST: return "remove the unfinished files beside it, whose names end with .writing";
    default: return "check that its disk has space left and that your quota is not used up";
    }
}

drua_status drua_new_file_fail(const char *path)
{
    const int why = errno;
    return drua_fail(DRUA_E_ARGUMENT, "the file '%.1000s' cannot be written%s%s; %s", path, why ? ": " : "",
                     why ? strerror(why) : "", advice_for(why));
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

/*
 * The names of unfinished files are fixed: START.drua-1.writing, START.drua-2.writing and so on for several writers at
 * once. Abandoned ones are thus found without reading the folder, which may hold many files.
 */
enum { MAX_WRITERS = 100, AHEAD = 4 };

static const char MARK[] = ".drua-", NEW[] = "new"; /* NEW: the start of names in a folder of unfinished files */

static bool name_unfinished(const char *start, int number, char name[DRUA_NEW_FILE_PATH])
{
    return snprintf(name, DRUA_NEW_FILE_PATH, "%s%s%d.writing", start, MARK, number) < DRUA_NEW_FILE_PATH;
}

/* Removes an unfinished file whose process has ended. Returns false if there is a file that must stay. */
static bool remove_abandoned(const char *path)
{
    if (drua_file_is_link(path))
        return false;
    FILE *file = drua_file_open(path, "r+b");
    if (!file)
        return !drua_file_is_ordinary(path);
    /* another process may have given the opened file its final name */
    const bool gone = drua_file_lock(file) == DRUA_LOCK_OWN && drua_file_is_at(file, path) && drua_file_remove(path);
    fclose(file);
    return gone;
}

static bool is_unfinished(const char *name, const char *start)
{
    char made[DRUA_NEW_FILE_PATH];
    const size_t length = strlen(start) + strlen(MARK);
    return strlen(name) > length && name_unfinished(start, (int)strtol(name + length, NULL, 10), made) &&
           !strcmp(name, made);
}

static bool visit_new(const char *name, void *folder)
{
    char path[DRUA_NEW_FILE_PATH];
    if (is_unfinished(name, NEW) && snprintf(path, sizeof path, "%s/%s", (const char *)folder, name) < (int)sizeof path)
        remove_abandoned(path);
    return true;
}

void drua_new_file_remove_abandoned(const char *folder)
{
    drua_folder_visit(folder, visit_new, (void *)(uintptr_t)folder);
}

/*
 * Locks a file that was created. The lock belongs to a second stream. The first one can then be closed, which reports
 * the last errors of writing, before the file gets its name. Another process that removes abandoned files may lock the
 * new file first, and then removes it.
 */
static bool lock_created(drua_new_file *f)
{
    f->lock = drua_file_open(f->unfinished, "r+b");
    const drua_lock lock = f->lock ? drua_file_lock(f->lock) : DRUA_LOCK_NONE;
    if (lock != DRUA_LOCK_OTHER && drua_file_is_at(f->file, f->unfinished))
        return true;
    fclose(f->file);
    if (f->lock)
        fclose(f->lock);
    f->file = f->lock = NULL;
    return false;
}

/* Creates the unfinished file with the first number that no running program uses. Removes abandoned ones. */
static bool create_first(drua_new_file *f, const char *start)
{
    char next[DRUA_NEW_FILE_PATH];
    for (int number = 1; number <= MAX_WRITERS; number++) {
        errno = ENAMETOOLONG;
        if (!name_unfinished(start, number, f->unfinished))
            return false;
        if (!remove_abandoned(f->unfinished))
            continue;
        errno = 0;
        f->file = drua_file_create(f->unfinished, true);
        const int why = errno;
        if (!f->file && why != EEXIST && !drua_file_is_ordinary(f->unfinished)) {
            errno = why;
            return false;
        }
        if (f->file && lock_created(f)) {
            for (int more = number + 1; more <= number + AHEAD && name_unfinished(start, more, next); more++)
                remove_abandoned(next);
            return true;
        }
    }
    errno = EEXIST;
    return false;
}

static bool create_unfinished(drua_new_file *f, const char *folder)
{
    char start[DRUA_NEW_FILE_PATH];
    if (!folder || !drua_file_same_disk(folder, f->path))
        return create_first(f, f->path);
    errno = ENAMETOOLONG;
    return snprintf(start, sizeof start, "%s/%s", folder, NEW) < (int)sizeof start && create_first(f, start);
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

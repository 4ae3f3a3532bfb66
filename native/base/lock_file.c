/* SPDX-License-Identifier: BSD-3-Clause */
#include "lock_file.h"

#include "file_system.h"

static drua_lock_file_state examine_lock(FILE *file, const char *path)
{
    drua_file_info info;
    if (!drua_file_stat_open(file, &info) || info.bytes > 0)
        return DRUA_LOCK_FILE_IMPOSSIBLE;
    switch (drua_file_lock(file)) {
    case DRUA_LOCK_OWN: /* the previous owner may have removed it */
        return drua_file_is_at(file, path) ? DRUA_LOCK_FILE_HELD : DRUA_LOCK_FILE_BUSY;
    case DRUA_LOCK_OTHER: return DRUA_LOCK_FILE_BUSY;
    default: drua_file_remove(path); return DRUA_LOCK_FILE_IMPOSSIBLE;
    }
}

drua_lock_file_state drua_lock_file_try(drua_lock_file *lock, const char *path)
{
    lock->file = NULL;
    if (snprintf(lock->path, sizeof lock->path, "%s", path) >= (int)sizeof lock->path)
        return DRUA_LOCK_FILE_IMPOSSIBLE;
    FILE *file = drua_file_is_link(path) ? NULL : drua_file_open(path, "ab");
    const drua_lock_file_state state = file ? examine_lock(file, path) : DRUA_LOCK_FILE_IMPOSSIBLE;
    if (state == DRUA_LOCK_FILE_HELD)
        lock->file = file;
    else if (file)
        fclose(file);
    return state;
}

void drua_lock_file_end(drua_lock_file *lock)
{
    if (!lock->file)
        return;
    if (drua_file_is_at(lock->file, lock->path))
        drua_file_remove(lock->path);
    fclose(lock->file);
    lock->file = NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "file_system.h"

#if !defined(_WIN32)
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

enum { PATH_SIZE = 4096 };

static int64_t change_time_of(const struct stat *s)
{
#if defined(__APPLE__)
    const struct timespec changed = s->st_mtimespec;
#else
    const struct timespec changed = s->st_mtim;
#endif
    return (int64_t)changed.tv_sec * 1000000000 + changed.tv_nsec;
}

static drua_file_info info_of(const struct stat *s)
{
    const bool is_private = s->st_uid == geteuid() && !(s->st_mode & (S_IWGRP | S_IWOTH));
    return (drua_file_info){(uint64_t)s->st_size, s->st_mtime,         change_time_of(s),
                            S_ISREG(s->st_mode),  S_ISDIR(s->st_mode), is_private};
}

bool drua_file_stat(const char *path, drua_file_info *info)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return false;
    *info = info_of(&s);
    return true;
}

/* Adds the mode "e": programs that this process starts do not inherit the file, and thus not its lock. */
FILE *drua_file_open(const char *path, const char *mode)
{
    char closing[8];
    return snprintf(closing, sizeof closing, "%se", mode) < (int)sizeof closing ? fopen(path, closing) : NULL;
}

FILE *drua_file_create(const char *path, bool shared)
{
    const int number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, shared ? 0666 : 0600);
    FILE *file = number < 0 ? NULL : fdopen(number, "wb");
    if (number >= 0 && !file)
        close(number);
    return file;
}

bool drua_file_move(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool drua_file_remove(const char *path)
{
    return remove(path) == 0;
}

/* Returns true if the last existing name on the path is a broken link. */
static bool has_broken_link(const char *path)
{
    struct stat s;
    char name[PATH_SIZE];
    if (snprintf(name, sizeof name, "%s", path) >= PATH_SIZE)
        return false;
    while (lstat(name, &s) != 0) {
        char *slash = strrchr(name, '/');
        if (!slash || slash == name)
            return false;
        *slash = 0;
    }
    return S_ISLNK(s.st_mode) && stat(name, &s) != 0;
}

drua_file_state drua_file_why(const char *path)
{
    static const int silent[] = {EIO, ENXIO, ENODEV, ESTALE, ENOTCONN, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH, ENETUNREACH};
    const int why = errno;
    if (why == ENOENT || why == ENOTDIR)
        return has_broken_link(path) ? DRUA_FILE_AWAY : DRUA_FILE_ABSENT;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (why == silent[i])
            return DRUA_FILE_AWAY;
    return DRUA_FILE_UNREADABLE;
}

bool drua_file_is_link(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0 && S_ISLNK(s.st_mode);
}

bool drua_file_identity(const char *path, uint64_t identity[2])
{
    struct stat s;
    if (stat(path, &s) != 0)
        return false;
    identity[0] = (uint64_t)s.st_dev;
    identity[1] = (uint64_t)s.st_ino;
    return true;
}

bool drua_file_is_at(FILE *file, const char *path)
{
    struct stat opened, named;
    return fstat(fileno(file), &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

bool drua_file_true_path(const char *path, char *resolved, size_t size)
{
    char *found = realpath(path, NULL);
    const bool fits = found && snprintf(resolved, size, "%s", found) < (int)size;
    free(found);
    return fits;
}

bool drua_file_read_link(const char *path, char *target, size_t size)
{
    const ssize_t length = readlink(path, target, size - 1);
    target[length < 0 ? 0 : length] = 0;
    return length > 0 && (size_t)length < size - 1;
}

bool drua_file_copy_rights(const char *from, const char *to)
{
    struct stat s, now;
    if (stat(from, &s) != 0 || stat(to, &now) != 0)
        return false;
    if ((s.st_uid != now.st_uid || s.st_gid != now.st_gid) && chown(to, s.st_uid, s.st_gid) != 0)
        return false;
    return chmod(to, s.st_mode & 07777) == 0;
}

bool drua_file_may_change(const char *path)
{
    return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

bool drua_file_same_disk(const char *folder, const char *path)
{
    struct stat a, b;
    char parent[PATH_SIZE];
    if (snprintf(parent, sizeof parent, "%s", path) >= PATH_SIZE)
        return false;
    char *slash = strrchr(parent, '/');
    if (slash)
        slash[slash == parent] = 0;
    return stat(folder, &a) == 0 && stat(slash ? parent : ".", &b) == 0 && a.st_dev == b.st_dev;
}

drua_lock drua_file_lock(FILE *file)
{
    if (flock(fileno(file), LOCK_EX | LOCK_NB) == 0)
        return DRUA_LOCK_OWN;
    return errno == EWOULDBLOCK ? DRUA_LOCK_OTHER : DRUA_LOCK_NONE;
}

bool drua_file_stat_open(FILE *file, drua_file_info *info)
{
    struct stat s;
    if (fstat(fileno(file), &s) != 0 || !S_ISREG(s.st_mode))
        return false;
    *info = info_of(&s);
    return true;
}

bool drua_file_seek(FILE *file, int64_t offset)
{
    return fseeko(file, offset, SEEK_SET) == 0;
}

void drua_folder_make(const char *path, bool shared)
{
    mkdir(path, shared ? 0777 : 0700);
}

bool drua_file_settle(FILE *file)
{
    return fflush(file) == 0 && fsync(fileno(file)) == 0;
}

void drua_folder_settle(const char *path)
{
#if defined(__linux__)
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        syncfs(folder);
        close(folder);
    }
#else
    (void)path;
    sync();
#endif
}

bool drua_folder_remove(const char *path)
{
    return rmdir(path) == 0;
}

drua_file_state drua_folder_visit(const char *path, bool (*visit)(const char *name, void *data), void *data)
{
    DIR *directory = opendir(path);
    if (!directory)
        return drua_file_why(path);
    const struct dirent *entry;
    do {
        errno = 0; /* readdir returns NULL at the end too, and changes errno only on failure */
        entry = readdir(directory);
    } while (entry && visit(entry->d_name, data));
    const drua_file_state state = entry || !errno ? DRUA_FILE_PRESENT : drua_file_why(path);
    closedir(directory);
    return state;
}

void drua_file_touch(const char *path)
{
    utime(path, NULL);
}

bool drua_environment(const char *name, char *value, size_t size)
{
    const char *text = getenv(name);
    return text && *text && snprintf(value, size, "%s", text) < (int)size;
}

long drua_process_number(void)
{
    return (long)getpid();
}
#endif

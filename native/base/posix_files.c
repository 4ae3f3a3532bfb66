/* SPDX-License-Identifier: BSD-3-Clause */
#include "file_system.h"

#if !defined(_WIN32)
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

bool drua_file_look(const char *path, drua_file_info *info)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return false;
    const bool is_private = s.st_uid == geteuid() && !(s.st_mode & (S_IWGRP | S_IWOTH));
    *info = (drua_file_info){(uint64_t)s.st_size, s.st_mtime, S_ISREG(s.st_mode), S_ISDIR(s.st_mode), is_private};
    return true;
}

FILE *drua_file_open(const char *path, const char *mode)
{
    return fopen(path, mode);
}

FILE *drua_file_create(const char *path)
{
    const int number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
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

bool drua_file_is_absent(const char *path)
{
    struct stat s;
    return stat(path, &s) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

bool drua_file_is_link(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0 && S_ISLNK(s.st_mode);
}

int64_t drua_file_length(FILE *file)
{
    struct stat s;
    return fstat(fileno(file), &s) == 0 && S_ISREG(s.st_mode) ? (int64_t)s.st_size : -1;
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

void drua_folder_visit(const char *path, bool (*visit)(const char *name, void *data), void *data)
{
    DIR *directory = opendir(path);
    if (!directory)
        return;
    for (const struct dirent *d = readdir(directory); d && visit(d->d_name, data);)
        d = readdir(directory);
    closedir(directory);
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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "file_system.h"

#if defined(_WIN32)
#include "windows_text.h"

#include "alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <string.h>
#include <windows.h>

wchar_t *drua_wide(const char *utf8)
{
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, utf8, -1, NULL, 0);
    wchar_t *wide = length > 0 ? drua_alloc((size_t)length * sizeof *wide) : NULL;
    if (wide)
        MultiByteToWideChar(CP_UTF8, 0, utf8, -1, wide, length);
    return wide;
}

bool drua_narrow(const wchar_t *wide, char *utf8, size_t size)
{
    return WideCharToMultiByte(CP_UTF8, 0, wide, -1, utf8, (int)size, NULL, NULL) > 0;
}

static int64_t nanoseconds_of(FILETIME time)
{
    const int64_t ticks = (int64_t)time.dwHighDateTime << 32 | time.dwLowDateTime, from_1601_to_1970 = 11644473600;
    return (ticks - from_1601_to_1970 * 10000000) * 100;
}

static drua_file_info info_of(DWORD high, DWORD low, FILETIME changed, bool folder)
{
    const int64_t exactly = nanoseconds_of(changed);
    return (drua_file_info){(uint64_t)high << 32 | low, (time_t)(exactly / 1000000000), exactly, !folder, folder, true};
}

bool drua_file_stat(const char *path, drua_file_info *info)
{
    WIN32_FILE_ATTRIBUTE_DATA data;
    wchar_t *wide = drua_wide(path);
    const bool exists = wide && GetFileAttributesExW(wide, GetFileExInfoStandard, &data);
    drua_free(wide);
    if (!exists)
        return false;
    *info = info_of(data.nFileSizeHigh, data.nFileSizeLow, data.ftLastWriteTime,
                    (data.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0);
    return true;
}

static HANDLE open_handle(const char *path, DWORD access, DWORD creation)
{
    wchar_t *wide = drua_wide(path);
    HANDLE file = INVALID_HANDLE_VALUE;
    if (wide)
        file = CreateFileW(wide, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, creation,
                           FILE_ATTRIBUTE_NORMAL, NULL);
    drua_free(wide);
    return file;
}

void *drua_windows_open(const char *path, bool writes)
{
    return writes ? open_handle(path, GENERIC_READ | GENERIC_WRITE, CREATE_ALWAYS)
                  : open_handle(path, GENERIC_READ, OPEN_EXISTING);
}

static FILE *stream_of(HANDLE handle, const char *mode)
{
    const bool appends = *mode == 'a', changes = strchr(mode, '+') != NULL;
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    const int number = _open_osfhandle((intptr_t)handle, _O_BINARY | (appends                   ? _O_APPEND
                                                                      : *mode == 'w' || changes ? 0
                                                                                                : _O_RDONLY));
    FILE *file = number < 0 ? NULL : _fdopen(number, mode);
    if (number < 0)
        CloseHandle(handle);
    else if (!file)
        _close(number);
    return file;
}

FILE *drua_file_open(const char *path, const char *mode)
{
    const bool appends = *mode == 'a', changes = strchr(mode, '+') != NULL;
    HANDLE handle = appends   ? open_handle(path, FILE_APPEND_DATA, OPEN_ALWAYS)
                    : changes ? open_handle(path, GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING)
                              : drua_windows_open(path, *mode == 'w');
    return stream_of(handle, mode);
}

FILE *drua_file_create(const char *path, bool shared)
{
    (void)shared;
    HANDLE handle = open_handle(path, GENERIC_READ | GENERIC_WRITE, CREATE_NEW);
    if (handle == INVALID_HANDLE_VALUE && GetLastError() == ERROR_FILE_EXISTS)
        errno = EEXIST;
    return stream_of(handle, "wb");
}

/*
 * POSIX semantics: the name refers to the new file at once, and programs that have the old file open keep it. Windows
 * 10 supports this; FAT does not.
 */
static bool move_onto_open(const wchar_t *from, const wchar_t *to)
{
    enum { RENAME_EX = 22, REPLACE = 1, AS_POSIX = 2 };
    const size_t length = wcslen(to) * sizeof *to, bytes = sizeof(FILE_RENAME_INFO) + length;
    FILE_RENAME_INFO *rename = drua_alloc(bytes);
    if (!rename)
        return false;
    const DWORD flags = REPLACE | AS_POSIX;
    memcpy(rename, &flags, sizeof flags);
    rename->FileNameLength = (DWORD)length;
    memcpy(rename->FileName, to, length);
    HANDLE file = CreateFileW(from, DELETE | SYNCHRONIZE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, 0, NULL);
    const bool moved = file != INVALID_HANDLE_VALUE &&
                       SetFileInformationByHandle(file, (FILE_INFO_BY_HANDLE_CLASS)RENAME_EX, rename, (DWORD)bytes);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    drua_free(rename);
    return moved;
}

bool drua_file_move(const char *from, const char *to)
{
    wchar_t *old_name = drua_wide(from), *new_name = drua_wide(to);
    const bool moved =
        old_name && new_name &&
        (MoveFileExW(old_name, new_name, MOVEFILE_REPLACE_EXISTING) || move_onto_open(old_name, new_name));
    drua_free(old_name);
    drua_free(new_name);
    return moved;
}

bool drua_file_remove(const char *path)
{
    wchar_t *wide = drua_wide(path);
    const bool removed = wide && DeleteFileW(wide);
    drua_free(wide);
    return removed;
}

static DWORD attributes_of(const char *path)
{
    wchar_t *wide = drua_wide(path);
    const DWORD found = wide ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES,
                error = wide ? GetLastError() : ERROR_NOT_ENOUGH_MEMORY;
    drua_free(wide);
    SetLastError(error);
    return found;
}

/* A link whose target is missing has attributes, so it does not count as absent. */
drua_file_state drua_file_why(const char *path)
{
    static const DWORD silent[] = {ERROR_NOT_READY,     ERROR_BAD_NETPATH,  ERROR_BAD_NET_NAME, ERROR_NETNAME_DELETED,
                                   ERROR_DEV_NOT_EXIST, ERROR_SEM_TIMEOUT,  ERROR_IO_DEVICE,    ERROR_NO_SUCH_DEVICE,
                                   ERROR_UNEXP_NET_ERR, ERROR_NETWORK_BUSY, ERROR_REM_NOT_LIST};
    const bool named = attributes_of(path) != INVALID_FILE_ATTRIBUTES;
    const DWORD why = GetLastError();
    if (named)
        return drua_file_is_link(path) ? DRUA_FILE_AWAY : DRUA_FILE_UNREADABLE;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (why == silent[i])
            return DRUA_FILE_AWAY;
    return why == ERROR_FILE_NOT_FOUND || why == ERROR_PATH_NOT_FOUND ? DRUA_FILE_ABSENT : DRUA_FILE_UNREADABLE;
}

bool drua_file_is_link(const char *path)
{
    const DWORD found = attributes_of(path);
    return found != INVALID_FILE_ATTRIBUTES && (found & FILE_ATTRIBUTE_REPARSE_POINT);
}

static HANDLE open_for_stat(const char *path)
{
    wchar_t *wide = drua_wide(path);
    HANDLE file = INVALID_HANDLE_VALUE;
    if (wide)
        file = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                           FILE_FLAG_BACKUP_SEMANTICS, NULL); /* folders cannot be opened without this flag */
    drua_free(wide);
    return file;
}

bool drua_file_identity(const char *path, uint64_t identity[2])
{
    BY_HANDLE_FILE_INFORMATION found;
    HANDLE file = open_for_stat(path);
    const bool good = file != INVALID_HANDLE_VALUE && GetFileInformationByHandle(file, &found);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    identity[0] = good ? found.dwVolumeSerialNumber : 0;
    identity[1] = good ? (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow : 0;
    return good;
}

bool drua_file_is_at(FILE *file, const char *path)
{
    BY_HANDLE_FILE_INFORMATION opened;
    uint64_t named[2];
    return GetFileInformationByHandle((HANDLE)_get_osfhandle(_fileno(file)), &opened) && !drua_file_is_link(path) &&
           drua_file_identity(path, named) && named[0] == opened.dwVolumeSerialNumber &&
           named[1] == ((uint64_t)opened.nFileIndexHigh << 32 | opened.nFileIndexLow);
}

/*
 * Returns the usual form of a path that begins with \\?\, in which a slash would not separate names: C:\... for
 * \\?\C:\..., and \\server\... for \\?\UNC\server\... The result lies in `wide`.
 */
static const wchar_t *usual_path(wchar_t *wide)
{
    static const wchar_t START[] = L"\\\\?\\", SERVER[] = L"\\\\?\\UNC\\";
    const size_t start = wcslen(START), server = wcslen(SERVER);
    if (!wcsncmp(wide, SERVER, server)) {
        wide[server - 2] = L'\\';
        return wide + server - 2;
    }
    return !wcsncmp(wide, START, start) && wide[start] && wide[start + 1] == L':' ? wide + start : wide;
}

bool drua_file_true_path(const char *path, char *resolved, size_t size)
{
    enum { LIMIT = 4096 };
    wchar_t wide[LIMIT];
    HANDLE file = open_for_stat(path);
    const DWORD length = file == INVALID_HANDLE_VALUE ? 0 : GetFinalPathNameByHandleW(file, wide, LIMIT, 0);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return length > 0 && length < LIMIT && drua_narrow(usual_path(wide), resolved, size);
}

/* A link whose target is missing is treated like an ordinary name. */
bool drua_file_read_link(const char *path, char *target, size_t size)
{
    (void)path;
    (void)size;
    target[0] = 0;
    return false;
}

/* Does nothing: Windows derives the rights from the folder. */
bool drua_file_copy_rights(const char *from, const char *to)
{
    (void)from;
    (void)to;
    return true;
}

bool drua_file_may_change(const char *path)
{
    wchar_t *wide = drua_wide(path);
    const DWORD attributes = wide ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    drua_free(wide);
    return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_READONLY);
}

bool drua_file_same_disk(const char *folder, const char *path)
{
    enum { MOST = 4096 };
    char parent[MOST];
    uint64_t one[2], other[2];
    size_t length = strlen(path);
    if (length >= MOST)
        return false;
    while (length > 0 && !drua_file_is_separator(path[length - 1]))
        length--;
    snprintf(parent, sizeof parent, "%.*s", length ? (int)length : 1, length ? path : ".");
    return drua_file_is_folder(folder) && drua_file_identity(folder, one) && drua_file_identity(parent, other) &&
           one[0] == other[0];
}

/* Locks a byte that no file reaches, because a lock on Windows keeps other programs from reading the byte. */
drua_lock drua_file_lock(FILE *file)
{
    OVERLAPPED place = {0};
    place.OffsetHigh = 0x40000000;
    if (LockFileEx((HANDLE)_get_osfhandle(_fileno(file)), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                   &place))
        return DRUA_LOCK_OWN;
    return GetLastError() == ERROR_LOCK_VIOLATION ? DRUA_LOCK_OTHER : DRUA_LOCK_NONE;
}

bool drua_file_stat_open(FILE *file, drua_file_info *info)
{
    BY_HANDLE_FILE_INFORMATION data;
    HANDLE handle = (HANDLE)_get_osfhandle(_fileno(file));
    if (GetFileType(handle) != FILE_TYPE_DISK || !GetFileInformationByHandle(handle, &data))
        return false;
    *info = info_of(data.nFileSizeHigh, data.nFileSizeLow, data.ftLastWriteTime, false);
    return true;
}

bool drua_file_seek(FILE *file, int64_t offset)
{
    return _fseeki64(file, offset, SEEK_SET) == 0;
}

/* The parent folder decides who may read it. */
void drua_folder_make(const char *path, bool shared)
{
    (void)shared;
    wchar_t *wide = drua_wide(path);
    if (wide)
        CreateDirectoryW(wide, NULL);
    drua_free(wide);
}

bool drua_file_settle(FILE *file)
{
    return fflush(file) == 0 && _commit(_fileno(file)) == 0;
}

/* Only administrators may flush a volume; the system writes within seconds. */
void drua_folder_settle(const char *path)
{
    (void)path;
}

bool drua_folder_remove(const char *path)
{
    wchar_t *wide = drua_wide(path);
    const bool removed = wide && RemoveDirectoryW(wide);
    drua_free(wide);
    return removed;
}

drua_file_state drua_folder_visit(const char *path, bool (*visit)(const char *name, void *data), void *data)
{
    enum { MAX_NAME = 4 * MAX_PATH };
    char name[MAX_NAME];
    WIN32_FIND_DATAW found;
    HANDLE search = INVALID_HANDLE_VALUE;
    if (snprintf(name, sizeof name, "%s\\*", path) < (int)sizeof name) {
        wchar_t *pattern = drua_wide(name);
        search = pattern ? FindFirstFileW(pattern, &found) : INVALID_HANDLE_VALUE;
        drua_free(pattern);
    }
    if (search == INVALID_HANDLE_VALUE)
        return drua_file_why(path);
    drua_file_state state = DRUA_FILE_PRESENT;
    while (!drua_narrow(found.cFileName, name, sizeof name) || visit(name, data))
        if (!FindNextFileW(search, &found)) {
            if (GetLastError() != ERROR_NO_MORE_FILES)
                state = DRUA_FILE_AWAY;
            break;
        }
    FindClose(search);
    return state;
}

void drua_file_touch(const char *path)
{
    HANDLE file = open_handle(path, FILE_WRITE_ATTRIBUTES, OPEN_EXISTING);
    FILETIME now;
    if (file == INVALID_HANDLE_VALUE)
        return;
    GetSystemTimeAsFileTime(&now);
    SetFileTime(file, NULL, &now, &now);
    CloseHandle(file);
}

bool drua_environment(const char *name, char *value, size_t size)
{
    enum { LIMIT = 4096 };
    wchar_t text[LIMIT], *wide_name = drua_wide(name);
    const DWORD length = wide_name ? GetEnvironmentVariableW(wide_name, text, LIMIT) : 0;
    drua_free(wide_name);
    return length > 0 && length < LIMIT && drua_narrow(text, value, size);
}

long drua_process_number(void)
{
    return (long)GetCurrentProcessId();
}
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Behaviour specific to Windows: on_windows.exe FOLDER. The folder's name should contain a space and letters outside
 * ASCII. Does not use Check, which needs more of POSIX than Windows has. Prints 'N passed, N failed'.
 */
#include <drua/drua.h>

#include "alloc.h"
#include "c_locale.h"
#include "cores.h"
#include "file.h"
#include "new_file.h"
#include "windows_text.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;

#define EXPECT(holds) check_that(holds, #holds, __LINE__)

static bool check_that(bool holds, const char *what, int line)
{
    if (holds)
        passed++;
    else
        printf("FAIL on_windows.c:%d: %s\n", line, what), failed++;
    return holds;
}

static const char *path_below(const char *folder, const char *name)
{
    static char path[4][2048];
    static int turn;
    char *here = path[turn++ % 4];
    snprintf(here, sizeof path[0], "%s/%s", folder, name);
    return here;
}

static bool is_file(const char *path)
{
    drua_file_info info;
    return drua_file_stat(path, &info) && info.is_file;
}

static bool holds(const char *path, const char *text)
{
    size_t length = 0;
    char *bytes = drua_file_read(path, 1 << 20, &length);
    const bool same = bytes && length == strlen(text) && !memcmp(bytes, text, length);
    drua_free(bytes);
    return same;
}

/*
 * Replaces a file while it is read: either the new file is in place and the reader continues with the old one, or the
 * old file stays complete.
 */
static void files(const char *folder)
{
    const char *path = path_below(folder, "caf\xc3\xa9 \xe7\xbb\x86\xe8\x83\x9e.bin"),
               *moved = path_below(folder, "moved.bin");
    char text[4] = "";
    EXPECT(drua_file_make_folder(folder));
    EXPECT(drua_file_replace(path, "old", 3) && holds(path, "old"));
    EXPECT(drua_file_replace(path, "new", 3) && holds(path, "new"));
    FILE *reader = drua_file_open(path, "rb");
    if (EXPECT(reader != NULL)) {
        const bool replaced = drua_file_replace(path, "newer", 5);
        printf("a file that is open here is %s\n", replaced ? "replaced" : "kept");
        EXPECT(fread(text, 1, 3, reader) == 3 && !strcmp(text, "new"));
        EXPECT(holds(path, replaced ? "newer" : "new"));
        fclose(reader);
    }
    EXPECT(drua_file_replace(path, "last", 4) && holds(path, "last"));
    EXPECT(drua_file_move(path, moved) && !is_file(path) && holds(moved, "last"));
    EXPECT(drua_file_remove(moved) && !is_file(moved));
    EXPECT(!drua_file_replace(path_below(folder, "none/file"), "x", 1));
    for (int i = 0; i < 3; i++)
        drua_file_replace(path_below(folder, i == 0 ? "a.part" : i == 1 ? "b.part" : "c.other"), "12345", 5);
    drua_file_prune(folder, ".part", 5);
    EXPECT(is_file(path_below(folder, "a.part")) != is_file(path_below(folder, "b.part")) &&
           is_file(path_below(folder, "c.other")));
}

/* New files get their names; files of a dead process are removed, and a file in use stays. */
static void new_files(const char *folder)
{
    char path[2048], left[2048], resolved[2048], parts[2048];
    drua_new_file file;
    snprintf(path, sizeof path, "%s", path_below(folder, "m\xc3\xb6re/out.tif"));
    snprintf(left, sizeof left, "%s.drua-1.writing", path);
    snprintf(parts, sizeof parts, "%s", path_below(folder, "parts"));
    EXPECT(drua_file_make_folder(parts) && drua_file_make_folder(path_below(folder, "m\xc3\xb6re")));
    EXPECT(drua_file_resolve(path, resolved, sizeof resolved) && strncmp(resolved, "\\\\?\\", 4) != 0);
    EXPECT(drua_file_replace(left, "left", 4));
    EXPECT(drua_new_file_write(path, NULL, "one", 3) == DRUA_OK && holds(path, "one") && !is_file(left));
    EXPECT(drua_new_file_write(path, parts, "two", 3) == DRUA_OK && holds(path, "two"));
    EXPECT(drua_new_file_begin(&file, path, parts) == DRUA_OK && fwrite("three", 1, 5, file.file) == 5);
    drua_new_file_remove_abandoned(parts);
    EXPECT(is_file(file.unfinished));
    EXPECT(drua_new_file_end(&file, DRUA_OK) == DRUA_OK && !is_file(file.unfinished));
    EXPECT(drua_new_file_begin(&file, path, NULL) == DRUA_OK && drua_new_file_check(path) == DRUA_OK);
    EXPECT(is_file(file.unfinished) && drua_new_file_end(&file, DRUA_E_CANCELLED) == DRUA_E_CANCELLED);
    EXPECT(!is_file(file.unfinished) && holds(path, "three"));
}

static void cache(const char *folder)
{
    char path[1024];
    drua_file_info info;
    wchar_t *wide = drua_wide(folder);
    EXPECT(_wputenv_s(L"LOCALAPPDATA", wide) == 0 && drua_file_cache_folder(path, sizeof path, true));
    EXPECT(!strncmp(path, folder, strlen(folder)) && !strcmp(path + strlen(folder), "\\drua\\cache"));
    EXPECT(drua_file_stat(path, &info) && info.is_folder);
    drua_free(wide);
    EXPECT(_putenv("DRUA_CACHE=off") == 0 && !drua_file_cache_folder(path, sizeof path, true) && !*path);
}

/* If the process's locale writes 1,5, the engine still writes 1.5 and leaves the locale unchanged. */
static void language(void)
{
    char text[16];
    EXPECT(setlocale(LC_ALL, "de-DE") && !strcmp(localeconv()->decimal_point, ","));
    drua_locale_enter();
    snprintf(text, sizeof text, "%g", 1.5);
    EXPECT(!strcmp(text, "1.5") && strtod("2.5", NULL) == 2.5);
    drua_locale_leave();
    snprintf(text, sizeof text, "%g", 1.5);
    EXPECT(!strcmp(text, "1,5"));
    EXPECT(strstr(drua_describe(), "\"default\":0.5") != NULL);
    setlocale(LC_ALL, "C");
}

/* Writes and reads an image file, and checks the error messages about missing files. */
static void images(const char *folder)
{
    enum { WIDTH = 5, HEIGHT = 3 };
    const char *path = path_below(folder, "Bild \xc3\xa4.tif"), *none = path_below(folder, "kein Bild \xc3\xb6.tif");
    float pixels[WIDTH * HEIGHT], back[WIDTH * HEIGHT] = {0};
    drua_context *context;
    drua_image image = 0, read = 0;
    if (!EXPECT(drua_open(NULL, &context) == DRUA_OK)) {
        printf("%s\n", drua_error_message());
        return;
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        pixels[i] = (float)i / 4;
    const drua_shape shape = {WIDTH, HEIGHT, 1, 2};
    EXPECT(drua_push(context, shape, DRUA_FLOAT32, pixels, &image) == DRUA_OK);
    const char *const compressions[] = {"", "lzw", "deflate"};
    for (int i = 0; i < 3; i++) {
        memset(back, 0, sizeof back);
        if (!EXPECT(drua_write_tiff(context, image, path, compressions[i]) == DRUA_OK && is_file(path)))
            printf("%s\n", drua_error_message());
        EXPECT(drua_read_tiff(context, path, 1, 1, &read) == DRUA_OK && drua_pull(context, read, back) == DRUA_OK &&
               !memcmp(pixels, back, sizeof back));
    }
    EXPECT(drua_read_tiff(context, none, 1, 1, &read) == DRUA_E_ARGUMENT && strstr(drua_error_message(), none));
    EXPECT(drua_write_tiff(context, image, path_below(folder, "none/x.tif"), "") != DRUA_OK &&
           strstr(drua_error_message(), "none/x.tif"));
    drua_close(context);
}

int wmain(int count, wchar_t **arguments)
{
    char folder[1024];
    if (count != 2 || !drua_narrow(arguments[1], folder, sizeof folder))
        return 2;
    files(folder);
    new_files(folder);
    cache(folder);
    language();
    images(folder);
    EXPECT(drua_cores() >= 1);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

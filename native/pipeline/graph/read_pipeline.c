/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file of a pipeline into UTF-8 text. */
#include "script.h"

#include "alloc.h"
#include "file.h"
#include "text.h"

#include <inttypes.h>
#include <string.h>

enum { LARGEST = 1 << 20 };

static unsigned unit_at(const unsigned char *bytes, bool big_endian)
{
    return big_endian ? bytes[0] << 8 | bytes[1] : bytes[1] << 8 | bytes[0];
}

static void add_utf8(drua_text *text, unsigned c)
{
    const int more = (c >= 0x80) + (c >= 0x800) + (c >= 0x10000);
    static const unsigned char starts[] = {0, 0xc0, 0xe0, 0xf0};
    char bytes[4] = {(char)(starts[more] | c >> 6 * more)};
    for (int i = 1; i <= more; i++)
        bytes[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3f));
    drua_text_append(text, bytes, (size_t)more + 1);
}

/* An unpaired surrogate becomes U+FFFD. */
static void add_utf16(drua_text *text, const unsigned char *bytes, size_t length, bool big_endian)
{
    for (size_t i = 0; i + 1 < length; i += 2) {
        unsigned c = unit_at(bytes + i, big_endian);
        const unsigned next = i + 3 < length ? unit_at(bytes + i + 2, big_endian) : 0;
        if (c >> 10 == 0x36 && next >> 10 == 0x37) {
            c = 0x10000 + ((c & 0x3ff) << 10 | (next & 0x3ff));
            i += 2;
        } else if (c >> 11 == 0x1b) {
            c = 0xfffd;
        }
        add_utf8(text, c);
    }
}

static void add_decoded(drua_text *text, const unsigned char *bytes, size_t length)
{
    const bool big_endian = length > 1 && bytes[0] == 0xfe && bytes[1] == 0xff;
    const bool little_endian = length > 1 && bytes[0] == 0xff && bytes[1] == 0xfe;
    const size_t mark = drua_text_mark(bytes, length);
    if (big_endian || little_endian)
        add_utf16(text, bytes + 2, length - 2, big_endian);
    else if (length > 0) /* an empty file has no bytes, and C allows no sum with NULL */
        drua_text_append(text, (const char *)bytes + mark, length - mark);
}

drua_status script_read(const char *path, char **macro)
{
    drua_bytes bytes = {0};
    drua_text text = {0};
    uint64_t size = 0;
    drua_status status = DRUA_OK;
    if (drua_file_part(path, 0, LARGEST, &bytes, &size) != DRUA_FILE_PRESENT)
        status = drua_fail(DRUA_E_ARGUMENT, "the pipeline '%.600s' cannot be read; check its permissions", path);
    else if (size > LARGEST)
        status = drua_fail(DRUA_E_ARGUMENT,
                           "the pipeline '%.600s' has %" PRIu64
                           " bytes, but Drua reads at most %d; split it into two pipelines",
                           path, size, LARGEST);
    else
        add_decoded(&text, bytes.data, bytes.length);
    drua_free(bytes.data);
    if (status == DRUA_OK && text.characters && strlen(text.characters) < text.length)
        status =
            drua_fail(DRUA_E_ARGUMENT,
                      "the pipeline '%.600s' contains a NUL byte, so it is not a macro; save it as plain text", path);
    if (status == DRUA_OK && !text.failed)
        *macro = drua_copy_text(drua_text_characters(&text));
    drua_text_free(&text);
    return status == DRUA_OK && !*macro ? drua_fail_memory(1) : status;
}

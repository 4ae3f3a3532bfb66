/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes image files through the operations of native/ops/file. */
#include "context.h"

#define TEXT(text_) {.kind = (text_) ? DRUA_ARG_TEXT : DRUA_ARG_NONE, .text = text_}
#define NUMBER(number_) {.kind = DRUA_ARG_NUMBER, .number = (double)(number_)}

drua_status drua_read_tiff(drua_context *context, const char *path, int64_t channel, int64_t frame, drua_image *image)
{
    drua_argument arguments[] = {TEXT(path), {.kind = DRUA_ARG_NONE}, NUMBER(channel), NUMBER(frame)};
    const drua_status status =
        drua_invoke_inside(context, "read_part", arguments, sizeof arguments / sizeof *arguments);
    if (status == DRUA_OK)
        *image = arguments[1].image;
    return status;
}

drua_status drua_write_tiff(drua_context *context, drua_image image, const char *path, const char *compression)
{
    drua_argument arguments[] = {
        {.kind = DRUA_ARG_IMAGE, .image = image}, TEXT(path), TEXT(compression ? compression : "none")};
    return drua_invoke_inside(context, "write_compressed", arguments, sizeof arguments / sizeof *arguments);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The images that statements in the documents use. run.sh inserts the statements below the last comment. */
#include <drua/operations.h>

#include <stdio.h>
#include <stdlib.h>

static void need(drua_status status)
{
    if (status == DRUA_OK)
        return;
    fprintf(stderr, "%s\n", drua_error_message());
    exit(1);
}

int main(void)
{
    static unsigned char ramp[4 * 32 * 40];
    for (int i = 0; i < (int)sizeof ramp; i++)
        ramp[i] = (unsigned char)(i % 40);
    drua_context *context;
    drua_image image = 0, labels = 0;
    need(drua_open(NULL, &context));
    need(drua_push(context, (drua_shape){40, 32, 4, 3}, DRUA_UINT8, ramp, &image));
    need(drua_push(context, (drua_shape){40, 32, 4, 3}, DRUA_UINT8, ramp, &labels));
    {
        /* STATEMENTS */
    }
    need(drua_sync(context));
    drua_close(context);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* ends MILLISECONDS: uses the library, and ends after so long, while kernels are compiled ahead if DRUA_AHEAD says so. */
#include <drua/drua.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int count, char **arguments)
{
    const float pixels[] = {1, 2, 3, 4};
    float sum[4] = {0};
    drua_context *context;
    drua_image image;
    const long wait = count > 1 ? atol(arguments[1]) : 0;
    if (drua_open(NULL, &context) != DRUA_OK || drua_push(context, (drua_shape){2, 2, 1, 2}, DRUA_FLOAT32, pixels, &image) != DRUA_OK ||
        drua_pull(context, image, sum) != DRUA_OK || sum[3] != 4) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    nanosleep(&(struct timespec){wait / 1000, wait % 1000 * 1000000}, NULL);
    return 0;
}

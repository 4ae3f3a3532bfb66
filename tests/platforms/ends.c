/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ends MILLISECONDS [prepared]: uses the library and exits after that time, while kernels compile ahead if DRUA_AHEAD
 * says so.
 */
#include <drua/drua.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int count, char **arguments)
{
    const float pixels[] = {1, 2, 3, 4};
    float sum[4] = {0};
    drua_context *context;
    const long wait = count > 1 ? atol(arguments[1]) : 0;
    drua_argument blur[] = {{.kind = DRUA_ARG_IMAGE},
                            {.kind = DRUA_ARG_NONE},
                            {.kind = DRUA_ARG_NUMBER, .number = 1},
                            {.kind = DRUA_ARG_NUMBER, .number = 1},
                            {.kind = DRUA_ARG_NUMBER}};
    if (drua_open(NULL, &context) != DRUA_OK ||
        drua_push(context, (drua_shape){2, 2, 1, 2}, DRUA_FLOAT32, pixels, &blur[0].image) != DRUA_OK ||
        drua_invoke(context, "gaussian_blur", blur, 5, NULL) != DRUA_OK ||
        drua_pull(context, blur[1].image, sum) != DRUA_OK || sum[3] <= sum[0]) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    nanosleep(&(struct timespec){wait / 1000, wait % 1000 * 1000000}, NULL);
    if (count > 2)
        drua_prepare_exit();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The C API in one page: open a device, push, run two operations, pull. Prints the middle of the blurred spot. */
#include <drua/operations.h>

#include <stdio.h>

int main(void)
{
    enum { WIDTH = 33, HEIGHT = 33 };
    static float pixels[WIDTH * HEIGHT];
    pixels[WIDTH * HEIGHT / 2] = 100;

    drua_context *context;
    if (drua_open(NULL, &context) != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    const drua_shape shape = {WIDTH, HEIGHT, 1, 2};
    drua_image spot = 0, blurred = 0, brighter = 0; /* the operation creates an image for each 0 */
    drua_status status = drua_push(context, shape, DRUA_FLOAT32, pixels, &spot);
    if (status == DRUA_OK)
        status = drua_gaussian_blur(context, spot, &blurred, 1, 1, 0);
    if (status == DRUA_OK)
        status = drua_add_image_and_scalar(context, blurred, &brighter, 0.5);
    if (status == DRUA_OK)
        status = drua_pull(context, brighter, pixels);

    if (status == DRUA_OK)
        printf("%.3f\n", (double)pixels[WIDTH * HEIGHT / 2]);
    else
        fprintf(stderr, "%s\n", drua_error_message());
    drua_close(context);
    return status != DRUA_OK;
}

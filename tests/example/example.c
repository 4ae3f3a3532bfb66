/* SPDX-License-Identifier: BSD-3-Clause */
/* The C API in one page: open a device, push, run two operations, pull. Prints the middle of the blurred spot. */
#include <drua/drua.h>

#include <stdio.h>

int main(void)
{
    enum { WIDTH = 33, HEIGHT = 33 };
    static float pixels[WIDTH * HEIGHT];
    pixels[WIDTH * HEIGHT / 2] = 100;

    drua_context *context;
    drua_image spot;
    drua_shape shape = {WIDTH, HEIGHT, 1, 2};
    if (drua_open(NULL, &context) != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    drua_status status = drua_push(context, shape, DRUA_FLOAT32, pixels, &spot);

    /* parameters in the order that `drua describe` lists; a destination of kind NONE is created */
    drua_argument blur[] = {{.kind = DRUA_ARG_IMAGE, .image = spot}, {.kind = DRUA_ARG_NONE},
                            {.kind = DRUA_ARG_NUMBER, .number = 1},  {.kind = DRUA_ARG_NUMBER, .number = 1}};
    if (status == DRUA_OK)
        status = drua_invoke(context, "gaussian_blur", blur, 4, NULL);

    drua_argument add[] = {{.kind = DRUA_ARG_IMAGE, .image = blur[1].image}, {.kind = DRUA_ARG_NONE},
                           {.kind = DRUA_ARG_NUMBER, .number = 0.5}};
    if (status == DRUA_OK)
        status = drua_invoke(context, "add_image_and_scalar", add, 3, NULL);
    if (status == DRUA_OK)
        status = drua_pull(context, add[1].image, pixels);

    if (status == DRUA_OK)
        printf("%.3f\n", (double)pixels[WIDTH * HEIGHT / 2]);
    else
        fprintf(stderr, "%s\n", drua_error_message());
    drua_close(context);
    return status != DRUA_OK;
}

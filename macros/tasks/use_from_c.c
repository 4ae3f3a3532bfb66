// SPDX-License-Identifier: BSD-3-Clause
// # Use Drua from C
//
// How does a C program call Drua? It includes one header and links one library. The program counts nuclei, as
// [Count nuclei](count_nuclei.ijm) does in a macro, and writes their labels to a file.
// [Drua in C](../../docs/c_guide.md) says how to install the library. Compile the program with
// `cc use_from_c.c $(pkg-config --cflags --libs drua) -o use_from_c`.
//
// 1. `drua_open` opens the best device.
// 2. Each operation is a function with the parameters of its page. An output that is 0 becomes a new image.
// 3. Each function returns a status. After a failure, `drua_error_message` returns an error message.
// 4. `drua_close` frees everything.
//
// The program should print the same count as the macro. Its exit status is 0 only if every call succeeded. Run it
// with a missing image to see an error message.
//
// words: c program|call from c|use from c|c library|c api
// labels: labels.tif the labels of the nuclei
// expect: 65 nuclei
#include <drua/operations.h>

#include <stdio.h>

int main(void)
{
    drua_context *context = NULL;
    drua_image nuclei = 0, blurred = 0, mask = 0, objects = 0, labels = 0;
    double count = 0;
    drua_status status = drua_open(NULL, &context);
    if (status == DRUA_OK)
        status = drua_read(context, "macros/images/BBBC022_nuclei.tif", &nuclei);
    if (status == DRUA_OK)
        status = drua_gaussian_blur(context, nuclei, &blurred, 2, 2, 0);
    if (status == DRUA_OK)
        status = drua_automatic_threshold(context, blurred, &mask, "Otsu");
    if (status == DRUA_OK)
        status = drua_connected_components_box(context, mask, &objects);
    if (status == DRUA_OK)
        status = drua_exclude_labels_outside_size_range(context, objects, &labels, 50, 100000);
    if (status == DRUA_OK)
        status = drua_maximum_of_all_pixels(context, labels, &count);
    if (status == DRUA_OK)
        status = drua_write(context, labels, "labels.tif");
    if (status == DRUA_OK)
        printf("%.0f nuclei\n", count);
    else
        fprintf(stderr, "%s\n", drua_error_message());
    drua_close(context);
    return status != DRUA_OK;
}

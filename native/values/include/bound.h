/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of a call, bound to the parameters of its operation. */
#ifndef DRUA_BOUND_H
#define DRUA_BOUND_H

#include "value.h"

/** A name that the caller gave to an image, and the index of the parameter that holds the image. */
typedef struct drua_name {
    const char *text;
    int param;
} drua_name;

/** One argument bound to one parameter of an operation. */
struct drua_bound {
    bool is_set;
    const char
        /* name of the CLIJ command that passed it, so that values that do not fit are treated as in CLIJ2; or NULL */
        *clij2;
    double number;
    const char *text;           /* image inputs: the metadata of the image, or NULL; borrowed from the caller */
    bool labels; /* image inputs: the image is a label map; outputs: the file that was read holds a label map */
    const double *array;        /* borrowed */
    const drua_name *names;     /* kind images: the position of each image among the parameters; borrowed */
    size_t length;              /* of array or names */
    drua_value *value;          /* image inputs; outputs: the value to be overwritten or NULL; borrowed */
    drua_type type;             /* outputs: type of a new image if the command prescribes one */
    bool type_of_source;
    drua_shape natural; /* image outputs: shape of a new image; set by the call */
    drua_value *result;         /* outputs: the new value; the caller gets one reference */
    double number_result;
    char *text_result; /* image outputs: metadata for the image, NULL: keep its metadata; owned by the caller */
};

#endif

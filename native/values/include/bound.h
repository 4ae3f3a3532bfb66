/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of a call, bound to the parameters of its operation. */
#ifndef DRUA_BOUND_H
#define DRUA_BOUND_H

#include "value.h"

/** A name that the caller gave to an image: the number of the parameter that holds it. */
typedef struct drua_name {
    const char *text;
    int param;
} drua_name;

/** One argument bound to one parameter of an operation. */
struct drua_bound {
    bool is_set;
    double number;
    const char *text;           /* of image inputs the text that travels with them, or NULL; borrowed from the caller */
    const double *array;        /* borrowed */
    const drua_name *names;     /* of kind images: where each is among the parameters; borrowed */
    size_t length;              /* of array or names */
    drua_value *value;          /* image inputs; outputs: the value to be overwritten or NULL; borrowed */
    drua_type type;             /* outputs: type of a new image if the command says so */
    bool type_of_source;
    drua_value *result;         /* outputs: the new value; one reference goes to the caller */
    double number_result;
    char *text_result; /* of image outputs the text that goes with them, NULL: none, or the one they have; owned by the
                          caller */
};

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of the system that jansson's sources need to know. */
#ifndef JANSSON_PRIVATE_CONFIG_H
#define JANSSON_PRIVATE_CONFIG_H

#define HAVE_ATOMIC_BUILTINS 1
#define HAVE_STDINT_H 1
#define HAVE_SYS_TYPES_H 1
#define INITIAL_HASHTABLE_ORDER 3

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of the system that Expat's sources need to know. */
#ifndef EXPAT_CONFIG_H
#define EXPAT_CONFIG_H

#define BYTEORDER 1234
#define XML_CONTEXT_BYTES 1024
#define XML_DEV_URANDOM 1

#endif

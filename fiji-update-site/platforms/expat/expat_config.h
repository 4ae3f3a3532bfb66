/* SPDX-License-Identifier: BSD-3-Clause */
/* What Expat's own files ask about the system. */
#ifndef EXPAT_CONFIG_H
#define EXPAT_CONFIG_H

#define BYTEORDER 1234
#define XML_CONTEXT_BYTES 1024
#define XML_DEV_URANDOM 1

#endif

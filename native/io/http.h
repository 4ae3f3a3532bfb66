/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads files from servers by HTTP and HTTPS, with libcurl. Only in builds with DRUA_HTTP. Any thread. */
#ifndef DRUA_IO_HTTP_H
#define DRUA_IO_HTTP_H

#include "file.h"

#include <stdbool.h>

enum { DRUA_HTTP_ADDRESS = 4096 };

/** How long a server may take. */
typedef struct drua_http_limits {
    int tries; /**< requests for the same bytes, at least 1 */
    int pause; /**< milliseconds before the second request; each further pause is twice as long */
    int connecting; /**< milliseconds until the connection must exist */
    int stalled; /**< seconds after which a transfer below 1 KB/s ends */
} drua_http_limits;

extern const drua_http_limits drua_http_usual;

/**
 * Makes the address that libcurl gets. `s3://BUCKET/KEY` becomes an address at AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL,
 * or else at Amazon in the region AWS_REGION or AWS_DEFAULT_REGION (default us-east-1). DRUA_E_ARGUMENT: the address
 * has a user, a query, a fragment, a blank, or no host. The error message repeats no part of the address, as it may
 * have a password.
 */
drua_status drua_http_address(const char *path, char address[DRUA_HTTP_ADDRESS]);

/**
 * Reads a part of a file as drua_store_read does. Asks for a range; a server that ignores the range is accepted for
 * parts that begin at 0. Repeats requests that fail with a status such as 503, time out, or end too early.
 */
drua_status drua_http_read(const char *address, const drua_http_limits *limits, int64_t offset, size_t max,
                           drua_bytes *bytes, drua_file_info *info, bool *absent);

#endif

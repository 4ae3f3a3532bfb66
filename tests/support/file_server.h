/* SPDX-License-Identifier: BSD-3-Clause */
/* Serves a folder by HTTP on 127.0.0.1, and fails on request. One request at a time. */
#ifndef DRUA_TESTS_FILE_SERVER_H
#define DRUA_TESTS_FILE_SERVER_H

typedef struct file_server file_server;

/** How the server fails. */
typedef enum server_fault {
    SERVER_STATUS, /**< answers with the status `number` */
    SERVER_CUT, /**< ends the connection after half of the body */
    SERVER_STALL, /**< sends the headers, then nothing for `number` ms */
    SERVER_DRIP, /**< sends a byte every 50 ms */
    SERVER_IGNORES_RANGE, /**< sends the whole file */
    SERVER_SHIFTS_RANGE, /**< sends bytes that begin one later than asked, and says so */
    SERVER_LIES, /**< sends one byte less, with a correct Content-Length for these bytes */
    SERVER_WHOLE_WITHOUT_LENGTH, /**< sends the whole file by HTTP/1.0 without a length */
    SERVER_ENCODES, /**< claims that the body is compressed */
    SERVER_REDIRECT, /**< redirects `number` times in a row to the same file below /moved, which exists */
    SERVER_OTHER /**< sends the same bytes with another ETag */
} server_fault;

/** Starts a server for a folder; *port receives its port. */
file_server *file_server_start(const char *folder, int *port);
void file_server_stop(file_server *server);

/**
 * Sets a fault, which replaces an earlier one. From now on, `after` requests for paths that contain `part` succeed. The
 * next `times` of these requests (-1: all) fail.
 */
void file_server_fail(file_server *server, server_fault fault, int number, const char *part, int after, int times);
void file_server_works(file_server *server);

/** Number of requests so far. */
int file_server_requests(const file_server *server);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Serves a folder by HTTP: file_server FOLDER. Prints the port, then reads lines until its input ends. After the line
 * "fail STATUS PART AFTER", requests for paths that contain PART fail with that status once AFTER of them have
 * succeeded. The line "works" ends the failures. Answers each line with the number of requests so far.
 */
#include "file_server.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    char line[300], part[200];
    int port, status, after;
    if (argc != 2)
        return 2;
    file_server *server = file_server_start(argv[1], &port);
    printf("%d\n", port);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "fail %d %199s %d", &status, part, &after) == 3)
            file_server_fail(server, SERVER_STATUS, status, part, after, -1);
        else
            file_server_works(server);
        printf("%d\n", file_server_requests(server));
        fflush(stdout);
    }
    file_server_stop(server);
    return 0;
}

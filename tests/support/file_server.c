/* SPDX-License-Identifier: BSD-3-Clause */
#include "file_server.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 16, MOST_PATH = 2048 };

struct file_server {
    char folder[512], part[128];
    int listener, number, after, times;
    server_fault fault;
    pthread_mutex_t lock;
    pthread_t thread;
    atomic_bool stop;
    atomic_int requests;
};

/* A request, and the file that answers it. */
typedef struct request {
    int connection;
    char path[MOST_PATH];
    bool has_range;
    long first, last; /* the requested range; first -1: the last `last` bytes */
    bool fails;
    server_fault fault;
    int number;
} request;

/* Returns false if the client has closed the connection. */
static bool send_all(int connection, const char *bytes, size_t length)
{
    while (length) {
        const ssize_t sent = send(connection, bytes, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        bytes += sent;
        length -= (size_t)sent;
    }
    return true;
}

static void say(int connection, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    send_all(connection, text, (size_t)length);
}

static void wait_for(const file_server *s, int milliseconds)
{
    for (int passed = 0; passed < milliseconds && !s->stop; passed += 20)
        nanosleep(&(struct timespec){0, 20000000}, NULL);
}

/* Reads the headers of a request. */
static bool read_request(const file_server *s, int connection, request *r)
{
    char text[MOST];
    size_t length = 0;
    *r = (request){.connection = connection};
    do {
        struct pollfd ready = {connection, POLLIN, 0};
        if (length + 1 >= sizeof text || s->stop || poll(&ready, 1, 2000) <= 0)
            return false;
        const ssize_t got = recv(connection, text + length, sizeof text - 1 - length, 0);
        if (got <= 0)
            return false;
        length += (size_t)got;
        text[length] = 0;
    } while (!strstr(text, "\r\n\r\n"));
    if (sscanf(text, "GET %2047s", r->path) != 1)
        return false;
    const char *range = strstr(text, "\nRange: bytes=");
    range = range ? range + strlen("\nRange: bytes=") : "";
    r->has_range = sscanf(range, "%ld-%ld", &r->first, &r->last) == 2;
    if (!r->has_range && *range == '-') {
        r->has_range = true;
        r->first = -1;
        r->last = atol(range + 1);
    }
    return true;
}

/* Chooses the bytes to send: *from and *count. Returns the status. */
static int choose_bytes(const request *r, long size, long *from, long *count)
{
    *from = 0;
    *count = size;
    if (!r->has_range || (r->fails && (r->fault == SERVER_IGNORES_RANGE || r->fault == SERVER_WHOLE_WITHOUT_LENGTH)))
        return 200;
    if (r->first < 0) {
        *from = size > r->last ? size - r->last : 0;
        *count = size - *from;
    } else {
        *from = r->first;
        *count = (r->last < size ? r->last + 1 : size) - r->first;
    }
    if (r->fails && r->fault == SERVER_SHIFTS_RANGE && *count > 1) {
        ++*from;
        --*count;
    }
    return *count > 0 ? 206 : 416;
}

static void send_headers(const request *r, const struct stat *about, int status, long from, long count)
{
    const bool fails = r->fails;
    const int connection = r->connection;
    say(connection, "HTTP/%s %d x\r\nConnection: close\r\nETag: \"%ld-%ld%s\"\r\n",
        fails && r->fault == SERVER_WHOLE_WITHOUT_LENGTH ? "1.0" : "1.1", status, (long)about->st_size,
        (long)about->st_mtime, fails && r->fault == SERVER_OTHER ? "-other" : "");
    if (status == 206)
        say(connection, "Content-Range: bytes %ld-%ld/%ld\r\n", from, from + count - 1, (long)about->st_size);
    if (status == 416)
        say(connection, "Content-Range: bytes */%ld\r\n", (long)about->st_size);
    if (fails && r->fault == SERVER_ENCODES)
        say(connection, "Content-Encoding: gzip\r\n");
    if (!fails || r->fault != SERVER_WHOLE_WITHOUT_LENGTH)
        say(connection, "Content-Length: %ld\r\n",
            status == 416                      ? 0
            : fails && r->fault == SERVER_LIES ? count - 1
                                               : count);
    say(connection, "\r\n");
}

static void send_file(const file_server *s, const request *r, FILE *file, const struct stat *about)
{
    long from, count;
    const int status = choose_bytes(r, (long)about->st_size, &from, &count);
    send_headers(r, about, status, from, count);
    if (status == 416 || count <= 0)
        return;
    char *bytes = malloc((size_t)count);
    fseek(file, from, SEEK_SET);
    count = (long)fread(bytes, 1, (size_t)count, file);
    if (r->fails && r->fault == SERVER_CUT)
        count /= 2;
    if (r->fails && r->fault == SERVER_LIES)
        count--;
    if (r->fails && r->fault == SERVER_STALL)
        wait_for(s, r->number);
    if (r->fails && r->fault == SERVER_DRIP)
        for (long i = 0; i < count && !s->stop && send_all(r->connection, bytes + i, 1); i++)
            wait_for(s, 50);
    else
        send_all(r->connection, bytes, (size_t)count);
    free(bytes);
}

static void answer_request(const file_server *s, request *r)
{
    char path[MOST_PATH + 600], *name = r->path;
    struct stat about;
    if (r->fails && r->fault == SERVER_STATUS) {
        say(r->connection, "HTTP/1.1 %d x\r\nConnection: close\r\nContent-Length: 4\r\n\r\nfail", r->number);
        return;
    }
    if (r->fails && r->fault == SERVER_REDIRECT) {
        int so_far = 0;
        if (sscanf(name, "/moved%d/", &so_far) == 1)
            name = strchr(name + 1, '/');
        say(r->connection,
            so_far < r->number
                ? "HTTP/1.1 302 x\r\nConnection: close\r\nLocation: /moved%d%s\r\nContent-Length: 0\r\n\r\n"
                : "",
            so_far + 1, name);
        if (so_far < r->number)
            return;
    }
    snprintf(path, sizeof path, "%s%s", s->folder, name);
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    if (!file) {
        say(r->connection, "HTTP/1.1 404 x\r\nConnection: close\r\nContent-Length: 4\r\n\r\nnone");
        return;
    }
    send_file(s, r, file, &about);
    fclose(file);
}

static void *serve(void *data)
{
    file_server *s = data;
    while (!s->stop) {
        struct pollfd ready = {s->listener, POLLIN, 0};
        request r;
        if (poll(&ready, 1, 50) <= 0)
            continue;
        const int connection = accept(s->listener, NULL, NULL);
        if (connection < 0)
            continue;
        if (read_request(s, connection, &r)) {
            s->requests++;
            pthread_mutex_lock(&s->lock);
            const bool chosen = s->times && strstr(r.path, s->part);
            r.fails = chosen && s->after == 0;
            s->after -= chosen && s->after > 0;
            r.fault = s->fault;
            r.number = s->number;
            if (r.fails && s->times > 0)
                s->times--;
            pthread_mutex_unlock(&s->lock);
            answer_request(s, &r);
        }
        shutdown(connection, SHUT_WR);
        close(connection);
    }
    return NULL;
}

file_server *file_server_start(const char *folder, int *port)
{
    file_server *s = calloc(1, sizeof *s);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    snprintf(s->folder, sizeof s->folder, "%s", folder);
    pthread_mutex_init(&s->lock, NULL);
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->listener < 0 || bind(s->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(s->listener, 64) != 0 || getsockname(s->listener, (struct sockaddr *)&address, &length) != 0) {
        perror("file_server");
        abort();
    }
    *port = ntohs(address.sin_port);
    pthread_create(&s->thread, NULL, serve, s);
    return s;
}

void file_server_stop(file_server *s)
{
    s->stop = true;
    pthread_join(s->thread, NULL);
    close(s->listener);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void file_server_fail(file_server *s, server_fault fault, int number, const char *part, int after, int times)
{
    pthread_mutex_lock(&s->lock);
    s->fault = fault;
    s->number = number;
    s->after = after;
    s->times = times;
    snprintf(s->part, sizeof s->part, "%s", part);
    pthread_mutex_unlock(&s->lock);
}

void file_server_works(file_server *s)
{
    file_server_fail(s, SERVER_STATUS, 0, "", 0, 0);
}

int file_server_requests(const file_server *s)
{
    return s->requests;
}

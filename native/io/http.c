/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests follow RFC 9110: ranges (14), status codes (15), ETag (8.8.3). */
#include "http.h"

#include "curl_library.h"
#include "text.h"

#include <drua/version.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { MAX_HANDLES = 64, MAX_REDIRECTS = 5, SLOW = 1024, MAX_ERROR_PAGE = 1 << 20 };

const drua_http_limits drua_http_usual = {.tries = 4, .pause = 500, .connecting = 20000, .stalled = 30};

/* The answer of a server. */
typedef struct response {
    drua_bytes *bytes;
    size_t max;
    int code; /* status of the last header */
    bool has_range, states_end, encoded, memory_failed;
    bool beyond; /* the body is longer than `max` */
    uint64_t first, last, total; /* Content-Range; total is UINT64_MAX if it is not stated */
    uint64_t length; /* Content-Length, or UINT64_MAX */
    uint64_t etag, time; /* hashes of these headers; 0: none */
    uint64_t skipped; /* bytes of pages about errors */
    drua_status status; /* of a failure */
} response;

/* The result of a request. REPEAT: another request may succeed. */
typedef enum outcome { DONE, ABSENT, REPEAT, GIVE_UP } outcome;

/* ---- handles: each keeps its connection for the next request */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CURL *idle[MAX_HANDLES];
static int idle_count;

static CURL *take_handle(const drua_curl *lib)
{
    pthread_mutex_lock(&lock);
    CURL *handle = idle_count > 0 ? idle[--idle_count] : NULL;
    pthread_mutex_unlock(&lock);
    if (handle)
        lib->curl_easy_reset(handle);
    return handle ? handle : lib->curl_easy_init();
}

static void return_handle(const drua_curl *lib, CURL *handle)
{
    pthread_mutex_lock(&lock);
    const bool kept = idle_count < MAX_HANDLES;
    if (kept)
        idle[idle_count++] = handle;
    pthread_mutex_unlock(&lock);
    if (!kept)
        lib->curl_easy_cleanup(handle);
}

/* ---- what libcurl hands over */

static uint64_t hash_header(const char *value)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (; *value; value++)
        hash = (hash ^ (unsigned char)*value) * 0x100000001b3u;
    return hash | 1;
}

static void take_range(const char *value, response *r)
{
    unsigned long long first, last, total;
    if (sscanf(value, "bytes %llu-%llu/%llu", &first, &last, &total) == 3 && first <= last && last < total) {
        r->has_range = true;
        r->first = first;
        r->last = last;
        r->total = total;
    } else if (sscanf(value, "bytes */%llu", &total) == 1)
        r->total = total;
}

static void take_header(const char *name, const char *value, response *r)
{
    char *end;
    if (!strcasecmp(name, "content-range"))
        take_range(value, r);
    else if (!strcasecmp(name, "content-length")) {
        const unsigned long long length = strtoull(value, &end, 10);
        r->length = end != value && !*end ? length : UINT64_MAX;
        r->states_end = true;
    } else if (!strcasecmp(name, "transfer-encoding"))
        r->states_end = true; /* chunked: the last chunk is empty */
    else if (!strcasecmp(name, "content-encoding"))
        r->encoded = strcasecmp(value, "identity") != 0;
    else if (!strcasecmp(name, "etag"))
        r->etag = hash_header(value);
    else if (!strcasecmp(name, "last-modified"))
        r->time = hash_header(value);
}

static void begin_response(response *r, drua_bytes *bytes, size_t max)
{
    *r = (response){.bytes = bytes, .max = max, .total = UINT64_MAX, .length = UINT64_MAX};
}

/* Each redirection sends headers too, so a status line discards the earlier headers. */
static size_t take_line(char *line, size_t size, size_t count, void *data)
{
    response *r = data;
    char text[1024];
    if (size * count >= sizeof text)
        return size * count;
    memcpy(text, line, size * count);
    text[size * count] = 0;
    text[strcspn(text, "\r\n")] = 0;
    if (!strncmp(text, "HTTP/", 5)) {
        begin_response(r, r->bytes, r->max);
        if (sscanf(text, "HTTP/%*[0-9.] %d", &r->code) == 1)
            r->states_end = text[5] >= '2'; /* from HTTP/2 on, the connection marks the end of a body */
        return size * count;
    }
    char *colon = strchr(text, ':');
    if (colon) {
        *colon = 0;
        take_header(text, colon + 1 + strspn(colon + 1, " \t"), r);
    }
    return size * count;
}

/* Returns less than was given to end the transfer, which libcurl requires. */
static size_t take_body(char *body, size_t size, size_t count, void *data)
{
    response *r = data;
    const size_t given = size * count;
    if (r->code != 200 && r->code != 206) {
        r->skipped += given;
        return r->skipped <= MAX_ERROR_PAGE ? given : 0;
    }
    const size_t room = r->max - r->bytes->length, taken = given < room ? given : room;
    size_t capacity = r->bytes->length + taken;
    if (capacity > r->bytes->capacity && capacity < 2 * r->bytes->capacity)
        capacity = 2 * r->bytes->capacity < r->max ? 2 * r->bytes->capacity : r->max;
    r->memory_failed = !drua_bytes_reserve(r->bytes, capacity);
    if (r->memory_failed)
        return 0;
    if (taken)
        memcpy(r->bytes->data + r->bytes->length, body, taken);
    r->bytes->length += taken;
    r->beyond = taken < given;
    return taken;
}

/* ---- one request */

static CURLcode restrict_protocols(const drua_curl *lib, CURL *handle, const char *address)
{
    const bool secure = !strncmp(address, "https://", 8); /* redirections must then use https too */
#if LIBCURL_VERSION_NUM >= 0x075500
    const CURLcode status = lib->curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    return status ? status
                  : lib->curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
#else
    const CURLcode status = lib->curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    return status ? status
                  : lib->curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS,
                                          (long)(CURLPROTO_HTTPS | (secure ? 0 : CURLPROTO_HTTP)));
#endif
}

static CURLcode send_request(const drua_curl *lib, CURL *handle, const char *address, const char *range,
                             const drua_http_limits *limits, response *r)
{
    const CURLcode status = restrict_protocols(lib, handle, address);
    if (status)
        return status;
    lib->curl_easy_setopt(handle, CURLOPT_URL, address);
    lib->curl_easy_setopt(handle, CURLOPT_RANGE, range);
    lib->curl_easy_setopt(handle, CURLOPT_USERAGENT, "drua/" DRUA_VERSION);
    lib->curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    lib->curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    lib->curl_easy_setopt(handle, CURLOPT_MAXREDIRS, (long)MAX_REDIRECTS);
    lib->curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, (long)limits->connecting);
    lib->curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, (long)SLOW);
    lib->curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, (long)limits->stalled);
    lib->curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_line);
    lib->curl_easy_setopt(handle, CURLOPT_HEADERDATA, r);
    lib->curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
    lib->curl_easy_setopt(handle, CURLOPT_WRITEDATA, r);
    return lib->curl_easy_perform(handle);
}

/* ---- its result */

static outcome fail_as(outcome what, drua_status status, const char *sentence, response *r)
{
    r->status = drua_fail(status, "%s", sentence);
    return what;
}

static outcome judge_connection(const drua_curl *lib, CURLcode result, response *r)
{
    char what[200];
    if (r->memory_failed) {
        r->status = drua_fail_memory(r->bytes->length);
        return GIVE_UP;
    }
    if (result == CURLE_TOO_MANY_REDIRECTS || result == CURLE_UNSUPPORTED_PROTOCOL || result == CURLE_URL_MALFORMAT) {
        snprintf(what, sizeof what, "the server redirects more than %d times, or to an address that Drua does not read",
                 MAX_REDIRECTS);
        return fail_as(GIVE_UP, DRUA_E_ARGUMENT, what, r);
    }
    snprintf(what, sizeof what, "the connection to the server failed (%s)", lib->curl_easy_strerror(result));
    return fail_as(REPEAT, DRUA_E_AWAY, what, r);
}

static outcome judge_status(response *r)
{
    char what[200];
    const bool passing = r->code == 408 || r->code == 425 || r->code == 429 || r->code >= 500;
    if (r->code == 404 || r->code == 410)
        return ABSENT;
    snprintf(what, sizeof what, "the server answered with status %d%s", r->code,
             r->code == 401 || r->code == 403 ? ", because the file is not public or does not exist" : "");
    return fail_as(passing ? REPEAT : GIVE_UP, DRUA_E_AWAY, what, r);
}

/* Compares the body with the requested range and with the range that the server states. */
static outcome judge_part(response *r, int64_t offset)
{
    uint64_t first = (uint64_t)offset;
    if (offset < 0)
        first = r->total > (uint64_t)-offset ? r->total - (uint64_t)-offset : 0;
    const uint64_t got = r->bytes->length, left = first < r->total ? r->total - first : 0;
    if (!r->has_range || r->first != first || r->last - r->first + 1 != got || r->beyond ||
        got != (left < r->max ? left : r->max))
        return fail_as(REPEAT, DRUA_E_AWAY, "the server sent other bytes than Drua requested", r);
    return DONE;
}

static outcome judge_whole(response *r, int64_t offset)
{
    if (offset != 0)
        return fail_as(GIVE_UP, DRUA_E_ARGUMENT,
                       "the server sends only whole files (it ignores range requests), but parts of this file are "
                       "needed; download the image",
                       r);
    if (!r->states_end)
        return fail_as(REPEAT, DRUA_E_AWAY, "the server does not state the length of the file", r);
    r->total = r->length == UINT64_MAX && !r->beyond ? r->bytes->length : r->length;
    if (r->total == UINT64_MAX || r->bytes->length != (r->total < r->max ? r->total : r->max))
        return fail_as(REPEAT, DRUA_E_AWAY, "the server sent more or fewer bytes than it states", r);
    return DONE;
}

static outcome judge_response(const drua_curl *lib, CURLcode result, int64_t offset, response *r)
{
    if (result == CURLE_WRITE_ERROR && r->beyond && r->code == 200)
        result = CURLE_OK;
    if (result != CURLE_OK)
        return judge_connection(lib, result, r);
    if (r->code == 416 && r->total != UINT64_MAX && offset >= 0 && (uint64_t)offset >= r->total) {
        r->bytes->length = 0;
        return DONE;
    }
    if (r->code != 200 && r->code != 206)
        return judge_status(r);
    if (r->encoded)
        return fail_as(GIVE_UP, DRUA_E_ARGUMENT,
                       "the server compresses the file although Drua did not request this; download the image", r);
    return r->code == 206 ? judge_part(r, offset) : judge_whole(r, offset);
}

/* ---- several requests */

static void pause_for(int milliseconds)
{
    const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

/* Adds to this thread's error message how often the request was sent, and what to do. */
static drua_status fail_after(int tries)
{
    char what[400];
    drua_copy_start(what, drua_error_text(), sizeof what);
    return drua_fail(DRUA_E_AWAY, "%s, in %d %s; run the same command again later", what, tries,
                     tries > 1 ? "attempts" : "attempt");
}

drua_status drua_http_read(const char *address, const drua_http_limits *limits, int64_t offset, size_t max,
                           drua_bytes *bytes, drua_file_info *info, bool *absent)
{
    const drua_curl *lib = drua_curl_load();
    const size_t asked = max ? max : 1; /* no range is empty */
    response r = {.bytes = bytes};
    char range[64];
    outcome what = REPEAT;
    int tries = 0;
    CURL *handle = lib ? take_handle(lib) : NULL;
    if (!handle)
        return lib ? drua_fail_memory(1) : DRUA_E_UNSUPPORTED;
    if (offset < 0)
        snprintf(range, sizeof range, "%lld", (long long)offset);
    else
        snprintf(range, sizeof range, "%lld-%lld", (long long)offset, (long long)(offset + (int64_t)asked - 1));
    for (int pause = limits->pause; what == REPEAT && tries < limits->tries; pause *= 2) {
        if (tries++)
            pause_for(pause / 2);
        bytes->length = 0;
        begin_response(&r, bytes, asked);
        what = judge_response(lib, send_request(lib, handle, address, range, limits, &r), offset, &r);
    }
    return_handle(lib, handle);
    *absent = what == ABSENT;
    *info = (drua_file_info){.bytes = r.total, .is_file = true, .changed_exactly = (int64_t)(r.etag ? r.etag : r.time)};
    if (bytes->length > max)
        bytes->length = max;
    return what == DONE || what == ABSENT ? DRUA_OK : r.status == DRUA_E_AWAY ? fail_after(tries) : r.status;
}

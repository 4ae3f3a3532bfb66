/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses of servers; s3:// as Amazon's tools read it: docs.aws.amazon.com, "Virtual hosting of buckets". */
#include "http.h"

#include "error.h"
#include "text.h"
#include "variables.h"

#include <ctype.h>
#include <string.h>

enum { SETTING = 1024 };

/* Copies the first of two environment variables that is set; `otherwise` if none is. */
static void copy_variable(const char *first, const char *second, const char *otherwise, char text[SETTING])
{
    if (!drua_environment(first, text, SETTING) && !drua_environment(second, text, SETTING))
        drua_copy_start(text, otherwise, SETTING);
}

/* Names of buckets and regions go into the name of a host, so they must not change its meaning. */
static bool is_plain(const char *name, size_t length)
{
    bool plain = length > 0 && isalnum((unsigned char)name[0]);
    for (size_t i = 0; i < length && plain; i++)
        plain = isalnum((unsigned char)name[i]) || name[i] == '-' || name[i] == '.' || name[i] == '_';
    return plain;
}

/* Appends a key with all bytes escaped that an address gives a meaning. */
static void add_key(const char *key, drua_text *text)
{
    for (; *key; key++)
        if (isalnum((unsigned char)*key) || strchr("/-._~", *key))
            drua_text_append(text, key, 1);
        else
            drua_text_add(text, "%%%02X", (unsigned)(unsigned char)*key);
}

/*
 * Puts the name of a bucket with dots into the path, because Amazon's certificates do not cover it as a part of the
 * host.
 */
static drua_status add_s3(const char *bucket, drua_text *text)
{
    const size_t length = strcspn(bucket, "/");
    char endpoint[SETTING], region[SETTING];
    copy_variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "", endpoint);
    copy_variable("AWS_REGION", "AWS_DEFAULT_REGION", "us-east-1", region);
    if (!is_plain(bucket, length) || !is_plain(region, strlen(region)))
        return drua_fail(DRUA_E_ARGUMENT,
                         "the address must be s3://BUCKET/KEY with the letters, digits, '-' and '.' "
                         "that a bucket's name has, and AWS_REGION must be a region such as eu-west-1");
    const size_t end = strlen(endpoint) - (*endpoint && endpoint[strlen(endpoint) - 1] == '/');
    if (*endpoint)
        drua_text_add(text, "%.*s/%.*s", (int)end, endpoint, (int)length, bucket);
    else if (memchr(bucket, '.', length))
        drua_text_add(text, "https://s3.%s.amazonaws.com/%.*s", region, (int)length, bucket);
    else
        drua_text_add(text, "https://%.*s.s3.%s.amazonaws.com", (int)length, bucket, region);
    add_key(bucket + length, text);
    return DRUA_OK;
}

static drua_status check_address(const char *address)
{
    const char *host = strstr(address, "://");
    host = host ? host + 3 : "";
    const size_t length = strcspn(host, "/");
    bool plain = length > 0 && (!strncmp(address, "http://", 7) || !strncmp(address, "https://", 8));
    for (const char *c = address; *c && plain; c++)
        plain = (unsigned char)*c > ' ' && *c != 127 && *c != '\\';
    if (!plain)
        return drua_fail(DRUA_E_ARGUMENT, "the address must begin with http://, https:// or s3:// and a host, without "
                                          "blanks; write %%20 for a blank");
    if (memchr(host, '@', length) || strpbrk(address, "?#"))
        return drua_fail(DRUA_E_ARGUMENT, "the address must have no user, password, '?' or '#', because Drua reads "
                                          "only public files");
    return DRUA_OK;
}

drua_status drua_http_address(const char *path, char address[DRUA_HTTP_ADDRESS])
{
    drua_text text = {0};
    drua_status status = DRUA_OK;
    if (!strncmp(path, "s3://", 5))
        status = add_s3(path + 5, &text);
    else
        drua_text_add(&text, "%s", path);
    if (status == DRUA_OK && text.failed)
        status = drua_fail_memory(strlen(path));
    if (status == DRUA_OK)
        status = check_address(drua_text_characters(&text));
    if (status == DRUA_OK && text.length >= DRUA_HTTP_ADDRESS)
        status = drua_fail(DRUA_E_ARGUMENT, "the address has more than %d bytes", DRUA_HTTP_ADDRESS - 1);
    drua_copy_start(address, drua_text_characters(&text), DRUA_HTTP_ADDRESS);
    drua_text_free(&text);
    return status;
}

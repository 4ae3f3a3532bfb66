/* SPDX-License-Identifier: BSD-3-Clause */
#include "marshal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct jni_known jni;

static void throw_named(JNIEnv *env, const char *name, const char *message)
{
    jclass class = (*env)->FindClass(env, name);
    if (class)
        (*env)->ThrowNew(env, class, message);
}

void jni_throw_memory(JNIEnv *env)
{
    throw_named(env, "java/lang/OutOfMemoryError",
                "Drua found no memory outside Java's heap to pass data to the device");
}

void jni_throw_argument(JNIEnv *env, const char *message)
{
    throw_named(env, "java/lang/IllegalArgumentException", message);
}

bool jni_pending(JNIEnv *env)
{
    return (*env)->ExceptionCheck(env) == JNI_TRUE;
}

/* Decodes one character; an invalid byte becomes U+FFFD. */
static uint32_t next_character(const unsigned char **text)
{
    const unsigned char *p = *text;
    uint32_t c = *p++;
    int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC2;
    if (c >= 0xF5 || (c >= 0x80 && c < 0xC2))
        more = -1;
    if (more > 0)
        c &= 0x3Fu >> more;
    for (int i = 0; i < more; i++) {
        if ((p[i] & 0xC0) != 0x80) {
            more = -1;
            break;
        }
        c = c << 6 | (p[i] & 0x3Fu);
    }
    *text = p + (more > 0 ? more : 0);
    return more < 0 ? 0xFFFD : c;
}

jstring jni_string(JNIEnv *env, const char *utf8)
{
    size_t length = strlen(utf8);
    if (length > INT32_MAX) {
        jni_throw_memory(env);
        return NULL;
    }
    jchar *units = malloc((length + 1) * sizeof *units);
    if (!units) {
        jni_throw_memory(env);
        return NULL;
    }
    jsize count = 0;
    for (const unsigned char *p = (const unsigned char *)utf8; *p;) {
        uint32_t c = next_character(&p);
        if (c >= 0x10000) {
            units[count++] = (jchar)(0xD800 + ((c - 0x10000) >> 10));
            c = 0xDC00 + ((c - 0x10000) & 0x3FF);
        }
        units[count++] = (jchar)c;
    }
    jstring string = (*env)->NewString(env, units, count);
    free(units);
    return string;
}

char *jni_utf8(JNIEnv *env, jstring string)
{
    if (!string)
        return NULL;
    const jsize length = (*env)->GetStringLength(env, string);
    const size_t max = (size_t)length * 3 + 2 - (size_t)length % 2;
    char *utf8 = malloc(max + (size_t)length * sizeof(jchar));
    if (!utf8) {
        jni_throw_memory(env);
        return NULL;
    }
    jchar *units = (jchar *)(void *)(utf8 + max); /* the units follow the text in the same block of memory */
    (*env)->GetStringRegion(env, string, 0, length, units);
    unsigned char *out = (unsigned char *)utf8;
    for (jsize i = 0; i < length; i++) {
        uint32_t c = units[i];
        bool high = c >= 0xD800 && c < 0xDC00, low = c >= 0xDC00 && c < 0xE000;
        if (high && i + 1 < length && units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000)
            c = 0x10000 + ((c - 0xD800) << 10) + (units[++i] - 0xDC00u);
        else if (high || low)
            c = 0xFFFD;
        if (c < 0x80) {
            *out++ = (unsigned char)c;
            continue;
        }
        int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        *out++ = (unsigned char)((0xF0u << (3 - more) & 0xFFu) | c >> 6 * more);
        while (more-- > 0)
            *out++ = (unsigned char)(0x80 | (c >> 6 * more & 0x3F));
    }
    *out = 0;
    return utf8;
}

static void throw_failure(JNIEnv *env)
{
    jstring message = jni_string(env, drua_error_message());
    if (!message)
        return;
    jmethodID constructor = (*env)->GetMethodID(env, jni.exception, "<init>", "(Ljava/lang/String;)V");
    jthrowable failure = constructor ? (*env)->NewObject(env, jni.exception, constructor, message) : NULL;
    if (failure)
        (*env)->Throw(env, failure);
}

bool jni_failed(JNIEnv *env, drua_status status)
{
    if (status != DRUA_OK)
        throw_failure(env);
    return status != DRUA_OK;
}

bool jni_put(JNIEnv *env, jobjectArray array, jsize i, jobject value)
{
    if (!value)
        return false;
    (*env)->SetObjectArrayElement(env, array, i, value);
    (*env)->DeleteLocalRef(env, value);
    return !jni_pending(env);
}

drua_context *jni_context(jlong handle)
{
    return (drua_context *)(intptr_t)handle;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversion between Java and drua.h: arguments to C and back, and failures to exceptions.
 * Each file registers the native methods of drua.engine.Native that it defines.
 */
#ifndef DRUA_JNI_MARSHAL_H
#define DRUA_JNI_MARSHAL_H

#include <drua/drua.h>

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

#define COUNT(array) ((jint)(sizeof(array) / sizeof((array)[0])))

/** A row of the table of native methods: Java's name and signature, and the function. */
#define METHOD(name, signature, function)                                                                              \
    {                                                                                                                  \
        (char *)(uintptr_t)(name), (char *)(uintptr_t)(signature), (void *)(uintptr_t)(function)                       \
    }
#define TEXT "Ljava/lang/String;"

/** Set when the library is loaded; classes are global references. */
extern struct jni_known {
    JavaVM *vm;
    jclass exception, string, strings, objects, bytes, shorts, ints, floats, doubles;
    jmethodID plane;            /**< Object drua.engine.Planes.plane(int) */
    jmethodID
        progressed; /**< boolean drua.engine.ProcessWatch.progressed(String, long, long, double, String, String) */
} jni;

bool jni_register_devices(JNIEnv *env, jclass class);
bool jni_register_calls(JNIEnv *env, jclass class);
bool jni_register_pixels(JNIEnv *env, jclass class);
bool jni_register_images(JNIEnv *env, jclass class);

void jni_throw_memory(JNIEnv *env);
void jni_throw_argument(JNIEnv *env, const char *message);
bool jni_pending(JNIEnv *env);

/** If the status is not DRUA_OK, throws an EngineException with the error message and returns true. */
bool jni_failed(JNIEnv *env, drua_status status);

/** Creates a Java string; NULL with an exception pending. Bytes that are not valid UTF-8 become U+FFFD. */
jstring jni_string(JNIEnv *env, const char *utf8);

/** The string as UTF-8, to be freed with free(); NULL for a null string or with an exception pending. */
char *jni_utf8(JNIEnv *env, jstring string);

/** Sets an element and drops the local reference. False with an exception pending. */
bool jni_put(JNIEnv *env, jobjectArray array, jsize i, jobject value);

drua_context *jni_context(jlong handle);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties, names and metadata of images, and their release. */
#include "marshal.h"

#include <stdlib.h>

static jlongArray info(JNIEnv *env, jclass class, jlong context, jlong image)
{
    (void)class;
    drua_image_info i;
    if (jni_failed(env, drua_get_info(jni_context(context), (drua_image)image, &i)))
        return NULL;
    const jlong values[] = {i.shape.width, i.shape.height, i.shape.depth, i.shape.dimension,
                            (jlong)i.type, (jlong)i.bytes, i.labels};
    jlongArray array = (*env)->NewLongArray(env, COUNT(values));
    if (array)
        (*env)->SetLongArrayRegion(env, array, 0, COUNT(values), values);
    return array;
}

static void bind(JNIEnv *env, jclass class, jlong context, jstring name, jlong image)
{
    (void)class;
    char *text = jni_utf8(env, name);
    if (text)
        jni_failed(env, drua_bind(jni_context(context), text, (drua_image)image));
    free(text);
}

static jlong find_image(JNIEnv *env, jclass class, jlong context, jstring name)
{
    (void)class;
    drua_image image = 0;
    char *text = jni_utf8(env, name);
    if (text && jni_failed(env, drua_find(jni_context(context), text, &image)))
        image = 0;
    free(text);
    return (jlong)image;
}

static jboolean exists(JNIEnv *env, jclass class, jlong context, jstring name)
{
    (void)class;
    drua_image image;
    char *text = jni_utf8(env, name);
    jboolean found = text && drua_find(jni_context(context), text, &image) == DRUA_OK;
    free(text);
    return found;
}

static void release(JNIEnv *env, jclass class, jlong context, jlong image)
{
    (void)class;
    jni_failed(env, drua_release(jni_context(context), (drua_image)image));
}

static void release_name(JNIEnv *env, jclass class, jlong context, jstring name)
{
    (void)class;
    char *text = jni_utf8(env, name);
    if (text)
        jni_failed(env, drua_release_name(jni_context(context), text));
    free(text);
}

static void clear(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    jni_failed(env, drua_clear(jni_context(context)));
}

static jstring names(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    return jni_string(env, drua_names(jni_context(context)));
}

static void set_metadata(JNIEnv *env, jclass class, jlong context, jlong image, jstring text)
{
    (void)class;
    char *utf8 = jni_utf8(env, text);
    if (!jni_pending(env))
        jni_failed(env, drua_set_metadata(jni_context(context), (drua_image)image, utf8));
    free(utf8);
}

static jstring metadata(JNIEnv *env, jclass class, jlong context, jlong image)
{
    (void)class;
    const char *text = "";
    return jni_failed(env, drua_get_metadata(jni_context(context), (drua_image)image, &text)) ? NULL
                                                                                              : jni_string(env, text);
}

static jstring result_name(JNIEnv *env, jclass class, jstring name)
{
    (void)class;
    char *text = jni_utf8(env, name);
    jstring result = text ? jni_string(env, drua_result_name(text)) : NULL;
    free(text);
    return result;
}

static void check_text_path(JNIEnv *env, jclass class, jstring path)
{
    (void)class;
    char *text = jni_utf8(env, path);
    if (text)
        jni_failed(env, drua_check_text_path(text));
    free(text);
}

bool jni_register_images(JNIEnv *env, jclass class)
{
    const JNINativeMethod methods[] = {
        METHOD("info", "(JJ)[J", info),
        METHOD("bind", "(J" TEXT "J)V", bind),
        METHOD("find", "(J" TEXT ")J", find_image),
        METHOD("exists", "(J" TEXT ")Z", exists),
        METHOD("release", "(JJ)V", release),
        METHOD("releaseName", "(J" TEXT ")V", release_name),
        METHOD("clear", "(J)V", clear),
        METHOD("names", "(J)" TEXT, names),
        METHOD("setMetadata", "(JJ" TEXT ")V", set_metadata),
        METHOD("metadata", "(JJ)" TEXT, metadata),
        METHOD("resultName", "(" TEXT ")" TEXT, result_name),
        METHOD("checkTextPath", "(" TEXT ")V", check_text_path),
    };
    return (*env)->RegisterNatives(env, class, methods, COUNT(methods)) == JNI_OK;
}

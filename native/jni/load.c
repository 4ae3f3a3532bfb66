/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that the virtual machine calls when it loads and unloads the library. */
#include "marshal.h"

static bool register_natives(JNIEnv *env)
{
    jclass class = (*env)->FindClass(env, "drua/engine/Native");
    return class && jni_register_devices(env, class) && jni_register_calls(env, class) &&
           jni_register_pixels(env, class) && jni_register_images(env, class);
}

static bool find_class(JNIEnv *env, jclass *class, const char *name)
{
    jclass local = (*env)->FindClass(env, name);
    *class = local ? (*env)->NewGlobalRef(env, local) : NULL;
    (*env)->DeleteLocalRef(env, local);
    return *class != NULL;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    void *found;
    if ((*vm)->GetEnv(vm, &found, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    JNIEnv *env = found;
    jclass planes, watch;
    jni.vm = vm;
    bool ready =
        find_class(env, &jni.exception, "drua/engine/EngineException") &&
        find_class(env, &jni.string, "java/lang/String") && find_class(env, &jni.strings, "[Ljava/lang/String;") &&
        find_class(env, &jni.objects, "java/lang/Object") && find_class(env, &jni.bytes, "[B") &&
        find_class(env, &jni.shorts, "[S") && find_class(env, &jni.ints, "[I") && find_class(env, &jni.floats, "[F") &&
        find_class(env, &jni.doubles, "[D") && (planes = (*env)->FindClass(env, "drua/engine/Planes")) &&
        (jni.plane = (*env)->GetMethodID(env, planes, "plane", "(I)Ljava/lang/Object;")) &&
        (watch = (*env)->FindClass(env, "drua/engine/ProcessWatch")) &&
        (jni.progressed = (*env)->GetMethodID(env, watch, "progressed", "(" TEXT "JJD" TEXT TEXT ")Z")) &&
        register_natives(env);
    return ready ? JNI_VERSION_1_8 : JNI_ERR;
}

JNIEXPORT void JNICALL JNI_OnUnload(JavaVM *vm, void *reserved)
{
    (void)reserved;
    void *found;
    if ((*vm)->GetEnv(vm, &found, JNI_VERSION_1_8) != JNI_OK)
        return;
    JNIEnv *env = found;
    const jclass classes[] = {jni.exception, jni.string, jni.strings, jni.objects, jni.bytes,
                              jni.shorts,    jni.ints,   jni.floats,  jni.doubles};
    for (jint i = 0; i < COUNT(classes); i++)
        (*env)->DeleteGlobalRef(env, classes[i]);
}

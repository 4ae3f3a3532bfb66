/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies pixels between Java arrays and memory of the library. Threads of the library copy an array part by part, so no
 * array is locked while the device works.
 */
#include "marshal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- a plane */

static size_t bytes_per_pixel(drua_type type)
{
    static const unsigned char bytes[] = {0, 1, 1, 2, 2, 4, 4, 4};
    return type > DRUA_NO_TYPE && type <= DRUA_FLOAT32 ? bytes[type] : 0;
}

static jclass array_class(drua_type type)
{
    if (type == DRUA_FLOAT32)
        return jni.floats;
    switch (bytes_per_pixel(type)) {
    case 1: return jni.bytes;
    case 2: return jni.shorts;
    default: return jni.ints;
    }
}

/*
 * Returns true if the object is an array of the image's type with one element for each pixel of a plane. Otherwise
 * throws an exception.
 */
static bool array_fits(JNIEnv *env, jobject plane, drua_type type, jsize pixels)
{
    if (!plane || !(*env)->IsInstanceOf(env, plane, array_class(type))) {
        jni_throw_argument(env, "A plane is missing or its array is not of the image's pixel type");
        return false;
    }
    if ((*env)->GetArrayLength(env, plane) != pixels) {
        jni_throw_argument(env, "A plane's array does not have one element for each pixel of a plane");
        return false;
    }
    return true;
}

/* Copies elements between a part of a plane's array and memory. */
static void copy_elements(JNIEnv *env, jobject plane, drua_type type, bool pull, jsize first, jsize count, void *memory)
{
#define REGION(Name)                                                                   \
    if (pull)                                                                          \
        (*env)->Set##Name##ArrayRegion(env, plane, first, count, memory);              \
    else                                                                               \
        (*env)->Get##Name##ArrayRegion(env, plane, first, count, memory);              \
    break;
    switch (type == DRUA_FLOAT32 ? 0 : bytes_per_pixel(type)) {
    case 0: REGION(Float)
    case 1: REGION(Byte)
    case 2: REGION(Short)
    default: REGION(Int)
    }
#undef REGION
}

/* ---- a transfer */

typedef struct {
    JNIEnv *env; /* environment of the caller's thread */
    jobject source;             /* drua.engine.Planes; NULL: all arrays are available */
    drua_type type;
    jsize pixels;
    bool pull;
    size_t count, ready, done; /* number of planes; arrays of planes from `done` to before `ready` are held */
    jobject *plane;             /* global references */
    atomic_bool failed;         /* a thread could not attach to the virtual machine */
} transfer;

static pthread_key_t joined;
static pthread_once_t joined_once = PTHREAD_ONCE_INIT;

static void leave_machine(void *unused)
{
    (void)unused;
    (*jni.vm)->DetachCurrentThread(jni.vm);
}

static void make_key(void)
{
    pthread_key_create(&joined, leave_machine);
}

/* The JNIEnv of this thread, which stays attached to the virtual machine until it ends; NULL if attaching failed. */
static JNIEnv *env_of_thread(void)
{
    void *env = NULL;
    if ((*jni.vm)->GetEnv(jni.vm, &env, JNI_VERSION_1_8) == JNI_OK)
        return env;
    char name[] = "Drua transfer";
    JavaVMAttachArgs how = {JNI_VERSION_1_8, name, NULL};
    pthread_once(&joined_once, make_key);
    if ((*jni.vm)->AttachCurrentThreadAsDaemon(jni.vm, &env, &how) != JNI_OK)
        return NULL;
    pthread_setspecific(joined, env);
    return env;
}

static void copy_part(void *payload, size_t z, size_t inside, void *memory, size_t bytes)
{
    transfer *t = payload;
    const size_t size = bytes_per_pixel(t->type);
    JNIEnv *env = env_of_thread();
    if (env)
        copy_elements(env, t->plane[z], t->type, t->pull, (jsize)(inside / size), (jsize)(bytes / size), memory);
    else
        atomic_store(&t->failed, true);
}

/* Keeps a reference to an array until it is copied; checks its type and length. */
static bool hold_array(transfer *t, size_t z, jobject plane)
{
    JNIEnv *env = t->env;
    if (!jni_pending(env) && array_fits(env, plane, t->type, t->pixels) &&
        !(t->plane[z] = (*env)->NewGlobalRef(env, plane)))
        jni_throw_memory(env);
    (*env)->DeleteLocalRef(env, plane);
    return !jni_pending(env);
}

static void drop_planes(transfer *t, size_t end)
{
    for (; t->done < end; t->done++)
        if (t->plane[t->done])
            (*t->env)->DeleteGlobalRef(t->env, t->plane[t->done]);
}

static int hold_planes(void *payload, size_t first, size_t last)
{
    transfer *t = payload;
    if (!t->source)
        return !atomic_load(&t->failed);
    drop_planes(t, first < t->ready ? first : t->ready);
    for (; t->ready <= last && t->ready < t->count; t->ready++)
        if (!hold_array(t, t->ready, (*t->env)->CallObjectMethod(t->env, t->source, jni.plane, (jint)t->ready)))
            return 0;
    return !atomic_load(&t->failed);
}

static bool begin_transfer(JNIEnv *env, transfer *t, drua_shape shape)
{
    t->env = env;
    t->count = (size_t)shape.depth;
    t->plane = calloc(t->count, sizeof(jobject));
    if (!t->plane)
        jni_throw_memory(env);
    return t->plane != NULL;
}

/* Returns false, with an exception pending, if the transfer failed. */
static bool end_transfer(JNIEnv *env, transfer *t, drua_status status)
{
    drop_planes(t, t->count);
    free(t->plane);
    if (jni_pending(env))
        return false;
    if (atomic_load(&t->failed)) {
        jni_throw_memory(env);
        return false;
    }
    return !jni_failed(env, status);
}

/*
 * Returns the number of pixels of a plane. Returns -1, with an exception, for an invalid type or shape, or for a plane
 * that no Java array can hold.
 */
static jsize plane_pixels(JNIEnv *env, drua_shape shape, drua_type type)
{
    bool sane =
        shape.width > 0 && shape.height > 0 && shape.depth > 0 && shape.depth <= INT32_MAX && bytes_per_pixel(type);
    if (!sane || shape.height > INT32_MAX / shape.width) {
        jni_throw_argument(env, "An image needs a width, height and depth from 1 to 2147483647, a known type, and "
                                "planes of at most 2147483647 pixels");
        return -1;
    }
    return (jsize)(shape.width * shape.height);
}

static jlong push_image(JNIEnv *env, jclass class, jlong context, jlong image, jlong width, jlong height, jlong depth,
                        jint dimension, jint type, jobject planes)
{
    (void)class;
    drua_shape shape = {.width = width, .height = height, .depth = depth, .dimension = dimension};
    transfer t = {.source = planes, .type = (drua_type)type, .pixels = plane_pixels(env, shape, (drua_type)type)};
    if (t.pixels < 0 || !begin_transfer(env, &t, shape))
        return 0;
    const drua_stream stream = {hold_planes, copy_part, &t};
    drua_image result = (drua_image)image;
    drua_status status = image ? drua_overwrite_stream(jni_context(context), result, &stream)
                               : drua_push_stream(jni_context(context), shape, t.type, &stream, &result);
    if (end_transfer(env, &t, status))
        return (jlong)result;
    if (status == DRUA_OK && !image)
        drua_release(jni_context(context), result);
    return 0;
}

static void pull_image(JNIEnv *env, jclass class, jlong context, jlong image, jobjectArray planes)
{
    (void)class;
    drua_image_info info;
    if (jni_failed(env, drua_get_info(jni_context(context), (drua_image)image, &info)))
        return;
    transfer t = {.pull = true, .type = info.type, .pixels = plane_pixels(env, info.shape, info.type)};
    if (t.pixels < 0)
        return;
    if ((*env)->GetArrayLength(env, planes) != info.shape.depth) {
        jni_throw_argument(env, "An image needs one array for each of its planes");
        return;
    }
    if (!begin_transfer(env, &t, info.shape))
        return;
    bool held = true;
    while (held && t.ready < t.count) {
        held = hold_array(&t, t.ready, (*env)->GetObjectArrayElement(env, planes, (jsize)t.ready));
        t.ready++;
    }
    const drua_stream stream = {hold_planes, copy_part, &t};
    end_transfer(env, &t, held ? drua_pull_stream(jni_context(context), (drua_image)image, &stream) : DRUA_OK);
}

bool jni_register_pixels(JNIEnv *env, jclass class)
{
    const JNINativeMethod methods[] = {
        METHOD("push", "(JJJJJIILdrua/engine/Planes;)J", push_image),
        METHOD("pull", "(JJ[Ljava/lang/Object;)V", pull_image),
    };
    return (*env)->RegisterNatives(env, class, methods, COUNT(methods)) == JNI_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Java side's view of drua.h: turns Java arguments into C and back, failures into exceptions, and decides nothing.
 * Pixels are copied between arrays and the engine's pinned memory by the engine's threads.
 */
#include <drua/drua.h>

#include <jni.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((jint)(sizeof(array) / sizeof((array)[0])))

static struct {
    JavaVM *vm;
    jclass exception, string, strings, objects, bytes, shorts, ints, floats;
    jmethodID plane;
} java;

/* ---- failures ------------------------------------------------------------------------------------------------ */

static void throw_named(JNIEnv *env, const char *name, const char *message)
{
    jclass class = (*env)->FindClass(env, name);
    if (class)
        (*env)->ThrowNew(env, class, message);
}

static void throw_memory(JNIEnv *env)
{
    throw_named(env, "java/lang/OutOfMemoryError", "Drua found no memory outside Java's heap to pass data to the device");
}

static void throw_argument(JNIEnv *env, const char *message)
{
    throw_named(env, "java/lang/IllegalArgumentException", message);
}

static bool pending(JNIEnv *env)
{
    return (*env)->ExceptionCheck(env) == JNI_TRUE;
}

/* ---- text ---------------------------------------------------------------------------------------------------- */

/* Decodes one character; a byte that is no UTF-8 counts as U+FFFD. */
static uint32_t next_character(const unsigned char **text)
{
    const unsigned char *p = *text;
    uint32_t c = *p++;
    int more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : -1;
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

static jstring new_string(JNIEnv *env, const char *utf8)
{
    size_t length = strlen(utf8);
    if (length > INT32_MAX) {
        throw_memory(env);
        return NULL;
    }
    jchar *units = malloc((length + 1) * sizeof *units);
    if (!units) {
        throw_memory(env);
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

/* The string as UTF-8, to be freed by the caller; NULL for a null string or with an exception pending. */
static char *utf8_of(JNIEnv *env, jstring string)
{
    if (!string)
        return NULL;
    const jsize length = (*env)->GetStringLength(env, string);
    const size_t most = (size_t)length * 3 + 2 - (size_t)length % 2;
    char *utf8 = malloc(most + (size_t)length * sizeof(jchar));
    if (!utf8) {
        throw_memory(env);
        return NULL;
    }
    jchar *units = (jchar *)(void *)(utf8 + most);      /* behind the text, in the same block */
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
    jstring message = new_string(env, drua_error_message());
    if (!message)
        return;
    jmethodID constructor = (*env)->GetMethodID(env, java.exception, "<init>", "(Ljava/lang/String;)V");
    jthrowable failure = constructor ? (*env)->NewObject(env, java.exception, constructor, message) : NULL;
    if (failure)
        (*env)->Throw(env, failure);
}

static bool failed(JNIEnv *env, drua_status status)
{
    if (status != DRUA_OK)
        throw_failure(env);
    return status != DRUA_OK;
}

/* Sets an element and drops the local reference. False with an exception pending. */
static bool put(JNIEnv *env, jobjectArray array, jsize i, jobject value)
{
    if (!value)
        return false;
    (*env)->SetObjectArrayElement(env, array, i, value);
    (*env)->DeleteLocalRef(env, value);
    return !pending(env);
}

static drua_context *context_of(jlong handle)
{
    return (drua_context *)(intptr_t)handle;
}

/* ---- devices and the context --------------------------------------------------------------------------------- */

static jstring version(JNIEnv *env, jclass class)
{
    (void)class;
    return new_string(env, drua_version());
}

static jstring describe(JNIEnv *env, jclass class)
{
    (void)class;
    return new_string(env, drua_describe());
}

static bool put_count(JNIEnv *env, jobjectArray row, jsize i, uint64_t value)
{
    char digits[21], *p = digits + sizeof digits - 1;
    *p = 0;
    do {
        *--p = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    return put(env, row, i, new_string(env, p));
}

static jobjectArray device_row(JNIEnv *env, const drua_device_info *d)
{
    jobjectArray row = (*env)->NewObjectArray(env, 13, java.string, NULL);
    char number[8];
    int tenths = (int)(d->opencl_version * 10 + 0.5);
    number[0] = (char)('0' + tenths / 10 % 10);
    number[1] = '.';
    number[2] = (char)('0' + tenths % 10);
    number[3] = 0;
    bool done = row && put(env, row, 0, new_string(env, d->name)) && put(env, row, 1, new_string(env, d->platform)) &&
                put(env, row, 2, new_string(env, d->driver)) && put(env, row, 3, new_string(env, d->version)) &&
                put(env, row, 4, new_string(env, number)) && put(env, row, 5, new_string(env, d->is_gpu ? "gpu" : "cpu")) &&
                put_count(env, row, 6, d->global_memory) && put_count(env, row, 7, d->largest_allocation) &&
                put_count(env, row, 8, d->local_memory) && put_count(env, row, 9, d->compute_units) &&
                put_count(env, row, 10, d->clock_mhz) && put_count(env, row, 11, d->largest_work_group) &&
                put(env, row, 12, new_string(env, d->extensions));
    return done ? row : NULL;
}

static jobjectArray devices(JNIEnv *env, jclass class)
{
    (void)class;
    jsize count = (jsize)drua_device_count();
    jobjectArray rows = (*env)->NewObjectArray(env, count, java.strings, NULL);
    for (jsize i = 0; rows && i < count; i++) {
        drua_device_info info;
        if (failed(env, drua_device_describe((size_t)i, &info)) || !put(env, rows, i, device_row(env, &info)))
            return NULL;
    }
    return rows;
}

static jlong open_device(JNIEnv *env, jclass class, jstring wish)
{
    (void)class;
    char *text = utf8_of(env, wish);
    if (pending(env))
        return 0;
    drua_context *context = NULL;
    failed(env, drua_open(text, &context));
    free(text);
    return (jlong)(intptr_t)context;
}

static void close_device(JNIEnv *env, jclass class, jlong context)
{
    (void)env, (void)class;
    drua_close(context_of(context));
}

static void cancel(JNIEnv *env, jclass class, jlong context)
{
    (void)env, (void)class;
    drua_cancel(context_of(context));
}

static jdouble progress(JNIEnv *env, jclass class, jlong context)
{
    (void)env, (void)class;
    return drua_progress(context_of(context));
}

static jboolean is_lost(JNIEnv *env, jclass class, jlong context)
{
    (void)env, (void)class;
    return drua_is_lost(context_of(context)) != 0;
}

static void restart(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    failed(env, drua_restart(context_of(context)));
}

static jobjectArray device(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    drua_device_info info;
    drua_context_device(context_of(context), &info);
    return device_row(env, &info);
}

static jstring note(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    return new_string(env, drua_context_note(context_of(context)));
}

static void set_memory(JNIEnv *env, jclass class, jlong context, jstring budget)
{
    (void)class;
    char *text = utf8_of(env, budget);
    if (!pending(env))
        failed(env, drua_set_memory(context_of(context), text));
    free(text);
}

static void sync_device(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    failed(env, drua_sync(context_of(context)));
}

static jlongArray statistics(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    drua_statistics s;
    drua_get_statistics(context_of(context), &s);
    const jlong values[] = {(jlong)s.calls,          (jlong)s.launches, (jlong)s.chains,       (jlong)s.chained_steps,
                            (jlong)s.programs_built, (jlong)s.waits,    (jlong)s.device_bytes, (jlong)s.peak_bytes,
                            (jlong)s.budget_bytes,   (jlong)s.host_bytes, (jlong)s.spilled_bytes, (jlong)s.slabs,
                            (jlong)s.programs_loaded};
    jlongArray array = (*env)->NewLongArray(env, COUNT(values));
    if (array)
        (*env)->SetLongArrayRegion(env, array, 0, COUNT(values), values);
    return array;
}

/* ---- calls --------------------------------------------------------------------------------------------------- */

/* Arguments of one call with the memory behind their texts and arrays. */
typedef struct {
    jsize count;
    drua_argument *list;        /* one block with the lists below */
    char **texts;
    double **arrays;
    double *numbers;
} arguments;

static void free_arguments(arguments *a)
{
    for (jsize i = 0; i < a->count && a->list; i++) {
        free(a->texts[i]);
        free(a->arrays[i]);
    }
    free(a->list);
}

static bool read_array(JNIEnv *env, jobject object, drua_argument *argument, double **copy)
{
    jsize length = (*env)->GetArrayLength(env, object);
    *copy = malloc(((size_t)length + 1) * sizeof **copy);
    if (!*copy) {
        throw_memory(env);
        return false;
    }
    (*env)->GetDoubleArrayRegion(env, object, 0, length, *copy);
    argument->kind = DRUA_ARG_ARRAY;
    argument->array = *copy;
    argument->length = (size_t)length;
    return !pending(env);
}

/* Reads numbers, texts and arrays; an argument is an array if there is one, else a text, else a number. */
static bool read_arguments(JNIEnv *env, arguments *a, jobjectArray texts, jdoubleArray numbers, jobjectArray arrays)
{
    *a = (arguments){.count = (*env)->GetArrayLength(env, numbers)};
    const size_t slots = (size_t)a->count + 1;
    a->list = calloc(slots, sizeof *a->list + sizeof *a->texts + sizeof *a->arrays + sizeof *a->numbers);
    if (!a->list) {
        throw_memory(env);
        return false;
    }
    a->numbers = (double *)(void *)(a->list + slots);
    a->arrays = (double **)(void *)(a->numbers + slots);
    a->texts = (char **)(a->arrays + slots);
    (*env)->GetDoubleArrayRegion(env, numbers, 0, a->count, a->numbers);
    for (jsize i = 0; i < a->count && !pending(env); i++) {
        drua_argument *argument = &a->list[i];
        argument->kind = DRUA_ARG_NUMBER;
        argument->number = a->numbers[i];
        jobject array = (*env)->GetObjectArrayElement(env, arrays, i);
        jobject text = pending(env) ? NULL : (*env)->GetObjectArrayElement(env, texts, i);
        if (pending(env))
            return false;
        if (array) {
            read_array(env, array, argument, &a->arrays[i]);
        } else if (text) {
            argument->text = a->texts[i] = utf8_of(env, text);
            argument->kind = DRUA_ARG_TEXT;
        }
        if (array)
            (*env)->DeleteLocalRef(env, array);
        if (text)
            (*env)->DeleteLocalRef(env, text);
    }
    return !pending(env);
}

static bool write_back(JNIEnv *env, arguments *a, jobjectArray texts, jdoubleArray numbers)
{
    for (jsize i = 0; i < a->count; i++) {
        const drua_argument *argument = &a->list[i];
        if (argument->kind == DRUA_ARG_TEXT && argument->text && argument->text != a->texts[i] &&
            !put(env, texts, i, new_string(env, argument->text)))
            return false;
        if (argument->kind == DRUA_ARG_NUMBER)
            a->numbers[i] = argument->number;
    }
    (*env)->SetDoubleArrayRegion(env, numbers, 0, a->count, a->numbers);
    return !pending(env);
}

static jobjectArray table_rows(JNIEnv *env, const drua_table *table)
{
    jsize columns = (jsize)table->columns, rows = (jsize)table->rows;
    jobjectArray result = (*env)->NewObjectArray(env, rows + 1, java.objects, NULL);
    jobjectArray headings = result ? (*env)->NewObjectArray(env, columns, java.string, NULL) : NULL;
    if (!headings)
        return NULL;
    for (jsize x = 0; x < columns; x++) {
        if (!put(env, headings, x, new_string(env, table->headings[x])))
            return NULL;
    }
    if (!put(env, result, 0, headings))
        return NULL;
    for (jsize y = 0; y < rows; y++) {
        jdoubleArray row = (*env)->NewDoubleArray(env, columns);
        if (!row)
            return NULL;
        (*env)->SetDoubleArrayRegion(env, row, 0, columns, table->cells + (size_t)y * table->columns);
        if (pending(env) || !put(env, result, y + 1, row))
            return NULL;
    }
    return result;
}

/* Ends a call: outputs back into the Java arrays, the table as rows; frees everything. */
static jobjectArray finish_call(JNIEnv *env, drua_status status, arguments *a, jobjectArray texts, jdoubleArray numbers,
                                drua_table *table)
{
    jobjectArray rows = NULL;
    if (!failed(env, status) && write_back(env, a, texts, numbers) && table)
        rows = table_rows(env, table);
    drua_table_free(table);
    free_arguments(a);
    return rows;
}

static jobjectArray command(JNIEnv *env, jclass class, jlong context, jint line, jstring name, jobjectArray texts,
                            jdoubleArray numbers, jobjectArray arrays)
{
    (void)class;
    arguments a;
    char *command_name = NULL;
    if (!read_arguments(env, &a, texts, numbers, arrays) || !(command_name = utf8_of(env, name))) {
        free_arguments(&a);
        return NULL;
    }
    drua_table *table = NULL;
    drua_set_line(context_of(context), line);
    drua_status status = drua_command(context_of(context), command_name, a.list, (size_t)a.count, &table);
    free(command_name);
    return finish_call(env, status, &a, texts, numbers, table);
}

static jobjectArray invoke(JNIEnv *env, jclass class, jlong context, jstring operation, jintArray kinds, jlongArray images,
                           jdoubleArray numbers, jobjectArray texts, jobjectArray arrays)
{
    (void)class;
    arguments a;
    char *name = NULL;
    jint *kind = NULL;
    jlong *image = NULL;
    jobjectArray rows = NULL;
    if (!read_arguments(env, &a, texts, numbers, arrays) || !(name = utf8_of(env, operation)))
        goto done;
    kind = calloc((size_t)a.count + 1, sizeof *kind);
    image = calloc((size_t)a.count + 1, sizeof *image);
    if (!kind || !image) {
        throw_memory(env);
        goto done;
    }
    (*env)->GetIntArrayRegion(env, kinds, 0, a.count, kind);
    if (pending(env))
        goto done;
    (*env)->GetLongArrayRegion(env, images, 0, a.count, image);
    if (pending(env))
        goto done;
    for (jsize i = 0; i < a.count; i++) {
        a.list[i].kind = (drua_argument_kind)kind[i];
        a.list[i].image = (drua_image)image[i];
    }
    drua_table *table = NULL;
    drua_status status = drua_invoke(context_of(context), name, a.list, (size_t)a.count, &table);
    if (status == DRUA_OK) {
        for (jsize i = 0; i < a.count; i++)
            image[i] = (jlong)a.list[i].image;
        (*env)->SetLongArrayRegion(env, images, 0, a.count, image);
    }
    rows = finish_call(env, status, &a, texts, numbers, table);
    a = (arguments){0};
done:
    free_arguments(&a);
    free(name);
    free(kind);
    free(image);
    return rows;
}

/* ---- pixels -------------------------------------------------------------------------------------------------- */

static size_t bytes_per_pixel(drua_type type)
{
    static const unsigned char bytes[] = {0, 1, 1, 2, 2, 4, 4, 4};
    return type > DRUA_NO_TYPE && type <= DRUA_FLOAT32 ? bytes[type] : 0;
}

static jclass array_class(drua_type type)
{
    return type == DRUA_FLOAT32 ? java.floats : bytes_per_pixel(type) == 1 ? java.bytes : bytes_per_pixel(type) == 2 ? java.shorts : java.ints;
}

/* True if the object is an array of the image's type with one element for each pixel of a plane; else an exception. */
static bool fits(JNIEnv *env, jobject plane, drua_type type, jsize pixels)
{
    if (!plane || !(*env)->IsInstanceOf(env, plane, array_class(type))) {
        throw_argument(env, "A plane is missing or its array is not of the image's pixel type");
        return false;
    }
    if ((*env)->GetArrayLength(env, plane) != pixels) {
        throw_argument(env, "A plane's array has not as many elements as a plane has pixels");
        return false;
    }
    return true;
}

/* Copies elements between a part of a plane's array and memory. */
static void copy(JNIEnv *env, jobject plane, drua_type type, bool pull, jsize first, jsize count, void *memory)
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

/* ---- a transfer: threads of the engine copy parts of Java arrays, so that none is held while the device works */

typedef struct {
    JNIEnv *env;                /* of the caller's thread */
    jobject source;             /* drua.Planes; NULL: all arrays are there */
    drua_type type;
    jsize pixels;
    bool pull;
    size_t count, ready, done;  /* planes; those from `done` to before `ready` are held */
    jobject *plane;             /* global references */
    atomic_bool failed;         /* a thread could not join the virtual machine */
} transfer;

static pthread_key_t joined;
static pthread_once_t joined_once = PTHREAD_ONCE_INIT;

static void leave_machine(void *unused)
{
    (void)unused;
    (*java.vm)->DetachCurrentThread(java.vm);
}

static void make_key(void)
{
    pthread_key_create(&joined, leave_machine);
}

/* This thread's view of the virtual machine, which it joins until its end; NULL if it may not. */
static JNIEnv *env_of_thread(void)
{
    void *env = NULL;
    if ((*java.vm)->GetEnv(java.vm, &env, JNI_VERSION_1_8) == JNI_OK)
        return env;
    char name[] = "Drua transfer";
    JavaVMAttachArgs how = {JNI_VERSION_1_8, name, NULL};
    pthread_once(&joined_once, make_key);
    if ((*java.vm)->AttachCurrentThreadAsDaemon(java.vm, &env, &how) != JNI_OK)
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
        copy(env, t->plane[z], t->type, t->pull, (jsize)(inside / size), (jsize)(bytes / size), memory);
    else
        atomic_store(&t->failed, true);
}

/* Keeps an array, which has to fit, until it is copied. */
static bool hold(transfer *t, size_t z, jobject plane)
{
    JNIEnv *env = t->env;
    if (!pending(env) && fits(env, plane, t->type, t->pixels) && !(t->plane[z] = (*env)->NewGlobalRef(env, plane)))
        throw_memory(env);
    (*env)->DeleteLocalRef(env, plane);
    return !pending(env);
}

static void drop(transfer *t, size_t end)
{
    for (; t->done < end; t->done++)
        if (t->plane[t->done])
            (*t->env)->DeleteGlobalRef(t->env, t->plane[t->done]);
}

static int prepare(void *payload, size_t first, size_t last)
{
    transfer *t = payload;
    if (!t->source)
        return !atomic_load(&t->failed);
    drop(t, first < t->ready ? first : t->ready);
    for (; t->ready <= last && t->ready < t->count; t->ready++)
        if (!hold(t, t->ready, (*t->env)->CallObjectMethod(t->env, t->source, java.plane, (jint)t->ready)))
            return 0;
    return !atomic_load(&t->failed);
}

static bool begin_transfer(JNIEnv *env, transfer *t, drua_shape shape)
{
    t->env = env;
    t->count = (size_t)shape.depth;
    t->plane = calloc(t->count, sizeof(jobject));
    if (!t->plane)
        throw_memory(env);
    return t->plane != NULL;
}

/* False with an exception pending. */
static bool end_transfer(JNIEnv *env, transfer *t, drua_status status)
{
    drop(t, t->count);
    free(t->plane);
    if (pending(env))
        return false;
    if (atomic_load(&t->failed)) {
        throw_memory(env);
        return false;
    }
    return !failed(env, status);
}

/* Number of pixels of a plane that fits a Java array, or -1 with an exception; checks the type too. */
static jsize plane_pixels(JNIEnv *env, drua_shape shape, drua_type type)
{
    bool sane = shape.width > 0 && shape.height > 0 && shape.depth > 0 && shape.depth <= INT32_MAX && bytes_per_pixel(type);
    if (!sane || shape.height > INT32_MAX / shape.width) {
        throw_argument(env, "An image needs a width, height and depth of at least 1, a known type, and planes of less than 2^31 pixels");
        return -1;
    }
    return (jsize)(shape.width * shape.height);
}

static jlong push(JNIEnv *env, jclass class, jlong context, jlong image, jlong width, jlong height, jlong depth, jint dimension,
                  jint type, jobject planes)
{
    (void)class;
    drua_shape shape = {.width = width, .height = height, .depth = depth, .dimension = dimension};
    transfer t = {.source = planes, .type = (drua_type)type, .pixels = plane_pixels(env, shape, (drua_type)type)};
    if (t.pixels < 0 || !begin_transfer(env, &t, shape))
        return 0;
    const drua_stream stream = {prepare, copy_part, &t};
    drua_image result = (drua_image)image;
    drua_status status = image ? drua_overwrite_stream(context_of(context), result, &stream)
                               : drua_push_stream(context_of(context), shape, t.type, &stream, &result);
    if (end_transfer(env, &t, status))
        return (jlong)result;
    if (status == DRUA_OK && !image)
        drua_release(context_of(context), result);
    return 0;
}

static void pull(JNIEnv *env, jclass class, jlong context, jlong image, jobjectArray planes)
{
    (void)class;
    drua_image_info info;
    if (failed(env, drua_get_info(context_of(context), (drua_image)image, &info)))
        return;
    transfer t = {.pull = true, .type = info.type, .pixels = plane_pixels(env, info.shape, info.type)};
    if (t.pixels < 0)
        return;
    if ((*env)->GetArrayLength(env, planes) != info.shape.depth) {
        throw_argument(env, "An image needs one array for each of its planes");
        return;
    }
    if (!begin_transfer(env, &t, info.shape))
        return;
    bool held = true;
    while (held && t.ready < t.count) {
        held = hold(&t, t.ready, (*env)->GetObjectArrayElement(env, planes, (jsize)t.ready));
        t.ready++;
    }
    const drua_stream stream = {prepare, copy_part, &t};
    end_transfer(env, &t, held ? drua_pull_stream(context_of(context), (drua_image)image, &stream) : DRUA_OK);
}

static jlong read_tiff(JNIEnv *env, jclass class, jlong context, jstring path, jlong channel, jlong frame)
{
    (void)class;
    drua_image image = 0;
    char *text = utf8_of(env, path);
    if (text && failed(env, drua_read_tiff(context_of(context), text, channel, frame, &image)))
        image = 0;
    free(text);
    return (jlong)image;
}

static void write_tiff(JNIEnv *env, jclass class, jlong context, jlong image, jstring path, jstring compression)
{
    (void)class;
    char *text = utf8_of(env, path), *how = utf8_of(env, compression);
    if (text && !pending(env))
        failed(env, drua_write_tiff(context_of(context), (drua_image)image, text, how));
    free(text);
    free(how);
}

/* ---- images and names ---------------------------------------------------------------------------------------- */

static jlongArray info(JNIEnv *env, jclass class, jlong context, jlong image)
{
    (void)class;
    drua_image_info i;
    if (failed(env, drua_get_info(context_of(context), (drua_image)image, &i)))
        return NULL;
    const jlong values[] = {i.shape.width, i.shape.height, i.shape.depth, i.shape.dimension, (jlong)i.type, (jlong)i.bytes};
    jlongArray array = (*env)->NewLongArray(env, COUNT(values));
    if (array)
        (*env)->SetLongArrayRegion(env, array, 0, COUNT(values), values);
    return array;
}

static void bind(JNIEnv *env, jclass class, jlong context, jstring name, jlong image)
{
    (void)class;
    char *text = utf8_of(env, name);
    if (text)
        failed(env, drua_bind(context_of(context), text, (drua_image)image));
    free(text);
}

static jlong find(JNIEnv *env, jclass class, jlong context, jstring name)
{
    (void)class;
    drua_image image = 0;
    char *text = utf8_of(env, name);
    if (text && failed(env, drua_find(context_of(context), text, &image)))
        image = 0;
    free(text);
    return (jlong)image;
}

static jboolean exists(JNIEnv *env, jclass class, jlong context, jstring name)
{
    (void)class;
    drua_image image;
    char *text = utf8_of(env, name);
    jboolean found = text && drua_find(context_of(context), text, &image) == DRUA_OK;
    free(text);
    return found;
}

static void release(JNIEnv *env, jclass class, jlong context, jlong image)
{
    (void)class;
    failed(env, drua_release(context_of(context), (drua_image)image));
}

static void release_name(JNIEnv *env, jclass class, jlong context, jstring name)
{
    (void)class;
    char *text = utf8_of(env, name);
    if (text)
        failed(env, drua_release_name(context_of(context), text));
    free(text);
}

static void clear(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    failed(env, drua_clear(context_of(context)));
}

static jstring names(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    return new_string(env, drua_names(context_of(context)));
}

static void set_metadata(JNIEnv *env, jclass class, jlong context, jlong image, jstring text)
{
    (void)class;
    char *utf8 = utf8_of(env, text);
    if (!pending(env))
        failed(env, drua_set_metadata(context_of(context), (drua_image)image, utf8));
    free(utf8);
}

static jstring metadata(JNIEnv *env, jclass class, jlong context, jlong image)
{
    (void)class;
    const char *text = "";
    return failed(env, drua_get_metadata(context_of(context), (drua_image)image, &text)) ? NULL : new_string(env, text);
}

static jstring result_name(JNIEnv *env, jclass class, jstring name)
{
    (void)class;
    char *text = utf8_of(env, name);
    jstring result = text ? new_string(env, drua_result_name(text)) : NULL;
    free(text);
    return result;
}

/* ---- reports ------------------------------------------------------------------------------------------------- */

static jstring report_memory(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    return new_string(env, drua_report_memory(context_of(context)));
}

static jstring explain(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    return new_string(env, drua_explain(context_of(context)));
}

static void trace(JNIEnv *env, jclass class, jlong context, jboolean on)
{
    (void)class;
    failed(env, drua_trace(context_of(context), on == JNI_TRUE));
}

static jstring trace_text(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    return new_string(env, drua_trace_text(context_of(context)));
}

/* ---- loading ------------------------------------------------------------------------------------------------- */

#define TEXT "Ljava/lang/String;"
#define METHOD(name, signature, function) {(char *)(uintptr_t)(name), (char *)(uintptr_t)(signature), (void *)(uintptr_t)(function)}

static bool register_methods(JNIEnv *env)
{
    const JNINativeMethod methods[] = {
        METHOD("version", "()" TEXT, version),
        METHOD("describe", "()" TEXT, describe),
        METHOD("devices", "()[[" TEXT, devices),
        METHOD("open", "(" TEXT ")J", open_device),
        METHOD("close", "(J)V", close_device),
        METHOD("cancel", "(J)V", cancel),
        METHOD("progress", "(J)D", progress),
        METHOD("isLost", "(J)Z", is_lost),
        METHOD("restart", "(J)V", restart),
        METHOD("device", "(J)[" TEXT, device),
        METHOD("note", "(J)" TEXT, note),
        METHOD("setMemory", "(J" TEXT ")V", set_memory),
        METHOD("command", "(JI" TEXT "[" TEXT "[D[Ljava/lang/Object;)[Ljava/lang/Object;", command),
        METHOD("invoke", "(J" TEXT "[I[J[D[" TEXT "[Ljava/lang/Object;)[Ljava/lang/Object;", invoke),
        METHOD("push", "(JJJJJIILdrua/Planes;)J", push),
        METHOD("pull", "(JJ[Ljava/lang/Object;)V", pull),
        METHOD("readTiff", "(J" TEXT "JJ)J", read_tiff),
        METHOD("writeTiff", "(JJ" TEXT TEXT ")V", write_tiff),
        METHOD("info", "(JJ)[J", info),
        METHOD("bind", "(J" TEXT "J)V", bind),
        METHOD("find", "(J" TEXT ")J", find),
        METHOD("exists", "(J" TEXT ")Z", exists),
        METHOD("release", "(JJ)V", release),
        METHOD("releaseName", "(J" TEXT ")V", release_name),
        METHOD("clear", "(J)V", clear),
        METHOD("names", "(J)" TEXT, names),
        METHOD("setMetadata", "(JJ" TEXT ")V", set_metadata),
        METHOD("metadata", "(JJ)" TEXT, metadata),
        METHOD("resultName", "(" TEXT ")" TEXT, result_name),
        METHOD("sync", "(J)V", sync_device),
        METHOD("reportMemory", "(J)" TEXT, report_memory),
        METHOD("explain", "(J)" TEXT, explain),
        METHOD("trace", "(JZ)V", trace),
        METHOD("traceText", "(J)" TEXT, trace_text),
        METHOD("statistics", "(J)[J", statistics),
    };
    jclass class = (*env)->FindClass(env, "drua/Native");
    return class && (*env)->RegisterNatives(env, class, methods, COUNT(methods)) == JNI_OK;
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
    jclass planes;
    java.vm = vm;
    bool ready = find_class(env, &java.exception, "drua/DruaException") && find_class(env, &java.string, "java/lang/String") &&
                 find_class(env, &java.strings, "[Ljava/lang/String;") && find_class(env, &java.objects, "java/lang/Object") &&
                 find_class(env, &java.bytes, "[B") && find_class(env, &java.shorts, "[S") &&
                 find_class(env, &java.ints, "[I") && find_class(env, &java.floats, "[F") &&
                 (planes = (*env)->FindClass(env, "drua/Planes")) &&
                 (java.plane = (*env)->GetMethodID(env, planes, "plane", "(I)Ljava/lang/Object;")) && register_methods(env);
    return ready ? JNI_VERSION_1_8 : JNI_ERR;
}

JNIEXPORT void JNICALL JNI_OnUnload(JavaVM *vm, void *reserved)
{
    (void)reserved;
    void *found;
    if ((*vm)->GetEnv(vm, &found, JNI_VERSION_1_8) != JNI_OK)
        return;
    JNIEnv *env = found;
    const jclass classes[] = {java.exception, java.string, java.strings, java.objects, java.bytes, java.shorts, java.ints, java.floats};
    for (jint i = 0; i < COUNT(classes); i++)
        (*env)->DeleteGlobalRef(env, classes[i]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs commands and operations: converts arguments from Java, and outputs and tables to Java. */
#include "marshal.h"

#include <stdlib.h>

/* Arguments of one call, with the memory of their texts and arrays. */
typedef struct {
    jsize count;
    drua_argument *list; /* one block of memory holds this list and the following ones */
    char **texts;
    void **arrays;              /* numbers, or the arguments of a list */
    double *numbers;
} arguments;

static void free_list(drua_argument *list, size_t length)
{
    for (size_t i = 0; i < length && list; i++)
        free((void *)(uintptr_t)list[i].text);
    free(list);
}

static void free_arguments(arguments *a)
{
    for (jsize i = 0; i < a->count && a->list; i++) {
        free(a->texts[i]);
        if (a->list[i].list)
            free_list(a->arrays[i], a->list[i].length);
        else
            free(a->arrays[i]);
    }
    free(a->list);
}

static bool read_array(JNIEnv *env, jobject object, drua_argument *argument, void **copy)
{
    jsize length = (*env)->GetArrayLength(env, object);
    double *numbers = *copy = malloc(((size_t)length + 1) * sizeof *numbers);
    if (!numbers) {
        jni_throw_memory(env);
        return false;
    }
    (*env)->GetDoubleArrayRegion(env, object, 0, length, numbers);
    argument->kind = DRUA_ARG_ARRAY;
    argument->array = numbers;
    argument->length = (size_t)length;
    return !jni_pending(env);
}

/* Reads a list {String[], long[]}: an element is an image if its handle is not 0, else a text. */
static bool read_list(JNIEnv *env, jobject pair, drua_argument *argument, void **copy)
{
    jobject texts = (*env)->GetObjectArrayElement(env, pair, 0), handles = (*env)->GetObjectArrayElement(env, pair, 1);
    const jsize length = (*env)->GetArrayLength(env, texts);
    drua_argument *list = *copy = calloc((size_t)length + 1, sizeof *list);
    if (!list)
        jni_throw_memory(env);
    argument->kind = DRUA_ARG_LIST;
    argument->list = list;
    for (jsize i = 0; i < length && !jni_pending(env); i++) {
        jlong image = 0;
        (*env)->GetLongArrayRegion(env, handles, i, 1, &image);
        jobject text = jni_pending(env) ? NULL : (*env)->GetObjectArrayElement(env, texts, i);
        list[i] = (drua_argument){
            .kind = image ? DRUA_ARG_IMAGE : DRUA_ARG_TEXT, .image = (drua_image)image, .text = jni_utf8(env, text)};
        argument->length = (size_t)i + 1;
        (*env)->DeleteLocalRef(env, text);
    }
    (*env)->DeleteLocalRef(env, texts);
    (*env)->DeleteLocalRef(env, handles);
    return !jni_pending(env);
}

/* Reads numbers, texts and arrays; an argument is an array or list if there is one, else a text, else a number. */
static bool read_arguments(JNIEnv *env, arguments *a, jobjectArray texts, jdoubleArray numbers, jobjectArray arrays)
{
    *a = (arguments){.count = (*env)->GetArrayLength(env, numbers)};
    const size_t slots = (size_t)a->count + 1;
    a->list = calloc(slots, sizeof *a->list + sizeof *a->texts + sizeof *a->arrays + sizeof *a->numbers);
    if (!a->list) {
        jni_throw_memory(env);
        return false;
    }
    a->numbers = (double *)(void *)(a->list + slots);
    a->arrays = (void **)(a->numbers + slots);
    a->texts = (char **)(a->arrays + slots);
    (*env)->GetDoubleArrayRegion(env, numbers, 0, a->count, a->numbers);
    for (jsize i = 0; i < a->count && !jni_pending(env); i++) {
        drua_argument *argument = &a->list[i];
        argument->kind = DRUA_ARG_NUMBER;
        argument->number = a->numbers[i];
        jobject array = (*env)->GetObjectArrayElement(env, arrays, i);
        jobject text = jni_pending(env) ? NULL : (*env)->GetObjectArrayElement(env, texts, i);
        if (jni_pending(env))
            return false;
        if (array) {
            if ((*env)->IsInstanceOf(env, array, jni.doubles))
                read_array(env, array, argument, &a->arrays[i]);
            else
                read_list(env, array, argument, &a->arrays[i]);
        } else if (text) {
            argument->text = a->texts[i] = jni_utf8(env, text);
            argument->kind = DRUA_ARG_TEXT;
        }
        if (array)
            (*env)->DeleteLocalRef(env, array);
        if (text)
            (*env)->DeleteLocalRef(env, text);
    }
    return !jni_pending(env);
}

static bool write_back(JNIEnv *env, arguments *a, jobjectArray texts, jdoubleArray numbers)
{
    for (jsize i = 0; i < a->count; i++) {
        const drua_argument *argument = &a->list[i];
        if (argument->kind == DRUA_ARG_TEXT && argument->text && argument->text != a->texts[i] &&
            !jni_put(env, texts, i, jni_string(env, argument->text)))
            return false;
        if (argument->kind == DRUA_ARG_NUMBER)
            a->numbers[i] = argument->number;
    }
    (*env)->SetDoubleArrayRegion(env, numbers, 0, a->count, a->numbers);
    return !jni_pending(env);
}

/* Headings, and all numbers in one array, row by row: creating an array for each row would double the time. */
static jobjectArray java_table(JNIEnv *env, const drua_table *table)
{
    const size_t count = table->rows * table->columns;
    if (count > INT32_MAX) {
        jni_throw_memory(env);
        return NULL;
    }
    jsize columns = (jsize)table->columns;
    jobjectArray result = (*env)->NewObjectArray(env, 2, jni.objects, NULL);
    jobjectArray headings = result ? (*env)->NewObjectArray(env, columns, jni.string, NULL) : NULL;
    if (!headings)
        return NULL;
    for (jsize x = 0; x < columns; x++) {
        if (!jni_put(env, headings, x, jni_string(env, table->headings[x])))
            return NULL;
    }
    jdoubleArray numbers = jni_put(env, result, 0, headings) ? (*env)->NewDoubleArray(env, (jsize)count) : NULL;
    if (!numbers)
        return NULL;
    (*env)->SetDoubleArrayRegion(env, numbers, 0, (jsize)count, table->cells);
    return jni_put(env, result, 1, numbers) ? result : NULL;
}

/* Ends a call: writes outputs into the Java arrays, converts the table, and frees all memory. */
static jobjectArray finish_call(JNIEnv *env, drua_status status, arguments *a, jobjectArray texts, jdoubleArray numbers,
                                drua_table *table)
{
    jobjectArray made = NULL;
    if (!jni_failed(env, status) && write_back(env, a, texts, numbers) && table)
        made = java_table(env, table);
    drua_table_free(table);
    free_arguments(a);
    return made;
}

static jobjectArray command(JNIEnv *env, jclass class, jlong context, jint line, jstring name, jobjectArray texts,
                            jdoubleArray numbers, jobjectArray arrays)
{
    (void)class;
    arguments a;
    char *command_name = NULL;
    if (!read_arguments(env, &a, texts, numbers, arrays) || !(command_name = jni_utf8(env, name))) {
        free_arguments(&a);
        return NULL;
    }
    drua_table *table = NULL;
    drua_set_line_number(jni_context(context), line);
    drua_status status = drua_command(jni_context(context), command_name, a.list, (size_t)a.count, &table);
    free(command_name);
    return finish_call(env, status, &a, texts, numbers, table);
}

enum { PART_NUMBERS = 10 }; /* first and end, the extent of the whole image, and whether whole images were read */

/* Calls drua_invoke; if the numbers of a part are given, calls drua_invoke_part and writes its outputs there. */
static drua_status invoke_all_or_part(JNIEnv *env, drua_context *context, const char *name, arguments *a,
                                      jlongArray numbers, drua_table **table)
{
    jlong n[PART_NUMBERS];
    if (!numbers)
        return drua_invoke(context, name, a->list, (size_t)a->count, table);
    (*env)->GetLongArrayRegion(env, numbers, 0, PART_NUMBERS, n);
    drua_part part = {.first = {n[0], n[1], n[2]}, .end = {n[3], n[4], n[5]}};
    const drua_status status = drua_invoke_part(context, name, a->list, (size_t)a->count, &part);
    const jlong results[] = {part.whole.width, part.whole.height, part.whole.depth, part.reads_all};
    (*env)->SetLongArrayRegion(env, numbers, PART_NUMBERS - COUNT(results), COUNT(results), results);
    return status;
}

static jobjectArray invoke(JNIEnv *env, jclass class, jlong context, jstring operation, jintArray kinds,
                           jlongArray images, jdoubleArray numbers, jobjectArray texts, jobjectArray arrays,
                           jlongArray part)
{
    (void)class;
    arguments a;
    char *name = NULL;
    jint *kind = NULL;
    jlong *image = NULL;
    jobjectArray rows = NULL;
    if (!read_arguments(env, &a, texts, numbers, arrays) || !(name = jni_utf8(env, operation)))
        goto done;
    kind = calloc((size_t)a.count + 1, sizeof *kind);
    image = calloc((size_t)a.count + 1, sizeof *image);
    if (!kind || !image) {
        jni_throw_memory(env);
        goto done;
    }
    (*env)->GetIntArrayRegion(env, kinds, 0, a.count, kind);
    if (jni_pending(env))
        goto done;
    (*env)->GetLongArrayRegion(env, images, 0, a.count, image);
    if (jni_pending(env))
        goto done;
    for (jsize i = 0; i < a.count; i++) {
        a.list[i].kind = (drua_argument_kind)kind[i];
        a.list[i].image = (drua_image)image[i];
    }
    drua_table *table = NULL;
    drua_status status = invoke_all_or_part(env, jni_context(context), name, &a, part, &table);
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

/* ---- files, block by block */

typedef struct {
    JNIEnv *env;
    jobject watch; /* drua.engine.ProcessWatch */
} listener;

/* NULL for a null string, or with an exception pending. */
static jstring optional_string(JNIEnv *env, const char *text)
{
    return text && !jni_pending(env) ? jni_string(env, text) : NULL;
}

static int report_progress(void *payload, const drua_process_progress *p)
{
    const listener *l = payload;
    JNIEnv *env = l->env;
    jstring what = optional_string(env, p->what), plan = optional_string(env, p->plan),
            line = optional_string(env, p->line);
    if (jni_pending(env))
        return 0;
    const jboolean goes_on = (*env)->CallBooleanMethod(env, l->watch, jni.progressed, what, (jlong)p->done,
                                                       (jlong)p->all, (jdouble)p->left, plan, line);
    (*env)->DeleteLocalRef(env, what);
    (*env)->DeleteLocalRef(env, plan);
    (*env)->DeleteLocalRef(env, line);
    return !jni_pending(env) && goes_on;
}

static void process_file(JNIEnv *env, jclass class, jstring pipeline, jstring input, jstring output, jstring settings,
                         jobject watch)
{
    (void)class;
    enum { TEXTS = 4 };
    const jstring strings[TEXTS] = {pipeline, input, output, settings};
    char *texts[TEXTS] = {NULL};
    listener l = {env, watch};
    for (int i = 0; i < TEXTS && !jni_pending(env); i++)
        texts[i] = jni_utf8(env, strings[i]);
    if (!jni_pending(env)) {
        const drua_status status = drua_process_file(texts[0], texts[1], texts[2], texts[3], report_progress, &l);
        if (!jni_pending(env))
            jni_failed(env, status);
    }
    for (int i = 0; i < TEXTS; i++)
        free(texts[i]);
}

bool jni_register_calls(JNIEnv *env, jclass class)
{
    const JNINativeMethod methods[] = {
        METHOD("command", "(JI" TEXT "[" TEXT "[D[Ljava/lang/Object;)[Ljava/lang/Object;", command),
        METHOD("invoke", "(J" TEXT "[I[J[D[" TEXT "[Ljava/lang/Object;[J)[Ljava/lang/Object;", invoke),
        METHOD("processFile", "(" TEXT TEXT TEXT TEXT "Ldrua/engine/ProcessWatch;)V", process_file),
    };
    return (*env)->RegisterNatives(env, class, methods, COUNT(methods)) == JNI_OK;
}

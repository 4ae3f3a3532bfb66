/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices, contexts and their reports. */
#include "marshal.h"

#include <stdatomic.h>
#include <stdlib.h>

static jstring version(JNIEnv *env, jclass class)
{
    (void)class;
    return jni_string(env, drua_version());
}

static jstring describe(JNIEnv *env, jclass class)
{
    (void)class;
    return jni_string(env, drua_describe());
}

static bool put_count(JNIEnv *env, jobjectArray row, jsize i, uint64_t value)
{
    char digits[21], *p = digits + sizeof digits - 1;
    *p = 0;
    do {
        *--p = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    return jni_put(env, row, i, jni_string(env, p));
}

static jobjectArray device_row(JNIEnv *env, const drua_device_info *d)
{
    jobjectArray row = (*env)->NewObjectArray(env, 13, jni.string, NULL);
    char number[8];
    int tenths = (int)(d->opencl_version * 10 + 0.5);
    number[0] = (char)('0' + tenths / 10 % 10);
    number[1] = '.';
    number[2] = (char)('0' + tenths % 10);
    number[3] = 0;
    bool done =
        row && jni_put(env, row, 0, jni_string(env, d->name)) && jni_put(env, row, 1, jni_string(env, d->platform)) &&
        jni_put(env, row, 2, jni_string(env, d->driver)) && jni_put(env, row, 3, jni_string(env, d->version)) &&
        jni_put(env, row, 4, jni_string(env, number)) &&
        jni_put(env, row, 5, jni_string(env, d->is_gpu ? "gpu" : "cpu")) && put_count(env, row, 6, d->global_memory) &&
        put_count(env, row, 7, d->largest_allocation) && put_count(env, row, 8, d->local_memory) &&
        put_count(env, row, 9, d->compute_units) && put_count(env, row, 10, d->clock_mhz) &&
        put_count(env, row, 11, d->largest_work_group) && jni_put(env, row, 12, jni_string(env, d->extensions));
    return done ? row : NULL;
}

static jobjectArray devices(JNIEnv *env, jclass class)
{
    (void)class;
    jsize count = (jsize)drua_device_count();
    jobjectArray rows = (*env)->NewObjectArray(env, count, jni.strings, NULL);
    for (jsize i = 0; rows && i < count; i++) {
        drua_device_info info;
        if (jni_failed(env, drua_device_describe((size_t)i, &info)) || !jni_put(env, rows, i, device_row(env, &info)))
            return NULL;
    }
    return rows;
}

static jlong open_device(JNIEnv *env, jclass class, jstring selector)
{
    (void)class;
    char *text = jni_utf8(env, selector);
    if (jni_pending(env))
        return 0;
    drua_context *context = NULL;
    jni_failed(env, drua_open(text, &context));
    free(text);
    return (jlong)(intptr_t)context;
}

static void close_device(JNIEnv *env, jclass class, jlong context)
{
    (void)env, (void)class;
    drua_close(jni_context(context));
}

static void cancel(JNIEnv *env, jclass class, jlong context)
{
    (void)env, (void)class;
    drua_cancel(jni_context(context));
}

static jdouble progress(JNIEnv *env, jclass class, jlong context)
{
    (void)env, (void)class;
    return drua_progress(jni_context(context));
}

static jboolean is_compiling(JNIEnv *env, jclass class, jlong context)
{
    (void)env, (void)class;
    return drua_is_compiling(jni_context(context)) != 0;
}

static jboolean is_lost(JNIEnv *env, jclass class, jlong context)
{
    (void)env, (void)class;
    return drua_is_lost(jni_context(context)) != 0;
}

static void prepare_exit(JNIEnv *env, jclass class)
{
    (void)env, (void)class;
    drua_prepare_exit();
}

static void restart(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    jni_failed(env, drua_restart(jni_context(context)));
}

static jobjectArray device(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    drua_device_info info;
    drua_context_device(jni_context(context), &info);
    return device_row(env, &info);
}

static jstring note(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    return jni_string(env, drua_context_note(jni_context(context)));
}

static jstring warning(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    return jni_string(env, drua_context_warning(jni_context(context)));
}

static void set_memory(JNIEnv *env, jclass class, jlong context, jstring budget)
{
    (void)class;
    char *text = jni_utf8(env, budget);
    if (!jni_pending(env))
        jni_failed(env, drua_set_memory(jni_context(context), text));
    free(text);
}

static jlong budget(JNIEnv *env, jclass class, jlong context)
{
    (void)env, (void)class;
    drua_statistics statistics;
    drua_get_statistics(jni_context(context), &statistics);
    return (jlong)statistics.budget_bytes;
}

static void sync_device(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    jni_failed(env, drua_sync(jni_context(context)));
}

/* State of the last check that was started: its progress in thousandths, and whether it should stop. */
static atomic_int checked;
static atomic_bool check_ends;

static int watch_check(void *payload, double part)
{
    (void)payload;
    atomic_store(&checked, (int)(1000 * part));
    return !atomic_load(&check_ends);
}

static jstring check_computer(JNIEnv *env, jclass class)
{
    (void)class;
    const char *report;
    atomic_store(&checked, 0);
    atomic_store(&check_ends, false);
    drua_check_computer(watch_check, NULL, &report);
    return jni_string(env, report);
}

static jdouble check_progress(JNIEnv *env, jclass class)
{
    (void)env, (void)class;
    return atomic_load(&checked) / 1000.0;
}

static void stop_check(JNIEnv *env, jclass class)
{
    (void)env, (void)class;
    atomic_store(&check_ends, true);
}

static jstring report_memory(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    return jni_string(env, drua_report_memory(jni_context(context)));
}

static jstring take_lines(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    return jni_string(env, drua_take_messages(jni_context(context)));
}

static jstring take_misfit(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    return jni_string(env, drua_take_misfit(jni_context(context)));
}

static jstring explain(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    return jni_string(env, drua_explain_launches(jni_context(context)));
}

static void trace(JNIEnv *env, jclass class, jlong context, jboolean on)
{
    (void)class;
    jni_failed(env, drua_trace(jni_context(context), on == JNI_TRUE));
}

static void time_launches(JNIEnv *env, jclass class, jlong context, jboolean on)
{
    (void)class;
    jni_failed(env, drua_time_launches(jni_context(context), on == JNI_TRUE));
}

static jstring trace_text(JNIEnv *env, jclass class, jlong context)
{
    (void)class;
    return jni_string(env, drua_trace_text(jni_context(context)));
}

bool jni_register_devices(JNIEnv *env, jclass class)
{
    const JNINativeMethod methods[] = {
        METHOD("version", "()" TEXT, version),
        METHOD("describe", "()" TEXT, describe),
        METHOD("devices", "()[[" TEXT, devices),
        METHOD("open", "(" TEXT ")J", open_device),
        METHOD("close", "(J)V", close_device),
        METHOD("cancel", "(J)V", cancel),
        METHOD("progress", "(J)D", progress),
        METHOD("isCompiling", "(J)Z", is_compiling),
        METHOD("isLost", "(J)Z", is_lost),
        METHOD("prepareExit", "()V", prepare_exit),
        METHOD("restart", "(J)V", restart),
        METHOD("device", "(J)[" TEXT, device),
        METHOD("note", "(J)" TEXT, note),
        METHOD("warning", "(J)" TEXT, warning),
        METHOD("setMemory", "(J" TEXT ")V", set_memory),
        METHOD("budget", "(J)J", budget),
        METHOD("sync", "(J)V", sync_device),
        METHOD("checkComputer", "()" TEXT, check_computer),
        METHOD("checkProgress", "()D", check_progress),
        METHOD("stopCheck", "()V", stop_check),
        METHOD("reportMemory", "(J)" TEXT, report_memory),
        METHOD("takeLines", "(J)" TEXT, take_lines),
        METHOD("takeMisfit", "(J)" TEXT, take_misfit),
        METHOD("explain", "(J)" TEXT, explain),
        METHOD("trace", "(JZ)V", trace),
        METHOD("timeLaunches", "(JZ)V", time_launches),
        METHOD("traceText", "(J)" TEXT, trace_text),
    };
    return (*env)->RegisterNatives(env, class, methods, COUNT(methods)) == JNI_OK;
}

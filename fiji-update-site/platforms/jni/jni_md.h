/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of jni.h that differs between systems, for all supported systems, because a JDK contains only the part for
 * its own system.
 */
#ifndef DRUA_JNI_MD_H
#define DRUA_JNI_MD_H

#if defined(_WIN32)
#define JNIEXPORT __declspec(dllexport)
#define JNIIMPORT __declspec(dllimport)
#define JNICALL __stdcall
#else
#define JNIEXPORT __attribute__((visibility("default")))
#define JNIIMPORT
#define JNICALL
#endif

typedef int jint;
typedef long long jlong;
typedef signed char jbyte;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The message that explains a failure. Each thread has one; the code that finds the failure sets it, and the caller
 * reads it.
 */
#ifndef DRUA_BASE_ERROR_H
#define DRUA_BASE_ERROR_H

#include <drua/types.h>

#if defined(__GNUC__)
#define DRUA_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define DRUA_PRINTF(text, first)
#endif

/** Sets this thread's error message and returns `status`, so that a function can end with `return drua_fail(...)`. */
drua_status drua_fail(drua_status status, const char *format, ...) DRUA_PRINTF(2, 3);

/**
 * Puts "operation: " (or "operation (called in line n): ") before this thread's error message, unless it is already
 * there.
 */
void drua_error_prefix(const char *operation, int line);

/** This thread's error message, or "". */
const char *drua_error_text(void);

/** The error message for a failed host allocation; needs no memory itself. */
drua_status drua_fail_memory(size_t bytes);

/** Returns from the function with the status of a failed call. */
#define DRUA_TRY(call)                                                                                                 \
    do {                                                                                                               \
        drua_status try_status = (call);                                                                               \
        if (try_status != DRUA_OK)                                                                                     \
            return try_status;                                                                                         \
    } while (0)

#endif

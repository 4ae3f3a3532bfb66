/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Java and many programs set the process to the user's language. C then writes and reads 1.5 as 1,5 in sentences, in
 * program text and in drivers. So every entry into the engine switches its thread to the C locale and back.
 */
#ifndef DRUA_BASE_C_LOCALE_H
#define DRUA_BASE_C_LOCALE_H

/** From now on this thread writes and reads numbers with a decimal point. Calls nest. */
void drua_locale_enter(void);

/** Ends the innermost drua_locale_enter of this thread; the outermost one restores the thread's locale. */
void drua_locale_leave(void);

#endif

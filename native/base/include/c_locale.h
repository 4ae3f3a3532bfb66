/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Java and many other programs set the process's locale to the user's. In many locales, C then reads and writes 1.5 as
 * 1,5: in messages, in generated code and inside drivers. So every entry into the engine switches its thread to the C
 * locale, and back on return.
 */
#ifndef DRUA_BASE_C_LOCALE_H
#define DRUA_BASE_C_LOCALE_H

/** From now on this thread writes and reads numbers with a decimal point. Calls nest. */
void drua_locale_enter(void);

/** Ends the innermost drua_locale_enter of this thread; the outermost one restores the thread's locale. */
void drua_locale_leave(void);

#endif

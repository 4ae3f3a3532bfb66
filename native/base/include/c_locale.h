/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Java and many programs make the user's language the process' own, and C then writes and reads 1.5 as 1,5: in
 * sentences, in program text, in drivers. So every way into the engine puts its thread into the C locale and takes it
 * out again.
 */
#ifndef DRUA_BASE_C_LOCALE_H
#define DRUA_BASE_C_LOCALE_H

/** From now on this thread writes and reads numbers with a point. Calls nest. */
void drua_locale_enter(void);

/** Ends the innermost drua_locale_enter of this thread; the outermost gives the thread its own locale back. */
void drua_locale_leave(void);

#endif

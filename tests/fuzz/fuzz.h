/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the fuzz targets share. Each target is a file with libFuzzer's entry: whatever the bytes are, nothing crashes,
 * and what cannot be done is refused with a status and a sentence.
 */
#ifndef DRUA_TESTS_FUZZ_H
#define DRUA_TESTS_FUZZ_H

#include <drua/drua.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/** A folder of the process's own, where it stands from then on: calls may write files of any name. It stays the same.
 */
const char *fuzz_folder(void);

/** Writes bytes to a file of the folder. */
void fuzz_store(const char *name, const void *bytes, size_t size);

/** Removes a file or folder there with all that is in it. */
void fuzz_remove(const char *name);

/** One context for all inputs, with a small budget: labels of 4e9 would have tables of that size. */
drua_context *fuzz_context(void);

/** Ends the process unless the status is one of Drua's, no internal error, and has a sentence of one line where it is a
 * failure. */
void fuzz_check(const char *call, drua_status status);

/** Removes the folder and closes the context. Prints how many statuses were looked at. */
void fuzz_end(void);

#endif

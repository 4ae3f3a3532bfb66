/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Helpers of the fuzz targets. Each target is a file with libFuzzer's entry point. No input may crash the program, and
 * invalid input must be refused with a status and an error message.
 */
#ifndef DRUA_TESTS_FUZZ_H
#define DRUA_TESTS_FUZZ_H

#include <drua/drua.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/**
 * A private folder, which becomes the process's working directory, because calls may write files of any name. Later
 * calls return the same folder.
 */
const char *fuzz_folder(void);

/** Writes bytes to a file of the folder. */
void fuzz_store(const char *name, const void *bytes, size_t size);

/** Removes a file of the folder, or a subfolder with its content. */
void fuzz_remove(const char *name);

/** One context for all inputs. Its budget is small, because labels of 4e9 would need tables of that size. */
drua_context *fuzz_context(void);

/**
 * Ends the process unless the status is one of Drua's, is not an internal error and, for a failure, comes with an error
 * message of one line.
 */
void fuzz_check(const char *call, drua_status status);

/** Removes the folder and closes the context. Prints the number of statuses checked. */
void fuzz_end(void);

#endif

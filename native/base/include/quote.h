/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts in UTF-8 as literals of the languages that Drua writes: the value of a literal is the text, and no character
 * ends the literal early. Bytes that are not UTF-8 become U+FFFD, except for a shell. */
#ifndef DRUA_BASE_QUOTE_H
#define DRUA_BASE_QUOTE_H

#include "text.h"

/** Adds a JSON string with its quotation marks. */
void drua_text_add_json(drua_text *text, const char *characters);

/** Adds one word of a POSIX shell. */
void drua_text_add_shell(drua_text *text, const char *word);

/**
 * Adds an expression of ImageJ's macro language in ASCII. That language has no escape for other characters: they
 * become fromCharCode(numbers of UTF-16).
 */
void drua_text_add_macro(drua_text *text, const char *characters, size_t length);

/** Adds a value of Java's properties, as ImageJ's description of a TIFF has them: \uXXXX for all but plain ASCII. */
void drua_text_add_property(drua_text *text, const char *characters);

/** Adds text between the tags of XML. */
void drua_text_add_xml(drua_text *text, const char *characters);

#endif

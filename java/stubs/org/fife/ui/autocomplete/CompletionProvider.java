// SPDX-License-Identifier: BSD-3-Clause
package org.fife.ui.autocomplete;

/** A stub for compilation; Fiji provides the real class. Never packaged. */
public interface CompletionProvider {}

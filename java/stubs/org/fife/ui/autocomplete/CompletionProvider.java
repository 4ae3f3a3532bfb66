// SPDX-License-Identifier: BSD-3-Clause
package org.fife.ui.autocomplete;

/** Stand-in to compile against; Fiji brings the real one. Never packaged. */
public interface CompletionProvider {}

// SPDX-License-Identifier: BSD-3-Clause
package org.fife.ui.autocomplete;

/** Stand-in to compile against; Fiji brings the real one. Never packaged. */
public class BasicCompletion {
    public BasicCompletion(CompletionProvider provider, String replacement, String shortDescription, String summary) {}
}

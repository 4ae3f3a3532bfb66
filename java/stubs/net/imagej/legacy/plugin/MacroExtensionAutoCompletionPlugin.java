// SPDX-License-Identifier: BSD-3-Clause
package net.imagej.legacy.plugin;

import java.util.List;
import org.fife.ui.autocomplete.BasicCompletion;
import org.fife.ui.autocomplete.CompletionProvider;

/** A stub for compilation; Fiji provides the real class. Never packaged. */
public interface MacroExtensionAutoCompletionPlugin {
    List<BasicCompletion> getCompletions(CompletionProvider provider);
}

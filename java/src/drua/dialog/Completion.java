// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.engine.NativeLibrary;
import drua.engine.Quote;
import drua.engine.Registry;
import java.util.ArrayList;
import java.util.List;
import net.imagej.legacy.plugin.MacroExtensionAutoCompletionPlugin;
import org.fife.ui.autocomplete.BasicCompletion;
import org.fife.ui.autocomplete.CompletionProvider;

/**
 * Completes Ext.NAME in Fiji's Script Editor. Fiji finds this class through META-INF/json/org.scijava.plugin.Plugin;
 * nothing else loads it.
 */
public final class Completion implements MacroExtensionAutoCompletionPlugin {
    /** One completion for each command. Empty if the engine cannot be loaded; starting Drua then reports why. */
    @Override
    public List<BasicCompletion> getCompletions(CompletionProvider provider) {
        List<BasicCompletion> completions = new ArrayList<>();
        try {
            NativeLibrary.load();
        } catch (EngineException e) {
            return completions;
        }
        for (Registry.Command command : Registry.get().commands.values())
            completions.add(new BasicCompletion(provider, command.signature(), null, page(command)));
        return completions;
    }

    private static String page(Registry.Command command) {
        StringBuilder page = new StringBuilder("<b>")
                                 .append(command.name)
                                 .append("</b><br>")
                                 .append(Quote.html(command.operation.summary))
                                 .append("<ul>");
        for (Registry.Parameter parameter : command.operation.parameters)
            page.append("<li>").append(parameter.name).append(": ").append(Quote.html(parameter.doc)).append("</li>");
        return page.append("</ul>").toString();
    }
}

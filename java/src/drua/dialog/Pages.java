// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Quote;
import drua.engine.Registry;
import ij.IJ;
import java.net.URL;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The pages of operations, with examples and pictures. The pages are files in a jar next to this one; without it they
 * are made from the engine's description.
 */
final class Pages {
    private static final String FOLDER = "drua/pages/";

    private Pages() {}

    /** The page of an operation, or null if the jar of pages is missing. */
    static URL of(Registry.Operation operation) {
        String file = FOLDER + operation.name + ".html";
        URL own = Pages.class.getResource("/" + file);
        return own != null ? own : IJ.getClassLoader().getResource(file);
    }

    /** The operation name in a link between pages. */
    static String target(String link) {
        return link.replaceFirst(".*/", "").replaceFirst("\\.html$", "");
    }

    /** A page without example and picture. */
    static String made(Registry.Operation operation) {
        List<String> commands = Registry.get().calls(operation).stream().map(Quote::html).collect(Collectors.toList());
        StringBuilder page = new StringBuilder("<h1>")
                                 .append(Quote.html(operation.title()))
                                 .append("</h1><p>")
                                 .append(Quote.html(operation.summary))
                                 .append("</p><h2>Commands</h2><pre>")
                                 .append(String.join("\n", commands))
                                 .append("</pre><p>Each command exists with the prefixes ")
                                 .append("<code>Drua_</code>, <code>CLIJ2_</code>, <code>CLIJx_</code> and "
                                     + "<code>CLIJ_</code>.</p><h2>Parameters</h2><table border=1>");
        for (Registry.Parameter p : operation.parameters) {
            row(page, p);
            p.settings.forEach(setting -> row(page, setting));
        }
        page.append("</table>");
        if (!operation.source.isEmpty())
            page.append("<h2>Method</h2><p>").append(Quote.html(operation.source)).append("</p>");
        return page.toString();
    }

    private static void row(StringBuilder page, Registry.Parameter p) {
        page.append("<tr><td>")
            .append(Quote.html(p.name))
            .append("</td><td>")
            .append(Quote.html(p.doc))
            .append("</td><td>")
            .append(Quote.html(p.unit))
            .append("</td><td>")
            .append(p.choices.isEmpty() ? p.min == null ? "" : Registry.number(p.min) + " to " + Registry.number(p.max)
                                        : Quote.html(String.join(", ", p.choices)))
            .append("</td></tr>");
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Maps the project's documents to places in the site and adapts their links. A link to a file that the site does not
 * contain becomes plain text.
 */
final class SiteLinks {
    private static final Pattern LINK = Pattern.compile("(!?)\\[([^\\[\\]]*)\\]\\(([^)\\s]+)\\)");

    private final Map<Path, String> places = new LinkedHashMap<>();
    private final List<String> dead = new ArrayList<>();

    void place(String document, String place) {
        places.put(Paths.get(document), place);
    }

    /** The place of a document in the site, or null. */
    String place(String document) {
        return places.get(Paths.get(document));
    }

    /** The text of a document with links that are valid at its place. */
    String moved(String document, String text) {
        return moved(document, text, place(document));
    }

    /** The text of a document with links that are valid at another place of the site. */
    String moved(String document, String text, String place) {
        StringBuilder result = new StringBuilder(), prose = new StringBuilder();
        boolean code = false;
        for (String line : text.split("\n", -1)) {
            code ^= line.startsWith("```");
            if (code || line.startsWith("    ")) {
                result.append(movedProse(document, prose.toString(), place)).append(line).append('\n');
                prose.setLength(0);
            } else {
                prose.append(line).append('\n');
            }
        }
        result.append(movedProse(document, prose.toString(), place)).setLength(result.length() - 1);
        return result.toString();
    }

    /** Lines without code; the text of a link may continue on the next line. */
    private String movedProse(String document, String lines, String place) {
        Matcher link = LINK.matcher(lines);
        StringBuffer result = new StringBuffer();
        while (link.find()) {
            String target = link.group(3), all = link.group();
            if (!target.startsWith("#") && !target.contains(":"))
                all = moved(document, link.group(1), link.group(2), target, place);
            link.appendReplacement(result, Matcher.quoteReplacement(all));
        }
        return link.appendTail(result).toString();
    }

    private String moved(String document, String picture, String text, String target, String place) {
        String file = target.replaceFirst("#.*", ""), anchor = target.substring(file.length());
        Path from = Paths.get(document).getParent(),
             path = (from == null ? Paths.get(file) : from.resolve(file)).normalize();
        if (picture.equals("!") && path.startsWith("docs/reference/pictures"))
            return "![" + text + "](" + file + ")";
        String linked = places.get(path);
        if (linked == null) {
            if (!Files.exists(path))
                dead.add(document + ": " + target);
            return text;
        }
        Path folder = Paths.get(place).getParent();
        return picture + "[" + text + "](" + (folder == null ? Paths.get(linked) : folder.relativize(Paths.get(linked)))
            + anchor + ")";
    }

    /** Throws if a link had no target. */
    void stopIfDead() {
        if (!dead.isEmpty())
            throw new IllegalStateException("links without a target: " + String.join(", ", dead));
    }
}

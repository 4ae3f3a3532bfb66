// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Links citations such as "Sternberg 1983" to the publications' DOIs. */
public final class Publications {
    private static final Pattern CITATION =
        Pattern.compile("(\\p{Lu}[\\p{L}-]+|et al\\.|and others),? \\(?(18|19|20)\\d\\d\\b");

    /** By the pattern of a citation: the address of the publication; null: none is known. */
    private final Map<String, String> addresses = new LinkedHashMap<>();

    /** @param list lines of a citation, a tab and a DOI or "-"; lines that begin with # are comments */
    public Publications(Path list) throws IOException {
        for (String line : Files.readAllLines(list, StandardCharsets.UTF_8)) {
            String[] words = line.split("\t");
            if (line.startsWith("#"))
                continue;
            if (words.length != 2 || !words[1].matches("-|10\\.\\d{4,}/\\S+"))
                throw new IOException(list + ": not a citation, a tab and a DOI: " + line);
            addresses.put(pattern(words[0]),
                words[1].equals("-") ? null : "https://doi.org/" + words[1].replace("(", "%28").replace(")", "%29"));
        }
    }

    private static String pattern(String citation) {
        return "(?<![\\w\\[])(" + citation.replace(".", "\\.").replace(" ", "\\s+") + ")(?![\\w\\]])";
    }

    /** A Markdown text whose citations are links. Code, headings and existing links must not contain citations. */
    public String linked(String text) {
        String result = text;
        for (Map.Entry<String, String> each : addresses.entrySet()) {
            if (each.getValue() != null)
                result = result.replaceAll(each.getKey(), "[$1](" + each.getValue() + ")");
        }
        return result;
    }

    /** The first citation in a text that is not in the list, such as "Otsu 1979", or null. */
    public String unknown(String text) {
        String rest = text;
        for (String citation : addresses.keySet())
            rest = rest.replaceAll(citation, "");
        Matcher left = CITATION.matcher(rest);
        return left.find() ? left.group() : null;
    }
}

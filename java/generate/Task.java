// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A program of macros/tasks. Its first comment is the text of its page in Markdown: a title, the question, the steps,
 * and last how to check the result. Lines such as "image: FILE CAPTION" in this comment are described in
 * macros/README.md.
 */
final class Task {
    /** An image that the program writes. */
    static final class Image {
        final String file, caption;
        final boolean labels;

        Image(String line, boolean labels) {
            int blank = line.indexOf(' ');
            file = line.substring(0, blank);
            caption = line.substring(blank + 1);
            this.labels = labels;
        }
    }

    final Path program;
    /** name: the program's file without its ending. */
    final String name, title, code;
    /** Paragraphs of Markdown: before the program, and after its pictures. */
    final String before, after;
    final List<Image> images = new ArrayList<>();
    /** columns: those of the Results table that the page shows. words: what readers may search for. */
    final List<String> columns = new ArrayList<>(), words = new ArrayList<>();

    Task(Path program) throws IOException {
        this.program = program;
        String file = program.getFileName().toString();
        name = file.substring(0, file.lastIndexOf('.'));
        String mark = file.endsWith(".py") || file.endsWith(".sh") ? "#" : "//";
        List<String> lines = new ArrayList<>(Files.readAllLines(program, StandardCharsets.UTF_8));
        StringBuilder text = new StringBuilder();
        String first = lines.get(0).startsWith("#!") ? lines.remove(0) + "\n" : "";
        lines.remove(0); // the licence
        while (!lines.isEmpty() && lines.get(0).startsWith(mark))
            read(lines.remove(0).substring(mark.length()).replaceFirst("^ ", ""), text);
        code = first + String.join("\n", lines) + "\n";
        List<String> paragraphs = new ArrayList<>(Arrays.asList(text.toString().trim().split("\n\n")));
        if (!paragraphs.get(0).startsWith("# ") || paragraphs.size() < 3)
            throw new IllegalStateException(program + " does not begin with a title, a question and a check");
        title = paragraphs.remove(0).substring(2);
        after = paragraphs.remove(paragraphs.size() - 1);
        before = String.join("\n\n", paragraphs);
    }

    private void read(String line, StringBuilder text) {
        int colon = line.indexOf(": ");
        String rest = colon < 0 ? "" : line.substring(colon + 2);
        switch (colon < 0 ? "" : line.substring(0, colon)) {
        case "image":
            images.add(new Image(rest, false));
            break;
        case "labels":
            images.add(new Image(rest, true));
            break;
        case "table":
            columns.addAll(Arrays.asList(rest.split(" ")));
            break;
        case "words":
            words.addAll(Arrays.asList(rest.split("\\|")));
            break;
        case "expect":
            break;
        default:
            text.append(line).append('\n');
        }
    }

    /** The question: the first sentence that ends with "?", else the first one. */
    String question() {
        String paragraph = before.split("\n\n")[0].replace('\n', ' ');
        int end = paragraph.indexOf("? ");
        if (end < 0)
            end = paragraph.indexOf(". ");
        return end < 0 ? paragraph : paragraph.substring(0, end + 1);
    }

    /** The language of the program for colours. */
    String language() {
        String file = program.getFileName().toString();
        String ending = file.substring(file.lastIndexOf('.') + 1);
        switch (ending) {
        case "ijm": // Pygments has no ImageJ macros, which look like JavaScript
            return "javascript";
        case "py":
            return "python";
        default:
            return ending;
        }
    }
}

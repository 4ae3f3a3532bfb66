// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.NativeLibrary;
import drua.engine.Registry;
import drua.generate.Differences;
import drua.generate.DocumentPictures;
import drua.generate.GenerateSite;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/**
 * Checks the input of the site generator: every operation has a page with all sections, and every link has a target:
 * SitePages REFERENCE TASKS FOLDER.
 */
public final class SitePages {
    private static final String[] SECTIONS = {
        "Commands", "Parameters", "Reads and writes", "Example", "Method", "Speed", "In CLIJ2", "Next", "Related"};
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)"),
                                 HEADING = Pattern.compile("^#+ (.*?)( \\{.*\\})?$", Pattern.MULTILINE);
    private static int passed, failed;

    private SitePages() {}

    public static void main(String[] args) throws IOException {
        NativeLibrary.load();
        Path pages = Paths.get(args[2]).resolve("pages");
        GenerateSite.write(Paths.get(args[0]), Paths.get(args[1]), Paths.get(args[2]));
        for (Registry.Operation operation : Registry.get().operations.values())
            verdict(operation.name, operation(operation, pages));
        List<Path> all;
        try (Stream<Path> files = Files.walk(pages)) {
            all = files.filter(file -> file.toString().endsWith(".md")).sorted().collect(Collectors.toList());
        }
        for (Path page : all)
            verdict(pages.relativize(page).toString(), links(page) + pictures(page));
        for (Path page : all) {
            if (page.getParent().endsWith("tasks") && !page.getFileName().toString().matches("index.md|all_.*"))
                verdict("task " + page.getFileName(), task(page));
        }
        List<String> stale = DocumentPictures.stale();
        verdict("pictures of documents",
            stale.isEmpty() ? "" : stale + " differ from the pictures of their macros; ./dev doc makes them again");
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void verdict(String name, String fault) {
        if (fault.isEmpty()) {
            passed++;
        } else {
            failed++;
            System.out.println("FAIL " + name + ": " + fault);
        }
    }

    /** The sections that are missing on the page of an operation, or "". */
    private static String operation(Registry.Operation operation, Path pages) throws IOException {
        Path file = pages.resolve("operations/" + operation.name + ".md");
        if (!Files.exists(file))
            return "no page";
        String page = text(file), category = text(pages.resolve("categories/" + operation.category + "/index.md"));
        for (String section : SECTIONS) {
            Matcher found = Pattern.compile("(?m)^## " + section + "( \\{.*\\})?\n\n+[^#\\s]").matcher(page);
            if (!found.find())
                return "nothing under " + section;
        }
        boolean picture = Files.exists(pages.resolve("operations/pictures/" + operation.name + ".png"));
        if (!page.contains("\n# " + operation.title() + "\n"))
            return "no title";
        if (!page.contains("(../categories/" + operation.category + "/index.md)"))
            return "no link to its category";
        if (picture && !page.contains("(pictures/" + operation.name + ".png){ .example }\n\n"))
            return "its picture is not shown";
        if (!category.contains("(../../operations/" + operation.name + ".md)"))
            return "its category does not list it";
        return "";
    }

    /** Pictures without a text for readers who do not see them, or "". */
    private static String pictures(Path page) throws IOException {
        Matcher picture = Pattern.compile("!\\[\\s*\\]\\(([^)]*)\\)").matcher(prose(text(page)));
        return picture.find() ? " no text for the picture " + picture.group(1) : "";
    }

    /** The faults of a task's page, or "". */
    private static String task(Path page) throws IOException {
        String text = text(page), name = page.getFileName().toString().replace(".md", "");
        if (!text.contains("\n## Is the result right?\n\n") || !text.contains("\n## Next\n\n["))
            return "no check, or no next page";
        if (!text.contains("It prints:"))
            return ""; // tests/tasks/run.sh says why it could not run
        for (Path picture : filesNamed(page.resolveSibling("pictures"), name + "(_\\d)?\\.png")) {
            if (isUniform(picture))
                return picture.getFileName() + " is blank";
        }
        return text.contains("(pictures/" + name + "_1.png)") ? "" : "no picture";
    }

    private static List<Path> filesNamed(Path folder, String pattern) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(pattern)).collect(Collectors.toList());
        }
    }

    private static boolean isUniform(Path picture) throws IOException {
        BufferedImage image = ImageIO.read(picture.toFile());
        Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++)
                colours.add(image.getRGB(x, y));
        }
        return colours.size() < 2;
    }

    /** Links of a page without a target, or "". */
    private static String links(Path page) throws IOException {
        StringBuilder faults = new StringBuilder();
        Matcher link = LINK.matcher(prose(text(page)).replaceAll("`[^`\n]*`", ""));
        while (link.find()) {
            String target = link.group(1), file = target.replaceFirst("#.*", "");
            if (target.contains(":"))
                continue;
            Path there = file.isEmpty() ? page : page.getParent().resolve(file).normalize();
            if (!Files.exists(there)
                || target.contains("#") && !anchors(there).contains(target.substring(target.indexOf('#') + 1)))
                faults.append(faults.length() > 0 ? ", " : "").append("no ").append(target);
        }
        return faults.toString();
    }

    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        Matcher heading = HEADING.matcher(prose(text(page)));
        while (heading.find())
            anchors.add(Differences.anchor(heading.group(1).replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")));
        return anchors;
    }

    /** A page without its code. */
    private static String prose(String page) {
        return page.replaceAll("(?ms)^```.*?^```$", "").replaceAll("(?m)^    (?! *\\*\\*\\[).*$", "");
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}

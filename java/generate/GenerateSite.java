// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import drua.engine.Native;
import drua.engine.NativeLibrary;
import drua.engine.Quote;
import drua.engine.Registry;
import drua.pipeline.Catalogue;
import ij.IJ;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prepares the input of MkDocs from the reference, the results of the tasks (TaskPages) and the documents in the
 * project's folder: GenerateSite REFERENCE TASKS FOLDER. Only the front page and lists are written here.
 */
public final class GenerateSite {
    /** The guides: a heading, followed by its documents in reading order. */
    private static final String[][] GUIDES = {
        {"Start", "docs/install.md", "docs/first_macro.md", "docs/moving_from_clij2.md", "docs/clij2_scripts.md",
            "docs/scripts.md", "docs/python.md", "docs/imagej.md"},
        {"Methods", "docs/raw_images.md", "docs/deconvolution.md", "docs/esrrf.md", "docs/shape.md", "docs/tracking.md",
            "docs/stitching.md", "docs/custom_operations.md"},
        {"Large images", "docs/memory.md", "docs/blocks.md", "docs/clusters.md", "docs/zarr.md", "docs/dask.md"},
        {"Good to know", "README.md", "docs/assistants.md", "docs/differences.md", "docs/speed.md", "docs/platforms.md",
            "docs/settings.md", "docs/security.md"},
        {"Program", "docs/c_guide.md"},
        {"Write operations", "CONTRIBUTING.md", "docs/releasing.md", "native/README.md", "tests/README.md",
            "docs/internals/speed-notes.md", "docs/internals/launches.md", "docs/internals/petabyte.md",
            "docs/internals/plan-files.md", "docs/internals/terms.md"}};

    private static final String SAMPLES = "macros/images/README.md";
    /** The beginning of the names of pages that hold all pages of a subject. */
    private static final String WHOLE = "all_";

    /** A picture file of more bytes than this has much detail. */
    private static final int LIVELY = 6000;
    private static final int SENTENCES = 160, SAMPLE = 300;

    private final Registry registry = Registry.get();
    private final Catalogue catalogue = Catalogue.get();
    private final Path reference, folder;
    private final SiteLinks links = new SiteLinks();
    private final Publications publications = new Publications(Paths.get("docs/site/publications.tsv"));
    private final TaskPages tasks;
    private final Map<String, List<Registry.Operation>> categories = new TreeMap<>();
    private final StringBuilder page = new StringBuilder();

    private GenerateSite(Path reference, Path results, Path folder) throws IOException {
        this.reference = reference;
        this.folder = folder;
        tasks = new TaskPages(results, folder.resolve("tasks"), links);
    }

    public static void main(String[] args) throws IOException {
        NativeLibrary.load();
        write(Paths.get(args[0]), Paths.get(args[1]), Paths.get(args[2]));
    }

    /**
     * Writes FOLDER/pages and FOLDER/navigation.yml, the list of all pages. Throws if a link of a document has no
     * target.
     */
    public static void write(Path reference, Path results, Path folder) throws IOException {
        GenerateSite site = new GenerateSite(reference, results, folder.resolve("pages"));
        site.place();
        site.guides();
        site.tasks.write();
        site.samples();
        for (Registry.Operation operation : site.registry.operations.values())
            site.operation(operation);
        for (String category : site.categories.keySet())
            site.category(category);
        site.writeJoinedPages();
        site.allOperations();
        site.writeFrontPage();
        site.copy(Paths.get("docs"), "guides", ".png");
        site.copy(reference.resolve("pictures"), "operations/pictures", ".png");
        site.copy(Paths.get("docs/site/assets"), "assets", "");
        SearchWords words = new SearchWords(site.tasks.all());
        site.write("assets/search.js", words.script(Paths.get("docs/site/assets/search.js")));
        site.navigation(folder.resolve("navigation.yml"));
        site.links.stopIfDead();
    }

    /** Assigns a place in the site to each document of the project. */
    private void place() throws IOException {
        for (Registry.Operation operation : registry.operations.values()) {
            categories.computeIfAbsent(operation.category, name -> new ArrayList<>()).add(operation);
            links.place("docs/reference/" + operation.name + ".md", "operations/" + operation.name + ".md");
        }
        links.place("docs/reference/README.md", "operations/index.md");
        links.place(SAMPLES, "samples/index.md");
        for (String[] group : GUIDES) {
            for (int i = 1; i < group.length; i++)
                links.place(group[i], guide(group[i]));
        }
        try (Stream<Path> files = Files.list(Paths.get("docs"))) {
            for (Path file : files.sorted().collect(Collectors.toList())) {
                String name = "docs/" + file.getFileName();
                if (name.endsWith(".png"))
                    links.place(name, "guides/" + file.getFileName());
                else if (name.endsWith(".md") && links.place(name) == null)
                    throw new IllegalStateException(name + " is in no group of guides; add it to GenerateSite.GUIDES");
            }
        }
    }

    private static String guide(String document) {
        String name = document.replaceFirst("^docs/", "");
        return "guides/"
            + (name.equals("README.md") ? "about.md" : name.replace("/README.md", ".md").toLowerCase(Locale.ROOT));
    }

    private void guides() throws IOException {
        for (String[] group : GUIDES) {
            for (int i = 1; i < group.length; i++)
                write(guide(group[i]),
                    withKnownLanguages(publications.linked(links.moved(group[i], text(Paths.get(group[i]))))));
        }
    }

    /** A page whose macros are coloured: Pygments has no ImageJ macros, which look like JavaScript. */
    private static String withKnownLanguages(String page) {
        return page.replaceAll("(?m)^```ijm$", "```javascript")
            .replaceAll("(?m)^```python3$", "```python")
            .replaceAll("(?ms)^(## Commands\n\n)```$", "$1```javascript");
    }

    /** Lists the sample images with a picture of each, and offers the files. */
    private void samples() throws IOException {
        Path images = Paths.get(SAMPLES).getParent();
        line(links.moved(SAMPLES, text(Paths.get(SAMPLES))).replaceFirst("# Images", "# Sample images"));
        line("");
        line("<div class=\"grid cards pictures\" markdown>");
        line("");
        Files.createDirectories(folder.resolve("samples"));
        List<Path> files;
        try (Stream<Path> all = Files.list(images)) {
            files = all.filter(f -> f.toString().endsWith(".tif")).sorted().collect(Collectors.toList());
        }
        for (Path file : files) {
            String name = file.getFileName().toString(), picture = name.replace(".tif", ".png");
            Picture.write(Collections.singletonList(IJ.openImage(file.toString())), Collections.singletonList(false),
                SAMPLE, folder.resolve("samples/" + picture));
            Files.copy(file, folder.resolve("samples/" + name), StandardCopyOption.REPLACE_EXISTING);
            line("-   ![" + name + "](" + picture + "){ loading=lazy }");
            line("");
            line("    **[" + name + "](" + name + ")**");
            line("");
            line("    " + Files.size(file) / 1024 + " KB");
            line("");
        }
        line("</div>");
        flush("samples/index.md");
    }

    /** Writes pages to print: all guides of a heading, and all operations of a category. */
    private void writeJoinedPages() throws IOException {
        StringBuilder list = new StringBuilder("# All pages\n\n");
        list.append("All pages of a subject as one, to print or to search:\n\n");
        for (String[] group : GUIDES) {
            List<String> pages = new ArrayList<>();
            for (int i = 1; i < group.length; i++)
                pages.add(guide(group[i]));
            list.append("- ").append(joinPages(group[0], "guides/", pages));
        }
        list.append("- ").append(joinPages("Tasks", "tasks/",
            tasks.all().stream().map(task -> "tasks/" + task.name + ".md").collect(Collectors.toList())));
        for (Map.Entry<String, List<Registry.Operation>> category : categories.entrySet())
            list.append("- ").append(joinPages(title(category.getKey()), "operations/",
                category.getValue().stream().map(o -> "operations/" + o.name + ".md").collect(Collectors.toList())));
        write("all.md", list.toString());
    }

    /** Joins pages to one in `place`, and returns a link to it with a line break. */
    private String joinPages(String title, String place, List<String> pages) throws IOException {
        String name = place + WHOLE + title.toLowerCase(Locale.ROOT).replace(' ', '_') + ".md";
        line("---");
        line("title: " + Quote.json(title + ": all pages"));
        line("hide: [toc]");
        line("search:");
        line("  exclude: true");
        line("---");
        for (String part : pages) {
            String file = part.replace(place, ""), folderOfFile = file.replaceFirst("[^/]*$", "");
            line(text(folder.resolve(part))
                     .replaceFirst("(?s)^---\n.*?\n---\n", "")
                     .replaceAll("\\]\\((?![a-z]+:|#)", "](" + folderOfFile)
                     .replaceAll("\\]\\(#", "](" + file + "#"));
            line("");
        }
        flush(name);
        return "[" + title + "](" + name + "), " + pages.size() + (pages.size() == 1 ? " page\n" : " pages\n");
    }

    private void operation(Registry.Operation operation) throws IOException {
        String made =
            links.moved("docs/reference/" + operation.name + ".md", text(reference.resolve(operation.name + ".md")));
        line("---");
        line("description: " + Quote.json(operation.summary));
        line("search:");
        line("  boost: " + (operation.menu ? 4 : 1));
        line("---");
        String category =
            "[" + title(operation.category) + "](../" + categoryPage(operation.category) + "){ .category }";
        page.append(
            withKnownLanguages(made)
                .replaceFirst("\n\n", "\n\n" + category + "\n\n")
                .replaceFirst("\n(!\\[.*\\]\\(.*\\.png\\))\n\n(.*)\n", "\n$1{ .example }\n\n$2\n{ .caption }\n")
                .replaceAll("(?m)^(## (Reads and writes|Example|Speed|Next|Related))$", "$1 { data-search-exclude }"));
        flush("operations/" + operation.name + ".md");
    }

    private static String categoryPage(String category) {
        return "categories/" + category + "/index.md";
    }

    /** Writes cards of a category's operations, most used first. */
    private void category(String category) throws IOException {
        line("---");
        line("hide: [toc]");
        line("---");
        line("# " + title(category));
        line("");
        line("<div class=\"grid cards pictures\" markdown>");
        line("");
        List<Registry.Operation> operations = new ArrayList<>(categories.get(category));
        operations.sort(
            Comparator.comparingInt((Registry.Operation o) -> - sortKey(o)).thenComparing(Registry.Operation::title));
        for (Registry.Operation operation : operations)
            writeCard("../../operations/" + operation.name + ".md", pictureOf(operation, "../../"), operation.title(),
                operation.summary);
        line("</div>");
        line("");
        line("[All of these pages as one](../../operations/" + WHOLE + category.replace(' ', '_') + ".md)");
        flush(categoryPage(category));
    }

    /** Sort key: operations that are useful on their own come before operations that many macros use. */
    private int sortKey(Registry.Operation operation) {
        return catalogue.macros(operation) + (operation.menu ? 1000 : 0);
    }

    private void allOperations() throws IOException {
        line("---");
        line("hide: [toc]");
        line("---");
        line("# Operations");
        line("");
        line(registry.operations.size() + " operations of Drua " + Native.version()
            + ". The search above finds them by name, by CLIJ2's names and by what they do.");
        line("");
        cardsOfCategories("../");
        flush("operations/index.md");
    }

    /**
     * Categories with the most operations that are useful on their own come first, then those with the most pictures.
     */
    private void cardsOfCategories(String up) {
        List<String> names = new ArrayList<>(categories.keySet());
        names.sort(Comparator.comparingLong(name
            ->
            - categories.get(name)
                    .stream()
                    .filter(o -> pictureOf(o, up) != null)
                    .mapToInt(o -> o.menu ? 1000 : 1)
                    .sum()));
        line("<div class=\"grid cards pictures\" markdown>");
        line("");
        for (String name : names) {
            List<Registry.Operation> operations = new ArrayList<>(categories.get(name));
            operations.sort(Comparator.comparingInt(o -> - sortKey(o)));
            String picture =
                operations.stream().filter(this::isLively).map(o -> pictureOf(o, up)).findFirst().orElse(null);
            writeCard(up + categoryPage(name), picture, title(name),
                operations.size() + " operations: "
                    + operations.stream().limit(3).map(Registry.Operation::title).collect(Collectors.joining(", ")));
        }
        line("</div>");
    }

    /** The path to the example picture of an operation, or null. */
    private String pictureOf(Registry.Operation operation, String up) {
        return Files.exists(reference.resolve("pictures/" + operation.name + ".png"))
            ? up + "operations/pictures/" + operation.name + ".png"
            : null;
    }

    /** True for a picture with much detail: points on black and uniform images compress well. */
    private boolean isLively(Registry.Operation operation) {
        return reference.resolve("pictures/" + operation.name + ".png").toFile().length() > LIVELY;
    }

    private void writeCard(String link, String picture, String title, String text) {
        line("-   " + (picture == null ? "" : "![Example of " + title + "](" + picture + "){ loading=lazy }"));
        line("");
        line("    **[" + title + "](" + link + ")**");
        line("");
        line("    " + text);
        line("");
    }

    /** Writes the beginning of README, the demonstration's picture, the categories and the guides. */
    private void writeFrontPage() throws IOException {
        String readme = text(Paths.get("README.md"));
        String[] begin = readme.split("\n\n");
        line("---");
        line("title: Drua");
        line("hide: [navigation, toc]");
        line("---");
        line("<div class=\"hero\" markdown>");
        line("<div markdown>");
        line("");
        line(begin[0]);
        line("");
        line(begin[1]);
        line("");
        line("[First macro](guides/first_macro.md){ .md-button .md-button--primary } "
            + "[Install](guides/install.md){ .md-button } "
            + "[Tasks](tasks/index.md){ .md-button } "
            + "[Operations](operations/index.md){ .md-button } "
            + "[From CLIJ2](guides/moving_from_clij2.md){ .md-button }");
        line("");
        line("</div>");
        line("<div markdown>");
        line("");
        line("![Nuclei, and their labels](guides/nuclei.png)");
        line("");
        line("</div>");
        line("</div>");
        line("");
        line("## " + registry.operations.size() + " operations");
        line("");
        cardsOfCategories("");
        line("");
        line("## Guides");
        line("");
        line("<div class=\"grid cards\" markdown>");
        line("");
        for (String[] group : GUIDES) {
            for (int i = 1; i < group.length; i++) {
                if (!group[i].endsWith("/README.md"))
                    writeCard(guide(group[i]), null, titleOf(group[i]),
                        firstSentences(links.moved(group[i], text(Paths.get(group[i])), "index.md")));
            }
        }
        line("</div>");
        flush("index.md");
    }

    /** The first sentences of a document as plain text. */
    private static String firstSentences(String document) {
        String paragraph = Stream.of(document.split("\n\n"))
                               .filter(part -> part.matches("(?s)(?!```)[A-Z`*\\[].*"))
                               .findFirst()
                               .orElse("");
        StringBuilder begin = new StringBuilder();
        for (String sentence : paragraph.replace('\n', ' ').split("(?<=[a-z)`][.]) ")) {
            if (begin.length() > 0 && begin.length() + sentence.length() > SENTENCES)
                break;
            begin.append(begin.length() > 0 ? " " : "").append(sentence);
        }
        return begin.toString().replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").replaceFirst(":$", ".");
    }

    /** The title of a guide. A file named README has a different title on the site. */
    private static String titleOf(String document) throws IOException {
        switch (document) {
        case "README.md":
            return "About Drua";
        case "CONTRIBUTING.md":
            return "Writing operations";
        case "native/README.md":
            return "The engine";
        case "tests/README.md":
            return "Tests";
        default:
            return text(Paths.get(document)).split("\n")[0].replaceFirst("^# ", "").replaceFirst(":.*", "");
        }
    }

    private static String title(String category) {
        return Character.toUpperCase(category.charAt(0)) + category.substring(1);
    }

    private void navigation(Path file) throws IOException {
        line("nav:");
        line("  - Drua: index.md");
        tasks.navigation(page);
        line("  - Guides:");
        for (String[] group : GUIDES) {
            line("      - " + group[0] + ":");
            for (int i = 1; i < group.length; i++)
                line("          - " + Quote.json(titleOf(group[i])) + ": " + guide(group[i]));
        }
        line("  - Operations:");
        line("      - operations/index.md");
        categories.forEach((category, operations) -> {
            line("      - " + title(category) + ":");
            line("          - " + categoryPage(category));
            operations.stream()
                .sorted(Comparator.comparing(Registry.Operation::title))
                .forEach(operation
                    -> line("          - " + Quote.json(operation.title()) + ": operations/" + operation.name + ".md"));
        });
        line("  - Sample images: samples/index.md");
        line("  - All pages: all.md");
        Files.write(file, page.toString().getBytes(StandardCharsets.UTF_8));
        page.setLength(0);
    }

    private void copy(Path from, String to, String ending) throws IOException {
        Files.createDirectories(folder.resolve(to));
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(f -> f.toString().endsWith(ending)).collect(Collectors.toList()))
                Files.copy(file, folder.resolve(to).resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    private void line(String text) {
        page.append(text).append('\n');
    }

    private void flush(String name) throws IOException {
        write(name, page.toString());
        page.setLength(0);
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import drua.engine.Native;
import drua.engine.NativeLibrary;
import drua.engine.Registry;
import drua.pipeline.Catalogue;
import drua.pipeline.Kinds;
import ij.ImagePlus;
import ij.measure.ResultsTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Writes the reference from the registry: a page for each operation and an index. It runs the examples and includes
 * their pictures and results. Arguments: PICTURE, the file whose central part the examples open, and FOLDER, where the
 * pages go.
 */
public final class GenerateReference {
    private static final int RELATED = 6, NEXT = 8, ROWS = 5, LINES = 12, COLUMNS = 8, WIDEST = 100;

    private static final Map<Kinds.Kind, String> KINDS = new EnumMap<>(Kinds.Kind.class);
    static {
        KINDS.put(Kinds.Kind.GREY, "grey values");
        KINDS.put(Kinds.Kind.MASK, "a mask");
        KINDS.put(Kinds.Kind.LABELS, "a label map");
        KINDS.put(Kinds.Kind.NUMBERS, "vectors, matrices and point lists");
    }

    private final Registry registry = Registry.get();
    private final Catalogue catalogue = Catalogue.get();
    private final Speeds speeds = new Speeds(Paths.get("tests/bench/results"));
    private final Differences differences = new Differences(Paths.get("docs/differences.md"), registry);
    private final Publications publications = new Publications(Paths.get("docs/site/publications.tsv"));
    private final ImagePlus nuclei;
    private final Path folder;
    private final Predicate<String> runs;
    private final StringBuilder page = new StringBuilder();

    /** Operations whose example failed, with the error. */
    public final Map<String, String> failures = new LinkedHashMap<>();
    /** Operations whose example needs a display. */
    public final List<String> skipped = new ArrayList<>();

    private GenerateReference(ImagePlus nuclei, Path folder, Predicate<String> runs) throws IOException {
        this.nuclei = nuclei;
        this.folder = folder;
        this.runs = runs;
    }

    public static void main(String[] args) throws IOException {
        GenerateReference made = write(args[0], Paths.get(args[1]), operation -> true);
        made.failures.forEach((operation, reason) -> System.err.println(operation + ": " + reason));
        System.exit(made.failures.isEmpty() ? 0 : 1);
    }

    /** Writes all pages and runs the examples of the selected operations. */
    public static GenerateReference write(String picture, Path folder, Predicate<String> runs) throws IOException {
        System.setProperty("java.awt.headless", "true");
        NativeLibrary.load();
        Files.createDirectories(folder.resolve("pictures"));
        GenerateReference made = new GenerateReference(ExampleRun.open(picture, 190, 160), folder, runs);
        made.index();
        for (Registry.Operation operation : made.registry.operations.values())
            made.describe(operation);
        return made;
    }

    private void index() throws IOException {
        Map<String, List<Registry.Operation>> categories = new TreeMap<>();
        for (Registry.Operation operation : registry.operations.values())
            categories.computeIfAbsent(operation.category, name -> new ArrayList<>()).add(operation);
        line("# Operations");
        line("");
        line("The operations of Drua " + Native.version()
            + ", by subject. `./dev doc` makes this list from the engine's description; all examples have run.");
        categories.forEach((category, operations) -> {
            line("");
            line("## " + Character.toUpperCase(category.charAt(0)) + category.substring(1));
            line("");
            line("| operation | what it does |");
            line("|---|---|");
            for (Registry.Operation operation : operations)
                line("| " + link(operation) + " | " + escapeCell(operation.summary) + " |");
        });
        flush(folder.resolve("README.md"));
    }

    private void describe(Registry.Operation operation) throws IOException {
        Registry.Command own = registry.commands.get("Drua_" + operation.camelCase());
        Example example = new Example(operation, own);
        ExampleRun run = runs.test(operation.name) ? ExampleRun.of(example, nuclei) : new ExampleRun();
        boolean display = run.error.contains("display");
        if (display)
            skipped.add(operation.name);
        else if (!run.error.isEmpty())
            failures.put(operation.name, run.error + "\n" + example.macro());
        String unlisted = publications.unknown(operation.source);
        if (unlisted != null)
            failures.put(operation.name, unlisted + " is not in docs/site/publications.tsv; add its DOI");
        line("# " + operation.title());
        line("");
        line(operation.summary);
        if (!run.images.isEmpty() && isAboutPixels(operation))
            picture(operation, example, run);
        commands(operation);
        parameters(operation);
        readsAndWrites(operation, example, run);
        example(example, run, display);
        section("Method");
        line(method(operation));
        section("Speed");
        speed(operation);
        section("In CLIJ2");
        inClij2(operation);
        section("Next");
        writeNextOperations(operation);
        section("Related");
        line(relatedOperations(operation).stream().map(GenerateReference::link).collect(Collectors.joining(" · ")));
        flush(folder.resolve(operation.name + ".md"));
    }

    /**
     * Whether the page may show a picture: the operation has an image parameter, or handles images that it names in
     * another way. The examples of other operations open windows only to show a state.
     */
    private static boolean isAboutPixels(Registry.Operation operation) {
        return operation.name.matches("(push|pull)(_.*)?|custom_operation|apply_to_hyperstack")
            || operation.parameters.stream().anyMatch(p -> p.kind.isImage());
    }

    private void picture(Registry.Operation operation, Example example, ExampleRun run) throws IOException {
        List<String> names = new ArrayList<>();
        List<Boolean> labelled = new ArrayList<>();
        List<Registry.Parameter> outputs =
            operation.parameters.stream()
                .filter(p -> p.kind == Registry.Kind.IMAGE_OUT || p.kind == Registry.Kind.IMAGE_INOUT)
                .collect(Collectors.toList());
        List<String> inputs = example.images.entrySet()
                                  .stream()
                                  .filter(e -> operation.parameter(e.getKey()).kind != Registry.Kind.IMAGE_OUT)
                                  .map(Map.Entry::getValue)
                                  .distinct()
                                  .limit(run.inputs)
                                  .collect(Collectors.toList());
        for (int i = 0; i < run.images.size(); i++) {
            int out = i - run.inputs;
            Registry.Parameter output = out >= 0 && out < outputs.size() ? outputs.get(out) : null;
            String name = out < 0 ? inputs.get(i) : output == null ? "window" : example.images.get(output.name);
            names.add(name);
            labelled.add(name.matches("labels|otherLabels|inner|cells|tops|wandering|tracked")
                || output != null && isLabelMap(output));
        }
        boolean alike = operation.category.matches("math|image|geometry|drawing")
            && !operation.name.matches("(multiply(?!_image_and_scalar|_slices)|power|set_ramp|set_nonzero).*")
            && outputs.stream().allMatch(p -> p.type.equals("source") || p.type.isEmpty());
        Picture.write(run.images, labelled, alike, folder.resolve("pictures/" + operation.name + ".png"));
        boolean makes = run.images.size() > run.inputs;
        line("");
        line("![" + operation.title() + (makes ? ": " : " reads: ") + String.join(", ", names) + "](pictures/"
            + operation.name + ".png)");
        line("");
        line(captionStart(makes, names.size() > 1) + String.join(", ", names)
            + (run.images.stream().anyMatch(i -> i.getStackSize() > 1) ? " (the middle slice of stacks)" : "")
            + (run.images.stream().anyMatch(i -> i.getOverlay() != null) ? ", with the selections that it makes" : "")
            + (example.whyAlike == null ? "" : ". " + example.whyAlike));
        boolean looksAlike =
            makes && run.inputs > 0 && Picture.allLookLikeInputs(run.images, labelled, alike, run.inputs);
        if (run.error.isEmpty() && looksAlike != (example.whyAlike != null))
            failures.put(operation.name,
                (looksAlike ? "its example shows no difference between the images before and after; choose inputs or "
                            + "values that change something"
                            : "its example shows a difference; remove it from Example.WHY_ALIKE")
                    + "\n" + example.macro());
    }

    private static String captionStart(boolean makes, boolean several) {
        if (makes)
            return several ? "From left to right: " : "";
        return several ? "The example reads, from left to right: " : "The example reads: ";
    }

    private static boolean isLabelMap(Registry.Parameter output) {
        return output.doc.contains("label map") || output.doc.contains("labels") || output.doc.contains("grown");
    }

    private void section(String title) {
        line("");
        line("## " + title);
        line("");
    }

    private void commands(Registry.Operation operation) {
        section("Commands");
        line("```");
        registry.calls(operation).forEach(this::line);
        line("```");
        line("");
        line("Each command exists with the prefixes `Drua_`, `CLIJ2_`, `CLIJx_` and `CLIJ_`.");
    }

    private void parameters(Registry.Operation operation) {
        section("Parameters");
        if (operation.parameters.isEmpty()) {
            line("None.");
            return;
        }
        line("| parameter | what it is | unit | values | default |");
        line("|---|---|---|---|---|");
        for (Registry.Parameter p : operation.parameters)
            line("| " + p.name + " | " + escapeCell(p.doc) + " | " + unit(p) + " | " + values(p) + " | " + preset(p)
                + " |");
        for (Registry.Parameter p : operation.parameters) {
            if (p.settings.isEmpty())
                continue;
            section("Settings in " + p.name);
            line("| name | what it is | unit | values | default |");
            line("|---|---|---|---|---|");
            for (Registry.Parameter s : p.settings)
                line("| " + s.name + " | " + escapeCell(s.doc) + " | " + unit(s) + " | " + values(s) + " | "
                    + (s.choices.isEmpty() ? preset(s) : s.choices.get(0)) + " |");
        }
    }

    private static String unit(Registry.Parameter p) {
        return p.kind.isNumber() && p.kind != Registry.Kind.BOOLEAN ? p.unit.isEmpty() ? "none" : p.unit : "";
    }

    private static String values(Registry.Parameter p) {
        String kind = p.kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        if (p.kind == Registry.Kind.BOOLEAN)
            kind = "true or false";
        else if (p.kind == Registry.Kind.IMAGE_OUT)
            kind = "image, new or existing";
        else if (p.kind.isImage())
            kind = "image";
        else if (p.kind.isOutput())
            kind = "result";
        return p.choices.isEmpty()
            ? p.min == null ? kind : kind + ", " + Registry.number(p.min) + " to " + Registry.number(p.max)
            : String.join(", ", p.choices);
    }

    private static String preset(Registry.Parameter p) {
        if (p.defaultValue == null || p.kind.isOutput())
            return "";
        if (p.kind == Registry.Kind.BOOLEAN)
            return String.valueOf((Double) p.defaultValue != 0);
        if (p.defaultValue instanceof Double)
            return Registry.number((Double) p.defaultValue);
        return escapeCell((String) p.defaultValue);
    }

    private void readsAndWrites(Registry.Operation operation, Example example, ExampleRun run) {
        section("Reads and writes");
        int output = run.inputs;
        for (Registry.Parameter p : operation.parameters) {
            switch (p.kind) {
            case IMAGE_IN:
                line("- reads `" + p.name + "`: " + p.doc + "; of any type");
                break;
            case IMAGE_INOUT:
                line("- changes `" + p.name + "`: " + p.doc + "; it keeps its size and type");
                output++;
                break;
            case IMAGES:
                line("- reads and changes the images in `" + p.name
                    + "` as the code does; they keep their sizes and types");
                break;
            case IMAGE_OUT:
                line("- writes `" + p.name + "`: " + p.doc + "; "
                    + (p.type.equals("source")      ? "of the type of the first image"
                            : p.type.equals("rule") ? "its type depends on the arguments"
                                                    : "of type " + p.type)
                    + (output < run.images.size() ? ", in the example " + size(run.images.get(output)) : "")
                    + (p.replaces ? ". It replaces an existing image" : ". An existing image keeps its size and type"));
                output++;
                break;
            case PATH:
                line("- " + (p.written ? "writes" : "reads") + " the file that `" + p.name + "` names: " + p.doc);
                break;
            case NUMBER_OUT:
            case TEXT_OUT:
                line("- gives `" + p.name + "`: " + p.doc);
                break;
            case TABLE_OUT:
                line("- adds rows to the Results table: " + p.doc);
                break;
            default:
            }
        }
        if (operation.host)
            line("- runs in ImageJ, on the windows, tables and images named above");
        else if (operation.parameters.stream().noneMatch(
                     p -> p.kind.isImage() || p.kind == Registry.Kind.IMAGES || p.kind.isOutput()))
            line("- neither reads nor writes an image");
    }

    private static String size(ImagePlus image) {
        return image.getWidth() + " x " + image.getHeight()
            + (image.getStackSize() > 1 ? " x " + image.getStackSize() : "");
    }

    private void example(Example example, ExampleRun run, boolean display) {
        section("Example");
        line("With " + (example.opens.equals("stack") ? "a stack" : "a picture of nuclei") + " open"
            + (display ? ", on a display:" : ":"));
        line("");
        line("```javascript");
        page.append(example.macro());
        line("```");
        if (!run.printed.isEmpty() && !display) {
            line("");
            line("It prints:");
            line("");
            lines(run.printed, LINES);
        }
        if (run.table != null)
            table(run.table);
        run.written.forEach((file, text) -> {
            line("");
            line("It writes `" + file + "`" + (text.isEmpty() ? "." : ":"));
            if (text.isEmpty())
                return;
            line("");
            lines(text, ROWS);
        });
    }

    /** The first lines of a text, as a block. */
    private void lines(String text, int max) {
        String[] all = text.split("\\R");
        line("```");
        Arrays.stream(all)
            .limit(max)
            .map(each -> each.length() > WIDEST ? each.substring(0, WIDEST) + " ..." : each)
            .forEach(this::line);
        if (all.length > max)
            line("...");
        line("```");
    }

    private void table(ResultsTable table) {
        String[] headings = table.getHeadings();
        int columns = Math.min(COLUMNS, headings.length);
        String more = headings.length > columns ? " ... |" : "";
        line("");
        line("Results:");
        line("");
        line("| " + Arrays.stream(headings).limit(columns).collect(Collectors.joining(" | ")) + " |" + more);
        line("|" + String.join("", java.util.Collections.nCopies(columns + (more.isEmpty() ? 0 : 1), "---|")));
        for (int y = 0; y < Math.min(ROWS, table.size()); y++) {
            int row = y;
            line("| "
                + Arrays.stream(headings)
                      .limit(columns)
                      .map(h -> table.getStringValue(h, row))
                      .collect(Collectors.joining(" | "))
                + " |" + more);
        }
    }

    private String method(Registry.Operation operation) {
        if (operation.host)
            return "The ImageJ plugin carries out this command.";
        String how = "";
        if (!operation.source.isEmpty())
            how = publications.linked(
                Character.toUpperCase(operation.source.charAt(0)) + operation.source.substring(1) + ".");
        else if (!operation.expression.isEmpty())
            how = "For each pixel: `" + operation.expression
                + "`. Here a, b and c are the pixels of the images, s, t and "
                + "u are the numbers in their order, and X, Y and Z are the position.";
        else if (operation.mechanism.equals("view"))
            how = "Pixels keep their values and change their positions. Drua makes a copy only if it is needed.";
        return how + "\n\nNumeric class: *" + operation.numeric + "*. "
            + (operation.numeric.equals("exact") ? "Results are bit-identical on all devices."
                    : operation.numeric.equals("device")
                    ? "Repeated runs on one device are bit-identical; results of different devices differ by rounding."
                    : "Results of different devices differ within a tolerance.");
    }

    private void speed(Registry.Operation operation) {
        List<Speeds.Time> times = speeds.of(operation.name);
        if (times.isEmpty()) {
            line("Not measured: the time depends on " + (operation.host ? "ImageJ." : "the input."));
            return;
        }
        line("| device | image | milliseconds per call | measured on |");
        line("|---|---|---|---|");
        for (Speeds.Time time : times)
            line("| " + time.device + " | " + time.size + " | " + time.milliseconds + " | " + time.day + " |");
        line("");
        line("Measured with default values, images on the device and compiled kernels; see "
            + "[how it is measured](../speed.md#how-to-measure).");
    }

    private void inClij2(Registry.Operation operation) {
        List<Registry.Command> own =
            registry.commands.values()
                .stream()
                .filter(command -> command.operation == operation && catalogue.isClij2(command))
                .collect(Collectors.toList());
        line(own.isEmpty() ? "CLIJ2 has no command for this operation."
                           : own.stream()
                                 .map(command -> "`" + command.name + "`" + publicUse(catalogue.macros(command)))
                                 .collect(Collectors.joining(", "))
                    + ".");
        List<String> links = differences.of(operation);
        if (own.isEmpty() && links.isEmpty())
            return;
        line("");
        line(links.isEmpty() ? "No difference is listed in [Where Drua and CLIJ2 differ](../differences.md)."
                             : "Differences: " + String.join(" · ", links));
    }

    private static String publicUse(int macros) {
        return macros == 0 ? "" : macros == 1 ? " (in a public macro)" : " (in " + macros + " public macros)";
    }

    /** Operations that accept this operation's result, most used first. */
    private void writeNextOperations(Registry.Operation operation) {
        Registry.Parameter made =
            operation.parameters.stream()
                .filter(p -> p.kind == Registry.Kind.IMAGE_OUT || p.kind == Registry.Kind.IMAGE_INOUT)
                .findFirst()
                .orElse(null);
        if (made == null) {
            line("This operation makes no image, so no operation follows.");
            return;
        }
        Kinds.Kind from = operation.parameters.stream()
                              .filter(p -> p.kind == Registry.Kind.IMAGE_IN)
                              .map(Kinds::wanted)
                              .findFirst()
                              .orElse(Kinds.Kind.GREY);
        Kinds.Kind kind = Kinds.made(made, from);
        line("Operations for " + KINDS.get(kind) + ", with the number of public macros that use each:");
        line("");
        line(catalogue.suggestions(kind, false)
                 .stream()
                 .filter(other -> other != operation)
                 .limit(NEXT)
                 .map(other -> link(other) + (catalogue.macros(other) > 0 ? " (" + catalogue.macros(other) + ")" : ""))
                 .collect(Collectors.joining(" · ")));
    }

    /** Operations whose names share the most words, those of the same subject preferred. */
    private List<Registry.Operation> relatedOperations(Registry.Operation operation) {
        Set<String> words = new HashSet<>(Arrays.asList(operation.name.split("_")));
        Comparator<Registry.Operation> order = Comparator.comparingDouble(other -> {
            Set<String> theirs = new HashSet<>(Arrays.asList(other.name.split("_")));
            double all = theirs.size() + words.size();
            theirs.retainAll(words);
            return -theirs.size() / all - (other.category.equals(operation.category) ? 0.2 : 0);
        });
        return registry.operations.values()
            .stream()
            .filter(other -> other != operation)
            .sorted(order)
            .limit(RELATED)
            .collect(Collectors.toList());
    }

    private static String link(Registry.Operation operation) {
        return "[" + operation.title() + "](" + operation.name + ".md)";
    }

    private static String escapeCell(String text) {
        return text.replace("|", "\\|");
    }

    private void line(String text) {
        page.append(text).append('\n');
    }

    private void flush(Path file) throws IOException {
        Files.write(file, page.toString().getBytes(StandardCharsets.UTF_8));
        page.setLength(0);
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.EngineException;
import drua.engine.NativeLibrary;
import drua.engine.Registry;
import drua.pipeline.Catalogue;
import drua.pipeline.Edits;
import drua.pipeline.History;
import drua.pipeline.Kinds;
import drua.pipeline.MacroReader;
import drua.pipeline.Pipeline;
import drua.pipeline.Statement;
import drua.pipeline.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks that workbench pipelines are macros: a macro that a pipeline writes is parsed to the same steps, and parsing
 * changes no macro's text. Runs in the project's folder.
 */
final class PipelineTest extends Expectations {
    private static Registry registry;

    private PipelineTest() {}

    public static void main(String[] args) throws IOException {
        NativeLibrary.load();
        registry = Registry.get();
        readsSteps();
        keepsText();
        textThatChangesVariables();
        switchesOff();
        edits();
        suggestsByKind();
        String seed = System.getenv("DRUA_SEED");
        long first = seed == null ? System.nanoTime() : Long.parseLong(seed);
        System.out.println("DRUA_SEED=" + first);
        publicMacros(new Random(first));
        for (int i = 0; i < 200; i++)
            randomEdits(first + i);
        System.exit(sum());
    }

    private static Pipeline read(String... lines) {
        return MacroReader.read(registry, String.join("\n", lines) + "\n");
    }

    private static String describeSteps(Pipeline pipeline) {
        return pipeline.seen()
            .stream()
            .map(s -> (s.on ? "" : "off ") + s.command.name + s.values)
            .collect(Collectors.joining("; "));
    }

    private static Step step(Pipeline pipeline, int i) {
        return pipeline.seen().get(i);
    }

    // ---- reading

    private static void readsSteps() {
        Pipeline p = read("open(\"cells.tif\");", "image = getTitle();",
            "run(\"CLIJ2 Macro Extensions\", \"cl_device=\");", "Ext.CLIJ2_push(image);", "sigma = 2.5; // pixels",
            "Ext.CLIJ2_gaussianBlur2D(image, blurred, sigma, -1e-1);", "Ext.CLIJ2_thresholdOtsu(blurred, mask);",
            "Ext.CLIJ2_pull(mask);");
        expect("a plain macro",
            "CLIJ2_push[image]; CLIJ2_gaussianBlur2D[image, blurred, 2.5, -0.1]; CLIJ2_thresholdOtsu[blurred, mask]",
            describeSteps(p));
        expect("a source that is the current image has no title", null, step(p, 0).title);
        expect("only the pulled image is shown", "false true", p.isShown(step(p, 1)) + " " + p.isShown(step(p, 2)));
        Pipeline changed = Edits.value(p, step(p, 1), 3, 3.0);
        expect("a changed number is written where the call is", p.macro().replace("sigma, -1e-1", "sigma, 3"),
            changed.macro());

        Pipeline titled = read("title = \"a b.tif\";", "run(\"Drua Macro Extensions\", \"cl_device=\");",
            "Ext.Drua_push(title);", "Ext.Drua_copy(title, x);");
        expect("the source has the title in the variable", "a b.tif", step(titled, 0).title);
        expect("another title replaces the text in the variable", titled.macro().replace("a b.tif", "c.tif"),
            Edits.title(titled, step(titled, 0), "c.tif").macro());
        Pipeline names = read("run(\"CLIJ Macro Extensions\", \"cl_device=\");", "Ext.CLIJ_push(\"a.tif\");",
            "Ext.CLIJ_blur2D(\"a.tif\", \"b\", 2, 2);");
        expect("names in place of variables", "CLIJ_push[\"a.tif\"]; CLIJ_blur2D[\"a.tif\", \"b\", 2.0, 2.0]",
            describeSteps(names));
        Pipeline one =
            read("image = getTitle(); Ext.CLIJ2_push(image); Ext.CLIJ2_copy(image, a); Ext.CLIJ2_copy(a, b);");
        expect(
            "statements of one line", "CLIJ2_push[image]; CLIJ2_copy[image, a]; CLIJ2_copy[a, b]", describeSteps(one));
    }

    private static void keepsText() {
        Pipeline loop = read("image = getTitle();", "Ext.CLIJ2_push(image);", "for (i = 0; i < 3; i++) {",
            "    Ext.CLIJ2_copy(image, other);", "}", "Ext.CLIJ2_copy(other, third);", "Ext.CLIJ2_copy(image, fourth);",
            "function f(a) { return a; }");
        expect("loops stay as text, and what depends on them", "CLIJ2_push[image]; CLIJ2_copy[image, fourth]",
            describeSteps(loop));
        Pipeline again = read("image = getTitle();", "Ext.CLIJ2_push(image);", "Ext.CLIJ2_copy(image, a);",
            "Ext.CLIJ2_threshold(image, a, 3);", "Ext.CLIJ2_copy(a, b);");
        expect("an image that is written again", "CLIJ2_push[image]; CLIJ2_copy[image, a]",
            describeSteps(again).replace("; CLIJ2_copy[a, b]", "?"));
        Pipeline computed =
            read("image = getTitle();", "Ext.CLIJ2_push(image);", "Ext.CLIJ2_getMaximumOfAllPixels(image, most);",
                "Ext.CLIJ2_threshold(image, mask, most / 2);", "Ext.CLIJ2_binaryNot(mask, not);");
        expect("numbers that are computed", "CLIJ2_push[image]; CLIJ2_getMaximumOfAllPixels[image, most]",
            describeSteps(computed));
        Pipeline freed = read(
            "image = getTitle();", "Ext.CLIJ2_push(image);", "Ext.CLIJ2_release(image);", "Ext.CLIJ2_copy(image, a);");
        expect("an image that was freed", "CLIJ2_push[image]", describeSteps(freed));
        String twice = "Ext.CLIJ2_push(\"picture\");\nExt.CLIJ2_gaussianBlur2D(\"picture\", blurred, 4, 4);\n"
            + "Ext.CLIJ2_threshold(blurred, mask, 90);\nFREE\n"
            + "Ext.CLIJ2_push(\"objects\");\nExt.CLIJ2_threshold(\"objects\", mask, 1);\n"
            + "Ext.CLIJ2_connectedComponentsLabelingBox(mask, labels);\n";
        for (String free : Arrays.asList(
                 "Ext.CLIJ2_clear();", "Ext.CLIJ2_release(mask);", "if (isOpen(\"objects\")) Ext.CLIJ2_clear();")) {
            Pipeline reused = MacroReader.read(registry, twice.replace("FREE", free));
            expect("a variable of two images, and " + free, twice.replace("FREE", free), reused.macro());
            expect("neither the second image nor its readers are steps", false,
                describeSteps(reused).contains("objects\", mask") || describeSteps(reused).contains("labels"));
        }
        Pipeline number = read("image = getTitle();", "Ext.CLIJ2_push(image);",
            "Ext.CLIJ2_getMaximumOfAllPixels(image, most);", "Ext.CLIJ2_copy(image, most);");
        expect("a number's variable that gets an image", "copy", number.maker("most").command.operation.name);
        Pipeline inPlace = read("image = getTitle();", "Ext.CLIJ2_push(image);", "Ext.CLIJ2_copy(image, a);",
            "Ext.CLIJ2_set(a, 3);", "Ext.CLIJ2_copy(a, b);");
        expect("an image that is changed in place", "CLIJ2_push[image]; CLIJ2_copy[image, a]", describeSteps(inPlace));
    }

    private static void textThatChangesVariables() {
        String[] blur = {
            "image = getTitle();", "Ext.CLIJ2_push(image);", "Ext.CLIJ2_gaussianBlur2D(image, b, sigma, sigma);"};
        String push = "CLIJ2_push[image]", whole = push + "; CLIJ2_gaussianBlur2D[image, b, 2.0, 2.0]",
               lines = String.join("\n", blur);
        expect("a function that changes a global variable", push,
            describeSteps(read("var sigma = 2;", "set();", lines, "function set() { sigma = 5; }")));
        expect("a function that sets a global variable by a command", push,
            describeSteps(read("var sigma = 2;", "set();", lines,
                "function set() { Ext.CLIJ2_getMaximumOfAllPixels(\"x\", sigma); }")));
        expect("a function that sets a global variable by a function of ImageJ", push,
            describeSteps(
                read("var sigma = 2;", "set();", lines, "function set() { getVoxelSize(sigma, h, d, unit); }")));
        expect("a function's own variable", whole,
            describeSteps(read("sigma = 2;", "set();", lines, "function set() { sigma = 5; }")));
        expect("a global variable that functions only read", whole,
            describeSteps(read("var sigma = 2;", "say();", lines, "function say() { print(sigma); }")));
        for (String call : Arrays.asList("getDimensions(sigma, h, c, z, t);", "Stack.getPosition(c, sigma, t);",
                 "x = 1; toScaled(sigma, x);", "if (x) getLine(a, b, c, d, sigma);"))
            expect(call, push, describeSteps(read("sigma = 2;", call, lines)));
        expect("a variable that ImageJ's functions only read", whole,
            describeSteps(read("sigma = 2;", "print(sigma); wait(sigma);", lines)));
        Pipeline opened = read("image = \"a.tif\";", "open(image);", "Ext.CLIJ2_push(image);");
        expect("a title that was opened", "a.tif", step(opened, 0).title);
        String slices = "Ext.CLIJ2_pushCurrentZStack(image);";
        expect("the slices of a file that was just opened", 1,
            read("open(\"a.tif\");", "image = getTitle();", slices).seen().size());
        expect("the slices of an image that may have a selection", 0,
            read("open(\"a.tif\");", "makeOval(1, 2, 3, 4);", "image = getTitle();", slices).seen().size());
    }

    private static void switchesOff() {
        Pipeline p = read("image = getTitle();", "Ext.CLIJ2_push(image);", "Ext.CLIJ2_gaussianBlur2D(image, a, 2, 2);",
            "Ext.CLIJ2_copy(a, b);");
        Pipeline off = Edits.switched(p, step(p, 1), false);
        expect("a step that is off passes its image on",
            "image = getTitle();\nExt.CLIJ2_push(image);\nExt.CLIJ2_copy(image, a); "
                + "// Ext.CLIJ2_gaussianBlur2D(image, a, 2, 2);\nExt.CLIJ2_copy(a, b);\n",
            off.macro());
        expect(
            "parsing keeps the step off", describeSteps(off), describeSteps(MacroReader.read(registry, off.macro())));
        expect("switching the step on again restores the macro", p.macro(),
            Edits.switched(off, step(off, 1), true).macro());
        Pipeline table = read(
            "image = getTitle();", "Ext.CLIJ2_push(image);", "Ext.CLIJ2_getMaximumOfAllPixels(image, most); // note");
        Pipeline none = Edits.switched(table, step(table, 1), false);
        expect("a measurement that is off becomes a comment",
            "image = getTitle();\nExt.CLIJ2_push(image);\n// Ext.CLIJ2_getMaximumOfAllPixels(image, most); // note\n",
            none.macro());
        expect("a measurement that is off is read as off", describeSteps(none),
            describeSteps(MacroReader.read(registry, none.macro())));
    }

    // ---- edits

    private static Registry.Command command(String operation) {
        return Catalogue.get().command(registry.operations.get(operation), "CLIJ2");
    }

    private static Pipeline add(Pipeline p, int behind, String operation, boolean between) {
        return Edits.add(p, step(p, behind), Edits.made(p, step(p, behind), command(operation)), between);
    }

    private static void edits() {
        String begin =
            "run(\"CLIJ2 Macro Extensions\", \"cl_device=\");\nimage1 = getTitle();\nExt.CLIJ2_push(image1);\n";
        Pipeline start = Pipeline.start(registry, "CLIJ2"),
                 chain = add(add(start, 0, "gaussian_blur", false), 1, "automatic_threshold", false);
        expect("a chain",
            begin + "Ext.CLIJ2_gaussianBlur3D(image1, gaussianBlur1, 1, 1, 0);\n"
                + "Ext.CLIJ2_automaticThreshold(gaussianBlur1, automaticThreshold1, \"Otsu\");\nExt.CLIJ2_clear();\n",
            chain.macro());
        Pipeline between = add(chain, 1, "top_hat_box", true);
        expect("a step in between",
            "[image1, gaussianBlur1] [gaussianBlur1, topHatBox1] [topHatBox1, automaticThreshold1]", wires(between));
        expect("moved up, a chain changes its order",
            "[image1, topHatBox1] [topHatBox1, gaussianBlur1] [gaussianBlur1, automaticThreshold1]",
            wires(Edits.move(between, step(between, 2), true)));
        expect("moved up and down again", wires(between),
            wires(Edits.move(Edits.move(between, step(between, 2), true), step(between, 2), false)));
        expect("the step after a deleted one reads the deleted step's input",
            "[image1, topHatBox1] [topHatBox1, automaticThreshold1]", wires(Edits.delete(between, step(between, 1))));
        Pipeline labels = add(chain, 2, "connected_components_box", false),
                 table = add(labels, 3, "statistics_of_labelled_pixels", false);
        expect("statistics read grey values and labels", "[image1, connectedComponentsBox1]",
            table.seen().get(4).inputs());
        expect("two sources", "[image2]", step(Edits.addSource(registry, chain, "b.tif"), 1).values);
        expect("a step gets another operation", "Ext.CLIJ2_gaussianBlur3D(image1, gaussianBlur1, 1, 1, 0)",
            Edits.replace(between, step(between, 1), command("gaussian_blur")).macro().split("\n")[3].replace(";", ""));
        expect("a source that a step reads cannot be deleted", true,
            failure(() -> Edits.delete(chain, step(chain, 0))).contains("cannot be deleted: Gaussian Blur reads it"));
        expect("a step cannot read a later step", true,
            failure(() -> Edits.value(chain, step(chain, 1), 0, "automaticThreshold1"))
                .contains("a later step makes it"));
        expect("a shown image gets a pull",
            chain.macro().replace("\"Otsu\");\n", "\"Otsu\");\nExt.CLIJ2_pull(automaticThreshold1);\n"),
            Edits.shown(registry, chain, step(chain, 2), true).macro());
        expect("a hidden image loses its pull", chain.macro(),
            Edits.shown(registry, Edits.shown(registry, chain, step(chain, 2), true), step(chain, 2), false).macro());
        expect("the prefix Drua_ replaces CLIJ2_", chain.macro().replace("CLIJ2", "Drua"),
            chain.withPrefix(registry, "Drua").macro());
        Pipeline own = add(chain, 1, "deconvolve", false);
        expect("an operation that CLIJ2 lacks cannot get its prefix", true,
            failure(() -> own.withPrefix(registry, "CLIJ2")).contains("deconvolve"));
        expect("numbers are written exactly", "0.1 0 123456789012 0.00001 -2.5",
            Step.number(Step.exact(0.1)) + " " + Step.number(Step.exact(Double.NaN)) + " "
                + Step.number(Step.exact(123456789012.0)) + " " + Step.number(Step.exact(1e-5)) + " "
                + Step.number(Step.exact(-2.5)));
    }

    private static void suggestsByKind() {
        String grey = titles(Kinds.Kind.GREY, false), labels = titles(Kinds.Kind.LABELS, false),
               mask = titles(Kinds.Kind.MASK, false), plane = titles(Kinds.Kind.GREY, true);
        expect("suggestions for a stack: " + grey, true, grey.contains("Maximum Z Projection"));
        expect("suggestions for a plane: " + plane, true,
            plane.contains("Gaussian Blur") && !plane.contains("Projection"));
        expect("suggestions for a grey image: " + grey, true,
            grey.contains("Gaussian Blur") && grey.contains("Automatic Threshold") && !grey.contains("Labelled"));
        expect("suggestions for labels: " + labels, true,
            labels.contains("Dilate Labels") && labels.contains("Statistics of Labelled Pixels")
                && !labels.contains("Gaussian"));
        expect("suggestions for a mask: " + mask, true,
            mask.contains("Connected Components Box") && !mask.contains("Dilate Labels"));
        expect("a typed command is found in any case and prefix", "CLIJ2_thresholdTriangle",
            Catalogue.get().named("Drua_thresholdtriangle", "CLIJ2").name);
    }

    private static String titles(Kinds.Kind kind, boolean isPlane) {
        return Catalogue.get()
            .suggestions(kind, isPlane)
            .stream()
            .limit(12)
            .map(Registry.Operation::title)
            .collect(Collectors.joining(", "));
    }

    private static String wires(Pipeline p) {
        return p.steps(Step.Role.WORK)
            .stream()
            .map(s -> "[" + s.inputs().get(0) + ", " + s.images().get(0) + "]")
            .collect(Collectors.joining(" "));
    }

    /** Parsing keeps every letter of public macros, and of truncated, mixed and randomly changed macros. */
    private static void publicMacros(Random random) throws IOException {
        int steps = 0;
        String other = "", lost = "";
        List<Path> files = new ArrayList<>();
        for (String folder : new String[] {"macros", "tests"})
            try (Stream<Path> all = Files.walk(Paths.get(folder))) {
                all.filter(f -> f.toString().endsWith(".ijm")).sorted().forEach(files::add);
            }
        for (Path file : files) {
            String macro = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            Pipeline read = MacroReader.read(registry, macro);
            expect(file + " is written as it was read", macro.replace("\r\n", "\n"), read.macro());
            steps += read.steps(Step.Role.WORK).size();
            for (int i = 0; i < 10 && lost.isEmpty(); i++)
                lost = lostOf(damageText(random, macro, other));
            other = macro;
        }
        expect("damaged macros are written as they were read", "", lost);
        expect("steps in the project's macros", true, files.size() > 50 && steps > 100);
    }

    private static String damageText(Random random, String macro, String other) {
        final String letters = "\"'(){};,./*\\\n= Ext.0\u00e4";
        int end = random.nextInt(macro.length() + 1), begin = random.nextInt(other.length() + 1);
        StringBuilder text =
            new StringBuilder(random.nextBoolean() ? macro : macro.substring(0, end) + other.substring(begin));
        for (int n = random.nextInt(8); n > 0 && text.length() > 0; n--)
            text.setCharAt(random.nextInt(text.length()), letters.charAt(random.nextInt(letters.length())));
        return text.toString();
    }

    /** Returns the macro if parsing changes it or if two steps set the same variable; else "". */
    private static String lostOf(String macro) {
        String text = macro.replace("\r\n", "\n").replace('\r', '\n');
        try {
            Pipeline read = MacroReader.read(registry, macro);
            List<String> images =
                read.seen().stream().flatMap(step -> step.images().stream()).collect(Collectors.toList());
            return read.macro().equals(text) && images.stream().distinct().count() == images.size() ? "" : text;
        } catch (RuntimeException | StackOverflowError e) {
            return e + " in " + text;
        }
    }

    // ---- random pipelines

    private static void randomEdits(long seed) {
        Random random = new Random(seed);
        List<Registry.Operation> operations = new ArrayList<>(registry.operations.values());
        History history = new History(Pipeline.start(registry, random.nextBoolean() ? "CLIJ2" : "Drua"));
        List<String> states = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            try {
                states.add(history.now().macro());
                history.change(editAtRandom(random, operations, history.now()));
                if (history.now().macro().equals(states.get(states.size() - 1)))
                    states.remove(states.size() - 1);
            } catch (EngineException e) {
                states.remove(states.size() - 1); /* an error message says that the edit is impossible */
            }
        }
        Pipeline made = history.now();
        Pipeline opened = MacroReader.read(registry, made.macro());
        boolean same =
            opened.equals(made) && opened.macro().equals(made.macro()) && opened.afresh().macro().equals(made.macro());
        expect("pipeline of DRUA_SEED=" + seed + " is read as written", made.macro() + describeSteps(made),
            same ? made.macro() + describeSteps(made) : opened.afresh().macro() + describeSteps(opened));
        expect("orders of DRUA_SEED=" + seed, "", disorder(made));
        for (int i = states.size() - 1; i >= 0; i--) {
            history.undo();
            if (!history.now().macro().equals(states.get(i)))
                expect("undo " + i + " of DRUA_SEED=" + seed, states.get(i), history.now().macro());
        }
        while (history.canRedo())
            history.redo();
        expect("redo of all edits, DRUA_SEED=" + seed, made.macro(), history.now().macro());
    }

    /** Returns a message about an image that is read before it is made or after it is freed. */
    private static String disorder(Pipeline p) {
        List<String> there = new ArrayList<>();
        for (Statement statement : p.statements()) {
            if (!(statement instanceof Step))
                continue;
            Step step = (Step) statement;
            if (!there.containsAll(step.inputs()))
                return step.source() + " reads an image that does not exist: " + there;
            if (step.role() == Step.Role.FREE)
                there.clear();
            there.addAll(step.images());
        }
        return "";
    }

    private static Pipeline editAtRandom(Random random, List<Registry.Operation> operations, Pipeline p) {
        if (p.seen().isEmpty())
            return Edits.addSource(registry, p, "again.tif");
        Step any = p.seen().get(random.nextInt(p.seen().size()));
        Registry.Command command = null;
        while (command == null)
            command = Catalogue.get().command(operations.get(random.nextInt(operations.size())), p.prefix());
        switch (random.nextInt(11)) {
        case 0:
            return Edits.move(p, any, random.nextBoolean());
        case 1:
            return Edits.duplicate(p, any);
        case 2:
            return Edits.switched(p, any, !any.on);
        case 3:
            return Edits.replace(p, any, command);
        case 4:
            return random.nextInt(3) == 0 ? Edits.delete(p, any) : p;
        case 5:
            return Edits.shown(registry, p, any, random.nextBoolean());
        case 6:
            return random.nextInt(4) == 0
                ? Edits.addSource(registry, p, "\u00b5 image \"" + random.nextInt(9) + "\"\\.tif")
                : p;
        case 7:
        case 8:
            return changeValue(random, p, any);
        default:
            return Edits.add(p, any, Edits.made(p, any, command), random.nextBoolean());
        }
    }

    private static Pipeline changeValue(Random random, Pipeline p, Step step) {
        if (step.values.isEmpty() || step.role() == Step.Role.SOURCE)
            return p;
        int i = random.nextInt(step.values.size());
        Registry.Kind kind = step.command.arguments.get(i).kind;
        List<String> images = p.imagesBefore(step);
        if (kind == Registry.Kind.IMAGE_IN)
            return Edits.value(p, step, i, images.get(random.nextInt(images.size())));
        double number = random.nextInt(3) == 0 ? random.nextInt(100) - 50
                                               : (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(14) - 7);
        return kind.isOutput()
            ? p
            : Edits.value(p, step, i,
                kind.isNumber() ? (Object) number : "a \"text\" \\ with, \u00b5 signs; {" + random.nextInt(9));
    }
}

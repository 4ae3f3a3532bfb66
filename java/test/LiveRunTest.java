// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.EngineException;
import drua.engine.NativeLibrary;
import drua.engine.Registry;
import drua.headless.MacroRun;
import drua.pipeline.Catalogue;
import drua.pipeline.Edits;
import drua.pipeline.JythonScript;
import drua.pipeline.Pipeline;
import drua.pipeline.Result;
import drua.pipeline.Session;
import drua.pipeline.Step;
import drua.pipeline.Suggestions;
import drua.pipeline.View;
import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.WindowManager;
import ij.gui.Roi;
import ij.measure.ResultsTable;
import ij.process.ByteProcessor;
import java.awt.EventQueue;
import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks that the workbench computes the same pixels as its macro, bit for bit, and that outdated results are freed.
 */
final class LiveRunTest extends Expectations {
    private static final int PATIENCE_MS = 120000;

    private LiveRunTest() {}

    public static void main(String[] args) throws Exception {
        NativeLibrary.load();
        String seed = System.getenv("DRUA_SEED"), sample = System.getenv("DRUA_SAMPLE");
        long first = seed == null ? System.nanoTime() : Long.parseLong(seed);
        System.out.println("DRUA_SEED=" + first);
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(2);
        });
        onlyWhatDepends();
        followsTheImage();
        seesWhatChangedElsewhere();
        outlivesImages();
        narrowsToSelection();
        saysWhatIsWrong();
        for (int i = 0; i < (sample == null ? 3 : 60); i++)
            asTheMacro(first + i);
        scripts();
        manyEdits(first);
        Runtime.getRuntime().halt(sum());
    }

    // ---- helpers

    static boolean waitFor(BooleanSupplier condition) throws InterruptedException {
        for (long end = System.currentTimeMillis() + PATIENCE_MS; System.currentTimeMillis() < end; Thread.sleep(2)) {
            if (condition.getAsBoolean())
                return true;
        }
        return false;
    }

    static void settle(Session session) throws InterruptedException {
        if (!waitFor(() -> session.live().isDone()))
            throw new IllegalStateException("the run does not end: " + session.live().doing());
    }

    static Registry.Operation operation(String name) {
        return Registry.get().operations.get(name);
    }

    static ImagePlus blobs(String title, int width, int height, int slices, long seed) {
        Random random = new Random(seed);
        ImageStack stack = new ImageStack(width, height);
        for (int z = 0; z < slices; z++) {
            byte[] plane = new byte[width * height];
            for (int i = 0; i < plane.length; i++)
                plane[i] = (byte) Math.max(0,
                    Math.min(255,
                        120 + 90 * Math.sin(i % width / 4.0) * Math.cos(i / width / 5.0 + z) + random.nextInt(30)));
            stack.addSlice("", plane);
        }
        ImagePlus image = new ImagePlus(title, stack);
        image.setDimensions(1, slices, 1);
        return image;
    }

    static ImagePlus fetch(Session session, Step step) throws Exception {
        CompletableFuture<ImagePlus> image = new CompletableFuture<>();
        session.live().fetch(step.id, "fetched", image::complete);
        return image.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    }

    static String bits(ImagePlus image) {
        StringBuilder bits = new StringBuilder(image.getBitDepth() + " " + Arrays.toString(image.getDimensions()));
        for (int i = 1; i <= image.getStackSize(); i++) {
            float[] pixels = (float[]) image.getStack().getProcessor(i).convertToFloatProcessor().getPixels();
            int[] raw = new int[pixels.length];
            for (int k = 0; k < raw.length; k++)
                raw[k] = Float.floatToRawIntBits(pixels[k]);
            bits.append(' ').append(Arrays.hashCode(raw));
        }
        return bits.toString();
    }

    static String rows(ResultsTable table) {
        if (table == null || table.size() == 0)
            return "none";
        return Arrays.stream(table.getHeadings())
            .map(h -> h + Arrays.toString(table.getColumn(h)))
            .collect(Collectors.joining(" "));
    }

    static Session chain(ImagePlus image, String... operations) throws InterruptedException {
        Session session = new Session(image, () -> {});
        for (String name : operations)
            session.add(operation(name), false);
        settle(session);
        return session;
    }

    private static List<Result> results(Session session) {
        return session.now().seen().stream().map(s -> session.live().result(s.id)).collect(Collectors.toList());
    }

    static void end(Session session) throws InterruptedException {
        session.close();
        session.live().join();
    }

    // ---- what runs

    private static void onlyWhatDepends() throws InterruptedException {
        Session session =
            chain(blobs("a", 60, 50, 1, 1), "gaussian_blur", "automatic_threshold", "connected_components_box");
        List<Result> before = results(session);
        expect("no step failed", "[, , , ]", before.stream().map(r -> r.failure).collect(Collectors.toList()));
        expect("images on the device", 4, session.live().held());
        expect("each result has a picture", true, before.stream().allMatch(r -> r.picture() != null));
        expect("the view shows the last step as labels", View.Look.LABELS, session.live().view().look);
        Step threshold = session.now().seen().get(2);
        session.turn(threshold, 2, "Triangle", false);
        settle(session);
        List<Result> behind = results(session);
        expect("only steps that depend on the change have run", "true true false false",
            (before.get(0) == behind.get(0)) + " " + (before.get(1) == behind.get(1)) + " "
                + (before.get(2) == behind.get(2)) + " " + (before.get(3) == behind.get(3)));
        session.undo();
        settle(session);
        expect("undo restores the method", "Otsu", session.now().seen().get(2).values.get(2));
        expect("undo keeps the number of images", 4, session.live().held());
        session.change(p -> Edits.switched(p, p.seen().get(1), false));
        settle(session);
        expect("a step that is off holds no image", 3, session.live().held());
        session.change(p -> Edits.delete(p, p.seen().get(3)));
        settle(session);
        expect("a deleted step holds no image", 2, session.live().held());
        end(session);
    }

    private static void followsTheImage() throws InterruptedException {
        ImagePlus stack = blobs("s", 40, 30, 6, 2);
        Session session = chain(stack, "multiply_image_and_scalar");
        stack.setSlice(2);
        settle(session);
        expect("the view shows slice 2", stack.getProcessor().getf(7, 9), session.live().view().pixels.getf(7, 9));
        Result before = session.live().result(session.viewed().id);
        stack.setSlice(5);
        settle(session);
        expect("the view shows slice 5", stack.getProcessor().getf(7, 9), session.live().view().pixels.getf(7, 9));
        expect("showing another slice keeps the result", true, before == session.live().result(session.viewed().id));
        stack.setDimensions(2, 3, 1);
        stack.setPosition(2, 2, 1);
        settle(session);
        expect("the view shows channel 2", stack.getStack().getProcessor(stack.getStackIndex(2, 2, 1)).getf(7, 9),
            session.live().view().pixels.getf(7, 9));
        expect("the result has the slices of channel 2 alone", 3L, session.live().result(session.viewed().id).info[2]);
        end(session);
    }

    /**
     * Pixels change together with a move to another slice, and also in a slice that is not displayed. ImageJ reports
     * the second change on the event thread.
     */
    private static void seesWhatChangedElsewhere() throws Exception {
        ImagePlus stack = blobs("s", 40, 30, 3, 2);
        Session session = chain(stack, "multiply_image_and_scalar");
        Result before = session.live().result(session.viewed().id);
        stack.setSlice(2);
        stack.updateAndDraw();
        EventQueue.invokeAndWait(() -> {});
        settle(session);
        expect("moving to another slice keeps the result", true, before == session.live().result(session.viewed().id));
        EventQueue.invokeAndWait(() -> {
            stack.getStack().getProcessor(3).add(50);
            stack.setSlice(3);
        });
        settle(session);
        expect("a new slice with new pixels", stack.getProcessor().getf(7, 9), session.live().view().pixels.getf(7, 9));
        EventQueue.invokeAndWait(() -> {
            stack.getStack().getProcessor(1).add(20);
            stack.setSlice(1);
        });
        settle(session);
        expect("pixels that changed before a move back to their slice", stack.getProcessor().getf(7, 9),
            session.live().view().pixels.getf(7, 9));
        end(session);
    }

    /** A closed image loses its pixels before ImageJ reports it. */
    private static void outlivesImages() throws Exception {
        ImagePlus image = blobs("lost", 40, 30, 3, 4);
        Session session = chain(image, "multiply_image_and_scalar");
        image.flush();
        waitFor(() -> session.live().isDone() && results(session).get(0).failure.contains("was closed"));
        expect("the error message says that the image was closed",
            "the image 'lost' was closed; open it again, or select another one here", results(session).get(0).failure);
        boolean[] isBroken = {false};
        ImageStack stack = new ImageStack(40, 30) {
            @Override
            public Object getPixels(int slice) {
                if (isBroken[0])
                    throw new IllegalStateException("a plugin's stack");
                return super.getPixels(slice);
            }
        };
        stack.addSlice(new ByteProcessor(40, 30));
        stack.addSlice(new ByteProcessor(40, 30));
        ImagePlus broken = new ImagePlus("broken", stack);
        isBroken[0] = true;
        session.choose(session.now().seen().get(0), broken);
        waitFor(() -> session.live().isDone() && results(session).get(0).failure.contains("a plugin's stack"));
        expect("the error message of an image that fails: " + results(session).get(0).failure, true,
            results(session).get(0).failure.startsWith("internal error ("));
        ImagePlus other = blobs("other", 40, 30, 1, 6);
        session.choose(session.now().seen().get(0), other);
        settle(session);
        expect("another image is shown", other.getProcessor().getf(7, 9), session.live().view().pixels.getf(7, 9));
        end(session);
    }

    private static void narrowsToSelection() throws InterruptedException {
        ImagePlus image = blobs("n", 64, 48, 1, 3);
        image.setRoi(new Roi(10, 12, 20, 15));
        Session session = chain(image, "multiply_image_and_scalar");
        session.turn(session.viewed(), 2, 2.0, true);
        settle(session);
        View part = session.live().view();
        expect("while a value is dragged, only the selection is computed",
            "20 x 15 java.awt.Rectangle[x=10,y=12,width=20,height=15]",
            part.pixels.getWidth() + " x " + part.pixels.getHeight() + " " + part.part);
        session.turn(session.viewed(), 2, 0.5, false);
        settle(session);
        View all = session.live().view();
        expect("all pixels", "64 x 48 null", all.pixels.getWidth() + " x " + all.pixels.getHeight() + " " + all.part);
        expect("images of the selection are freed", 2, session.live().held());
        expect("dragging a value is one change to undo", true, session.canUndo());
        session.undo();
        expect("one undo restores the value", 1.0, session.viewed().values.get(2));
        end(session);
    }

    private static void saysWhatIsWrong() throws InterruptedException {
        ImagePlus image = blobs("e", 40, 30, 1, 4);
        Session session = chain(image, "gaussian_blur", "automatic_threshold");
        Step blur = session.now().seen().get(1);
        session.turn(blur, 2, 5000.0, false);
        settle(session);
        List<Result> results = results(session);
        expect("the step shows the engine's error message: " + results.get(1).failure, true,
            results.get(1).failure.contains("sigma_x must be 0 to 1000 pixel, got 5000"));
        expect("the step after it waits", true, results.get(2).failure.startsWith("waiting for gaussianBlur"));
        session.undo();
        settle(session);
        expect("after undo, the waiting step runs", "", results(session).get(2).failure);
        ImagePlus other = blobs("f", 30, 20, 1, 5);
        session.choose(session.now().seen().get(0), other);
        settle(session);
        expect("no step fails on another image", "[, , ]",
            results(session).stream().map(r -> r.failure).collect(Collectors.toList()));
        expect("the result has the width of the other image", 30L, results(session).get(2).info[0]);
        end(session);
    }

    // ---- results equal the macro's

    /** Builds a random pipeline of steps that can run. */
    private static void grow(Session session, Random random, List<Registry.Operation> operations)
        throws InterruptedException {
        for (int i = 0; i < 7; i++) {
            List<Step> seen = session.now().seen();
            session.view(seen.get(random.nextInt(seen.size())));
            try {
                session.add(operations.get(random.nextInt(operations.size())), random.nextInt(3) == 0);
            } catch (EngineException e) {
                continue;
            }
            settle(session);
            if (results(session).stream().anyMatch(r -> !r.failure.isEmpty()))
                session.undo();
            Step step = session.now().seen().get(random.nextInt(session.now().seen().size()));
            int argument = random.nextInt(step.values.size());
            if (!step.command.arguments.get(argument).kind.isNumber()
                || step.command.arguments.get(argument).kind.isOutput())
                continue;
            session.turn(step, argument, (double) random.nextInt(4) + (random.nextBoolean() ? 0.3 : 0), false);
            settle(session);
            if (results(session).stream().anyMatch(r -> !r.failure.isEmpty()))
                session.undo();
        }
        settle(session);
    }

    private static void asTheMacro(long seed) throws Exception {
        Random random = new Random(seed);
        ImagePlus image =
            blobs("source", 20 + random.nextInt(30), 20 + random.nextInt(20), random.nextBoolean() ? 1 : 4, seed);
        List<Registry.Operation> operations = Catalogue.get()
                                                  .operations()
                                                  .stream()
                                                  .filter(o -> o.menu && o.estimate.isEmpty())
                                                  .sorted((a, b) -> a.name.compareTo(b.name))
                                                  .collect(Collectors.toList());
        Session session = new Session(image, () -> {});
        grow(session, random, operations);
        List<String> expected = new ArrayList<>();
        String tables = "";
        for (Step step : session.now().steps(Step.Role.WORK)) {
            Result result = session.live().result(step.id);
            if (result.info != null) {
                session.change(p -> Edits.shown(Registry.get(), p, step, true));
                settle(session);
                expected.add(step.command.name + ": " + bits(fetch(session, step)));
            }
            tables = result.table != null ? rows(result.table) : tables;
        }
        Pipeline made = session.now();
        end(session);
        ResultsTable.getResultsTable().reset();
        List<ImagePlus> shown = run(made.macro(), image);
        List<String> got = new ArrayList<>();
        List<Step> shows = made.steps(Step.Role.SHOW);
        for (int i = 0; i < shows.size(); i++) {
            Step step = made.maker(shows.get(i).inputs().get(0));
            if (step.images().indexOf(shows.get(i).inputs().get(0)) == 0)
                got.add(step.command.name + ": " + (i < shown.size() ? bits(shown.get(i)) : "missing"));
        }
        expect("images of DRUA_SEED=" + seed + "\n" + made.macro(), expected, got);
        long measuring =
            made.steps(Step.Role.WORK)
                .stream()
                .filter(s -> s.command.operation.parameters.stream().anyMatch(p -> p.kind == Registry.Kind.TABLE_OUT))
                .count();
        if (measuring == 1)
            expect("table of DRUA_SEED=" + seed, tables, rows(ResultsTable.getResultsTable()));
        shown.forEach(ImagePlus::close);
    }

    /** The images that a macro opens, in order, after its input image. */
    static List<ImagePlus> run(String macro, ImagePlus image) throws Exception {
        File file = File.createTempFile("source", ".tif");
        IJ.saveAsTiff(image, file.getPath());
        Thread thread = new Thread(
            new MacroRun("open(\"" + file.getPath().replace('\\', '/') + "\");\n" + macro, "", null, null, false),
            "Run$_Macro$");
        thread.start();
        thread.join();
        List<ImagePlus> shown =
            Arrays.stream(WindowManager.getIDList()).mapToObj(WindowManager::getImage).collect(Collectors.toList());
        Files.delete(file.toPath());
        shown.remove(0).close();
        return shown;
    }

    /** Checks that the Jython script gives the workbench's results. Skipped if Jython's jar is not next to ImageJ's. */
    private static void scripts() throws Exception {
        ImagePlus image = blobs("j", 50, 40, 1, 8);
        Session session = chain(image, "gaussian_blur");
        session.add(operation("automatic_threshold"), Registry.get().commands.get("CLIJ2_thresholdTriangle"), false);
        session.add(operation("connected_components_box"), false);
        session.change(p -> Edits.shown(Registry.get(), p, p.seen().get(3), true));
        session.add(operation("statistics_of_labelled_pixels"), false);
        session.change(p -> Edits.switched(p, p.seen().get(1), false));
        settle(session);
        String expected = bits(fetch(session, session.now().seen().get(3))), script = JythonScript.of(session.now());
        end(session);
        expect("fixed values of commands are written down", true,
            script.contains("method1 = u\"Triangle\"\n")
                && script.contains("drua.op(\"automatic_threshold\", gaussianBlur1, method1)"));
        File jython = jython(), folder = Files.createTempDirectory("script").toFile();
        if (jython == null)
            return;
        image.setRoi(4, 5, 21, 13);
        IJ.saveAsTiff(image, new File(folder, "in.tif").getPath());
        script = "users = []\n"
            + script.replace("IJ.getImage()", "(users.append(IJ.openImage(\"" + folder + "/in.tif\")) or users[0])")
                  .replaceAll("(drua.pull\\(.*\\))\\.show\\(\\)\n", "IJ.saveAsTiff($1, \"" + folder + "/out.tif\")\n")
                  .replaceAll("(table\\d)\\.show\\(.*\\)", "print($1.size())")
            + "assert users[0].getRoi().getBounds().width == 21\n";
        Files.write(new File(folder, "script.py").toPath(), script.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-Djava.awt.headless=true",
            "-Dpython.cachedir.skip=true", "-Ddrua.library=" + System.getProperty("drua.library"), "-cp",
            jython + File.pathSeparator + System.getProperty("java.class.path"), "org.python.util.jython",
            new File(folder, "script.py").getPath())
                              .inheritIO()
                              .start();
        expect("the Jython script's exit status\n" + script, 0, process.waitFor());
        expect("the labels of the Jython script", expected, bits(IJ.openImage(new File(folder, "out.tif").getPath())));
    }

    static File jython() {
        return jar("jython-standalone-");
    }

    /** A jar next to a jar on the class path; null if it is missing. */
    static File jar(String start) {
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            File[] beside = new File(path).getAbsoluteFile().getParentFile().listFiles(
                (f, name) -> name.startsWith(start) && name.endsWith(".jar"));
            if (beside != null && beside.length > 0)
                return beside[0];
        }
        return null;
    }

    // ---- many edits

    /**
     * Edits the pipeline while it is computed and suggestions are made. The final result must be that of the pipeline's
     * last state.
     */
    private static void manyEdits(long seed) throws Exception {
        Random random = new Random(seed);
        ImagePlus image = blobs("m", 200, 150, 1, 6);
        Session session =
            chain(image, "gaussian_blur", "automatic_threshold", "connected_components_box", "dilate_labels");
        Suggestions suggestions = new Suggestions(session.live(), () -> {});
        List<Registry.Command> commands = Stream.of("gaussian_blur", "automatic_threshold", "dilate_labels")
                                              .map(name -> Catalogue.get().command(operation(name), "CLIJ2"))
                                              .collect(Collectors.toList());
        long before = 0;
        for (int i = 0; i < 1000; i++) {
            List<Step> steps = session.now().seen();
            Step step = steps.get(random.nextInt(steps.size()));
            try {
                edit(session, random, step);
                suggestions.want(session.now(), session.viewed(), commands);
            } catch (EngineException e) {
                continue;
            }
            if (random.nextInt(4) == 0)
                Thread.sleep(random.nextInt(8));
            if (i == 300) {
                settle(session);
                before = usedMemory();
            }
        }
        settle(session);
        suggestions.close();
        suggestions.join();
        long more = usedMemory() - before;
        expect("memory in use grew by " + more / 1000000 + " MB in 700 edits", true, more < 30000000);
        long expected = session.now()
                            .seen()
                            .stream()
                            .filter(s -> s.on && session.live().result(s.id).failure.isEmpty())
                            .mapToLong(s -> s.images().size())
                            .sum();
        expect("images on the device", expected, (long) session.live().held());
        isNew(session, session.live().view(), session.viewed());
        if (session.compared() != null)
            isNew(session, session.live().compared(), session.compared());
        Session again = new Session(image, () -> {});
        again.open(session.now().macro(), image);
        settle(again);
        expect("results after 1000 edits", describeResults(again), describeResults(session));
        end(session);
        end(again);
    }

    /** Checks that a view shows the current result of its step. */
    private static void isNew(Session session, View view, Step step) throws Exception {
        Result result = session.live().result(step.id);
        expect("the view shows the selected step", step.id, view.step);
        expect("the view shows the current result", true, view.pipeline == session.now());
        if (result.info != null && view.part == null && result.info[2] == 1)
            expect("the view's pixels", bits(new ImagePlus("", fetch(session, step).getProcessor().convertToFloat())),
                bits(new ImagePlus("", view.pixels.convertToFloat())));
    }

    private static String describeResults(Session session) throws Exception {
        List<String> all = new ArrayList<>();
        for (Step step : session.now().seen()) {
            Result result = session.live().result(step.id);
            all.add(
                step.command.name + step.values + (result.info == null ? result.failure : bits(fetch(session, step))));
        }
        return String.join("\n", all);
    }

    private static void edit(Session session, Random random, Step step) {
        switch (random.nextInt(11)) {
        case 10:
            session.compare(random.nextInt(3) == 0 ? null : step);
            break;
        case 0:
            session.view(step);
            break;
        case 1:
            session.change(p -> Edits.switched(p, step, !step.on));
            break;
        case 2:
            session.undo();
            break;
        case 3:
            session.change(p -> Edits.move(p, step, random.nextBoolean()));
            break;
        case 4:
            if (session.now().seen().size() < 9)
                session.change(p -> Edits.duplicate(p, step));
            else
                session.change(p -> Edits.delete(p, step));
            break;
        default:
            int i = random.nextInt(step.values.size());
            if (step.command.arguments.get(i).kind.isNumber() && step.role() == Step.Role.WORK)
                session.turn(step, i, 0.1 + 0.1 * random.nextInt(60), random.nextBoolean());
        }
    }

    private static long usedMemory() {
        for (int i = 0; i < 3; i++)
            System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.NativeLibrary;
import drua.engine.Registry;
import drua.pipeline.Catalogue;
import drua.pipeline.Result;
import drua.pipeline.Session;
import drua.pipeline.Step;
import drua.pipeline.Suggestion;
import drua.pipeline.Suggestions;
import ij.ImagePlus;
import ij.process.ByteProcessor;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Checks that the preview of an operation equals the picture after the operation is added. A suggestion without a
 * preview must give the reason as a text.
 */
final class SuggestionsTest extends Expectations {
    private static final int PATIENCE_MS = 300000;

    private SuggestionsTest() {}

    public static void main(String[] args) throws InterruptedException {
        NativeLibrary.load();
        asTheStep();
        ofATile();
        saysWhyNot();
        newestWins();
        Runtime.getRuntime().halt(sum());
    }

    // ---- helpers

    private static boolean waitFor(BooleanSupplier condition) throws InterruptedException {
        for (long end = System.currentTimeMillis() + PATIENCE_MS; System.currentTimeMillis() < end; Thread.sleep(5)) {
            if (condition.getAsBoolean())
                return true;
        }
        return false;
    }

    private static void settle(Session session) throws InterruptedException {
        if (!waitFor(() -> session.live().isDone()))
            throw new IllegalStateException("the run does not end: " + session.live().doing());
    }

    private static Registry.Command command(Session session, String operation) {
        return Catalogue.get().command(Registry.get().operations.get(operation), session.now().prefix());
    }

    private static ImagePlus spots(int width, int height) {
        Random random = new Random(9);
        byte[] pixels = new byte[width * height];
        for (int i = 0; i < pixels.length; i++)
            pixels[i] = (byte) Math.max(0,
                Math.min(255, 110 + 90 * Math.sin(i % width / 5.0) * Math.cos(i / width / 6.0) + random.nextInt(30)));
        return new ImagePlus("spots", new ByteProcessor(width, height, pixels, null));
    }

    private static String hash(BufferedImage picture) {
        return picture == null ? "no picture"
                               : picture.getWidth() + "x" + picture.getHeight() + " "
                + Arrays.hashCode(
                    picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth()));
    }

    /** Waits for a suggestion. Like the window, it repeats the request for each displayed result. */
    private static Suggestion suggested(Session session, Suggestions suggestions, List<Registry.Command> wanted,
        Registry.Command command) throws InterruptedException {
        if (!waitFor(() -> {
                suggestions.want(session.now(), session.viewed(), wanted);
                return suggestions.get(session.now(), session.viewed(), command) != null;
            }))
            throw new IllegalStateException("no suggestion of " + command.name);
        return suggestions.get(session.now(), session.viewed(), command);
    }

    private static void closeAll(Session session, Suggestions suggestions) throws InterruptedException {
        suggestions.close();
        suggestions.join();
        session.close();
        session.live().join();
    }

    /** Adds each operation temporarily and compares its picture with the preview. */
    private static void compare(Session session, Suggestions suggestions, String... operations)
        throws InterruptedException {
        settle(session);
        List<Registry.Command> commands =
            Arrays.stream(operations).map(o -> command(session, o)).collect(Collectors.toList());
        for (int i = 0; i < operations.length; i++) {
            Suggestion suggestion = suggested(session, suggestions, commands, commands.get(i));
            session.add(Registry.get().operations.get(operations[i]), false);
            settle(session);
            Result made = session.live().result(session.viewed().id);
            expect(operations[i] + ": " + suggestion.sentence, made.failure + hash(made.picture()),
                suggestion.sentence + hash(suggestion.picture));
            session.undo();
            settle(session);
        }
    }

    // ---- suggestions

    private static void asTheStep() throws InterruptedException {
        Session session = new Session(spots(90, 80), () -> {});
        Suggestions suggestions = new Suggestions(session.live(), () -> {});
        compare(session, suggestions, "gaussian_blur", "automatic_threshold", "maximum_box");
        session.add(Registry.get().operations.get("automatic_threshold"), false);
        session.add(Registry.get().operations.get("connected_components_box"), false);
        compare(session, suggestions, "dilate_labels", "exclude_labels_on_edges", "detect_label_edges",
            "mean_intensity_map");
        closeAll(session, suggestions);
    }

    /** For a larger image, a part is shown at its own scale. */
    private static void ofATile() throws InterruptedException {
        ImagePlus image = spots(400, 300);
        for (int i = 0; i < image.getWidth() * image.getHeight(); i++) {
            boolean isInside = i % 400 >= 192 && i % 400 < 288 && i / 400 >= 96 && i / 400 < 192;
            image.getProcessor().set(i, isInside ? image.getProcessor().get(i) : 110);
        }
        Session session = new Session(image, () -> {}), part = new Session(selectedPart(image), () -> {});
        Suggestions suggestions = new Suggestions(session.live(), () -> {});
        settle(session);
        List<Registry.Command> commands = Arrays.asList(command(session, "gaussian_blur"));
        part.add(Registry.get().operations.get("gaussian_blur"), false);
        settle(part);
        expect("the part with the most detail", hash(part.live().result(part.viewed().id).picture()),
            hash(suggested(session, suggestions, commands, commands.get(0)).picture));
        part.close();
        closeAll(session, suggestions);
    }

    private static ImagePlus selectedPart(ImagePlus image) {
        image.setRoi(192, 96, 96, 96);
        ImagePlus part = new ImagePlus("part", image.getProcessor().crop());
        image.killRoi();
        return part;
    }

    private static void saysWhyNot() throws InterruptedException {
        Session session = new Session(spots(90, 80), () -> {});
        Suggestions suggestions = new Suggestions(session.live(), () -> {});
        settle(session);
        List<Registry.Command> commands = Arrays.asList(command(session, "multiply_matrix"),
            command(session, "statistics_of_labelled_pixels"), command(session, "maximum_box"));
        Suggestion matrix = suggested(session, suggestions, commands, commands.get(0)),
                   table = suggested(session, suggestions, commands, commands.get(1));
        expect("a preview that fails shows the engine's error message: " + matrix.sentence, "true no picture",
            matrix.sentence.matches("no preview: .*matrix1 is 90 wide.*") + " " + hash(matrix.picture));
        expect("a suggestion that makes a table has no picture: " + table.sentence, "true no picture",
            table.sentence.startsWith("the result is a table of ") + " " + hash(table.picture));
        expect("a preview after a failed one is made", "",
            suggested(session, suggestions, commands, commands.get(2)).sentence);
        expect("an operation that was not requested has no preview", null,
            suggestions.get(session.now(), session.viewed(), command(session, "gaussian_blur")));
        closeAll(session, suggestions);
    }

    /** Values change while previews are made. No preview of an old value is shown, and the live run finishes. */
    private static void newestWins() throws InterruptedException {
        Session session = new Session(spots(90, 80), () -> {});
        Suggestions suggestions = new Suggestions(session.live(), () -> {});
        session.add(Registry.get().operations.get("multiply_image_and_scalar"), false);
        settle(session);
        List<Registry.Command> commands = Arrays.asList(command(session, "maximum_box"),
            command(session, "gaussian_blur"), command(session, "automatic_threshold"));
        Step factor = session.viewed();
        Suggestion before = null;
        int shown = 0;
        for (int i = 0; i < 150; i++) {
            session.turn(factor, 2, 0.1 + 0.01 * i, true);
            Suggestion now = suggestions.get(session.now(), session.viewed(), commands.get(0));
            shown += now != null && now == before ? 1 : 0;
            Thread.sleep(i % 7);
            suggestions.want(session.now(), session.viewed(), commands);
            before = suggestions.get(session.now(), session.viewed(), commands.get(0));
        }
        expect("pictures of an older value", 0, shown);
        settle(session);
        compare(session, suggestions, "maximum_box", "gaussian_blur", "automatic_threshold");
        closeAll(session, suggestions);
    }
}

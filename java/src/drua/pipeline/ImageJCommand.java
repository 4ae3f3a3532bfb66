// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Quote;
import drua.engine.Registry;
import drua.imagej.Images;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.ImageWindow;
import java.awt.AWTEvent;
import java.awt.EventQueue;
import java.awt.Toolkit;
import java.awt.event.AWTEventListener;
import java.awt.event.HierarchyEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A step that is a command of ImageJ's menus or of another plugin. The image is pulled, the command runs on it, and the
 * image that is current afterwards is pushed. In a macro, the step consists of lines that do this, so CLIJ2 can also
 * run it. Inside the workbench, the step calls a command that only this class knows.
 */
public final class ImageJCommand {
    /** Indices of the step's values. */
    static final int SOURCE = 0, DESTINATION = 1, NAME = 2, OPTIONS = 3;
    /** Number of statements. */
    static final int LENGTH = 7;

    private static final String OPERATION = "image_j_command";
    private static final String TITLE = "before "; /* neither a variable nor a user's window can have this name */
    /** The set in which a command records the windows that it opens, on its thread and child threads. */
    private static final ThreadLocal<Set<ImagePlus>> SHOWN = new InheritableThreadLocal<>();
    private static final Map<String, Registry.Command> COMMANDS = new HashMap<>();

    private ImageJCommand() {}

    /** The command with the given prefix for its pull and push. */
    static synchronized Registry.Command of(String prefix) {
        return COMMANDS.computeIfAbsent(prefix, p -> Registry.of(description(p)).commands.get(p + "_imageJCommand"));
    }

    private static String description(String prefix) {
        String[][] parameters = {{"source", "input image of the command", "image_in"},
            {"destination", "image that is current after the command", "image_out"},
            {"command", "name as in the menus", "text"}, {"options", "as the macro recorder writes them", "text"}};
        String known =
            Arrays.stream(parameters)
                .map(p
                    -> "{'name': '" + p[0] + "', 'doc': '" + p[1] + "', 'kind': '" + p[2]
                        + "', 'unit': '', 'min': null, 'max': null, "
                        + "'default': null, 'example': null, 'type': '', 'written': false, 'replaces': false, "
                        + "'labels': false, 'group': '', 'enabled_if': '', 'choices': [], 'settings': []}")
                .collect(Collectors.joining(", "));
        String passed = Arrays.stream(parameters)
                            .map(p
                                -> "{'name': '" + p[0] + "', 'kind': '" + p[2]
                                    + "', 'output': " + p[2].equals("image_out") + ", 'typed': false}")
                            .collect(Collectors.joining(", "));
        return ("{'operations': [{'name': '" + OPERATION
            + "', 'category': 'transfer', 'summary': 'Runs a command of ImageJ or of another plugin.', 'source': '', "
            + "'expression': '', 'estimate': '', 'before_example': '', 'numeric': '', 'mechanism': '', 'host': "
            + "false, 'menu': false, 'parameters': [" + known + "]}], 'commands': [{'name': '" + prefix
            + "_imageJCommand', 'operation': '" + OPERATION + "', 'arguments': [" + passed + "], 'fixed': []}], "
            + "'absent': []}")
            .replace('\'', '"');
    }

    static boolean is(Step step) {
        return is(step.command);
    }

    static boolean is(Registry.Command command) {
        return command.operation.name.equals(OPERATION);
    }

    /** Fails for a step that runs an ImageJ command; for programs that run without ImageJ's menus. */
    static void refuse(Step step) {
        if (is(step))
            throw new EngineException("'" + step.values.get(NAME)
                + "' is an ImageJ command and cannot be exported; save the pipeline as a macro instead");
    }

    // ---- as lines of a macro

    /**
     * @param values    values of the step
     * @param separator text between statements
     */
    static String call(String prefix, List<Object> values, String separator) {
        String made = (String) values.get(DESTINATION), title = title(made), options = (String) values.get(OPTIONS);
        return String.join(separator, "Ext." + prefix + "_pull(" + values.get(SOURCE) + ");", "rename(" + title + ");",
            "run(" + Quote.macro((String) values.get(NAME)) + (options.isEmpty() ? "" : ", " + Quote.macro(options))
                + ");",
            made + " = getTitle();", "Ext." + prefix + "_push(" + made + ");", "close();", "close(" + title + ");");
    }

    private static String title(String variable) {
        return Quote.macro(TITLE + variable);
    }

    /**
     * The values of a step from its statements, as written; null if the statements are not an ImageJ command's step.
     */
    static List<Object> values(List<String> statements) {
        String pulled = textBetween(statements.get(0), "Ext.*_pull(", ");"),
               made = textBetween(statements.get(4), "Ext.*_push(", ");");
        String run = textBetween(statements.get(2), "run(", ");");
        List<String> words = run == null ? Arrays.asList() : Statements.arguments(run);
        if (pulled == null || made == null || !made.matches("[A-Za-z_]\\w*") || words.isEmpty() || words.size() > 2
            || !words.stream().allMatch(word -> MacroText.read(word) != null))
            return null;
        List<Object> values = Arrays.asList(
            pulled, made, MacroText.read(words.get(0)), words.size() < 2 ? "" : MacroText.read(words.get(1)));
        List<String> due = Arrays.asList(call(prefix(statements.get(0)), values, "\n").split("\n")),
                     given = new ArrayList<>(statements);
        given.set(2, due.get(2)); /* a string can be written in several ways */
        return due.equals(given) && !((String) values.get(NAME)).endsWith(" Macro Extensions") ? values : null;
    }

    static String prefix(String statement) {
        return statement.replaceFirst("(?s)^Ext\\.", "").replaceFirst("(?s)_.*", "");
    }

    private static String textBetween(String statement, String begin, String end) {
        String pattern = "(?s)"
            + Arrays.stream(begin.split("\\*")).map(Pattern::quote).collect(Collectors.joining("\\w+")) + "(.*)"
            + Pattern.quote(end);
        return statement.matches(pattern) ? statement.replaceFirst(pattern, "$1") : null;
    }

    // ---- running

    /**
     * Runs the lines as a macro would, but shows no dialog and leaves no window open. Do not call on the event thread.
     *
     * @param send the action of a push
     */
    static long run(long context, long image, Step step, boolean metadata, ToLongFunction<ImagePlus> send) {
        ImagePlus pulled = Images.pull(context, image, TITLE + step.values.get(DESTINATION), metadata);
        Set<ImagePlus> mine = Collections.synchronizedSet(new LinkedHashSet<>());
        try {
            return send.applyAsLong(
                run(pulled, (String) step.values.get(NAME), (String) step.values.get(OPTIONS), mine));
        } finally {
            new ArrayList<>(mine).forEach(ImageJCommand::discard);
        }
    }

    private static void discard(ImagePlus image) {
        image.changes = false;
        image.close();
    }

    /**
     * Records an image whose window a command opens. The event of this window arrives on the command's thread; events
     * of ImageJ's own windows arrive on the event thread.
     */
    private static void noteWindow(AWTEvent event) {
        Set<ImagePlus> mine = EventQueue.isDispatchThread() ? null : SHOWN.get();
        boolean isMade = (((HierarchyEvent) event).getChangeFlags() & HierarchyEvent.DISPLAYABILITY_CHANGED) != 0;
        if (mine != null && isMade && event.getSource() instanceof ImageWindow)
            mine.add(((ImageWindow) event.getSource()).getImagePlus());
    }

    /**
     * @param mine receives the images that the command opens; images that other code opens at the same time are not
     *     added
     */
    private static ImagePlus run(ImagePlus image, String name, String options, Set<ImagePlus> mine) {
        ImagePlus before = WindowManager.getTempCurrentImage(), current;
        AWTEventListener windows = ImageJCommand::noteWindow;
        String thread = Thread.currentThread().getName(), failure;
        Throwable thrown = null;
        IJ.redirectErrorMessages(true);
        Toolkit.getDefaultToolkit().addAWTEventListener(windows, AWTEvent.HIERARCHY_EVENT_MASK);
        SHOWN.set(mine);
        try {
            WindowManager.setTempCurrentImage(image);
            /* ImageJ passes options only to threads with this name */
            Thread.currentThread().setName("Run$_" + thread);
            IJ.run(name, options);
        } catch (RuntimeException | LinkageError e) { /* a plugin may throw any exception */
            thrown = e;
        } finally {
            Thread.currentThread().setName(thread);
            SHOWN.remove();
            Toolkit.getDefaultToolkit().removeAWTEventListener(windows);
            failure = IJ.getErrorMessage();
            IJ.redirectErrorMessages(false);
            current = WindowManager.getTempCurrentImage();
            WindowManager.setTempCurrentImage(before);
        }
        if (current != null && current != image && current.getWindow() == null)
            mine.add(current); /* a batch-mode image without a window */
        ImagePlus made = newestImage(mine, current);
        if (thrown != null || failure != null || made == null)
            throw new EngineException(name + ": "
                + (failure != null       ? failure.replace('\n', ' ')
                        : thrown != null ? thrown.getMessage()
                                         : "the command failed; ImageJ's windows show its message"));
        return made;
    }

    /** The newest image that the command opened, else the current image of its thread. */
    private static ImagePlus newestImage(Set<ImagePlus> mine, ImagePlus current) {
        ImagePlus newest = null;
        for (ImagePlus image : new ArrayList<>(mine)) {
            if (image.getWindow() != null)
                newest = image;
        }
        return newest != null ? newest : current;
    }
}

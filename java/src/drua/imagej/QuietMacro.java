// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import drua.engine.MacroFile;
import ij.IJ;
import ij.ImagePlus;
import ij.Macro;
import ij.WindowManager;
import ij.io.Opener;
import ij.macro.Interpreter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Runs a macro whose errors open no dialog, because a batch must not wait for a click. batch.ijm runs the macro of each
 * image in this way, and the workbench runs batch.ijm in the same way.
 */
public final class QuietMacro {
    /** Results of {@link #run} for macros that failed begin with this. */
    public static final String FAILED = "failed";
    /** Result of {@link #run} after Escape. */
    public static final String STOPPED = "[stopped]";

    /** Types of files that hold images, if they can be read. ImageJ opens others as text, tables or selections. */
    private static final Set<Integer> IMAGES = new HashSet<>(Arrays.asList(
        Opener.UNKNOWN, Opener.DICOM, Opener.FITS, Opener.PGM, Opener.JPEG, Opener.GIF, Opener.BMP, Opener.PNG));

    /** The quiet macros that are running, with their error message or "". */
    private static final Map<Interpreter, String> RUNNING = Collections.synchronizedMap(new WeakHashMap<>());

    private QuietMacro() {}

    /**
     * Runs a macro file on the calling thread. Macros use this with call().
     *
     * @return the text that the macro returned, "failed: " with the error message on one line, or {@link #STOPPED}
     */
    public static String run(String file, String argument) {
        if (IJ.escapePressed())
            return STOPPED;
        String text;
        try {
            text = MacroFile.of(Files.readAllBytes(Paths.get(file))).text;
        } catch (IOException e) {
            return failureLine("the macro '" + file + "' cannot be read (" + e.getMessage() + ")"
                + "; check its path and its permissions");
        }
        Interpreter macro = new Interpreter();
        RUNNING.put(macro, "");
        PrintStream screen = System.out;
        LastLine printed = new LastLine(screen);
        if (IJ.getInstance() == null)
            System.setOut(printed);
        try (ClosedDialogs dialogs = ClosedDialogs.watch(Thread.currentThread(), () -> stop(macro))) {
            String reason = null;
            try {
                String result = macro.run(text, argument);
                if (!macro.wasError() && !IJ.escapePressed())
                    return result == null ? "" : result;
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
                if (!Macro.MACRO_CANCELED.equals(e.getMessage()))
                    reason = e.toString();
            }
            return IJ.escapePressed() ? STOPPED
                                      : failureLine(firstNonEmpty(RUNNING.get(macro), macro.getErrorMessage(), reason,
                                          dialogs.text(), printed.text()));
        } finally {
            System.setOut(screen);
            RUNNING.remove(macro);
        }
    }

    /**
     * Keeps the message of an error if the macro is quiet.
     *
     * @return whether the macro is quiet; if so, the caller shows no dialog
     */
    public static boolean keep(Interpreter macro, String sentence) {
        return RUNNING.replace(macro, sentence) != null;
    }

    /** Whether a macro runs whose caller gets its error as a text. */
    public static boolean runs() {
        return !RUNNING.isEmpty();
    }

    /**
     * Opens an image as ImageJ does, but without its error dialogs. Macros use this with call().
     *
     * @return "", or why the image cannot be opened
     */
    public static String open(String file) {
        Path path = Paths.get(file);
        if (!Files.isReadable(path))
            return "the image '" + file + "' " + (Files.exists(path) ? "cannot be read" : "does not exist");
        ImagePlus before = WindowManager.getCurrentImage();
        Opener opener = new Opener();
        opener.setSilentMode(true);
        int type = opener.getFileType(file);
        if (type == Opener.TIFF || type == Opener.TIFF_AND_DICOM) {
            opener.open(file);
        } else if (IMAGES.contains(type)) { /* open() would show a dialog */
            ImagePlus image =
                type == Opener.UNKNOWN ? opener.openWithHandleExtraFileTypes(file, new int[1]) : opener.openImage(file);
            if (image != null)
                image.show();
        }
        return WindowManager.getCurrentImage() != before
            ? ""
            : "the image '" + file + "' cannot be opened: it is damaged, or ImageJ has no reader for it";
    }

    /** Stops a macro at a dialog, because no user can answer it. After an error, the macro has already ended. */
    private static void stop(Interpreter macro) {
        if (!macro.done())
            macro.abort((String) null);
    }

    private static String failureLine(String reason) {
        return reason.isEmpty() ? FAILED : FAILED + ": " + reason.trim().replaceAll("\\s*\n\\s*", " ");
    }

    private static String firstNonEmpty(String... texts) {
        for (String text : texts) {
            if (text != null && !text.trim().isEmpty())
                return text;
        }
        return "";
    }

    /** Standard output that remembers its last line, because exit(TEXT) prints TEXT if there is no window. */
    private static final class LastLine extends PrintStream {
        private final PrintStream screen;
        private String last = "";

        LastLine(PrintStream screen) {
            super(screen, true);
            this.screen = screen;
        }

        String text() {
            return last;
        }

        @Override
        public void println(String line) {
            last = line;
            screen.println(line);
        }
    }
}

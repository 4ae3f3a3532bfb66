// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.CommandListener;
import ij.Executer;
import ij.IJ;
import ij.Macro;
import ij.macro.Interpreter;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Stops a macro at an ImageJ command that failed, because later lines would work on wrong pixels or numbers. ImageJ
 * itself prints a stack trace and continues. With --keep-going the macro continues here too, and only the exit status
 * reports the failure.
 */
final class FailedCommand implements CommandListener {
    private static final String NO_DISPLAY =
        " needs a window, but there is no display (run ImageJ with a display, for example under xvfb-run)";

    /** Java's messages when ImageJ's window, its menus or an image window is missing. */
    private static final Pattern WINDOW = Pattern.compile("java\\.awt\\.HeadlessException|headless dialog"
        + "|because .*(\"this\\.win\"|IJ\\.getInstance\\(\\)\"|getWindow\\(\\)\"|getCanvas\\(\\)\"|\"menuBar\") is "
        + "null");

    /** ImageJ prints these for a script and for doCommand(), and then continues. */
    private static final String NO_JAVASCRIPT = "Could not find JavaScript engine", UNKNOWN = "Unrecognized command: ";

    private static final String COMMAND = "\tat ij.Executer.run", CALL = "\tat ij.macro.Functions.call";

    private final boolean keepsGoing;
    private final Thread macro = Thread.currentThread();
    private String running = "A command";
    private boolean failed;

    private FailedCommand(boolean keepsGoing) {
        this.keepsGoing = keepsGoing;
    }

    /** Watches the macro of this thread until {@link #end}. */
    static FailedCommand watch(boolean keepsGoing) {
        FailedCommand watch = new FailedCommand(keepsGoing);
        Executer.addCommandListener(watch);
        IJ.setExceptionHandler(watch::stop);
        WatchedFile.watch(watch::stopWriting);
        return watch;
    }

    void end() {
        Executer.removeCommandListener(this);
        IJ.setExceptionHandler(null);
        WatchedFile.watch((path, failure) -> {});
    }

    @Override
    public String commandExecuting(String command) {
        running = command.trim();
        String reason = UnreadOptions.reason(command);
        if (reason == null)
            return command;
        stopWith(reason);
        return null; /* with --keep-going and in scripts, ImageJ then skips the command */
    }

    /** True if a command or the writing of a file failed. */
    boolean happened() {
        return failed;
    }

    /** True if ImageJ prints this text when a command or call() fails. */
    static boolean isTrace(String text) {
        return text != null && text.contains("\n\tat ") && (text.contains(COMMAND) || text.contains(CALL));
    }

    /** True if ImageJ prints this text when it lacks a language or a command. */
    static boolean isMissing(String text) {
        return text != null && (text.equals(NO_JAVASCRIPT) || text.startsWith(UNKNOWN)) && !isPrintedByMacro();
    }

    private static boolean isPrintedByMacro() {
        return Arrays.stream(new Throwable().getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals("ij.IJ") && frame.getMethodName().equals("log"));
    }

    /** Stops the macro because of something that is missing. Returns only if the macro continues. */
    void stopWithout(String text) {
        stopWith(text.equals(NO_JAVASCRIPT)
                ? "eval() needs JavaScript, which this Java lacks; run the macro in Fiji or with Java 8"
                : text);
    }

    /** Stops the macro because of a stack trace. Returns only if the macro continues. */
    void stop(String trace) {
        stop(trace.contains(COMMAND) ? running : "The macro", trace.substring(0, trace.indexOf("\n\tat ")).trim());
    }

    /** Stops the macro for failures that a patched ImageJ catches in call() and when it writes files. */
    private void stop(Throwable failure) {
        Throwable cause = failure instanceof InvocationTargetException ? failure.getCause() : failure;
        if (!Macro.MACRO_CANCELED.equals(cause.getMessage()))
            stop("The macro", cause.toString());
    }

    private void stopWriting(String path, IOException failure) {
        stopWith("The file " + path + " is not complete (" + failure.getMessage()
            + "); check the disk space and the permissions of the folder");
    }

    private void stop(String what, String failure) {
        stopWith(what + reason(failure));
    }

    /** Stops the macro with an error. Returns only if the macro continues. */
    void stopWith(String sentence) {
        failed = true;
        Interpreter interpreter = Interpreter.getInstance();
        if (interpreter == null || keepsGoing) {
            System.err.println(sentence + (interpreter == null ? "" : " in line " + interpreter.getLineNumber()));
            return;
        }
        try {
            interpreter.abort(sentence);
        } catch (RuntimeException e) { /* a command in a thread of doCommand(): stop the macro's thread too */
            if (Thread.currentThread() == macro)
                throw e;
        }
    }

    private static String reason(String failure) {
        return WINDOW.matcher(failure).find() ? NO_DISPLAY : " failed inside ImageJ (" + failure + ")";
    }

    /** The error message for a failure outside a command, such as a function that shows a dialog. */
    static String sentence(Throwable failure, int line) {
        return "The macro" + reason(failure.toString()) + " in line " + line;
    }
}

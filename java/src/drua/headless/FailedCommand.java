// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.CommandListener;
import ij.Executer;
import ij.Macro;
import ij.macro.Interpreter;
import java.awt.HeadlessException;

/**
 * Ends a macro at the command of ImageJ that failed, as later lines would work on wrong pixels or numbers; ImageJ
 * itself prints Java's trace and goes on. With --keep-going the macro goes on here too, and only the exit status tells.
 */
final class FailedCommand implements CommandListener {
    private static final String NO_DISPLAY =
        " asks for a window, but there is no display; use ImageJ with its windows, which xvfb-run can hide,";

    private final boolean keepsGoing;
    private String running = "A command";
    private boolean failed;

    private FailedCommand(boolean keepsGoing) {
        this.keepsGoing = keepsGoing;
    }

    static FailedCommand watch(boolean keepsGoing) {
        FailedCommand watch = new FailedCommand(keepsGoing);
        Executer.addCommandListener(watch);
        return watch;
    }

    void end() {
        Executer.removeCommandListener(this);
    }

    @Override
    public String commandExecuting(String command) {
        running = command.trim();
        return command;
    }

    /** Whether a command failed after which the macro went on. */
    boolean happened() {
        return failed;
    }

    /** Whether ImageJ prints this when a command fails. */
    static boolean isTrace(String text) {
        return text != null && text.contains("\tat ij.Executer.run");
    }

    /** Stops the macro; does not return unless the macro goes on. */
    void stop(String trace) {
        failed = true;
        Interpreter interpreter = Interpreter.getInstance();
        String sentence = running
            + (needsWindow(trace) ? NO_DISPLAY : " failed: " + trace.substring(0, trace.indexOf("\n\tat ")).trim());
        String line = interpreter == null ? "" : " in line " + interpreter.getLineNumber();
        try {
            if (interpreter != null && !keepsGoing)
                interpreter.abort(sentence);
        } catch (HeadlessException e) { /* from ImageJ's own message */
            System.err.println("Macro Error: " + sentence + line);
            throw new RuntimeException(Macro.MACRO_CANCELED);
        }
        System.err.println(sentence + line);
    }

    private static boolean needsWindow(String trace) {
        return trace.contains("java.awt.HeadlessException") || trace.contains("headless dialog");
    }

    /** What ends a macro outside a command, such as a function that shows a dialog. */
    static String sentence(Throwable failure, int line) {
        String text = failure.toString();
        return "The macro" + (needsWindow(text) ? NO_DISPLAY : " failed: " + text) + " in line " + line;
    }
}

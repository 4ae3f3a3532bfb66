// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.CommandListener;
import ij.Executer;
import ij.IJ;
import ij.Macro;
import ij.Menus;
import ij.plugin.filter.PlugInFilter;
import java.awt.GraphicsEnvironment;

/**
 * ImageJ reads the options of run("Add...", "value=2") in the command's dialog. Without a display there is no dialog,
 * and a filter computes with its default numbers. With Fiji's patch of ImageJ, filters read their options. Without the
 * patch, a filter with options stops the macro; other commands that need a dialog stop it by their own error.
 */
final class UnreadOptions implements CommandListener {
    private final FailedCommand failure;

    private UnreadOptions(FailedCommand failure) {
        this.failure = failure;
    }

    /** Watches the commands of a macro and reports those whose options ImageJ would ignore. */
    static void watch(FailedCommand failure) {
        if (GraphicsEnvironment.isHeadless() && !isPatched())
            Executer.addCommandListener(new UnreadOptions(failure));
    }

    private static boolean isPatched() {
        try {
            IJ.class.getDeclaredField("_hooks");
            return true;
        } catch (NoSuchFieldException e) {
            return false;
        }
    }

    private static boolean isFilter(String command) {
        String name = String.valueOf(Menus.getCommands().get(command)).replaceFirst("\\(.*", "");
        try {
            return PlugInFilter.class.isAssignableFrom(Class.forName(name, false, IJ.getClassLoader()));
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    @Override
    public String commandExecuting(String command) {
        String options = Macro.getOptions();
        /* ImageJ reads the word "stack" without a dialog */
        if (options != null && !options.trim().matches("(stack|slice)?") && isFilter(command))
            failure.stopWith(command + " would ignore its options, because this ImageJ reads them only in a dialog; "
                + "run the macro in Fiji or by ./dev macro, or add ij1-patcher and javassist to the class path");
        return command;
    }
}

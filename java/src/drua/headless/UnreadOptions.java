// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.CommandListener;
import ij.Executer;
import ij.IJ;
import ij.Macro;
import ij.Menus;
import ij.macro.Interpreter;
import java.awt.GraphicsEnvironment;
import java.util.HashSet;
import java.util.Set;

/**
 * ImageJ reads the options of run("Add...", "value=2") in the command's dialog. Without a display there is no dialog,
 * and the command may use other values. With Fiji's patch of ImageJ, the command reads its options. Without the patch,
 * one line on stderr warns about each command with options.
 */
final class UnreadOptions implements CommandListener {
    private final Set<String> warned = new HashSet<>();

    static void watch() {
        if (GraphicsEnvironment.isHeadless() && !isPatched())
            Executer.addCommandListener(new UnreadOptions());
    }

    private static boolean isPatched() {
        try {
            IJ.class.getDeclaredField("_hooks");
            return true;
        } catch (NoSuchFieldException e) {
            return false;
        }
    }

    @Override
    public String commandExecuting(String command) {
        Object plugin = Menus.getCommands().get(command);
        if (Macro.getOptions() != null && !String.valueOf(plugin).startsWith("drua.") && warned.add(command))
            System.err.println("This ImageJ may ignore the options of " + command + " without a display, in line "
                + Interpreter.getInstance().getLineNumber() + "; use ./dev macro or Fiji, which read them");
        return command;
    }
}

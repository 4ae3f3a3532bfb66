// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.IJ;
import ij.Macro;
import ij.Menus;
import ij.plugin.filter.PlugInFilter;
import java.awt.GraphicsEnvironment;

/**
 * ImageJ reads the options of run("Add...", "value=2") in the command's dialog. Without a display there is no dialog,
 * and a filter computes with its default numbers. With Fiji's patch of ImageJ, filters read their options. Without the
 * patch, a filter with options fails; other commands that need a dialog fail by their own error.
 */
final class UnreadOptions {
    private UnreadOptions() {}

    /** Why a command would ignore its options; null if it reads them or has none. */
    static String reason(String command) {
        String options = Macro.getOptions();
        /* ImageJ reads the word "stack" without a dialog */
        boolean ignored = options != null && !options.trim().matches("(stack|slice)?")
            && GraphicsEnvironment.isHeadless() && !isPatched() && isFilter(command);
        return ignored
            ? command + " would ignore its options, because this ImageJ reads them only in a dialog; run the "
                + "macro in Fiji or by ./dev macro, or add ij1-patcher and javassist to the class path"
            : null;
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
}

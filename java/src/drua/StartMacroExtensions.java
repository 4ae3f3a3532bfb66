// SPDX-License-Identifier: BSD-3-Clause
package drua;

import drua.macro.MacroStart;
import ij.plugin.PlugIn;

/** The plugin class of run("Drua Macro Extensions") and of CLIJ2's start commands; see {@link MacroStart}. */
public final class StartMacroExtensions implements PlugIn {
    /** @param arg "compatible" for the start commands of CLIJ2 and CLIJ, else "" */
    @Override
    public void run(String arg) {
        MacroStart.run(arg.equals("compatible"));
    }
}

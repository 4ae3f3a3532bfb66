// SPDX-License-Identifier: BSD-3-Clause
package drua;

import drua.macro.MacroStart;
import ij.plugin.PlugIn;

/** What run("Drua Macro Extensions") and CLIJ2's start commands call; see {@link MacroStart}. */
public final class StartMacroExtensions implements PlugIn {
    /** @param arg "compatible" under the start commands of CLIJ2 and CLIJ, else "" */
    @Override
    public void run(String arg) {
        MacroStart.run(arg.equals("compatible"));
    }
}

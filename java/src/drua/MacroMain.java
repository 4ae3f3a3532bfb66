// SPDX-License-Identifier: BSD-3-Clause
package drua;

import drua.headless.CommandLine;

/** Runs a macro without a display: {@code java -cp ij.jar:Drua_.jar drua.MacroMain FILE.ijm ...}; see {@link CommandLine}. */
public final class MacroMain {
    private MacroMain() {}

    public static void main(String[] args) {
        CommandLine.main(args);
    }
}

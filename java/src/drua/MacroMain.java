// SPDX-License-Identifier: BSD-3-Clause
package drua;

import drua.engine.Engine;
import drua.engine.Native;
import drua.engine.NativeLibrary;
import drua.headless.CommandLine;
import drua.headless.HeadlessLoader;
import java.io.IOException;

/**
 * Runs a macro without a display: {@code java -cp ij.jar:Drua_.jar drua.MacroMain FILE.ijm ...}; see {@link
 * CommandLine}.
 */
public final class MacroMain {
    private MacroMain() {}

    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        if (HeadlessLoader.started(MacroMain.class, args))
            return;
        Engine.onOpen(MacroMain::printDevice);
        CommandLine.main(args);
    }

    private static void printDevice(long context) {
        System.err.println("Drua " + NativeLibrary.version() + " on " + Native.device(context)[0]);
        Engine.warningLogger(System.err::println).accept(context);
    }
}

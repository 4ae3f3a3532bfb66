// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.engine.NativeLibrary;
import drua.engine.Registry;
import drua.imagej.CallingScript;
import ij.IJ;
import ij.plugin.PlugIn;
import java.awt.GraphicsEnvironment;
import java.util.Comparator;

/** Plugins>Drua>Drua Help: finds operations and their pages. Without a display it lists Drua's commands in the Log. */
public final class HelpCommand implements PlugIn {
    @Override
    public void run(String arg) {
        try {
            NativeLibrary.load();
            Finder.introduce();
            if (GraphicsEnvironment.isHeadless())
                log();
            else
                Finder.open(null);
        } catch (EngineException e) {
            CallingScript.report(e.getMessage());
        }
    }

    private static void log() {
        Registry.get()
            .commands.values()
            .stream()
            .filter(command -> command.name.startsWith("Drua_"))
            .sorted(Comparator.comparing(command -> command.name))
            .forEach(command
                -> IJ.log(command.signature() + "\t" + command.operation.category + "\t" + command.operation.summary));
    }
}

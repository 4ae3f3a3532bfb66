// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.NativeLibrary;
import drua.imagej.Watch;
import ij.IJ;
import ij.plugin.PlugIn;
import ij.text.TextWindow;
import java.awt.GraphicsEnvironment;

/**
 * Plugins>Drua>Check This Computer: lists what Drua can use on this computer, as a text to paste when asking for help.
 * Without windows the text goes to the Log.
 */
public final class CheckComputer implements PlugIn {
    @Override
    public void run(String arg) {
        IJ.resetEscape();
        IJ.showStatus("Testing this computer's OpenCL devices...");
        String report = report();
        if (GraphicsEnvironment.isHeadless())
            IJ.log(report);
        else
            new TextWindow("Drua on This Computer", report, 900, 600);
    }

    @SuppressWarnings("try") /* the watch is used by opening and closing it */
    private static String report() {
        String java = "\nJava " + System.getProperty("java.version") + ", " + System.getProperty("os.name") + " "
            + System.getProperty("os.version") + ", " + System.getProperty("os.arch") + "\nImageJ "
            + IJ.getFullVersion() + ", Drua's jar " + NativeLibrary.version() + "\n";
        try {
            NativeLibrary.load();
            try (Watch watch =
                     Watch.begin("Check This Computer", Watch.escape(), Native::checkProgress, Native::stopCheck)) {
                return Native.checkComputer() + java;
            }
        } catch (EngineException e) {
            return "Drua does not work on this computer: " + e.getMessage() + "\n" + java;
        }
    }
}

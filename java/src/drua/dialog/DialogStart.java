// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.engine.NativeLibrary;
import drua.imagej.DeviceWarning;
import ij.IJ;
import java.awt.GraphicsEnvironment;

/** How dialogs of the menu begin, and how what fails in them is said. */
final class DialogStart {
    private DialogStart() {}

    /**
     * Opens a dialog that is of no use without a display; the recorder writes no line for it.
     *
     * @param needsDisplay said where there is none
     */
    static void open(String needsDisplay, Runnable dialog) {
        Recording.writeNothing();
        if (GraphicsEnvironment.isHeadless()) {
            IJ.error("Drua", needsDisplay);
            return;
        }
        try {
            load();
            dialog.run();
        } catch (EngineException e) {
            say(e);
        }
    }

    /** What every dialog needs of the engine. */
    static void load() {
        DeviceWarning.toLog();
        NativeLibrary.load();
        Welcome.once();
    }

    /** What was stopped by Escape opens no window. */
    static void say(EngineException failure) {
        if (IJ.escapePressed())
            IJ.log(failure.getMessage());
        else
            IJ.error("Drua", failure.getMessage());
    }
}

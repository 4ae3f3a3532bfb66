// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.engine.NativeLibrary;
import drua.imagej.CallingScript;
import drua.imagej.DeviceWarning;
import ij.IJ;
import java.awt.GraphicsEnvironment;

/** Opens the dialogs of the menu and reports their failures. */
final class DialogStart {
    private DialogStart() {}

    /**
     * Opens a dialog that needs a display. The recorder writes no line for it.
     *
     * @param needsDisplay the message shown without a display
     */
    static void open(String needsDisplay, Runnable dialog) {
        Recording.writeNothing();
        if (GraphicsEnvironment.isHeadless()) {
            CallingScript.report(needsDisplay);
            return;
        }
        try {
            load();
            dialog.run();
        } catch (EngineException e) {
            report(e);
        }
    }

    /** Loads the parts of the engine that every dialog needs. */
    static void load() {
        DeviceWarning.toLog();
        NativeLibrary.load();
    }

    /** A stop by Escape opens no error window. */
    static void report(EngineException failure) {
        if (IJ.escapePressed())
            IJ.log(failure.getMessage());
        else
            CallingScript.report(failure.getMessage());
    }
}

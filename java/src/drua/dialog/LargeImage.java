// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.engine.NativeLibrary;
import drua.imagej.DeviceWarning;
import ij.IJ;
import ij.plugin.PlugIn;
import java.awt.EventQueue;
import java.awt.GraphicsEnvironment;
import java.util.function.Supplier;

/** Plugins>Drua>Process a Large Image...: a pipeline on an image file that may be larger than any memory. */
public final class LargeImage implements PlugIn {
    private static Supplier<String> offered;

    /**
     * What the dialog offers as the workbench's pipeline, as a macro. For the thread of events.
     *
     * @param pipeline null: no workbench is open
     */
    public static void offer(Supplier<String> pipeline) {
        offered = pipeline;
        LargeImageWindow.refresh();
    }

    /** Opens the dialog with the workbench's pipeline chosen. For the thread of events. */
    public static void openWithOffered() {
        LargeImageWindow.open().chooseOffered();
    }

    static Supplier<String> offered() {
        return offered;
    }

    @Override
    public void run(String arg) {
        Recording.writeNothing();
        if (GraphicsEnvironment.isHeadless()) {
            IJ.error("Drua", "Process a Large Image needs a display; the command Drua_processFile does not");
            return;
        }
        DeviceWarning.toLog();
        try {
            NativeLibrary.load();
            Welcome.once();
            EventQueue.invokeLater(LargeImageWindow::open);
        } catch (EngineException e) {
            IJ.error("Drua", e.getMessage());
        }
    }
}

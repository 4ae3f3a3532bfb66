// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import ij.plugin.PlugIn;
import java.awt.EventQueue;
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
        DialogStart.open("Process a Large Image needs a display; the command Drua_processFile does not",
            () -> EventQueue.invokeLater(LargeImageWindow::open));
    }
}

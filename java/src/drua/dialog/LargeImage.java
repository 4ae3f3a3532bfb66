// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import ij.plugin.PlugIn;
import java.awt.EventQueue;
import java.util.function.Supplier;

/** Plugins>Drua>Process a Large Image...: runs a pipeline on an image file that may be larger than memory. */
public final class LargeImage implements PlugIn {
    private static Supplier<String> offered;

    /**
     * Sets the macro that the dialog offers as the workbench's pipeline. Call on the event thread.
     *
     * @param pipeline null if no workbench is open
     */
    public static void offer(Supplier<String> pipeline) {
        offered = pipeline;
        LargeImageWindow.refresh();
    }

    /** Opens the dialog with the workbench's pipeline selected. Call on the event thread. */
    public static void openWithOffered() {
        LargeImageWindow.open().chooseOffered();
    }

    static Supplier<String> offered() {
        return offered;
    }

    @Override
    public void run(String arg) {
        DialogStart.open(
            "Process a Large Image needs a display; without a display, use the command Drua_processFile", () -> {
                Finder.introduce();
                EventQueue.invokeLater(LargeImageWindow::open);
            });
    }
}

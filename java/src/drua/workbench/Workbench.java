// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.Finder;
import drua.engine.EngineException;
import drua.engine.NativeLibrary;
import drua.imagej.DeviceWarning;
import drua.imagej.StepViews;
import drua.pipeline.Catalogue;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.plugin.PlugIn;
import java.awt.EventQueue;
import java.awt.GraphicsEnvironment;

/** Plugins>Drua>Workbench: builds a pipeline and shows the result of each step. Starts with the current image. */
public final class Workbench implements PlugIn {
    @Override
    public void run(String arg) {
        ImagePlus current = WindowManager.getCurrentImage();
        try {
            if (GraphicsEnvironment.isHeadless())
                throw new EngineException("the workbench needs a display; run a saved macro instead, which needs none");
            DeviceWarning.toLog();
            NativeLibrary.load();
            Finder.introduce();
            Catalogue.get();
            EventQueue.invokeLater(
                () -> WorkbenchFrame.open(current == null || StepViews.is(current) ? null : current));
        } catch (EngineException e) {
            IJ.error("Drua", e.getMessage());
        }
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.imagej.StepViews;
import ij.ImagePlus;
import ij.plugin.PlugIn;
import java.awt.EventQueue;

/** Plugins>Drua>3-D View: shows the current stack as a solid object that the mouse rotates. */
public final class VolumeView implements PlugIn {
    /** ImageJ creates an object each time the menu entry is chosen. */
    public VolumeView() {}

    @Override
    public void run(String arg) {
        DialogStart.open(
            "3-D View needs a display; without one use Drua_renderVolume", () -> open(StepViews.current()));
    }

    private static void open(ImagePlus image) {
        Finder.introduce();
        if (image == null)
            throw new EngineException("3-D View needs an open stack; open one first");
        VolumeObject object = new VolumeObject(image);
        EventQueue.invokeLater(() -> new VolumeWindow(object, image.getWindow()).setVisible(true));
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.plugin.PlugIn;
import ij.plugin.filter.Analyzer;

/** run("Measure") without a display. ImageJ's own takes rows that no window shows for another command's, and deletes them. */
public final class Measure implements PlugIn {
    @Override
    public void run(String arg) {
        ImagePlus image = WindowManager.getCurrentImage();
        if (image == null)
            IJ.noImage();
        else
            new Analyzer(image).measure();
    }
}

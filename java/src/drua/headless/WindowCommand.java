// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.IJ;
import ij.ImagePlus;
import ij.Macro;
import ij.WindowManager;
import ij.plugin.ImageInfo;
import ij.plugin.PlugIn;
import java.awt.HeadlessException;
import java.util.Map;

/** Commands of ImageJ that do nothing but open a window; what draws one says that there is no display. */
public final class WindowCommand implements PlugIn {
    /** Takes their places. */
    static void add(Map<String, String> commands) {
        for (String name : new String[] {
                 "ROI Manager...", "Table...", "Text Window...", "Text Window", "Show Info...", "Distribution..."})
            commands.put(name, WindowCommand.class.getName() + "(\"" + name + "\")");
    }

    @Override
    public void run(String command) {
        if (command.startsWith("ROI")) {
            HiddenRoiManager.open();
        } else if (command.startsWith("Show")) {
            ImagePlus image = WindowManager.getCurrentImage();
            if (image == null)
                IJ.noImage();
            else
                HiddenWindows.open("Info for " + image.getTitle()).append(new ImageInfo().getImageInfo(image));
        } else if (command.startsWith("Distribution")) {
            throw new HeadlessException();
        } else {
            String options = Macro.getOptions(), fallback = command.startsWith("Table") ? "Table" : "Untitled.txt";
            HiddenWindows.open(options == null ? fallback : Macro.getValue(options, "name", fallback));
        }
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import drua.imagej.LabelColors;
import ij.ImagePlus;
import ij.WindowManager;
import ij.plugin.PlugIn;
import ij.process.LUT;
import java.awt.Color;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Provides the colour tables that Fiji has in its folder luts and ImageJ lacks, so that a macro written in Fiji does
 * not stop at run("glasbey_on_dark"). Only the appearance depends on them: labels get distinct colours, other images
 * stay grey.
 */
public final class FijiColors implements PlugIn {
    private static final List<String> NAMES = Arrays.asList("16_colors", "5_ramps", "6_shades", "Cyan Hot",
        "Green Fire Blue", "HiLo", "ICA", "ICA2", "ICA3", "Magenta Hot", "NanoJ-Orange", "Orange Hot", "Rainbow RGB",
        "Red Hot", "Thermal", "Yellow Hot", "blue_orange_icb", "brgbcmyw", "cool", "edges", "gem", "glasbey",
        "glasbey_inverted", "glasbey_on_dark", "glow", "mpl-inferno", "mpl-magma", "mpl-plasma", "mpl-viridis", "phase",
        "physics", "royal", "sepia", "smart", "thal", "thallium", "unionjack");

    /** Adds the commands that are missing, spelt with underscores and with spaces. */
    static void add(Map<String, String> commands) {
        for (String name : NAMES) {
            commands.putIfAbsent(name, FijiColors.class.getName() + "(\"" + name + "\")");
            commands.putIfAbsent(name.replace('_', ' '), FijiColors.class.getName() + "(\"" + name + "\")");
        }
    }

    @Override
    public void run(String name) {
        ImagePlus image = WindowManager.getCurrentImage();
        if (image == null || image.getType() == ImagePlus.COLOR_RGB)
            return;
        LUT lut = name.startsWith("glasbey") ? LabelColors.lut() : LUT.createLutFromColor(Color.WHITE);
        lut.min = image.getDisplayRangeMin();
        lut.max = image.getDisplayRangeMax();
        image.setLut(lut);
        image.updateAndDraw();
    }
}

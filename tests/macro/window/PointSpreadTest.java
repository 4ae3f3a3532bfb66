// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tests point spread functions from optics, beads and open images, with a preview; the recorded commands must make the
 * same functions.
 */
public final class PointSpreadTest {
    private static final String COMMAND = "Point Spread Function...";
    private static final String IMAGES =
        "newImage('cells', '16-bit ramp', 40, 30, 5); setVoxelSize(0.1, 0.1, 0.3, 'micron');"
        + " newImage('beads', '32-bit black', 40, 40, 15); for (z = 1; z <= 15; z++) { setSlice(z);"
        + " for (i = 0; i < 1600; i++) { x = i % 40; y = floor(i / 40);"
        + " setPixel(x, y, 10 + 900 * exp(-(pow(x - 20, 2) + pow(y - 20, 2)) / 8 - pow(z - 8, 2) / 12));"
        + " } } setVoxelSize(0.05, 0.05, 0.2, 'micron');"
        + " newImage('coarse', '32-bit black', 15, 15, 1); for (i = 0; i < 225; i++) setPixel(i % 15, floor(i / 15),"
        + " exp(-(pow(i % 15 - 7, 2) + pow(floor(i / 15) - 7, 2)) / 8));"
        + " setVoxelSize(0.2, 0.2, 0.3, 'micron'); selectImage('cells');";

    private PointSpreadTest() {}

    public static void main(String[] args) {
        Person.start(true);
        GenericDialog alone = Person.choose(COMMAND);
        Person.expect("without an image there are optics", "optics", Person.entered(alone, "from"));
        Person.cancel(alone);
        IJ.runMacro(IMAGES.replace('\'', '"'));
        Person.select("cells");
        int from = Person.recorded().length();
        optics();
        beads();
        open();
        Map<String, String> seen = Person.images();
        Person.expectReplay("point spread functions", seen,
            IMAGES.replace('\'', '"') + "\n" + Person.recorded().substring(from), false);
        Person.leave();
    }

    /** Waits until the dialog reports the expected widths, or for a limited time; returns the widths. */
    private static double[] widths(GenericDialog dialog, String size, Predicate<double[]> due) {
        Person.waitFor(() -> due.test(told(dialog, size)));
        double[] widths = told(dialog, size);
        Person.expect("widths of " + size + ": " + Window.said(dialog), due.test(widths));
        return widths;
    }

    private static double[] told(GenericDialog dialog, String size) {
        Matcher found =
            Pattern.compile(size + " voxels, ([0-9.]+) x ([0-9.]+)(?: x ([0-9.]+))? (?:um|microns?|\u00b5m) wide")
                .matcher(Window.said(dialog));
        return found.find() ? new double[] {Double.parseDouble(found.group(1)), Double.parseDouble(found.group(2)),
                   found.group(3) == null ? 0 : Double.parseDouble(found.group(3))}
                            : new double[3];
    }

    private static boolean isNear(double due, double got) {
        return Math.abs(got - due) < 0.07 * due;
    }

    /** An Airy disc has a full width at half maximum of 0.514 wavelengths / aperture. */
    private static void optics() {
        GenericDialog dialog = Person.choose(COMMAND);
        Person.expect("the image's voxels", "0.1 0.3",
            Person.entered(dialog, "pixel_size") + " " + Person.entered(dialog, "slice_distance"));
        Person.enter(dialog, "numerical_aperture", 0.8);
        Person.enter(dialog, "wavelength", 600);
        double[] wide = widths(dialog, "65 x 65 x 33", w -> isNear(0.514 * 0.6 / 0.8, w[0]) && w[0] == w[1]);
        Person.expect("the width along z is more than twice that along x", true, wide[2] > 2 * wide[0]);
        Person.expect("the field pinhole is enabled", false, Person.field(dialog, "pinhole").isEnabled());
        Person.pause(500);
        Person.photograph("PointSpreadTest-optics");
        Person.expect("fits a laptop's screen of 1366 x 700, is " + dialog.getSize(),
            dialog.getWidth() <= 1366 && dialog.getHeight() <= 700);
        Person.enter(dialog, "microscope", "confocal");
        Person.expect(
            "the field pinhole of a confocal microscope is enabled", true, Person.field(dialog, "pinhole").isEnabled());
        widths(dialog, "65 x 65 x 33", w -> w[0] > 0 && w[0] < 0.9 * wide[0]);
        Person.enter(dialog, "numerical_aperture", 1.4);
        Person.waitFor(() -> Window.said(dialog).contains("must be"));
        Person.pause(300);
        Person.photograph("PointSpreadTest-error");
        Person.expect("the sentence: " + Window.said(dialog), true,
            Window.said(dialog).contains("numerical_aperture must be below immersion_index, 1.33, got 1.4"));
        Person.enter(dialog, "numerical_aperture", 0.8);
        Person.expect("the dialog that opens after OK", null, Person.press(dialog));
        ImagePlus psf = WindowManager.getImage("psf");
        Person.expect("size and voxels of the point spread function", "65x65x33 0.1 0.1 0.3",
            psf == null ? null
                        : psf.getWidth() + "x" + psf.getHeight() + "x" + psf.getStackSize() + " "
                    + psf.getCalibration().pixelWidth + " " + psf.getCalibration().pixelHeight + " "
                    + psf.getCalibration().pixelDepth);
    }

    /** Gaussians of sigma 2 and 2.45 voxels; their full widths at half maximum are 2.355 times as large. */
    private static void beads() {
        Person.select("beads");
        GenericDialog dialog = Person.choose(COMMAND);
        Person.enter(dialog, "from", "beads");
        Person.expect("the field pinhole is enabled for beads", false, Person.field(dialog, "pinhole").isEnabled());
        Person.waitFor(() -> Window.said(dialog).contains("no bead"));
        Person.expect("15 slices are too few for the usual box: " + Window.said(dialog), true,
            Window.said(dialog).contains("use a smaller box or threshold"));
        Person.enter(dialog, "depth", 13);
        widths(dialog, "25 x 25 x 13", w -> isNear(2.355 * 2 * 0.05, w[0]) && isNear(2.355 * Math.sqrt(6) * 0.2, w[2]));
        Person.expect("beads: " + Window.said(dialog), true, Window.said(dialog).contains("Beads: 1"));
        Person.pause(500);
        Person.photograph("PointSpreadTest-beads");
        Person.expect("the dialog that opens after OK", null, Person.press(dialog));
        Person.expect(
            "the measured point spread function opens in a window", true, WindowManager.getImage("psf-1") != null);
    }

    /**
     * The psf's voxels are twice as large as the image's, so its width doubles in voxels and stays the same in
     * micrometres.
     */
    private static void open() {
        Person.select("cells");
        GenericDialog dialog = Person.choose(COMMAND);
        Person.enter(dialog, "from", "open image");
        Person.enter(dialog, "psf", "coarse");
        widths(dialog, "\\d+ x \\d+ x 1", w -> isNear(2.355 * 2 * 0.2, w[0]));
        Person.pause(500);
        Person.photograph("PointSpreadTest-open");
        Person.expect("the dialog that opens after OK", null, Person.press(dialog));
        ImagePlus psf = WindowManager.getImage("psf-2");
        Person.expect("the pixel size of the resampled point spread function", 0.1,
            psf == null ? null : psf.getCalibration().pixelWidth);
    }
}

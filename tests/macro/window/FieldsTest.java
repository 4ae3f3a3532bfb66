// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import java.awt.Component;
import java.awt.Label;
import java.awt.Rectangle;

/**
 * Checks that fields keep their values, take the image's scale, and are disabled where they do not apply, and that an
 * error keeps the dialog open.
 */
public final class FieldsTest {
    /** 1366 x 768 without the desktop's bars. */
    private static final Rectangle LAPTOP = new Rectangle(1366, 700);

    private FieldsTest() {}

    public static void main(String[] args) {
        Person.start(true);
        IJ.runMacro("newImage(\"psf\", \"32-bit black\", 9, 9, 1); setPixel(4, 4, 1);"
            + " setVoxelSize(0.1, 0.1, 0.3, \"micron\");");
        IJ.runMacro("newImage(\"cells\", \"8-bit ramp\", 32, 24, 1); setVoxelSize(0.1, 0.1, 0.3, \"micron\");");
        valuesStay();
        errorsKeepTheDialog();
        textsAreKept();
        titlesAreOfOneImage();
        deconvolution();
        slices();
        labelsAreLabels();
        superResolution();
        Person.leave();
    }

    private static void valuesStay() {
        IJ.runMacro("newImage(\"coarse\", \"8-bit ramp\", 32, 24, 1); setVoxelSize(0.5, 0.5, 1, \"micron\");");
        Person.select("cells");
        GenericDialog dialog = Person.choose(Person.entry("gaussian_blur"));
        Person.expect("sizes of pixels: " + Window.text(dialog), true,
            Window.text(dialog).contains("pixel of 0.1 micron (0 to 1000)")
                && Window.text(dialog).contains("pixel of 0.3 micron (0 to 1000)"));
        Person.enter(dialog, "source", "coarse");
        Person.expect(
            "unit of the chosen image", true, Window.text(dialog).contains("pixel of 0.5 micron (0 to 1000)"));
        Person.enter(dialog, "source", "cells");
        Person.enter(dialog, "sigma_x", "0.0645");
        Person.press(dialog);
        Person.select("cells");
        dialog = Person.choose(Person.entry("gaussian_blur"));
        Person.expect("sigma stays", "0.0645", Person.entered(dialog, "sigma_x"));
        Person.cancel(dialog);
        dialog = Person.choose(Person.entry("difference_of_gaussian"));
        Person.expect("values are kept for each operation", "2", Person.entered(dialog, "sigma1_x"));
        Person.cancel(dialog);
    }

    private static void errorsKeepTheDialog() {
        GenericDialog dialog = Person.choose(Person.entry("gaussian_blur"));
        Person.enter(dialog, "sigma_x", -4);
        Person.enter(dialog, "sigma_y", 3);
        dialog.setBounds(40, 420, dialog.getWidth() + 60, dialog.getHeight());
        Person.settle();
        Rectangle before = dialog.getBounds();
        GenericDialog again = Person.press(dialog);
        Person.expect("the dialog is there", true, again != null);
        if (again == null)
            return;
        Person.settle();
        Person.expect("place of the dialog after an error", before, again.getBounds());
        Person.photograph("FieldsTest-error");
        Person.expect("the dialog states the error", true, Window.text(again).contains("sigma_x must be"));
        Person.expect("values", "-4 3", Person.entered(again, "sigma_x") + " " + Person.entered(again, "sigma_y"));
        Person.enter(again, "sigma_x", 1);
        Person.expect("the corrected operation runs", null, Person.press(again));
        Person.expect("the result is shown", true, WindowManager.getImage("gaussianBlur-1") != null);
    }

    private static void textsAreKept() {
        Person.select("cells");
        GenericDialog dialog = Person.choose(Person.entry("gaussian_blur"));
        Person.enter(dialog, "sigma_y", 7);
        String expected = "gaussianBlur: sigma_x must be a number from 0 to 1000, ";
        String[][] entries = {{"NaN", "got 'NaN'"}, {"Infinity", "got 'Infinity'"}, {"abc", "got 'abc'"},
            {"", "but the field is empty"}, {"1,234", "got '1,234'; write 1234 or 1.234"}};
        for (String[] entry : entries) {
            Person.enter(dialog, "sigma_x", entry[0]);
            dialog = Person.press(dialog);
            Person.expect("the dialog states the error", expected + entry[1], said(dialog));
            Person.expect(
                "texts", entry[0] + " 7", Person.entered(dialog, "sigma_x") + " " + Person.entered(dialog, "sigma_y"));
        }
        Person.enter(dialog, "sigma_x", "-5");
        dialog = Person.press(dialog);
        Person.cancel(dialog);
        Person.select("cells");
        dialog = Person.choose(Person.entry("gaussian_blur"));
        Person.expect("a refused value does not come back", "1", Person.entered(dialog, "sigma_x"));
        Person.enter(dialog, "sigma_x", "1,5");
        Person.expect("a decimal comma is understood", null, Person.press(dialog));
        Person.expect("the recorded number has a decimal point", true, Person.recorded().contains(", 1.5, 3, "));
    }

    private static String said(GenericDialog dialog) {
        Person.waitFor(() -> !Window.said(dialog).isEmpty());
        return Window.said(dialog);
    }

    /** A title must name exactly one image, in the dialog and in recorded commands. */
    private static void titlesAreOfOneImage() {
        IJ.runMacro("newImage(\"twin\", \"8-bit ramp\", 16, 12, 1); newImage(\"other\", \"8-bit ramp\", 20, 12, 1);");
        WindowManager.getImage("other").setTitle("twin");
        GenericDialog dialog = Person.press(Person.choose(Person.entry("gaussian_blur")));
        Person.expect("the error about a title of several images",
            "gaussianBlur: source: several open images have the title 'twin'; rename one with Image>Rename...",
            said(dialog));
        Person.cancel(dialog);
        WindowManager.getCurrentImage().close();
    }

    private static void deconvolution() {
        /* the checkbox about channels and frames needs an image with frames */
        IJ.runMacro("newImage(\"series\", \"8-bit ramp\", 16, 12, 2, 1, 2);");
        Person.select("cells");
        GenericDialog dialog = Person.choose(Person.entry("deconvolve"));
        Person.expect("spacing", "0.1,0.1,0.3", Person.entered(dialog, "spacing"));
        Person.expect("plain numbers", "0.05 10 0",
            Person.entered(dialog, "alpha") + " " + Person.entered(dialog, "order") + " "
                + Person.entered(dialog, "background"));
        Person.expect("the dialog shows numbers with exponents", false, Window.text(dialog).contains("E-"));
        for (String group : new String[] {"Method", "Image", "Total variation", "End"})
            Person.expect("group " + group, true, labels(dialog).contains("|" + group + "|"));
        enabled(dialog, "richardson_lucy", "tv");
        Person.enter(dialog, "tv", 0.002);
        enabled(dialog, "richardson_lucy with tv", "tv", "tv_floor", "spacing");
        Person.enter(dialog, "method", "landweber");
        enabled(dialog, "landweber", "step", "precondition");
        Person.enter(dialog, "method", "wiener_butterworth");
        enabled(dialog, "wiener_butterworth", "alpha", "order", "tv", "tv_floor", "spacing");
        Person.enter(dialog, "edges", "circulant");
        Person.expect("start", false, Person.field(dialog, "start").isEnabled());
        Person.enter(dialog, "estimate", true);
        Person.expect(
            "an estimate comes", true, Person.waitFor(() -> Window.said(dialog).contains("iterations take about")));
        Person.settle();
        Person.photograph("FieldsTest-deconvolve");
        for (Component c : dialog.getComponents()) {
            Rectangle at = c.getBounds();
            Person.expect("this field lies inside the window: " + (c instanceof Label ? ((Label) c).getText() : c),
                true,
                at.x + Math.min(at.width, c.getPreferredSize().width) <= dialog.getWidth()
                    && at.y + at.height <= dialog.getHeight()
                    && (!(c instanceof Label) || c.getPreferredSize().width <= at.width
                        || ((Label) c).getText().trim().isEmpty()));
        }
        Person.expect("fits a laptop's screen of " + LAPTOP + ", is " + dialog.getSize(), true,
            LAPTOP.contains(new Rectangle(dialog.getSize())));
        Person.expect(
            "on the screen", true, dialog.getGraphicsConfiguration().getBounds().contains(dialog.getBounds()));
        Person.cancel(dialog);
    }

    private static String labels(GenericDialog dialog) {
        StringBuilder labels = new StringBuilder("|");
        for (Component c : dialog.getComponents())
            labels.append(c instanceof Label ? ((Label) c).getText().trim() + "|" : "");
        return labels.toString();
    }

    /** Checks which of the dependent fields are enabled: only those named. */
    private static void enabled(GenericDialog dialog, String when, String... names) {
        for (String field : new String[] {"step", "precondition", "alpha", "order", "tv", "tv_floor", "spacing"})
            Person.expect(field + " with " + when, java.util.Arrays.asList(names).contains(field),
                Person.field(dialog, field).isEnabled());
    }

    /** The last slice is that of the chosen image, also after another image is chosen. */
    private static void slices() {
        IJ.runMacro("newImage(\"short\", \"8-bit ramp\", 16, 12, 5); newImage(\"long\", \"8-bit ramp\", 16, 12, 9);");
        for (int i = 0; i < 2; i++) {
            Person.select("long");
            GenericDialog dialog = Person.choose(Person.entry("maximum_z_projection"));
            Person.expect(
                "slices of long", "0 8", Person.entered(dialog, "min_z") + " " + Person.entered(dialog, "max_z"));
            Person.enter(dialog, "source", "short");
            Person.expect(
                "slices of short", "0 4", Person.entered(dialog, "min_z") + " " + Person.entered(dialog, "max_z"));
            Person.press(dialog);
        }
        Person.expect("recorded as all slices", 2, Person.recorded().split("0, 2147483647", -1).length - 1);
    }

    /**
     * The label map and the grey image are offered whichever of them is current. If the user chooses a grey image as
     * labels, the dialog asks.
     */
    private static void labelsAreLabels() {
        IJ.runMacro(
            "newImage(\"nuclei\", \"16-bit ramp\", 64, 48, 1); run(\"Add Specified Noise...\", \"standard=500\");"
            + "newImage(\"objects\", \"16-bit black\", 64, 48, 1); setColor(1); fillRect(4, 4, 20, 12); setColor(2);"
            + " fillRect(30, 9, 20, 30);");
        for (String current : new String[] {"nuclei", "objects"}) {
            Person.select(current);
            GenericDialog dialog = Person.choose(Person.entry("statistics_of_labelled_pixels"));
            Person.expect("offered with " + current, "nuclei objects",
                Person.entered(dialog, "source") + " " + Person.entered(dialog, "labels"));
            if (current.equals("objects")) {
                Person.press(dialog);
                break;
            }
            Person.enter(dialog, "labels", "nuclei");
            dialog = Person.press(dialog);
            Person.expect("the dialog asks about a grey image: " + said(dialog), true,
                said(dialog).contains("looks like a grey image"));
            Person.photograph("FieldsTest-labels");
            Person.expect("answered by OK", null, Person.press(dialog));
        }
        Person.expect("two objects", 2, ij.measure.ResultsTable.getResultsTable("statisticsOfLabelledPixels-1").size());
    }

    private static void superResolution() {
        IJ.runMacro("newImage(\"movie\", \"16-bit random\", 20, 16, 1, 1, 30); setVoxelSize(0.1, 0.1, 1, \"micron\");");
        GenericDialog dialog = Person.choose(Person.entry("esrrf"));
        Person.expect("drift_frames", false, Person.field(dialog, "drift_frames").isEnabled());
        Person.enter(dialog, "drift_correction", true);
        Person.expect("drift_frames", true, Person.field(dialog, "drift_frames").isEnabled());
        Person.enter(dialog, "drift_correction", false);
        Person.enter(dialog, "magnification", 4);
        Person.expect("eSRRF runs", null, Person.press(dialog));
        ImagePlus result = WindowManager.getImage("esrrf");
        Person.expect("pixel", "0.025 x 0.025 micron",
            result.getCalibration().pixelWidth + " x " + result.getCalibration().pixelHeight + " "
                + result.getCalibration().getUnit());
        Person.expect("window of the Log", null, WindowManager.getWindow("Log"));
    }
}

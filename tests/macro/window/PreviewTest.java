// SPDX-License-Identifier: BSD-3-Clause
import drua.engine.Engine;
import drua.engine.Native;
import drua.imagej.Images;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.gui.ImageRoi;
import ij.gui.Overlay;
import ij.gui.Roi;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;
import java.awt.Component;
import java.awt.Container;
import java.awt.Label;
import java.awt.Rectangle;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that a preview shows the result of OK for the current slice, follows changes of slice and selection while the
 * dialog is open, and reports progress.
 */
public final class PreviewTest {
    private static final String STACK =
        "newImage('cells', '8-bit black', 48, 40, 12); for (z = 1; z <= 12; z++) { setSlice(z);"
        + " for (i = 0; i < 1920; i++) setPixel(i % 48, floor(i / 48), 20 + 200 * exp(-(pow(i % 48 - 3 * z, 2) +"
        + " pow(i / 48 - 20, 2)) / 30) + (i * 7919 * z) % 17); }"
        + " setMinAndMax(10, 180); setSlice(5);";

    private PreviewTest() {}

    public static void main(String[] args) {
        Person.start(false);
        asOkGivesIt();
        slicesAreScrolled();
        selections();
        overlaysStay();
        labelsAreSeeThrough();
        masksAreSeeThrough();
        errorsAreSaid();
        selectionsAreExplained();
        longOnesAreStopped();
        besideTheImage();
        deviceIsChanged();
        imageIsClosed();
        Person.leave();
    }

    private static ImagePlus open(String macro) {
        while (WindowManager.getImageCount() > 0) {
            WindowManager.getCurrentImage().changes = false;
            WindowManager.getCurrentImage().close();
        }
        IJ.runMacro(macro.replace('\'', '"'));
        return WindowManager.getCurrentImage();
    }

    private static GenericDialog choose(String operation) {
        GenericDialog dialog = Person.choose(Person.entry(operation));
        Person.enter(dialog, "preview", true);
        return dialog;
    }

    /** The preview on the current slice, or null. */
    private static ImageRoi preview(ImagePlus image) {
        Person.waitFor(() -> shown(image) != null);
        return shown(image);
    }

    private static ImageRoi shown(ImagePlus image) {
        Overlay overlay = image.getOverlay();
        for (int i = 0; overlay != null && i < overlay.size(); i++) {
            Roi roi = overlay.get(i);
            if (roi instanceof ImageRoi && (roi.getPosition() == 0 || roi.getPosition() == image.getCurrentSlice()))
                return (ImageRoi) roi;
        }
        return null;
    }

    /** Displayed colours of the pixels in a part of the current slice. */
    private static List<Integer> seen(ImagePlus image, double low, double high, Rectangle part) {
        ImageProcessor ip = image.getProcessor();
        List<Integer> pixels = new ArrayList<>();
        for (int y = part.y; y < part.y + part.height; y++) {
            for (int x = part.x; x < part.x + part.width; x++)
                pixels.add((int) Math.round(255 * Math.max(0, Math.min(1, (ip.getf(x, y) - low) / (high - low)))));
        }
        return pixels;
    }

    private static List<Integer> pixels(ImageRoi roi) {
        List<Integer> pixels = new ArrayList<>();
        ImageProcessor ip = roi.getProcessor();
        for (int i = 0; i < ip.getPixelCount(); i++)
            pixels.add(ip.get(i) & 0xff);
        return pixels;
    }

    /** Whether values differ by at most one grey value, because colours are rounded. */
    private static boolean alike(List<Integer> a, List<Integer> b) {
        boolean alike = a.size() == b.size();
        for (int i = 0; alike && i < a.size(); i++)
            alike = Math.abs(a.get(i) - b.get(i)) <= 1;
        return alike;
    }

    /** Presses OK and returns the result, set to the image's slice. */
    private static ImagePlus result(GenericDialog dialog, ImagePlus image) {
        Person.press(dialog);
        Person.waitFor(() -> WindowManager.getImageCount() > 1);
        ImagePlus made = WindowManager.getImage(WindowManager.getIDList()[WindowManager.getImageCount() - 1]);
        made.setSlice(Math.min(made.getStackSize(), image.getCurrentSlice()));
        return made;
    }

    private static void asOkGivesIt() {
        for (String operation : new String[] {"gaussian_blur", "median_sphere", "top_hat_box"}) {
            ImagePlus image = open(STACK);
            GenericDialog dialog = choose(operation);
            List<Integer> previewed = pixels(preview(image));
            Person.photograph("preview-" + operation);
            ImagePlus made = result(dialog, image);
            Person.expect(operation + " as OK gives it", alike(seen(made, 10, 180, new Rectangle(48, 40)), previewed));
            Person.expect(operation + ": the preview is gone", null, image.getOverlay());
            Person.expect(operation + ": contrast", "10.0 to 180.0",
                image.getDisplayRangeMin() + " to " + image.getDisplayRangeMax());
        }
    }

    private static void slicesAreScrolled() {
        ImagePlus image = open(STACK);
        GenericDialog dialog = choose("gaussian_blur");
        Person.expect("the dialog does not block other windows", !dialog.isModal());
        List<Integer> first = pixels(preview(image));
        image.setSlice(9);
        List<Integer> second = pixels(preview(image));
        Person.expect("another slice gets another preview", !first.equals(second));
        ImagePlus made = result(dialog, image);
        Person.expect("slice 9 as OK gives it", alike(seen(made, 10, 180, new Rectangle(48, 40)), second));
    }

    private static void selections() {
        Rectangle part = new Rectangle(12, 14, 15, 11);
        for (String operation : new String[] {"gaussian_blur", "automatic_threshold", "maximum_box"}) {
            ImagePlus image = open(STACK);
            image.setRoi(part);
            GenericDialog dialog = choose(operation);
            ImageRoi shown = preview(image);
            Person.expect(operation + ": place", part, shown.getBounds());
            Person.photograph("selection-" + operation);
            boolean mask = operation.equals("automatic_threshold");
            List<Integer> previewed = pixels(shown);
            ImagePlus made = result(dialog, image);
            List<Integer> expected = seen(made, mask ? 0 : 10, mask ? 1 : 180, part);
            boolean same = true;
            for (int i = 0; mask && i < expected.size(); i++)
                same &= (expected.get(i) > 0) == ((shown.getProcessor().get(i) & 0xff0000) != 0);
            Person.expect(operation + " of a selection as OK gives it", mask ? same : alike(expected, previewed));
        }
    }

    private static void overlaysStay() {
        ImagePlus image = open(STACK);
        image.setOverlay(new Overlay(new Roi(3, 3, 5, 5)));
        GenericDialog dialog = choose("gaussian_blur");
        preview(image);
        Person.expect("the user's overlay beside the preview", 2, image.getOverlay().size());
        Person.enter(dialog, "preview", false);
        Person.waitFor(() -> shown(image) == null);
        Person.expect("the user's overlay alone", 1, image.getOverlay().size());
        Person.cancel(dialog);
        Person.expect("after Cancel", 1, image.getOverlay().size());
    }

    private static void labelsAreSeeThrough() {
        ImagePlus image = open("newImage('spots', '8-bit black', 60, 50, 1); setColor(200); fillOval(5, 5, 14, 14);"
            + " fillOval(30, 20, 16, 16);");
        GenericDialog dialog = choose("connected_components_box");
        ImageRoi shown = preview(image);
        Person.photograph("preview-labels");
        java.awt.image.BufferedImage picture = picture(shown);
        Person.expect("background is not covered", 0, picture.getRGB(1, 1) >>> 24);
        int inside = picture.getRGB(12, 12) >>> 24, other = picture.getRGB(38, 28) & 0xffffff;
        Person.expect("the preview inside a label is transparent, alpha " + inside, inside > 0 && inside < 0xc0);
        Person.expect("labels have different colours", other != (picture.getRGB(12, 12) & 0xffffff));
        int outlined = 0;
        for (int x = 0; x < 60; x++)
            outlined += picture.getRGB(x, 12) >>> 24 == 0xff ? 1 : 0;
        Person.expect("pixels of outlines in a row through a label", 2, outlined);
        Person.cancel(dialog);
    }

    private static void masksAreSeeThrough() {
        ImagePlus image = open("newImage('spots', '16-bit black', 60, 50, 1); setColor(900); fillOval(5, 5, 14, 14);"
            + " setMinAndMax(0, 1000);");
        GenericDialog dialog = Person.choose(Person.entry("threshold"));
        Person.enter(dialog, "threshold", 400);
        Person.enter(dialog, "preview", true);
        java.awt.image.BufferedImage picture = picture(preview(image));
        Person.photograph("preview-mask");
        Person.expect("pixels outside the mask are not covered", 0, picture.getRGB(40, 40) >>> 24);
        Person.expect("mask is red and transparent", "60ff0000", Integer.toHexString(picture.getRGB(12, 12)));
        Person.cancel(dialog);
    }

    private static java.awt.image.BufferedImage picture(ImageRoi roi) {
        try {
            Field image = ImageRoi.class.getDeclaredField("img");
            image.setAccessible(true);
            return (java.awt.image.BufferedImage) image.get(roi);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void errorsAreSaid() {
        ImagePlus image = open(STACK);
        GenericDialog dialog = choose("gaussian_blur");
        preview(image);
        Person.enter(dialog, "sigma_x", "5000");
        Person.waitFor(() -> Window.said(dialog).contains("sigma_x"));
        Person.photograph("preview-error");
        Person.expect("the sentence in the dialog: " + Window.said(dialog),
            Window.said(dialog).contains("sigma_x must be 0 to 1000 pixel, got 5000"));
        Person.expect("an invalid value has no preview", null, shown(image));
        Person.enter(dialog, "sigma_x", "2");
        Person.expect("the next value is previewed", preview(image) != null);
        Person.waitFor(() -> Window.said(dialog).isEmpty());
        Person.expect("the error is gone", "", Window.said(dialog));
        Person.cancel(dialog);

        open(STACK);
        GenericDialog threshold = choose("automatic_threshold");
        Person.waitFor(() -> Window.said(threshold).contains("whole"));
        Person.expect("computes the whole stack", "computed from the whole stack", Window.said(threshold));
        Person.cancel(threshold);
    }

    /** A selection limits the preview but not the result, so the dialog says what OK processes. */
    private static void selectionsAreExplained() {
        ImagePlus image = open(STACK);
        String expected = "OK processes the whole image, not only the selection";
        image.setRoi(new ij.gui.OvalRoi(4, 4, 20, 16));
        GenericDialog dialog = Person.choose(Person.entry("gaussian_blur"));
        Person.expect("the dialog without a preview says what OK processes: " + Window.said(dialog),
            Person.waitFor(() -> Window.said(dialog).equals(expected)));
        Person.enter(dialog, "preview", true);
        preview(image);
        Person.expect("the dialog with a preview says what OK processes: " + Window.said(dialog),
            Person.waitFor(() -> Window.said(dialog).equals(expected)));
        Person.photograph("preview-selection");
        image.deleteRoi();
        Person.expect("the dialog says nothing without a selection: " + Window.said(dialog),
            Person.waitFor(() -> Window.said(dialog).isEmpty()));
        Person.press(dialog);
        Person.expect("the result is whole", "48 x 40",
            WindowManager.getCurrentImage().getWidth() + " x " + WindowManager.getCurrentImage().getHeight());
    }

    private static void longOnesAreStopped() {
        ImagePlus image = open("newImage('noise', '8-bit random', 3000, 3000, 1);");
        GenericDialog dialog = Person.choose(Person.entry("median_sphere"));
        for (String axis : new String[] {"x", "y"})
            Person.enter(dialog, "radius_" + axis, 20);
        Person.enter(dialog, "preview", true);
        Person.expect(
            "it reports progress", Person.waitFor(() -> Window.said(dialog).matches("(computing|preparing).*")));
        Person.photograph("preview-computing");
        Person.expect("there is no preview yet", null, shown(image));
        for (String axis : new String[] {"x", "y"})
            Person.enter(dialog, "radius_" + axis, 1);
        Person.expect("another value is previewed instead", preview(image) != null);
        Person.cancel(dialog);
    }

    /**
     * A macro opens another device, which closes the previous device with the preview's images. The preview continues
     * on the new device.
     */
    private static void deviceIsChanged() {
        ImagePlus image = open(STACK),
                  kept = new ImagePlus("kept", new FloatProcessor(3, 2, new float[] {7, 7, 7, 7, 7, 7}));
        GenericDialog dialog = choose("gaussian_blur");
        preview(image);
        long before = Engine.context();
        synchronized (Engine.class) {
            Person.expect("another device", before != Engine.open("the image has no such name"));
            Native.bind(Engine.context(), "kept", Images.push(Engine.context(), kept, new int[] {1}, null, 0));
        }
        List<Integer> first = pixels(preview(image));
        Person.enter(dialog, "sigma_x", 4);
        Person.waitFor(() -> shown(image) != null && !pixels(shown(image)).equals(first));
        Person.expect(
            "preview continues; " + Window.said(dialog), shown(image) != null && !pixels(shown(image)).equals(first));
        Person.cancel(dialog);
        synchronized (Engine.class) {
            Person.expect("a macro's image stays", Native.exists(Engine.context(), "kept"));
            Person.expect("a pixel of the macro's image", 7.0f,
                Images.pullNumbers(Engine.context(), Native.find(Engine.context(), "kept"))[0][0]);
            Native.clear(Engine.context());
        }
    }

    /** The image closes while the preview waits for a macro that uses the device. */
    private static void imageIsClosed() {
        ImagePlus image = open(STACK);
        GenericDialog dialog = choose("gaussian_blur");
        preview(image);
        synchronized (Engine.class) {
            Person.enter(dialog, "sigma_x", 3);
            Person.pause(300);
            image.changes = false;
            image.close();
            Person.pause(300);
        }
        ImagePlus again = open(STACK);
        Person.enter(dialog, "sigma_x", 2);
        Person.expect("an image of that title is previewed", preview(again) != null);
        Person.cancel(dialog);
    }

    private static void besideTheImage() {
        ImagePlus image = open(STACK);
        image.getWindow().setLocation(200, 200);
        GenericDialog dialog = Person.choose(Person.entry("gaussian_blur"));
        Person.expect("image and dialog side by side", !dialog.getBounds().intersects(image.getWindow().getBounds()));
        Person.expect("the dialog is on the screen", new Rectangle(1280, 900).contains(dialog.getBounds()));
        Person.photograph("dialog-beside");
        Person.cancel(dialog);
    }
}

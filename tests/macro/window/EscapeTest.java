// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.text.TextWindow;
import java.awt.event.KeyEvent;

/** Checks that Escape stops a command that was started in a dialog, and that long commands show the remaining time. */
public final class EscapeTest {
    private EscapeTest() {}

    public static void main(String[] args) {
        Person.start(false);
        stopsTheCheck();
        stops("one volume", "newImage('big', '8-bit random', 1200, 1200, 40);");
        stops("channels and frames", "newImage('big', '8-bit ramp', 700, 700, 2, 1, 30);");
        stopsDeconvolution();
        stopsEachStep();
        tellsTimeLeft();
        othersWait();
        stopsOptics();
        Person.leave();
    }

    private static void begin(String macro, int radius) {
        IJ.runMacro(macro.replace('\'', '"'));
        GenericDialog dialog = Person.choose(Person.entry("median_sphere"));
        for (String axis : new String[] {"x", "y", "z"})
            Person.enter(dialog, "radius_" + axis, axis.equals("z") ? 0 : radius);
        Person.begin(dialog);
    }

    /** The key goes to the window with the focus, as when a user presses it. */
    private static void stops(String what, String macro) {
        begin(macro, 20);
        Person.expect(what + " says how long it takes", true,
            Person.waitFor(() -> Person.status().matches(".*(so far|left|almost done).*") || !Person.isWorking()));
        Person.expect(what + " goes on", true, Person.isWorking());
        Person.key(KeyEvent.VK_ESCAPE);
        Person.expect(what + " ends", true, Person.waitFor(() -> !Person.isWorking()));
        Person.expect(what + " opens no window", null, WindowManager.getImage("medianSphere"));
        Person.expect(what + " is stopped", true, String.valueOf(IJ.getLog()).contains("stopped on request"));
        Person.photograph("EscapeTest");
        close();
    }

    /** While an operation runs, another dialog opens at once, and its work waits in a queue that is shown. */
    private static void othersWait() {
        begin("newImage('big', '8-bit random', 1200, 1200, 40);", 20);
        Person.waitFor(() -> Person.status().contains("Median Sphere"));
        Person.select("big");
        long asked = System.nanoTime();
        IJ.doCommand(Person.entry("gaussian_blur"));
        Person.expect("another dialog opens", Person.waitFor(() -> Person.shown() != null));
        double seconds = (System.nanoTime() - asked) / 1e9;
        Person.expect("the other dialog opens in less than 5 s, took " + seconds + " s", seconds < 5);
        Person.expect("the first operation still runs: " + Person.status(), Person.status().contains("Median Sphere"));
        Person.pause(300);
        Person.photograph("EscapeTest-queue");
        Person.begin(Person.shown());
        Person.expect("the queue: " + Person.status(),
            Person.waitFor(() -> Person.status().matches("Median Sphere: .*; waiting: Gaussian Blur")));
        Person.key(KeyEvent.VK_ESCAPE);
        Person.expect("both end", Person.waitFor(() -> !Person.isWorking()));
        close();
    }

    /** Stops a deconvolution by a command, channel by channel and frame by frame. */
    private static void stopsDeconvolution() {
        IJ.runMacro("newImage('psf', '32-bit black', 9, 9, 1); setPixel(4, 4, 1);".replace('\'', '"'));
        IJ.runMacro("newImage('big', '16-bit black', 600, 600, 2, 1, 6); run('Add...', 'value=100 stack');".replace(
            '\'', '"')); /* an image without light is refused */
        GenericDialog dialog = Person.choose(Person.entry("deconvolve"));
        Person.enter(dialog, "iterations", 4000);
        Person.begin(dialog);
        Person.expect("deconvolution says how long it takes", true,
            Person.waitFor(() -> Person.status().matches(".*: \\d+ (s|min) (so far|left)")));
        Person.key(KeyEvent.VK_ESCAPE);
        Person.expect("deconvolution ends", true, Person.waitFor(() -> !Person.isWorking()));
        Person.expect("the stopped deconvolution opens no window", 2, WindowManager.getImageCount());
        Person.expect("the Log says that the deconvolution was stopped", true,
            String.valueOf(IJ.getLog()).contains("stopped on request"));
        Person.photograph("EscapeTest-deconvolve");
        close();
    }

    /** Stops each step from a movie of two channels to labels. A step done within half a second needs no Escape. */
    private static void stopsEachStep() {
        IJ.runMacro(
            "newImage('movie', '16-bit composite-mode', 900, 900, 2, 1, 20); run('Add...', 'value=100 stack');".replace(
                '\'', '"'));
        for (String step : new String[] {"gaussian_blur", "threshold", "connected_components_box"}) {
            IJ.log("\\Clear");
            Person.select("movie");
            GenericDialog dialog = Person.choose(Person.entry(step));
            if (step.equals("gaussian_blur"))
                Person.enter(dialog, "sigma_x", 90);
            Person.begin(dialog);
            if (!stopsOrIsDone(step, ".*", 1))
                WindowManager.getCurrentImage().close();
        }
        close();
    }

    /**
     * Presses Escape once the status shows the remaining time. A command that ends within half a second opens its
     * window instead. Returns whether the command was stopped.
     */
    private static boolean stopsOrIsDone(String what, String status, int windows) {
        Person.waitFor(() -> Person.status().matches(status + ": .*(so far|left)") || !Person.isWorking());
        boolean isLong = Person.isWorking();
        Person.key(KeyEvent.VK_ESCAPE);
        Person.expect(what + " ends", true, Person.waitFor(() -> !Person.isWorking()));
        boolean isStopped = String.valueOf(IJ.getLog()).contains("stopped on request");
        Person.expect(
            what + ", stopped or done", true, isStopped || !isLong || WindowManager.getImageCount() > windows);
        Person.expect(what + ": windows", isStopped ? windows : windows + 1, WindowManager.getImageCount());
        return isStopped;
    }

    /**
     * Stops work on the host: a point spread function of 60 million voxels. A fast computer may finish before Escape.
     */
    private static void stopsOptics() {
        GenericDialog dialog = Person.choose("Point Spread Function...");
        for (String entry : new String[] {"width=1001", "height=1001", "depth=61"})
            Person.enter(dialog, entry.replaceFirst("=.*", ""), entry.replaceFirst(".*=", ""));
        Person.begin(dialog);
        stopsOrIsDone("optics", "Microscope PSF", 0);
        close();
    }

    private static void tellsTimeLeft() {
        begin("newImage('big', '8-bit ramp', 700, 700, 1, 1, 24);", 20);
        Person.expect("time left", true,
            Person.waitFor(() -> Person.status().matches(".*: \\d+ (s|min) left") || !Person.isWorking())
                && Person.isWorking());
        Person.waitFor(() -> !Person.isWorking());
        ImagePlus result = WindowManager.getImage("medianSphere");
        Person.expect("frames", 24, result == null ? 0 : result.getNFrames());
        close();
    }

    /** Stops the check of the computer, which takes a second or more unless all kernels are cached. */
    private static void stopsTheCheck() {
        long start = System.currentTimeMillis();
        IJ.doCommand("Check This Computer");
        Person.waitFor(() -> Person.status().matches("Check This Computer: .*(so far|left|done)") || report() != null);
        Person.expect(
            "the check says how long it takes", report() == null || System.currentTimeMillis() - start < 1000);
        Person.waitFor(() -> report() != null && !Person.isWorking());
        report().close(false);
        IJ.doCommand("Check This Computer");
        Person.waitFor(() -> Person.status().startsWith("Testing this computer") || report() != null);
        Person.key(KeyEvent.VK_ESCAPE);
        Person.waitFor(() -> report() != null);
        String text = report().getTextPanel().getText();
        Person.expect("the check is stopped: " + text, text.contains("the check was stopped on request"));
    }

    private static TextWindow report() {
        return (TextWindow) WindowManager.getFrame("Drua on This Computer");
    }

    private static void close() {
        while (WindowManager.getImageCount() > 0) {
            WindowManager.getCurrentImage().changes = false;
            WindowManager.getCurrentImage().close();
        }
        IJ.log("\\Clear");
    }
}

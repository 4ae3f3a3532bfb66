// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import java.awt.event.KeyEvent;

/** Escape stops what a dialog began; what takes long says how long it still will. */
public final class EscapeTest {
    private EscapeTest() {}

    public static void main(String[] args) {
        Person.start(false);
        stops("one volume", "newImage('big', '8-bit random', 1200, 1200, 8);");
        stops("channels and frames", "newImage('big', '8-bit random', 700, 700, 2, 1, 30);");
        tellsTimeLeft();
        Person.leave();
    }

    private static void begin(String macro, int radius) {
        IJ.runMacro(macro.replace('\'', '"'));
        GenericDialog dialog = Person.choose(Person.entry("median_sphere"));
        for (String axis : new String[] {"x", "y", "z"})
            Person.enter(dialog, "radius_" + axis, axis.equals("z") ? 0 : radius);
        Person.begin(dialog);
    }

    /** The key goes to the window that has the focus, as it does when a person presses it. */
    private static void stops(String what, String macro) {
        begin(macro, 20);
        Person.expect(what + " says how long it takes", true, Person.waitFor(() -> Person.status().matches(".*(so far|left).*") || !Person.isWorking()));
        Person.expect(what + " goes on", true, Person.isWorking());
        Person.key(KeyEvent.VK_ESCAPE);
        Person.expect(what + " ends", true, Person.waitFor(() -> !Person.isWorking()));
        Person.expect(what + " opens no window", null, WindowManager.getImage("medianSphere"));
        Person.expect(what + " is stopped", true, String.valueOf(IJ.getLog()).contains("stopped on request"));
        Person.photograph("EscapeTest");
        close();
    }

    private static void tellsTimeLeft() {
        begin("newImage('big', '8-bit random', 700, 700, 1, 1, 160);", 20);
        Person.expect("time left", true, Person.waitFor(() -> Person.status().matches(".*: \\d+ (s|min) left") || !Person.isWorking()) && Person.isWorking());
        Person.waitFor(() -> !Person.isWorking());
        ImagePlus result = WindowManager.getImage("medianSphere");
        Person.expect("frames", 160, result == null ? 0 : result.getNFrames());
        close();
    }

    private static void close() {
        while (WindowManager.getImageCount() > 0) {
            WindowManager.getCurrentImage().changes = false;
            WindowManager.getCurrentImage().close();
        }
        IJ.log("\\Clear");
    }
}

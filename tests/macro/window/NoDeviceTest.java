// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.gui.GenericDialog;

/** Without an OpenCL device, the preview of a dialog says what is missing, and still answers later requests. */
public final class NoDeviceTest {
    private NoDeviceTest() {}

    public static void main(String[] args) {
        Person.start(false);
        IJ.runMacro("newImage(\"image\", \"8-bit ramp\", 40, 30, 1);");
        GenericDialog dialog = Person.choose(Person.entry("gaussian_blur"));
        for (int turn = 0; turn < 3; turn++) {
            Person.enter(dialog, "preview", true);
            Person.expect("preview " + turn + " says what is missing",
                Person.waitFor(() -> Window.said(dialog).contains("OpenCL")));
            Person.enter(dialog, "preview", false);
            Person.waitFor(() -> !Window.said(dialog).contains("OpenCL"));
        }
        Person.cancel(dialog);
        Person.leave();
    }
}

// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImageJ;
import java.awt.Dialog;
import java.awt.Window;

/** Runs a macro file in ImageJ with its windows. */
public final class Display {
    private Display() {}

    public static void main(String[] args) throws InterruptedException {
        new ImageJ();
        Thread thread = new Thread(() -> IJ.runMacroFile(args[0], args[1]), "Run$_Macro$");
        thread.start();
        while (thread.isAlive() && !asks())
            thread.join(100);
        Runtime.getRuntime().halt(thread.isAlive() ? 1 : 0);
    }

    /** A dialog waits for somebody. */
    private static boolean asks() {
        for (Window window : Window.getWindows())
            if (window instanceof Dialog && ((Dialog) window).isModal() && window.isShowing())
                return true;
        return false;
    }
}

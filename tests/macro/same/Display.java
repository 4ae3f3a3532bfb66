// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImageJ;
import java.awt.AWTEvent;
import java.awt.Dialog;
import java.awt.Frame;
import java.awt.KeyboardFocusManager;
import java.awt.Toolkit;
import java.awt.Window;
import java.awt.event.WindowEvent;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** Runs a macro file in ImageJ with windows. */
public final class Display {
    private static final Set<Window> ACTIVATED = ConcurrentHashMap.newKeySet();

    private Display() {}

    public static void main(String[] args) throws InterruptedException {
        Toolkit.getDefaultToolkit().addAWTEventListener(event -> {
            if (event.getID() == WindowEvent.WINDOW_ACTIVATED)
                ACTIVATED.add((Window) event.getSource());
        }, AWTEvent.WINDOW_EVENT_MASK);
        new ImageJ();
        Thread thread = new Thread(() -> IJ.runMacroFile(args[0], args[1]), "Run$_Macro$");
        thread.start();
        while (thread.isAlive() && !asks())
            thread.join(100);
        Runtime.getRuntime().halt(thread.isAlive() ? 1 : 0);
    }

    /** Waits until the window manager has focused the window of that title, or four seconds. */
    public static void waitUntilActive(String title) throws InterruptedException {
        waitUntil(() -> isActive(title));
    }

    /**
     * Waits until each window has had the focus once, or four seconds; a late one would take the focus from later
     * windows.
     */
    public static void waitForWindows() throws InterruptedException {
        waitUntil(()
                      -> Arrays.stream(Window.getWindows())
                             .allMatch(window -> !window.isShowing() || ACTIVATED.contains(window)));
    }

    private static void waitUntil(BooleanSupplier reached) throws InterruptedException {
        for (int k = 0; k < 200 && !reached.getAsBoolean(); k++)
            Thread.sleep(20);
    }

    private static boolean isActive(String title) {
        Window window = KeyboardFocusManager.getCurrentKeyboardFocusManager().getActiveWindow();
        return window instanceof Frame && title.equals(((Frame) window).getTitle());
    }

    /** Whether a dialog waits for input. */
    private static boolean asks() {
        for (Window window : Window.getWindows())
            if (window instanceof Dialog && ((Dialog) window).isModal() && window.isShowing())
                return true;
        return false;
    }
}

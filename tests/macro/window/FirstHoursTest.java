// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.gui.ImageCanvas;
import ij.gui.ImageWindow;
import java.awt.Button;
import java.awt.Component;
import java.awt.Container;
import java.awt.Dialog;
import java.awt.Dimension;
import java.awt.EventQueue;
import java.awt.Frame;
import java.awt.Label;
import java.awt.Rectangle;
import java.awt.Toolkit;
import java.awt.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.swing.AbstractButton;
import javax.swing.JComponent;
import javax.swing.JDialog;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JTable;
import javax.swing.JTextField;

/**
 * Five first hours: nuclei and their table; channels, slices and frames; a solid view of labels; a preset; dialogs and
 * help. After each step, every window is on the screen, no text is cut, and no dialog has opened by surprise.
 */
public final class FirstHoursTest extends WorkbenchHands {
    private static final Rectangle SCREEN = new Rectangle(Toolkit.getDefaultToolkit().getScreenSize());
    private static final int EDGE = 10;
    private static final String SIZE = SCREEN.width + "x" + SCREEN.height
        + (Person.scale() == 1 ? "" : "-at-" + Math.round(100 * Person.scale()) + "-percent");

    private FirstHoursTest() {}

    public static void main(String[] args) {
        Person.start(false);
        nuclei();
        dimensions();
        solids();
        preset();
        dialogs();
        Person.leave();
    }

    // ---- what a user sees

    /** Checks all open windows. modal: the title of the only dialog that may be open, or "". */
    private static void look(String step, String modal) {
        Person.settle();
        Person.photograph("FirstHours-" + SIZE + "-" + step);
        for (Window window : Window.getWindows()) {
            if (!window.isShowing() || window.getClass().getName().startsWith("javax.swing.Popup"))
                continue;
            String name = window instanceof Dialog ? ((Dialog) window).getTitle()
                : window instanceof Frame          ? ((Frame) window).getTitle()
                                                   : window.getName();
            Person.expect(step + " on " + SIZE + ": '" + name + "' at " + window.getBounds() + " is on the screen",
                SCREEN.contains(window.getBounds()));
            Rectangle menus = new Rectangle(IJ.getInstance().getLocation(),
                new Dimension(IJ.getInstance().getWidth(), IJ.getInstance().getInsets().top));
            menus.grow(-EDGE, 0); /* the frames of windows beside each other may overlap */
            boolean isHigh = window.getHeight() > SCREEN.height - IJ.getInstance().getHeight() - menus.y;
            Person.expect(step + " on " + SIZE + ": '" + name + "' leaves ImageJ's menus free",
                window == IJ.getInstance() || isHigh || !window.getBounds().intersects(menus));
            if (window instanceof ImageWindow)
                isWhole(step, ((ImageWindow) window).getCanvas());
            boolean isModal = window instanceof Dialog && ((Dialog) window).isModal();
            Person.expect(step + ": the modal dialog '" + name + "' is expected",
                !isModal || name.contains(modal) && !modal.isEmpty());
            List<String> cut = new ArrayList<>();
            event(() -> cut(window, cut));
            Person.expect(step + " on " + SIZE + ": cut texts in '" + name + "'", "[]", cut);
        }
    }

    private static void isWhole(String step, ImageCanvas canvas) {
        ImagePlus image = canvas.getImage();
        Person.expect(step + " on " + SIZE + ": the shown part of '" + image.getTitle() + "'",
            new Rectangle(image.getWidth(), image.getHeight()), canvas.getSrcRect());
    }

    private static String text(Component part) {
        String text = "";
        if (part instanceof JLabel)
            text = ((JLabel) part).getText();
        else if (part instanceof AbstractButton)
            text = ((AbstractButton) part).getText();
        else if (part instanceof Button)
            text = ((Button) part).getLabel();
        else if (part instanceof Label)
            text = ((Label) part).getText();
        return text == null ? "" : text;
    }

    /** True if a field of text shows only a part of its text. */
    private static boolean isPart(Component part) {
        return part instanceof JTextField && part.isShowing()
            && ((JTextField) part).getHorizontalVisibility().getMaximum()
            > ((JTextField) part).getHorizontalVisibility().getExtent() + EDGE;
    }

    /** Lists buttons, labels and fields that are narrower than their text. */
    private static void cut(Container in, List<String> found) {
        for (Component part : in.getComponents()) {
            String text = text(part);
            boolean hasTip = part instanceof JComponent && ((JComponent) part).getToolTipText() != null;
            if (!text.trim().isEmpty() && part.isShowing() && part.getWidth() > 0 && !hasTip
                && part.getPreferredSize().width > part.getWidth() + 1)
                found.add(text);
            if (isPart(part))
                found.add(((JTextField) part).getText());
            if (part instanceof Container)
                cut((Container) part, found);
        }
    }

    /** Closes all windows except ImageJ's own and those of images. */
    private static void closeWindows() {
        for (Window window : Window.getWindows()) {
            if (window.isShowing() && window != IJ.getInstance() && !(window instanceof ImageWindow))
                event(window::dispose);
        }
    }

    private static void closeAll() {
        event(() -> {
            if (frame() != null)
                frame().dispose();
        });
        closeWindows();
        int[] ids = WindowManager.getIDList();
        for (int id : ids == null ? new int[0] : ids) {
            ImagePlus image = WindowManager.getImage(id);
            image.changes = false;
            event(image::close);
        }
    }

    // ---- the hours

    private static void nuclei() {
        IJ.open(System.getProperty("drua.images") + "/BBBC022_nuclei.tif");
        openWorkbench();
        look("nuclei-open", "");
        type("otsu", "Automatic Threshold", "Add");
        type("label", "Connected Components Box", "Add");
        seen("Connected Components Box");
        look("nuclei-labels", "");
        type("area", "Statistics of Labelled Pixels", "Add");
        JTable table = named(JTable.class, "measured");
        Person.expect("rows", Person.waitFor(() -> table.getRowCount() > 10));
        event(() -> table.setRowSelectionInterval(2, 4));
        look("nuclei-table", "");
        int before = WindowManager.getImageCount();
        choose("View", "Side by side");
        Person.eventually("images with one beside", before + 1, WindowManager::getImageCount);
        look("nuclei-beside", "");
        closeAll();
    }

    private static void dimensions() {
        IJ.runMacro(("newImage('cells', '16-bit composite-mode', 300, 200, 2, 5, 4); for (t = 1; t <= 4; t++)"
            + " for (z = 1; z <= 5; z++) for (c = 1; c <= 2; c++) { Stack.setPosition(c, z, t); setColor(400 * c);"
            + " fillOval(20 * t, 30 * c, 40 + 5 * z, 30); } Stack.setPosition(1, 3, 1); resetMinAndMax();")
                        .replace('\'', '"'));
        openWorkbench();
        look("dimensions-open", "");
        type("maximumZ", "Maximum Z Projection", "Add");
        seen("Maximum Z Projection");
        press("Play");
        Person.pause(3000);
        look("dimensions-playing", "");
        press("Stop");
        closeAll();
    }

    private static void solids() {
        IJ.runMacro(("newImage('stack', '8-bit black', 200, 160, 30); for (z = 4; z <= 26; z++) { setSlice(z);"
            + " for (i = 0; i < 4; i++) { setColor(120 + 30 * i); fillOval(10 + 48 * i, 20 + 30 * i, 36, 36); } }"
            + " setSlice(15); run('Gaussian Blur 3D...', 'x=2 y=2 z=2'); resetMinAndMax();")
                        .replace('\'', '"'));
        openWorkbench();
        type("otsu", "Automatic Threshold", "Add");
        type("label", "Connected Components Box", "Add");
        seen("Connected Components Box");
        choose("View", "3-D view");
        Person.expect("the 3-D view", Person.waitFor(() -> window("3-D View of") != null));
        Person.pause(4000);
        look("solid", "");
        type("area", "Statistics of Labelled Pixels", "Add");
        Person.expect("rows", Person.waitFor(() -> named(JTable.class, "measured").getRowCount() == 4));
        look("solid-table", "");
        closeAll();
    }

    private static Window window(String title) {
        return Arrays.stream(Window.getWindows())
            .filter(w -> w.isShowing() && w instanceof Frame && ((Frame) w).getTitle().startsWith(title))
            .findFirst()
            .orElse(null);
    }

    private static void preset() {
        IJ.open(System.getProperty("drua.images") + "/BBBC022_nuclei.tif");
        openWorkbench();
        EventQueue.invokeLater(() -> choosePreset());
        Person.expect("presets", Person.waitFor(() -> modal() != null));
        look("presets", "Start from a Preset");
        event(() -> Person.part(modal(), JList.class, "presets").setSelectedIndex(0));
        event(() -> Person.part(modal(), AbstractButton.class, "Open").doClick(0));
        Person.expect("steps", Person.waitFor(() -> rows() > 3));
        Person.expect("results", Person.waitFor(() -> session().live().isDone()));
        look("preset", "");
        closeAll();
    }

    private static void choosePreset() {
        for (int i = 0; i < frame().getJMenuBar().getMenu(0).getItemCount(); i++) {
            javax.swing.JMenuItem item = frame().getJMenuBar().getMenu(0).getItem(i);
            if (item != null && item.getText().startsWith("Start from"))
                item.doClick(0);
        }
    }

    private static JDialog modal() {
        return (JDialog) Arrays.stream(Window.getWindows())
            .filter(w -> w instanceof JDialog && w.isShowing())
            .findFirst()
            .orElse(null);
    }

    private static int shown() {
        return (int) Arrays.stream(Window.getWindows()).filter(Window::isShowing).count();
    }

    private static void dialogs() {
        IJ.open(System.getProperty("drua.images") + "/BBBC022_nuclei.tif");
        for (String operation : new String[] {"gaussian_blur", "automatic_threshold", "deconvolve", "esrrf"}) {
            GenericDialog dialog = Person.choose(Person.entry(operation));
            look("dialog-" + operation, "");
            Person.cancel(dialog);
        }
        for (String command :
            new String[] {"Drua Operation...", "Point Spread Function...", "Process a Large Image...", "Drua Help"}) {
            int before = shown();
            IJ.doCommand(command);
            Person.expect(command + " opens a window", Person.waitFor(() -> shown() > before));
            look(command.replaceAll("\\W", ""), "");
            closeWindows();
        }
    }
}

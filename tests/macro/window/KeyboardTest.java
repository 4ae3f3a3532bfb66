// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.awt.Component;
import java.awt.KeyboardFocusManager;
import java.awt.Robot;
import java.awt.Window;
import java.awt.event.KeyEvent;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import javax.swing.AbstractButton;
import javax.swing.JComponent;
import javax.swing.JFrame;
import javax.swing.JList;
import javax.swing.JMenu;
import javax.swing.JMenuItem;
import javax.swing.JPopupMenu;
import javax.swing.JSlider;
import javax.swing.JTable;
import javax.swing.JTextField;
import javax.swing.MenuElement;
import javax.swing.MenuSelectionManager;

/**
 * A first hour with the keyboard alone: from ImageJ's search for commands to labels, their measurements, a gate in a
 * plot, and a saved macro. Keys come from the screen's keyboard, not from events made here.
 */
public final class KeyboardTest extends WorkbenchHands {
    private static final int ALT = KeyEvent.VK_ALT, CONTROL = KeyEvent.VK_CONTROL, SHIFT = KeyEvent.VK_SHIFT,
                             ENTER = KeyEvent.VK_ENTER, DOWN = KeyEvent.VK_DOWN, UP = KeyEvent.VK_UP;
    private static Robot robot;

    private KeyboardTest() {}

    public static void main(String[] args) throws Exception {
        robot = new Robot();
        robot.setAutoDelay(40);
        Person.start(false);
        ij.Prefs.useJFileChooser = true;
        IJ.runMacro(("newImage('cells', '8-bit black', 200, 150, 1); for (i = 0; i < 6; i++) { setColor(100 + 20 * i);"
            + " fillRect(10 + 30 * i, 20 + 15 * i, 10 + i, 12); } run('Select None');")
                        .replace('\'', '"'));
        opens();
        buildsSteps();
        turnsASlider();
        opensMenus();
        measures();
        gates();
        everythingHasAKey();
        saves();
        Person.leave();
    }

    // ---- keys

    private static void press(int... keys) {
        for (int key : keys)
            robot.keyPress(key);
        for (int i = keys.length - 1; i >= 0; i--)
            robot.keyRelease(keys[i]);
        robot.waitForIdle();
        Person.pause(150);
    }

    private static void write(String text) {
        for (char letter : text.toCharArray()) {
            boolean isUpper = Character.isUpperCase(letter);
            if (isUpper)
                robot.keyPress(SHIFT);
            press(KeyEvent.getExtendedKeyCodeForChar(letter));
            if (isUpper)
                robot.keyRelease(SHIFT);
        }
    }

    private static Component focus() {
        AtomicReference<Component> owner = new AtomicReference<>();
        event(() -> owner.set(KeyboardFocusManager.getCurrentKeyboardFocusManager().getFocusOwner()));
        return owner.get();
    }

    private static String focused() {
        Component owner = focus();
        return owner == null ? "nothing" : owner.getName();
    }

    private static void expectFocus(String name) {
        Person.expect("the keyboard is in " + name + ", got " + focus(), Person.waitFor(() -> name.equals(focused())));
    }

    private static void expectSoon(String what, BooleanSupplier holds) {
        Person.expect(what + "; status: " + (frame() == null ? "" : status()), Person.waitFor(holds));
    }

    // ---- the session

    /** ImageJ's search for commands, which the key L opens, finds the workbench. */
    private static void opens() {
        Person.select("cells");
        press(KeyEvent.VK_L);
        expectSoon("ImageJ's search", () -> named("Command Finder") != null && named("Command Finder").isActive());
        expectSoon("the field of the new window has the keyboard", () -> focus() instanceof JTextField);
        write("workbench");
        expectSoon("the search finds the workbench", () -> found().contains("Workbench"));
        press(ENTER);
        expectSoon("the workbench", () -> frame() != null && rows() == 1);
        for (int i = 0; i < 3 && named("Command Finder") != null; i++)
            press(KeyEvent.VK_ESCAPE); /* first clears its text, then closes it */
        expectFocus("find");
    }

    /** The first row of ImageJ's search. */
    private static String found() {
        JTable table = Person.part(named("Command Finder"), JTable.class, t -> true);
        return table.getRowCount() == 0 ? "" : String.valueOf(table.getValueAt(0, 0));
    }

    private static Window named(String title) {
        return Arrays.stream(Window.getWindows())
            .filter(w -> w instanceof JFrame && w.isShowing() && ((JFrame) w).getTitle().contains(title))
            .findFirst()
            .orElse(null);
    }

    private static void buildsSteps() {
        write("otsu");
        press(ENTER);
        expectSoon("a threshold is added", () -> rows() == 2);
        expectFocus("find");
        write("label");
        press(ENTER);
        expectSoon("labels are added", () -> rows() == 3);
        Person.expect("six labels", 6.0, seen("Connected Components Box").getProcessor().getStats().max);
        press(CONTROL, KeyEvent.VK_1);
        expectFocus("steps");
        press(KeyEvent.VK_HOME);
        expectSoon("the image is selected", () -> named(JList.class, "steps").getSelectedIndex() == 0);
        Person.photograph("KeyboardTest-steps");
        press(ALT, KeyEvent.VK_N);
        expectFocus("find");
        write("gauss");
        press(ALT, KeyEvent.VK_I);
        expectSoon("a blur is inserted before the threshold", () -> rows() == 4);
        seen("Gaussian Blur");
    }

    private static void turnsASlider() {
        press(CONTROL, KeyEvent.VK_2);
        Person.waitFor(() -> focus() instanceof JComponent && named(JSlider.class, "sigma_x slider") != null);
        for (int i = 0; i < 8 && !"sigma_x slider".equals(focused()); i++)
            press(KeyEvent.VK_TAB);
        expectFocus("sigma_x slider");
        int before = named(JSlider.class, "sigma_x slider").getValue();
        press(KeyEvent.VK_RIGHT);
        press(KeyEvent.VK_RIGHT);
        expectSoon("the slider moves", () -> named(JSlider.class, "sigma_x slider").getValue() == before + 2);
        press(CONTROL, KeyEvent.VK_Z);
        press(CONTROL, KeyEvent.VK_Z);
        expectSoon(
            "the slider moves back after Undo", () -> named(JSlider.class, "sigma_x slider").getValue() == before);
        Person.expect("four steps stay", 4, rows());
    }

    /** The menus of the window, of a step and of a suggestion. */
    private static void opensMenus() {
        press(CONTROL, KeyEvent.VK_1);
        press(KeyEvent.VK_END);
        seen("Connected Components Box");
        press(SHIFT, KeyEvent.VK_F10);
        expectSoon("the menu of a step", () -> popup() != null);
        Person.photograph("KeyboardTest-menu");
        press(KeyEvent.VK_D);
        expectSoon("the key of the menu entry copies the step", () -> rows() == 5);
        press(CONTROL, KeyEvent.VK_Z);
        expectSoon("undone", () -> rows() == 4);
        press(CONTROL, KeyEvent.VK_7);
        expectSoon("the view has the keyboard", () -> view().getWindow().isActive());
        press(SHIFT, KeyEvent.VK_F10);
        expectSoon("the menu of a step from the view", () -> popup() != null);
        press(KeyEvent.VK_ESCAPE);
        expectFocus("steps");
        press(CONTROL, KeyEvent.VK_3);
        press(DOWN);
        expectFocus("found");
        press(SHIFT, KeyEvent.VK_F10);
        expectSoon("the menu of a suggestion", () -> popup() != null && names().contains("Favourite"));
        press(KeyEvent.VK_ESCAPE);
        press(ALT, KeyEvent.VK_E);
        expectSoon("the menu Edit", () -> MenuSelectionManager.defaultManager().getSelectedPath().length > 2);
        Person.photograph("KeyboardTest-edit");
        press(KeyEvent.VK_ESCAPE);
        press(KeyEvent.VK_ESCAPE);
    }

    private static JPopupMenu popup() {
        MenuElement[] open = MenuSelectionManager.defaultManager().getSelectedPath();
        return open.length > 0 && open[0] instanceof JPopupMenu ? (JPopupMenu) open[0] : null;
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        for (Component c : popup() == null ? new Component[0] : popup().getComponents())
            names.add(c instanceof JMenuItem ? ((JMenuItem) c).getText() : "");
        return names;
    }

    private static void measures() {
        press(CONTROL, KeyEvent.VK_1);
        press(KeyEvent.VK_END);
        press(ALT, KeyEvent.VK_N);
        write("area");
        press(ENTER);
        JTable table = named(JTable.class, "measured");
        expectSoon("six rows", () -> table.getRowCount() == 6);
        press(CONTROL, KeyEvent.VK_4);
        expectFocus("measured");
        Person.eventually("the first row is selected", 0, table::getSelectedRow);
        press(DOWN);
        Person.eventually("the second row is selected", 1, table::getSelectedRow);
        Person.photograph("KeyboardTest-table");
        press(SHIFT, KeyEvent.VK_F10);
        expectSoon("the menu of the table", () -> popup() != null);
        press(KeyEvent.VK_M);
        expectSoon("a map of the column opens", () -> WindowManager.getImage("label") != null);
        ImagePlus map = WindowManager.getImage("label");
        map.changes = false;
        map.close();
        event(() -> frame().toFront());
        Person.waitFor(() -> frame().isActive());
        press(CONTROL, KeyEvent.VK_4);
        press(KeyEvent.VK_TAB);
        expectSoon("Tab leaves the table", () -> !"measured".equals(focused()));
    }

    /** A box in the scatter plot, from its middle to its upper right corner, becomes a step. */
    private static void gates() {
        press(CONTROL, KeyEvent.VK_5);
        expectFocus("histogram");
        press(KeyEvent.VK_SPACE);
        JTable table = named(JTable.class, "measured");
        for (int i = 0; i < 60; i++)
            press(KeyEvent.VK_LEFT);
        press(KeyEvent.VK_SPACE);
        expectSoon("the first bar", () -> table.getSelectedRowCount() > 0 && table.getSelectedRowCount() < 6);
        press(CONTROL, KeyEvent.VK_6);
        expectFocus("scatter");
        robot.keyPress(SHIFT);
        for (int i = 0; i < 40; i++)
            press(KeyEvent.VK_RIGHT);
        for (int i = 0; i < 40; i++)
            press(UP);
        robot.keyRelease(SHIFT);
        Person.stays(500, table::getSelectedRowCount);
        int inside = table.getSelectedRowCount();
        Person.expect("rows in the box: " + inside, inside > 0 && inside < 6);
        Person.photograph("KeyboardTest-gate");
        press(SHIFT, KeyEvent.VK_F10);
        expectSoon("the menu of the plot", () -> popup() != null);
        press(KeyEvent.VK_K);
        expectSoon("a step that keeps the labels is added", () -> rows() == 6);
        Person.expect("labels that are kept", (double) inside, max(seen("Keep Labels in Gate")));
    }

    private static double max(ImagePlus labels) {
        java.util.Set<Float> seen = new java.util.HashSet<>();
        for (int i = 0; i < labels.getProcessor().getPixelCount(); i++)
            seen.add(labels.getProcessor().getf(i));
        return seen.size() - 1;
    }

    /** Every button and menu has a letter, and every control takes the focus. */
    private static void everythingHasAKey() {
        List<String> without = new ArrayList<>();
        event(() -> {
            for (int m = 0; m < frame().getJMenuBar().getMenuCount(); m++)
                letters(frame().getJMenuBar().getMenu(m), without);
            for (String name : new String[] {"Add", "Insert", "Replace", "Help"}) {
                if (Person.part(frame(), AbstractButton.class, name).getMnemonic() == 0)
                    without.add(name);
            }
        });
        Person.expect("entries without a letter", "[]", without);
    }

    private static void letters(JMenu menu, List<String> without) {
        List<Integer> taken = new ArrayList<>();
        if (menu.getMnemonic() == 0)
            without.add(menu.getText());
        for (Component part : menu.getMenuComponents()) {
            if (!(part instanceof JMenuItem))
                continue;
            JMenuItem entry = (JMenuItem) part;
            if (entry.getMnemonic() == 0 || taken.contains(entry.getMnemonic()))
                without.add(entry.getText());
            taken.add(entry.getMnemonic());
            if (part instanceof JMenu)
                letters((JMenu) part, without);
        }
    }

    private static void saves() throws Exception {
        File file = new File(System.getProperty("java.io.tmpdir"), "keys.ijm");
        ij.io.OpenDialog.setDefaultDirectory(file.getParent() + File.separator);
        press(CONTROL, KeyEvent.VK_S);
        expectSoon("a dialog asks for the file", () -> Person.message().contains("Save"));
        expectSoon("the field of the new window has the keyboard",
            () -> focus() instanceof JTextField && !"find".equals(focused()));
        press(CONTROL, KeyEvent.VK_A);
        write("keys.ijm");
        press(ENTER);
        expectSoon("the file", file::exists);
        String macro = file.exists() ? new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8) : "";
        Person.expect("the saved macro contains the gate", macro.contains("_keepLabelsInGate("));
        press(CONTROL, KeyEvent.VK_Q);
        expectSoon("the workbench closes", () -> frame() == null);
    }
}

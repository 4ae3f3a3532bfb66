// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.ImageCanvas;
import ij.gui.ImageRoi;
import ij.gui.Roi;
import ij.plugin.frame.RoiManager;
import ij.process.ImageProcessor;
import java.awt.Component;
import java.awt.KeyboardFocusManager;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.event.InputEvent;
import java.awt.event.KeyEvent;
import java.awt.event.MouseEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.swing.JList;
import javax.swing.JMenu;
import javax.swing.JMenuItem;
import javax.swing.JPopupMenu;
import javax.swing.JTable;
import javax.swing.MenuElement;
import javax.swing.MenuSelectionManager;

/** Menus at the mouse: on a step, on the view and on the table. A key shows the source image while it is held. */
public final class MenusTest extends WorkbenchHands {
    private MenusTest() {}

    public static void main(String[] args) {
        Person.start(false);
        IJ.runMacro(
            "newImage('cells', '8-bit black', 200, 150, 1); for (i = 0; i < 6; i++) { setColor(100 + 20 * i);".replace(
                '\'', '"')
            + " fillRect(10 + 30 * i, 20 + 15 * i, 10 + i, 12); }");
        ImagePlus cells = WindowManager.getCurrentImage();
        openWorkbench();
        type("otsu", "Automatic Threshold", "Add");
        type("label", "Connected Components Box", "Add");
        seen("Connected Components Box");
        Rectangle view = view().getWindow().getBounds();
        Person.expect("the view at " + view + " is beside the workbench at " + frame().getBounds(),
            !view.intersects(frame().getBounds()));
        onAStep();
        onTheView(cells);
        probes();
        onTheTable(cells);
        linksOnlyMeasuredLabels();
        Person.leave();
    }

    // ---- menus

    private static void rightClick(Component on, Point at) {
        event(() -> {
            for (int id : new int[] {MouseEvent.MOUSE_PRESSED, MouseEvent.MOUSE_RELEASED})
                on.dispatchEvent(new MouseEvent(on, id, System.currentTimeMillis(), InputEvent.BUTTON3_DOWN_MASK, at.x,
                    at.y, 1, id == MouseEvent.MOUSE_PRESSED, MouseEvent.BUTTON3));
        });
    }

    private static JPopupMenu popup() {
        MenuElement[] open = MenuSelectionManager.defaultManager().getSelectedPath();
        return open.length > 0 && open[0] instanceof JPopupMenu ? (JPopupMenu) open[0] : null;
    }

    private static List<JMenuItem> entries(JPopupMenu menu) {
        List<JMenuItem> entries = new ArrayList<>();
        for (Component c : menu == null ? new Component[0] : menu.getComponents()) {
            if (c instanceof JMenuItem)
                entries.add((JMenuItem) c);
        }
        return entries;
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        entries(popup()).forEach(entry -> names.add(entry.getText()));
        return names;
    }

    private static void choose(String start) {
        JMenuItem entry = entries(popup()).stream().filter(e -> e.getText().startsWith(start)).findFirst().orElse(null);
        Person.expect("an entry " + start + " in " + names(), entry != null);
        event(() -> {
            MenuSelectionManager.defaultManager().clearSelectedPath();
            if (entry != null)
                entry.doClick(0);
        });
    }

    private static void onAStep() {
        JList<?> steps = named(JList.class, "steps");
        Rectangle threshold = steps.getCellBounds(1, 1);
        rightClick(steps, new Point(threshold.x + 80, threshold.y + 20));
        Person.expect("the step at the mouse is selected", 1, steps.getSelectedIndex());
        Person.expect("the menu of a step",
            "[Duplicate, On/off, Result, Window, Up, Down, Delete, Compare with this step, Next step]", names());
        JMenu next = (JMenu) entries(popup()).get(entries(popup()).size() - 1);
        Person.expect("next steps", 8, next.getItemCount());
        Person.photograph("menu-step");
        choose("Duplicate");
        Person.expect("steps after Duplicate", 4, rows());
        press("Undo");
        Person.expect("steps after Undo", 3, rows());
        rightClick(steps, new Point(threshold.x + 80, steps.getHeight() - 5));
        Person.expect("below the steps there is no menu", "[]", names());
    }

    private static void onTheView(ImagePlus cells) {
        event(() -> named(JList.class, "steps").setSelectedIndex(2));
        seen("Connected Components Box");
        ImageCanvas canvas = view().getCanvas();
        rightClick(canvas, new Point(40, 40));
        Person.expect("the menu of the view: " + names(), names().contains("Result") && names().contains("Next step"));
        Person.photograph("menu-view");
        choose("Next step");
        event(() -> MenuSelectionManager.defaultManager().clearSelectedPath());
        Person.expect("a right click selects no label", null, view().getOverlay());
        event(() -> manager().redispatchEvent(canvas, key(canvas, KeyEvent.KEY_PRESSED)));
        ImageRoi before = (ImageRoi) (view().getOverlay() == null ? null : view().getOverlay().get(0));
        Person.expect("the source image is shown", before != null);
        ImageProcessor seen = before == null ? null : before.getProcessor();
        Person.expect("a pixel of the shown source image",
            cells.getProcessor().getBufferedImage().getRGB(11, 21) & 0xffffff,
            seen == null ? -1 : seen.getPixel(11, 21) & 0xffffff);
        event(() -> manager().redispatchEvent(canvas, key(canvas, KeyEvent.KEY_RELEASED)));
        Person.expect("the source image after the key is released", null, view().getOverlay());
    }

    /** Moves the mouse over the view: each step shows its pixel there. */
    private static void probes() {
        ImageCanvas canvas = view().getCanvas();
        int x = canvas.screenX(45), y = canvas.screenY(40);
        event(() -> canvas.dispatchEvent(mouse(canvas, MouseEvent.MOUSE_MOVED, x, y)));
        Person.expect("pixels of image, mask and labels: " + values(), "[120.0, 1.0, 2.0]",
            Person.waitFor(() -> values().toString().equals("[120.0, 1.0, 2.0]")) ? "[120.0, 1.0, 2.0]" : values());
        Person.photograph("menu-probe");
        event(() -> canvas.dispatchEvent(mouse(canvas, MouseEvent.MOUSE_EXITED, -1, -1)));
        Person.expect("no value after the mouse has left", "[]", values());
    }

    private static MouseEvent mouse(Component on, int id, int x, int y) {
        return new MouseEvent(on, id, System.currentTimeMillis(), 0, x, y, 0, false);
    }

    /** The values beside the steps, from the first step on. */
    private static Collection<?> values() {
        try {
            return new TreeMap<>((Map<?, ?>) field(field(frame(), "rows"), "values")).values();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyboardFocusManager manager() {
        return KeyboardFocusManager.getCurrentKeyboardFocusManager();
    }

    private static KeyEvent key(Component on, int id) {
        return new KeyEvent(on, id, System.currentTimeMillis(), 0, KeyEvent.VK_B, 'b');
    }

    private static void onTheTable(ImagePlus cells) {
        type("area", "Statistics of Labelled Pixels", "Add");
        JTable table = named(JTable.class, "measured");
        Person.expect("six rows", Person.waitFor(() -> table.getRowCount() == 6));
        Person.waitFor(() -> table.isShowing());
        int column = table.convertColumnIndexToView(column(table, "mean intensity"));
        event(() -> table.setRowSelectionInterval(1, 2));
        event(() -> table.scrollRectToVisible(table.getCellRect(2, column, true)));
        Rectangle cell = table.getCellRect(2, column, true);
        rightClick(table, new Point(cell.x + 5, cell.y + 5));
        Person.expect("the menu of a column",
            "[Map of mean intensity, Add 2 selected labels to the ROI Manager, Sort by mean intensity, "
                + "Save table as CSV...]",
            names());
        Person.photograph("menu-table");
        choose("Map of");
        Person.waitFor(() -> WindowManager.getImage("mean intensity") != null);
        ImagePlus map = WindowManager.getImage("mean intensity");
        ImageProcessor pixels = map.getProcessor(), grey = cells.getProcessor();
        int wrong = 0;
        for (int i = 0; i < pixels.getPixelCount(); i++)
            wrong += Float.compare(pixels.getf(i), grey.get(i) == 0 ? Float.NaN : grey.get(i)) == 0 ? 0 : 1;
        Person.expect("pixels of the map that differ from the intensity of their label", 0, wrong);
        Person.expect("display range of the map, which leaves the darkest colour for the background", "85.0 200.0",
            map.getDisplayRangeMin() + " " + map.getDisplayRangeMax());
        boolean isBeside = Person.waitFor(() -> !map.getWindow().getBounds().intersects(frame().getBounds()));
        Person.expect("the map at " + map.getWindow().getBounds() + " is beside the workbench", isBeside);
        Person.pause(500);
        Person.photograph("menu-map");
        rightClick(table, new Point(cell.x + 5, cell.y + 5));
        choose("Add 2");
        Person.waitFor(() -> RoiManager.getInstance() != null && RoiManager.getInstance().getCount() == 2);
        Roi roi = RoiManager.getInstance().getRoi(0);
        Person.expect("the selection of label 2", "Label_2 " + new Rectangle(40, 35, 11, 12),
            roi.getName() + " " + roi.getBounds());
    }

    /** Only the measured labels are linked with the table; it stays while other steps are selected. */
    private static void linksOnlyMeasuredLabels() {
        JTable table = named(JTable.class, "measured");
        event(() -> named(JList.class, "steps").setSelectedIndex(2));
        seen("Connected Components Box");
        Person.expect("the table stays", true, table.isShowing());
        Person.expect(
            "the selected labels are marked", 1, view().getOverlay() == null ? 0 : view().getOverlay().size());
        type("dilate labels", "Dilate Labels", "Add");
        seen("Dilate Labels");
        Person.expect("the table stays beside other labels", true, table.isShowing());
        Person.expect("marks of the table's rows on other labels", null, view().getOverlay());
        event(() -> table.setRowSelectionInterval(3, 3));
        Person.expect("marks of a new selection on other labels", null, view().getOverlay());
        event(() -> named(JList.class, "steps").setSelectedIndex(2));
        seen("Connected Components Box");
        Person.expect(
            "the measured labels are marked again", 1, view().getOverlay() == null ? 0 : view().getOverlay().size());
    }

    private static int column(JTable table, String heading) {
        for (int i = 0; i < table.getModel().getColumnCount(); i++) {
            if (table.getModel().getColumnName(i).equals(heading))
                return i;
        }
        return -1;
    }
}

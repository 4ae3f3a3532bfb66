// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.Prefs;
import ij.WindowManager;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Toolkit;
import java.awt.event.InputEvent;
import java.awt.event.MouseEvent;
import java.awt.event.WindowEvent;
import java.util.ArrayList;
import java.util.List;
import javax.swing.JList;
import javax.swing.JMenuItem;
import javax.swing.JPopupMenu;
import javax.swing.JSplitPane;
import javax.swing.MenuElement;
import javax.swing.MenuSelectionManager;

/** The workbench and its view open where they were last on this screen. Favourites and recent operations come first. */
public final class PlacesTest extends WorkbenchHands {
    private static final Rectangle WANTED = new Rectangle(470, 140, 780, 720);
    private static final Point VIEW = new Point(30, 500);
    private static final int LEFT = 340;

    private PlacesTest() {}

    public static void main(String[] args) {
        Person.start(false);
        IJ.runMacro("newImage(\"cells\", \"8-bit black\", 200, 150, 1); setColor(180); fillOval(20, 30, 50, 60);");
        open();
        Rectangle first = frame().getBounds();
        type("otsu", "Automatic Threshold", "Add");
        seen("Automatic Threshold");
        Point view = view().getWindow().getLocation();
        close();
        open();
        Person.expect("a window that was not moved opens in its usual place", first, frame().getBounds());
        type("otsu", "Automatic Threshold", "Add");
        seen("Automatic Threshold");
        Person.expect("and its view", view, view().getWindow().getLocation());
        remembers();
        ignoresPlacesElsewhere(first);
        favourites();
        Person.leave();
    }

    private static void open() {
        IJ.doCommand("Workbench");
        Person.waitFor(() -> frame() != null && rows() == 1);
        Person.pause(500);
    }

    /** Closes the workbench after undoing all changes, so that it asks nothing. */
    private static void close() {
        while (session().canUndo())
            press("Undo");
        event(() -> frame().dispatchEvent(new WindowEvent(frame(), WindowEvent.WINDOW_CLOSING)));
        Person.waitFor(() -> frame() == null);
    }

    private static JSplitPane middle() {
        return Person.part(frame(), JSplitPane.class,
            s -> s.getOrientation() == JSplitPane.HORIZONTAL_SPLIT && s.getLeftComponent().isShowing());
    }

    private static void remembers() {
        event(() -> frame().setBounds(WANTED));
        event(() -> middle().setDividerLocation(LEFT));
        event(() -> view().getWindow().setLocation(VIEW));
        Person.pause(500);
        Rectangle bounds = frame().getBounds();
        Point view = view().getWindow().getLocation();
        close();
        open();
        Person.expect("the place", bounds, frame().getBounds());
        Person.expect("the divider", LEFT, middle().getDividerLocation());
        type("otsu", "Automatic Threshold", "Add");
        seen("Automatic Threshold");
        Person.expect("the view", view, view().getWindow().getLocation());
        Person.photograph("places");
        close();
    }

    /** A place for a larger screen, and a damaged one. */
    private static void ignoresPlacesElsewhere(Rectangle usual) {
        java.awt.Dimension size = Toolkit.getDefaultToolkit().getScreenSize();
        String key = "drua.place.workbench." + size.width + "x" + size.height;
        Person.expect("kept for this screen: " + Prefs.get(key, ""), !Prefs.get(key, "").isEmpty());
        for (String kept : new String[] {"1500,100,700,600", "x,1", "0,0,0,0", "10,10,99999999999,5"}) {
            Prefs.set(key, kept);
            open();
            Person.expect("not used: " + kept, usual, frame().getBounds());
            close();
        }
    }

    // ---- favourites

    private static List<String> listed() {
        JList<?> found = named(JList.class, "found");
        List<String> titles = new ArrayList<>();
        for (int i = 0; i < Math.min(6, found.getModel().getSize()); i++)
            titles.add(operation(found.getModel().getElementAt(i)));
        return titles;
    }

    private static void favourites() {
        Prefs.set("drua.recent", "");
        open();
        List<String> usual = listed();
        String favourite = usual.get(4);
        mark(4, true);
        Person.expect("a favourite comes first", favourite, listed().get(0));
        Person.expect("before the others", usual.subList(0, 4), listed().subList(1, 5));
        type("median box", "Median Box", "Add");
        seen("Median Box");
        Person.expect("not while it is in the pipeline: " + listed(), !listed().subList(0, 2).contains("Median Box"));
        press("Undo");
        Person.waitFor(() -> listed().get(1).equals("Median Box"));
        Person.expect("then recent ones: " + listed(), "[" + favourite + ", Median Box]", listed().subList(0, 2));
        Person.pause(1500);
        Person.photograph("favourites");
        mark(0, false);
        Person.expect("no favourite any more", "Median Box", listed().get(0));
        close();
    }

    private static void mark(int row, boolean favourite) {
        JList<?> found = named(JList.class, "found");
        event(() -> found.ensureIndexIsVisible(row));
        Rectangle cell = found.getCellBounds(row, row);
        event(() -> {
            for (int id : new int[] {MouseEvent.MOUSE_PRESSED, MouseEvent.MOUSE_RELEASED})
                found.dispatchEvent(new MouseEvent(found, id, System.currentTimeMillis(), InputEvent.BUTTON3_DOWN_MASK,
                    cell.x + 90, cell.y + 20, 1, id == MouseEvent.MOUSE_PRESSED, MouseEvent.BUTTON3));
        });
        MenuElement[] open = MenuSelectionManager.defaultManager().getSelectedPath();
        JMenuItem item = open.length == 0 ? new JMenuItem() : (JMenuItem) ((JPopupMenu) open[0]).getComponent(0);
        Person.expect("the mark before", !favourite, item.isSelected());
        event(() -> {
            MenuSelectionManager.defaultManager().clearSelectedPath();
            item.doClick(0);
        });
        Person.expect("no error", "", status());
        Person.expect("the image is still there", WindowManager.getImage("cells") != null);
    }
}

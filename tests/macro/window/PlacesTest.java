// SPDX-License-Identifier: BSD-3-Clause
import drua.dialog.FramedPlace;
import ij.IJ;
import ij.Prefs;
import ij.WindowManager;
import java.awt.Insets;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Toolkit;
import java.awt.event.InputEvent;
import java.awt.event.MouseEvent;
import java.awt.event.WindowEvent;
import java.util.ArrayList;
import java.util.List;
import javax.swing.JFrame;
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
        waitsForItsFrame();
        IJ.runMacro("newImage(\"cells\", \"8-bit black\", 200, 150, 1); setColor(180); fillOval(20, 30, 50, 60);");
        openWorkbench();
        Rectangle first = frame().getBounds();
        otsu();
        Point view = view().getWindow().getLocation();
        close();
        openWorkbench();
        Person.expect("a window that was not moved opens in its usual place", first, frame().getBounds());
        otsu();
        Person.expect("place of the view after the workbench is opened again", view, view().getWindow().getLocation());
        Rectangle source = WindowManager.getImage("cells").getWindow().getBounds();
        Person.expect(
            "distance of the view from the image at " + source, 8, source.x - view.x - view().getWindow().getWidth());
        remembers();
        ignoresPlacesElsewhere(first);
        favourites();
        Person.leave();
    }

    private static void otsu() {
        type("otsu", "Automatic Threshold", "Add");
        seen("Automatic Threshold");
        Person.settle();
    }

    /** A window whose frame gets thinner after the window has opened, as by a slow window manager. */
    private static void waitsForItsFrame() {
        Insets[] frame = {new Insets(25, 5, 5, 5)};
        Rectangle wanted = new Rectangle(300, 400, 200, 150), moved = new Rectangle(350, 420, 200, 150);
        List<Rectangle> told = new ArrayList<>();
        JFrame window = new JFrame("framed late") {
            @Override
            public Insets getInsets() {
                return frame[0];
            }
        };
        FramedPlace[] place = {null};
        event(() -> {
            place[0] = new FramedPlace(window, () -> window.setBounds(wanted), () -> told.add(window.getBounds()));
            window.setVisible(true);
        });
        Person.waitFor(() -> place[0].isSettled());
        event(() -> {
            frame[0] = new Insets(20, 1, 5, 1);
            window.setSize(192, 145);
        });
        Person.eventually("a window has its size again once it is framed", wanted, window::getBounds);
        Person.waitFor(() -> place[0].isSettled());
        event(() -> window.setBounds(moved));
        Person.eventually("the reported place of the window that the user moved", moved,
            () -> told.isEmpty() ? "" : told.get(told.size() - 1));
        Person.expect("the place of the window that the user moved", moved, window.getBounds());
        event(window::dispose);
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
        Person.settle();
        Rectangle bounds = frame().getBounds();
        Point view = view().getWindow().getLocation();
        close();
        openWorkbench();
        Person.expect("the remembered place of the workbench", bounds, frame().getBounds());
        Person.expect("the remembered place of the divider", LEFT, middle().getDividerLocation());
        otsu();
        Person.expect("the remembered place of the view", view, view().getWindow().getLocation());
        Person.photograph("places");
        close();
    }

    /** Stored places on a larger screen, and damaged places, are ignored. */
    private static void ignoresPlacesElsewhere(Rectangle usual) {
        java.awt.Dimension size = Toolkit.getDefaultToolkit().getScreenSize();
        String key = "drua.place.workbench." + size.width + "x" + size.height;
        Person.expect("a place is stored for this screen: " + Prefs.get(key, ""), !Prefs.get(key, "").isEmpty());
        for (String kept : new String[] {"1500,100,700,600", "x,1", "0,0,0,0", "10,10,99999999999,5"}) {
            Prefs.set(key, kept);
            openWorkbench();
            Person.expect("the place of the workbench with the stored place " + kept, usual, frame().getBounds());
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
        openWorkbench();
        seen("cells"); /* suggestions for planes come once the image is known to be one */
        Person.stays(1000, () -> listed());
        List<String> usual = listed();
        String favourite = usual.get(4);
        mark(4, true);
        Person.expect("a favourite comes first", favourite, listed().get(0));
        Person.expect("suggestions after the favourite", usual.subList(0, 4), listed().subList(1, 5));
        type("median box", "Median Box", "Add");
        seen("Median Box");
        Person.expect("recent operations omit those of the pipeline: " + listed(),
            !listed().subList(0, 2).contains("Median Box"));
        press("Undo");
        Person.eventually(
            "the favourite, then recent operations", "[" + favourite + ", Median Box]", () -> listed().subList(0, 2));
        Person.pause(1500); /* pictures of the next steps, for the photograph alone */
        Person.photograph("favourites");
        mark(0, false);
        Person.expect("the first suggestion after the favourite is removed", "Median Box", listed().get(0));
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
        Person.expect("the menu entry is marked before the click", !favourite, item.isSelected());
        event(() -> {
            MenuSelectionManager.defaultManager().clearSelectedPath();
            item.doClick(0);
        });
        Person.expect("no error", "", status());
        Person.expect("the image is still there", WindowManager.getImage("cells") != null);
    }
}

// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.awt.Dimension;
import java.awt.Rectangle;
import java.awt.Toolkit;
import java.awt.Window;
import javax.swing.JComboBox;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JScrollPane;
import javax.swing.JTable;
import javax.swing.SwingUtilities;

/** On screens of all usual sizes every window is whole, and none covers ImageJ's menus or the workbench. */
public final class ScreenTest extends WorkbenchHands {
    private static final Rectangle SCREEN = new Rectangle(Toolkit.getDefaultToolkit().getScreenSize());
    private static final String SIZE = SCREEN.width + "x" + SCREEN.height;

    private ScreenTest() {}

    public static void main(String[] args) {
        Person.start(false);
        IJ.runMacro(
            "newImage('cells', '8-bit black', 512, 512, 1); for (i = 0; i < 40; i++) { setColor(90 + 3 * i);".replace(
                '\'', '"')
            + " fillOval(12 + 60 * (i % 8), 15 + 90 * floor(i / 8), 30, 40); }");
        ImagePlus cells = WindowManager.getCurrentImage();
        openWorkbench();
        type("blur", "Gaussian Blur", "Add");
        type("otsu", "Automatic Threshold", "Add");
        type("label", "Connected Components Box", "Add");
        seen("Connected Components Box");
        Person.settle();
        Person.photograph("ScreenTest-" + SIZE);
        isWhole("the workbench", frame());
        isWhole("the image", cells.getWindow());
        isWhole("the view", view().getWindow());
        covers("the workbench", frame(), "ImageJ", IJ.getInstance());
        covers("the image", cells.getWindow(), "the workbench", frame());
        covers("the view", view().getWindow(), "the workbench", frame());
        covers("the view", view().getWindow(), "ImageJ", IJ.getInstance());
        rowsAreSeen();
        for (String dialog : new String[] {"deconvolve", "gaussian_blur"}) {
            Window window = Person.choose(Person.entry(dialog));
            isWhole(dialog, window);
            Person.photograph("ScreenTest-" + SIZE + "-" + dialog);
            Person.cancel((ij.gui.GenericDialog) window);
        }
        Person.leave();
    }

    private static void rowsAreSeen() {
        type("area", "Statistics of Labelled Pixels", "Add");
        Person.expect(
            "the table has 40 rows", Person.waitFor(() -> named(JTable.class, "measured").getRowCount() == 40));
        Person.settle();
        Person.photograph("ScreenTest-" + SIZE + "-table");
        JList<?> found = named(JList.class, "found");
        JScrollPane around = (JScrollPane) SwingUtilities.getAncestorOfClass(JScrollPane.class, found);
        int rows = around.getViewport().getHeight() / found.getFixedCellHeight();
        Person.expect("suggestions beside a table: " + rows, rows >= 4);
        JTable table = named(JTable.class, "measured");
        Person.expect("height of the table: " + table.getParent().getHeight(), table.getParent().getHeight() >= 60);
        Person.expect("the first heading", "label", table.getColumnName(0));
        Person.expect("the second heading", "box x", table.getColumnName(1));
        JScrollPane parameters = named(JScrollPane.class, "parameters");
        JComboBox<?> source = Person.part(parameters, JComboBox.class, c -> true);
        Person.expect("height of the parameters: " + parameters.getHeight(), parameters.getHeight() >= 80);
        Person.expect("the name of the step is above them", 0, parameters.getViewport().getViewPosition().y);
        event(() -> source.scrollRectToVisible(new Rectangle(source.getSize())));
        Person.expect("the parameters can be scrolled into sight: " + source.getVisibleRect(),
            source.getVisibleRect().height >= source.getHeight());
        JComboBox<?> column = named(JComboBox.class, "scatter y");
        Person.expect("the heading above a plot", "mean intensity", shown(column));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static String shown(JComboBox list) {
        return ((JLabel) list.getRenderer().getListCellRendererComponent(
                    new JList<>(), list.getSelectedItem(), 0, false, false))
            .getText();
    }

    private static void isWhole(String what, Window window) {
        Person.expect(what + " at " + window.getBounds() + " on " + SIZE, SCREEN.contains(window.getBounds()));
        Dimension min = window.getSize();
        Person.expect(what + " has a size", min.width > 100 && min.height > 50);
    }

    private static void covers(String what, Window window, String of, Window other) {
        Person.expect(what + " at " + window.getBounds() + " covers " + of + " at " + other.getBounds() + " on " + SIZE,
            !window.getBounds().intersects(other.getBounds()));
    }
}

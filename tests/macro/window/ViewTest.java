// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.ImageCanvas;
import ij.gui.ImageRoi;
import ij.gui.Line;
import ij.gui.Roi;
import ij.process.ImageProcessor;
import java.awt.Component;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.event.InputEvent;
import java.awt.event.MouseEvent;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import javax.swing.JComponent;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JTable;

/** Views of the workbench: measurements as a table and in plots, two steps compared, and suggested next steps. */
public final class ViewTest extends WorkbenchHands {
    private static final Rectangle FRAME = new Rectangle(325, 110, 740, 740);

    private ViewTest() {}

    public static void main(String[] args) throws Exception {
        Person.start(false);
        IJ.open(System.getProperty("drua.images") + "/BBBC022_nuclei.tif");
        IJ.makeRectangle(40, 60, 300, 260);
        IJ.run("Crop");
        ImagePlus nuclei = WindowManager.getCurrentImage();
        nuclei.setTitle("nuclei");
        nuclei.changes = false;
        nuclei.getWindow().setLocation(10, 110);
        openWorkbench();
        event(() -> frame().setBounds(FRAME));
        suggests();
        type("blur", "Gaussian Blur", "Add");
        type("thresholdOtsu", "Automatic Threshold", "Add");
        type("connected", "Connected Components Box", "Add");
        seen("Connected Components Box");
        type("statisticsOfLabelled", "Statistics of Labelled Pixels", "Add");
        seen("Statistics of Labelled Pixels");
        measures();
        swipes();
        sideBySide(nuclei);
        Person.leave();
    }

    private static void drag(Component component, Point from, Point to, int keys) {
        event(() -> {
            press(component, MouseEvent.MOUSE_PRESSED, from, keys);
            press(component, MouseEvent.MOUSE_DRAGGED, new Point((from.x + to.x) / 2, (from.y + to.y) / 2), keys);
            press(component, MouseEvent.MOUSE_DRAGGED, to, keys);
            press(component, MouseEvent.MOUSE_RELEASED, to, keys);
        });
    }

    private static void press(Component component, int id, Point at, int keys) {
        component.dispatchEvent(new MouseEvent(
            component, id, 0, keys | InputEvent.BUTTON1_DOWN_MASK, at.x, at.y, 1, false, MouseEvent.BUTTON1));
    }

    // ---- suggested next steps

    /** The painted row of the list of next steps. */
    private static int[] painted(int row) {
        JList<?> list = named(JList.class, "found");
        BufferedImage picture = new BufferedImage(60, list.getFixedCellHeight(), BufferedImage.TYPE_INT_RGB);
        event(() -> {
            Component drawn = renderer(list, row);
            drawn.setSize(picture.getWidth(), picture.getHeight());
            drawn.paint(picture.createGraphics());
        });
        return picture.getRGB(2, 2, 48, 48, null, 0, 48);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static JLabel renderer(JList list, int row) {
        return (JLabel) list.getCellRenderer().getListCellRendererComponent(
            list, list.getModel().getElementAt(row), row, false, false);
    }

    private static boolean hasPicture(int row) {
        int empty = named(JList.class, "found").getBackground().getRGB();
        return Arrays.stream(painted(row)).anyMatch(colour -> colour != empty);
    }

    private static void suggests() {
        seen("nuclei").getWindow().setLocation(10, 440);
        JList<?> list = named(JList.class, "found");
        int last = list.getLastVisibleIndex();
        Person.expect("several suggestions are visible", true, last >= 3);
        for (int row = 0; row <= last; row++) {
            int at = row;
            boolean isThere =
                Person.waitFor(() -> hasPicture(at) || renderer(list, at).getToolTipText().contains(" - "));
            Person.expect("a picture of " + operation(list.getModel().getElementAt(row))
                    + ", or why there is none: " + renderer(list, at).getToolTipText(),
                isThere);
        }
        Point at = list.getParent().getLocationOnScreen();
        Person.photograph("workbench_suggestions",
            new Rectangle(at.x, at.y, list.getParent().getWidth(), list.getParent().getHeight()));
        event(() -> list.setSelectedIndex(0));
        String chosen = operation(list.getModel().getElementAt(0));
        press("Add");
        seen(chosen);
        press("Undo");
    }

    // ---- measurements

    private static Set<Integer> chosenLabels() {
        JTable table = named(JTable.class, "measured");
        Set<Integer> labels = new TreeSet<>();
        int column = table.getColumnModel().getColumnIndex("label");
        for (int row : table.getSelectedRows())
            labels.add(((Double) table.getValueAt(row, column)).intValue());
        return labels;
    }

    /** The labels outlined in the view, read from the pixels beside the lines. */
    private static Set<Integer> marked() {
        Set<Integer> labels = new TreeSet<>();
        Roi lines = null;
        for (int i = 0; view().getOverlay() != null && i < view().getOverlay().size(); i++)
            lines = view().getOverlay().get(i) instanceof ij.gui.ShapeRoi ? view().getOverlay().get(i) : lines;
        if (lines == null)
            return labels;
        ImageProcessor pixels = view().getProcessor();
        BufferedImage drawn =
            new BufferedImage(pixels.getWidth() * 4, pixels.getHeight() * 4, BufferedImage.TYPE_INT_RGB);
        java.awt.Graphics2D graphics = drawn.createGraphics();
        graphics.scale(4, 4);
        graphics.translate(lines.getXBase(), lines.getYBase());
        graphics.setStroke(new java.awt.BasicStroke(0.1f));
        graphics.draw(((ij.gui.ShapeRoi) lines).getShape());
        for (int y = 1; y < drawn.getHeight() - 1; y++) {
            for (int x = 1; x < drawn.getWidth() - 1; x++) {
                int label = (int) pixels.getf(x / 4, y / 4);
                boolean isAtLeft = x % 4 == 0 && pixels.getf(Math.max(0, x / 4 - 1), y / 4) == 0;
                if (label > 0 && isAtLeft && (drawn.getRGB(x, y) & 0xffffff) != 0)
                    labels.add(label);
            }
        }
        return labels;
    }

    private static void measures() {
        JTable table = named(JTable.class, "measured");
        Person.waitFor(() -> table.getRowCount() > 5);
        int rows = table.getRowCount();
        JComponent histogram = named(JComponent.class, "histogram"), scatter = named(JComponent.class, "scatter");
        Person.expect("the plots are visible", true,
            histogram.getWidth() > 100 && histogram.getHeight() > 100 && scatter.getWidth() > 100);
        drag(histogram, new Point(1, 30), new Point(46 + (histogram.getWidth() - 58) / 4, 40), 0);
        Set<Integer> small = chosenLabels();
        Person.expect("some of " + rows + " rows: " + small, true, !small.isEmpty() && small.size() < rows);
        Person.expect("labels that are outlined for the rows of the histogram", small, marked());
        drag(scatter, new Point(scatter.getWidth() / 2, 0), new Point(scatter.getWidth(), scatter.getHeight()), 0);
        Set<Integer> large = chosenLabels();
        Person.expect("others: " + large, true, !large.isEmpty() && !large.equals(small));
        Person.expect("labels that are outlined for the points of the scatter plot", large, marked());
        Person.photograph("workbench_plots", new Rectangle(8, 108, FRAME.x + FRAME.width - 6, FRAME.height + 4));
        ImageCanvas canvas = view().getCanvas();
        Set<Integer> expected = new TreeSet<>(Arrays.asList(1, 3));
        for (int label : expected)
            drag(canvas, on(label), on(label), label == 1 ? 0 : InputEvent.SHIFT_DOWN_MASK);
        Person.expect("labels that are clicked choose their rows", expected, chosenLabels());
        Person.expect("labels that are outlined after clicks", expected, marked());
        view().killRoi();
        event(() -> table.clearSelection());
        Person.expect("labels that are outlined without a selection", "[]", marked());
    }

    /** The position on the canvas of a pixel of a label. */
    private static Point on(int label) {
        ImagePlus view = view();
        for (int i = 0; i < view.getProcessor().getPixelCount(); i++) {
            if (view.getProcessor().getf(i) == label)
                return new Point(
                    view.getCanvas().screenX(i % view.getWidth()), view.getCanvas().screenY(i / view.getWidth()));
        }
        throw new IllegalStateException("no label " + label);
    }

    // ---- two steps

    private static <T extends Roi> T layer(Class<T> type) {
        for (int i = 0; view().getOverlay() != null && i < view().getOverlay().size(); i++) {
            if (type.isInstance(view().getOverlay().get(i)))
                return type.cast(view().getOverlay().get(i));
        }
        return null;
    }

    private static void swipes() {
        event(() -> named(JList.class, "steps").setSelectedIndex(0));
        ImageProcessor before = seen("nuclei").getProcessor();
        choose("View", "Compare with this step");
        event(() -> named(JList.class, "steps").setSelectedIndex(3));
        seen("Connected Components Box");
        Person.expect("a divider appears", true,
            Person.waitFor(() -> layer(Line.class) != null && layer(ImageRoi.class) != null));
        ImagePlus labels = view();
        Person.expect("position of the divider", labels.getWidth() / 2, layer(Line.class).x1);
        ImageCanvas canvas = labels.getCanvas();
        drag(canvas, new Point(canvas.screenX(labels.getWidth() / 2) + 2, 50), new Point(canvas.screenX(100), 90), 0);
        Person.expect("position of the divider after a drag", 100, layer(Line.class).x1);
        Person.expect("dragging makes no selection", null, labels.getRoi());
        ImagePlus flat = labels.flatten();
        int[] left = {20, 120}, right = {labels.getWidth() - 20, 120};
        Person.expect("compared step left", colour(before, left), colour(flat.getProcessor(), left));
        Person.expect("chosen step right", colour(labels.getProcessor(), right), colour(flat.getProcessor(), right));
        Person.photograph("workbench_swipe", view().getWindow().getBounds());
        event(() -> canvas.zoomIn(150, 120));
        drag(canvas, new Point(canvas.screenX(100), 50), new Point(canvas.screenX(140), 90), 0);
        Person.expect(
            "the divider can be dragged in a magnified image", true, Math.abs(layer(Line.class).x1 - 140) <= 1);
        event(() -> canvas.unzoom());
        choose("View", "Single step");
        Person.expect("the step is shown alone again", true, Person.waitFor(() -> view().getOverlay() == null));
    }

    private static String colour(ImageProcessor pixels, int[] at) {
        return Integer.toHexString(pixels.convertToRGB().get(at[0], at[1]) & 0xffffff);
    }

    private static ImagePlus beside() {
        return Arrays.stream(WindowManager.getIDList())
            .mapToObj(WindowManager::getImage)
            .filter(i -> i.getTitle().equals("Workbench: nuclei"))
            .findFirst()
            .orElse(null);
    }

    private static void sideBySide(ImagePlus nuclei) {
        choose("View", "Side by side");
        Person.expect(
            "a window beside the view", true, Person.waitFor(() -> beside() != null && beside().getWindow() != null));
        event(() -> view().getCanvas().zoomIn(80, 90));
        event(() -> view().getCanvas().zoomIn(80, 90));
        Person.expect("both windows show the same place and zoom", true,
            Person.waitFor(() -> place(view()).equals(place(beside())) && view().getCanvas().getMagnification() > 1));
        event(() -> {
            Rectangle at = beside().getCanvas().getSrcRect();
            beside().getCanvas().setSourceRect(new Rectangle(at.x + 30, at.y + 20, at.width, at.height));
            beside().updateAndDraw();
        });
        Person.expect(
            "the view follows the window beside it", true, Person.waitFor(() -> place(view()).equals(place(beside()))));
        Person.photograph("workbench_beside");
        choose("View", "Single step");
        Person.expect("the window beside the view closes", true, Person.waitFor(() -> beside() == null));
        Person.expect(
            "the source image stays open and unchanged", true, nuclei.getWindow() != null && nuclei.getWidth() == 300);
    }

    private static String place(ImagePlus image) {
        return image.getCanvas().getSrcRect() + " " + Math.round(image.getCanvas().getMagnification() * 100);
    }
}

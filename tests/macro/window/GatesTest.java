// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.awt.Component;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.event.InputEvent;
import java.awt.event.MouseEvent;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.swing.JList;
import javax.swing.JMenuItem;
import javax.swing.JPopupMenu;
import javax.swing.JTable;
import javax.swing.MenuElement;
import javax.swing.MenuSelectionManager;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/** Gates drawn in the scatter plot become steps, which the saved macro repeats; plots and tables are saved in files. */
public final class GatesTest extends WorkbenchHands {
    private static final int OBJECTS = 6;
    private static File work;

    private GatesTest() {}

    public static void main(String[] args) throws Exception {
        Person.start(false);
        work = new File(System.getProperty("java.io.tmpdir"));
        IJ.runMacro(
            "newImage('cells', '8-bit black', 200, 150, 1); for (i = 0; i < 6; i++) { setColor(100 + 20 * i);".replace(
                '\'', '"')
            + " fillRect(10 + 30 * i, 20 + 15 * i, 8 + 2 * i, 12); }");
        IJ.saveAsTiff(WindowManager.getCurrentImage(), new File(work, "cells.tif").getPath());
        openWorkbench();
        type("otsu", "Automatic Threshold", "Add");
        type("label", "Connected Components Box", "Add");
        seen("Connected Components Box");
        type("statistics", "Statistics of Labelled Pixels", "Add");
        Person.waitFor(() -> table() != null && table().getRowCount() == OBJECTS);
        Person.expect("a picture of the table", hasPicture(3));
        savesPlots();
        keepsABox();
        keepsAnOutline();
        Person.leave();
    }

    /** True if the picture of a step has several colours. */
    private static boolean hasPicture(int row) {
        JList<?> steps = named(JList.class, "steps");
        BufferedImage all = new BufferedImage(steps.getWidth(), steps.getHeight(), BufferedImage.TYPE_INT_RGB);
        event(() -> steps.paint(all.createGraphics()));
        Rectangle at = steps.getCellBounds(row, row);
        return Arrays.stream(all.getRGB(at.x + 40, at.y + 12, 30, 30, null, 0, 30)).distinct().count() > 2;
    }

    private static JTable table() {
        return named(JTable.class, "measured");
    }

    private static Component scatter() {
        return named(Component.class, "scatter");
    }

    /** Drags through places given as parts of the plot's width and height. */
    private static void drag(double... places) {
        Component plot = scatter();
        event(() -> {
            for (int i = 0; i + 1 < places.length; i += 2)
                send(plot, i == 0 ? MouseEvent.MOUSE_PRESSED : MouseEvent.MOUSE_DRAGGED, at(places[i], places[i + 1]));
            send(plot, MouseEvent.MOUSE_RELEASED, at(places[places.length - 2], places[places.length - 1]));
        });
    }

    private static Point at(double across, double down) {
        return new Point(
            46 + (int) (across * (scatter().getWidth() - 58)), 14 + (int) (down * (scatter().getHeight() - 34)));
    }

    private static void send(Component plot, int id, Point at) {
        plot.dispatchEvent(new MouseEvent(plot, id, System.currentTimeMillis(), InputEvent.BUTTON1_DOWN_MASK, at.x,
            at.y, 1, false, MouseEvent.BUTTON1));
    }

    private static void pick(String entry, String picture) {
        Component plot = scatter();
        event(() -> {
            for (int id : new int[] {MouseEvent.MOUSE_PRESSED, MouseEvent.MOUSE_RELEASED})
                plot.dispatchEvent(new MouseEvent(plot, id, System.currentTimeMillis(), InputEvent.BUTTON3_DOWN_MASK,
                    60, 30, 1, id == MouseEvent.MOUSE_PRESSED, MouseEvent.BUTTON3));
        });
        MenuElement[] open = MenuSelectionManager.defaultManager().getSelectedPath();
        JPopupMenu menu = open.length > 0 && open[0] instanceof JPopupMenu ? (JPopupMenu) open[0] : new JPopupMenu();
        JMenuItem item = (JMenuItem) Arrays.stream(menu.getComponents())
                             .filter(c -> c instanceof JMenuItem && ((JMenuItem) c).getText().equals(entry))
                             .findFirst()
                             .orElse(null);
        Person.expect("an entry '" + entry + "' that can be chosen", item != null && item.isEnabled());
        if (!picture.isEmpty()) {
            Person.pause(400);
            Person.photograph(picture);
        }
        event(() -> {
            MenuSelectionManager.defaultManager().clearSelectedPath();
            if (item != null)
                item.doClick(0);
        });
    }

    private static int largest(ImagePlus labels) {
        return (int) labels.getStatistics().max;
    }

    /** Half of the objects are wider and brighter, and lie in the upper right quarter of the plot. */
    private static void keepsABox() throws Exception {
        drag(0.5, 0.5, 0.8, -0.05, 1.05, -0.05);
        Person.expect("rows in the box", 3, table().getSelectedRowCount());
        pick("Keep labels inside as a step", "gate-menu");
        ImagePlus kept = seen("Keep Labels in Gate");
        Person.expect("labels in the box", 3, largest(kept));
        Person.expect("no error", "", status());
        Person.photograph("gate-box");
        press("Result");
        File macro = new File(work, "gate.ijm");
        event(() -> call("save", macro.toPath()));
        String text = new String(Files.readAllBytes(macro.toPath()), StandardCharsets.UTF_8);
        Person.expect("the gate in " + text,
            text.contains("_keepLabelsInGate(image1, ")
                && text.contains("\"statistics_of_labelled_pixels\", \"PIXEL_COUNT\", \"MEAN_INTENSITY\", \""));
        Map<String, String> shown =
            Person.replay("open(\"" + new File(work, "cells.tif").getPath() + "\");\n" + text, false);
        shown.remove("cells.tif");
        String expected = Person.told(kept);
        Person.expect("the macro's labels", "[" + expected.substring(expected.lastIndexOf(' ')) + "]",
            shown.values().toString().replaceAll("\\[.* ", "[ "));
    }

    /** An outline around the left half of the plot, with one corner that leaves out the lowest point. */
    private static void keepsAnOutline() {
        event(() -> named(JList.class, "steps").setSelectedIndex(3));
        Person.waitFor(() -> table().getRowCount() == OBJECTS);
        pick("Draw outlines by hand", "");
        drag(0.1, -0.05, 0.1, 0.4, 0.1, 0.95, 0.3, 0.9, 0.45, 0.6, 0.5, 0.3, 0.5, -0.05);
        Person.photograph("gate-outline");
        Person.expect("rows in the outline", 2, table().getSelectedRowCount());
        pick("Keep labels inside as a step", "");
        Person.expect("labels in the outline", 2, largest(seen("Keep Labels in Gate")));
        Person.expect("another selection removes the gate", true, removesGate());
        press("Undo");
    }

    private static boolean removesGate() {
        event(() -> named(JList.class, "steps").setSelectedIndex(3));
        event(() -> table().setRowSelectionInterval(0, 0));
        Component plot = scatter();
        try {
            Method gate = plot.getClass().getDeclaredMethod("gate");
            gate.setAccessible(true);
            return gate.invoke(plot) == null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- files

    private static void save(String file, Object... arguments) {
        event(() -> {
            try {
                Class<?> files = Class.forName("drua.workbench.PlotFile");
                Path path = new File(work, file).toPath();
                for (Method method : files.getDeclaredMethods()) {
                    if (!method.getName().equals("save") || method.getParameterCount() != arguments.length + 1)
                        continue;
                    Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
                    all[arguments.length] = path;
                    method.setAccessible(true);
                    method.invoke(null, all);
                }
            } catch (InvocationTargetException e) {
                Person.expect("saved", "", e.getCause().getMessage());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void savesPlots() throws Exception {
        event(() -> table().setRowSelectionInterval(1, 2));
        save("plot.png", scatter(), ".png");
        Person.expect(
            "width of the saved plot", 3 * scatter().getWidth(), ImageIO.read(new File(work, "plot.png")).getWidth());
        keep("plot.png");
        save("plot.svg", scatter(), ".svg");
        byte[] svg = Files.readAllBytes(new File(work, "plot.svg").toPath());
        Element root = DocumentBuilderFactory.newInstance()
                           .newDocumentBuilder()
                           .parse(new ByteArrayInputStream(svg))
                           .getDocumentElement();
        String text = new String(svg, StandardCharsets.UTF_8);
        Person.expect(
            "points, background and clip in " + text, OBJECTS + 2, root.getElementsByTagName("rect").getLength());
        Person.expect("chosen points", 2, text.split("fill=\"#e07b00\"", -1).length - 1);
        Person.expect("names of both axes", text.contains(">pixels</text>") && text.contains(">mean intensity</text>"));
        save("histogram.svg", named(Component.class, "histogram"), ".svg");
        Person.expect("bars",
            new String(Files.readAllBytes(new File(work, "histogram.svg").toPath()), StandardCharsets.UTF_8)
                .contains(">rows</text>"));
        save("plot.csv", scatter(), ".csv");
        Person.expect("numbers", "[PIXEL_COUNT,MEAN_INTENSITY, 96,100, 120,120, 144,140, 168,160, 192,180, 216,200]",
            Files.readAllLines(new File(work, "plot.csv").toPath()));
        Object measured = field(table().getModel(), "measured");
        save("table.csv", measured);
        Person.expect("rows and columns of the saved table", "7 lines of " + table().getColumnCount(),
            Files.readAllLines(new File(work, "table.csv").toPath()).size() + " lines of "
                + Files.readAllLines(new File(work, "table.csv").toPath()).get(0).split(",").length);
    }

    private static void keep(String picture) throws IOException {
        String folder = System.getenv("DRUA_PICTURES");
        if (folder != null)
            Files.copy(new File(work, picture).toPath(), new File(folder, picture).toPath(),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
}

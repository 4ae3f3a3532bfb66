// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.awt.Component;
import java.awt.Frame;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.event.InputEvent;
import java.awt.event.MouseEvent;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.swing.AbstractButton;
import javax.swing.JComboBox;
import javax.swing.JComponent;
import javax.swing.JFrame;
import javax.swing.JList;
import javax.swing.JMenuItem;
import javax.swing.JPopupMenu;
import javax.swing.JSlider;
import javax.swing.JTable;
import javax.swing.JTextField;
import javax.swing.MenuElement;
import javax.swing.MenuSelectionManager;

/**
 * 3-D views from the workbench: of a step, which follows its changes; of one label; of labels in the colours of a
 * column. The slider for time plays, and all steps follow.
 */
public final class SolidViewsTest extends WorkbenchHands {
    private SolidViewsTest() {}

    public static void main(String[] args) {
        Person.start(false);
        IJ.runMacro(("newImage('bars', '8-bit black', 60, 40, 36);"
            + " for (t = 0; t < 3; t++) for (z = 4; z <= 9; z++) { setSlice(12 * t + z); setColor(80);"
            + " fillRect(4, 5 + 3 * t, 20, 20); setColor(160); fillRect(40, 5, 8, 20); }"
            + " run('Gaussian Blur...', 'sigma=1 stack');"
            + " run('Stack to Hyperstack...', 'channels=1 slices=12 frames=3'); setVoxelSize(1, 1, 2, 'micron');"
            + " Stack.setPosition(1, 6, 1); resetMinAndMax();")
                        .replace('\'', '"'));
        ImagePlus bars = WindowManager.getImage("bars");
        openWorkbench();
        type("threshold", "Threshold", "Add");
        enter("threshold", "50");
        type("label", "Connected Components Box", "Add");
        ImagePlus labels = seen("Connected Components Box");
        Person.expect("two labels", 2.0, labels.getProcessor().getStats().max);
        ofAStep();
        ofLabels();
        plays(bars);
        ofFlatImages(bars);
        Person.leave();
    }

    private static void enter(String field, String text) {
        event(() -> {
            JTextField entry = named(JTextField.class, field);
            entry.setText(text);
            entry.postActionEvent();
        });
    }

    // ---- the windows of 3-D views

    private static JFrame solid(String of) {
        for (Frame frame : Frame.getFrames()) {
            if (frame instanceof JFrame && frame.isShowing() && frame.getTitle().equals("3-D View of " + of))
                return (JFrame) frame;
        }
        return null;
    }

    private static JFrame opened(String of) {
        Person.expect("a 3-D view of " + of + "; status: " + status(),
            Person.waitFor(() -> solid(of) != null && !colours(solid(of)).isEmpty()));
        Person.stays(1500, () -> Arrays.hashCode(pixels(solid(of))));
        return solid(of);
    }

    private static int[] pixels(JFrame view) {
        JComponent drawn =
            Person.part(view, JComponent.class, c -> c.getClass().getSimpleName().equals("VolumePicture"));
        BufferedImage copy = new BufferedImage(drawn.getWidth(), drawn.getHeight(), BufferedImage.TYPE_INT_RGB);
        drawn.paint(copy.getGraphics());
        return copy.getRGB(0, 0, copy.getWidth(), copy.getHeight(), null, 0, copy.getWidth());
    }

    /** The hues of a picture, in steps of 15 degrees; -1 for grey. */
    private static Set<Integer> colours(JFrame view) {
        Set<Integer> hues = new TreeSet<>();
        for (int rgb : pixels(view)) {
            float[] hsb = java.awt.Color.RGBtoHSB(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255, null);
            if (hsb[2] > 0.1)
                hues.add(hsb[1] < 0.1 ? -1 : Math.round(hsb[0] * 24) % 24);
        }
        return hues;
    }

    private static int lit(JFrame view) {
        int count = 0;
        for (int rgb : pixels(view))
            count += (rgb & 0xffffff) == 0 ? 0 : 1;
        return count;
    }

    // ---- steps

    private static void ofAStep() {
        choose("View", "3-D view");
        JFrame view = opened("Connected Components Box");
        Person.photograph("SolidViewsTest-step");
        Person.expect(
            "mode of the 3-D view of labels", "Labels", Person.part(view, JComboBox.class, "mode").getSelectedItem());
        Person.expect("two colours: " + colours(view), 2, colours(view).size());
        event(() -> named(JList.class, "steps").setSelectedIndex(1));
        seen("Threshold");
        int before = lit(view);
        enter("threshold", "100");
        Person.expect("the view follows the threshold", Person.waitFor(() -> colours(view).size() == 1));
        enter("threshold", "50");
        Person.expect("the view follows the threshold back", Person.waitFor(() -> colours(view).size() == 2));
        Person.expect("the view shows the same picture again", Person.waitFor(() -> lit(view) == before));
        JList<?> steps = named(JList.class, "steps");
        Rectangle first = steps.getCellBounds(0, 0);
        rightClick(steps, new Point(first.x + 80, first.y + 20));
        choose("3-D view");
        JFrame source = opened("bars");
        Person.expect("mode of the 3-D view of grey values", "Brightest pixels",
            Person.part(source, JComboBox.class, "mode").getSelectedItem());
        Person.expect("colours of the 3-D view of grey values", "[-1]", colours(source));
        event(source::dispose);
        event(() -> steps.setSelectedIndex(2));
        seen("Connected Components Box");
        rightClick(view().getCanvas(), new Point(20, 20));
        Person.expect("the menu of the view has an entry 3-D view: " + names(), names().contains("3-D view"));
        event(() -> MenuSelectionManager.defaultManager().clearSelectedPath());
    }

    // ---- labels

    private static void ofLabels() {
        type("statistics", "Statistics of Labelled Pixels", "Add");
        Person.waitFor(() -> named(JTable.class, "measured").getRowCount() == 2);
        JTable table = named(JTable.class, "measured");
        int count = table.getColumnModel().getColumnIndex("pixels");
        event(() -> table.setRowSelectionInterval(1, 1));
        rightClickCell(table, 1, count);
        Person.expect("entries: " + names(), names().contains("3-D map of pixels"));
        choose("3-D view of 1 selected label");
        JFrame one = opened("label 2");
        Person.photograph("SolidViewsTest-label");
        Person.expect("one colour: " + colours(one), 1, colours(one).size());
        event(one::dispose);
        rightClickCell(table, 1, count);
        choose("3-D map of");
        JFrame map = opened("pixels");
        Person.photograph("SolidViewsTest-map");
        Person.expect("two colours of the map", true, colours(map).size() >= 2);
        Person.expect("the map has the colours of the labels", false,
            colours(map).equals(colours(solid("Connected Components Box"))));
        event(() -> Person.part(map, AbstractButton.class, "Picture").doClick(0));
        Person.expect("the button Picture opens an image",
            Person.waitFor(() -> WindowManager.getImage("3-D View of pixels") != null));
        event(() -> Person.part(map, AbstractButton.class, "Movie").doClick(0));
        Person.expect("the button Movie opens a movie",
            Person.waitFor(() -> WindowManager.getImage("Rotation of pixels") != null));
        for (String title : new String[] {"3-D View of pixels", "Rotation of pixels"}) {
            if (WindowManager.getImage(title) != null)
                close(WindowManager.getImage(title));
        }
        event(map::dispose);
    }

    // ---- time

    private static void plays(ImagePlus bars) {
        JFrame view = solid("Connected Components Box");
        event(() -> named(JList.class, "steps").setSelectedIndex(2));
        seen("Connected Components Box");
        Person.stays(1500, () -> Arrays.hashCode(pixels(view)));
        int[] first = pixels(view);
        JSlider time = named(JSlider.class, "frame");
        Person.expect("frames of the slider", "1 to 3", time.getMinimum() + " to " + time.getMaximum());
        event(() -> time.setValue(3));
        Person.expect("the image shows the frame", Person.waitFor(() -> bars.getT() == 3));
        seen("Connected Components Box");
        Person.expect("a pixel of the view in that frame", 0.0f, view().getProcessor().getf(6, 7));
        Person.expect("the 3-D view shows the frame", Person.waitFor(() -> !Arrays.equals(first, pixels(view))));
        Person.photograph("SolidViewsTest-time");
        Set<Integer> shown = new TreeSet<>();
        press("Play");
        Person.expect("the slider plays all frames", Person.waitFor(() -> {
            shown.add(bars.getT());
            return shown.size() == 3 && bars.getT() == 2;
        }));
        press("Stop");
        Person.expect("the movie stops", Person.stays(2000, bars::getT));
        event(view::dispose);
    }

    private static void ofFlatImages(ImagePlus bars) {
        type("maximumZ", "Maximum Z Projection", "Add");
        seen("Maximum Z Projection");
        JList<?> steps = named(JList.class, "steps");
        Rectangle last = steps.getCellBounds(rows() - 1, rows() - 1);
        rightClick(steps, new Point(last.x + 80, last.y + 20));
        Person.expect("a plane has no 3-D view: " + names(), false, names().contains("3-D view"));
        event(() -> MenuSelectionManager.defaultManager().clearSelectedPath());
        close(bars);
    }

    /** Closes an image without ImageJ's question. */
    private static void close(ImagePlus image) {
        image.changes = false;
        image.close();
    }

    // ---- menus at the mouse

    private static void rightClickCell(JTable table, int row, int column) {
        Rectangle cell = table.getCellRect(row, column, true);
        rightClick(table, new Point(cell.x + 5, cell.y + 5));
    }

    private static void rightClick(Component on, Point at) {
        event(() -> {
            for (int id : new int[] {MouseEvent.MOUSE_PRESSED, MouseEvent.MOUSE_RELEASED})
                on.dispatchEvent(new MouseEvent(on, id, System.currentTimeMillis(), InputEvent.BUTTON3_DOWN_MASK, at.x,
                    at.y, 1, id == MouseEvent.MOUSE_PRESSED, MouseEvent.BUTTON3));
        });
    }

    private static List<JMenuItem> entries() {
        MenuElement[] open = MenuSelectionManager.defaultManager().getSelectedPath();
        List<JMenuItem> entries = new ArrayList<>();
        for (Component c : open.length > 0 ? ((JPopupMenu) open[0]).getComponents() : new Component[0]) {
            if (c instanceof JMenuItem)
                entries.add((JMenuItem) c);
        }
        return entries;
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        entries().forEach(entry -> names.add(entry.getText()));
        return names;
    }

    private static void choose(String start) {
        JMenuItem entry = entries().stream().filter(e -> e.getText().startsWith(start)).findFirst().orElse(null);
        Person.expect("an entry " + start + " in " + names(), entry != null);
        event(() -> {
            MenuSelectionManager.defaultManager().clearSelectedPath();
            if (entry != null)
                entry.doClick(0);
        });
    }
}

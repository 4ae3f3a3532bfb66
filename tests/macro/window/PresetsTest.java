// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.awt.Rectangle;
import java.awt.Window;
import java.util.Arrays;
import javax.swing.AbstractButton;
import javax.swing.JDialog;
import javax.swing.JList;
import javax.swing.JTable;

/** A user starts from a preset, sees its table, and adjusts a step. Presets that do not fit the image say why. */
public final class PresetsTest extends WorkbenchHands {
    private PresetsTest() {}

    public static void main(String[] args) {
        Person.start(false);
        IJ.open(System.getProperty("drua.images") + "/BBBC022_nuclei.tif");
        ImagePlus image = WindowManager.getCurrentImage();
        openWorkbench();
        JDialog dialog = ask();
        JList<?> presets = Person.part(dialog, JList.class, "presets");
        AbstractButton open = Person.part(dialog, AbstractButton.class, "Open");
        Person.expect("five presets", 5, presets.getModel().getSize());
        Person.expect("all presets are visible without scrolling",
            presets.getVisibleRect().height >= presets.getPreferredSize().height);
        Person.expect("the dialog is not tall: " + dialog.getHeight(), dialog.getHeight() < 620);
        Person.expect("the image's title: " + dialog.getTitle(), dialog.getTitle().endsWith(image.getTitle()));
        event(() -> presets.setSelectedIndex(3));
        Person.expect("a preset for two channels can be opened", false, open.isEnabled());
        Person.pause(400);
        Person.photograph("presets");
        event(() -> presets.setSelectedIndex(0));
        Person.expect("this preset fits", true, open.isEnabled());
        event(() -> open.doClick(0));
        seen("Statistics of Labelled Pixels");
        Person.settle();
        Rectangle view = view().getWindow().getBounds();
        Person.expect("the view at " + view + " leaves the workbench visible, though the image is large",
            !view.intersects(frame().getBounds()) && !view.intersects(IJ.getInstance().getBounds()));
        JTable table = named(JTable.class, "measured");
        Person.expect("nuclei: " + table.getRowCount(), table.getRowCount() > 55 && table.getRowCount() < 80);
        Person.expect(
            "the last step is selected, not the comment", rows() - 1, named(JList.class, "steps").getSelectedIndex());
        Person.photograph("presets-opened");
        int before = table.getRowCount();
        event(() -> named(JList.class, "steps").setSelectedIndex(3));
        seen("Exclude Labels Outside Size Range");
        Person.expect("the table stays", true, table.isShowing());
        Person.pause(500);
        Person.photograph("presets-step");
        event(() -> session().turn(session().viewed(), 2, 800.0, false));
        Person.expect("fewer nuclei after a larger least size",
            Person.waitFor(() -> session().live().isDone() && table.getRowCount() < before && table.getRowCount() > 0));
        Person.leave();
    }

    private static JDialog ask() {
        new Thread(() -> choose("File", "Start from a preset..."), "chooser").start();
        Person.waitFor(() -> dialog() != null);
        return dialog();
    }

    private static JDialog dialog() {
        return (JDialog) Arrays.stream(Window.getWindows())
            .filter(w -> w instanceof JDialog && w.isShowing() && ((JDialog) w).getTitle().startsWith("Start from"))
            .findFirst()
            .orElse(null);
    }
}

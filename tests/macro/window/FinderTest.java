// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.Menus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.plugin.frame.Editor;
import java.awt.Button;
import java.awt.Component;
import java.awt.EventQueue;
import java.awt.Frame;
import java.awt.Label;
import java.awt.Point;
import java.awt.Robot;
import java.awt.Window;
import java.awt.event.ActionEvent;
import java.awt.event.KeyEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.swing.JButton;
import javax.swing.JEditorPane;
import javax.swing.JTextField;
import javax.swing.JToolTip;
import javax.swing.JTree;

/**
 * Checks that the finder finds operations by typed words, shows their pages and opens their dialogs, that dialogs have
 * help, and that fields have descriptions.
 */
public final class FinderTest {
    private FinderTest() {}

    public static void main(String[] args) throws Exception {
        Person.start(false);
        IJ.runMacro("newImage(\"cells\", \"8-bit ramp\", 60, 40, 1);");
        Person.expect("titles as people write them", true, Menus.getCommands().containsKey("eSRRF (Drua)..."));
        Person.expect("the finder is in the menu", true, Menus.getCommands().containsKey("Drua Operation..."));
        IJ.doCommand("Drua Operation...");
        Person.waitFor(() -> finder() != null);
        finds();
        opensDialogs();
        inserts();
        helps();
        fieldsSayWhatTheyAre();
        Person.leave();
    }

    private static Frame finder() {
        return Arrays.stream(Frame.getFrames())
            .filter(f -> f.isShowing() && f.getTitle().equals("Drua Operations"))
            .findFirst()
            .orElse(null);
    }

    /** The list for a typed text: categories and titles, as displayed. */
    private static List<String> type(String text) throws Exception {
        JTextField field = Person.part(finder(), JTextField.class, c -> true);
        JTree tree = Person.part(finder(), JTree.class, c -> true);
        List<String> rows = new ArrayList<>();
        EventQueue.invokeAndWait(() -> {
            field.setText(text);
            for (int i = 0; i < tree.getRowCount(); i++) {
                Component shown = tree.getCellRenderer().getTreeCellRendererComponent(
                    tree, tree.getPathForRow(i).getLastPathComponent(), false, true, true, i, false);
                rows.add(((javax.swing.JLabel) shown).getText());
            }
        });
        return rows;
    }

    private static String page() {
        JEditorPane page = Person.part(finder(), JEditorPane.class, c -> true);
        try {
            return page.getDocument().getText(0, page.getDocument().getLength());
        } catch (javax.swing.text.BadLocationException e) {
            return e.toString();
        }
    }

    private static void finds() throws Exception {
        Person.expect("nothing typed: categories", true, type("").contains("Labels"));
        Person.expect(
            "operations found by a name of CLIJ2", "[Filter, Gaussian Blur]", type("gaussianBlur3D").toString());
        Person.waitFor(() -> page().contains("usual first step against noise"));
        Person.expect("the page of the operation is shown", true,
            page().contains("usual first step against noise") && page().contains("Ext.CLIJ2_gaussianBlur3D"));
        Person.expect(
            "the page repeats the name with CLIJx's prefix", false, page().contains("Ext.CLIJx_gaussianBlur3D"));
        Person.pause(600);
        Person.photograph("finder-gaussian");
        Person.expect("words of a summary", true, type("usual first step against noise").contains("Gaussian Blur"));
        Person.expect("eSRRF comes first", "eSRRF", type("esrrf").get(1));
        Person.expect("titles before the rest", "Voronoi-Otsu Labeling", type("voronoi otsu").get(1));
        Person.expect("operations found by an unknown word", "[]", type("no such thing at all").toString());
    }

    private static void opensDialogs() throws Exception {
        type("median sphere");
        JTextField field = Person.part(finder(), JTextField.class, c -> true);
        EventQueue.invokeAndWait(()
                                     -> field.dispatchEvent(new KeyEvent(field, KeyEvent.KEY_PRESSED,
                                         System.currentTimeMillis(), 0, KeyEvent.VK_ENTER, '\n')));
        Person.waitFor(() -> Person.shown() != null);
        Person.expect(
            "Enter opens the dialog", "Median Sphere", Person.shown() == null ? "none" : Person.shown().getTitle());
        Person.cancel(Person.shown());
        Person.waitFor(() -> Person.shown() == null);
    }

    /** Inserts a call into the macro that is being edited. */
    private static void inserts() throws Exception {
        Editor editor = new Editor();
        EventQueue.invokeAndWait(() -> editor.create("mine.ijm", "first\nlast\n"));
        EventQueue.invokeAndWait(() -> editor.getTextArea().setCaretPosition(6));
        type("gaussianBlur3D");
        JButton insert = Person.part(finder(), JButton.class, "Insert into macro");
        EventQueue.invokeAndWait(() -> insert.doClick(0));
        Person.expect("between its lines", "first\nExt.Drua_gaussianBlur(source, destination, 1, 1, 0);\nlast\n",
            editor.getText());
        type("microscope psf");
        EventQueue.invokeAndWait(() -> Person.part(finder(), JButton.class, "Open dialog").doClick(0));
        Person.waitFor(() -> Person.shown() != null);
        Person.photograph("finder-insert");
        Person.expect("point spread functions have their dialog", "Point Spread Function",
            Person.shown() == null ? "none" : Person.shown().getTitle());
        Person.cancel(Person.shown());
        EventQueue.invokeAndWait(() -> editor.dispose());
    }

    private static void helps() throws Exception {
        EventQueue.invokeAndWait(() -> finder().dispose());
        WindowManager.setTempCurrentImage(WindowManager.getImage("cells"));
        GenericDialog dialog = Person.choose(Person.entry("top_hat_box"));
        Button help = Arrays.stream(dialog.getButtons())
                          .filter(b -> b != null && b.getLabel().trim().equals("Help"))
                          .findFirst()
                          .orElse(null);
        Person.expect("the dialog has a Help button", true, help != null);
        EventQueue.invokeAndWait(
            () -> dialog.actionPerformed(new ActionEvent(help, ActionEvent.ACTION_PERFORMED, "Help")));
        Person.waitFor(() -> finder() != null && page().contains("Ext.Drua_topHatBox"));
        Person.pause(600);
        Person.photograph("finder-help");
        Person.expect("Help opens the page", true, finder() != null && page().contains("Ext.Drua_topHatBox"));
        Person.expect("the dialog stays open", true, dialog.isShowing());
        EventQueue.invokeAndWait(() -> finder().dispose());
        Person.cancel(dialog);
    }

    private static void fieldsSayWhatTheyAre() throws Exception {
        GenericDialog dialog = Person.choose(Person.entry("gaussian_blur"));
        Label label = Arrays.stream(dialog.getComponents())
                          .filter(c -> c instanceof Label && ((Label) c).getText().startsWith("sigma x"))
                          .map(Label.class ::cast)
                          .findFirst()
                          .orElse(null);
        Point at = label.getLocationOnScreen();
        Robot robot = new Robot();
        robot.mouseMove(at.x - 200, at.y - 3);
        robot.mouseMove(at.x + 4, at.y + 4);
        Person.waitFor(() -> tip() != null);
        Person.pause(600);
        Person.photograph("tooltip");
        Person.expect(
            "the sentence of a field", "Standard deviation of the Gaussian along x, in pixels, 0 to 1000", tip());
        robot.mouseMove(10, 800);
        Person.waitFor(() -> tip() == null);
        Person.expect("the tip disappears with the mouse", null, tip());
        Person.cancel(dialog);
    }

    private static String tip() {
        for (Window window : Window.getWindows()) {
            JToolTip tip = window.isShowing() ? Person.part(window, JToolTip.class, c -> true) : null;
            if (tip != null)
                return tip.getTipText();
        }
        return null;
    }
}

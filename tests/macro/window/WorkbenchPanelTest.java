// SPDX-License-Identifier: BSD-3-Clause
import drua.engine.Registry;
import drua.pipeline.Catalogue;
import drua.pipeline.Session;
import drua.pipeline.Step;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.swing.JComboBox;
import javax.swing.JComponent;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JTextArea;
import javax.swing.JTextField;

/**
 * The workbench accepts what the user enters, keeps it while it is edited, and takes it back with Undo. Files and
 * windows end in the right state.
 */
public final class WorkbenchPanelTest extends WorkbenchHands {
    private WorkbenchPanelTest() {}

    public static void main(String[] args) throws Exception {
        Person.start(false);
        IJ.runMacro("newImage(\"cells\", \"8-bit ramp\", 60, 40, 1);");
        ImagePlus cells = WindowManager.getCurrentImage();
        cells.getWindow().setLocation(10, 120);
        openWorkbench();
        event(() -> frame().setBounds(645, 10, 630, 660));
        keysDeleteNothing();
        titlesAreTitles();
        settingsAreTakenBack();
        summariesAreWhole();
        entriesAreChecked();
        typingIsLeftAlone();
        viewsAreClosed();
        macroStaysWhatItWas();
        nothingComesBack(cells);
        tellsTimeLeft();
        Person.leave();
    }

    private static void refresh() {
        event(() -> {
            try {
                java.lang.reflect.Method refresh = frame().getClass().getDeclaredMethod("refresh");
                refresh.setAccessible(true);
                refresh.invoke(frame());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void add(Registry.Operation operation) {
        event(() -> session().add(operation, Catalogue.get().command(operation, "Drua"), false));
        refresh();
    }

    private static void enter(String field, String text) {
        event(() -> {
            JTextField entry = named(JTextField.class, field);
            entry.setText(text); /* a refresh between the two events would show the old number again */
            entry.postActionEvent();
        });
    }

    // ---- the keyboard

    private static java.awt.Component focusOwner() {
        return java.awt.KeyboardFocusManager.getCurrentKeyboardFocusManager().getFocusOwner();
    }

    /** The search field has the focus at first, and no button of the bar ever gets it. */
    private static void keysDeleteNothing() {
        event(() -> frame().toFront());
        Person.expect("the search field has the focus, not " + focusOwner(),
            Person.waitFor(() -> focusOwner() == named(JTextField.class, "find")));
        Person.key(java.awt.event.KeyEvent.VK_SPACE);
        Person.pause(300);
        Person.expect("the image is still there", 1, rows());
        event(() -> named(JTextField.class, "find").setText(""));
        type("blur", "Gaussian Blur", "Add");
        press("Undo");
        for (String button : new String[] {"Undo", "Delete", "Result"})
            Person.expect(button, false, Person.part(frame(), javax.swing.AbstractButton.class, button).isFocusable());
        Person.photograph("workbench-focus");
    }

    // ---- titles

    /** Swing would render a title that begins with <html> as a page, and load the files that the page names. */
    private static void titlesAreTitles() {
        event(() -> {
            @SuppressWarnings("unchecked") JComboBox<String> images = named(JComboBox.class, "image");
            JComponent shown = (JComponent) images.getRenderer().getListCellRendererComponent(
                new JList<>(), "<html><b>x", 0, false, false);
            Person.expect("the text of a title", "<html><b>x", ((JLabel) shown).getText());
            Person.expect("Swing's page of a title", null, shown.getClientProperty("html"));
        });
    }

    // ---- parameters

    private static void settingsAreTakenBack() {
        choose("File", "Drua commands");
        add(Registry.get().operations.get("esrrf"));
        Step step = session().viewed();
        int options = step.values.indexOf("");
        Person.expect("the preset magnification", "5", named(JTextField.class, "magnification").getText());
        enter("magnification", "7");
        Person.expect("a setting", "magnification=7", session().viewed().values.get(options));
        press("Undo");
        Person.expect("taken back", "5", named(JTextField.class, "magnification").getText());
        press("Redo");
        Person.expect("made again", "7", named(JTextField.class, "magnification").getText());
        press("Undo");
        enter("radius", "2");
        Person.expect("the options after Undo and another change", "radius=2", session().viewed().values.get(options));
        event(() -> session().turn(session().viewed(), options, "magnification=abc", false));
        refresh();
        Person.expect("the magnification after an entry that is not a number", "5",
            named(JTextField.class, "magnification").getText());
        while (session().canUndo())
            press("Undo");
    }

    private static void summariesAreWhole() {
        Registry.Operation longest = Catalogue.get()
                                         .operations()
                                         .stream()
                                         .filter(o -> o.menu && o.estimate.isEmpty())
                                         .filter(o -> Catalogue.get().command(o, "Drua") != null)
                                         .max((a, b) -> a.summary.length() - b.summary.length())
                                         .get();
        add(longest);
        Person.expect("the summary", longest.summary, named(JTextArea.class, "summary").getText());
        Person.waitFor(()
                           -> named(JTextArea.class, "summary").getHeight()
                >= named(JTextArea.class, "summary").getPreferredSize().height);
        JTextArea summary = named(JTextArea.class, "summary");
        Person.expect(
            "height of the summary with all its lines", summary.getPreferredSize().height, summary.getHeight());
        Person.expect("the summary has several lines", true,
            summary.getHeight() > 2 * summary.getFontMetrics(summary.getFont()).getHeight() - 2);
        Person.photograph("workbench-summary");
        press("Undo");
    }

    private static JTextField focused(String name) {
        event(() -> {
            frame().toFront();
            named(JTextField.class, name).requestFocus();
        });
        Person.waitFor(() -> named(JTextField.class, name).isFocusOwner());
        return named(JTextField.class, name);
    }

    private static void typingIsLeftAlone() {
        type("blur", "Gaussian Blur", "Add");
        JTextField sigma = focused("sigma_x");
        event(() -> sigma.setText("2."));
        refresh();
        Person.expect("a number that is being typed", "2.", sigma.getText());
        event(() -> session().turn(session().viewed(), 2, 3.0, false));
        refresh();
        Person.expect("another number", "3", sigma.getText());
        event(() -> session().addImageJCommand("Invert", ""));
        refresh();
        JTextField command = focused("command");
        event(() -> command.setText("Find Edges"));
        refresh();
        Person.expect("a text that is being typed", "Find Edges", command.getText());
        focused("find");
        Person.expect("the typed text is taken when the focus moves", true,
            Person.waitFor(() -> session().viewed().values.contains("Find Edges")));
        press("Undo");
        Person.expect("the command after Undo", "Invert", named(JTextField.class, "command").getText());
        press("Undo");
    }

    /**
     * An entry that is not a number shows an error, which disappears with the next number; the slider follows the
     * number.
     */
    private static void entriesAreChecked() {
        type("blur", "Gaussian Blur", "Add");
        seen("Gaussian Blur");
        String[][] entries = {{"NaN", "got 'NaN'"}, {"Infinity", "got 'Infinity'"}, {"abc", "got 'abc'"},
            {"", "but the field is empty"}, {"1,234", "got '1,234'; write 1234 or 1.234"}};
        for (String[] entry : entries) {
            enter("sigma_x", entry[0]);
            Person.expect(
                "the error message", "gaussianBlur: sigma_x must be a number from 0 to 1000, " + entry[1], status());
            Person.expect("the wrong entry stays", entry[0], named(JTextField.class, "sigma_x").getText());
            Person.expect("colour of the wrong entry", new java.awt.Color(0xb00000),
                named(JTextField.class, "sigma_x").getForeground());
            Person.expect("the step keeps its value", 1.0, session().viewed().values.get(2));
            Person.pause(200);
            Person.photograph("workbench-entry");
            enter("sigma_x", "1");
            Person.expect("the status after a correct entry", "", status().replaceAll(".*\\.\\.\\.$", ""));
        }
        enter("sigma_x", "1,5");
        Person.expect("the value of 1,5", 1.5, session().viewed().values.get(2));
        Person.expect("position of the slider for 1.5"
                + ": " + share(),
            Math.abs(share() - 0.15) < 0.01);
        enter("sigma_x", "300");
        Person.expect("position of the slider for 300"
                + ": " + share(),
            Math.abs(share() - 0.3) < 0.06);
        enter("sigma_x", "2");
        Person.expect("position of the slider for 2"
                + ": " + share(),
            Math.abs(share() - 0.2) < 0.01);
        enter("sigma_x", "300");
        press("Undo");
        Person.expect("position of the slider after Undo"
                + ": " + share(),
            Math.abs(share() - 0.2) < 0.01);
        while (session().canUndo())
            press("Undo");
    }

    /** The position of the slider from 0 to 1. */
    private static double share() {
        javax.swing.JSlider slider = named(javax.swing.JSlider.class, "sigma_x slider");
        return (double) slider.getValue() / slider.getMaximum();
    }

    // ---- windows

    private static void viewsAreClosed() {
        seen("Gaussian Blur");
        choose("View", "Side by side");
        Person.expect(
            "a window beside the view", true, Person.waitFor(() -> WindowManager.getImage("Workbench: cells") != null));
        event(() -> WindowManager.getImage("Workbench: Gaussian Blur").close());
        Person.expect("the window beside the view closes with the view", true,
            Person.waitFor(() -> WindowManager.getImage("Workbench: cells") == null));
        choose("View", "Single step");
        event(() -> session().turn(session().viewed(), 2, 2.0, false));
        seen("Gaussian Blur");
    }

    /** Closes the workbench while the latest result waits to be shown. */
    private static void nothingComesBack(ImagePlus cells) {
        IJ.selectWindow("cells");
        choose("File", "New");
        event(() -> session().add(Registry.get().operations.get("threshold"), false));
        refresh();
        seen("Threshold");
        event(() -> {
            Session session = session();
            session.turn(session.viewed(), 2, 90.0, false);
            Person.waitFor(() -> session.live().isDone());
            frame().dispose();
        });
        Person.pause(500);
        Person.expect("a view of the closed workbench", null, view());
        Person.expect("outlines of the closed workbench", null, cells.getOverlay());
        IJ.runMacro("newImage(\"later\", \"8-bit ramp\", 60, 40, 1);");
        Person.pause(500);
        Person.expect("a view after another image opens", null, view());
        IJ.doCommand("Workbench");
        Person.expect("a new workbench opens", true, Person.waitFor(() -> frame() != null && rows() == 1));
        event(() -> frame().dispose());
    }

    // ---- one long step

    private static void tellsTimeLeft() {
        IJ.runMacro("newImage(\"stack\", \"8-bit random\", 400, 400, 40);");
        openWorkbench();
        type("median sphere", "Median Sphere", "Add");
        for (String axis : new String[] {"x", "y", "z"})
            enter("radius_" + axis, "6");
        long begun = System.currentTimeMillis();
        boolean isTold =
            Person.waitFor(() -> status().matches("computing .*, \\d+ s left \\.\\.\\.") || session().live().isDone());
        Person.photograph("workbench-time-left");
        boolean isQuick = session().live().isDone() && System.currentTimeMillis() - begun < 3000;
        Person.expect(
            "the time left of a long step, got: " + status(), isTold && !session().live().isDone() || isQuick);
        event(() -> frame().dispose());
    }

    // ---- files

    private static void macroStaysWhatItWas() throws Exception {
        Path file = new File(System.getProperty("java.io.tmpdir"), "latin.ijm").toPath(),
             before = file.resolveSibling("before.ijm");
        String macro = "// caf\u00e9\nrun(\"CLIJ2 Macro Extensions\", \"cl_device=\");\nimage ="
            + " getTitle();\nExt.CLIJ2_push(image);\n"
            + "Ext.CLIJ2_gaussianBlur2D(image, b, 1, 1);\n";
        Files.write(file, macro.getBytes(StandardCharsets.ISO_8859_1));
        Files.createLink(before, file);
        event(() -> call("open", file));
        Step blur = session().now().seen().get(1);
        event(() -> session().turn(blur, 2, 4.0, false));
        event(() -> call("save", file));
        Person.expect("the saved macro in Latin-1", macro.replace("b, 1", "b, 4"),
            new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        Person.expect("the old file under its other name, which saving must not change", macro,
            new String(Files.readAllBytes(before), StandardCharsets.ISO_8859_1));
        variablesAndLineEndsStay(file);
        Files.write(file, macro.getBytes(StandardCharsets.UTF_8));
        event(() -> call("open", file));
        event(() -> call("save", file));
        Person.expect("the saved macro in UTF-8", macro, new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    }

    /** A changed number replaces that argument alone; the macro keeps its image, its variables and its line ends. */
    private static void variablesAndLineEndsStay(Path file) throws Exception {
        IJ.runMacro("newImage(\"another\", \"8-bit ramp\", 60, 40, 1);");
        for (String end : new String[] {"\n", "\r\n", "\r"}) {
            String macro = String.join(end, "sigma = 5; // pixels", "run(\"CLIJ2 Macro Extensions\", \"cl_device=\");",
                "image = getTitle();", "Ext.CLIJ2_push(image);", "Ext.CLIJ2_gaussianBlur2D( image,b , sigma,sigma);",
                "// end", "");
            Files.write(file, macro.getBytes(StandardCharsets.UTF_8));
            event(() -> call("open", file));
            Step blur = session().now().seen().get(1);
            Person.expect(
                "the image of the workbench", "cells", session().image(session().now().seen().get(0)).getTitle());
            event(() -> session().turn(blur, 2, 7.0, false));
            event(() -> session().turn(session().now().seen().get(1), 2, 6.5, false));
            event(() -> call("save", file));
            Person.expect("the saved macro after one argument changes", macro.replace(" sigma,sigma", " 6.5,sigma"),
                new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        }
        WindowManager.getImage("another").close();
    }
}

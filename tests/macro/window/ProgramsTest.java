// SPDX-License-Identifier: BSD-3-Clause
import drua.pipeline.Export;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.plugin.PlugIn;
import java.awt.Component;
import java.awt.Point;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.swing.JMenu;
import javax.swing.JMenuItem;
import javax.swing.MenuElement;
import javax.swing.MenuSelectionManager;
import javax.tools.ToolProvider;

/** Exports from the workbench's menus: a Java plugin and a shell script that run, and Fiji's Script Editor. */
public final class ProgramsTest extends WorkbenchHands {
    private static File work;

    private ProgramsTest() {}

    public static void main(String[] args) throws Exception {
        Person.start(false);
        work = new File(System.getProperty("java.io.tmpdir"));
        IJ.runMacro(
            "newImage('cells', '8-bit black', 200, 150, 1); for (i = 0; i < 6; i++) { setColor(100 + 20 * i);".replace(
                '\'', '"')
            + " fillRect(10 + 30 * i, 20 + 15 * i, 10 + i, 12); }");
        ImagePlus cells = WindowManager.getCurrentImage();
        IJ.saveAsTiff(cells, new File(work, "in.tif").getPath());
        openWorkbench();
        type("otsu", "Automatic Threshold", "Add");
        type("label", "Connected Components Box", "Add");
        String expected = Person.told(seen("Connected Components Box"));
        menus();
        javaPlugin(cells, expected);
        shellScript(expected);
        scriptEditor();
        Person.leave();
    }

    private static JMenuItem item(String menu, String start) {
        JMenu files = frame().getJMenuBar().getMenu(0);
        for (Component c : files.getMenuComponents()) {
            JMenu inner = c instanceof JMenu && ((JMenu) c).getText().equals(menu) ? (JMenu) c : null;
            for (int i = 0; inner != null && i < inner.getItemCount(); i++) {
                if (inner.getItem(i).getText().startsWith(start))
                    return inner.getItem(i);
            }
        }
        Person.expect("an entry " + start + " of the menu " + menu, false);
        return new JMenuItem();
    }

    private static void menus() {
        JMenu files = frame().getJMenuBar().getMenu(0);
        JMenuItem first = item("Export", "Commented macro");
        JMenu inner = (JMenu) ((javax.swing.JPopupMenu) first.getParent()).getInvoker();
        event(()
                  -> MenuSelectionManager.defaultManager().setSelectedPath(new MenuElement[] {
                      frame().getJMenuBar(), files, files.getPopupMenu(), inner, inner.getPopupMenu(), first}));
        Person.expect("the menu opens", Person.waitFor(first::isShowing));
        Person.photograph("menu-export");
        Point on = first.getLocationOnScreen();
        Person.expect("the menu is on the screen: " + on, on.x >= 0 && on.x + first.getWidth() <= 1280);
        event(() -> MenuSelectionManager.defaultManager().clearSelectedPath());
    }

    private static void export(Export export, String file) {
        event(() -> {
            try {
                Object actions = field(frame(), "actions");
                Method method = actions.getClass().getDeclaredMethod("export", Export.class, Path.class);
                method.setAccessible(true);
                method.invoke(actions, export, new File(work, file).toPath());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void javaPlugin(ImagePlus cells, String expected) throws Exception {
        export(Export.JAVA, "Count_Cells.java");
        String path = System.getProperty("java.class.path");
        Person.expect("javac", 0,
            ToolProvider.getSystemJavaCompiler().run(
                null, null, null, "-cp", path, new File(work, "Count_Cells.java").getPath()));
        try (URLClassLoader loader = new URLClassLoader(new URL[] {work.toURI().toURL()})) {
            WindowManager.setTempCurrentImage(cells);
            ((PlugIn) loader.loadClass("Count_Cells").getDeclaredConstructor().newInstance()).run("");
        } finally {
            WindowManager.setTempCurrentImage(null);
        }
        ImagePlus made = WindowManager.getImage("connectedComponentsLabelingBox1") != null
            ? WindowManager.getImage("connectedComponentsLabelingBox1")
            : WindowManager.getImage("connectedComponentsBox1");
        Person.expect("the plugin opens the labels", made != null);
        Person.expect("the labels", expected.substring(expected.indexOf(' ')), told(made));
        Person.photograph("export-java");
    }

    private static String told(ImagePlus image) {
        String told = image == null ? "nothing" : Person.told(image);
        return told.substring(told.indexOf(' ') < 0 ? 0 : told.indexOf(' '));
    }

    private static void shellScript(String expected) throws IOException, InterruptedException {
        export(Export.SHELL, "count cells.sh");
        ProcessBuilder shell = new ProcessBuilder("sh", "count cells.sh", "in.tif", "results").directory(work);
        Process run = shell.redirectErrorStream(true).redirectOutput(new File(work, "said")).start();
        int status = run.waitFor();
        String said = new String(Files.readAllBytes(new File(work, "said").toPath()), StandardCharsets.UTF_8);
        Person.expect(
            "exit status 1 and a sentence without the folder: " + said, true, status == 1 && said.contains("results"));
        new File(work, "results").mkdirs();
        Person.expect("exit status", 0, shell.start().waitFor());
        File[] made = new File(work, "results").listFiles();
        Person.expect("one result", 1, made.length);
        Person.expect("the labels", expected.substring(expected.indexOf(' ')), told(IJ.openImage(made[0].getPath())));
    }

    /**
     * In ImageJ without Fiji, an error message says what is missing. Classes with the names of Fiji's then take its
     * place.
     */
    private static void scriptEditor() throws IOException {
        event(() -> item("Send to Script Editor", "Groovy").doClick(0));
        Person.expect("the error message",
            "this ImageJ has no Script Editor, which is a part of Fiji; use File>Export to save the program in a file",
            status());
        Person.photograph("export-no-editor");
        String classes = System.getProperty("java.class.path").split(File.pathSeparator)[0];
        compile(classes, "Context", "package org.scijava; public class Context {}");
        compile(classes, "TextEditor",
            "package org.scijava.ui.swing.script; public class TextEditor extends "
                + "javax.swing.JFrame { public TextEditor(org.scijava.Context c) { if (c == null) throw new "
                + "IllegalArgumentException(); } public void createNewDocument(String title, String text) { "
                + "System.setProperty(\"sent\", title + \": \" + text); } }");
        event(() -> item("Send to Script Editor", "Groovy").doClick(0));
        String sent = String.valueOf(System.getProperty("sent"));
        Person.expect("the Script Editor gets " + sent, true,
            sent.startsWith("workbench.groovy: // Pipeline from the workbench of Drua") && sent.endsWith("}\n"));
        Person.expect("no error", "", status());
        event(() -> item("Send to Script Editor", "Java").doClick(0));
        Person.expect("the Java program is a class with the name of its file", true,
            System.getProperty("sent", "").startsWith("Workbench_.java: ")
                && System.getProperty("sent", "").contains("public class Workbench_ implements PlugIn {"));
    }

    private static void compile(String classes, String name, String source) throws IOException {
        File file = new File(work, name + ".java");
        Files.write(file.toPath(), source.getBytes(StandardCharsets.US_ASCII));
        Person.expect("javac", 0,
            ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", classes, "-cp", classes, file.getPath()));
    }
}

// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.Menus;
import ij.WindowManager;
import ij.plugin.PlugIn;
import java.awt.Component;
import java.awt.Dialog;
import java.awt.EventQueue;
import java.awt.Window;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import javax.swing.AbstractButton;
import javax.swing.JComboBox;
import javax.swing.JList;
import javax.swing.JMenuBar;
import javax.swing.JTextField;

/**
 * Tests ImageJ commands as steps of the workbench, added and corrected by a user, and runs on a folder of images that
 * continue after a stop.
 */
public final class WorkbenchExportTest extends WorkbenchHands {
    private static File work;

    private WorkbenchExportTest() {}

    public static void main(String[] args) throws Exception {
        Person.start(false);
        work = new File(System.getProperty("java.io.tmpdir"));
        IJ.runMacro("newImage(\"cells\", \"8-bit black\", 200, 150, 1); setColor(180); for (i = 0; i < 6;"
            + " i++) fillOval(12 + 30 * i, 20 + 15 * i, 22, 30); saveAs(\"Tiff\", \"" + file("cells.tif") + "\");");
        WindowManager.getCurrentImage().getWindow().setLocation(10, 120);
        openWorkbench();
        event(() -> frame().setBounds(500, 10, 760, 700));
        addsACommand();
        macroGivesTheSame();
        takesWhatACommandOpens();
        leavesOthersImages();
        saysWhatIsWrong();
        goesOnWithAFolder();
        Person.leave();
    }

    // ---- help

    private static String file(String name) {
        return new File(work, name).getPath();
    }

    private static AbstractButton item(String text) {
        JMenuBar bar = frame().getJMenuBar();
        for (int m = 0; m < bar.getMenuCount(); m++) {
            for (Component item : bar.getMenu(m).getMenuComponents()) {
                if (item instanceof AbstractButton && ((AbstractButton) item).getText().equals(text))
                    return (AbstractButton) item;
            }
        }
        throw new IllegalArgumentException(text);
    }

    private static void add(String letters) {
        event(() -> Person.part(frame(), JTextField.class, "find").setText(letters));
        event(() -> Person.part(frame(), AbstractButton.class, "Add").doClick(0));
        settle();
    }

    private static Dialog dialog() {
        return (Dialog) Arrays.stream(Window.getWindows())
            .filter(w -> w.isShowing() && w instanceof Dialog && ((Dialog) w).getTitle().equals("Add ImageJ Command"))
            .findFirst()
            .orElse(null);
    }

    private static void addCommand(String command, String options, String picture) {
        EventQueue.invokeLater(() -> item("Add ImageJ command...").doClick(0));
        Person.waitFor(() -> dialog() != null);
        Dialog dialog = dialog();
        event(() -> Person.part(dialog, JComboBox.class, c -> true).setSelectedItem(command));
        event(() -> Person.part(dialog, JTextField.class, "options").setText(options));
        if (!picture.isEmpty()) {
            Person.pause(400);
            Person.photograph(picture);
        }
        event(() -> Person.part(dialog, AbstractButton.class, "OK").doClick(0));
        Person.waitFor(() -> dialog() == null);
        settle();
    }

    private static void settle() {
        for (int calm = 0, turns = 0; calm < 3 && turns < 600; calm = isBusy() ? 0 : calm + 1, turns++)
            Person.pause(300);
    }

    private static String pixels(ImagePlus image) {
        return image.getWidth() + "x" + image.getHeight() + " "
            + Arrays.hashCode((float[]) image.getProcessor().convertToFloatProcessor().getPixels());
    }

    /** The description of the open image with that title after a macro in a separate ImageJ, with type and extents. */
    private static String told(Map<String, String> images, String type) {
        return images.values().stream().filter(image -> image.startsWith(type)).collect(Collectors.joining("; "))
            + (images.containsKey("exit status") ? " failed" : "");
    }

    private static String text(String name) {
        try {
            return new String(Files.readAllBytes(new File(work, name).toPath()), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    // ---- ImageJ commands as steps

    private static void addsACommand() {
        add("CLIJ2_gaussianBlur2D");
        addCommand("Find Edges", "", "workbench-command-dialog");
        Person.expect("rows after an ImageJ command is added", 3, rows());
        Person.waitFor(() -> view().getTitle().contains("ImageJ: Find Edges"));
        Person.expect("the view shows the step of the command", true, view().getTitle().contains("ImageJ: Find Edges"));
        Person.expect("no failure", "", status());
        add("CLIJ2_thresholdOtsu");
        Person.expect("rows after a later step is added", 4, rows());
        Person.photograph("workbench-command");
    }

    private static void macroGivesTheSame() {
        event(() -> Person.part(frame(), JList.class, "steps").setSelectedIndex(2));
        settle();
        event(() -> Person.part(frame(), AbstractButton.class, "Window").doClick(0));
        Person.waitFor(() -> WindowManager.getImage("imageJCommand1") != null);
        String expected = Person.told(WindowManager.getImage("imageJCommand1"));
        WindowManager.getImage("imageJCommand1").close();
        event(() -> Person.part(frame(), AbstractButton.class, "Result").doClick(0));
        event(() -> call("save", new File(work, "edges.ijm").toPath()));
        String macro = text("edges.ijm");
        Person.expect("pull, run, push in " + macro, true,
            macro.contains("run(\"Find Edges\");\nimageJCommand1 = getTitle();\nExt.CLIJ2_push(imageJCommand1);"));
        Map<String, String> shown = Person.replay("open(\"" + file("cells.tif") + "\");\n" + macro, true);
        shown.remove("cells.tif");
        Person.expect("the saved macro gives the same windows", "[" + expected + "]", shown.values());
        event(() -> Person.part(frame(), AbstractButton.class, "On/off").doClick(0));
        settle();
        String blurred = pixels(view());
        event(() -> Person.part(frame(), JList.class, "steps").setSelectedIndex(1));
        settle();
        Person.expect("a step that is off passes its image on", pixels(view()), blurred);
        event(() -> Person.part(frame(), AbstractButton.class, "Undo").doClick(0));
        settle();
    }

    /** A command opens a window: the step takes its image and closes it. */
    private static void takesWhatACommandOpens() {
        event(() -> Person.part(frame(), JList.class, "steps").setSelectedIndex(1));
        settle();
        int open = WindowManager.getImageCount();
        addCommand("Duplicate...", "title=other", "");
        Person.expect("no failure", "", status());
        String copied = pixels(view());
        event(() -> Person.part(frame(), JList.class, "steps").setSelectedIndex(1));
        settle();
        Person.expect("pixels of the step that duplicates the image", pixels(view()), copied);
        Person.expect("open images after the command's window is closed", open, WindowManager.getImageCount());
        event(() -> Person.part(frame(), AbstractButton.class, "Undo").doClick(0));
        settle();
    }

    /** A command that opens a window and ends only after the user has opened one, too. */
    public static final class SlowCopy implements PlugIn {
        private static final CountDownLatch SHOWN = new CountDownLatch(1), GOES_ON = new CountDownLatch(1);

        @Override
        public void run(String argument) {
            WindowManager.getCurrentImage().duplicate().show();
            SHOWN.countDown();
            try {
                GOES_ON.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @SuppressWarnings("unchecked") /* ImageJ's table is untyped */
    private static void leavesOthersImages() throws InterruptedException {
        Menus.getCommands().put("Slow Copy", SlowCopy.class.getName());
        int open = WindowManager.getImageCount();
        Thread person = new Thread(() -> {
            Person.waitFor(() -> SlowCopy.SHOWN.getCount() == 0);
            IJ.runMacro("newImage(\"not saved\", \"8-bit ramp\", 7, 5, 1);");
            WindowManager.getImage("not saved").changes = true;
            SlowCopy.GOES_ON.countDown();
        });
        person.start();
        addCommand("Slow Copy", "", "");
        person.join();
        settle();
        Person.expect("no failure", "", status());
        Person.expect("the command's image is taken", 200, view().getWidth());
        ImagePlus other = WindowManager.getImage("not saved");
        Person.expect(
            "an image that the user opened meanwhile stays", true, other != null && other.getWindow() != null);
        Person.expect("open images after the command", open + 1, WindowManager.getImageCount());
        if (other != null) {
            other.changes = false;
            other.close();
        }
        event(() -> Person.part(frame(), AbstractButton.class, "Undo").doClick(0));
        settle();
    }

    private static void saysWhatIsWrong() {
        addCommand("Find Hedges", "", "");
        Person.waitFor(() -> status().contains("Unrecognized"));
        Person.expect(
            "the error in the status line: " + status(), true, status().contains("Find Hedges: Unrecognized command"));
        Person.expect("no dialog is open", "", Person.message());
        Person.photograph("workbench-command-failure");
        event(() -> Person.part(frame(), JTextField.class, "command").setText("Invert"));
        event(() -> Person.part(frame(), JTextField.class, "command").postActionEvent());
        settle();
        Person.expect("corrected", "", status());
        event(() -> Person.part(frame(), AbstractButton.class, "Delete").doClick(0));
        settle();
    }

    // ---- a folder

    private static void run(Path in, Path results, int images) {
        event(() -> call("runOnFolder", in, results));
        Person.waitFor(()
                           -> text("results/summary.csv").split("\n").length == images + 1
                && !threads().contains("Run$_Workbench_Macro$"));
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).collect(Collectors.toList());
    }

    private static long changed(String name) {
        return new File(work, name).lastModified();
    }

    private static void goesOnWithAFolder() throws IOException {
        event(() -> Person.part(frame(), JList.class, "steps").setSelectedIndex(rows() - 1));
        add("connected");
        add("statisticsOfLabelled");
        File in = new File(work, "in"), results = new File(work, "results");
        in.mkdirs();
        for (String name : new String[] {"a.tif", "b.tif", "c.tif"})
            Files.copy(new File(file("cells.tif")).toPath(), new File(in, name).toPath());
        run(in.toPath(), results.toPath(), 3);
        String all = text("results/all_results.csv"), summary = text("results/summary.csv");
        Person.expect("rows of all: " + summary, true,
            all.contains("\na.tif,") && all.contains("\nb.tif,") && all.contains("\nc.tif,"));
        Person.expect("whole files only", "[]",
            Arrays.stream(results.list()).filter(name -> name.contains(".part")).collect(Collectors.toList()));
        List<Long> before =
            new ArrayList<>(Arrays.asList(changed("results/a_results.csv"), changed("results/c_results.csv")));
        Files.delete(new File(results, "b_imageJCommand1.tif").toPath());
        Files.write(new File(results, "b_results.part.csv").toPath(), "half".getBytes(StandardCharsets.US_ASCII));
        run(in.toPath(), results.toPath(), 3);
        Person.expect("finished images are kept", before,
            Arrays.asList(changed("results/a_results.csv"), changed("results/c_results.csv")));
        Person.expect("missing results are made again", true, new File(results, "b_imageJCommand1.tif").exists());
        Person.expect("the number of skipped images: " + IJ.getLog(), true,
            IJ.getLog().contains("2 of 3 images are done and have not changed since"));
        Person.expect("all rows exactly once", all, text("results/all_results.csv"));
        Person.expect("all images", summary, text("results/summary.csv"));
        event(() -> Person.part(frame(), JList.class, "steps").setSelectedIndex(1));
        settle();
        event(() -> Person.part(frame(), JTextField.class, "sigma_x").setText("3"));
        event(() -> Person.part(frame(), JTextField.class, "sigma_x").postActionEvent());
        settle();
        run(in.toPath(), results.toPath(), 3);
        Person.expect("another pipeline starts anew", false, before.get(0) == changed("results/a_results.csv"));
        Person.photograph("workbench-folder");
        isKilled(in.toPath(), results.toPath());
    }

    /**
     * Kills a process that works on a folder. It must leave only complete files, and the next run does the remaining
     * images.
     */
    private static void isKilled(Path in, Path results) throws IOException {
        String all = text("results/all_results.csv"), summary = text("results/summary.csv");
        String macro = text("results/batch.ijm")
                           .replace("split(getArgument(), \",\")",
                               "newArray(\"" + results + "/pipeline.ijm\", \"" + in + "\", \"" + results + "\")");
        Files.delete(results.resolve("done.txt"));
        Process process = Person.start(macro, true);
        Person.waitFor(() -> text("results/done.txt").contains("a.tif/"));
        process.destroyForcibly();
        Person.waitFor(() -> !process.isAlive());
        for (String name : results.toFile().list()) {
            if (name.endsWith("_results.csv") && !name.startsWith("all"))
                Person.expect(name + " is whole", rowsOf(all, name.charAt(0) + ".tif"),
                    text("results/" + name).split("\n").length - 1);
            if (name.endsWith(".tif") && !name.contains(".part."))
                Person.expect(name + " is whole", true, IJ.openImage(results.resolve(name).toString()) != null);
        }
        Person.expect("no incomplete table", false, Files.exists(results.resolve("all_results.csv")));
        Person.replay(macro, true);
        Person.expect("all rows", all, text("results/all_results.csv"));
        Person.expect("all images", summary, text("results/summary.csv"));
    }

    private static int rowsOf(String all, String image) {
        return (int) Arrays.stream(all.split("\n")).filter(line -> line.startsWith(image + ",")).count();
    }
}

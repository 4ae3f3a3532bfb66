// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.WindowManager;
import java.awt.Component;
import java.awt.Container;
import java.awt.EventQueue;
import java.awt.Frame;
import java.awt.Rectangle;
import java.awt.Toolkit;
import java.awt.event.KeyEvent;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import javax.swing.AbstractButton;
import javax.swing.JCheckBox;
import javax.swing.JComboBox;
import javax.swing.JFileChooser;
import javax.swing.JFrame;
import javax.swing.JProgressBar;
import javax.swing.JTextField;
import javax.swing.text.JTextComponent;

/**
 * Processes a large image as a user does: plans, starts, stops and continues, with an operation, a macro and the
 * workbench's pipeline.
 */
public final class LargeImageTest {
    private static final String BLUR = "gaussian_blur sigma_x=2 sigma_y=2 sigma_z=1",
                                SLOW = "median_box radius_x=8 radius_y=8 radius_z=4";
    private static File folder;

    private LargeImageTest() {}

    public static void main(String[] args) throws Exception {
        Person.start(true);
        folder = new File(System.getProperty("java.io.tmpdir"), "large");
        folder.mkdirs();
        IJ.runMacro(start()
            + "newImage(\"image\", \"8-bit ramp\", 160, 120, 40); setColor(255); fillRect(20, 10, 25, 29);"
            + " saveAs(\"Tiff\", \"" + path("in.tif")
            + "\"); rename(\"image\"); Ext.Drua_push(\"image\"); Ext.Drua_write(\"image\", \"" + path("in.zarr")
            + "\"); close();");
        IJ.doCommand("Process a Large Image...");
        Person.waitFor(() -> frame("Process") != null);
        Person.settle();
        Rectangle opened = frame("Process").getBounds();
        Person.expect("the window at " + opened + " opens beside ImageJ's menus",
            !opened.intersects(IJ.getInstance().getBounds()));
        saysWhatIsMissing();
        choosesFoldersAndFiles();
        plansAndRuns();
        isRecorded();
        stopsAndGoesOn();
        saysWhatIsWrong();
        runsTheWorkbenchsPipeline();
        Person.leave();
    }

    // ---- help

    private static String start() {
        return "run(\"Drua Macro Extensions\", \"cl_device=\"); ";
    }

    private static String path(String name) {
        return new File(folder, name).getPath();
    }

    private static JFrame frame(String title) {
        return Arrays.stream(Frame.getFrames())
            .filter(f -> f instanceof JFrame && f.isShowing() && f.getTitle().contains(title))
            .map(JFrame.class ::cast)
            .findFirst()
            .orElse(null);
    }

    private static Component part(String name) {
        return Person.part(frame("Process"), Component.class, name);
    }

    private static void event(Runnable event) {
        try {
            EventQueue.invokeAndWait(event);
        } catch (ReflectiveOperationException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void enter(String name, String text) {
        event(() -> {
            Component part = part(name);
            if (part instanceof JComboBox)
                ((JComboBox<?>) part).setSelectedItem(text);
            else
                ((JTextField) part).setText(text);
        });
    }

    private static void press(String name) {
        event(() -> ((AbstractButton) part(name)).doClick(0));
    }

    private static String names() {
        return Arrays.stream(folder.list()).sorted().collect(java.util.stream.Collectors.toList()).toString();
    }

    private static String text(String name) {
        return ((JTextComponent) part(name)).getText();
    }

    /** Waits for pending events, because the button's state is updated after the event. */
    private static boolean isPossible(String button) {
        boolean[] possible = {false};
        event(() -> {
            Component part = part(button);
            possible[0] = part != null && part.isEnabled();
        });
        return possible[0];
    }

    /** Waits until no work is running. */
    private static void planned() {
        Person.waitFor(() -> isPossible("Start") || isPossible("Plan") && !text("status").isEmpty());
    }

    private static void started() {
        press("Start");
        for (int more = 0; more < 4 && !isPossible("Plan"); more++)
            Person.waitFor(() -> isPossible("Plan"));
    }

    /** Saves a picture once the latest message is painted. */
    private static void photograph(String name) {
        Person.pause(500);
        Person.photograph(name);
    }

    private static String bar() {
        return Person.part(frame("Process"), JProgressBar.class, bar -> true).getString();
    }

    private static void plan(String from, String pipeline, String input, String output) {
        enter("from", from);
        enter(from.equals("operation") ? "operation" : "macro", pipeline);
        enter("input", path(input));
        enter("output", path(output));
        press("Plan");
        planned();
    }

    /** The largest difference between the output and the macro's result for the whole image "whole". */
    private static void compare(String what, String lines, String output) {
        if (!new File(path(output)).exists())
            throw new IllegalStateException(what + " gave no " + output);
        String result = IJ.runMacro(start() + "Ext.Drua_clear(); Ext.Drua_read(\"" + path("in.zarr") + "\", image); "
            + lines + " Ext.Drua_read(\"" + path(output)
            + "\", blocks); Ext.Drua_absoluteDifference(whole, blocks, difference);"
            + " Ext.Drua_maximumOfAllPixels(difference, most); Ext.Drua_clear(); return \"\" + most;");
        Person.expect(what + " has the pixels of the whole image", "0", result);
    }

    // ---- scenes

    private static void saysWhatIsMissing() {
        enter("from", "operation");
        press("Plan");
        Person.expect("the status without an image", "Image: choose the file or folder to read", text("status"));
        enter("from", "macro file");
        press("Plan");
        Person.expect("the status without a macro", "Pipeline: choose a macro file", text("status"));
    }

    private static JFileChooser chooser() {
        return Arrays.stream(java.awt.Window.getWindows())
            .filter(w -> w.isShowing() && w instanceof javax.swing.JDialog)
            .map(w -> Person.part((Container) w, JFileChooser.class, c -> true))
            .filter(c -> c != null)
            .findFirst()
            .orElse(null);
    }

    private static void choosesFoldersAndFiles() {
        for (String name : new String[] {"in.tif", "in.zarr"}) {
            EventQueue.invokeLater(() -> ((AbstractButton) part("input browse")).doClick(0));
            Person.waitFor(() -> chooser() != null);
            Person.expect(
                "an OME-Zarr is chosen, not entered", false, chooser().isTraversable(new File(path("in.zarr"))));
            event(() -> chooser().setSelectedFile(new File(path(name))));
            if (name.equals("in.zarr"))
                Person.photograph("large-browse");
            event(() -> chooser().approveSelection());
            Person.waitFor(() -> text("input").equals(path(name)));
            Person.expect("chosen", path(name), text("input"));
        }
    }

    private static void plansAndRuns() {
        event(() -> ((JCheckBox) part("more")).doClick(0));
        enter("block", "64,64,16");
        enter("chunk", "64,64,16");
        plan("operation", BLUR, "in.zarr", "blurred.zarr");
        Person.expect("the plan: " + text("plan"), true,
            text("plan").contains("blocks  18 of 64 x 64 x 16, read with") && text("plan").contains("memory  device"));
        Person.expect("the plan ends with the equivalent shell command: " + text("plan"), true,
            text("plan").endsWith("Shell command: drua process gaussian_blur " + path("in.zarr") + " "
                + path("blurred.zarr") + " sigma_x=2 sigma_y=2 sigma_z=1 --block 64,64,16 --chunk 64,64,16"));
        Person.expect("nothing is done yet", false, new File(path("blurred.zarr")).exists());
        Person.expect("the planned entries cannot be changed", false, part("input").isEnabled());
        Person.photograph("large-plan");
        press("Back");
        Person.waitFor(() -> isPossible("Plan"));
        Person.expect("the status after the plan is cancelled", "Not started.", text("status"));
        Person.expect("the plan is removed", "[in.tif, in.zarr]", names());
        java.awt.Rectangle planning = part("Plan").getBounds(), start = part("Start").getBounds();
        enter("block", "64,64,32");
        plan("operation", BLUR, "in.zarr", "blurred.zarr");
        Person.expect("another plan: " + text("plan") + text("status"), true,
            text("plan").contains("blocks  12 of 64 x 64 x 32"));
        Person.expect("Plan and Start stay in their places", planning + " " + start,
            part("Plan").getBounds() + " " + part("Start").getBounds());
        Person.expect(
            "whether Plan and Start are enabled", "false true", isPossible("Plan") + " " + isPossible("Start"));
        started();
        Person.expect("done", "Done: " + path("blurred.zarr"), text("status"));
        photograph("large-done");
        compare("an operation", "Ext.Drua_gaussianBlur(image, whole, 2, 2, 1);", "blurred.zarr");
    }

    private static void isRecorded() {
        String line = "Ext.Drua_processFile(\"" + BLUR + "\", \"" + path("in.zarr") + "\", \"" + path("blurred.zarr")
            + "\", \"block=64,64,32 chunk=64,64,16\");";
        Person.expect("recorded once:\n" + Person.recorded(), 2,
            Person.recorded().split(java.util.regex.Pattern.quote(line), -1).length);
        Person.expect("nothing else", false, Person.recorded().contains("Process a Large Image"));
        Map<String, String> again = Person.replay(start() + line.replace("blurred.zarr", "replayed.zarr"), false);
        Person.expect("the recorded line without a display opens images", "{}", again);
        compare("the recorded line", "Ext.Drua_gaussianBlur(image, whole, 2, 2, 1);", "replayed.zarr");
    }

    private static void stopsAndGoesOn() {
        enter("block", "16,16,16");
        enter("chunk", "16,16,16");
        plan("operation", SLOW, "in.tif", "median.zarr");
        press("Start");
        for (int more = 0; more < 4 && bar().equals("starting ..."); more++)
            Person.waitFor(() -> !bar().equals("starting ..."));
        Person.waitFor(() -> bar().matches("blocks: [1-9]\\d* of 240.*"));
        Person.expect("the progress: " + bar(), true, bar().matches("blocks: [1-9]\\d* of 240.*"));
        photograph("large-runs");
        event(() -> frame("Process").toFront());
        Person.key(KeyEvent.VK_ESCAPE);
        Person.waitFor(() -> isPossible("Plan"));
        Person.expect("stopped: " + text("status"), true, text("status").contains("stopped"));
        Person.expect("an unfinished result exists", false, new File(path("median.zarr")).exists());
        press("Plan");
        planned();
        Person.expect("finished blocks are kept: " + text("plan") + text("status"), true,
            text("plan").matches("(?s).*resumed: [1-9]\\d* of 240 blocks are done.*"));
        Person.settle();
        Rectangle at = frame("Process").getBounds();
        Person.photograph("large_image", at);
        Person.expect("the window at " + at + " is on the screen",
            new Rectangle(Toolkit.getDefaultToolkit().getScreenSize()).contains(at));
        started();
        Person.expect("done", "Done: " + path("median.zarr"), text("status"));
        compare("what was stopped", "Ext.Drua_medianBox(image, whole, 8, 8, 4);", "median.zarr");
    }

    private static void saysWhatIsWrong() {
        plan("operation", "gausian_blur", "in.tif", "wrong.zarr");
        Person.expect("the sentence: " + text("status"), true,
            text("status").contains("'gausian_blur' is neither a file of commands nor an operation"));
        plan("operation", "gaussian_blur sigma_x=5000", "in.tif", "wrong.zarr");
        Person.expect("the sentence: " + text("status"), true,
            text("status").contains("sigma_x must be 0 to 1000 pixel, got 5000"));
        photograph("large-failure");
        String before = names();
        plan("operation", "connected_components_box", "in.tif", "wrong.png");
        Person.expect("the name is checked before any pass: " + text("status"), true,
            text("status").contains("has the extension .png, but the file will be a TIFF or an OME-Zarr"));
        Person.expect("nothing stays", before, names());
        enter("memory", "much");
        plan("operation", BLUR, "in.tif", "wrong.zarr");
        Person.expect("the error about a wrong setting: " + text("status"), true, text("status").contains("much"));
        enter("memory", "");
        Person.expect("nothing was written", false, new File(path("wrong.zarr")).exists());
    }

    private static void runsTheWorkbenchsPipeline() throws java.io.IOException {
        event(() -> frame("Process").dispose());
        IJ.open(path("in.tif"));
        IJ.doCommand("Workbench");
        Person.waitFor(() -> frame("Drua Workbench") != null);
        event(() -> Person.part(frame("Drua Workbench"), JTextField.class, "find").setText("blur"));
        event(() -> Person.part(frame("Drua Workbench"), AbstractButton.class, "Add").doClick(0));
        event(() -> item("Run on a large image...").doClick(0));
        Person.waitFor(() -> frame("Process") != null);
        event(() -> frame("Process").setLocation(500, 20));
        Person.expect("the fields keep the last entries", path("in.tif"), text("input"));
        Person.expect(
            "the workbench's is chosen", "the workbench's pipeline", ((JComboBox<?>) part("from")).getSelectedItem());
        enter("output", path("workbench.tif"));
        String before = names();
        enter("input", "");
        press("Plan");
        Person.expect("the status without an image", "Image: choose the file or folder to read", text("status"));
        Person.expect("files after a pipeline without an image", before, names());
        enter("input", path("in.tif"));
        press("Plan");
        planned();
        String shell = "drua process " + path("workbench.tif.pipeline.ijm") + " ";
        Person.expect("the name of its macro: " + text("plan"), true, text("plan").contains(shell));
        press("Back");
        Person.waitFor(() -> isPossible("Plan"));
        Person.expect("files after planning the workbench's pipeline", before, names());
        java.nio.file.Path macro = new File(path("workbench.tif.pipeline.ijm")).toPath();
        Files.write(macro, "// of an older result".getBytes(StandardCharsets.UTF_8));
        press("Plan");
        planned();
        Person.expect("a plan leaves an older result's macro", "[// of an older result]", Files.readAllLines(macro));
        started();
        Person.expect("a start replaces the older result's macro", true,
            Files.readAllLines(macro).toString().contains("gaussianBlur"));
        Person.expect("done", "Done: " + path("workbench.tif"), text("status"));
        photograph("large-workbench");
        compare("the workbench's pipeline", "Ext.Drua_gaussianBlur(image, whole, 1, 1, 0);", "workbench.tif");
        Person.expect("the macro of the pipeline lies beside the result", true,
            new File(path("workbench.tif.pipeline.ijm")).isFile());
        event(() -> frame("Drua Workbench").dispose());
        Person.expect("pipelines to choose from without a workbench", 2, ((JComboBox<?>) part("from")).getItemCount());
        WindowManager.closeAllWindows();
    }

    private static AbstractButton item(String text) {
        javax.swing.JMenuBar bar = frame("Drua Workbench").getJMenuBar();
        for (int m = 0; m < bar.getMenuCount(); m++) {
            for (Component item : bar.getMenu(m).getMenuComponents()) {
                if (item instanceof AbstractButton && ((AbstractButton) item).getText().equals(text))
                    return (AbstractButton) item;
            }
        }
        throw new IllegalArgumentException(text);
    }
}

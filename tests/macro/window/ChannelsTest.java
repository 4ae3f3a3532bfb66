// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.awt.Dialog;
import java.awt.Window;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import javax.swing.AbstractButton;
import javax.swing.JComboBox;

/**
 * The workbench takes the displayed channel and frame of an image with one slice, as its saved macro does, which may
 * also process each channel or frame. It asks once which pixels of an RGB image to process.
 */
public final class ChannelsTest extends WorkbenchHands {
    private static final Path SAVED = new File(System.getProperty("java.io.tmpdir"), "channels.ijm").toPath();
    /** The numbers of discs in the planes of the image: channels 1 and 2 of frame 1, then of frame 2. */
    private static final int[] DISCS = {5, 3, 4, 2};

    private ChannelsTest() {}

    public static void main(String[] args) throws Exception {
        Person.start(false);
        String path = new File(System.getProperty("java.io.tmpdir"), "two.tif").getPath();
        IJ.runMacro("newImage(\"two\", \"8-bit black\", 200, 60, 4);" + discs()
            + "run(\"Stack to Hyperstack...\", \"order=xyczt(default) channels=2 slices=1 frames=2"
            + " display=Grayscale\");"
            + "saveAs(\"Tiff\", \"" + path + "\");");
        ImagePlus two = WindowManager.getCurrentImage();
        two.getWindow().setLocation(10, 120);
        openWorkbench();
        event(() -> frame().setBounds(645, 10, 630, 660));
        followsWhatIsShown(two);
        savesWhatItShows(path);
        eachOfThem(path, two);
        pushSaysSo(two);
        colours();
        Person.leave();
    }

    private static String discs() {
        StringBuilder macro = new StringBuilder("setColor(200);");
        for (int plane = 0; plane < DISCS.length; plane++) {
            macro.append("setSlice(").append(plane + 1).append(");");
            for (int i = 0; i < DISCS[plane]; i++)
                macro.append("fillOval(").append(10 + 36 * i).append(", 20, 20, 20);");
        }
        return macro.toString();
    }

    private static double labels() {
        return seen("Connected Components Box").getProcessor().getStats().max;
    }

    private static void followsWhatIsShown(ImagePlus two) {
        Person.expect("the source is a plane", 2L, session().live().result(session().viewed().id).info[3]);
        type("CLIJ2_thresholdOtsu", "Automatic Threshold", "Add");
        type("connected", "Connected Components Box", "Add");
        for (int plane = 0; plane < DISCS.length; plane++) {
            int channel = 1 + plane % 2, frame = 1 + plane / 2;
            event(() -> two.setPosition(channel, 1, frame));
            double expected = DISCS[plane];
            Person.waitFor(() -> view() != null && view().getProcessor().getStats().max == expected);
            Person.expect("labels of channel " + channel + ", frame " + frame, expected, labels());
        }
        event(() -> two.setRoi(0, 0, 50, 60));
        Person.expect("a selection changes nothing", (double) DISCS[3], labels());
        Person.photograph("workbench-channels");
        press("Result");
        type("statisticsOfLabelled", "Statistics of Labelled Pixels", "Add");
    }

    private static String save() throws Exception {
        event(() -> call("save", SAVED));
        return new String(Files.readAllBytes(SAVED), StandardCharsets.UTF_8);
    }

    /** Runs the macro in another ImageJ on the saved image with a selection. */
    private static Map<String, String> replay(String path, int channel, int frame, String macro, String after) {
        Map<String, String> made = Person.replay("open(\"" + path + "\");\nStack.setPosition(" + channel + ", 1, "
                + frame + ");\nmakeRectangle(0, 0, 50, 60);\n" + macro + after,
            false);
        made.remove("two.tif");
        return made;
    }

    private static void savesWhatItShows(String path) throws Exception {
        String macro = save();
        Map<String, String> made = replay(path, 2, 1, macro, "\nif (nResults != 3) exit(\"\" + nResults + \" rows\");");
        Person.expect("one window: " + made, 1, made.size());
        Person.expect("the macro's window shows a plane: " + made, true, made.toString().contains("200x60 c1 z1 t1"));
        Person.expect("the saved macro is read back", macro, reopened());
        Person.expect("steps of the macro that is read back", 4, rows());
    }

    /** Opens the saved macro and saves it again. */
    private static String reopened() throws Exception {
        event(() -> call("open", SAVED));
        return save();
    }

    @SuppressWarnings("unchecked")
    private static void take(String what) {
        event(() -> session().view(session().now().seen().get(0)));
        event(() -> call("update"));
        JComboBox<String> takes = named(JComboBox.class, "takes");
        event(() -> takes.setSelectedItem(what));
        Person.expect("chosen", what, named(JComboBox.class, "takes").getSelectedItem());
    }

    private static void eachOfThem(String path, ImagePlus two) throws Exception {
        IJ.selectWindow(two.getTitle());
        String shown = save();
        String[] names = {"each channel", "each frame", "each channel and frame"};
        String[] rows = {"1 1 5, 2 1 3, ", "1 1 5, 1 2 4, ", "1 1 5, 2 1 3, 1 2 4, 2 2 2, "};
        for (int i = 0; i < names.length; i++) {
            take(names[i]);
            Person.photograph("workbench-" + names[i].replace(' ', '-'));
            String macro = save();
            Map<String, String> made = replay(path, 1, 1, macro,
                "\ntold = \"\"; last = \"\"; n = 0; for (r = 0; r <= nResults; r++) {"
                    + " place = \"\"; if (r < nResults) place = \"\" + getResult(\"Channel\", r) + \" \" +"
                    + " getResult(\"Frame\", r); if (place != last && n > 0) { told = told + last + \" \" + n + \", \";"
                    + " n = 0; } last = place; n++; }\n"
                    + "if (told != \"" + rows[i] + "\") exit(\"rows: \" + told);"
                    + "\nselectImage(\"two.tif\"); Stack.getPosition(c, z, t);\nif (c * t != 1) exit(\"moved\");");
            Person.expect(names[i] + ": windows " + made, rows[i].split(", ").length, made.size());
            Person.expect("their names: " + made.keySet(), true,
                made.keySet().stream().anyMatch(title -> title.endsWith(" channel 1 frame 1")));
            Person.expect(names[i] + " is read back", macro, reopened());
            Person.expect(names[i] + " as steps", 4, rows());
        }
        folder(path);
        take("displayed channel and frame");
        Person.expect("the macro for the displayed channel and frame", shown, save());
        take("all as slices of a volume");
        Person.expect("the macro pushes all slices as a volume", true,
            save().contains("image1 = getTitle();\nExt.CLIJ2_push(image1);\n"));
        seen("two");
        Person.expect(
            "slices of the volume of both channels", 2L, session().live().result(session().viewed().id).info[2]);
        press("Undo");
        Person.expect("the macro after Undo", shown, save());
    }

    /** Each channel and frame of an image in a folder gets a file. */
    private static void folder(String path) throws Exception {
        File work = new File(path).getParentFile(), folder = new File(work, "two"),
             results = new File(work, "two-made");
        folder.mkdirs();
        Files.copy(new File(path).toPath(), new File(folder, "two.tif").toPath());
        event(() -> call("runOnFolder", folder.toPath(), results.toPath()));
        Person.waitFor(() -> new File(results, "all_results.csv").exists());
        String[] made = results.list((in, name) -> name.endsWith(".tif"));
        Arrays.sort(made);
        Person.expect("files", "[c1_t1, c1_t2, c2_t1, c2_t2]",
            Arrays.toString(Arrays.stream(made).map(name -> name.replaceAll("two_(c._t.)_.*", "$1")).toArray()));
        Person.expect(
            "rows with a heading", 15, Files.readAllLines(new File(results, "all_results.csv").toPath()).size());
    }

    private static void pushSaysSo(ImagePlus two) {
        IJ.selectWindow(two.getTitle());
        IJ.runMacro("run(\"CLIJ2 Macro Extensions\", \"cl_device=\"); for (i = 0; i < 3; i++) {"
            + " Ext.CLIJ2_push(\"two.tif\"); } Ext.CLIJ2_clear();");
        String log = String.valueOf(IJ.getLog());
        Person.expect("one message in the Log: " + log, 2,
            log.split("CLIJ2_push: 'two.tif' has 2 channels and one slice", -1).length);
    }

    private static void colours() throws Exception {
        event(() -> frame().dispose());
        IJ.runMacro("newImage(\"colour\", \"RGB black\", 100, 60, 1); setColor(10, 100, 200); fillOval(5, 5, 40, 40);"
            + "run(\"Select None\");");
        String[] answers = {"Luminance", "Green", "All three as slices"};
        double[] brightest = {84, 100, 200};
        for (int i = 0; i < answers.length; i++) {
            Person.select("colour");
            IJ.doCommand("Workbench");
            Person.expect("the workbench asks about an RGB image", Person.waitFor(() -> question() != null));
            Person.settle();
            Person.photograph("workbench-colour");
            String answer = answers[i];
            event(() -> Person.part(question(), AbstractButton.class, b -> answer.equals(b.getText())).doClick(0));
            int expected = i < 2 ? 2 : 1;
            Person.expect("steps after " + answer, Person.waitFor(() -> question() == null && rows() == expected));
            ImagePlus view = seen(i == 0 ? session().viewed().command.operation.title()
                    : i == 1             ? "Copy Slice"
                                         : "colour");
            if (i < 2)
                Person.expect(answer, brightest[i], Math.floor(view.getProcessor().getStats().max));
            event(() -> frame().dispose());
        }
    }

    private static Dialog question() {
        return (Dialog) Arrays.stream(Window.getWindows())
            .filter(w -> w instanceof javax.swing.JDialog && w.isShowing())
            .findFirst()
            .orElse(null);
    }
}

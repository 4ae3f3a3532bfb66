// SPDX-License-Identifier: BSD-3-Clause
import ij.CompositeImage;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.plugin.DragAndDrop;
import java.io.File;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A typical session: the file of a time-lapse with two channels is dropped on ImageJ, blurred, thresholded and labelled
 * with dialogs. The result has all channels and frames, scale and colours; every label has its own colour. The recorded
 * commands give the same result without a display.
 */
public final class SceneTest {
    /** Spots per channel; the spots are well separated and move from frame to frame. */
    private static final int[] SPOTS = {2, 3};
    private static final String MOVIE =
        "newImage('two channels', '16-bit composite-mode', 64, 40, 2, 3, 4); setVoxelSize(0.2, 0.2, 0.7, 'micron');"
        + " Stack.setFrameInterval(30); for (t = 1; t <= 4; t++) for (z = 1; z <= 3; z++) for (c = 1; c <= 2;"
        + " c++) { Stack.setPosition(c, z, t);"
        + " setColor(800 + 100 * c); for (i = 0; i < c + 1; i++) fillOval(2 + 20 * i + t, 3 + 5 * c + t, 9, 9); }"
        + " Stack.setPosition(2, 2, 3);";

    private SceneTest() {}

    public static void main(String[] args) {
        Person.start(true);
        IJ.runMacro(MOVIE.replace('\'', '"'));
        String path = new File(System.getProperty("java.io.tmpdir"), "movie.tif").getPath();
        IJ.saveAsTiff(WindowManager.getCurrentImage(), path);
        WindowManager.getCurrentImage().close();
        new DragAndDrop().openFile(new File(path));
        ImagePlus movie = WindowManager.getCurrentImage();
        movie.setPosition(2, 2, 3);
        step("gaussian_blur", "sigma_x", 1, "sigma_y", 1);
        step("threshold", "threshold", 300);
        step("connected_components_box");
        Person.photograph("SceneTest");
        blurLooksAsTheMovie(movie, WindowManager.getImage("gaussianBlur"));
        labelsAreColoured(WindowManager.getImage("connectedComponentsBox"));
        Map<String, String> seen = Person.images();
        for (String title : new String[] {"gaussianBlur", "threshold", "connectedComponentsBox"})
            Person.expect(title, true, seen.get(title).contains("64x40 c2 z3 t4 0.2x0.2x0.7 micron 30.0 s"));
        String macro = Person.recorded();
        Person.expect("the file's line", true, macro.contains("open(\"" + path + "\");"));
        Person.expectReplay("with a display", seen, macro, true);
        Person.expectReplay("without a display", seen, macro, false);
        script(path);
        onlyOne(movie, Person.recorded().length(), path);
        Person.leave();
    }

    private static void step(String operation, Object... entries) {
        GenericDialog dialog = Person.choose(Person.entry(operation));
        for (int i = 0; i < entries.length; i += 2)
            Person.enter(dialog, (String) entries[i], entries[i + 1]);
        GenericDialog again = Person.press(dialog);
        Person.expect(operation, null, again == null ? null : Window.text(again));
    }

    private static void blurLooksAsTheMovie(ImagePlus movie, ImagePlus blurred) {
        Person.expect("mode", ((CompositeImage) movie).getMode(), ((CompositeImage) blurred).getMode());
        for (int c = 0; c < 2; c++)
            Person.expect(
                "colours of channel " + (c + 1), movie.getLuts()[c].getRGB(255), blurred.getLuts()[c].getRGB(255));
    }

    /** Every frame has labels, each with its own colour; the largest label is inside the display range. */
    private static void labelsAreColoured(ImagePlus labels) {
        for (int c = 1; c <= 2; c++) {
            for (int t = 1; t <= labels.getNFrames(); t++) {
                labels.setPosition(c, 2, t);
                double largest = labels.getProcessor().getStats().max;
                Person.expect("labels of channel " + c + ", frame " + t, (double) SPOTS[c - 1], largest);
                Person.expect("range of channel " + c + ", frame " + t, "0.0 to " + largest,
                    labels.getDisplayRangeMin() + " to " + labels.getDisplayRangeMax());
                Set<Integer> seen = new HashSet<>();
                int[] pixels =
                    (int[]) new ij.process.TypeConverter(labels.getChannelProcessor(), true).convertToRGB().getPixels();
                for (int pixel : pixels)
                    seen.add(pixel & 0xffffff);
                Person.expect("colours of channel " + c + ", frame " + t, SPOTS[c - 1] + 1, seen.size());
                Person.expect("black background", true, seen.contains(0));
                Person.expect("colour", true, seen.stream().anyMatch(rgb -> (rgb >> 16) != (rgb & 255)));
            }
        }
    }

    /** Each of Drua's lines that are recorded as JavaScript runs alone. Strings are written as in macros. */
    private static void script(String path) {
        Person.recordAs("JavaScript");
        int from = Person.recorded().length();
        Person.select(new File(path).getName());
        step("maximum_z_projection");
        String line = Arrays.stream(Person.recorded().substring(from).split("\n"))
                          .filter(l -> l.startsWith("IJ.runMacro("))
                          .findFirst()
                          .orElse("none");
        Map<String, String> seen = Person.images();
        seen.keySet().removeIf(title -> title.matches("gaussianBlur|threshold|connectedComponentsBox"));
        Person.recordAs("Macro");
        String opened = "open(\"" + path + "\");\n";
        Person.expectReplay("as JavaScript", seen, opened + line.replaceFirst("IJ.runMacro", "eval"), true);
        WindowManager.getImage("maximumZProjection").close();
    }

    /** The box restricts the command to the image on screen. */
    private static void onlyOne(ImagePlus movie, int from, String path) {
        movie.setPosition(2, 2, 3);
        Person.select(movie.getTitle());
        step("maximum_z_projection", "current channel and frame only", true);
        ImagePlus one = WindowManager.getImage("maximumZProjection");
        Person.expect("channels, slices and frames of the projection", "1 1 1",
            one == null ? null : one.getNChannels() + " " + one.getNSlices() + " " + one.getNFrames());
        Person.expect(
            "the brightest pixel of the projection", 1000.0, one == null ? 0 : one.getProcessor().getStats().max);
        Map<String, String> seen = Person.images();
        seen.keySet().removeIf(title -> title.matches("gaussianBlur|threshold|connectedComponentsBox"));
        Person.expectReplay("channels, slices and frames of the projection", seen,
            "open(\"" + path + "\");\n" + Person.recorded().substring(from), true);
    }
}

// SPDX-License-Identifier: BSD-3-Clause
import drua.engine.NativeLibrary;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.macro.Interpreter;
import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Checks that commands recorded for images with malicious titles give windows of the same titles, and execute no title.
 */
public final class RecordedTitlesTest {
    private static final File RAN = new File(System.getProperty("java.io.tmpdir"), "ran");
    private static final String TOUCH = "exec('touch', '" + RAN + "');";
    private static final List<String> TITLES = Arrays.asList("x\n;" + TOUCH + "//",
        "\";" + TOUCH.replace('\'', '"') + "//", "\\\";" + TOUCH.replace('\'', '"') + "//", "\r\n" + TOUCH + "\r\n",
        "] sigma_x=9 destination=[y", "[a] \\] [", "\u00b5m \u00e4 \ud83d\ude00", "<html><b>x", " =\t'%s \\n \\u0041 ");

    private RecordedTitlesTest() {}

    public static void main(String[] args) throws Exception {
        Person.start(true);
        NativeLibrary.load();
        for (int i = 0; i < TITLES.size(); i++)
            recorded(TITLES.get(i), i % 2 + 1);
        recorded(TITLES.get(0), 2);
        Person.expect("no title has run", false, RAN.exists());
        for (String language : new String[] {"JavaScript", "Python", "BeanShell", "Java"})
            asScript(language);
        Person.leave();
    }

    private static void open(String title, int frames) {
        ImagePlus image = IJ.createImage("t", "8-bit ramp", 24, 16, frames);
        image.setDimensions(1, 1, frames);
        image.setTitle(title);
        image.show();
        Person.waitFor(() -> WindowManager.getCurrentImage() == image && image.getWindow() != null);
    }

    private static String close() {
        String titles = Arrays.stream(WindowManager.getIDList())
                            .mapToObj(WindowManager::getImage)
                            .map(image -> image.getTitle() + " " + image.getProcessor().getPixelValue(3, 3))
                            .sorted()
                            .collect(Collectors.joining(" | "));
        for (int id : WindowManager.getIDList()) {
            WindowManager.getImage(id).changes = false;
            WindowManager.getImage(id).close();
        }
        return titles;
    }

    /** The lines recorded for a blur in the chosen language. */
    private static String blurred(String title, int frames) {
        open(title, frames);
        int from = Person.recorded().length();
        Person.press(Person.open("gaussian_blur"));
        Person.waitFor(() -> WindowManager.getImageCount() == 2 && Person.recorded().length() > from);
        return Person.recorded().substring(from);
    }

    /** For one frame the Recorder writes each command's lines, for two frames applyToHyperstack. */
    private static void recorded(String title, int frames) {
        String lines = blurred(title, frames), expected = close();
        Person.expect("ASCII: " + lines, true, lines.matches("[\\n\\t -~]*"));
        open(title, frames);
        Interpreter interpreter = new Interpreter();
        interpreter.setIgnoreErrors(true); /* an error window would wait for a user */
        try {
            interpreter.run(lines);
        } catch (RuntimeException e) {
            Person.expect("no error in " + lines, null, e);
        }
        Person.expect("windows of " + lines, expected, close());
    }

    private static void asScript(String language) {
        Person.recordAs(language);
        Person.pause(200);
        String line = blurred(TITLES.get(6), 1);
        close();
        Person.expect(language + ": one line that calls IJ: " + line, true,
            line.matches("IJ\\.runMacro\\(\"(\\\\[\\\\\"nt]|[ !#-\\[\\]-~])*\"\\);\\n"));
        Person.expect(language + " has the title: " + line, true, line.contains("fromCharCode(181)"));
    }
}

// SPDX-License-Identifier: BSD-3-Clause
import drua.imagej.QuietMacro;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.awt.AWTEvent;
import java.awt.Dialog;
import java.awt.Toolkit;
import java.awt.event.WindowEvent;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs a pipeline with a command of ImageJ on a folder with unreadable files. No dialog may wait for a click. */
public final class FolderTest extends WorkbenchHands {
    private static final AtomicInteger DIALOGS = new AtomicInteger();

    private FolderTest() {}

    public static void main(String[] args) throws Exception {
        Person.start(false);
        File work = new File(System.getProperty("java.io.tmpdir"));
        IJ.runMacro(
            "newImage('disk', '8-bit black', 60, 50, 1); setColor(200); fillOval(10, 10, 20, 20);".replace('\'', '"'));
        ImagePlus disk = WindowManager.getCurrentImage();
        File folder = new File(work, "disks"), results = new File(work, "disks-results");
        folder.mkdirs();
        IJ.saveAsTiff(disk, new File(folder, "a.tif").getPath());
        byte[] whole = Files.readAllBytes(new File(folder, "a.tif").toPath());
        Files.write(new File(folder, "broken.tif").toPath(), "nonsense\n".getBytes(StandardCharsets.UTF_8));
        Files.write(new File(folder, "cut.tif").toPath(), Arrays.copyOf(whole, 20));
        Files.write(new File(folder, "z.tif").toPath(), whole);
        Toolkit.getDefaultToolkit().addAWTEventListener(event -> {
            if (event.getID() == WindowEvent.WINDOW_OPENED && event.getSource() instanceof Dialog)
                DIALOGS.incrementAndGet();
        }, AWTEvent.WINDOW_EVENT_MASK);
        runsOnAFolder(folder, results);
        shellLineRuns(results);
        keepsReasons(work);
        Person.leave();
    }

    private static void runsOnAFolder(File folder, File results) throws Exception {
        openWorkbench();
        type("blur", "Gaussian Blur", "Add");
        event(() -> session().addImageJCommand("Find Edges", "")); /* the last step, so it is the result */
        event(() -> call("runOnFolder", folder.toPath(), results.toPath()));
        File summary = new File(results, "summary.csv");
        Person.expect("the run ends without a click: " + IJ.getLog(),
            Person.waitFor(() -> String.valueOf(IJ.getLog()).contains("2 of 4 images failed: broken.tif, cut.tif; ")));
        String why = "cannot be opened: it is damaged, or ImageJ has no reader for it\"";
        Person.expect("the summary",
            "image,result\na.tif,0\nbroken.tif,\"failed: the image '" + new File(folder, "broken.tif") + "' " + why
                + "\ncut.tif,\"failed: the image '" + new File(folder, "cut.tif") + "' " + why + "\nz.tif,0\n",
            new String(Files.readAllBytes(summary.toPath()), StandardCharsets.UTF_8));
        File made = new File(results, "z_imageJCommand1.tif");
        ImagePlus edges = made.exists() ? IJ.openImage(made.getPath()) : null;
        Person.expect("ImageJ's command ran", true,
            edges != null && edges.getProcessor().getf(10, 20) > 30 && edges.getProcessor().getf(20, 20) < 1);
        Person.expect("dialogs other than the last message", true, DIALOGS.getAndSet(0) <= 1);
        Person.expect("no dialog is left", "", Person.message());
        Person.photograph("FolderTest");
    }

    /** The line of the Log makes the same images again, without a display. */
    private static void shellLineRuns(File results) throws Exception {
        String line = Arrays.stream(IJ.getLog().split("\n"))
                          .filter(l -> l.startsWith("In a shell: "))
                          .findFirst()
                          .get()
                          .substring("In a shell: ".length());
        File made = new File(results, "z_imageJCommand1.tif");
        byte[] before = Files.readAllBytes(made.toPath());
        new File(results, "done.txt").delete();
        made.delete();
        int status = new ProcessBuilder("sh", "-c", line).inheritIO().start().waitFor();
        Person.expect("two of four images fail", 1, status);
        Person.expect("an image is made again", made.exists());
        ImagePlus expected = opened(before, new File(results, "b.tif"));
        Person.expect(
            "pixels of the image that is made again", Person.told(expected), Person.told(IJ.openImage(made.getPath())));
    }

    private static ImagePlus opened(byte[] bytes, File file) throws Exception {
        Files.write(file.toPath(), bytes);
        return IJ.openImage(file.getPath());
    }

    /** Errors of other kinds: Drua's show no dialog, and those of ImageJ are closed at once. */
    private static void keepsReasons(File work) throws Exception {
        String drua = "run(\"Drua Macro Extensions\", \"cl_device=[]\"); ";
        for (int i = 0; i < 5; i++)
            expect("failed: Drua_gaussianBlur: source: there is no image 'none'.*", work,
                drua + "Ext.Drua_gaussianBlur(\"none\", b, 1, 1, 0);");
        Person.expect("dialogs for errors of Drua", 0, DIALOGS.get());
        for (int i = 0; i < 5; i++)
            expect("failed: too dark, no nuclei", work, "exit(\"too dark, no nuclei\");");
        expect("failed: Undefined variable", work, "x = undefined + 1;");
        expect("failed: .*none.*", work, "selectImage(\"none\");");
        expect("failed.*", work,
            "newImage(\"i\", \"8-bit ramp\", 9, 9, 1); run(\"Gaussian Blur...\"); print(\"continued\");");
        Person.expect("the macro continues after an error", false, String.valueOf(IJ.getLog()).contains("continued"));
        expect("3", work, "return \"\" + 3;");
        Person.expect("no dialog is left", "", Person.message());
    }

    private static void expect(String expected, File work, String code) throws Exception {
        File macro = new File(work, "one.ijm");
        Files.write(macro.toPath(), code.getBytes(StandardCharsets.UTF_8));
        String result = QuietMacro.run(macro.getPath(), "");
        Person.expect(code + " gives '" + expected + "', not '" + result + "'", result.matches(expected));
    }
}

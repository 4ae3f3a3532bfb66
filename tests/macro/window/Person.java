// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImageJ;
import ij.ImagePlus;
import ij.Menus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.measure.Calibration;
import ij.plugin.frame.Recorder;
import ij.process.LUT;
import java.awt.Button;
import java.awt.Checkbox;
import java.awt.Choice;
import java.awt.Component;
import java.awt.Container;
import java.awt.Dialog;
import java.awt.Dimension;
import java.awt.EventQueue;
import java.awt.GraphicsEnvironment;
import java.awt.Label;
import java.awt.Rectangle;
import java.awt.Robot;
import java.awt.TextField;
import java.awt.Toolkit;
import java.awt.Window;
import java.awt.event.ActionEvent;
import java.awt.event.ItemEvent;
import java.awt.event.TextEvent;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import javax.swing.AbstractButton;

/**
 * A simulated user of ImageJ: chooses from menus, fills in dialogs, presses keys, reads windows, and runs recorded
 * macros in a freshly started ImageJ. A test is a program that calls {@link #expect} and ends with {@link #leave}.
 */
final class Person {
    private static final int PATIENCE_MS = 60000, SETTLED_MS = 600;
    private static int failures;

    private Person() {}

    /** Starts ImageJ in a home directory that Drua has used before; opens the Recorder on request. */
    static void start(boolean recorder) {
        startFirst();
        ij.Prefs.set("drua.welcome", true);
        if (recorder)
            IJ.run("Record...");
    }

    /** Starts ImageJ in a home directory where Drua was never used. */
    static void startFirst() {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(2);
        });
        new ImageJ();
    }

    /** Records a failure unless both values are equal. */
    static void expect(String what, Object expected, Object got) {
        if (String.valueOf(expected).equals(String.valueOf(got)))
            return;
        failures++;
        System.out.println("FAIL " + what + ": expected " + expected + ", got " + got);
    }

    static void expect(String what, boolean holds) {
        expect(what, true, holds);
    }

    /** Ends the program as skipped; window.sh counts the status 77. */
    static void skip(String reason) {
        System.out.println("SKIP " + reason);
        System.out.flush();
        Runtime.getRuntime().halt(77);
    }

    /** Ends the program, with status 1 after a failure. */
    static void leave() {
        System.out.flush();
        Runtime.getRuntime().halt(failures == 0 ? 0 : 1);
    }

    /** The first matching component in a window, or null. */
    static <T extends Component> T part(Container in, Class<T> type, Predicate<T> wanted) {
        for (Component c : in.getComponents()) {
            T found = type.isInstance(c) && wanted.test(type.cast(c)) ? type.cast(c)
                : c instanceof Container                              ? part((Container) c, type, wanted)
                                                                      : null;
            if (found != null)
                return found;
        }
        return null;
    }

    /** The component of that name, or the button with that text, or null. */
    static <T extends Component> T part(Container in, Class<T> type, String name) {
        return part(in, type,
            c
            -> name.equals(c.getName()) || c instanceof AbstractButton && name.equals(((AbstractButton) c).getText()));
    }

    /** Waits for a condition, up to a time limit. */
    static boolean waitFor(BooleanSupplier condition) {
        for (long end = System.currentTimeMillis() + PATIENCE_MS; System.currentTimeMillis() < end; pause(20)) {
            if (condition.getAsBoolean())
                return true;
        }
        return false;
    }

    /** Waits for a value, and records a failure if it does not come. */
    static void eventually(String what, Object expected, Supplier<?> got) {
        waitFor(() -> String.valueOf(expected).equals(String.valueOf(got.get())));
        expect(what, expected, got.get());
    }

    /**
     * Waits until no window opens, closes, moves or changes its size for a while. Window managers frame and place new
     * windows late, and Drua then corrects the places of its windows.
     */
    static void settle() {
        expect("the windows stay where they are: " + windows(), stays(SETTLED_MS, Person::windows));
    }

    /** Waits until a value has stayed the same for a time; false if it does not. */
    static boolean stays(int milliseconds, Supplier<?> value) {
        Object[] before = {null};
        long[] since = {0};
        return waitFor(() -> {
            Object now = value.get();
            if (!now.equals(before[0])) {
                before[0] = now;
                since[0] = System.currentTimeMillis();
            }
            return System.currentTimeMillis() - since[0] > milliseconds;
        });
    }

    private static String windows() {
        return Arrays.stream(Window.getWindows())
            .filter(Component::isShowing)
            .map(w -> System.identityHashCode(w) + " " + w.getBounds() + w.getInsets())
            .collect(Collectors.joining("\n"));
    }

    static void pause(int milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Makes an image the current one, and waits until it remains so: a new window becomes current only when the window
     * manager gives it the focus.
     */
    static void select(String title) {
        long[] since = {System.currentTimeMillis()};
        waitFor(() -> {
            ImagePlus image = WindowManager.getImage(title);
            if (WindowManager.getCurrentImage() != image || !image.getWindow().isActive()) {
                IJ.selectWindow(title);
                since[0] = System.currentTimeMillis();
            }
            return System.currentTimeMillis() - since[0] > 300;
        });
    }

    // ---- menus and dialogs

    /** The menu entry of a Drua operation. */
    static String entry(String operation) {
        Map<?, ?> commands = Menus.getCommands();
        return commands.keySet()
            .stream()
            .filter(key -> String.valueOf(commands.get(key)).endsWith("OperationDialog(\"" + operation + "\")"))
            .map(String::valueOf)
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(operation + " is in no menu"));
    }

    /** Chooses a menu entry and returns the dialog that it opens. */
    static GenericDialog choose(String command) {
        IJ.doCommand(command);
        return opened(command);
    }

    /** Opens the dialog of an operation that is in no menu. */
    static GenericDialog open(String operation) {
        new Thread(() -> IJ.runPlugIn("drua.dialog.OperationDialog", operation), "Run$_" + operation).start();
        return opened(operation);
    }

    private static GenericDialog opened(String what) {
        if (!waitFor(() -> shown() != null))
            throw new IllegalStateException(what + " shows no dialog; " + message());
        stays(300, Person::windows); /* until the window manager has framed it; Java fails otherwise */
        return shown();
    }

    /** The open dialog. Java also reports a dialog as showing while another thread is still creating it. */
    static GenericDialog shown() {
        return Arrays.stream(Window.getWindows())
            .filter(w -> w instanceof GenericDialog && w.isShowing() && w.isDisplayable())
            .map(GenericDialog.class ::cast)
            .findFirst()
            .orElse(null);
    }

    /** Enters a value in the field with that label by user events. */
    static void enter(GenericDialog dialog, String label, Object value) {
        Component field = field(dialog, label);
        later(() -> {
            if (field instanceof TextField) {
                ((TextField) field).setText(value.toString());
                dialog.textValueChanged(new TextEvent(field, TextEvent.TEXT_VALUE_CHANGED));
            } else if (field instanceof Choice) {
                ((Choice) field).select(value.toString());
                dialog.itemStateChanged(
                    new ItemEvent((Choice) field, ItemEvent.ITEM_STATE_CHANGED, value, ItemEvent.SELECTED));
            } else {
                ((Checkbox) field).setState((Boolean) value);
                dialog.itemStateChanged(
                    new ItemEvent((Checkbox) field, ItemEvent.ITEM_STATE_CHANGED, value, ItemEvent.SELECTED));
            }
        });
    }

    /** The field after a label, or the checkbox of that label; if there are several, the editable one. */
    static Component field(GenericDialog dialog, String label) {
        for (Object box : dialog.getCheckboxes() == null ? Collections.emptyList() : dialog.getCheckboxes()) {
            if (((Checkbox) box).getLabel().replace('_', ' ').equals(label.replace('_', ' ')))
                return (Checkbox) box;
        }
        String before = "";
        Component grey = null;
        for (Component c : dialog.getComponents()) {
            Component part = c instanceof java.awt.Panel && ((java.awt.Panel) c).getComponentCount() > 0
                ? ((java.awt.Panel) c).getComponent(0)
                : c;
            if ((part instanceof TextField || part instanceof Choice) && before.equals(label) && part.isEnabled())
                return part;
            grey = (part instanceof TextField || part instanceof Choice) && before.equals(label) ? part : grey;
            if (part instanceof Label)
                before = ((Label) part).getText().replaceAll(":$", "").replace(' ', '_');
        }
        if (grey != null)
            return grey;
        throw new IllegalArgumentException("no field " + label + " in " + dialog.getTitle());
    }

    /** The text of a field. */
    static String entered(GenericDialog dialog, String label) {
        Component field = field(dialog, label);
        return field instanceof TextField ? ((TextField) field).getText()
            : field instanceof Choice     ? ((Choice) field).getSelectedItem()
                                          : String.valueOf(((Checkbox) field).getState());
    }

    /** Presses OK and waits until the command ends or asks again; returns its new dialog, or null. */
    static GenericDialog press(GenericDialog dialog) {
        begin(dialog);
        waitFor(() -> shown() != null || !isWorking());
        return shown();
    }

    /** Presses OK and does not wait for the command. */
    static void begin(GenericDialog dialog) {
        Button ok = dialog.getButtons()[0];
        later(() -> dialog.actionPerformed(new ActionEvent(ok, ActionEvent.ACTION_PERFORMED, ok.getLabel())));
        waitFor(() -> !dialog.isShowing());
    }

    /** Presses Cancel. */
    static void cancel(GenericDialog dialog) {
        Button cancel = dialog.getButtons()[1];
        later(() -> dialog.actionPerformed(new ActionEvent(cancel, ActionEvent.ACTION_PERFORMED, cancel.getLabel())));
        waitFor(() -> !isWorking());
    }

    /** Presses a key of the keyboard. */
    static void key(int code) {
        try {
            Robot robot = new Robot();
            robot.keyPress(code);
            robot.keyRelease(code);
        } catch (java.awt.AWTException e) {
            throw new IllegalStateException(e);
        }
    }

    /** True while a chosen command runs. */
    static boolean isWorking() {
        return Thread.getAllStackTraces()
            .values()
            .stream()
            .flatMap(Arrays::stream)
            .anyMatch(frame -> frame.getClassName().equals("ij.Executer") || frame.getMethodName().equals("runPlugIn"));
    }

    /** The text of windows other than dialogs with fields: errors and messages. */
    static String message() {
        return Arrays.stream(Window.getWindows())
            .filter(w -> w instanceof Dialog && w.isShowing() && w.isDisplayable())
            .map(w -> ((Dialog) w).getTitle())
            .findFirst()
            .orElse("");
    }

    private static void later(Runnable event) {
        try {
            EventQueue.invokeAndWait(event);
        } catch (ReflectiveOperationException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- open windows

    /** All open images by title: type, extents, scale and a sum of the pixels. */
    static Map<String, String> images() {
        Map<String, String> images = new TreeMap<>();
        for (int id : WindowManager.getIDList() == null ? new int[0] : WindowManager.getIDList()) {
            ImagePlus image = WindowManager.getImage(id);
            images.put(image.getTitle(), told(image));
        }
        return images;
    }

    /** Type, extents, scale and a sum of the pixels. */
    static String told(ImagePlus image) {
        Calibration c = image.getCalibration();
        CRC32 sum = new CRC32();
        for (int i = 1; i <= image.getStackSize(); i++) {
            float[][] pixels = image.getStack().getProcessor(i).getFloatArray();
            for (float[] column : pixels) {
                for (float value : column) {
                    int bits = Float.floatToIntBits(value);
                    sum.update(new byte[] {(byte) bits, (byte) (bits >> 8), (byte) (bits >> 16), (byte) (bits >> 24)});
                }
            }
        }
        return image.getBitDepth() + "-bit " + image.getWidth() + "x" + image.getHeight() + " c" + image.getNChannels()
            + " z" + image.getNSlices() + " t" + image.getNFrames() + " " + c.pixelWidth + "x" + c.pixelHeight + "x"
            + c.pixelDepth + " " + c.getUnit() + " " + c.frameInterval + " s, " + Long.toHexString(sum.getValue());
    }

    /** The text of the status bar. */
    static String status() {
        return IJ.getInstance().getStatusBar() == null ? "" : texts(IJ.getInstance().getStatusBar());
    }

    private static String texts(java.awt.Container container) {
        StringBuilder text = new StringBuilder();
        for (Component part : container.getComponents())
            text.append(part instanceof Label            ? ((Label) part).getText()
                    : part instanceof javax.swing.JLabel ? ((javax.swing.JLabel) part).getText()
                                                         : "");
        return text.toString();
    }

    /** The display range and a few colours of an image's current slice. */
    static String colors(ImagePlus image) {
        LUT lut = image.getProcessor().getLut();
        return image.getDisplayRangeMin() + " to " + image.getDisplayRangeMax() + ", "
            + Integer.toHexString(lut.getRGB(0)) + " " + Integer.toHexString(lut.getRGB(85)) + " "
            + Integer.toHexString(lut.getRGB(170)) + " " + Integer.toHexString(lut.getRGB(255));
    }

    /** Saves a picture of the screen if a folder for pictures is set. */
    static void photograph(String name) {
        Dimension size = Toolkit.getDefaultToolkit().getScreenSize();
        photograph(name, new Rectangle((int) (scale() * size.width), (int) (scale() * size.height)));
    }

    /** Pixels of the screen for a pixel of Java's windows. */
    static double scale() {
        return GraphicsEnvironment.getLocalGraphicsEnvironment()
            .getDefaultScreenDevice()
            .getDefaultConfiguration()
            .getDefaultTransform()
            .getScaleX();
    }

    /** Saves a picture of a part of the screen. */
    static void photograph(String name, Rectangle part) {
        String folder = System.getenv("DRUA_PICTURES"),
               crop = part.width + "x" + part.height + "+" + part.x + "+" + part.y;
        try {
            if (folder != null)
                new ProcessBuilder(
                    "import", "-window", "root", "-crop", crop, "+repage", new File(folder, name + ".png").getPath())
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (java.io.IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- recorded macros

    static String recorded() {
        return Recorder.getInstance().getText();
    }

    /** Chooses the language of the Recorder. */
    static void recordAs(String language) {
        Recorder recorder = Recorder.getInstance();
        Choice languages = (Choice) Arrays.stream(recorder.getComponents())
                               .filter(java.awt.Container.class ::isInstance)
                               .flatMap(panel -> Arrays.stream(((java.awt.Container) panel).getComponents()))
                               .filter(Choice.class ::isInstance)
                               .findFirst()
                               .get();
        later(() -> {
            languages.select(language);
            recorder.itemStateChanged(
                new ItemEvent(languages, ItemEvent.ITEM_STATE_CHANGED, language, ItemEvent.SELECTED));
        });
    }

    /**
     * Runs a macro in a separate, freshly started ImageJ and returns its open images as {@link #images} does, or the
     * error.
     */
    static Map<String, String> replay(String macro, boolean display) {
        Map<String, String> images = new TreeMap<>();
        try {
            Process process = start(macro, display);
            try (BufferedReader lines =
                     new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String[] parts = line.split("\t", 2);
                    images.put(parts[0], parts.length > 1 ? parts[1] : "");
                }
            }
            int status = process.waitFor();
            if (status != 0)
                images.put("exit status", String.valueOf(status));
        } catch (java.io.IOException | InterruptedException e) {
            images.put("replay", e.toString());
        }
        return images;
    }

    /** Starts a separate ImageJ that runs a macro, prints the open images, and ends. */
    static Process start(String macro, boolean display) throws java.io.IOException {
        File file = File.createTempFile("recorded", ".ijm");
        Files.write(file.toPath(), macro.getBytes(StandardCharsets.UTF_8));
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(Arrays.asList(
            "-Djava.awt.headless=" + !display, "-cp", System.getProperty("java.class.path"), "Replay", file.getPath()));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /**
     * Records a failure for each image in `seen` that differs after the recorded macro has run again; ignores other
     * images.
     */
    static void expectReplay(String what, Map<String, String> seen, String macro, boolean display) {
        Map<String, String> again = replay(macro, display);
        int before = failures;
        seen.forEach((title, image) -> expect(what + ": '" + title + "'", image, again.get(title)));
        again.keySet().removeAll(seen.keySet());
        expect(what + ": others", "{}", again);
        if (failures > before)
            System.out.println(macro);
    }
}

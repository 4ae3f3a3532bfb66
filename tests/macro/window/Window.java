// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImageJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.gui.ImageRoi;
import ij.gui.MultiLineLabel;
import ij.plugin.frame.Recorder;
import ij.process.ImageProcessor;
import java.awt.Checkbox;
import java.awt.Component;
import java.awt.Container;
import java.awt.Dialog;
import java.awt.EventQueue;
import java.awt.Label;
import java.awt.Rectangle;
import java.awt.TextComponent;
import java.awt.event.ActionEvent;
import java.awt.event.ItemEvent;
import java.awt.event.MouseEvent;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs a macro in ImageJ as its menus do, then prints the Log, open dialogs and the Recorder. */
public final class Window {
    private static final String LOG = "Log: ";

    private Window() {}

    public static void main(String[] args) throws Exception {
        new ImageJ();
        String macro = new String(Files.readAllBytes(Paths.get(args[0])), StandardCharsets.US_ASCII);
        Thread thread = new Thread(() -> IJ.runMacro(macro), "Run$_Macro$");
        thread.setDaemon(true);
        thread.start();
        Matcher tick = Pattern.compile("(?m)^// tick: (.*)$").matcher(macro);
        Dialog dialog = null;
        List<String> ticks = new ArrayList<>();
        while (tick.find())
            ticks.add(tick.group(1));
        boolean answered = ticks.isEmpty();
        while (thread.isAlive() && dialog == null) {
            thread.join(200);
            dialog = dialog();
            if (!answered && dialog instanceof GenericDialog) {
                answer((GenericDialog) dialog, ticks, args);
                answered = true;
                dialog = null;
            }
        }
        drag(macro);
        Thread.sleep(1500);
        photograph(args, "");
        print(LOG, IJ.getLog());
        if (dialog != null)
            print("dialog: ", dialog.getTitle() + text(dialog));
        print("image: ", images());
        if (Recorder.getInstance() != null)
            print("recorded: ", Recorder.getInstance().getText());
        Runtime.getRuntime().halt(0);
    }

    /** Drags the mouse by that many pixels in a window and waits for the effect: "// drag: TITLE, X, Y". */
    private static void drag(String macro) throws Exception {
        Matcher drag = Pattern.compile("(?m)^// drag: (.*), (-?\\d+), (-?\\d+)$").matcher(macro);
        while (drag.find()) {
            Component canvas = WindowManager.getImage(drag.group(1)).getCanvas();
            String before = images();
            int[] kinds = {MouseEvent.MOUSE_PRESSED, MouseEvent.MOUSE_DRAGGED, MouseEvent.MOUSE_RELEASED};
            for (int i = 0; i < kinds.length; i++) {
                MouseEvent event = new MouseEvent(canvas, kinds[i], 0, MouseEvent.BUTTON1_DOWN_MASK,
                    i == 0 ? 0 : Integer.parseInt(drag.group(2)), i == 0 ? 0 : Integer.parseInt(drag.group(3)), 1,
                    false, MouseEvent.BUTTON1);
                EventQueue.invokeAndWait(() -> canvas.dispatchEvent(event));
            }
            for (int tries = 0; tries < 300 && images().equals(before); tries++)
                Thread.sleep(200);
        }
    }

    /** All open images, one per line. */
    private static String images() {
        StringBuilder text = new StringBuilder();
        for (int id : WindowManager.getIDList() == null ? new int[0] : WindowManager.getIDList())
            text.append(contents(WindowManager.getImage(id))).append('\n');
        return text.toString();
    }

    /** Ticks checkboxes of a dialog, prints what the image and the messages show, and presses OK. */
    private static void answer(GenericDialog dialog, List<String> labels, String[] args) throws Exception {
        Thread.sleep(500);
        for (Object box : dialog.getCheckboxes()) {
            if (labels.contains(((Checkbox) box).getLabel())) {
                ((Checkbox) box).setState(true);
                dialog.itemStateChanged(
                    new ItemEvent((Checkbox) box, ItemEvent.ITEM_STATE_CHANGED, box, ItemEvent.SELECTED));
            }
        }
        ImagePlus image = WindowManager.getCurrentImage();
        String window = "preview of " + image.getTitle();
        for (int tries = 0; tries < 300
             && (labels.contains("preview") && image.getOverlay() == null && WindowManager.getImage(window) == null
                 || labels.contains("estimate") && said(dialog).isEmpty());
             tries++)
            Thread.sleep(200);
        if (image.getOverlay() != null) {
            Rectangle size = image.getOverlay().get(0).getBounds();
            print("preview: ", dialog.getTitle() + " " + size.width + " x " + size.height);
            print("preview: ", brightest(((ImageRoi) image.getOverlay().get(0)).getProcessor()));
        }
        if (WindowManager.getImage(window) != null)
            print("preview: ",
                window + " " + WindowManager.getImage(window).getWidth() + " x "
                    + WindowManager.getImage(window).getHeight());
        if (labels.contains("estimate"))
            print("estimate: ", said(dialog));
        Thread.sleep(500);
        photograph(args, "-dialog");
        EventQueue.invokeAndWait(
            () -> dialog.actionPerformed(new ActionEvent(dialog.getButtons()[0], ActionEvent.ACTION_PERFORMED, "OK")));
    }

    /** The title, and the position of each slice's brightest pixel. */
    private static String contents(ImagePlus image) {
        StringBuilder text = new StringBuilder(image.getTitle());
        for (int i = 1; i <= image.getStackSize(); i++)
            text.append(", ").append(brightest(image.getStack().getProcessor(i)));
        return text.toString();
    }

    private static String brightest(ImageProcessor ip) {
        int at = 0;
        for (int i = 0; i < ip.getPixelCount(); i++)
            at = ip.getf(i) > ip.getf(at) ? i : at;
        return "brightest at " + at % ip.getWidth() + ", " + at / ip.getWidth();
    }

    /** The messages below the fields. */
    static String said(Container dialog) {
        StringBuilder text = new StringBuilder();
        for (Component part : dialog.getComponents()) {
            boolean lines = part instanceof Container && part.getClass().getSimpleName().equals("StatusLine");
            for (Component line : lines ? ((Container) part).getComponents() : new Component[0])
                text.append(((Label) line).getText().trim()).append(' ');
            if (part instanceof Container && !lines)
                text.append(said((Container) part)).append(' ');
        }
        return text.toString().trim();
    }

    private static void photograph(String[] args, String part) throws Exception {
        if (args.length > 1)
            new ProcessBuilder("import", "-window", "root", args[1].replace(".png", part + ".png"))
                .inheritIO()
                .start()
                .waitFor();
    }

    private static void print(String before, String text) {
        for (String line : text == null ? new String[0] : text.split("\n")) {
            if (before.equals(LOG) || !line.trim().isEmpty())
                System.out.println(before + line);
        }
        System.out.flush();
    }

    private static Dialog dialog() {
        for (java.awt.Window window : java.awt.Window.getWindows()) {
            if (window instanceof Dialog && window.isShowing() && window.isDisplayable())
                return (Dialog) window;
        }
        return null;
    }

    private static String message(MultiLineLabel label) {
        try {
            Field lines = MultiLineLabel.class.getDeclaredField("lines");
            lines.setAccessible(true);
            return String.join("\n", (String[]) lines.get(label));
        } catch (ReflectiveOperationException e) {
            return e.toString();
        }
    }

    /** All text in a window. */
    static String text(Container container) {
        StringBuilder text = new StringBuilder();
        for (Component part : container.getComponents()) {
            if (part instanceof Label)
                text.append('\n').append(((Label) part).getText());
            else if (part instanceof MultiLineLabel)
                text.append('\n').append(message((MultiLineLabel) part));
            else if (part instanceof TextComponent)
                text.append('\n').append(((TextComponent) part).getText());
            else if (part instanceof Container)
                text.append(text((Container) part));
        }
        return text.toString();
    }
}

// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImageJ;
import ij.gui.MultiLineLabel;
import ij.plugin.frame.Recorder;
import java.awt.Component;
import java.awt.Container;
import java.awt.Dialog;
import java.awt.Label;
import java.awt.TextComponent;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Runs a macro in ImageJ as its menus do and prints what stands on the screen then: Log, dialogs, Recorder. */
public final class Window {
    private Window() {}

    public static void main(String[] args) throws Exception {
        new ImageJ();
        String macro = new String(Files.readAllBytes(Paths.get(args[0])), StandardCharsets.US_ASCII);
        Thread thread = new Thread(() -> IJ.runMacro(macro), "Run$_Macro$");
        thread.setDaemon(true);
        thread.start();
        Dialog dialog = null;
        while (thread.isAlive() && dialog == null) {
            thread.join(200);
            dialog = dialog();
        }
        Thread.sleep(1500);
        if (args.length > 1)
            new ProcessBuilder("import", "-window", "root", args[1]).inheritIO().start().waitFor();
        print("Log: ", IJ.getLog());
        if (dialog != null)
            print("dialog: ", dialog.getTitle() + text(dialog));
        if (Recorder.getInstance() != null)
            print("recorded: ", Recorder.getInstance().getText());
        Runtime.getRuntime().halt(0);
    }

    private static void print(String before, String text) {
        for (String line : text == null ? new String[0] : text.split("\n")) {
            if (!line.trim().isEmpty())
                System.out.println(before + line);
        }
        System.out.flush();
    }

    private static Dialog dialog() {
        for (java.awt.Window window : java.awt.Window.getWindows()) {
            if (window instanceof Dialog && window.isShowing())
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

    private static String text(Container container) {
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

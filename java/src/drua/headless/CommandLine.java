// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import drua.engine.MacroFile;
import drua.engine.WarmUp;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs an ImageJ macro without a display, with Drua's commands: {@code java -cp ij.jar:Drua_.jar drua.MacroMain
 * FILE.ijm [ARGUMENT] [--samples FOLDER] [--out FOLDER] [--keep-going]}. If ij1-patcher and javassist are on the class
 * path, ImageJ runs as in {@code fiji --headless}. Without them, the built-in commands of ImageJ's main menus are
 * missing.
 *
 * --samples: run("Blobs (25K)") and similar commands open FOLDER/blobs.gif. --out: open images, open tables and the Log
 *   are saved there at the end. --keep-going: the macro continues after a failed ImageJ command. Exit status: 0 if the
 *   macro ended normally, 1 if it did not, 2 for wrong arguments.
 */
public final class CommandLine {
    private CommandLine() {}

    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true");
        List<String> plain = new ArrayList<>();
        File samples = null, out = null;
        boolean keepsGoing = false;
        for (int i = 0; i < args.length; i++) {
            boolean last = i + 1 == args.length;
            if (args[i].equals("--samples") && !last)
                samples = new File(args[++i]);
            else if (args[i].equals("--out") && !last)
                out = new File(args[++i]);
            else if (args[i].equals("--keep-going"))
                keepsGoing = true;
            else
                plain.add(args[i]);
        }
        if (plain.isEmpty() || plain.size() > 2 || plain.get(0).startsWith("--")) {
            System.err.println(
                "usage: drua.MacroMain FILE.ijm [ARGUMENT] [--samples FOLDER] [--out FOLDER] [--keep-going]");
            System.exit(2);
        }
        String macro = null;
        try {
            macro = MacroFile.of(Files.readAllBytes(Paths.get(plain.get(0)))).text;
        } catch (IOException e) {
            System.err.println("The macro " + plain.get(0) + " cannot be read: " + e);
            System.exit(1);
        }
        refuseScriptParameters(macro);
        WarmUp.prepare();
        patch();
        MacroRun run = new MacroRun(macro, plain.size() > 1 ? plain.get(1) : "", samples, out, keepsGoing);
        Thread thread = new Thread(run, "Drua_Macro$"); /* ImageJ only aborts macros on threads with this name */
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            System.exit(1);
        }
        System.exit(run.succeeded() ? 0 : 1);
    }

    /**
     * Refuses script parameters: Fiji asks the user for their values before ImageJ sees the macro, which this program
     * cannot.
     */
    private static void refuseScriptParameters(String macro) {
        Matcher comments = Pattern.compile("(?s)/\\*.*?\\*/").matcher(macro);
        StringBuffer code = new StringBuffer();
        while (comments.find())
            comments.appendReplacement(code, comments.group().replaceAll("\\V", ""));
        String[] lines = comments.appendTail(code).toString().split("\\R", -1);
        for (int i = 0; i < lines.length; i++) {
            if (lines[i].startsWith("#@")) {
                System.err.println("Line " + (i + 1)
                    + " is a script parameter (#@), which only Fiji supports: run the macro in "
                    + "Fiji, or replace the line by a value, such as name = 3;");
                System.exit(1);
            }
        }
    }

    /** Patches ImageJ as Fiji does if ij1-patcher is available. Call it before the first class of ImageJ is loaded. */
    static void patch() {
        Class<?> environment;
        try {
            environment = Class.forName("net.imagej.patcher.LegacyEnvironment");
        } catch (ClassNotFoundException e) {
            return;
        }
        try {
            Object ij = environment.getConstructor(ClassLoader.class, boolean.class)
                            .newInstance(CommandLine.class.getClassLoader(), true);
            environment.getMethod("newImageJ1", boolean.class).invoke(ij, true);
        } catch (ReflectiveOperationException e) {
            System.err.println(
                "ImageJ cannot be patched; on Java 9 and later give --add-opens java.base/java.lang=ALL-UNNAMED: "
                + (e.getCause() == null ? e : e.getCause()));
            System.exit(1);
        }
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import drua.engine.Engine;
import drua.engine.MacroFile;
import drua.engine.WarmUp;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs an ImageJ macro or a script without a display, with Drua's commands: {@code java -cp ij.jar:Drua_.jar
 * drua.MacroMain FILE [ARGUMENT or NAME=VALUE...] [--samples FOLDER] [--out FOLDER] [--dialog OPTIONS]
 * [--keep-going]}. Scripts are files that end with .py, .groovy, .js or .bsh; the jar of their language must be on the
 * class path. If ij1-patcher and javassist are on the class path, ImageJ runs as in {@code fiji --headless}. Without
 * them, an ImageJ filter with options stops the macro.
 *
 * NAME=VALUE: the value of a script parameter (#@). --samples: run("Blobs (25K)") and similar commands
 *   open FOLDER/blobs.gif. --out: open images, open tables and the Log are saved there at the end. --dialog: the values
 *   of the macro's own dialogs, such as "radius=3 method=Otsu"; fields that are not named keep their defaults. The
 *   option may be repeated. --keep-going: the macro continues after a failed ImageJ command. Exit status: 0 if the
 *   macro ended normally and all results were saved, 1 if not, 2 for wrong arguments; a script may end with another
 *   status.
 */
public final class CommandLine {
    private CommandLine() {}

    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true");
        List<String> plain = new ArrayList<>();
        File samples = null, out = null;
        String answers = null;
        boolean keepsGoing = false;
        for (int i = 0; i < args.length; i++) {
            boolean last = i + 1 == args.length;
            if (args[i].equals("--samples") && !last)
                samples = new File(args[++i]);
            else if (args[i].equals("--out") && !last)
                out = new File(args[++i]);
            else if (args[i].equals("--dialog") && !last)
                answers = (answers == null ? "" : answers + " ") + args[++i];
            else if (args[i].equals("--keep-going"))
                keepsGoing = true;
            else
                plain.add(args[i]);
        }
        if (plain.isEmpty() || plain.get(0).startsWith("--"))
            endWithUsage();
        String macro = null;
        try {
            macro = MacroFile.of(Files.readAllBytes(Paths.get(plain.get(0)))).text;
        } catch (IOException e) {
            System.err.println("The macro " + plain.get(0) + " cannot be read: " + e);
            System.exit(1);
        }
        List<String> arguments = plain.subList(1, plain.size());
        Script script = Script.of(plain.get(0));
        boolean hasParameters = ScriptParameters.isIn(macro);
        if (hasParameters)
            macro = fillParameters(macro, arguments, script);
        else if (script != null)
            script.arguments = arguments.toArray(new String[0]);
        else if (arguments.size() > 1)
            endWithUsage();
        WarmUp.prepare();
        String device = StartLine.device(macro);
        if (device != null)
            Engine.openAhead(device); /* while ImageJ is loaded */
        patch();
        String argument = hasParameters || arguments.isEmpty() ? "" : arguments.get(0);
        MacroRun run = new MacroRun(macro, argument, script, samples, out, answers, keepsGoing);
        Thread thread = new Thread(run, "Drua_Macro$"); /* ImageJ only aborts macros on threads with this name */
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            System.exit(1);
        }
        System.exit(run.status());
    }

    private static void endWithUsage() {
        System.err.println("usage: drua.MacroMain FILE [ARGUMENT or NAME=VALUE...] [--samples FOLDER] "
            + "[--out FOLDER] [--dialog OPTIONS] [--keep-going]");
        System.exit(2);
    }

    private static String fillParameters(String macro, List<String> arguments, Script script) {
        try {
            return script == null ? ScriptParameters.fill(macro, arguments)
                                  : ScriptParameters.take(macro, arguments, script);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(1);
            return null;
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
                "ImageJ cannot be patched; on Java 9 and later, add --add-opens java.base/java.lang=ALL-UNNAMED: "
                + (e.getCause() == null ? e : e.getCause()));
            System.exit(1);
        }
    }
}

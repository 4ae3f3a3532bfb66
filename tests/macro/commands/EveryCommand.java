// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.Menus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.UnsupportedEncodingException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Runs every command of ImageJ's menus without a display, with and without options and images. Each must end in time,
 * either normally or with an error message that names the macro's line. Java traces must not appear in the output.
 * Argument: a folder for files that commands write.
 */
public final class EveryCommand {
    private static final Pattern JAVA =
        Pattern.compile("(?m)^\\s*at [\\w.$/]+\\(|HeadlessException|^Caused by:|^Exception in thread");
    private static final int SECONDS = 60;

    /** Commands that quit ImageJ, take minutes, or print output during later runs. */
    private static final Set<String> LEFT_OUT =
        new HashSet<>(Arrays.asList("Quit", "Benchmark", "Capture Delayed...", "Monitor Events...", "Debug Mode"));

    /** Functions that ask for a window, or that fail so that ImageJ, Java or a plugin prints a trace. */
    private static final String[] FUNCTIONS = {"x = call(\"java.lang.Integer.parseInt\", \"x\");",
        "x = call(\"no.such.Class.f\", \"x\");", "save(\"/no folder/picture.png\");",
        "doCommand(\"Add...\"); wait(200);", "function f(x) { return f(x); } y = f(1);", "waitForUser(\"a\");",
        "x = getNumber(\"a\", 1);", "open();", "x = getDirectory(\"Choose a folder\");", "String.copy(\"x\");",
        "x = eval(\"bsh\", \"1+\");", "x = File.openDialog(\"x\");", "setTool(\"dropper\"); x = IJ.getToolName();",
        "y = newArray(1e12);"};

    private static int passed, failed;
    private static final Map<String, Integer> ENDS = new TreeMap<>();

    private EveryCommand() {}

    public static void main(String[] args) throws Exception {
        if (HeadlessLoader.started(EveryCommand.class, args))
            return;
        System.setProperty("java.awt.headless", "true");
        CommandLine.patch();
        new MacroRun("", "", null, null, false).run(); /* fills the table of commands */
        @SuppressWarnings("unchecked")
        Map<String, String> commands = new TreeMap<>((Map<String, String>) Menus.getCommands());
        commands.keySet().removeAll(LEFT_OUT);
        commands.values().removeIf(plugin -> plugin.startsWith("drua.") && !plugin.contains("headless"));
        String folder = args[0].replace("\\", "/");
        String stack = "newImage(\"a\", \"8-bit ramp\", 32, 32, 3);\nmakeRectangle(3, 3, 20, 20);\n";
        for (String command : commands.keySet()) {
            String name = "\"" + command.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
            check(command, "run(" + name + ");");
            check(command, stack + "run(" + name + ");");
            check(command, stack + "run(" + name + ", \"value=2 path=" + folder + "/file\");");
            check(command, "newImage(\"b\", \"RGB ramp\", 16, 16, 1);\nrun(" + name + ", \"x\");");
        }
        for (String function : FUNCTIONS)
            check("a function", stack + function);
        System.out.println("    " + commands.size() + " commands, " + ENDS);
        System.out.println(passed + " passed, " + failed + " failed, 0 skipped");
        Runtime.getRuntime().halt(failed == 0 && commands.size() > 350 ? 0 : 1);
    }

    private static void check(String command, String macro) throws InterruptedException, UnsupportedEncodingException {
        PrintStream out = System.out, err = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        MacroRun run = new MacroRun(macro, "", null, null, false);
        Thread thread = new Thread(run, "Drua_Macro$");
        System.setOut(new PrintStream(bytes, true, "UTF-8"));
        System.setErr(System.out);
        thread.start();
        thread.join(SECONDS * 1000L);
        boolean hangs = thread.isAlive();
        System.setOut(out);
        System.setErr(err);
        String text = bytes.toString("UTF-8");
        String wrong = null;
        if (hangs)
            wrong = "does not end in " + SECONDS + " s";
        else if (JAVA.matcher(text).find())
            wrong = "shows Java's own words";
        else if (!run.succeeded() && !text.contains(" in line "))
            wrong = "ends without a line";
        String normal = text.contains("passed over") ? "passed over" : "normal";
        ENDS.merge(run.succeeded() ? normal : "stopped", 1, Integer::sum);
        if (wrong == null) {
            passed++;
            return;
        }
        failed++;
        System.out.println("FAIL " + command + " " + wrong + ":\n    " + macro.replace("\n", "\n    ") + "\n    > "
            + text.trim().replace("\n", "\n    > "));
        if (hangs)
            Runtime.getRuntime().halt(1);
    }
}

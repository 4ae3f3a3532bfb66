// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.headless.MacroRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** If one result of a macro cannot be saved, the others still are, and the run fails with an error message. */
public final class UnsavedTest {
    private static int passed, failed;

    private UnsavedTest() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("unsaved");
        String macro = "newImage('A', '16-bit ramp', 8, 8, 4); newImage('B', '8-bit ramp', 8, 8, 1);"
            + "setResult('x', 0, 7); updateResults();";
        MacroRun whole = run(macro, folder.resolve("whole"));
        check("a run that saves everything", whole.succeeded() && errors.size() == 0);
        for (String name : new String[] {"A.tif", "B.tif", "results.csv"}) {
            Path out = folder.resolve("without-" + name);
            Files.createDirectories(out.resolve(name)); /* a folder has the name of the file */
            MacroRun run = run(macro, out);
            String text = errors.toString("UTF-8");
            check("status of " + name, !run.succeeded());
            check("message of " + name, text.contains(out.resolve(name).toString()) && !text.contains("\tat "));
            for (String other : new String[] {"A.tif", "B.tif", "results.csv"})
                check(other + " without " + name, Files.isRegularFile(out.resolve(other)) != other.equals(name));
        }
        System.out.println(passed + " passed, " + failed + " failed, 0 skipped");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    private static MacroRun run(String macro, Path out) throws InterruptedException {
        PrintStream screen = System.err;
        errors.reset();
        System.setErr(new PrintStream(errors, true));
        MacroRun run = new MacroRun("close('*'); run('Clear Results');" + macro, "", null, out.toFile(), false);
        Thread thread = new Thread(run, "Drua_Macro$"); /* ImageJ cancels macros on such threads after an error */
        thread.start();
        thread.join();
        System.setErr(screen);
        return run;
    }

    private static void check(String what, boolean right) {
        passed += right ? 1 : 0;
        failed += right ? 0 : 1;
        if (!right)
            System.out.println("FAILED: " + what + ": " + errors);
    }
}

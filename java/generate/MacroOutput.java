// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import drua.engine.Engine;
import drua.engine.Native;
import drua.headless.MacroRun;
import ij.ImagePlus;
import ij.WindowManager;
import ij.macro.Interpreter;
import ij.measure.ResultsTable;
import ij.plugin.frame.RoiManager;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The output of a macro that ran without a display. */
public final class MacroOutput {
    /** printed: the Log. error: the message that ended the macro; "" if it ended normally. */
    public final String printed, error;

    private MacroOutput(String printed, String error) {
        this.printed = printed;
        this.error = error;
    }

    /** Runs a macro in this process; macros run one at a time. @param opened the active image at the start, or null */
    public static MacroOutput of(String text, ImagePlus opened) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(), err = new ByteArrayOutputStream();
        PrintStream screen = System.out, errors = System.err;
        MacroRun macro = new MacroRun(text, "", null, null, false);
        try {
            System.setOut(new PrintStream(out, true));
            System.setErr(new PrintStream(err, true));
            Thread thread = new Thread(() -> {
                if (opened != null) {
                    WindowManager.setTempCurrentImage(opened);
                    Interpreter.addBatchModeImage(opened);
                }
                macro.run();
            }, "Drua_Macro$");
            thread.start();
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            System.setOut(screen);
            System.setErr(errors);
        }
        String error = macro.succeeded() ? "" : text(err).isEmpty() ? "the macro failed" : text(err);
        return new MacroOutput(text(out), error);
    }

    /** Discards the last macro's images, also on the device, its table and its list of selections. */
    public static void forget() {
        int[] ids = WindowManager.getIDList();
        for (int i = 0; ids != null && i < ids.length; i++) {
            ImagePlus image = WindowManager.getImage(ids[i]);
            image.changes = false;
            image.close();
        }
        ResultsTable.getResultsTable().reset();
        RoiManager manager = RoiManager.getRawInstance();
        if (manager != null && manager.getCount() > 0)
            manager.reset();
        synchronized (Engine.class) {
            Native.clear(Engine.context());
        }
    }

    private static String text(ByteArrayOutputStream bytes) {
        return new String(bytes.toByteArray(), StandardCharsets.UTF_8).trim();
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import drua.imagej.QuietMacro;
import java.io.PrintStream;

/**
 * Standard error while a macro runs. For a failure that Java or a plugin prints, it shows the reason without the stack
 * trace.
 */
final class WithoutTraces extends PrintStream {
    /** The title of the dialog that ImageJ shows when it ends a macro. */
    private static final String MACRO_ERROR = "Macro Error: ";

    private boolean failed;

    WithoutTraces(PrintStream screen) {
        super(screen, true);
    }

    /** Whether an error has ended a macro, or a macro that it started, unless the caller asks for the error. */
    boolean showedError() {
        return failed;
    }

    @Override
    public void println(Object line) {
        println(String.valueOf(line));
    }

    @Override
    public void println(String line) {
        if (line == null || !line.matches("(?s)\\t+(at |\\.\\.\\. \\d+ more).*"))
            super.println(line);
        if (line != null && line.startsWith(MACRO_ERROR) && !QuietMacro.runs())
            failed = true;
    }
}

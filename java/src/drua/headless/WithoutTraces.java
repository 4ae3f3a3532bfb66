// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import java.io.PrintStream;

/**
 * Standard error while a macro runs. For a failure that Java or a plugin prints, it shows the reason without the stack
 * trace.
 */
final class WithoutTraces extends PrintStream {
    WithoutTraces(PrintStream screen) {
        super(screen, true);
    }

    @Override
    public void println(Object line) {
        println(String.valueOf(line));
    }

    @Override
    public void println(String line) {
        if (line == null || !line.matches("(?s)\\t+(at |\\.\\.\\. \\d+ more).*"))
            super.println(line);
    }
}

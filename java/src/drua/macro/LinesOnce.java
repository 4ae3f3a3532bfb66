// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Native;
import ij.IJ;
import java.util.HashSet;
import java.util.Set;

/**
 * Writes the engine's notes to the Log, each note once per macro, and reports the first result that did not fit its
 * image.
 */
final class LinesOnce {
    private final Set<String> logged = new HashSet<>();
    private boolean misfitTold;

    /** Call when a macro starts. Discards the misfit that an earlier macro left. */
    static LinesOnce begin(long context) {
        Native.takeMisfit(context);
        return new LinesOnce();
    }

    void tell(String lines) {
        for (String line : lines.trim().split("\n")) {
            if (!line.isEmpty() && logged.add(line))
                IJ.log(line);
        }
    }

    /** Call after each command. */
    void tellMisfit(long context) {
        String sentence = misfitTold ? "" : Native.takeMisfit(context);
        if (!sentence.isEmpty())
            IJ.log(sentence);
        misfitTold = misfitTold || !sentence.isEmpty();
    }
}

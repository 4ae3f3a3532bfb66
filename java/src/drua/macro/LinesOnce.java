// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Native;
import ij.IJ;
import java.util.HashSet;
import java.util.Set;

/** Shows the engine's lines in the Log, each line once a macro, and the first result that did not fit its image. */
final class LinesOnce {
    private final Set<String> told = new HashSet<>();
    private boolean misfitTold;

    /** Begins a macro: forgets the misfit of an earlier one. */
    static LinesOnce begin(long context) {
        Native.takeMisfit(context);
        return new LinesOnce();
    }

    void tell(String lines) {
        for (String line : lines.trim().split("\n")) {
            if (!line.isEmpty() && told.add(line))
                IJ.log(line);
        }
    }

    /** Called after each command. */
    void tellMisfit(long context) {
        String sentence = misfitTold ? "" : Native.takeMisfit(context);
        if (!sentence.isEmpty())
            IJ.log(sentence);
        misfitTold = misfitTold || !sentence.isEmpty();
    }
}

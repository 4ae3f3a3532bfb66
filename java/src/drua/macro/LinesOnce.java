// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import ij.IJ;
import java.util.HashSet;
import java.util.Set;

/** Shows the engine's lines in the Log, each line once a macro. */
final class LinesOnce {
    private final Set<String> told = new HashSet<>();

    void tell(String lines) {
        for (String line : lines.trim().split("\n")) {
            if (!line.isEmpty() && told.add(line))
                IJ.log(line);
        }
    }
}

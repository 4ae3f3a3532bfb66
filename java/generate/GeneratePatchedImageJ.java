// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import java.io.File;
import net.imagej.patcher.LegacyInjector;

/**
 * Writes the classes of ImageJ that ij1-patcher changes to run without a display into a jar: patching them takes
 * longer than a macro.
 */
final class GeneratePatchedImageJ {
    private GeneratePatchedImageJ() {}

    public static void main(String[] args) throws Exception {
        LegacyInjector.writeJar(new File(args[0]), true, false);
    }
}

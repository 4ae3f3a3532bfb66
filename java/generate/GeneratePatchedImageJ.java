// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import java.io.File;
import net.imagej.patcher.LegacyInjector;

/**
 * Writes the ImageJ classes that ij1-patcher changes for headless use to a jar, because patching takes longer than a
 * macro.
 */
final class GeneratePatchedImageJ {
    private GeneratePatchedImageJ() {}

    public static void main(String[] args) throws Exception {
        LegacyInjector.writeJar(new File(args[0]), true, false);
    }
}

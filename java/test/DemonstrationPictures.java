// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.generate.DocumentPictures;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Checks that the demonstration pictures in docs match new ones: DemonstrationPictures FOLDER. */
public final class DemonstrationPictures {
    private static final String[][] PICTURES = {{"bars.png", "bars_total_variation.png"}, {"bars_convergence.png"},
        {"esrrf.png"}, {"esrrf_choices.png"}, {"esrrf_drift.png"}, {"esrrf_errors.png"}};

    private DemonstrationPictures() {}

    public static void main(String[] args) throws IOException {
        int failed = 0;
        for (String[] picture : PICTURES) {
            Path made = Paths.get(args[0], picture[picture.length - 1]);
            if (!DocumentPictures.alike(made, Paths.get("docs", picture[0]))) {
                failed++;
                System.out.println("FAIL docs/" + picture[0] + " differs from the demonstration's picture " + made);
            }
        }
        System.out.println(PICTURES.length - failed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.DruaException;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;

/** Finds another CLIJ2 beside this one. Mixed classes of both would fail in ways that no user could understand. */
public final class OnlyJar {
    private static final String CLASS = "net/haesleinhuepf/clij2/CLIJ2.class";

    private OnlyJar() {}

    /** Throws a DruaException if the class path has more than one CLIJ2. */
    public static void check() {
        List<URL> found;
        try {
            found = Collections.list(OnlyJar.class.getClassLoader().getResources(CLASS));
        } catch (IOException e) {
            throw new DruaException("Drua cannot tell whether CLIJ2 is installed too: " + e.getMessage());
        }
        long different = found.stream().map(URL::toString).distinct().count();
        if (different > 1)
            throw new DruaException(
                "Drua's jar for scripts of CLIJ2 (Drua_CLIJ2_API_) works only without CLIJ2, but both are "
                + "installed; remove one of them (the update site CLIJ2, or a jar in the folder plugins) and "
                + "restart");
    }
}

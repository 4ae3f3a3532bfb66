// SPDX-License-Identifier: BSD-3-Clause
package drua.scijava;

import drua.Drua;

/** The device that commands and converters of SciJava share. It stays open, because images on it may be in use. */
final class Shared {
    private static Drua drua;

    private Shared() {}

    static synchronized Drua drua() {
        if (drua == null)
            drua = Drua.open("");
        return drua;
    }
}

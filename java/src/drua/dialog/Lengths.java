// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import ij.measure.Calibration;
import java.util.Locale;

/** Converts lengths between the units of ImageJ. */
final class Lengths {
    private Lengths() {}

    /** Converts a length to micrometres; returns null if the scale's unit is not a unit of length. */
    static Double micrometres(Calibration scale, double length) {
        switch (scale.getUnit().toLowerCase(Locale.ROOT)) {
        case "\u00b5m":
        case "\u03bcm":
        case "um":
        case "micron":
        case "microns":
        case "micrometer":
        case "micrometre":
            return length;
        case "nm":
            return length / 1000;
        case "mm":
            return length * 1000;
        default:
            return null;
        }
    }
}

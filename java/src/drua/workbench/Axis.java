// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import java.util.Arrays;
import java.util.Locale;

/** The range of numbers along one axis of a plot, with round numbers for its ticks. Immutable. */
public final class Axis {
    private static final double[] ROUND = {1, 2, 5, 10};
    private static final int DIGITS = 15;
    private static final double MARGIN = 0.05, LARGE = 1e6, SMALL = 1e-4;

    public final double low, high;

    /** @param high at least low */
    public Axis(double low, double high) {
        boolean isPoint = !(high > low);
        double margin = isPoint ? Math.max(Double.MIN_NORMAL, low == 0 ? 1 : MARGIN * Math.abs(low)) : 0;
        this.low = Math.max(-Double.MAX_VALUE, low - margin);
        this.high = Math.min(Double.MAX_VALUE, high + margin);
    }

    /** The range of all finite numbers; 0 to 1 without finite numbers. */
    public static Axis of(double[] values) {
        double low = Arrays.stream(values).filter(Axis::isFinite).min().orElse(0);
        return new Axis(low, Arrays.stream(values).filter(Axis::isFinite).max().orElse(1));
    }

    static boolean isFinite(double value) {
        return !Double.isNaN(value) && !Double.isInfinite(value);
    }

    /**
     * Position of a number: 0 at the low end, 1 at the high end. Computed from halves, because the width of the range
     * may overflow.
     */
    public double part(double value) {
        return (value / 2 - low / 2) / (high / 2 - low / 2);
    }

    /** The number at a position. */
    public double value(double part) {
        return low * (1 - part) + high * part;
    }

    private double step(int max) {
        double min = (high / 2 - low / 2) / max * 2, decade = Math.pow(10, Math.floor(Math.log10(min)));
        for (double round : ROUND) {
            if (round * decade >= min * (1 - 1e-9))
                return round * decade;
        }
        return decade;
    }

    /**
     * At most `max` round numbers in the range; the two ends if the range is too narrow or too wide for round numbers.
     */
    public double[] ticks(int max) {
        double step = step(Math.max(3, max)), size = Math.max(Math.abs(low), Math.abs(high));
        if (!(step > 2 * Math.ulp(size)) || Double.isInfinite(step))
            return new double[] {low, high};
        double first = Math.ceil(low / step), last = Math.floor(high / step);
        double[] ticks = new double[(int) Math.max(0, last - first + 1)];
        for (int i = 0; i < ticks.length; i++)
            ticks[i] = (first + i) * step + 0.0; /* avoids -0 */
        return ticks;
    }

    /** Formats a number with as many digits as are needed to distinguish neighbouring ticks. */
    public String text(double value, int max) {
        double step = step(Math.max(3, max)), size = Math.max(Math.abs(low), Math.abs(high));
        int last = step > 0 && !Double.isInfinite(step) ? (int) Math.floor(Math.log10(step) + 1e-9) : 0;
        if (size < LARGE && size >= SMALL && -last <= DIGITS)
            return String.format(Locale.ROOT, "%." + Math.max(0, -last) + "f", value);
        int digits = (int) Math.floor(Math.log10(Math.max(Double.MIN_NORMAL, size))) - last;
        return value == 0 ? "0"
                          : String.format(Locale.ROOT, "%." + Math.max(0, Math.min(DIGITS, digits)) + "e", value)
                                .replaceFirst("e\\+?(-?)0*(\\d)", "e$1$2");
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

/**
 * Estimates the remaining time of work from its progress. Time before the first progress is ignored, because kernels
 * are compiled then. Between two reports the estimate counts down.
 */
public final class TimeLeft {
    /** Below this progress the remaining time cannot be estimated. */
    private static final double MIN_SHARE = 0.02;
    private static final long MIN_TIME = 300_000_000;

    private long began, first, last;
    private double firstPart, lastPart;
    private boolean hasMoved;

    /** @param now in nanoseconds, as in all methods of this class */
    public TimeLeft(long now) {
        began = first = last = now;
    }

    /**
     * @param progress from 0 to 1, or -1 if unknown; a smaller value than before means that other work has begun
     */
    public void update(double progress, long now) {
        double part = progress;
        if (part == lastPart || part < 0 && lastPart == 0)
            return;
        if (part < lastPart) {
            began = now;
            hasMoved = false;
            part = Math.max(0, part);
        }
        if (!hasMoved) {
            first = now;
            firstPart = part;
        }
        hasMoved = part > 0;
        last = now;
        lastPart = part;
    }

    /**
     * Remaining time for `times` equal pieces of work, the first of which is observed, or -1 until it can be estimated.
     */
    public long nanoseconds(long now, int times) {
        boolean hasRate = lastPart > firstPart && last - first >= MIN_TIME;
        if (!hasRate && lastPart < MIN_SHARE)
            return -1;
        double whole = hasRate ? (last - first) / (lastPart - firstPart) : (last - began) / lastPart;
        return (long) Math.max(0, whole * (times - lastPart) - (now - last));
    }
}

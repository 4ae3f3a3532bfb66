// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

/**
 * How long work goes on, told from how far it was seen to be. What passes before the first sign of progress is no
 * measure, as kernels are compiled then; between two signs the rest gets shorter with the clock.
 */
public final class TimeLeft {
    /** Less is too little to tell from it how long the rest takes. */
    private static final double LEAST_SHARE = 0.02;
    private static final long LEAST_TIME = 300_000_000;

    private long began, first, last;
    private double firstPart, lastPart;
    private boolean hasMoved;

    /** @param now in nanoseconds, as everywhere here */
    public TimeLeft(long now) {
        began = first = last = now;
    }

    /**
     * @param told 0 to 1, or -1 if nobody knows; less than before: other work has begun
     */
    public void look(double told, long now) {
        double part = told;
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

    /** What is left of so many equal works, of which the first is seen, or -1 as long as that cannot be told. */
    public long nanoseconds(long now, int times) {
        boolean hasRate = lastPart > firstPart && last - first >= LEAST_TIME;
        if (!hasRate && lastPart < LEAST_SHARE)
            return -1;
        double whole = hasRate ? (last - first) / (lastPart - firstPart) : (last - began) / lastPart;
        return (long) Math.max(0, whole * (times - lastPart) - (now - last));
    }
}

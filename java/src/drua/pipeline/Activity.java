// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.imagej.TimeLeft;
import drua.imagej.Watch;

/** A step that is being computed, and the time that its computation still takes. */
final class Activity {
    private static final long SHOWN_AFTER = 1_500_000_000;

    private final String step;
    private final long start;
    private final TimeLeft left;

    /** @param now in nanoseconds, as in all methods of this class */
    Activity(String step, long now) {
        this.step = step;
        start = now;
        left = new TimeLeft(now);
    }

    /** @param progress from 0 to 1, or -1 if unknown */
    synchronized String text(double progress, long now) {
        left.update(progress, now);
        if (now - start < SHOWN_AFTER)
            return "computing " + step + " ...";
        return "computing " + step + ", " + Watch.timeLeft(left.nanoseconds(now, 1), now - start) + " ...";
    }
}

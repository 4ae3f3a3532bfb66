// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.imagej.TimeLeft;

/** Compares the estimated remaining time with known clocks. */
public final class TimeLeftTest {
    private static final long MILLISECOND = 1_000_000;
    private static int passed, failed;

    private TimeLeftTest() {}

    public static void main(String[] args) {
        /* 4000 steps of 10 ms with progress in thousandths, after 5 s of kernel compilation */
        long[] told = reportedTimes(11000, now -> now < 5000 ? 0 : (now - 5000) / 40 / 1000.0);
        check("nothing is known while kernels are compiled", told[4900] == -1);
        check("after a second of work what is left is known: " + told[6000], Math.abs(told[6000] - 39000) < 2000);
        check("and gets shorter: " + told[10000], Math.abs(told[10000] - 35000) < 1000);

        /* four steps of 2 s */
        told = reportedTimes(8000, now -> now / 2000 / 4.0);
        check("unknown before the first of few steps", told[1900] == -1);
        check("after it: " + told[2100], Math.abs(told[2100] - 5900) < 100);
        check("between two: " + told[5900], Math.abs(told[5900] - 2100) < 100);

        /* a transfer of 1 s, then work of 10 s */
        told = reportedTimes(11000, now -> now < 1000 ? now / 1000.0 : (now - 1000) / 10000.0);
        check("work after a transfer: " + told[3000], Math.abs(told[3000] - 8000) < 200);

        /* a transfer of 1 s, then work without progress reports */
        told = reportedTimes(3000, now -> now < 1000 ? now / 1000.0 : -1);
        check("work that tells nothing: " + told[1500] + " " + told[2900], told[1500] == -1 && told[2900] == -1);

        /* ten pieces of work of 1 s each; the first one reports progress */
        TimeLeft left = new TimeLeft(0);
        for (int now = 0; now <= 500; now += 20)
            left.update(now / 1000.0, now * MILLISECOND);
        check("of equal works", Math.abs(left.nanoseconds(500 * MILLISECOND, 10) / MILLISECOND - 9500) < 100);
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private interface Clock {
        double part(long now);
    }

    /** The reported milliseconds for each millisecond of the clock. */
    private static long[] reportedTimes(int end, Clock work) {
        long[] told = new long[end];
        TimeLeft left = new TimeLeft(0);
        for (int now = 0; now < end; now++) {
            if (now % 20 == 0)
                left.update(work.part(now), now * MILLISECOND);
            long rest = left.nanoseconds(now * MILLISECOND, 1);
            told[now] = rest < 0 ? -1 : rest / MILLISECOND;
        }
        return told;
    }

    private static void check(String what, boolean right) {
        passed += right ? 1 : 0;
        failed += right ? 0 : 1;
        if (!right)
            System.out.println("FAIL " + what);
    }
}

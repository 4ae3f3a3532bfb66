// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.imagej.Watch;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Checks that one watched call whose request to stop cannot be read leaves the others watched. */
final class WatchTest extends Expectations {
    private static final int PATIENCE_S = 30;

    private WatchTest() {}

    @SuppressWarnings("try") /* watches are used by opening and closing them */
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch failed = new CountDownLatch(1);
        try (Watch broken = Watch.begin("", () -> fail(failed), () -> - 1, () -> {})) {
            expect("the request of the first call is read", true, failed.await(PATIENCE_S, TimeUnit.SECONDS));
            expect("a call while the first one runs is stopped", true, isStopped());
        }
        expect("a call after the first one is stopped", true, isStopped());
        System.exit(sum());
    }

    private static boolean fail(CountDownLatch failed) {
        failed.countDown();
        throw new IllegalStateException("the image of this call was closed");
    }

    @SuppressWarnings("try")
    private static boolean isStopped() throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(1);
        try (Watch watch = Watch.begin("", () -> true, () -> - 1, stopped::countDown)) {
            return stopped.await(PATIENCE_S, TimeUnit.SECONDS);
        }
    }
}

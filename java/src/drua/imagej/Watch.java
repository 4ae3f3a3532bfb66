// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import drua.engine.Native;
import ij.IJ;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Looks after calls while they run, from a thread of its own: stops a call when its user asks for that, and shows how far a
 * long one is. The call's thread holds the lock of its context from begin to close, so the context stays open.
 */
public final class Watch implements AutoCloseable {
    private static final long TICK_MS = 20, SHOW_AFTER_MS = 500;
    private static final int IDLE_TICKS = 100;
    private static final List<Watch> RUNNING = new ArrayList<>();
    private static boolean awake;

    private final long context, start = System.nanoTime();
    private final BooleanSupplier stop;
    private final Thread owner = Thread.currentThread();
    private volatile boolean shown, held;

    private Watch(long context, BooleanSupplier stop) {
        this.context = context;
        this.stop = stop;
    }

    /** @param stop whether the call should end; asked often, by another thread */
    public static Watch begin(long context, BooleanSupplier stop) {
        Watch watch = new Watch(context, stop);
        synchronized (RUNNING) {
            RUNNING.add(watch);
            if (!awake) {
                awake = true;
                Thread watcher = new Thread(Watch::watch, "Drua watch");
                watcher.setDaemon(true);
                watcher.start();
            }
        }
        return watch;
    }

    /** Stops when Escape is pressed from now on or this thread is interrupted. */
    public static Watch begin(long context) {
        Thread thread = Thread.currentThread();
        boolean before = IJ.escapePressed();
        return begin(context, () -> thread.isInterrupted() || !before && IJ.escapePressed());
    }

    @Override
    public void close() {
        synchronized (RUNNING) {
            RUNNING.remove(this);
        }
        if (shown)
            IJ.showProgress(1);
    }

    /* Ends when nothing has run for a while; the next call starts another. */
    private static void watch() {
        for (int idle = 0; idle < IDLE_TICKS;) {
            double progress = -1;
            try {
                Thread.sleep(TICK_MS);
            } catch (InterruptedException e) {
                continue;
            }
            synchronized (RUNNING) {
                idle = RUNNING.isEmpty() ? idle + 1 : 0;
                awake = idle < IDLE_TICKS;
                for (Watch watch : RUNNING)
                    progress = Math.max(progress, watch.look());
            }
            if (progress >= 0)
                IJ.showProgress(Math.min(progress, 0.999)); /* 1 would hide the bar */
        }
    }

    /** While it is held nothing that this thread calls is stopped: a result that is there is to be fetched. */
    public static void hold(boolean held) {
        synchronized (RUNNING) {
            for (Watch watch : RUNNING) {
                if (watch.owner == Thread.currentThread())
                    watch.held = held;
            }
        }
    }

    private double look() {
        if (!held && stop.getAsBoolean())
            Native.cancel(context);
        if (System.nanoTime() - start < SHOW_AFTER_MS * 1_000_000)
            return -1;
        double progress = Native.progress(context);
        shown |= progress >= 0;
        return progress;
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import drua.engine.Native;
import ij.IJ;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/**
 * Watches calls from a separate thread while they run. It stops a call on the user's request and shows the progress and
 * the remaining time of a long call. The thread of the call holds the lock of its context from begin() to close(), so
 * the context stays open.
 */
public final class Watch implements AutoCloseable {
    private static final long TICK_MS = 20, SHOW_AFTER_MS = 500;
    private static final int IDLE_TICKS = 100, TICKS_A_STATUS = 10;
    private static final List<Watch> RUNNING = new ArrayList<>();
    /** Names of the work that waits for the running one. */
    private static final List<String> WAITING = new ArrayList<>();
    private static boolean awake;

    private final long start = System.nanoTime();
    private final String what;
    private final BooleanSupplier stop, compiles;
    private final DoubleSupplier progress;
    private final Runnable end;
    private final Thread owner = Thread.currentThread();
    private volatile boolean shown, held;
    private volatile int done, all = 1;
    /* Used by the watching thread only. */
    private final TimeLeft ofCall = new TimeLeft(start), ofAll = new TimeLeft(start);
    private int seen;

    private Watch(String what, BooleanSupplier stop, DoubleSupplier progress, BooleanSupplier compiles, Runnable end) {
        this.what = what;
        this.stop = stop;
        this.compiles = compiles;
        this.progress = progress;
        this.end = end;
    }

    /**
     * @param what name of the work for the status bar; "" leaves the status bar and the progress bar alone
     * @param stop whether the call should end; another thread calls this often
     */
    public static Watch begin(long context, String what, BooleanSupplier stop) {
        return begin(new Watch(what, stop,
            () -> Native.progress(context), () -> Native.isCompiling(context), () -> Native.cancel(context)));
    }

    /**
     * Watches work that is not a call of a context.
     *
     * @param progress progress from 0 to 1, or -1
     * @param end      stops the work; called repeatedly until it has ended
     */
    public static Watch begin(String what, BooleanSupplier stop, DoubleSupplier progress, Runnable end) {
        return begin(new Watch(what, stop, progress, () -> false, end));
    }

    private static Watch begin(Watch watch) {
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

    /** The name of work that another thread does; "" without such work. */
    public static String running() {
        synchronized (RUNNING) {
            return RUNNING.stream()
                .filter(watch -> watch.owner != Thread.currentThread() && !watch.what.isEmpty())
                .map(watch -> watch.what)
                .findFirst()
                .orElse("");
        }
    }

    /**
     * Announces work that waits for its context, and shows its name in the status bar.
     *
     * @return the action to run when the work has its context
     */
    public static Runnable waiting(String what) {
        synchronized (RUNNING) {
            WAITING.add(what);
        }
        if (!running().isEmpty())
            IJ.showStatus(what + " waits for " + running());
        return () -> endWaiting(what);
    }

    private static void endWaiting(String what) {
        synchronized (RUNNING) {
            WAITING.remove(what);
        }
    }

    /** Stops the call if the user presses Escape from now on or if this thread is interrupted. */
    public static Watch begin(long context, String what) {
        return begin(context, what, escape());
    }

    /** True after the user has pressed Escape, counted from this call, or after an interrupt of this thread. */
    public static BooleanSupplier escape() {
        Thread thread = Thread.currentThread();
        boolean before = IJ.escapePressed();
        return () -> thread.isInterrupted() || !before && IJ.escapePressed();
    }

    @Override
    public void close() {
        synchronized (RUNNING) {
            RUNNING.remove(this);
        }
        if (!shown)
            return;
        IJ.showProgress(1);
        IJ.showStatus(what + ": " + time(System.nanoTime() - start));
    }

    /** Reports that `done` of `all` equal calls under this watch have finished. */
    public void part(int done, int all) {
        this.all = all;
        this.done = done;
    }

    /** Same as {@link #part} for the watches of the current thread. */
    public static void partOfAll(int done, int all) {
        watchesOfThread().forEach(watch -> watch.part(done, all));
    }

    private static List<Watch> watchesOfThread() {
        synchronized (RUNNING) {
            return RUNNING.stream().filter(watch -> watch.owner == Thread.currentThread()).collect(Collectors.toList());
        }
    }

    /** True if the user has asked to stop. */
    public boolean isStopped() {
        return stop.getAsBoolean();
    }

    /* The thread ends when no call has run for a while, or if ImageJ fails; the next call starts a new one. */
    private static void watch() {
        try {
            watchUntilIdle();
        } catch (RuntimeException | Error e) {
            synchronized (RUNNING) {
                awake = false;
            }
            throw e;
        }
    }

    private static void watchUntilIdle() {
        long ticks = 0;
        for (int idle = 0; idle < IDLE_TICKS; ticks++) {
            double progress = -1;
            String status = null;
            try {
                Thread.sleep(TICK_MS);
            } catch (InterruptedException e) {
                continue;
            }
            synchronized (RUNNING) {
                idle = RUNNING.isEmpty() ? idle + 1 : 0;
                awake = idle < IDLE_TICKS;
                RUNNING.removeIf(watch -> !watch.canBeStopped());
                for (Watch watch : RUNNING) {
                    if (watch.what.isEmpty() || System.nanoTime() - watch.start < SHOW_AFTER_MS * 1_000_000)
                        continue;
                    progress = Math.max(progress, watch.progressOfAll());
                    status = watch.status();
                }
            }
            if (progress >= 0)
                IJ.showProgress(Math.min(progress, 0.999)); /* a value of 1 would hide the bar */
            if (status != null && ticks % TICKS_A_STATUS == 0)
                IJ.showStatus(status + queue());
        }
    }

    private static String queue() {
        synchronized (RUNNING) {
            return WAITING.isEmpty() ? "" : "; waiting: " + String.join(", ", WAITING);
        }
    }

    /** While held, no call of this thread is stopped, so a finished result can be fetched. */
    public static void hold(boolean held) {
        watchesOfThread().forEach(watch -> watch.held = held);
    }

    /** Stops the call if asked. Returns false if the request cannot be read: then the call runs to its end. */
    private boolean canBeStopped() {
        try {
            if (!held && stop.getAsBoolean())
                end.run();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Progress of all calls, or -1 if unknown. */
    private double progressOfAll() {
        long now = System.nanoTime();
        double call = progress.getAsDouble();
        shown = true;
        if (done == 0 || all == 1) {
            ofCall.update(call, now);
        } else if (done != seen) {
            seen = done;
            ofAll.update(seen / (double) all, now);
        }
        return all == 1 ? call : (done + Math.max(0, call)) / all;
    }

    /**
     * The text of the status bar. Finished calls predict the remaining time; before the first call ends, its own
     * progress does. A compiler cannot be interrupted, so the text confirms that Drua has received the user's request
     * to stop.
     */
    private String status() {
        long now = System.nanoTime(), rest = seen == 0 ? ofCall.nanoseconds(now, all) : ofAll.nanoseconds(now, 1);
        if (!held && IJ.escapePressed() && stop.getAsBoolean())
            return what + ": stopping ...";
        if (rest < 0 && compiles.getAsBoolean())
            return what + ": compiling kernels (first time only), " + time(now - start) + " so far";
        return what + ": " + timeLeft(rest, now - start);
    }

    /** Formats the remaining time, or the time so far if the remaining time is unknown (below 0). */
    public static String timeLeft(long rest, long soFar) {
        return rest < 0 ? time(soFar) + " so far" : time(rest).equals("0 s") ? "almost done" : time(rest) + " left";
    }

    /** Formats a duration for users. */
    public static String time(long nanoseconds) {
        long seconds = Math.round(nanoseconds / 1e9);
        return seconds < 120 ? seconds + " s" : seconds / 60 + " min";
    }
}

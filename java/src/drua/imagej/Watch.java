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
 * Looks after calls while they run, from a thread of its own: stops a call when its user asks for that, and shows how
 * far a long one is and how long it will still take. The call's thread holds the lock of its context from begin to
 * close, so the context stays open.
 */
public final class Watch implements AutoCloseable {
    private static final long TICK_MS = 20, SHOW_AFTER_MS = 500;
    private static final int IDLE_TICKS = 100, TICKS_A_STATUS = 10;
    private static final List<Watch> RUNNING = new ArrayList<>();
    private static boolean awake;

    private final long start = System.nanoTime();
    private final String what;
    private final BooleanSupplier stop, compiles;
    private final DoubleSupplier progress;
    private final Runnable end;
    private final Thread owner = Thread.currentThread();
    private volatile boolean shown, held;
    private volatile int done, all = 1;
    /* Of the watching thread. */
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
     * @param what what runs, for the status bar; "": neither that nor the progress bar is used
     * @param stop whether the call should end; asked often, by another thread
     */
    public static Watch begin(long context, String what, BooleanSupplier stop) {
        return begin(new Watch(what, stop,
            () -> Native.progress(context), () -> Native.isCompiling(context), () -> Native.cancel(context)));
    }

    /**
     * Of work that is not a call of a context.
     *
     * @param progress how far it is, 0 to 1, or -1
     * @param end      ends it; done again and again until it has ended
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

    /** Stops when Escape is pressed from now on or this thread is interrupted. */
    public static Watch begin(long context, String what) {
        return begin(context, what, escape());
    }

    /** Whether Escape is pressed from now on or this thread is interrupted. */
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

    /** Of `all` equal calls under this watch so many are done. */
    public void part(int done, int all) {
        this.all = all;
        this.done = done;
    }

    /** The same under the watch of this thread, if there is one. */
    public static void partOfAll(int done, int all) {
        mine().forEach(watch -> watch.part(done, all));
    }

    private static List<Watch> mine() {
        synchronized (RUNNING) {
            return RUNNING.stream().filter(watch -> watch.owner == Thread.currentThread()).collect(Collectors.toList());
        }
    }

    /** Whether the user has asked to stop. */
    public boolean isStopped() {
        return stop.getAsBoolean();
    }

    /* Ends when nothing has run for a while; the next call starts another. */
    private static void watch() {
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
                for (Watch watch : RUNNING) {
                    watch.stopIfAsked();
                    if (watch.what.isEmpty() || System.nanoTime() - watch.start < SHOW_AFTER_MS * 1_000_000)
                        continue;
                    progress = Math.max(progress, watch.look());
                    status = watch.status();
                }
            }
            if (progress >= 0)
                IJ.showProgress(Math.min(progress, 0.999)); /* 1 would hide the bar */
            if (status != null && ticks % TICKS_A_STATUS == 0)
                IJ.showStatus(status);
        }
    }

    /** While it is held nothing that this thread calls is stopped: a result that is there is to be fetched. */
    public static void hold(boolean held) {
        mine().forEach(watch -> watch.held = held);
    }

    private void stopIfAsked() {
        if (!held && stop.getAsBoolean())
            end.run();
    }

    /** How far all calls are, -1 if nobody knows. */
    private double look() {
        long now = System.nanoTime();
        double call = progress.getAsDouble();
        shown = true;
        if (done == 0 || all == 1) {
            ofCall.look(call, now);
        } else if (done != seen) {
            seen = done;
            ofAll.look(seen / (double) all, now);
        }
        return all == 1 ? call : (done + Math.max(0, call)) / all;
    }

    /**
     * Calls that are done tell of those to come; the first one does so while it runs. A compiler cannot be stopped, so
     * the status says that it was asked to.
     */
    private String status() {
        long now = System.nanoTime(), rest = seen == 0 ? ofCall.nanoseconds(now, all) : ofAll.nanoseconds(now, 1);
        if (!held && IJ.escapePressed() && stop.getAsBoolean())
            return what + ": stopping ...";
        if (rest < 0 && compiles.getAsBoolean())
            return what + ": kernels are compiled, once on this machine, " + time(now - start) + " so far";
        return what + ": "
            + (rest < 0                        ? time(now - start) + " so far"
                    : time(rest).equals("0 s") ? "almost done"
                                               : time(rest) + " left");
    }

    /** A duration as people read it. */
    public static String time(long nanoseconds) {
        long seconds = Math.round(nanoseconds / 1e9);
        return seconds < 120 ? seconds + " s" : seconds / 60 + " min";
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The context that all macros in this Java process share. It outlives each macro, so images stay between macros.
 * Callers hold this class's lock while they use the context, because changing the device closes it.
 */
public final class Engine {
    private static long context;
    private static int generation;
    private static String openedWith = "";
    private static volatile LongConsumer opened = warner(System.err::println);

    private Engine() {}

    /**
     * Sets an action that runs with each context that is opened. The default action prints device warnings to stderr.
     * Returns at once, also while another thread holds the lock.
     */
    public static void onOpen(LongConsumer action) {
        opened = action;
    }

    /** Returns an action that logs why a better device cannot be used, if there is such a device. */
    public static LongConsumer warner(Consumer<String> log)
    {
        return device ->
        {
            String warning = Native.warning(device);
            if (!warning.isEmpty())
                log.accept(warning);
        };
    }

    /** The macros' context. Opens the best device if no context is open. */
    public static synchronized long context() {
        return open("");
    }

    /**
     * Returns the macros' context on the device that matches `wanted` (see drua_open). Changes the device only if the
     * context holds no images; {@link #stays(String)} tells.
     */
    public static synchronized long open(String wanted) {
        if (context == 0) {
            NativeLibrary.load();
            context = Native.open(wanted);
            openedWith = wanted;
            generation++;
            opened.accept(context);
        } else if (isNew(wanted) && Native.names(context).isEmpty()) {
            long other = Native.open(wanted);
            Native.close(context);
            context = other;
            openedWith = wanted;
            generation++;
            opened.accept(context);
        }
        return context;
    }

    /**
     * A number that changes whenever earlier images become invalid. A caller that keeps an unnamed handle after it has
     * released the lock must store this number with the handle.
     */
    public static synchronized int generation() {
        return generation;
    }

    /** Reopens the device if it no longer responds; its images are lost. Returns true if the device was reopened. */
    public static synchronized boolean restartIfLost() {
        boolean lost = context != 0 && Native.isLost(context);
        if (lost) {
            Native.restart(context);
            generation++;
        }
        return lost;
    }

    /** True if `wanted` may name another device but images keep the current one open. */
    public static synchronized boolean stays(String wanted) {
        return context != 0 && isNew(wanted);
    }

    private static boolean isNew(String wanted) {
        return !wanted.isEmpty() && !wanted.equals(openedWith)
            && !lower(Native.device(context)[0]).contains(lower(wanted));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}

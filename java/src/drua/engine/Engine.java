// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The one context that all macros of this Java share: it outlives them, so that images stay between macros. Whoever
 * uses the context holds this class's lock, because changing the device closes it.
 */
public final class Engine {
    private static long context;
    private static int generation;
    private static String wish = "";
    private static LongConsumer opened = warner(System.err::println);

    private Engine() {}

    /** What happens with each context that is opened, in place of a warning on stderr. */
    public static synchronized void onOpen(LongConsumer action)
    {
        opened = action;
    }

    /** Says why a better device does not serve, if that is so. */
    public static LongConsumer warner(Consumer<String> log)
    {
        return device ->
        {
            String warning = Native.warning(device);
            if (!warning.isEmpty())
                log.accept(warning);
        };
    }

    /** The macros' context; opens the best device if there is none yet. */
    public static synchronized long context() {
        return open("");
    }

    /**
     * The macros' context on the device that fits the wish (see drua_open). Another device than the one in use is taken
     * only while there are no images; {@link #stays(String)} tells.
     */
    public static synchronized long open(String wanted) {
        if (context == 0) {
            NativeLibrary.load();
            context = Native.open(wanted);
            wish = wanted;
            generation++;
            opened.accept(context);
        } else if (isNew(wanted) && Native.names(context).isEmpty()) {
            long other = Native.open(wanted);
            Native.close(context);
            context = other;
            wish = wanted;
            generation++;
            opened.accept(context);
        }
        return context;
    }

    /**
     * Another number whenever images of before are gone: who keeps a handle, without a name, while the lock is free,
     * keeps this beside.
     */
    public static synchronized int generation() {
        return generation;
    }

    /** Opens the device anew if it does not answer any more; true if it was so. Its images are gone. */
    public static synchronized boolean restartIfLost() {
        boolean lost = context != 0 && Native.isLost(context);
        if (lost) {
            Native.restart(context);
            generation++;
        }
        return lost;
    }

    /** True if the wish may mean another device, but images keep the one in use. */
    public static synchronized boolean stays(String wanted) {
        return context != 0 && isNew(wanted);
    }

    private static boolean isNew(String wanted) {
        return !wanted.isEmpty() && !wanted.equals(wish) && !lower(Native.device(context)[0]).contains(lower(wanted));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}

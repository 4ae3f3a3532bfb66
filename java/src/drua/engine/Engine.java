// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The context that all macros in this Java process share. It outlives each macro, so images stay between macros.
 * Callers hold this class's lock while they use the context, because changing the device closes the context.
 */
public final class Engine {
    private static final int LONGEST_WAIT = 10; /* seconds */
    private static long context;
    private static int generation;
    private static String openedWith = "";
    private static volatile LongConsumer onOpen = warningLogger(System.err::println);
    /** The context that {@link #openAhead} is opening, or null, and the device that was requested. */
    private static CompletableFuture<Long> openedAhead;
    private static String openedAheadFor;

    private Engine() {}

    /**
     * Starts to open the device that a macro will ask for. Returns at once. If opening fails, the macro's own request
     * tries again and reports the error.
     */
    public static synchronized void openAhead(String wanted) {
        if (context != 0 || openedAhead != null)
            return;
        openedAheadFor = wanted;
        CompletableFuture<Long> opening = CompletableFuture.supplyAsync(() -> {
            NativeLibrary.load();
            readRegistry();
            return Native.open(wanted);
        }, task -> startDaemon(task, "Drua opens a device"));
        openedAhead = opening;
        /* drivers may crash if the process ends while they start */
        Runtime.getRuntime().addShutdownHook(new Thread(() -> waitFor(opening), "Drua has opened a device"));
    }

    /** Reads the description of all operations while the device opens, because both take equally long. */
    private static void readRegistry() {
        startDaemon(Registry::get, "Drua reads its operations");
    }

    private static void startDaemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void waitFor(CompletableFuture<Long> opening) {
        try {
            opening.get(LONGEST_WAIT, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            /* the process ends anyway */
        }
    }

    /** Opens a device, or takes the one that was opened ahead. */
    private static long openFirst(String wanted) {
        long device = 0;
        try {
            device = openedAhead == null ? 0 : openedAhead.join();
        } catch (CompletionException e) {
            /* the error is reported below */
        }
        openedAhead = null;
        if (device != 0 && openedAheadFor.equals(wanted))
            return device;
        if (device != 0)
            Native.close(device);
        NativeLibrary.load();
        readRegistry();
        return Native.open(wanted);
    }

    /**
     * Sets an action that runs with each context that is opened. The default action prints device warnings to stderr.
     * Returns at once, also while another thread holds the lock.
     */
    public static void onOpen(LongConsumer action) {
        onOpen = action;
    }

    /** Returns an action that logs why a better device cannot be used, if there is such a device. */
    public static LongConsumer warningLogger(Consumer<String> log) {
        return device -> {
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
     * context holds no images; see {@link #isOnOtherDevice(String)}.
     */
    public static synchronized long open(String wanted) {
        if (context == 0) {
            context = openFirst(wanted);
            openedWith = wanted;
            generation++;
            onOpen.accept(context);
        } else if (namesOtherDevice(wanted) && Native.names(context).isEmpty()) {
            long other = Native.open(wanted);
            Native.close(context);
            context = other;
            openedWith = wanted;
            generation++;
            onOpen.accept(context);
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

    /**
     * True if a context is open whose device `wanted` does not name. After {@link #open} this means that images kept
     * the device.
     */
    public static synchronized boolean isOnOtherDevice(String wanted) {
        return context != 0 && namesOtherDevice(wanted);
    }

    private static boolean namesOtherDevice(String wanted) {
        return !wanted.isEmpty() && !wanted.equals(openedWith)
            && !inLowerCase(Native.device(context)[0]).contains(inLowerCase(wanted));
    }

    private static String inLowerCase(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua;

import ij.IJ;
import java.awt.GraphicsEnvironment;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/**
 * Native memory that belongs to Java objects and is freed even if the program loses the object without closing it. All
 * calls on an Owned are made under one lock of the caller. The caller frees lost objects before it does other work; no
 * background thread frees anything, so nothing is freed during a call or during close().
 */
final class Owned<T> {
    private static final long COLLECTOR_MS = 50;
    private static final AtomicBoolean hasWarned = new AtomicBoolean();

    private final ReferenceQueue<T> lost = new ReferenceQueue<>();
    private final Set<Entry<T>> entries = new HashSet<>(); /* keeps the phantom references reachable */
    private long bytes, bytesAfterCollection;

    /** One object's native memory: a handle or an address. */
    static final class Entry<T> extends PhantomReference<T> {
        final long number, bytes;

        private Entry(T object, ReferenceQueue<T> lost, long number, long bytes) {
            super(object, lost);
            this.number = number;
            this.bytes = bytes;
        }
    }

    Entry<T> add(T object, long number, long bytes) {
        Entry<T> entry = new Entry<>(object, lost, number, bytes);
        entries.add(entry);
        this.bytes += bytes;
        return entry;
    }

    /** Returns false if the entry was already removed. */
    boolean remove(Entry<T> entry) {
        boolean wasOwned = entries.remove(entry);
        if (wasOwned)
            bytes -= entry.bytes;
        return wasOwned;
    }

    void clear() {
        entries.clear();
        bytes = 0;
        bytesAfterCollection = 0;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Bytes added minus bytes removed since the last garbage collection. */
    long grown() {
        bytesAfterCollection = Math.min(bytesAfterCollection, bytes);
        return bytes - bytesAfterCollection;
    }

    /** Frees the native memory of the lost objects that Java's garbage collector has found so far. */
    void freeLost(LongConsumer free) {
        for (Reference<? extends T> found = lost.poll(); found != null; found = lost.poll())
            free(found, free);
    }

    /**
     * Runs Java's garbage collector and frees lost objects. The collector would start too late, because it does not see
     * how much native memory small objects hold.
     */
    void collect(LongConsumer free) {
        System.gc();
        try {
            /* the collector reports lost objects with a delay */
            Reference<? extends T> first = lost.remove(COLLECTOR_MS);
            if (first != null)
                free(first, free);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        freeLost(free);
        bytesAfterCollection = bytes;
    }

    @SuppressWarnings("unchecked") /* this queue holds entries only */
    private void free(Reference<? extends T> found, LongConsumer free) {
        Entry<T> entry = (Entry<T>) found;
        if (!remove(entry))
            return;
        free.accept(entry.number);
        if (!hasWarned.getAndSet(true))
            showLine(
                "Drua freed images that this program no longer uses but did not close. Call close() on each Image and "
                + "each Drua to free its memory at once.");
    }

    private static void showLine(String line) {
        if (GraphicsEnvironment.isHeadless())
            System.err.println(line);
        else
            IJ.log(line);
    }
}

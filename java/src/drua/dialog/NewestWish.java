// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

/**
 * A thread that does what was wanted last, while its dialog is open. What it has in hand is stale when something else
 * is wanted, or nothing any more.
 */
abstract class NewestWish implements AutoCloseable {
    private final Thread worker;
    /** Guarded by this: whether something else is wanted than what is in hand, and whether nothing is any more. */
    boolean changed, closed;

    NewestWish(String name) {
        worker = new Thread(this::work, name);
        worker.setDaemon(true);
    }

    /** When all that the work reads is there. */
    final void start() {
        worker.start();
    }

    /** Does what is wanted, again and again, until it is closed. */
    abstract void work();

    /** The caller holds the lock under which it noted what is wanted now. */
    final void change() {
        changed = true;
        notifyAll();
    }

    final synchronized boolean isStale() {
        return changed || closed;
    }

    /** Ends the thread, once what it has in hand has ended. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            worker.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

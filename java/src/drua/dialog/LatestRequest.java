// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

/**
 * A thread that serves the latest request while its dialog is open. Running work is stale as soon as there is a newer
 * request or the dialog is closed.
 */
abstract class LatestRequest implements AutoCloseable {
    private final Thread worker;
    /** Guarded by this. changed: there is a newer request than the running one. closed: the dialog is closed. */
    boolean changed, closed;

    LatestRequest(String name) {
        worker = new Thread(this::work, name);
        worker.setDaemon(true);
    }

    /** Call when all data that the work reads are set. */
    final void start() {
        worker.start();
    }

    /** Serves the latest request. Called repeatedly until closed. */
    abstract void work();

    /** The caller holds the lock under which it stored the new request. */
    final void change() {
        changed = true;
        notifyAll();
    }

    final synchronized boolean isStale() {
        return changed || closed;
    }

    /** Ends the thread after the running work. */
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

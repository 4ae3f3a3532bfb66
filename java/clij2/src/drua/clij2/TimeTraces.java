// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** Records the times of calls as lines of text: > where a call begins, < where it ends. */
public final class TimeTraces {
    private static final double NS_PER_MS = 1e6;

    private final Deque<Long> started = new ArrayDeque<>();
    private final StringBuilder text = new StringBuilder();
    private boolean on;

    public synchronized boolean isOn() {
        return on;
    }

    public synchronized void set(boolean wanted) {
        on = wanted;
    }

    public synchronized void start(String method) {
        indent().append("> ").append(method).append('\n');
        started.push(System.nanoTime());
    }

    public synchronized void end(String method) {
        double ms = started.isEmpty() ? 0 : (System.nanoTime() - started.pop()) / NS_PER_MS;
        indent().append("< ").append(method).append(String.format(Locale.ROOT, " %.3f ms\n", ms));
    }

    private StringBuilder indent() {
        for (int i = 0; i < started.size(); i++)
            text.append(' ');
        return text;
    }

    public synchronized String text() {
        return text.toString();
    }

    public synchronized void reset() {
        text.setLength(0);
        started.clear();
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import java.util.ArrayDeque;
import java.util.Deque;

/** A pipeline with all its earlier states, without limit. Not thread-safe. */
public final class History {
    private final Deque<Pipeline> before = new ArrayDeque<>(), behind = new ArrayDeque<>();
    private Pipeline now;
    private String turned = "";

    public History(Pipeline first) {
        now = first;
    }

    public Pipeline now() {
        return now;
    }

    /** Records a change that undo reverts. */
    public void change(Pipeline changed) {
        change(changed, "");
    }

    /** Records a change of a value. Consecutive changes with the same `what` are undone together. */
    public void change(Pipeline changed, String what) {
        if (changed.equals(now))
            return;
        if (what.isEmpty() || !what.equals(turned))
            before.push(now);
        turned = what;
        behind.clear();
        now = changed;
    }

    /** Adds to the last change. */
    void amend(Pipeline changed) {
        now = changed;
    }

    /** Ends a series of changes, so the next one is undone separately. */
    public void rest() {
        turned = "";
    }

    public boolean canUndo() {
        return !before.isEmpty();
    }

    public boolean canRedo() {
        return !behind.isEmpty();
    }

    public void undo() {
        if (before.isEmpty())
            return;
        behind.push(now);
        now = before.pop();
        turned = "";
    }

    public void redo() {
        if (behind.isEmpty())
            return;
        before.push(now);
        now = behind.pop();
        turned = "";
    }
}

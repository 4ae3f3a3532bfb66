// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import java.util.ArrayDeque;
import java.util.Deque;

/** A pipeline with all its earlier states, without limit. Not thread-safe. */
public final class History {
    private final Deque<Pipeline> before = new ArrayDeque<>(), undone = new ArrayDeque<>();
    private Pipeline now;
    private String lastChange = "";

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
        if (what.isEmpty() || !what.equals(lastChange))
            before.push(now);
        lastChange = what;
        undone.clear();
        now = changed;
    }

    /** Changes the pipeline as part of the last change, so undo reverts both together. */
    void amend(Pipeline changed) {
        now = changed;
    }

    /** Ends a series of changes, so the next one is undone separately. */
    public void rest() {
        lastChange = "";
    }

    public boolean canUndo() {
        return !before.isEmpty();
    }

    public boolean canRedo() {
        return !undone.isEmpty();
    }

    public void undo() {
        if (before.isEmpty())
            return;
        undone.push(now);
        now = before.pop();
        lastChange = "";
    }

    public void redo() {
        if (undone.isEmpty())
            return;
        before.push(now);
        now = undone.pop();
        lastChange = "";
    }
}

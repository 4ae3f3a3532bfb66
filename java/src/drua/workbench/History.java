// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import java.util.ArrayDeque;
import java.util.Deque;

/** A pipeline with all that it was before, without limit. Used by one thread. */
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

    /** A change that undo takes back. */
    public void change(Pipeline changed) {
        change(changed, "");
    }

    /** A change of what is being turned: those of the same name that follow each other are one. */
    public void change(Pipeline changed, String what) {
        if (changed.equals(now))
            return;
        if (what.isEmpty() || !what.equals(turned))
            before.push(now);
        turned = what;
        behind.clear();
        now = changed;
    }

    /** What is turned next is another change, even if it is the same thing. */
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

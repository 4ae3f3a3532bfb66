// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import java.awt.Component;
import java.awt.Container;
import java.awt.GridBagConstraints;
import java.awt.GridBagLayout;
import java.util.Arrays;
import java.util.List;

/** Moves the later groups of a dialog's fields next to the first ones, so that the dialog fits on a laptop's screen. */
final class Columns {
    /** A label and its field take this many layout columns. */
    private static final int FIELD = 2;

    private Columns() {}

    /**
     * Arranges a dialog that has been laid out once; the caller packs it again. Fields above the groups are placed two
     * per row. A last component that is not a field may be taller than a field and span several rows. With fewer
     * than two headings nothing changes.
     *
     * @param headings headings of the groups, top to bottom
     * @param last     the last component of the last group
     */
    static void arrange(Container dialog, List<Component> headings, Component last) {
        if (headings.size() < 2 || !(dialog.getLayout() instanceof GridBagLayout))
            return;
        GridBagLayout layout = (GridBagLayout) dialog.getLayout();
        List<Component> parts = Arrays.asList(dialog.getComponents());
        Component first = headings.get(0), second = secondColumnStart(headings, last);
        int begin = parts.indexOf(first), secondBegin = parts.indexOf(second), end = parts.indexOf(last);
        int firstEnd = layout.getConstraints(second).gridy, rows = firstEnd - layout.getConstraints(first).gridy;
        for (int i = 0; i < parts.size(); i++) {
            GridBagConstraints c = layout.getConstraints(parts.get(i));
            boolean isGroup = i >= begin && i <= end, isField = c.gridx == GridBagConstraints.RELATIVE,
                    isWide = c.gridwidth != 1 && !isField;
            int index = i < begin ? c.gridy - 1 : 0; /* fields between the summary and the groups: two per row */
            boolean isRight = isGroup ? i >= secondBegin : !isWide && index % 2 == 1;
            c.gridx = (isField ? 1 : 0) + (isRight ? FIELD : 0);
            if (isGroup)
                c.gridy -= isRight ? rows : 0;
            else
                c.gridy -= isWide ? 0 : index - index / 2;
            c.gridwidth = !isWide ? 1 : isGroup ? FIELD : GridBagConstraints.REMAINDER;
            c.gridheight = i == end && isRight && !isField ? Math.max(1, firstEnd - c.gridy) : 1;
            layout.setConstraints(parts.get(i), c);
        }
    }

    /** The heading where the second column begins, so that both columns are about equally high. */
    private static Component secondColumnStart(List<Component> headings, Component last) {
        int top = headings.get(0).getY(), bottom = last.getY() + last.getHeight();
        Component best = headings.get(1);
        for (Component heading : headings.subList(1, headings.size())) {
            if (Math.abs(2 * heading.getY() - top - bottom) < Math.abs(2 * best.getY() - top - bottom))
                best = heading;
        }
        return best;
    }
}

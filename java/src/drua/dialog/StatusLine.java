// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import java.awt.Color;
import java.awt.Dimension;
import java.awt.EventQueue;
import java.awt.GridLayout;
import java.awt.Label;
import java.awt.Panel;
import java.util.Collections;

/** Lines of a dialog that show progress, or an error in red. They keep their size, so the dialog does not resize. */
final class StatusLine extends Panel {
    private static final long serialVersionUID = 1;
    private static final int COLUMNS = 70;
    private static final Color FAILED = new Color(0xb00000);
    private static final String EMPTY = String.join("", Collections.nCopies(COLUMNS, "  "));

    private final Label[] lines;
    private String last = "";

    StatusLine(int count) {
        super(new GridLayout(count, 1, 0, 0));
        lines = new Label[count];
        for (int i = 0; i < count; i++)
            add(lines[i] = new Line());
    }

    /** A label that stays as wide as a full line, also if a shorter text is set before the dialog opens. */
    private static final class Line extends Label {
        private static final long serialVersionUID = 1;

        Line() {
            super(EMPTY);
        }

        @Override
        public Dimension getPreferredSize() {
            Dimension size = super.getPreferredSize();
            int full = getFont() == null ? 0 : getFontMetrics(getFont()).stringWidth(EMPTY);
            return new Dimension(Math.max(size.width, full), size.height);
        }
    }

    /** Callable from any thread. */
    void say(String text) {
        show(text, Color.BLACK);
    }

    /** Callable from any thread. */
    void fail(String sentence) {
        show(sentence, FAILED);
    }

    private synchronized void show(String text, Color colour) {
        if (text.equals(last))
            return;
        last = text;
        String[] parts = wrapped(text).split("\n", lines.length);
        EventQueue.invokeLater(() -> {
            for (int i = 0; i < lines.length; i++) {
                lines[i].setForeground(colour);
                lines[i].setText(i < parts.length ? parts[i].replace('\n', ' ') : "");
            }
        });
    }

    /** Wraps a text to the width of a dialog. */
    static String wrapped(String text) {
        StringBuilder lines = new StringBuilder();
        int length = 0;
        for (String word : text.split(" ")) {
            boolean full = length + 1 + word.length() > COLUMNS;
            if (length > 0)
                lines.append(full ? '\n' : ' ');
            length = length == 0 || full ? word.length() : length + 1 + word.length();
            lines.append(word);
        }
        return lines.toString();
    }
}

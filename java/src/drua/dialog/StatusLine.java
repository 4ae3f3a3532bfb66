// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import ij.gui.MultiLineLabel;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.EventQueue;

/** Lines of a dialog that say what goes on, or in red what went wrong. They keep their room, so that the dialog does not jump. */
final class StatusLine extends MultiLineLabel {
    private static final long serialVersionUID = 1;
    private static final int LINES = 3, COLUMNS = 70;
    private static final Color FAILED = new Color(0xb00000);

    private String last = "";

    StatusLine() {
        super(String.join("\n", java.util.Collections.nCopies(LINES, "")));
    }

    /** From any thread. */
    void say(String text) {
        show(text, Color.BLACK);
    }

    /** From any thread. */
    void fail(String sentence) {
        show(sentence, FAILED);
    }

    private synchronized void show(String text, Color colour) {
        if (text.equals(last))
            return;
        last = text;
        EventQueue.invokeLater(() -> {
            setForeground(colour);
            setText(wrapped(text));
            repaint();
        });
    }

    static String wrapped(String text) {
        StringBuilder lines = new StringBuilder();
        int length = 0;
        for (String word : text.split(" ")) {
            if (length > 0)
                lines.append(length + word.length() > COLUMNS ? '\n' : ' ');
            length = length + word.length() > COLUMNS ? word.length() : length + 1 + word.length();
            lines.append(word);
        }
        return lines.toString();
    }

    @Override
    public Dimension getPreferredSize() {
        java.awt.FontMetrics font = getFontMetrics(getFont());
        return new Dimension(COLUMNS * font.charWidth('n'), LINES * font.getHeight());
    }

    @Override
    public Dimension getMinimumSize() {
        return getPreferredSize();
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.pipeline.Session;
import drua.pipeline.View;
import java.util.function.Consumer;
import javax.swing.ButtonGroup;
import javax.swing.JMenu;
import javax.swing.JMenuItem;
import javax.swing.JPopupMenu;
import javax.swing.JRadioButtonMenuItem;
import javax.swing.KeyStroke;

/**
 * Menu entries that choose how the selected step is compared with another one, and that make the selected step the one
 * with which other steps are compared.
 */
final class CompareMenu {
    private final Session session;
    private final Consumer<Runnable> guard;
    private final JMenuItem[] kinds = {new JRadioButtonMenuItem("Single step", true), new JRadioButtonMenuItem("Swipe"),
        new JRadioButtonMenuItem("Side by side")};
    private final JMenuItem with = new JMenuItem("Compare with this step");

    /** @param guard runs the user's actions */
    CompareMenu(Session session, Consumer<Runnable> guard) {
        this.session = session;
        this.guard = guard;
        kinds[0].setToolTipText("Show only the selected step");
        kinds[1].setToolTipText(
            "Show the compared step on the left of a divider that you can drag, and the selected step on its right");
        kinds[2].setToolTipText(
            "Show the compared step in a second window, with the same part of the image at the same zoom");
        with.setToolTipText("Compare this step, instead of the source image, with each step that you select");
        with.setAccelerator(KeyStroke.getKeyStroke("ctrl K"));
        with.addActionListener(event -> guard.accept(this::pin));
    }

    void addTo(JMenu menu) {
        ButtonGroup group = new ButtonGroup();
        menu.addSeparator();
        for (JMenuItem kind : kinds) {
            group.add(kind);
            menu.add(kind);
            kind.addActionListener(event -> guard.accept(this::applyChoice));
        }
        menu.add(with);
    }

    /** Adds the entry that makes the selected step the one with which other steps are compared. */
    void addTo(JPopupMenu popup) {
        JMenuItem entry = popup.add(with.getText());
        entry.setToolTipText(with.getToolTipText());
        entry.addActionListener(event -> guard.accept(this::pin));
    }

    ViewWindow.Comparison comparison() {
        for (ViewWindow.Comparison comparison : ViewWindow.Comparison.values()) {
            if (kinds[comparison.ordinal()].isSelected())
                return comparison;
        }
        return ViewWindow.Comparison.NONE;
    }

    private void applyChoice() {
        if (comparison() == ViewWindow.Comparison.NONE)
            session.compare(null);
        else if (session.compared() == null && !session.now().seen().isEmpty())
            session.compare(session.now().seen().get(0));
    }

    private void pin() {
        if (comparison() == ViewWindow.Comparison.NONE)
            kinds[ViewWindow.Comparison.SWIPE.ordinal()].setSelected(true);
        session.compare(session.viewed());
    }
}

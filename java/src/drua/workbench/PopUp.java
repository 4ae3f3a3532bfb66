// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.Keys;
import java.awt.Component;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import javax.swing.JComponent;
import javax.swing.JList;

/** Opens a menu where the user asks for one: at the press or the release of a button, which depends on the system. */
final class PopUp extends MouseAdapter {
    private static final String[] KEYS = {"CONTEXT_MENU", "shift F10"};
    private static final int AT = 200;

    private final BiConsumer<Component, Point> opener;

    /** @param opener gets the component and the place of the mouse in it */
    PopUp(BiConsumer<Component, Point> opener) {
        this.opener = opener;
    }

    /** Also opens the menu by keys, at the place that `selection` returns, except while `selection` returns null. */
    PopUp on(JComponent component, Supplier<Point> selection) {
        component.addMouseListener(this);
        for (String key : KEYS) {
            Keys.bind(component, false, key, () -> {
                Point at = selection.get();
                if (at != null)
                    opener.accept(component, at);
            });
        }
        return this;
    }

    /** A place in the selected row of a list, or null. */
    static Point selected(JList<?> list) {
        int row = list.getSelectedIndex();
        Rectangle cell = row < 0 ? null : list.getCellBounds(row, row);
        return cell == null ? null : new Point(cell.x + Math.min(cell.width, AT) / 2, cell.y + cell.height / 2);
    }

    @Override
    public void mousePressed(MouseEvent event) {
        if (event.isPopupTrigger())
            opener.accept(event.getComponent(), event.getPoint());
    }

    @Override
    public void mouseReleased(MouseEvent event) {
        mousePressed(event);
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import java.awt.Component;
import java.awt.Point;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.util.function.BiConsumer;

/** Opens a menu where the user asks for one: at the press or the release of a button, which depends on the system. */
final class PopUp extends MouseAdapter {
    private final BiConsumer<Component, Point> opener;

    /** @param opener gets the component and the place of the mouse in it */
    PopUp(BiConsumer<Component, Point> opener) {
        this.opener = opener;
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

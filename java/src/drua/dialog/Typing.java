// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;

/** Receives every change of a text. */
public interface Typing extends DocumentListener {
    void typed();

    @Override
    default void insertUpdate(DocumentEvent event) {
        typed();
    }

    @Override
    default void removeUpdate(DocumentEvent event) {
        typed();
    }

    @Override
    default void changedUpdate(DocumentEvent event) {
        typed();
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import java.awt.event.FocusAdapter;
import java.awt.event.FocusEvent;
import java.util.function.Consumer;
import javax.swing.JTextField;

/** A text to type; it is taken with Enter, or when the field loses the keyboard. */
final class TextControl extends JTextField {
    private static final long serialVersionUID = 1;
    private static final int COLUMNS = 14;

    private String value;

    TextControl(String value, Consumer<String> receiver) {
        super(value, COLUMNS);
        this.value = value;
        addActionListener(event -> typed(receiver));
        addFocusListener(new FocusAdapter() {
            @Override
            public void focusLost(FocusEvent event) {
                typed(receiver);
            }
        });
    }

    private void typed(Consumer<String> receiver) {
        if (!getText().equals(value))
            receiver.accept(getText());
    }

    /** Shows a text, but leaves what is being typed as long as that is no other one than before; nobody is told. */
    void set(String text) {
        boolean isOther = !text.equals(value);
        value = text;
        if (!getText().equals(text) && (isOther || !isFocusOwner()))
            setText(text);
    }
}

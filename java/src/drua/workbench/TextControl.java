// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import java.awt.event.FocusAdapter;
import java.awt.event.FocusEvent;
import java.util.function.Consumer;
import javax.swing.JTextField;

/** A text field whose value is applied on Enter or when it loses the keyboard focus. */
final class TextControl extends JTextField {
    private static final long serialVersionUID = 1;
    private static final int COLUMNS = 14;

    private String value;

    TextControl(String value, Consumer<String> receiver) {
        super(value, COLUMNS);
        this.value = value;
        addActionListener(event -> readField(receiver));
        addFocusListener(new FocusAdapter() {
            @Override
            public void focusLost(FocusEvent event) {
                readField(receiver);
            }
        });
    }

    private void readField(Consumer<String> receiver) {
        if (!getText().equals(value))
            receiver.accept(getText());
    }

    /** Shows a text without notifying the receiver. If the text is unchanged, text that the user is typing stays. */
    void set(String text) {
        boolean isOther = !text.equals(value);
        value = text;
        if (!getText().equals(text) && (isOther || !isFocusOwner()))
            setText(text);
    }
}

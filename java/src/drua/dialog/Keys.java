// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import java.awt.Component;
import java.awt.Container;
import java.awt.event.ActionEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import javax.swing.AbstractAction;
import javax.swing.AbstractButton;
import javax.swing.JComponent;
import javax.swing.JMenu;
import javax.swing.KeyStroke;

/** Makes Swing windows usable without a mouse. */
public final class Keys {
    private Keys() {}

    /** Runs an effect when a key is pressed in a component and, if isInParts is true, in one of its parts. */
    public static void bind(JComponent on, boolean isInParts, String key, Runnable effect) {
        int when = isInParts ? JComponent.WHEN_ANCESTOR_OF_FOCUSED_COMPONENT : JComponent.WHEN_FOCUSED;
        on.getInputMap(when).put(KeyStroke.getKeyStroke(key), key);
        on.getActionMap().put(key, new AbstractAction() {
            private static final long serialVersionUID = 1;

            @Override
            public void actionPerformed(ActionEvent event) {
                effect.run();
            }
        });
    }

    /**
     * Gives each entry of a menu, and of the menus in it, a letter that chooses it: the first letter of a word if it is
     * free, else any free letter. Entries whose text is a single letter are served first.
     */
    public static void mnemonics(Container menu) {
        StringBuilder taken = new StringBuilder();
        List<AbstractButton> entries = new ArrayList<>();
        for (Component part : menu instanceof JMenu ? ((JMenu) menu).getMenuComponents() : menu.getComponents()) {
            if (part instanceof AbstractButton)
                entries.add((AbstractButton) part);
            if (part instanceof JMenu)
                mnemonics((JMenu) part);
        }
        entries.sort(Comparator.comparing(entry -> entry.getText().replaceAll("\\W", "").length() > 1));
        for (AbstractButton entry : entries) {
            int index = letter(entry.getText().toLowerCase(Locale.ROOT), taken.toString());
            if (index < 0)
                continue;
            taken.append(Character.toLowerCase(entry.getText().charAt(index)));
            entry.setMnemonic(Character.toUpperCase(entry.getText().charAt(index)));
            entry.setDisplayedMnemonicIndex(index);
        }
    }

    private static int letter(String text, String taken) {
        for (boolean isStart : new boolean[] {true, false}) {
            for (int i = 0; i < text.length(); i++) {
                char letter = text.charAt(i);
                boolean fits = !isStart || i == 0 || text.charAt(i - 1) == ' ';
                if (fits && (letter >= 'a' && letter <= 'z' || letter >= '0' && letter <= '9')
                    && taken.indexOf(letter) < 0)
                    return i;
            }
        }
        return -1;
    }

    /** The first part of a component that takes the keyboard focus, or null. */
    public static Component first(Container in) {
        for (Component part : in.getComponents()) {
            Component inside = part instanceof Container ? first((Container) part) : null;
            if (inside != null)
                return inside;
            boolean isEntry = part instanceof JComponent && ((JComponent) part).getInputMap().allKeys() != null;
            if (isEntry && part.isFocusable() && part.isEnabled() && part.isShowing())
                return part;
        }
        return null;
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import java.awt.Checkbox;
import java.awt.Choice;
import java.awt.TextArea;
import java.awt.TextField;
import java.util.Arrays;
import java.util.List;

/** Dialog fields that hold their value without a display. ImageJ's commands read and change some of them. */
public final class HiddenFields {
    private HiddenFields() {}

    private static <T> T make(Class<T> type) {
        try {
            return Unmade.make(type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    public static TextField text(String text) {
        HiddenText field = make(HiddenText.class);
        field.setText(text);
        field.first = field.getText();
        return field;
    }

    /** The initial text of a field of {@link #text}. */
    public static String first(TextField field) {
        return ((HiddenText) field).first;
    }

    public static TextArea area(String text) {
        if (text == null)
            return null;
        TextArea area = make(TextArea.class);
        area.setText(text);
        return area;
    }

    public static Checkbox checkbox(boolean state) {
        Checkbox checkbox = make(Checkbox.class);
        checkbox.setState(state);
        return checkbox;
    }

    /** @param preset the selected item; the first one if null or unknown */
    public static Choice choice(String[] items, String preset) {
        HiddenChoice choice = make(HiddenChoice.class);
        choice.items = Arrays.asList(items);
        choice.select(preset);
        return choice;
    }

    private static final class HiddenText extends TextField {
        private static final long serialVersionUID = 1;
        private String first;
    }

    private static final class HiddenChoice extends Choice {
        private static final long serialVersionUID = 1;
        private transient List<String> items;
        private int selected;

        @Override
        public int getItemCount() {
            return items.size();
        }

        @Override
        public String getItem(int index) {
            return items.get(index);
        }

        @Override
        public String getSelectedItem() {
            return items.isEmpty() ? null : items.get(selected);
        }

        @Override
        public int getSelectedIndex() {
            return items.isEmpty() ? -1 : selected;
        }

        @Override
        public void select(int index) {
            selected = index;
        }

        @Override
        public void select(String item) {
            selected = items.contains(item) ? items.indexOf(item) : selected;
        }
    }
}

// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.NumberEntry;
import drua.dialog.Tint;
import drua.engine.EngineException;
import drua.engine.ParameterWords;
import drua.engine.Registry;
import drua.pipeline.Step;
import java.awt.BorderLayout;
import java.awt.Dimension;
import java.awt.event.FocusAdapter;
import java.awt.event.FocusEvent;
import javax.swing.JPanel;
import javax.swing.JSlider;
import javax.swing.JTextField;
import javax.swing.Timer;

/**
 * A number as a slider over a sensible range, with a text field that accepts any valid number. The range follows the
 * number. The mouse wheel works on both.
 */
final class NumberControl extends JPanel {
    private static final long serialVersionUID = 1;
    private static final int STEPS = 200, REST_MS = 300, SLIDER = 100, NEAR = 16, COLUMNS = 7;
    private static final double PIXELS = 10;

    /** Receives the entries of the user. */
    interface Receiver {
        /** isTurned: more changes will follow soon. */
        void take(double value, boolean isTurned);

        /** Receives why an entry was refused, or "" when the next entry is accepted. */
        void refuse(String sentence);
    }

    private final transient Registry.Operation operation;
    private final transient Registry.Parameter parameter;
    private final transient Receiver receiver;
    private final double[] grey;
    private final JSlider slider = new JSlider(0, STEPS);
    private final JTextField field = new JTextField(COLUMNS);
    private final Timer rest;
    /** The range of the slider, and the number that it was chosen for. */
    private double low, high, kept;
    private double value;
    private boolean isSet, isRefused;

    /** @param grey the range of grey values of the image */
    NumberControl(
        Registry.Operation operation, Registry.Parameter parameter, double value, double[] grey, Receiver receiver) {
        super(new BorderLayout(4, 0));
        this.operation = operation;
        this.parameter = parameter;
        this.grey = grey;
        this.receiver = receiver;
        rest = new Timer(REST_MS, event -> receiver.take(this.value, false));
        rest.setRepeats(false);
        set(value);
        field.setColumns(Math.max(COLUMNS, field.getText().length()));
        slider.addChangeListener(event -> {
            if (!isSet)
                turn(rounded(low + (high - low) * slider.getValue() / slider.getMaximum()),
                    slider.getValueIsAdjusting());
        });
        addMouseWheelListener(event -> wheel(event.getPreciseWheelRotation()));
        field.addActionListener(event -> typed());
        field.addFocusListener(new FocusAdapter() {
            @Override
            public void focusLost(FocusEvent event) {
                typed();
            }
        });
        field.setName(parameter.name);
        slider.setName(parameter.name + " slider");
        setToolTipText(ParameterWords.sentence(parameter));
        slider.setToolTipText(getToolTipText());
        field.setToolTipText(getToolTipText());
        slider.setPreferredSize(new Dimension(SLIDER, slider.getPreferredSize().height));
        add(slider);
        add(field, BorderLayout.EAST);
    }

    /** Sets the range of the slider for a number. It stays while the slider moves, and where it still fits. */
    private void follow(double number) {
        if (slider.getValueIsAdjusting() && number >= low && number <= high)
            return;
        double usual = parameter.preset instanceof Double ? (Double) parameter.preset : 0, now = kept;
        boolean isNear = number >= low && number <= high && Math.abs(number) * NEAR >= Math.max(-low, high);
        range(usual);
        if (number >= low && number <= high)
            return;
        range(isNear ? now : number);
    }

    /**
     * Sets the range of the slider: all valid values if there are few, the image's range for grey values, else a few
     * times a number.
     */
    private void range(double start) {
        double min = parameter.min == null ? -Double.MAX_VALUE : parameter.min,
               max = parameter.max == null ? Double.MAX_VALUE : parameter.max;
        boolean isNarrow = max - min <= 400, isGrey = parameter.unit.equals("grey value");
        if (isNarrow) {
            low = min;
            high = max;
        } else if (isGrey) {
            low = grey[0];
            high = grey[1];
        } else if (parameter.unit.equals("degree")) {
            low = -180;
            high = 180;
        } else {
            low = start < 0 ? 4 * start : 0;
            high = Math.max(PIXELS, 4 * Math.abs(start));
        }
        kept = start;
        low = Math.max(min, Math.min(low, start));
        high = Math.min(max, Math.max(high, start));
        slider.setMaximum(isWhole() ? (int) Math.max(1, Math.min(1000, high - low)) : STEPS);
    }

    private boolean isWhole() {
        return parameter.kind == Registry.Kind.INTEGER;
    }

    private double rounded(double number) {
        double digit = isWhole() ? 1 : Math.pow(10, Math.floor(Math.log10(Math.max(1e-9, high - low) / STEPS)));
        double rounded = Math.rint(number / digit) * digit;
        return Step.exact(Math.max(low, Math.min(high, rounded)));
    }

    /**
     * Shows a number without notifying the receiver. If the number is unchanged, the field keeps a text that the
     * user is typing, and an entry that was refused.
     */
    void set(double number) {
        boolean isTyped = number == value && isRefused || field.isFocusOwner() && (number == value || isShown(number));
        isSet = true;
        value = number;
        follow(number);
        slider.setValue((int) Math.round((number - low) / Math.max(1e-12, high - low) * slider.getMaximum()));
        if (!isTyped) {
            field.setText(Step.number(number));
            field.setForeground(Tint.plain("TextField"));
            isRefused = false;
        }
        isSet = false;
    }

    private boolean isShown(double number) {
        try {
            return NumberEntry.read(operation, parameter, field.getText()) == number;
        } catch (EngineException e) {
            return false;
        }
    }

    private void turn(double number, boolean isTurned) {
        if (number == value && isTurned)
            return;
        set(number);
        receiver.take(number, isTurned);
    }

    private void wheel(double rotation) {
        double step = isWhole() ? 1 : rounded(low + (high - low) / 100) - low;
        turn(rounded(value - Math.signum(rotation) * step), true);
        rest.restart();
    }

    private void typed() {
        boolean wasRefused = isRefused;
        try {
            double number = Step.exact(NumberEntry.read(operation, parameter, field.getText()));
            isRefused = false;
            field.setForeground(Tint.plain("TextField"));
            if (wasRefused)
                receiver.refuse("");
            if (number != value)
                turn(number, false);
        } catch (EngineException e) {
            isRefused = true;
            field.setForeground(Tint.FAILURE.on(field.getBackground()));
            receiver.refuse(e.getMessage());
        }
    }
}

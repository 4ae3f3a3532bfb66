// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.ParameterWords;
import drua.engine.Registry;
import java.awt.BorderLayout;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.event.FocusAdapter;
import java.awt.event.FocusEvent;
import javax.swing.JPanel;
import javax.swing.JSlider;
import javax.swing.JTextField;
import javax.swing.Timer;

/**
 * A number as a slider over a sensible range, with a text field that accepts any valid number. The mouse wheel works on
 * both.
 */
final class NumberControl extends JPanel {
    private static final long serialVersionUID = 1;
    private static final int STEPS = 200, REST_MS = 300, SLIDER = 100;
    private static final double PIXELS = 10;

    /** Receives a number. isTurned: more changes will follow soon. */
    interface Receiver {
        void take(double value, boolean isTurned);
    }

    private final transient Registry.Parameter parameter;
    private final transient Receiver receiver;
    private final JSlider slider = new JSlider(0, STEPS);
    private final JTextField field = new JTextField(7);
    private final Timer rest;
    private double low, high, value;
    private boolean isSet;

    /** @param grey the range of grey values of the image */
    NumberControl(Registry.Parameter parameter, double value, double[] grey, Receiver receiver) {
        super(new BorderLayout(4, 0));
        this.parameter = parameter;
        this.receiver = receiver;
        rest = new Timer(REST_MS, event -> receiver.take(this.value, false));
        rest.setRepeats(false);
        range(value, grey);
        set(value);
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

    /**
     * Sets the range of the slider: all valid values if there are few, the image's range for grey values, else a few
     * times the current value.
     */
    private void range(double start, double[] grey) {
        double least = parameter.min == null ? -Double.MAX_VALUE : parameter.min,
               most = parameter.max == null ? Double.MAX_VALUE : parameter.max;
        boolean isNarrow = most - least <= 400, isGrey = parameter.unit.equals("grey value");
        if (isNarrow) {
            low = least;
            high = most;
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
        low = Math.max(least, Math.min(low, start));
        high = Math.min(most, Math.max(high, start));
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
     * Shows a number without notifying the receiver. If the number is unchanged, text that the user is typing stays.
     */
    void set(double number) {
        boolean isTyped = field.isFocusOwner() && (number == value || isShown(number));
        isSet = true;
        value = number;
        if (number < low || number > high)
            range(number, new double[] {Math.min(low, number), Math.max(high, number)});
        slider.setValue((int) Math.round((number - low) / Math.max(1e-12, high - low) * slider.getMaximum()));
        if (!isTyped) {
            field.setText(Step.number(number));
            field.setForeground(Color.BLACK);
        }
        isSet = false;
    }

    private boolean isShown(double number) {
        try {
            return Double.parseDouble(field.getText().trim()) == number;
        } catch (NumberFormatException e) {
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
        try {
            double number = Step.exact(Double.parseDouble(field.getText().trim()));
            if (number != value)
                turn(number, false);
            field.setForeground(Color.BLACK);
        } catch (NumberFormatException e) {
            field.setForeground(Color.RED);
        }
    }
}

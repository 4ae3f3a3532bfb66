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
 * A number as a slider over a sensible range, with a text field that accepts any valid number. A number outside the
 * range changes the range. The mouse wheel works on both.
 */
final class NumberControl extends JPanel {
    private static final long serialVersionUID = 1;
    private static final int STEPS = 200, REST_MS = 300, SLIDER = 100, MAX_RANGE_FACTOR = 16, COLUMNS = 7;
    private static final double MIN_UPPER_END = 10;

    /** Receives the entries of the user. */
    interface Receiver {
        /** isAdjusting: the user still drags the slider or turns the wheel. */
        void take(double value, boolean isAdjusting);

        /** Receives why an entry was refused, or "" when the next entry is accepted. */
        void refuse(String sentence);
    }

    private final transient Registry.Operation operation;
    private final transient Registry.Parameter parameter;
    private final transient Receiver receiver;
    private final double[] grey;
    private final JSlider slider = new JSlider(0, STEPS);
    private final JTextField field = new JTextField(COLUMNS);
    /** Notifies the receiver when the wheel has been at rest for REST_MS. */
    private final Timer wheelTimer;
    /** The range of the slider, and the number that it was chosen for. */
    private double low, high, rangeNumber;
    private double value;
    private boolean isUpdating, isRefused;

    /** @param grey the range of grey values of the image */
    NumberControl(
        Registry.Operation operation, Registry.Parameter parameter, double value, double[] grey, Receiver receiver) {
        super(new BorderLayout(4, 0));
        this.operation = operation;
        this.parameter = parameter;
        this.grey = grey;
        this.receiver = receiver;
        wheelTimer = new Timer(REST_MS, event -> receiver.take(this.value, false));
        wheelTimer.setRepeats(false);
        set(value);
        field.setColumns(Math.max(COLUMNS, field.getText().length()));
        slider.addChangeListener(event -> {
            if (!isUpdating)
                changeTo(roundToStep(low + (high - low) * slider.getValue() / slider.getMaximum()),
                    slider.getValueIsAdjusting());
        });
        addMouseWheelListener(event -> onWheel(event.getPreciseWheelRotation()));
        field.addActionListener(event -> readField());
        field.addFocusListener(new FocusAdapter() {
            @Override
            public void focusLost(FocusEvent event) {
                readField();
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
     * Sets the range of the slider for a number. The range does not change while the user drags the slider, or if it
     * still suits the number.
     */
    private void fitRangeTo(double number) {
        if (slider.getValueIsAdjusting() && number >= low && number <= high)
            return;
        double usual = parameter.defaultValue instanceof Double ? (Double) parameter.defaultValue : 0,
               previous = rangeNumber;
        boolean isNear = number >= low && number <= high && Math.abs(number) * MAX_RANGE_FACTOR >= Math.max(-low, high);
        setRangeFor(usual);
        if (number >= low && number <= high)
            return;
        setRangeFor(isNear ? previous : number);
    }

    /**
     * Sets the range of the slider: all valid values if there are few, the image's range for grey values, a full
     * rotation for degrees, otherwise 0 to four times a number.
     */
    private void setRangeFor(double start) {
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
            high = Math.max(MIN_UPPER_END, 4 * Math.abs(start));
        }
        rangeNumber = start;
        low = Math.max(min, Math.min(low, start));
        high = Math.min(max, Math.max(high, start));
        slider.setMaximum(isWhole() ? (int) Math.max(1, Math.min(1000, high - low)) : STEPS);
    }

    private boolean isWhole() {
        return parameter.kind == Registry.Kind.INTEGER;
    }

    private double roundToStep(double number) {
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
        isUpdating = true;
        value = number;
        fitRangeTo(number);
        slider.setValue((int) Math.round((number - low) / Math.max(1e-12, high - low) * slider.getMaximum()));
        if (!isTyped) {
            field.setText(Step.number(number));
            field.setForeground(Tint.plain("TextField"));
            isRefused = false;
        }
        isUpdating = false;
    }

    private boolean isShown(double number) {
        try {
            return NumberEntry.read(operation, parameter, field.getText()) == number;
        } catch (EngineException e) {
            return false;
        }
    }

    private void changeTo(double number, boolean isAdjusting) {
        if (number == value && isAdjusting)
            return;
        set(number);
        receiver.take(number, isAdjusting);
    }

    private void onWheel(double rotation) {
        double step = isWhole() ? 1 : roundToStep(low + (high - low) / 100) - low;
        changeTo(roundToStep(value - Math.signum(rotation) * step), true);
        wheelTimer.restart();
    }

    private void readField() {
        boolean wasRefused = isRefused;
        try {
            double number = Step.exact(NumberEntry.read(operation, parameter, field.getText()));
            isRefused = false;
            field.setForeground(Tint.plain("TextField"));
            if (wasRefused)
                receiver.refuse("");
            if (number != value)
                changeTo(number, false);
        } catch (EngineException e) {
            isRefused = true;
            field.setForeground(Tint.FAILURE.on(field.getBackground()));
            receiver.refuse(e.getMessage());
        }
    }
}

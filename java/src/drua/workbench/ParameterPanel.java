// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.engine.EngineException;
import drua.engine.ParameterWords;
import drua.engine.Registry;
import drua.imagej.OptionWords;
import drua.imagej.StepViews;
import drua.pipeline.Session;
import drua.pipeline.Statement;
import drua.pipeline.Step;
import drua.pipeline.Take;
import drua.pipeline.TakenPlanes;
import ij.ImagePlus;
import ij.WindowManager;
import ij.process.ImageProcessor;
import ij.process.ImageStatistics;
import java.awt.BorderLayout;
import java.awt.Component;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.GridBagConstraints;
import java.awt.GridBagLayout;
import java.awt.Insets;
import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.swing.BorderFactory;
import javax.swing.DefaultListCellRenderer;
import javax.swing.JCheckBox;
import javax.swing.JComboBox;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JScrollPane;
import javax.swing.JTextArea;
import javax.swing.Scrollable;

/** The parameters of the selected step as controls. A text between steps is shown as written in the macro. */
final class ParameterPanel extends JPanel {
    private static final long serialVersionUID = 1;
    /** Number of pixels from which the range of sliders for grey values comes. */
    private static final double SAMPLE = 1 << 22;
    /** Lists are as wide as this string; longer names are truncated. */
    private static final String NARROW = "an image of a step";

    /** The key of the setter that chooses the planes of a source. */
    private static final String TAKES = "planes of a source";

    private final transient Session session;
    private final transient Consumer<Runnable> guard;
    /** The displayed items, and for each control the action that sets its value. */
    private transient List<Object> shown = Collections.emptyList();
    private final transient Map<String, Consumer<Object>> setters = new HashMap<>();
    private boolean isSet;

    /** @param guard runs a change and reports why it failed */
    ParameterPanel(Session session, Consumer<Runnable> guard) {
        super(new BorderLayout());
        this.session = session;
        this.guard = guard;
        setBorder(BorderFactory.createEmptyBorder(6, 6, 6, 6));
    }

    void text(Statement text) {
        shown = Collections.emptyList();
        removeAll();
        JTextArea area = new JTextArea(text.source());
        area.setEditable(false);
        area.setFont(new Font(Font.MONOSPACED, Font.PLAIN, 12));
        add(new JLabel(
                "<html>This part of the macro is not a step. It stays unchanged<br>and runs only in the macro.</html>"),
            BorderLayout.NORTH);
        add(new JScrollPane(area));
        refresh();
    }

    /** Shows a step. Existing controls only get new values. */
    void show(Step step) {
        List<String> titles = step != null && step.role() == Step.Role.SOURCE ? titles() : Collections.emptyList();
        List<Object> wanted = step == null ? Collections.emptyList()
                                           : Arrays.asList(step.id, step.command, session.now().imagesBefore(step),
                                               titles, names(step).keySet().isEmpty() ? "" : names(step),
                                               step.role() == Step.Role.SOURCE ? takeChoices(step) : "");
        if (wanted.equals(shown) && step != null) {
            isSet = true;
            for (int i = 0; i < step.values.size(); i++) {
                Consumer<Object> setter = setters.get(step.command.arguments.get(i).name);
                if (setter != null)
                    setter.accept(step.values.get(i));
            }
            if (setters.containsKey(TAKES))
                setters.get(TAKES).accept(session.take(step));
            isSet = false;
            return;
        }
        shown = wanted;
        setters.clear();
        removeAll();
        if (step != null)
            build(step);
        refresh();
    }

    private void refresh() {
        revalidate();
        repaint();
    }

    private void build(Step step) {
        JPanel grid = new JPanel(new GridBagLayout());
        boolean isSource = step.role() == Step.Role.SOURCE;
        JLabel head = new JLabel("<html><b>" + (isSource ? "Image" : step.command.operation.title()) + "</b></html>");
        isSet = true;
        if (isSource) {
            row(grid, "image", sourceBox(step), "");
            if (takeChoices(step).size() > 1)
                row(grid, "takes", takeBox(step), "");
        }
        for (int i = 0; i < step.values.size() && !isSource; i++)
            argument(grid, step, i);
        isSet = false;
        JPanel top = new JPanel(new BorderLayout()), all = new Tall();
        top.add(head, BorderLayout.NORTH);
        top.add(grid);
        top.add(summary(isSource ? "An open image as source." : step.command.operation.summary), BorderLayout.SOUTH);
        all.add(top, BorderLayout.NORTH);
        JScrollPane scroll =
            new JScrollPane(all, JScrollPane.VERTICAL_SCROLLBAR_AS_NEEDED, JScrollPane.HORIZONTAL_SCROLLBAR_NEVER);
        scroll.setBorder(null);
        scroll.setName("parameters");
        add(scroll);
    }

    /** As wide as its scroll pane, so that texts wrap there. */
    private static final class Tall extends JPanel implements Scrollable {
        private static final long serialVersionUID = 1;
        private static final int LINE = 16;

        Tall() {
            super(new BorderLayout());
        }

        @Override
        public Dimension getPreferredScrollableViewportSize() {
            return getPreferredSize();
        }

        @Override
        public int getScrollableUnitIncrement(Rectangle visible, int orientation, int direction) {
            return LINE;
        }

        @Override
        public int getScrollableBlockIncrement(Rectangle visible, int orientation, int direction) {
            return visible.height;
        }

        @Override
        public boolean getScrollableTracksViewportWidth() {
            return true;
        }

        @Override
        public boolean getScrollableTracksViewportHeight() {
            return false;
        }
    }

    /** A text area with as many lines as the text needs. */
    private static JTextArea summary(String text) {
        JTextArea area = new JTextArea(text) {
            private static final long serialVersionUID = 1;

            @Override
            public void scrollRectToVisible(Rectangle caret) {
                /* otherwise, the panel would scroll down to the text */
            }
        };
        area.setName("summary");
        area.setFont(new JLabel().getFont().deriveFont(Font.PLAIN));
        area.setLineWrap(true);
        area.setWrapStyleWord(true);
        area.setOpaque(false);
        area.setEditable(false);
        area.setFocusable(false);
        return area;
    }

    private static void row(JPanel grid, String name, Component control, String unit) {
        GridBagConstraints at = new GridBagConstraints();
        at.insets = new Insets(3, 2, 3, 2);
        at.gridy = grid.getComponentCount();
        at.gridx = 0;
        at.anchor = GridBagConstraints.WEST;
        grid.add(new JLabel(name.replace('_', ' ')), at);
        at.gridx = 1;
        at.weightx = 1;
        at.fill = GridBagConstraints.HORIZONTAL;
        grid.add(control, at);
        at.gridx = 2;
        at.weightx = 0;
        grid.add(new JLabel(unit), at);
    }

    private void argument(JPanel grid, Step step, int i) {
        Registry.Parameter p = step.parameter(i);
        if (p == null || step.command.arguments.get(i).kind.isOutput())
            return;
        BiConsumer<Object, Boolean> change = (value, isTurned) -> {
            if (!isSet)
                guard.accept(() -> session.turn(step, i, value, isTurned));
        };
        if (p.kind == Registry.Kind.IMAGE_IN) {
            row(grid, p.name, image(step, p, (String) step.values.get(i), change), "");
        } else if (p.kind == Registry.Kind.OPTIONS && !p.settings.isEmpty()) {
            settings(grid, step, p, (String) step.values.get(i), change);
        } else {
            row(grid, p.name, control(p, p.name, step.values.get(i), step, change), p.unit);
        }
    }

    /** The controls of settings and the options text that they form. */
    private void settings(
        JPanel grid, Step step, Registry.Parameter options, String text, BiConsumer<Object, Boolean> change) {
        Map<Registry.Parameter, Object> values = new LinkedHashMap<>();
        Consumer<String> read = now -> {
            Map<String, String> given = OptionWords.of(options, now);
            options.settings.forEach(p -> values.put(p, value(p, given.get(p.name))));
        };
        read.accept(text);
        for (Registry.Parameter p : options.settings) {
            row(grid, p.name,
                control(p, options.name + " " + p.name, entry(values.get(p)), step, (entered, isTurned) -> {
                    values.put(p, p.kind == Registry.Kind.BOOLEAN ? (Object) ((Double) entered != 0) : entered);
                    Map<String, Object> named = new HashMap<>();
                    values.forEach((setting, v) -> named.put(setting.name, v));
                    change.accept(ParameterWords.options(values, named::get), isTurned);
                }), p.unit);
        }
        setters.put(options.name, now -> {
            read.accept((String) now);
            options.settings.forEach(p -> setters.get(options.name + " " + p.name).accept(entry(values.get(p))));
        });
    }

    /** Converts a value to the form that controls use. */
    private static Object entry(Object value) {
        return value instanceof Boolean ? (Boolean) value ? 1.0 : 0.0 : value;
    }

    /**
     * The value of a setting from a text, or null for an empty text. Running the step reports text that is not a
     * number.
     */
    private static Object value(Registry.Parameter p, String given) {
        try {
            if (given == null)
                return ParameterWords.preset(p);
            if (p.kind == Registry.Kind.BOOLEAN)
                return (Object) given.matches("(?i)true|1");
            if (p.kind.isNumber())
                return (Object) Double.valueOf(given);
            return given;
        } catch (NumberFormatException e) {
            return ParameterWords.preset(p);
        }
    }

    private Component control(
        Registry.Parameter p, String key, Object value, Step step, BiConsumer<Object, Boolean> change) {
        List<String> choices = ParameterWords.choices(p);
        if (p.kind == Registry.Kind.BOOLEAN) {
            JCheckBox box = new JCheckBox("", value instanceof Double && (Double) value != 0);
            box.addActionListener(event -> change.accept(box.isSelected() ? 1.0 : 0.0, false));
            setters.put(key, v -> box.setSelected((Double) v != 0));
            return withToolTip(box, p);
        }
        if (p.kind.isNumber()) {
            NumberControl number = new NumberControl(step.command.operation, p,
                value instanceof Double ? (Double) value : 0, displayRange(step), new NumberControl.Receiver() {
                    @Override
                    public void take(double entered, boolean isTurned) {
                        change.accept(entered, isTurned);
                    }

                    @Override
                    public void refuse(String sentence) {
                        guard.accept(() -> failIf(sentence));
                    }
                });
            setters.put(key, v -> number.set((Double) v));
            return number;
        }
        if (!choices.isEmpty()) {
            JComboBox<String> box = list(choices);
            box.setSelectedItem(value);
            box.addActionListener(event -> change.accept(box.getSelectedItem(), false));
            setters.put(key, v -> box.setSelectedItem(v));
            return withToolTip(box, p);
        }
        TextControl field =
            new TextControl(value == null ? "" : value.toString(), entered -> change.accept(entered, false));
        setters.put(key, v -> field.set(v == null ? "" : v.toString()));
        return withToolTip(field, p);
    }

    private static void failIf(String sentence) {
        if (!sentence.isEmpty())
            throw new EngineException(sentence);
    }

    private static javax.swing.JComponent withToolTip(javax.swing.JComponent component, Registry.Parameter p) {
        component.setToolTipText(ParameterWords.sentence(p));
        component.setName(p.name);
        return component;
    }

    /** The display range of the first source, for sliders. */
    private double[] displayRange(Step step) {
        for (Step source : session.now().steps(Step.Role.SOURCE)) {
            ImagePlus image = session.image(source);
            if (image == null || image.getProcessor() == null)
                continue;
            ImageStatistics range = sample(image.getProcessor()).getStats();
            return new double[] {Math.min(0, range.min), Math.max(1, range.max)};
        }
        return new double[] {0, step.values.isEmpty() ? 1 : 255};
    }

    /** An image of few pixels with about the same grey values, so that a large image does not delay the windows. */
    private static ImageProcessor sample(ImageProcessor pixels) {
        double scale = Math.sqrt(SAMPLE / pixels.getPixelCount());
        return scale >= 1
            ? pixels
            : pixels.resize((int) Math.ceil(scale * pixels.getWidth()), (int) Math.ceil(scale * pixels.getHeight()));
    }

    // ---- images

    private JComboBox<String> image(Step step, Registry.Parameter p, String value, BiConsumer<Object, Boolean> change) {
        Map<String, String> names = names(step);
        JComboBox<String> box = list(names.values());
        List<String> images = new ArrayList<>(names.keySet());
        box.setPrototypeDisplayValue(NARROW);
        box.setSelectedIndex(images.indexOf(value));
        box.addActionListener(event -> change.accept(images.get(box.getSelectedIndex()), false));
        setters.put(p.name, v -> box.setSelectedIndex(images.indexOf(v)));
        withToolTip(box, p);
        return box;
    }

    /** Images that the step may read, by the names that users see. */
    private Map<String, String> names(Step step) {
        Map<String, String> names = new LinkedHashMap<>();
        for (String image : session.now().imagesBefore(step))
            names.put(image, StepRow.name(session, session.now().maker(image)) + " (" + image + ")");
        return names;
    }

    /** Prevents Swing from treating a title that begins with <html> as HTML. */
    private static JComboBox<String> list(Collection<String> texts) {
        JComboBox<String> box = new JComboBox<>(texts.toArray(new String[0]));
        DefaultListCellRenderer renderer = new DefaultListCellRenderer();
        renderer.putClientProperty("html.disable", true);
        box.setRenderer(renderer);
        return box;
    }

    private static List<String> titles() {
        return StepViews.images().stream().map(ImagePlus::getTitle).collect(Collectors.toList());
    }

    private List<Take> takeChoices(Step source) {
        return TakenPlanes.choices(session.now(), source, session.image(source));
    }

    private JComboBox<String> takeBox(Step source) {
        List<Take> takes = takeChoices(source);
        JComboBox<String> box = list(takes.stream().map(take -> take.label).collect(Collectors.toList()));
        box.setPrototypeDisplayValue(NARROW);
        box.setName("takes");
        box.setToolTipText("Which channels and frames the macro processes. The workbench always shows the displayed "
            + "channel and frame.");
        box.setSelectedItem(session.take(source).label);
        box.addActionListener(event -> {
            Take chosen = takes.get(box.getSelectedIndex());
            if (!isSet && chosen != session.take(session.now().step(source.id)))
                guard.accept(() -> session.take(source, chosen));
        });
        setters.put(TAKES, now -> box.setSelectedItem(((Take) now).label));
        return box;
    }

    private JComboBox<String> sourceBox(Step step) {
        List<String> titles = titles();
        ImagePlus image = session.image(step);
        JComboBox<String> box = list(titles);
        box.setPrototypeDisplayValue(NARROW);
        box.setSelectedItem(image == null ? null : image.getTitle());
        box.setName("image");
        box.addActionListener(event -> {
            ImagePlus chosen = isSet ? null : WindowManager.getImage((String) box.getSelectedItem());
            if (chosen != null)
                guard.accept(() -> session.choose(step, chosen));
        });
        return box;
    }
}

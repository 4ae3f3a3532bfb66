// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.Tint;
import drua.pipeline.ImageJCommand;
import drua.pipeline.ImageKinds;
import drua.pipeline.Kinds;
import drua.pipeline.Pictures;
import drua.pipeline.Result;
import drua.pipeline.Session;
import drua.pipeline.Statement;
import drua.pipeline.Step;
import ij.ImagePlus;
import java.awt.Color;
import java.awt.Component;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Graphics;
import java.awt.image.BufferedImage;
import java.util.Locale;
import java.util.Collections;
import java.util.Map;
import java.util.stream.Collectors;
import javax.swing.JComponent;
import javax.swing.JList;
import javax.swing.ListCellRenderer;

/**
 * A row in the list of steps: lines from its input images, picture, name, kind, size and time, or the reason for a
 * missing result.
 */
final class StepRow extends JComponent implements ListCellRenderer<Statement> {
    private static final long serialVersionUID = 1;
    private static final int HEIGHT = Pictures.SMALL + 6, TEXT_HEIGHT = 20, WIDTH = 200;
    private static final Color OFF = Color.GRAY;

    private final transient Session session;
    private transient Branches branches;
    private transient Map<Integer, Float> values = Collections.emptyMap();
    private transient Statement statement;
    private int row;
    private boolean isFocused;

    StepRow(Session session) {
        this.session = session;
        setOpaque(true);
    }

    /** Shows a number at the right of each step, by step id: the pixel under the mouse. */
    void values(Map<Integer, Float> probed) {
        values = probed;
    }

    void branches(Branches now) {
        branches = now;
    }

    /** The name of a step as shown to users. */
    static String name(Session session, Step step) {
        ImagePlus image = step.role() == Step.Role.SOURCE ? session.image(step) : null;
        if (step.role() != Step.Role.SOURCE)
            return step.name();
        if (image != null)
            return image.getTitle();
        if (step.title != null)
            return step.title;
        return "an image";
    }

    @Override
    public Component getListCellRendererComponent(
        JList<? extends Statement> list, Statement value, int index, boolean isSelected, boolean hasFocus) {
        statement = value;
        row = index;
        isFocused = hasFocus;
        setBackground(isSelected ? list.getSelectionBackground() : list.getBackground());
        setForeground(isSelected ? list.getSelectionForeground() : list.getForeground());
        setPreferredSize(new Dimension(WIDTH, value instanceof Step ? HEIGHT : TEXT_HEIGHT));
        Result result = value instanceof Step ? session.live().result(((Step) value).id) : null;
        setToolTipText(result == null || result.failure.isEmpty() ? null : result.failure);
        return this;
    }

    @Override
    protected void paintComponent(Graphics graphics) {
        graphics.setColor(getBackground());
        graphics.fillRect(0, 0, getWidth(), getHeight());
        branches.paint(
            (Graphics2D) graphics, row, getHeight(), statement instanceof Step ? Tint.MARK.on(getBackground()) : null);
        if (isFocused) {
            graphics.setColor(getForeground());
            graphics.drawRect(0, 0, getWidth() - 1, getHeight() - 1);
        }
        int x = branches.width() + 4;
        if (statement instanceof Step) {
            paint((Graphics2D) graphics, (Step) statement, x);
            return;
        }
        graphics.setColor(OFF);
        graphics.setFont(new Font(Font.MONOSPACED, Font.ITALIC, 11));
        graphics.drawString(firstLine(statement.source()), x, getHeight() - 6);
    }

    private static String firstLine(String text) {
        String[] lines = text.trim().split("\n");
        return lines[0] + (lines.length > 1 ? " ..." : "");
    }

    private void paint(Graphics2D graphics, Step step, int x) {
        Result result = session.live().result(step.id);
        BufferedImage picture = TablePicture.or(result == null ? null : result.picture(), step.command.operation);
        if (picture != null)
            graphics.drawImage(
                picture, x + (Pictures.SMALL - picture.getWidth()) / 2, (HEIGHT - picture.getHeight()) / 2, null);
        int left = x + Pictures.SMALL + 6;
        boolean failed = result != null && !result.failure.isEmpty() && step.on;
        graphics.setFont(getFont().deriveFont(Font.BOLD, 12f));
        graphics.setColor(step.on ? getForeground() : OFF);
        String name = cutToWidth(name(session, step), graphics, left);
        graphics.drawString(name, left, HEIGHT / 2 - 5);
        if (!step.on)
            graphics.drawLine(left, HEIGHT / 2 - 9, left + graphics.getFontMetrics().stringWidth(name), HEIGHT / 2 - 9);
        graphics.setFont(getFont().deriveFont(Font.PLAIN, 11f));
        graphics.setColor(failed ? Tint.FAILURE.on(getBackground()) : step.on ? getForeground() : OFF);
        String state = failed ? result.failure : result == null ? "" : describe(session, step, result);
        graphics.drawString(cutToWidth(step.on ? state : "off", graphics, left), left, HEIGHT / 2 + 12);
        if (values.containsKey(step.id))
            paint(graphics, values.get(step.id));
        if (session.now().isShown(step))
            graphics.drawString("\u25a3", getWidth() - 16, HEIGHT / 2 - 5);
    }

    /** Paints a pixel's value over the end of the second line. */
    private void paint(Graphics2D graphics, float value) {
        String text = value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value)
                                                : String.format(Locale.ROOT, "%.5g", value);
        graphics.setFont(getFont().deriveFont(Font.BOLD, 12f));
        int width = graphics.getFontMetrics().stringWidth(text), height = graphics.getFontMetrics().getHeight();
        graphics.setColor(getBackground());
        graphics.fillRect(getWidth() - width - 8, HEIGHT / 2 + 1, width + 8, height);
        graphics.setColor(Tint.NOTE.on(getBackground()));
        graphics.drawString(text, getWidth() - width - 4, HEIGHT / 2 + 12);
    }

    /** Cuts a text to the available width. */
    private String cutToWidth(String text, Graphics graphics, int left) {
        int room = getWidth() - left - 20, length = text.length();
        while (length > 0 && graphics.getFontMetrics().stringWidth(text.substring(0, length)) > room)
            length--;
        return length == text.length() ? text : text.substring(0, length) + "...";
    }

    private static String describe(Session session, Step step, Result result) {
        String numbers = result.found.entrySet().stream().map(StepRow::describe).collect(Collectors.joining(", "));
        String time = result.milliseconds == 0
            ? ""
            : String.format(Locale.ROOT, result.milliseconds < 10 ? ", %.1f ms" : ", %.0f ms", result.milliseconds);
        if (result.info == null)
            return (result.table != null ? result.table.size() + " rows" + (numbers.isEmpty() ? "" : ", ") : "")
                + numbers + time;
        long[] i = result.info;
        Kinds.Kind kind = i[6] == 1 ? Kinds.Kind.LABELS : ImageKinds.of(session.now(), step.images().get(0));
        ImagePlus source = step.role() == Step.Role.SOURCE ? session.image(step) : null;
        boolean isColour = source != null && source.getType() == ImagePlus.COLOR_RGB;
        return (isColour ? "colours as slices" : kind.name().toLowerCase(Locale.ROOT)) + ", " + i[0] + " x " + i[1]
            + (i[2] > 1 ? " x " + i[2] : "") + (numbers.isEmpty() ? "" : ", " + numbers) + time;
    }

    private static String describe(Map.Entry<String, Object> found) {
        return found.getKey().replaceAll("\\d+$", "").replace('_', ' ') + " "
            + (found.getValue() instanceof Double ? String.format(Locale.ROOT, "%.6g", (Double) found.getValue())
                                                  : found.getValue());
    }
}

// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import java.awt.Color;
import java.awt.Component;
import java.awt.Container;
import java.awt.event.ActionEvent;
import java.awt.image.BufferedImage;
import javax.swing.AbstractButton;
import javax.swing.JComboBox;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JTable;
import javax.swing.JTextField;
import javax.swing.UIManager;
import javax.swing.plaf.ColorUIResource;
import javax.swing.plaf.metal.DefaultMetalTheme;
import javax.swing.plaf.metal.MetalLookAndFeel;

/** All texts of the workbench can be read in a dark look, such as FlatLaf's in Fiji. */
public final class DarkTest extends WorkbenchHands {
    /** The least ratio of luminances for bold or large text (WCAG 2.1). */
    private static final double LEAST = 3;

    private DarkTest() {}

    private static final class Dark extends DefaultMetalTheme {
        @Override
        protected ColorUIResource getBlack() {
            return new ColorUIResource(0xdddddd);
        }

        @Override
        protected ColorUIResource getWhite() {
            return new ColorUIResource(0x202428);
        }

        @Override
        protected ColorUIResource getSecondary3() {
            return new ColorUIResource(0x303438);
        }

        @Override
        protected ColorUIResource getSecondary2() {
            return new ColorUIResource(0x50585f);
        }

        @Override
        protected ColorUIResource getSecondary1() {
            return new ColorUIResource(0x808890);
        }

        @Override
        protected ColorUIResource getPrimary3() {
            return new ColorUIResource(0x2f4f6f);
        }
    }

    public static void main(String[] args) throws Exception {
        MetalLookAndFeel.setCurrentTheme(new Dark());
        UIManager.setLookAndFeel(new MetalLookAndFeel());
        Person.start(false);
        IJ.runMacro(
            "newImage('cells', '8-bit black', 200, 150, 1); for (i = 0; i < 6; i++) { setColor(100 + 20 * i);".replace(
                '\'', '"')
            + " fillRect(10 + 30 * i, 20 + 15 * i, 8 + 2 * i, 12); }");
        openWorkbench();
        type("blur", "Gaussian Blur", "Add");
        type("otsu", "Automatic Threshold", "Add");
        type("label", "Connected Components Box", "Add");
        type("statistics", "Statistics of Labelled Pixels", "Add");
        Person.waitFor(() -> named(JTable.class, "measured").getRowCount() == 6);
        Person.pause(2000);
        Person.photograph("dark");
        Person.expect("texts", read(frame()) > 20);
        refused();
        rowsOfSteps();
        Person.leave();
    }

    /** Fails for each text that hardly differs from its background; returns the number of texts. */
    private static int read(Container in) {
        int count = 0;
        for (Component part : in.getComponents()) {
            boolean isText = part instanceof JLabel || part instanceof AbstractButton || part instanceof JTextField
                || part instanceof JTable || part instanceof JList || part instanceof JComboBox;
            if (isText && part.isShowing() && part.isEnabled()) {
                count++;
                Person.expect("the text of " + part.getName() + " " + part.getClass().getSimpleName() + ", "
                        + part.getForeground() + " on " + part.getBackground(),
                    contrast(part.getForeground(), part.getBackground()) >= LEAST);
            }
            count += part instanceof Container ? read((Container) part) : 0;
        }
        return count;
    }

    private static double contrast(Color a, Color b) {
        double one = luminance(a), other = luminance(b);
        return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    }

    private static double luminance(Color colour) {
        return 0.2126 * linear(colour.getRed()) + 0.7152 * linear(colour.getGreen())
            + 0.0722 * linear(colour.getBlue());
    }

    private static double linear(int value) {
        double part = value / 255.0;
        return part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
    }

    /** An error is red on the dark background. */
    private static void refused() {
        event(() -> named(JList.class, "steps").setSelectedIndex(1));
        Person.waitFor(() -> named(JTextField.class, "sigma_x") != null);
        event(() -> {
            JTextField field = named(JTextField.class, "sigma_x");
            field.setText("-5");
            for (java.awt.event.ActionListener listener : field.getActionListeners())
                listener.actionPerformed(new ActionEvent(field, ActionEvent.ACTION_PERFORMED, ""));
        });
        Person.waitFor(() -> !status().isEmpty());
        Person.expect("the error names sigma_x: " + status(), status().contains("sigma_x"));
        Person.photograph("dark-error");
        read(frame());
    }

    /** Each row has pixels that differ much from its background on the right, where its text is. */
    private static void rowsOfSteps() {
        JList<?> steps = named(JList.class, "steps");
        BufferedImage picture = new BufferedImage(steps.getWidth(), steps.getHeight(), BufferedImage.TYPE_INT_RGB);
        event(() -> steps.paint(picture.createGraphics()));
        for (int row = 0; row < 5; row++) {
            java.awt.Rectangle at = steps.getCellBounds(row, row);
            Color back = new Color(picture.getRGB(at.x + at.width - 4, at.y + 3));
            double max = 0;
            for (int y = at.y; y < at.y + at.height; y++) {
                for (int x = at.x + 110; x < at.x + at.width; x++)
                    max = Math.max(max, contrast(new Color(picture.getRGB(x, y)), back));
            }
            Person.expect("the text of row " + row + " on " + back, max >= LEAST);
        }
    }
}

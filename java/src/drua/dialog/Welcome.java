// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import ij.IJ;
import ij.Prefs;
import java.awt.BorderLayout;
import java.awt.Dimension;
import java.awt.EventQueue;
import java.awt.FlowLayout;
import java.awt.Font;
import java.awt.GraphicsEnvironment;
import java.awt.GridLayout;
import java.awt.Rectangle;
import java.net.URL;
import javax.swing.BorderFactory;
import javax.swing.ImageIcon;
import javax.swing.JButton;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.SwingConstants;

/**
 * Introduces Drua in three pictures. The window opens once, with the first of Drua's dialogs, and does not take the
 * keyboard focus.
 */
public final class Welcome extends JFrame {
    private static final long serialVersionUID = 1;
    private static final String SEEN = "drua.welcome";
    private static final int GAP = 12, WIDTH = 360; /* of a picture, in pixels */
    private static final String[][] PICTURES = {
        {"dialog", "Preview an operation",
            "Operations in Plugins&nbsp;&gt;&nbsp;Drua that make one image from one image can preview their result on "
                + "the current slice. Press Escape to stop long computations."},
        {"workbench", "Build a pipeline and watch every step",
            "Plugins&nbsp;&gt;&nbsp;Drua&nbsp;&gt;&nbsp;Workbench shows the result of every step. Change a number, "
                + "and all later steps are updated."},
        {"recorder", "Record a macro",
            "ImageJ's Recorder writes macro lines that repeat your work: here, on a folder of images, or on a "
                + "computer without a display."}};

    /**
     * Shows the window, except if it was shown before, a macro runs, or Java has no display.
     *
     * @param find opens the window that finds operations
     */
    static void once(Runnable find) {
        if (GraphicsEnvironment.isHeadless() || IJ.isMacro() || Prefs.get(SEEN, false))
            return;
        Prefs.set(SEEN, true);
        Prefs.savePreferences();
        EventQueue.invokeLater(() -> new Welcome(find));
    }

    private Welcome(Runnable find) {
        super("Welcome to Drua");
        setDefaultCloseOperation(DISPOSE_ON_CLOSE);
        setAutoRequestFocus(false);
        JPanel pictures = new JPanel(new GridLayout(1, PICTURES.length, GAP, GAP));
        for (String[] picture : PICTURES)
            pictures.add(labelWithPicture(picture[0], picture[1], picture[2]));
        JButton finder = new JButton("Find an operation"), close = new JButton("Close");
        finder.setMnemonic('F');
        close.setMnemonic('C');
        finder.addActionListener(event -> find.run());
        close.addActionListener(event -> dispose());
        JPanel buttons = new JPanel(new FlowLayout(FlowLayout.RIGHT));
        buttons.add(finder);
        buttons.add(close);
        JPanel all = new JPanel(new BorderLayout(GAP, GAP));
        all.setBorder(BorderFactory.createEmptyBorder(GAP, GAP, GAP, GAP));
        all.add(pictures);
        all.add(buttons, BorderLayout.SOUTH);
        setContentPane(all);
        pack();
        Rectangle screen = GraphicsEnvironment.getLocalGraphicsEnvironment().getMaximumWindowBounds();
        Dimension size = getSize();
        setLocation(screen.x + Math.max(0, (screen.width - size.width) / 2),
            screen.y + Math.max(0, screen.height - size.height));
        setVisible(true);
    }

    /** The pictures and their texts as a page of HTML. */
    static String page() {
        StringBuilder page = new StringBuilder("<h1>Drua</h1>");
        for (String[] picture : PICTURES)
            page.append("<h2>")
                .append(picture[1])
                .append("</h2><p>")
                .append(picture[2])
                .append("</p><p><img src='")
                .append(Welcome.class.getResource("/drua/welcome/" + picture[0] + ".png"))
                .append("'></p>");
        return page.toString();
    }

    private static JLabel labelWithPicture(String file, String title, String text) {
        URL picture = Welcome.class.getResource("/drua/welcome/" + file + ".png");
        JLabel label =
            new JLabel("<html><div width=" + WIDTH * 17 / 20 + "><b>" + title + "</b><br>" + text + "</div></html>",
                picture == null ? null : new ImageIcon(picture), SwingConstants.CENTER);
        label.setName(file);
        label.setFont(label.getFont().deriveFont(Font.PLAIN));
        label.setVerticalTextPosition(SwingConstants.BOTTOM);
        label.setHorizontalTextPosition(SwingConstants.CENTER);
        label.setVerticalAlignment(SwingConstants.TOP);
        label.setIconTextGap(GAP);
        return label;
    }
}

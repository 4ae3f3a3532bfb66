// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.pipeline.Preset;
import ij.ImagePlus;
import java.awt.Color;
import java.awt.Component;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.net.URL;
import java.util.List;
import javax.swing.BorderFactory;
import javax.swing.DefaultListCellRenderer;
import javax.swing.ImageIcon;
import javax.swing.JButton;
import javax.swing.JDialog;
import javax.swing.JFrame;
import javax.swing.JList;
import javax.swing.JOptionPane;
import javax.swing.JScrollPane;
import javax.swing.ListSelectionModel;
import javax.swing.SwingUtilities;

/** Asks for a preset: a list with picture, name and sentence. A preset that does not fit the image says why. */
final class PresetDialog {
    private static final int TEXT = 380, GAP = 12;

    private final ImagePlus image;
    private final JButton open = new JButton("Open"), cancel = new JButton("Cancel");
    private final JList<Preset> list;
    private Preset chosen;

    private PresetDialog(ImagePlus image) {
        this.image = image;
        List<Preset> presets = Preset.all();
        list = new JList<>(presets.toArray(new Preset[0]));
        list.setName("presets");
        list.setSelectionMode(ListSelectionModel.SINGLE_SELECTION);
        list.setCellRenderer(new Row());
        list.addListSelectionListener(event -> open.setEnabled(isPossible()));
        list.addMouseListener(new MouseAdapter() {
            @Override
            public void mouseClicked(MouseEvent event) {
                if (event.getClickCount() == 2 && isPossible())
                    open.doClick();
            }
        });
        list.setSelectedIndex(0);
    }

    private boolean isPossible() {
        return list.getSelectedValue() != null && list.getSelectedValue().refusal(image).isEmpty();
    }

    /** The preset that the user chooses for an image, or null. */
    static Preset ask(JFrame frame, ImagePlus image) {
        PresetDialog asked = new PresetDialog(image);
        String title = "Start from a Preset" + (image == null ? "" : " - " + image.getTitle());
        JScrollPane scroll = new JScrollPane(asked.list);
        Dimension all = asked.list.getPreferredSize();
        scroll.setPreferredSize(new Dimension(all.width + GAP, all.height + GAP / 2));
        JOptionPane pane = new JOptionPane(scroll, JOptionPane.PLAIN_MESSAGE, JOptionPane.DEFAULT_OPTION, null,
            new Object[] {asked.open, asked.cancel}, asked.open);
        JDialog dialog = pane.createDialog(frame, title);
        asked.open.addActionListener(event -> {
            asked.chosen = asked.list.getSelectedValue();
            dialog.dispose();
        });
        asked.cancel.addActionListener(event -> dialog.dispose());
        SwingUtilities.invokeLater(asked.list::requestFocusInWindow);
        dialog.setVisible(true);
        return asked.chosen;
    }

    /** A preset with its picture; grey with the reason if it does not fit the image. */
    private final class Row extends DefaultListCellRenderer {
        private static final long serialVersionUID = 1;

        @Override
        public Component getListCellRendererComponent(
            JList<?> of, Object value, int index, boolean isSelected, boolean hasFocus) {
            Preset preset = (Preset) value;
            String refusal = preset.refusal(image);
            String text = "<html><body style='width: " + TEXT + "px'><b>" + preset.name + "</b><br>" + preset.sentence
                + (refusal.isEmpty() ? "" : "<br><i>Not for this image: " + refusal + ".</i>") + "</body></html>";
            super.getListCellRendererComponent(of, text, index, isSelected, hasFocus);
            URL picture = preset.picture();
            setIcon(picture == null ? null : new ImageIcon(picture));
            setIconTextGap(GAP);
            setFont(getFont().deriveFont(Font.PLAIN));
            setBorder(BorderFactory.createEmptyBorder(GAP / 2, GAP / 2, GAP / 2, GAP / 2));
            if (!refusal.isEmpty() && !isSelected)
                setForeground(Color.GRAY);
            return this;
        }
    }
}

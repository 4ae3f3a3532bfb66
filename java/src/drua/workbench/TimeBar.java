// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.pipeline.Session;
import ij.ImagePlus;
import java.awt.BorderLayout;
import java.awt.event.KeyEvent;
import javax.swing.BorderFactory;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JSlider;
import javax.swing.JToggleButton;
import javax.swing.Timer;

/**
 * The slider for the frame of the first source, which it also plays. While it plays, the next frame comes as soon as
 * the steps of the current one are computed. The slider is hidden for images of one frame.
 */
final class TimeBar extends JPanel {
    private static final long serialVersionUID = 1;
    private static final int FRAME_MS = 100;

    private final transient Session session;
    private final JToggleButton play = new JToggleButton("Play");
    private final JSlider slider = new JSlider(1, 2, 1);
    private final JLabel place = new JLabel();
    private final Timer next = new Timer(FRAME_MS, event -> showNextFrame());
    private boolean isSet;

    TimeBar(Session session) {
        super(new BorderLayout(6, 0));
        this.session = session;
        setBorder(BorderFactory.createEmptyBorder(2, 6, 0, 6));
        play.setMnemonic(KeyEvent.VK_L);
        play.setName("play");
        play.setToolTipText("Play the frames of the image; each is shown when its steps are computed");
        play.addActionListener(event -> run(play.isSelected()));
        slider.setName("frame");
        slider.setToolTipText("The frame of the image that all steps process");
        slider.addChangeListener(event -> {
            if (!isSet)
                show(slider.getValue());
        });
        add(play, BorderLayout.WEST);
        add(slider);
        add(place, BorderLayout.EAST);
        setVisible(false);
    }

    /** Follows the image. */
    void update() {
        ImagePlus image = session.firstImage();
        boolean isMovie = image != null && image.getNFrames() > 1;
        if (isMovie != isVisible())
            setVisible(isMovie);
        if (!isMovie) {
            run(false);
            return;
        }
        isSet = true;
        slider.setMaximum(image.getNFrames());
        slider.setValue(image.getFrame());
        isSet = false;
        place.setText("frame " + image.getFrame() + " of " + image.getNFrames());
    }

    private void show(int frame) {
        ImagePlus image = session.firstImage();
        if (image != null && frame != image.getFrame())
            image.setT(frame);
        update();
    }

    private void showNextFrame() {
        if (session.live().isDone())
            show(slider.getValue() == slider.getMaximum() ? 1 : slider.getValue() + 1);
    }

    private void run(boolean isOn) {
        play.setSelected(isOn);
        play.setText(isOn ? "Stop" : "Play");
        if (isOn)
            next.start();
        else
            next.stop();
    }

    void close() {
        next.stop();
    }
}

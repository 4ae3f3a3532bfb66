// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import ij.IJ;
import ij.ImagePlus;
import ij.process.ColorProcessor;
import java.awt.BorderLayout;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.EventQueue;
import java.awt.GridLayout;
import java.awt.Rectangle;
import java.awt.Window;
import java.awt.event.WindowAdapter;
import java.awt.event.WindowEvent;
import java.util.function.UnaryOperator;
import javax.swing.BorderFactory;
import javax.swing.JButton;
import javax.swing.JComboBox;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JSlider;
import javax.swing.Timer;

/**
 * The window of a 3-D view. It follows the channel and frame that its image shows, also while ImageJ plays them. Used
 * by the event thread.
 */
public final class VolumeWindow extends JFrame implements VolumePicture.Listener {
    private static final long serialVersionUID = 1;
    private static final String PLACE = "volume";
    private static final int STEPS = 256, LOOK_MS = 100, WIDE = 8, SMALLEST = 400, GAP = 4, LEVEL = 120;

    private transient VolumeObject object;
    private final VolumePicture picture = new VolumePicture(this);
    private final JLabel message = new JLabel(" ");
    private final JSlider level = new JSlider(0, STEPS);
    private final transient VolumeRenderer renderer;
    private final Timer looks = new Timer(LOOK_MS, event -> followImage());
    private double low, range;
    private boolean isSet;
    private transient VolumeScene scene;
    private transient ColorProcessor last;
    private int channel, frame;
    private transient FramedPlace place;

    /** @param beside the window next to which the view opens, or null */
    public VolumeWindow(VolumeObject object, Window beside) {
        super("3-D View of " + object.image.getTitle());
        this.object = object;
        scene = VolumeScene.of(object.image);
        readDisplayRange();
        renderer = new VolumeRenderer((pixels, words)
                                          -> EventQueue.invokeLater(() -> show(pixels, words)),
            sentence -> EventQueue.invokeLater(() -> showMessage(sentence, Tint.FAILURE.on(getBackground()))));
        add(tools(), BorderLayout.NORTH);
        add(picture);
        message.setName("said");
        add(message, BorderLayout.SOUTH);
        setDefaultCloseOperation(DISPOSE_ON_CLOSE);
        addWindowListener(new WindowAdapter() {
            @Override
            public void windowClosed(WindowEvent event) {
                looks.stop();
                if (place.isSettled())
                    KeptPlace.keep(PLACE, FreePlace.screen(VolumeWindow.this), getBounds());
                new Thread(renderer::close, "Drua closes 3-D view").start(); /* waits for a running picture */
            }
        });
        pack();
        place = new FramedPlace(this, () -> place(beside));
        looks.start();
    }

    /** The grey values that the slider of the surface's level offers: the displayed range. */
    private void readDisplayRange() {
        low = Math.max(0, object.image.getDisplayRangeMin());
        range = Math.max(0, object.image.getDisplayRangeMax() - low);
    }

    /** Shows another object in the same direction, zoom and mode. */
    public void show(VolumeObject next) {
        object = next;
        readDisplayRange();
        setLevel();
        resized();
    }

    private void setLevel() {
        isSet = true;
        level.setValue((int) Math.round(range > 0 ? (scene.level - low) / range * STEPS : 0));
        isSet = false;
    }

    /** Puts the view beside another window, smaller if there is too little room on its wider side. */
    private void place(Rectangle screen, Rectangle other, Window beside) {
        int room = Math.max(other.x - screen.x, screen.x + screen.width - other.x - other.width) - WIDE;
        setSize(Math.max(SMALLEST, Math.min(getWidth(), room)), getHeight());
        setLocation(FreePlace.beside(beside, getSize(), WIDE, IJ.getInstance()));
    }

    private void place(Window beside) {
        Rectangle kept = KeptPlace.of(PLACE, FreePlace.screen(this));
        if (kept != null)
            setBounds(kept);
        else if (beside != null)
            place(FreePlace.screen(beside), beside.getBounds(), beside);
    }

    private JPanel tools() {
        JComboBox<VolumeScene.Mode> mode = new JComboBox<>(VolumeScene.Mode.values());
        mode.setName("mode");
        mode.setSelectedItem(scene.mode);
        mode.setToolTipText("Chooses what each ray from the viewer shows");
        mode.addActionListener(event -> {
            level.setEnabled(mode.getSelectedItem() == VolumeScene.Mode.SURFACE);
            change(now -> now.with((VolumeScene.Mode) mode.getSelectedItem()));
        });
        level.setName("level");
        level.setToolTipText("Grey value of the surface");
        level.setEnabled(scene.mode == VolumeScene.Mode.SURFACE);
        setLevel();
        level.addChangeListener(event -> {
            if (!isSet)
                change(now -> now.with(low + range * level.getValue() / STEPS));
        });
        JPanel panel = new JPanel(new BorderLayout(GAP, 0)), buttons = new JPanel(new GridLayout(1, 0, GAP, 0));
        panel.setBorder(BorderFactory.createEmptyBorder(GAP, GAP, GAP, GAP));
        panel.add(mode, BorderLayout.WEST);
        panel.add(level);
        buttons.add(
            button("Reset", 'R', "Show the whole stack from the first direction", () -> change(VolumeScene::reset)));
        buttons.add(button("Picture", 'P', "Open the picture as an image", this::takePicture));
        buttons.add(button("Movie", 'M', "Open a movie of one full rotation", renderer::record));
        panel.add(buttons, BorderLayout.EAST);
        level.setPreferredSize(new Dimension(LEVEL, level.getPreferredSize().height));
        return panel;
    }

    private static JButton button(String name, char key, String tip, Runnable effect) {
        JButton button = new JButton(name);
        button.setMnemonic(key);
        button.setToolTipText(tip);
        button.addActionListener(event -> effect.run());
        return button;
    }

    @Override
    public void change(UnaryOperator<VolumeScene> next) {
        scene = next.apply(scene);
        resized();
    }

    @Override
    public void resized() {
        Dimension size = picture.getSize();
        channel = object.image.getChannel();
        frame = object.image.getFrame();
        if (size.width > 0 && size.height > 0)
            renderer.show(object, scene, size);
    }

    private void followImage() {
        ImagePlus image = object.image;
        if (image.getWindow() != null && (image.getChannel() != channel || image.getFrame() != frame))
            resized();
    }

    private void show(ColorProcessor pixels, String words) {
        last = pixels;
        picture.show(pixels.getBufferedImage());
        showMessage(words, Color.GRAY);
    }

    private void showMessage(String words, Color colour) {
        message.setForeground(colour);
        message.setText(words);
        message.setToolTipText(words);
    }

    private void takePicture() {
        if (last == null)
            IJ.beep();
        else
            new ImagePlus("3-D View of " + object.image.getTitle(), last.duplicate()).show();
    }
}

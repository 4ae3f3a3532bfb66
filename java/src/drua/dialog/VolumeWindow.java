// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import ij.IJ;
import ij.ImagePlus;
import ij.process.ColorProcessor;
import java.awt.BorderLayout;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.EventQueue;
import java.awt.Rectangle;
import java.awt.event.WindowAdapter;
import java.awt.event.WindowEvent;
import java.util.function.UnaryOperator;
import javax.swing.JButton;
import javax.swing.JComboBox;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JSlider;
import javax.swing.Timer;

/**
 * The window of a 3-D view. It follows the channel and frame that the image shows, also while ImageJ plays them. Used
 * by the event thread.
 */
final class VolumeWindow extends JFrame implements VolumePicture.Hands
{
    private static final long serialVersionUID = 1;
    private static final String PLACE = "volume";
    private static final int STEPS = 256, LOOK_MS = 100, WIDE = 8;
    private static final Color FAILED = new Color(0xb00000);

    private final transient ImagePlus image;
    private final VolumePicture picture = new VolumePicture(this);
    private final JLabel said = new JLabel(" ");
    private final JSlider level = new JSlider(0, STEPS);
    private final transient VolumeRenderer renderer;
    private final Timer looks = new Timer(LOOK_MS, event -> look());
    private final double low, range;
    private transient VolumeScene scene;
    private transient ColorProcessor last;
    private int channel, frame;

    VolumeWindow(ImagePlus image)
    {
        super("3-D View of " + image.getTitle());
        this.image = image;
        scene = VolumeScene.of(image);
        low = Math.max(0, image.getDisplayRangeMin());
        range = Math.max(0, image.getDisplayRangeMax() - low);
        renderer = new VolumeRenderer(image,
                                      (pixels, words)
                                          -> EventQueue.invokeLater(() -> show(pixels, words)),
                                      sentence -> EventQueue.invokeLater(() -> say(sentence, FAILED)));
        add(tools(), BorderLayout.NORTH);
        add(picture);
        said.setName("said");
        add(said, BorderLayout.SOUTH);
        setDefaultCloseOperation(DISPOSE_ON_CLOSE);
        addWindowListener(new WindowAdapter() {
            @Override public void windowClosed(WindowEvent event)
            {
                looks.stop();
                KeptPlace.keep(PLACE, FreePlace.screen(VolumeWindow.this), getBounds());
                new Thread(renderer::close, "Drua closes 3-D view").start(); /* waits for a running picture */
            }
        });
        pack();
        place();
        looks.start();
    }

    private void place()
    {
        Rectangle kept = KeptPlace.of(PLACE, FreePlace.screen(this));
        if (kept != null)
            setBounds(kept);
        else if (image.getWindow() != null)
            setLocation(FreePlace.beside(image.getWindow(), getSize(), WIDE));
    }

    private JPanel tools()
    {
        JComboBox<VolumeScene.Mode> mode = new JComboBox<>(VolumeScene.Mode.values());
        mode.setName("mode");
        mode.setSelectedItem(scene.mode);
        mode.setToolTipText("Chooses what each ray from the viewer shows");
        mode.addActionListener(event -> {
            level.setEnabled(mode.getSelectedItem() == VolumeScene.Mode.SURFACE);
            change(now -> now.with((VolumeScene.Mode)mode.getSelectedItem()));
        });
        level.setName("level");
        level.setToolTipText("Grey value of the surface");
        level.setEnabled(scene.mode == VolumeScene.Mode.SURFACE);
        level.setValue((int)Math.round(range > 0 ? (scene.level - low) / range * STEPS : 0));
        level.addChangeListener(event -> change(now -> now.with(low + range * level.getValue() / STEPS)));
        JPanel panel = new JPanel();
        panel.add(mode);
        panel.add(level);
        panel.add(
            button("Reset", 'R', "Show the whole stack from the first direction", () -> change(VolumeScene::reset)));
        panel.add(button("Picture", 'P', "Open the picture as an image", this::takePicture));
        panel.add(button("Movie", 'M', "Open a movie of one whole turn", renderer::record));
        return panel;
    }

    private static JButton button(String name, char key, String tip, Runnable effect)
    {
        JButton button = new JButton(name);
        button.setMnemonic(key);
        button.setToolTipText(tip);
        button.addActionListener(event -> effect.run());
        return button;
    }

    @Override public void change(UnaryOperator<VolumeScene> next)
    {
        scene = next.apply(scene);
        resized();
    }

    @Override public void resized()
    {
        Dimension size = picture.getSize();
        channel = image.getChannel();
        frame = image.getFrame();
        if (size.width > 0 && size.height > 0)
            renderer.show(scene, size);
    }

    private void look()
    {
        if (image.getWindow() != null && (image.getChannel() != channel || image.getFrame() != frame))
            resized();
    }

    private void show(ColorProcessor pixels, String words)
    {
        last = pixels;
        picture.show(pixels.getBufferedImage());
        say(words, Color.GRAY);
    }

    private void say(String words, Color colour)
    {
        said.setForeground(colour);
        said.setText(words);
        said.setToolTipText(words);
    }

    private void takePicture()
    {
        if (last == null)
            IJ.beep();
        else
            new ImagePlus("3-D View of " + image.getTitle(), last.duplicate()).show();
    }
}

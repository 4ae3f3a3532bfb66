// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.WindowManager;
import java.awt.EventQueue;
import java.awt.Frame;
import java.awt.event.InputEvent;
import java.awt.event.KeyEvent;
import java.awt.event.MouseEvent;
import java.awt.event.WindowEvent;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.Random;
import javax.swing.AbstractButton;
import javax.swing.JComboBox;
import javax.swing.JComponent;
import javax.swing.JFrame;
import javax.swing.JLabel;

/**
 * The 3-D view of two bars of different labels in a stack with two frames: turned by the mouse and by keys, as pictures
 * and as a movie.
 */
public final class VolumeViewTest {
    private static final String IMAGE = "newImage('bars', '8-bit black', 40, 30, 40);"
        + " for (z = 1; z <= 20; z++) { setSlice(z); if (z > 6 && z < 14) { setColor(1); fillRect(4, 5, 20, 20);"
        + " setColor(2); fillRect(28, 5, 6, 20); } }"
        + " run('Stack to Hyperstack...', 'channels=1 slices=20 frames=2'); setMinAndMax(0, 2);";
    private static JFrame view;

    private VolumeViewTest() {}

    public static void main(String[] args) {
        Person.start(false);
        IJ.doCommand("3-D View");
        Person.expect("without an image there is a message", Person.waitFor(() -> Person.message().equals("Drua")));
        Person.key(KeyEvent.VK_ENTER);
        IJ.runMacro(IMAGE.replace('\'', '"'));
        IJ.doCommand("3-D View");
        Person.expect("the view opens", Person.waitFor(() -> (view = find("bars")) != null && view.isShowing()));
        Person.expect("the view shows a picture", Person.waitFor(() -> lit(picture()) > 0));
        settlePicture();
        BufferedImage first = picture();
        Person.photograph("VolumeViewTest-labels");
        Person.expect("the picture has the colours of two labels", true, lit(first) > 2000);
        drag(60, 0);
        Person.expect("dragging rotates the view", Person.waitFor(() -> said().startsWith("rotated 60")));
        Person.expect("the picture changes", Person.waitFor(() -> !same(first, picture())));
        Person.key(KeyEvent.VK_LEFT);
        Person.expect("a key rotates the view back", Person.waitFor(() -> said().startsWith("rotated 55")));
        press("Reset");
        Person.expect("the view after Reset",
            Person.waitFor(() -> said().startsWith("rotated 30\u00b0, tilted 20\u00b0, zoom 1.0")));
        modes();
        press("Picture");
        Person.expect(
            "the picture opens as an image", Person.waitFor(() -> WindowManager.getImage("3-D View of bars") != null));
        frames();
        movie();
        sourceCloses();
        EventQueue.invokeLater(() -> view.dispatchEvent(new WindowEvent(view, WindowEvent.WINDOW_CLOSING)));
        Person.expect("the view closes", Person.waitFor(() -> !view.isShowing()));
        pictureOfGuide();
        Person.leave();
    }

    /** The picture of docs/imagej.md: ellipsoids of different labels. */
    private static void pictureOfGuide() {
        int width = 160, height = 120, depth = 60, labels = 24;
        Random chance = new Random(5);
        ImageStack stack = ImageStack.create(width, height, depth, 8);
        for (int label = 1; label <= labels; label++) {
            double x = 20 + chance.nextInt(width - 40), y = 20 + chance.nextInt(height - 40),
                   z = 12 + chance.nextInt(depth - 24), wide = 10 + chance.nextInt(8), thin = 7 + chance.nextInt(4);
            for (int k = 0; k < depth; k++)
                for (int j = 0; j < height; j++)
                    for (int i = 0; i < width; i++)
                        if (Math.pow((i - x) / wide, 2) + Math.pow((j - y) / thin, 2) + Math.pow((k - z) / thin, 2) < 1)
                            stack.setVoxel(i, j, k, label);
        }
        ImagePlus cells = new ImagePlus("cells", stack);
        cells.setDisplayRange(0, labels);
        cells.show();
        IJ.doCommand("3-D View");
        Person.expect("the view opens again", Person.waitFor(() -> (view = find("cells")) != null && view.isShowing()));
        Person.expect("the view shows the cells", Person.waitFor(() -> lit(picture()) > 2000));
        settlePicture();
        Person.photograph("volume_view", view.getBounds());
    }

    private static void modes() {
        JComboBox<?> mode = Person.part(view, JComboBox.class, "mode");
        Person.expect("a label map starts as labels", "Labels", mode.getSelectedItem());
        for (int i = 0; i < 2; i++) {
            BufferedImage before = picture();
            int index = i;
            EventQueue.invokeLater(() -> mode.setSelectedIndex(index));
            Person.expect("mode " + i + " changes the picture", Person.waitFor(() -> !same(before, picture())));
            Person.expect("the picture in this mode is not empty", Person.waitFor(() -> lit(picture()) > 2000));
            settlePicture();
            Person.photograph("VolumeViewTest-mode-" + i);
        }
    }

    /** The second frame is empty. */
    private static void frames() {
        ImagePlus bars = WindowManager.getImage("bars");
        EventQueue.invokeLater(() -> bars.setT(2));
        Person.expect("the view follows the frame", Person.waitFor(() -> lit(picture()) == 0));
        EventQueue.invokeLater(() -> bars.setT(1));
        Person.expect("the view follows the frame back", Person.waitFor(() -> lit(picture()) > 2000));
    }

    private static void movie() {
        press("Movie");
        Person.expect("the movie opens", Person.waitFor(() -> WindowManager.getImage("Rotation of bars") != null));
        ImagePlus movie = WindowManager.getImage("Rotation of bars");
        Person.expect("pictures of the movie, one every five degrees", 72, movie == null ? 0 : movie.getStackSize());
    }

    private static void sourceCloses() {
        ImagePlus bars = WindowManager.getImage("bars");
        bars.changes = false;
        bars.close();
        drag(60, 0);
        Person.expect(
            "a view without its image says so", Person.waitFor(() -> said().startsWith("the image 'bars' was closed")));
    }

    private static JFrame find(String image) {
        for (Frame frame : Frame.getFrames())
            if (frame instanceof JFrame && frame.isShowing() && frame.getTitle().equals("3-D View of " + image))
                return (JFrame) frame;
        return null;
    }

    private static JComponent drawn() {
        return Person.part(view, JComponent.class, c -> c.getClass().getSimpleName().equals("VolumePicture"));
    }

    private static BufferedImage picture() {
        JComponent drawn = drawn();
        BufferedImage copy = new BufferedImage(drawn.getWidth(), drawn.getHeight(), BufferedImage.TYPE_INT_RGB);
        drawn.paint(copy.getGraphics());
        return copy;
    }

    /** Waits for the picture of the best quality. */
    private static void settlePicture() {
        Person.stays(1500, () -> Arrays.hashCode(pixels(picture())));
    }

    private static int lit(BufferedImage picture) {
        int count = 0;
        for (int rgb : pixels(picture))
            count += (rgb & 0xffffff) == 0 ? 0 : 1;
        return count;
    }

    private static int[] pixels(BufferedImage picture) {
        return picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth());
    }

    private static boolean same(BufferedImage a, BufferedImage b) {
        return Arrays.equals(pixels(a), pixels(b));
    }

    private static String said() {
        return Person.part(view, JLabel.class, "said").getText();
    }

    private static void press(String name) {
        AbstractButton button = Person.part(view, AbstractButton.class, name);
        EventQueue.invokeLater(button::doClick);
    }

    private static void drag(int x, int y) {
        JComponent on = drawn();
        int[] kinds = {MouseEvent.MOUSE_PRESSED, MouseEvent.MOUSE_DRAGGED, MouseEvent.MOUSE_RELEASED};
        for (int i = 0; i < kinds.length; i++) {
            int kind = kinds[i], moved = i == 0 ? 0 : 1;
            EventQueue.invokeLater(
                ()
                    -> on.dispatchEvent(new MouseEvent(on, kind, System.currentTimeMillis(),
                        InputEvent.BUTTON1_DOWN_MASK, 100 + moved * x, 100 + moved * y, 1, false, MouseEvent.BUTTON1)));
        }
    }
}

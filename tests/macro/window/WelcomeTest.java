// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.Prefs;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.plugin.frame.Recorder;
import java.awt.Color;
import java.awt.Component;
import java.awt.Container;
import java.awt.EventQueue;
import java.awt.Frame;
import java.awt.Graphics2D;
import java.awt.Image;
import java.awt.KeyboardFocusManager;
import java.awt.Rectangle;
import java.awt.Robot;
import java.awt.Window;
import java.awt.image.BufferedImage;
import java.io.File;
import java.util.Arrays;
import javax.imageio.ImageIO;
import javax.swing.AbstractButton;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JTextField;

/**
 * Checks that the first Drua dialog opens a window with three pictures, and that later dialogs do not. With
 * DRUA_PICTURES=FOLDER, the test also takes these pictures from the screen: dialog.png, workbench.png and recorder.png.
 * The project stores them in java/resources/drua/welcome.
 */
public final class WelcomeTest {
    private static final int WIDTH = 360, HEIGHT = 230;

    private WelcomeTest() {}

    public static void main(String[] args) throws Exception {
        Person.startFirst();
        IJ.runMacro("newImage(\"cells\", \"8-bit ramp\", 60, 40, 1);");
        IJ.runMacro("run(\"Drua Macro Extensions\", \"cl_device=\"); cells = \"cells\"; Ext.Drua_push(cells);"
            + " Ext.Drua_release(cells);");
        Person.expect("a macro does not open the window", null, window());
        comesOnce();
        if (System.getenv("DRUA_PICTURES") != null)
            makePictures(new File(System.getenv("DRUA_PICTURES")));
        Person.leave();
    }

    private static JFrame window() {
        return Arrays.stream(Frame.getFrames())
            .filter(f -> f.isShowing() && f.getTitle().equals("Welcome to Drua"))
            .map(JFrame.class ::cast)
            .findFirst()
            .orElse(null);
    }

    private static void comesOnce() {
        GenericDialog dialog = Person.choose(Person.entry("gaussian_blur"));
        Person.waitFor(() -> window() != null);
        Person.settle();
        Person.photograph("WelcomeTest");
        JFrame window = window();
        Person.expect("the first dialog opens the window", true, window != null);
        if (window == null)
            return;
        int pictures = 0;
        for (Component part : ((Container) window.getContentPane().getComponent(0)).getComponents()) {
            JLabel label = (JLabel) part;
            pictures += label.getIcon() != null && label.getIcon().getIconWidth() == WIDTH ? 1 : 0;
            Person.expect("text below " + label.getName(), true, label.getText().length() > 60);
        }
        Person.expect("pictures", 3, pictures);
        Person.expect("the window is on the screen", true,
            window.getGraphicsConfiguration().getBounds().contains(window.getBounds()));
        Window focused = KeyboardFocusManager.getCurrentKeyboardFocusManager().getFocusedWindow();
        Person.expect("the window does not take the keyboard focus", false, focused == window);
        Person.cancel(dialog);
        window.dispose();
        Person.cancel(Person.choose(Person.entry("gaussian_blur")));
        Person.expect("a second window for a later dialog", null, window());
        Person.expect("no window after the next start", true,
            Prefs.get("drua.welcome", false) && new File(Prefs.getPrefsDir(), "IJ_Prefs.txt").exists());
    }

    // ---- pictures

    private static void makePictures(File folder) throws Exception {
        IJ.runMacro("close('*');".replace('\'', '"'));
        ImagePlus all = IJ.openImage(new File(System.getProperty("drua.images"), "BBBC022_nuclei.tif").getPath());
        all.setRoi(180, 130, 330, 300);
        ImagePlus nuclei = all.crop();
        nuclei.setTitle("nuclei");
        nuclei.resetDisplayRange();
        nuclei.show();
        nuclei.getWindow().setLocation(10, 200);
        GenericDialog dialog = Person.choose(Person.entry("voronoi_otsu_labeling"));
        Person.enter(dialog, "spot_sigma", 4);
        Person.enter(dialog, "preview", true);
        Person.waitFor(() -> nuclei.getOverlay() != null);
        Person.pause(1500);
        keep(folder, "dialog", nuclei.getWindow(), dialog);
        Person.cancel(dialog);
        workbench(folder, nuclei);
        IJ.run("Record...");
        Person.press(Person.choose(Person.entry("gaussian_blur")));
        Person.press(Person.choose(Person.entry("automatic_threshold")));
        Person.press(Person.choose(Person.entry("connected_components_box")));
        ImagePlus labels = WindowManager.getImage("connectedComponentsBox");
        EventQueue.invokeAndWait(() -> {
            labels.getWindow().setLocation(10, 200);
            Recorder.getInstance().setBounds(
                10 + labels.getWindow().getWidth(), 200, 500, labels.getWindow().getHeight());
            Recorder.getInstance().toFront();
        });
        Person.pause(1000);
        keep(folder, "recorder", labels.getWindow(), Recorder.getInstance());
    }

    private static void workbench(File folder, ImagePlus nuclei) throws Exception {
        Person.select("nuclei");
        IJ.doCommand("Workbench");
        Person.waitFor(()
                           -> Arrays.stream(Frame.getFrames())
                                  .anyMatch(f -> f.isShowing() && f.getTitle().startsWith("Drua Workbench")));
        JFrame frame = (JFrame) Arrays.stream(Frame.getFrames())
                           .filter(f -> f.isShowing() && f.getTitle().startsWith("Drua Workbench"))
                           .findFirst()
                           .get();
        EventQueue.invokeAndWait(() -> frame.setBounds(10 + nuclei.getWindow().getWidth(), 130, 640, 600));
        EventQueue.invokeAndWait(() -> nuclei.getWindow().setLocation(10, 130));
        for (String letters : new String[] {"gaussian blur", "thresholdOtsu", "connected"}) {
            EventQueue.invokeAndWait(() -> Person.part(frame, JTextField.class, "find").setText(letters));
            EventQueue.invokeAndWait(() -> Person.part(frame, AbstractButton.class, "Add").doClick(0));
            Person.pause(2500);
        }
        Person.expect("steps", 4, Person.part(frame, JList.class, "steps").getModel().getSize());
        keep(folder, "workbench", frame, nuclei.getWindow());
        EventQueue.invokeAndWait(frame::dispose);
        Person.pause(500);
    }

    /** Saves a reduced picture of these windows on the screen. */
    private static void keep(File folder, String name, Window... windows) throws Exception {
        Rectangle all = windows[0].getBounds();
        for (Window window : windows)
            all = all.union(window.getBounds());
        double zoom = Math.min((double) WIDTH / all.width, (double) HEIGHT / all.height);
        BufferedImage kept = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D g = kept.createGraphics();
        g.setColor(new Color(0xeeeeee));
        g.fillRect(0, 0, WIDTH, HEIGHT);
        for (Window window : windows) {
            Rectangle at = window.getBounds();
            int width = (int) (at.width * zoom), height = (int) (at.height * zoom);
            Image seen =
                new Robot().createScreenCapture(at).getScaledInstance(width, height, Image.SCALE_AREA_AVERAGING);
            g.drawImage(seen, (int) ((WIDTH - all.width * zoom) / 2 + (at.x - all.x) * zoom),
                (int) ((HEIGHT - all.height * zoom) / 2 + (at.y - all.y) * zoom), null);
        }
        g.dispose();
        ImageIO.write(kept, "png", new File(folder, name + ".png"));
    }
}

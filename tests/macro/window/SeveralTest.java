// SPDX-License-Identifier: BSD-3-Clause
import drua.pipeline.Session;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.awt.Frame;
import java.util.Arrays;
import javax.swing.JFrame;
import javax.swing.JList;
import javax.swing.JTextField;

/** Several workbenches are open, each with its own image. Closing one leaves the other as it was. */
public final class SeveralTest extends WorkbenchHands {
    private SeveralTest() {}

    public static void main(String[] args) {
        Person.start(false);
        for (String name : new String[] {"first", "second"})
            IJ.runMacro("newImage(\"" + name + "\", \"8-bit ramp\", 60, 40, 1);");
        ImagePlus first = WindowManager.getImage("first");
        Person.select("first");
        IJ.doCommand("Workbench");
        Person.expect("the first workbench opens", Person.waitFor(() -> of("first") != null));
        Person.select("second");
        IJ.doCommand("Workbench");
        Person.expect("the second workbench opens", Person.waitFor(() -> of("second") != null && of("first") != null));
        JFrame one = of("first"), two = of("second");
        Person.expect("both workbenches open at the same place", false, one.getLocation().equals(two.getLocation()));
        Person.select("first");
        IJ.doCommand("Workbench");
        Person.expect("the workbench of an image comes back", Person.waitFor(one::isActive));
        Person.expect("number of workbenches", 2L, count());
        add(one, "gaussian", "Gaussian Blur");
        add(two, "otsu", "Automatic Threshold");
        Person.expect("both workbenches show their results",
            Person.waitFor(() -> isMade(one, "Gaussian Blur") && isMade(two, "Automatic Threshold")));
        Person.photograph("SeveralTest");
        Person.expect("steps of one", 2, size(one));
        Person.expect("steps of the other", 2, size(two));
        event(two::dispose);
        Person.waitFor(() -> count() == 1);
        Person.expect("the first one stays", true, one.isShowing());
        Person.expect("the view of the first workbench stays",
            Person.waitFor(() -> WindowManager.getImage("Workbench: Gaussian Blur") != null));
        Person.expect("the other view is closed", null, WindowManager.getImage("Workbench: Automatic Threshold"));
        add(one, "label", "Connected Components Box");
        Person.expect(
            "the first workbench computes a new step", Person.waitFor(() -> isMade(one, "Connected Components Box")));
        first.changes = false;
        event(first::close);
        IJ.runMacro("newImage(\"third\", \"8-bit ramp\", 60, 40, 1);");
        Person.select("third");
        IJ.doCommand("Workbench");
        Person.expect("a workbench without an image takes the next one", Person.waitFor(() -> of("third") == one));
        Person.expect("number of workbenches for the third image", 1L, count());
        Person.leave();
    }

    private static JFrame of(String image) {
        return Arrays.stream(Frame.getFrames())
            .filter(f -> f.isShowing() && f.getTitle().matches("Drua Workbench: " + image + "( \\*)?"))
            .map(JFrame.class ::cast)
            .findFirst()
            .orElse(null);
    }

    private static long count() {
        return Arrays.stream(Frame.getFrames())
            .filter(f -> f.isShowing() && f.getTitle().startsWith("Drua Workbench"))
            .count();
    }

    private static void add(JFrame to, String letters, String title) {
        event(() -> Person.part(to, JTextField.class, "find").setText(letters));
        JList<?> found = Person.part(to, JList.class, "found");
        Person.expect("'" + letters + "' finds first", title, operation(found.getModel().getElementAt(0)));
        event(() -> Person.part(to, javax.swing.AbstractButton.class, "Add").doClick(0));
    }

    private static int size(JFrame of) {
        return Person.part(of, JList.class, "steps").getModel().getSize();
    }

    private static boolean isMade(JFrame of, String title) {
        try {
            Session session = (Session) field(of, "session");
            return session.live().isDone() && session.viewed().command.operation.title().equals(title)
                && session.live().result(session.viewed().id).failure.isEmpty();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}

// SPDX-License-Identifier: BSD-3-Clause
import drua.pipeline.Session;
import drua.pipeline.Step;
import drua.pipeline.View;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.awt.Component;
import java.awt.event.InputEvent;
import java.awt.event.MouseEvent;
import java.util.Arrays;
import java.util.Random;
import javax.swing.AbstractButton;
import javax.swing.JList;
import javax.swing.JSlider;

/**
 * Plays an impatient user: random clicks, sliders and drags while the workbench computes. At the end, the view must be
 * correct, and no extra windows or images may exist.
 */
public final class EditsTest extends WorkbenchHands {
    private static final String[] BUTTONS = {
        "Undo", "Undo", "Redo", "Up", "Down", "Duplicate", "On/off", "Delete", "Result", "Add", "Insert"};
    private static final String[] COMPARISONS = {
        "Single step", "Swipe", "Side by side", "Compare with this step", "Outlines on the source image"};

    private EditsTest() {}

    public static void main(String[] args) throws Exception {
        String seed = System.getenv("DRUA_SEED");
        long first = seed == null ? System.nanoTime() : Long.parseLong(seed);
        int edits = "1".equals(System.getenv("DRUA_SAMPLE")) ? 1000 : 60;
        System.out.println("DRUA_SEED=" + first);
        Person.start(false);
        IJ.open(System.getProperty("drua.images") + "/BBBC022_nuclei.tif");
        ImagePlus nuclei = WindowManager.getCurrentImage();
        nuclei.changes = false;
        openWorkbench();
        event(() -> frame().setBounds(640, 5, 635, 860));
        type("blur", "Gaussian Blur", "Add");
        type("thresholdOtsu", "Automatic Threshold", "Add");
        type("connected", "Connected Components Box", "Add");
        type("statisticsOfLabelled", "Statistics of Labelled Pixels", "Add");
        seen("Statistics of Labelled Pixels");
        Random random = new Random(first);
        long used = 0, threads = 0;
        for (int i = 0; i < edits; i++) {
            edit(random);
            if (i % (edits / 5) == edits / 5 - 1)
                settle();
            if (i == edits / 5) {
                used = used();
                threads = threads();
            }
        }
        settle();
        int held = session().live().held();
        Person.expect(held + " images on the device for " + rows() + " steps", true, held <= rows());
        Person.expect("memory in use grew by " + (used() - used) / 1000000 + " MB", true, used() - used < 40000000);
        Person.expect("threads", threads, threads());
        isWhatIsThere(nuclei);
        Person.photograph("workbench-edits");
        event(() -> frame().dispose());
        Person.expect("the views close with the workbench", true, Person.waitFor(() -> view() == null));
        Person.expect("the threads of the workbench end", true, Person.waitFor(() -> threads() == 0));
        Person.leave();
    }

    private static void edit(Random random) {
        int kind = random.nextInt(10);
        event(() -> {
            JList<?> steps = named(JList.class, "steps"), found = named(JList.class, "found");
            if (kind < 3)
                steps.setSelectedIndex(random.nextInt(rows()));
            else if (kind < 5)
                click(rows() > 8 ? "Undo" : BUTTONS[random.nextInt(BUTTONS.length)], found, random);
            else if (kind == 5)
                compare(COMPARISONS[random.nextInt(COMPARISONS.length)]);
            else if (kind == 6)
                drag(named(Component.class, random.nextBoolean() ? "histogram" : "scatter"), random);
            else
                turn(random);
        });
        if (random.nextInt(3) == 0)
            Person.pause(random.nextInt(60));
    }

    /** Clicks one of the first operations in the list, whose kernels compile soon. */
    private static void click(String button, JList<?> found, Random random) {
        if (found.getModel().getSize() > 0)
            found.setSelectedIndex(random.nextInt(Math.min(4, found.getModel().getSize())));
        AbstractButton pressed = Person.part(frame(), AbstractButton.class, b -> button.equals(b.getText()));
        if (pressed.isEnabled())
            pressed.doClick(0);
    }

    private static void compare(String item) {
        for (int i = 0; i < frame().getJMenuBar().getMenu(2).getItemCount(); i++) {
            AbstractButton entry = frame().getJMenuBar().getMenu(2).getItem(i);
            if (entry != null && item.equals(entry.getText()))
                entry.doClick(0);
        }
    }

    private static void turn(Random random) {
        JSlider slider =
            Person.part(frame(), JSlider.class, s -> s.getName() != null && s.getName().endsWith(" slider"));
        if (slider == null)
            return;
        slider.setValueIsAdjusting(random.nextInt(4) != 0);
        slider.setValue(slider.getMinimum() + random.nextInt(1 + (slider.getMaximum() - slider.getMinimum()) / 4));
        if (random.nextInt(4) == 0)
            slider.setValueIsAdjusting(false);
    }

    private static void drag(Component plot, Random random) {
        if (!plot.isShowing())
            return;
        int[] ids = {MouseEvent.MOUSE_PRESSED, MouseEvent.MOUSE_DRAGGED, MouseEvent.MOUSE_RELEASED};
        for (int id : ids)
            plot.dispatchEvent(new MouseEvent(plot, id, 0, InputEvent.BUTTON1_DOWN_MASK,
                random.nextInt(plot.getWidth()), random.nextInt(plot.getHeight()), 1, false, MouseEvent.BUTTON1));
    }

    /** Releases all sliders and waits until nothing changes; the view then shows the selected step's current result. */
    private static void settle() {
        event(() -> {
            JSlider slider =
                Person.part(frame(), JSlider.class, s -> s.getName() != null && s.getName().endsWith(" slider"));
            if (slider != null)
                slider.setValueIsAdjusting(false);
            compare("Single step");
        });
        isAsItIs();
        event(()
                  -> click("Undo", named(JList.class, "found"),
                      new Random(1))); /* changes the position in the view, not the step */
        isAsItIs();
    }

    private static void isAsItIs() {
        seen("");
        AbstractButton window = Person.part(frame(), AbstractButton.class, b -> "Window".equals(b.getText()));
        if (!window.isEnabled() || !status().isEmpty())
            return;
        int[] before = WindowManager.getIDList();
        press("Window");
        Person.expect(
            "the result opens a window; status: " + status(), true, Person.waitFor(() -> another(before) != null));
        /* the view is the current image until the window manager focuses the new window */
        ImagePlus opened = another(before), view = view();
        Person.expect("the pixels of " + view.getTitle(), sum(opened), sum(view));
        opened.changes = false;
        event(opened::close);
    }

    /** An open image that did not exist before, or null. */
    private static ImagePlus another(int[] before) {
        return Arrays.stream(WindowManager.getIDList())
            .filter(id -> Arrays.stream(before).noneMatch(b -> b == id))
            .mapToObj(WindowManager::getImage)
            .findFirst()
            .orElse(null);
    }

    /**
     * Compares each viewable step with its result in a separate window, and with its result in a pipeline that has
     * computed nothing before.
     */
    private static void isWhatIsThere(ImagePlus nuclei) throws InterruptedException {
        Session anew = new Session(nuclei, () -> {});
        event(() -> {
            anew.change(empty -> session().now());
            anew.now().steps(Step.Role.SOURCE).forEach(source -> anew.choose(source, nuclei));
        });
        for (int row = 0; row < rows(); row++) {
            int at = row;
            event(() -> named(JList.class, "steps").setSelectedIndex(at));
            isAsItIs();
            event(() -> anew.view(anew.now().seen().get(at))); /* ids of equal pipelines may differ */
            Person.expect("computed anew", true, Person.waitFor(() -> anew.live().isDone()));
            Person.expect("the pixels of row " + row + ", computed anew", sum(anew), sum(session()));
        }
        anew.close();
        anew.live().join();
    }

    private static String sum(Session of) {
        View view = of.live().view();
        return view == null || view.pixels == null
            ? "none"
            : (view.step == of.viewed().id ? "" : "of another step: ") + sum(new ImagePlus("", view.pixels));
    }

    private static int sum(ImagePlus image) {
        return Arrays.hashCode((float[]) image.getProcessor().convertToFloatProcessor().getPixels());
    }

    private static long threads() {
        return Thread.getAllStackTraces()
            .keySet()
            .stream()
            .filter(t -> t.getName().equals("Drua workbench") || t.getName().equals("Drua suggestions"))
            .count();
    }

    private static long used() {
        for (int i = 0; i < 3; i++)
            System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}

// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.process.ByteProcessor;
import java.awt.EventQueue;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import javax.swing.JList;

/**
 * The workbench with a plane whose results do not fit ImageJ's memory: windows answer, and views are reduced. The first
 * argument is the side of the plane.
 */
public final class LargePlaneTest extends WorkbenchHands {
    private static final int SIDE = 15000, CELL = 500;
    private static final long PATIENCE_MS = 600000;
    private static final AtomicLong longest = new AtomicLong();

    private LargePlaneTest() {}

    public static void main(String[] args) {
        Person.start(false);
        int side = args.length > 0 ? Integer.parseInt(args[0]) : SIDE;
        show(side);
        watch();
        openWorkbench();
        settle("image");
        Person.photograph("LargePlaneTest-image");
        type("blur", "Gaussian Blur", "Add");
        settle("blur");
        Person.photograph("LargePlaneTest-blur");
        isReduced("Gaussian Blur", side);
        type("downsample", "Downsample", "Add");
        settle("downsample");
        Person.photograph("LargePlaneTest-small");
        isReduced("Downsample", side / 2);
        event(() -> named(JList.class, "steps").setSelectedIndex(0));
        settle("image again");
        isReduced("plane", side);
        Person.expect("windows answer; the longest wait took " + longest + " ms", longest.get() < 8000);
        System.out.println("longest wait of the event thread: " + longest + " ms");
        event(() -> frame().dispose());
        Person.leave();
    }

    /** The view has the shape and the greys of the plane, and its title says how it is reduced. */
    private static void isReduced(String step, int side) {
        Person.expect("the status of " + step, "", status());
        String title = view() == null ? "nothing" : view().getTitle();
        Person.expect(
            "a reduced view of " + step + ": " + title, title.matches("Workbench: " + step + " \\(reduced 1:\\d+\\)"));
        if (view() == null)
            return;
        int reduced = Integer.parseInt(title.replaceAll("\\D+(\\d+):(\\d+)\\)$", "$2"));
        Person.expect("the width of the view, " + view().getWidth() + " reduced by " + reduced,
            Math.abs(view().getWidth() - side / reduced) <= 1);
        double range = view().getProcessor().getStats().max;
        Person.expect("the brightest pixel of the view: " + range, range > 150 && range < 201);
    }

    /** Squares of different grey in rows. */
    private static void show(int side) {
        byte[] pixels = new byte[side * side];
        for (int y = 0; y < side; y++) {
            for (int x = CELL / 5; x < side; x += CELL)
                Arrays.fill(pixels, y * side + x, Math.min(y * side + x + CELL / 2, (y + 1) * side),
                    (byte) (y % CELL < CELL / 2 ? 100 + (x / CELL + y / CELL) % 100 : 0));
        }
        ImagePlus plane = new ImagePlus("plane", new ByteProcessor(side, side, pixels));
        event(plane::show);
    }

    /** Measures how long the thread of events is busy. */
    private static void watch() {
        Thread watcher = new Thread(() -> {
            for (;;) {
                long begun = System.nanoTime();
                try {
                    EventQueue.invokeAndWait(() -> {});
                } catch (ReflectiveOperationException | InterruptedException e) {
                    return;
                }
                longest.accumulateAndGet((System.nanoTime() - begun) / 1000000, Math::max);
                Person.pause(20);
            }
        });
        watcher.setDaemon(true);
        watcher.start();
    }

    private static void settle(String what) {
        long begun = System.currentTimeMillis();
        do {
            Person.pause(500);
        } while (!session().live().isDone() && System.currentTimeMillis() - begun < PATIENCE_MS);
        Person.pause(500);
        System.out.println(what + ": " + (System.currentTimeMillis() - begun) + " ms, longest wait " + longest
            + " ms, status '" + status() + "'");
    }
}

// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImagePlus;
import ij.VirtualStack;
import ij.process.ByteProcessor;
import ij.process.ImageProcessor;
import java.util.concurrent.atomic.AtomicInteger;
import javax.swing.JList;
import javax.swing.JSlider;
import javax.swing.JTextField;

/** The workbench with a movie of 5,000 frames on disk: it reads what it shows, plays, and follows changes. */
public final class LongMovieTest extends WorkbenchHands {
    private static final int FRAMES = 5000, SIDE = 256, SPOT = 40;

    /** A movie that makes each frame when it is read, and counts the frames that were read. */
    private static final class Movie extends VirtualStack {
        private final AtomicInteger reads = new AtomicInteger();

        Movie() {
            super(SIDE, SIDE, null, "");
        }

        @Override
        public int getSize() {
            return FRAMES;
        }

        @Override
        public ImageProcessor getProcessor(int n) {
            reads.incrementAndGet();
            ImageProcessor frame = new ByteProcessor(SIDE, SIDE);
            frame.setColor(150);
            frame.fillRect(n % (SIDE - SPOT), SIDE / 2, SPOT, SPOT);
            return frame;
        }

        @Override
        public String getSliceLabel(int n) {
            return null;
        }
    }

    private LongMovieTest() {}

    public static void main(String[] args) {
        Person.start(false);
        Movie movie = new Movie();
        ImagePlus image = new ImagePlus("movie", movie);
        image.setDimensions(1, 1, FRAMES);
        image.setOpenAsHyperStack(true);
        event(image::show);
        openWorkbench();
        type("threshold", "Threshold", "Add");
        enter("threshold", "100");
        ImagePlus seen = seen("Threshold");
        Person.expect("the spot in the first frame", 1.0f, seen.getProcessor().getf(1 + SPOT / 2, SIDE / 2 + 1));
        Person.expect("frames that were read: " + movie.reads, movie.reads.get() < 50);
        JSlider time = named(JSlider.class, "frame");
        event(() -> time.setValue(4000));
        Person.expect("the image follows", Person.waitFor(() -> image.getT() == 4000));
        seen("Threshold");
        int left = 4000 % (SIDE - SPOT);
        Person.expect("the spot in frame 4000", 1.0f, view().getProcessor().getf(left + 1, SIDE / 2 + 1));
        Person.expect("the pixel to the left of the spot in frame 4000", 0.0f,
            view().getProcessor().getf(left - 1, SIDE / 2 + 1));
        press("Play");
        Person.expect("the movie plays", Person.waitFor(() -> image.getT() > 4005));
        event(() -> named(JList.class, "steps").setSelectedIndex(1));
        enter("threshold", "200");
        Person.expect("a change takes effect while the movie plays",
            Person.waitFor(() -> view().getProcessor().getStats().max == 0));
        press("Stop");
        Person.photograph("LongMovieTest");
        enter("threshold", "100");
        seen("Threshold");
        Person.expect("frames that were read at the end: " + movie.reads, movie.reads.get() < FRAMES / 2);
        event(() -> frame().dispose());
        image.close();
        asSlices();
        Person.leave();
    }

    /** A movie that was opened as slices is a volume of 5,000 slices. */
    private static void asSlices() {
        Movie movie = new Movie();
        ImagePlus image = new ImagePlus("slices", movie);
        event(image::show);
        openWorkbench();
        type("threshold", "Threshold", "Add");
        enter("threshold", "100");
        seen("Threshold");
        Person.photograph("LongMovieTest-slices");
        System.out.println("slices that were read: " + movie.reads);
        event(() -> frame().dispose());
    }

    private static void enter(String field, String text) {
        event(() -> {
            JTextField entry = named(JTextField.class, field);
            entry.setText(text);
            entry.postActionEvent();
        });
    }
}

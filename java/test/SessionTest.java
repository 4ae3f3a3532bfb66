// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.NativeLibrary;
import drua.pipeline.Session;
import drua.pipeline.Step;
import ij.ImagePlus;
import ij.process.ByteProcessor;
import ij.process.ImageProcessor;
import java.awt.Rectangle;

/**
 * Checks that the workbench uses the images that its macro names, after any selection, undo or opening of images, and
 * that it changes nothing in these images.
 */
final class SessionTest extends Expectations {
    private SessionTest() {}

    public static void main(String[] args) throws Exception {
        NativeLibrary.load();
        takesBackAChoice();
        choiceThatFails();
        keepsWhatIsOpen();
        leavesTheSliceAlone();
        Runtime.getRuntime().halt(sum());
    }

    static ImagePlus plain(String title, int grey) {
        ByteProcessor pixels = new ByteProcessor(40, 30);
        pixels.set(grey);
        return new ImagePlus(title, pixels);
    }

    private static Step lastSource(Session session) {
        return session.now().steps(Step.Role.SOURCE).get(session.now().steps(Step.Role.SOURCE).size() - 1);
    }

    private static String describeSource(Session session) throws InterruptedException {
        LiveRunTest.settle(session);
        ImagePlus image = session.image(lastSource(session));
        return lastSource(session).title + ", image " + (image == null ? "none" : image.getTitle()) + ", pixels "
            + session.live().view().pixels.getf(3, 3);
    }

    private static void takesBackAChoice() throws InterruptedException {
        ImagePlus first = plain("first", 1), second = plain("second", 9);
        Session session = new Session(first, () -> {});
        session.addSource(first);
        expect("the added image is the source", "first, image first, pixels 1.0", describeSource(session));
        session.choose(lastSource(session), second);
        expect("the chosen image is the source", "second, image second, pixels 9.0", describeSource(session));
        session.undo();
        expect("undo restores the first image", "first, image first, pixels 1.0", describeSource(session));
        session.redo();
        expect("redo restores the second image", "second, image second, pixels 9.0", describeSource(session));
        LiveRunTest.end(session);
    }

    private static void choiceThatFails() throws InterruptedException {
        Session session = new Session(null, () -> {});
        session.open("title = \"first\";\nimage = title;\nExt.CLIJ2_push(image);\n", null);
        String failure = failure(() -> session.choose(lastSource(session), plain("second", 9)));
        expect("choosing an image for a computed title fails: " + failure, true,
            failure.contains("not a literal string in the macro"));
        expect("the source keeps its title", "first", lastSource(session).title);
        expect("the source has no image", null, session.image(lastSource(session)));
        LiveRunTest.end(session);
    }

    private static void keepsWhatIsOpen() throws InterruptedException {
        ImagePlus first = plain("cells", 1), second = plain("cells", 9), renamed = plain("other", 5);
        Session session = new Session(first, () -> {});
        session.addSource(first);
        session.opened(second);
        expect("the source keeps its image when another one of the same title opens", true,
            session.image(lastSource(session)) == first);
        first.setTitle("renamed");
        session.opened(renamed);
        expect("the source loses its image when the image is renamed", null, session.image(lastSource(session)));
        session.opened(second);
        expect("a waiting step uses a new image", true, session.image(lastSource(session)) == second);
        LiveRunTest.end(session);
    }

    /** A plugin sets the selection of a slice and then changes the pixels in it. */
    private static void leavesTheSliceAlone() throws InterruptedException {
        ImagePlus image = plain("seen", 1);
        Session session = new Session(image, () -> {});
        session.addSource(image);
        ImageProcessor slice = image.getProcessor();
        slice.setRoi(10, 12, 20, 15);
        slice.add(1);
        session.choose(lastSource(session), plain("other", 9));
        expect("the source is another image", "other, image other, pixels 9.0", describeSource(session));
        session.choose(lastSource(session), image);
        expect("the source is the first image again", "seen, image seen, pixels 1.0", describeSource(session));
        expect("the slice keeps its selection", new Rectangle(10, 12, 20, 15), slice.getRoi());
        LiveRunTest.end(session);
    }
}

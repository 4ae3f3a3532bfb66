// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.NativeLibrary;
import drua.pipeline.Session;
import drua.pipeline.Step;
import ij.ImagePlus;
import ij.process.ByteProcessor;

/** Checks that the workbench uses the images that its macro names, after any selection, undo or opening of images. */
final class SessionTest extends Expectations {
    private SessionTest() {}

    public static void main(String[] args) throws Exception {
        NativeLibrary.load();
        takesBackAChoice();
        choiceThatFails();
        keepsWhatIsOpen();
        Runtime.getRuntime().halt(sum());
    }

    static ImagePlus plain(String title, int grey) {
        ByteProcessor pixels = new ByteProcessor(40, 30);
        pixels.set(grey);
        return new ImagePlus(title, pixels);
    }

    private static Step source(Session session) {
        return session.now().steps(Step.Role.SOURCE).get(session.now().steps(Step.Role.SOURCE).size() - 1);
    }

    private static String told(Session session) throws InterruptedException {
        LiveRunTest.settle(session);
        ImagePlus image = session.image(source(session));
        return source(session).title + ", image " + (image == null ? "none" : image.getTitle()) + ", pixels "
            + session.live().view().pixels.getf(3, 3);
    }

    private static void takesBackAChoice() throws InterruptedException {
        ImagePlus first = plain("first", 1), second = plain("second", 9);
        Session session = new Session(first, () -> { });
        session.addSource(first);
        expect("added", "first, image first, pixels 1.0", told(session));
        session.choose(source(session), second);
        expect("chosen", "second, image second, pixels 9.0", told(session));
        session.undo();
        expect("taken back", "first, image first, pixels 1.0", told(session));
        session.redo();
        expect("made again", "second, image second, pixels 9.0", told(session));
        LiveRunTest.end(session);
    }

    private static void choiceThatFails() throws InterruptedException {
        Session session = new Session(null, () -> { });
        session.open("title = \"first\";\nimage = title;\nExt.CLIJ2_push(image);\n", null);
        String failure = failure(() -> session.choose(source(session), plain("second", 9)));
        expect("the sentence: " + failure, true, failure.contains("not a literal string in the macro"));
        expect("the macro names it", "first", source(session).title);
        expect("no other image is used", null, session.image(source(session)));
        LiveRunTest.end(session);
    }

    private static void keepsWhatIsOpen() throws InterruptedException {
        ImagePlus first = plain("cells", 1), second = plain("cells", 9), renamed = plain("other", 5);
        Session session = new Session(first, () -> { });
        session.addSource(first);
        session.opened(second);
        expect("another image of that title", true, session.image(source(session)) == first);
        first.setTitle("renamed");
        session.opened(renamed);
        expect("an image that has been renamed", null, session.image(source(session)));
        session.opened(second);
        expect("a waiting step uses a new image", true, session.image(source(session)) == second);
        LiveRunTest.end(session);
    }
}

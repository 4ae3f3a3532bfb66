// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import ij.ImagePlus;
import ij.ImageStack;
import ij.Undo;
import ij.process.ImageProcessor;
import java.lang.reflect.Field;

/** Edit>Undo of what a command changes in place. ImageJ itself gives one slice back, and stacks only where no macro runs. */
final class StackUndo {
    /** As ImageJ: more is too much to keep a copy of. */
    private static final double MOST_BYTES = 200e6;

    private StackUndo() {}

    /** These slices of an image, by their number in the stack, are about to change. */
    static void before(ImagePlus target, int... slices) {
        if (slices.length == 1 && slices[0] == target.getCurrentSlice()) {
            Undo.setup(Undo.MACRO, target);
            return;
        }
        double bytes = (double) slices.length * target.getWidth() * target.getHeight() * target.getBytesPerPixel();
        ImageStack stack = target.getStack();
        if (stack.isVirtual() || bytes > MOST_BYTES) {
            Undo.reset();
            return;
        }
        ImageStack copy = new ImageStack(stack.getWidth(), stack.getHeight());
        for (int i = 1; i <= stack.getSize(); i++)
            copy.addSlice(stack.getSliceLabel(i), stack.getPixels(i));
        copy.setColorModel(stack.getColorModel());
        for (int slice : slices) {
            ImageProcessor plane = stack.getProcessor(slice);
            copy.setPixels(plane.getPixelsCopy(), slice);
        }
        keep(target, copy);
    }

    /** An image has another stack than this one now. */
    static void after(ImagePlus target, ImageStack before) {
        keep(target, before);
    }

    private static void keep(ImagePlus target, ImageStack stack) {
        Undo.reset();
        try {
            set("impCopy", new ImagePlus(target.getTitle(), stack));
            set("imageID", target.getID());
            set("whatToUndo", Undo.TRANSFORM);
        } catch (ReflectiveOperationException | RuntimeException e) {
            Undo.reset(); /* an ImageJ of another kind: the change stays */
        }
    }

    private static void set(String name, Object value) throws ReflectiveOperationException {
        Field field = Undo.class.getDeclaredField(name);
        field.setAccessible(true);
        field.set(null, value);
    }
}

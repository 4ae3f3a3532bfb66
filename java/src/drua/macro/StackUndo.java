// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import ij.ImagePlus;
import ij.ImageStack;
import ij.Undo;
import ij.macro.Interpreter;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;

/**
 * Edit>Undo for images that a command changes in place. ImageJ itself restores a single slice, and stacks only if no
 * macro runs.
 */
final class StackUndo {
    /** Same limit as in ImageJ; larger copies would take too much memory. */
    private static final double MAX_BYTES = 200e6;

    /** For each image ID, the stack before the running macro changed it. Unchanged slices share the image's pixels. */
    private static final Map<Integer, ImageStack> KEPT = new HashMap<>();
    private static WeakReference<Interpreter> macro = new WeakReference<>(null);
    private static double bytes;

    private StackUndo() {}

    /**
     * Call before slices of an image change; `slices` are numbers from 1. Undo reverts the macro's changes to one
     * image: the image that it changed last.
     */
    static void beforeChange(ImagePlus target, int... slices) {
        Interpreter running = Interpreter.getInstance();
        if (running == null || macro.get() != running) {
            KEPT.clear();
            bytes = 0;
            macro = new WeakReference<>(running);
        }
        ImageStack stack = target.getStack(), original = KEPT.get(target.getID());
        if (original == null || !isLike(original, stack))
            original = shared(stack);
        for (int slice : slices)
            if (original.getPixels(slice) == stack.getPixels(slice))
                bytes += (double) target.getWidth() * target.getHeight() * target.getBytesPerPixel();
        if (bytes > MAX_BYTES) {
            KEPT.clear();
            keepSlice(target, slices);
            return;
        }
        for (int slice : slices)
            if (original.getPixels(slice) == stack.getPixels(slice))
                original.setPixels(stack.getProcessor(slice).getPixelsCopy(), slice);
        KEPT.put(target.getID(), original);
        keep(target, original);
    }

    /** Keeps what ImageJ itself can restore: the displayed slice. */
    private static void keepSlice(ImagePlus target, int... slices) {
        Undo.reset();
        if (slices.length == 1 && slices[0] == target.getCurrentSlice())
            Undo.setup(Undo.MACRO, target);
    }

    private static boolean isLike(ImageStack one, ImageStack other) {
        return one.getWidth() == other.getWidth() && one.getHeight() == other.getHeight()
            && one.getSize() == other.getSize() && one.getBitDepth() == other.getBitDepth();
    }

    private static ImageStack shared(ImageStack stack) {
        ImageStack same = new ImageStack(stack.getWidth(), stack.getHeight());
        for (int i = 1; i <= stack.getSize(); i++)
            same.addSlice(stack.getSliceLabel(i), stack.getPixels(i));
        same.setColorModel(stack.getColorModel());
        return same;
    }

    /** Call after the stack of an image was replaced. */
    static void afterReplacement(ImagePlus target, ImageStack original) {
        keep(target, original);
    }

    private static void keep(ImagePlus target, ImageStack stack) {
        Undo.reset();
        try {
            set("impCopy", new ImagePlus(target.getTitle(), stack));
            set("imageID", target.getID());
            set("whatToUndo", Undo.TRANSFORM);
        } catch (ReflectiveOperationException | RuntimeException e) {
            Undo.reset(); /* an unknown version of ImageJ: no undo */
        }
    }

    private static void set(String name, Object value) throws ReflectiveOperationException {
        Field field = Undo.class.getDeclaredField(name);
        field.setAccessible(true);
        field.set(null, value);
    }
}
